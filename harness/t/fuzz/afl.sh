#!/bin/sh
# The target that AFL++ runs (harness/afl), and what becomes of its inputs: they differ on a planted bug, and not on the model;
# gcncheck fuzz --corpus makes findings of them, on which replay and min work. Prints TAP. Needs `make tests` done before.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
command -v afl-clang-fast >/dev/null || skip_all "afl-clang-fast is not there"
grep -q __asan_init "$build/gcncheck" && skip_all "afl-fuzz, which loads the mutator, has no sanitizer; t_recipe has the rest"
make -s afl BUILD="$build" >/dev/null || bail "make afl"
make_tmp
whole=plugin:$PWD/$build/model_dut.so
bug=v_add_f32.other_op
export GCNCHECK_AFL_DUT="$whole" GCNCHECK_AFL_FORMS="$tmp/forms"

# target ARGUMENT...: gcncheck-afl with these; $code, $tmp/out and $tmp/err are what came of it.
target() {
    "$build/gcncheck-afl" "$@" >"$tmp/out" 2>"$tmp/err"
    code=$?
}

# differing: files of $tmp/out that differ, sorted.
differing() {
    sed -n 's/: differs$//p' "$tmp/out" | sort
}

# ---- the target ----
target forms "$tmp/forms"
is 0 $code "the DUT is asked what it implements"
grep -q '^v_add_f32 ' "$tmp/forms"
ok $? "and the answer is written" "$tmp/forms"
mkdir "$tmp/seeds"
target seeds "$tmp/seeds" 1000
is "0 1000" "$code $(find "$tmp/seeds" -type f | wc -l)" "it writes the recipes of streams"
target "$tmp"/seeds/*
is "0 1000" "$code $(grep -c ': as the model$' "$tmp/out")" "on the model none of them differs"
head -c 100 "$tmp/seeds/000004" >"$tmp/cut"
printf x >"$tmp/one"
: >"$tmp/none"
target "$tmp/cut" "$tmp/one" "$tmp/none"
is "0 3" "$code $(grep -c ': as the model$' "$tmp/out")" "any bytes are a program"
GCNCHECK_MUTANT=$bug target "$tmp"/seeds/*
is 1 $code "on a planted bug one differs"
differing >"$tmp/wrong"
[ -s "$tmp/wrong" ] && [ "$(wc -l <"$tmp/wrong")" -lt 20 ]
ok $? "and most do not" "$tmp/wrong"
export GCNCHECK_MUTANT=$bug
sh -c '"$1" <"$2" 2>/dev/null' - "$build/gcncheck-afl" "$(sed -n 1p "$tmp/wrong")" 2>/dev/null
is 134 $? "as AFL++ runs it, a difference is an abort"
unset GCNCHECK_MUTANT
sh -c '"$1" <"$2"' - "$build/gcncheck-afl" "$(sed -n 1p "$tmp/wrong")" 2>/dev/null
is 0 $? "and on the model there is none"

# ---- the gate: VALU-U06 is reported ----
mkdir "$tmp/many"
target seeds "$tmp/many" 1000
export GCNCHECK_AFL_DUT=doubt:VALU-U06
target "$tmp"/many/*
is 0 $code "what differs below the gate is no difference"
GCNCHECK_AFL_GATE=manual target "$tmp"/many/*
is 1 $code "it is one where the gate lets it through"
differing >"$tmp/through"
mkdir "$tmp/differ"
cp -r "$tmp/many" "$tmp/same"
while read -r file; do mv "$tmp/same/${file##*/}" "$tmp/differ"; done <"$tmp/through"
for of in differ same; do
    "$gcncheck" fuzz --jobs 1 --gate manual --dut doubt:VALU-U06 --corpus "$tmp/$of" --out "$tmp/gate" >"$tmp/$of.out"
done
grep -q "^streams: right 0, wrong $(wc -l <"$tmp/through") " "$tmp/differ.out"
ok $? "gcncheck fuzz calls all of these wrong" "$tmp/differ.out"
grep -q "^streams: right $((1000 - $(wc -l <"$tmp/through"))), wrong 0 " "$tmp/same.out"
ok $? "and none of the others" "$tmp/same.out"
export GCNCHECK_AFL_DUT="$whole"

# ---- findings ----
export GCNCHECK_MUTANT=$bug
mkdir "$tmp/crashes"
while read -r file; do cp "$file" "$tmp/crashes"; done <"$tmp/wrong"
echo "not a program" >"$tmp/crashes/README.txt"
"$gcncheck" fuzz --jobs 2 --dut "$whole" --corpus "$tmp/crashes" --out "$tmp/findings" --journal "$tmp/journal" >"$tmp/out" 2>"$tmp/err"
is 1 $? "crashes become findings"
grep -q "^streams: right 0, wrong $(wc -l <"$tmp/wrong") " "$tmp/out"
ok $? "every one of them" "$tmp/out"
finding=$(find "$tmp/findings" -mindepth 1 -maxdepth 1 -name 'v_add_f32-*' | sort | sed -n 1p)
grep -q "^  from:   $tmp/crashes/[0-9]*, after" "$finding/report.txt"
ok $? "that name their file" "$finding/report.txt"
! grep -q "of seed" "$finding/report.txt"
ok $? "and no stream of a seed" "$finding/report.txt"
"$gcncheck" report "$tmp/journal" | grep -q "$tmp/crashes/"
ok $? "as the journal does"
expect "replay shows it again" 1 "^  from:   $tmp/crashes/" "$gcncheck" replay --trust "$finding"
expect "min has nothing to take away" 0 "1 instruction, as before" "$gcncheck" min --trust "$finding"
GCNCHECK_MUTANT='' expect "without the bug it does not differ" 0 "" "$gcncheck" replay --trust "$finding"
"$gcncheck" fuzz --jobs 1 --dut "$whole" --corpus "$tmp/crashes" --out "$tmp/again" >/dev/null
diff -r -x finding.json "$tmp/findings" "$tmp/again" | grep -v "again:\|^[0-9,]*c[0-9,]*$\|^---$\|^diff " >"$tmp/diff"
none "one thread makes the same of them" "$(cat "$tmp/diff")"
unset GCNCHECK_MUTANT
"$gcncheck" fuzz --jobs 1 --dut "$whole" --corpus "$tmp/crashes/$(basename "$(sed -n 1p "$tmp/wrong")")" --out "$tmp/findings" >"$tmp/out"
is 0 $? "a file alone, on the model"

# ---- the script that does all of it ----
script=scripts/afl/afl.sh
make -s "$build/afl_deep.so" "$build/bad_deep.so" BUILD="$build" >/dev/null || bail "make afl_deep.so"
set -- --instrumented "$build/afl_deep.so" --plain "$build/bad_deep.so"
export BUILD="$PWD/$build"
expect "it says what it does" 0 "^examples:" sh $script --help
refuse "no plug-in" 2 "^afl.sh: --instrumented is missing" sh $script
refuse "an option that is none" 2 "^afl.sh: '--speed' is not known" sh $script --speed 3
refuse "an option without its value" 2 "^afl.sh: --time takes a value" sh $script "$@" --time
refuse "a time that is none" 2 "^afl.sh: --time takes a number, not '5m'" sh $script "$@" --time 5m
refuse "no time" 2 "^afl.sh: --time must be 1 to" sh $script "$@" --time 0
refuse "a plug-in that is not there" 2 "nowhere.so: there is no such file" sh $script --instrumented nowhere.so
refuse "one that AFL++ has not compiled" 2 "bad_deep.so: not compiled by afl-clang-fast" sh $script --instrumented "$build/bad_deep.so"
refuse "and the other way round" 2 "afl_deep.so: compiled by AFL++'s compiler" sh $script --instrumented "$build/afl_deep.so" --plain "$build/afl_deep.so"
refuse "a folder that is there" 2 "^afl.sh: --out .* is there already" sh $script "$@" --out "$tmp"
refuse "no corpus" 2 "^afl.sh: --corpus .*nowhere: there is no such folder" sh $script "$@" --corpus "$tmp/nowhere"
refuse "no such processor" 2 "^afl.sh: gcncheck-afl: .*gfx1" sh $script "$@" --mcpu gfx1 --out "$tmp/gfx1"
refuse "a gate that is none" 2 "no evidence is called 'often'" sh $script "$@" --gate often --out "$tmp/often"

# A bug that the seeds show already: what comes of it.
make_example() { "$@" -shared -fPIC -Iharness/sdk harness/sdk/example_dut.c; }
AFL_QUIET=1 make_example afl-clang-fast -o "$tmp/fast.so" && make_example cc -o "$tmp/plain.so" || bail "the example"
sh $script --instrumented "$tmp/fast.so" --plain "$tmp/plain.so" --time 60 --jobs 1 --first --out "$tmp/first" >"$tmp/out" 2>"$tmp/err"
is 1 $? "the first difference ends it" "$tmp/err"
is "v_bfe_u32-e64-vgpr v_bfe_u32-e64-vgpr.case" "$(cd "$tmp/first" && find findings cases -mindepth 1 -maxdepth 1 | sed 's|.*/||' | sort | xargs)" \
    "it is a finding, and a case"
"$gcncheck" replay --dut "plugin:$tmp/plain.so" "$tmp/first/findings/"* >"$tmp/out" 2>&1
is 1 $? "which shows it" "$tmp/out"

# One that needs three things at once, of which the plug-in's branches tell. Blind streams of the same time do not find it.
if is_long; then
    sh $script "$@" --time 300 --jobs 1 --first --out "$tmp/deep" >"$tmp/out" 2>"$tmp/err"
    is "1 v_sub_u32-e64-vgpr" "$? $(ls "$tmp/deep/findings")" "branches lead to what three things make" "$tmp/out"
    "$gcncheck" fuzz --quiet --jobs 1 --time 120s --dut "plugin:$PWD/$build/bad_deep.so" --out "$tmp/blind" >"$tmp/out" 2>"$tmp/err"
    is 0 $? "chance does not in two minutes" "$tmp/out"

    # The main and a second afl-fuzz run.
    mkdir "$tmp/known"
    cp "$(sed -n 1p "$tmp/wrong")" "$tmp/known/"
    sh $script "$@" --seeds 20 --time 4 --jobs 2 --corpus "$tmp/known" --out "$tmp/afl" >"$tmp/out" 2>"$tmp/err"
    is 0 $? "it ends after its time" "$tmp/err"
    grep -q "^[1-9][0-9]* programs in " "$tmp/out"
    ok $? "has run programs" "$tmp/out"
    is "job1 main" "$(cd "$tmp/afl/afl" && find . -mindepth 1 -maxdepth 1 -type d | sed 's|./||' | sort | xargs)" "in two afl-fuzz"
    [ "$(find "$tmp/afl/corpus" -type f | wc -l)" -gt 20 ]
    ok $? "and keeps what reached more branches" "$tmp/out"
    sh $script "$@" --seeds 1 --time 2 --jobs 1 --corpus "$tmp/afl/corpus" --out "$tmp/afl2" >"$tmp/out" 2>"$tmp/err"
    [ "$(find "$tmp/afl2/seeds" -type f | wc -l)" -gt 20 ]
    ok $? "from which the next run goes on" "$tmp/out"
    sh $script "$@" --time 100 --jobs 2 --out "$tmp/afl3" >"$tmp/out" 2>"$tmp/err" &
    script_pid=$!
    for _ in $(seq 60); do [ -f "$tmp/afl3/afl/job1.log" ] && break || sleep 0.5; done
    kill $script_pid
    wait $script_pid
    is 2 $? "ended early it says so"
    none "and leaves nothing running" "$(ps -eo args | grep -- "-o $tmp/afl3/afl" | grep -v grep)"
fi

# ---- what is wrong is said ----
mkdir "$tmp/empty"
refuse "an empty folder" 2 "empty: there is no file in it" "$gcncheck" fuzz --corpus "$tmp/empty" --out "$tmp/findings"
refuse "no such file" 2 "nowhere: " "$gcncheck" fuzz --corpus "$tmp/nowhere" --out "$tmp/findings"
GCNCHECK_AFL_GATE=often refuse "a gate that is none" 2 "GCNCHECK_AFL_GATE: no evidence is called 'often'" "$build/gcncheck-afl" "$tmp/one"
GCNCHECK_AFL_FORMS="$tmp/one" refuse "a file of forms that is none" 2 "not written by gcncheck-afl" "$build/gcncheck-afl" "$tmp/one"
GCNCHECK_AFL_DUT='' refuse "an empty DUT" 2 "GCNCHECK_AFL_DUT and GCNCHECK_AFL_FORMS must be set" "$build/gcncheck-afl" "$tmp/one"
refuse "no DUT" 2 "GCNCHECK_AFL_DUT and GCNCHECK_AFL_FORMS must be set" env -u GCNCHECK_AFL_DUT "$build/gcncheck-afl" "$tmp/one"
GCNCHECK_AFL_MCPU=gfx906 refuse "forms of another processor" 2 "forms: is about gfx900, not gfx906" "$build/gcncheck-afl" "$tmp/one"
refuse "seeds that are no number" 2 "seeds many: not a number" "$build/gcncheck-afl" seeds "$tmp/seeds" many
refuse "seeds without a number" 2 "seeds takes DIR N" "$build/gcncheck-afl" seeds "$tmp/seeds"
refuse "a folder with too long a name" 2 "longer than 4096" "$build/gcncheck-afl" seeds "$(head -c 4090 /dev/zero | tr '\0' x)" 1
finish
