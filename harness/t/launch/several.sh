#!/bin/sh
# Several kernels in one launch: they share buffers, run in order, and every check goes over all of them. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
folder=cases/kernels/several
co=$folder/gfx900.O3.co
cp $folder/*.bin "$tmp" || bail "no files"

# launch OPTION...: $tmp/launch.txt; the output without times, the exit code in $code.
launch() {
    "$gcncheck" launch "$@" $co "$tmp/launch.txt" > "$tmp/raw" 2> "$tmp/err"
    code=$?
    sed 's/, [0-9.]* s$//' "$tmp/raw" > "$tmp/out"
}
# comes_to CODE TEXT TITLE: what the launch before it printed.
comes_to() {
    is "$1
$2" "$code
$(cat "$tmp/out" "$tmp/err")" "$3"
}
# kernel NAME ITEMS LINE...: a kernel of the script, in work-groups of at most 64.
kernel() {
    name=$1 items=$2 group=64
    shift 2
    [ "$items" -ge 64 ] || group=$items
    printf 'kernel %s\ngrid %d 1 1\nworkgroup %d 1 1\n' "$name" "$items" "$group"
    for line; do echo "$line"; done
}
three() {
    kernel triple 256 'buf in.bin' 'tmp 1024'
    kernel reverse 256 'again 1' 'out out.bin 1024 exact' 'u32 256' 'expect 1 triple.bin exact' 'expect 3 reverse.bin exact'
    kernel add 256 'again 3 # the fourth' 'ptr 1'
}
right='kernel triple: 4 work-groups, 64 instructions
kernel reverse: 4 work-groups, 76 instructions, triple.bin matches, reverse.bin matches
kernel add: 4 work-groups, 68 instructions, out.bin matches'

# reverse loads what other work-groups of triple have stored: with every option the same comes out.
three > "$tmp/launch.txt"
for option in '' '--jobs 2' '--engine ref' '--schedule random --seed 3' '--resident 4 --schedule adversarial' '--check-memory' '--check-races' \
    '--check-hazards' '--delay-memory max' '--delay-memory 5' '--memory weak' '--memory weak:2' '--memory weak:3'; do
    # shellcheck disable=SC2086
    launch $option
    comes_to 0 "$right" "three kernels $option"
done

# In one kernel, without anything between the two, it is a race; and another order shows it.
kernel at_once 256 'buf in.bin' 'tmp 1024' 'out reverse.bin 1024 exact' 'u32 256' > "$tmp/launch.txt"
launch --check-races
grep -q 'kernel.cl:31' "$tmp/out" && [ $code = 1 ]
ok $? "the same two in one kernel race" "$tmp/out"
launch --memory weak
is 1 $code "and come out wrong"

# What an earlier kernel stored is compared behind it, and what differs there is said on its line.
{ kernel triple 256 'buf in.bin' 'tmp 1024' 'expect 1 reverse.bin exact'; kernel add 256 'again 1' 'again 0'; } > "$tmp/launch.txt"
launch
is "1 1 no output to compare" "$code $(grep -c '^kernel triple: .*, reverse.bin differs: element 0 ' "$tmp/out") $(sed -n 's/^kernel add: .*, //p' "$tmp/out")" "the first of two kernels comes out wrong"

# What nobody set in one kernel is used by another one: named there.
{ kernel triple_some 256 'buf in.bin' 'tmp 1024'; kernel reverse 256 'again 1' 'out out.bin 1024 exact' 'u32 256'; } > "$tmp/launch.txt"
launch --check-memory
grep -q '^kernel reverse: .*, depends on what nobody set$' "$tmp/out" && grep -q 'reverse.*kernel.cl:1[34]' "$tmp/out" && ! grep -q '^kernel triple_some: .*nobody' "$tmp/out"
ok $? "elements that the first kernel left" "$tmp/out"
{ kernel triple 256 'buf in.bin' 'tmp 1024'; kernel triple_some 256 'again 0' 'again 1'; kernel reverse 256 'again 1' 'out reverse.bin 1024 exact' 'u32 256'; } > "$tmp/launch.txt"
launch --check-memory
is "0 0" "$code $(grep -c nobody "$tmp/out")" "elements that an earlier kernel set"

# A pointer in memory is written once, before the first kernel: each push finds it where the one before left it. Variables, too.
python3 -c 'import struct
open("'"$tmp"'/pushed.bin", "wb").write(struct.pack("<4I", 7, 8, 9, 0))
open("'"$tmp"'/zero8.bin", "wb").write(bytes(8))'
{ kernel push 1 'aside out pushed.bin 16 exact' 'inout zero8.bin zero8.bin exact' 'u32 7' 'pointer 1 0 0'
  kernel push 1 'again 1' 'u32 8'; kernel push 1 'again 1' 'u32 9'; } | sed 's/^inout.*/tmp 8/' > "$tmp/launch.txt"
for option in '' --check-memory; do
    launch $option
    is "0 pushed.bin matches" "$code $(sed -n '3s/.*, //p' "$tmp/out")" "a pointer that kernels move on $option"
done
{ kernel count 1 'u32 1' 'global counter u32 10'; kernel count 1 'u32 2'; kernel count 1 'again 0'; } > "$tmp/launch.txt"
launch --out "$tmp/saved"
is "0 14" "$code $(od -An -tu4 "$tmp/saved/counter.bin" | tr -d ' ')" "a variable: 10 + 1 + 2 + 1"
{ kernel count 1 'u32 1'; kernel count 1 'u32 2'; kernel count 1 'u32 3' 'global counter out want.bin 4 exact'; } > "$tmp/launch.txt"
python3 -c 'import struct; open("'"$tmp"'/want.bin", "wb").write(struct.pack("<I", 11))'
launch
is "0 want.bin matches" "$code $(sed -n '3s/.*, //p' "$tmp/out")" "what the code object holds: 5 + 1 + 2 + 3"

# The debugger, --break and traces go on from kernel to kernel.
three > "$tmp/launch.txt"
printf 'break reverse group 3\nbreak add\nc\nx arg1 1\nc\ndelete 2\nc\n' > "$tmp/commands"
launch --debug "$tmp/commands"
is "breakpoint 1, hit 1: 3.0.0/0 reverse
breakpoint 2, hit 1: 0.0.0/0 add" "$(sed -n 's/^\(breakpoint.*\) pc 0x[0-9a-f]* (\([a-z]*\)+.*/\1 \2/p' "$tmp/out")" "breakpoints of the second and the third kernel"
want=$(od -An -tx4 -N4 "$tmp/triple.bin" | tr -d ' ')
grep -q ": 0x$want$" "$tmp/out" && [ $code = 0 ]
ok $? "an item of the first kernel seen from the second" "$tmp/out"
printf 'step 16\nstep\n' > "$tmp/commands"
{ kernel count 1 'u32 1'; kernel push 1 'ptr 2' 'u32 2' 'aside tmp 8' 'pointer 2 0 2'; } > "$tmp/launch.txt"
sed -i 's/^ptr 2/tmp 8/; s/^aside tmp 8/aside tmp 16/; s/^pointer.*/pointer 1 0 3/' "$tmp/launch.txt"
launch --debug "$tmp/commands"
grep -q '^step: 0.0.0/0 .*(push+0x0' "$tmp/out"
ok $? "a step goes on into the next kernel" "$tmp/out"
three > "$tmp/launch.txt"
launch --break add
is "0 2 1" "$code $(grep -c '^kernel' "$tmp/out") $(grep -c 'pc 0x.* (add+0x0.*break; work-group 0 0 0' "$tmp/out")" "--break in the third kernel"
launch --trace-only 'op global_store_* last 2'
grep '^[0-9.]*/0 0x' "$tmp/out" > "$tmp/last"
launch --trace-only 'in add op global_store_*'
is "4 2" "$(grep -c '^[0-9.]*/0 0x' "$tmp/out") $(grep '^[23]\.0\.0/0 0x' "$tmp/out" | grep -cFxf "$tmp/last")" "--trace-only counts over all of them"

# A kernel that does not end ends the launch; those before it have been compared.
three > "$tmp/launch.txt"
launch --max-steps 17
is "3 1" "$code $(grep -c '^kernel triple' "$tmp/out")" "the second kernel has more instructions than it may"

# Bad scripts: one line, and nothing has run.
bad() {
    launch
    comes_to 2 "gcncheck launch: $tmp/launch.txt$1" "refused: $1"
}
{ kernel triple 256 'buf in.bin' 'tmp 1024'; kernel zork 256; } > "$tmp/launch.txt"
bad ":6: has no kernel 'zork', only: triple, reverse, add, triple_some, at_once, push, count"
{ kernel triple 256 'buf in.bin' 'tmp 1024'; kernel add 256 'again 1'; } > "$tmp/launch.txt"
bad ":6: kernel add takes 2 arguments, 1 are given"
{ kernel triple 256 'buf in.bin' 'tmp 1024'; kernel add 256 'again 1' 'u32 5'; } > "$tmp/launch.txt"
bad ":10: argument 1 of kernel add is a global_buffer of 8 bytes, not 'u32' of 4"
{ kernel triple 256 'buf in.bin' 'tmp 1024'; kernel reverse 256 'again 1' 'tmp 1024' 'again 1'; } > "$tmp/launch.txt"
bad ":11: argument 2 of kernel reverse is a by_value of 4 bytes, not 'tmp' of 8"
{ kernel triple 256 'buf in.bin' 'tmp 1024'; kernel push 128 'again 1' 'u32 1'; } > "$tmp/launch.txt"
bad ":6: work-group 64 1 1: kernel push requires 1 1 1"
{ kernel triple 256 'buf in.bin' 'tmp 1024'; echo 'kernel add'; } > "$tmp/launch.txt"
bad ": kernel add has no line 'grid'"
{ echo 'kernel triple'; kernel add 256; } > "$tmp/launch.txt"
bad ":2: kernel triple has no line 'grid'"
{ kernel triple 256 'buf in.bin' 'again 1'; } > "$tmp/launch.txt"
bad ":5: there is no item 1 yet, there are 1"
{ kernel count 1 'u32 1' 'global counter u32 10' 'again 1'; } > "$tmp/launch.txt"
bad ":6: item 1 is a variable, no argument"
{ kernel triple 256 'buf in.bin' 'tmp 1024' 'expect 2 triple.bin exact'; } > "$tmp/launch.txt"
bad ":6: there is no item 2 yet, there are 2"
{ kernel count 1 'u32 1' 'expect 0 want.bin exact'; } > "$tmp/launch.txt"
bad ":5: item 0 is neither a buffer nor a variable"
{ kernel triple 256 'buf in.bin' 'tmp 1024' 'expect 1 want.bin exact'; } > "$tmp/launch.txt"
bad ":6: want.bin has 4 bytes, the buffer 1024"
{ echo 'expect 0 want.bin exact'; kernel triple 256 'buf in.bin' 'tmp 1024'; } > "$tmp/launch.txt"
bad ":1: expect stands before the first kernel"
{ for i in $(seq 257); do kernel count 1 'u32 1'; done; } > "$tmp/launch.txt"
bad ": more than 256 kernels"
finish
