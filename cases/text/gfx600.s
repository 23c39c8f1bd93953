// Texts for gfx600 (GCN 1.0): registers, encodings and opcodes that later generations changed, and what it has not.

// registers and constants
s_add_u32 s103, s102, s101
s_add_u32 s0, s104, s1
s_add_u32 s0, tba_lo, tma_hi
s_add_u32 ttmp0, ttmp11, s1
s_add_u32 s0, ttmp12, s1
s_mov_b64 s[102:103], tba
s_mov_b64 s[0:1], flat_scratch
s_mov_b64 s[0:1], xnack_mask
s_mov_b32 s0, src_shared_base
s_mov_b32 s0, 0.15915494
v_mov_b32 v0, 0.15915494
v_add_f32_e64 v0, 0.15915494, v1
v_mov_b32 v0, 4.0
s_mov_b32 s0, src_vccz

// scalar numbers and messages
s_and_b32 s0, s1, s2
s_mov_b64 s[0:1], exec
s_cmp_eq_u64 s[0:1], s[2:3]
s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 8)
s_getreg_b32 s0, hwreg(HW_REG_SH_MEM_BASES)
s_setreg_imm32_b32 hwreg(1, 0, 4), 0xf0
s_waitcnt vmcnt(15)
s_waitcnt vmcnt(16)
s_waitcnt vmcnt(3) & expcnt(2) & lgkmcnt(1)
s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 2)
s_sendmsg sendmsg(MSG_SAVEWAVE)
s_sendmsg sendmsg(MSG_SYSMSG, SYSMSG_OP_HOST_TRAP_ACK)
s_setkill 1
s_wakeup
s_endpgm_saved
s_cbranch_cdbgsys 5

// scalar memory: offsets in dwords
s_load_dword s0, s[2:3], 0x4
s_load_dword s0, s[2:3], 0xff
s_load_dword s0, s[2:3], 0x100
s_load_dword s0, s[2:3], -1
s_load_dwordx4 s[4:7], s[2:3], s9
s_load_dwordx16 s[16:31], s[100:101], m0
s_buffer_load_dwordx2 s[4:5], s[8:11], 0x7f
s_load_dword s0, s[2:3], 0x4 glc
s_store_dword s0, s[2:3], 0x4
s_dcache_inv
s_dcache_inv_vol
s_memtime s[0:1]

// vector ALU
v_add_i32 v0, vcc, v1, v2
v_add_i32_e64 v0, s[2:3], v1, s4
v_add_i32_e64 v0, s[2:3], v1, s4 clamp
v_add_u32 v0, vcc, v1, v2
v_addc_u32 v0, vcc, v1, v2, vcc
v_addc_u32_e64 v0, s[0:1], v1, v2, s[2:3]
v_subrev_i32 v0, vcc, 0x12345678, v2
v_readlane_b32 s0, v1, s2
v_readlane_b32 s0, v1, 63
v_readlane_b32 s0, v1, 65
v_writelane_b32 v1, s2, 3
v_writelane_b32 v1, 0x1234, 3
v_writelane_b32 v1, s2, 0x1234
v_readfirstlane_b32 s0, v1
v_lshl_b32 v0, v1, v2
v_lshr_b32_e64 v0, v1, s2
v_ashr_i32 v0, 0xabcdef, v2
v_lshl_b64 v[0:1], v[2:3], v4
v_ashr_i64 v[0:1], v[2:3], 5
v_lshlrev_b64 v[0:1], v2, v[4:5]
v_mac_legacy_f32 v0, v1, v2
v_min_legacy_f32_e64 v0, -v1, |v2| clamp mul:4
v_mullit_f32 v0, v1, -|v2|, v3 clamp div:2
v_rcp_clamp_f64 v[0:1], v[2:3]
v_rsq_legacy_f32 v0, s1
v_log_clamp_f32_e64 v0, |v1| mul:2
v_cvt_pkrtz_f16_f32 v0, v1, v2
v_cvt_pkrtz_f16_f32_e64 v0, -v1, v2 clamp
v_cvt_pknorm_i16_f32_e64 v0, v1, v2 clamp
v_bfm_b32 v0, v1, v2
v_ldexp_f32_e64 v0, -v1, v2 mul:2
v_mbcnt_hi_u32_b32 v0, s1, v2
v_movrels_b32 v0, v1
v_movreld_b32 v0, v1
v_movreld_b32 v0, s1
v_mul_lo_i32 v0, v1, v2
v_mad_f32 v0, v1, |v2|, -s3 clamp
v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]
v_cmp_tru_f32 vcc, v1, v2
v_cmpsx_nlt_f64 vcc, v[0:1], v[2:3]
v_cmps_lt_f32_e64 s[0:1], v1, |v2|
v_cmp_lt_f32_e64 s[0:1], v1, v2 clamp
v_cmp_lt_u16 vcc, v1, v2
v_add_f32_sdwa v0, v1, v2 src0_sel:BYTE_0
v_add_f32_dpp v0, v1, v2 row_shl:1
v_div_scale_f32 v0, vcc, v1, v2, v3
v_mad_f16 v0, v1, v2, v3
v_interp_p1_f32 v0, v1, attr3.y
v_interp_p1_f32_e64 v0, v1, attr3.y

// memory
ds_add_u32 v0, v1 offset:4 gds
ds_read2_b32 v[0:1], v2 offset0:1 offset1:255
ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,1)
ds_read_b128 v[0:3], v4
buffer_load_dword v0, v[1:2], s[4:7], s1 addr64 offset:9
buffer_load_dword v0, v1, s[4:7], s1 idxen addr64
buffer_load_dword v0, v1, s[4:7], s1 addr64
buffer_load_dword v[0:1], off, s[4:7], s1 offset:1 glc slc tfe
buffer_load_ubyte off, s[4:7], s1 offset:1 lds
buffer_load_format_d16_x v0, off, s[4:7], s1
buffer_atomic_fmin_x2 v[0:1], v2, s[4:7], 0 idxen glc
buffer_atomic_fcmpswap v[0:1], off, s[4:7], 1.0
buffer_wbinvl1_sc
buffer_wbinvl1_vol
tbuffer_load_format_xyzw v[0:3], off, s[4:7], s1 format:[BUF_DATA_FORMAT_8_8,BUF_NUM_FORMAT_SNORM_OGL]
tbuffer_store_format_x v0, v[1:2], s[4:7], dfmt:4, nfmt:7, s1 addr64
image_load v[0:1], v4, s[8:15] dmask:0x1 unorm glc slc tfe lwe da
image_load v0, v4, s[8:15] dmask:0x1 r128
image_load v0, v4, s[8:15] dmask:0x3 d16
image_atomic_rsub v0, v4, s[8:15] dmask:0x1
image_sample_c v[0:3], v[4:5], s[8:15], s[16:19] dmask:0xf
flat_load_dword v0, v[1:2]
exp mrt0 v0, v1, v2, v3 done vm
exp param31 v0, v1, off, off compr
