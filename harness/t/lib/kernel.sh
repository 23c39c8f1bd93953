# Sourced by tests in shell behind tap.sh that launch a kernel of their own, written in assembly.

# assemble NAME ITEMS LDS FILE < CODE: a code object for gfx900, or the processor in kernel_mcpu, with one kernel of up to ITEMS
# items and LDS bytes of LDS. It gets the address of one buffer in memory at s[0:1] and the number of its work-group in s2. With
# kernel_private, bytes of private memory for an item, a resource of it is in s[0:3]; the others follow, and its offset in s7.
assemble() {
    mcpu=${kernel_mcpu:-gfx900}
    private=${kernel_private:-0}
    { cat << EOF; cat; cat << EOF2; } > "$4.s"
    .amdgcn_target "amdgcn-amd-amdhsa--$mcpu"
    .text
    .globl $1
    .p2align 8
    .type $1,@function
$1:
EOF
    .size $1, .-$1
    .rodata
    .p2align 6
    .amdhsa_kernel $1
        .amdhsa_group_segment_fixed_size $3
        .amdhsa_private_segment_fixed_size $private
        .amdhsa_user_sgpr_private_segment_buffer $((private > 0))
        .amdhsa_system_sgpr_private_segment_wavefront_offset $((private > 0))
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 24
    .end_amdhsa_kernel
    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--$mcpu
amdhsa.kernels:
  - .name: $1
    .symbol: $1.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: $3
    .private_segment_fixed_size: $private
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 8
    .max_flat_workgroup_size: $2
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
EOF2
    llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu="$mcpu" -filetype=obj -o "$4" "$4.s"
}
