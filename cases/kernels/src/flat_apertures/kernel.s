// One flat instruction whose lanes reach memory, LDS and scratch: loads and stores of a dword, of bytes, halves and four
// dwords, with an offset; atomics in memory and LDS. Apertures come from the queue's registers, scratch is this wave's.
//   lane % 3: 0 memory (16 bytes a lane from the second argument), 1 LDS (16 bytes a lane), 2 scratch (from byte 16)
// Two waves. out[dword number][work-item]

	.macro	RESULT reg, number
	v_mov_b32_e32 v30, \number * 512
	v_lshl_add_u32 v30, v0, 2, v30
	global_store_dword v30, \reg, s[8:9]
	.endm

	.text
	.globl	flat_apertures
	.p2align	8
	.type	flat_apertures,@function
flat_apertures:
	s_add_u32 flat_scratch_lo, s6, s9			// flat scratch init, this wave's offset
	s_addc_u32 flat_scratch_hi, s7, 0
	s_mov_b32 s12, s9
	s_load_dwordx4 s[8:11], s[4:5], 0x0
	s_mov_b64 s[16:17], src_shared_base
	s_mov_b64 s[18:19], src_private_base
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32_e32 v1, 4, v0

	// the lane's number in all four dwords of its 16 bytes of LDS and scratch; memory has it from the launch
	v_mov_b32_e32 v2, v0
	v_add_u32_e32 v3, 1000, v0
	v_add_u32_e32 v4, 2000, v0
	v_add_u32_e32 v5, 3000, v0
	ds_write_b128 v1, v[2:5]
	v_mov_b32_e32 v6, 16
	buffer_store_dword v2, v6, s[0:3], s12 offen
	buffer_store_dword v3, v6, s[0:3], s12 offen offset:4
	buffer_store_dword v4, v6, s[0:3], s12 offen offset:8
	buffer_store_dword v5, v6, s[0:3], s12 offen offset:12
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_barrier

	// v[8:9]: the address of each lane
	s_mov_b32 s26, 0x55555556
	v_mul_hi_u32 v10, v0, s26
	v_mul_u32_u24_e32 v10, 3, v10
	v_sub_u32_e32 v10, v0, v10
	v_mov_b32_e32 v9, s11
	v_add_co_u32_e32 v8, vcc, s10, v1
	v_addc_co_u32_e32 v9, vcc, 0, v9, vcc
	v_mov_b32_e32 v11, s17
	v_cmp_eq_u32_e64 s[20:21], 1, v10
	v_cndmask_b32_e64 v8, v8, v1, s[20:21]
	v_cndmask_b32_e64 v9, v9, v11, s[20:21]
	v_mov_b32_e32 v11, s19
	v_cmp_eq_u32_e64 s[22:23], 2, v10
	v_cndmask_b32_e64 v8, v8, v6, s[22:23]
	v_cndmask_b32_e64 v9, v9, v11, s[22:23]

	flat_load_dword v12, v[8:9]
	flat_load_dwordx4 v[16:19], v[8:9]
	flat_load_ubyte v13, v[8:9] offset:5
	flat_load_sshort v14, v[8:9] offset:8
	s_waitcnt vmcnt(0) lgkmcnt(0)
	RESULT	v12, 0
	RESULT	v16, 1
	RESULT	v17, 2
	RESULT	v18, 3
	RESULT	v19, 4
	RESULT	v13, 5
	RESULT	v14, 6

	// a dword back, a byte in the middle of the second, the upper half of a register into the third
	v_mul_u32_u24_e32 v20, 7, v12
	flat_store_dword v[8:9], v20
	flat_store_byte v[8:9], v20 offset:6
	flat_store_short_d16_hi v[8:9], v1 offset:8
	s_waitcnt vmcnt(0) lgkmcnt(0)
	flat_load_dwordx3 v[16:18], v[8:9]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	RESULT	v16, 7
	RESULT	v17, 8
	RESULT	v18, 9

	// atomics on the fourth dword, where there are any
	s_mov_b64 s[24:25], exec
	s_andn2_b64 exec, exec, s[22:23]
	flat_atomic_add v21, v[8:9], v0 offset:12 glc
	s_nop 0						// replays of memory may not begin between the two
	flat_atomic_umax v[8:9], v4 offset:12
	s_waitcnt vmcnt(0) lgkmcnt(0)
	RESULT	v21, 10
	s_mov_b64 exec, s[24:25]

	// what scratch and LDS hold now, read by their own instructions
	ds_read_b32 v22, v1 offset:12
	ds_read_b32 v23, v1
	buffer_load_dword v24, v6, s[0:3], s12 offen
	buffer_load_dword v25, v6, s[0:3], s12 offen offset:4
	s_waitcnt vmcnt(0) lgkmcnt(0)
	RESULT	v22, 11
	RESULT	v23, 12
	RESULT	v24, 13
	RESULT	v25, 14
	s_endpgm
.Lend:
	.size	flat_apertures, .Lend-flat_apertures

	// Every kernel.s has its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel flat_apertures
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_private_segment_fixed_size 32
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_flat_scratch_init 1
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: flat_apertures
    .symbol: flat_apertures.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 2048
    .private_segment_fixed_size: 32
    .wavefront_size: 64
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 256
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }
...
	.end_amdgpu_metadata
