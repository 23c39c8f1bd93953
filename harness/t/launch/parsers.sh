#!/bin/sh
# AFL++ on parsers (FUZZ_ONLY, default all) for some seconds each (FUZZ_TIME), as scripts/parsers/fuzz-parsers.sh explains, in less than what
# run-tests.sh allows a test. TAP 13. With ALL=1 only (scripts/run/test-long.sh): the targets take longer to build than to run.
# Only of the build in the folder build: other builds would do the same again.
cd "$(dirname "$0")/../../.." || exit 2
build="${BUILD:-build}"
end=$(($(date +%s) + ${TEST_TIMEOUT:-600} - 40))
skip() { echo "TAP version 13"; echo "1..0 # SKIP $1"; exit 0; }
command -v afl-fuzz >/dev/null 2>&1 && command -v afl-clang-fast >/dev/null 2>&1 || skip "AFL++ is not installed"
[ -n "${ALL:-}" ] || skip "in make test-long, or with ALL=1"
[ "$build" = build ] || skip "done by the build in the folder build"
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
if ! make -s -j2 fz-targets BUILD="$build" SAN= >"$log" 2>&1; then
    sed 's/^/# /' "$log" | tail -20
    echo "Bail out! the fuzz targets do not build"
    exit 1
fi
BUILD="$build" FUZZ_TIME="${FUZZ_TIME:-6}" FUZZ_UNTIL=$end sh scripts/parsers/fuzz-parsers.sh
