#!/bin/sh
# The commands fuzz, min and replay as a user has them: prints TAP. Needs `make tests` done before. ALL=1: longer campaigns, more
# bugs of state, and what waits (scripts/run/test-long.sh).
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
make_tmp

# What does not depend on time and folder.
stable() {
    sed -e "s|$tmp/[a-z0-9]*|DIR|g" -e 's/, [0-9.]* s$//' "$tmp/out"
}

# Of the summary in $tmp/out: streams, and right + wrong + unimplemented; wrong; streams of all causes.
streams() {
    sed -n 's/.*: \([0-9]*\) streams, .* s$/\1/p' "$tmp/out"
}
verdicts() {
    sed -n 's/^streams: right \([0-9]*\), wrong \([0-9]*\) .* unimplemented \([0-9]*\),.*/\1 + \2 + \3/p' "$tmp/out"
}
wrong() {
    sed -n 's/^streams: .* wrong \([0-9]*\) .*/\1/p' "$tmp/out"
}
shown() {
    echo $(($(sed -n 's/^cause .*, \([0-9]*\) streams*, .*/\1/p' "$tmp/out" | paste -sd +)))
}

example=plugin:$build/example_dut.so

# ---- a bug in a plug-in ----
run fuzz --mcpu gfx900 --seed 1 --count 300 --jobs 2 --dut "$example" --out "$tmp/two"
is 1 $code "the example's bug: exit code"
has '^cause 1: v_bfe_u32 e64: vgpr, .*, 1 instruction:' out "the example's bug is one instruction"
has '(1 cause in 1 cluster)' out "nothing else is accused"
has '[1-9][0-9]* without what was refused' out "instructions were refused and taken out"
is "$(streams)" $(($(verdicts))) "right, wrong and unimplemented are all streams"
is "$(shown)" "$(wrong)" "each stream that shows the cause is wrong, also where something was refused"
stable >"$tmp/stable"
finding=$tmp/two/v_bfe_u32-e64-vgpr
for file in finding.json report.txt program.s candidate.case; do
    is yes "$([ -s "$finding/$file" ] && echo yes)" "the finding has $file"
done
run fuzz --mcpu gfx900 --seed 1 --count 300 --jobs 1 --dut "$example" --out "$tmp/one"
is "$(cat "$tmp/stable")" "$(stable)" "one thread finds what two threads find"
diff -r "$tmp/one" "$tmp/two" >/dev/null
is 1 $? "but for the folder's name in the reports"
sed -i "s|$tmp/[a-z]*|DIR|" "$tmp"/one/*/report.txt "$tmp"/two/*/report.txt
is "" "$(diff -r "$tmp/one" "$tmp/two")" "the findings are the same"
run fuzz --mcpu gfx900 --seed 1 --count 300 --shard 2/3 --dut "$example" --out "$tmp/shard"
has ": 108 streams" out "the second of three shards does its part"

run run --mcpu gfx900 "$finding/candidate.case"
is 0 $code "the candidate is a case file"
has '^right 1, ' err "of one case"
sed 's/^\(out .*\) = ?$/\1 = 0x5eed/' "$finding/candidate.case" >"$tmp/filled.case"
run run --mcpu gfx900 "$tmp/filled.case"
is 1 $code "filled in, it checks"

# ---- the longest programs ----
run fuzz --mcpu gfx908 --seed 3 --length 200 --count 700 --out "$tmp/length"
is 0 $code "programs as long as may be asked for"
has '^streams: right 700, ' out "are as right as others"

# ---- replay and min ----
run replay --trust "$finding"
is 1 $code "replay: it differs"
has 'v_bfe_u32' out "replay: the report"
EXAMPLE_DUT_BUG=0 "$gcncheck" replay --trust "$finding" >"$tmp/out" 2>"$tmp/err"
is 0 $? "replay with the bug off: it does not"
case $gcncheck in
/*) there=$gcncheck ;;
*) there=$PWD/$gcncheck ;;
esac
(cd / && "$there" replay --trust "$finding") >"$tmp/out" 2>"$tmp/err"
is 1 $? "replay from another folder: the device is found"
has "again:  gcncheck replay $finding --trust\$" out "the command to run it again works from there too"
run replay "$finding" --dut model
is 0 $code "replay on another device"
cp "$build/example_dut.so" "$tmp/other.so"
(cd "$tmp" && "$there" replay "$finding" --dut plugin:other.so) >"$tmp/out" 2>"$tmp/err"
has "again:  gcncheck replay $finding --dut plugin:$tmp/other.so\$" out "the command names it, for any folder"
run min --trust "$finding"
is 0 $code "min"
cp -r "$finding" "$tmp/before"
run min --trust "$finding"
is "" "$(diff -r "$tmp/before" "$finding")" "min of what is minimal changes nothing"
EXAMPLE_DUT_BUG=0 "$gcncheck" min --trust "$finding" >"$tmp/out" 2>"$tmp/err"
is 3 $? "min of what does not differ any more"

# ---- no bug ----
many=$(much 10000 1500)
EXAMPLE_DUT_BUG=0 "$gcncheck" fuzz --mcpu gfx900 --seed 1 --count "$many" --dut "$example" \
    --out "$tmp/none" >"$tmp/out" 2>"$tmp/err"
is 0 $? "$many streams on the example without its bug"
has "streams: right $many, wrong 0" out "all of them right"
is "" "$(ls "$tmp/none" 2>/dev/null)" "no finding"
run fuzz --mcpu gfx900 --seed 2 --count "$many" --dut model:engine=host --out "$tmp/none"
is 0 $code "$many streams on the host engine, flags and all"
has "streams: right $many, wrong 0" out "all of them right"

# ---- a device without s_nop that claims too many registers ----
EXAMPLE_DUT_BUG=0 "$gcncheck" fuzz --seed 1 --count 1000 --dut "plugin:$build/bad_bare.so" \
    --out "$tmp/bare" >"$tmp/out" 2>"$tmp/err"
is 0 $? "a device without s_nop, with registers that gfx900 lacks: nothing is accused"
has 'streams: right 1000, wrong 0' out "what it refuses is taken out without s_nop"
has '^hint: the DUT does not implement s_nop' out "and a hint says what is worth implementing"

# ---- state that lives between instructions ----
for mutant in $(much 'stale_mode:2 exec_latched:2 vcc_late:2 scc_lost:2 late_load:3 lds_stale:5' 'stale_mode:2 scc_lost:2 late_load:3'); do
    case $mutant in lds* | vcc*) count=3000 ;; *) count=1000 ;; esac
    run fuzz --seed 1 --count $count --dut "mutant:state.${mutant%:*}" --out "$tmp/state"
    is 1 $code "state.${mutant%:*} is found"
    has "^cause .*, ${mutant#*:} instructions: " out "and shrunk to ${mutant#*:} instructions"
done

# ---- a device that dies ----
run fuzz --seed 1 --count 100 --dut-time 100ms --dut "plugin:$build/bad_fatal.so" --out "$tmp/fatal"
is 1 $code "a device that crashes and hangs"
has '^cause .*: v_xor_b32 e32: crash.*, 1 instruction:' out "the crash is put down to its instruction"
has '^cause .*: v_and_b32 e32: hang.*, 1 instruction:' out "so is the hang"
has '^cause .*: v_bfe_u32 e64: vgpr' out "and the rest is judged all the same"
has '4 end the DUT' out "what ends it is left out of the streams"
is 104 "$(streams)" "but counted: each of the four is a stream"
is 104 $(($(verdicts))) "and right, wrong and unimplemented are all of them"
is "$(shown)" "$(wrong)" "and they are wrong"
EXAMPLE_DUT_BUG=0 "$gcncheck" fuzz --seed 1 --count 20 --dut-time 100ms \
    --dut "plugin:$build/bad_late.so" --out "$tmp/late" >"$tmp/out" 2>"$tmp/err"
is 1 $? "a device that hangs on most vector instructions"
has '^not asked: ' out "after some it is asked no further"
is 20 $(($(streams) - $(grep -c ': hang, 1 stream' "$tmp/out"))) "each hang is one stream more, and costs time only once"
# What gives up for good is told at once, and what it showed before is kept.
for how in all silent rest; do
    start=$(date +%s)
    BAD_GAVEUP=$how timeout 100 "$gcncheck" fuzz --seed 1 --count 1000 --dut "plugin:$build/bad_gaveup.so" --out "$tmp/$how" \
        >"$tmp/out" 2>"$tmp/err"
    is 3 $? "a device that gives up ($how): exit code"
    is 1 "$(wc -l <"$tmp/err")" "one line"
    case $how in
    all) has 'nothing but s_endpgm: crash (run() gave up with code 7)' err "it says why" ;;
    silent) has 'nothing but s_endpgm: nonsense (run() left the job without an outcome' err "it says why" ;;
    rest)
        has 'ends in every instruction it is asked for: crash (run() gave up with code 7)' err "it says why"
        is yes "$([ "$(ls "$tmp/rest" | wc -l)" -ge 5 ] && echo yes)" "what it showed is kept"
        ;;
    esac
    is yes "$([ $(($(date +%s) - start)) -lt 60 ] && echo yes)" "and it did not take long"
done
if is_long; then
    BAD_GAVEUP=long timeout 600 "$gcncheck" fuzz --seed 1 --count 10000 --length 80 --dut "plugin:$build/bad_gaveup.so" --out "$tmp/long" >"$tmp/out" 2>"$tmp/err"
    is 1 $? "a device that crashes in every whole program"
    has '^ended early: the DUT crashed' out "ends the campaign early"
    has '^cause 1: v_bfe_u32 e64: vgpr' out "what its instructions show is kept"
    # A pipe that never says hello is bounded by --dut-time.
    start=$(date +%s)
    run fuzz --count 1 --dut-time 1s --dut 'pipe:sleep 100' --out "$tmp/x"
    is 2 $code "a pipe that does not start"
    is yes "$([ $(($(date +%s) - start)) -lt 50 ] && echo yes)" "--dut-time bounds its start"
fi
"$gcncheck" fuzz --seed 1 --count 1000000 --dut "$example" --out "$tmp/kill" >"$tmp/out" 2>"$tmp/err" &
pid=$!
tries=0
while [ $tries -lt 120 ] && ! grep -q '^finding' "$tmp/out"; do
    sleep 0.5
    tries=$((tries + 1))
done
kill -9 $pid
wait $pid 2>/dev/null
run replay --trust "$(sed -n 's/^finding \([^:]*\):.*/\1/p' "$tmp/out" | head -1)"
is 1 $code "what a killed campaign found is there"

# ---- bad input ----
# rejects CODE WORDS ARGUMENT...: this exit code, and one line that has the words.
rejects() {
    want=$1 words=$2
    shift 2
    run "$@"
    is $want $code "gcncheck $(echo "$*" | sed "s|$tmp|DIR|g"): exit code"
    is 1 "$(wc -l <"$tmp/err")" "one line"
    has "$words" err "it names what is wrong"
}
rejects 2 gfx1 fuzz --mcpu gfx1 --count 1
rejects 2 gfx1 mutants --mcpu gfx1
rejects 2 nothing.so fuzz --dut plugin:nothing.so --count 1
rejects 2 v_nothing fuzz --only v_nothing --count 1 --dut model
rejects 2 "is not modelled" fuzz --only ds_ordered_count --count 1 --dut model
rejects 2 "the DUT does not implement 'ds_add_u32'" fuzz --only ds_add_u32 --count 1 --dut "$example" --out "$tmp/x"
rejects 3 /dev/null/x fuzz --seed 1 --count 64 --dut "$example" --out /dev/null/x
rejects 2 nowhere replay "$tmp/nowhere"
echo '{ "format": "gcncheck-finding 1", ' >"$tmp/cut.json"
rejects 2 cut.json replay "$tmp/cut.json"
rejects 2 cut.json min "$tmp/cut.json"

# ---- a plug-in that is the whole model is asked for everything, and bugs of all units show in it ----
whole="plugin:${BUILD:-build}/model_dut.so"
run fuzz --count 1 --dut model --out "$tmp/whole"
of=$(sed -n 's/^implemented: \([0-9]*\) of .*/\1/p' "$tmp/out")
run fuzz --seed 1 --count 1 --dut "$whole" --out "$tmp/whole"
is 0 $code "the model as a plug-in: exit code"
has "^implemented: $of of $of opcodes" out "it implements what the model does"
[ "$(grep -c "^not asked" "$tmp/out")" = 0 ]
ok $? "in every form" "$tmp/out"
for bug in s_load_dword.bytes ds_add_u32.add_sub s_cbranch_scc0.not_taken v_pk_add_f16.other_op buffer_store_dword.size; do
    GCNCHECK_MUTANT=$bug run fuzz --seed 1 --count 400 --only "${bug%.*}" --dut "$whole" --out "$tmp/whole"
    has "^cause 1: ${bug%.*} " out "$bug in a plug-in is found"
done

# ---- nothing to run ----
run fuzz --time 1ms --out "$tmp/late"
is 3 $code "no time for a stream: exit code"
has ': 0 streams, 0 instructions' out "the summary says so"
run fuzz --count 1 --shard 2/2 --out "$tmp/empty"
is 0 $code "an empty shard is right"


# ---- a folder of findings ----
folder=$(dirname "$finding")
count=$(ls -d "$folder"/*/finding.json | wc -l)
EXAMPLE_DUT_BUG=1 run replay --trust "$folder"
is "1 $count" "$code $(grep -c '^  again:' "$tmp/out")" "replay of a folder of findings runs each of them"
has "^[1-9][0-9]* of $count findings differ$" err "and says how many differ"
EXAMPLE_DUT_BUG=0 run replay --trust "$folder"
is "0 $count" "$code $(grep -c 'does not differ' "$tmp/out")" "on a mended device none does"
run replay "$folder"
is "2 1" "$code $(wc -l <"$tmp/err")" "without --trust nothing is started, which is said once"
for command in min diagnose; do
    run $command --trust "$folder"
    is 2 $code "$command takes one finding"
    has "holds $count findings: name one, as $folder/" err "$command says what to type"
done
finish
