#!/bin/sh
# Tests which code object `gcncheck launch` takes from a file that holds several. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
vadd=cases/kernels/vadd_f32
make_tmp

# try TITLE CODE WANT ARGUMENTS...: exit code, and all that is printed but the time.
try() {
    title=$1 want_code=$2 want=$3
    shift 3
    said=$("$gcncheck" launch "$@" 2>&1)
    code=$?
    is "exit code $want_code, $want" "exit code $code, $(printf '%s\n' "$said" | sed 's/, [0-9.]* s$//')" "$title"
}

# A kernel of which another code object has more than the name.
if command -v llvm-mc-19 >/dev/null; then
    . harness/t/lib/kernel.sh
    echo "    s_endpgm" | assemble triple 64 0 "$tmp/triple"
fi

python3 - "$tmp" <<'END' || exit 1
import os, struct, sys
tmp = sys.argv[1]
vadd = open("cases/kernels/vadd_f32/gfx900.O3.co", "rb").read()
table = open("cases/kernels/global_table/gfx900.O3.co", "rb").read()

# A bundle: magic, number of entries; offset, size, size of the id, id of each; then the code.
def bundle(parts):
    size = 32 + sum(24 + len(name) for name, code in parts)
    head, body = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(parts)), b""
    for name, code in parts:
        body += b"\0" * (-(size + len(body)) % 4096)
        head += struct.pack("<QQQ", size + len(body), len(code), len(name)) + name
        body += code
    return head + body

# The processor and its features are in e_flags, at byte 48.
def made_for(code, flags):
    copy = bytearray(code)
    struct.pack_into("<I", copy, 48, flags)
    return bytes(copy)

ID = b"hipv4-amdgcn-amd-amdhsa--"
host = (b"host-x86_64-unknown-linux--", b"")
one = bundle([host, (ID + b"gfx900", vadd), (ID + b"gfx906:xnack-", made_for(vadd, 0x22f | 0x400))])
open(tmp + "/one", "wb").write(one)
other = bundle([host, (ID + b"gfx900", table)])
open(tmp + "/two", "wb").write(other + b"\0" * (-len(other) % 4096) + bundle([host, (ID + b"gfx900", vadd)]))
if os.path.exists(tmp + "/triple"):
    triple, several = open(tmp + "/triple", "rb").read(), open("cases/kernels/several/gfx900.O3.co", "rb").read()
    first = bundle([host, (ID + b"gfx900", triple)])
    open(tmp + "/three", "wb").write(first + b"\0" * (-len(first) % 4096) + bundle([host, (ID + b"gfx900", several)]))
open(tmp + "/bitcode", "wb").write(bundle([host, (ID + b"gfx900", b"BC\xc0\xde1234")]))
open(tmp + "/bare", "wb").write(b"BC\xc0\xde1234")
open(tmp + "/host", "wb").write(bundle([host]))
END
sed 's/^kernel .*/kernel nothing/' $vadd/launch.txt > "$tmp/nothing.txt"
cp $vadd/*.bin "$tmp"

matches="kernel vadd_f32: 4 work-groups, 496 instructions, out.bin matches"
try "the processor is that of the file" 0 "$matches" $vadd/gfx900.O3.co $vadd/launch.txt
try "a target id that the file leaves open" 0 "$matches" --mcpu gfx900:xnack+ $vadd/gfx900.O3.co $vadd/launch.txt
try "one of two processors" 0 "$matches" --mcpu gfx900 "$tmp/one" $vadd/launch.txt
try "the other" 0 "$matches" --mcpu gfx906 "$tmp/one" $vadd/launch.txt
try "the same by its whole id" 0 "$matches" --mcpu gfx906:xnack- "$tmp/one" $vadd/launch.txt
try "a feature set otherwise" 2 "gcncheck launch: $tmp/one: has code for gfx900, gfx906:xnack-, none for gfx906:xnack+ (--mcpu)" \
    --mcpu gfx906:xnack+ "$tmp/one" $vadd/launch.txt
try "a processor that is not there" 2 "gcncheck launch: $tmp/one: has code for gfx900, gfx906:xnack-, none for gfx908 (--mcpu)" \
    --mcpu gfx908 "$tmp/one" $vadd/launch.txt
try "none is named" 2 "gcncheck launch: $tmp/one: has code for gfx900, gfx906:xnack-: name one of them (--mcpu)" \
    "$tmp/one" $vadd/launch.txt
try "the code object that has the kernel" 0 "$matches" "$tmp/two" $vadd/launch.txt
try "no code object has it" 2 "gcncheck launch: $tmp/two: has no kernel 'nothing' in any of the 2 code objects for gfx900" \
    "$tmp/two" "$tmp/nothing.txt"
try "bitcode" 2 "gcncheck launch: $tmp/bitcode: hipv4-amdgcn-amd-amdhsa--gfx900 is LLVM bitcode (clang -fgpu-rdc): link it first" \
    "$tmp/bitcode" $vadd/launch.txt
try "bitcode alone" 2 "gcncheck launch: $tmp/bare: is LLVM bitcode (clang -fgpu-rdc, -emit-llvm): link it first" "$tmp/bare" $vadd/launch.txt
if command -v llvm-objcopy-19 >/dev/null && [ -f /bin/true ] &&
    llvm-objcopy-19 --add-section __CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx900="$tmp/bare" /bin/true "$tmp/rdc.o"; then
    try "bitcode in an object for the host" 2 "gcncheck launch: $tmp/rdc.o: holds LLVM bitcode (clang -fgpu-rdc): link it first" \
        "$tmp/rdc.o" $vadd/launch.txt
fi
if [ -f "$tmp/three" ]; then
    "$gcncheck" launch "$tmp/three" cases/kernels/several/launch.txt >"$tmp/out" 2>&1 && grep -q '^kernel add: .* out.bin matches' "$tmp/out"
    ok $? "the code object that has all kernels of a script" "$tmp/out"
    sed 's/^kernel add/kernel nothing/' cases/kernels/several/launch.txt >"$tmp/missing.txt"
    cp cases/kernels/several/*.bin "$tmp"
    try "none has all: who lacks which is told" 2 "gcncheck launch: $tmp/missing.txt:$(grep -n '^kernel reverse' "$tmp/missing.txt" | cut -d: -f1): has no kernel 'reverse', only: triple" \
        "$tmp/three" "$tmp/missing.txt"
fi
try "nothing for a GPU" 2 "gcncheck launch: $tmp/host: has no code object for a GPU" "$tmp/host" $vadd/launch.txt
finish
