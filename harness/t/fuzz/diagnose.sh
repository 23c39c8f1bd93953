#!/bin/sh
# What a finding is like: gcncheck diagnose, fuzz --diagnose. Prints TAP. Needs `make tests` done before.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
make_tmp
whole=plugin:$build/model_dut.so

# planted ID OPCODE: a campaign against the model with this bug; its reports are in $tmp/ID.
planted() {
    GCNCHECK_MUTANT=$1 "$gcncheck" fuzz --dut "$whole" --only "$2" --count 200 --jobs 2 --diagnose --out "$tmp/$1" >"$tmp/out" 2>"$tmp/err"
}

# like ID: whether a report names the mutant, alone or beside others with the same results.
like() {
    grep -h "^  like: .*\b$1\b.*: \([0-9]*\)/\1 outputs equal" "$tmp/$1"/*/report.txt
}

for pair in v_perm_b32.sel12/v_perm_b32 v_mad_f32.s2_plain/v_mad_f32 v_add_u32.add_sub/v_add_u32 s_bfe_u32.width/s_bfe_u32 \
    ds_add_u32.add_sub/ds_add_u32; do
    id=${pair%/*}
    "$gcncheck" mutants | grep -q "^$id " || { skip "$id" "no such mutant"; continue; }
    planted "$id" "${pair#*/}"
    like "$id" >/dev/null
    ok $? "$id is named by its results" "$tmp/out"
    is "$(grep -h '^  like:' "$tmp/$id"/*/report.txt | sed 's/^  like: *//' | sort -u)" \
        "$(sed -n 's/^ "like": "\(.*\)",$/\1/p' "$tmp/$id"/*/finding.json | sort -u)" "finding.json says the same"
done

# What a bug depends on: this one on nothing.
planted v_cmp_nge_f64.inverted v_cmp_nge_f64
grep -hq '^  fails:  always: \([0-9]*\)/\1$' "$tmp"/v_cmp_nge_f64.inverted/*/report.txt
ok $? "an inverted mask fails always" "$tmp/out"
folder=$tmp/v_mad_f32.s2_plain/v_mad_f32-e64-vgpr

grep -q "^  again:  gcncheck replay .* --trust$" "$folder/report.txt"
ok $? "its DUT is the one that was named: replay needs --trust, not --dut" "$folder/report.txt"

# One that is known is passed over, as in the summary.
printf 'known-format 1\nv_mad_f32 *: *\n    a reason\n' >"$tmp/known"
GCNCHECK_MUTANT=v_mad_f32.s2_plain "$gcncheck" fuzz --dut "$whole" --only v_mad_f32 --count 200 --jobs 2 --diagnose --known "$tmp/known" \
    --out "$tmp/passed" >"$tmp/out" 2>"$tmp/err"
is 0 $? "known causes do not fail the campaign"
[ -s "$tmp/passed/${folder##*/}/report.txt" ] && ! grep -q '^  like:' "$tmp/out" "$tmp/passed"/*/report.txt
ok $? "known causes are not diagnosed" "$tmp/out"

# A finding that is there; what was found stays the same, and replay still reads it.
sum=$(cksum <"$folder/finding.json")
GCNCHECK_MUTANT=v_mad_f32.s2_plain "$gcncheck" diagnose --trust "$folder" >"$tmp/out" 2>"$tmp/err"
is 0 $? "diagnose of a folder"
grep -q '^  like:   v_mad_f32.s2_plain ' "$tmp/out"
ok $? "prints what it found" "$tmp/out"
is "$sum" "$(cksum <"$folder/finding.json")" "and finds the same again"
GCNCHECK_MUTANT=v_mad_f32.s2_plain "$gcncheck" replay --trust "$folder" >"$tmp/out" 2>"$tmp/err"
is 1 $? "the finding still shows the bug"
grep -q '^  like:   v_mad_f32.s2_plain ' "$tmp/out"
ok $? "its report says what it is like" "$tmp/out"
"$gcncheck" diagnose --dut model "$folder" >"$tmp/out" 2>"$tmp/err"
grep -q ': nothing was found' "$tmp/out"
ok $? "on a right device there is nothing to say" "$tmp/out"

GCNCHECK_MUTANT=v_mad_f32.s2_plain "$gcncheck" diagnose "$folder" >"$tmp/out" 2>"$tmp/err"
is 2 $? "its DUT is a program: without --trust it is not started"
grep -q 'its DUT is a program' "$tmp/err"
ok $? "and why is said" "$tmp/err"

# A bug that no mutant has is not called by the name of one.
"$gcncheck" fuzz --dut "plugin:$build/example_dut.so" --count 100 --jobs 2 --diagnose --out "$tmp/example" >"$tmp/out" 2>"$tmp/err"
none "the example's own bug is like no mutant in all outputs" "$(grep -h "^  like: .*: \([0-9]*\)/\1 outputs equal" "$tmp"/example/*/report.txt)"

# Without mutants.
mkdir "$tmp/alone"
cp "$gcncheck" "$tmp/alone/gcncheck"
GCNCHECK_MUTANT=v_mad_f32.s2_plain "$tmp/alone/gcncheck" diagnose --trust "$folder" >"$tmp/out" 2>"$tmp/err"
is 0 $? "without mutants beside it"
grep -q 'mutants were not tried: .*/alone/gcncheck-mutants is not there: make mutants' "$tmp/err"
ok $? "it says what is missing" "$tmp/err"
finish
