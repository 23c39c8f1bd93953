#!/bin/sh
# gcncheck report --diff: exactly the causes that came and went between two versions of a device, and those that stayed. The
# device is the example plug-in; which bugs a version has is said to it by name. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
dut="--dut plugin:${BUILD:-build}/example_dut.so"
cases="cases/sop2/s_add_u32.case cases/vop2/v_add_u32.case cases/vop3a/v_bfe_u32.case cases/vop3a/v_mul_lo_u32.case"

# version NAME BUGS ARGUMENTS...: a journal of that version.
version() {
    name=$1 bugs=$2
    shift 2
    EXAMPLE_DUT_BUG=$bugs "$gcncheck" run --quiet $dut --journal "$tmp/$name" "$@" >/dev/null 2>&1
}
# causes PART: names of the causes of that part of the text page in $tmp/out.
causes() { sed -n "/^$1: /,/^\$/s/^ *[0-9][0-9]*  //p" "$tmp/out" | sed 's/ (.*//' | tr '\n' ';'; }
# diff ARGUMENTS...: the page in $tmp/out, the exit code in $code.
diff() {
    "$gcncheck" report --diff "$@" >"$tmp/out" 2>"$tmp/err"
    code=$?
}

# What each bug of the example shows in is known by name: SCC of s_add_u32, fields of v_bfe_u32, lanes of v_mul_lo_u32.
version a value,flag $cases
version b value,exec $cases
version none 0 $cases
wrong() { "$gcncheck" report --format jsonl "$tmp/$1" | grep '"status":"not ok"' | grep -c "\"mnemonic\":\"$2\""; }
diff "$tmp/a" "$tmp/b"
is 1 $code "a cause came: exit code"
is "v_mul_lo_u32 e64: vgpr;" "$(causes came)" "which"
is "s_add_u32 base: scc;" "$(causes went)" "which went"
is "v_bfe_u32 e64: vgpr;" "$(causes stayed)" "which stayed"
grep -q "^ *$(wrong b v_mul_lo_u32)  v_mul_lo_u32 e64: vgpr" "$tmp/out" && grep -q "^ *$(wrong a s_add_u32)  s_add_u32 base: scc" "$tmp/out"
ok $? "with how many results" "$tmp/out"
grep -q "^        $(wrong a s_add_u32) right now$" "$tmp/out"
ok $? "what went is right now" "$tmp/out"
grep -q "^        gcncheck run .*v_mul_lo_u32.case:" "$tmp/out"
ok $? "what came comes with a command"
diff "$tmp/a" "$tmp/none"
is "0 s_add_u32 base: scc;v_bfe_u32 e64: vgpr;" "$code $(causes went)" "nothing came: exit code 0"
diff "$tmp/a" "$tmp/a"
is "0 s_add_u32 base: scc;v_bfe_u32 e64: vgpr;" "$code $(causes stayed)" "nothing came of itself"
is "came: 0 causes went: 0 causes stayed: 2 causes" "$(grep '^[a-z]*: [0-9]' "$tmp/out" | tr '\n' ' ' | sed 's/ $//')" "and nothing went"
diff "$tmp/none" "$tmp/a"
is "1 s_add_u32 base: scc;v_bfe_u32 e64: vgpr;" "$code $(causes came)" "all came"

# A count that changes; cases that are not there any more, or not judged.
version part value,flag cases/vop3a/v_bfe_u32.case "cases/sop2/s_add_u32.case:$("$gcncheck" report --format jsonl "$tmp/a" | sed -n 's/.*"status":"not ok".*s_add_u32.case.*"line":\([0-9]*\).*/\1/p' | head -1)"
diff "$tmp/a" "$tmp/part"
grep -q "^     1  s_add_u32 base: scc ($(wrong a s_add_u32) before)$" "$tmp/out"
ok $? "another count" "$tmp/out"
version only value,flag --only v_bfe_u32 $cases
diff "$tmp/a" "$tmp/only"
grep -q "^        $(wrong a s_add_u32) are not among the new ones$" "$tmp/out"
ok $? "cases that are gone are not right" "$tmp/out"
echo s_add_u32 >"$tmp/skips"
version skip value,flag --skips "$tmp/skips" $cases
diff "$tmp/a" "$tmp/skip"
grep -q "^        $(wrong a s_add_u32) are not judged now$" "$tmp/out"
ok $? "nor are those that are skipped" "$tmp/out"

# Known failures are failures.
printf 'known-format 1\nv_bfe_u32 e64: vgpr\n    ticket 2\n' >"$tmp/list"
version known value,exec --known "$tmp/list" $cases
diff "$tmp/a" "$tmp/known"
is "v_mul_lo_u32 e64: vgpr;s_add_u32 base: scc;v_bfe_u32 e64: vgpr;" "$(causes came)$(causes went)$(causes stayed)" "a known one stays"
grep -q '^        known: ticket 2$' "$tmp/out"
ok $? "with its reason"

# ---- formats ----
diff "$tmp/a" "$tmp/b" --format jsonl
is "came v_mul_lo_u32 e64: vgpr 0 $(wrong b v_mul_lo_u32);went s_add_u32 base: scc $(wrong a s_add_u32) 0;stayed v_bfe_u32 e64: vgpr $(wrong a v_bfe_u32) $(wrong b v_bfe_u32);" \
    "$(python3 -c '
import json, sys
lines = [json.loads(l) for l in sys.stdin]
assert lines[0]["kind"] == "diff" and (lines[0]["came"], lines[0]["went"], lines[0]["stayed"]) == (1, 1, 1), lines[0]
assert lines[0]["new"]["dut_name"] == "example" and len(lines[0]["old"]["dut_hash"]) == 64
print("".join("%s %s %d %d;" % (l["change"], l["cause"], l["old"], l["new"]) for l in lines[1:]), end="")
' <"$tmp/out")" "JSON lines have the same"
diff "$tmp/a" "$tmp/b" --format tap
is "not ok 1 - vop3a/v_mul_lo_u32: v_mul_lo_u32 e64: vgpr, came;ok 2 - sop2/s_add_u32: s_add_u32 base: scc, went;not ok 3 - vop3a/v_bfe_u32: v_bfe_u32 e64: vgpr, stayed;" \
    "$(grep '^\(not \)*ok' "$tmp/out" | sed 's/ (.*//' | tr '\n' ';')" "TAP: what came is not ok, what went is"
grep -q '^not ok 3 .* # TODO known: it was there before$' "$tmp/out"
ok $? "what stayed is a TODO"
diff "$tmp/a" "$tmp/b" --format junit
grep -q '^<testsuites name="gcncheck" tests="3" failures="1" errors="0">' "$tmp/out"
ok $? "JUnit: one failure of three" "$tmp/out"
is "came;stayed;went;" "$(sed -n 's/^<testcase .* name="[^"]*, \(came\|stayed\|went\) .*/\1/p' "$tmp/out" | sort | tr '\n' ';')" "each is a case with its name"
diff "$tmp/a" "$tmp/b" --format html --out "$tmp/page.html"
grep -q 'v_mul_lo_u32 e64: vgpr, came' "$tmp/page.html"
ok $? "a page as HTML"
for format in text tap html junit jsonl; do
    expect "$format: a page of its own is replaced" 1 '' "$gcncheck" report --diff "$tmp/a" "$tmp/b" --format $format --out "$tmp/p.$format"
    expect "$format: once more" 1 '' "$gcncheck" report --diff "$tmp/a" "$tmp/b" --format $format --out "$tmp/p.$format"
done

# ---- campaigns ----
for bugs in value exec; do
    EXAMPLE_DUT_BUG=$bugs "$gcncheck" fuzz --quiet --seed 1 --count 500 $dut --only v_bfe_u32,v_mul_lo_u32 --journal "$tmp/f$bugs" --out "$tmp/found.$bugs" >"$tmp/fuzz.$bugs" 2>&1
done
diff "$tmp/fvalue" "$tmp/fexec"
is "1 v_mul_lo_u32 e64: vgpr;v_bfe_u32 e64: vgpr;" "$code $(causes came)$(causes went)" "of campaigns, too"
streams=$(sed -n 's/^cause [0-9]*: v_mul_lo_u32 e64: vgpr, \([0-9]*\) streams.*/\1/p' "$tmp/fuzz.exec")
grep -q "^ *$streams  v_mul_lo_u32 e64: vgpr$" "$tmp/out"
ok $? "counted in streams ($streams)" "$tmp/out"

# ---- what is no comparison ----
for i in 1 2; do EXAMPLE_DUT_BUG=value,exec "$gcncheck" run --quiet $dut --shard $i/2 --journal "$tmp/s$i" $cases >/dev/null 2>&1; done
diff "$tmp/a" "$tmp/s1" "$tmp/s2"
is "v_mul_lo_u32 e64: vgpr;s_add_u32 base: scc;v_bfe_u32 e64: vgpr;" "$(causes came)$(causes went)$(causes stayed)" "shards of the new one"
refuse "one of its shards is missing" 2 "shard 2/2 is missing" "$gcncheck" report --diff "$tmp/a" "$tmp/s1"
refuse "or of the old one" 2 "shard 1/2 is missing" "$gcncheck" report --diff "$tmp/s2" "$tmp/a"
head -c $(($(wc -c <"$tmp/a") - 30)) "$tmp/a" >"$tmp/cut"
refuse "half of a run" 2 "cut: a run that did not come to its end" "$gcncheck" report --diff "$tmp/a" "$tmp/cut"
expect "--partial takes it" 0 "^stayed: [12] cause" "$gcncheck" report --partial --diff "$tmp/a" "$tmp/cut"
refuse "no journal" 2 "nowhere: cannot be opened: No such file" "$gcncheck" report --diff "$tmp/nowhere" "$tmp/a"
refuse "a run and a campaign" 2 "a is of gcncheck run, .*fexec of gcncheck fuzz: they have no causes in common" "$gcncheck" report --diff "$tmp/a" "$tmp/fexec"
refuse "one run" 2 "too few arguments" "$gcncheck" report --diff "$tmp/a"
refuse "over its own journal" 2 "a is to be read, too" "$gcncheck" report --diff "$tmp/a" --out "$tmp/a" "$tmp/b"
refuse "with --failures" 2 "diff lists causes, in order: --failures is for results" "$gcncheck" report --diff "$tmp/a" --format tap --failures "$tmp/b"
finish
