#!/bin/sh
# ROCm's runtime on the virtual GPU: rocminfo, the HSA host of code objects that check themselves, and a program of our own
# (hsa_client.c) whose results are known. Nothing of it knows of gcncheck. ALL=1: on all chips, and more code objects
# (scripts/run/test-long.sh). TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
so=$(dirname "$gcncheck")/gcncheck-vgpu.so
[ -e "$so" ] || skip_all "built without libdrm (libdrm-dev)"
nm -D "$so" | grep -q __asan_init && skip_all "the sanitizers' library must come first"
make_tmp
chips=gfx906
! is_long || chips="gfx900 gfx902 gfx906 gfx908 gfx90c"

vgpu() { timeout 300 "$gcncheck" vgpu --quiet "$@"; }

if command -v rocminfo >/dev/null; then
    for chip in $chips; do
        vgpu $chip -- rocminfo >"$tmp/out" 2>"$tmp/err"
        is 0 $? "$chip: rocminfo ends"
        grep -q '^\*\*\* Done \*\*\*' "$tmp/out" && grep -q "Name: *$chip *$" "$tmp/out" && grep -q "Name: *amdgcn-amd-amdhsa--$chip:" "$tmp/out"
        ok $? "$chip: and shows the agent" "$tmp/out"
        none "$chip: nothing is wrong with what it does" "$(cat "$tmp/err")"
    done
    units=$(vgpu gfx908 -- rocminfo | awk '/Agent 2/ { gpu = 1 } gpu && /Compute Unit:/ { print $3 }')
    is 120 "$units" "an MI100 has eight engines of fifteen compute units"
    expect "beside the program the card has no /dev/kfd" 1 "^vgpu: /dev/kfd cannot be had" vgpu gfx906 --front seccomp -- rocminfo
    expect "a driver that fails is said to" 8 "HSA_STATUS_ERROR" "$gcncheck" vgpu gfx906 --fault ioctl=1:EIO -- rocminfo
else
    skip "rocminfo" "it is not installed (rocminfo)"
fi

echo '#include <hsa/hsa.h>
int main(void) { return hsa_init(); }' >"$tmp/try.c"
cc -o "$tmp/try" "$tmp/try.c" -lhsa-runtime64 2>/dev/null || { skip "the HSA runtime" "it cannot be linked with (libhsa-runtime-dev)"; finish; exit; }

# Code objects that check themselves, as a stranger would run them.
cc -O1 -o "$tmp/selfcheck" harness/sdk/selfcheck_hsa.c -lhsa-runtime64
ok $? "the HSA host is built"
files="cases/vop3a/v_perm_b32.case cases/sop2/s_bfe_u32.case cases/ds/ds_add_rtn_u64.case"
! is_long || files="cases/vop3a cases/vop1 cases/vopc cases/sop2 cases/ds cases/vop3p"
for chip in $chips; do
    "$gcncheck" export --quiet --force --mcpu $chip --format elf --out "$tmp/$chip" $files
    for object in "$tmp/$chip"/*.co; do
        rows=$(wc -l <"${object%.co}.tsv")
        expect "$(basename "$object"): all right" 0 "^GCNCHECK 1 $chip .* cases=$rows pass=$rows fail=0$" vgpu $chip -- "$tmp/selfcheck" "$object"
    done
done
if cc -O1 -D__HIP_PLATFORM_AMD__ -o "$tmp/selfcheck_hip" harness/sdk/selfcheck_hip.c -lamdhip64 2>/dev/null; then
    for object in "$tmp/gfx906"/*-sop2.co; do
        rows=$(wc -l <"${object%.co}.tsv")
        expect "$(basename "$object"): by HIP" 0 "^GCNCHECK 1 gfx906 sop2 cases=$rows pass=$rows fail=0$" vgpu gfx906 -- "$tmp/selfcheck_hip" "$object"
    done
else
    skip "code objects that check themselves, by HIP" "it cannot be linked with (libamdhip64-dev)"
fi
if [ -e "$(dirname "$gcncheck")/gcncheck-vgpu-mutants.so" ]; then
    for mutant in v_perm_b32.order s_bfe_u32.width ds_add_rtn_u64.size; do
        for object in "$tmp/gfx906"/*.co; do # the same that gcncheck launch says of the mutant
            want=$("$gcncheck" launch --dut "mutant:$mutant" "$object" "${object%.co}.txt" 2>/dev/null | grep '^GCNCHECK')
            is "$want" "$(vgpu "gfx906,mutant=$mutant" -- "$tmp/selfcheck" "$object" 2>/dev/null)" "$(basename "$object"): the line for $mutant"
            echo "$want"
        done
    done >"$tmp/lines"
    grep -v '^GCNCHECK' "$tmp/lines"
    [ "$(grep -c '^GCNCHECK .* fail=[1-9]' "$tmp/lines")" -ge 3 ]
    ok $? "each is found" "$tmp/lines"
else
    skip "lines for mutants" "make mutants builds them"
fi

llvm=
for version in 19 14; do
    [ -n "$llvm" ] || ! command -v llvm-mc-$version ld.lld-$version >/dev/null || llvm=$version
done
[ -n "$llvm" ] || { skip "a program of our own" "no assembler and linker for its kernels (llvm-19 and lld-19)"; finish; exit; }
cc -std=gnu11 -O1 -Wall -Wextra -Werror -o "$tmp/client" harness/t/vgpu/hsa_client.c -lhsa-runtime64
ok $? "a program of our own is built"
client() { vgpu "$@" 2>"$tmp/err"; }
for chip in $chips; do
    llvm-mc-$llvm -triple amdgcn-amd-amdhsa -mcpu=$chip -filetype=obj -o "$tmp/k.o" harness/t/vgpu/hsa_kernels.s && ld.lld-$llvm -shared -o "$tmp/$chip.co" "$tmp/k.o"
    ok $? "$chip: its kernels are built"
    for what in fill reverse private wrap doorbell barriers meet interrupts copies profile nothing; do
        expect "$chip: $what" 0 "^right$" client $chip -- "$tmp/client" "$tmp/$chip.co" $what
        none "$chip: $what: nothing is wrong with it" "$(cat "$tmp/err")"
    done
    expect "$chip: errors" 0 "^right$" client $chip -- "$tmp/client" "$tmp/$chip.co" errors
    is 7 "$(grep -c '^vgpu: queue .*, packet 0: ' "$tmp/err")" "$chip: each is named"
done
co=$tmp/gfx906.co

# What goes wrong ends as on a card.
vgpu gfx906 -- "$tmp/client" "$co" outside >"$tmp/out" 2>&1
is 134 $? "an access outside memory: the runtime aborts"
grep -q "^Memory access fault by GPU node-1 .* on address 0x12300005000. Reason: Page not present" "$tmp/out"
ok $? "and says where" "$tmp/out"
expect "a kernel without an end: the card is reset, and works" 0 "^right$" client gfx906 -- "$tmp/client" "$co" endless
grep -q "^vgpu: queue [0-9]* hung at packet 0: .*the device has been reset$" "$tmp/err"
ok $? "the queue is named" "$tmp/err"
# The runtime itself dispatches one kernel while it loads.
expect "a hang on demand: a signal that does not fall" 1 "^wrong$" client gfx906 --fault hang=2 -- "$tmp/client" "$co" fill
expect "the device that is lost" 1 "^wrong$" client gfx906 --fault lose=2 -- "$tmp/client" "$co" fill
grep -q "^vgpu: the device is gone$" "$tmp/err"
ok $? "is said to be" "$tmp/err"
expect "an ioctl that fails: the runtime says so" 2 "^hsa_client: hsa_init: HSA_STATUS_ERROR" "$gcncheck" vgpu gfx906 --fault ioctl=1:EIO -- "$tmp/client" "$co" fill

# Who waits costs next to nothing, and who is killed leaves nothing.
ls /dev/shm >"$tmp/before"
"$gcncheck" vgpu gfx906 -- "$tmp/client" "$co" idle >"$tmp/out" 2>&1 &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10; do
    grep -q idle "$tmp/out" && break
    sleep 1
done
used() { awk '{ print $14 + $15 }' /proc/$pid/stat; }
sleep 1
from=$(used)
sleep 4
cost=$(($(used) - from)) # hundredths of a second
[ "$cost" -le 20 ]
ok $? "an idle queue: $cost ticks of 400"
kill -9 $pid
wait $pid 2>/dev/null
is "$(cat "$tmp/before")" "$(ls /dev/shm)" "kill -9 leaves nothing"
expect "behind it" 0 "^right$" client gfx906 -- "$tmp/client" "$co" fill
finish
