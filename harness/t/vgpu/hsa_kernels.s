; Kernels of gfx9 for hsa_client.c. Each takes the address of an array of dwords.
.macro KERNEL name
.text
.globl \name
.p2align 8
.type \name,@function
\name:
.endm

.macro END name, lds=0, private=0, scratch=0
    s_waitcnt vmcnt(0) lgkmcnt(0)
    s_endpgm
.L\name\()_end:
.size \name, .L\name\()_end-\name
.rodata
.p2align 6
.amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_system_sgpr_workgroup_id_x 1
    .amdhsa_user_sgpr_private_segment_buffer \scratch
    .amdhsa_system_sgpr_private_segment_wavefront_offset \scratch
    .amdhsa_group_segment_fixed_size \lds
    .amdhsa_private_segment_fixed_size \private
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.endm

; v1 = number of the work-item in groups of 256, v[2:3] = address of its dword, where s[4:5] is the array
.macro MINE group
    s_lshl_b32 s6, \group, 8
    v_add_u32_e32 v1, s6, v0
    v_lshlrev_b32_e32 v2, 2, v1
    v_mov_b32_e32 v3, s5
    v_add_co_u32_e32 v2, vcc, s4, v2
    v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
.endm

; array[i] = 3 * i + 1
KERNEL fill
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    MINE s2
    v_mul_u32_u24_e32 v4, 3, v1
    v_add_u32_e32 v4, 1, v4
    global_store_dword v[2:3], v4, off
END fill

; array[i] of a group of 256 in reverse, by way of LDS
KERNEL reverse
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    MINE s2
    v_lshlrev_b32_e32 v5, 2, v0
    ds_write_b32 v5, v1
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_sub_u32_e32 v5, 0x3fc, v5
    ds_read_b32 v4, v5
    s_waitcnt lgkmcnt(0)
    global_store_dword v[2:3], v4, off
END reverse, 1024

; array[0] counts work-items
KERNEL count
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32_e32 v1, 1
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v2, s4
    v_mov_b32_e32 v3, s5
    global_atomic_add v[2:3], v1, off
END count

; through private memory: all waves of a group write before the first reads
KERNEL private
    s_load_dwordx2 s[8:9], s[4:5], 0x0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s10, s6
    s_mov_b32 s11, s7
    s_mov_b64 s[4:5], s[8:9]
    MINE s10
    v_add_u32_e32 v4, 7, v1
    buffer_store_dword v4, off, s[0:3], s11 offset:60
    s_waitcnt vmcnt(0)
    s_barrier
    buffer_load_dword v5, off, s[0:3], s11 offset:60
    s_waitcnt vmcnt(0)
    global_store_dword v[2:3], v5, off
END private, 0, 64, 1

; waits until array[0] is 1, then makes it 2
KERNEL meet
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v2, s4
    v_mov_b32_e32 v3, s5
    v_mov_b32_e32 v4, 2
.Lmeet_wait:
    s_sleep 1
    global_load_dword v5, v[2:3], off glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s6, v5
    s_cmp_eq_u32 s6, 1
    s_cbranch_scc0 .Lmeet_wait
    global_store_dword v[2:3], v4, off
END meet

; a store where nothing is
KERNEL outside
    v_mov_b32_e32 v2, 0x5000
    v_mov_b32_e32 v3, 0x123
    global_store_dword v[2:3], v2, off
END outside

; no instruction
KERNEL illegal
    .long 0xbfff0000
END illegal

KERNEL gives_up
    s_trap 2
END gives_up

KERNEL endless
.Lendless_again:
    s_branch .Lendless_again
END endless

; array[0:1] is the address of an event's slot, array[2] the event: the host is told
KERNEL tell
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    s_load_dwordx2 s[8:9], s[4:5], 0x0
    s_load_dword s10, s[4:5], 0x8
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v2, s8
    v_mov_b32_e32 v3, s9
    v_mov_b32_e32 v4, s10
    v_mov_b32_e32 v5, 0
    global_store_dwordx2 v[2:3], v[4:5], off
    s_waitcnt vmcnt(0)
    s_mov_b32 m0, s10
    s_nop 0
    s_sendmsg sendmsg(MSG_INTERRUPT)
END tell
