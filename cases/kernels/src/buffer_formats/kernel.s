// Typed buffers. The third and fourth dword of each resource come from a table, so that one loop loads records in every
// format that drivers use for vertices and texel buffers; a second loop stores. Then formats that the instruction states
// itself, and halves.
//   kernarg: table, in, out of float results; the same of integer results; table, values, records of stores; in and out of
//   the rest. A table: how many entries, then stride << 16 and the fourth dword of each. One wave.

	.macro	OUT reg, place
	buffer_store_dword \reg, v1, s[16:19], 0 offen offset:\place
	.endm
	// Next arguments: s[20:21] table, s[8:9] in, s[16:17] out; s28 how many
	.macro	ARGUMENTS place
	s_load_dwordx4 s[20:23], s[4:5], \place
	s_load_dwordx2 s[16:17], s[4:5], \place+16
	s_waitcnt lgkmcnt(0)
	s_load_dword s28, s[20:21], 0x0
	s_mov_b32 s8, s22
	s_mov_b32 s29, s23
	s_movk_i32 s10, 60			// records: the last four lanes are out of range
	s_movk_i32 s18, 0x1000
	s_mov_b32 s19, 0x27fac
	s_waitcnt lgkmcnt(0)
	.endm
	// The format of an entry
	.macro	ENTRY
	s_load_dwordx2 s[24:25], s[20:21], 0x4
	s_waitcnt lgkmcnt(0)
	s_or_b32 s9, s29, s24
	s_mov_b32 s11, s25
	.endm
	.macro	NEXT label
	s_add_u32 s20, s20, 8
	s_addc_u32 s21, s21, 0
	s_add_u32 s8, s8, 0x400
	s_addc_u32 s29, s29, 0
	s_add_u32 s16, s16, 0x400
	s_addc_u32 s17, s17, 0
	s_sub_u32 s28, s28, 1
	s_cmp_lg_u32 s28, 0
	s_cbranch_scc1 \label
	.endm
	.macro	LOADS place, label
	ARGUMENTS \place
\label:
	ENTRY
	buffer_load_format_xyzw v[4:7], v0, s[8:11], 0 idxen
	s_waitcnt vmcnt(0)
	OUT	v4, 0
	OUT	v5, 256
	OUT	v6, 512
	OUT	v7, 768
	s_waitcnt vmcnt(0)
	NEXT	\label
	.endm

	.text
	.globl	buffer_formats
	.p2align	8
	.type	buffer_formats,@function
buffer_formats:
	v_lshlrev_b32_e32 v1, 2, v0
	v_lshlrev_b32_e32 v2, 4, v0
	LOADS	0, floats
	LOADS	24, integers

	// values are 16 bytes for every lane, records in the second buffer
	ARGUMENTS 48
stores:
	ENTRY
	s_mov_b32 s12, s8
	s_mov_b32 s13, s29
	s_movk_i32 s14, 0x400
	s_mov_b32 s15, s19
	buffer_load_dwordx4 v[4:7], v2, s[12:15], 0 offen
	s_mov_b32 s12, s16
	s_or_b32 s13, s17, s24
	s_mov_b32 s14, s10
	s_mov_b32 s15, s25
	s_waitcnt vmcnt(0)
	buffer_store_format_xyzw v[4:7], v0, s[12:15], 0 idxen
	s_waitcnt vmcnt(0)
	NEXT	stores

	// records of 8 bytes: formats of the instruction, whatever the resource says; halves, two to a register
	s_load_dwordx4 s[20:23], s[4:5], 72
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s8, s20
	s_or_b32 s9, s21, 8 << 16
	s_movk_i32 s10, 64
	s_mov_b32 s11, 0x67fac			// 16_16_16_16 float
	s_mov_b64 s[16:17], s[22:23]
	s_movk_i32 s18, 0x1000
	tbuffer_load_format_xyzw v[4:7], v0, s[8:11], 0 format:[BUF_DATA_FORMAT_16_16_16_16,BUF_NUM_FORMAT_SINT] idxen
	tbuffer_load_format_xyzw v[8:11], v0, s[8:11], 0 format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_USCALED] idxen offset:4
	buffer_load_format_d16_xyzw v[12:13], v0, s[8:11], 0 idxen
	s_waitcnt vmcnt(0)
	OUT	v4, 0
	OUT	v5, 256
	OUT	v6, 512
	OUT	v7, 768
	OUT	v8, 1024
	OUT	v9, 1280
	OUT	v10, 1536
	OUT	v11, 1792
	OUT	v12, 2048
	OUT	v13, 2304
	s_add_u32 s12, s22, 2560
	s_addc_u32 s13, s23, 4 << 16		// records of 4 bytes behind the rest
	s_movk_i32 s14, 64
	s_mov_b32 s15, 0x27fac
	tbuffer_store_format_xy v[4:5], v0, s[12:15], 0 format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_SINT] idxen
	s_endpgm
.Lend:
	.size	buffer_formats, .Lend-buffer_formats

	// Every kernel.s has its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel buffer_formats
		.amdhsa_kernarg_size 88
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 48
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: buffer_formats
    .symbol: buffer_formats.kd
    .kernarg_segment_size: 88
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
      - { .size: 8, .offset: 24, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 32, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 40, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 48, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 56, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 64, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 72, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 80, .value_kind: global_buffer, .address_space: global }
...
	.end_amdgpu_metadata
