// Texts for gfx700 (GCN 1.1): what it has beside gfx600, and what it has not.
s_mov_b64 s[0:1], flat_scratch
s_mov_b32 flat_scratch_hi, s103
s_mov_b32 s0, s104
s_load_dword s0, s[2:3], 0xff
s_load_dword s0, s[2:3], 0x100
s_load_dword s0, s[2:3], 0xffffffff
s_load_dword s0, s[2:3], 0x100000000
s_load_dword s0, s[2:3], -1
s_load_dwordx8 s[8:15], s[2:3], 0x12345678
s_buffer_load_dword s0, s[4:7], 0x1000
s_buffer_load_dword s0, s[4:7], s9
s_dcache_inv_vol
s_dcache_wb
s_setkill 1
s_cbranch_cdbguser 5
s_wakeup
s_memrealtime s[0:1]
v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]
v_mad_i64_i32 v[0:1], s[2:3], v2, s4, v[4:5]
v_mqsad_u32_u8 v[0:3], v[4:5], v6, v[8:11]
v_qsad_pk_u16_u8 v[0:1], v[2:3], v4, v[6:7]
v_trunc_f64 v[0:1], v[2:3]
v_rndne_f64_e64 v[0:1], -|v[2:3]| clamp
v_exp_legacy_f32 v0, v1
v_log_legacy_f32 v0, s1
v_lshlrev_b64 v[0:1], v2, v[4:5]
ds_read_b96 v[0:2], v3
ds_write_b128 v0, v[4:7] offset:16
ds_wrap_rtn_b32 v0, v1, v2, v3
ds_gws_sema_release_all gds
ds_nop
ds_bpermute_b32 v0, v1, v2
flat_load_dword v0, v[1:2]
flat_load_dword v0, v[1:2] glc slc
flat_load_dword v0, v[1:2] offset:4
flat_load_dword v[0:1], v[1:2] tfe
flat_load_dwordx3 v[0:2], v[4:5]
flat_load_dwordx4 v[0:3], v[4:5]
flat_store_dwordx3 v[4:5], v[0:2] glc
flat_store_dwordx4 v[4:5], v[0:3]
flat_atomic_sub v[4:5], v0
flat_atomic_sub v1, v[4:5], v0 glc
flat_atomic_fcmpswap v[4:5], v[0:1]
flat_atomic_fmin_x2 v[0:1], v[4:5], v[2:3] glc slc
flat_atomic_fmax_x2 v[4:5], v[2:3]
flat_load_ubyte_d16 v0, v[1:2]
global_load_dword v0, v[1:2], off
buffer_wbinvl1_vol
buffer_wbinvl1_sc
buffer_load_dwordx3 v[0:2], v[4:5], s[8:11], 0 addr64
buffer_load_dword v0, v[4:5], s[8:11], ttmp11 addr64 glc slc
