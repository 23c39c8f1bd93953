#!/bin/sh
# gcncheck launch --debug: breakpoints, watchpoints, steps and what is printed of a wave. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
v=cases/kernels/vadd_f32

# debug COMMANDS: what it prints, and its exit code.
debug() {
    printf "$1" | "$gcncheck" launch --debug - $v/gfx900.O3.co $v/launch.txt > "$tmp/out" 2>&1
    code=$?
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
debug 'zork\nbreak zork\nprint q4\nhelp break\n'
is 2 $code "wrong commands"
says "<stdin>:1: zork: no command; help lists them" "no command"
says "<stdin>:2: break zork: neither a function nor a hexadecimal offset" "no place"
says "<stdin>:3: q4: not a register" "no register"
finish
