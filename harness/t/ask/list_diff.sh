#!/bin/sh
# What differs between two processors, and programs that several have in common, from outside. What is wanted is from the
# manuals, LLVM's processor table and its hazards. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

"$gcncheck" list --mcpu gfx803 --diff gfx900 --format tsv >"$tmp/old-new"
is 0 $? "gfx803 and gfx900 compared"
"$gcncheck" list --mcpu gfx900 --diff gfx803 --format tsv >"$tmp/new-old"

# has A B KIND NAME WHAT [NAME2]: the line of gfx803 and gfx900, and the other way round, where it may have another name.
has() {
    grep -Fxq "$(printf '%s\t%s\t%s\t%s\t%s' "$3" "$4" "$5" "$1" "$2")" "$tmp/old-new" &&
        grep -Fxq "$(printf '%s\t%s\t%s\t%s\t%s' "$3" "${6:-$4}" "$5" "$2" "$1")" "$tmp/new-old"
    ok $? "$3 $4 $5: $1, $2"
}
is "$(printf 'kind\tname\twhat\tgfx803\tgfx900')" "$(head -n 1 "$tmp/old-new")" "the first line names the columns"
has - 'VOP3P 10 base' opcode v_pk_add_u16 -
has - 'GLOBAL 20 base' opcode global_load_dword -
has v_add_u32 v_add_co_u32 name v_add_u32 VOP2 v_add_co_u32
has 51:32 52:32 field SMEM offset
has - 14:14 field SMEM soe
has yes - feature LDS_LIMIT 'M0 limits what an address in LDS reaches'
has yes - rule ds_add_u32 LDS_LIMIT
has - 1 hazard m0_index 'SALU writes M0, then an instruction that addresses with it'
has 15 63 limit vmcnt 'largest count'
has 12 16 limit 'trap temporaries' 'ttmp0 and following'
has tba_lo - limit register 'code 108'
has - yes limit 'hardware register' HW_REG_SH_MEM_BASES
is 0 "$(awk -F '\t' '$2 == "v_mov_b32" && $1 != "modifiers"' "$tmp/old-new" | wc -l)" "v_mov_b32 has its number and forms on both"
is 0 "$(grep -c expcnt "$tmp/old-new")" "expcnt counts as far on both"
awk -F '\t' 'NF != 5 || $4 == $5' "$tmp/old-new" >"$tmp/bad"
is '' "$(cat "$tmp/bad")" "every line has five columns, of which the last two differ"

# Opcodes of the inventory that only one of two has are those that the list says.
for mcpu in gfx900 gfx906; do
    "$gcncheck" list --mcpu $mcpu --format tsv | cut -f 3 | sed 1d | sort >"$tmp/$mcpu"
done
comm -13 "$tmp/gfx900" "$tmp/gfx906" >"$tmp/want"
"$gcncheck" list --mcpu gfx900 --diff gfx906 --format tsv | awk -F '\t' '$1 == "opcode" && $4 == "-" { print $2 }' | sort >"$tmp/got"
ok "$([ -s "$tmp/want" ] && cmp -s "$tmp/want" "$tmp/got"; echo $?)" "what gfx906 has and gfx900 has not" "$tmp/got"

is 1 "$("$gcncheck" list --mcpu gfx803 --diff gfx803 --format tsv | wc -l)" "nothing differs between a processor and itself"
"$gcncheck" list --mcpu gfx906:sramecc+ --diff gfx906:sramecc- --format tsv | cut -f 1,2,4,5 >"$tmp/out"
ok "$(grep -q "$(printf '^rule\tglobal_load_short_d16\ton\toff$')" "$tmp/out"; echo $?)" "a setting shows in loads of halves"
is 0 "$(grep -c 'opcode\|field\|limit' "$tmp/out")" "and in nothing else"
"$gcncheck" list --mcpu gfx803 --diff gfx900 >"$tmp/out"
is "$(wc -l <"$tmp/old-new")" "$(wc -l <"$tmp/out")" "text has the same lines"
refuse "an unknown processor" 2 "unknown processor 'gfx1'" "$gcncheck" list --diff gfx1
refuse "another format" 2 "must be text or tsv" "$gcncheck" list --diff gfx906 --format json
refuse "a folder of cases" 2 "takes no folder" "$gcncheck" list --diff gfx906 cases

# same OPCODE PROCESSORS: what explain says of gfx900's.
same() {
    is "$2" "$("$gcncheck" explain "$1" | sed -n 's/^same_in  *//p')" "$1 is the same on $2"
}
same s_mov_b32 "gfx801 gfx802 gfx803 gfx805 gfx810 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90c"
same v_mad_mix_f32 "gfx902 gfx909 gfx90c"
same ds_add_u32 "gfx902 gfx904 gfx906 gfx908 gfx909 gfx90c"
same global_load_short_d16 "gfx902 gfx904 gfx909 gfx90c"

# Streams that several have in common: the same on both engines, on a device, and in whatever order they are named.
for mcpu in gfx803 gfx900; do
    "$gcncheck" fuzz --mcpu $mcpu --common gfx803,gfx900 --count 300 --dut model:engine=host --out "$tmp/f" >"$tmp/$mcpu" 2>&1
    is 0 $? "$mcpu: streams that gfx803 and gfx900 have in common"
done
is "$(sed -n 's/^common: //p;s/^covered: //p' "$tmp/gfx803")" "$(sed -n 's/^common: //p;s/^covered: //p' "$tmp/gfx900")" \
    "have the same opcodes on both"
refuse "no processor of the list" 2 "does not name gfx906" "$gcncheck" fuzz --mcpu gfx906 --common gfx803,gfx900 --out "$tmp/f"
refuse "one named twice" 2 "gfx900 stands there twice" "$gcncheck" fuzz --common gfx900,gfx900 --out "$tmp/f"
refuse "one that is not known" 2 "--common: unknown processor" "$gcncheck" fuzz --common gfx900,gfx1 --out "$tmp/f"
refuse "an opcode that is not common" 2 "'v_pk_add_u16' is not the same on all" \
    "$gcncheck" fuzz --mcpu gfx900 --common gfx803,gfx900 --only v_pk_add_u16 --out "$tmp/f"

# ---- a processor and itself ----
is "no difference" "$("$gcncheck" list --mcpu gfx900 --diff gfx900 | sed 1d)" "a processor and itself: it is said that nothing differs"
is "kind name what gfx900 gfx900" "$("$gcncheck" list --mcpu gfx900 --diff gfx900 --format tsv | tr '\t' ' ')" "as tsv there are the heads alone"
finish
