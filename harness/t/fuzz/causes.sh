#!/bin/sh
# Causes, clusters and findings of campaigns as a user has them, through plug-ins: prints TAP. Needs `make tests` done before.
# ALL=1: a longer campaign (scripts/run/test-long.sh).
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
make_tmp
whole="plugin:$build/model_dut.so"
example="plugin:$build/example_dut.so"

# campaign DUT COUNT [OPTION...]: one, whose findings and journal are in $tmp/found and $tmp/journal; $code, $tmp/out.
campaign() {
    dut=$1 count=$2
    shift 2
    rm -rf "$tmp/found"
    "$gcncheck" fuzz --mcpu gfx900 --seed 1 --count "$count" --dut "$dut" --out "$tmp/found" --force --journal "$tmp/journal" "$@" \
        >"$tmp/out" 2>"$tmp/err"
    code=$?
}

# has PATTERN TITLE, lacks PATTERN TITLE: a line, or none, of what was printed.
has() {
    grep -q -- "$1" "$tmp/out"
    ok $? "$2" "$tmp/out"
}
lacks() {
    is "" "$(grep -- "$1" "$tmp/out")" "$2"
}

# clusters: how many, without those below the gate. causes: likewise. opcodes: those of the causes.
clusters() {
    grep '^cluster ' "$tmp/out" | grep -vc 'below the gate$'
}
causes() {
    grep '^cause ' "$tmp/out" | grep -vc 'below the gate'
}

# few_are_cut MOST: fewer step cases than MOST for each wrong stream, of which one has about 150.
few_are_cut() {
    cut=$(sed -n 's/^cut into \([0-9]*\) .*/\1/p' "$tmp/out")
    wrong=$(sed -n 's/^streams: .* wrong \([0-9]*\) .*/\1/p' "$tmp/out")
    is yes "$([ "$cut" -lt $((wrong * $1)) ] && echo yes)" "of $wrong wrong streams few are cut ($cut step cases)"
}

# complete TITLE: every cause above the gate has a finding with program, seed and number; every cause is in one cluster.
complete() {
    is "$(causes)" "$(sed -n 's|^cause .*: \(/.*found/[^ ]*\).*|\1|p' "$tmp/out" | sort -u | while read -r folder; do
        [ -s "$folder/program.s" ] && grep -q '"seed"' "$folder/finding.json" &&
            grep -q '^  from:   stream [0-9]* of seed 1' "$folder/report.txt" && echo "$folder"
    done | wc -l)" "$1: every cause has its finding"
    is "$(grep '^cause ' "$tmp/out" | sed 's/^cause \([0-9]*\):.*/\1/' | sort)" \
        "$(sed -n 's/^cluster .* causes*: *\([0-9 ]*\).*/\1/p' "$tmp/out" | tr ' ' '\n' | sed '/^$/d' | sort)" \
        "$1: every cause is in one cluster"
}

# ---- one bug in what many opcodes share is one cluster, and the line says what they share ----
GCNCHECK_MUTANT=vop2.dpp_reads_off campaign "$whole" 1500
is 1 $code "a bug of DPP: exit code"
is 1 "$(clusters)" "it is one cluster"
is yes "$([ "$(causes)" -ge 20 ] && echo yes)" "of at least 20 causes"
has '^cluster 1: [0-9]* opcodes, all VOP2 dpp: reads a lane that is off; [0-9]* of [0-9]* step cases with it differ, [01] of ' \
    "which read a lane that is off"
complete "a bug of DPP"
# What the passes say: with the same control, and lanes that are on, the opcodes are right.
lacks '^cluster .*quad_perm' "what right instructions have, too, explains nothing"
members=$(sed -n 's/^cluster 1: \([0-9]*\) opcodes.*/\1/p' "$tmp/out")
"$gcncheck" report --format jsonl "$tmp/journal" >"$tmp/jsonl" 2>/dev/null
is "$members" "$(grep -c '"table":"causes","cells":\["1",' "$tmp/jsonl")" "JSON lists its members"
is 1 "$(grep -c '"table":"clusters","cells":\["1",.*reads a lane that is off' "$tmp/jsonl")" "and what they share"
for format in text html; do
    "$gcncheck" report --format $format "$tmp/journal" >"$tmp/page" 2>/dev/null
    is yes "$(grep -q 'all VOP2 dpp: reads a lane that is off' "$tmp/page" && echo yes)" "$format says what they share"
    is "$members" "$(grep -c 'v_[a-z0-9_]* dpp: [vs]' "$tmp/page" | awk -v n="$members" '{ print ($1 >= n ? n : $1) }')" \
        "$format lists its members"
done

GCNCHECK_MUTANT=vop3a.neg_ignored campaign "$whole" 1500
is 1 "$(clusters)" "a neg that is ignored is one cluster"
has '^cluster 1: [0-9]* opcodes, all VOP3A e64: neg; ' "of opcodes with neg"
complete "a neg that is ignored"
has '^explained: [1-9]' "most streams are not cut again"
few_are_cut 5

# What was in the register before is a trait, too: a mask that keeps the bits of lanes that are off is one bug of all compares.
GCNCHECK_MUTANT=vopc.mask_off_kept campaign "$whole" 400
is 1 "$(clusters)" "a mask that keeps bits is one cluster"
has '^cluster 1: [0-9]* opcodes, all VOPC: a mask as result whose register has bits of lanes that are off; ' "of what was there before"
few_are_cut 20

# ---- marks of branches ----
GCNCHECK_MUTANT=sop1.extra_scc campaign "$whole" 600
lacks '^cause .*: s_\(branch\|cbranch\|call\)' "SCC that s_mov_b32 changes is not put down to branches"
has '^cause .*: s_mov_b32 base: stray-register' "but to s_mov_b32"
is 1 "$(grep '^cluster ' "$tmp/out" | grep -vc ': interactions')" "and is one cluster of instructions"
has '^cluster 1: .* all SOP1: not writes scc' "of those that do not write SCC"
GCNCHECK_MUTANT=s_cbranch_scc0.not_taken campaign "$whole" 400 --only s_cbranch_scc0
has '^cause [12]: s_cbranch_scc0 base: pc' "a branch that is wrong is accused all the same"
GCNCHECK_MUTANT=s_cbranch_scc0.not_taken "$gcncheck" fuzz --mcpu gfx701 --count 60 --only s_cbranch_scc0 --dut "$whole" \
    --out "$tmp/old" >"$tmp/out" 2>"$tmp/err"
has '^cause 1: s_cbranch_scc0 base: pc' "where the instructions that mark have other numbers, too"
lacks '^cause .*: interaction' "and it alone"

# ---- interactions ----
GCNCHECK_MUTANT=state.exec_latched campaign "$whole" 600
is 1 "$(clusters)" "a stale EXEC is one cluster"
has '^cluster 1: interactions through EXEC; ' "which says what links them"
report=$(ls "$tmp"/found/interaction-*/report.txt | head -1)
program=$(dirname "$report")/program.s
is "$(sed -n '/^    /p' "$program")" "$(sed -n '/^  program:/,/^  inputs:/p' "$report" | sed '1d;$d')" \
    "report and program.s list the same program"
is "$(sed -n 's/^    //p' "$program" | grep -v '^s_endpgm\|^s_waitcnt\|^s_mov_b64 exec, 0')" \
    "$(sed -n '/^  inputs:/,/^  diff:/p' "$report" | sed -n 's/^    \(.*\): [a-z0-9_]*=0x.*/\1/p')" \
    "and the inputs of every instruction are shown"

# ---- the family of the example's bugs ----
EXAMPLE_DUT_BUG=all campaign "$example" 1200
is 8 "$(clusters)" "eight bugs at once are eight clusters"
complete "eight bugs"
for said in '[0-9]* opcodes, all dpp: reads a lane that is off' '[0-9]* opcodes, all GLOBAL: an offset below 0' \
    '[0-9]* opcodes, all VOP2 sdwa: src1_sel:WORD_1' '[0-9]* opcodes, all e64: neg and abs of one source' \
    'v_bfe_u32' 's_add_u32' 'v_mul_lo_u32' 'interactions through VCC'; do
    has "^cluster [0-9]*: $said;" "one of them: $said"
done
EXAMPLE_DUT_BUG=0 campaign "$example" 1200
is 0 $code "without them it is right"

# ---- more causes than were ever kept, and the same by any number of threads ----
GCNCHECK_MUTANT=operand.minus_16,vop2.neg_ignored,vopc.abs_ignored,v_bfe_u32.neighbour,vop1.word1_low
export GCNCHECK_MUTANT
campaign "$whole" $(much 2500 1200) --jobs 1
is yes "$([ "$(causes)" -gt 120 ] && echo yes)" "several bugs of many opcodes ($(causes) causes)"
complete "several bugs"
sed 's/, [0-9.]* s$//' "$tmp/out" >"$tmp/out.1"
cp "$tmp/journal" "$tmp/journal.1"
mv "$tmp/found" "$tmp/found.1"
campaign "$whole" $(much 2500 1200) --jobs 2
is "$(cat "$tmp/out.1")" "$(sed 's/, [0-9.]* s$//' "$tmp/out")" "two threads print what one does"
cmp -s "$tmp/journal" "$tmp/journal.1"
ok $? "write the same journal"
is "" "$(diff -r "$tmp/found" "$tmp/found.1")" "and the same findings"
unset GCNCHECK_MUTANT

finish
