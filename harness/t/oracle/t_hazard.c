/* The tables of manually inserted wait states, line by line, as gcncheck lint applies them: with
 * each number of wait states that is too small the second instruction asks for just what is
 * missing, with enough it asks for nothing. The numbers are those of the Vega manual, section 4.5,
 * and of the MI100 manual, section 7.2; where a line names several instructions there are several
 * rows. Behind them what other sources add, and waits that no wait state replaces. */
#include "harness/t/lib/tap_test.h"
#include "oracle/exec/exec.h"
#include "oracle/rule/rule.h"

#include <stdio.h>

enum {
    WORDS = 128,
    VEGA = 1,
    MI100 = 2,
    REPLAY = 4,
    HAWAII = 8,
    TAHITI = 16,
    OLD = HAWAII | TAHITI,
    NEVER = 255
};

static struct isa isa;
static const char *mcpu;

struct row {
    const char *line; /* of the table */
    u32 where;        /* processors; REPLAY: with XNACK */
    u32 waits;
    const char *first, *second;
    enum rule_hazard hazard;
};

static const struct row rows[] = {
    /* ---- Vega, 4.5 ---- */
    { "s_setreg / s_getreg of the same", VEGA | OLD, 2, "s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s0",
      "s_getreg_b32 s1, hwreg(HW_REG_MODE)", HZ_setreg_getreg },
    { "s_setreg / s_setreg of the same", VEGA, 2, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1",
      "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s0", HZ_setreg_setreg },
    { "s_setreg / s_setreg of the same, of LLVM", OLD, 1,
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1", "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s0",
      HZ_setreg_old },
    { "s_setvskip / s_getreg MODE", VEGA, 2, "s_setvskip s0, s1",
      "s_getreg_b32 s1, hwreg(HW_REG_MODE)", HZ_setreg_getreg },
    { "s_setreg MODE.vskip / vector", VEGA, 2, "s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s0",
      "v_mov_b32 v0, v1", HZ_setreg_vskip },
    { "s_setreg MODE.vskip / vector", VEGA, 2, "s_setreg_b32 hwreg(HW_REG_MODE), s0",
      "ds_write_b32 v0, v1", HZ_setreg_vskip },
    { "s_setvskip / vector", VEGA, 2, "s_setvskip s0, s1", "global_load_dword v0, v[2:3], off",
      HZ_setreg_vskip },
    { "VALU sets VCC / VCCZ as data", VEGA, 5, "v_cmp_eq_u32 vcc, v0, v1",
      "v_add_u32 v0, src_vccz, v0", HZ_valu_vccz },
    { "VALU sets EXEC / EXECZ as data", VEGA, 5, "v_cmpx_eq_u32 s[4:5], v0, v1",
      "v_mov_b32 v0, src_execz", HZ_valu_execz },
    { "VALU writes SGPR / lane select", VEGA | OLD, 4, "v_readlane_b32 s4, v0, 1",
      "v_readlane_b32 s5, v1, s4", HZ_valu_lanesel },
    { "VALU writes SGPR / lane select", VEGA, 4, "v_readfirstlane_b32 s4, v0",
      "v_writelane_b32 v1, 3, s4", HZ_valu_lanesel },
    { "VALU writes SGPR / lane select", VEGA, 4, "v_cmp_lt_f32 s[4:5], v0, v1",
      "v_readlane_b32 s5, v1, s5", HZ_valu_lanesel },
    { "VALU writes VCC / lane select", VEGA, 4, "v_sub_co_u32 v0, vcc, v1, v2",
      "v_readlane_b32 s5, v1, vcc_lo", HZ_valu_lanesel },
    { "v_div_scale writes VCC / lane select", VEGA, 4, "v_div_scale_f32 v0, vcc, v1, v1, v2",
      "v_writelane_b32 v1, 3, vcc_hi", HZ_valu_lanesel },
    { "VALU writes VCC / v_div_fmas", VEGA | OLD, 4, "v_cmp_eq_u32 vcc, v0, v1",
      "v_div_fmas_f32 v2, v3, v4, v5", HZ_valu_divfmas },
    { "v_div_scale writes VCC / v_div_fmas", VEGA, 4,
      "v_div_scale_f64 v[0:1], vcc, v[2:3], v[2:3], v[4:5]",
      "v_div_fmas_f64 v[6:7], v[8:9], v[2:3], v[4:5]", HZ_valu_divfmas },
    { "VALU writes SGPR / scalar load", TAHITI, 4, "v_readfirstlane_b32 s4, v0",
      "s_load_dword s0, s[4:5], 0x0", HZ_valu_smem },
    { "VALU writes SGPR / offset of a scalar load", TAHITI, 4, "v_readfirstlane_b32 s6, v0",
      "s_load_dword s0, s[4:5], s6", HZ_valu_smem },
    { "VALU writes VCC / scalar load", TAHITI, 4, "v_cmp_eq_u32 vcc, v0, v1",
      "s_load_dword s0, vcc, 0x0", HZ_valu_smem },
    { "VALU writes SGPR / scalar load of a buffer", TAHITI, 4, "v_readfirstlane_b32 s7, v0",
      "s_buffer_load_dword s0, s[4:7], 0x0", HZ_valu_smem },
    { "SALU writes SGPR / scalar load of a buffer", TAHITI, 4, "s_mov_b32 s6, 0",
      "s_buffer_load_dword s0, s[4:7], 0x0", HZ_salu_smem },
    { "SALU writes SGPR / offset of a buffer", TAHITI, 4, "s_movk_i32 m0, 4",
      "s_buffer_load_dword s0, s[4:7], m0", HZ_salu_smem },
    { "flat_store_dwordx3 / its data", VEGA | HAWAII, 1, "flat_store_dwordx3 v[0:1], v[4:6]",
      "v_mov_b32 v6, 0", HZ_store_data },
    { "flat_store_dwordx4 / its data", VEGA, 1, "flat_store_dwordx4 v[0:1], v[4:7]",
      "v_lshlrev_b64 v[6:7], 1, v[2:3]", HZ_store_data },
    { "flat_atomic_cmpswap_x2 / its data", VEGA, 1, "flat_atomic_cmpswap_x2 v[0:1], v[4:7]",
      "v_mov_b32 v5, 0", HZ_store_data },
    { "buffer_store_dwordx3 / its data", VEGA, 1, "buffer_store_dwordx3 v[4:6], off, s[8:11], 0",
      "v_mov_b32 v4, 0", HZ_store_data },
    { "buffer_store_dwordx4 / its data", VEGA, 1,
      "buffer_store_dwordx4 v[4:7], v0, s[8:11], 0 offen", "v_mov_b32 v7, 0", HZ_store_data },
    { "buffer_store_format_xyz / its data", VEGA, 1,
      "buffer_store_format_xyz v[4:6], v0, s[8:11], 0 idxen", "v_mov_b32 v4, 0", HZ_store_data },
    { "buffer_store_format_xyzw / its data", VEGA, 1,
      "buffer_store_format_xyzw v[4:7], v0, s[8:11], 0 idxen", "v_mov_b32 v4, 0", HZ_store_data },
    { "buffer_atomic_cmpswap_x2 / its data", VEGA, 1,
      "buffer_atomic_cmpswap_x2 v[4:7], off, s[8:11], 0", "v_mov_b32 v7, 0", HZ_store_data },
    /* Of images the table excepts those with a T# of 256 bits: gfx9 has no others. */
    { "VALU writes SGPR / vector memory reads it", VEGA, 5, "v_readfirstlane_b32 s4, v0",
      "global_load_dword v0, v1, s[4:5]", HZ_valu_vmem },
    { "VALU writes SGPR / vector memory reads it", VEGA, 5, "v_cmp_eq_u32 s[10:11], v0, v1",
      "buffer_load_dword v0, off, s[8:11], 0", HZ_valu_vmem },
    { "VALU writes SGPR / vector memory reads it", VEGA, 5, "v_readlane_b32 s2, v0, 0",
      "buffer_store_dword v0, off, s[8:11], s2", HZ_valu_vmem },
    { "VALU writes VCC / vector memory reads it", VEGA, 5, "v_add_co_u32 v0, vcc, v1, v2",
      "global_store_dword v0, v1, vcc", HZ_valu_vmem },
    { "SALU writes M0 / GDS", VEGA, 1, "s_mov_b32 m0, s0", "ds_add_u32 v0, v1 gds", HZ_m0_message },
    { "SALU writes M0 / s_sendmsg", VEGA, 1, "s_movk_i32 m0, 0x10",
      "s_sendmsg sendmsg(MSG_INTERRUPT)", HZ_m0_message },
    { "SALU writes M0 / s_ttracedata", VEGA, 1, "s_add_u32 m0, s0, s1", "s_ttracedata",
      HZ_m0_message },
    { "VALU writes VGPR / DPP reads it", VEGA, 2, "v_add_f32 v1, v2, v3",
      "v_mov_b32_dpp v4, v1 row_shl:1 row_mask:0xf bank_mask:0xf", HZ_valu_dpp },
    { "VALU writes EXEC / DPP", VEGA, 5, "v_cmpx_gt_u32 vcc, v0, v1",
      "v_add_u32_dpp v4, v5, v6 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", HZ_exec_dpp },
    { "s_setreg TRAPSTS / s_rfe", VEGA, 1, "s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 9), s0",
      "s_rfe_b64 s[0:1]", HZ_setreg_rfe },
    { "SALU writes M0 / LDS by thread number", VEGA, 1, "s_mov_b32 m0, s0", "ds_read_addtid_b32 v0",
      HZ_m0_index },
    { "SALU writes M0 / LDS by thread number", VEGA, 1, "s_mov_b32 m0, s0",
      "ds_write_addtid_b32 v0", HZ_m0_index },
    { "SALU writes M0 / buffer_store_lds_dword", VEGA, 1, "s_mov_b32 m0, s0",
      "buffer_store_lds_dword s[8:11], 0 lds", HZ_m0_index },
    { "SALU writes M0 / buffer_load with lds", VEGA, 1, "s_mov_b32 m0, s0",
      "buffer_load_dword off, s[8:11], 0 lds", HZ_m0_index },
    { "SALU writes M0 / v_interp", VEGA, 1, "s_mov_b32 m0, s0", "v_interp_p1_f32 v0, v1, attr0.x",
      HZ_m0_index },
    { "SALU writes M0 / LDS as an operand", VEGA, 1, "s_mov_b32 m0, s0",
      "v_mov_b32 v0, src_lds_direct", HZ_m0_index },
    { "SALU writes M0 / s_movrel", VEGA, 1, "s_mov_b32 m0, s0", "s_movrels_b32 s4, s5",
      HZ_m0_index },
    { "SALU writes M0 / s_movrel", VEGA, 1, "s_mov_b32 m0, s0", "s_movreld_b64 s[4:5], s[6:7]",
      HZ_m0_index },
    { "half of VCC written by number / s_cbranch_vccz", VEGA, NEVER, "s_mov_b32 vcc_lo, 0",
      "s_cbranch_vccz 0", HZ_vccz_stale },
    { "half of VCC written by number / s_cbranch_vccnz", VEGA, NEVER, "s_mov_b32 vcc_hi, 0",
      "s_cbranch_vccnz 0", HZ_vccz_stale },
    { "scalar load / VCCZ", OLD, NEVER,
      "s_mov_b64 vcc, 0\ns_load_dword s8, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)", "s_cbranch_vccz 0",
      HZ_vccz_spoilt },
    { "scalar load that is not waited for, VCC / VCCZ", OLD, NEVER,
      "s_load_dword s8, s[4:5], 0x0\nv_cmp_eq_u32 vcc, v0, v1", "s_cbranch_vccnz 0",
      HZ_vccz_spoilt },
    { "scalar load of VCC / VCCZ as data", OLD, NEVER,
      "s_load_dwordx2 vcc, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)", "s_mov_b32 s8, src_vccz",
      HZ_vccz_spoilt },
    { "s_icache_inv / what is fetched", VEGA, 16, "s_icache_inv", "s_mov_b32 s0, s1",
      HZ_icache_inv },
    /* ---- MI100, 7.2 ---- */
    { "VALU writes VGPR / v_mfma reads it", MI100, 2, "v_mov_b32 v1, v9",
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]", HZ_valu_mai },
    { "VALU writes VGPR / v_accvgpr_write reads it", MI100, 2, "v_mov_b32 v1, v9",
      "v_accvgpr_write_b32 a0, v1", HZ_valu_mai },
    { "v_mfma / SrcC exactly its result, as many passes", MI100, 0,
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]", "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      HZ_mfma_c },
    { "v_mfma / SrcC exactly its result, as many passes", MI100, 0,
      "v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[0:15]",
      "v_mfma_f32_32x32x8f16 a[16:31], v[0:1], v[2:3], a[0:15]", HZ_mfma_c },
    { "v_mfma / SrcC overlaps its result", MI100, 2, "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      "v_mfma_f32_4x4x1f32 a[4:7], v0, v1, a[2:5]", HZ_mfma_c },
    { "v_mfma / SrcC is its result, other passes", MI100, 2,
      "v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[0:3]", "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      HZ_mfma_c },
    { "v_mfma / SrcA", MI100, 4, "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      "v_mfma_f32_4x4x1f32 a[4:7], a2, v1, a[4:7]", HZ_mfma_ab },
    { "v_mfma / SrcB", MI100, 4, "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]",
      "v_mfma_f32_4x4x1f32 a[32:35], v0, a31, a[32:35]", HZ_mfma_ab },
    { "v_mfma of 2 passes / v_accvgpr_read", MI100, 4,
      "v_mfma_f32_4x4x4f16 a[0:3], v[0:1], v[2:3], a[0:3]", "v_accvgpr_read_b32 v9, a3",
      HZ_mfma_rd },
    { "v_mfma of 8 passes / v_accvgpr_read", MI100, 10,
      "v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[0:3]", "v_accvgpr_read_b32 v9, a0",
      HZ_mfma_rd8 },
    { "v_mfma of 8 passes / v_accvgpr_read", MI100, 10,
      "v_mfma_i32_16x16x4i8 a[0:15], v0, v1, a[0:15]", "v_accvgpr_read_b32 v9, a15", HZ_mfma_rd8 },
    { "v_mfma of 16 passes / v_accvgpr_read", MI100, 18,
      "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]", "v_accvgpr_read_b32 v9, a7",
      HZ_mfma_rd16 },
    { "v_mfma of 16 passes / v_accvgpr_read", MI100, 18,
      "v_mfma_f32_32x32x2bf16 a[0:31], v0, v1, a[0:31]", "v_accvgpr_read_b32 v9, a31",
      HZ_mfma_rd16 },
    { "v_mfma of 2 passes / v_accvgpr_write over it", MI100, 1,
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]", "v_accvgpr_write_b32 a3, v9", HZ_mfma_wr },
    { "v_mfma of 8 passes / v_accvgpr_write over it", MI100, 7,
      "v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[4:7]", "v_accvgpr_write_b32 a2, v9", HZ_mfma_wr8 },
    { "v_mfma of 16 passes / v_accvgpr_write over it", MI100, 15,
      "v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[16:31]", "v_accvgpr_write_b32 a0, v9",
      HZ_mfma_wr16 },
    { "v_mfma of 2 passes reads SrcC / v_accvgpr_write over it", MI100, 0,
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[4:7]", "v_accvgpr_write_b32 a4, v9", HZ_mfma_war8 },
    { "v_mfma of 8 passes reads SrcC / v_accvgpr_write over it", MI100, 5,
      "v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[4:7]", "v_accvgpr_write_b32 a7, v9", HZ_mfma_war8 },
    { "v_mfma of 16 passes reads SrcC / v_accvgpr_write over it", MI100, 13,
      "v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[16:31]", "v_accvgpr_write_b32 a16, v9",
      HZ_mfma_war16 },
    { "v_accvgpr_read / VALU", MI100, 0, "v_accvgpr_read_b32 v1, a0", "v_add_u32 v2, v1, v1",
      HZ_valu_mai },
    { "v_accvgpr_read / v_mfma reads it", MI100, 2, "v_accvgpr_read_b32 v1, a9",
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]", HZ_valu_mai },
    { "v_accvgpr_read / v_accvgpr_write reads it", MI100, 2, "v_accvgpr_read_b32 v1, a9",
      "v_accvgpr_write_b32 a0, v1", HZ_valu_mai },
    { "v_accvgpr_write / SrcC", MI100, 1, "v_accvgpr_write_b32 a3, v9",
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]", HZ_acc_write_c },
    { "v_accvgpr_write / SrcA", MI100, 3, "v_accvgpr_write_b32 a9, v9",
      "v_mfma_f32_4x4x1f32 a[0:3], a9, v1, a[0:3]", HZ_acc_write_ab },
    { "v_accvgpr_write / v_accvgpr_read", MI100, 3, "v_accvgpr_write_b32 a9, v9",
      "v_accvgpr_read_b32 v2, a9", HZ_acc_write_rd },
    { "v_cmpx writes EXEC / v_mfma", MI100, 4, "v_cmpx_eq_u32 vcc, v8, v9",
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]", HZ_exec_mai },
    { "v_cmpx writes EXEC / v_accvgpr_write", MI100, 4, "v_cmpx_eq_u32 s[4:5], v8, v9",
      "v_accvgpr_write_b32 a0, v1", HZ_exec_mai },
    /* ---- what others add ---- */
    { "global_store_dwordx4 / its data", VEGA, 1, "global_store_dwordx4 v[0:1], v[4:7], off",
      "v_mov_b32 v7, 0", HZ_store_data },
    { "global_atomic_cmpswap_x2 / its data", VEGA, 1,
      "global_atomic_cmpswap_x2 v[0:1], v[4:7], off", "v_mov_b32 v4, 0", HZ_store_data },
    { "scratch_store_dwordx3 / its data", VEGA, 1, "scratch_store_dwordx3 v0, v[4:6], off",
      "v_mov_b32 v4, 0", HZ_store_data },
    { "SALU writes M0 / an indexed register", VEGA, 1,
      "s_set_gpr_idx_on s0, gpr_idx(SRC0)\ns_mov_b32 m0, s1", "v_mov_b32 v0, v1", HZ_m0_gpr_idx },
    { "s_set_gpr_idx_on / an indexed register", VEGA, 0, "s_set_gpr_idx_on s0, gpr_idx(SRC0)",
      "v_mov_b32 v0, v1", HZ_m0_gpr_idx },
    { "v_accvgpr_read / memory uses it", MI100, 2, "v_accvgpr_read_b32 v1, a9",
      "global_store_dword v[2:3], v1, off", HZ_acc_read_mem },
    { "v_accvgpr_read / memory uses it", MI100, 2, "v_accvgpr_read_b32 v1, a9",
      "ds_read_b32 v2, v1", HZ_acc_read_mem },
    { "VALU, v_accvgpr_write / memory uses what VALU wrote", MI100, 1,
      "v_mov_b32 v1, v2\nv_accvgpr_write_b32 a0, v9", "ds_read_b32 v2, v1", HZ_acc_move_mem },
    { "clause: a load over an earlier one's address", VEGA | REPLAY, 1,
      "global_load_dword v4, v[0:1], off", "global_load_dword v0, v[2:3], off", HZ_clause },
    { "clause: a scalar load over an earlier one's address", VEGA | REPLAY, 1,
      "s_load_dword s8, s[0:1], 0x0", "s_load_dwordx2 s[0:1], s[2:3], 0x0", HZ_clause },
    { "clause: of several kinds of vector memory", VEGA | REPLAY, 1,
      "global_load_dword v4, v[0:1], off\nbuffer_load_dword v5, v9, s[8:11], 0 offen",
      "flat_load_dword v9, v[2:3]", HZ_clause },
    { "clause: a load over its own address, not alone", VEGA | REPLAY, 1,
      "global_load_dword v4, v[0:1], off", "global_load_dword v3, v[2:3], off", HZ_clause },
    { "clause: a store behind a load", VEGA | REPLAY, 1, "global_load_dword v4, v[0:1], off",
      "global_store_dword v[2:3], v6, off", HZ_clause_store },
    { "clause: an atomic behind a load", VEGA | REPLAY, 1, "global_load_dword v4, v[0:1], off",
      "global_atomic_add v[2:3], v6, off", HZ_clause_store },
    { "clause: what is not replayed", VEGA, 0, "global_load_dword v4, v[0:1], off",
      "global_load_dword v0, v[2:3], off", HZ_clause },
};

/* Pairs that need nothing, and look like some that do. */
static const struct row harmless[] = {
    { "SALU writes SGPR / scalar load without a buffer", TAHITI, 0, "s_mov_b32 s4, 0",
      "s_load_dword s0, s[4:5], 0x0", HZ_salu_smem },
    { "SALU writes another SGPR / scalar load of a buffer", TAHITI, 0, "s_mov_b32 s8, 0",
      "s_buffer_load_dword s0, s[4:7], 0x0", HZ_salu_smem },
    { "VALU writes SGPR / scalar load", VEGA | HAWAII, 0, "v_readfirstlane_b32 s4, v0",
      "s_load_dword s0, s[4:5], 0x0", HZ_valu_smem },
    { "SALU writes SGPR / scalar load of a buffer", VEGA | HAWAII, 0, "s_mov_b32 s6, 0",
      "s_buffer_load_dword s0, s[4:7], 0x0", HZ_salu_smem },
    { "VALU writes SGPR / vector memory", OLD, 0, "v_readfirstlane_b32 s4, v0",
      "buffer_load_dword v0, off, s[4:7], 0", HZ_valu_vmem },
    { "SALU writes M0 / message", OLD, 0, "s_mov_b32 m0, 0", "s_sendmsg sendmsg(MSG_INTERRUPT)",
      HZ_m0_message },
    { "scalar load, VCC behind it / VCCZ", OLD, 0,
      "s_load_dword s8, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b64 vcc, vcc", "s_cbranch_vccz 0",
      HZ_vccz_spoilt },
    { "scalar load / SCC", OLD, 0, "s_load_dword s8, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)",
      "s_cbranch_scc0 0", HZ_vccz_spoilt },
    { "scalar load / VCCZ", VEGA, 0,
      "s_mov_b64 vcc, 0\ns_load_dword s8, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)", "s_cbranch_vccz 0",
      HZ_vccz_spoilt },
    { "s_getreg of another", VEGA, 0, "s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s0",
      "s_getreg_b32 s1, hwreg(HW_REG_TRAPSTS)", HZ_setreg_getreg },
    { "a buffer store with a scalar offset", VEGA, 0,
      "buffer_store_dwordx4 v[4:7], off, s[8:11], s5", "v_mov_b32 v4, 0", HZ_store_data },
    { "an image store with a T# of 256 bits", VEGA, 0,
      "image_store v[4:7], v[0:1], s[8:15] dmask:0xf unorm", "v_mov_b32 v4, 0", HZ_store_data },
    { "an image compare and swap of 64 bits, the same", VEGA, 0,
      "image_atomic_cmpswap v[4:7], v[0:1], s[8:15] dmask:0xf unorm", "v_mov_b32 v4, 0",
      HZ_store_data },
    { "a store of 64 bits", VEGA, 0, "flat_store_dwordx2 v[0:1], v[4:5]", "v_mov_b32 v4, 0",
      HZ_store_data },
    { "a compare and swap of 32 bits", VEGA, 0, "global_atomic_cmpswap v[0:1], v[4:5], off",
      "v_mov_b32 v4, 0", HZ_store_data },
    { "the address of a wide store", VEGA, 0, "global_store_dwordx4 v[0:1], v[4:7], off",
      "v_mov_b32 v0, 0", HZ_store_data },
    { "a wide load", VEGA, 0, "s_nop 0", "global_load_dwordx4 v[4:7], v[0:1], off", HZ_store_data },
    { "SALU writes the SGPR", VEGA, 0, "s_mov_b32 s4, 0", "global_load_dword v0, v1, s[4:5]",
      HZ_valu_vmem },
    { "a scalar load of what VALU wrote", VEGA, 0, "v_readfirstlane_b32 s4, v0",
      "s_load_dword s6, s[4:5], 0x0", HZ_valu_vmem },
    { "VCC as a mask", VEGA, 0, "v_cmp_eq_u32 vcc, v0, v1", "v_cndmask_b32 v0, v1, v2, vcc",
      HZ_valu_vccz },
    { "VCC by its number, all of it", VEGA, 0, "s_mov_b64 vcc, 0", "s_cbranch_vccz 0",
      HZ_vccz_stale },
    { "LDS whose address is a register", VEGA, 0, "s_mov_b32 m0, 0", "ds_read_b32 v0, v1",
      HZ_m0_index },
    { "a vector instruction without an index", VEGA, 0,
      "s_set_gpr_idx_on s0, gpr_idx(SRC0)\ns_set_gpr_idx_off\ns_mov_b32 m0, s1", "v_mov_b32 v0, v1",
      HZ_m0_gpr_idx },
    { "a branch behind s_icache_inv", VEGA, 0, "s_icache_inv", "s_branch 0", HZ_icache_inv },
    { "s_sendmsg behind VALU", VEGA, 0, "v_readfirstlane_b32 s4, v0",
      "s_sendmsg sendmsg(MSG_INTERRUPT)", HZ_m0_message },
    { "loads that do not touch", VEGA | REPLAY, 0, "global_load_dword v4, v[0:1], off",
      "global_load_dword v5, v[2:3], off", HZ_clause },
    { "a load over its own address, alone", VEGA | REPLAY, 0, "s_nop 0",
      "global_load_dwordx2 v[0:1], v[0:1], off", HZ_clause },
    { "stores in a row", VEGA | REPLAY, 0, "global_store_dword v[0:1], v4, off",
      "global_store_dword v[2:3], v5, off", HZ_clause_store },
    { "a clause ends with another kind", VEGA | REPLAY, 0,
      "global_load_dword v4, v[0:1], off\nds_read_b32 v6, v7", "global_load_dword v0, v[2:3], off",
      HZ_clause },
    { "a scalar load and a vector one", VEGA | REPLAY, 0, "s_load_dword s8, s[0:1], 0x0",
      "global_load_dword v4, v0, s[2:3]", HZ_clause },
};

static u32 assemble(const char *text, struct insn *in, u32 max)
{
    u32 code[WORDS], n = 0, count = 0;
    struct err e = { .text = "" };
    if (insn_parse_program(&isa, text, code, WORDS, &n, &e))
        bail("%s: %s: %s", mcpu, text, e.text);
    for (u32 at = 0; at < n && count < max; at += in[count++].dw)
        insn_decode(&isa, code + at, n - at, &in[count], NULL);
    return count;
}

static void step_all(struct rule_state *st, const char *text)
{
    struct insn in[8];
    u32 count = assemble(text, in, COUNT_OF(in));
    for (u32 i = 0; i < count; i++)
        rule_step(st, &in[i], 0);
}

static void begin(struct rule_state *st, const struct row *r, const char *text)
{
    rule_start(st);
    st->lint = true;
    st->replay = r->where & REPLAY;
    step_all(st, text);
}

/* Wait states: of s_nop, of one s_nop for all but the first, or of instructions that have nothing
 * to do with it. */
static void pass(struct rule_state *st, u32 states, u32 how)
{
    for (u32 i = 0; i < states; i++) {
        char text[32];
        snprintf(text, sizeof text, how == 2 ? "s_mov_b32 s90, %u" : "s_nop 0", i);
        if (how == 1 && i == 1 && states - 1 <= 16) {
            snprintf(text, sizeof text, "s_nop %u", states - 2);
            i = states;
        }
        step_all(st, text);
    }
}

static bool asks(const struct rule_state *st, const struct insn *second, const struct row *r,
                 u32 passed)
{
    struct rule_need need;
    rule_need(st, second, &need);
    if (r->waits == NEVER)
        return need.vcc && need.hazard == r->hazard;
    return need.nops == r->waits - passed && need.hazard == r->hazard;
}

static bool wants_nothing(const struct rule_state *st, const struct insn *second)
{
    struct rule_need need;
    rule_need(st, second, &need);
    return need.nops == 0 && !need.vcc;
}

static void test_row(const struct row *r)
{
    struct insn second;
    u32 right = 0, tried = 0;
    assemble(r->second, &second, 1);
    /* Only s_nop one by one brings the instruction buffer forward. */
    for (u32 how = 0; how < (r->hazard == HZ_icache_inv ? 1 : 3); how++) {
        u32 most = r->waits == NEVER ? 20 : r->waits;
        for (u32 passed = 0; passed <= most; passed++) {
            struct rule_state st;
            begin(&st, r, r->first);
            pass(&st, passed, how);
            bool enough = passed == r->waits;
            right += enough ? wants_nothing(&st, &second) : asks(&st, &second, r, passed);
            tried++;
        }
    }
    is_u64(tried, right, "%s: %s: %u wait states: %s", mcpu, r->line, r->waits, r->second);
}

/* What no wait state replaces: each text, and the counts that its last instruction asks for. */
struct wait_row {
    const char *name, *text;
    u32 vm, lgkm, exp;
};

static void test_wait(const struct wait_row *t)
{
    struct rule_state st;
    struct rule_need need;
    struct insn in[10];
    u32 count = assemble(t->text, in, COUNT_OF(in));
    rule_start(&st);
    st.lint = true;
    for (u32 k = 0; k + 1 < count; k++)
        rule_step(&st, &in[k], 0);
    rule_need(&st, &in[count - 1], &need);
    ok(need.vmcnt == t->vm && need.lgkmcnt == t->lgkm && need.expcnt == t->exp,
       "%s: %s: vmcnt %u lgkmcnt %u expcnt %u", mcpu, t->name, need.vmcnt, need.lgkmcnt,
       need.expcnt);
}

#define STORE_V2 "buffer_store_dword v2, off, s[8:11], 0\n"
#define STORE_V3 "buffer_store_dword v3, off, s[8:11], 0\n"

/* Stores of gfx6 take their data when expcnt says so, their addresses at once. */
static void test_late_stores(bool are_late)
{
    static const struct wait_row test[] = {
        { "data of a store", "buffer_store_dword v2, off, s[8:11], 0\nv_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, 0 },
        { "the last of four registers",
          "buffer_store_dwordx4 v[2:5], off, s[8:11], 0\nv_mov_b32 v5, 0", RULE_NO_WAIT,
          RULE_NO_WAIT, 0 },
        { "the older of two stores",
          "buffer_store_dword v2, off, s[8:11], 0\nbuffer_store_dword v3, off, s[8:11], 0\n"
          "v_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, 1 },
        { "the first of seven stores",
          STORE_V2 STORE_V3 STORE_V3 STORE_V3 STORE_V3 STORE_V3 STORE_V3 "v_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, 6 },
        { "data of an atomic", "buffer_atomic_add v2, off, s[8:11], 0\nv_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, 0 },
        { "texels", "image_store v[4:7], v[0:1], s[8:15] dmask:0xf unorm\nv_mov_b32 v4, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, 0 },
        { "a load over the data",
          "buffer_store_dword v2, off, s[8:11], 0\n"
          "buffer_load_dword v2, off, s[8:11], 0",
          RULE_NO_WAIT, RULE_NO_WAIT, 0 },
        { "stores and exports have no order",
          "buffer_store_dword v2, off, s[8:11], 0\nexp mrt0 v4, v5, v6, v7\nv_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, 0 },
    };
    static const struct wait_row harmless_too[] = {
        { "eight stores: the last has waited for the first",
          STORE_V2 STORE_V3 STORE_V3 STORE_V3 STORE_V3 STORE_V3 STORE_V3 STORE_V3 "v_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
        { "expcnt was waited for",
          "buffer_store_dword v2, off, s[8:11], 0\ns_waitcnt expcnt(0)\nv_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
        { "the store is done",
          "buffer_store_dword v2, off, s[8:11], 0\ns_waitcnt vmcnt(0)\nv_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
        { "data is read", "buffer_store_dword v2, off, s[8:11], 0\nv_mov_b32 v3, v2", RULE_NO_WAIT,
          RULE_NO_WAIT, RULE_NO_WAIT },
        { "the address of a store", "buffer_store_dword v2, v3, s[8:11], 0 offen\nv_mov_b32 v3, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
        { "the lanes of a store", "buffer_store_dword v2, off, s[8:11], 0\ns_mov_b64 exec, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
        { "a store to LDS", "ds_write_b32 v0, v2\nv_mov_b32 v2, 0", RULE_NO_WAIT, RULE_NO_WAIT,
          RULE_NO_WAIT },
    };
    for (u32 i = 0; i < COUNT_OF(test); i++) {
        struct wait_row row = test[i];
        row.exp = are_late ? row.exp : RULE_NO_WAIT;
        test_wait(&row);
    }
    for (u32 i = 0; i < COUNT_OF(harmless_too); i++)
        test_wait(&harmless_too[i]);
}

static void test_waits(void)
{
    static const struct wait_row test[] = {
        { "a load into LDS is waited for before LDS is read",
          "buffer_load_dword off, s[8:11], 0 lds\nglobal_load_dword v9, v[0:1], off\nds_read_b32 "
          "v0, v1",
          1, RULE_NO_WAIT, RULE_NO_WAIT },
        { "and before a barrier", "buffer_load_dword off, s[8:11], 0 lds\ns_barrier", 0,
          RULE_NO_WAIT, RULE_NO_WAIT },
        { "waited for",
          "buffer_load_dword off, s[8:11], 0 lds\ns_waitcnt vmcnt(0)\nds_read_b32 v0, v1",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
        { "an export reads its registers later", "exp mrt0 v0, v1, v2, v3\nv_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, 0 },
        { "registers of the older of two",
          "exp mrt0 v0, v1, v2, v3\nexp mrt1 v4, v5, v6, v7\nv_mov_b32 v2, 0", RULE_NO_WAIT,
          RULE_NO_WAIT, 1 },
        { "exports of two kinds have no order",
          "exp mrt0 v0, v1, v2, v3\nexp pos0 v4, v5, v6, v7\nv_mov_b32 v2, 0", RULE_NO_WAIT,
          RULE_NO_WAIT, 0 },
        { "a register that is not exported", "exp mrt0 v0, off, off, off\nv_mov_b32 v2, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
        { "exported and waited for",
          "exp mrt0 v0, v1, v2, v3\ns_waitcnt expcnt(0)\nv_mov_b32 v2, 0", RULE_NO_WAIT,
          RULE_NO_WAIT, RULE_NO_WAIT },
        { "GDS reads its registers later", "ds_add_u32 v0, v1 gds\nv_mov_b32 v1, 0", RULE_NO_WAIT,
          RULE_NO_WAIT, 0 },
        { "what GDS has done it has read",
          "ds_add_u32 v0, v1 gds\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v1, 0", RULE_NO_WAIT,
          RULE_NO_WAIT, RULE_NO_WAIT },
        { "LDS reads its registers at once", "ds_add_u32 v0, v1\nv_mov_b32 v1, 0", RULE_NO_WAIT,
          RULE_NO_WAIT, RULE_NO_WAIT },
        { "a store reads its registers at once",
          "global_store_dword v[0:1], v2, off\nv_mov_b32 v2, 0", RULE_NO_WAIT, RULE_NO_WAIT,
          RULE_NO_WAIT },
        { "LDS and GDS have no order",
          "ds_read_b32 v2, v0\nds_add_u32 v3, v4 gds\nv_mov_b32 v5, v2", RULE_NO_WAIT, 0,
          RULE_NO_WAIT },
        { "LDS and messages have no order",
          "ds_read_b32 v2, v0\ns_sendmsg sendmsg(MSG_INTERRUPT)\nv_mov_b32 v5, v2", RULE_NO_WAIT, 0,
          RULE_NO_WAIT },
        { "LDS alone has", "ds_read_b32 v2, v0\nds_read_b32 v3, v4\nv_mov_b32 v5, v2", RULE_NO_WAIT,
          1, RULE_NO_WAIT },
        { "data of an atomic without a result",
          "buffer_atomic_add v2, off, s[8:11], 0\nv_mov_b32 v2, 0", RULE_NO_WAIT, RULE_NO_WAIT,
          RULE_NO_WAIT },
        { "data of an atomic with one",
          "buffer_atomic_add v2, off, s[8:11], 0 glc\nv_mov_b32 v2, 0", 0, RULE_NO_WAIT,
          RULE_NO_WAIT },
        { "halves of one register, one after the other",
          "ds_read_u16_d16 v2, v0\nds_read_u16_d16_hi v2, v1\nglobal_load_short_d16 v3, v[4:5], "
          "off\ns_nop 0\nglobal_load_short_d16_hi v3, v[6:7], off",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
        { "a half behind one of another kind",
          "ds_read_u16_d16 v2, v0\nglobal_load_short_d16_hi v2, v[4:5], off", RULE_NO_WAIT, 0,
          RULE_NO_WAIT },
        { "its resource", "buffer_atomic_add v2, off, s[8:11], 0 glc\ns_mov_b32 s8, 0",
          RULE_NO_WAIT, RULE_NO_WAIT, RULE_NO_WAIT },
    };
    for (u32 i = 0; i < COUNT_OF(test); i++)
        test_wait(&test[i]);
}

/* The alias of VCC cannot be told from VCC on gfx9; generated programs keep the distance. */
static void test_alias(void)
{
    struct rule_state st;
    struct insn second;
    struct rule_need need;
    assemble("v_add_u32 v0, vcc_lo, v0", &second, 1);
    rule_start(&st);
    step_all(&st, "v_readlane_b32 vcc_lo, v0, 0");
    rule_need(&st, &second, &need);
    ok(need.nops == 1 && need.hazard == HZ_vcc_alias, "%s: VCC by its other name", mcpu);
}

static void test_rows(const char *name, u32 where)
{
    struct err e = { .text = "" };
    mcpu = name;
    if (isa_open(&isa, name, &e))
        bail("%s", e.text);
    for (u32 i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].where & where)
            test_row(&rows[i]);
    for (u32 i = 0; i < COUNT_OF(harmless); i++)
        if (harmless[i].where & where)
            test_row(&harmless[i]);
}

static void test_processor(const char *name, u32 where)
{
    test_rows(name, where);
    test_waits();
    test_alias();
}

/* The register that M0 tells stands in for the one that is named: index 5 of the first source. */
static void test_index(void)
{
    static struct wave w;
    struct insn in, meant;
    char text[64];
    w.isa = &isa;
    wave_reset(&w);
    assemble("v_add_u32 v1, v2, v3", &in, 1);
    w.sgpr[CODE_M0] = 5 | 1 << 12;
    ok(!exec_indexed(&w, &in, &meant), "no index without the mode");
    w.mode |= 1 << MODE_GPR_IDX_EN;
    wave_mode_changed(&w);
    ok(exec_indexed(&w, &in, &meant), "an index");
    insn_print(&isa, &meant, text, sizeof text);
    is_str("v_add_u32_e32 v1, v7, v3", text, "an indexed source");
    w.sgpr[CODE_M0] = 5 | 1 << 15;
    exec_indexed(&w, &in, &meant);
    insn_print(&isa, &meant, text, sizeof text);
    is_str("v_add_u32_e32 v6, v2, v3", text, "an indexed destination");
    assemble("s_mov_b32 s0, s1", &in, 1);
    ok(!exec_indexed(&w, &in, &meant), "scalar registers are not indexed");
}

int main(void)
{
    bool seen[HZ_COUNT] = { [HZ_vcc_alias] = true };
    u32 missing = 0;
    test_rows("gfx600", TAHITI);
    test_late_stores(true);
    test_rows("gfx701", HAWAII);
    test_late_stores(false);
    test_processor("gfx900", VEGA);
    test_processor("gfx908", VEGA | MI100);
    test_index();
    for (u32 i = 0; i < COUNT_OF(rows); i++)
        seen[rows[i].hazard] |= rows[i].waits > 0;
    for (u32 i = 0; i < HZ_COUNT; i++)
        missing += !seen[i];
    is_u64(0, missing, "every hazard has a line");
    return done();
}
