#!/bin/sh
# What time it is: a journal says it if it is asked to, and reports have it then; without being asked nothing depends on time. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
build=$(dirname "$gcncheck")
dut="plugin:$build/example_dut.so"
cases="cases/sop2/s_add_u32.case cases/vop3a/v_bfe_u32.case"

run run --quiet --dut "$dut" --journal "$tmp/a" $cases
run run --quiet --dut "$dut" --journal "$tmp/b" $cases
cmp -s "$tmp/a" "$tmp/b"
ok $? "without --clock two runs give the same bytes"
before=$(date -u +%s)
run run --quiet --dut "$dut" --clock --journal "$tmp/timed" $cases
after=$(date -u +%s)
is 1 $code "with it the exit code is that of the results"
run report --format jsonl "$tmp/timed"
began=$(sed -n 's/^{"kind":"time","began":\([0-9]*\).*/\1/p' "$tmp/out" | sort -u)
[ -n "$began" ] && [ "$began" -ge "$before" ] && [ "$began" -le "$after" ]
ok $? "it has the time at which it began, in every time the same" "$tmp/out"
is "$(sed -n 's/.*"kind":"time".*"ms":\([0-9]*\).*/\1/p' "$tmp/out" | sort -n)" "$(sed -n 's/.*"kind":"time".*"ms":\([0-9]*\).*/\1/p' "$tmp/out")" \
    "times do not go back"
is 0 "$(sed -n 's/.*"kind":"time".*"ms":\([0-9]*\).*/\1/p' "$tmp/out" | head -1)" "the first is the beginning"
"$gcncheck" report --format jsonl --canonical "$tmp/a" >"$tmp/x" 2>&1
"$gcncheck" report --format jsonl --canonical "$tmp/timed" >"$tmp/y" 2>&1
cmp -s "$tmp/x" "$tmp/y" && [ -s "$tmp/x" ]
ok $? "results are the same, with or without"
run report --diff "$tmp/a" "$tmp/timed"
is 0 $code "and so are causes"

date=$(date -u -d "@$began" '+%Y-%m-%d %H:%M:%S UTC')
run report --format html "$tmp/timed"
has "<time>$date</time>, [0-9.]* s" out "the page has date and duration"
has '<svg .*aria-label="1 cause in ' out "and draws when the cause came"
run report --format junit "$tmp/timed"
has "<testsuite name=\"VOP3A\" .* time=\"[0-9]*\.[0-9][0-9][0-9]\" timestamp=\"$(date -u -d "@$began" +%Y-%m-%dT%H:%M:%S)\">" out "JUnit has the time of a suite"
cp "$tmp/out" "$tmp/junit"
if command -v xmllint >/dev/null; then
    xmllint --noout "$tmp/junit" >"$tmp/log" 2>&1
    ok $? "and is XML" "$tmp/log"
else
    skip "and is XML" "xmllint is not installed"
fi
is "$(grep -c '<testcase ' "$tmp/junit")" "$(sed -n 's/^<testsuites name="gcncheck" tests="\([0-9]*\)".*/\1/p' "$tmp/junit")" "it has as many cases as it says"
is "$("$gcncheck" report --format lines "$tmp/timed" | grep -c '^not ok')" "$(grep -c '<failure ' "$tmp/junit")" "every failure is a case"
for format in html junit; do
    "$gcncheck" report --format $format "$tmp/a" >"$tmp/x" 2>&1
    is 0 "$(grep -c -e '<time>' -e ' time="' -e timestamp -e '<svg' "$tmp/x")" "$format of a journal without times has none"
done

# As a telephone shows it: nothing sticks out, so that the page is not pushed to and fro.
# wide PAGE: how wide the page is in a window of 390 pixels; nothing if there is no browser that says it.
wide() {
    sed 's|</body>|<script>document.title = "is " + document.documentElement.scrollWidth</script>&|' "$1" >"$tmp/shown.html"
    timeout 100 "$browser" --no-sandbox --disable-gpu --user-data-dir="$tmp/browser" --window-size=390,800 --dump-dom "file://$tmp/shown.html" 2>/dev/null |
        sed -n 's|.*<title>is \([0-9]*\)</title>.*|\1|p'
}
"$gcncheck" report --format html "$tmp/timed" >"$tmp/page.html"
browser=$(command -v chromium-headless-shell || command -v chromium)
width=$([ -z "$browser" ] || wide "$tmp/page.html")
if [ -n "$width" ]; then
    [ "$width" -le 390 ]
    ok $? "the page fits 390 pixels ($width)"
    sed 's|<main>|&<pre style="width:500px">x</pre>|' "$tmp/page.html" >"$tmp/broad.html"
    [ "$(wide "$tmp/broad.html")" -gt 390 ]
    ok $? "one that does not is seen"
else
    skip "the page fits 390 pixels" "there is no headless Chromium that answers"
fi

# A record that is damaged costs no time that stands behind it.
counted() { "$gcncheck" report --partial --format jsonl "$1" 2>/dev/null | grep -c '"kind":"time"'; }
python3 - "$tmp/timed" "$tmp/harmed" <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
at = data.index(b"\xa4time", data.index(b"\xa6result"))
data[at - 9] ^= 1
open(sys.argv[2], "wb").write(data)
END
is "$(counted "$tmp/timed")" "$(counted "$tmp/harmed")" "the time behind a damaged record is kept"
is end "$("$gcncheck" report --format jsonl "$tmp/timed" | tail -1 | sed 's/^{"kind":"\([a-z]*\)".*/\1/p;d')" "and none stands behind the end"

# Shards begin with the first of them and take as long as the longest, in whatever order they are read.
for shard in 1 2; do
    run run --quiet --dut "$dut" --clock --shard $shard/2 --journal "$tmp/shard$shard" $cases
    sleep 1.1
done
"$gcncheck" report --format html "$tmp/shard1" "$tmp/shard2" >"$tmp/x"
"$gcncheck" report --format html "$tmp/shard2" "$tmp/shard1" >"$tmp/y2"
cmp "$tmp/x" "$tmp/y2" >"$tmp/out" 2>&1
ok $? "a page of shards does not depend on their order" "$tmp/out"
began=$("$gcncheck" report --partial --format jsonl "$tmp/shard1" | sed -n 's/^{"kind":"time","began":\([0-9]*\).*/\1/p' | head -1)
cp "$tmp/x" "$tmp/out"
has "<time>$(date -u -d "@$began" '+%Y-%m-%d %H:%M:%S UTC')</time>" out "its date is that of the first"

# Gone on with.
head -c 20000 "$tmp/timed" >"$tmp/cut"
run run --quiet --dut "$dut" --clock --resume "$tmp/cut" $cases
is 1 $code "a run with times is gone on with"
"$gcncheck" report --format jsonl --canonical "$tmp/cut" >"$tmp/x" 2>&1
cmp -s "$tmp/x" "$tmp/y"
ok $? "and has the same results"

run fuzz --quiet --count 64 --dut "$dut" --clock --journal "$tmp/fuzz" --out "$tmp/found"
run report --format html "$tmp/fuzz"
has '<svg .*aria-label="1 cause in ' out "so does the page of a campaign"
refuse "no journal" 2 "^gcncheck run: --clock is for journals" "$gcncheck" run --clock --dut "$dut" cases/sop2/s_add_u32.case
refuse "of fuzz, too" 2 "^gcncheck fuzz: --clock is for journals" "$gcncheck" fuzz --clock --count 1
refuse "several devices" 2 "clock is for one device" "$gcncheck" run --clock --dut model --dut "$dut" cases/sop2/s_add_u32.case
finish
