// One error in each kernel, as in kernel.cl: registers that are not allocated, or that nobody set; a cache that
// nobody writes back.
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
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 10
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel
    .endm

    KERNEL vgpr_beyond
vgpr_beyond:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v40, s0 // HERE none
    v_mov_b32 v1, v40
    global_store_dword v0, v1, s[0:1]
    s_endpgm
    END vgpr_beyond

    KERNEL sgpr_beyond
sgpr_beyond:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s40, s4 // HERE none
    v_mov_b32 v1, s40
    global_store_dword v0, v1, s[0:1]
    s_endpgm
    END sgpr_beyond

    KERNEL vgpr_unset
vgpr_unset:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    v_add_u32 v1, 1, v5
    global_store_dword v0, v1, s[0:1] // HERE check-memory
    s_endpgm
    END vgpr_unset

    KERNEL sgpr_unset
sgpr_unset:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    s_add_u32 s5, s9, 1
    v_mov_b32 v1, s5
    global_store_dword v0, v1, s[0:1] // HERE check-memory
    s_endpgm
    END sgpr_unset

    KERNEL scc_unset
scc_unset:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, 1
    s_cbranch_scc0 .Lscc_unset // HERE check-memory
    v_mov_b32 v1, 2
.Lscc_unset:
    global_store_dword v0, v1, s[0:1]
    s_endpgm
    END scc_unset

    KERNEL vcc_unset
vcc_unset:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, 1
    s_and_saveexec_b64 s[4:5], vcc // HERE check-memory
    v_mov_b32 v1, 2
    s_mov_b64 exec, s[4:5]
    global_store_dword v0, v1, s[0:1]
    s_endpgm
    END vcc_unset

    KERNEL lane_off_unset
lane_off_unset:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b64 exec, 0xff
    v_mov_b32 v1, 3
    s_mov_b64 exec, -1
    global_store_dword v0, v1, s[0:1] // HERE check-memory
    s_endpgm
    END lane_off_unset

    KERNEL not_written_back
not_written_back:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    s_movk_i32 s4, 7
    s_waitcnt lgkmcnt(0)
    s_store_dword s4, s[0:1], 0x0
    s_endpgm // HERE check-hazards
    END not_written_back

// In full for every kernel: the assembler expands no macro in here, and its YAML knows no aliases.
    KERNEL vgpr_index_beyond
vgpr_index_beyond:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    s_movk_i32 s4, 13
    s_set_gpr_idx_on s4, 0x1
    v_mov_b32 v1, v2
    v_mov_b32 v1, v3 // HERE none
    s_set_gpr_idx_off
    global_store_dword v0, v1, s[0:1]
    s_endpgm
    END vgpr_index_beyond

    KERNEL sgpr_index_beyond
sgpr_index_beyond:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 m0, 10
    s_movreld_b64 s[4:5], s[2:3]
    s_movreld_b64 s[6:7], s[2:3] // HERE none
    v_mov_b32 v1, s4
    global_store_dword v0, v1, s[0:1]
    s_endpgm
    END sgpr_index_beyond

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: vgpr_beyond
    .symbol: vgpr_beyond.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: sgpr_beyond
    .symbol: sgpr_beyond.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: vgpr_unset
    .symbol: vgpr_unset.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: sgpr_unset
    .symbol: sgpr_unset.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: scc_unset
    .symbol: scc_unset.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: vcc_unset
    .symbol: vcc_unset.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: lane_off_unset
    .symbol: lane_off_unset.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: not_written_back
    .symbol: not_written_back.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: vgpr_index_beyond
    .symbol: vgpr_index_beyond.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
  - .name: sgpr_index_beyond
    .symbol: sgpr_index_beyond.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
