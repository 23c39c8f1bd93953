#!/bin/sh
# Tests `gcncheck lint` and `gcncheck launch --check-hazards`: compiled kernels are clean, waits taken out of one are
# missed, and hand-made programs give the findings that the manual's rules give by hand. TAP 13. Runs in the root of the
# repository. scripts/kernels/lint-removals.sh is the long part.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

# finds TITLE CODE: lint of $tmp/k.o by standard input ends with CODE and prints the lines of standard input.
finds() {
    cat >"$tmp/want"
    "$gcncheck" lint --quiet - <"$tmp/k.o" >"$tmp/got" 2>&1
    code=$?
    diff "$tmp/want" "$tmp/got" >"$tmp/diff" && [ $code = "$2" ]
    ok $? "$1" "$tmp/diff"
}

for co in cases/kernels/*/gfx900.*co; do
    case $co in # registers that are not allocated, LDS that is not waited for
    */planted/gfx900.asm.co | */planted/gfx900.races.co) continue ;;
    */messages/gfx900.O3.co) continue ;; # flags of which some are stored before their data: below
    esac
    "$gcncheck" lint --quiet "$co" >"$tmp/diff" 2>&1
    ok $? "$co is clean" "$tmp/diff"
done

# A store of a flag that no release, or one for too few, comes before; eight in each of these kernels.
for kernel in passed:0 no_release:8 no_acquire:0 release_too_narrow:8 scalar:0; do
    "$gcncheck" lint --quiet --symbol ${kernel%:*} cases/kernels/messages/gfx900.O3.co > "$tmp/diff" 2>&1
    is "${kernel#*:}" "$(grep -c ': flag is stored before its data is acknowledged, needs s_waitcnt vmcnt(0) on path 0x[0-9a-f]*->0x' "$tmp/diff")" "messages, $kernel"
done

# The waits of vadd_f32, each made an s_nop 0: for the size, for the pointers, and for the elements.
k=cases/kernels/vadd_f32/gfx900.O3.co
"$gcncheck" dis "$k" | sed -n 's/^\ts_waitcnt .*\/\/ 0*\([0-9A-F]*\): .*/\1/p' >"$tmp/waits"
while read -r at; do
    python3 - "$k" "$tmp/k.o" "$at" <<'END'
import struct, sys
data, at = bytearray(open(sys.argv[1], "rb").read()), int(sys.argv[3], 16)
phoff, = struct.unpack_from("<Q", data, 32)
size, count = struct.unpack_from("<HH", data, 54)
for i in range(count):
    kind, flags, offset, vaddr, _, length = struct.unpack_from("<IIQQQQ", data, phoff + i * size)
    if kind == 1 and vaddr <= at < vaddr + length:
        struct.pack_into("<I", data, offset + at - vaddr, 0xbf800000)
open(sys.argv[2], "wb").write(data)
END
    "$gcncheck" lint --quiet "$tmp/k.o" >"$tmp/diff" 2>&1
    [ $? = 1 ] && grep -q 'is not waited for' "$tmp/diff"
    ok $? "vadd_f32 without the wait at $at" "$tmp/diff"
    "$gcncheck" launch --check-hazards --mcpu gfx900 "$tmp/k.o" cases/kernels/vadd_f32/launch.txt >"$tmp/diff" 2>&1
    [ $? = 1 ] && grep -q ': [sv][0-9]* in [sv]_.*; work-group 0 0 0, wave' "$tmp/diff" &&
        grep -q ', [1-9][0-9]* instructions* violates* rules' "$tmp/diff"
    ok $? "vadd_f32 without the wait at $at, while it runs" "$tmp/diff"
    "$gcncheck" launch --mcpu gfx900 "$tmp/k.o" cases/kernels/vadd_f32/launch.txt >"$tmp/diff" 2>&1 &&
        grep -q 'out.bin matches' "$tmp/diff"
    ok $? "vadd_f32 without the wait at $at, right by luck" "$tmp/diff"
    # A stale pointer points elsewhere, a stale element gives another sum.
    "$gcncheck" launch --delay-memory max --mcpu gfx900 "$tmp/k.o" cases/kernels/vadd_f32/launch.txt >"$tmp/diff" 2>&1
    case $? in
    1) grep -q 'out.bin differs: element 0 ' "$tmp/diff" && echo "$at" >>"$tmp/sums" ;;
    3) grep -q 'memory violation at' "$tmp/diff" ;;
    *) false ;;
    esac
    ok $? "vadd_f32 without the wait at $at, wrong with memory delayed" "$tmp/diff"
done <"$tmp/waits"
[ "$(wc -l <"$tmp/waits")" = 3 ] && [ "$(wc -l <"$tmp/sums")" = 1 ]
ok $? "vadd_f32 has three waits, the last is for the elements" "$tmp/diff"
"$gcncheck" launch --check-hazards --mcpu gfx900 "$k" cases/kernels/vadd_f32/launch.txt >"$tmp/diff" 2>&1
ok $? "vadd_f32 is clean while it runs" "$tmp/diff"

"$gcncheck" lint "$k" >"$tmp/diff" 2>&1
grep -q -x "$k: 1 function, [0-9]* instructions: 0 findings" "$tmp/diff"
ok $? "the summary" "$tmp/diff"
"$gcncheck" lint --symbol nowhere "$k" >"$tmp/diff" 2>&1
[ $? = 2 ] && grep -q "has no function 'nowhere'" "$tmp/diff"
ok $? "a function that is not there" "$tmp/diff"
printf 'not an object\n' | "$gcncheck" lint - >"$tmp/diff" 2>&1
[ $? = 2 ] && [ "$(wc -l <"$tmp/diff")" = 1 ]
ok $? "a file that is no code object" "$tmp/diff"
"$gcncheck" lint - </dev/null >"$tmp/diff" 2>&1
[ $? = 2 ] && grep -q -x 'gcncheck lint: -: is empty' "$tmp/diff"
ok $? "nothing, as from a compiler that failed" "$tmp/diff"

if ! command -v llvm-mc-19 >/dev/null; then
    finish
fi

assemble() {
    llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o "$tmp/k.o"
}

assemble <<'END'
.file 1 "/src/k.cl"
k:
.globl k
.loc 1 29
    s_load_dwordx2 s[0:1], s[4:5], 0x0
    s_cbranch_scc1 over
    v_readfirstlane_b32 s2, v0
    s_nop 0
.loc 1 31
over:
    buffer_load_dword v1, off, s[8:11], s2
    v_mov_b32 v2, s0
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_add_u32 v3, v1, v2
    s_endpgm
END
finds "a hazard on the path that does not branch, a scalar load on the one that does, source lines" 1 <<'END'
-:0x14 (k.cl:31): hazard VALU-writes-SGPR/VMEM-reads needs 5 wait states, has 1 on path 0xc->0x14: s2 in buffer_load_dword v1, off, s[8:11], s2
-:0x1c (k.cl:31): scalar memory result is not waited for, needs s_waitcnt lgkmcnt(0) on path 0x0->0x8->0x14->0x1c: s0 in v_mov_b32_e32 v2, s0
END

# What only gfx6 asks for: LLVM's distances in front of scalar loads, and the data of stores.
llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx600 -filetype=obj -o "$tmp/k.o" <<'END'
k:
.globl k
    v_readfirstlane_b32 s4, v0
    s_load_dword s0, s[4:5], 0x0
    s_mov_b32 s8, 64
    s_nop 2
    s_buffer_load_dword s1, s[8:11], 0x0
    s_nop 3
    s_load_dword s2, s[8:9], 0x0
    s_waitcnt lgkmcnt(0)
    buffer_store_dword v1, v3, s[8:11], 0 offen
    v_mov_b32 v3, 0
    v_mov_b32 v1, 0
    buffer_store_dwordx2 v[1:2], off, s[8:11], 0
    s_waitcnt expcnt(0)
    v_mov_b32 v2, 0
    s_endpgm
END
finds "gfx6: scalar loads behind what writes their registers, and data of stores" 1 <<'END'
-:0x4: hazard VALU-writes-SGPR/SMRD-reads needs 4 wait states, has 0 on path 0x0->0x4: s4 in s_load_dword s0, s[4:5], 0x0
-:0x10: hazard SALU-writes-SGPR/SMRD-buffer-reads needs 4 wait states, has 3 on path 0x8->0x10: s8 in s_buffer_load_dword s1, s[8:11], 0x0
-:0x2c: data of an export, GDS or a store is overwritten, needs s_waitcnt expcnt(0) on path 0x20->0x2c: v1 in v_mov_b32_e32 v1, 0
END

# s_cbranch_g_fork goes where its register pair says and on; s_cbranch_join goes on; s_rfe_b64 does neither.
assemble <<'END'
k:
.globl k
    s_load_dwordx2 s[2:3], s[6:7], 0x0
    s_getpc_b64 s[0:1]
    s_add_u32 s0, s0, 24
    s_addc_u32 s1, s1, 0
    s_cbranch_g_fork s[4:5], s[0:1]
    v_mov_b32 v1, s2
    s_waitcnt lgkmcnt(0)
    s_endpgm
    v_mov_b32 v2, s3
    s_cbranch_join s8
    s_load_dword s2, s[6:7], 0x0
    s_cbranch_join s8
    v_mov_b32 v3, s2
    s_waitcnt lgkmcnt(0)
    s_rfe_b64 s[0:1]
    v_readfirstlane_b32 s2, v0
    buffer_load_dword v1, off, s[8:11], s2
    s_endpgm
END
finds "both ways of a fork, past a join, and not past a return from a trap" 1 <<'END'
-:0x18: scalar memory result is not waited for, needs s_waitcnt lgkmcnt(0) on path 0x0->0x18: s2 in v_mov_b32_e32 v1, s2
-:0x24: scalar memory result is not waited for, needs s_waitcnt lgkmcnt(0) on path 0x0->0x14->0x24: s3 in v_mov_b32_e32 v2, s3
-:0x38: scalar memory result is not waited for, needs s_waitcnt lgkmcnt(0) on path 0x2c->0x38: s2 in v_mov_b32_e32 v3, s2
END

assemble <<'END'
.file 1 "/src/k.cl"
.section .rodata, "a"
.amdhsa_kernel k
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 4
.end_amdhsa_kernel
.text
.p2align 8
k:
.globl k
.type k, @function
.loc 1 29
    v_mov_b32 v0, 0
    v_mov_b32 v1, 0
.loc 1 31
    global_load_dword v2, v[0:1], off
    s_endpgm
.size k, . - k
.amdgpu_metadata
    amdhsa.version: [1, 1]
    amdhsa.kernels:
      - .name: k
        .symbol: k.kd
        .kernarg_segment_size: 0
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 0
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: 4
        .vgpr_count: 4
        .max_flat_workgroup_size: 64
.end_amdgpu_metadata
END
printf 'kernel k\ngrid 64 1 1\nworkgroup 64 1 1\n' >"$tmp/launch.txt"
"$gcncheck" launch "$tmp/k.o" "$tmp/launch.txt" >"$tmp/diff" 2>&1
[ $? = 3 ] && grep -q ': pc 0x8 (k+0x8, k.cl:31): memory violation at 0x0 (a null pointer); work-group 0 0 0, wave 0$' "$tmp/diff"
ok $? "a launch names the source line, and the address as it stands in an object that is not linked" "$tmp/diff"
"$gcncheck" launch --break 0x8 "$tmp/k.o" "$tmp/launch.txt" >"$tmp/diff" 2>&1
[ $? = 0 ] && grep -q ': pc 0x8 (k+0x8, k.cl:31): break; work-group 0 0 0, wave 0$' "$tmp/diff"
ok $? "where a break can be, too" "$tmp/diff"
"$gcncheck" launch --trace "$tmp/k.o" "$tmp/launch.txt" 2>/dev/null | grep -q '^0.0.0/0 0x4 v_mov_b32_e32 v1, 0 ;'
ok $? "and in a trace" "$tmp/diff"

# Vega ISA 4.5, the table's first two lines.
assemble <<'END'
k:
.globl k
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3
    s_nop 0
    s_getreg_b32 s1, hwreg(HW_REG_MODE)
    s_setreg_b32 hwreg(HW_REG_MODE), s1
    s_nop 0
    s_setreg_b32 hwreg(HW_REG_MODE), s1
    s_endpgm
END
finds "registers of the hardware by name" 1 <<'END'
-:0xc: hazard SETREG/GETREG needs 2 wait states, has 1 on path 0x0->0xc: HW_REG_MODE in s_getreg_b32 s1, hwreg(HW_REG_MODE)
-:0x18: hazard SETREG/SETREG needs 2 wait states, has 1 on path 0x10->0x18: HW_REG_MODE in s_setreg_b32 hwreg(HW_REG_MODE), s1
END

assemble <<'END'
k:
.globl k
    s_mov_b32 s0, 4
head:
    v_add_f32 v1, v2, v1
    global_load_dword v2, v[4:5], off
    s_sub_u32 s0, s0, 1
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 head
    s_endpgm
END
finds "a result of the round before" 1 <<'END'
-:0x4: memory result is not waited for, needs s_waitcnt vmcnt(0) on path 0x8->0x18->0x4: v2 in v_add_f32_e32 v1, v2, v1
END

# The first load has arrived when one instruction is left, the store; the second load has not.
assemble <<'END'
k:
.globl k
    global_load_dword v2, v[4:5], off
    s_nop 0
    global_store_dword v[6:7], v3, off
    s_waitcnt vmcnt(1)
    v_add_f32 v1, v2, v2
    global_load_dword v2, v[4:5], off
    ds_read_b32 v8, v9
    ds_read_b32 v8, v9 offset:4
    s_waitcnt vmcnt(1) lgkmcnt(0)
    v_add_f32 v1, v2, v8
    s_endpgm
END
finds "stores count, results of one kind may follow each other" 1 <<'END'
-:0x38: memory result is not waited for, needs s_waitcnt vmcnt(0) on path 0x1c->0x38: v2 in v_add_f32_e32 v1, v2, v8
END

assemble <<'END'
k:
.globl k
    v_cmp_eq_u32 vcc, v0, v1
    s_nop 2
    v_div_fmas_f32 v2, v3, v4, v5
    v_mov_b32 v6, v2
    v_mov_b32_dpp v7, v6 row_shl:1
    s_mov_b32 m0, s4
    s_sendmsg sendmsg(MSG_INTERRUPT)
    global_store_dwordx3 v[10:11], v[12:14], off
    v_mov_b32 v13, 0
    buffer_store_dwordx4 v[12:15], off, s[8:11], s5
    v_mov_b32 v13, 0
    v_readfirstlane_b32 s6, v0
    s_nop 2
    v_readlane_b32 s7, v1, s6
    s_endpgm
END
finds "each hazard one wait state short; a scalar offset of a wide store" 1 <<'END'
-:0x8: hazard VALU-writes-VCC/DIV_FMAS needs 4 wait states, has 3 on path 0x0->0x8: vcc_lo in v_div_fmas_f32 v2, v3, v4, v5
-:0x14: hazard VALU-writes-VGPR/DPP-reads needs 2 wait states, has 0 on path 0x10->0x14: v6 in v_mov_b32_dpp v7, v6 row_shl:1 row_mask:0xf bank_mask:0xf
-:0x20: hazard SALU-writes-M0/message-or-GDS needs 1 wait state, has 0 on path 0x1c->0x20: m0 in s_sendmsg sendmsg(MSG_INTERRUPT)
-:0x2c: hazard wide-store/VALU-overwrites-data needs 1 wait state, has 0 on path 0x24->0x2c: v13 in v_mov_b32_e32 v13, 0
-:0x44: hazard VALU-writes-SGPR/lane-select needs 4 wait states, has 3 on path 0x3c->0x44: s6 in v_readlane_b32 s7, v1, s6
END

# A function that does not wait when it begins.
trusts='trusts:
.globl trusts
.type trusts, @function
    v_mov_b32 v0, v1
    s_setpc_b64 s[30:31]
.size trusts, . - trusts'

# A function waits when it begins and before it returns: called with a load under way, one that does not.
assemble <<END
waits:
.globl waits
.type waits, @function
    s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
    global_load_dword v1, v[2:3], off
    s_setpc_b64 s[30:31]
.size waits, . - waits
$trusts
k:
.globl k
    global_load_dword v1, v[2:3], off
    s_call_b64 s[30:31], waits
    global_load_dword v1, v[2:3], off
    s_call_b64 s[30:31], trusts
    s_endpgm
END
finds "calls and returns" 1 <<'END'
-:0xc: returns before memory results have arrived, needs s_waitcnt vmcnt(0) on path 0x4->0xc: v1 at s_setpc_b64 s[30:31]
-:0x2c: calls a function that does not begin with a wait, needs s_waitcnt vmcnt(0) on path 0x24->0x2c: v1 at s_call_b64 s[30:31], 65528
END

# Wait states are counted into a function and out of it: one reads a scalar register that was written two instructions
# before, one leaves such a register behind.
assemble <<'END'
reads:
.globl reads
.type reads, @function
    s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
    buffer_load_dword v1, off, s[8:11], s2
    s_waitcnt vmcnt(0)
    s_setpc_b64 s[30:31]
.size reads, . - reads
writes:
.globl writes
.type writes, @function
    s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
    v_readfirstlane_b32 s2, v0
    s_setpc_b64 s[30:31]
.size writes, . - writes
k:
.globl k
    v_readfirstlane_b32 s2, v0
    s_call_b64 s[30:31], reads
    s_call_b64 s[30:31], writes
    s_nop 0
    buffer_load_dword v1, off, s[8:11], s2
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s2, v0
    s_nop 2
    s_call_b64 s[30:31], reads
    s_call_b64 s[30:31], writes
    s_nop 3
    buffer_load_dword v1, off, s[8:11], s2
    s_endpgm
END
finds "wait states across calls" 1 <<'END'
-:0x4: hazard VALU-writes-SGPR/VMEM-reads needs 5 wait states, has 2 on path 0x24->0x4: s2 in buffer_load_dword v1, off, s[8:11], s2
-:0x30: hazard VALU-writes-SGPR/VMEM-reads needs 5 wait states, has 2 on some path: s2 in buffer_load_dword v1, off, s[8:11], s2
END

# A load over the address of the one before: only where XNACK may replay both, for "on" and for both settings.
for xnack in "" +xnack -xnack; do
    printf '%s\n' k: '.globl k' 'global_load_dword v4, v[0:1], off' 'global_load_dword v0, v[2:3], off' s_endpgm |
        llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx900 ${xnack:+-mattr=$xnack} -filetype=obj -o "$tmp/k.o"
    if [ "$xnack" = -xnack ]; then
        finds "a clause, gfx900 $xnack" 0 </dev/null
    else
        finds "a clause, gfx900 $xnack" 1 <<'END'
-:0x8: hazard XNACK-clause/overwrites-source needs 1 wait state, has 0 on path 0x0->0x8: v0 in global_load_dword v0, v[2:3], off
END
    fi
done

# Where a call goes is not known: a function that does not wait may be what is called.
assemble <<END
$trusts
k:
.globl k
    global_load_dword v1, v[2:3], off
    s_swappc_b64 s[30:31], s[4:5]
    s_endpgm
END
finds "a call through a register" 1 <<'END'
-:0x0: function may be entered before memory results have arrived, needs s_waitcnt vmcnt(0) on path 0x10->0x0: v1 at v_mov_b32_e32 v0, v1
END

# SrcC that is exactly the result before needs no distance, one that overlaps it 2; MI100 ISA 7.2.
llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx908 -filetype=obj -o "$tmp/k.o" <<'END'
k:
.globl k
    v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
    v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
    v_mfma_f32_4x4x1f32 a[4:7], v0, v1, a[2:5]
    s_nop 1
    v_accvgpr_read_b32 v2, a5
    s_endpgm
END
finds "results of v_mfma" 1 <<'END'
-:0x10: hazard MFMA/MFMA-SrcC-overlaps needs 2 wait states, has 0 on path 0x8->0x10: a2 in v_mfma_f32_4x4x1f32 a[4:7], v0, v1, a[2:5]
-:0x1c: hazard MFMA/ACCVGPR_READ needs 4 wait states, has 2 on path 0x10->0x1c: a5 in v_accvgpr_read_b32 v2, a5
END

# What scalar stores leave in their cache, LLVM's guide writes back before the end and before a return.
assemble <<'END'
k:
.globl k
    s_store_dword s2, s[0:1], 0x0
    s_cbranch_scc1 1f
    s_dcache_wb
    s_endpgm
1:  s_add_u32 s2, s2, 1
    s_endpgm
END
finds "a scalar store that is written back on one path only" 1 <<'END'
-:0x1c: scalar store is not written back, needs s_dcache_wb on path 0x0->0x8->0x18->0x1c: s_endpgm
END
assemble <<'END'
k:
.globl k
    s_dcache_wb
    s_store_dword s2, s[0:1], 0x0
    s_cbranch_scc1 1f
    s_store_dword s2, s[0:1], 0x4
1:  s_dcache_wb_vol
    s_endpgm
END
finds "written back where paths meet" 0 < /dev/null
assemble <<'END'
.type f,@function
f:
    s_waitcnt 0
    s_store_dword s2, s[0:1], 0x0
    s_setpc_b64 s[30:31]
.size f, .-f
END
finds "a scalar store before a return" 1 <<'END'
-:0xc: scalar store is not written back, needs s_dcache_wb on path 0x4->0xc: s_setpc_b64 s[30:31]
END

# Flags and their data. s[4:5]: the arguments, two pointers and a third; s6: who waits. Data, flag and what nobody reads are stored; the wait
# covers nothing, what nobody reads, or data. The loads of who waits show which is which: without the invalidate, or past another branch, nothing does.
flags() {
    assemble << END
.section .rodata, "a"
.amdhsa_kernel k
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.text
.p2align 8
k:
.globl k
.type k, @function
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    s_load_dwordx2 s[12:13], s[0:1], 0x10
    v_mov_b32 v0, 0
    v_mov_b32 v4, 0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, s8
    v_mov_b32 v2, s9
    s_cbranch_scc1 wait
    global_store_dword v[1:2], v3, off
    global_store_dword v0, v3, s[12:13]
    $1
    $2
    s_endpgm
wait:
    global_load_dword v3, v0, s[10:11] glc
    s_waitcnt vmcnt(0)
    $3
    v_cmp_eq_u32 vcc, v3, v4
    s_cbranch_vccnz wait
    global_load_dword v3, v0, s[8:9] offset:4
    s_endpgm
.size k, . - k
.amdgpu_metadata
    amdhsa.version: [1, 1]
    amdhsa.kernels:
      - {.name: k, .symbol: k.kd, .kernarg_segment_size: 24, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 8, .max_flat_workgroup_size: 64}
.end_amdgpu_metadata
END
}
flag="global_store_dword v0, v3, s[10:11]"
for wait in "s_nop 0" "s_waitcnt vmcnt(2)" "s_waitcnt lgkmcnt(0)"; do
    flags "$wait" "$flag" buffer_wbinvl1_vol
    finds "a flag before its data, $wait" 1 << END
-:0x3c: flag is stored before its data is acknowledged, needs s_waitcnt vmcnt(0) on path 0x28->0x3c: $flag
END
done
flags "s_nop 0" "global_atomic_add v0, v3, s[10:11]" buffer_wbinvl1
finds "an atomic as a flag" 1 << END
-:0x3c: flag is stored before its data is acknowledged, needs s_waitcnt vmcnt(0) on path 0x28->0x3c: global_atomic_add v0, v3, s[10:11]
END
flags "s_waitcnt vmcnt(1)" "$flag" buffer_wbinvl1_vol
finds "data is acknowledged, what nobody reads is not" 0 < /dev/null
flags "s_nop 0" "$flag" "s_nop 0"
finds "who waits does not acquire" 0 < /dev/null
flags "s_nop 0" "global_atomic_add v4, v0, v3, s[10:11] glc" buffer_wbinvl1_vol
finds "an atomic that answers may be an acquire" 0 < /dev/null
flags "s_nop 0" "global_store_dword v0, v3, s[8:9] offset:4" buffer_wbinvl1_vol
finds "more data" 0 < /dev/null

# An export reads EXEC when it is done; Vega ISA, chapter 13 (dependency checking).
assemble <<'END'
k:
.globl k
    exp mrt0 v0, v1, v2, v3
    s_mov_b64 exec, s[0:1]
    exp mrt0 v0, v1, v2, v3 done vm
    s_waitcnt expcnt(0)
    s_mov_b64 exec, s[2:3]
    s_endpgm
END
finds "EXEC overwritten before an export has read it" 1 <<'END'
-:0x8: EXEC of an export is overwritten, needs s_waitcnt expcnt(0) on path 0x0->0x8: exec_lo in s_mov_b64 exec, s[0:1]
END

if command -v llc-19 >/dev/null; then
    printf '%s\n' 'define amdgpu_kernel void @k(ptr addrspace(1) %p) {' '%v = load i32, ptr addrspace(1) %p' \
        '%w = add i32 %v, 7' 'store i32 %w, ptr addrspace(1) %p' 'ret void' '}' |
        llc-19 -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o - - | "$gcncheck" lint --quiet - >"$tmp/diff" 2>&1
    ok $? "llc's object through a pipe" "$tmp/diff"
fi
# Scalar memory instructions without an address read no register, and results of one kind come in order whatever FLAT does.
assemble_quiet() {
    { printf '.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n.text\n.globl f\n.type f,@function\nf:\n s_waitcnt 0\n'; cat
      printf ' s_waitcnt vmcnt(0) lgkmcnt(0)\n s_setpc_b64 s[30:31]\n.Lf:\n.size f, .Lf-f\n'; } > "$tmp/quiet.s"
    llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o "$tmp/quiet.o" "$tmp/quiet.s"
    "$gcncheck" lint "$tmp/quiet.o" > "$tmp/out" 2>&1
}
assemble_quiet << END
 s_load_dwordx2 s[0:1], s[4:5], 0x0
 s_memtime s[8:9]
 s_dcache_wb
 s_memrealtime s[10:11]
 s_dcache_inv
END
ok $? "s_memtime, s_memrealtime, s_dcache_wb and s_dcache_inv read no register" "$tmp/out"
assemble_quiet << END
 flat_load_dword v1, v[2:3]
 buffer_load_dword v5, off, s[8:11], 0
 buffer_load_dword v5, off, s[8:11], 0 offset:16
 flat_load_dword v1, v[2:3]
 buffer_load_dword v5, off, s[8:11], 0 offset:32
END
[ $? = 1 ] && [ "$(grep -c 'v1 in flat_load' "$tmp/out")" = 2 ] && ! grep -q 'v5 in' "$tmp/out"
ok $? "loads into one register, with FLAT among them: only what FLAT loads may be late" "$tmp/out"
"$gcncheck" lint cases/kernels/planted/gfx900.asm.co > "$tmp/out" 2>&1
[ $? = 1 ] && grep -q 'kernel.s:[0-9]*): v_mov_b32 uses v40, the kernel allocates 16$' "$tmp/out" &&
    grep -q 'kernel.s:[0-9]*): s_mov_b32 uses s40, the kernel allocates 16$' "$tmp/out"
ok $? "registers that a kernel does not allocate" "$tmp/out"
finish
