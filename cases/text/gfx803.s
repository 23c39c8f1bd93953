// Texts for gfx803 (GCN 1.2): names, fields and forms that gfx9 changed, and what it has not.

// registers, constants, messages
s_add_u32 s101, flat_scratch_lo, flat_scratch_hi
s_add_u32 s0, s102, s1
s_add_u32 ttmp11, tba_hi, tma_lo
s_add_u32 s0, ttmp12, s1
s_mov_b64 tba, ttmp[0:1]
s_mov_b32 s0, src_shared_base
s_mov_b32 s0, 0.15915494
s_getreg_b32 s0, hwreg(HW_REG_IB_STS)
s_getreg_b32 s0, hwreg(HW_REG_SH_MEM_BASES)
s_getreg_b32 s0, hwreg(15)
s_waitcnt vmcnt(15) lgkmcnt(0)
s_waitcnt vmcnt(16)
s_sendmsg sendmsg(MSG_SAVEWAVE)
s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
s_sendmsg sendmsg(MSG_SYSMSG, SYSMSG_OP_HOST_TRAP_ACK)
s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)
s_wakeup
s_endpgm_saved
s_endpgm_ordered_ps_done
s_call_b64 s[0:1], 4

// scalar memory: bytes, unsigned
s_load_dword s0, s[2:3], 0x4
s_load_dword s0, s[2:3], 0xfffff glc
s_load_dword s0, s[2:3], 0x100000
s_load_dword s0, s[2:3], -4
s_load_dword s0, s[2:3], m0
s_load_dword s0, s[2:3], s4 offset:0x8
s_store_dwordx2 s[4:5], s[2:3], 0x8 glc
s_buffer_store_dword s4, s[8:11], m0
s_atomic_add s4, s[2:3], 0x0
s_scratch_load_dword s0, s[2:3], 0x0
s_memrealtime s[4:5]
s_dcache_wb_vol
s_atc_probe 7, s[2:3], 0x10

// vector ALU
v_add_u32 v0, vcc, v1, v2
v_add_u32 v0, v1, v2
v_add_u32_e64 v0, s[2:3], v1, v2 clamp
v_sub_u32_sdwa v0, vcc, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
v_subb_u32 v0, vcc, v1, v2, vcc
v_subbrev_u32_dpp v0, vcc, v1, v2, vcc row_shr:1 row_mask:0xf bank_mask:0xf
v_add_co_u32 v0, vcc, v1, v2
v_add_i32 v0, vcc, v1, v2
v_mad_f16 v0, v1, -v2, |v3| clamp
v_mad_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]
v_mad_legacy_f16 v0, v1, v2, v3
v_fma_f16 v0, v1, s2, 1.0
v_mul_lo_i32 v0, v1, s2
v_mad_u16 v0, v1, v2, v3 clamp
v_div_fixup_f16 v0, v1, v2, v3 mul:2
v_add_f16 v0, 0x3c01, v2
v_lshlrev_b16 v0, v1, v2
v_mac_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD
v_mac_f16_dpp v0, v1, v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf
v_mul_f32_sdwa v0, v1, v2 clamp dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:BYTE_3
v_mul_f32_sdwa v0, v1, v2 mul:2
v_mul_f32_sdwa v0, s1, v2
v_mul_u32_u24_sdwa v0, sext(v1), v2 src0_sel:BYTE_0
v_mov_b32_sdwa v0, sext(v1) dst_sel:WORD_1 src0_sel:BYTE_0
v_cmp_lt_f32_sdwa vcc, -|v1|, v2 src0_sel:WORD_1
v_cmp_lt_f32_sdwa vcc, v1, v2 clamp src0_sel:WORD_1
v_cmp_lt_f32_sdwa s[0:1], v1, v2 src0_sel:WORD_1
v_cmp_lt_f32_sdwa vcc, s1, v2 src0_sel:WORD_1
v_cmpx_lg_i16 vcc, v1, v2
v_cmp_class_f16_e64 s[0:1], v1, v2
v_movrels_b32 v0, v1
v_movrelsd_b32_e64 v0, v1
v_movreld_b32 v0, v1
v_movrels_b32_sdwa v0, v1 src0_sel:BYTE_0
v_screen_partition_4se_b32 v0, v1
v_swap_b32 v0, v1
v_readlane_b32 s0, v1, m0
v_writelane_b32 v0, s1, m0
v_pk_add_f16 v0, v1, v2
v_mad_mix_f32 v0, v1, v2, v3
v_add3_u32 v0, v1, v2, v3
v_interp_p1_f32_e64 v0, v1, attr3.y
v_interp_p2_f16 v0, v1, attr3.y, v2
v_interp_p2_legacy_f16 v0, v1, attr3.y, v2

// memory
ds_add_f32 v0, v1 offset:8
ds_bpermute_b32 v0, v1, v2 offset:4
ds_read_u8_d16 v0, v1
ds_read_b128 v[0:3], v4 gds
flat_load_dword v0, v[1:2] glc slc
flat_load_dword v0, v[1:2] offset:4
flat_atomic_add_x2 v[0:1], v[2:3], v[4:5] glc
flat_atomic_fmin v[2:3], v4
global_load_dword v0, v[1:2], off
scratch_load_dword v0, v1, off
buffer_load_dword v0, v[1:2], s[4:7], s1 addr64
buffer_load_dword v0, v[1:2], s[4:7], s1 idxen offen offset:4095 glc slc
buffer_store_lds_dword s[4:7], s1 offset:4 lds
buffer_load_format_d16_x v0, off, s[4:7], s1
buffer_load_format_d16_xy v[0:1], off, s[4:7], s1
buffer_load_format_d16_xy v0, off, s[4:7], s1
buffer_store_format_d16_xyzw v[0:3], v4, s[4:7], s1 idxen
buffer_load_short_d16 v0, off, s[4:7], s1
tbuffer_load_format_d16_xyz v[0:2], off, s[4:7], s1 format:[BUF_DATA_FORMAT_16_16_16_16,BUF_NUM_FORMAT_FLOAT]
tbuffer_store_format_xy v[0:1], v2, s[4:7], s1 format:78 idxen
tbuffer_load_format_x v0, off, s[4:7], s1 format:[BUF_NUM_FORMAT_SNORM_OGL]
image_load v[0:1], v[4:7], s[8:15] dmask:0x3 d16
image_load v0, v[4:7], s[8:15] dmask:0x3 d16
image_load v[0:2], v[4:7], s[8:15] dmask:0x3 unorm r128 tfe
image_load v0, v[4:7], s[8:15] dmask:0x1 a16
image_gather4_c v[0:3], v[4:7], s[8:15], s[16:19] dmask:0x1 d16
image_atomic_cmpswap v[0:1], v[4:7], s[8:15] dmask:0x3 glc
exp mrtz v0, v1, off, off done compr
