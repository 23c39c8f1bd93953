#!/bin/sh
# Tests `gcncheck launch` from outside: exit codes, and that bad input gives one line on standard error. TAP 13.
# Runs in the root of the repository. GCNCHECK: the program (default build/gcncheck).

gcncheck="${GCNCHECK:-build/gcncheck}"
kernels=cases/kernels
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0
bad=0

# try CODE STDOUT STDERR ARGUMENTS...: exit code and both outputs must be those; standard input is passed on.
try() {
    want_code=$1 want_out=$2 want_err=$3
    shift 3
    n=$((n + 1))
    "$gcncheck" launch "$@" > "$tmp/raw" 2> "$tmp/err"
    code=$?
    sed 's/, [0-9.]* s$//' "$tmp/raw" > "$tmp/out" # the time
    if [ $code = "$want_code" ] && [ "$(cat "$tmp/out")" = "$want_out" ] && [ "$(cat "$tmp/err")" = "$want_err" ]; then
        echo "ok $n - launch $*"
    else
        sed 's/^/# out: /' "$tmp/out"
        sed 's/^/# err: /' "$tmp/err"
        echo "not ok $n - launch $* # exit code $code"
        bad=1
    fi
}

echo "TAP version 13"
vadd=$kernels/vadd_f32
matches="kernel vadd_f32: 4 work-groups, 496 instructions, out.bin matches"
try 0 "$matches" "" --mcpu gfx900 $vadd/gfx900.O3.co $vadd/launch.txt
try 0 "$matches" "" --engine ref $vadd/gfx900.O3.co $vadd/launch.txt
try 0 "$matches" "" - $vadd/launch.txt < $vadd/gfx900.O3.co

for order in order reverse round-robin random adversarial; do
    try 0 "$matches" "" --schedule $order --jobs 2 $vadd/gfx900.O3.co $vadd/launch.txt
done
try 0 "$vadd/gfx900.O3.co: pc 0x1924 (vadd_f32+0x24): break; work-group 0 0 0, wave 0" "" --break vadd_f32+0x24 $vadd/gfx900.O3.co $vadd/launch.txt
try 2 "" "gcncheck launch: $vadd/gfx900.O3.co: break zork: neither a function nor a hexadecimal offset" --break zork $vadd/gfx900.O3.co $vadd/launch.txt
try 2 "" "gcncheck launch: $vadd/gfx900.O3.co: break 0x99998 lies in no function" --break 0x99998 $vadd/gfx900.O3.co $vadd/launch.txt

try 2 "" "gcncheck launch: $vadd/gfx900.O3.co: break vadd_f32+0x22: no instruction begins there" --break vadd_f32+0x22 $vadd/gfx900.O3.co $vadd/launch.txt
try 2 "$matches" "gcncheck launch: break vadd_f32+0x9c was not reached" --break vadd_f32+0x9c $vadd/gfx900.O3.co $vadd/launch.txt

# line TEXT ARGUMENTS...: one line of the output is TEXT.
line() {
    want=$1
    shift
    n=$((n + 1))
    if "$gcncheck" launch "$@" | grep -Fxq -e "$want"; then
        echo "ok $n - launch $*: $want"
    else
        echo "not ok $n - launch $*: $want"
        bad=1
    fi
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
try 2 "" "gcncheck launch: $tmp/short.co: is cut short: its section headers are beyond the end" "$tmp/short.co" $vadd/launch.txt
try 2 "" "gcncheck launch: $kernels/global_table/gfx900.O3.co: has no kernel 'vadd_f32', only: global_table" \
    $kernels/global_table/gfx900.O3.co $vadd/launch.txt
try 3 "" "gcncheck launch: $vadd/gfx900.O3.co: pc 0x1908 (vadd_f32+0x8): 2 instructions without an end: a loop, or a wait for another wave; work-group 0 0 0, wave 0; wave 0 at 0x1910; wave 1 at 0x1900; wave 2 at 0x1900; wave 3 at 0x1900" \
    --max-steps 2 $vadd/gfx900.O3.co $vadd/launch.txt
echo "1..$n"
exit $bad
