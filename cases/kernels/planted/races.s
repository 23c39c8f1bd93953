// One race in each kernel, as in kernel.cl: what compilers put between two accesses, and here does not stand there. Work-groups of two
// waves; the first work-group lets the others know by a flag in the first dword of `out`.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"

    .text
    .globl lds_not_waited
    .p2align 8
    .type lds_not_waited,@function
lds_not_waited:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    ds_write_b32 v1, v0
    s_barrier
    v_xor_b32 v2, 0x100, v1
    ds_read_b32 v3, v2 // HERE check-races
    s_lshl_b32 s3, s2, 9
    v_add_u32 v1, s3, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[4:5]
    s_endpgm
.Llds_not_waited_end:
    .size lds_not_waited, .Llds_not_waited_end-lds_not_waited
    .rodata
    .p2align 6
    .amdhsa_kernel lds_not_waited
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

    .text
    .globl not_acknowledged
    .p2align 8
    .type not_acknowledged,@function
not_acknowledged:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32 v2, 0
    v_mov_b32 v3, 77
    v_cmp_eq_u32 vcc, 0, v0
    s_and_saveexec_b64 s[6:7], vcc
    s_cbranch_execz .Lnot_acknowledged_done
    s_waitcnt lgkmcnt(0)
    s_cmp_lg_u32 s2, 0
    s_cbranch_scc1 .Lnot_acknowledged_wait
    global_store_dword v2, v3, s[4:5] offset:4
    global_store_dword v2, v3, s[4:5]
    s_endpgm
.Lnot_acknowledged_wait:
    global_load_dword v4, v2, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32 vcc, v3, v4
    s_cbranch_vccnz .Lnot_acknowledged_wait
    buffer_wbinvl1_vol
    global_load_dword v4, v2, s[4:5] offset:4 // HERE check-races
    s_waitcnt vmcnt(0)
    v_mov_b32 v5, s2
    v_lshlrev_b32 v5, 2, v5
    global_store_dword v5, v4, s[4:5] offset:8
.Lnot_acknowledged_done:
    s_endpgm
.Lnot_acknowledged_end:
    .size not_acknowledged, .Lnot_acknowledged_end-not_acknowledged
    .rodata
    .p2align 6
    .amdhsa_kernel not_acknowledged
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

    .text
    .globl not_invalidated
    .p2align 8
    .type not_invalidated,@function
not_invalidated:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32 v2, 0
    v_mov_b32 v3, 77
    v_cmp_eq_u32 vcc, 0, v0
    s_and_saveexec_b64 s[6:7], vcc
    s_cbranch_execz .Lnot_invalidated_done
    s_waitcnt lgkmcnt(0)
    s_cmp_lg_u32 s2, 0
    s_cbranch_scc1 .Lnot_invalidated_wait
    global_store_dword v2, v3, s[4:5] offset:4
    s_waitcnt vmcnt(0)
    global_store_dword v2, v3, s[4:5]
    s_endpgm
.Lnot_invalidated_wait:
    global_load_dword v4, v2, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32 vcc, v3, v4
    s_cbranch_vccnz .Lnot_invalidated_wait
    global_load_dword v4, v2, s[4:5] offset:4 // HERE check-races
    s_waitcnt vmcnt(0)
    v_mov_b32 v5, s2
    v_lshlrev_b32 v5, 2, v5
    global_store_dword v5, v4, s[4:5] offset:8
.Lnot_invalidated_done:
    s_endpgm
.Lnot_invalidated_end:
    .size not_invalidated, .Lnot_invalidated_end-not_invalidated
    .rodata
    .p2align 6
    .amdhsa_kernel not_invalidated
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

    .text
    .globl without_glc
    .p2align 8
    .type without_glc,@function
without_glc:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32 v2, 0
    v_mov_b32 v3, 77
    v_cmp_eq_u32 vcc, 0, v0
    s_and_saveexec_b64 s[6:7], vcc
    s_cbranch_execz .Lwithout_glc_done
    s_waitcnt lgkmcnt(0)
    s_cmp_lg_u32 s2, 0
    s_cbranch_scc1 .Lwithout_glc_wait
    global_store_dword v2, v3, s[4:5] offset:4
    s_waitcnt vmcnt(0)
    global_store_dword v2, v3, s[4:5]
    s_endpgm
.Lwithout_glc_wait:
    global_load_dword v4, v2, s[4:5] // HERE check-races
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32 vcc, v3, v4
    s_cbranch_vccnz .Lwithout_glc_wait
    buffer_wbinvl1_vol
    global_load_dword v4, v2, s[4:5] offset:4
    s_waitcnt vmcnt(0)
    v_mov_b32 v5, s2
    v_lshlrev_b32 v5, 2, v5
    global_store_dword v5, v4, s[4:5] offset:8
.Lwithout_glc_done:
    s_endpgm
.Lwithout_glc_end:
    .size without_glc, .Lwithout_glc_end-without_glc
    .rodata
    .p2align 6
    .amdhsa_kernel without_glc
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

    .text
    .globl scalar_stale
    .p2align 8
    .type scalar_stale,@function
scalar_stale:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_lshl_b32 s3, s2, 9
    s_waitcnt lgkmcnt(0)
    s_add_u32 s4, s4, s3
    s_addc_u32 s5, s5, 0
    global_store_dword v1, v0, s[4:5]
    s_waitcnt vmcnt(0)
    s_barrier
    s_load_dword s6, s[4:5], 0x100 // HERE check-races
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_mov_b32 v3, s6
    global_store_dword v1, v3, s[4:5]
    s_endpgm
.Lscalar_stale_end:
    .size scalar_stale, .Lscalar_stale_end-scalar_stale
    .rodata
    .p2align 6
    .amdhsa_kernel scalar_stale
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

// The same where nothing is missing.

    .text
    .globl lds_waited
    .p2align 8
    .type lds_waited,@function
lds_waited:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    ds_write_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_xor_b32 v2, 0x100, v1
    ds_read_b32 v3, v2
    s_lshl_b32 s3, s2, 9
    v_add_u32 v1, s3, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[4:5]
    s_endpgm
.Llds_waited_end:
    .size lds_waited, .Llds_waited_end-lds_waited
    .rodata
    .p2align 6
    .amdhsa_kernel lds_waited
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

    .text
    .globl message
    .p2align 8
    .type message,@function
message:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32 v2, 0
    v_mov_b32 v3, 77
    v_cmp_eq_u32 vcc, 0, v0
    s_and_saveexec_b64 s[6:7], vcc
    s_cbranch_execz .Lmessage_done
    s_waitcnt lgkmcnt(0)
    s_cmp_lg_u32 s2, 0
    s_cbranch_scc1 .Lmessage_wait
    global_store_dword v2, v3, s[4:5] offset:4
    s_waitcnt vmcnt(0)
    global_store_dword v2, v3, s[4:5]
    s_endpgm
.Lmessage_wait:
    global_load_dword v4, v2, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32 vcc, v3, v4
    s_cbranch_vccnz .Lmessage_wait
    buffer_wbinvl1_vol
    global_load_dword v4, v2, s[4:5] offset:4
    s_waitcnt vmcnt(0)
    v_mov_b32 v5, s2
    v_lshlrev_b32 v5, 2, v5
    global_store_dword v5, v4, s[4:5] offset:8
.Lmessage_done:
    s_endpgm
.Lmessage_end:
    .size message, .Lmessage_end-message
    .rodata
    .p2align 6
    .amdhsa_kernel message
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

    .text
    .globl scalar_invalidated
    .p2align 8
    .type scalar_invalidated,@function
scalar_invalidated:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_lshl_b32 s3, s2, 9
    s_waitcnt lgkmcnt(0)
    s_add_u32 s4, s4, s3
    s_addc_u32 s5, s5, 0
    global_store_dword v1, v0, s[4:5]
    s_waitcnt vmcnt(0)
    s_barrier
    s_dcache_inv
    s_load_dword s6, s[4:5], 0x100
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_mov_b32 v3, s6
    global_store_dword v1, v3, s[4:5]
    s_endpgm
.Lscalar_invalidated_end:
    .size scalar_invalidated, .Lscalar_invalidated_end-scalar_invalidated
    .rodata
    .p2align 6
    .amdhsa_kernel scalar_invalidated
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: lds_not_waited
    .symbol: lds_not_waited.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
  - .name: not_acknowledged
    .symbol: not_acknowledged.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
  - .name: not_invalidated
    .symbol: not_invalidated.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
  - .name: without_glc
    .symbol: without_glc.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
  - .name: scalar_stale
    .symbol: scalar_stale.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
  - .name: lds_waited
    .symbol: lds_waited.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
  - .name: message
    .symbol: message.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
  - .name: scalar_invalidated
    .symbol: scalar_invalidated.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
      - {.size: 4, .offset: 24, .value_kind: by_value}
...
    .end_amdgpu_metadata
