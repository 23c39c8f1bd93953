#!/bin/sh
# What constants and registers mean to the model, against LLVM's assembler; and what a planted fault comes to. All of it: test-long.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
GCNCHECK=$gcncheck
export GCNCHECK
kinds="python3 scripts/truth/constants.py"

command -v python3 > /dev/null || skip_all "python3 is not installed"
command -v llvm-mc-19 > /dev/null || skip_all "llvm-mc-19 is not installed"

expect "of some rows every operand kind is what LLVM says" 0 '^[0-9]* passed, 0 failed' $kinds --mcpu gfx900 --count 40
expect "of the dot products, too" 0 '^[0-9]* passed, 0 failed' $kinds --mcpu gfx908 --only v_dot
expect "a planted fault is seen: another 1.0" 1 "gcncheck eval --mcpu gfx906 'v_dot4_i32_i8 v10, 1\.0," $kinds --mcpu gfx906 --only v_dot4 --plant 1.0
finish
