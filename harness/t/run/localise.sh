#!/bin/sh
# `gcncheck run` names the step at which DUT and model part: bugs planted into the model behind a plug-in and a pipe. TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
plugin="plugin:${BUILD:-build}/model_dut.so"
pipe="pipe:python3 harness/t/lib/model_pipe.py ${BUILD:-build}/model_dut.so"
mkdir "$tmp/x"

# parts TITLE MUTANTS DUT FILE PATTERN: a failing run whose every block with `parts:` matches, and there is one.
parts() {
    said=$(GCNCHECK_MUTANT=$2 "$gcncheck" run --mcpu gfx900 --quiet --dut "$3" "$4" 2>&1)
    code=$?
    printf '%s\n' "$said" >"$tmp/said"
    [ $code = 1 ] && grep -q '^  parts:' "$tmp/said" && ! grep '^  parts:' "$tmp/said" | grep -qv -e "$5"
    ok $? "$1" "$tmp/said"
}

# Row 1 of the conditions reads SCC 0: branch 0 is taken; bits 1, 3 and 5 are set, by steps 4, 7 and 10. 1 >> 1 is 0.
for dut in "$plugin" "$pipe"; do
    parts "a wrong s_bitset1_b32 among branches, ${dut%%:*}" s_bitset1_b32.shl_shr "$dut" cases/multi/branches.case \
        'at step [0-9]*: s_bitset1_b32 s0, [1-5]: s0: model 0x[0-9a-f]*, DUT 0x'
    is "" "$(grep '^  insn:' "$tmp/said" | grep -v 's_bitset1_b32')" "the instruction shown is that one"
done
grep -q 'parts:  "at step 4: s_bitset1_b32 s0, 1: s0: model 0x00000002, DUT 0x00000000"' "$tmp/said"
ok $? "the step is counted from 1, branches included" "$tmp/said"

# Lane 2 reads lane 3, which is off: not looked at.
cat >"$tmp/x/dpp.case" <<'END'
case-format 1
test shifted in its row
code
    v_mov_b32 v1, v0
    s_nop 1
    v_mov_b32_dpp v2, v1 row_shl:1 row_mask:0xf bank_mask:0xf
    v_add_u32 v3, v2, v1
rows  v0  | v1  v2  v3
      10  | 10  20  30
      20  | 20  30  50
      30  | 30  ?   ?
END
parts "a DPP move that shifts to the other side" operand.row_shl "$plugin" "$tmp/x/dpp.case" \
    'at step 3: v_mov_b32_dpp v2, v1 row_shl:1 .*: v2 lane 0: model 0x00000014, DUT 0x'

cat >"$tmp/x/exec.case" <<'END'
case-format 1
test lane 0 alone
in    s[4:5] = 1  v0 = 9
code
    s_and_saveexec_b64 s[2:3], s[4:5]
    v_mov_b32 v0, 5
    s_mov_b64 exec, s[2:3]
out   s[2:3] = -1  scc = 1  v0.lane0 = 5
END
parts "a wrong write of EXEC, put back before the end" s_and_saveexec_b64.and_or "$plugin" "$tmp/x/exec.case" \
    'at step 1: s_and_saveexec_b64 s\[2:3\], s\[4:5\]: exec_lo: model 0x00000001, DUT 0xffffffff (and 1 more)'

cat >"$tmp/x/store.case" <<'END'
case-format 1
test behind 16 bytes
mem   buf 64
in    v[0:1] = &buf+20  exec = 1
code
    v_mov_b32 v2, 7
    global_store_dword v[0:1], v2, off
    s_waitcnt vmcnt(0)
    v_mov_b32 v2, 8
out   v2.lane0 = 8  buf[20].b32 = 7
END
parts "a store to the wrong address" global_store_dword.aligned "$plugin" "$tmp/x/store.case" \
    'at step 2: global_store_dword v\[0:1\], v2, off.*: buf\[16\].b32: model 0xd0000010, DUT 0x00000007, not written by the program (and 1 more)'

# The first time round EXEC is what it was: the bug shows at step 8 of 12, the branch of step 6 included.
cat >"$tmp/x/loop.case" <<'END'
case-format 1
test a lane further each time
in    exec = 3  s[2:3] = 3  s4 = 2  v0 = 0
code
    top:
    s_mov_b64 exec, s[2:3]
    v_add_u32 v0, 1, v0
    s_lshl_b64 s[2:3], s[2:3], 1
    s_sub_u32 s4, s4, 1
    s_cmp_lg_u32 s4, 0
    s_cbranch_scc1 top
out   v0.lane0 = 1  v0.lane1 = 2  v0.lane2 = 1  exec = 6  s[2:3] = 12  s4 = 0  scc = 0
END
parts "a bug of a sequence, in the second round of a loop" state.exec_latched "$plugin" "$tmp/x/loop.case" \
    'at step 8: v_add_u32_e32 v0, 1, v0: v0 lane 0: model 0x00000001, DUT 0x00000002 (and 1 more); no instruction differs alone, this one behind the 7 before it does'
grep -q '^  insn: *v_add_u32' "$tmp/said"
ok $? "the instruction shown is the last of them" "$tmp/said"

# What cannot be decided is said.
cat >"$tmp/x/two.case" <<'END'
case-format 1
test two moves
code
    v_mov_b32 v1, v0
    v_mov_b32 v2, v1
rows  v0  | v1  v2
      10  | 10  10
END
parts "a DUT that answers otherwise the second time" "" "$pipe flaky" "$tmp/x/two.case" \
    '"not localised: no step and no part of the program differs when it is run again"'
parts "a DUT that dies of one instruction" "" "$pipe die=7e040301" "$tmp/x/two.case" \
    'at step 2: v_mov_b32_e32 v2, v1: the DUT ends with crash (exited with code 3)'
sed 's/| 10  10/| 10  11/' "$tmp/x/two.case" >"$tmp/x/wrong.case"
parts "a case that asks for what the model does not give" "" "$plugin" "$tmp/x/wrong.case" \
    '"not localised: DUT and model agree in every step: the case asks for something else"'

# Sixteen runs of a file are localised, each failure is reported; in which order threads work does not matter, nor a second start.
{
    printf 'case-format 1\ntest many\ncode\n    s_mov_b32 s2, s0\n    s_bitset1_b32 s2, s1\nrows s0 s1 | s2\n'
    seq 1 20 | awk '{ print "  0 " $1 " | " 2 ^ $1 }'
} >"$tmp/x/many.case"
try() {
    GCNCHECK_MUTANT=s_bitset1_b32.shl_shr "$gcncheck" run --mcpu gfx900 --quiet --dut "$plugin" "$@" "$tmp/x/many.case"
}
try --jobs 4 --journal "$tmp/j" >"$tmp/four"
is "20 16 4" "$(grep -c '^not ok' "$tmp/four") $(grep -c 'parts:  "at step 2' "$tmp/four") $(
    grep -c 'parts:  "not localised: enough of this file were"' "$tmp/four")" "at most 16 of a file, all reported"
try --jobs 1 | cmp -s - "$tmp/four"
ok $? "one thread localises the same"
head -c $(($(wc -c <"$tmp/j") / 2)) "$tmp/j" >"$tmp/half"
try --resume "$tmp/half" | cmp -s - "$tmp/four"
ok $? "so does a run that was cut short"

# Reports: the blame is the opcode's, not the file's.
"$gcncheck" report "$tmp/j" >"$tmp/text"
grep -q '^    16  s_bitset1_b32 base: scalar$' "$tmp/text" && grep -q '^  SOP1 s_bitset1_b32 *0 *16 ' "$tmp/text" &&
    grep -q '^        parts at step 2: s_bitset1_b32 s2, s1: s2: model 0x0' "$tmp/text"
ok $? "the text page groups by it" "$tmp/text"
"$gcncheck" report --format html "$tmp/j" | grep -q '<dt>parts at</dt><dd><code>step 2: s_bitset1_b32 s2, s1: s2: model'
ok $? "the HTML page has it"
"$gcncheck" report --format junit "$tmp/j" | grep -q '^parts at step 2: s_bitset1_b32 s2, s1: s2: model'
ok $? "JUnit has it"
"$gcncheck" report --format jsonl "$tmp/j" | grep -q '"parts":"step 2: s_bitset1_b32 s2, s1: s2: model.*"blame_encoding":"SOP1","blame":"s_bitset1_b32"'
ok $? "JSON has it"

GCNCHECK_MUTANT=s_bitset1_b32.shl_shr,s_bitset1_b32.count expect "two mutants of one function are refused" 2 "replaces the same function" \
    "$gcncheck" run --dut "$plugin" cases/sop1
GCNCHECK_MUTANT=none.such expect "so is an unknown one" 2 "none.such: no mutant has this id" "$gcncheck" run --dut "$plugin" cases/sop1
finish
