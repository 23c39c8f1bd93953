#!/bin/sh
# gcncheck launch --gdb: a session of a client, what is no packet, and hostile clients. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
v=cases/kernels/vadd_f32
for mode in "" "hostile 24"; do
    # shellcheck disable=SC2086
    python3 harness/t/lib/gdb_client.py $mode "$gcncheck" launch --gdb - $v/gfx900.O3.co $v/launch.txt > "$tmp/out" 2>&1
    [ $? = 0 ] && grep -q '^1\.\.' "$tmp/out" && ! grep -q '^not ok' "$tmp/out"
    ok $? "a client, ${mode:-a session}" "$tmp/out"
done
refuse "no port" 2 "neither a port" "$gcncheck" launch --gdb zork $v/gfx900.O3.co $v/launch.txt
finish
