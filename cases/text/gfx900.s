// Input of scripts/xcheck/xcheck-llvm.sh --pairs: instructions as people write them, one per line. Lines that the assembler
// must refuse stand here too. Operands of every kind, every form, every modifier.

// scalar operands
s_add_u32 s0, s1, s2
s_add_u32 s101, flat_scratch_lo, xnack_mask_hi
s_add_u32 vcc_lo, vcc_hi, ttmp15
s_add_u32 m0, exec_lo, exec_hi
s_add_u32 s0, src_scc, src_vccz
s_add_u32 s0, execz, scc
s_add_u32 s0, src_shared_base, src_private_limit
s_add_u32 s0, 64, -16
s_add_u32 s0, 65, s1
s_add_u32 s0, s1, -17
s_add_u32 s0, 0.5, -4.0
s_add_u32 s0, 0x3f800000, 0.15915494
s_add_u32 s0, 0x12345678, 0x12345678
s_add_u32 s0, 0x12345678, 0x12345679
s_add_u32 s0, 1.5, s2
s_add_u32 s0, -0.1, s2
s_add_u32 s0, 1e3, s2
s_add_u32 s0, 3.4028235e38, s2
s_add_u32 s0, 0b101, 010
s_add_u32 s102, s1, s2
s_add_u32 s0, v1, s2
s_add_u32 s0, s1
s_add_u32 s0, s1, s2, s3
s_and_b64 s[0:1], s[2:3], vcc
s_and_b64 exec, exec, flat_scratch
s_and_b64 ttmp[2:3], xnack_mask, 1
s_and_b64 s[0:1], 1.0, 0.15915494309189532
s_and_b64 s[0:1], s[2:3], 0xfffffff0
s_and_b64 s[0:1], s[2:3], 0x3ff0000000000000
s_and_b64 s[0:1], s[2:3], 1.5
s_and_b64 s[1:2], s[2:3], s[4:5]
s_and_b64 s[0:2], s[2:3], s[4:5]
s_and_b64 [s0,s1], s[2:3], s[4:5]
s_lshl_b64 s[0:1], s[2:3], s4
s_bfe_u64 s[100:101], s[2:3], 0x100010
s_mov_b32 s0, s[5]
s_mov_b64 s[0:1], src_scc
s_mov_b64 s[0:1], -1
s_bcnt1_i32_b64 s0, s[2:3]
s_and_saveexec_b64 s[2:3], vcc
s_getpc_b64 s[2:3]
s_setpc_b64 vcc
s_setpc_b64 5
s_swappc_b64 s[30:31], s[2:3]
s_cmp_eq_u64 s[0:1], 0
s_bitcmp1_b64 s[0:1], s2

// immediates
s_movk_i32 s0, 5
s_movk_i32 s0, -5
s_movk_i32 s0, 0xffff
s_movk_i32 s0, 0x10000
s_cmpk_eq_u32 s0, 0xffff
s_cmpk_eq_u32 s0, -1
s_addk_i32 vcc_hi, -32768
s_call_b64 s[30:31], 16
s_call_b64 s[30:31], -16
s_branch 5
s_branch -5
s_cbranch_execz 32767
s_nop 0
s_nop 15
s_nop 0xffff
s_sleep 100
s_endpgm
s_endpgm 3
s_barrier
s_waitcnt 0
s_waitcnt vmcnt(0)
s_waitcnt vmcnt(63) & lgkmcnt(3)
s_waitcnt vmcnt(5), expcnt(6), lgkmcnt(7)
s_waitcnt lgkmcnt_sat(99)
s_waitcnt lgkmcnt(16)
s_waitcnt 0xcf7f
s_getreg_b32 s0, hwreg(HW_REG_MODE)
s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4)
s_getreg_b32 s0, hwreg(HW_REG_TMA_HI, 31, 1)
s_getreg_b32 s0, hwreg(50, 0, 16)
s_getreg_b32 s0, 0xf801
s_getreg_b32 s0, hwreg(64)
s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s5
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS), 0xffff

// scalar memory
s_load_dword s5, s[2:3], 0x0
s_load_dword s5, s[2:3], 1048575 glc
s_load_dword s5, s[2:3], -4
s_load_dword s5, s[2:3], 0x100000
s_load_dword vcc_lo, vcc, s7
s_load_dword s5, s[2:3], m0 offset:0x12345
s_load_dwordx2 s[4:5], s[2:3], 0x10
s_load_dwordx4 s[4:7], s[2:3], 0x10
s_load_dwordx4 s[2:5], s[2:3], 0x10
s_load_dwordx8 ttmp[4:11], s[2:3], 0x10
s_load_dwordx16 s[84:99], flat_scratch, 0x10
s_load_dword m0, s[2:3], 0x0

// e32, literal, e64
v_add_f32 v0, v1, v2
v_add_f32 v255, s1, v2
v_add_f32 v0, v1, s2
v_add_f32 v0, s1, s1
v_add_f32 v0, s1, s2
v_add_f32 v0, 1.0, v2
v_add_f32 v0, 1.5, v2
v_add_f32 v0, v1, 1.5
v_add_f32 v0, 1.0, 2.0
v_add_f32_e64 v0, v1, v2
v_add_f32 v0, -v1, |v2|
v_add_f32 v0, -|v1|, neg(2)
v_add_f32 v0, abs(v1), neg(v2)
v_add_f32 v0, v1, v2 clamp
v_add_f32 v0, v1, v2 mul:2
v_add_f32 v0, v1, v2 mul:4
v_add_f32 v0, v1, v2 clamp div:2
v_add_f32 v0, v1, v2 mul:3
v_add_f32_e32 v0, v1, v2 clamp
v_fma_f32 v0, -1.0, |s2|, -v3 clamp mul:4
v_fma_f32 v0, s1, s2, v3
v_mad_f32 v0, -|s1|, |s1|, neg(1.0)
v_madak_f32 v0, v1, v2, 0x1234
v_madak_f32 v0, 0x1234, v2, 0x1234
v_madak_f32 v0, s1, v2, 0x1234
v_madmk_f32 v0, v1, 1.5, v2
v_mac_f32 v0, v1, v2
v_mac_f32 v0, v1, -v2
v_add_co_u32 v0, vcc, v1, v2
v_add_co_u32 v0, s[4:5], v1, v2
v_add_co_u32_e32 v0, s[4:5], v1, v2
v_addc_co_u32 v0, vcc, v1, v2, vcc
v_addc_co_u32 v0, vcc, s1, v2, vcc
v_addc_co_u32 v0, s[4:5], 1, v2, s[6:7] clamp
v_cndmask_b32 v0, v1, v2, vcc
v_cndmask_b32 v0, -v1, |v2|, s[4:5]
v_add_u32 v0, v1, v2 clamp
v_cvt_f32_u32_e64 v0, v1 clamp mul:2
v_cvt_i32_f32_e64 v0, -v1
v_mov_b32 v0, -v1
v_mov_b32 v0, src_lds_direct
v_readfirstlane_b32 s0, v1
v_readfirstlane_b32 s0, s1
v_readlane_b32 s0, v1, s2
v_readlane_b32 vcc_lo, v1, 63
v_readlane_b32 s0, v1, v2
v_writelane_b32 v0, s1, m0
v_writelane_b32 v0, s1, s2
v_swap_b32 v0, v1
v_nop
v_cmp_lt_f32 vcc, v1, v2
v_cmp_lt_f32 s[2:3], -v1, v2 clamp
v_cmp_lt_i64 vcc, 0x12345678, v[2:3]
v_cmp_lt_i64 s[2:3], 0x12345678, v[2:3]
v_cmpx_gt_u32 vcc, v1, v2
v_lshlrev_b64 v[0:1], v2, v[3:4]
v_lshlrev_b64 v[0:1], s2, s[2:3]
v_lshlrev_b64 v[254:255], 5, -1
v_lshlrev_b64 v[255:256], 5, -1
v_mad_u64_u32 v[0:1], s[2:3], v4, s5, v[6:7]
v_mad_u64_u32 v[0:1], vcc, v4, v5, 1.0 clamp
v_perm_b32 v0, v1, v2, s3

// sdwa
v_mov_b32_sdwa v0, v1
v_mov_b32_sdwa v0, sext(v1) dst_sel:BYTE_3 dst_unused:UNUSED_SEXT src0_sel:WORD_1
v_mov_b32_sdwa v0, -1
v_mov_b32_sdwa v0, 0x1234
v_add_f32_sdwa v0, -|v1|, |s2| clamp mul:4 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:WORD_0
v_add_u32 v0, v1, v2 dst_sel:BYTE_1
v_add_u32_sdwa v0, -v1, v2
v_add_co_u32_sdwa v0, vcc, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:DWORD
v_cndmask_b32_sdwa v0, -v1, v2, vcc src1_sel:BYTE_2
v_cmp_lt_u32_sdwa vcc, v1, v2 src0_sel:WORD_1 src1_sel:DWORD
v_cmp_lt_u32_sdwa s[4:5], sext(v1), s2
v_cmp_lt_u32_sdwa vcc, v1, v2 dst_sel:BYTE_1
v_mac_f32_sdwa v0, v1, v2

// dpp
v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2]
v_mov_b32_dpp v0, v1 quad_perm:[ 0, 1 ,2,3 ] row_mask:15 bank_mask:0x1 bound_ctrl:0
v_mov_b32 v0, v1 row_shl:1 bound_ctrl:1
v_mov_b32_dpp v0, v1 row_shr:15 row_mask:0x0
v_mov_b32_dpp v0, v1 row_ror:7
v_mov_b32_dpp v0, v1 wave_shl:1
v_mov_b32_dpp v0, v1 wave_rol:1
v_mov_b32_dpp v0, v1 wave_shr:1
v_mov_b32_dpp v0, v1 wave_ror:1
v_mov_b32_dpp v0, v1 row_mirror
v_mov_b32_dpp v0, v1 row_half_mirror
v_mov_b32_dpp v0, v1 row_bcast:15
v_mov_b32_dpp v0, v1 row_bcast:31
v_mov_b32_dpp v0, v1 row_bcast:16
v_mov_b32_dpp v0, v1 row_shl:16
v_mov_b32_dpp v0, v1
v_mov_b32_dpp v0, s1 row_mirror
v_add_f32_dpp v0, -v1, |v2| quad_perm:[0,0,0,0] row_mask:0xa bank_mask:0x5
v_addc_co_u32_dpp v0, vcc, v1, v2, vcc row_mirror
v_cmp_lt_u32_dpp vcc, v1, v2 row_mirror

// lds and vector memory
ds_read_b32 v0, v1
ds_read_b32 v0, v1 offset:65535 gds
ds_read_b32 v0, v1 offset:65536
ds_read2st64_b32 v[0:1], v2 offset0:1 offset1:255
ds_read2_b64 v[0:3], v4 offset1:2
ds_write2_b64 v0, v[2:3], v[4:5] offset0:7
ds_write_b96 v0, v[1:3]
ds_write_b128 v0, v[1:4] offset:16
ds_add_rtn_u32 v0, v1, v2
ds_bpermute_b32 v0, v1, v2 offset:4
ds_bpermute_b32 v0, v1, v2 gds
flat_load_dword v0, v[2:3] offset:4095 glc slc
flat_load_dword v0, v[2:3] offset:4096
flat_store_dwordx3 v[0:1], v[2:4]
global_load_dwordx4 v[0:3], v[4:5], off offset:-4096
global_load_dword v0, v1, s[2:3] offset:4095 glc
global_load_dword v0, v1, vcc
global_load_dword v0, v[1:2], s[2:3]
global_load_dword v0, v1, off
global_store_byte v[1:2], v3, off slc
global_store_dwordx2 v1, v[2:3], s[4:5]
flat_atomic_add v[1:2], v3
flat_atomic_add v5, v[1:2], v3 offset:4095 glc
flat_atomic_cmpswap v5, v[1:2], v[3:4] glc slc
flat_atomic_cmpswap_x2 v[5:6], v[1:2], v[3:6] glc
flat_atomic_swap_x2 v[1:2], v[3:4] slc
flat_load_short_d16_hi v5, v[1:2]
flat_store_byte_d16_hi v[1:2], v3 offset:1
global_atomic_add v1, v3, s[4:5] offset:-1
global_atomic_umax v5, v[1:2], v3, off glc
global_atomic_cmpswap_x2 v[5:6], v1, v[3:6], s[4:5] glc
global_load_ubyte_d16 v5, v[1:2], off offset:-4096
scratch_load_dword v5, v1, off offset:4095
scratch_load_dwordx3 v[5:7], off, s5 offset:-4096 glc slc
scratch_load_sbyte_d16_hi v5, off, m0
scratch_store_dwordx4 off, v[3:6], vcc_lo
scratch_store_short v1, v3, off
flat_atomic_add v5, v[1:2], v3
flat_atomic_add v[1:2], v3 glc
global_atomic_add v[1:2], v3, s[4:5]
scratch_load_dword v5, off, off
scratch_load_dword v5, v1, s1
scratch_load_dword v5, v[1:2], off
scratch_load_dword v5, off, 5
buffer_load_dword v5, off, s[8:11], s7
buffer_load_dword v5, v1, s[8:11], m0 offen offset:4095 glc slc
buffer_load_dword v5, v[1:2], ttmp[4:7], -16 idxen offen
buffer_load_dwordx4 v[5:9], v1, s[8:11], 1.0 idxen tfe
buffer_load_dword off, s[8:11], s3 offset:4 glc slc lds
buffer_load_ushort v[1:2], s[8:11], s3 idxen offen lds
buffer_store_format_xyz v[5:7], off, s[96:99], src_scc
buffer_load_format_d16_xyzw v[5:6], off, s[8:11], 64
buffer_store_lds_dword s[8:11], s7 offset:4 lds
buffer_atomic_cmpswap_x2 v[5:8], v1, s[8:11], vcc_hi offen glc
buffer_wbinvl1
buffer_wbinvl1_vol
tbuffer_load_format_x v5, off, s[8:11], s7
tbuffer_store_format_xyzw v[5:8], v1, s[8:11], s7 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_FLOAT] idxen offset:7 slc
tbuffer_load_format_xy v[5:6], off, s[8:11], s7 format:[BUF_NUM_FORMAT_SSCALED,BUF_DATA_FORMAT_16]
tbuffer_load_format_xy v[5:6], off, s[8:11], s7 format:[BUF_NUM_FORMAT_UINT]
tbuffer_load_format_xy v[5:6], off, s[8:11], s7, format:127
tbuffer_load_format_d16_xyz v[5:6], off, s[8:11], nfmt:3, dfmt:2, s7 glc
tbuffer_load_format_d16_x v5, off, s[8:11], dfmt:0 s7
exp mrt0 v1, v2, v3, v4
exp mrtz off, v2, off, v255 done vm
exp param31 v1, v1, v4, v4 compr
exp pos3, v1, v1, off, off done compr vm
exp null off, off, off, off
exp mrt7 off, v1, v2, off compr
buffer_load_dword v5, s[8:11], s7
buffer_load_dword v5, v1, s[8:11], s7
buffer_load_dword v5, off, s[8:11], s7 offen
buffer_load_dword v5, off, s[8:11], s7 tfe
buffer_load_dword v5, off, s[8:11], s7 lds
buffer_load_dwordx2 off, s[8:11], s7 lds
buffer_load_dword v5, off, s[9:12], s7
buffer_load_dword v5, off, s[8:11], 65
buffer_load_dword v5, off, s[8:11], s7 offset:-1
buffer_store_dword v[5:6], off, s[8:11], s7 tfe
buffer_atomic_add v[5:6], off, s[8:11], s7 tfe
buffer_store_lds_dword s[8:11], s7
buffer_wbinvl1 glc
tbuffer_load_format_x v5, off, s[8:11], s7 format:128
tbuffer_load_format_x v5, off, s[8:11], s7 format:[BUF_DATA_FORMAT_8,BUF_DATA_FORMAT_16]
tbuffer_load_format_x v5, off, s[8:11], s7 format:[]
tbuffer_load_format_x v[5:6], off, s[8:11], s7 tfe
exp mrt8 v1, v2, v3, v4
exp mrt0 v1, v2, v3
exp mrt0 s1, v2, v3, v4
image_load v[5:7], v1, s[4:11] dmask:0x7 unorm glc slc
image_load v5, v[1:4], ttmp[4:11] dmask:0x3 d16
image_load_mip_pck v[5:9], v[1:3], s[4:11] dmask:0xf tfe lwe da
image_store v[5:6], v1, s[96:103] dmask:0x7 d16
image_store v[5:6], v1, s[92:99] dmask:0x7 d16
image_store_pck v5, v[1:2], s[4:11]
image_get_resinfo v5, v1, s[4:11] dmask:0x1 a16
image_atomic_add v5, v1, s[4:11] dmask:0x1 unorm glc
image_atomic_swap v[5:6], v[1:2], s[4:11] dmask:0x3
image_atomic_cmpswap v[5:8], v1, s[4:11] dmask:0xf glc
image_sample v[5:8], v[1:2], s[4:11], s[12:15] dmask:0xf
image_sample_d_cl v5, v[1:10], s[4:11], ttmp[12:15] dmask:0x8
image_sample_c_b_cl_o v[5:7], v[1:8], s[4:11], s[12:15] dmask:0xf a16 tfe d16
image_gather4_c_lz_o v[5:8], v[1:3], s[4:11], s[12:15] dmask:0x2
image_gather4h v[5:6], v1, s[4:11], s[12:15] dmask:0x1 d16
image_get_lod v[5:6], v1, s[4:11], s[12:15] dmask:0x3
image_load v[5:6], v1, s[4:11] dmask:0x7
image_load v5, v[1:5], s[4:11] dmask:0x1
image_load v5, v1, s[4:7] dmask:0x1 r128
image_load_pck v5, v1, s[4:11] dmask:0x1 d16
image_load v5, v1, s[4:11], s[12:15] dmask:0x1
image_atomic_add v5, v1, s[4:11] dmask:0x2
image_sample v5, v1, s[4:11] dmask:0x1
image_sample_d v5, v1, s[4:11], s[12:15] dmask:0x1
image_sample_c_b_o v5, v[1:7], s[4:11], s[12:15] dmask:0x1
image_gather4 v[5:8], v1, s[4:11], s[12:15] dmask:0x3
image_gather4 v5, v1, s[4:11], s[12:15] dmask:0x1

// what only other processors have
v_fma_mix_f32 v0, v1, v2, v3
v_fmac_f32 v0, v1, v2
v_xnor_b32 v0, v1, v2
v_dot2_f32_f16 v0, v1, v2, v3
v_pk_fmac_f16 v0, v1, v2
v_accvgpr_write_b32 a0, v1
v_accvgpr_read v0, a1
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
buffer_atomic_add_f32 v2, off, s[4:7], 0
