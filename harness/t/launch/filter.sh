#!/bin/sh
# gcncheck launch --trace-only: which lines of a trace are printed. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
v=cases/kernels/calls

# The kernel has three work-groups of two waves; each wave executes 51 instructions: 9 before a loop, 3 times 10 in it (lines 35
# to 38: a call of outer, which calls inner, and three more), 12 behind.
# trace CONDITIONS OPTION...: the lines of the trace.
trace() {
    conditions=$1
    shift
    "$gcncheck" launch "$@" --trace-only "$conditions" $v/gfx900.asm.co $v/launch.txt 2> "$tmp/err" | grep '^[0-9.]*/[0-9]* 0x' > "$tmp/out"
}
# lines COUNT CONDITIONS OPTION...
lines() {
    want=$1
    shift
    trace "$@"
    is "$want" "$(grep -c . "$tmp/out")" "lines: $*"
}
# is_part TEXT CONDITIONS: exactly the lines of the whole trace in which the regular expression is found.
"$gcncheck" launch --trace $v/gfx900.asm.co $v/launch.txt | grep '^[0-9.]*/[0-9]* 0x' > "$tmp/all"
is_part() {
    trace "$2"
    grep -E "$1" "$tmp/all" > "$tmp/want"
    [ -s "$tmp/want" ] && cmp -s "$tmp/want" "$tmp/out"
    ok $? "$2" "$tmp/out"
}

is 306 "$(grep -c . "$tmp/all")" "without conditions: 6 waves of 51 instructions"
lines 51 "group 1 wave 1"
lines 102 "group 1"
lines 153 "wave 0"
is_part '^1\.0\.0/1 ' "group 1 wave 1"
is_part '^2\.0\.0/0 ' "group 2.0.0 wave 0"

# Places: the call in the loop, 18 times; inner is two instructions.
lines 18 "at calls+0x38"
lines 18 "at 1638"
is_part ' 0x1638 ' "at 0x1638"
is_part ' 0x(1638|163c) ' "at calls+0x38 to calls+0x3c"
is_part ' 0x150[04] ' "in inner"
is_part ' 0x(1638|163c) ' "at kernel.s:35"
is_part ' 0x(1638|163c|1640|1644|1648) ' "at src/kernel.s:35 to kernel.s:38"
is_part ' 0x150[04] ' "at kernel.s:16 to kernel.s:17"

# Mnemonics, with and without their suffix.
is_part ' s_swappc_b64 ' "op s_swappc_b64"
is_part ' v_(add_u32|lshlrev_b32|xor_b32)' "op v_*_[ub]32 or op v_*_b32_e32"
is_part ' ds_' "op ds_*"
is_part ' ds_' "op ds_????_b32 or op ds_*_b32"
is_part ' v_add_u32_e32 ' "op v_add_u32_e32"
lines 0 "op v_add_u32_e64"

# All conditions of an alternative hold; any alternative will do.
is_part '^1\.0\.0/0 0x1638 ' "at 1638 group 1 wave 0"
is_part '^(1\.0\.0/0 0x1638|2\.0\.0/1 0x[0-9a-f]+ global_store)' "at 1638 group 1 wave 0 or op global_* group 2 wave 1"

# Hits are counted over all waves, first and last over what is left.
lines 12 "at 1638 hit 7"
trace "at 1638 hit 7"
grep ' 0x1638 ' "$tmp/all" | tail -n +7 | cmp -s - "$tmp/out"
ok $? "from the seventh hit on" "$tmp/out"
trace "group 2 or wave 1 first 4"
grep -E '^(2\.0\.0|.\.0\.0/1)' "$tmp/all" | head -4 | cmp -s - "$tmp/out"
ok $? "the first four" "$tmp/out"
trace "in inner or op global_* last 5"
grep -E ' 0x150[04] | global_' "$tmp/all" | tail -5 | cmp -s - "$tmp/out"
ok $? "the last five" "$tmp/out"
trace "last 1000"
cmp -s "$tmp/all" "$tmp/out"
ok $? "more than there are" "$tmp/out"
trace "first 1"
head -1 "$tmp/all" | cmp -s - "$tmp/out"
ok $? "the first one" "$tmp/out"

# What a wave that is stuck did last: 1000 instructions in a loop of one.
printf 'break kernel.s:36\nc\ndelete 1\nset s11 0\nc\n' > "$tmp/loop"
trace "wave 0 group 0 last 2" --max-steps 1000 --debug "$tmp/loop"
grep -c '^0\.0\.0/0 ' "$tmp/out" | grep -qx 2
ok $? "the last two of a wave that does not end" "$tmp/out"

# Lanes: the last work-group has 40 work-items, one wave of 40 lanes.
sed 's/^grid .*/grid 296 1 1/; s/^out .*/tmp 1536/' $v/launch.txt > "$tmp/launch.txt"
lanes() {
    "$gcncheck" launch --trace-only "$1" $v/gfx900.asm.co "$tmp/launch.txt" | grep -c '^[0-9.]*/[0-9]* 0x'
}
is 7 "$(lanes 'lanes 40')" "seven vector instructions with 40 lanes"
is 7 "$(lanes 'lanes 1-63')" "no others with less than 64"
is 28 "$(lanes 'lanes 64')" "seven in each of four waves with all"
is 35 "$(lanes 'lanes 40-64')" "both"
is 0 "$(lanes 'lanes 0-39')" "none with less"

# It does not change what the launch does, nor what the debugger and the checks see.
trace "last 3" --check-hazards --check-races
is 3 "$(grep -c . "$tmp/out")" "beside the checks"

# bad TEXT WHY
bad() {
    "$gcncheck" launch --trace-only "$1" $v/gfx900.asm.co $v/launch.txt > "$tmp/out" 2> "$tmp/err"
    is "2 gcncheck launch: --trace-only: $2 0" "$? $(cat "$tmp/err") $(grep -c . "$tmp/out")" "refused: $1"
}
limits="not 'at PLACE', 'in FUNCTION', 'op PATTERN', 'lanes N-M', 'first N', 'last N', 'hit N', 'group X.Y.Z' or 'wave N'"
bad " " "says nothing"
bad "zork" "zork : $limits"
bad "wave" "wave : $limits"
bad "wave 16" "wave 16: $limits"
bad "hit 0" "hit 0: $limits"
bad "group 1.2.3.4" "group 1.2.3.4: $limits"
bad "at zork" "zork: neither a function nor a hexadecimal offset"
bad "at calls+0x2" "calls+0x2: no instruction begins there"
bad "at kernel.s:4" "no code of line kernel.s:4, the next one is 16"
bad "at nowhere.s:4" "no code of line nowhere.s:4 (compiled with -g?)"
bad "at 1638 to 1500" "1500: neither a later address nor a later line of the same file"
bad "at 1638 to kernel.s:38" "kernel.s:38: neither a later address nor a later line of the same file"
bad "in zork" "zork: no function"
bad "op zork*" "op zork*: gfx900 has no such instruction"
bad "lanes 65" "lanes 65: neither N nor N-M, of 64"
bad "lanes 9-8" "lanes 9-8: neither N nor N-M, of 64"
bad "first 0" "first 0: not a number from 1 to 1048576"
bad "first 1 wave 1" "wave: nothing stands behind first N"
bad "or wave 1" "'or' stands between two conditions"
bad "wave 1 or" "'or' stands between two conditions"
finish
