#!/bin/sh
# Tests gcncheck export, import, record and replay of vectors, and both readers: what they judge is what gcncheck run judges.
# TAP 13.
#
#   harness/t/run/vectors.sh [MCPU]...    ALL=1: all cases, by default of gfx900 and gfx908 (scripts/run/test-long.sh)
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
sdk=harness/sdk
some="cases/vop3a/v_perm_b32.case cases/vop3a/v_bfe_u32.case cases/vop2/v_add_co_u32.case cases/vop1/v_rcp_f32.case cases/vop3a/v_fma_f64.case
    cases/ds/ds_add_rtn_u64.case cases/smem/s_load_dwordx2.case cases/vopc/v_cmp_lt_f32.case cases/multi"
files=$(for f in $some; do [ ! -e "$f" ] || echo "$f"; done)
duts="mutant:v_perm_b32.order mutant:v_add_co_u32.clamp_ignored mutant:vop2.neg_ignored"
cpus=gfx900
if is_long; then
    files= cpus="gfx900 gfx908"
    duts="$duts mutant:ds.m0_whole mutant:vop1.omod_ignored"
fi
cpus=${*:-$cpus}

${CC:-cc} -std=c99 -O2 -Wall -Wextra -Werror -I"$sdk" -o "$tmp/judge" "$sdk/judge_vectors.c"
ok $? "the reader in C needs one header and the C library"
printf '#include "gcncheck_vectors.h"\nint main() { gcncheck_vectors f; return gcncheck_vectors_open(&f, "") == 0; }\n' >"$tmp/a.cc"
if command -v c++ >/dev/null; then
    c++ -std=c++11 -Wall -Wextra -Werror -I"$sdk" -o "$tmp/a" "$tmp/a.cc" 2>"$tmp/errors"
    ok $? "which is C++, too" "$tmp/errors"
else
    skip "which is C++, too" "no compiler of C++"
fi

# verdicts RESULTS: id and verdict of each row of the JSON lines of gcncheck run and replay; code that must be refused, which
# only gcncheck runs, and rows for other processors are left out.
verdicts() {
    python3 -c '
import json, sys
word = {"ok": "pass", "not ok": "fail", "todo": "fail", "skip": "skip"}
for line in sys.stdin:
    r = json.loads(line)
    if "id" in r and r["form"] != "text" and r.get("reason") != "not-for-processor":
        print(r["id"], word[r["status"]])' <"$1" | sort
}

# without_text FILE: the same of a reader.
without_text() { grep -v '/text#' "$1" | sort; }

# agree CPU DUT: gcncheck run, replay and both readers say the same of every row.
agree() {
    "$gcncheck" run --quiet --mcpu "$1" --dut "$2" --gate manual --format jsonl $files >"$tmp/run.jsonl"
    "$gcncheck" record --quiet --force --dut "$2" --format bin --out "$tmp/answers.gcv" "$tmp/$1.gcv" || return 1
    "$gcncheck" replay --quiet --gate manual --format jsonl "$tmp/answers.gcv" >"$tmp/replay.jsonl"
    "$tmp/judge" "$tmp/answers.gcv" >"$tmp/c"
    python3 "$sdk/gcncheck_vectors.py" judge "$tmp/answers.gcv" >"$tmp/python"
    verdicts "$tmp/run.jsonl" >"$tmp/want"
    verdicts "$tmp/replay.jsonl" >"$tmp/replay"
    without_text "$tmp/c" >"$tmp/c.rows"
    without_text "$tmp/python" >"$tmp/python.rows"
    cmp "$tmp/want" "$tmp/replay" && cmp "$tmp/want" "$tmp/c.rows" && cmp "$tmp/want" "$tmp/python.rows" && [ -s "$tmp/want" ]
}

for cpu in $cpus; do
    expect "$cpu: written in binary" 0 ' vectors, [1-9]' "$gcncheck" export --force --mcpu $cpu --format bin --out "$tmp/$cpu.gcv" $files
    "$gcncheck" export --quiet --force --mcpu $cpu --out "$tmp/$cpu" $files
    ok $? "$cpu: and as JSON"
    "$gcncheck" import --quiet --force --format bin --out "$tmp/back.gcv" "$tmp/$cpu" && cmp "$tmp/$cpu.gcv" "$tmp/back.gcv" >"$tmp/errors"
    ok $? "$cpu: JSON read back is the same bytes" "$tmp/errors"
    "$gcncheck" import --quiet --force --out "$tmp/back" "$tmp/$cpu.gcv" && diff -r "$tmp/$cpu" "$tmp/back" >"$tmp/errors"
    ok $? "$cpu: and so is the binary file" "$tmp/errors"
    rm -rf "$tmp/back"
    [ $cpu = gfx900 ] && plugin=example_dut.so || plugin=model_dut.so # the example knows gfx900 alone
    for dut in model "plugin:${BUILD:-build}/$plugin" $duts; do
        agree $cpu "$dut" >"$tmp/errors" 2>&1
        ok $? "$cpu, $dut: run, replay, C and Python agree on $(wc -l <"$tmp/want") rows, $(grep -c fail "$tmp/want") of them wrong" "$tmp/errors"
        [ "$dut" = model ] && want=0 || want=1
        [ "$cpu" = gfx900 ] || continue
        [ "$(grep -c fail "$tmp/want")" -gt 0 ] && got=1 || got=0
        is $want $got "$cpu, $dut: some rows are wrong: $want"
    done
done

# Steps of random programs: the model's two engines are right, a mutant is not, and the same seed gives the same bytes.
for n in 1 2; do "$gcncheck" export --quiet --force --count 6 --seed 7 --format bin --out "$tmp/steps$n.gcv"; done
cmp "$tmp/steps1.gcv" "$tmp/steps2.gcv" >"$tmp/errors"
ok $? "random steps: the same seed, the same bytes" "$tmp/errors"
for dut in model model:engine=host mutant:operand.quad_perm mutant:vop3a.clamp_ignored; do
    "$gcncheck" record --quiet --force --dut $dut --format bin --out "$tmp/steps.gcv" "$tmp/steps1.gcv"
    "$tmp/judge" "$tmp/steps.gcv" >"$tmp/c"
    python3 "$sdk/gcncheck_vectors.py" judge "$tmp/steps.gcv" | cmp - "$tmp/c" >"$tmp/errors"
    ok $? "random steps, $dut: C and Python agree on $(wc -l <"$tmp/c") rows, $(grep -c fail "$tmp/c") of them wrong" "$tmp/errors"
    case $dut in model*) is 0 "$(grep -c fail "$tmp/c")" "random steps, $dut: none is wrong" ;; esac
done
"$gcncheck" export --quiet --force --count 20 --only v_perm_b32 --format bin --out "$tmp/steps.gcv"
"$gcncheck" record --quiet --force --dut mutant:v_perm_b32.order --format bin --out "$tmp/answers.gcv" "$tmp/steps.gcv"
expect "a mutant is seen by steps of its opcode" 1 'v_perm_b32.* fail' "$tmp/judge" "$tmp/answers.gcv"

# A recording goes through JSON, too, and is judged from there.
"$gcncheck" export --quiet --force --only v_perm_b32,v_rcp_f32 --out "$tmp/few" cases/vop3a/v_perm_b32.case cases/vop1/v_rcp_f32.case
"$gcncheck" record --quiet --force --dut mutant:v_perm_b32.order --out "$tmp/answers" "$tmp/few"
"$gcncheck" record --quiet --force --dut mutant:v_perm_b32.order --format bin --out "$tmp/answers.gcv" "$tmp/few"
"$gcncheck" import --quiet --force --format bin --out "$tmp/back.gcv" "$tmp/answers"
cmp "$tmp/answers.gcv" "$tmp/back.gcv" >"$tmp/errors"
ok $? "a recording as JSON is the same" "$tmp/errors"
python3 "$sdk/gcncheck_vectors.py" judge "$tmp/answers" >"$tmp/from-json"
"$tmp/judge" "$tmp/answers.gcv" | cmp - "$tmp/from-json" >"$tmp/errors"
ok $? "and Python judges it as C does the binary" "$tmp/errors"
expect "replay says what is wrong" 1 'not ok.*v_perm_b32' "$gcncheck" replay --format tap "$tmp/answers.gcv"

# What somebody has changed is seen.
one="$tmp/few/vop3a/v_perm_b32.e64.json"
sed 's/"want": "3/"want": "4/' "$one" >"$tmp/changed.json"
cmp -s "$one" "$tmp/changed.json" && bail "nothing was changed"
refuse "another value" 2 'changed.json: test 1 (gfx900/vop3a/v_perm_b32/e64.*hash is not' "$gcncheck" import "$tmp/changed.json"
expect "Python sees it, too" 2 'hash is not' python3 "$sdk/gcncheck_vectors.py" list "$tmp/changed.json"
sed 's/"by_lane"/"by_line"/' "$one" >"$tmp/changed.json"
refuse "a member that there is not" 2 'by_line' "$gcncheck" import "$tmp/changed.json"
sed 's/"rows": \[/"rows": 7, "x": [/' "$one" >"$tmp/changed.json"
refuse "one of another kind" 2 'rows\|"x"' "$gcncheck" import "$tmp/changed.json"
echo '{"tests": []}' >"$tmp/changed.json"
refuse "no vectors" 2 'no file of gcncheck vectors' "$gcncheck" import "$tmp/changed.json"
size=$(wc -c <"$tmp/answers.gcv")
for n in 3 11 100 2000 $((size / 2)) $((size - 900)); do
    head -c $n "$tmp/answers.gcv" >"$tmp/short.gcv"
    "$gcncheck" import --quiet --force "$tmp/short.gcv" >/dev/null 2>&1; a=$?
    "$tmp/judge" "$tmp/short.gcv" >/dev/null 2>&1; b=$?
    python3 "$sdk/gcncheck_vectors.py" judge "$tmp/short.gcv" >/dev/null 2>&1; c=$?
    is "2 2 2" "$a $b $c" "cut off after $n of $size bytes"
done
python3 - "$tmp/answers.gcv" "$tmp/bad.gcv" <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
at = data.index(b"want") + 6
data[at + 3] ^= 4
open(sys.argv[2], "wb").write(data)
END
refuse "a bit of a binary file" 2 'hash is not' "$gcncheck" import "$tmp/bad.gcv"
expect "C sees it" 2 'hash is not' "$tmp/judge" "$tmp/bad.gcv"
refuse "vectors without answers" 2 'has no answer' "$gcncheck" replay "$tmp/few"
refuse "no --out" 2 'out is missing' "$gcncheck" export
refuse "another format" 2 'must be json, bin or elf' "$gcncheck" export --format xml --out "$tmp/x"
refuse "a file that is not there" 2 'nowhere' "$gcncheck" import "$tmp/nowhere"
refuse "--dut for a recording" 2 'what its DUT answered' "$gcncheck" replay --dut model "$tmp/answers.gcv"

# Unlike the readers, tables and their hashes have no knowledge of gcncheck: values worked out by hand.
is "$(python3 -c '
import sys; sys.path.insert(0, "harness/sdk"); import gcncheck_vectors as g
v = next(x for x in g.read("'"$tmp"'/few") if x["mnemonic"] == "v_perm_b32")
e = next(e for e in v["end"] if e["place"] == "v0")
print("%08x" % e["want"][0], "%08x" % v.start(0, 256)[3], "%08x" % v.start(0, 7)[0])')" "33221100 b0000003 a0070000" "v_perm_b32 with selector 0x03020100 gives its second source; poison names the place"
finish
