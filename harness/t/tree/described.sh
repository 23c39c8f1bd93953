#!/bin/sh
# A processor that is described and not modelled, as each is at first (oracle/isa/PROCESSORS.md): what runs programs refuses it by
# name, what reads and writes them does not. One of a copy of the table is made so; all else is the program that was built. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=$(dirname "$gcncheck")
make_tmp

mkdir -p "$tmp/oracle/isa"
sed 's/^TARGET(gfx601, GEN_GFX6, MODELLED, /TARGET(gfx601, GEN_GFX6, DESCRIBED, /' oracle/isa/target.def >"$tmp/oracle/isa/target.def"
none "the table has a processor to be made so" "$(cmp -s oracle/isa/target.def "$tmp/oracle/isa/target.def" && echo "nothing has changed")"
libs=$(pkg-config --libs libelf msgpack jansson libzstd yaml-0.1 libdw)
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -D_GNU_SOURCE -w -I"$tmp" -I. -c -o "$tmp/isa.o" oracle/isa/isa.c >"$tmp/out" 2>&1 &&
    ${CC:-cc} -pthread -o "$tmp/gcncheck" "$build/harness/cmd/main.o" "$tmp/isa.o" "$build/libgcncheck.a" $libs -ldl -lm >>"$tmp/out" 2>&1
ok $? "a program with that table" "$tmp/out"

described="gfx601 is described, not modelled"
refuse "run" 3 "$described" "$tmp/gcncheck" run --mcpu gfx601 cases/sop2
refuse "fuzz" 3 "$described" "$tmp/gcncheck" fuzz --mcpu gfx601 --count 1
refuse "fuzz for several" 3 "--common: $described" "$tmp/gcncheck" fuzz --common gfx900,gfx601 --out "$tmp/f"
refuse "eval" 3 "$described" "$tmp/gcncheck" eval --mcpu gfx601 's_nop 0'
"$tmp/gcncheck" eval --mcpu gfx600 's_nop 0' >"$tmp/out" 2>&1
ok $? "its neighbour runs" "$tmp/out"
is "815 opcodes described" "$("$tmp/gcncheck" doctor | sed -n 's/.* gfx601, //p')" "doctor says so"
is "$(printf '%s\tno' s_add_u32)" "$("$tmp/gcncheck" list --mcpu gfx601 --format tsv | awk -F'\t' '$3 == "s_add_u32" { print $3 "\t" $5 }')" \
    "list has its opcodes, none of which is modelled"
echo 's_mov_b32 s0, s1' >"$tmp/a.s"
"$tmp/gcncheck" asm --mcpu gfx601 "$tmp/a.s" >"$tmp/out" 2>&1
ok $? "asm takes its programs" "$tmp/out"
finish
