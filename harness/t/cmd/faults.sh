#!/bin/sh
# A sample of scripts/faults: allocations and system calls that fail, damaged files, kills. More of them, and planted faults, are the
# part `faults` of make test-long.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
# sample TITLE COMMAND...
sample() {
    title=$1
    shift
    "$@" >"$tmp/out" 2>&1
    code=$?
    grep -A 12 -e '^# ' -e '^not ok' "$tmp/out" >"$tmp/why"
    ok $code "$title: $(grep -c '^ok' "$tmp/out") points" "$tmp/why"
}
sample "failures" python3 scripts/faults/inject.py --points 2 \
    --only run-plugin,fuzz-counted,min,replay,report-html,eval-jsonl,launch,lint-wrong,dis,asm,export-json
sample "damages" python3 scripts/faults/damage.py --count 100
sample "kills" python3 scripts/faults/kills.py --count 8
finish
