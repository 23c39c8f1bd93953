// Every work-item writes down what it was started with: 32 dwords each, at (z * GRID_Y + y) * GRID_X + x.
//   0..19 s0..s19   20..22 v0..v2   23 MODE   24 25 EXEC
//   26 work-group x and y   27 28 29 grid   30 31 private and group segment size, all from the dispatch packet
// All initial SGPRs are asked for, in the order of the guide:
//   s0..3 scratch buffer, s4 dispatch packet, s6 queue, s8 kernarg, s10 dispatch id, s12 flat scratch, s14 private size
//   s15 s16 s17 work-group ids, s18 work-group info, s19 scratch offset of the wave
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	initial_state
	.p2align	8
	.type	initial_state,@function
initial_state:
	s_load_dwordx2 s[20:21], s[8:9], 0x0
	s_load_dword s22, s[4:5], 0x4
	s_load_dword s23, s[4:5], 0x8
	s_load_dwordx4 s[24:27], s[4:5], 0xc
	s_load_dword s28, s[4:5], 0x1c
	s_getreg_b32 s29, hwreg(HW_REG_MODE)
	s_waitcnt lgkmcnt(0)
	s_and_b32 s30, s22, 0xffff
	s_lshr_b32 s31, s22, 16
	s_and_b32 s33, s23, 0xffff
	s_mul_i32 s30, s30, s15
	s_mul_i32 s31, s31, s16
	s_mul_i32 s33, s33, s17
	v_add_u32_e32 v3, s30, v0
	v_add_u32_e32 v4, s31, v1
	v_add_u32_e32 v5, s33, v2
	v_mul_lo_u32 v5, v5, s25
	v_add_u32_e32 v5, v5, v4
	v_mul_lo_u32 v5, v5, s24
	v_add_u32_e32 v5, v5, v3
	v_lshlrev_b32_e32 v5, 7, v5
	v_mov_b32_e32 v8, s21
	v_add_co_u32_e32 v7, vcc, s20, v5
	v_addc_co_u32_e32 v8, vcc, 0, v8, vcc
	global_store_dword v[7:8], v0, off offset:80
	global_store_dword v[7:8], v1, off offset:84
	global_store_dword v[7:8], v2, off offset:88
	v_mov_b32_e32 v9, s0
	global_store_dword v[7:8], v9, off
	v_mov_b32_e32 v9, s1
	global_store_dword v[7:8], v9, off offset:4
	v_mov_b32_e32 v9, s2
	global_store_dword v[7:8], v9, off offset:8
	v_mov_b32_e32 v9, s3
	global_store_dword v[7:8], v9, off offset:12
	v_mov_b32_e32 v9, s4
	global_store_dword v[7:8], v9, off offset:16
	v_mov_b32_e32 v9, s5
	global_store_dword v[7:8], v9, off offset:20
	v_mov_b32_e32 v9, s6
	global_store_dword v[7:8], v9, off offset:24
	v_mov_b32_e32 v9, s7
	global_store_dword v[7:8], v9, off offset:28
	v_mov_b32_e32 v9, s8
	global_store_dword v[7:8], v9, off offset:32
	v_mov_b32_e32 v9, s9
	global_store_dword v[7:8], v9, off offset:36
	v_mov_b32_e32 v9, s10
	global_store_dword v[7:8], v9, off offset:40
	v_mov_b32_e32 v9, s11
	global_store_dword v[7:8], v9, off offset:44
	v_mov_b32_e32 v9, s12
	global_store_dword v[7:8], v9, off offset:48
	v_mov_b32_e32 v9, s13
	global_store_dword v[7:8], v9, off offset:52
	v_mov_b32_e32 v9, s14
	global_store_dword v[7:8], v9, off offset:56
	v_mov_b32_e32 v9, s15
	global_store_dword v[7:8], v9, off offset:60
	v_mov_b32_e32 v9, s16
	global_store_dword v[7:8], v9, off offset:64
	v_mov_b32_e32 v9, s17
	global_store_dword v[7:8], v9, off offset:68
	v_mov_b32_e32 v9, s18
	global_store_dword v[7:8], v9, off offset:72
	v_mov_b32_e32 v9, s19
	global_store_dword v[7:8], v9, off offset:76
	v_mov_b32_e32 v9, s29
	global_store_dword v[7:8], v9, off offset:92
	v_mov_b32_e32 v9, exec_lo
	global_store_dword v[7:8], v9, off offset:96
	v_mov_b32_e32 v9, exec_hi
	global_store_dword v[7:8], v9, off offset:100
	v_mov_b32_e32 v9, s22
	global_store_dword v[7:8], v9, off offset:104
	v_mov_b32_e32 v9, s24
	global_store_dword v[7:8], v9, off offset:108
	v_mov_b32_e32 v9, s25
	global_store_dword v[7:8], v9, off offset:112
	v_mov_b32_e32 v9, s26
	global_store_dword v[7:8], v9, off offset:116
	v_mov_b32_e32 v9, s27
	global_store_dword v[7:8], v9, off offset:120
	v_mov_b32_e32 v9, s28
	global_store_dword v[7:8], v9, off offset:124
	s_endpgm
.Lend:
	.size	initial_state, .Lend-initial_state

	// As every kernel.s with its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel initial_state
		.amdhsa_group_segment_fixed_size 100
		.amdhsa_private_segment_fixed_size 20
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_user_sgpr_flat_scratch_init 1
		.amdhsa_user_sgpr_private_segment_size 1
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 1
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 34
		.amdhsa_float_round_mode_32 1
		.amdhsa_float_round_mode_16_64 2
		.amdhsa_float_denorm_mode_32 2
		.amdhsa_float_denorm_mode_16_64 1
		.amdhsa_dx10_clamp 0
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 1
		.amdhsa_exception_fp_ieee_overflow 1
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: initial_state
    .symbol: initial_state.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 100
    .private_segment_fixed_size: 20
    .wavefront_size: 64
    .sgpr_count: 40
    .vgpr_count: 10
    .max_flat_workgroup_size: 1024
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
...
	.end_amdgpu_metadata
