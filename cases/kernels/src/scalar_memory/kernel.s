// What compilers rarely make of scalar memory: loads by a resource with its range check, offsets in registers, stores and
// atomics, a cache written back, then everything read again by vector instructions. One wave, all of it uniform.

	.text
	.globl	scalar_memory
	.p2align	8
	.type	scalar_memory,@function
scalar_memory:
	s_load_dwordx4 s[8:11], s[4:5], 0x0		// in, out
	s_load_dwordx2 s[12:13], s[4:5], 0x10		// counters
	s_waitcnt lgkmcnt(0)
	// s[16:19]: 40 bytes of `in`
	s_mov_b64 s[16:17], s[8:9]
	s_movk_i32 s18, 40
	s_mov_b32 s19, 0x27fac
	s_movk_i32 s33, 20
	s_buffer_load_dword s20, s[16:19], 0x8
	s_buffer_load_dwordx4 s[24:27], s[16:19], s33
	s_buffer_load_dwordx4 s[28:31], s[16:19], 32	// the last two are beyond the end
	s_load_dwordx8 s[36:43], s[8:9], s33
	s_waitcnt lgkmcnt(0)
	s_store_dword s20, s[10:11], 0x0
	s_store_dwordx4 s[24:27], s[10:11], 0x10
	s_store_dwordx4 s[28:31], s[10:11], 0x20
	s_store_dwordx4 s[36:39], s[10:11], 0x30
	s_store_dwordx4 s[40:43], s[10:11], 0x40
	s_mov_b64 s[14:15], s[10:11]
	s_add_u32 s14, s14, 0x50
	s_addc_u32 s15, s15, 0
	s_movk_i32 s34, 0x8
	s_store_dwordx2 s[24:25], s[14:15], s34

	// atomics: what was there comes back with glc
	s_mov_b32 s44, 5
	s_atomic_add s44, s[12:13], 0x0 glc
	s_mov_b32 s45, 3
	s_atomic_sub s45, s[12:13], 0x4
	s_mov_b32 s46, 0xff00ff00
	s_atomic_and s46, s[12:13], 0x8 glc
	s_mov_b32 s47, -7
	s_atomic_smax s47, s[12:13], 0xc
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s20, 0x1234				// swapped for what lies at 16, if that is s21
	s_mov_b32 s21, 77
	s_atomic_cmpswap s[20:21], s[12:13], 0x10 glc
	s_mov_b64 s[22:23], -1
	s_atomic_inc_x2 s[22:23], s[12:13], 0x18
	s_waitcnt lgkmcnt(0)
	s_store_dword s44, s[10:11], 0x60
	s_store_dword s46, s[10:11], 0x64
	s_store_dword s20, s[10:11], 0x68
	s_dcache_wb
	s_waitcnt lgkmcnt(0)

	// the lanes copy what the scalar stores wrote
	v_lshlrev_b32_e32 v1, 2, v0
	global_load_dword v2, v1, s[10:11]
	s_waitcnt vmcnt(0)
	global_store_dword v1, v2, s[10:11] offset:256
	s_endpgm
.Lend:
	.size	scalar_memory, .Lend-scalar_memory

	// Every kernel.s has its own descriptor and metadata: it is assembled alone, without an include path.
	.rodata
	.p2align	6
	.amdhsa_kernel scalar_memory
		.amdhsa_group_segment_fixed_size 0
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
  - .name: scalar_memory
    .symbol: scalar_memory.kd
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
