#!/bin/sh
# What is left of a campaign, or of a run, that could not go on: nothing if it could not begin, and else what it had found out, which no
# report takes for all of it. Prints TAP. Needs `make tests` done before.
# ALL=1: one of two shards that fails, and more of what must be told apart.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
make_tmp
model="pipe:python3 harness/t/lib/model_pipe.py $build/model_dut.so"

# ---- what could not begin leaves nothing, and does not ask the DUT first ----
# leaves_nothing TITLE WORDS ARGUMENT...
leaves_nothing() {
    title=$1 words=$2
    shift 2
    refuse "$title: one line, code 2" 2 "$words" "$gcncheck" "$@" --journal "$tmp/none.j"
    is "" "$(ls -d "$tmp/none.j" "$tmp/none" "$tmp/asked" 2>/dev/null)" "$title: no journal, no folder, no DUT that was started"
}
printf 'v_nosuch 3\n' >"$tmp/weights"
asks="pipe:touch $tmp/asked"
leaves_nothing "an unknown name" "no mnemonic or encoding 'v_nosuch'" fuzz --dut "$asks" --only v_nosuch --out "$tmp/none"
leaves_nothing "one of another processor" "v_dot4_i32_i8 is not on gfx900" fuzz --dut "$asks" --only v_dot4_i32_i8 --out "$tmp/none"
leaves_nothing "an unknown name to skip" "no mnemonic or encoding 'v_nosuch'" fuzz --dut "$asks" --skip v_add_u32,v_nosuch --out "$tmp/none"
leaves_nothing "an unknown profile" "no 'nosuch'; there are: " fuzz --dut "$asks" --profile nosuch --out "$tmp/none"
leaves_nothing "a file of weights with an unknown name" "weights:1: no mnemonic or encoding 'v_nosuch'" \
    fuzz --dut "$asks" --weights "$tmp/weights" --out "$tmp/none"
leaves_nothing "a corpus that is not there" "nocorpus: " fuzz --dut "$asks" --corpus "$tmp/nocorpus" --out "$tmp/none"
rm -f "$tmp/asked"
leaves_nothing "a DUT that says nothing" "ended before it answered hello" fuzz --dut pipe:false --out "$tmp/none"
leaves_nothing "a plug-in that is not there" "nosuch.so: cannot open" fuzz --dut "plugin:$tmp/nosuch.so" --out "$tmp/none"
leaves_nothing "the same of a run" "nosuch.so: cannot open" run --quiet --dut "plugin:$tmp/nosuch.so"
leaves_nothing "a run of no case" "case file or folder 'v_nosuch'" run --quiet --only v_nosuch
# With --force the journal that is there is not given up for a campaign that cannot begin.
run fuzz --quiet --count 64 --only v_bfe_u32 --journal "$tmp/kept.j" --out "$tmp/found"
cp "$tmp/kept.j" "$tmp/kept"
refuse "--force and a wrong name" 2 "no mnemonic" "$gcncheck" fuzz --force --count 64 --only v_nosuch --journal "$tmp/kept.j" --out "$tmp/found"
cmp -s "$tmp/kept" "$tmp/kept.j"
ok $? "the journal that was there is there"
run report "$tmp/kept.j"
is 0 $code "and whole"

# keeps TITLE CODE ARGUMENT...: what was there is there, and no folder is made.
keeps() {
    title=$1 want=$2
    shift 2
    run "$@" --force --journal "$tmp/kept.j" --out "$tmp/none"
    is "$want" $code "$title: exit code"
    is "" "$(cmp "$tmp/kept" "$tmp/kept.j" 2>&1; ls -d "$tmp/none" 2>/dev/null)" "$title: the journal that was there is there, and no folder"
}
keeps "a DUT that is not there" 2 fuzz --dut pipe:false
is_long && keeps "one that dies while it is asked" 3 fuzz --quiet --jobs 1 --dut "$model gone=$tmp/early:50" --only v_bfe_u32
keeps "nothing with a weight" 2 fuzz --dut model --only v_add_u32 --skip v_add_u32
run run --quiet --dut "plugin:$tmp/nosuch.so" --force --journal "$tmp/kept.j" cases/vop3a/v_bfe_u32.case
is 2 $code "a run on a DUT that is not there"
run run --quiet --time 1ms --force --journal "$tmp/kept.j" cases
cmp -s "$tmp/kept" "$tmp/kept.j"
is "3 0" "$code $?" "nor does a run without time take its place"
! grep -q resume "$tmp/err"
ok $? "there is nothing to go on with" "$tmp/err"

# ---- a campaign that ended before what was asked for is a part ----
GCNCHECK_MUTANT=v_bfe_u32.swapped,v_sub_u32.swapped
export GCNCHECK_MUTANT
in_process() { run fuzz --quiet --dut "plugin:$build/model_dut.so" --count 640 --out "$tmp/many" "$@"; }
in_process --journal "$tmp/full.j"
is 1 $code "a campaign with several causes"
in_process --max-failures 1 --journal "$tmp/most.j"
is 1 $code "the same up to the first"
# ended_early JOURNAL: of a campaign that ended early.
ended_early() {
    expect "$1: a part to report" 2 "did not come to the end: this is a part" "$gcncheck" report "$tmp/$1.j"
    expect "$1: nothing has gone" 2 "did not come to its end" "$gcncheck" report --diff "$tmp/full.j" "$tmp/$1.j"
}
ended_early most
if is_long; then
    run fuzz --quiet --dut "plugin:$build/model_dut.so" --count 100000000 --time 5s --out "$tmp/many" --journal "$tmp/timed.j"
    ended_early timed
fi
for seconds in 1 8 60; do # a slow machine has run nothing in the first
    run fuzz --quiet --dut "plugin:$build/model_dut.so" --time $seconds --out "$tmp/many" --journal "$tmp/open.j"
    [ $code = 3 ] || break
done
run report "$tmp/open.j"
is 0 $code "one for which there was only a time is whole"

echo "v_add_u32 9" | "$gcncheck" fuzz --quiet --weights - --count 64 --out "$tmp/many" --journal "$tmp/stdin.j" >"$tmp/out" 2>&1
is 0 $? "weights from standard input, which are read once"

# ---- shards of different campaigns ----
names=$("$gcncheck" list --mcpu gfx900 | grep -o ' v_[a-z0-9_]*_[uif]32 ' | tr -d ' ' | grep -v bfe_u32 | sort -u | head -45 | paste -sd, -)
# shards ARGUMENTS ARGUMENTS: of a campaign with the first and one with the second.
shards() {
    for part in 1 2; do
        [ $part = 1 ] && given=$1 || given=$2
        run fuzz --quiet --dut "plugin:$build/model_dut.so" --count 128 --shard $part/2 --out "$tmp/many" --force --journal "$tmp/part$part.j" $given
    done
    run report "$tmp/part1.j" "$tmp/part2.j"
}
shards "--only $names,v_bfe_u32" "--only $names,s_add_u32"
is 2 $code "shards of two long --only that differ at the end"
# weigh PART WEIGHT: a shard that reads its weights from standard input.
weigh() {
    echo "v_add_u32 $2" | "$gcncheck" fuzz --quiet --weights - --count 128 --shard $1/2 --out "$tmp/many" --force --journal "$tmp/part$1.j" >"$tmp/out" 2>&1
}
weigh 1 1
weigh 2 9
run report "$tmp/part1.j" "$tmp/part2.j"
is 2 $code "shards of two weights from standard input"
weigh 1 9
run report "$tmp/part1.j" "$tmp/part2.j"
is 0 $code "shards of one"
if is_long; then
    shards "--only $names,v_bfe_u32" "--only $names,v_bfe_u32"
    is 0 $code "of one"
    shards "--gate manual" "--gate captured"
    is 2 $code "of two --gate"
fi
unset GCNCHECK_MUTANT

# ---- a DUT that does not start again ----
# is_part TITLE JOURNAL: no report takes it for a whole one.
is_part() {
    run report "$2"
    is 2 $code "$1: code 2 of report"
    has "did not come to the end" err "$1: which says why"
    run report --diff "$tmp/whole.j" "$2"
    is 2 $code "$1: nothing is compared with it"
    run report --partial "$2"
    is 0 $code "$1: with --partial it is a page"
}
# pipes ARGUMENT...: a campaign, or its first half.
pipes() {
    run fuzz --seed 3 --only v_bfe_u32,v_add_u32 --count 256 --jobs 1 "$@"
}
dies="$model gone=$tmp/gone:5000"
GCNCHECK_MUTANT=v_bfe_u32.swapped
export GCNCHECK_MUTANT
pipes --dut "$model" --out "$tmp/whole/found" --journal "$tmp/whole.j"
is 1 $code "a campaign"
run report "$tmp/whole.j"
is 0 $code "its journal is whole"
pipes --dut "$dies" --out "$tmp/dies/found" --journal "$tmp/dies.j"
is 3 $code "the DUT is gone after 5000 jobs"
has "cannot start again" err "it is said"
is_part "a campaign whose DUT is gone" "$tmp/dies.j"
pipes --dut "$dies" --out "$tmp/dies/found" --resume "$tmp/dies.j"
is 2 $code "gone on with while it is gone"
is_part "and again" "$tmp/dies.j"
echo healed >"$tmp/gone"
pipes --dut "$dies" --out "$tmp/dies/found" --resume "$tmp/dies.j"
is 1 $code "gone on with once it is back"
run report "$tmp/dies.j"
is 0 $code "the journal is whole"
run report --format jsonl --canonical "$tmp/dies.j"
sed "s/ gone=[^ \"']*//; s|$tmp/dies|$tmp/whole|" "$tmp/out" >"$tmp/gone.jsonl"
run report --format jsonl --canonical "$tmp/whole.j"
cmp "$tmp/out" "$tmp/gone.jsonl" >"$tmp/why" 2>&1
ok $? "and has what one has whose DUT never was" "$tmp/why"

# The same of one of two shards: together they are not whole.
if is_long; then
    rm "$tmp/gone"
    pipes --dut "$dies" --out "$tmp/shards" --count 512 --shard 1/2 --journal "$tmp/one.j"
    is 3 $code "a shard whose DUT is gone"
    echo healed >"$tmp/gone"
    pipes --dut "$dies" --out "$tmp/shards" --count 512 --shard 2/2 --journal "$tmp/two.j"
    is 1 $code "the other is whole"
    run report "$tmp/one.j" "$tmp/two.j"
    is 2 $code "both together are not"
    has "did not come to the end" err "and it is said"
fi
rm -f "$tmp/gone"
run run --quiet --jobs 1 --dut "$model gone=$tmp/gone:20" --journal "$tmp/run.j" cases/vop2/v_add_u32.case
is 3 $code "a run whose DUT is gone"
run report "$tmp/run.j"
is 2 $code "is not whole"
unset GCNCHECK_MUTANT

# ---- the time, and a wish to end ----
run fuzz --time 1ms --count 1000 --journal "$tmp/late.j" --out "$tmp/found"
is 3 $code "no time for a stream"
is "" "$(ls "$tmp/late.j" 2>/dev/null)" "nothing was found out"
timeout -s INT 1 "$gcncheck" fuzz --count 10000000 --dut model --journal "$tmp/int.j" --out "$tmp/found" >"$tmp/out" 2>"$tmp/err"
has "interrupted by SIGINT after [0-9]* streams; to go on: --resume $tmp/int.j" err "SIGINT: how to go on is said"
run report "$tmp/int.j"
is 2 $code "it is not whole"
finish
