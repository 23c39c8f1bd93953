// Image instructions that OpenCL does not have, on images of a launch file: atomics on texels, four neighbours gathered, an
// offset in texels and the size asked for. One wave; out[dword][lane].

	.macro	RESULT reg, number
	global_store_dword v1, \reg, s[32:33] offset:\number * 256
	.endm

	.text
	.globl	image_assembly
	.p2align	8
	.type	image_assembly,@function
image_assembly:
	s_load_dwordx4 s[8:11], s[4:5], 0x0		// pointers to: counters, picture, sampler
	s_load_dwordx2 s[12:13], s[4:5], 0x10
	s_load_dwordx2 s[32:33], s[4:5], 0x18
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	s_load_dwordx8 s[16:23], s[8:9], 0x0
	s_load_dwordx8 s[24:31], s[10:11], 0x0
	s_load_dwordx4 s[44:47], s[12:13], 0x0
	s_waitcnt lgkmcnt(0)

	// lane l adds l to the texel (l % 8, l / 8 % 4): two lanes to each; the greatest of another row; outside nothing
	v_and_b32_e32 v2, 7, v0
	v_bfe_u32 v3, v0, 3, 2
	v_mov_b32_e32 v4, v0
	image_atomic_add v4, v[2:3], s[16:23] dmask:0x1 unorm
	v_mov_b32_e32 v5, 4
	v_mov_b32_e32 v6, v0
	v_mov_b32_e32 v3, v5
	image_atomic_umax v6, v[2:3], s[16:23] dmask:0x1 unorm
	v_mov_b32_e32 v7, v0
	v_mov_b32_e32 v3, 9
	image_atomic_swap v7, v[2:3], s[16:23] dmask:0x1 unorm glc
	s_waitcnt vmcnt(0)
	RESULT	v7, 0

	// a comparing exchange, alone in its lane: 1000 + l for what is -1 there
	v_mov_b32_e32 v3, 5
	v_add_u32_e32 v8, 1000, v0
	v_mov_b32_e32 v9, -1
	s_mov_b64 s[34:35], exec
	s_mov_b64 exec, 0xff
	image_atomic_cmpswap v[8:9], v[2:3], s[16:23] dmask:0x3 unorm glc
	s_waitcnt vmcnt(0)
	s_mov_b64 exec, s[34:35]
	RESULT	v8, 1

	v_mov_b32_e32 v9, 0
	image_get_resinfo v[10:11], v9, s[24:31] dmask:0x3
	s_waitcnt vmcnt(0)
	RESULT	v10, 2
	RESULT	v11, 3

	// the green of four neighbours around corners of texels; a texel one to the right and two up
	v_cvt_f32_u32_e32 v13, v2
	v_lshrrev_b32_e32 v3, 3, v0
	v_cvt_f32_u32_e32 v14, v3
	image_gather4_lz v[16:19], v[13:14], s[24:31], s[44:47] dmask:0x2
	v_add_f32_e32 v15, 0.5, v14
	v_mov_b32_e32 v14, v13
	v_add_f32_e32 v14, 0.5, v14
	v_mov_b32_e32 v13, 0x3e01				// offset: x 1, y -2
	image_sample_lz_o v[20:23], v[13:15], s[24:31], s[44:47] dmask:0xf
	s_waitcnt vmcnt(0)
	RESULT	v16, 4
	RESULT	v17, 5
	RESULT	v18, 6
	RESULT	v19, 7
	RESULT	v20, 8
	RESULT	v21, 9
	RESULT	v22, 10
	RESULT	v23, 11
	s_endpgm
.Lend:
	.size	image_assembly, .Lend-image_assembly

	// Every kernel.s has its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel image_assembly
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_kernarg_size 32
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 48
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: image_assembly
    .symbol: image_assembly.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 256
    .args:
      - { .size: 8, .offset: 0, .value_kind: image }
      - { .size: 8, .offset: 8, .value_kind: image }
      - { .size: 8, .offset: 16, .value_kind: sampler }
      - { .size: 8, .offset: 24, .value_kind: global_buffer, .address_space: global }
...
	.end_amdgpu_metadata
