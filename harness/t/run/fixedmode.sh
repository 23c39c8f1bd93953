#!/bin/sh
# Devices that know only one MODE: what needs another is left out by row and counted, the rest is judged. TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
plugin="plugin:${BUILD:-build}/model_dut.so"
pipe="pipe:python3 harness/t/lib/model_pipe.py ${BUILD:-build}/model_dut.so"
mkdir "$tmp/vop2"

# Under 0x300 (denormals flushed) row 2 gives 0, under 0x3f3 (towards zero) row 3 gives 0x3f800000.
cat >"$tmp/vop2/v_add_f32.case" <<'END'
case-format 1
test sums
code
    v_add_f32 v0, v1, v2
rows  v1          v2          | v0
      1.0f32      2.0f32      | 3.0f32
      0x00000001  0x00000001  | 0x00000002
      0x3f800000  0x33c00000  | 0x3f800001
test towards zero
mode  round=rtz
code
    v_add_f32 v0, v1, v2
rows  v1          v2          | v0
      1.0f32      2.0f32      | 3.0f32
      0x3f800000  0x33c00000  | 0x3f800000
END

# try TITLE CODE DUT WANT: WANT is what became of the five rows.
try() {
    "$gcncheck" run --mcpu gfx900 --quiet --dut "$3" "$tmp/vop2" >"$tmp/out" 2>&1
    code=$?
    said=$(sed -n 's/^\(not \)*ok \([0-9]\).*# SKIP \([a-z-]*\).*/\3/p; t; s/^ok .*/ok/p; s/^not ok .*/wrong/p' "$tmp/out" | paste -sd ' ')
    [ "$code $said" = "$2 $4" ]
    ok $? "$1: $4" "$tmp/out"
}

for dut in "$plugin" "$pipe"; do
    export GCNCHECK_FIXED_MODE=300
    try "one that flushes denormals, ${dut%%:*}" 0 "$dut" "ok needs-mode ok ok needs-mode"
    export GCNCHECK_FIXED_MODE=3ff
    try "one that rounds towards zero, ${dut%%:*}" 0 "$dut" "ok ok needs-mode ok ok"
    export GCNCHECK_FIXED_MODE=3f0
    try "one that has the default, ${dut%%:*}" 0 "$dut" "ok ok ok ok needs-mode"
    unset GCNCHECK_FIXED_MODE
    try "one that can do all, ${dut%%:*}" 0 "$dut" "ok ok ok ok ok"
done
export GCNCHECK_FIXED_MODE=300
GCNCHECK_MUTANT=v_add_f32.other_op
export GCNCHECK_MUTANT
try "a bug shows in what is left" 1 "$plugin" "wrong needs-mode wrong wrong needs-mode"
unset GCNCHECK_MUTANT
try_sum() { "$gcncheck" run --mcpu gfx900 --dut "$plugin" --color never "$@" 2>&1 >/dev/null | tail -n 1; }
is "right 3, wrong 0, unimplemented 0, narrowed 2 (mode fixed)" "$(try_sum "$tmp/vop2")" "what is left out is counted"
expect "every case of a folder" 0 "wrong 0," "$gcncheck" run --mcpu gfx900 --dut "$plugin" cases/vop2
expect "random programs run under that MODE on both sides" 0 "wrong 0 (0 causes)" \
    "$gcncheck" fuzz --mcpu gfx900 --dut "$plugin" --seed 1 --count 300 --out "$tmp/findings"

GCNCHECK_FIXED_MODE=200000 expect "a MODE that does not exist" 2 "its MODE 0x200000 has bits that do not exist" \
    "$gcncheck" run --dut "$plugin" "$tmp/vop2"

# Built with the first header: what stands behind its struct is nobody's.
cat >"$tmp/old.c" <<'END'
#include <stddef.h>
#include "gcncheck_dut.h"
static int run(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        jobs[i].outcome = GCNCHECK_UNSUPPORTED;
    return 0;
}
const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { offsetof(struct gcncheck_dut, has_fixed_mode), GCNCHECK_DUT_ABI, "old", "1", 0, run, 1, 0x200000 };
    return &dut;
}
END
${CC:-cc} -shared -fPIC -Iharness/sdk -o "$tmp/old.so" "$tmp/old.c"
expect "a plug-in of the first header" 3 "unimplemented 5, narrowed 0, skipped 0" "$gcncheck" run --dut "plugin:$tmp/old.so" "$tmp/vop2"
finish
