// One race in each kernel, as in kernel.cl: what compilers put between two accesses, and here does not stand there. Work-groups of two
// waves; the first work-group lets the others know by a flag in the first dword of `out`.
// Every kernel stands in full, also where it differs from another by one instruction: that line is what a finding has to name.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"

// What stands before and behind a kernel; in both files, as each is assembled alone.
    .macro KERNEL name
    .text
    .globl \name
    .p2align 8
    .type \name,@function
    .endm
    .macro END name
.L\name\()_end:
    .size \name, .L\name\()_end-\name
    .rodata
    .p2align 6
    .amdhsa_kernel \name
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel
    .endm

    KERNEL lds_not_waited
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
    END lds_not_waited

    KERNEL not_acknowledged
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
    END not_acknowledged

    KERNEL not_invalidated
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
    END not_invalidated

    KERNEL without_glc
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
    END without_glc

    KERNEL scalar_stale
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
    END scalar_stale

// The same where nothing is missing.

    KERNEL lds_waited
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
    END lds_waited

    KERNEL message
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
    END message

    KERNEL scalar_invalidated
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
    END scalar_invalidated

// In full for every kernel: the assembler expands no macro in here, and its YAML knows no aliases.
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
