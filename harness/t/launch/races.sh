#!/bin/sh
# Tests launch --check-races: quiet where waves meet as LLVM's guide says, whatever the schedule; what it names, and that this
# depends on nothing else. What it finds in kernels with a planted race: planted.sh. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
co=cases/kernels/groups_wait/gfx900.O3.co
planted=cases/kernels/planted

head -c 65536 /dev/zero > "$tmp/zero.bin"

# describe KERNEL GROUPS ITEMS: arguments of groups_wait.
describe() {
    printf 'kernel %s\ngrid %d 1 1\nworkgroup %d 1 1\ntmp %d\ntmp 65536\ntmp 65536\nu32 %d\n' \
        "$1" $(($2 * $3)) "$3" $(($2 * $3 * 4)) "$2" > "$tmp/launch.txt"
}

# races ARGUMENTS...: the launch; $code, and $found: how many it found.
races() {
    "$gcncheck" launch --check-races "$@" "$tmp/launch.txt" > "$tmp/out" 2>&1
    code=$?
    found=$(sed -n 's/.*, \([0-9]*\) races\{0,1\}, no output.*/\1/p' "$tmp/out")
}

for kernel in grid_barrier look_back one_lock first_waits; do
    for groups in 8 64; do
        describe $kernel $groups 128
        for schedule in order reverse round-robin random adversarial; do
            races --resident $groups --schedule $schedule "$co"
            [ "$code$found" = 0 ]
            ok $? "$kernel of $groups work-groups is quiet: $schedule" "$tmp/out"
        done
    done
    describe $kernel 8 128
    races "$co"
    [ "$code$found" = 0 ]
    ok $? "$kernel is quiet without --resident" "$tmp/out"
done

describe lost_update 8 128
races --jobs 1 "$co"
sed 's/, [0-9.]* s$//' "$tmp/out" > "$tmp/first"
[ "$code" = 1 ] && [ "$found" -gt 0 ]
ok $? "a lost update is found, exit code 1" "$tmp/out"
races --jobs 2 "$co"
sed 's/, [0-9.]* s$//' "$tmp/out" | cmp -s - "$tmp/first"
ok $? "the same with --jobs 2"
races --jobs 2 --trace "$co"
grep -v '^[0-9.]*/[0-9]* 0x' "$tmp/out" | sed 's/, [0-9.]* s$//' | cmp -s - "$tmp/first"
ok $? "the same with --trace" "$tmp/out"

# What is said of one: both instructions, with lines, where, why, who.
while read -r kernel where why; do
    printf 'kernel %s\ngrid 1024 1 1\nworkgroup 128 1 1\ntmp 4096\ntmp 1024\ntmp 1024\nu32 1\n' "$kernel" > "$tmp/launch.txt"
    races $planted/gfx900.races.co
    if [ "$where" = quiet ]; then
        [ "$code$found" = 0 ]
        ok $? "$kernel is quiet" "$tmp/out"
    else
        who="work-group [0-9] 0 0, wave [01], lane [0-9]*"
        grep -q "races[.]s:[0-9]*): .* loads .*byte $where.*races[.]s:[0-9]*): .* stored it, .*$why; $who; $who" "$tmp/out"
        ok $? "$kernel: $why" "$tmp/out"
    fi
done << 'END'
lds_not_waited 256 not waited for (lgkmcnt) before the barrier
not_acknowledged 4 not waited for (vmcnt) before others were let know
not_invalidated 4 no buffer_wbinvl1 between
without_glc 0 nothing orders the two
scalar_stale 256 no s_dcache_inv between
lds_waited quiet
message quiet
scalar_invalidated quiet
END

describe lost_update 8 128
races --delay-memory max "$co"
[ $code = 2 ] && [ "$(wc -l < "$tmp/out")" = 1 ]
ok $? "--delay-memory is refused beside it" "$tmp/out"
printf 'kernel lost_update\ngrid 2147483647 2147483647 2147483647\nworkgroup 128 1 1\ntmp 64\ntmp 64\ntmp 64\nu32 1\n' > "$tmp/launch.txt"
races "$co"
[ $code = 2 ] && grep -q "too many waves" "$tmp/out"
ok $? "too many waves are refused" "$tmp/out"
finish
