#!/bin/sh
# Tests `gcncheck dis` of files: listings against llvm-objdump-19 (where it is installed), bundles, libraries, standard
# input, descriptors, metadata, and bad input. TAP 13. Runs in the root of the repository.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
k=cases/kernels/vadd_f32/gfx900.O3.co

# fails TITLE CODE PATTERN ARGUMENTS...: ends with CODE and one line that matches.
fails() {
    title=$1 want=$2 pattern=$3
    shift 3
    "$gcncheck" dis "$@" >"$tmp/out" 2>"$tmp/diff" </dev/null
    [ $? = "$want" ] && [ "$(wc -l <"$tmp/diff")" = 1 ] && grep -q -e "$pattern" "$tmp/diff"
    ok $? "$title" "$tmp/diff"
}

# A bundle of three processors, and a host library with it in .hip_fatbin before another; by the formats' description.
python3 - "$tmp" "$k" <<'END'
import struct, sys
tmp, k = sys.argv[1:]
code = bytearray(open(k, "rb").read())
def bundle(entries):
    size = 32 + sum(24 + len(name) for name, _ in entries)
    head, body = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries)), b""
    for name, code in entries:
        if code:
            body += b"\0" * (-(size + len(body)) % 4096)
        head += struct.pack("<QQQ", size + len(body), len(code), len(name)) + name
        body += code
    return head + body
def made_for(flags):
    copy = bytearray(code)
    struct.pack_into("<I", copy, 48, flags)
    return bytes(copy)
host = (b"host-x86_64-unknown-linux--", b"")
one = bundle([host, (b"hipv4-amdgcn-amd-amdhsa--gfx900", made_for(0x12c)),
              (b"hipv4-amdgcn-amd-amdhsa--gfx900:xnack+", made_for(0x32c)),
              (b"hipv4-amdgcn-amd-amdhsa--gfx90a", made_for(0x53f))])
open(tmp + "/k.bundle", "wb").write(one)
fat = one + b"\0" * (-len(one) % 4096) + bundle([host, (b"hip-amdgcn-amd-amdhsa--gfx900", made_for(0x22c))])
names = b"\0.shstrtab\0.hip_fatbin\0"
shoff = 4096 + len(fat) + len(names)
elf = b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, shoff, 0, 64, 56, 0, 64, 3, 1)
elf += b"\0" * (4096 - len(elf)) + fat + names + b"\0" * 64
elf += struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, 4096 + len(fat), len(names), 0, 0, 1, 0)
elf += struct.pack("<IIQQQQIIQQ", 11, 1, 2, 0x1000, 4096, len(fat), 0, 0, 4096, 0)
open(tmp + "/libk.so", "wb").write(elf)
open(tmp + "/cut.bundle", "wb").write(one[:5000])
open(tmp + "/bad.so", "wb").write(elf.replace(b"__CLANG_OFFLOAD_BUNDLE__", b"__CLANG_OFFLOAD_BUMBLE__"))
images = elf.replace(b".hip_fatbin", b".hip_fatbim")
open(tmp + "/images.so", "wb").write(images)
over = bytearray(images)
struct.pack_into("<QQ", over, shoff + 128 + 24, 0, len(over))
open(tmp + "/over.so", "wb").write(over)
open(tmp + "/plain.so", "wb").write(elf.replace(b".hip_fatbin", b".hip_fatbim").replace(b"\x7fELF\2\1\1\x40", b"\x7fELF\1\1\1\x40"))
# By hand: s_mov_b32 s0, 1 with a literal is be8000ff 00000001; it stands in place of an s_waitcnt and what follows.
at = code.index(bytes.fromhex("7fc08cbf"))
code[at:at + 8] = bytes.fromhex("ff0080be01000000")
open(tmp + "/literal.co", "wb").write(code)
END

body() { sed -n '/^Disassembly/,$p' "$@"; }
"$gcncheck" dis "$k" >"$tmp/ours"
body "$tmp/ours" >"$tmp/body"
grep -q '^0000000000001900 <vadd_f32>:$' "$tmp/ours"
ok $? "the kernel's head line" "$tmp/diff"
"$gcncheck" dis - <"$k" | body | diff "$tmp/body" - >"$tmp/diff"
ok $? "from standard input" "$tmp/diff"
[ "$(printf 'C0020242 00000004\n' | "$gcncheck" dis)" = "s_load_dword s9, s[4:5], 0x4" ]
ok $? "dwords from standard input that begin as a compressed bundle does" "$tmp/diff"
"$gcncheck" dis "$tmp/k.bundle" >"$tmp/out"
[ "$(grep -c 'file format' "$tmp/out")" = 2 ] && grep -q 'gfx90a:.skipped: the instructions of gfx90a are not described$' "$tmp/out"
ok $? "a bundle: what is described is listed, what is not is named" "$tmp/diff"
"$gcncheck" dis --mcpu gfx900:xnack+ "$tmp/k.bundle" >"$tmp/out"
[ "$(grep -c 'file format' "$tmp/out")" = 1 ] && body "$tmp/out" | diff "$tmp/body" - >"$tmp/diff"
ok $? "one target id of a bundle" "$tmp/diff"
"$gcncheck" dis --mcpu gfx803,gfx900 "$tmp/libk.so" >"$tmp/out"
[ "$(grep -c '^0000000000001900 <vadd_f32>:$' "$tmp/out")" = 3 ] &&
    grep -q 'libk.so \[1\] hip-amdgcn-amd-amdhsa--gfx900:' "$tmp/out"
ok $? "a library with two bundles" "$tmp/diff"
echo "3 code objects, 3 symbols, $(($(grep -c '//' "$tmp/body") * 3)) instructions, 0 other dwords: 0 lines assemble to other bits" >"$tmp/want"
"$gcncheck" dis --mcpu gfx900 --check "$tmp/libk.so" | diff "$tmp/want" - >"$tmp/diff"
ok $? "every line assembles again" "$tmp/diff"
"$gcncheck" dis --check "$tmp/literal.co" >"$tmp/diff"
[ $? = 1 ] && grep -q 's_mov_b32 s0, 1 .*BE8000FF 00000001 // assembles to BE800081 ' "$tmp/diff"
ok $? "a line that assembles to other bits" "$tmp/diff"
sed -n '/<vadd_f32>:/,$p' "$tmp/ours" >"$tmp/want"
"$gcncheck" dis --symbol vadd_f32 "$k" | sed 1d | diff "$tmp/want" - >"$tmp/diff"
ok $? "one symbol" "$tmp/diff"
"$gcncheck" dis --metadata --descriptor "$k" >"$tmp/out"
grep -q '^target:  *gfx900$' "$tmp/out" && grep -q '^code object version: 5$' "$tmp/out" &&
    grep -q '\.symbol: vadd_f32.kd$' "$tmp/out" && grep -q '^  user_sgpr_count  *6$' "$tmp/out"
ok $? "metadata and descriptor" "$tmp/diff"
[ "$("$gcncheck" dis --metadata "$tmp/k.bundle" | grep -c '^target:  *gfx90[0a]')" = 3 ]
ok $? "metadata of processors that are described and not" "$tmp/diff"

[ "$("$gcncheck" dis --metadata "$tmp/images.so" | grep -c '^target:')" = 4 ]
ok $? "code objects in another section of a library" "$tmp/diff"
"$gcncheck" dis --metadata "$tmp/images.so" | grep -q 'images.so \[0\] at 0x'
ok $? "which are told by their place" "$tmp/diff"

fails "sections over each other" 2 'section .hip_fatbim overlaps others' "$tmp/over.so"
fails "a bundle cut short" 2 'cut.bundle: bundle at 0x0: entry 1: bytes .* are beyond the end' "$tmp/cut.bundle"
fails "a section .hip_fatbin without a bundle" 2 'bytes at 0x1000 are no bundle' "$tmp/bad.so"
fails "a library without code" 2 'for machine 62, not for AMDGPU (224), with neither a section .hip_fatbin nor a code object in another' "$tmp/plain.so"
fails "a processor that the bundle does not have" 2 'has no code object for gfx906, only for gfx900, gfx900:xnack+, gfx90a' \
    --mcpu gfx906 "$tmp/k.bundle"
fails "a symbol that is not there" 2 "has no code behind a symbol 'vadd'" --symbol vadd "$k"
fails "a descriptor that is not there" 2 "has no kernel descriptor of vadd" --descriptor --symbol vadd "$k"
printf '32000501\n' >"$tmp/hex"
fails "--check of hex" 2 'is neither an ELF file nor a bundle' --check "$tmp/hex"

# What follows compares with LLVM.
for tool in llvm-objdump-19 llvm-mc-19; do
    command -v $tool >/dev/null 2>&1 && continue
    skip "as llvm-objdump" "$tool is not installed"
    finish
done

for co in cases/kernels/*/gfx900.*.co; do
    case "$co" in *.v2.co) continue ;; esac # LLVM 19 does not list version 2
    llvm-objdump-19 -d "$co" >"$tmp/theirs"
    "$gcncheck" dis "$co" | diff "$tmp/theirs" - >"$tmp/diff"
    ok $? "as llvm-objdump: $co" "$tmp/diff"
done

cat >"$tmp/odd.s" <<'END'
    s_nop 7
.type a,@function
b:
a: s_nop 0
.type d,@function
c:
d: s_nop 1
.type e,@object
f:
e: s_nop 2
.Lx: s_branch a
    s_branch .Lx
    s_branch -100
    s_branch b
    .long 0xffffffff
    .long 0xd1198400
    .long 0
    .long 0
    v_mad_mix_f32 v0, -v1, -v2, -|v3| op_sel:[1,1,1] op_sel_hi:[1,1,1] clamp
    s_call_b64 s[0:1], z
    .byte 1, 2
w:
z:
    s_endpgm
    .byte 3
.section .text.other,"ax",@progbits
.type h,@function
h: s_nop 1
    s_branch 100
    s_cbranch_vccz k
k: .long 0xc0020242
END
llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj "$tmp/odd.s" -o "$tmp/odd.o"
llvm-objdump-19 -d "$tmp/odd.o" >"$tmp/theirs"
"$gcncheck" dis "$tmp/odd.o" | diff "$tmp/theirs" - >"$tmp/diff"
ok $? "as llvm-objdump: symbols without type, data between code, odd bytes" "$tmp/diff"

cat >"$tmp/pal.s" <<'PAL'
    .amdgpu_pal_metadata
---
amdpal.pipelines:
  - .internal_pipeline_hash: [ 1, 2 ]
    .registers:
      0x2e12: 0xac0040
      0x2e42: 0x10000003
    .type: Cs
amdpal.version: [ 2, 6 ]
...
    .end_amdgpu_pal_metadata
f:  s_endpgm
PAL
llvm-mc-19 -triple=amdgcn-amd-amdpal -mcpu=gfx900 -filetype=obj "$tmp/pal.s" -o "$tmp/pal.o"
cat >"$tmp/want" <<'PAL'
target:              gfx900
operating system:    amdpal
---
amdpal.pipelines:
  -
    .internal_pipeline_hash: [ 1, 2 ]
    .registers:
      0x2e12: 0xac0040
      0x2e42: 0x10000003 # BaseVertex
    .type: Cs
amdpal.version: [ 2, 6 ]
...
PAL
"$gcncheck" dis --metadata "$tmp/pal.o" | sed 1,2d | diff "$tmp/want" - >"$tmp/diff"
ok $? "metadata of amdpal" "$tmp/diff"

# Every processor of the guide, with its target features, as LLVM writes it into the header.
wrong=
for id in gfx600 gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 gfx801 gfx801:xnack+ gfx801:xnack- gfx802 gfx803 \
    gfx805 gfx810 gfx810:xnack+ gfx900 gfx900:xnack+ gfx900:xnack- gfx902 gfx904 gfx906 gfx906:sramecc+:xnack- \
    gfx906:sramecc-:xnack+ gfx908 gfx908:sramecc+ gfx908:sramecc- gfx909:xnack- gfx90a gfx90a:sramecc+:xnack+ gfx90c gfx940 \
    gfx941 gfx942 gfx1010 gfx1010:xnack+ gfx1011 gfx1012 gfx1013 gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 \
    gfx1100 gfx1101 gfx1102 gfx1103; do
    features=$(echo "$id" | sed -n 's/^[^:]*:\(.*\)/\1/p' | sed 's/:/,/; s/\([a-z]*\)\([+-]\)/\2\1/g')
    echo ".amdgcn_target \"amdgcn-amd-amdhsa--$id\"" |
        llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu="${id%%:*}" -mattr="$features" -filetype=obj -o "$tmp/t.o" 2>"$tmp/diff"
    got=$("$gcncheck" dis --metadata "$tmp/t.o" 2>&1 | sed -n 's/^target: *//p')
    [ "$got" = "$id" ] || wrong="$wrong $id=$got"
done
echo "$wrong" >"$tmp/diff"
[ -z "$wrong" ]
ok $? "every processor of the guide, with its features, as LLVM writes it" "$tmp/diff"
finish
