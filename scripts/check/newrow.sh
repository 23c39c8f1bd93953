#!/bin/sh
# A row says everything about its opcode: a fictional buffer_load_u24, three bytes, is added to a copy of the tree as one
# row and one shape, and is assembled, executed, delayed, drawn and linted there without any other change. TAP 13.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
tree=$tmp/tree

mkdir -p "$tree/cases/kernels" && cp -a Makefile oracle fuzz reports harness scripts "$tree" &&
    cp -a cases/kernels/sha256 cases/kernels/matmul_tiled "$tree/cases/kernels" || bail "no copy of the tree"
cat >>"$tree/oracle/isa/rows/mubuf.def" <<'END'
OPM(buffer_load_u24, MUBUF_LOAD_U24, GFX9(41), LOAD, { D = (u32)buffer_read(w, &BUFFER, SPOT, 0, 3); })
END
sed -i 's/^#define MUBUF_LOAD_B32(E, W, R, RW)/#define MUBUF_LOAD_U24(E, W, R, RW) BUF_LOAD_(E, MUBUF, W, R, B32, 3)\n&/' "$tree/oracle/isa/shape.def"
(unset BUILD; cd "$tree" && exec make -j2 core) >"$tmp/log" 2>&1 || { sed 's/^/# /' "$tmp/log" | tail -20; bail "it does not build"; }
u24="$tree/build/gcncheck"

cat >"$tmp/buffer_load_u24.case" <<'END'
case-format 1
# Loads three bytes, zero-extended; in range as a whole or not at all.

test three bytes
mem   buf 256
in    s[4:5] = &buf  s6 = 200  s7 = 0x24fac  s8 = 0
code
    buffer_load_u24 v12, v2, s[4:7], s8 offen
    s_waitcnt vmcnt(0)
    v_mov_b32 v13, v12
rows  v2          |  v12         v13
      0x00000004  |  0x00000004  0x00000004
      0x00000002  |  0x0004d000  0x0004d000
      0x00000003  |  0x000004d0  0x000004d0
      0x000000c5  |  0x00d00000  0x00d00000
      0x000000c6  |  0x00000000  0x00000000
END
mkdir "$tmp/bare" && sed '/s_waitcnt/d' "$tmp/buffer_load_u24.case" >"$tmp/bare/buffer_load_u24.case"

echo 'buffer_load_u24 v1, v2, s[4:7], 0 offen offset:5' >"$tmp/u24.s"
expect "it is assembled" 0 "^e0a41005 80010102$" "$u24" asm --mcpu gfx900 "$tmp/u24.s"
expect "it loads three bytes" 0 "right 5, wrong 0" "$u24" run --mcpu gfx900 "$tmp/buffer_load_u24.case"
expect "the wait brings its result" 0 "right 5, wrong 0" "$u24" run --mcpu gfx900 --dut model:delay=max "$tmp/buffer_load_u24.case"
expect "without the wait it comes late" 1 "right [0-4], wrong" "$u24" run --mcpu gfx900 --dut model:delay=max "$tmp/bare/buffer_load_u24.case"
for dut in model:engine=host model:delay=max; do
    expect "programs with it, $dut" 0 "right 2000, wrong 0" "$u24" fuzz --only buffer_load_u24 --seed 3 --count 2000 --dut $dut
done

# The second load of a kernel becomes one of three bytes; then its wait is taken out.
kernel=cases/kernels/vadd_f32/gfx900.O3.co
patch() { # FROM TO WORD AT [WORD AT]...: writes words at addresses of the code object's memory
    python3 - "$@" <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
phoff, = struct.unpack_from("<Q", data, 32)
size, count = struct.unpack_from("<HH", data, 54)
for word, at in zip(sys.argv[3::2], sys.argv[4::2]):
    word, at = int(word, 16), int(at, 16)
    for i in range(count):
        kind, flags, offset, vaddr, _, length = struct.unpack_from("<IIQQQQ", data, phoff + i * size)
        if kind == 1 and vaddr <= at < vaddr + length:
            struct.pack_into("<I", data, offset + at - vaddr, word)
open(sys.argv[2], "wb").write(data)
END
}
at=$("$u24" dis "$kernel" | sed -n 's/^\tglobal_load_dword .*\/\/ 0*\([0-9A-F]*\): .*/\1/p' | tail -1)
wait=$("$u24" dis "$kernel" | sed -n 's/^\ts_waitcnt vmcnt.*\/\/ 0*\([0-9A-F]*\): .*/\1/p' | tail -1)
echo 'buffer_load_u24 v2, off, s[0:3], 0' >"$tmp/u24.s"
set -- $("$u24" asm --mcpu gfx900 "$tmp/u24.s")
patch "$kernel" "$tmp/load.co" "$1" "$at" "$2" "$(printf %x $((0x$at + 4)))"
patch "$tmp/load.co" "$tmp/bare.co" bf800000 "$wait"
expect "lint: a kernel with it is clean" 0 "" "$u24" lint "$tmp/load.co"
expect "lint: without its wait it is not" 1 "is not waited for" "$u24" lint "$tmp/bare.co"
finish
