#!/bin/sh
# The main job, what `make run` does after building: directed cases on the model with both engines, random streams on
# two implementations, the bug planted in the example DUT found and cut down, compiled kernels executed. Ends with a
# page of plain text; details and journals stay in BUILD/run. Code 1 if anything is not as it should be.
#
#   BUILD=build COUNT=10000 scripts/run/main-job.sh
cd "$(dirname "$0")/../.." || exit 2
build="${BUILD:-build}" count="${COUNT:-10000}"
gcncheck="$build/gcncheck" run="$build/run" findings="$build/findings"
rm -rf "$run" "$findings"
mkdir -p "$run" || exit 3
bad=0

# step NAME CODE COMMAND...: output into run/NAME.txt; another exit code than CODE is a failure of the job.
step() {
    name=$1 want=$2
    shift 2
    echo "  $name"
    "$@" >"$run/$name.txt" 2>&1
    code=$?
    [ $code = "$want" ] && return
    echo "  $name: exit code $code, wanted $want; the end of $run/$name.txt:"
    tail -5 "$run/$name.txt" | sed 's/^/    /'
    bad=1
}
last() { grep -E "$2" "$run/$1.txt" | tail -1; }

echo "running"
step cases 0 "$gcncheck" run --mcpu gfx900 --journal "$run/cases.journal" cases
step cases-host 0 "$gcncheck" run --mcpu gfx900 --dut model:engine=host --journal "$run/cases-host.journal" cases
step engines 0 "$gcncheck" fuzz --mcpu gfx900 --seed 1 --count "$count" --dut model:engine=host \
    --journal "$run/engines.journal" --out "$run/engines"
step example 1 "$gcncheck" fuzz --mcpu gfx900 --seed 1 --count "$count" --dut "plugin:$build/example_dut.so" \
    --journal "$run/example.journal" --out "$findings"
step example-bug-off 0 env EXAMPLE_DUT_BUG=0 "$gcncheck" fuzz --mcpu gfx900 --seed 1 --count "$count" \
    --dut "plugin:$build/example_dut.so" --journal "$run/bug-off.journal" --out "$run/bug-off"
step kernels 0 env GCNCHECK="$gcncheck" sh scripts/kernels/kernels.sh
step html 0 "$gcncheck" report "$run/cases.journal" "$run/engines.journal" "$run/example.journal" --format html \
    --out "$run/report.html"

listed=$("$gcncheck" list --mcpu gfx900 --format tsv | tail -n +2)
modelled=$(echo "$listed" | awk -F '\t' '$5 == "yes"' | grep -c .)
rate=$(sed -n 's/.*: \([0-9]*\) streams, \([0-9]*\) instructions, \([0-9.]*\) s$/\1 \2 \3/p' "$run/engines.txt" |
    awk '$3 > 0 { printf "%d streams and %d instructions a second, each on both engines", $1 / $3, $2 / $3 }')
echo
echo "built      $build/gcncheck: $("$gcncheck" --version), gfx900"
echo "  opcodes   $modelled of $(echo "$listed" | grep -c .) modelled; $(GCNCHECK="$gcncheck" sh scripts/check/check-cases.sh | tail -1 | sed 's/^# //')"
echo "  cases     ref engine:  $(last cases '^right')"
echo "            host engine: $(last cases-host '^right')"
echo "  streams   host against ref: $(last engines '^streams:' | sed 's/^streams: //')"
echo "            $rate"
echo "            $(last engines '^covered:')"
echo "  example   bug on:  $(last example '^streams:' | sed 's/^streams: //')"
echo "            bug off: $(last example-bug-off '^streams:' | sed 's/^streams: //')"
grep '^cause' "$run/example.txt" | sed 's/^/            /'
echo "  kernels"
sed -n -e 's/^# kernel /            /p' -e 's/^not ok [0-9]* - /            FAILED /p' "$run/kernels.txt"
first=$(sed -n 's/^cause 1: .*: \([^ ]*\)$/\1/p' "$run/example.txt")
if [ -n "$first" ]; then
    echo
    echo "The bug planted in the example DUT, $first:"
    sed 's/^/    /' "$first/report.txt"
fi
echo
echo "HTML report: $run/report.html"
[ $bad = 0 ] || echo "Something was not as it should be; see above."
exit $bad
