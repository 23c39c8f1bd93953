// Raw buffers (stride 0) of 200 bytes: dwords that are in range one by one, bytes, an offset in an SGPR, stores that are
// dropped beyond the end, atomics that return what was there. One wave.
//   s[4:5] kernarg: in, out, changed; results are 64 lanes of a dword after each other

	.macro	RESULT reg, place		// one dword of every lane
	v_lshlrev_b32_e32 v31, 2, v0
	buffer_store_dword \reg, v31, s[16:19], 0 offen offset:\place
	.endm

	.text
	.globl	buffer_raw
	.p2align	8
	.type	buffer_raw,@function
buffer_raw:
	s_load_dwordx4 s[20:23], s[4:5], 0x0
	s_load_dwordx2 s[24:25], s[4:5], 0x10
	s_waitcnt lgkmcnt(0)
	// s[8:11]: in + 64, 200 bytes; components in order, float, 32, as drivers describe storage buffers
	s_add_u32 s8, s20, 64
	s_addc_u32 s9, s21, 0
	s_movk_i32 s10, 200
	s_mov_b32 s11, 0x27fac
	s_mov_b64 s[16:17], s[22:23]
	s_movk_i32 s18, 0x1000
	s_mov_b32 s19, s11
	s_mov_b64 s[12:13], s[24:25]
	s_movk_i32 s14, 200
	s_mov_b32 s15, s11

	v_lshlrev_b32_e32 v1, 2, v0
	buffer_load_dword v2, v1, s[8:11], 0 offen
	buffer_load_dwordx4 v[4:7], v1, s[8:11], 0 offen
	v_mul_u32_u24_e32 v3, 5, v0
	buffer_load_ubyte v8, v3, s[8:11], 0 offen offset:3
	buffer_load_sshort v9, v1, s[8:11], 0 offen offset:2
	s_waitcnt vmcnt(0)
	RESULT	v2, 0
	RESULT	v4, 256
	RESULT	v5, 512
	RESULT	v6, 768
	RESULT	v7, 1024
	RESULT	v8, 1280
	RESULT	v9, 1536

	// backwards from 160 by the SGPR, 30 lanes: offsets that both readings of the rule have in range
	v_mov_b32_e32 v10, -1
	s_movk_i32 s26, 32
	s_mov_b64 s[28:29], exec
	s_mov_b64 exec, 0x3fffffff
	buffer_load_dword v10, v1, s[8:11], s26 offen offset:4
	s_waitcnt vmcnt(0)
	s_mov_b64 exec, s[28:29]
	RESULT	v10, 1792

	// offset:4 and no VGPR: all lanes the same
	buffer_load_dword v11, off, s[8:11], 0 offset:40
	s_waitcnt vmcnt(0)
	RESULT	v11, 2048

	// three dwords from 12 * lane, dropped where they end: lanes 0 to 15 wholly, lane 16 its first two
	v_mul_u32_u24_e32 v12, 12, v0
	v_add_u32_e32 v13, 0x1000, v0
	v_add_u32_e32 v14, 0x2000, v0
	v_add_u32_e32 v15, 0x3000, v0
	buffer_store_dwordx3 v[13:15], v12, s[12:15], 0 offen
	s_waitcnt vmcnt(0)

	// every eighth byte of 8 dwords: additions of lanes to the same place, then lanes beyond the end
	v_and_b32_e32 v16, 7, v0
	v_lshlrev_b32_e32 v16, 2, v16
	v_lshlrev_b32_e32 v17, 8, v0
	buffer_atomic_add v17, v16, s[12:15], 0 offen offset:64
	v_lshlrev_b32_e32 v18, 2, v0
	v_mov_b32_e32 v19, 0x55
	buffer_atomic_swap v19, v18, s[12:15], 0 offen offset:100 glc
	s_waitcnt vmcnt(0)
	RESULT	v19, 2304
	v_mov_b32_e32 v20, 0xabcd
	buffer_store_byte v20, v0, s[12:15], 0 offen offset:150
	buffer_store_short v20, off, s[12:15], 0 offset:148
	s_endpgm
.Lend:
	.size	buffer_raw, .Lend-buffer_raw

	// Every kernel.s has its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel buffer_raw
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: buffer_raw
    .symbol: buffer_raw.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global }
...
	.end_amdgpu_metadata
