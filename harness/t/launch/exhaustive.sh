#!/bin/sh
# Tests launch --schedule exhaustive: the number of schedules and outcomes of kernels where they can be counted by hand, what is wrong
# in some order is found and can be run again, what is right is right in all of them, and what it refuses. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
co=cases/kernels/orders/gfx900.asm.co
head -c 256 /dev/zero > "$tmp/zero.bin"

# describe KERNEL WAVES [GROUPS]
describe() {
    printf 'kernel %s\ngrid %d 1 1\nworkgroup %d 1 1\nbuf zero.bin\n' "$1" $(($2 * ${3:-1} * 64)) $(($2 * 64)) > "$tmp/launch.txt"
}

# try CODE PATTERN WHAT ARGUMENTS...
try() {
    want=$1 pattern=$2 what=$3
    shift 3
    "$gcncheck" launch "$@" > "$tmp/out" 2>&1
    code=$?
    [ $code = "$want" ] && grep -q -e "$pattern" "$tmp/out"
    ok $? "$what" "$tmp/out"
}

# all CODE WAVES GROUPS SCHEDULES OUTCOMES WRONG KERNEL
all() {
    describe "$7" "$2" "$3"
    pattern="^exhaustive: all $4 schedules* that differs*, $5 outcomes*"
    [ "$6" = 0 ] && pattern="$pattern\$" || pattern="$pattern, $6 wrong; the first: --turns "
    try "$1" "$pattern" "$7, $3 work-groups of $2 waves: $4 schedules, $5 outcomes, $6 wrong" --schedule exhaustive $co "$tmp/launch.txt"
}

# n waves that have nothing in common: one.
all 0 1 1 1 1 0 own
all 0 5 1 1 1 0 own
all 0 16 1 1 1 0 own
# A store each to one place: n!, and the last one is what is there.
all 1 2 1 2 2 1 one_place
all 1 3 1 6 3 4 one_place
all 1 4 1 24 4 18 one_place
# A store of what is there already is like a load: of four work-groups that store the same, one comes first.
all 0 1 4 4 1 0 one_place
# 3! orders of the stores; the load of the second one may stand before or behind the first, that of the third has three places. What
# comes out is the sum of any of 1, 2 and 3 that the last one has not lost: 1 to 6.
all 1 2 1 4 3 2 sum
all 1 3 1 36 6 30 sum
all 0 2 1 2 1 0 atomic
all 0 4 1 24 1 0 atomic
all 0 2 2 24 1 0 atomic
# Each wave loads before or behind the other one's store, but not both before: all orders are right behind a barrier.
all 0 2 1 1 1 0 meet
all 0 6 1 1 1 0 meet
all 1 2 1 3 3 2 no_barrier
all 1 4 1 9 9 8 no_barrier
# Each that waits finds the flag set at once, or not: the data is there. If the flag comes first it is there or not, in both cases.
all 0 2 1 2 1 0 flag
all 0 3 1 4 1 0 flag
all 1 2 1 4 2 2 flag_first
all 1 3 1 16 4 12 flag_first

# n! orders in which they take it; who is the k-th finds it taken, or not, while each of the k - 1 before has it: n! 2^(0 + 1 + ... + n-1).
all 0 2 1 4 1 0 lock
all 0 3 1 48 1 0 lock

# The first wrong one is run again by its list, which says the same each time; with the list every instruction can be followed.
outcome() {
    "$gcncheck" launch "$@" --force --out "$tmp/saved" $co "$tmp/launch.txt" > "$tmp/out" 2>&1
    cksum < "$tmp/saved/0.bin"
}
for kernel in one_place sum no_barrier flag_first; do
    describe $kernel 4
    right=$(outcome)
    wrong=$(outcome --schedule exhaustive --schedules 500)
    turns=$(sed -n 's/.*--turns //p' "$tmp/out")
    again=$(outcome --turns "$turns")
    [ "$right" != "$wrong" ]
    ok $? "$kernel: what is left is the first wrong outcome" "$tmp/out"
    is "$wrong" "$again" "$kernel: --turns $turns comes to it"
    is "$wrong" "$(outcome --turns "$turns" --trace --check-hazards --engine ref)" "$kernel: followed step by step, too"
done
describe sum 3
"$gcncheck" launch --schedule exhaustive $co "$tmp/launch.txt" 2>&1 | sed 's/, [0-9.]* s$//' > "$tmp/first"
"$gcncheck" launch --schedule exhaustive --jobs 2 $co "$tmp/launch.txt" 2>&1 | sed 's/, [0-9.]* s$//' | cmp -s - "$tmp/first"
ok $? "the same again" "$tmp/first"

# One lock, then the other, and the other way round: in one order each waits for the other.
describe two_locks 2
try 3 "^exhaustive: all 13 schedules that differ, 2 outcomes, 1 wrong; the first: --turns" "two locks: one order is stuck" --schedule exhaustive $co "$tmp/launch.txt"
try 3 "wave 0 at 0x.*; wave 1 at 0x" "it is named" --schedule exhaustive $co "$tmp/launch.txt"
try 3 "waits for memory that no wave is left to change" "and repeated" --turns "$(sed -n 's/.*--turns //p' "$tmp/out")" $co "$tmp/launch.txt"
try 0 "two_locks: 1 work-group" "in order they are right" $co "$tmp/launch.txt"

# Not all.
describe one_place 5
try 1 "^exhaustive: 119 schedules, not all, 5 outcomes" "one less than 5!" --schedule exhaustive --schedules 119 $co "$tmp/launch.txt"
try 1 "^exhaustive: all 120 schedules that differ, 5 outcomes, 96 wrong" "5!" --schedule exhaustive --schedules 120 $co "$tmp/launch.txt"

describe patient 2
try 0 "^exhaustive: 300 schedules, not all, 1 outcome\$" "a wait that counts lets the other go on" --schedule exhaustive --schedules 300 $co "$tmp/launch.txt"
describe astray 2
try 3 "^exhaustive: 2 schedules, not all, 2 outcomes, 1 wrong; the first: --turns 0\$" "what comes behind a stop is not seen" --schedule exhaustive $co "$tmp/launch.txt"
try 3 "memory violation at" "the stop is named" --schedule exhaustive $co "$tmp/launch.txt"

# What is compared decides what is wrong.
describe sum 2
printf '\003' | cat - "$tmp/zero.bin" | head -c 256 > "$tmp/three.bin"
sed 's/buf zero.bin/inout zero.bin three.bin exact/' "$tmp/launch.txt" > "$tmp/three.txt"
try 1 "all 4 schedules that differ, 3 outcomes, 2 wrong" "the sum is expected" --schedule exhaustive $co "$tmp/three.txt"
try 1 "three.bin differs: .*1 of 64 elements wrong" "what differs in the first wrong one" --schedule exhaustive $co "$tmp/three.txt"
printf '\001' | cat - "$tmp/zero.bin" | head -c 256 > "$tmp/three.bin"
try 1 "all 4 schedules that differ, 3 outcomes, 3 wrong; the first: --turns 0\$" "a lost one is" --schedule exhaustive $co "$tmp/three.txt"

# Missing barriers of planted kernels, in several work-groups: 3 orders of each, or 2.
planted=cases/kernels/planted/gfx900.O2.co
head -c 1024 /dev/zero > "$tmp/in.bin"
for how in "barrier_missing 3 3" "barrier_missing_in_sum 5 2"; do
    set -- $how
    python3 -c 'import struct; open("'"$tmp"'/in.bin", "wb").write(struct.pack("<256I", *range(1, 257)))'
    head -c 4096 /dev/zero > "$tmp/zero.bin"
    printf 'kernel %s\ngrid %d 1 1\nworkgroup 128 1 1\nbuf zero.bin\nbuf in.bin\ntmp 1024\nu32 14\n' "$1" $(($2 * 128)) > "$tmp/launch.txt"
    n=$(($3 == 3 ? 27 : 32))
    try 1 "^exhaustive: all $n schedules that differ, $n outcomes, $((n - 1)) wrong" "$1 in $2 work-groups: $3^$2" --schedule exhaustive $planted "$tmp/launch.txt"
done

# What waits, and is right.
for how in "grid_barrier 2" "look_back 3" "one_lock 3" "first_waits 3"; do
    set -- $how
    printf 'kernel %s\ngrid %d 1 1\nworkgroup 128 1 1\nbuf zero.bin\ntmp 128\ntmp 128\nu32 %d\n' "$1" $(($2 * 128)) "$2" > "$tmp/launch.txt"
    try 0 "^exhaustive: all [0-9]* schedules that differ, 1 outcome\$" "$1, $2 work-groups: one outcome" --schedule exhaustive cases/kernels/groups_wait/gfx900.O3.co "$tmp/launch.txt"
done
# one_lock of two work-groups: as `lock` of two waves, but who finds it taken is in the same state only from the second time on (the first
# time VCC holds what it held before the loop: nobody reads that, but it is not known here): not at all, once or twice, in two orders.
printf 'kernel one_lock\ngrid 256 1 1\nworkgroup 128 1 1\nbuf zero.bin\ntmp 128\ntmp 128\nu32 2\n' > "$tmp/launch.txt"
try 0 "^exhaustive: all 6 schedules that differ, 1 outcome\$" "one_lock, 2 work-groups: six" --schedule exhaustive cases/kernels/groups_wait/gfx900.O3.co "$tmp/launch.txt"
printf 'kernel nobody_comes\ngrid 128 1 1\nworkgroup 64 1 1\nbuf zero.bin\ntmp 128\ntmp 128\nu32 2\n' > "$tmp/launch.txt"
try 3 "^exhaustive: all 1 schedule that differs, 1 outcome, 1 wrong; the first: --turns 0\$" "what waits for ever has an end" --schedule exhaustive cases/kernels/groups_wait/gfx900.O3.co "$tmp/launch.txt"

# Several kernels, each from what the first order of the one before has left: 2 of two stores. Sums 2 + 1 + 2, 2 + 1 and 2 + 2.
several=cases/kernels/several
"$gcncheck" launch --schedule exhaustive $several/gfx900.O3.co $several/launch.txt > "$tmp/out" 2>&1
is "0 3" "$? $(grep -c '^exhaustive: all 1 schedule that differs, 1 outcome$' "$tmp/out")" "three kernels without orders"
two() {
    printf 'kernel one_place\ngrid 128 1 1\nworkgroup 128 1 1\nbuf zero.bin\n%skernel sum\ngrid 128 1 1\nworkgroup 128 1 1\nagain 0\n%s' "$1" "$2" > "$tmp/two.txt"
}
printf '\002' | cat - "$tmp/zero.bin" | head -c 4096 > "$tmp/two.bin"
printf '\005' | cat - "$tmp/zero.bin" | head -c 4096 > "$tmp/five.bin"
two "" ""
try 1 "^exhaustive: all 2 schedules that differ, 2 outcomes; the next kernel goes on from the first\$" "two kernels, the first" --schedule exhaustive $co "$tmp/two.txt"
turns=$(sed -n 's/.*4 schedules that differ, 3 outcomes, 2 wrong; the first: --turns //p' "$tmp/out")
case $turns in 1/*) ;; *) false ;; esac
ok $? "two kernels, the second" "$tmp/out"
two "" "expect 0 five.bin exact
"
try 0 "five.bin matches" "the first order of both" $co "$tmp/two.txt"
try 1 "3 outcomes, 2 wrong; the first: --turns $turns\$" "an order of the second" --schedule exhaustive $co "$tmp/two.txt"
try 1 "kernel sum: .*five.bin differs: .*want 0x00000005, got 0x0000000[34]" "it is run again" --turns "$turns" $co "$tmp/two.txt"
two "expect 0 two.bin exact
" ""
try 1 "all 2 schedules that differ, 2 outcomes, 1 wrong; the first: --turns 0/" "an order of the first" --schedule exhaustive $co "$tmp/two.txt"
is 0 "$(grep -c '^kernel sum' "$tmp/out")" "is the last"
turns=$(sed -n 's/.*--turns //p' "$tmp/out")
try 1 "kernel one_place: .*two.bin differs: .*got 0x00000001" "it is run again" --turns "$turns" $co "$tmp/two.txt"
for list in 0 2/0 x/0 /0; do
    try 2 "and of several a KERNEL/ is said" "--turns $list of two kernels" --turns $list $co "$tmp/two.txt"
done

# What it refuses.
describe own 16 5
try 2 "has 80 waves: their turns can be chosen of at most 64" "too many waves" --schedule exhaustive $co "$tmp/launch.txt"
describe own 2
for other in "--resident 2" "--memory weak" "--check-memory" "--delay-memory max" "--check-races" "--check-hazards" "--ulp 1" "--trace" \
    "--trace-only first 1" "--break own" "--debug -" "--gdb -" "--regs" "--turns 0"; do
    option=${other%% *} value=${other#* }
    [ "$option" != "$other" ] || value=
    try 2 "exclude each other" "not with $option" --schedule exhaustive "$option" ${value:+"$value"} $co "$tmp/launch.txt"
done
for other in "--resident 2" "--memory weak" "--check-memory" "--delay-memory max" "--schedule order"; do
    try 2 "turns and .* exclude each other" "--turns not with $other" --turns 0 $other $co "$tmp/launch.txt"
done
try 2 "is for --schedule exhaustive" "--schedules alone" --schedules 5 $co "$tmp/launch.txt"
try 2 "exclude each other: .* when others see a store, which weak memory draws" "not with --memory: why" --schedule exhaustive --memory weak:2 $co "$tmp/launch.txt"
try 2 "calls the host" "printf" --schedule exhaustive cases/kernels/printf_cl/gfx900.O2.co cases/kernels/printf_cl/launch.txt
for list in 0: 0:0 :1 x 0, 64 0:1:1 0:4294967296; do
    try 2 "not WAVE or WAVE:TURNS" "--turns $list" --turns $list $co "$tmp/launch.txt"
done
try 2 "wave 2 of the grid cannot go on when it is its turn" "a wave that is not there" --turns 0,2 $co "$tmp/launch.txt"
try 2 "wave 0 of the grid cannot go on when it is its turn" "a wave that has ended" --turns 0,0 $co "$tmp/launch.txt"
finish
