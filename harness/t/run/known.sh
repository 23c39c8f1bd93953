#!/bin/sh
# Known failures: a run is green in spite of them, red for another one alone, and says which have gone; the files of
# deqp-runner; --failures, --time. The device is the example plug-in, whose bugs are switched on by name. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
dut="--dut plugin:${BUILD:-build}/example_dut.so"
cases="cases/sop2/s_add_u32.case cases/vop2/v_add_u32.case cases/vop3a/v_bfe_u32.case cases/vop3a/v_mul_lo_u32.case"

# run BUGS ARGUMENTS...: the exit code in $code, standard output in $tmp/out, standard error in $tmp/err.
run() {
    bugs=$1
    shift
    EXAMPLE_DUT_BUG=$bugs "$gcncheck" run $dut "$@" >"$tmp/out" 2>"$tmp/err"
    code=$?
}
# has CODE PATTERN TITLE: the exit code, and a line of standard error.
has() {
    [ "$code" = "$1" ] && grep -q -e "$2" "$tmp/err"
    ok $? "$3 (code $code)" "$tmp/err"
}
# wrong: ids' opcodes of results that are not ok and no TODO.
wrong() { grep '^not ok' "$tmp/out" | grep -v '# TODO' | sed 's|^not ok [0-9]* - [a-z0-9]*/\([a-z0-9_]*\):.*|\1|' | sort -u | tr '\n' ' '; }

# ---- the file of causes ----
# The kinds of bug are the example's own list: SCC of s_add_u32, v_bfe_u32 past bit 31, v_mul_lo_u32 in lanes that are off.
cat >"$tmp/known" <<'E2'
known-format 1
# what the example has
s_add_u32 base: scc
    SCC is the sum's sign (ticket 1)
v_bfe_u32 e64: vgpr
    until 9999-12-31
    fields past bit 31 (ticket 2)

v_mul_lo_* *: vgpr
    by run fuzz
    writes lanes that are off (ticket 3)
E2
run value,flag,exec $cases
is 1 $code "three bugs that are not known are red"
is "s_add_u32 v_bfe_u32 v_mul_lo_u32 " "$(wrong)" "all three are"
failed=$(grep -c '^not ok' "$tmp/out")
run value,flag,exec --known "$tmp/known" $cases
has 0 ", wrong 0, known $failed (3 causes)" "known ones are green, and counted"
is "" "$(wrong)" "none is an open failure"
is "$failed" "$(grep -c '^not ok .* # TODO known: ' "$tmp/out")" "TAP has each as a TODO"
grep -q '^not ok .*v_bfe_u32.* # TODO known: fields past bit 31 (ticket 2)$' "$tmp/out"
ok $? "with its reason" "$tmp/out"
is 0 "$(grep -c '^  ---' "$tmp/out")" "and nothing more about it"
run value,flag,exec,dpp --known "$tmp/known" $cases
has 1 "wrong [1-9][0-9]* (1 cause), known $failed (3 causes)" "a fourth bug is red"
is "v_add_u32 " "$(wrong)" "it alone"
run value,flag,exec,dpp --failures --known "$tmp/known" $cases
is "not ok 1 - vop2/v_add_u32" "$(grep '^\(not \)*ok' "$tmp/out" | head -1 | cut -d: -f1)" "--failures prints it alone"
is "1..$(grep -c '^not ok' "$tmp/out")" "$(grep '^1\.\.' "$tmp/out")" "with a plan of its own"
run value,exec --known "$tmp/known" $cases
has 0 "known:3: s_add_u32 base: scc: does not fail any more: take it out" "one that was mended is warned of"
is 1 "$(grep -c 'any more' "$tmp/err")" "no other is"

# What could not show is not said to be gone.
run value,exec --known "$tmp/known" --only v_bfe_u32 $cases
is 0 "$(grep -c 'any more' "$tmp/err")" "not where --only leaves it out"
for part in 1/2 2/2; do
    run value,exec --known "$tmp/known" --shard $part $cases
    is 0 "$(grep -c 'any more' "$tmp/err")" "not by shard $part"
done
run value,exec --known "$tmp/known" cases/sop2/s_add_u32.case:16
is 0 "$(grep -c 'any more' "$tmp/err")" "not by a line of the file"
echo 's_add_u32/base#.*\.3$' >"$tmp/skips"
run value,exec --known "$tmp/known" --skips "$tmp/skips" $cases
is 0 "$(grep -c 'any more' "$tmp/err")" "not where --skips leaves some of it out"
sed 's/^    SCC/    by fuzz\n&/' "$tmp/known" >"$tmp/fuzz.known"
run value,exec --known "$tmp/fuzz.known" $cases
is 0 "$(grep -c 'any more' "$tmp/err")" "not by run where fuzz shows it"

# Known for a while.
sed 's/9999-12-31/2001-02-28/' "$tmp/known" >"$tmp/over"
run value,flag,exec --known "$tmp/over" $cases
has 1 "over:5: v_bfe_u32 e64: vgpr: was known until 2001-02-28, and still fails" "one whose day is over"
is "v_bfe_u32 " "$(wrong)" "fails again"

# ---- written ----
run value,flag,exec --known "$tmp/new" --update-known $cases
has 0 "new: 3 added, 0 taken out" "--update-known begins a file"
is "s_add_u32 base: scc v_bfe_u32 e64: vgpr v_mul_lo_u32 e64: vgpr " "$(grep '^[a-z].*: ' "$tmp/new" | tr '\n' ' ')" "of causes, in order"
run value,flag,exec --known "$tmp/new" $cases
has 0 "wrong 0, known $failed (3 causes)" "by which the same run is green"
cp "$tmp/known" "$tmp/both"
run value,exec,dpp --known "$tmp/both" --update-known $cases
has 0 "both: 1 added, 1 taken out" "it adds what is new and takes out what is gone"
sed '/^s_add/,/ticket 1/d' "$tmp/known" >"$tmp/want"
head -n "$(wc -l <"$tmp/want")" "$tmp/both" | cmp -s - "$tmp/want"
ok $? "and leaves the rest as it was" "$tmp/both"
is "v_add_u32 dpp: vgpr" "$(sed '1,/ticket 3/d;/^[a-z]/!d' "$tmp/both")" "the new one stands behind it"
cp "$tmp/over" "$tmp/over2"
run value,flag,exec --known "$tmp/over2" --update-known $cases
is 1 $code "an entry whose day is over is not renewed"
cmp -s "$tmp/over" "$tmp/over2"
ok $? "the file is as it was"
ln -s known "$tmp/link"
refuse "nothing is written through a link" 2 "link: is a symbolic link" "$gcncheck" run --quiet $dut --known "$tmp/link" --update-known cases/vop2/v_mul_lo_u16.case

# ---- deqp-runner's files ----
run value,flag,exec --known "$tmp/fails.csv" --update-known $cases
has 0 "fails.csv: $failed added" "a new .csv is one of deqp-runner"
is "$failed" "$(grep -c '^gfx900/[a-z0-9]*/[a-z0-9_]*/[a-z0-9]*#[^,]*,Fail$' "$tmp/fails.csv")" "a line for each test"
is "$(sort -c "$tmp/fails.csv" 2>&1)" "" "in order"
run value,flag,exec --known "$tmp/fails.csv" $cases
has 0 "wrong 0, known $failed (3 causes)" "which makes the same run green"
run value,flag,exec,dpp --known "$tmp/fails.csv" --failures $cases
has 1 "(1 cause), known $failed (3 causes)" "a fourth bug is red"
is "v_add_u32 " "$(wrong)" "it alone"
run value,exec --known "$tmp/fails.csv" $cases
has 0 "fails.csv:[0-9]*: gfx900/sop2/s_add_u32/base#[^:]*: does not fail any more" "tests that pass are warned of"
is "$(grep -c s_add_u32 "$tmp/fails.csv")" "$(grep -c 'any more' "$tmp/err")" "each of them"
run value,exec --known "$tmp/fails.csv" --shard 1/2 $cases
first=$(grep -c 'any more' "$tmp/err")
run value,exec --known "$tmp/fails.csv" --shard 2/2 $cases
is "$(grep -c s_add_u32 "$tmp/fails.csv")" "$((first + $(grep -c 'any more' "$tmp/err")))" "in shards, each by its own"
{ echo "# with a comment"; echo; sed 's/Fail$/Crash/' "$tmp/fails.csv"; } >"$tmp/crash.txt"
run value,flag,exec --known "$tmp/crash.txt" $cases
is 1 $code "a failure where a crash is expected is new"
{ echo "v_bfe_u32 e64: vgpr,Fail,0.1"; sed 's/Fail$/ExpectedFail/' "$tmp/fails.csv"; echo "gfx900/other#x,Skip"; } >"$tmp/mixed.csv"
run value,flag,exec --known "$tmp/mixed.csv" $cases
has 0 "wrong 0, known $failed" "causes, durations and other statuses"
echo 'v_bfe_u32|s_add_u32' >"$tmp/flakes"
run value,flag,exec --flakes "$tmp/flakes" $cases
is "v_mul_lo_u32 " "$(wrong)" "what --flakes names may fail"
grep -q '# TODO known: flake' "$tmp/out"
ok $? "and is a TODO"
run value,flag,exec --skips "$tmp/flakes" $cases
is "v_mul_lo_u32 " "$(wrong)" "what --skips names is left out"
grep -q '^ok .*s_add_u32.* # SKIP skip-list' "$tmp/out"
ok $? "and is a SKIP"

# ---- bad files ----
bad() {
    printf "$2" >"$tmp/bad"
    refuse "$1" 2 "$3" "$gcncheck" run --quiet $dut --known "$tmp/bad" cases/sop2/s_add_u32.case
}
bad "a cause without a reason" 'known-format 1\na e64: vgpr\n' "bad:2: a e64: vgpr has no reason"
bad "a reason without a cause" 'known-format 1\n   why\n' "bad:2: an indented line, and no cause before it"
bad "no cause" 'known-format 1\nv_bfe_u32\n  why\n' "bad:2: 'v_bfe_u32' is no cause"
bad "twice the same" 'known-format 1\na b: c\n  why\na b: c\n  why\n' "bad:4: a b: c stands in line 2 already"
bad "twice the same pattern" 'known-format 1\na *: c\n  why\na *: c\n  why\n' "bad:4: a \*: c stands in line 2 already"
bad "no date" 'known-format 1\na b: c\n  until 2027-13-01\n  why\n' "bad:3: '2027-13-01' is no date"
bad "another command" 'known-format 1\na b: c\n  by lint\n  why\n' "bad:3: by lint: it is run, fuzz, or both"
bad "a later format" 'known-format 2\n' "bad:1: 'known-format 2': only known-format 1 is known"
bad "no pair" 'just text\n' "bad:1: 'just text' is not NAME,STATUS"
bad "no status" 'a,Maybe\n' "bad:1: 'Maybe' is no status"
bad "a test twice" 'a,Fail\nb,Fail\na,Crash\n' "bad:3: a stands in line 1 already"
refuse "no file" 2 "$tmp/none: cannot be opened" "$gcncheck" run --quiet $dut --known "$tmp/none" cases/sop2/s_add_u32.case
refuse "--update-known alone" 2 "file of --known, which is missing" "$gcncheck" run --quiet $dut --update-known cases/sop2/s_add_u32.case
printf 'ok\n(\n' >"$tmp/bad"
refuse "no regular expression" 2 "bad:2: '(' is no regular expression" "$gcncheck" run --quiet $dut --skips "$tmp/bad" cases/sop2/s_add_u32.case
for pattern in v++++++++++++++++++++++ 'x???++++++++' 'x{2}{2}' 'x*?*'; do
    echo "$pattern" >"$tmp/bad"
    refuse "$pattern" 2 "repeats a repeat: that takes a group" "$gcncheck" run --quiet $dut --skips "$tmp/bad" cases/sop2/s_add_u32.case
done
echo '.(s)\\1++++++' >"$tmp/bad"
refuse "a reference back" 2 "bad:1: '.(s)\\\\1++++++' refers back to a group" "$gcncheck" run --quiet $dut --skips "$tmp/bad" cases/sop2/s_add_u32.case
for pattern in '((((((((((((v)+)+)+)+)+)+)+)+)+)+)+)+' '(v{64}){65}' 'v{99999999999999999999}' '((x{20}){20}){20}' \
    '(([(]|a{20}){20}){20}' '((x{20}\)){20}){20}'; do
    echo "$pattern" >"$tmp/bad"
    refuse "$pattern" 2 "bad:1: '$(echo "$pattern" | sed 's/[][\\.*^$]/\\&/g')' is too long with its repeats written out: at most 4096 characters" \
        "$gcncheck" run --quiet $dut --skips "$tmp/bad" cases/sop2/s_add_u32.case
done
printf '[a-z]+_+[a-z0-9]+/[a-z]+[0-9]+#.+[a-z]+[0-9]+.+[0-9]+_+[a-z]+[0-9]+$\nv{512}\n((s_add)+_u32)+/base\nv{20}_{20}x{20}\n(a)+(b)+(c)+(d)+(e)+(f)+(g)+(h)+(i)+(j)+(k)+(l)+\n[({]{400}\n' >"$tmp/skips"
run 0 --skips "$tmp/skips" cases/sop2/s_add_u32.case
is 0 $code "repeats of characters, and few of repeats, are taken"
cat >"$tmp/skips" <<'end'
v_bfe.*?_u32
v_mul_+?lo_u3{1,}?2
s_add_+?add
end
run value,flag,exec --skips "$tmp/skips" $cases
is "s_add_u32 " "$(wrong)" "a lazy repeat names what one that is not lazy does"

# ---- gone on with; --time ----
run value,flag,exec --known "$tmp/known" --journal "$tmp/j" $cases
"$gcncheck" report --format jsonl "$tmp/j" | grep -c '"status":"known".*"known":"fields past bit 31 (ticket 2)"' >"$tmp/count"
is yes "$([ "$(cat "$tmp/count")" -gt 0 ] && echo yes)" "the journal has the reason"
"$gcncheck" report "$tmp/j" | grep -q "[0-9]  v_bfe_u32 e64: vgpr: fields past bit 31 (ticket 2)"
ok $? "the page lists what is known"
head -c $(($(wc -c <"$tmp/j") * 3 / 4)) "$tmp/j" >"$tmp/cut"
run value,flag,exec --known "$tmp/known" --resume "$tmp/cut" $cases
has 0 "wrong 0, known $failed (3 causes)" "a run that is gone on with knows them"
is 0 "$(grep -c 'any more' "$tmp/err")" "and which showed before"
cmp -s "$tmp/j" "$tmp/cut" || { "$gcncheck" report --canonical --format jsonl "$tmp/j" >"$tmp/a"; "$gcncheck" report --canonical --format jsonl "$tmp/cut" >"$tmp/b"; cmp -s "$tmp/a" "$tmp/b"; }
ok $? "its journal is as one that was not cut"
run 0 --time 1ms --jobs 1 --journal "$tmp/timed" cases/vop2
has 3 "the time was over after [0-9]* of [0-9]* results; to go on: --resume " "--time ends a run"
grep -q '^Bail out!' "$tmp/out"
ok $? "which is not taken for a whole one"
run 0 --resume "$tmp/timed" cases/vop2
is 0 $code "and is gone on with"
"$gcncheck" report "$tmp/timed" >"$tmp/out" 2>&1
ok $? "to its end" "$tmp/out"

# ---- campaigns ----
# fuzz BUGS ARGUMENTS...: as run.
fuzz() {
    bugs=$1
    shift
    EXAMPLE_DUT_BUG=$bugs "$gcncheck" fuzz $dut --seed 1 --count 200 --only s_add_u32,v_bfe_u32,v_mul_lo_u32 --out "$tmp/found" "$@" >"$tmp/out" 2>"$tmp/err"
    code=$?
}
printf 'known-format 1\ns_add_u32 *: scc\n    ticket 1\nv_bfe_u32 e64: vgpr\n    ticket 2\nv_mul_lo_u32 e64: vgpr\n    by run fuzz\n    ticket 3\n' >"$tmp/fz"
fuzz value,flag,exec
is 1 $code "fuzz: three bugs are red"
causes=$(grep -c '^cause ' "$tmp/out")
streams=$(sed -n 's/^cause .*, \([0-9]*\) streams*,.*/\1/p' "$tmp/out" | awk '{ n += $1 } END { print n }')
fuzz value,flag,exec --known "$tmp/fz" --journal "$tmp/fj"
is "0 0" "$code $(grep -c '^cause \|^finding ' "$tmp/out")" "known ones are green, and not printed"
grep -q "^known: $causes of the causes, in $streams streams$" "$tmp/out"
ok $? "but counted ($causes causes in $streams streams)" "$tmp/out"
is "" "$(cat "$tmp/err")" "nothing is warned of"
"$gcncheck" report "$tmp/fj" 2>/dev/null | grep -q '  v_bfe_u32 e64: vgpr: ticket 2$'
ok $? "the journal has the reasons"
sed '/v_bfe/,/ticket 2/d' "$tmp/fz" >"$tmp/fz2"
fuzz value,flag,exec --known "$tmp/fz2"
is "1 v_bfe_u32 e64: vgpr" "$code $(sed -n 's/^cause [0-9]*: \(.*: [a-z]*\),.*/\1/p' "$tmp/out")" "another one is red, and it alone is printed"
fuzz value,flag,exec --known "$tmp/fz2" --max-failures 1
grep -q '^ended early: .*--max-failures' "$tmp/out" && [ "$(grep -c '^cause ' "$tmp/out")" = 1 ]
ok $? "--max-failures counts new ones" "$tmp/out"
fuzz value,flag --known "$tmp/fz"
has 0 "fz:6: v_mul_lo_u32 e64: vgpr: did not show$" "one that did not show is warned of"
{ cat "$tmp/fz"; printf 'v_fma_f32 e64: vgpr\n    why\n'; } >"$tmp/fz4"
fuzz value,flag,exec --known "$tmp/fz4"
is 0 "$(grep -c 'did not show' "$tmp/err")" "not if its opcode was in no stream: the device lacks it"
cp "$tmp/fz2" "$tmp/fz3"
fuzz value,flag --known "$tmp/fz3" --update-known
has 0 "fz3: 1 added, 0 taken out" "--update-known adds and takes nothing out"
grep -q '^    the reason is to be given; seen [0-9]* times, first in stream [0-9]* of seed 1$' "$tmp/fz3"
ok $? "and says where the first is" "$tmp/fz3"
fuzz value,flag --known "$tmp/fz3"
is 0 $code "the same campaign is green then"

# ---- causes that there cannot be ----
printf '%s\n' 'known-format 1' 'v_bfe_u33 e64: vgpr' '    a slip' 's_add_u32 base: scc' '    one that there is' 's_add_u32 e64: scc' '    a slip' \
    'v_bff_u32 *: vgpr' '    a slip' 'v_bf[ef]_x* e64: vgpr' '    a pattern' 'interaction through EXEC ending in VOP2: scc' '    no opcode' \
    'a whole program: vgpr' '    no opcode' >"$tmp/slips"
"$gcncheck" run --quiet --known "$tmp/slips" cases/sop1/s_abs_i32.case >/dev/null 2>"$tmp/err"
is 0 $? "misspelt entries do not fail the run"
is "slips:2: v_bfe_u33 e64: vgpr: no processor has such an opcode
slips:6: s_add_u32 e64: scc: the opcode has no such form
slips:8: v_bff_u32 *: vgpr: no processor has such an opcode" "$(sed 's|^gcncheck run: .*/||' "$tmp/err")" "each is named with its line, and nothing else"
finish
