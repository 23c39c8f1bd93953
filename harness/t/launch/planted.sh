#!/bin/sh
# Tests that what a kernel does wrong is found by the option that is for it, with the right line: cases/kernels/planted has
# one error in each kernel. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
folder=cases/kernels/planted

# Eight work-groups of `items`; every kernel has the same arguments.
describe() {
    printf 'kernel %s\ngrid %d 1 1\nworkgroup %d 1 1\ninout zero.bin zero.bin exact\nbuf in.bin\ntmp 1024\n' \
        "$1" $(($2 * 8)) "$2" > "$tmp/launch.txt"
}
head -c 4096 /dev/zero > "$tmp/zero.bin"
python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<256I", *[(i * 37 + 5) % 64 for i in range(256)]))' > "$tmp/in.bin"

# finds LINE ARGUMENTS...: the launch names this line of the source.
finds() {
    line=$1
    shift
    "$gcncheck" launch "$@" "$co" "$tmp/launch.txt" > "$tmp/out" 2>&1
    code=$?
    grep -q "[ (]$file:$line):" "$tmp/out" && [ $code != 0 ]
}

# results ARGUMENTS...: what is in the first buffer afterwards.
results() {
    "$gcncheck" launch "$@" --force --out "$tmp/saved" "$co" "$tmp/launch.txt" > /dev/null 2>&1
    cksum < "$tmp/saved/0.bin"
}

# What the launch comes to depends on the order.
differs() {
    right=$(results --jobs 1)
    for schedule in random adversarial; do
        for seed in 1 2 3; do
            [ "$(results "$@" --schedule $schedule --seed $seed)" = "$right" ] || break
            [ $seed != 3 ] || return 1
        done
    done
}

# The same in orders that are chosen one after the other.
differs_in_orders() {
    "$gcncheck" launch --schedule exhaustive --schedules 100 "$co" "$tmp/launch.txt" > "$tmp/out" 2>&1
    grep -q '^exhaustive: .* outcomes, ' "$tmp/out"
}

# try KERNEL LINE HOW
try() {
    case $3 in
    none)
        finds "$2" --jobs 2
        ok $? "$1 is found without an option" "$tmp/out"
        ;;
    schedule)
        differs
        ok $? "$1 is found by random and adversarial schedules"
        finds "$2" --check-races
        ok $? "its line is named by --check-races" "$tmp/out"
        differs_in_orders
        ok $? "$1 is found by exhaustive schedules" "$tmp/out"
        ;;
    resident)
        differs --resident 8
        ok $? "$1 is found by random and adversarial schedules of resident work-groups"
        finds "$2" --check-races
        ok $? "its line is named by --check-races" "$tmp/out"
        differs_in_orders
        ok $? "$1 is found by exhaustive schedules" "$tmp/out"
        ;;
    *)
        finds "$2" "--$3"
        ok $? "$1 is found by --$3" "$tmp/out"
        ! finds "$2" --jobs 2
        ok $? "$1 is not found without it" "$tmp/out"
        ;;
    esac
}

for source in kernel.cl:O2:128 heap.hip:heap:128 kernel.s:asm:64 races.s:races:128; do
    items=${source##*:}
    file=${source%%:*}
    co=$folder/gfx900.$(echo $source | cut -d: -f2).co
    awk '/^__kernel/ { name = $3; sub(/[(].*/, "", name) }
         /__global__/ { name = $5; sub(/[(].*/, "", name) } /^__attribute__/ { name = "small_stack" } /^[a-z0-9_]*:$/ { name = $1; sub(/:/, "", name) }
         { at = index($0, "HERE ") } at && name { split(substr($0, at + 5), word, " "); print name, FNR, word[1] }' \
        "$folder/$file" > "$tmp/planted"
    while read -r kernel line how; do
        describe "$kernel" "$items"
        [ "$items" = 64 ] || echo "u32 14" >> "$tmp/launch.txt"
        try "$kernel" "$line" "$how"
    done < "$tmp/planted"
done
# An atomic with data of an LDS that nobody set, to memory that somebody did: it is LDS that is named.
if command -v llvm-mc-19 > /dev/null; then
    . harness/t/lib/kernel.sh
    assemble adds 64 512 "$tmp/adds.co" << 'END'
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_mov_b32 v1, 0
    s_mov_b64 exec, 1
    ds_read_b32 v2, v1 offset:60
    s_waitcnt lgkmcnt(0)
    global_atomic_add v1, v2, s[0:1]
    s_endpgm
END
    printf 'kernel adds\ngrid 64 1 1\nworkgroup 64 1 1\ninout zero.bin zero.bin exact\n' > "$tmp/launch.txt"
    "$gcncheck" launch --check-memory "$tmp/adds.co" "$tmp/launch.txt" > "$tmp/out" 2>&1
    [ $? = 1 ] && grep -q 'the data of global_atomic_add v1, v2, s\[0:1\] depends on byte 60 of LDS, which nobody set' "$tmp/out"
    ok $? "the data of an atomic comes from LDS" "$tmp/out"
    # An LDS of 68 bytes: its last dword is there, what begins with it and is longer is not; the second of two addresses likewise.
    for how in "ds_read_b32 v[2:2], v1 offset:64:0" "ds_read_b64 v[2:3], v1 offset:64:3" "ds_read2_b32 v[2:3], v1 offset1:16:0" "ds_read2_b32 v[2:3], v1 offset1:17:3" \
        "ds_write_b64 v1, v[4:5] offset:60:0" "ds_write_b96 v1, v[4:6] offset:60:3" "ds_write_b8 v1, v4 offset:67:0" "ds_write_b8 v1, v4 offset:68:3"; do
        insn=$(echo "${how%:*}" | sed 's/v\[2:2\]/v2/')
        printf '    v_mov_b32 v1, 0\n    s_mov_b64 exec, 1\n    v_mov_b32 v4, 0\n    v_mov_b32 v5, 0\n    v_mov_b32 v6, 0\n    %s\n    s_waitcnt lgkmcnt(0)\n    s_endpgm\n' "$insn" |
            assemble ends 64 68 "$tmp/ends.co"
        sed -i 's/^kernel .*/kernel ends/' "$tmp/launch.txt"
        "$gcncheck" launch --check-memory "$tmp/ends.co" "$tmp/launch.txt" > "$tmp/out" 2>&1
        is "${how##*:}" $? "68 bytes of LDS: $insn"
    done
    # Registers and LDS of which a part is set: what has looked at each instruction may not take that for all of it.
    # depends CODE FINDS: v1 is stored; FINDS: 1 if it depends on what nobody set.
    depends() {
        { printf '    s_load_dwordx2 s[0:1], s[0:1], 0x0\n    v_lshlrev_b32 v7, 2, v0\n    s_waitcnt lgkmcnt(0)\n'
            echo "$1" | tr ';' '\n'
            printf '    s_waitcnt vmcnt(0) lgkmcnt(0)\n    s_mov_b64 exec, -1\n    global_store_dword v7, v1, s[0:1]\n    s_endpgm\n'; } |
            assemble part 64 512 "$tmp/part.co"
        printf 'kernel part\ngrid 64 1 1\nworkgroup 64 1 1\ninout zero.bin zero.bin f32 1 1e38\n' > "$tmp/launch.txt"
        "$gcncheck" launch --check-memory "$tmp/part.co" "$tmp/launch.txt" > "$tmp/out" 2>&1
        is "$2" "$(grep -c 'depends on what nobody set' "$tmp/out")" "$(echo "$1" | tr -s '\n ' '  ')"
    }
    set='v_mov_b32 v1, 0; v_mov_b32 v2, v7; s_nop 4'
    depends "$set" 0
    depends "v_mov_b32 v2, 0" 1
    depends "v_writelane_b32 v1, s0, 0" 1
    depends "$set; v_writelane_b32 v1, 7, 0" 0
    depends "s_mov_b64 exec, 0xff; v_mov_b32 v1, 0" 1
    depends "v_mov_b32_dpp v1, v0 quad_perm:[0,1,2,3] row_mask:0x1 bank_mask:0xf" 1
    depends "v_mov_b32_sdwa v1, v0 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD" 1
    depends "global_load_short_d16 v1, v7, s[0:1]" 1
    depends "$set; global_load_short_d16 v1, v7, s[0:1]" 0
    depends "s_mov_b64 exec, 1; v_mov_b32 v2, 0; s_mov_b64 exec, -1; s_nop 4; v_readlane_b32 s4, v2, 5; v_mov_b32 v1, s4" 1
    depends "s_mov_b64 exec, 1; v_mov_b32 v2, 0; s_mov_b64 exec, -1; s_nop 4; v_readlane_b32 s4, v2, 0; v_mov_b32 v1, s4" 0
    depends "s_movk_i32 s4, 1; s_set_gpr_idx_on s4, 0x1; v_mov_b32 v1, v7; s_set_gpr_idx_off; v_mov_b32 v1, v7" 0
    depends "$set; s_movk_i32 s4, 1; s_set_gpr_idx_on s4, 0x1; v_mov_b32 v1, v2; s_set_gpr_idx_off" 1
    depends "v_mov_b32 v2, 0; ds_write_b8 v7, v2; ds_read_b32 v1, v7" 1
    depends "v_mov_b32 v2, 0; ds_write_b32 v7, v2; ds_read_b32 v1, v7" 0
    depends "v_mov_b32 v2, 0; s_mov_b64 exec, 0xff; ds_write_b32 v7, v2; s_mov_b64 exec, -1; ds_read_b32 v1, v7" 1
    depends "v_mov_b32 v2, 0; ds_write_b32 v7, v2; ds_read2_b32 v[1:2], v7 offset1:1; s_waitcnt lgkmcnt(0); v_mov_b32 v1, v2" 1
    depends "v_mov_b32 v2, 0; ds_write_b32 v7, v2; s_movk_i32 s4, 2; v_mov_b32 v3, v7; again: ds_read_b32 v1, v3; v_add_u32 v3, 4, v3
        s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; s_cbranch_scc1 again" 1
    depends "v_mov_b32 v2, 0; ds_write_b32 v7, v2; s_movk_i32 s4, 2; again: ds_read_b32 v1, v7; s_waitcnt lgkmcnt(0); s_sub_u32 s4, s4, 1
        s_cmp_lg_u32 s4, 0; s_cbranch_scc1 again" 0
    depends "s_mov_b64 exec, 1; s_movk_i32 s4, 2; again: v_mov_b32 v1, v3; s_mov_b64 exec, -1; v_mov_b32 v1, 0; s_sub_u32 s4, s4, 1
        s_cmp_lg_u32 s4, 0; s_cbranch_scc1 again" 0
    depends "s_mov_b64 exec, 1; s_movk_i32 s4, 2; v_mov_b32 v3, 0; again: v_mov_b32 v1, v3; s_mov_b64 exec, -1; s_sub_u32 s4, s4, 1
        s_cmp_lg_u32 s4, 0; s_cbranch_scc1 again" 1
    # 8 vector registers are 2 times 4; 24 scalar ones and 6 more (VCC, FLAT_SCRATCH, XNACK_MASK) are 4 times 8. GPR_ALLOC has one
    # less of each, at bits 8 and 24.
    printf '    s_getreg_b32 s4, hwreg(HW_REG_GPR_ALLOC)\n    s_endpgm\n' | assemble allocates 64 0 "$tmp/allocates.co"
    printf 'kernel allocates\ngrid 64 1 1\nworkgroup 64 1 1\ninout zero.bin zero.bin exact\n' > "$tmp/launch.txt"
    "$gcncheck" launch --trace "$tmp/allocates.co" "$tmp/launch.txt" > "$tmp/out" 2>&1
    grep -q 'GPR_ALLOC).*s4=0x3000100$' "$tmp/out"
    ok $? "s_getreg: what the kernel allocates" "$tmp/out"
    # The kernel has v0 to v7, so that 5 beyond v2 is the last one.
    printf 'kernel moves\ngrid 64 1 1\nworkgroup 64 1 1\ninout zero.bin zero.bin exact\n' > "$tmp/launch.txt"
    for how in "v_movrels_b32 v7, v2:5:0" "v_movrels_b32 v7, v2:6:v8" "v_movreld_b32 v2, v7:5:0" "v_movreld_b32 v2, v7:6:v8" \
        "v_movrelsd_b32 v1, v2:5:0" "v_movrelsd_b32 v1, v2:6:v8" "v_movrelsd_b32 v2, v1:6:v8" \
        "v_movrels_b32 v7, v2:-1:v4294967297"; do
        insn=${how%%:*}
        index=${how#*:}
        printf '    s_mov_b32 m0, %s\n    %s\n    s_endpgm\n' "${index%:*}" "$insn" | kernel_mcpu=gfx803 assemble moves 64 0 "$tmp/moves.co"
        "$gcncheck" launch --mcpu gfx803 "$tmp/moves.co" "$tmp/launch.txt" > "$tmp/out" 2>&1
        code=$?
        if [ "${how##*:}" = 0 ]; then
            is 0 $code "$insn, M0 ${index%:*}: a register of the kernel"
        else
            [ $code = 3 ] && grep -q "${insn%%_b32*}_b32 uses ${how##*:} by an index, the kernel allocates 8" "$tmp/out"
            ok $? "$insn, M0 ${index%:*}: none of the kernel" "$tmp/out"
            (cat "$tmp/launch.txt"; echo any-index) > "$tmp/any.txt"
            "$gcncheck" launch --mcpu gfx803 "$tmp/moves.co" "$tmp/any.txt" > "$tmp/out" 2>&1
            ok $? "$insn, M0 ${index%:*}: and no error with any-index" "$tmp/out"
        fi
    done
fi
for check in check-memory check-races; do
    "$gcncheck" launch --$check cases/kernels/groups_wait/gfx900.O3.co cases/kernels/groups_wait/launch.txt > "$tmp/out" 2>&1
    ok $? "a grid barrier is right to --$check" "$tmp/out"
    for launch in cases/kernels/*/launch.txt; do
        for co in "${launch%launch.txt}"gfx9*.co; do
            mcpu=${co##*/}
            "$gcncheck" launch --$check --mcpu "${mcpu%%.*}" "$co" "$launch" > "$tmp/out" 2>&1
            ok $? "nothing is found in $co by --$check" "$tmp/out"
        done
    done
done
finish
