#!/bin/sh
# `gcncheck bench --dut` from outside: what it measures of a device, of one that has little and of one that is wrong. How
# fast these are is not asked. TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

# bench NAME DUT [OPTION]...: its table, tab-separated, is in $tmp/NAME.
bench() {
    name=$1 dut=$2
    shift 2
    "$gcncheck" bench --time 20ms --format tsv --dut "$dut" "$@" >"$tmp/$name" 2>"$tmp/err"
    is 0 $? "$name: it is measured"
}

# lines NAME WHAT...: the table has these lines, in order.
lines() {
    name=$1
    shift
    is "$*" "$(cut -f 1 "$tmp/$name" | tr '\n' ' ' | sed 's/ $//')" "$name: batches, one alone, streams"
}

bench model model
lines model batch alone_us streams executed
awk -F '\t' '$1 == "streams" { for (i = 3; i <= NF; i++) sum += $i; exit !(NF == 8 && $2 > 0 && sum > 0.99 && sum < 1.01) }' \
    "$tmp/model"
ok $? "the shares of a stream's time are six and make one" "$tmp/model"

for mcpu in gfx600 gfx701 gfx803; do # what they do not have is not asked
    bench $mcpu model --mcpu $mcpu
    lines $mcpu batch alone_us streams executed
done

export EXAMPLE_DUT_BUG=0
# part NAME: of an emulator of a few instructions.
part() {
    lines "$1" batch alone_us supported streams executed
    awk -F '\t' '$1 == "supported" { exit !($2 > 0 && $2 < $3) }' "$tmp/$1"
    ok $? "$1: an emulator of a few instructions is measured by those, and it is said how many" "$tmp/$1"
    awk -F '\t' '$1 == "streams" { exit !($2 > 0) }' "$tmp/$1"
    ok $? "$1: and by streams of what it implements" "$tmp/$1"
}

bench example "plugin:${BUILD:-build}/example_dut.so"
part example
bench pipe "pipe:python3 harness/sdk/example_pipe.py"
part pipe

# The clock runs on where the machine is busy: at least so long, at most so fast.
GCNCHECK_RATE=20000
export GCNCHECK_RATE
bench rate "plugin:${BUILD:-build}/model_dut.so"
unset GCNCHECK_RATE
awk -F '\t' '$1 == "executed" { exit !($2 <= 20000 && $3 <= $2 && $4 <= $3 && $4 > 0) }' "$tmp/rate"
ok $? "a device that executes so many instructions per second: no more of them, fewer in all" "$tmp/rate"

bench wrong mutant:s_add_u32.scc_inverted
lines wrong batch alone_us
expect "why the streams of a wrong one have no rate" 0 "of streams per second  not measured: the DUT is not right in stream" \
    "$gcncheck" bench --time 20ms --dut mutant:s_add_u32.scc_inverted

# Measured in this process first, the device is opened again by a worker, which is a fork of it.
so=$(dirname "$gcncheck")/gcncheck-drm.so
if [ -e "$so" ] && ! nm -D "$so" | grep -q __asan_init; then
    bench gpu vgpu:gfx900
    lines gpu batch alone_us direct_us outside streams executed
    is "" "$(grep "No such file" "$tmp/err")" "the worker of the streams has a device of its own"
else
    skip "a virtual GPU" "built without libdrm, or with the address sanitizer"
fi

cat >"$tmp/none.c" <<'END'
#include "gcncheck_dut.h"
static int run(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        jobs[i].outcome = GCNCHECK_UNSUPPORTED;
    return 0;
}
const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { sizeof dut, GCNCHECK_DUT_ABI, "none", "1", 0, run, 0, 0 };
    return &dut;
}
END
${CC:-cc} -shared -fPIC -Iharness/sdk -o "$tmp/none.so" "$tmp/none.c"
refuse "a device that has nothing" 3 "the device supports no step case" "$gcncheck" bench --time 20ms --dut "plugin:$tmp/none.so"
finish
