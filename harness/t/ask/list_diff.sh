#!/bin/sh
# What differs between two processors, and programs that several have in common, from outside. What is wanted is from the
# manuals, LLVM's processor table and its hazards. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

"$gcncheck" list --mcpu gfx803 --diff gfx900 --format tsv >"$tmp/old-new"
is 0 $? "gfx803 and gfx900 compared"
"$gcncheck" list --mcpu gfx900 --diff gfx803 --format tsv >"$tmp/new-old"

# has A B KIND NAME WHAT [NAME2]: the line of the older and the newer one, and the other way round, where it may have another name.
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
is 0 "$(grep -c '^hazard.*mfma' "$tmp/old-new")" "neither has the hazards of a matrix core"
has - 1 hazard m0_index 'SALU writes M0, then an instruction that addresses with it'
has 15 63 limit vmcnt 'largest count'
has 12 16 limit 'trap temporaries' 'ttmp0 and following'
has tba_lo - limit register 'code 108'
has - yes limit 'hardware register' HW_REG_SH_MEM_BASES
is 0 "$(awk -F '\t' '$2 == "v_mov_b32" && $1 != "modifiers"' "$tmp/old-new" | wc -l)" "v_mov_b32 has its number and forms on both"
is 0 "$(grep -c expcnt "$tmp/old-new")" "expcnt counts as far on both"
awk -F '\t' 'NF != 5 || $4 == $5' "$tmp/old-new" >"$tmp/bad"
is '' "$(cat "$tmp/bad")" "every line has five columns, of which the last two differ"

# What came with gfx7: LLVM's features of both, and its hazards of gfx6 alone (SMRD) and of later ones (wide stores).
"$gcncheck" list --mcpu gfx600 --diff gfx701 --format tsv >"$tmp/old-new"
"$gcncheck" list --mcpu gfx701 --diff gfx600 --format tsv >"$tmp/new-old"
has - 'FLAT 12 base' opcode flat_load_dword -
has - 'VOP3B 374 e64' opcode v_mad_u64_u32 -
has 'MUBUF 112 base' - opcode buffer_wbinvl1_sc -
has base base,literal forms s_load_dword SMEM
has 32768 65536 limit LDS 'bytes of a work-group'
has 256 512 limit LDS 'bytes of a piece that is allocated'
has - flat_scratch_lo limit register 'code 104'
has 4 - hazard valu_smem 'VALU writes a scalar register, then scalar memory reads it'
has - 1 hazard store_data 'a store of more than 64 bits, then VALU overwrites its data'
is 0 "$(grep -c '^number' "$tmp/old-new")" "no number changed"

# What came with gfx8: sub-dword and neighbour forms, VMEM's hazard; what it has no more: addr64, float atomics in memory.
"$gcncheck" list --mcpu gfx701 --diff gfx803 --format tsv >"$tmp/old-new"
"$gcncheck" list --mcpu gfx803 --diff gfx701 --format tsv >"$tmp/new-old"
has e32,literal,e64 e32,literal,e64,sdwa,dpp forms v_xor_b32 VOP2
has v_add_i32 v_add_u32 name v_add_i32 VOP2 v_add_u32
has 37 25 number v_add_i32 VOP2 v_add_u32
has 'idxen offen addr64 offset glc slc tfe' 'idxen offen offset glc slc tfe' modifiers buffer_store_dword base
has 'FLAT 63 base' - opcode flat_atomic_fmin -
has - 'VOP2 31 e32,literal,e64,sdwa,dpp' opcode v_add_f16 -
has yes - feature DWORD_OFFSETS 'immediate offsets of scalar memory count dwords'
has - 5 hazard valu_vmem 'VALU writes a scalar register, then vector memory reads it'
has 1 - hazard setreg_old 's_setreg, then s_setreg of the same register'
has 104 102 limit 'scalar registers' 's0 and following'

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
"$gcncheck" list --mcpu gfx701 --diff gfx803 >"$tmp/out"
is "$(wc -l <"$tmp/old-new")" "$(wc -l <"$tmp/out")" "text has the same lines"
refuse "an unknown processor" 2 "unknown processor 'gfx1'" "$gcncheck" list --diff gfx1
refuse "another format" 2 "must be text or tsv" "$gcncheck" list --diff gfx906 --format json
refuse "a folder of cases" 2 "takes no folder" "$gcncheck" list --diff gfx906 cases

# same OPCODE PROCESSORS [MCPU]: what explain says of gfx900's, or another's.
same() {
    is "$2" "$("$gcncheck" explain --mcpu "${3:-gfx900}" "$1" | sed -n 's/^same_in  *//p')" "$1 is the same on $2"
}
same s_mov_b32 "gfx801 gfx802 gfx803 gfx805 gfx810 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90c"
same v_mad_mix_f32 "gfx902 gfx909 gfx90c"
same ds_add_u32 "gfx902 gfx904 gfx906 gfx908 gfx909 gfx90c"
same global_load_short_d16 "gfx902 gfx904 gfx909 gfx90c"
same v_xor_b32 "gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705" gfx600
same s_load_dword "gfx601 gfx602" gfx600
same flat_load_dword "gfx700 gfx702 gfx703 gfx704 gfx705" gfx701
same ds_add_u32 "gfx801 gfx802 gfx803 gfx805" gfx810

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
