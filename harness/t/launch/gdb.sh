#!/bin/sh
# gcncheck launch --gdb: sessions of a client, what is no packet, and hostile clients. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
v=cases/kernels/vadd_f32
c=cases/kernels/calls
# client TITLE COMMAND...: all points of gdb_client.py hold.
client() {
    title=$1
    shift
    python3 harness/t/lib/gdb_client.py "$@" > "$tmp/out" 2>&1
    [ $? = 0 ] && grep -q '^1\.\.' "$tmp/out" && ! grep -q '^not ok' "$tmp/out"
    code=$?
    [ $code = 0 ] || grep -v '^ok' "$tmp/out" > "$tmp/bad"
    ok $code "$title" "$tmp/bad"
}
client "a session on standard input and output" session "$gcncheck" launch --gdb GDB $v/gfx900.O3.co $v/launch.txt
client "a port, a socket, several work-groups, an interrupt" groups "$tmp" "$gcncheck" launch --resident 3 --schedule round-robin \
    --max-steps 100000000000 --gdb GDB $c/gfx900.asm.co $c/launch.txt
client "what is no packet" hostile 40 "$gcncheck" launch --gdb GDB $v/gfx900.O3.co $v/launch.txt
# Made by another part of the program: a kernel for a processor with accumulation registers, which writes them.
"$gcncheck" export --mcpu gfx908 --only v_accvgpr_write_b32 --format elf --out "$tmp/acc" >/dev/null 2>&1
address=$("$gcncheck" dis "$tmp/acc/gfx908-mai.co" | sed -n 's/.*v_accvgpr_write_b32 a1, v1 .*\/\/ \([0-9A-F]*\):.*/\1/p')
client "accumulation registers" accumulators "$address" "$gcncheck" launch --gdb GDB "$tmp/acc/gfx908-mai.co" "$tmp/acc/gfx908-mai.txt"
refuse "no port" 2 "neither a port" "$gcncheck" launch --gdb zork $v/gfx900.O3.co $v/launch.txt
refuse "a port beyond the last" 2 "neither a port" "$gcncheck" launch --gdb 65536 $v/gfx900.O3.co $v/launch.txt
refuse "no folder for a socket" 3 "No such file" "$gcncheck" launch --gdb "unix:$tmp/none/neither" $v/gfx900.O3.co $v/launch.txt
finish
