// Texts for gfx906: what it has beside gfx900, and what it has not.
v_fmac_f32 v0, v1, v2
v_fmac_f32 v0, 0x40490fdb, v2
v_fmac_f32_e64 v0, -v1, |v2| clamp mul:2
v_fmac_f32 v0, s1, v2
v_fmac_f32 v0, v1, -v2 row_shl:1 row_mask:0x3
v_fmac_f32_sdwa v0, v1, v2
v_xnor_b32 v0, v1, v2
v_xnor_b32_e64 v0, v1, 0.5
v_xnor_b32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:WORD_1
v_xnor_b32 v0, v1, v2 quad_perm:[3,2,1,0]
v_xnor_b32_e64 v0, v1, -v2
v_dot2_f32_f16 v0, v1, v2, v3
v_dot2_f32_f16 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[1,0,0] neg_hi:[0,1,0] clamp
v_dot2_f32_f16 v0, v1, v2, 1.0
v_dot2_f32_f16 v0, -v1, v2, v3
v_dot2_f32_f16 v0, v1, v2, 0x3e22f983
v_dot2_f32_f16 v0, s1, s2, v3
v_dot2_i32_i16 v0, v1, s2, 5
v_dot2_i32_i16 v0, 0x3c00, v2, v3
v_dot2_u32_u16 v0, v1, v2, v3 clamp
v_dot4_i32_i8 v0, v1, -1, v3
v_dot4_i32_i8 v0, 0x3f800000, v2, v3
v_dot4_u32_u8 v0, v1, v2, v3 op_sel_hi:[1,1,0]
v_dot8_i32_i4 v255, v1, v2, v3
v_dot8_u32_u4 v0, v1, v2, v3 clamp
v_dot8_u32_u4 v0, v1, v2, 0x12345
v_fma_mix_f32 v0, v1, v2, v3
v_fma_mix_f32 v0, -v1, |v2|, -|v3| op_sel:[0,1,0] op_sel_hi:[1,0,1] clamp
v_fma_mixlo_f16 v0, v1, v2, 1.0 op_sel_hi:[1,1,1]
v_fma_mixhi_f16 v0, s1, v2, v3
v_mad_mix_f32 v0, v1, v2, v3
v_dot2c_f32_f16 v0, v1, v2
v_pk_fmac_f16 v0, v1, v2
v_accvgpr_read_b32 v0, a1
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
global_atomic_add_f32 v[2:3], v1, off
