#!/bin/sh
# --dut vgpu:CHIP: cases and streams through libdrm_amdgpu, packets and the wrapper, on a virtual GPU; faults planted in our
# own path, each of which a rung of the ladder must find; what cannot be used is said in one line. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
so=$(dirname "$gcncheck")/gcncheck-drm.so
[ -e "$so" ] || skip_all "built without libdrm (libdrm-dev)"
nm -D "$so" | grep -q __asan_init && skip_all "under the address sanitizer the workers of vgpu:CHIP do not answer in time"
make_tmp

for chip in gfx701 gfx803 gfx900 gfx902 gfx906 gfx908 gfx90c; do
    expect "$chip: a fortieth of all cases" 0 "^right [1-9][0-9]*, wrong 0, " \
        "$gcncheck" run --mcpu $chip --dut vgpu:$chip --fraction 1/40 cases
    expect "$chip: random programs" 0 "^streams: right 60, wrong 0 " \
        "$gcncheck" fuzz --mcpu $chip --dut vgpu:$chip --count 60 --out "$tmp/findings"
done
expect "gfx908: accumulation registers" 0 "^right [0-9]*, wrong 0, " \
    "$gcncheck" run --mcpu gfx908 --dut vgpu:gfx908 --fraction 1/4 cases/vop3p
expect "the device is named" 0 "gfx900, /dev/dri/renderD128" "$gcncheck" fuzz --dut vgpu:gfx900 --count 1
expect "drm inside a virtual GPU" 0 "^right [1-9][0-9]*, wrong 0, " \
    "$gcncheck" vgpu gfx906 -- "$gcncheck" run --mcpu gfx906 --dut drm:/dev/dri/renderD128 cases/sop2/s_add_u32.case
"$gcncheck" vgpu gfx900 --trace --log "$tmp/trace" -- "$gcncheck" run --jobs 1 --dut drm cases/sop2/s_add_u32.case >"$tmp/out" 2>&1
grep -q '^vgpu:   0\.0\.0/0 0x[0-9a-f]* s_add_u32 s0, s1, s2 ; s0=0x80000000' "$tmp/trace"
ok $? "every instruction of it"
rm "$tmp/trace"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    mkdir "$tmp/bin"
    cp "$gcncheck" "$so" "$(dirname "$so")/gcncheck-vgpu.so" cases/sop2/s_add_u32.case "$tmp/bin"
    chmod 755 "$tmp" "$tmp/bin"
    expect "an ordinary user's" 0 "^right [1-9][0-9]*, wrong 0, " env -C "$tmp/bin" setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$tmp/bin/gcncheck" run --dut vgpu:gfx900 s_add_u32.case
else
    skip "an ordinary user's" "only root can become one"
fi
expect "the node that is not there" 3 "drm: /dev/dri/renderD129: No such file" \
    "$gcncheck" vgpu gfx906 -- "$gcncheck" run --mcpu gfx906 --dut drm:/dev/dri/renderD129 cases/sop2/s_add_u32.case
expect "a device of another processor" 3 "drm: /dev/dri/renderD128: it is a gfx906, not a gfx900" \
    "$gcncheck" vgpu gfx906 -- "$gcncheck" run --mcpu gfx900 --dut drm cases/sop2/s_add_u32.case
expect "another processor than the chip's" 2 "'vgpu:gfx906' is a gfx906, and --mcpu is gfx900" \
    "$gcncheck" run --mcpu gfx900 --dut vgpu:gfx906 cases/sop2/s_add_u32.case
for chip in vega20:gfx906 gfx803:gfx803; do
    expect "without --mcpu the processor is the chip's: $chip" 0 "^ok 33 - .*, base, ${chip#*:}, vgpu:${chip%:*} " \
        "$gcncheck" run --dut "vgpu:${chip%:*}" cases/sop2/s_add_u32.case
done
expect "a chip that is none" 2 "no virtual GPU is called 'gfx1'" "$gcncheck" run --dut vgpu:gfx1 cases
expect "a word behind the chip" 2 "after the chip only" "$gcncheck" run --dut vgpu:gfx900,x cases

# Each fault of the list is found before a job is run, and the rung says so.
try() { GCNCHECK_DRM_PLANT=$2 "$gcncheck" run --quiet --jobs 1 --mcpu "$1" --dut "vgpu:$1" cases/sop2/s_add_u32.case; }
# plants KINDS: the names of those that are so defined.
plants() { grep -oE "^PLANT_($1)\([a-z0-9-]+" harness/drm/plant.def | cut -d'(' -f2; }
count=0
for plant in $(plants 'LINE|DW|DROP|FLAG'); do
    expect "planted: $plant" 3 "^drm: /dev/dri/renderD128: rung [0-9]" try gfx900 "$plant"
    count=$((count + 1))
done
[ $count -ge 30 ]
ok $? "$count faults were planted"
for plant in $(plants 'LINE|DW|DROP|FLAG|OLD_LINE|OLD_FLAG'); do
    expect "planted on gfx803: $plant" 3 "^drm: /dev/dri/renderD128: rung [0-9]" try gfx803 "$plant"
    [ "$plant" = prologue-skips-xnack ] || # there is no such register
        expect "planted on gfx701: $plant" 3 "^drm: /dev/dri/renderD128: rung [0-9]" try gfx701 "$plant"
done
expect "a fault that is none" 3 "no fault is called 'nothing'" try gfx900 nothing

# What goes wrong on demand. The ladder makes twelve submissions (64 ioctls), then jobs come one, two, four ... to a submission.
# Alone, a job is told so, and those behind it are right; in company, each is submitted again by itself, and all are right.
once() { "$gcncheck" vgpu gfx900 --fault "$1" -- "$gcncheck" run --jobs 1 --dut drm cases/sop2/s_add_u32.case cases/sop2/s_lshl_b32.case; }
all=$("$gcncheck" run --quiet --jobs 1 --dut vgpu:gfx900 cases/sop2/s_add_u32.case cases/sop2/s_lshl_b32.case | grep -c '^ok')
expect "a hang in the ladder" 3 "rung 2, few vector registers: the ring hung and was reset" once hang=2
for fault in hang=13 ioctl=65:EINVAL ioctl=67:EIO; do
    once $fault >"$tmp/out" 2>"$tmp/err"
    is 1 $? "$fault: the exit code"
    is $((all - 1)) "$(grep -c '^ok' "$tmp/out")" "$fault: all other jobs are right"
    is 1 "$(grep -c '^not ok' "$tmp/out")" "$fault: one is not"
done
for fault in ioctl=66:ENOMEM ioctl=69:ENOMEM; do
    once $fault >"$tmp/out" 2>"$tmp/err"
    is 0 $? "$fault: what a device lacks for a moment is asked for again"
    is "$all" "$(grep -c '^ok' "$tmp/out")" "$fault: all are right"
done
# How many jobs shared the submission depends on how fast the ones before were: one alone may be told what became of it.
for fault in hang=15 ioctl=68:EINVAL ioctl=70:EIO lose=15; do
    once $fault >"$tmp/out" 2>"$tmp/err"
    [ $? -le 1 ] && [ "$(grep -cE '^(not )?ok' "$tmp/out")" = "$all" ] && [ "$(grep -c '^not ok' "$tmp/out")" -le 1 ]
    ok $? "$fault: jobs that shared a submission are run again, and all but perhaps one are right" "$tmp/out"
done
grep -q "No such device" "$tmp/err"
ok $? "lose=15: the device that is gone is named" "$tmp/err"
# A bit that flips: of the only job of submission 13 the result, an operand, the program, a packet and the value that tells its end.
# That job is told apart, and how; all others are right.
flips() { # flips NAME FAULT LINE
    once "flip=$2" >"$tmp/out" 2>"$tmp/err"
    is 1 $? "a bit of $1: the exit code"
    is $((all - 1)) "$(grep -c '^ok' "$tmp/out")" "a bit of $1: all other jobs are right"
    [ "$(grep -c '^not ok' "$tmp/out")" = 1 ] && grep -A 12 '^not ok' "$tmp/out" | grep -q "$3"
    ok $? "a bit of $1: what is told" "$tmp/out"
}
flips "a result" 0x120000000:3:13+ " s0  want 0x00000000  got 0x00000008"
flips "an operand" 0x110000004:3:13 " s1  want unchanged (0x00000000)  got 0x00000008"
flips "a program" 0x100010014:1:13 " s0  want 0x00000000 .*got 0x"
flips "a packet" 0x130000000:0:13 "detail: .the ring hung and was reset"
grep -q "ACQUIRE_MEM: header 0xc0055803 has reserved bits, or is predicated" "$tmp/err"
ok $? "a bit of a packet: which one" "$tmp/err"
flips "the value at the end" 0x1207ffffc:3:13+ "detail: the end-of-pipe value has not been written"
# The wrapper stays on the device, and would damage every job behind it.
for n in 5 13 14; do
    once flip=0x100000010:3:$n >"$tmp/out" 2>"$tmp/err"
    is 0 $? "a bit of the wrapper before submission $n: the exit code"
    is "$all" "$(grep -c '^ok' "$tmp/out")" "a bit of the wrapper before submission $n: all are right"
    is 1 "$(grep -c "^drm: .*: code at 0x100000010 was 0x[0-9a-f]* and has become 0x[0-9a-f]*; it is written again" "$tmp/err")" "and it is said, once"
done
once slow=20 >"$tmp/out" 2>"$tmp/err"
is 0 $? "a slow device: the exit code"
is "$all" "$(grep -c '^ok' "$tmp/out")" "a slow device: all are right"
for fault in hang=13 flip=0x120000000:3:13+ ioctl=65:EINVAL; do
    expect "as a part of the DUT's name: $fault" 1 "^right $((all - 1)), wrong 1 " \
        "$gcncheck" run --jobs 1 --dut "vgpu:gfx900,fault=$fault" cases/sop2/s_add_u32.case cases/sop2/s_lshl_b32.case
done
expect "one that cannot be read" 2 "fault 'hang': must be hang=N" "$gcncheck" run --dut vgpu:gfx900,fault=hang cases
expect "a fault that cannot be read" 2 "must be hang=N, lose=N or ioctl=N:ERRNO" "$gcncheck" vgpu gfx900 --fault hang=0 -- true

# The journal of submissions: with the state that a machine leaves which goes down, under another boot's id.
boot=$(cat /proc/sys/kernel/random/boot_id)
other=00000000-0000-0000-0000-000000000000
GCNCHECK_DRM_JOURNAL=$tmp/submitted
export GCNCHECK_DRM_JOURNAL
journal() { "$gcncheck" run --jobs 1 --dut vgpu:gfx900 cases/sop2/s_add_u32.case; }
expect "a run that keeps a journal" 0 "^right" journal
is "gcncheck submissions 1 boot $boot;finished" "$(tr '\n' ';' <"$tmp/submitted.0" | sed 's/;$//')" "nothing is under way behind it"
"$gcncheck" vgpu gfx900 -- "$gcncheck" run --jobs 1 --dut drm cases/sop2/s_add_u32.case >"$tmp/out" 2>&1 &
kill -9 $! 2>/dev/null # whatever it was at, it is no culprit: this boot goes on
wait $! 2>/dev/null
expect "behind a process that was killed" 0 "^right" journal
hash=$(GCNCHECK_DRM_PLANT=journal-stays "$gcncheck" run --jobs 1 --quiet --dut vgpu:gfx900 cases/sop2/s_add_u32.case:7 >/dev/null 2>&1
    sed -n 's/^running [0-9]* \([0-9a-f]*\).*/\1/p' "$tmp/submitted.0")
[ ${#hash} = 16 ]
ok $? "what is under way is in the journal" "$tmp/submitted.0"
printf 'gcncheck submissions 1 boot %s\nrunning 1 %s 80000201 bf810000\n' $other "$hash" >"$tmp/submitted.0"
journal >"$tmp/out" 2>&1
grep -q "went down when it was submitted before" "$tmp/out"
ok $? "what was alone when the machine went down is not submitted again" "$tmp/out"
grep -q "^right .*, wrong 0, unimplemented 1" "$tmp/out"
ok $? "everything else is" "$tmp/out"
grep -q "^culprit $hash 80000201 bf810000" "$tmp/submitted.0"
ok $? "the culprit is kept, with its code" "$tmp/submitted.0"
printf 'gcncheck submissions 1 boot %s\nrunning 2 %s 1234567812345678\n' $other "$hash" >"$tmp/submitted.0"
journal >"$tmp/out" 2>&1
grep -q "^right .*, wrong 0" "$tmp/out" && ! grep -q "$hash" "$tmp/submitted.0" && grep -q "^suspect 1234567812345678" "$tmp/submitted.0"
ok $? "what was there in company is submitted alone, and cleared" "$tmp/submitted.0"
printf 'gcncheck submissions 1 boot %s\nrunning 18446744073709551615 %s\n' $other "$hash" >"$tmp/submitted.0"
expect "a state that counts more jobs than it names" 0 "^right .*, wrong 0" timeout 60 "$gcncheck" run --jobs 1 --dut vgpu:gfx900 cases/sop2/s_add_u32.case
echo nonsense >"$tmp/submitted.0"
expect "a file that is none" 3 "submitted.0: is no list of submissions" journal
GCNCHECK_DRM_JOURNAL=$tmp/$(printf '%0300d' 0)
expect "a name that is too long" 3 "a list of submissions has a name of at most" journal
unset GCNCHECK_DRM_JOURNAL

# kill -9 of gcncheck: no process of its workers stays, none of their memory, no file.
ours() { grep -lsz "^GCNCHECK_KILLED=$$\$" /proc/[0-9]*/environ | cut -d/ -f3; }
memories() { for pid in $(ours); do find "/proc/$pid/fd" -lname '/memfd:vgpu (deleted)' 2>/dev/null; done; }
mkdir "$tmp/home" "$tmp/files"
for at in run fuzz; do
    [ $at = run ] && set -- cases || set -- --count 100000000 --out "$tmp/home/findings"
    GCNCHECK_KILLED=$$ HOME=$tmp/home XDG_STATE_HOME=$tmp/home TMPDIR=$tmp/files "$gcncheck" $at --quiet --jobs 2 --dut vgpu:gfx900 "$@" >/dev/null 2>&1 &
    server=$!
    for i in $(seq 100); do
        [ "$(ours | wc -l)" -ge 3 ] && [ -n "$(memories)" ] && break
        sleep 0.1
    done
    [ "$(ours | wc -l)" -ge 3 ] && [ -n "$(memories)" ]
    ok $? "$at: workers with their memory"
    kill -9 $server
    wait $server 2>/dev/null
    for i in $(seq 50); do
        [ -z "$(ours)" ] && break
        sleep 0.1
    done
    none "$at: killed, it leaves no process" "$(ours)"
    none "$at: and no file" "$(find "$tmp/home" "$tmp/files" -type f)"
done

if [ -e "$(dirname "$gcncheck")/gcncheck-vgpu-mutants.so" ]; then
    mutants() { "$gcncheck" mutants --format tsv | awk -F'\t' -v op="$1" '$3 == op { print $1 }' | head -3; }
    for mutant in $(mutants v_sub_u32) $(mutants v_max_f32); do
        expect "a bug in the model behind the device: $mutant" 1 "^not ok" \
            "$gcncheck" run --dut "vgpu:gfx900,mutant=$mutant" cases/vop2/v_sub_u32.case cases/vop2/v_max_f32.case
    done
    for chip in gfx701 gfx803; do
        for mutant in $(mutants v_max_f32); do
            expect "a bug in the model behind $chip: $mutant" 1 "^not ok" \
                "$gcncheck" run --mcpu $chip --dut "vgpu:$chip,mutant=$mutant" cases/vop2/v_max_f32.case
        done
    done
    for mutant in $(mutants s_add_u32); do # the wrapper itself adds
        expect "one in what the wrapper is made of: $mutant" 3 "^drm: .*: rung [0-9]" \
            "$gcncheck" run --dut "vgpu:gfx900,mutant=$mutant" cases/vop2/v_sub_u32.case
    done
    expect "the same, by --mutant" 1 "^not ok" \
        "$gcncheck" vgpu gfx900 --mutant "$(mutants v_max_f32 | head -1)" -- "$gcncheck" run --dut drm cases/vop2/v_max_f32.case
    expect "two of them" 2 "--mutant a: the chip has a bug, or a doubt, already" "$gcncheck" vgpu gfx900,mutant=b --mutant a -- true
    expect "a mutant that is none" 3 "no mutant is called 'nothing'" "$gcncheck" run --dut vgpu:gfx900,mutant=nothing cases/sop2/s_add_u32.case
else
    skip "a bug in the model behind the device" "make mutants builds them"
fi
finish
