#!/bin/sh
# gcncheck run with several --dut: prints TAP. Needs `make tests` done before. 500 planted differences: scripts/mutate/vote.py.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
make_tmp

# totals: of the last run.
totals() {
    sed -n 's/^[0-9]* results* differs* in \([0-9]*\) places*: one alone \([0-9]*\), a majority \([0-9]*\), undecided \([0-9]*\), .*/\1 \2 \3 \4/p' "$tmp/out"
}

example=plugin:$build/example_dut.so
whole=plugin:$build/model_dut.so
mutant=mutant:v_add_u32.add_sub
add=cases/vop2/v_add_u32.case
bfe=cases/vop3a/v_bfe_u32.case

# ---- the model, a mutant of it and the example ----
run run --dut model --dut "$mutant" --dut "$example" $add $bfe
is 1 $code "three devices that differ: exit code"
set -- $(totals)
is "$1" "$2" "in every place one stands alone"
is "" "$(grep -A 20 '^differs: vop2/v_add_u32' "$tmp/out" | sed -n 's/^    -> \(.*\) stands alone/\1/p' | grep -v "^$mutant\$")" \
    "in v_add_u32 the mutant"
has "^    0x00000003 (expected): model, $example\$" out "the others say what the case expects"
has "^    0xffffffff: $mutant\$" out "and it says what it says"
sed -n '/^differs: vop3a/,$p' "$tmp/out" | sed -n 's/^    -> \(.*\) stands alone/\1/p' | sort -u >"$tmp/alone"
is "$example" "$(cat "$tmp/alone")" "in v_bfe_u32 the example"
has "^1: model (model): right [0-9]*, differs 0, not judged 0; alone in 0 places of 0 results" out "the model nowhere"
cp "$tmp/out" "$tmp/first"
run run --dut model --dut "$mutant" --dut "$example" --jobs 1 $add $bfe
is "" "$(diff "$tmp/first" "$tmp/out")" "with one thread the same"
run run --dut "$example" --dut model --dut "$mutant" --format jsonl $add
python3 - "$tmp/out" "$mutant" >"$tmp/check" 2>&1 <<'PY'
import json, sys
places = [p for l in open(sys.argv[1]) for o in [json.loads(l)] if o["kind"] == "vote" for p in o["places"]]
assert len(places) > 50 and all(p["alone"] == [sys.argv[2]] and p["ending"] == "alone" for p in places), places[:3]
assert all(sum(s["votes"] for s in p["says"]) == 3 and [s["expected"] for s in p["says"]].count(True) == 1 for p in places)
PY
ok $? "the same as JSON lines, in another order" "$tmp/check"

# ---- lineages ----
run run --dut model --dut "$mutant" --dut "$example" --lineage 1,3 $add
has '-> undecided: 2 votes$' out "two of one vote against a third: undecided"
is 0 "$(grep -c 'stands alone' "$tmp/out")" "nobody stands alone"
run run --dut model --dut "$mutant" --dut "$example" --lineage 2,3 $add
has "-> undecided: 1 vote; of one vote, and disagree: $mutant, $example\$" out "two of one vote that disagree have none"
run run --dut model --dut "$mutant" --dut "$example" --dut "$whole" --lineage 1,4 $add
has "^    -> $mutant stands alone" out "but against two votes one stands alone"
EXAMPLE_DUT_BUG=0 run run --dut "$mutant" --dut "$mutant" --dut model --dut "$example" --lineage 1,2 $add
has "^    -> $mutant, $mutant stand alone" out "two of one vote stand alone together"

# ---- more places than a result shows ----
cat >"$tmp/many.case" <<'CASE'
case-format 1

test every lane of four registers
targets gfx900
in    v4 = lane  exec = 0xffffffffffffffff
code
    v_add_u32 v0, v4, v4
    v_add_u32 v1, v0, v4
    v_add_u32 v2, v1, v4
    v_add_u32 v3, v2, v4
case  as the manual has it
out   v0 = ?  v1 = ?  v2 = ?  v3 = 1
CASE
run run --dut model --dut "$mutant" --dut "$whole" "$tmp/many.case"
set -- $(totals)
# v3 is 5 * lane on the model, -3 * lane on the mutant: the same in lane 0 alone, and 1 nowhere.
is "64 63" "$1 $2" "all 64 lanes are held beside one another"
has 'all against the case 1,' out "what all say is not what the case expects"

# ---- what a device cannot tell ----
run run --dut model --dut "$mutant" --dut "$example" --dut "plugin:$build/bad_fatal.so" cases/vop2/v_xor_b32.case
is 1 $code "a device that crashes"
has '^  end:$' out "how a program ends is a place"
has "^    crash (.*): plugin:$build/bad_fatal.so\$" out "with how it ended"
has "^    -> plugin:$build/bad_fatal.so stands alone" out "alone"
run run --dut model --dut "$mutant" --dut "$example" cases/ds/ds_add_u32.case
is 0 $code "what one does not implement is for the others"
run run --dut "$example" --dut "$example" cases/ds/ds_add_u32.case
is 3 $code "and if none does there is no vote"

# ---- bad input ----
# rejects WORDS ARGUMENT...
rejects() {
    words=$1
    shift
    run "$@"
    is "2 1" "$code $(wc -l <"$tmp/err")" "gcncheck $*: exit code and one line"
    has "$words" err "it names what is wrong"
}
rejects "'3' is none of the numbers 1 to 2" run --dut model --dut model --lineage 1,3 $add
rejects 'lineage is for several --dut' run --dut model --lineage 1 $add
rejects 'journal is for one device' run --dut model --dut model --journal "$tmp/j" $add
rejects '"tap" is not text or jsonl' run --dut model --dut model --format tap $add
rejects 'model stands twice' fuzz --dut model --dut model --count 1 --out "$tmp/f"
rejects "'4' is none of the numbers 1 to 3" fuzz --dut "$example" --dut "$whole" --lineage 1,4 --count 1 --out "$tmp/f"
rejects 'lineage is for several --dut' fuzz --dut "$example" --lineage 1 --count 1 --out "$tmp/f"
rejects 'nothing.so' fuzz --dut model --dut plugin:nothing.so --count 1 --out "$tmp/f"
rejects 'min takes one' min "$tmp/f" --dut model --dut model
rejects 'nothing.so' run --dut model --dut plugin:nothing.so $add
finish
