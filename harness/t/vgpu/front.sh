#!/bin/sh
# gcncheck vgpu by seccomp user notification: programs that are linked statically or make system calls of their own, several
# processes on one device, as an ordinary user; which front end is taken, and why; what is left when one of them is killed. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=$(dirname "$gcncheck")
[ -e "$build/gcncheck-vgpu.so" ] || skip_all "built without libdrm (libdrm-dev)"
make_tmp
# The sanitizers' library must come first where a library is loaded before a program; it is not asked for leaks of other programs.
asan=$(ldd "$build/gcncheck-vgpu.so" | sed -n 's/.*=> \([^ ]*libasan[^ ]*\).*/\1/p')
[ -z "$asan" ] || export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
static=$build/vgpu_client_static
dynamic=$build/vgpu_client_dynamic

# ---- which is taken; the first line of standard error says it ----
why() { "$gcncheck" vgpu "$@" 2>&1 >/dev/null | head -1; }
printf '#!/bin/sh -e\ntrue\n' >"$tmp/script"
printf '#!%s usage\n' "$(pwd)/$static" >"$tmp/static"
printf 'nonsense\n' >"$tmp/nonsense"
chmod +x "$tmp/script" "$tmp/static" "$tmp/nonsense"
true=$(command -v env)
[ -z "$asan" ] || export LD_PRELOAD="$asan"
is "vgpu: front end preload: $true is linked dynamically" "$(why gfx900 -- env true)" "a program of the PATH"
is "vgpu: front end preload: /bin/sh is linked dynamically" "$(why gfx900 -- "$tmp/script")" "a script is as its interpreter"
is "vgpu: front end preload: $tmp/nonsense is no program of this machine" "$(why gfx900 -- "$tmp/nonsense")" "what is no program"
is "vgpu: front end preload: as --front says" "$(why gfx900 --front preload -- "$static" usage)" "as it is told"
is "" "$(why gfx900 --quiet -- env true)" "not with --quiet"
unset LD_PRELOAD
is "vgpu: front end seccomp: $static is linked statically" "$(why gfx900 -- "$static" usage)" "a static program"
is "vgpu: front end seccomp: $(pwd)/$static is linked statically" "$(why gfx900 -- "$tmp/static")" "a script with a static interpreter"
is "vgpu: front end seccomp: as --front says" "$(why gfx900 --front seccomp -- env true)" "as it is told, too"
expect "a front end that is none" 2 "front" "$gcncheck" vgpu gfx900 --front cuse -- true

"$gcncheck" vgpu gfx900 --front seccomp -- true >"$tmp/out" 2>&1
if grep -q "cannot be had here" "$tmp/out"; then
    skip "static programs" "$(tail -1 "$tmp/out")"
    finish
    exit
fi
vgpu() { "$gcncheck" vgpu gfx900 --quiet --front seccomp "$@"; }
expect "the exit code is passed on" 7 "" vgpu -- sh -c 'exit 7'
expect "so is a signal" 143 "" vgpu -- sh -c 'kill -TERM $$'
expect "a program that is none" 2 "/no/such: No such file" vgpu -- /no/such
expect "a chip that is none" 2 "no virtual GPU is called 'gfx1030'" "$gcncheck" vgpu gfx1030 --front seccomp -- true
expect "a fault that cannot be read" 2 "must be hang=N" vgpu --fault hang=0 -- true

# ---- what a client finds ----
for client in "$static" "$dynamic"; do
    for mode in look dispatch userptr share; do
        expect "$(basename "$client"): $mode" 0 "" vgpu -- "$client" $mode
    done
done
expect "so it is on old chips, whatever the front end" 2 "^vgpu: /dev/kfd is not implemented for chips before gfx9" \
    env $([ -z "$asan" ] || echo LD_PRELOAD="$asan") "$gcncheck" vgpu gfx803 -- sh -c 'exec 3</dev/kfd'
expect "/dev/kfd is refused by name" 0 "^vgpu: /dev/kfd cannot be had with --front seccomp" vgpu -- "$static" look
expect "what is loaded before a program does not see its own system calls" 1 "renderD128: No such file" \
    env $([ -z "$asan" ] || echo LD_PRELOAD="$asan") "$gcncheck" vgpu gfx900 --front preload -- "$dynamic" dispatch
expect "without a device there is none" 1 "No such file" "$static" dispatch
rm -f "$tmp/cov"
expect "coverage is counted" 0 "" vgpu --coverage "$tmp/cov" -- "$static" dispatch
expect "of all that is executed" 0 "^gfx900: .*in 1 streams" "$gcncheck" cover "$tmp/cov"
expect "an ioctl that fails on demand" 1 "client: GEM_CREATE: Cannot allocate memory" vgpu --fault ioctl=1:ENOMEM -- "$static" dispatch
expect "a hang on demand" 1 "client: WAIT_CS: Operation canceled" vgpu --fault hang=1 -- "$static" dispatch
expect "a bit of the program that flips on demand" 1 "client: " vgpu --fault flip=0x1000000:0 -- "$static" dispatch
expect "which the log says" 1 "^vgpu: bit 0 of 0x1000000 flips on demand, before submission 1: 0x82 becomes 0x83$" \
    vgpu --fault flip=0x1000000:0 --log - -- "$static" dispatch
expect "a device that is slow on demand" 0 "" vgpu --fault slow=200 -- "$static" dispatch
expect "every instruction" 0 "^vgpu:   0\.0\.0/0 0x1000010 s_endpgm ;$" vgpu --trace -- "$static" dispatch
vgpu --trace --log "$tmp/trace" -- "$static" dispatch >"$tmp/out" 2>&1
none "in the log, where there is one" "$(cat "$tmp/out")"
grep -q '^vgpu:   0\.0\.0/0 0x1000000 v_lshlrev_b32_e32 v1, 2, v0 ; v1\[0\]=0x0\[1\]=0x4.*\[63\]=0xfc$' "$tmp/trace" &&
    grep -q '^vgpu:   0\.0\.0/0 0x1000004 global_store_dword v1, v0, s\[0:1\] ; mem\[0x2000004\]=0x00000001 ' "$tmp/trace"
ok $? "with what it changed" "$tmp/trace"
expect "counts" 0 "^vgpu: vega10: 12 ioctls, 1 submissions, 6 packets, 1 dispatches, 1 work-groups, 1 waves, 4 instructions, 0 hangs, 0 errors" \
    vgpu --stats -- "$static" dispatch
expect "the log" 0 "AMDGPU_CS = 0" vgpu --log - -- "$static" dispatch
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    mkdir "$tmp/bin"
    cp "$gcncheck" "$build/gcncheck-vgpu.so" "$static" "$tmp/bin"
    chmod 755 "$tmp" "$tmp/bin"
    expect "an ordinary user's" 0 "" setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$tmp/bin/gcncheck" vgpu gfx900 --quiet -- "$tmp/bin/vgpu_client_static" dispatch
else
    skip "an ordinary user's" "only root can become one"
fi
if command -v drmdevice >/dev/null; then
    expect "drmdevice finds the device" 0 "device_id     738c" "$gcncheck" vgpu mi100 --front seccomp -- drmdevice
else
    skip "drmdevice finds the device" "no drmdevice (libdrm-tests)"
fi
if [ -e "$build/gcncheck-drm.so" ] && [ -z "$asan" ]; then
    expect "cases through libdrm, by processes of their own" 0 "^right 33, wrong 0, " \
        vgpu -- "$gcncheck" run --jobs 2 --dut drm cases/sop2/s_add_u32.case
else
    skip "cases through libdrm" "with the address sanitizer workers do not answer in time"
fi

# ---- what is left behind ----
# gone PID: within two seconds it has ended, or nobody has taken note of it yet.
gone() {
    for i in 1 2 3 4 5 6 7 8 9 10; do
        grep -q '^State:[^Z]*$' "/proc/$1/status" 2>/dev/null || return 0
        sleep 0.2
    done
    return 1
}
holds() { # waits until a client has its buffer
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q holding "$1" 2>/dev/null && return
        sleep 0.1
    done
}
cat >"$tmp/killed" <<END
"$static" hold >"$tmp/held" &
until grep -q holding "$tmp/held"; do sleep 0.05; done
"$static" usage
kill -9 \$!
wait \$!
"$static" usage
END
vgpu -- sh "$tmp/killed" >"$tmp/out" 2>/dev/null
is "used 1048576;used 0" "$(tr '\n' ';' <"$tmp/out" | sed 's/;$//')" "a client that is killed leaves no buffer"
# memory PID: the number of the file that the buffers lie in. users NUMBER: who has it open.
memory() { find "/proc/$1/fd" -lname '/memfd:vgpu (deleted)' -exec stat -Lc %i {} + 2>/dev/null | head -1; }
users() { find /proc/[0-9]*/fd -lname '/memfd:vgpu (deleted)' -exec stat -Lc '%i %n' {} + 2>/dev/null | grep "^$1 "; }
start() {
    rm -f "$tmp/held"
    "$gcncheck" vgpu gfx900 --quiet -- "$static" hold >"$tmp/held" 2>&1 &
    server=$!
    holds "$tmp/held"
    client=$(tr -d " " <"/proc/$server/task/$server/children")
    heap=$(memory "$client")
}
start
ok $([ -n "$(users "$heap")" ]; echo $?) "its memory is known while it runs"
kill -9 "$server"
wait "$server" 2>/dev/null
gone "$client"
ok $? "with the server the client ends"
none "nor has anybody its memory" "$(users "$heap")"
start
kill -9 "$client"
wait "$server" 2>/dev/null
is 137 $? "with the client the server ends, and says how"
none "with its memory" "$(users "$heap")"
start
kill "$server"
wait "$server" 2>/dev/null
is 143 $? "SIGTERM is the client's"
gone "$client"
ok $? "which is gone"
"$gcncheck" vgpu gfx900 --quiet --front seccomp -- sh -c 'trap "exit 3" TERM; echo holding; while :; do sleep 0.1; done' >"$tmp/held" 2>&1 &
server=$!
holds "$tmp/held"
kill "$server"
wait "$server" 2>/dev/null
is 3 $? "or what it makes of it"
finish
