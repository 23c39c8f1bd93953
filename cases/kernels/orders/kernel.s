// Small kernels whose orders of accesses can be counted by hand; harness/t/launch/exhaustive.sh says how many there are. One lane of each
// wave does something. One argument, `out`.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"

// s[2:3] is `out`, s4 the wave's number in its work-group, v1 zero and v3 the wave's number and 1.
    .macro KERNEL name
    .text
    .globl \name
    .p2align 8
    .type \name,@function
\name:
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_readfirstlane_b32 s4, v0
    s_lshr_b32 s4, s4, 6
    s_mov_b64 exec, 1
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v3, s4
    v_add_u32_e32 v3, 1, v3
    s_waitcnt lgkmcnt(0)
    .endm

    .macro END name
    s_endpgm
.L\name\()_end:
    .size \name, .L\name\()_end-\name
    .rodata
    .p2align 6
    .amdhsa_kernel \name
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel
    .endm

    .macro EXCHANGE meets
    v_lshlrev_b32_e64 v2, 2, s4
    ds_write_b32 v2, v3
    s_waitcnt lgkmcnt(0)
    .if \meets
    s_barrier
    .endif
    v_xor_b32_e32 v4, 4, v2
    ds_read_b32 v5, v4
    s_waitcnt lgkmcnt(0)
    global_store_dword v2, v5, s[2:3]
    .endm

// The first round of the wait is like the others: SCC and the registers that it sets hold what they will.
    .macro PASS flag_first
    v_mov_b32_e32 v2, 4
    v_lshlrev_b32_e64 v6, 2, s4
    s_mov_b32 s5, 0
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc0 .Lwait\@
    .if \flag_first
    global_store_dword v2, v3, s[2:3]
    s_waitcnt vmcnt(0)
    global_store_dword v1, v3, s[2:3]
    .else
    global_store_dword v1, v3, s[2:3]
    s_waitcnt vmcnt(0)
    global_store_dword v2, v3, s[2:3]
    .endif
    s_endpgm
.Lwait\@:
    s_cmp_eq_u32 s5, 0
.Lagain\@:
    global_load_dword v4, v2, s[2:3] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s5, v4
    s_cmp_eq_u32 s5, 0
    s_cbranch_scc1 .Lagain\@
    global_load_dword v5, v1, s[2:3]
    s_waitcnt vmcnt(0)
    global_store_dword v6, v5, s[2:3] offset:8
    .endm

    .macro TAKE place
    v_mov_b32_e32 v4, 1
    v_mov_b32_e32 v5, 0
.Ltake\@:
    global_atomic_cmpswap v6, \place, v[4:5], s[2:3] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s5, v6
    s_cmp_eq_u32 s5, 0
    s_cbranch_scc0 .Ltake\@
    .endm

// Each wave stores to a place of its own: no order comes to anything else.
    KERNEL own
    v_lshlrev_b32_e64 v2, 2, s4
    global_store_dword v2, v3, s[2:3]
    END own

// All store to one.
    KERNEL one_place
    global_store_dword v1, v3, s[2:3]
    END one_place

// Load, add and store: what another adds in between is lost.
    KERNEL sum
    global_load_dword v4, v1, s[2:3]
    s_waitcnt vmcnt(0)
    v_add_u32_e32 v4, v4, v3
    global_store_dword v1, v4, s[2:3]
    END sum

// The same as one.
    KERNEL atomic
    global_atomic_add v1, v3, s[2:3]
    END atomic

// Each stores to LDS, and behind the barrier loads what the wave opposite has stored.
    KERNEL meet
    EXCHANGE 1
    END meet

// The same without the barrier.
    KERNEL no_barrier
    EXCHANGE 0
    END no_barrier

// Wave 0 stores data, then a flag; the others wait for the flag and load the data.
    KERNEL flag
    PASS 0
    END flag

// The flag first.
    KERNEL flag_first
    PASS 1
    END flag_first

// A wait that counts its rounds: each is another state.
    KERNEL patient
    v_mov_b32_e32 v2, 4
    s_mov_b32 s6, 0
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc0 .Lpatient
    global_store_dword v2, v3, s[2:3]
    s_endpgm
.Lpatient:
    s_add_u32 s6, s6, 1
    global_load_dword v4, v2, s[2:3] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s5, v4
    s_cmp_eq_u32 s5, 0
    s_cbranch_scc1 .Lpatient
    global_store_dword v1, v3, s[2:3]
    END patient

// Wave 0 stores a distance, which the others go by: it leads out of memory.
    KERNEL astray
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc0 .Lastray
    v_mov_b32_e32 v2, 0x100000
    global_store_dword v1, v2, s[2:3]
    s_endpgm
.Lastray:
    global_load_dword v4, v1, s[2:3]
    s_waitcnt vmcnt(0)
    global_load_dword v5, v4, s[2:3] offset:8
    END astray

// Wave 0 takes the first lock, then the second; the others begin with the second.
    KERNEL two_locks
    v_mov_b32_e32 v2, 4
    s_cmp_eq_u32 s4, 0
    s_cbranch_scc0 .Lother
    TAKE v1
    TAKE v2
    s_branch .Lboth
.Lother:
    TAKE v2
    TAKE v1
.Lboth:
    global_atomic_add v1, v3, s[2:3] offset:8
    s_waitcnt vmcnt(0)
    v_mov_b32_e32 v4, 0
    global_store_dword v1, v4, s[2:3]
    global_store_dword v2, v4, s[2:3]
    END two_locks

// One lock for all: a sum that no wave loses. A wave that finds it taken is in the same state each time, also the first.
    KERNEL lock
    s_mov_b32 s5, 1
    s_cmp_eq_u32 s5, 0
    TAKE v1
    global_load_dword v4, v1, s[2:3] offset:8
    s_waitcnt vmcnt(0)
    v_add_u32_e32 v4, v4, v3
    global_store_dword v1, v4, s[2:3] offset:8
    s_waitcnt vmcnt(0)
    v_mov_b32_e32 v4, 0
    global_store_dword v1, v4, s[2:3]
    END lock

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: own
    .symbol: own.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: one_place
    .symbol: one_place.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: sum
    .symbol: sum.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: atomic
    .symbol: atomic.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: meet
    .symbol: meet.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: no_barrier
    .symbol: no_barrier.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: flag
    .symbol: flag.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: flag_first
    .symbol: flag_first.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: patient
    .symbol: patient.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: astray
    .symbol: astray.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: two_locks
    .symbol: two_locks.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: lock
    .symbol: lock.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
