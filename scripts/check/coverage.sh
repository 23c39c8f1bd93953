#!/bin/sh
# Builds with the counters of gcov, runs the directed cases on both engines, the tests of single waves and those of what is open, and says
# which row bodies were not run and which branches of oracle/sem/operand.c (fetch and store of operands) were not taken.
# TAP; what scripts/check/coverage.known lists with a reason is "ok ... # SKIP reason". Code 1 if anything else is left, or
# if a listed line is reached after all. The last line is "N passed, M failed".
#
#   scripts/check/coverage.sh          BUILD: the folder (default build-coverage). MCPU: processors (default gfx600 gfx701 gfx803 gfx900 gfx906 gfx908).
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build-coverage}
make -s ${CC:+CC="$CC"} COV=1 BUILD="$build" "$build/gcncheck" "$build/t_wave" "$build/t_acceptance" >/dev/null || { echo "Bail out! the build failed"; exit 2; }
find "$build" -name '*.gcda' -delete
for mcpu in ${MCPU:-gfx600 gfx701 gfx803 gfx900 gfx906 gfx908}; do
    for engine in ref host; do
        "$build/gcncheck" run --mcpu "$mcpu" --quiet --jobs 1 --dut "model:engine=$engine" cases >/dev/null ||
            { echo "Bail out! not all cases pass on $mcpu, engine $engine"; exit 2; }
    done
done
for t in t_wave t_acceptance; do
    "$build/$t" >/dev/null || { echo "Bail out! $t failed"; exit 2; }
done
python3 scripts/check/coverage.py "$build"
