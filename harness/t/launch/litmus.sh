#!/bin/sh
# Tests gcncheck litmus: the tests of cases/litmus come out as they say, those that are changed do not, and what is no
# test is refused. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

for file in cases/litmus/*.litmus; do
    for seed in 1 2 3; do
        "$gcncheck" litmus --seed $seed --count 2000 "$file" > "$tmp/out" 2>&1
        ok $? "$file, seed $seed" "$tmp/out"
    done
done

# wrong TITLE SED-COMMAND FILE TEXT: with this change of the file a forbidden outcome comes, or an expected one does not.
wrong() {
    sed "$2" "$3" > "$tmp/changed.litmus"
    ! cmp -s "$3" "$tmp/changed.litmus" && "$gcncheck" litmus --quiet "$tmp/changed.litmus" > "$tmp/out" 2>&1
    [ $? = 1 ] && grep -q "$4" "$tmp/out"
    ok $? "$1" "$tmp/out"
}
wrong "no wait before any release" '/s_waitcnt vmcnt(0)$/{N;/global_store_dword \$y/s/.*\n//}' cases/litmus/mp.litmus "^MP agent global: .*WRONG"
wrong "no cache is emptied" '/buffer_wbinvl1_vol/d' cases/litmus/mp.litmus "^MP agent global: .*WRONG"
wrong "no load goes past the cache" 's/v1, $x, off glc/v1, $x, off/' cases/litmus/cache.litmus "glc reads L2: .*WRONG"
wrong "no wait for LDS" '/s_waitcnt lgkmcnt(0)/d' cases/litmus/lds.litmus "a barrier with a wait: .*WRONG"
wrong "no scalar cache is written back" '/s_dcache_wb/d' cases/litmus/scalar.litmus "written back before the flag: .*WRONG"
wrong "what never comes is expected" 's/^forbid P1:v0=0$/expect P1:v0=7/' cases/litmus/lds.litmus "expected, never seen"

# What is forbidden and came has another name than what is expected and did not.
fate() { # fate TITLE WORDS SUMMARY CONDITION...
    title=$1 words=$2 summary=$3
    shift 3
    printf '%s\n' "litmus-format 1" "test a" "thread P0 group 0" "code" "    v_mov_b32 v0, 1" "$@" > "$tmp/fate.litmus"
    expect "$title" 1 "^a: [0-9]* runs*, $words\$" "$gcncheck" litmus "$tmp/fate.litmus"
    is "1 test, 1000 runs, $summary" "$(printf '%s\n' "$said" | tail -n 1)" "$title: the sum"
}
fate "what is forbidden came" WRONG "1 wrong, 0 missing" "forbid P0:v0=1"
fate "what is expected did not" MISSING "0 wrong, 1 missing" "expect P0:v0=2"
fate "both" "WRONG, MISSING" "1 wrong, 1 missing" "forbid P0:v0=1" "expect P0:v0=2"
printf '%s\n' "litmus-format 1" "test a" "thread P0 group 0" "code" "    v_mov_b32 v0, 1" "expect P0:v0=1" > "$tmp/fate.litmus"
expect "one that forbids nothing ends once all has come" 0 "^a: 1 run, right$" "$gcncheck" litmus "$tmp/fate.litmus"
expect "and the help says so" 0 "One that forbids nothing ends as soon as all that it expects has come" "$gcncheck" help litmus

"$gcncheck" litmus --seed 5 cases/litmus/lds.litmus > "$tmp/one"
"$gcncheck" litmus --seed 5 cases/litmus/lds.litmus | cmp -s - "$tmp/one"
ok $? "the same seed draws the same"
"$gcncheck" litmus --seed 6 cases/litmus/lds.litmus | cmp -s - "$tmp/one"
[ $? = 1 ]
ok $? "another draws something else"
"$gcncheck" litmus --format tsv --count 10 cases/litmus/transitive.litmus > "$tmp/out"
[ "$(grep -c "	forbid	P1:v0=1 P2:v1=1 P2:v2=0	0\$" "$tmp/out")" = 1 ] && head -n 1 "$tmp/out" | grep -q "^test	runs	rule	condition	seen$"
ok $? "a line for each condition" "$tmp/out"

# refused TITLE TEXT LINE...: exit code 2 and these words.
refused() {
    title=$1 words=$2
    shift 2
    printf '%s\n' "$@" > "$tmp/bad.litmus"
    refuse "$title" 2 "$words" "$gcncheck" litmus "$tmp/bad.litmus"
}
refused "no format" "bad.litmus:1: the first line is not" "test a"
refused "a line before the first test" "bad.litmus:2: a line before" "litmus-format 1" "global x"
refused "a keyword that there is not" "bad.litmus:3: globl: unknown here" "litmus-format 1" "test a" "globl x"
refused "a location twice" "bad.litmus:3: location x is there twice" "litmus-format 1" "test a" "global x x"
refused "an initial value too large" "bad.litmus:3: x=4294967296" "litmus-format 1" "test a" "global x=4294967296"
refused "a thread without a group" "bad.litmus:3: thread P0: 'group'" "litmus-format 1" "test a" "thread P0"
refused "a group on two compute units" "group 0 is on compute unit 0" "litmus-format 1" "test a" "thread P0 group 0" "thread P1 group 0 cu 1"
refused "assembly outside a thread" "bad.litmus:3: indented" "litmus-format 1" "test a" "    s_nop 0"
refused "a location that is not there" 'bad.litmus:5: $z: no location' "litmus-format 1" "test a" "thread P0 group 0" "code" '    ds_read_b32 v0, $z'
refused "the scalar address of a local" 'bad.litmus:6: $z.s: no location' "litmus-format 1" "test a" "local z" "thread P0 group 0" "code" '    s_load_dword s0, $z.s, 0x0'
refused "a condition without a value" "bad.litmus:4: P0:v0: is not PLACE=NUMBER" "litmus-format 1" "test a" "thread P0 group 0" "forbid P0:v0"
refused "a register of nobody" "bad.litmus:4: P1:v0: neither" "litmus-format 1" "test a" "thread P0 group 0" "forbid P1:v0=1"
refused "no condition" "bad.litmus:2: test a: no thread, or no condition" "litmus-format 1" "test a" "thread P0 group 0"
refused "what is no instruction" "bad.litmus:2: test a: thread P0: unknown mnemonic" "litmus-format 1" "test a" "thread P0 group 0" "code" "    s_nothing" "forbid P0:v0=1"
refused "what does not end" "thread P0: does not end" "litmus-format 1" "test a" "thread P0 group 0" "code" "    l: s_branch l" "forbid P0:v0=1"
refused "an unknown processor" "unknown processor" "litmus-format 1" "test a" "mcpu gfx1" "thread P0 group 0" "forbid P0:v0=1"
refuse "a file that is not there" 2 "No such file" "$gcncheck" litmus "$tmp/none"
refuse "a format that there is not" 2 "must be text or tsv" "$gcncheck" litmus --format json cases/litmus/mp.litmus
finish
