// LDS as compilers rarely use it: pairs with strides of 64, exchanges of two dwords, floats added and compared, append and consume, masked
// stores, bytes, additions that come back, and memory loaded into it past the registers. Two waves in one work-group.
//   out: dwords of 128 work-items after each other

	.macro	RESULT reg, number
	v_lshl_add_u32 v30, v0, 2, 0
	v_add_u32_e32 v30, \number * 512, v30
	global_store_dword v30, \reg, s[10:11]
	.endm

	.text
	.globl	lds_assembly
	.p2align	8
	.type	lds_assembly,@function
lds_assembly:
	s_load_dwordx4 s[8:11], s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32_e32 v1, 2, v0
	s_mov_b32 m0, -1

	// 128 dwords at 0 and 128 at 512, read in pairs 256 bytes apart and backwards
	global_load_dword v2, v1, s[8:9]
	v_add_u32_e32 v3, 0x100, v1
	s_waitcnt vmcnt(0)
	v_xor_b32_e32 v4, -1, v2
	ds_write2st64_b32 v1, v2, v4 offset0:0 offset1:2
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_and_b32_e32 v5, 0xfc, v1
	ds_read2st64_b32 v[6:7], v5 offset0:1 offset1:3
	v_sub_u32_e32 v8, 0x1fc, v1
	ds_read2_b32 v[9:10], v8 offset0:0 offset1:128
	s_waitcnt lgkmcnt(0)
	s_barrier
	RESULT	v6, 0
	RESULT	v7, 1
	RESULT	v9, 2
	RESULT	v10, 3

	// two dwords exchanged at once, 256 bytes apart, by the first wave only
	v_lshrrev_b32_e32 v13, 6, v0
	v_cmp_eq_u32_e32 vcc, 0, v13
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v12, 0
	s_and_saveexec_b64 s[20:21], vcc
	ds_wrxchg2_rtn_b32 v[11:12], v1, v1, v0 offset0:0 offset1:64
	s_waitcnt lgkmcnt(0)
	s_mov_b64 exec, s[20:21]
	s_barrier
	ds_read_b32 v14, v1
	s_waitcnt lgkmcnt(0)
	RESULT	v11, 12
	RESULT	v12, 13
	RESULT	v14, 14

	// floats: 1 + 2 + ... of small integers is exact in every order; the least and the greatest
	s_barrier
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0x1000
	v_mov_b32_e32 v16, 0x7f800000
	v_mov_b32_e32 v17, 0xff800000
	ds_write_b32 v15, v14
	ds_write_b32 v15, v16 offset:4
	ds_write_b32 v15, v17 offset:8
	ds_write_b32 v15, v14 offset:12
	ds_write_b32 v15, v14 offset:16
	ds_write_b64 v15, v[14:15] offset:24
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_cvt_f32_u32_e32 v18, v0
	ds_add_f32 v15, v18
	v_cvt_f32_i32_e32 v19, v2			// of the input
	ds_min_f32 v15, v19 offset:4
	ds_max_f32 v15, v19 offset:8
	s_mov_b32 m0, 0xffff1000			// LDS beyond 0x1000 for append and consume
	ds_append v20 offset:12
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v21, v15
	ds_read_b32 v22, v15 offset:4
	ds_read_b32 v23, v15 offset:8
	ds_read_b32 v24, v15 offset:12
	s_waitcnt lgkmcnt(0)
	RESULT	v21, 4
	RESULT	v22, 5
	RESULT	v23, 6
	RESULT	v24, 7

	// a masked store into every second dword, bytes into the others
	s_barrier
	v_mov_b32_e32 v25, 0x00ffff00
	v_and_b32_e32 v26, 1, v0
	v_cmp_eq_u32_e32 vcc, 0, v26
	s_and_saveexec_b64 s[20:21], vcc
	ds_mskor_b32 v1, v25, v14 offset:512
	s_mov_b64 exec, s[20:21]
	v_cmp_eq_u32_e32 vcc, 1, v26
	s_and_saveexec_b64 s[20:21], vcc
	ds_write_b8 v1, v0 offset:515
	ds_write_b16 v1, v0 offset:512
	s_mov_b64 exec, s[20:21]
	s_waitcnt lgkmcnt(0)
	ds_read_u16 v27, v1 offset:514
	ds_read_i8 v28, v1 offset:515
	ds_read_b32 v29, v1 offset:512
	s_waitcnt lgkmcnt(0)
	RESULT	v27, 8
	RESULT	v28, 9
	RESULT	v29, 10

	// memory into LDS, a dword for each lane of a wave, from M0 on
	s_barrier
	v_readfirstlane_b32 s22, v13
	s_lshl_b32 s23, s22, 8
	s_add_u32 m0, s23, 0x1800
	s_mov_b64 s[16:17], s[8:9]
	s_movk_i32 s18, 0x1000
	s_mov_b32 s19, 0x27fac
	s_lshl_b32 s24, s22, 8
	v_and_b32_e32 v31, 63, v0
	v_lshlrev_b32_e32 v31, 2, v31
	buffer_load_dword v31, s[16:19], s24 offen lds
	s_waitcnt vmcnt(0)
	s_barrier
	s_mov_b32 m0, -1
	v_xor_b32_e32 v31, 0x1fc, v1
	v_add_u32_e32 v31, 0x1800, v31
	ds_read_b32 v29, v31
	s_waitcnt lgkmcnt(0)
	RESULT	v29, 11
	s_endpgm
.Lend:
	.size	lds_assembly, .Lend-lds_assembly

	// Every kernel.s has its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel lds_assembly
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 48
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: lds_assembly
    .symbol: lds_assembly.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 8192
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 256
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }
...
	.end_amdgpu_metadata
