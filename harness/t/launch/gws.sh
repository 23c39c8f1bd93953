#!/bin/sh
# Tests global wave sync between the work-groups of a launch. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
. harness/t/lib/kernel.sh
command -v llvm-mc-19 >/dev/null || skip_all "llvm-mc-19 is not installed"
make_tmp

# try CODE TEXT TITLE COUNT ARGUMENTS...: exit code, words that the output has, for resource 0 set to COUNT ("": not set).
try() {
    want_code=$1 words=$2 title=$3 count=$4
    shift 4
    { printf 'kernel meet\ngrid 256 1 1\nworkgroup 64 1 1\ninout in.bin out.bin exact\n'; [ -z "$count" ] || echo "gws 0 $count"; } > "$tmp/launch.txt"
    "$gcncheck" launch "$@" "$tmp/meet.co" "$tmp/launch.txt" > "$tmp/out" 2>&1
    [ $? = "$want_code" ] && grep -Fq "$words" "$tmp/out"
    ok $? "$title" "$tmp/out"
}

# Work-group g stores g + 1 at dword g, meets the others, reads the next one's, meets them again, and adds it to its own.
assemble meet 64 0 "$tmp/meet.co" << 'EOF'
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    s_mov_b64 exec, 1
    s_lshl_b32 s3, s2, 2
    s_add_u32 s4, s2, 1
    s_and_b32 s5, s4, 3
    s_lshl_b32 s5, s5, 2
    v_mov_b32 v0, s3
    v_mov_b32 v1, s4
    v_mov_b32 v2, s5
    v_mov_b32 v3, 3
    s_mov_b32 m0, 0
    s_waitcnt lgkmcnt(0)
    global_store_dword v0, v1, s[0:1]
    s_waitcnt vmcnt(0)
    ds_gws_barrier v3 gds
    s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
    global_load_dword v4, v2, s[0:1] glc
    s_waitcnt vmcnt(0)
    ds_gws_barrier v3 gds
    s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
    v_lshlrev_b32 v4, 8, v4
    v_add_u32 v1, v1, v4
    global_store_dword v0, v1, s[0:1]
    s_endpgm
EOF
printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' > "$tmp/in.bin"
printf '\001\002\000\000\002\003\000\000\003\004\000\000\004\001\000\000' > "$tmp/out.bin"
for schedule in order reverse random; do
    try 0 matches "four work-groups meet twice, $schedule" 3 --schedule $schedule --jobs 2
done
try 0 "not all, 1 outcome" "in all orders that were tried" 3 --schedule exhaustive --schedules 500
try 0 matches "followed step by step" 3 --trace
try 0 matches "with the rules about sequences" 3 --check-hazards
try 3 "waits for global wave sync, and no wave is left that could release it; work-group 0 0 0, wave 0; wave 0 at" "five are awaited, four come" 4
try 3 "ds_gws_barrier: resource 0 is not initialised" "nobody has initialised the resource" ""
try 2 "count '5000' is not a number from 0 to" "a count of too many bits" 5000
finish
