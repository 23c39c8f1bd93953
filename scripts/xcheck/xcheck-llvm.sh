#!/bin/sh
# Compares our assembler and disassembler with LLVM 19's. TAP on stdout, a line for each processor.
#
#   scripts/xcheck/xcheck-llvm.sh [--full] [--mcpu NAME,...] [--random N] [--seed S] [--show N]
#   scripts/xcheck/xcheck-llvm.sh --pairs [--mcpu NAME] > cases/text/NAME.txt
#
# Disassembled are samples of every row and form - each field swept, each modifier value, some with random fields - and
# random words, half of them shaped like an encoding: valid or not, length and text must agree. Assembled are the texts
# of the samples: accepted or not, and bits must agree. LLVM does not disassemble gfx6 and gfx7: for them the texts of
# gfx8 are assembled too. Every mnemonic that LLVM knows on a processor, we know. Reviewed differences stand in scripts/xcheck/xcheck-llvm.known; every
# other one fails.
#
# Quick (the default): gfx900, gfx803 and gfx700, every third sample, and of the other processors the rows that those have
# not; operand codes at telling values, 20000 words each. With --mcpu every sample of these. --full: all processors, all
# rows, all operand codes, 10 million words (1 million where the opcodes are another processor's): minutes; then also a row
# of xcheck-llvm.known that explains nothing fails. Without LLVM 19: skipped.
#
# BUILD: where `make tests` has built xcheck_llvm (default build).
set -eu
cd "$(dirname "$0")/../.."
skip() { echo "TAP version 13"; echo "1..0 # SKIP $1"; exit 0; }
command -v llvm-mc-19 > /dev/null || skip "llvm-mc-19 is not installed"
command -v python3 > /dev/null || skip "python3 is not installed"
case " $* " in
*" --pairs "*) ;;
*) [ -x "${BUILD:-build}/xcheck_llvm" ] || make -s BUILD="${BUILD:-build}" "${BUILD:-build}/xcheck_llvm" >&2 ;;
esac
exec python3 scripts/xcheck/xcheck_llvm.py "$@"
