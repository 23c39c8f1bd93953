#!/bin/sh
# Launches kernels of gfx6: no FLAT, an address in registers or a resource for all memory, private memory by its resource alone,
# 32 KiB of LDS in pieces of 256 bytes. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
. harness/t/lib/kernel.sh
command -v llvm-mc-19 >/dev/null || skip_all "llvm-mc-19 is not installed"
make_tmp

# numbers PYTHON-EXPRESSION: 64 dwords, of i.
numbers() { python3 -c "import struct, sys; sys.stdout.buffer.write(struct.pack('<64I', *($1 for i in range(64))))"; }
numbers 'i * 3 + 1' >"$tmp/in.bin"

# launched TITLE OBJECT EXPRESSION: the buffer, in.bin before, is that afterwards.
launched() {
    numbers "$3" >"$tmp/out.bin"
    printf 'kernel k\ngrid 64 1 1\nworkgroup 64 1 1\ninout in.bin out.bin exact\n' >"$tmp/launch.txt"
    "$gcncheck" launch --check-hazards --mcpu gfx601 "$2" "$tmp/launch.txt" >"$tmp/said" 2>&1
    ok $? "$1" "$tmp/said"
    "$gcncheck" lint --quiet "$2" >"$tmp/said" 2>&1
    ok $? "$1: lint is quiet" "$tmp/said"
}

kernel_mcpu=gfx601
assemble k 64 0 "$tmp/global.co" <<'END'
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_mov_b32 s6, 0
    s_mov_b32 s7, 0x0100f000
    v_lshlrev_b32 v1, 2, v0
    v_mov_b32 v2, 0
    s_waitcnt lgkmcnt(0)
    buffer_load_dword v3, v[1:2], s[4:7], 0 addr64
    s_waitcnt vmcnt(0)
    v_add_i32 v3, vcc, 5, v3
    buffer_store_dword v3, v[1:2], s[4:7], 0 addr64
    s_endpgm
END
launched "memory by addresses of 64 bits" "$tmp/global.co" 'i * 3 + 6'

assemble k 64 512 "$tmp/lds.co" <<'END'
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_mov_b32 s6, 0
    s_mov_b32 s7, 0x0100f000
    v_lshlrev_b32 v1, 2, v0
    v_mov_b32 v2, 0
    s_mov_b32 m0, 0x7fff
    s_waitcnt lgkmcnt(0)
    buffer_load_dword v3, v[1:2], s[4:7], 0 addr64
    s_waitcnt vmcnt(0)
    ds_write_b32 v1, v3
    v_xor_b32 v4, 4, v1
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v5, v4
    s_waitcnt lgkmcnt(0)
    buffer_store_dword v5, v[1:2], s[4:7], 0 addr64
    s_endpgm
END
launched "LDS below the limit in M0" "$tmp/lds.co" '(i ^ 1) * 3 + 1'

kernel_private=16
assemble k 64 0 "$tmp/private.co" <<'END'
    s_load_dwordx2 s[8:9], s[4:5], 0x0
    s_mov_b32 s10, 0
    s_mov_b32 s11, 0x0100f000
    v_lshlrev_b32 v1, 2, v0
    v_mov_b32 v2, 0
    s_waitcnt lgkmcnt(0)
    buffer_load_dword v3, v[1:2], s[8:11], 0 addr64
    v_and_b32 v4, 12, v1
    s_waitcnt vmcnt(0)
    buffer_store_dword v3, v4, s[0:3], s7 offen
    s_waitcnt vmcnt(0) expcnt(0)
    buffer_load_dword v5, v4, s[0:3], s7 offen
    s_waitcnt vmcnt(0)
    buffer_store_dword v5, v[1:2], s[8:11], 0 addr64
    s_endpgm
END
launched "private memory: each lane has its own" "$tmp/private.co" 'i * 3 + 1'

# What is stored is taken later.
kernel_private=0
sed -n '/^    s_load/,/^    s_endpgm/p' "$tmp/global.co.s" | sed 's/^    s_endpgm/    v_mov_b32 v3, 0\n&/' >"$tmp/code"
assemble k 64 0 "$tmp/late.co" <"$tmp/code"
"$gcncheck" lint --quiet "$tmp/late.co" >"$tmp/said" 2>&1
[ $? = 1 ] && grep -q 'data of an export, GDS or a store is overwritten, needs s_waitcnt expcnt(0)' "$tmp/said"
ok $? "data of a store that is written over: lint" "$tmp/said"
"$gcncheck" launch --check-hazards --mcpu gfx601 "$tmp/late.co" "$tmp/launch.txt" >"$tmp/said" 2>&1
[ $? = 1 ] && grep -q 'expcnt(0)' "$tmp/said"
ok $? "data of a store that is written over: while it runs" "$tmp/said"

# Under weak memory they are taken at a time that the seed draws, until a counter says that they were.
# weak RIGHT|some TITLE OBJECT EXPRESSION: of 16 seeds; some: not all, and not none.
weak() {
    numbers "$4" >"$tmp/out.bin"
    printf 'kernel k\ngrid 64 1 1\nworkgroup 64 1 1\ninout in.bin out.bin exact\n' >"$tmp/launch.txt"
    right=0
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        "$gcncheck" launch --memory weak:$seed "$3" "$tmp/launch.txt" >"$tmp/said" 2>&1 && right=$((right + 1))
    done
    case $1 in
    some) [ $right -gt 0 ] && [ $right -lt 16 ] ;;
    *) [ $right = "$1" ] ;;
    esac
    ok $? "weak memory, right with $right of 16 seeds: $2" "$tmp/said"
}
# behind TITLE RIGHT STORE CODE EXPRESSION: private memory, or that of the buffer, a store and what stands behind it.
behind() {
    { sed -n '/^    s_load/,/^    v_add_i32/p' "$tmp/global.co.s" | sed "s/s\[0:1\]/s[$first:$((first + 1))]/; s/s\[4:7\]/s[8:11]/; s/s\[4:5\]/s[8:9]/; s/ s6,/ s10,/; s/ s7,/ s11,/"
        printf '%s\n    s_endpgm\n' "$3" | tr ';' '\n'; } >"$tmp/code"
    assemble k 64 0 "$tmp/behind.co" <"$tmp/code"
    weak "$2" "$1" "$tmp/behind.co" "$4"
}
store='buffer_store_dword v3, v[1:2], s[8:11], 0 addr64'
first=0
behind "data written over" some "$store; v_mov_b32 v3, 0" 'i * 3 + 6'
behind "behind expcnt(0)" 16 "$store; s_waitcnt expcnt(0); v_mov_b32 v3, 0" 'i * 3 + 6'
behind "behind vmcnt(0)" 16 "$store; s_waitcnt vmcnt(0); v_mov_b32 v3, 0" 'i * 3 + 6'
behind "the address written over" 16 "$store; v_mov_b32 v1, 0" 'i * 3 + 6'
behind "the end of the wave" 16 "$store" 'i * 3 + 6'
behind "a store behind another, and its load" 16 "v_mov_b32 v5, v3; v_mov_b32 v3, 9; $store; s_waitcnt vmcnt(0); buffer_store_dword v5, v[1:2], s[8:11], 0 addr64
    buffer_load_dword v6, v[1:2], s[8:11], 0 addr64; s_waitcnt expcnt(0); v_mov_b32 v5, 0" 'i * 3 + 6'
behind "data of an atomic written over" some "buffer_atomic_add v3, v[1:2], s[8:11], 0 addr64; v_mov_b32 v3, 0" 'i * 6 + 7'
behind "of an atomic, behind expcnt(0)" 16 "buffer_atomic_add v3, v[1:2], s[8:11], 0 addr64; s_waitcnt expcnt(0); v_mov_b32 v3, 0" 'i * 6 + 7'
kernel_mcpu=gfx701
behind "gfx7 takes them at once" 16 "$store; v_mov_b32 v3, 0" 'i * 3 + 6'
kernel_mcpu=gfx601
kernel_private=16
first=4
scratch='v_and_b32 v4, 12, v1; buffer_store_dword v3, v4, s[0:3], s7 offen'
back="buffer_load_dword v5, v4, s[0:3], s7 offen; s_waitcnt vmcnt(0); buffer_store_dword v5, v[1:2], s[8:11], 0 addr64"
behind "private data written over" some "$scratch; v_mov_b32 v3, 0; $back" 'i * 3 + 6'
behind "private data, behind expcnt(0)" 16 "$scratch; s_waitcnt expcnt(0); v_mov_b32 v3, 0; $back" 'i * 3 + 6'
behind "two private stores are in order" 16 "$scratch; v_mov_b32 v6, 7; buffer_store_dword v6, v4, s[0:3], s7 offen; $back" '7'
kernel_private=0

for limit in 32768 32769; do
    assemble k 64 $limit "$tmp/lds$limit.co" <<'END'
    s_endpgm
END
done
launched "a work-group with all LDS there is" "$tmp/lds32768.co" 'i * 3 + 1'
refuse "a byte more" 2 "kernel k needs 32769 bytes of LDS, there are 32768" "$gcncheck" launch --mcpu gfx601 "$tmp/lds32769.co" "$tmp/launch.txt"
finish
