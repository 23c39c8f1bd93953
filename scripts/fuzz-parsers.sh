#!/bin/sh
# Runs AFL++ on the parsers (the targets of harness/fz, built by `make fz-targets` into $BUILD/afl), two at a time, and on a
# build of each with a planted crash, which must be found. TAP on stdout. Crashes and hangs stay in $BUILD/afl/out/NAME; a
# crash is run again by
#
#   build/afl/fz_NAME build/afl/out/NAME/default/crashes/id:...         (launch: with FZ_FOLDER=/tmp)
#
# FUZZ_TIME: seconds for each target (default 60). PLANT_TIME: at most so many for each planted crash (default 90).
# The random choices are AFL++'s with a fixed seed; how far it gets depends on the machine.
build="${BUILD:-build}"
gcncheck="${GCNCHECK:-$build/gcncheck}"
cd "$(dirname "$0")/.." || exit 2
out="$build/afl/out"
names="asm codec launch object"
time="${FUZZ_TIME:-60}"
plant_time="${PLANT_TIME:-90}"
n=0
failed=0

echo "TAP version 13"
command -v afl-fuzz >/dev/null 2>&1 || { echo "1..0 # SKIP AFL++ is not installed"; exit 0; }
export AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_COLOR=1 AFL_FORKSRV_INIT_TMOUT=10000
rm -rf "$out"
mkdir -p "$out"
python3 scripts/fuzz-seeds.py "$gcncheck" "$out/seeds" || { echo "Bail out! no seeds"; exit 1; }

# fuzz KIND NAME SECONDS: fz_NAME or plant_NAME for so long; the log is $out/KIND_NAME.log. A planted crash ends it.
fuzz() {
    mkdir -p "$out/$1_$2.folder"
    [ "$1" = plant ] && export AFL_BENCH_UNTIL_CRASH=1
    FZ_FOLDER="$PWD/$out/$1_$2.folder" timeout -k 5 $(($3 + 60)) afl-fuzz -s 1 -V "$3" -m none -t 5000 -x "$out/seeds/$2.dict" \
        -i "$out/seeds/$2" -o "$out/$1_$2" -- "$build/afl/$1_$2" >"$out/$1_$2.log" 2>&1
}
value() { sed -n "s/^$2 *: //p" "$out/$1/default/fuzzer_stats" 2>/dev/null; }

pair() { # pair KIND SECONDS NAME NAME
    fuzz "$1" "$3" "$2" &
    fuzz "$1" "$4" "$2" &
    wait
}
pair fz "$time" asm object
pair fz "$time" codec launch
pair plant "$plant_time" asm object
pair plant "$plant_time" codec launch

for name in $names; do
    n=$((n + 1))
    execs=$(value fz_$name execs_done)
    crashes=$(value fz_$name saved_crashes)
    hangs=$(value fz_$name saved_hangs)
    if [ -n "$execs" ] && [ "$execs" -gt 1000 ] && [ "$crashes" = 0 ] && [ "$hangs" = 0 ]; then
        echo "ok $n - $name: no crash and no hang in $execs executions, $(value fz_$name corpus_count) inputs kept"
    else
        tail -5 "$out/fz_$name.log" | sed 's/^/# /'
        for input in "$out/fz_$name/default/crashes"/id* "$out/fz_$name/default/hangs"/id*; do
            [ -f "$input" ] && echo "# $input"
        done | head -5
        echo "not ok $n - $name: ${crashes:-?} crashes and ${hangs:-?} hangs in ${execs:-no} executions"
        failed=1
    fi
    n=$((n + 1))
    if [ "$(value plant_$name saved_crashes)" -gt 0 ] 2>/dev/null; then
        echo "ok $n - $name: a planted crash is found"
    else
        tail -5 "$out/plant_$name.log" | sed 's/^/# /'
        echo "not ok $n - $name: a planted crash is found"
        failed=1
    fi
done
echo "1..$n"
exit $failed
