#!/bin/sh
# What `make test-long` runs: the quick tests built by gcc, by clang, and by gcc with the address and
# undefined-behaviour sanitizers; every mutant; what the cases leave unreached; kernels built by clang and GCC and those of
# ROCm's libraries, random programs of csmith; the engines against each other at length, and over all inputs of 32 bits
# and 2^26 pairs of f16 (half an hour); ten million divisions and roots; the transcendental unit against MPFR; the full
# cross-check with LLVM. Each part ends in a line
# "N passed, M failed"; the last line is their sum. Code 1 if anything failed.
#
#   scripts/run/test-long.sh [PART]...     gcc clang san mutants coverage kernels random engines exhaustive division units xcheck libs lint; default: all
cd "$(dirname "$0")/../.." || exit 2
passed=0
failed=0

# part NAME COMMAND...: runs it, adds its closing line to the sum; without such a line it counts as one failure.
part() {
    echo "== $*"
    start=$(date +%s)
    "$@" >"$log" 2>&1
    code=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -1)
    p=$(echo "$line" | cut -d' ' -f1)
    f=$(echo "$line" | cut -d' ' -f3)
    [ -n "$line" ] || { p=0 f=1; }
    [ $code = 0 ] || [ "$f" != 0 ] || f=1
    [ "$f" = 0 ] || grep -v ' ok$' "$log" | tail -40
    passed=$((passed + p))
    failed=$((failed + f))
    echo "   $p passed, $f failed, $(($(date +%s) - start)) s"
}

log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
[ $# -gt 0 ] || set -- gcc clang san mutants coverage kernels random engines exhaustive division units xcheck libs lint
for what; do
    case "$what" in
    gcc) part make quick CC=gcc BUILD=build WERROR=1 ;;
    clang) part make quick CC=clang BUILD=build-clang WERROR=1 ;;
    san) part make quick CC=gcc SAN=1 BUILD=build-san WERROR=1 ;;
    mutants)
        part sh scripts/mutate/mutation-score.sh
        part sh scripts/mutate/mutation-fuzz.sh
        ;;
    kernels) TEST_TIMEOUT=3600 part sh scripts/run/run-tests.sh 'sh scripts/kernels/kernels-cl.sh' 'sh scripts/kernels/kernels-gcc.sh' 'sh scripts/kernels/kernels-roc.sh' ;;
    random) TEST_TIMEOUT=3600 part sh scripts/run/run-tests.sh 'sh scripts/kernels/csmith.sh 300' ;;
    coverage) part sh scripts/check/coverage.sh ;;
    engines) part sh scripts/run/run-tests.sh 'build/t_engine 1000000' 'sh scripts/run/same-results.sh 10000' ;;
    exhaustive) part sh scripts/run/run-tests.sh 'build/t_exhaustive all' ;;
    division) part sh scripts/run/run-tests.sh 'build/t_div 160000' 'build/t_div64 160000' ;;
    units) # of 2^32 operands every 61st; `build/t_trans sweep exp 1` takes them all, in an hour or two
        part sh scripts/run/run-tests.sh 'build/t_trans sweep rcp 61' 'build/t_trans sweep rsq 61' 'build/t_trans sweep sqrt 61' \
            'build/t_trans sweep exp 61' 'build/t_trans sweep log 61' 'build/t_trans sweep sin 61' 'build/t_trans sweep cos 61'
        ;;
    xcheck) part sh scripts/run/run-tests.sh 'sh scripts/xcheck/xcheck-llvm.sh --full' 'build/t_text gfx900' 'build/t_text gfx906' 'build/t_text gfx908' 'build/t_text gfx803' 'build/t_text gfx700' 'build/t_text gfx600' ;;
    libs)
        part sh scripts/run/run-tests.sh 'sh scripts/xcheck/xcheck-libs.sh --mcpu gfx803' 'sh scripts/xcheck/xcheck-libs.sh --mcpu gfx900' \
            'sh scripts/xcheck/xcheck-libs.sh --mcpu gfx906' 'sh scripts/xcheck/xcheck-libs.sh --mcpu gfx908' \
            'sh scripts/xcheck/xcheck-load.sh'
        ;;
    lint) # with the kernels of the part before, or its own
        TEST_TIMEOUT=3600 part sh scripts/run/run-tests.sh 'sh scripts/kernels/lint-removals.sh'
        ;;
    *)
        echo "test-long.sh: '$what': use gcc clang san mutants coverage kernels random engines exhaustive division units xcheck libs lint" >&2
        exit 2
        ;;
    esac
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
