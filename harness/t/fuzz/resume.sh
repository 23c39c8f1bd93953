#!/bin/sh
# Campaigns that are killed and gone on with, --stream, --max-failures, and findings named after their cause: prints TAP. Needs
# `make tests` done before. ALL=1: more kills, and planted faults (scripts/run/test-long.sh); many more: scripts/faults/resume.py.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
make_tmp

# ids FILE: the names of the findings of its causes.
ids() {
    sed -n "s|^cause .*: $tmp/[^/]*/\(.*\)|\1|p" "$1" | sort
}

# ---- killed again and again ----
python3 scripts/faults/resume.py --kills $(much 4 2) --count 256 --only $(much example,sequence sequence) >"$tmp/kills" 2>&1
ok $? "killed at random and gone on with, it ends as if it had not been" "$tmp/kills"
if is_long; then
    python3 scripts/faults/resume.py --kills 1 --count 256 --only sequence --seed 3 --plant finding >"$tmp/kills" 2>&1
    is 1 $? "a finding that is gone shows"
    has 'another findings' kills "by name"
fi
python3 scripts/faults/resume.py --kills $(much 4 2) --count $(much 640 256) --only $(much counted,holes counted) >"$tmp/kills" 2>&1
ok $? "and so does one that counts coverage, its file too" "$tmp/kills"
if is_long; then
    python3 scripts/faults/resume.py --kills 1 --count 256 --only counted --seed 3 --plant counts >"$tmp/kills" 2>&1
    is 1 $? "counts of somebody else that came between are not lost"
    has 'was begun with another --coverage: cov is neither as it was then nor what was counted since' kills "but named"
fi

# A long one keeps no state of most batches; it goes on from the last there is, whichever that is.
long() { GCNCHECK_MUTANT=v_bfe_u32.swapped "$gcncheck" fuzz --count 14336 --length 1 --only v_bfe_u32,v_add_u32 --dut "plugin:$build/model_dut.so" "$@"; }
long --out "$tmp/long" --journal "$tmp/long.j" >"$tmp/want" 2>"$tmp/err"
python3 - "$tmp/long.j" >"$tmp/ends" <<'END'
import re, sys
starts = [m.start() - 1 for m in re.finditer(b"\xa5state", open(sys.argv[1], "rb").read())]
print(len(starts), starts[-1], starts[-6], starts[-20])
END
read -r states ends <"$tmp/ends"
is yes "$([ "$states" -gt 130 ] && [ "$states" -lt 200 ] && echo yes)" "224 batches: $states states"
for end in $ends; do
    head -c "$end" "$tmp/long.j" >"$tmp/cut.j"
    long --out "$tmp/long" --resume "$tmp/cut.j" >"$tmp/out" 2>"$tmp/err"
    is "$(sed 's/, [0-9.]* s$//' "$tmp/want") same" "$(sed 's/, [0-9.]* s$//' "$tmp/out") $(cmp "$tmp/long.j" "$tmp/cut.j" && echo same)" \
        "cut off after $end bytes of $(wc -c <"$tmp/long.j") it ends the same"
done

# Ended in order, what was still under way is in neither the journal nor the file.
counted() { "$gcncheck" fuzz --seed 1 --count 4000 --jobs 2 --dut "plugin:$build/model_dut.so" --out "$tmp/int" "$@" >"$tmp/out" 2>"$tmp/err"; }
counted --coverage "$tmp/whole.cov"
for after in 0.7 1.1 1.5; do
    counted --coverage "$tmp/int.cov" --resume "$tmp/int.j" &
    pid=$!
    sleep $after
    pkill -INT -P $pid gcncheck
    wait $pid
done
counted --coverage "$tmp/int.cov" --resume "$tmp/int.j"
cmp "$tmp/whole.cov" "$tmp/int.cov"
ok $? "ended by SIGINT and gone on with, it has counted the same" "$tmp/err"

# What a device refuses as a whole and was not run again in parts is not counted as refused.
timeout -s INT 1.2 "$gcncheck" fuzz --seed 1 --count 200000 --jobs 2 --dut "plugin:$build/example_dut.so" --out "$tmp/refused" >"$tmp/out" 2>&1
grep -q 'interrupted by SIGINT' "$tmp/out" && ! grep -q 'unimplemented [1-9].*, narrowed' "$tmp/out"
ok $? "ended by SIGINT, it says of no program that it is unimplemented" "$tmp/out"

# timeout(1) sends its signal to the process and then to its group: that is one wish.
python3 - "$gcncheck" fuzz --count 200000 --dut "plugin:$build/example_dut.so" --out "$tmp/twice" --journal "$tmp/twice.j" >"$tmp/out" 2>&1 <<'END'
import os, signal, subprocess, sys, time
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
while not os.path.exists(sys.argv[-1]) and p.poll() is None: # from then on signals are caught
    time.sleep(0.001)
for _ in range(4):
    p.send_signal(signal.SIGINT)
    time.sleep(0.002)
print("code", p.wait(), p.stderr.read().strip())
END
has '^code 3 gcncheck fuzz: interrupted by SIGINT after ' out "SIGINT twice at once is one wish"

# However early SIGINT comes, with the journal's first bytes.
early() { "$gcncheck" fuzz --seed 1 --count 128 --dut "plugin:$build/example_dut.so" --out "$tmp/early" "$@"; }
expect "SIGINT as the journal is begun" 3 "interrupted by SIGINT after 0 streams" \
    env LD_PRELOAD="$build/plant_fault.so" PLANT_FAULT=early "$gcncheck" fuzz --seed 1 --count 128 \
    --dut "plugin:$build/example_dut.so" --out "$tmp/early" --journal "$tmp/early.j"
early --journal "$tmp/never.j" >"$tmp/want" 2>"$tmp/err"
early --resume "$tmp/early.j" >"$tmp/out" 2>"$tmp/err"
is "$(sed 's/, [0-9.]* s$//' "$tmp/want")" "$(sed 's/, [0-9.]* s$//' "$tmp/out")" "gone on with, it ends as if undisturbed"

# ---- only by the same campaign on the same device ----
cp "$build/example_dut.so" "$tmp/dut.so"
cp "$build/bad_bare.so" "$tmp/other.so"
dut=plugin:$tmp/dut.so
run fuzz --seed 1 --count 128 --dut "$dut" --out "$tmp/found" --journal "$tmp/j"
is 1 $code "a campaign with a journal"
cp "$tmp/j" "$tmp/whole"
cp "$tmp/out" "$tmp/before"

# refused WORDS ARGUMENT...: the journal is not gone on with, one line says why, and it stays as it was.
refused() {
    words=$1
    shift
    run fuzz --out "$tmp/found" --resume "$tmp/j" "$@"
    is 2 $code "--resume with $(echo "$*" | sed "s|$tmp|DIR|g"): exit code"
    has "^gcncheck fuzz: $tmp/j: $words" err "one line says what is otherwise"
    is "1 same" "$(wc -l <"$tmp/err") $(cmp "$tmp/j" "$tmp/whole" && echo same)" "and the journal is as it was"
}
refused 'was begun with --seed 1, not with --seed 2$' --seed 2 --count 128 --dut "$dut"
refused 'was begun with --count 128, not with --count 64$' --seed 1 --count 64 --dut "$dut"
refused 'was begun without --only, not with --only vop2$' --only vop2 --count 128 --dut "$dut"
refused 'was begun without --shard, not with --shard 1/2$' --shard 1/2 --count 128 --dut "$dut"
refused 'was begun with --mcpu gfx900, not with --mcpu gfx906$' --mcpu gfx906 --count 128 --dut "$dut"
refused "was begun with --dut $dut, not with --dut model" --count 128
printf 'x' >>"$tmp/dut.so"
refused "was begun with another DUT: what its name finds was built anew since (SHA-256 $(sha256sum <"$build/example_dut.so" | cut -c-12)" \
    --count 128 --dut "$dut"
cp "$build/example_dut.so" "$tmp/dut.so"

refused 'was begun without --coverage, not with --coverage ' --coverage "$tmp/cov" --count 128 --dut "$dut"
is no "$([ -e "$tmp/cov" ] && echo yes || echo no)" "and no file is made"
refused 'was begun without --skip, not with --skip vop2$' --skip vop2 --count 128 --dut "$dut"
refused 'was begun without --fill-holes, not with --fill-holes$' --fill-holes --count 128 --dut "$dut"
run fuzz --seed 1 --count 128 --dut "$dut" --out "$tmp/found" --resume "$tmp/j" --coverage "$tmp/none/cov"
is "3 same" "$code $(cmp "$tmp/j" "$tmp/whole" && echo same)" "a file of coverage that cannot be written is refused at the start"

run fuzz --seed 1 --count 128 --dut "$dut" --out "$tmp/found" --resume "$tmp/j"
is "1 same" "$code $(cmp "$tmp/j" "$tmp/whole" && echo same)" "the same one that had come to its end ends again"
sed 's/, [0-9.]* s$//' "$tmp/before" >"$tmp/want"
is "" "$(sed 's/, [0-9.]* s$//' "$tmp/out" | diff "$tmp/want" -)" "and prints what it printed"
size=$(stat -c %s "$tmp/whole")
dd if="$tmp/whole" of="$tmp/j" bs=1 count=$((size / 3)) 2>/dev/null
dd if="$tmp/whole" bs=1 skip=$((size / 3 + 2)) 2>/dev/null >>"$tmp/j"
run fuzz --seed 1 --count 128 --dut "$dut" --out "$tmp/found" --resume "$tmp/j"
is 2 $code "a damaged journal is not gone on with"
has 'cannot be gone on with: damaged' err "and the damage is named"
"$gcncheck" run --quiet --journal "$tmp/run.j" cases/sop2/s_add_u32.case >"$tmp/out" 2>"$tmp/err"
run fuzz --seed 1 --count 128 --dut model --out "$tmp/found" --resume "$tmp/run.j"
is 2 $code "nor is the journal of a run"
has 'belongs to another run' err "which is named"
"$gcncheck" fuzz --quiet --time 60s --out "$tmp/first" --resume "$tmp/both.j" >"$tmp/first.out" 2>&1 &
pid=$!
while [ ! -s "$tmp/both.j" ] && kill -0 $pid; do sleep 0.05; done
run fuzz --time 1s --out "$tmp/first" --resume "$tmp/both.j"
is 2 $code "two do not go on with one journal"
has "both.j: another gcncheck writes this journal" err "the second says why"
kill $pid
wait $pid
is 3 $? "the first was not disturbed until it was told to end" # stopped
run fuzz --resume "$tmp/j" --journal "$tmp/k"
is 2 $code "--resume and --journal do not go together"

# weighed WEIGHT ARGUMENT...: a campaign that reads its weights from standard input.
weighed() {
    echo "v_add_u32 $1" | (shift && "$gcncheck" fuzz --quiet --weights - --count 128 --dut "$dut" --out "$tmp/found" "$@") >"$tmp/out" 2>"$tmp/err"
}
weighed 1 --journal "$tmp/weighed.j"
cp "$tmp/weighed.j" "$tmp/whole"
weighed 9 --resume "$tmp/weighed.j"
is "2 same" "$? $(cmp "$tmp/weighed.j" "$tmp/whole" && echo same)" "with other weights from standard input it is not gone on with"
has 'was begun with another --weights: what it says was changed since (hash ' err "which is named"
weighed 1 --resume "$tmp/weighed.j"
is "1 same" "$? $(cmp "$tmp/weighed.j" "$tmp/whole" && echo same)" "with the same it is"

# ---- the same cause has the same name whatever the seed ----
for seed in 1 2; do
    GCNCHECK_MUTANT=vop2.dpp_reads_off,state.scc_lost "$gcncheck" fuzz --seed $seed --only v_add_u32,v_sub_u32,v_min_u32,s_addc_u32 --count 320 \
        --dut "plugin:$build/model_dut.so" --out "$tmp/s$seed" --journal "$tmp/s$seed.j" >"$tmp/s$seed.out" 2>"$tmp/err"
    grep '^finding ' "$tmp/s$seed.out" | sed "s|^finding $tmp/s./\([^:]*\):.*|\1|" | grep -E '^v_(add|sub|min)_u32-' | sort >"$tmp/s$seed.ids"
done
is "v_add_u32-dpp-vgpr v_min_u32-dpp-vgpr v_sub_u32-dpp-vgpr" "$(echo $(cat "$tmp/s1.ids"))" "findings are named after their cause"
is "$(cat "$tmp/s1.ids")" "$(cat "$tmp/s2.ids")" "another seed's have the same names"
has '^finding .*/v_add_u32-dpp-vgpr: 1 instruction, stream [0-9]* of seed 2$' s2.out "with stream and seed behind them"
"$gcncheck" report --format tap "$tmp/s2.j" >"$tmp/tap" 2>"$tmp/err"
has '^not ok .*: stream [0-9]* of seed 2, dpp, ' tap "as in TAP"
stream=$(sed -n 's|^finding .*/v_add_u32-dpp-vgpr: .*, stream \([0-9]*\) of.*|\1|p' "$tmp/s2.out")
GCNCHECK_MUTANT=vop2.dpp_reads_off,state.scc_lost run fuzz --seed 2 --only v_add_u32,v_sub_u32,v_min_u32,s_addc_u32 --stream "$stream" \
    --dut "plugin:$build/model_dut.so" --out "$tmp/alone"
is 1 $code "--stream: that stream alone shows it"
has ': 1 streams, ' out "one stream was run"
has '^cause 1: v_add_u32 dpp: vgpr, 1 stream, ' out "the same cause"
is "" "$(grep -v '^  again:' "$tmp/s2/v_add_u32-dpp-vgpr/report.txt" | diff - "$tmp/alone/v_add_u32-dpp-vgpr/report.txt" | grep '^<.*from:')" \
    "of the same stream"
run fuzz --stream 3 --count 4
is 2 $code "--stream and --count do not go together"

# ---- another device's finding is not replaced ----
cp "$tmp/alone/v_add_u32-dpp-vgpr/finding.json" "$tmp/kept"
run fuzz --seed 2 --only v_add_u32 --count 200 --dut "mutant:vop2.dpp_reads_off" --out "$tmp/alone"
has '/v_add_u32-dpp-vgpr-2$' out "its name gets a number"
cmp "$tmp/kept" "$tmp/alone/v_add_u32-dpp-vgpr/finding.json"
ok $? "and the one that was there stays"

# ---- --max-failures ----
run fuzz --seed 1 --count 2000 --max-failures 3 --dut mutant:vop2.dpp_reads_off --jobs 2 --out "$tmp/most" --journal "$tmp/most.j"
is 1 $code "--max-failures: exit code"
causes=$(grep -c '^cause' "$tmp/out")
is yes "$([ "$causes" -ge 3 ] && echo yes)" "so many causes, or those of the batch"
has "^ended early: $causes causes were found, and --max-failures is 3" out "the summary says so"
sed 's/, [0-9.]* s$//' "$tmp/out" >"$tmp/want"
run fuzz --seed 1 --count 2000 --max-failures 3 --dut mutant:vop2.dpp_reads_off --jobs 1 --out "$tmp/most"
is "" "$(sed 's/, [0-9.]* s$//' "$tmp/out" | diff "$tmp/want" -)" "with one thread the same"
run fuzz --seed 1 --count 2000 --max-failures 6 --dut mutant:vop2.dpp_reads_off --out "$tmp/most" --resume "$tmp/most.j"
is yes "$([ "$(grep -c '^cause' "$tmp/out")" -ge 6 ] && echo yes)" "with more of them it is gone on with"
finish
