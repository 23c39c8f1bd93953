#!/bin/sh
# Rows that cannot stand beside each other end the build before anything of the program is compiled: rows are added to a copy of
# oracle/isa, and `make core` there says what is wrong with them. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

mkdir -p "$tmp/oracle"
cp -r oracle/isa "$tmp/oracle/"
for part in Makefile cases fuzz harness reports scripts; do ln -s "$PWD/$part" "$tmp/$part"; done
for part in oracle/*; do [ "$part" = oracle/isa ] || ln -s "$PWD/$part" "$tmp/$part"; done
rows="$tmp/oracle/isa/rows/vop2.def"
cp "$rows" "$tmp/vop2.def"

# broken TITLE PATTERN ROW: with the row at the end of vop2.def the build ends, says what matches, and leaves no program.
broken() {
    { cat "$tmp/vop2.def"; echo "$3"; } >"$rows"
    expect "$1" 2 "$2" make -s -C "$tmp" BUILD=build OPT=-O0 core
    [ ! -e "$tmp/build/gcncheck" ]
    ok $? "$1: no program"
}

last=$(($(wc -l <"$tmp/vop2.def") + 1))
at=$(grep -n 'v_pk_fmac_f16' "$tmp/vop2.def" | head -1 | cut -d: -f1)
file=oracle/isa/rows/vop2.def
broken "a number that another row has on some processor" \
    "^$file:$at: v_pk_fmac_f16 and $file:$last: v_addx_u32 have number 60 in VOP2 on gfx908; free: none\$" \
    'OP(v_addx_u32, VOP2_U32, GFX9(60), 0, { D = S0 + S1; })'
broken "a number that is taken on every processor" "v_addx_u32 have number 25 in VOP2 on gfx900; free: 5[0-9]-61\$" \
    'OP(v_addx_u32, VOP2_U32, GFX9(25), 0, { D = S0 + S1; })'
broken "a number that is too large" "^$file:$last: v_addx_u32: number 99 does not fit into VOP2\$" \
    'OP(v_addx_u32, VOP2_U32, GFX9(99), 0, { D = S0 + S1; })'
# Numbers may be given twice to processors that have not both: MAD_MIX and FMA_MIX, and a new one like them.
{ cat "$tmp/vop2.def"; echo 'OP(v_addx_u32, VOP2_U32, ON(MAD_MIX, 60), 0, { D = S0 + S1; })'; } >"$rows"
make -s -C "$tmp" BUILD=build OPT=-O0 build/tables.ok >"$tmp/out" 2>&1
ok $? "one number for rows that no processor has both of" "$tmp/out"
finish
