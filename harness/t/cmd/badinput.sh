#!/bin/sh
# Bad input from outside: one clear line on standard error, the right exit code, nothing obtained is lost. TAP.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build="$(dirname "$gcncheck")"
make_tmp

k=cases/kernels/vadd_f32
head -c 1500 $k/gfx900.O3.co >"$tmp/cut.co"
python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(4096))' >"$tmp/noise" # the same always
printf 'case-format 1\ntest x\ncode\n    v_add_u32 v0, v1\nrows v1 | v0\n     1 | 1\n' >"$tmp/short.case"

refuse "no command" 2 "gcncheck: " $gcncheck
refuse "unknown command" 2 "frobnicate" $gcncheck frobnicate
refuse "unknown option" 2 "--frob" $gcncheck run --frob cases
refuse "number that is none" 2 "seed.*12x" $gcncheck fuzz --seed 12x
refuse "unknown processor" 2 "unknown processor 'gfx9000'" $gcncheck list --mcpu gfx9000
refuse "unknown processor, run" 2 "unknown processor 'gfx9000'" $gcncheck run --mcpu gfx9000 cases/sop2
refuse "unknown processor, eval" 2 "unknown processor 'gfx9000'" $gcncheck eval --mcpu gfx9000 's_nop 0'
none="run: no case was judged in full: unimplemented"
refuse "a run of opcodes that the processor lacks" 3 "$none 0, narrowed 0, skipped [1-9][0-9]*$" \
    $gcncheck run --mcpu gfx900 --quiet cases/mai/v_accvgpr_read_b32.case
refuse "a run of opcodes that the DUT lacks" 3 "$none [1-9][0-9]*, narrowed 0, skipped 0$" \
    $gcncheck run --quiet --dut plugin:"$build/example_dut.so" cases/sop1/s_quadmask_b64.case
refuse "unknown DUT" 2 "unknown DUT" $gcncheck run --dut nobody cases/sop2
refuse "unknown mutant" 2 "mutant" $gcncheck run --dut mutant:nobody cases/sop2
refuse "plug-in that is not there" 2 "nobody.so" $gcncheck run --dut plugin:$tmp/nobody.so cases/sop2
refuse "plug-in that is no shared object" 2 "noise" $gcncheck run --dut plugin:$tmp/noise cases/sop2
refuse "case file that is not there" 2 "nowhere" $gcncheck run "$tmp/nowhere.case"
refuse "random bytes as a case file" 2 "noise.case:1" sh -c "cp $tmp/noise $tmp/noise.case && exec $gcncheck run $tmp/noise.case"
refuse "case with a wrong instruction" 2 "short.case:4" $gcncheck run "$tmp/short.case"
refuse "truncated code object" 2 "cut.co" $gcncheck launch "$tmp/cut.co" $k/launch.txt
refuse "random bytes as a code object" 2 "noise" $gcncheck launch "$tmp/noise" $k/launch.txt
refuse "random bytes as launch.txt" 2 "noise: is not a text file" $gcncheck launch $k/gfx900.O3.co "$tmp/noise"
head -c 3000 $k/gfx900.O3.co >"$tmp/cut"
refuse "a code object that is cut short, listed" 2 "cut: is cut short" $gcncheck dis "$tmp/cut"
refuse "a folder to assemble" 2 "is a directory" $gcncheck asm "$tmp"
refuse "a folder to disassemble" 2 "is a directory" $gcncheck dis "$tmp"
refuse "instruction that does not exist" 2 "v_frob_b32" $gcncheck eval 'v_frob_b32 v0, v1'
refuse "instruction that is not modelled" 3 "ds_ordered_count" $gcncheck eval 'ds_ordered_count v0, v1 gds'
refuse "place that does not exist" 2 "v256" $gcncheck eval 'v_mov_b32 v0, v1' v256=1
refuse "accumulation register that gfx900 does not have" 2 "'a0=1': no such register" $gcncheck eval 'v_mov_b32 v0, v1' a0=1
refuse "accumulation register beyond the last" 2 "'a256=1': no such register" $gcncheck eval --mcpu gfx908 'v_mov_b32 v0, v1' a256=1
refuse "value that is none" 2 "banana" $gcncheck eval 'v_mov_b32 v0, v1' v1=banana
refuse "value of more than 32 bits" 2 "'99999999999' is not a value of s0" $gcncheck eval 's_mov_b32 s1, s0' s0=99999999999
refuse "value below -2^31" 2 "'-2147483649' is not a value of s0" $gcncheck eval 's_mov_b32 s1, s0' s0=-2147483649
refuse "lane of more than 32 bits" 2 "'4294967296' is not a 32-bit value" $gcncheck eval 'v_mov_b32 v0, v1' v1=1,4294967296
refuse "value of more than 64 bits" 2 "'18446744073709551616' is not a value of s.0:1" $gcncheck eval 's_nop 0' 's[0:1]=18446744073709551616'
refuse "number with something behind it" 2 "'5x' is not a value of s0" $gcncheck eval 's_mov_b32 s1, s0' s0=5x
refuse "range of five registers" 2 "more than 4 registers at once" $gcncheck eval 's_nop 0' 's[0:4]=1'
refuse "program counter" 2 "'pc=1': cannot be set" $gcncheck eval 's_nop 0' pc=1
refuse "lane that a wave does not have" 2 "not a lane" $gcncheck eval 's_nop 0' v0.lane64=1
refuse "name of nothing" 2 "'vccz=1': no such place" $gcncheck eval 's_nop 0' vccz=1
refuse "list for one lane" 2 "'1,2' is not a value of v0.lane3" $gcncheck eval 's_nop 0' v0.lane3=1,2
refuse "value of more than 128 bits" 2 "is not a value of s.0:3" $gcncheck eval 's_nop 0' 's[0:3]=0x100000000000000000000000000000000'
refuse "long value with something in it" 2 "is not a value of s.0:3" $gcncheck eval 's_nop 0' 's[0:3]=0x1000000000000000z0000'
refuse "range beyond the registers" 2 "no such register" $gcncheck eval 's_nop 0' 's[101:102]=1'
refuse "--count 0" 2 'count: "0" is not a number from 1' $gcncheck fuzz --count 0
refuse "a command that ends before hello" 2 "ended before it answered hello (exited with code 1)" $gcncheck run --dut pipe:false cases/sop2
refuse "no time for a stream" 3 "no stream was run: the time was over" $gcncheck fuzz --time 1ms --out "$tmp/f"
refuse "line beyond the end" 2 "count.case:9999: the file ends with line $(wc -l <harness/t/run/count.case)$" $gcncheck run harness/t/run/count.case:9999
refuse "line 0" 2 "count.case:0: '0' is not a line number" $gcncheck run harness/t/run/count.case:0
refuse "line that is no number" 2 "'abc' is not a line number" $gcncheck run harness/t/run/count.case:abc
refuse "--only with an unknown name" 2 "run: --only: no mnemonic, encoding, case file or folder 'v_nothing'" $gcncheck run --only s_mov_b32,v_nothing cases/sop1
refuse "nothing selected" 2 "run: no case is selected$" $gcncheck run --only v_mov_b32 cases/sop1
refuse "finding that is not there" 2 "nowhere" $gcncheck replay "$tmp/nowhere"
$gcncheck run --quiet --journal "$tmp/whole.journal" cases/sop1/s_abs_i32.case >/dev/null
head -c $(($(wc -c <"$tmp/whole.journal") / 2)) "$tmp/whole.journal" >"$tmp/half.journal"
for format in text html tap junit jsonl; do
    refuse "half a journal as $format" 2 "half.journal: 1 run did not come to the end" $gcncheck report --format $format "$tmp/half.journal"
done
# The second half is run, the first is not run again, and together they are the whole.
canonical() { $gcncheck report --canonical --format jsonl "$1" 2>&1; }
whole=$($gcncheck run --quiet --jobs 2 cases/sop1/s_abs_i32.case)
cp "$tmp/half.journal" "$tmp/go.journal"
[ "$($gcncheck run --quiet --resume "$tmp/go.journal" cases/sop1/s_abs_i32.case)" = "$whole" ]
ok $? "--resume prints the whole run"
[ "$(canonical "$tmp/go.journal")" = "$(canonical "$tmp/whole.journal")" ]
ok $? "and the journal is that of the whole run"
[ "$($gcncheck run --quiet --dut plugin:/nowhere.so --resume "$tmp/go.journal" cases/sop1/s_abs_i32.case 2>/dev/null)" != "$whole" ]
ok $? "but not of another device"
[ "$($gcncheck run --quiet --resume "$tmp/new.journal" cases/sop1/s_abs_i32.case)" = "$whole" ]
ok $? "--resume begins a journal that is not there"
refuse "--resume with other cases" 2 "half.journal: belongs to another run: gcncheck run cases/sop1/s_abs_i32.case" \
    $gcncheck run --format json --resume "$tmp/half.journal" cases/sop1/s_not_b32.case
refuse "--resume of no journal" 2 "noise" $gcncheck run --format json --resume "$tmp/noise" cases/sop1/s_abs_i32.case
refuse "--resume and --journal" 2 "one too many" $gcncheck run --resume "$tmp/half.journal" --journal "$tmp/x" cases/sop1/s_abs_i32.case
refuse "--journal over a file that is none" 2 "noise.case: exists and is no journal" $gcncheck run --journal "$tmp/noise.case" cases/sop1/s_abs_i32.case
refuse "report over its own journal" 2 "whole.journal is to be read, too" $gcncheck report --out "$tmp/whole.journal" "$tmp/whole.journal"
refuse "an endless line" 2 "line 1 is longer than" sh -c "head -c 20000000 /dev/zero | $gcncheck dis"
refuse "no room for output" 3 "cannot write standard output" sh -c "exec $gcncheck list >/dev/full"
refuse "no room for the answers" 3 "cannot write the answers" sh -c "echo '{\"id\":1,\"code\":\"be810000\"}' | $gcncheck eval --jsonl >/dev/full"
refuse "closed output" 3 "cannot write standard output" sh -c "exec $gcncheck dis $k/gfx900.O3.co >&-"
refuse "a file that may not grow" 3 "File too large" sh -c "ulimit -f 1; exec $gcncheck run --quiet --journal $tmp/big.journal cases/sop1 >/dev/null"
refuse "--check of what is not there" 2 "nowhere: cannot be opened" $gcncheck dis --check "$tmp/nowhere"
refuse "random bytes as a journal" 2 "noise" $gcncheck report "$tmp/noise"
refuse "output folder that cannot be made" 3 "noise" $gcncheck fuzz --count 10 --out "$tmp/noise/x"

# A plug-in that crashes or hangs in one job: the other results stand, and the run ends as one with differences.
# keeps TITLE HOW PATTERN
keeps() {
    BAD_SDWA=$2 timeout 100 $gcncheck run --mcpu gfx900 --quiet --dut-time 1s --dut plugin:"$build/bad_sdwa.so" cases/vop2/v_add_co_u32.case >"$tmp/out" 2>"$tmp/err"
    got=$?
    grep -m5 -e '^not ok' -e reason "$tmp/out" >>"$tmp/err"
    [ $got = 1 ] && grep -q "$3" "$tmp/out" && grep -q "^ok .* # SKIP.*everything" "$tmp/out" && grep -q '^1\.\.[1-9]' "$tmp/out"
    ok $? "$1" "$tmp/err"
}
keeps "plug-in that crashes" crash 'SIGABRT'
keeps "plug-in that hangs" hang 'no answer in'
keeps "plug-in that answers nonsense" nonsense '77'

# Short of memory: whatever could not be had, a line and exit code 3, until it is enough. (Sanitizers need terabytes of addresses.)
got=
kib=18000
while [ "$got" != 0 ] && [ $kib -lt 200000 ]; do
    kib=$((kib + 500))
    (ulimit -v $kib; exec timeout 60 $gcncheck run --jobs 1 --quiet cases/sop1/s_abs_i32.case) >"$tmp/out" 2>"$tmp/err"
    got=$?
    [ $got = 127 ] && continue # the program itself is not loaded
    [ $got = 3 ] && [ "$(wc -l <"$tmp/err")" = 1 ] || break
done
if [ $got != 0 ] && grep -q __asan_init "$gcncheck"; then
    skip "too little memory" "built with a sanitizer"
else
    [ $got = 0 ] || note "exit code $got with $kib KiB of addresses"
    ok $got "too little memory" "$tmp/err"
fi
finish
