#!/bin/sh
# Builds the kernels of cases/kernels/gcc with GCC's offload compiler for amdgcn and runs them on the model; prints TAP 13.
#
#   scripts/kernels/kernels-gcc.sh [NAME]...      default: all
#
# A kernel is an OpenMP or OpenACC target region: the offload compiler has no front end of its own, it takes what the host's GCC made
# of the region. Its code object is linked with libgomp and newlib of the device; for gfx908, where Debian has neither, with
# alone.c. Optimisation: every level for the first processor, -O0 and -O3 for the others. GCNCHECK: the program (default
# build/gcncheck); MCPU: processors (default gfx900 gfx906 gfx908). Without gcc-12-offload-amdgcn: skipped.
# kernels-cl.sh begins a kernel with the same steps and goes on with other compilers, options and loops.

cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
gcncheck=$(realpath "$gcncheck") || exit 2
mcpus="${MCPU:-gfx900 gfx906 gfx908}"
build="${BUILD:-build}/kernels-gcc"
root=$PWD/cases/kernels/gcc

for need in gcc-12 x86_64-linux-gnu-accel-amdgcn-amdhsa-gcc-12; do
    command -v $need >/dev/null || skip_all "$need is not installed (scripts/deps.sh long)"
done
[ $# -gt 0 ] || set -- $(cd "$root" && ls -d */)

# compile NAME MCPU LEVEL: leaves a library for the host with NAME's code object as MCPU.LEVEL.so in the working folder.
compile() {
    flags=$(sed -n 's/^flags //p' launch.txt)
    sources=$root/$1/kernel.c
    options="-march=$2"
    [ "$2" != gfx908 ] || { sources="$sources $root/alone.c" options="$options -nostdlib -lgcc"; }
    case " $flags " in *" -lm "*) options="$options -lm" ;; esac
    case " $flags " in *" -fopenacc "*) ;; *) flags="-fopenmp $flags" ;; esac
    # shellcheck disable=SC2086
    gcc-12 -shared -fPIC -"$3" $flags -foffload=amdgcn-amdhsa "-foffload-options=$options" -o "$2.$3.so" $sources 2>&1
}

for name in "$@"; do
    name=${name%/}
    out=$build/$name
    mkdir -p "$out"
    cp "$root/$name/launch.txt" "$out"
    if ! ${CC:-gcc} -O1 -ffp-contract=off -o "$out/host" "$root/$name/host.c" -lm || ! (cd "$out" && ./host); then
        ok 1 "$name: the program for the host"
        continue
    fi
    targets=$(sed -n 's/^targets //p' "$out/launch.txt")
    levels="O0 O1 O2 O3"
    for mcpu in $mcpus; do
        case " ${targets:-$mcpu} " in *" $mcpu "*) ;; *) continue ;; esac
        for level in $levels; do
            said=$(cd "$out" && compile "$name" "$mcpu" $level && "$gcncheck" launch --mcpu "$mcpu" $mcpu.$level.so launch.txt 2>&1)
            code=$?
            printf '%s\n' "$said" | grep -v 'TEXTREL\|warning: relocation against' | sed 's/^/# /'
            [ $code = 0 ] || note "exit code $code; again: $gcncheck launch --mcpu $mcpu $out/$mcpu.$level.so $out/launch.txt"
            ok $code "$name $mcpu $level"
        done
        levels="O0 O3"
    done
done
finish
