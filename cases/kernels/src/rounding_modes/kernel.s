// Float arithmetic in the four rounding modes, which a wave sets for itself while it runs: sums, products and fused
// products of 32 and 64 bits, conversions; then flushed subnormals, and the clamp and multipliers of outputs.
//   out[mode][dword][lane], 16 dwords in each mode

	.macro	RESULT reg, number
	global_store_dword v1, \reg, s[12:13] offset:\number * 256
	.endm

	.text
	.globl	rounding_modes
	.p2align	8
	.type	rounding_modes,@function
rounding_modes:
	s_load_dwordx4 s[8:11], s[4:5], 0x0		// floats (two of each lane), doubles (two)
	s_load_dwordx2 s[12:13], s[4:5], 0x10
	v_lshlrev_b32_e32 v1, 2, v0
	v_lshlrev_b32_e32 v2, 3, v0
	v_lshlrev_b32_e32 v3, 4, v0
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[4:5], v2, s[8:9]
	global_load_dwordx4 v[8:11], v3, s[10:11]
	s_waitcnt vmcnt(0)
	s_mov_b32 s16, 0
mode:	s_mul_i32 s17, s16, 5				// the same for both widths: bits 1:0 and 3:2
	s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s17
	s_nop 1
	v_add_f32_e32 v12, v4, v5
	v_mul_f32_e32 v13, v4, v5
	v_fma_f32 v14, v4, v5, v5
	v_add_f64 v[16:17], v[8:9], v[10:11]
	v_mul_f64 v[18:19], v[8:9], v[10:11]
	v_fma_f64 v[20:21], v[8:9], v[10:11], v[8:9]
	v_cvt_f32_f64_e32 v15, v[8:9]
	v_cvt_f32_u32_e32 v22, v4
	v_cvt_f32_i32_e32 v23, v5
	v_cvt_f16_f32_e32 v24, v4
	v_rndne_f32_e32 v25, v5
	v_cvt_i32_f32_e32 v26, v5
	s_nop 0
	RESULT	v12, 0
	RESULT	v13, 1
	RESULT	v14, 2
	RESULT	v16, 3
	RESULT	v17, 4
	RESULT	v18, 5
	RESULT	v19, 6
	RESULT	v20, 7
	RESULT	v21, 8
	RESULT	v15, 9
	RESULT	v22, 10
	RESULT	v23, 11
	RESULT	v24, 12
	RESULT	v25, 13
	RESULT	v26, 14
	s_add_u32 s12, s12, 4096
	s_addc_u32 s13, s13, 0
	s_add_u32 s16, s16, 1
	s_cmp_lt_u32 s16, 4
	s_cbranch_scc1 mode

	// to nearest, subnormals of 32 bits flushed at both ends; clamped to 0..1, doubled, halved
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xc0
	s_nop 1
	v_mul_f32_e32 v12, 0x2f800000, v4		// 2^-32
	v_add_f32_e32 v13, 0x00400000, v4		// a subnormal and something
	v_add_f32_e64 v14, v4, v5 clamp
	v_mul_f32_e64 v15, v4, v5 mul:4
	v_add_f32_e64 v16, -|v4|, v5 div:2
	RESULT	v12, 0
	RESULT	v13, 1
	RESULT	v14, 2
	RESULT	v15, 3
	RESULT	v16, 4
	s_endpgm
.Lend:
	.size	rounding_modes, .Lend-rounding_modes

	// Every kernel.s has its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel rounding_modes
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_ieee_mode 0
		.amdhsa_next_free_sgpr 48
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: rounding_modes
    .symbol: rounding_modes.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 256
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global }
...
	.end_amdgpu_metadata
