#!/bin/sh
# AFL++ on programs for an emulator: runs several afl-fuzz on the target and with the mutator of harness/afl, and makes findings
# and cases of what differed. usage() below has all of it: scripts/afl/afl.sh --help.
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
build="${BUILD:-$root/build}"

usage() {
    cat <<'TEXT'
usage: scripts/afl/afl.sh --instrumented FILE.so [option]...

Runs AFL++ on programs, led by the branches of an emulator, until the time is over; then makes findings of the
programs on which the emulator and the model differ. The emulator's plug-in is compiled twice: by AFL++'s compiler, to be led
by, and as usual, to make findings on.

  --instrumented FILE.so  the plug-in as afl-clang-fast compiles it
  --plain FILE.so         the same as compiled usually. Without it inputs are kept, and nothing is made of them
  --mcpu NAME             the processor (gfx900)
  --gate EVIDENCE         as of gcncheck fuzz
  --time SECONDS          how long (600)
  --first                 ends as soon as something differs
  --jobs N                so many afl-fuzz at a time: the first is the main one (one per processor)
  --seed N                of the random numbers of the mutators (1); with one job, the same inputs in the same order
  --seeds N               programs to start from (50)
  --corpus FOLDER         more of them: those of an earlier run. May be given several times
  --out FOLDER            what comes of it (afl-out); it must not be there yet

FOLDER then holds:
  corpus/    an input for each branch that was reached: give it to --corpus the next time
  crashes/   inputs on which the emulator and the model differ
  findings/  what gcncheck fuzz --corpus crashes makes of them, one folder for each cause
  cases/     their smallest programs as cases, to be kept: gcncheck run --dut plugin:FILE.so FOLDER/cases
  forms, seeds/, afl/  what the emulator implements, the first programs, afl-fuzz's own folders and logs

Inputs say from which random numbers a program is drawn, so a case cannot become one again; a corpus is good for the
gcncheck that wrote it.

exit code: 0 nothing differed, 1 something did, 2 wrong arguments, or AFL++ could not run

examples:
  afl-clang-fast -shared -fPIC -Iharness/sdk -o afl.so mine.c
  gcc -shared -fPIC -Iharness/sdk -o plain.so mine.c
  scripts/afl/afl.sh --instrumented afl.so --plain plain.so --time 300
  scripts/afl/afl.sh --instrumented afl.so --plain plain.so --corpus afl-out/corpus --out day2

environment: BUILD: folder of the build (build), in which `make afl` was done
TEXT
}

wrong() {
    echo "afl.sh: $*" >&2
    exit 2
}

# number OPTION TEXT LEAST MOST: ends if TEXT is none of these.
number() {
    case $2 in
    '' | *[!0-9]*) wrong "$1 takes a number, not '$2'" ;;
    esac
    { [ ${#2} -le 9 ] && [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; } || wrong "$1 must be $3 to $4, not $2"
}

instrumented='' plain='' mcpu=gfx900 gate='' time=600 first='' jobs=$(nproc) seed=1 seeds=50 out=afl-out corpora=''
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h)
        usage
        exit 0
        ;;
    --first)
        first=1
        shift
        continue
        ;;
    --instrumented | --plain | --mcpu | --gate | --time | --jobs | --seed | --seeds | --corpus | --out) ;;
    *) wrong "'$1' is not known; --help says what is" ;;
    esac
    [ $# -ge 2 ] || wrong "$1 takes a value"
    case $1 in
    --instrumented) instrumented=$2 ;;
    --plain) plain=$2 ;;
    --mcpu) mcpu=$2 ;;
    --gate) gate=$2 ;;
    --time) time=$2 ;;
    --jobs) jobs=$2 ;;
    --seed) seed=$2 ;;
    --seeds) seeds=$2 ;;
    --out) out=$2 ;;
    --corpus)
        [ -d "$2" ] || wrong "--corpus $2: there is no such folder"
        corpora="$corpora$(realpath "$2")
"
        ;;
    esac
    shift 2
done
number --time "$time" 1 1000000
number --jobs "$jobs" 1 256
number --seed "$seed" 0 999999999
number --seeds "$seeds" 1 100000
[ -n "$instrumented" ] || wrong "--instrumented is missing; --help has examples"
for file in "$instrumented" $plain; do
    [ -f "$file" ] || wrong "$file: there is no such file"
done
grep -q __afl_area_ptr "$instrumented" || wrong "$instrumented: not compiled by afl-clang-fast"
[ -z "$plain" ] || ! grep -q __afl_area_ptr "$plain" || wrong "$plain: compiled by AFL++'s compiler; gcncheck cannot load it"
[ ! -e "$out" ] || wrong "--out $out is there already"
command -v afl-fuzz >/dev/null || wrong "afl-fuzz is not installed (Debian: afl++)"
for file in gcncheck gcncheck-afl gcncheck-afl-mutator.so; do
    [ -f "$build/$file" ] || wrong "$build/$file is missing: make afl"
done

instrumented=$(realpath "$instrumented")
plain=${plain:+$(realpath "$plain")}
mkdir -p "$out/seeds" "$out/afl" "$out/crashes" "$out/corpus" || exit 2
out=$(realpath "$out")

# Nothing is left running, whatever ends this.
pids=''
end_all() {
    # shellcheck disable=SC2086
    [ -z "$pids" ] || kill $pids 2>/dev/null
    wait
    pids=''
}
trap end_all EXIT
trap 'exit 2' INT TERM HUP

export GCNCHECK_AFL_DUT="plugin:$instrumented" GCNCHECK_AFL_FORMS="$out/forms" GCNCHECK_AFL_MCPU="$mcpu"
[ -z "$gate" ] || export GCNCHECK_AFL_GATE="$gate"
"$build/gcncheck-afl" forms "$out/forms" >"$out/afl/forms.log" 2>&1 || wrong "$(tail -n 1 "$out/afl/forms.log")"
"$build/gcncheck-afl" seeds "$out/seeds" "$seeds" || exit 2

# Inputs of folder $1 are copied to $2, each once, by what is in them.
take() {
    find "$1" -type f ! -name 'README*' ! -path '*/.*' | sort | while read -r file; do
        name=$(sha256sum <"$file" | cut -c1-16)
        [ -e "$2/$name" ] || cp "$file" "$2/$name"
    done
}
printf '%s' "$corpora" | while read -r folder; do take "$folder" "$out/seeds"; done

# What differs before anything is changed is no seed: afl-fuzz would only leave it out.
find "$out/seeds" -type f | sort | xargs "$build/gcncheck-afl" >"$out/afl/seeds.log" 2>&1
sed -n 's/: differs$//p' "$out/afl/seeds.log" | while read -r file; do mv "$file" "$out/crashes/"; done
[ -n "$(find "$out/seeds" -type f | sed -n 1p)" ] || echo "not a program" >"$out/seeds/none"

# ---- AFL++ ----

export AFL_PRELOAD="$instrumented" AFL_CUSTOM_MUTATOR_LIBRARY="$build/gcncheck-afl-mutator.so" AFL_CUSTOM_MUTATOR_ONLY=1
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_FORKSRV_INIT_TMOUT=600000
[ -z "$first" ] || export AFL_BENCH_UNTIL_CRASH=1
job=0
while [ $job -lt "$jobs" ]; do
    role="-S job$job"
    [ $job -gt 0 ] || role="-M main"
    # shellcheck disable=SC2086
    afl-fuzz -m none -t 20000 -V "$time" -s $((seed + job)) $role -i "$out/seeds" -o "$out/afl" -- "$build/gcncheck-afl" \
        >"$out/afl/job$job.log" 2>&1 &
    pids="$pids $!"
    job=$((job + 1))
done

# -V does not count the first look at the seeds, and a crash ends only the one that saw it.
running() {
    for pid in $pids; do
        kill -0 "$pid" 2>/dev/null && return 0
    done
    return 1
}
crashed() { [ -n "$(find "$out"/afl/*/crashes -name 'id:*' 2>/dev/null | sed -n 1p)" ]; }
left=$((time + 600))
while running && [ $left -gt 0 ]; do
    [ -z "$first" ] || ! crashed || break
    sleep 1
    left=$((left - 1))
done
end_all
[ -f "$out/afl/main/fuzzer_stats" ] || wrong "afl-fuzz did not start: $(sed -n 's/.*PROGRAM ABORT[^:]*: *//p' "$out/afl/job0.log" | tail -n 1)"

for folder in "$out"/afl/*/; do
    [ -d "$folder/queue" ] && take "$folder/queue" "$out/corpus"
    [ -d "$folder/crashes" ] && take "$folder/crashes" "$out/crashes"
done
cat "$out"/afl/*/fuzzer_stats | awk '$1 == "execs_done" { n += $3 } $1 == "run_time" && $3 > t { t = $3 }
    END { printf "%d programs in %d s\n", n, t }'
echo "$(find "$out/corpus" -type f | wc -l) inputs in $out/corpus, $(find "$out/crashes" -type f | wc -l) that differ in $out/crashes"
[ -n "$(find "$out/crashes" -type f | sed -n 1p)" ] || exit 0

# ---- findings and cases ----

[ -n "$plain" ] || exit 1
# shellcheck disable=SC2086
"$build/gcncheck" fuzz --mcpu "$mcpu" ${gate:+--gate $gate} --dut "plugin:$plain" --corpus "$out/crashes" --out "$out/findings"
[ $? -le 1 ] || exit 2
mkdir "$out/cases"
for file in "$out"/findings/*/candidate.case; do
    [ -f "$file" ] && cp "$file" "$out/cases/$(basename "$(dirname "$file")").case"
done
exit 1
