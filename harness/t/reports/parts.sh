#!/bin/sh
# What a journal says of the device and of the part of a run that it holds: a run is gone on with on the same build alone, and
# shards are reported if all are there, once each. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
build=${BUILD:-build}
export EXAMPLE_DUT_BUG=0
cases="cases/sop2/s_add_u32.case cases/vop2/v_add_u32.case cases/vop3a/v_bfe_u32.case"
cp "$build/example_dut.so" "$tmp/dut.so"
dut="plugin:$tmp/dut.so"

# ---- the device ----
"$gcncheck" run --quiet --dut "$dut" --journal "$tmp/j" $cases >/dev/null
jsonl() { "$gcncheck" report --format jsonl "$@" 2>/dev/null; }
is "$(sha256sum "$tmp/dut.so" | cut -d' ' -f1)" "$(jsonl "$tmp/j" | sed -n 's/.*"dut_hash":"\([0-9a-f]*\)".*/\1/p')" "the journal has the hash of the device's file"
jsonl "$tmp/j" | grep -q '^{"kind":"dut","name":"example","version":"1"}$'
ok $? "and what the device calls itself"
results=$(jsonl "$tmp/j" | grep -c '"kind":"result"')
jsonl "$tmp/j" | grep -q "\"shard\":1,\"shards\":1,\"count\":$results,\"offered\":$results"
ok $? "and how many results there are to be"
"$gcncheck" report "$tmp/j" | grep -q "^gcncheck .*, gfx900, $dut (example 1)$"
ok $? "the page says which device it was"
"$gcncheck" report --format html "$tmp/j" | grep -q "</strong> (example 1) on gfx900"
ok $? "the HTML page, too"

head -c $(($(wc -c <"$tmp/j") * 2 / 3)) "$tmp/j" >"$tmp/cut"
cp "$tmp/cut" "$tmp/cut2"
cp "$tmp/cut" "$tmp/cut3"
"$gcncheck" run --quiet --dut "$dut" --resume "$tmp/cut" $cases >"$tmp/out" 2>&1
is 0 $? "a run is gone on with on the same device"
printf x >>"$tmp/dut.so" # behind the end of the library: it works as it did
refuse "not on one that was built anew" 2 "cut2: was begun with another build of plugin:.*dut.so: [0-9a-f]\{12\}, and now it is [0-9a-f]\{12\}" \
    "$gcncheck" run --quiet --dut "$dut" --resume "$tmp/cut2" $cases
is "" "$("$gcncheck" run --quiet --dut "$dut" --resume "$tmp/cut2" $cases 2>/dev/null | grep '^\(not \)*ok')" "nothing of it is printed"
cmp -s "$tmp/cut2" "$tmp/cut3"
ok $? "the journal is as it was"

# A device whose file stays and whose version does not: the program that a command starts reads it from elsewhere.
sed "s|\"version\": *[^,}]*|\"version\": open('$tmp/version').read()|" harness/sdk/example_pipe.py >"$tmp/pipe.py"
printf 1.0 >"$tmp/version"
"$gcncheck" run --quiet --jobs 1 --dut "pipe:python3 $tmp/pipe.py" --journal "$tmp/p" $cases >/dev/null
jsonl "$tmp/p" | grep -q '"version":"1.0"}'
ok $? "a device of two versions"
head -c $(($(wc -c <"$tmp/p") * 2 / 3)) "$tmp/p" >"$tmp/pcut"
printf 1.1 >"$tmp/version"
refuse "is not blended" 2 "pcut: was begun with [^ ]* 1.0, and this is [^ ]* 1.1" "$gcncheck" run --quiet --jobs 1 --dut "pipe:python3 $tmp/pipe.py" --resume "$tmp/pcut" $cases
printf 1.0 >"$tmp/version"
expect "one version is" 0 '' "$gcncheck" run --quiet --jobs 1 --dut "pipe:python3 $tmp/pipe.py" --resume "$tmp/pcut" $cases

# ---- shards ----
for i in 1 2 3; do "$gcncheck" run --quiet --shard $i/3 --journal "$tmp/s$i" $cases >/dev/null; done
"$gcncheck" run --quiet --journal "$tmp/all" $cases >/dev/null
report="$gcncheck report"
expect "all shards, in any order" 0 "^right $(jsonl "$tmp/all" | grep -c '"status":"ok"'), wrong 0" $report "$tmp/s3" "$tmp/s1" "$tmp/s2"
$report "$tmp/all" >"$tmp/single"
$report "$tmp/s3" "$tmp/s1" "$tmp/s2" | sed '1s/ (model), 3 shards$/ (model)/' | diff "$tmp/single" - >"$tmp/diff"
ok $? "make the page of one run, but for the words \", 3 shards\"" "$tmp/diff"
$report --format html "$tmp/all" >"$tmp/single"
$report --format html "$tmp/s3" "$tmp/s1" "$tmp/s2" | sed 's/ on gfx900, 3 shards,/ on gfx900,/' | diff "$tmp/single" - >"$tmp/diff"
ok $? "as HTML, too" "$tmp/diff"
refuse "one is missing" 2 "gcncheck run cases/sop2/[^:]*: shard 2/3 is missing" $report "$tmp/s1" "$tmp/s3"
is "" "$($report "$tmp/s1" "$tmp/s3" 2>/dev/null)" "no page is made"
refuse "two are missing" 2 ": shards 1/3, 2/3 are missing" $report "$tmp/s3"
refuse "one is there twice" 2 "shard 1/3 of gcncheck run .* is there twice: .*/s1 and .*/s1" $report "$tmp/s1" "$tmp/s1"
refuse "one too many" 2 "shard 1/3 of .* is there twice: .*/again and .*/s1" sh -c "cp $tmp/s1 $tmp/again; $gcncheck report $tmp/s1 $tmp/s2 $tmp/s3 $tmp/again"
refuse "concatenated" 2 "shard 2/3 is missing" sh -c "cat $tmp/s1 $tmp/s3 | $gcncheck report -"
expect "--partial is content with what there is" 0 "^right " $report --partial "$tmp/s1" "$tmp/s3"
is "gcncheck, 2 of 3 shards" "$($report --partial "$tmp/s1" "$tmp/s3" | sed -n '1s/ .* (model),/,/p')" "and says how many there are"
is "gcncheck, shard 3/3" "$($report --partial "$tmp/s3" | sed -n '1s/ .* (model),/,/p')" "or which"
for v in 1 2; do
    printf 1.$v >"$tmp/version"
    "$gcncheck" run --quiet --jobs 1 --dut "pipe:python3 $tmp/pipe.py" --shard $v/2 --journal "$tmp/v$v" $cases >/dev/null
done
is "1.1), shard 1/2 1.2), shard 2/2" "$($report "$tmp/v1" "$tmp/v2" | sed -n 's/^gcncheck .* \(1\.[12])\)/\1/p' | xargs)" "shards of two versions of a device are not one run on the page"
refuse "not with one that is there twice" 2 "is there twice" $report --partial "$tmp/s1" "$tmp/s1"
refuse "a run that is there twice" 2 "gcncheck run cases/sop2/.* is there twice: .*/again and .*/all" sh -c "cp $tmp/all $tmp/again; $gcncheck report $tmp/all $tmp/again"
expect "two runs are two" 0 "^right " $report "$tmp/all" "$tmp/j"
for format in text html tap junit jsonl; do
    refuse "a missing shard as $format" 2 "shard 2/3 is missing" $report --format $format "$tmp/s1" "$tmp/s3"
    refuse "$format: no file is made" 2 "shard 2/3 is missing" $report --format $format --out "$tmp/page" "$tmp/s1" "$tmp/s3"
    [ ! -e "$tmp/page" ]
    ok $? "$format: indeed"
done
$report --format tap "$tmp/s1" "$tmp/s3" 2>/dev/null | grep -q '^Bail out!  .*shard 2/3 is missing'
ok $? "TAP has no plan"
cp "$build/example_dut.so" "$tmp/dut.so"
"$gcncheck" run --quiet --dut "$dut" --shard 1/2 --journal "$tmp/d1" $cases >/dev/null
printf x >>"$tmp/dut.so"
"$gcncheck" run --quiet --dut "$dut" --shard 2/2 --journal "$tmp/d2" $cases >/dev/null
refuse "shards of two builds" 2 "d1 and .*d2: different builds of plugin:" $report "$tmp/d1" "$tmp/d2"
sed '$d' cases/sop2/s_add_u32.case >"$tmp/x.case"
cp cases/sop2/s_add_u32.case "$tmp/s_add_u32.case"
"$gcncheck" run --quiet --shard 1/2 --journal "$tmp/c1" "$tmp/s_add_u32.case" >/dev/null
cp "$tmp/x.case" "$tmp/s_add_u32.case"
"$gcncheck" run --quiet --shard 2/2 --journal "$tmp/c2" "$tmp/s_add_u32.case" >/dev/null
refuse "shards of other cases" 2 "c1 and .*c2: shards of different cases: [0-9]* results in all, [0-9]*" $report "$tmp/c1" "$tmp/c2"
for i in 1 3; do "$gcncheck" fuzz --quiet --count 200 --seed 1 --shard $i/3 --journal "$tmp/f$i" --out "$tmp/found" >/dev/null; done
refuse "of a campaign" 2 "gcncheck fuzz --seed 1 --count 200: shard 2/3 is missing" $report "$tmp/f1" "$tmp/f3"

# ---- cut short ----
refuse "half a run" 2 "1 run did not come to the end" $report "$tmp/cut2"
expect "--partial takes it" 0 "^1 run did not come to an end" $report --partial "$tmp/cut2"

# ---- a shard of a campaign that is too short for all ----
for i in 1 2; do "$gcncheck" fuzz --count 64 --only s_mov_b32 --shard $i/2 --journal "$tmp/camp$i" --out "$tmp/found" >"$tmp/out$i"; done
is "0 1" "$(grep -c '^no stream' "$tmp/out1") $(grep -c '^no stream: of --count 64 shard 2/2 has none$' "$tmp/out2")" "one without a stream says so"
expect "and belongs to the report" 0 "2 shards" $report "$tmp/camp1" "$tmp/camp2"
finish
