#!/bin/sh
# Tests gcncheck launch --memory weak: what waits and invalidates is right under any seed, what does not is found, the same
# seed gives the same. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
. harness/t/lib/kernel.sh
make_tmp
co=cases/kernels/messages/gfx900.O3.co
cp cases/kernels/messages/*.bin "$tmp"

# wrong KERNEL ARGUMENTS...: how many of 20 seeds give a wrong output. What is neither right nor wrong counts as 100.
wrong() {
    sed "s/^kernel .*/kernel $1/" cases/kernels/messages/launch.txt > "$tmp/launch.txt"
    shift
    n=0
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$gcncheck" launch "$@" --memory weak:$seed --seed $seed $co "$tmp/launch.txt" > "$tmp/out" 2>&1
        case $? in
        0) ;;
        1) n=$((n + 1)) ;;
        *) n=$((n + 100)) ; cat "$tmp/out" >&2 ;;
        esac
    done
    echo $n
}
for schedule in random round-robin adversarial order reverse; do
    n=$(wrong passed --schedule $schedule)
    [ "$n" = 0 ]
    ok $? "release and acquire are right, schedule $schedule: $n of 20 wrong"
done
for kernel in no_release no_acquire release_too_narrow scalar; do
    n=$(wrong $kernel)
    [ "$n" -gt 2 ] && [ "$n" -le 20 ]
    ok $? "$kernel is found: $n of 20 wrong"
    "$gcncheck" launch --schedule random $co "$tmp/launch.txt" > "$tmp/out" 2>&1
    ok $? "$kernel is right by luck where all memory is seen at once" "$tmp/out"
done

for folder in vadd_f32 sha256 matmul_tiled reduce_lds_u32 groups_wait memcpy_widths image_rotate image_layers token_ring global_table; do
    object=$(ls cases/kernels/$folder/gfx900*.co | head -n 1)
    for seed in 1 2; do
        "$gcncheck" launch --memory weak:$seed "$object" cases/kernels/$folder/launch.txt > "$tmp/out" 2>&1
        ok $? "$folder, seed $seed" "$tmp/out"
    done
done

sed "s/^kernel .*/kernel no_acquire/" cases/kernels/messages/launch.txt > "$tmp/launch.txt"
for jobs in 1 2; do
    "$gcncheck" launch --memory weak:3 --jobs $jobs --force --out "$tmp/saved$jobs" $co "$tmp/launch.txt" > /dev/null 2>&1
done
cmp -s "$tmp/saved1/3.bin" "$tmp/saved2/3.bin"
ok $? "the same for any --jobs"

# On gfx7 and gfx8 FLAT is all there is for global memory, and compilers wait for vmcnt alone.
numbers() { python3 -c "import struct, sys; sys.stdout.buffer.write(struct.pack('<64I', *($1 for i in range(64))))"; }
numbers 'i * 3 + 1' > "$tmp/in.bin"
numbers 'i * 6 + 2' > "$tmp/out.bin"
printf 'kernel k\ngrid 64 1 1\nworkgroup 64 1 1\ninout in.bin out.bin exact\n' > "$tmp/launch.txt"
for kernel_mcpu in gfx701 gfx803; do
    if ! command -v llvm-mc-19 > /dev/null; then
        skip "FLAT on $kernel_mcpu" "llvm-mc-19 is not installed"
        continue
    fi
    sum='v_add_u32'
    [ $kernel_mcpu = gfx803 ] || sum='v_add_i32'
    for wait in 's_waitcnt vmcnt(0)' 's_waitcnt lgkmcnt(0)'; do
        assemble k 64 0 "$tmp/flat.co" << END
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v2, s5
    $sum v1, vcc, s4, v1
    v_addc_u32 v2, vcc, 0, v2, vcc
    v_mov_b32 v3, 0
    flat_load_dword v3, v[1:2]
    $wait
    $sum v3, vcc, v3, v3
    flat_store_dword v[1:2], v3
    s_endpgm
END
        case $wait in *vmcnt*) want=0 ;; *) want=1 ;; esac
        for late in '--memory weak:1' '--memory weak:2' '--delay-memory max'; do
            # shellcheck disable=SC2086
            "$gcncheck" launch $late --mcpu $kernel_mcpu "$tmp/flat.co" "$tmp/launch.txt" > "$tmp/said" 2>&1
            [ $? = $want ]
            ok $? "FLAT on $kernel_mcpu, $wait, $late: exit code $want" "$tmp/said"
        done
    done
done

refuse "a memory that there is not" 2 "neither 'weak'" "$gcncheck" launch --memory strong $co "$tmp/launch.txt"
refuse "a seed that is none" 2 "neither 'weak'" "$gcncheck" launch --memory weak:0 $co "$tmp/launch.txt"
refuse "both memories" 2 "one at a time" "$gcncheck" launch --memory weak --delay-memory max $co "$tmp/launch.txt"
finish
