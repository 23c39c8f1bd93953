#!/bin/sh
# `gcncheck explain` from outside: fields at the places the manual gives them, verdicts, exit codes. TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

# says CODE LINE ARGUMENTS...: ends with CODE, and one line, blanks squeezed, is LINE.
says() {
    code=$1 want=$2
    shift 2
    out=$("$gcncheck" explain "$@" 2>&1)
    got=$?
    [ $got = "$code" ] && echo "$out" | sed 's/  */ /g; s/^ //; s/ $//' | grep -Fxq -e "$want"
    held=$?
    [ $held = 0 ] || note "exit code $got
$out"
    ok $held "$*: $want"
}

# v_add_co_u32_e64 v1, s[4:5], v3, v2: VOP3B, Vega ISA chapter 13
says 0 "v_add_co_u32_e64 v1, s[4:5], v3, v2" 0xd1190401 0x00020503
says 0 "25:16 op 0x119 v_add_co_u32" d1190401 00020503
says 0 "14:8 sdst 0x4 s[4:5]" d1190401 00020503
says 0 "49:41 src1 0x102 v2" d1190401 00020503
says 0 legal d1190401 00020503
says 2 "illegal: v_add_co_u32 does not take src2 in this form" d1190401 02020503
says 2 "no instruction of gfx900: the instruction is cut off" d1190401
says 0 "literal 0x12345678" 680402ff 12345678
says 2 "gcncheck explain: 'fffffffff' is no mnemonic of gfx900, no dword of 8 hex digits and no ledger id" fffffffff
says 2 "gcncheck explain: 'v_zork' is no mnemonic of gfx900, no dword of 8 hex digits and no ledger id" v_zork
says 2 "gcncheck explain: 'v_zork' is no hex dword of 8 digits" d1190401 v_zork
says 2 "gcncheck explain: an instruction has at most 3 dwords" 00000000 00000000 00000000 00000000
says 2 "gcncheck explain: '7e00' is no mnemonic of gfx900, no dword of 8 hex digits and no ledger id" 7e00
says 2 "not one instruction: 2 dwords given, it takes 1" 7e020280 7e020280
says 2 "gcncheck explain: 'v_dot2_f32_f16' is no mnemonic of gfx900; these have it: gfx906 gfx908" v_dot2_f32_f16
says 0 "encoding VOP2, 37 on gfx6 as v_add_i32, 37 on gfx7 as v_add_i32, 25 on gfx8 as v_add_u32, 25 on gfx9" V_ADD_CO_U32_E64
says 0 "processors gfx900 gfx902 gfx909 gfx90c" v_mad_mix_f32
# A literal takes the place of the second dword, which VOP3 has; Vega ISA 6.1.
says 0 "src0 U32 read, vector or scalar register, constant, literal" v_add_co_u32
says 0 "src1 U32 read, vector or scalar register, constant" v_bfe_i32
says 0 "semantics described, not modelled: stops by name" image_gather4h
says 0 "accept ulp:1 units in the last place from the exact value" v_exp_f32
says 0 "accept abs:2^-21 from the exact value" v_sin_f32
says 0 "accept exact bit by bit" v_add_u32
says 0 "accept set for some operands there are several right results" v_div_scale_f32
says 0 "VALU-C01 agreed" v_madmk_f32
# The vector ALU clamps integers from gfx8 on; LLVM has no such bit before.
says 0 "flags clamp saturates the integer result" v_add_co_u32
says 0 "flags clamp saturates the integer result" --mcpu gfx803 v_add_u32
"$gcncheck" explain --mcpu gfx701 v_add_i32 >"$tmp/out"
is 0 "$(grep -c "^flags" "$tmp/out")" "integers do not clamp on gfx7"
says 0 "encoding VOP2, 37 on gfx6, 37 on gfx7, 25 on gfx8 as v_add_u32, 25 on gfx9 as v_add_co_u32" --mcpu gfx701 v_add_i32
says 2 "gcncheck explain: 'v_add_co_u32' is no mnemonic of gfx600, which calls that of gfx900 v_add_i32; these have it: gfx900 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90c" --mcpu gfx600 v_add_co_u32
says 0 "witness cases/vop2/v_madmk_f32.case" VALU-C01

# ledger MCPU OPCODE WANT: what of SDWA, of VGPR indexing, of M0 as a limit, of gfx6, and of all generations is among its entries.
# SDWA and indexing came with gfx8, the limit went with it (LLVM's guide).
ledger() {
    "$gcncheck" explain --mcpu "$1" "$2" >"$tmp/out" || note "exit code $?"
    is "$3" "$(grep -oE '^(MOD-U13|IDX-C04|GCN3-U01|GCN1-U04|STATE-U11|DS-U17) ' "$tmp/out" | tr -d '\n')" "entries about $2 of $1"
}
ledger gfx900 v_mov_b32 "MOD-U13 IDX-C04 "
ledger gfx803 v_mov_b32 "MOD-U13 IDX-C04 "
ledger gfx701 v_mov_b32 ""
ledger gfx600 v_mov_b32 ""
ledger gfx600 v_add_i32 "STATE-U11 "
ledger gfx900 ds_read_b32 "DS-U17 "
ledger gfx803 ds_read_b32 "DS-U17 GCN3-U01 "
ledger gfx601 ds_read_b32 "DS-U17 GCN1-U04 GCN3-U01 "
finish
