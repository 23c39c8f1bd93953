#!/bin/sh
# A wave that spins on LDS until another wave of its work-group has written there: every way to follow a launch gives
# the other its turn, as schedule "order" does. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
command -v llvm-mc-19 >/dev/null || skip_all "llvm-mc-19 is not installed"
make_tmp

# Wave 0 waits for 7 in LDS and stores it; wave 1 writes it.
cat >"$tmp/spin.s" <<'END'
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
    .text
    .globl spin
    .p2align 8
    .type spin,@function
spin:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v2, 7
    v_readfirstlane_b32 s3, v0
    s_mov_b64 exec, 1
    s_waitcnt lgkmcnt(0)
    s_cmp_lg_u32 s3, 0
    s_cbranch_scc1 write
wait:
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s4, v3
    s_cmp_lg_u32 s4, 7
    s_cbranch_scc1 wait
    global_store_dword v1, v3, s[0:1]
    s_endpgm
write:
    ds_write_b32 v1, v2
    s_endpgm
    .size spin, .-spin
    .rodata
    .p2align 6
    .amdhsa_kernel spin
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_group_segment_fixed_size 4
        .amdhsa_next_free_vgpr 4
        .amdhsa_next_free_sgpr 8
    .end_amdhsa_kernel
    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: spin
    .symbol: spin.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 4
    .max_flat_workgroup_size: 128
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
END
llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o "$tmp/spin.co" "$tmp/spin.s"
printf '\007\000\000\000' >"$tmp/out.bin"
printf 'kernel spin\ngrid 128 1 1\nworkgroup 128 1 1\nout out.bin 4 exact\n' >"$tmp/launch.txt"

# ends TITLE OPTION...: in the steps of one long turn (65,536) and some short ones.
ends() {
    title=$1
    shift
    "$gcncheck" launch --max-steps 80000 "$@" "$tmp/spin.co" "$tmp/launch.txt" >"$tmp/said" 2>"$tmp/err" &&
        grep -q 'out.bin matches' "$tmp/said"
    ok $? "$title" "$tmp/err"
}
ends "nothing is followed"
ends "with the rules about sequences" --check-hazards
ends "and memory delayed" --check-hazards --delay-memory max
ends "traced" --trace

# breaks WAVE OFFSET TITLE: that wave reaches the end of its path.
breaks() {
    expect "$3" 0 "break; work-group 0 0 0, wave $1" \
        "$gcncheck" launch --max-steps 80000 --break "spin+$2" "$tmp/spin.co" "$tmp/launch.txt"
}
breaks 0 0x44 "the wave that waits gets to a break behind the loop"
breaks 1 0x50 "the wave that it waits for gets to a break"
finish
