// Calls within calls, a loop, and local memory that another wave of the work-group wrote: for steps by lines and
// over calls. Item L of a work-group of 128 stores (L ^ 64) + 15.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"

// A call, and what it returned is added: one line where it is used.
    .macro call target, back
    s_swappc_b64 \back, \target
    s_add_u32 s10, s10, s12
    .endm

    .text
    .p2align 8
// s12 = 2 * s11
    .type inner,@function
inner:
    s_lshl_b32 s12, s11, 1
    s_setpc_b64 s[28:29]
.Linner_end:
    .size inner, .Linner_end-inner

    .globl calls
    .p2align 8
    .type calls,@function
calls:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_getpc_b64 s[6:7]
    s_add_u32 s6, s6, outer@rel32@lo+4
    s_addc_u32 s7, s7, outer@rel32@hi+12
    s_getpc_b64 s[8:9]
    s_add_u32 s8, s8, inner@rel32@lo+4
    s_addc_u32 s9, s9, inner@rel32@hi+12
    s_lshl_b64 s[10:11], 3, 32 // s10 = 0, s11 = 3
    s_waitcnt lgkmcnt(0)
.Lloop:
    call s[6:7], s[30:31]
    s_sub_u32 s11, s11, 1
    s_cmp_lg_u32 s11, 0
    s_cbranch_scc1 .Lloop
    v_lshlrev_b32 v1, 2, v0
    ds_write_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_xor_b32 v2, 0x100, v1
    ds_read_b32 v2, v2
    s_lshl_b32 s2, s2, 9
    v_add_u32 v1, s2, v1
    s_waitcnt lgkmcnt(0)
    v_add_u32 v2, s10, v2
    global_store_dword v1, v2, s[4:5]
    s_endpgm
.Lcalls_end:
    .size calls, .Lcalls_end-calls

    .p2align 8
// s12 = 2 * s11, and 1 is added to s10
    .type outer,@function
outer:
    s_swappc_b64 s[28:29], s[8:9]
    s_add_u32 s10, s10, 1
    s_setpc_b64 s[30:31]
.Louter_end:
    .size outer, .Louter_end-outer

    // As every kernel.s with its own descriptor and metadata: it is assembled alone, without an include path.
    .rodata
    .p2align 6
    .amdhsa_kernel calls
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_next_free_vgpr 3
        .amdhsa_next_free_sgpr 32
        .amdhsa_reserve_flat_scratch 0
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: calls
    .symbol: calls.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 40
    .vgpr_count: 4
    .max_flat_workgroup_size: 128
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
