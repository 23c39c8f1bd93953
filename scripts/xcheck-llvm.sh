#!/bin/sh
# Compares our assembler and disassembler with LLVM 19's. TAP on stdout.
#
#   scripts/xcheck-llvm.sh [--gcncheck FILE] [--mcpu NAME] [--random N] [--seed S] [--show N]
#   scripts/xcheck-llvm.sh --pairs > cases/text/gfx900.txt
#
# Checked are all that `gcncheck list --format samples` enumerates (each row, form, operand kind and modifier value,
# and some random fields) in both directions, and N random words (default 100000) through the disassemblers.
# Reviewed differences stand in scripts/xcheck-llvm.known; every other one fails, and from
# a million words on a row that explains nothing fails too. Without LLVM 19: skipped.
set -eu
cd "$(dirname "$0")/.."
skip() { echo "TAP version 13"; echo "1..0 # SKIP $1"; exit 0; }
command -v llvm-mc-19 > /dev/null || skip "llvm-mc-19 is not installed"
command -v python3 > /dev/null || skip "python3 is not installed"
exec python3 scripts/xcheck_llvm.py "$@"
