#!/bin/sh
# A wave that spins on LDS until another wave of its work-group has written there: every way to follow a launch gives
# the other its turn, as schedule "order" does. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
. harness/t/lib/kernel.sh
command -v llvm-mc-19 >/dev/null || skip_all "llvm-mc-19 is not installed"
make_tmp

# Wave 0 waits for 7 in LDS and stores it; wave 1 writes it.
assemble spin 128 4 "$tmp/spin.co" << 'EOF'
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v2, 7
    v_readfirstlane_b32 s3, v0
    s_mov_b64 exec, 1
    s_waitcnt lgkmcnt(0)
    s_cmp_lg_u32 s3, 0
    s_cbranch_scc1 write
wait:
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s4, v3
    s_cmp_lg_u32 s4, 7
    s_cbranch_scc1 wait
    global_store_dword v1, v3, s[0:1]
    s_endpgm
write:
    ds_write_b32 v1, v2
    s_endpgm
EOF
printf '\007\000\000\000' >"$tmp/out.bin"
printf 'kernel spin\ngrid 128 1 1\nworkgroup 128 1 1\nout out.bin 4 exact\n' >"$tmp/launch.txt"

# ends TITLE OPTION...: in the steps of one long turn (65,536) and some short ones.
ends() {
    title=$1
    shift
    "$gcncheck" launch --max-steps 80000 "$@" "$tmp/spin.co" "$tmp/launch.txt" >"$tmp/said" 2>"$tmp/err" &&
        grep -q 'out.bin matches' "$tmp/said"
    ok $? "$title" "$tmp/err"
}
ends "nothing is followed"
ends "with the rules about sequences" --check-hazards
ends "and memory delayed" --check-hazards --delay-memory max
ends "traced" --trace

# breaks WAVE OFFSET TITLE: that wave reaches the end of its path.
breaks() {
    expect "$3" 0 "break; work-group 0 0 0, wave $1" \
        "$gcncheck" launch --max-steps 80000 --break "spin+$2" "$tmp/spin.co" "$tmp/launch.txt"
}
breaks 0 0x44 "the wave that waits gets to a break behind the loop"
breaks 1 0x50 "the wave that it waits for gets to a break"
finish
