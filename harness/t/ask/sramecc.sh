#!/bin/sh
# Tests the two settings of SRAM-ECC, which half loads show: cases, code objects, names that have none. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

load='ds_read_u16_d16_hi v0, v1'
is 'v0       0x11223344 -> 0xbbaa0000  lane 0' \
    "$("$gcncheck" eval --mcpu gfx906:sramecc+ "$load" v0=0x11223344 exec=1 'lds[0]=aabb')" "with it the other half becomes 0"
is 'v0       0x11223344 -> 0xbbaa3344  lane 0' \
    "$("$gcncheck" eval --mcpu gfx908:sramecc- "$load" v0=0x11223344 exec=1 'lds[0]=aabb')" "without it the other half stays"
is "gcncheck eval: gfx900 does not take ':sramecc+'" "$("$gcncheck" eval --mcpu gfx900:sramecc+ s_nop 2>&1)" "gfx900 has no such setting"
is "gcncheck eval: gfx906 does not take ':xnack+'; :sramecc+ and :sramecc- it does" "$("$gcncheck" eval --mcpu gfx906:xnack+ s_nop 2>&1)" \
    "another setting is refused"

for setting in + -; do
    for mcpu in gfx906 gfx908; do
        for folder in ds flat global scratch mubuf; do
            # A line each, so that those that are skipped for the other setting are told from those that pass.
            got=$("$gcncheck" run --mcpu $mcpu:sramecc$setting cases/$folder/*d16*.case 2>/dev/null | grep -v SKIP)
            is "0 and some" "$(echo "$got" | grep -c '^not ok') and $([ "$(echo "$got" | grep -c '^ok')" -gt 5 ] && echo some)" \
                "$mcpu:sramecc$setting: cases of $folder"
        done
    done
done

# The setting says nothing about accumulation registers: matrix products are compared with it as without it.
mutant=v_mfma_f32_32x32x1f32.a_lane
for mcpu in gfx908 gfx908:sramecc+ gfx908:sramecc-; do
    "$gcncheck" run --mcpu $mcpu cases/mai/v_mfma_f32_32x32x1f32.case >"$tmp/out" 2>&1
    is "exit code 0, none narrowed" "exit code $?, $(grep -o 'narrowed [1-9].*' "$tmp/out" || echo none narrowed)" \
        "$mcpu: matrix products are judged in full"
    "$gcncheck" run --mcpu $mcpu --quiet --dut mutant:$mutant cases/mai/v_mfma_f32_32x32x1f32.case >"$tmp/out" 2>&1
    is "exit code 1" "exit code $?" "$mcpu: $mutant is found"
done

# object NAME TARGET: a kernel that loads the upper half of a register and stores all of it.
object() {
    cat > "$tmp/$1.s" << EOF
    .amdgcn_target "amdgcn-amd-amdhsa--$2"
    .text
    .globl half
    .p2align 8
    .type half,@function
half:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v0, 0x1234
    s_waitcnt lgkmcnt(0)
    global_load_short_d16_hi v0, v1, s[0:1]
    s_waitcnt vmcnt(0)
    global_store_dword v1, v0, s[0:1]
    s_endpgm
    .rodata
    .p2align 6
    .amdhsa_kernel half
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 2
        .amdhsa_next_free_sgpr 4
    .end_amdhsa_kernel
    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--$2
amdhsa.kernels:
  - .name: half
    .symbol: half.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 4
    .vgpr_count: 2
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
EOF
    llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx906 $3 -filetype=obj -o "$tmp/$1.co" "$tmp/$1.s"
}

if command -v llvm-mc-19 > /dev/null; then
    printf '\252\273\000\000' > "$tmp/in.bin"
    printf '\000\000\252\273' > "$tmp/zero.bin"
    printf '\064\022\252\273' > "$tmp/kept.bin"
    object on gfx906:sramecc+ -mattr=+sramecc
    object off gfx906:sramecc- -mattr=-sramecc
    object any gfx906
    for case in on:zero: off:kept: any:kept: any:zero:gfx906:sramecc+ any:kept:gfx906:sramecc-; do
        name=${case%%:*} rest=${case#*:}
        want=${rest%%:*} mcpu=${rest#*:}
        printf 'kernel half\ngrid 1 1 1\nworkgroup 1 1 1\ninout in.bin %s.bin exact\n' "$want" > "$tmp/launch.txt"
        "$gcncheck" launch ${mcpu:+--mcpu "$mcpu"} "$tmp/$name.co" "$tmp/launch.txt" > "$tmp/out" 2>&1
        is 0 $? "a code object for setting '$name' launched${mcpu:+ for $mcpu}: other half $want"
    done
else
    echo "# no llvm-mc-19: code objects are not tested"
fi

finish
