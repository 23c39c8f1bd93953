#!/bin/sh
# Random C programs of csmith, compiled for the host and by clang for GPUs: the model must compute the host's sum of all
# variables. Prints TAP 13.
#
#   scripts/kernels/csmith.sh [COUNT [SEED]]     default: 100 programs from seed 1 on
#
# Program N has seed N; the options turn with it, -O0 to -O3 and -Os, and the processor. Skipped: what the host does not
# finish in 5 seconds, what makes two compilers for the host disagree (C leaves it open), what clang does not compile for the
# GPU, and what it writes an operand for that cannot be one (before gfx9, LLVM 19 negates vector registers with s_not_b64). A
# program that fails stays in BUILD/csmith/N. GCNCHECK: the program (default build/gcncheck). MCPU: processors (default gfx900
# gfx906 gfx908 gfx701 gfx803; gfx6 has no FLAT, which pointers of C need).
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
. scripts/kernels/flags.sh
gcncheck=$PWD/$gcncheck
runtime=$PWD/cases/kernels/csmith
build=$PWD/${BUILD:-build}/csmith
mcpus=${MCPU:-gfx900 gfx906 gfx908 gfx701 gfx803}
count=${1:-100}
first=${2:-1}

for need in csmith clang-19 ld.lld-19; do
    command -v $need >/dev/null || skip_all "$need is not installed (scripts/deps.sh long)"
done

# pick N WORD...: the word of number N, counted round.
pick() {
    n=$1
    shift
    shift $((n % $#))
    echo "$1"
}

# one SEED: builds and runs it in the folder; says what was done, code 0 right, 3 skipped.
one() {
    csmith -s "$1" --no-argc --concise $(pick "$1" --float '' --no-packed-struct '') | sed '/^#include </d' >program.c || return 1
    printf 'kernel run\ngrid 1 1 1\nworkgroup 1 1 1\nout out.bin 8 exact\n' >launch.txt || return 1
    # GNU's -fwrapv and -fno-strict-aliasing: csmith's unions and casts are meant byte by byte
    flags="-w -ffp-contract=off -fno-strict-aliasing -fwrapv -I$runtime"
    # shellcheck disable=SC2046
    mcpu=$(pick "$1" $mcpus) level=$(pick $(($1 / 3)) O0 O1 O2 O3 Os)
    # shellcheck disable=SC2086
    ${CC:-gcc} -O1 $flags -o host program.c && clang-19 -$level $flags -o host2 program.c || return 1
    timeout 5 ./host out.bin && timeout 5 ./host2 out2.bin || return 3
    cmp -s out.bin out2.bin || return 4
    flags="$flags $(flags_of "$mcpu")"
    for output in '-S -o program.s' '-c -o program.o'; do
        # shellcheck disable=SC2086
        clang-19 -x c --target=amdgcn-amd-amdhsa -mcpu="$mcpu" -$level -ffreestanding -nogpulib $flags -fno-crash-diagnostics \
            $output program.c || return 5
    done
    ! grep -q "Invalid register" program.s || return 6
    ld.lld-19 -shared -o program.co program.o || return 5
    set -- timeout 300 "$gcncheck" launch --mcpu "$mcpu" program.co launch.txt
    "$@" || { echo "$level, $mcpu; again, in $PWD: $*"; return 1; }
}

for seed in $(seq "$first" $((first + count - 1))); do
    mkdir -p "$build/$seed" && cd "$build/$seed" || exit 2
    one "$seed" >said 2>&1
    case $? in
    0) ok 0 "seed $seed" ;;
    3) skip "seed $seed" "the host does not finish it" ;;
    4) skip "seed $seed" "compilers for the host disagree" ;;
    5) skip "seed $seed" "clang does not compile it" ;;
    6) skip "seed $seed" "clang writes an operand that cannot be one" ;;
    *)
        ok 1 "seed $seed" said
        continue
        ;;
    esac
    cd "$build" && rm -r "${build:?}/$seed"
done
finish
