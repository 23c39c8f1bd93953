#!/bin/sh
# Tests launches whose work-groups wait for one another: right in every schedule and for any --jobs, what is stuck is
# named at once. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
co=cases/kernels/groups_wait/gfx900.O3.co

# describe KERNEL GROUPS: launch.txt and out.bin of that many work-groups, by what the kernel is to do.
describe() {
    python3 - "$tmp" "$1" "$2" << 'END'
import struct, sys
folder, kernel, groups = sys.argv[1], sys.argv[2], int(sys.argv[3])
items, out, before = 128, [], 0
for g in range(groups):
    for l in range(items):
        out.append({"grid_barrier": sum(3 * (i + 1) for i in range(l, groups, items)), "look_back": before + l,
                    "first_waits": 1234 + l}.get(kernel, 1))
    before += g % 7 + 1
open(folder + "/out.bin", "wb").write(struct.pack("<%dI" % len(out), *out))
open(folder + "/launch.txt", "w").write(
    f"kernel {kernel}\ngrid {groups * items} 1 1\nworkgroup {items} 1 1\nout out.bin {4 * len(out)} exact\n"
    f"tmp {4 * groups + 64}\ntmp {4 * groups + 64}\nu32 {groups}\n")
END
}

# right ARGUMENTS...
right() {
    "$gcncheck" launch "$@" $co "$tmp/launch.txt" > "$tmp/out" 2>&1 && grep -q "out.bin matches" "$tmp/out"
    ok $? "$kernel, $groups work-groups $*" "$tmp/out"
}

groups=64
for kernel in grid_barrier look_back one_lock first_waits; do
    describe $kernel $groups
    for schedule in order reverse round-robin random adversarial; do
        right --schedule $schedule --jobs 1
        right --schedule $schedule --jobs 2
        right --schedule $schedule --resident 64
    done
    right --check-hazards --seed 3 --schedule adversarial
    right --delay-memory 5 --resident 64
done
groups=1024
for kernel in grid_barrier look_back one_lock first_waits; do
    describe $kernel $groups
    right --schedule order
    right --schedule random --resident 1024 --seed 2
done

# stuck TITLE TEXT ARGUMENTS...: exit code 3 and these words, long before --max-steps.
stuck() {
    title=$1 words=$2
    shift 2
    "$gcncheck" launch "$@" $co "$tmp/launch.txt" > "$tmp/out" 2>&1
    [ $? = 3 ] && grep -Fq "$words" "$tmp/out"
    ok $? "$title" "$tmp/out"
}
line=$(grep -n 'while (!atomic_load_explicit(flag' cases/kernels/groups_wait/kernel.cl | tail -n 1 | cut -d: -f1)
describe nobody_comes 64
for how in "--jobs 2" "--schedule random" "--resident 64 --schedule round-robin"; do
    # shellcheck disable=SC2086
    stuck "nobody stores the flag, $how" "kernel.cl:$line): waits for memory that no wave is left to change; work-group " $how
    grep -q '; work-groups under way: 64, waves .*64 at 0x[0-9a-f]* (barrier)' "$tmp/out"
    ok $? "all waves are named, $how" "$tmp/out"
done
describe first_waits 64
stuck "who is awaited has no room" "; 1 are not begun: no more can be resident (--resident)" --resident 63
# 64 CUs with ten work-groups of 256 work-items: 640 of 641 have room.
describe first_waits 641
sed -i 's/^grid.*/grid 164096 1 1/; s/^workgroup.*/workgroup 256 1 1/; s/ 328192 / 656384 /' "$tmp/launch.txt"
cat "$tmp/out.bin" "$tmp/out.bin" > "$tmp/two.bin" && mv "$tmp/two.bin" "$tmp/out.bin"
stuck "the processor has no room for it" "work-groups under way: 640," --jobs 1

# Code that is not optimised keeps what a wait needs in private memory, and stores it in every round: it waits all the same.
optimised=$co
co=cases/kernels/groups_wait/gfx900.O0.co
groups=64
for kernel in grid_barrier look_back one_lock first_waits; do
    describe $kernel $groups
    for schedule in order reverse round-robin random adversarial; do
        right --schedule $schedule
    done
done
describe nobody_comes 64
for schedule in order random; do
    stuck "nobody stores the flag, not optimised, $schedule" "waits for memory that no wave is left to change; work-group " --schedule $schedule --max-steps 3000000
done
co=$optimised

# What is lost where work-groups take turns is kept where they run one after the other.
kernel=lost_update
describe $kernel 64
sed -i 's/^tmp 320$/inout zero.bin count.bin exact/; t; s/^tmp.*/tmp 64/' "$tmp/launch.txt"
head -c 320 /dev/zero > "$tmp/zero.bin"
{ printf '\100'; head -c 319 /dev/zero; } > "$tmp/count.bin"
right_count() {
    "$gcncheck" launch "$@" $co "$tmp/launch.txt" 2>&1 | grep -c 'count.bin matches'
}
is 1 "$(right_count --jobs 1)" "without an atomic, one after the other"
for schedule in round-robin random adversarial; do
    is 0 "$(right_count --resident 64 --schedule $schedule)" "without an atomic, $schedule: an update is lost"
done
for seed in 1 2 3; do
    "$gcncheck" launch --resident 64 --schedule random --seed $seed --trace $co "$tmp/launch.txt" 2>&1 | sed 's/, [0-9.]* s$//' | cksum
done > "$tmp/a"
for seed in 1 2 3; do
    "$gcncheck" launch --resident 64 --schedule random --seed $seed --trace --jobs 2 $co "$tmp/launch.txt" 2>&1 | sed 's/, [0-9.]* s$//' | cksum
done > "$tmp/b"
cmp -s "$tmp/a" "$tmp/b"
ok $? "a seed repeats every instruction"
is 3 "$(sort -u "$tmp/a" | wc -l)" "another seed gives another order"
finish
