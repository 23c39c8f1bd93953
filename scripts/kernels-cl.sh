#!/bin/sh
# Builds the kernels of cases/kernels/src with clang and runs them on the model; prints TAP 13.
# A source is kernel.cl (OpenCL C), kernel.c (C without libraries) or kernel.s (assembly).
#
#   scripts/kernels-cl.sh [NAME]...      default: all
#
# Each is compiled at -O0 and -O3 for every processor (assembly once: asm), its inputs and expected outputs come from a program for the host,
# compiled by CC. Everything goes to BUILD/kernels. GCNCHECK: the program (default build/gcncheck); MCPU: processors
# (default gfx900 gfx906 gfx908). Without clang-19 and ROCm's device libraries: skipped.

cd "$(dirname "$0")/.." || exit 2
gcncheck="${GCNCHECK:-build/gcncheck}"
mcpus="${MCPU:-gfx900 gfx906 gfx908}"
build="${BUILD:-build}/kernels"
libs=${ROCM_DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}

echo "TAP version 13"
for need in clang-19 ld.lld-19; do
    command -v $need >/dev/null || { echo "1..0 # SKIP $need is not installed (scripts/deps.sh long)"; exit 0; }
done
[ -d "$libs" ] || { echo "1..0 # SKIP ROCm's device libraries are not installed (scripts/deps.sh long)"; exit 0; }
[ $# -gt 0 ] || set -- $(cd cases/kernels/src && ls -d */)

# Makes an object for a processor at a level of optimization; what else is given are flags of the source.
compile() {
    mcpu=$1 level=$2 source=$3 object=$4
    shift 4
    case $source in
    *.c) clang-19 -x c -std=c11 --target=amdgcn-amd-amdhsa -mcpu="$mcpu" -"$level" -w "$@" -nogpulib -c -o "$object" "$source" ;;
    *.s) clang-19 -x assembler --target=amdgcn-amd-amdhsa -mcpu="$mcpu" "$@" -c -o "$object" "$source" ;;
    *) clang-19 -x cl -cl-std=CL2.0 --target=amdgcn-amd-amdhsa -mcpu="$mcpu" -"$level" -w "$@" \
        --rocm-device-lib-path="$libs" -c -o "$object" "$source" ;;
    esac
}

n=0
failed=0
for name in "$@"; do
    name=${name%/}
    src=$PWD/cases/kernels/src/$name
    out=$build/$name
    mkdir -p "$out"
    cp "$src/launch.txt" "$out"
    # The host's sums are not contracted: the kernels say the same where it matters.
    if ! ${CC:-gcc} -O1 -ffp-contract=off -o "$out/host" "$src/host.c" -lm || ! (cd "$out" && ./host); then
        n=$((n + 1))
        failed=1
        echo "not ok $n - $name: the program for the host"
        continue
    fi
    flags=$(sed -n 's/^flags //p' "$src/launch.txt")
    source=$src/kernel.cl
    levels="O0 O3"
    [ ! -f "$src/kernel.c" ] || source=$src/kernel.c
    [ ! -f "$src/kernel.s" ] || source=$src/kernel.s levels=asm
    targets=" $(sed -n 's/^targets //p' "$src/launch.txt") "
    for mcpu in $mcpus; do
        case $targets in *" $mcpu "* | '  ') ;; *) continue ;; esac
        for level in $levels; do
            n=$((n + 1))
            co=$out/$mcpu.$level.co
            # shellcheck disable=SC2086
            said=$(compile "$mcpu" "$level" "$source" "$co.o" $flags 2>&1 && ld.lld-19 -shared -o "$co" "$co.o" 2>&1 &&
                "$gcncheck" launch --mcpu "$mcpu" "$co" "$out/launch.txt" 2>&1)
            code=$?
            printf '%s\n' "$said" | sed 's/^/# /'
            if [ $code -eq 0 ]; then
                echo "ok $n - $name $mcpu $level"
            else
                failed=1
                echo "not ok $n - $name $mcpu $level"
                echo "# exit code $code; again: $gcncheck launch --mcpu $mcpu $co $out/launch.txt"
            fi
        done
    done
done
echo "1..$n"
exit $failed
