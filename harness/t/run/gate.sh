#!/bin/sh
# `--gate` of run and fuzz: what evidence a ledger entry has decides whether a difference that it touches counts. TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
mkdir -p "$tmp/vop2"

# The same wrong expectation (1 + 2 is not 4) without an entry, with one (VALU-C01: agreed), and with an unknown one.
write() {
    cat >"$tmp/vop2/v_add_u32.case" <<END
case-format 1
test a wrong expectation
$1
code
    v_add_u32 v0, v1, v2
rows  v1  v2  | v0
      1   2   | 4
END
}

# try CODE WHAT ARGUMENTS...: exit code, and how the result is printed.
try() {
    code=$1 what=$2
    shift 2
    "$gcncheck" run --quiet "$@" "$tmp/vop2" >"$tmp/out" 2>&1
    [ $? = "$code" ] && grep -q "$what" "$tmp/out"
    ok $? "$* ends with $code" "$tmp/out"
}

write ""
try 1 "^not ok 1" --gate captured
try 1 "^not ok 1" --gate manual
write "errata VALU-C01"
try 1 "^not ok 1" --gate agreed
try 1 "^not ok 1"
try 0 "^not ok 1 .* # TODO VALU-C01" --gate captured
write "errata VALU-C01 NONE-C99"
try 0 "^not ok 1 .* # TODO VALU-C01 NONE-C99" --gate reported
try 1 "^not ok 1" --gate manual
try 0 "VALU-C01 NONE-C99" --format text

# fuzz COUNT CODE WHAT ARGUMENTS...: exit code, and what the summary says.
fuzz() {
    count=$1 code=$2 what=$3
    shift 3
    "$gcncheck" fuzz --mcpu gfx900 --seed 1 --count "$count" --out "$tmp/findings" "$@" >"$tmp/out" 2>&1
    [ $? = "$code" ] && grep -q "$what" "$tmp/out"
    ok $? "fuzz $* ends with $code" "$tmp/out"
}

# The default NaN has the other sign: VALU-U06, reported. Nothing else differs.
only="--only v_mul_f32,v_add_f32 --dut doubt:VALU-U06"
fuzz 500 0 "^cause [0-9]*: v_mul_f32 .*: vgpr, .*, below the gate # TODO VALU-U06" $only
is 0 "$(find "$tmp/findings" -name report.txt | wc -l)" "nothing is written"
grep -q ", wrong 0 (0 causes), .* below the gate [1-9]" "$tmp/out"
ok $? "such streams are counted by themselves" "$tmp/out"
fuzz 500 1 "^cause 1: .*findings.* # VALU-U06" --gate manual $only
cat "$tmp"/findings/*/report.txt 2>/dev/null | grep -q "^  ledger: VALU-U06"
ok $? "a finding names the entry"
grep -q '"ledger": "VALU-U06"' "$tmp"/findings/*/finding.json
ok $? "for programs, too"

# The same through a plug-in, and the cases: it differs in nothing but what the ledger leaves open.
export GCNCHECK_DOUBT=VALU-U06
plugin="--dut plugin:${BUILD:-build}/model_dut.so"
fuzz 200 0 "^cause [0-9]*: v_mul_f32 .*: vgpr, .*, below the gate # TODO VALU-U06" --only v_mul_f32,v_add_f32 $plugin
for gate in agreed manual; do
    "$gcncheck" run --mcpu gfx900 --gate $gate --quiet $plugin cases/vop2 >"$tmp/out" 2>&1
    code=$?
    todo=$(grep -c '^not ok .* # TODO .*VALU-U06' "$tmp/out")
    bad=$(grep '^not ok ' "$tmp/out" | grep -vc '# TODO .*VALU-U06')
    if [ $gate = agreed ]; then
        [ $code = 0 ] && [ "$todo" -gt 20 ] && [ "$bad" = 0 ]
    else
        [ $code = 1 ] && [ "$bad" -gt 20 ]
    fi
    ok $? "run --gate $gate on a plug-in: code $code, $todo TODO, $bad failures" "$tmp/out"
done
GCNCHECK_DOUBT=VALU-C01 expect "an entry without another reading is refused" 2 "GCNCHECK_DOUBT: 'VALU-C01' names no entry" \
    "$gcncheck" run $plugin cases/sop1
finish
