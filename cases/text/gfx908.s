// Texts for gfx908: what it has beside gfx906.
v_dot2c_f32_f16 v0, v1, v2
v_dot2c_f32_f16 v0, 0x3c00, v2
v_dot2c_f32_f16 v0, 0x3c003c00, v2
v_dot2c_f32_f16 v0, -1, v2
v_dot2c_f32_f16 v0, 0xffff, v2
v_dot2c_f32_f16 v0, 1.5, v2
v_dot2c_f32_f16_e64 v0, -v1, |v2| clamp mul:4
v_dot2c_f32_f16 v0, -v1, |v2| row_mirror
v_dot2c_f32_f16_sdwa v0, v1, v2
v_dot2c_i32_i16 v0, 0x3f800000, v2
v_dot2c_i32_i16 v0, 0x3c00, v2
v_dot2c_i32_i16_e64 v0, v1, s2 clamp
v_dot2c_i32_i16_e64 v0, -v1, v2
v_dot4c_i32_i8 v0, 0xffffffef, v2
v_dot4c_i32_i8 v0, v1, v2 quad_perm:[0,1,2,3]
v_dot4c_i32_i8_e64 v0, v1, v2 mul:2
v_dot8c_i32_i4 v0, 0.15915494, v2
v_pk_fmac_f16 v0, v1, v2
v_pk_fmac_f16_e32 v0, s1, v2
v_pk_fmac_f16 v0, 0xfff0, v2
v_pk_fmac_f16_e64 v0, v1, v2
v_pk_fmac_f16 v0, v1, v2 row_mirror
v_accvgpr_read_b32 v1, a3
v_accvgpr_read v255, acc255
v_accvgpr_read_b32 v1, v3
v_accvgpr_read_b32 a1, a3
v_accvgpr_write_b32 a255, v3
v_accvgpr_write a1, a3
v_accvgpr_write_b32 a1, -2.0
v_accvgpr_write_b32 a1, 64
v_accvgpr_write_b32 a1, s5
v_accvgpr_write_b32 a1, 65
v_accvgpr_write_b32 a1, scc
v_mov_b32 v1, a3
v_mfma_f32_32x32x1f32 a[0:31], v0, a1, a[32:63]
v_mfma_f32_32x32x1f32 a[224:255], a255, v255, a[224:255] cbsz:1 abid:1 blgp:7
v_mfma_f32_32x32x1f32 a[0:31], v0, a1, a[2:33]
v_mfma_f32_32x32x1f32 a[0:31], v0, a1, v[32:63]
v_mfma_f32_32x32x1f32 a[0:31], v0, a1, a[32:62]
v_mfma_f32_32x32x1f32 a[0:31], v0, a1, 0
v_mfma_f32_32x32x1f32 a[0:31], v0, 1.0, a[32:63]
v_mfma_f32_32x32x1f32 a[0:31], s0, v1, a[32:63]
v_mfma_f32_32x32x1f32 a[0:31], v0, a1, a[32:63] cbsz:8
v_mfma_f32_32x32x1f32 a[0:31], v0, a1, a[32:63] abid:16
v_mfma_f32_32x32x1f32 a[0:31], v0, a1, a[32:63] clamp
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15] cbsz:2 abid:3
v_mfma_f32_4x4x1f32 a[0:3], a0, a1, a[2:5] cbsz:4 abid:15
v_mfma_f32_32x32x2f32 a[1:16], v0, v1, a[17:32]
v_mfma_f32_16x16x4f32 a[3:6], v0, v1, a[3:6] blgp:3
v_mfma_f32_32x32x4f16 a[0:31], v[0:1], a[1:2], a[0:31]
v_mfma_f32_16x16x4f16 a[0:15], a[254:255], v[254:255], a[0:15]
v_mfma_f32_4x4x4f16 a[0:3], v[0:1], v[2:3], a[0:3]
v_mfma_f32_4x4x4f16 a[0:3], v0, v[2:3], a[0:3]
v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[16:31]
v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[4:7]
v_mfma_i32_32x32x4i8 a[0:31], v0, v1, a[0:31]
v_mfma_i32_16x16x4i8 a[0:15], v0, v1, a[0:15]
v_mfma_i32_4x4x4i8 a[0:3], v0, v1, a[0:3]
v_mfma_i32_32x32x8i8 a[0:15], v0, v1, a[0:15]
v_mfma_i32_16x16x16i8 a[0:3], v0, v1, a[0:3]
v_mfma_f32_32x32x2bf16 a[0:31], v0, v1, a[0:31]
v_mfma_f32_16x16x2bf16 a[0:15], v0, v1, a[0:15]
v_mfma_f32_4x4x2bf16 a[0:3], v0, v1, a[0:3]
v_mfma_f32_32x32x4bf16 a[0:15], v0, v1, a[0:15]
v_mfma_f32_16x16x8bf16 a[0:3], v0, v1, a[0:3]
buffer_atomic_add_f32 v2, v3, s[4:7], 0 offen offset:4095 slc
buffer_atomic_add_f32 v2, off, s[4:7], 0 glc
buffer_atomic_pk_add_f16 v2, v[3:4], s[4:7], s1 idxen offen
buffer_atomic_pk_add_f16 v2, off, s[4:7], 0 tfe
global_atomic_add_f32 v[2:3], v1, off offset:-4096
global_atomic_add_f32 v0, v[2:3], v1, off glc
global_atomic_pk_add_f16 v2, v1, s[16:17] slc
