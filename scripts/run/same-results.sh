#!/bin/sh
# Random streams on implementations that must agree: the host engine with ref, the example DUT without its bug with
# the model; and the same campaign with one thread and with two gives the same journal. TAP.
#
#   scripts/run/same-results.sh [COUNT]     streams of each campaign (default 10000)
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
count="${1:-10000}"
build=$(dirname "$gcncheck")
make_tmp

"$gcncheck" fuzz --seed 2 --count "$count" --dut model:engine=host --out "$tmp/a" >"$tmp/log" 2>&1
ok $? "$count streams: host equals ref, exceptions included" "$tmp/log"
EXAMPLE_DUT_BUG=0 "$gcncheck" fuzz --seed 2 --count "$count" --dut "plugin:$build/example_dut.so" --out "$tmp/b" >"$tmp/log" 2>&1
ok $? "$count streams: the example DUT without its bug equals the model" "$tmp/log"
for jobs in 1 2; do
    "$gcncheck" fuzz --seed 3 --count 1000 --jobs $jobs --dut "plugin:$build/example_dut.so" --out "$tmp/c" \
        --journal "$tmp/$jobs.journal" >"$tmp/log" 2>&1
    "$gcncheck" report --canonical --format jsonl "$tmp/$jobs.journal" >"$tmp/$jobs.jsonl" 2>>"$tmp/log"
    rm -rf "$tmp/c"
done
[ -s "$tmp/1.jsonl" ] && grep -q '"not ok"\|not_ok\|wrong' "$tmp/1.jsonl" && cmp "$tmp/1.jsonl" "$tmp/2.jsonl" >>"$tmp/log" 2>&1
ok $? "one thread and two give the same results, findings included" "$tmp/log"
finish
