#!/bin/sh
# Tests `gcncheck launch` from outside: exit codes, and that bad input gives one line on standard error. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
kernels=cases/kernels
make_tmp

# try CODE STDOUT STDERR ARGUMENTS...: exit code and both outputs must be those; standard input is passed on.
try() {
    want_code=$1 want_out=$2 want_err=$3
    shift 3
    "$gcncheck" launch "$@" >"$tmp/raw" 2>"$tmp/err"
    code=$?
    sed 's/, [0-9.]* s$//' "$tmp/raw" >"$tmp/out" # the time
    [ $code = "$want_code" ] && [ "$(cat "$tmp/out")" = "$want_out" ] && [ "$(cat "$tmp/err")" = "$want_err" ]
    held=$?
    [ $held = 0 ] || note "exit code $code
$(sed 's/^/out: /' "$tmp/out")
$(sed 's/^/err: /' "$tmp/err")"
    ok $held "launch $*"
}

vadd=$kernels/vadd_f32
matches="kernel vadd_f32: 4 work-groups, 496 instructions, out.bin matches"
try 0 "$matches" "" --mcpu gfx900 $vadd/gfx900.O3.co $vadd/launch.txt
try 0 "$matches" "" --engine ref $vadd/gfx900.O3.co $vadd/launch.txt
try 0 "$matches" "" - $vadd/launch.txt < $vadd/gfx900.O3.co

for order in order reverse round-robin random adversarial; do
    try 0 "$matches" "" --schedule $order --jobs 2 $vadd/gfx900.O3.co $vadd/launch.txt
    try 0 "$matches" "" --schedule $order --jobs 2 --delay-memory max $vadd/gfx900.O3.co $vadd/launch.txt
done
for when in max 1 2; do
    for kernel in "$kernels"/*/launch.txt; do
        kernel=${kernel%launch.txt}
        for co in "$kernel"gfx9*co; do
            mcpu=${co##*/}
            "$gcncheck" launch --delay-memory $when --mcpu "${mcpu%%.*}" "$co" "${kernel}launch.txt" || echo "$co fails"
        done > "$tmp/out" 2>&1
        ! grep -Eq 'differs|fails' "$tmp/out" && grep -q matches "$tmp/out"
        ok $? "$kernel with memory delayed, $when" "$tmp/out"
    done
done
try 2 "" "gcncheck launch: --delay-memory 0: neither 'max' nor a seed from 1 on" --delay-memory 0 $vadd/gfx900.O3.co $vadd/launch.txt
try 0 "$vadd/gfx900.O3.co: pc 0x1924 (vadd_f32+0x24): break; work-group 0 0 0, wave 0" "" --break vadd_f32+0x24 $vadd/gfx900.O3.co $vadd/launch.txt
try 2 "" "gcncheck launch: $vadd/gfx900.O3.co: break zork: neither a function nor a hexadecimal offset" --break zork $vadd/gfx900.O3.co $vadd/launch.txt
try 2 "" "gcncheck launch: $vadd/gfx900.O3.co: break 0x99998 lies in no function" --break 0x99998 $vadd/gfx900.O3.co $vadd/launch.txt

try 2 "" "gcncheck launch: $vadd/gfx900.O3.co: break vadd_f32+0x22: no instruction begins there" --break vadd_f32+0x22 $vadd/gfx900.O3.co $vadd/launch.txt
try 2 "$matches" "gcncheck launch: break vadd_f32+0x9c was not reached" --break vadd_f32+0x9c $vadd/gfx900.O3.co $vadd/launch.txt

# line TEXT ARGUMENTS...: one line of the output is TEXT.
line() {
    want=$1
    shift
    "$gcncheck" launch "$@" | grep -Fxq -e "$want"
    ok $? "launch $*: $want"
}
# 0x100 work-items; work-group 3 begins at work-item 0x300; the grid has 1000 of them
line "0.0.0/0 0x191c s_and_b32 s1, s2, 0xffff ; s1=0x100 scc=0x1" --trace $vadd/gfx900.O3.co $vadd/launch.txt
line "3.0.0/0 0x1924 s_mul_i32 s6, s6, s1 ; s6=0x300" --trace $vadd/gfx900.O3.co $vadd/launch.txt
line " s1=0x100 s2=0x10100 s3=0x3e8 s4=0x200000 s5=0x2 exec_lo=0xffffffff exec_hi=0xffffffff" \
    --break vadd_f32+0x24 --regs $vadd/gfx900.O3.co $vadd/launch.txt

# One byte of the wanted output changed: element 2 of 1024.
cp $vadd/*.bin $vadd/launch.txt "$tmp"
printf '\377' | dd of="$tmp/out.bin" bs=1 seek=8 conv=notrunc 2> /dev/null
word() { od -An -v -tx4 -j8 -N4 "$1" | tr -d ' '; }
try 1 "kernel vadd_f32: 4 work-groups, 496 instructions, out.bin differs: element 2 (byte 8): want 0x$(word "$tmp/out.bin"), got 0x$(word $vadd/out.bin); 1 of 1024 elements wrong" \
    "" $vadd/gfx900.O3.co "$tmp/launch.txt"

try 2 "" "gcncheck launch: $vadd/gfx900.O3.co: is for gfx900, not for gfx906 (--mcpu)" --mcpu gfx906 $vadd/gfx900.O3.co $vadd/launch.txt
try 2 "" "gcncheck launch: $tmp/none.co: cannot be opened: No such file or directory" "$tmp/none.co" $vadd/launch.txt
try 2 "" "gcncheck launch: $tmp/none.txt: cannot be opened: No such file or directory" $vadd/gfx900.O3.co "$tmp/none.txt"
try 2 "" "gcncheck launch: $vadd/kernel.cl: is neither an ELF file nor a bundle" $vadd/kernel.cl $vadd/launch.txt
try 2 "" "gcncheck launch: $vadd/kernel.cl:2: '__kernel' is not known" $vadd/gfx900.O3.co $vadd/kernel.cl
head -c 3000 $vadd/gfx900.O3.co > "$tmp/short.co"
try 2 "" "gcncheck launch: $tmp/short.co: is cut short: its section headers (e_shoff 0xb98, e_shnum 14) are beyond the end" "$tmp/short.co" $vadd/launch.txt
try 2 "" "gcncheck launch: $kernels/global_table/gfx900.O3.co: has no kernel 'vadd_f32', only: global_table" \
    $kernels/global_table/gfx900.O3.co $vadd/launch.txt
try 3 "" "gcncheck launch: $vadd/gfx900.O3.co: pc 0x1908 (vadd_f32+0x8): 2 instructions without an end (--max-steps): a loop, or a wait for another wave; work-group 0 0 0, wave 0; wave 0 at 0x1910; wave 1 at 0x1900; wave 2 at 0x1900; wave 3 at 0x1900" \
    --max-steps 2 $vadd/gfx900.O3.co $vadd/launch.txt
# Two bundles in a file, each with a kernel for two processors.
python3 - "$tmp/bundle" $vadd/gfx900.O3.co $kernels/global_table/gfx900.O3.co << 'END'
import struct, sys
out = open(sys.argv[1], "wb")
for name in sys.argv[2:]:
    code = bytearray(open(name, "rb").read())
    code[48] = 0x2f  # the processor in e_flags: gfx906
    codes = [b"", open(name, "rb").read(), bytes(code)]
    ids = [b"host-x86_64-unknown-linux--"] + [b"hipv4-amdgcn-amd-amdhsa--" + m for m in (b"gfx900", b"gfx906")]
    at = 32 + sum(24 + len(i) for i in ids)
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", 3)
    for i, code in zip(ids, codes):
        head += struct.pack("<QQQ", at, len(code), len(i)) + i
        at += len(code)
    out.write(head + b"".join(codes))
END
try 0 "$matches" "" --mcpu gfx906 "$tmp/bundle" $vadd/launch.txt
try 2 "" "gcncheck launch: $tmp/bundle: has code for gfx900, gfx906, none for gfx908 (--mcpu)" --mcpu gfx908 "$tmp/bundle" $vadd/launch.txt
try 2 "" "gcncheck launch: $tmp/bundle: has no kernel 'reduce_lds_u32' in any of the 2 code objects for gfx900" --mcpu gfx900 "$tmp/bundle" $kernels/reduce_lds_u32/launch.txt
try 2 "" "gcncheck launch: too few arguments: LAUNCH.TXT is missing" "$tmp/bundle"
try 2 "" "gcncheck launch: --list takes one file" --list "$tmp/bundle" $vadd/launch.txt
line "4 code objects, 4 kernels load, 0 bad" --list "$tmp/bundle"
line "2 code objects, 2 kernels load, 0 bad" --list --mcpu gfx906 "$tmp/bundle"
line "    288    4     13      0       0     8    16   256  vadd_f32" --list $vadd/gfx900.O3.co
sed 's/vadd_f32[.]kd/vadd_f32.kx/' $vadd/gfx900.O3.co > "$tmp/bad.co"
line "bad: vadd_f32.kx: is not the symbol of a descriptor" --list "$tmp/bad.co"
# An image of 40 x 34 floats, its rows 256 bytes apart in memory and none apart in the file.
rotate=$kernels/image_rotate
try 0 "kernel image_rotate: 25 work-groups, 2650 instructions, out.bin matches" "" --out "$tmp/image" $rotate/gfx900.O3.co $rotate/launch.txt
cmp -s "$rotate/in.bin" "$tmp/image/0.bin" && [ "$(wc -c <"$tmp/image/1.bin")" -eq 5440 ]
ok $? "images are written without gaps"
# Pointers that are numbers.
printf 'kernel vadd_f32\ngrid 64 1 1\nworkgroup 64 1 1\ntmp 256\nu64 0\ntmp 256\ni32 64\n' > "$tmp/null.txt"
try 3 "" "gcncheck launch: $vadd/gfx900.O3.co: pc 0x197c (vadd_f32+0x7c): memory violation at 0x0 (a null pointer); work-group 0 0 0, wave 0" \
    $vadd/gfx900.O3.co "$tmp/null.txt"
# A kernel that launches another.
printf 'kernel parent\ngrid 64 1 1\nworkgroup 64 1 1\ntmp 256\n' > "$tmp/parent.txt"
"$gcncheck" launch $kernels/device_enqueue/gfx900.O2.co "$tmp/parent.txt" > "$tmp/raw" 2>&1
[ $? = 3 ] && grep -q ', the queue for enqueue_kernel: kernels that are launched from the device are not modelled; work-group 0 0 0, wave 0$' "$tmp/raw"
ok $? "enqueue_kernel is refused by name" "$tmp/raw"
# What kernels print stands before what launch says.
try 0 "3:   4.50 text 3298534883328 3,-1,2,3|0xff 100%
43:  64.50 text 47278999994368 43,-1,2,3|0x127 100%
83: 124.50 text 91259465105408 83,-1,2,3|0x14f 100%
123: 184.50 text 135239930216448 123,-1,2,3|0x177 100%
work-group 1
kernel talk: 2 work-groups, 292 instructions, out.bin matches" "" $kernels/printf_cl/gfx900.O2.co $kernels/printf_cl/launch.txt
said="3:   4.50 text 3298534883328 x 0xff 100%
43:  64.50 text 47278999994368 x 0x127 100%
83: 124.50 text 91259465105408 x 0x14f 100%
123: 184.50 text 135239930216448 x 0x177 100%"
line "123: 184.50 text 135239930216448 x 0x177 100%" $kernels/printf_hip/gfx900.O3.co $kernels/printf_hip/launch.txt
cp $kernels/printf_hip/out.bin "$tmp"
sed 's/i32 128/i32 127/' $kernels/printf_hip/launch.txt > "$tmp/assert.txt"
try 3 "$said
kernel.hip:11: void talk(int *, int): Device-side assertion \`i < limit' failed." \
    "gcncheck launch: $kernels/printf_hip/gfx900.O3.co: pc 0x3364 (__assert_fail+0x1964): s_trap 2: the kernel gives up (assert, abort, __builtin_trap)" \
    $kernels/printf_hip/gfx900.O3.co "$tmp/assert.txt"
# Formats that are none; a record that no format fits.
talk=$kernels/printf_cl
cp $talk/out.bin "$tmp"
for change in "1:1:4:work/1:9:4:work/metadata: printf: format 0 lacks the size of argument 1" \
    "1:1:4:work/x:1:4:work/metadata: printf: format 0 is not ID:N:SIZE...:TEXT"; do
    sed "s/${change%/*}/" $talk/gfx900.O2.co > "$tmp/talk.co"
    try 2 "" "gcncheck launch: $tmp/talk.co: ${change##*/}" "$tmp/talk.co" $talk/launch.txt
done
sed "s/2:6:4:4:8/7:6:4:4:8/" $talk/gfx900.O2.co > "$tmp/talk.co"
try 3 "" "gcncheck launch: $tmp/talk.co: the printf buffer holds a record of no known format; work-group 0 0 0" "$tmp/talk.co" $talk/launch.txt
sed "s/work-group %d/work-group %q/" $talk/gfx900.O2.co > "$tmp/talk.co"
try 3 "3:   4.50 text 3298534883328 3,-1,2,3|0xff 100%
43:  64.50 text 47278999994368 43,-1,2,3|0x127 100%
83: 124.50 text 91259465105408 83,-1,2,3|0x14f 100%
123: 184.50 text 135239930216448 123,-1,2,3|0x177 100%
work-group " "gcncheck launch: $tmp/talk.co: a printf's format does not fit its arguments; work-group 1 0 0" "$tmp/talk.co" $talk/launch.txt
finish
