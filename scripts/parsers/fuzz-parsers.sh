#!/bin/sh
# Runs AFL++ on a build of each parser with a planted crash, which must be found, then on the parsers (the targets of
# harness/fz, built by `make fz-targets` into $BUILD/afl), two at a time. An input on which AFL++ saw a hang must also not end
# within a minute by itself. TAP on stdout; the last line says how many mutated inputs were run.
# Crashes and hangs stay in $BUILD/afl/out/fz_NAME; a crash is run again by
#
#   build/afl/fz_NAME build/afl/out/fz_NAME/default/crashes/id:...         (those that need files: with FZ_FOLDER=/tmp/x, and the whole path)
#
# FUZZ_TIME: seconds for each target (default 60). FUZZ_EXECS: inputs for each target instead, however long that takes.
# FUZZ_ONLY: names of targets (default all). PLANT_TIME: at most so many seconds for each planted crash (default 240; 0: none);
# usually it is found in one. FUZZ_UNTIL: the time (as of `date +%s`) at which everything is ended (default: never).
# The random choices are AFL++'s with a fixed seed; how far it gets depends on the machine.
build="${BUILD:-build}"
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
gcncheck="${GCNCHECK:-$build/gcncheck}"
out="$build/afl/out"
names="${FUZZ_ONLY:-$(find "$build/afl" -maxdepth 1 -name 'plant_*' | sed 's|.*/plant_||' | sort | tr '\n' ' ')}"
time="${FUZZ_TIME:-60}"
execs="${FUZZ_EXECS:-0}"
plant_time="${PLANT_TIME:-240}"
until="${FUZZ_UNTIL:-0}"
total=0

command -v afl-fuzz >/dev/null 2>&1 || skip_all "AFL++ is not installed"
export AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_FORKSRV_INIT_TMOUT=600000 # a busy machine takes a minute to open the model of cover
rm -rf "$out"
mkdir -p "$out"
python3 scripts/parsers/fuzz-seeds.py "$gcncheck" "$out/seeds" || bail "no seeds"

# fuzz KIND NAME: fz_NAME or plant_NAME; the log is $out/KIND_NAME.log. A planted crash ends it.
fuzz() {
    mkdir -p "$out/$1_$2.folder"
    from="$out/seeds/$2"
    limit="-V $time" longest=$((time + 240)) # -V does not count the first look at the seeds
    [ "$execs" -gt 0 ] && limit="-E $execs" longest=86400
    if [ "$1" = plant ]; then # an input that is accepted crashes; most that are kept are not
        from="$out/own/$2" limit="-V $plant_time" longest=$plant_time
        mkdir -p "$from"
        find "$out/seeds/$2" -type f ! -name 'kept*' -exec ln {} "$from" \;
        export AFL_BENCH_UNTIL_CRASH=1
    fi
    left=$((until - $(date +%s)))
    [ "$until" = 0 ] || [ $left -gt "$longest" ] || longest=$((left > 0 ? left : 1))
    # shellcheck disable=SC2086
    FZ_FOLDER="$(realpath "$out/$1_$2.folder")" timeout -k 5 "$longest" afl-fuzz -s 1 $limit -m none -t 5000 -x "$out/seeds/$2.dict" \
        -i "$from" -o "$out/$1_$2" -- "$build/afl/$1_$2" >"$out/$1_$2.log" 2>&1
}
# hangs NAME: 1 if one of the inputs that AFL++ saw hang does not end, else 0.
hangs() {
    count=0
    for input in "$out/fz_$1/default/hangs"/id*; do
        [ -f "$input" ] || continue
        FZ_FOLDER="$(realpath "$out/fz_$1.folder")" timeout 60 "$build/afl/fz_$1" "$(realpath "$input")" >/dev/null 2>&1 && continue
        count=$((count + 1))
        break
    done
    echo $count
}
value() { sed -n "s/^$2 *: //p" "$out/$1/default/fuzzer_stats" 2>/dev/null; }

for kind in plant fz; do
    [ "$kind" = plant ] && [ "$plant_time" = 0 ] && continue
    # shellcheck disable=SC2086
    set -- $names
    while [ $# -gt 0 ]; do
        fuzz $kind "$1" &
        [ $# -gt 1 ] && { shift; fuzz $kind "$1" & }
        shift
        wait
    done
done

# shellcheck disable=SC2086
set -- $names
plan $(($# * (plant_time ? 2 : 1)))
for name; do
    ran=$(value fz_$name execs_done)
    crashes=$(value fz_$name saved_crashes)
    hangs=$(hangs $name)
    total=$((total + ${ran:-0}))
    if [ -n "$ran" ] && [ "$ran" -gt 200 ] && [ "$ran" -ge "$execs" ] && [ "$crashes" = 0 ] && [ "$hangs" = 0 ]; then
        ok 0 "$name: no crash and no hang in $ran executions, $(value fz_$name corpus_count) inputs kept"
    else
        for input in "$out/fz_$name/default/crashes"/id* "$out/fz_$name/default/hangs"/id*; do
            [ -f "$input" ] && note "$input"
        done | head -5
        note "$(tail -5 "$out/fz_$name.log")"
        ok 1 "$name: ${crashes:-?} crashes and ${hangs:-?} hangs in ${ran:-no} executions"
    fi
    [ "$plant_time" = 0 ] && continue
    [ "$(value plant_$name saved_crashes)" -gt 0 ] 2>/dev/null
    found=$?
    [ $found = 0 ] || note "$(tail -5 "$out/plant_$name.log")"
    ok $found "$name: a planted crash is found"
done
note "$total mutated inputs in all"
finish
