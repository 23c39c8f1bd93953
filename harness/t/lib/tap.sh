# TAP 13 for shell tests. A test sources this file in the root of the repository:
#
#     cd "$(dirname "$0")/../../.." || exit 2
#     . harness/t/lib/tap.sh
#     is 4 $((2 + 2)) "two and two"
#     expect "an unknown command" 2 "frobnicate" "$gcncheck" frobnicate
#     finish
#
# Sourcing it prints the version line. What it sets: $gcncheck, the program (GCNCHECK, default build/gcncheck).
# Values come as in the C tests: what is wanted first, then what was seen. A failed point is explained on `#` lines above it.

gcncheck="${GCNCHECK:-build/gcncheck}"
tap_points=0
tap_failed=0
tap_plan=
echo "TAP version 13"

# plan COUNT: the number of points to come. Without it, finish prints it.
plan() {
    tap_plan=$1
    echo "1..$1"
}

# is_long: whether all is asked for (ALL=1: scripts/run/test-long.sh), or what `make test` has time for.
is_long() {
    [ -n "${ALL:-}" ]
}

# much LONG SHORT: a count: the first where all is asked for.
much() {
    if is_long; then echo "$1"; else echo "$2"; fi
}

# make_tmp: makes the folder $tmp, which is removed when the script ends.
make_tmp() {
    tmp=$(mktemp -d) || exit 2
    trap 'rm -rf "$tmp"' EXIT
}

# skip_all REASON: nothing here can be tried; ends the script.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# bail REASON: the test itself cannot go on; ends the script.
bail() {
    echo "Bail out! $1"
    exit 2
}

# note TEXT: as `#` lines.
note() {
    printf '%s\n' "$1" | sed 's/^/# /'
}

# ok CODE TITLE [FILE]: one point, which holds if CODE is 0. If it does not, the first lines of FILE are shown.
ok() {
    tap_points=$((tap_points + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tap_points - $2"
        return
    fi
    [ ! -s "${3:-}" ] || head -n 12 "$3" | sed 's/^/# /'
    echo "not ok $tap_points - $2"
    tap_failed=1
}

# skip TITLE REASON: one point that could not be tried here.
skip() {
    tap_points=$((tap_points + 1))
    echo "ok $tap_points - $1 # SKIP $2"
}

# is WANT GOT TITLE: the two texts are the same.
is() {
    [ "$1" = "$2" ] || note "want: $1
got:  $2"
    [ "$1" = "$2" ]
    ok $? "$3"
}

# none TITLE OFFENDERS: the text that lists what is wrong is empty.
none() {
    [ -z "$2" ] || note "$2"
    [ -z "$2" ]
    ok $? "$1"
}

# expect TITLE CODE PATTERN COMMAND...: it ends with CODE, and a line of its output or of its errors matches PATTERN.
# Its input is empty. Both outputs are left in the variable $said.
expect() {
    tap_title=$1 tap_want=$2 tap_pattern=$3
    shift 3
    said=$("$@" 2>&1 </dev/null)
    tap_got=$?
    if [ $tap_got = "$tap_want" ] && printf '%s\n' "$said" | grep -q -e "$tap_pattern"; then
        ok 0 "$tap_title"
        return
    fi
    note "$(printf '%s\n' "$said" | tail -n 12)"
    note "exit code $tap_got, wanted $tap_want; wanted a line that matches: $tap_pattern"
    ok 1 "$tap_title"
}

# run ARGUMENT...: gcncheck with these, after make_tmp; $code, $tmp/out and $tmp/err are what came of it. Scripts that run it
# otherwise have a run of their own.
run() {
    "$gcncheck" "$@" >"$tmp/out" 2>"$tmp/err"
    code=$?
}

# has PATTERN FILE TITLE: a line of $tmp/FILE matches.
has() {
    grep -q -- "$1" "$tmp/$2"
    ok $? "$3" "$tmp/$2"
}

# refuse TITLE CODE PATTERN COMMAND...: it ends with CODE within a minute and says one line on standard error, which matches.
# Standard output is not looked at. Its input is empty.
refuse() {
    tap_title=$1 tap_want=$2 tap_pattern=$3
    shift 3
    said=$(timeout 60 "$@" 2>&1 >/dev/null </dev/null)
    tap_got=$?
    if [ $tap_got = "$tap_want" ] && [ "$(printf '%s\n' "$said" | wc -l)" = 1 ] && printf '%s\n' "$said" | grep -q -e "$tap_pattern"; then
        ok 0 "$tap_title"
        return
    fi
    note "$(printf '%s\n' "$said" | head -n 5)"
    note "exit code $tap_got, wanted $tap_want; wanted one line that matches: $tap_pattern"
    ok 1 "$tap_title"
}

# adopt CODE FILE: prints the points of another TAP document, counted on from here. CODE is that of the program that wrote it.
adopt() {
    grep -v -e '^TAP' -e '^1\.\.' "$2" | awk -v n=$tap_points '/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n) } { print }'
    tap_points=$((tap_points + $(grep -c '^\(not \)*ok ' "$2")))
    [ "$1" = 0 ] || tap_failed=1
}

# finish: ends the script: the plan if there was none, and exit code 0 if all points held and the plan was kept.
finish() {
    [ -n "$tap_plan" ] || echo "1..$tap_points"
    [ "${tap_plan:-$tap_points}" = "$tap_points" ] || tap_failed=1
    exit $tap_failed
}

# sanitizer_first: programs that are started from here on find the address sanitizer's library first, if gcncheck-vgpu.so needs
# it, which is loaded into programs built without it. They are not asked for leaks: other programs have some.
sanitizer_first() {
    tap_asan=$(ldd "$(dirname "$gcncheck")/gcncheck-vgpu.so" 2>/dev/null | sed -n 's/.*=> \([^ ]*libasan[^ ]*\).*/\1/p')
    [ -z "$tap_asan" ] || export LD_PRELOAD="$tap_asan" ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
}
