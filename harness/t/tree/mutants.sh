#!/bin/sh
# The mutant campaigns themselves: a survivor is reported, a case that fails on the model is not taken for a kill, and
# a change that no longer fits the source stops the build. TAP.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
export GCNCHECK="$gcncheck" MUTANT_DUT="${BUILD:-build}/model_dut.so"
make_tmp

mkdir -p "$tmp/weak/vop2" "$tmp/wrong/vop2"
printf 'case-format 1\ntest x\ncode\n    v_add_u32 v0, v1, v2\nrows v1 v2 | v0\n     5  0  | 5\n' \
    >"$tmp/weak/vop2/v_add_u32.case"
sed 's/| 5/| 6/' "$tmp/weak/vop2/v_add_u32.case" >"$tmp/wrong/vop2/v_add_u32.case"
score="sh scripts/mutate/mutation-score.sh"
expect "killed by the cases" 0 "^1 passed, 0 failed" $score v_add_u32.add_sub
expect "a survivor is counted" 1 "^0 passed, 1 failed" env CASES="$tmp/weak" $score v_add_u32.add_sub
expect "and named" 1 "^not ok 1 - v_add_u32.add_sub" env CASES="$tmp/weak" $score v_add_u32.add_sub
expect "cases that fail on the model kill nothing" 1 "^Bail out" env CASES="$tmp/wrong" $score v_add_u32.add_sub
expect "an unknown mutant is no success" 1 "^0 passed" $score v_add_u32.nothing
expect "found by the fuzzer" 0 "^1 passed, 0 failed" env OUT="$tmp/found" sh scripts/mutate/mutation-fuzz.sh v_add_u32.add_sub
expect "20 at once are told apart" 0 "^4 passed, 0 failed" python3 scripts/mutate/many.py --mutants 20 --streams 3000 --least 80
expect "what is not found is counted" 1 "^# not found: " python3 scripts/mutate/many.py --mutants 20 --streams 64
expect "not found in time" 1 "not found" env OUT="$tmp/none" TIME=0 sh scripts/mutate/mutation-fuzz.sh v_add_u32.add_sub

# Any bug of a plug-in: what either sees is right, and a bug that nothing sees is not.
score_of="python3 scripts/mutate/plugin_score.py --streams 512"
plugin="--dut plugin:$MUTANT_DUT"
expect "a bug of a plug-in, by cases and by streams" 0 "^# value  *1  *1  *1  *1  *1$" $score_of $plugin v_add_u32.add_sub
expect "the same behind a pipe" 0 "^# value  *1  *1  *1  *1  *1$" $score_of \
    --dut "pipe:python3 harness/t/lib/model_pipe.py $MUTANT_DUT" v_add_u32.add_sub
expect "two bugs drawn, of which cases alone are asked" 0 "^ok 3 - cases: 2 of 2" $score_of $plugin --parts cases --count 2 --seed 5
expect "what streams do not show counts against them" 1 "^not ok 2 - fuzz: 0 of 1" $score_of $plugin --parts fuzz s_getreg_b32.bases
expect "a device without the bug" 1 "the cases do not see it, not found in 512 streams" $score_of --dut model v_add_u32.add_sub
expect "a plug-in that cannot be loaded" 1 "^# exit code 2: .*none.so" $score_of --dut "plugin:$tmp/none.so" v_add_u32.add_sub

mkdir -p "$tmp/few/vop2" && cp cases/vop2/v_add_u32.case cases/vop2/v_xor_b32.case "$tmp/few/vop2"
# The list of survivors: what is on it may survive, and must.
printf '%s\n' '# why' 'v_add_u32.add_* open only one row' >"$tmp/open"
printf '%s\n' 'v_add_u32.add_sub open' >"$tmp/bare"
expect "a survivor that is listed is a TODO" 0 "^not ok 1 - v_add_u32.add_sub # TODO only one row" \
    env CASES="$tmp/weak" KNOWN="$tmp/open" $score v_add_u32.add_sub
expect "and no pass" 0 "^0 passed, 0 failed" env CASES="$tmp/weak" KNOWN="$tmp/open" $score v_add_u32.add_sub
sed -i 's/add_\*/add_sub/' "$tmp/open"
expect "one that is killed makes its line stale" 1 "^# stale: .* v_add_u32.add_sub " env CASES="$tmp/few" KNOWN="$tmp/open" $score v_add_u32.add_sub
expect "a line without a reason is a failure" 1 "^not ok 2 - survivors.known:1 " \
    env CASES="$tmp/weak" KNOWN="$tmp/bare" $score v_add_u32.add_sub

# Slips: one function serves many mutants, each of its own row and class.
expect "classes are listed" 0 "^v_add_u32.neighbour	VOP2	v_add_u32	value	0	opcode number	" "$gcncheck" mutants --format tsv
expect "and counted" 0 "^# opcode_number  *2 *2 *0 *0 *0$" env CASES="$tmp/few" $score v_add_u32.neighbour v_xor_b32.neighbour
expect "a slip is killed by its row's cases" 0 "^1 passed, 0 failed" env CASES="$tmp/few" $score v_add_u32.first_lane_src0
expect "not where no case shows it" 1 "^0 passed, 1 failed" env CASES="$tmp/weak" $score v_add_u32.refused_sdwa

# Mutants are in a program of their own, which stands beside gcncheck or does not.
mkdir -p "$tmp/both" "$tmp/alone"
cp "$GCNCHECK" "$tmp/both/gcncheck" && cp "$GCNCHECK" "$tmp/alone/gcncheck" && cp "$(dirname "$GCNCHECK")/gcncheck-mutants" "$tmp/both"
run="run --quiet --dut mutant:v_add_u32.add_sub cases/vop2/v_add_u32.case"
expect "the product has none" 1 "^0$" grep -c "v_sub_u32.swapped" "$tmp/alone/gcncheck"
expect "the program beside it does" 0 "^1$" grep -c "v_sub_u32.swapped" "$tmp/both/gcncheck-mutants"
expect "gcncheck finds them in its own folder" 0 "^v_add_u32.add_sub " "$tmp/both/gcncheck" mutants
expect "and runs one" 1 "^not ok 1 - vop2/v_add_u32" "$tmp/both/gcncheck" $run
"$tmp/both/gcncheck" fuzz --count 64 --only v_add_u32 --dut mutant:v_add_u32.add_sub --out "$tmp/own" >/dev/null 2>&1
finding=$(ls -d "$tmp"/own/v_add_u32-* | head -n 1)
expect "replays one" 1 "v_add_u32" "$tmp/both/gcncheck" replay "$finding"
expect "alone it lists none" 3 "^gcncheck mutants: no mutants: they are in .* gcncheck-mutants" "$tmp/alone/gcncheck" mutants
expect "runs none" 3 "^gcncheck run: no mutants: " "$tmp/alone/gcncheck" $run
expect "replays none" 3 "^gcncheck replay: no mutants: " "$tmp/alone/gcncheck" replay "$finding"
expect "but replays its finding on the model" 0 "does not differ" "$tmp/alone/gcncheck" replay "$finding" --dut model
expect "the product is made without Python" 1 "^0$" sh -c "make -n BUILD='$tmp/core' core | grep -c 'python\|mutants_\|libmutants'"

# The script beside a copy of the sources: another layout and operands in the other order cost no mutant, a text that is
# gone is named.
ids() {
    grep -oh '\.id = "[^"]*"' "$1"/*.c | sort
}
mkdir -p "$tmp/copy/scripts" && cp -r oracle "$tmp/copy" && cp -r scripts/mutate "$tmp/copy/scripts"
expect "mutants are made of a copy" 0 "^$" sh -c "python3 '$tmp/copy/scripts/mutate/mutate.py' '$tmp/gen' && echo"
ids "$tmp/gen" >"$tmp/ids"
style='{BasedOnStyle: GNU, ColumnLimit: 80, IndentWidth: 3, PointerAlignment: Left, SortIncludes: false}'
if command -v clang-format >/dev/null; then
    find "$tmp/copy/oracle" -name '*.[ch]' -exec clang-format -i --style="$style" {} +
    expect "another layout costs none" 0 "^$" sh -c "python3 '$tmp/copy/scripts/mutate/mutate.py' '$tmp/gen' && echo"
    ids "$tmp/gen" >"$tmp/ids2"
    expect "their names are the same" 0 "^[0-9]* *$" sh -c "cmp '$tmp/ids' '$tmp/ids2' && wc -l <'$tmp/ids2'"
else
    n=$((n + 1))
    echo "ok $n - another layout costs none # SKIP no clang-format"
fi
sed -i 's/sel \* 8/8 * sel/; s/is_float && neg ?/neg \&\& is_float ?/; s/row | (15 - i)/(15 - i) | row/' \
    "$tmp/copy/oracle/sem/operand.c"
expect "the operands are in the other order" 0 "^3" sh -c "grep -c '8 \* sel\|neg && is_float\|(15 - i) | row' '$tmp/copy/oracle/sem/operand.c'"
expect "which costs none" 0 "^$" sh -c "python3 '$tmp/copy/scripts/mutate/mutate.py' '$tmp/gen' && echo"
ids "$tmp/gen" >"$tmp/ids2"
expect "nor another name" 0 "^[0-9]* *$" sh -c "cmp '$tmp/ids' '$tmp/ids2' && wc -l <'$tmp/ids2'"
sed -i '/^OP/{ s/ + /+/g; s/ = /=/g; s/, /,  /g; }' "$tmp"/copy/oracle/isa/rows/*.def
expect "rows are spaced otherwise" 0 "D=S0+S1" grep "v_add_u32" "$tmp/copy/oracle/isa/rows/vop2.def"
expect "which costs none, either" 0 "^$" sh -c "python3 '$tmp/copy/scripts/mutate/mutate.py' '$tmp/gen' && echo"
ids "$tmp/gen" >"$tmp/ids2"
expect "nor another name" 0 "^[0-9]* *$" sh -c "cmp '$tmp/ids' '$tmp/ids2' && wc -l <'$tmp/ids2'"
sed -i 's/neg && is_float ?/neg ?/' "$tmp/copy/oracle/sem/operand.c"
expect "a text that is gone stops the build" 1 "operand.neg_ignored: in prepare_modifiers the text .* found 0 times" \
    python3 "$tmp/copy/scripts/mutate/mutate.py" "$tmp/gen"
echo 'OP(v_new_b32, NO_SUCH_SHAPE, GFX9(1), 0, { D = S0; })' >>"$tmp/copy/oracle/isa/rows/vop2.def"
expect "so does a row it does not understand" 1 "vop2.def:[0-9]*: a row that" python3 "$tmp/copy/scripts/mutate/mutate.py" "$tmp/gen"
finish
