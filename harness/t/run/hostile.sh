#!/bin/sh
# Devices under test that attack gcncheck: each costs its own job (harness/t/lib/hostile.py; the tables are hostile_plugins.txt and
# hostile_pipes.txt in harness/t/bad/dut). TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

for kind in plugin pipe; do
    python3 harness/t/lib/hostile.py $kind >"$tmp/out" 2>&1
    adopt $? "$tmp/out"
done

# planted TITLE COMPLAINT < SCRIPT: with the script in place of gcncheck the check complains so.
planted() {
    { printf '#!/bin/sh\nreal=%s\n' "$(realpath "$gcncheck")"; cat; } >"$tmp/fake"
    chmod +x "$tmp/fake"
    GCNCHECK=$tmp/fake python3 harness/t/lib/hostile.py plugin --only close_standard >"$tmp/out" 2>&1
    [ $? = 1 ] && grep -q -e "$2" "$tmp/out"
    ok $? "noticed: $1" "$tmp/out"
}

planted "a process that is left" 'left over' <<'E2'
[ "$1" = report ] || sleep 60 <&- >&- 2>&- &
exec "$real" "$@"
E2
planted "a row that is lost" '18 rows printed' <<'E2'
"$real" "$@" | grep -v '^ok 7 '
E2
planted "another row that is wrong" 'other rows: {3: ' <<'E2'
"$real" "$@" | sed 's/^ok 3 /not ok 3 /'
E2
planted "another end of the attacked row" 'the attacked row' <<'E2'
"$real" "$@" | sed '/the attack/s/$/ # SKIP unimplemented/'
E2
planted "another exit code" 'exit code 4, not 0' <<'E2'
"$real" "$@"
[ "$1" = report ] || exit 4
E2
planted "a flood" 'bytes on standard error' <<'E2'
head -c 5000000 /dev/zero | tr '\0' x >&2
exec "$real" "$@"
E2
planted "a report of a sanitizer" 'sanitizer' <<'E2'
echo 'SUMMARY: AddressSanitizer: heap-use-after-free' >&2
exec "$real" "$@"
E2
finish
