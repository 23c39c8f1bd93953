#!/bin/sh
# scripts/slurm on a real Slurm of one node that cluster.sh starts: prints TAP. Needs `make tests` done before, and root.
#
# A run and a campaign of 8 tasks each, on a plug-in with two planted bugs: tasks are killed with SIGKILL, queued anew, told to end,
# cancelled and submitted again, submitted twice; what is merged is what a single run says. With a shard left out it is not.
# Without Slurm's packages it says SKIP and why.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
build=$(cd "${BUILD:-build}" && pwd) || exit 2
GCNCHECK=$(realpath "$gcncheck") || exit 2
export GCNCHECK
make_tmp
here=scripts/slurm
slurm=$tmp/slurm
export SLURM_CONF="$slurm/slurm.conf"
trap 'sh scripts/slurm/cluster.sh stop "$slurm"; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

sh $here/cluster.sh start "$slurm" >"$tmp/out" 2>&1
case $? in
0) ;;
3) skip_all "$(cat "$tmp/out")" ;;
*)
    note "$(tail -n 30 "$tmp/out")"
    bail "Slurm does not start"
    ;;
esac

# submit DIR SHARDS ARGUMENT...: $array and $merge are its jobs.
submit() {
    jobs=$(sh $here/submit.sh "$@" 2>"$tmp/err") || { note "$(cat "$tmp/err")"; bail "submit.sh $*"; }
    set -- $jobs
    array=$2 merge=$4
}

# field JOB NAME: what Slurm says of it, as JobState.
field() { scontrol -o show job "$1" 2>/dev/null | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }

# ended JOB: waits for it, ten minutes at most.
ended() {
    for _ in $(seq 600); do
        [ -n "$(squeue -h -j "$1" 2>/dev/null)" ] || return 0
        sleep 1
    done
    note "$(squeue; tail -n 5 "$tmp"/*/*.log)"
    return 1
}

# hold DIR BYTES SHARD...: $pids are their gcnchecks, stopped in the midst; what their journals hold is kept.
hold() {
    pids=$(python3 $here/hold.py "$@" 2>"$tmp/err")
    ok $? "tasks are in the midst of it" "$tmp/err"
    dir=$1
    shift 2
    for i; do cp "$dir/shard-$i.journal" "$tmp/begun-$i"; done
}

# went_on DIR SHARD: whether the journal was gone on with; its last record may have been cut off.
went_on() {
    size=$(($(wc -c <"$tmp/begun-$2") / 2))
    cmp -n $size "$tmp/begun-$2" "$1/shard-$2.journal" >"$tmp/out" 2>&1
    ok $? "shard $2 was gone on with, not begun anew" "$tmp/out"
}

# journals DIR: those of the shards.
journals() { for i in 1 2 3 4 5 6 7 8; do echo "$1/shard-$i.journal"; done; }

# page_differs FILE: what is otherwise on a page of shards than on that of the single run, in $tmp/out.
page_differs() { ! sed '1s/, 8 shards//' "$1" | diff "$tmp/single.txt" - >"$tmp/out"; }

bug=v_bfe_u32.swapped,v_add_u32.add_sub
dut=plugin:$build/model_dut.so
export GCNCHECK_MUTANT=$bug

# ---- a run ----
dir=$tmp/run
submit "$dir" 8 run --mcpu gfx900 --dut "$dut" cases
hold "$dir" 300000 3 5 6
kill -9 "${pids%% *}"
scontrol requeue "${array}_5"
ok $? "a task is queued anew by hand"
scancel --signal=TERM --batch "${array}_6"
sleep 1
kill -CONT "${pids##* }"
again=$(sbatch --parsable --array=2 --output="$dir/again-%a.log" $here/shard.sh "$dir" 8 "$GCNCHECK" run --mcpu gfx900 --dut "$dut" cases)
ok $? "a shard is submitted a second time"
ended "$merge" && ended "$again"
ok $? "all come to an end"
for i in 3 5 6; do
    is 1 "$(field "${array}_$i" Restarts)" "task $i was started once more"
    went_on "$dir" $i
done
grep -q 'shard 3: gcncheck died with code 137' "$dir/shard-3.log"
ok $? "its log says that gcncheck was killed" "$dir/shard-3.log"
grep -q 'shard 6: told to end' "$dir/shard-6.log"
ok $? "and of another that it was told to end" "$dir/shard-6.log"
is "COMPLETED 0:0" "$(field "${again}_2" JobState) $(field "${again}_2" ExitCode)" "the doubled task has nothing to do"
is "FAILED 1:0" "$(field "$merge" JobState) $(field "$merge" ExitCode)" "the merge fails, because cases do"
is "right" "$(cut -c1-5 "$dir/merge.log")" "and says one line"

"$gcncheck" run --quiet --mcpu gfx900 --dut "$dut" --journal "$tmp/single" cases >/dev/null
"$gcncheck" report "$tmp/single" >"$tmp/single.txt"
"$gcncheck" report --format jsonl --canonical "$tmp/single" >"$tmp/single.jsonl"
"$gcncheck" report --format junit "$tmp/single" >"$tmp/single.xml"
! page_differs "$dir/report.txt"
ok $? "the page is that of a single run, byte for byte but for the words \", 8 shards\"" "$tmp/out"
cmp "$tmp/single.jsonl" "$dir/report.jsonl" >"$tmp/out" 2>&1
ok $? "as JSON lines they are the same, byte for byte" "$tmp/out"
cmp "$tmp/single.xml" "$dir/report.xml" >"$tmp/out" 2>&1
ok $? "as JUnit, too" "$tmp/out"
grep -q ' v_bfe_u32 e64: vgpr$' "$dir/report.txt"
ok $? "the bug is named"

# ---- what must not pass ----
mkdir "$tmp/hole"
cp "$dir"/shard-*.journal "$tmp/hole"
rm "$tmp/hole/shard-4.journal"
refuse "a shard is left out" 2 "shard 4/8 is missing" sh $here/merge.sh "$tmp/hole" 8 "$GCNCHECK"
[ ! -e "$tmp/hole/report.txt" ]
ok $? "and no report stands"
"$gcncheck" report --partial "$tmp"/hole/*.journal | sed '1s/, 7 of 8 shards//' >"$tmp/left"
page_differs "$tmp/left"
ok $? "what would be merged without it is not the single run's"
"$gcncheck" report --partial --format jsonl --canonical "$tmp"/hole/*.journal >"$tmp/left"
! cmp -s "$tmp/single.jsonl" "$tmp/left"
ok $? "nor as JSON lines"
cp "$dir/shard-5.journal" "$tmp/hole/shard-4.journal"
refuse "one is there twice" 2 "shard 5/8 of .* is there twice" sh $here/merge.sh "$tmp/hole" 8 "$GCNCHECK"
cp "$tmp/begun-3" "$tmp/hole/shard-3.journal"
cp "$dir/shard-4.journal" "$tmp/hole/shard-4.journal"
sh $here/merge.sh "$tmp/hole" 8 "$GCNCHECK" >"$tmp/out" 2>&1
is 2 $? "one is cut short" "$tmp/out"
[ ! -e "$tmp/hole/report.txt" ]
ok $? "and no report stands of it either"

# ---- a campaign, of which a task is cancelled ----
dir=$tmp/fuzz
set -- --mcpu gfx900 --seed 1 --count 4096 --dut "$dut"
submit "$dir" 8 fuzz "$@"
hold "$dir" 600 2 7
kill -9 "${pids% *}"
scancel "${array}_7"
ended "$merge"
ok $? "all come to an end"
is CANCELLED "$(field "${array}_7" JobState)" "who was cancelled is not queued anew"
is "FAILED 2:0" "$(field "$merge" JobState) $(field "$merge" ExitCode)" "the merge fails, because a shard is not whole"
[ ! -e "$dir/report.txt" ]
ok $? "without a report"
went_on "$dir" 2
submit "$dir" 8 fuzz "$@"
ended "$merge"
ok $? "submitted again it comes to an end"
is "FAILED 1:0" "$(field "$merge" JobState) $(field "$merge" ExitCode)" "the merge fails, because there are findings"
went_on "$dir" 7

# The same shards one after the other, nobody disturbed: the same pages, byte for byte.
mkdir "$tmp/alone"
for i in 1 2 3 4 5 6 7 8; do
    "$gcncheck" fuzz --quiet "$@" --shard $i/8 --journal "$tmp/alone/shard-$i.journal" --out "$tmp/alone/shard-$i.findings" >/dev/null
done
sh $here/merge.sh "$tmp/alone" 8 "$GCNCHECK" >/dev/null
sed "s,$tmp/alone/,$dir/," "$tmp/alone/report.txt" | diff - "$dir/report.txt" >"$tmp/out"
ok $? "the page is that of shards that ran one after the other, byte for byte" "$tmp/out"
sed "s,$tmp/alone/,$dir/," "$tmp/alone/report.jsonl" | cmp - "$dir/report.jsonl" >"$tmp/out" 2>&1
ok $? "as JSON lines, too" "$tmp/out"
(cd "$tmp/alone" && find shard-*.findings -type f ! -name report.txt ! -name finding.json | sort | xargs sha256sum) >"$tmp/want"
(cd "$dir" && sha256sum -c "$tmp/want") >"$tmp/out" 2>&1
ok $? "the programs of findings are the same" "$tmp/out"

# A single campaign knows a cause of one stream in all others; what it ran and which causes it has are the same.
"$gcncheck" fuzz --quiet "$@" --journal "$tmp/campaign" --out "$tmp/campaign.findings" >/dev/null
causes() { "$gcncheck" report --format jsonl --canonical "$@" | sed -n 's/.*"cause":"\([^"]*\)".*/\1/p' | sort -u; }
sums() { awk '/^fuzz$/ { on = 1; next } /^$/ { on = 0 } on && $1 + 0 { for (i = 1; i <= 4; i++) s[i] += $i } END { print s[1], s[2], s[3], s[4] }' "$1"; }
causes "$tmp/campaign" >"$tmp/want"
causes $(journals "$dir") 2>/dev/null | diff "$tmp/want" - >"$tmp/out"
ok $? "the causes are those of a single campaign" "$tmp/out"
"$gcncheck" report "$tmp/campaign" >"$tmp/campaign.txt"
is "$(sums "$tmp/campaign.txt")" "$(sums "$dir/report.txt")" "streams, instructions, right and wrong add up to its"

# ---- nothing wrong ----
unset GCNCHECK_MUTANT
submit "$tmp/clean" 8 run --mcpu gfx900 --dut "$dut" cases/vop3a
ended "$merge"
is "COMPLETED 0:0" "$(field "$merge" JobState) $(field "$merge" ExitCode)" "the merge of a run without failures passes"
refuse "a number of shards that is none" 2 "'0': SHARDS is a number" sh $here/submit.sh "$tmp/x" 0 run
refuse "a file that all tasks would write" 2 "^submit.sh: --coverage: tasks would write one file" sh $here/submit.sh "$tmp/x" 2 fuzz --coverage c
refuse "an argument that is the task's" 2 "^submit.sh: --journal: shard.sh says it" sh $here/submit.sh "$tmp/x" 2 run --journal j
refuse "another command" 2 "'launch': run or fuzz" sh $here/submit.sh "$tmp/x" 2 launch
submit "$tmp/bad" 2 run --dut plugin:/nowhere.so cases/sop2
ended "$merge"
is "FAILED 2:0" "$(field "${array}_1" JobState) $(field "${array}_1" ExitCode)" "a task that cannot begin fails and is not queued anew"
grep -q 'nowhere.so' "$tmp/bad/shard-1.log"
ok $? "and its log says why" "$tmp/bad/shard-1.log"
is "FAILED 2:0" "$(field "$merge" JobState) $(field "$merge" ExitCode)" "as does the merge"
finish
