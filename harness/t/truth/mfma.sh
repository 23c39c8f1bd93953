#!/bin/sh
# Matrix products against sums that are worked out elsewhere, and what a planted fault in them comes to. All of it: test-long.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
GCNCHECK=$gcncheck
export GCNCHECK
mfma="python3 scripts/truth/mfma.py"

command -v python3 > /dev/null || skip_all "python3 is not installed"

expect "every opcode gives sums that the ledger allows" 0 '^[0-9]* passed, 0 failed' $mfma --count 4
for fault in 'order 4x4x4f16' 'layout 4x4x1f32' 'cbsz 16x16x4i8' 'blgp 4x4x4i8' 'round 4x4x2bf16' 'exec 4x4x4i8' 'subnormal 16x16x4f32'; do
    expect "a planted fault is seen: ${fault% *}" 1 'gcncheck eval --mcpu gfx908' $mfma --count 8 --only "${fault#* }" --plant "${fault% *}"
done
finish
