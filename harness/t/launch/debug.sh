#!/bin/sh
# gcncheck launch --debug: breakpoints, watchpoints, steps and what is printed of a wave. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
v=cases/kernels/vadd_f32

launch="$v/gfx900.O3.co $v/launch.txt"
# debug COMMANDS OPTION...: what it prints, and its exit code.
debug() {
    commands=$1
    shift
    # shellcheck disable=SC2059,SC2086
    printf "$commands" | "$gcncheck" launch "$@" --debug - $launch > "$tmp/out" 2>&1
    code=$?
}
# stops WANT TITLE: after the start, the kind of each stop, the wave and the source line, one behind the other.
stops() {
    is "$1" "$(sed -n 's/^\([a-z]*\).*: \([0-9.]*\/[0-9]\) pc 0x[0-9a-f]* (.*kernel.s:\([0-9]*\)): .*/\1 \2 \3/p' "$tmp/out" |
        tail -n +2 | paste -sd, -)" "$2"
}
# says LINE TITLE: the whole line is there.
says() {
    grep -Fxq -- "$1" "$tmp/out"
    ok $? "$2" "$tmp/out"
}

# The instruction multiplies the number of the work-group by its size, 256, into s6.
debug 'break vadd_f32+0x24 hit 2 group 3\nc\nprint s6 s1 v0.lane5\nstep\nprint s6\nwaves\n'
is 0 $code "a script without a mistake"
says "breakpoint 1, hit 2: 3.0.0/1 pc 0x1924 (vadd_f32+0x24): s_mul_i32 s6, s6, s1" "the second wave of work-group 3"
says "s6=0x3" "before it"
says "v0.lane5=0x45" "work-item 64 + 5"
says "step: 3.0.0/1 pc 0x1928 (vadd_f32+0x28): v_add_u32_e32 v0, s6, v0" "one step"
says "s6=0x300" "behind it: 3 * 256"
grep -q "out.bin matches" "$tmp/out"
ok $? "behind the last line it runs to its end" "$tmp/out"

debug 'break 1924 wave 2\nc\ndelete 1\nwatch s6\nc\n'
says "breakpoint 1, hit 1: 0.0.0/2 pc 0x1924 (vadd_f32+0x24): s_mul_i32 s6, s6, s1" "an address, a wave"
debug 'watch arg2+1024 4\nc\n'
grep -Eq '^watchpoint 1, hit 1, store of [0-9]+ bytes? at 0x[0-9a-f]+ by lane 0, value 0x[0-9a-f]+: 1.0.0/0 ' "$tmp/out"
ok $? "item 256 is stored by the first lane of work-group 1" "$tmp/out"
debug 'rwatch arg0 4\nc\n'
grep -Eq '^watchpoint 1, hit 1, load of [0-9]+ bytes? at 0x[0-9a-f]+ by lane 0: 0.0.0/0 ' "$tmp/out"
ok $? "item 0 is loaded by the first lane" "$tmp/out"
debug 'break 1924\nc\nset s6 0\nc\nset s6 1\nquit\n'
is 0 $code "quit ends the launch"
debug 'set pc 0\nstep\nquit\n'
is 3 $code "a pc that is set outside the program"
grep -q '^stuck: pc 0x[0-9a-f]*: PC left the program$' "$tmp/out"
ok $? "ends the launch there" "$tmp/out"
# The program lies at 0x100000000. The instruction at 0x1924 reads s1, the one behind it s6.
debug 'break 1924 hit 3\nc\nprint pc\nrwatch s1 wave 2\nrwatch s6 wave 2\nset pc 0x100001928\ns\n'
says "pc_hi=0x1" "where the program lies"
says "watchpoint 3, hit 1: 0.0.0/2 pc 0x192c (vadd_f32+0x2c): v_add_co_u32_e32 v0, vcc, s0, v0" "a pc that is set: the instruction there is executed, and it alone"
is 0 "$(grep -c '^watchpoint 2' "$tmp/out")" "not the one before it"
head -c 17000000 /dev/zero | tr '\0' x >"$tmp/long"
# shellcheck disable=SC2086
refuse "a line without an end" 2 "--debug .*/long: the commands cannot be read to their end" "$gcncheck" launch --debug "$tmp/long" $launch
# shellcheck disable=SC2086
"$gcncheck" launch --debug - $launch <"$tmp" >"$tmp/out" 2>&1
is "2 1" "$? $(grep -c '^<stdin>: line 1 cannot be read$' "$tmp/out")" "commands that cannot be read"
refuse "standard input is read once" 2 "standard input is the code object already" "$gcncheck" launch --debug - - $v/launch.txt
refuse "whatever else it is" 2 "standard input is the launch already" "$gcncheck" launch --debug - $v/gfx900.O3.co -
debug 'zork\nbreak zork\nprint q4\nhelp break\n'
is 2 $code "wrong commands"
says "<stdin>:1: zork: no command; help lists them" "no command"
says "<stdin>:2: zork: neither a function nor a hexadecimal offset" "no place"
says "<stdin>:3: q4: not a register" "no register"

# Lines and calls. The loop on lines 35 to 38 is executed three times by each wave; line 35 calls outer (58 to 60), which
# calls inner (16 and 17), and adds what it returned.
launch="cases/kernels/calls/gfx900.asm.co cases/kernels/calls/launch.txt"
debug 'break kernel.s:35\nc\nc\nc\nc\npoints\n'
stops "breakpoint 0.0.0/0 35,breakpoint 0.0.0/0 35,breakpoint 0.0.0/0 35,breakpoint 0.0.0/1 35" "a source line, once for each time that it is come to"
says "1: break kernel.s:35, 4 hits" "hits are counted"
debug 'break src/kernel.s:35 hit 3 group 2 wave 1\nc\nprint s11\n'
stops "breakpoint 2.0.0/1 35" "the third time of a wave"
says "s11=0x1" "its counter: 3, 2, 1"
debug 'break kernel.s:35\nc\nnext\nnext\nnext\nnext\nnext\n'
stops "breakpoint 0.0.0/0 35,step 0.0.0/0 36,step 0.0.0/0 37,step 0.0.0/0 38,breakpoint 0.0.0/0 35,step 0.0.0/0 36" "lines, over calls"
debug 'break kernel.s:35\nc\nline\nline\nline\nline\nline\nline\nline\n'
stops "breakpoint 0.0.0/0 35,step 0.0.0/0 58,step 0.0.0/0 16,step 0.0.0/0 17,step 0.0.0/0 59,step 0.0.0/0 60,step 0.0.0/0 35,step 0.0.0/0 36" "lines, into calls"
debug 'break inner wave 1\nc\nwhere\nfinish\nwhere\nfinish\nwhere\n'
stops "breakpoint 0.0.0/1 16,step 0.0.0/1 59,step 0.0.0/1 35" "finish"
is "0: pc 0x1500 (inner+0x0, kernel.s:16)
1: pc 0x1700 (outer+0x0, kernel.s:58)
2: pc 0x1638 (calls+0x38, kernel.s:35)
0: pc 0x1704 (outer+0x4, kernel.s:59)
1: pc 0x1638 (calls+0x38, kernel.s:35)
0: pc 0x163c (calls+0x3c, kernel.s:35)" "$(grep '^[0-9]: pc' "$tmp/out")" "where"
# 9 instructions before the loop, 10 for each of three rounds, 12 behind.
debug 'step 50\nstep\nwaves\n'
stops "step 0.0.0/0 50,step 0.0.0/1 43" "51 instructions of a wave, then the one that waited at the barrier"
says "  0.0.0/0 ended" "the wave that has ended"

# A wave stores its items' numbers to local memory; the other wave of the work-group loads them.
debug 'awatch lds:256 4 group 2\nc\nc\nc\n'
is "watchpoint 1, hit 1, store of 4 bytes at 0x1000000000100 by lane 0, value 0x40: 2.0.0/1 pc 0x1658 (calls+0x58, kernel.s:41): s_waitcnt lgkmcnt(0)
watchpoint 1, hit 2, load of 4 bytes at 0x1000000000100 by lane 0: 2.0.0/0 pc 0x1670 (calls+0x70, kernel.s:45): s_lshl_b32 s2, s2, 9" \
    "$(grep ^watchpoint "$tmp/out")" "both accesses to local memory, in one work-group"
for range in 'lds:252 4 wave 1' 'lds:256 4 wave 0'; do
    debug "watch $range\nc\n"
    stops "" "lane 0 of wave 1 does not store there: $range"
done
for range in 'lds:252 5 wave 1' 'lds:259 1 wave 1' '0x0 0xffffffff group 9'; do
    debug "watch $range\nc\n"
    stops "$([ "$range" = "${range%9}" ] && echo "watchpoint 0.0.0/1 41")" "part of what lane 0 of wave 1 stores, or nothing: $range"
done
debug 'watch s12 group 1\nrwatch s12 group 1 wave 1\nc\nc\nc\ndelete 2\nc\nc\nc\npoints\n'
stops "watchpoint 1.0.0/0 17,watchpoint 1.0.0/0 17,watchpoint 1.0.0/0 17,watchpoint 1.0.0/1 17,watchpoint 1.0.0/1 17,watchpoint 1.0.0/1 17" "a register changes: 6, 4, 2"
debug 'rwatch s12 wave 1 hit 2\nc\n'
stops "watchpoint 0.0.0/1 36" "a register is read"

# The wave that stops is at the end of its turn, which is one instruction.
debug 'watch s12\nc\nquit\n' --schedule round-robin
is "0 1" "$code $(grep -c 'ended by the debugger; work-group 0 0 0, wave 1' "$tmp/out")" "quit at a watchpoint is final"
debug 'step 51\nwave 0\nstep\n'
stops "step 0.0.0/1 43,step 0.0.0/1 44" "a step of a wave that has ended is one of any wave"

# All work-groups under way; what is changed is changed.
debug 'break kernel.s:48 group 1 wave 0\nc\nwaves\nwave 1 group 2\nprint v0.lane3\nset s10 0x10\nstep\nx arg0+512 5\n' --resident 3 --schedule round-robin
grep -Eq '^  2\.0\.0/1 pc 0x1[0-9a-f]+ ' "$tmp/out" && grep -q '^\* 1\.0\.0/0 pc 0x167c (calls+0x7c, kernel.s:48)$' "$tmp/out"
ok $? "waves of all work-groups" "$tmp/out"
says "v0.lane3=0x43" "the wave that is turned to: 64 + 3"
says "step: 2.0.0/1 pc 0x1680 (calls+0x80, kernel.s:49): global_store_dword v1, v2, s[4:5]" "it is the one that steps"
grep -q "out.bin differs: element 320 (byte 1280): want 0x0000000f, got 0x00000010" "$tmp/out"
ok $? "what a register was set to is stored: item 2 * 128 + 64" "$tmp/out"
debug 'break kernel.s:44 wave 1 group 1\nc\nstore lds:4 0x64\nx lds:0 6\nset v0.lane9 3\nprint v0.lane8 v0.lane9\n'
is 1 $code "a dword that was changed"
says "0x1000000000000: 0x00000000 0x00000064 0x00000002 0x00000003" "local memory"
says "0x1000000000010: 0x00000004 0x00000005" "its end"
says "v0.lane9=0x3" "one lane"
grep -q "element 193 (byte 772): want 0x00000010, got 0x00000073; 1 of 384" "$tmp/out"
ok $? "is loaded: 100 + 15" "$tmp/out"

# A loop without an end, and an interrupt: the counter is 0 before 1 is subtracted from it.
printf 'break kernel.s:36\nc\ndelete 1\nset s11 0\nc\nwaves\n' > "$tmp/loop"
# shellcheck disable=SC2086
"$gcncheck" launch --max-steps 1000000 --debug "$tmp/loop" $launch > "$tmp/out" 2>&1
is 3 $? "a wave that does not end"
grep -q '^stuck: .*1000000 instructions without an end' "$tmp/out" && grep -q '^  0.0.0/1 pc 0x1660 (calls+0x60, kernel.s:43), waits at a barrier$' "$tmp/out"
ok $? "its state can be looked at" "$tmp/out"
: > "$tmp/out" # it holds a breakpoint of the run before
# shellcheck disable=SC2086
"$gcncheck" launch --max-steps 100000000000 --debug "$tmp/loop" $launch > "$tmp/out" 2>&1 &
tries=0
until grep -q '^breakpoint ' "$tmp/out" || [ $tries = 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -INT $!
wait $!
grep -q 'interrupted by SIGINT' "$tmp/out" && ! grep -q ^stuck "$tmp/out"
ok $? "SIGINT ends it" "$tmp/out"

for other in "--gdb 0" "--break 1600" "--check-memory"; do
    # shellcheck disable=SC2086
    refuse "--debug and $other" 2 "--debug and ${other%% *} exclude each other" "$gcncheck" launch --debug "$tmp/loop" $other $launch
done
for other in "--break 1600" "--check-memory"; do
    # shellcheck disable=SC2086
    refuse "--gdb and $other" 2 "--gdb and ${other%% *} exclude each other" "$gcncheck" launch --gdb 0 $other $launch
done
# shellcheck disable=SC2086
refuse "no commands" 2 "No such file" "$gcncheck" launch --debug "$tmp/none" $launch
debug 'break kernel.s:24\nbreak other.s:35\nwave 2\nwave 0 group 7\nx lds:512 1\nx 0 1\nstore 0 1\nset s10\nset v0 0x100000000\nwatch arg1\nwatch lds:65536\nbreak outer hit 0\nbreak outer group 1.2.3.4\ndelete 7\nstep 0\n'
is "15 2" "$(grep -c '^<stdin>:[0-9]*: ' "$tmp/out") $code" "fifteen commands that are wrong, a line for each"
finish
