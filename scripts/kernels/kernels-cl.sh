#!/bin/sh
# Builds the kernels of cases/kernels/src with clang and runs them on the model; prints TAP 13.
# A source is kernel.cl (OpenCL C), kernel.clcpp (C++ for OpenCL), kernel.hip (HIP), kernel.c (C without libraries) or kernel.s (assembly).
#
#   scripts/kernels/kernels-cl.sh [NAME]...      default: all
#
# Each is compiled at -O0 and -O3 for every processor (assembly once: asm), its inputs and expected outputs come from a program for the host,
# compiled by CC. Everything goes to BUILD/kernels. GCNCHECK: the program (default build/gcncheck); MCPU: processors
# (default gfx900 gfx906 gfx908); KERNELS_LEVELS: levels (default O0 O3); KERNELS_CHECKS=1: lint and every check of launch, too.
# Without clang-19 and ROCm's device libraries: skipped; kernel.hip also without HIP's headers. Where clang-offload-bundler-19
# is, HIP is also compiled to one object for the host with the code of all processors in it.

cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
. scripts/kernels/flags.sh
mcpus="${MCPU:-gfx900 gfx906 gfx908}"
build="${BUILD:-build}/kernels"
libs=${ROCM_DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}

for need in clang-19 ld.lld-19; do
    command -v $need >/dev/null || skip_all "$need is not installed (scripts/deps.sh long)"
done
[ -d "$libs" ] || skip_all "ROCm's device libraries are not installed (scripts/deps.sh long)"
[ $# -gt 0 ] || set -- $(cd cases/kernels/src && ls -d */)

# lacks MCPU NAME LEVEL: what a kernel is written for and the processor, or the compiler for it, does not have; the compiler
# refuses it. Of gfx6 that is FLAT, without which generic pointers are what optimization leaves of them.
lacks() {
    case $1:$2:$3 in
    *:irreducible:O1) echo "LLVM 19's -O1 keeps 1 for lanes that have left in s28, which code of the others overwrites (cases/kernels/README.md)" ;;
    gfx6*:atomics_generic:* | gfx6*:c_language:* | gfx6*:calls:* | gfx6*:generic_pointers:* | gfx6*:hip_* | gfx6*:recursion:* | \
        gfx6*:aes:O0 | gfx6*:constructors:O0 | gfx6*:cpp_templates:O0 | gfx6*:exact_functions:O0 | gfx6*:fraction_f32:O0 | \
        gfx6*:half_storage:O0 | gfx6*:heap:O0 | gfx6*:image_rotate:O0 | gfx6*:program_scope:O0 | gfx6*:scan_lookback:O0 | \
        gfx6*:special_f64:O0 | gfx6*:spin_waves:O0 | gfx6*:unaligned:O0 | gfx6*:vector_select:O0 | gfx6*:vectors:O0 | gfx6*:work_groups:O0)
        echo "FLAT came with gfx7" ;;
    gfx6*:saturate:*) echo "floor of a double, which LLVM makes of a difference there, is 0 for -2^-1022" ;;
    gfx6*:exact_functions:*) echo "rint of a double, which LLVM makes of sums there, loses the sign of zero" ;;
    gfx[67]*:hip_cooperative:* | gfx[67]*:hip_printf:* | gfx[67]*:hip_wave:*) echo "ds_bpermute_b32 came with gfx8" ;;
    gfx[67]*:lane_reduce:* | gfx[67]*:wave_ops:*) echo "DPP came with gfx8" ;;
    esac
}

# Makes an object for a processor at a level of optimization; what else is given are flags of the source.
compile() {
    mcpu=$1 level=$2 source=$3 object=$4
    shift 4
    # shellcheck disable=SC2046
    [ "${source##*.}" = s ] || set -- "$@" $(flags_of "$mcpu")
    case $source in
    *.c) clang-19 -x c -std=c11 --target=amdgcn-amd-amdhsa -mcpu="$mcpu" -"$level" -w "$@" -nogpulib -c -o "$object" "$source" ;;
    *.clcpp) clang-19 -x clcpp --target=amdgcn-amd-amdhsa -mcpu="$mcpu" -"$level" -w "$@" \
        --rocm-device-lib-path="$libs" -c -o "$object" "$source" ;;
    *.hip) clang-19 -x hip --offload-arch="$mcpu" --cuda-device-only --no-gpu-bundle-output -"$level" -w "$@" \
        --rocm-device-lib-path="$libs" -o "$object" "$source" ;;
    *.s) clang-19 -x assembler --target=amdgcn-amd-amdhsa -mcpu="$mcpu" "$@" -c -o "$object" "$source" ;;
    *) clang-19 -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu="$mcpu" -"$level" -w "$@" \
        --rocm-device-lib-path="$libs" -c -o "$object" "$source" ;;
    esac
}

# Links it, if that is not done yet.
link() {
    case $1 in
    *.hip) mv "$2" "$3" ;;
    *) ld.lld-19 -shared -o "$3" "$2" ;;
    esac
}

# An object for the host with code for all processors that have what it needs, launched with each.
host_object() {
    object=$out/host.o
    archs=
    for mcpu in $all; do archs="$archs --offload-arch=$mcpu"; done
    # shellcheck disable=SC2086
    clang-19 -x hip $archs -O1 -w $flags --rocm-device-lib-path="$libs" -c -o "$object" "$source" || return
    for mcpu in $all; do
        "$gcncheck" launch --mcpu "$mcpu" "$object" "$out/launch.txt" || return
    done
}

# Nothing is wrong with these kernels: no check finds anything, and memory that is late or stale changes nothing.
check() {
    for how in "lint --quiet" "launch --check-hazards --check-memory --check-races" "launch --delay-memory max" "launch --memory weak"; do
        set -- "$co"
        [ "${how%% *}" = lint ] || set -- "$co" "$out/launch.txt"
        # shellcheck disable=SC2086
        said=$("$gcncheck" $how --mcpu "$mcpu" "$@" 2>&1)
        report $? "$name $mcpu $level: $how" "$gcncheck $how --mcpu $mcpu $*"
    done
}

# report CODE TITLE HINT: one point, with what launch said above it.
report() {
    note "$said"
    [ "$1" -eq 0 ] || note "exit code $1; again: $3"
    ok "$1" "$2"
}

for name in "$@"; do
    name=${name%/}
    src=$PWD/cases/kernels/src/$name
    out=$build/$name
    mkdir -p "$out"
    cp "$src/launch.txt" "$out"
    # The host's sums are not contracted: the kernels say the same where it matters.
    if ! ${CC:-gcc} -O1 -ffp-contract=off -o "$out/host" "$src/host.c" -lm || ! (cd "$out" && ./host); then
        ok 1 "$name: the program for the host"
        continue
    fi
    flags=$(sed -n 's/^flags //p' "$src/launch.txt")
    source=$src/kernel.cl
    levels=${KERNELS_LEVELS:-O0 O3}
    [ ! -f "$src/kernel.c" ] || source=$src/kernel.c
    [ ! -f "$src/kernel.clcpp" ] || source=$src/kernel.clcpp
    [ ! -f "$src/kernel.hip" ] || source=$src/kernel.hip
    if [ -f "$src/kernel.hip" ] && [ ! -f /usr/include/hip/hip_runtime.h ]; then
        skip "$name" "libamdhip64-dev is not installed (scripts/deps.sh long)"
        continue
    fi
    [ ! -f "$src/kernel.s" ] || source=$src/kernel.s levels=asm
    all=
    targets=" $(sed -n 's/^targets //p' "$src/launch.txt") "
    for mcpu in $mcpus; do
        case $targets in *" $mcpu "* | '  ') ;; *) continue ;; esac
        for level in $levels; do
            lacking=$(lacks "$mcpu" "$name" "$level")
            if [ -n "$lacking" ]; then
                skip "$name $mcpu $level" "$lacking"
                continue
            fi
            case "$all " in *" $mcpu "*) ;; *) all="$all $mcpu" ;; esac
            co=$out/$mcpu.$level.co
            # shellcheck disable=SC2086
            said=$(compile "$mcpu" "$level" "$source" "$co.o" $flags 2>&1 && link "$source" "$co.o" "$co" 2>&1 &&
                "$gcncheck" launch --mcpu "$mcpu" "$co" "$out/launch.txt" 2>&1)
            report $? "$name $mcpu $level" "$gcncheck launch --mcpu $mcpu $co $out/launch.txt"
            [ -z "${KERNELS_CHECKS-}" ] || check
        done
    done
    case $source in
    *.hip)
        [ -n "$all" ] || continue
        command -v clang-offload-bundler-19 >/dev/null || continue
        said=$(host_object 2>&1)
        report $? "$name in an object for the host" "$gcncheck launch --mcpu $mcpu $out/host.o $out/launch.txt" ;;
    esac
done
finish
