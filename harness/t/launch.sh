#!/bin/sh
# Tests `gcncheck launch` from outside: exit codes, and that bad input gives one line on standard error. TAP 13.
# Runs in the root of the repository. GCNCHECK: the program (default build/gcncheck).

gcncheck="${GCNCHECK:-build/gcncheck}"
kernels=cases/kernels
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0
bad=0

# try CODE STDOUT STDERR ARGUMENTS...: exit code and both outputs must be those; standard input is passed on.
try() {
    want_code=$1 want_out=$2 want_err=$3
    shift 3
    n=$((n + 1))
    "$gcncheck" launch "$@" > "$tmp/out" 2> "$tmp/err"
    code=$?
    if [ $code = "$want_code" ] && [ "$(cat "$tmp/out")" = "$want_out" ] && [ "$(cat "$tmp/err")" = "$want_err" ]; then
        echo "ok $n - launch $*"
    else
        sed 's/^/# out: /' "$tmp/out"
        sed 's/^/# err: /' "$tmp/err"
        echo "not ok $n - launch $* # exit code $code"
        bad=1
    fi
}

echo "TAP version 13"
vadd=$kernels/vadd_f32
matches="kernel vadd_f32: 4 work-groups, 496 instructions, out.bin matches"
try 0 "$matches" "" --mcpu gfx900 $vadd/gfx900.O3.co $vadd/launch.txt
try 0 "$matches" "" --engine ref $vadd/gfx900.O3.co $vadd/launch.txt
try 0 "$matches" "" - $vadd/launch.txt < $vadd/gfx900.O3.co

# One byte of the wanted output changed: element 2 of 1024.
cp $vadd/*.bin $vadd/launch.txt "$tmp"
printf '\377' | dd of="$tmp/out.bin" bs=1 seek=8 conv=notrunc 2> /dev/null
word() { od -An -v -tx4 -j8 -N4 "$1" | tr -d ' '; }
try 1 "kernel vadd_f32: 4 work-groups, 496 instructions, out.bin differs: element 2 (byte 8): want 0x$(word "$tmp/out.bin"), got 0x$(word $vadd/out.bin); 1 of 1024 elements wrong" \
    "" $vadd/gfx900.O3.co "$tmp/launch.txt"

try 2 "" "gcncheck launch: $vadd/gfx900.O3.co: is for gfx900, not for gfx906 (--mcpu)" --mcpu gfx906 $vadd/gfx900.O3.co $vadd/launch.txt
try 2 "" "gcncheck launch: $tmp/none.co: cannot be opened: No such file or directory" "$tmp/none.co" $vadd/launch.txt
try 2 "" "gcncheck launch: $tmp/none.txt: cannot be opened: No such file or directory" $vadd/gfx900.O3.co "$tmp/none.txt"
try 2 "" "gcncheck launch: $vadd/kernel.cl: is not an ELF file" $vadd/kernel.cl $vadd/launch.txt
try 2 "" "gcncheck launch: $vadd/kernel.cl:2: '__kernel' is not known" $vadd/gfx900.O3.co $vadd/kernel.cl
head -c 3000 $vadd/gfx900.O3.co > "$tmp/short.co"
try 2 "" "gcncheck launch: $tmp/short.co: is cut short: its section headers are beyond the end" "$tmp/short.co" $vadd/launch.txt
try 2 "" "gcncheck launch: $kernels/global_table/gfx900.O3.co: has no kernel 'vadd_f32', only: global_table" \
    $kernels/global_table/gfx900.O3.co $vadd/launch.txt
try 3 "" "gcncheck launch: $vadd/gfx900.O3.co: pc 0x1908 (vadd_f32+0x8): 2 instructions without an end: a loop, or a wait for another wave; work-group 0 0 0, wave 0" \
    --max-steps 2 $vadd/gfx900.O3.co $vadd/launch.txt
echo "1..$n"
exit $bad
