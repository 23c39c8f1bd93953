// Structured buffers: records of 12 bytes by index, by index and offset, with the lane's number added to the index, range
// checked by records; and swizzled ones, whose dwords of 16 (or 64) records lie together. One wave; results are 64 lanes of
// a dword after each other.

	.macro	RESULT reg, place
	v_lshlrev_b32_e32 v31, 2, v0
	buffer_store_dword \reg, v31, s[16:19], 0 offen offset:\place
	.endm
	.macro	RESOURCE first, low, high, bits1, records, bits3
	s_mov_b32 s[\first], \low
	s_or_b32 s[\first+1], \high, \bits1
	s_movk_i32 s[\first+2], \records
	s_mov_b32 s[\first+3], \bits3
	.endm

	.text
	.globl	buffer_structured
	.p2align	8
	.type	buffer_structured,@function
buffer_structured:
	s_load_dwordx4 s[20:23], s[4:5], 0x0
	s_load_dwordx2 s[24:25], s[4:5], 0x10
	s_waitcnt lgkmcnt(0)
	RESOURCE 16, s22, s23, 0, 0x1000, 0x27fac
	RESOURCE 8, s20, s21, 12 << 16, 40, 0x27fac		// 40 records of 12 bytes
	RESOURCE 12, s20, s21, 12 << 16, 40, 0x827fac		// the same; the lane is added to the index
	RESOURCE 28, s24, s25, 1 << 31 | 16 << 16, 50, 0x227fac	// 50 records of 16 bytes, 16 side by side
	RESOURCE 32, s24, s25, 1 << 31 | 8 << 16, 0, 0xe00fac	// never checked: 64 lanes side by side, as scratch

	// by index, 0 beyond 39; index and offset, the registers in this order
	buffer_load_dword v1, v0, s[8:11], 0 idxen offset:4
	buffer_load_dwordx3 v[2:4], v0, s[8:11], 0 idxen
	v_xor_b32_e32 v6, 21, v0
	v_and_b32_e32 v7, 2, v0
	v_lshlrev_b32_e32 v7, 2, v7
	s_movk_i32 s26, 24
	buffer_load_dword v5, v[6:7], s[8:11], s26 idxen offen
	s_waitcnt vmcnt(0)
	RESULT	v1, 0
	RESULT	v2, 256
	RESULT	v3, 512
	RESULT	v4, 768
	RESULT	v5, 1024

	// the lane added: to nothing, and to half its number (a format load: in others DATA_FORMAT would be bits of the stride)
	v_lshrrev_b32_e32 v8, 1, v0
	buffer_load_format_x v9, v8, s[12:15], 0 idxen offset:8
	s_waitcnt vmcnt(0)
	RESULT	v9, 1280

	// swizzled: every dword of every record of 50, then the records from the last one backwards with another offset
	s_mov_b32 s27, 0
fill:	v_lshlrev_b32_e32 v11, 8, v0
	v_add_u32_e32 v11, s27, v11
	v_mov_b32_e32 v12, v0
	v_mov_b32_e32 v13, s27
	buffer_store_dword v11, v[12:13], s[28:31], 0 idxen offen
	s_add_u32 s27, s27, 4
	s_cmp_lt_u32 s27, 16
	s_cbranch_scc1 fill
	s_waitcnt vmcnt(0)
	v_sub_u32_e32 v14, 63, v0
	buffer_load_dword v15, v14, s[28:31], 0 idxen offset:8
	s_waitcnt vmcnt(0)
	RESULT	v15, 1536
	v_mov_b32_e32 v16, 1
	buffer_atomic_or v16, v0, s[28:31], 0 idxen offset:12 glc
	s_waitcnt vmcnt(0)
	RESULT	v16, 1792

	// as scratch: no index, the offset in a register, another place by the SGPR
	s_movk_i32 s26, 0x400
	v_mov_b32_e32 v17, 4
	v_mul_u32_u24_e32 v18, 3, v0
	buffer_store_dword v18, v17, s[32:35], s26 offen
	buffer_store_short v0, off, s[32:35], s26 offset:2
	s_waitcnt vmcnt(0)
	buffer_load_ubyte v19, v17, s[32:35], s26 offen
	s_waitcnt vmcnt(0)
	RESULT	v19, 2048
	s_endpgm
.Lend:
	.size	buffer_structured, .Lend-buffer_structured

	// Every kernel.s has its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel buffer_structured
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 48
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: buffer_structured
    .symbol: buffer_structured.kd
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
