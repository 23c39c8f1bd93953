#!/bin/sh
# gcncheck probe on the virtual GPU: as the model where nothing is planted; answers planted by other readings of the ledger and
# by bugs of which the ledger knows nothing are reported as what they are. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
# Skipped where drm.sh is.
so=$(dirname "$gcncheck")/gcncheck-drm.so
[ -e "$so" ] || skip_all "built without libdrm (libdrm-dev)"
nm -D "$so" | grep -q __asan_init && skip_all "the sanitizers' library must come first"
make_tmp
probe() { "$gcncheck" probe --mcpu "$1" --dut "vgpu:$2" --time 10m --out "$tmp/probe" >"$tmp/out" 2>&1; }
count() { grep -c "$1" "$tmp/probe"; }

for chip in gfx900 gfx908; do
    probe $chip $chip
    is 0 $? "$chip: the exit code"
    is "$(count '^answer ')" "$(count ' | as the model | [0-9a-f]\{16\}$')" "$chip: all answers are the model's, steady"
    is 15 "$(count '^question ')" "$chip: all questions are in the file"
    is "compute units 1;end" "$(tail -2 "$tmp/probe" | tr '\n' ';' | sed 's/;$//')" "$chip: the file is whole"
done
is 15 "$(grep -c '^ *[0-9]*\. .* as the model' "$tmp/out")" "gfx908: no question is left out"
[ "$(wc -c <"$tmp/probe")" -lt 20000 ]
ok $? "the file is small"
ids=$(sed -n 's/^answer [0-9]* | \([^|]*\) |.*/\1/p' "$tmp/probe" | tr ' ' '\n' | sort -u | sed '/^$/d')
none "every id is of the ledger" "$(for id in $ids; do "$gcncheck" explain "$id" >/dev/null 2>&1 || echo "$id"; done)"

# Each reading plants another answer; it shows where its entry is asked about, and nowhere else is anything new.
for id in VALU-U06 VALU-U07 VALU-C37 VALU-U35 VALU-U44 MOD-U05 BUF-U03 PK-U10; do
    probe gfx900 "gfx900,doubt=$id"
    [ "$(count "| other reading of $id |")" -gt 0 ] && [ "$(count 'as the model')" -gt 40 ] && ! grep -q neither "$tmp/probe"
    ok $? "planted: the other reading of $id" "$tmp/out"
done
grep -q "another reading [1-9]" "$tmp/out"
ok $? "the summary says so" "$tmp/out"
probe gfx900 gfx900,doubt=VALU-X99
is 2 $? "a reading that is none"
if [ -e "$(dirname "$gcncheck")/gcncheck-vgpu-mutants.so" ]; then
    mutant=$("$gcncheck" mutants --format tsv | awk -F'\t' '$3 == "v_min_f32" { print $1; exit }')
    probe gfx900 "gfx900,mutant=$mutant"
    grep -q "^answer 5 .* v_min_f32 v0, v1, v2 | neither: [0-9]* of " "$tmp/probe"
    ok $? "planted: a bug that is no reading ($mutant)" "$tmp/probe"
    grep -q "^  v1=[0-9a-f]* .* v0 gets [0-9a-f]*, on the model " "$tmp/probe"
    ok $? "the points are shown" "$tmp/probe"
else
    skip "planted: a bug that is no reading" "make mutants builds them"
fi
"$gcncheck" vgpu gfx900 --fault hang=400 -- "$gcncheck" probe --dut drm --out "$tmp/probe" >"$tmp/out" 2>&1
is 0 $? "a hang on the way"
is "$(count '^answer ')" "$(count 'as the model')" "is made good"
expect "no card" 3 "no DRM device is here" "$gcncheck" probe --out "$tmp/probe"
expect "a file that cannot be written" 3 "/no/such/file: cannot be written: No such" "$gcncheck" probe --dut model --out /no/such/file
finish
