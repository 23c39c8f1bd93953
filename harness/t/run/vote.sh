#!/bin/sh
# gcncheck run and fuzz with several --dut: prints TAP. Needs `make tests` done before. 500 planted differences: scripts/mutate/vote.py.
# ALL=1: a campaign through pipes, too (scripts/run/test-long.sh).
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

# ---- through pipes, one of which adds wrongly ----
sed 's/^\( *\)elif d >> 25 in (0x34, 0x13, 0x15):.*/&\n\1    d ^= (0x34 ^ 0x15) << 25 if d >> 25 == 0x34 else 0/' harness/sdk/example_pipe.py >"$tmp/wrong.py"
pipe="pipe:python3 harness/sdk/example_pipe.py" wrong="pipe:python3 $tmp/wrong.py"
run run --dut "$pipe" --dut "$wrong" --dut "$example" $add
set -- $(totals)
is "1 $1 $wrong" "$code $2 $(sed -n 's/^    -> \(.*\) stands alone/\1/p' "$tmp/out" | sort -u)" "two pipes and a plug-in: in $1 places the pipe that adds wrongly"
is yes "$([ "$1" -gt 10 ] && echo yes)" "of which there are some"
if is_long; then # a campaign asks three devices about every opcode and form, two of them in Python
    run fuzz --count 8 --only v_add_u32 --jobs 1 --dut "$pipe" --dut "$wrong" --dut "$example" --out "$tmp/pipes"
    is 1 $code "fuzz, too: exit code"
    grep -A1 '^cause .*: v_add_u32' "$tmp/out" | grep -q "$wrong stands alone"
    ok $? "the pipe that adds wrongly stands alone" "$tmp/out"
fi

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

# ---- random programs ----
example_alone() { # of a report: who stands alone, without the model's number of places
    sed -n 's/^  \(.*\) stands alone in .*/\1/p' "$1" | sort -u
}
cp "$build/model_dut.so" "$tmp/other_dut.so"
other=plugin:$tmp/other_dut.so
# fuzz NAME ARGUMENT...: 64 streams around two opcodes; into $tmp/NAME.j and $tmp/NAME.
fuzz() {
    name=$1
    shift
    run fuzz --count 64 --only v_add_u32,v_bfe_u32 --journal "$tmp/$name.j" --out "$tmp/$name" "$@"
    sed "s/, [0-9.]* s\$//; s|$tmp/$name|OUT|g" "$tmp/out" >"$tmp/$name.out"
}
GCNCHECK_MUTANT=v_add_u32.add_sub fuzz two --jobs 2 --dut "$example" --dut "$whole"
is 1 $code "random programs on two devices that differ: exit code"
is "1" "$(grep -c '^cause .*v_bfe_u32 e64: vgpr, DUT 1, ' "$tmp/out")" "the example's bug is a cause of DUT 1"
is "0" "$(grep '^cause .*v_add_u32' "$tmp/out" | grep -vc ': vgpr, DUT 2, ')" "what is wrong in the mutant are causes of DUT 2"
sed -n '/^cause .*DUT 1,/{n;p;}' "$tmp/out" >"$tmp/alone"
is "$example" "$(example_alone "$tmp/alone")" "there the example stands alone"
sed -n '/^cause .*DUT 2,/{n;p;}' "$tmp/out" >"$tmp/alone"
is "$whole" "$(example_alone "$tmp/alone")" "here the mutant"
has '^DUT 3: model (what the others are held against): alone in 0 places of 0 causes$' out "the model nowhere"
report=$tmp/two/v_bfe_u32-e64-vgpr-dut-1/report.txt
grep -q "^  votes:  v[0-9]* lane [0-9]*: 0x[0-9a-f]* $example; 0x[0-9a-f]* $whole, model: $example stands alone\$" "$report"
ok $? "its finding says who says what" "$report"
cat "$tmp/two/"v_add_u32-*/report.txt | sed -n 's/^  stands: \(.*\) stands alone in .*/\1/p' | sort -u >"$tmp/alone"
is "$whole" "$(cat "$tmp/alone")" "and so do the mutant's"
"$gcncheck" report --format tap "$tmp/two.j" >"$tmp/tap"
is "$(grep -c '^not ok' "$tmp/tap")" "$(grep -c '^  vote: .* stands alone in ' "$tmp/tap")" "every result of the journal has the vote"
"$gcncheck" report "$tmp/two.j" >"$tmp/text"
has "  [0-9]* *v_bfe_u32 e64: vgpr, DUT 1 .*$example stands alone in " text "and its tables name who stands alone"
GCNCHECK_MUTANT=v_add_u32.add_sub fuzz one --jobs 1 --dut "$example" --dut "$whole"
cmp "$tmp/two.out" "$tmp/one.out"
ok $? "one thread prints what two print" "$tmp/one.out"
for name in one two; do
    "$gcncheck" report --canonical --format jsonl "$tmp/$name.j" 2>&1 | sed "s|$tmp/$name/|OUT/|g" >"$tmp/$name.jsonl"
done
has '"vote":"' one.jsonl "the journal as JSON lines has the vote"
cmp "$tmp/one.jsonl" "$tmp/two.jsonl"
ok $? "of one thread as of two" "$tmp/one.jsonl"
python3 - "$tmp/one" "$tmp/two" >"$tmp/check" 2>&1 <<'PY'
import json, os, sys
one, two = ({n: json.load(open("%s/%s/finding.json" % (d, n))) for n in os.listdir(d)} for d in sys.argv[1:])
assert one.keys() == two.keys() and len(one) >= 5, (one.keys(), two.keys())
for n in one:
    assert one[n]["stands"] == two[n]["stands"] and one[n]["votes"] == two[n]["votes"] and one[n]["votes"], n
    assert one[n]["minimal"] == two[n]["minimal"], n
    # By hand: what differs is a place of the minimal program, and its two values are those that were voted on.
    d = one[n]["difference"]["diffs"][0]
    line = one[n]["votes"][0]
    values = {int(v, 16) for v in __import__("re").findall(r"[:;] (0x[0-9a-f]{8}) ", line)}
    assert {int(d["want"], 16), int(d["got"], 16)} == values, (n, line, d)
PY
ok $? "and makes the same findings, with the values that differ" "$tmp/check"
run replay "$tmp/two/v_bfe_u32-e64-vgpr-dut-1" --trust
is 1 $code "a finding is shown again on the one that it names"
has "^  stands: $example stands alone" out "with the vote that was taken"
EXAMPLE_DUT_BUG=0 fuzz none --dut "$example" --dut "$whole"
is "0 0" "$code $(grep -c '^cause' "$tmp/out")" "without bugs nobody differs"
GCNCHECK_MUTANT=v_add_u32.add_sub EXAMPLE_DUT_BUG=0 fuzz model --dut "$other" --dut "$whole"
sed -n '/^cause .*, DUTs 1 2,/{n;p;}' "$tmp/out" >"$tmp/alone"
is "model" "$(example_alone "$tmp/alone")" "against two that agree the model stands alone"
is 0 "$(grep '^cause' "$tmp/out" | grep -vc ', DUTs 1 2, ')" "in all causes"
GCNCHECK_MUTANT=v_add_u32.add_sub EXAMPLE_DUT_BUG=0 fuzz vote --dut "$other" --dut "$whole" --lineage 1,2
is "0 0" "$(grep -c 'stands\{0,1\} alone' "$tmp/out") $(sed -n '/^cause/{/below the gate/!{n;p;};}' "$tmp/out" | grep -vc '^  undecided in \([0-9]*\) of \1 places\{0,1\}$')" \
    "but not if those are one vote"
GCNCHECK_MUTANT=v_add_u32.add_sub EXAMPLE_DUT_BUG=0 fuzz named --dut model --dut "$example" --dut "$whole"
is "5 0" "$(grep '^cause' "$tmp/out" | grep -vc 'below the gate') $(grep '^cause' "$tmp/out" | grep -vc ', DUT 3, ')" "--dut model has the number at which it stands"
has "^DUT 1: model (what the others are held against)" out "and says so"
fuzz crash --dut "$example" --dut "plugin:$build/bad_fatal.so" --dut "$whole" --only v_xor_b32
grep -q "^  votes:  end: ended $example, $whole, model; crash (.*) plugin:$build/bad_fatal.so: plugin:$build/bad_fatal.so stands alone\$" \
    "$tmp/crash/"*/report.txt
ok $? "how a program ends is voted on as well" "$tmp/out"
run fuzz --count 64 --only v_add_u32,v_bfe_u32 --dut "$whole" --dut "$example" --resume "$tmp/two.j" --out "$tmp/two"
is 2 $code "a campaign is not gone on with in another order of devices"
has 'was begun with --dut .*example_dut.so, .*model_dut.so, not with --dut .*model_dut.so, .*example' err "which is named"
run fuzz --count 64 --only v_add_u32,v_bfe_u32 --dut "$example" --dut "$whole" --lineage 1,2 --resume "$tmp/two.j" --out "$tmp/two"
has 'was begun without --lineage, not with --lineage 1,2' err "nor with other votes"

GCNCHECK_MUTANT=ds_add_u32.add_sub run fuzz --count 16 --only ds_add_u32 --dut "$whole" --dut "$example" --out "$tmp/refused"
is 2 $code "what one has wrong and another refuses is not drawn"
has "the DUT does not implement 'ds_add_u32'" err "since not all implement it"
long=$(printf '%600s' '' | tr ' ' /)
run fuzz --count 16 --only v_add_u32 --dut "plugin:.$long$build/model_dut.so" --out "$tmp/long"
is 0 $code "the path of a device may be long"

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
