#!/bin/sh
# Built-in functions of OpenCL (clang, ROCm's device libraries) on the model, against MPFR within their documented errors;
# prints TAP 13.
#
#   scripts/truth/builtins.sh [--count N] [--seed N] [--only FUNCTION[,FUNCTION]...] [--mcpu NAME] [--jobs N]
#   scripts/truth/builtins.sh --only sin_f32 --mcpu gfx900 --at 3f800000      one input; operands are separated by commas
#   scripts/truth/builtins.sh --list                                          what there is
#
# FUNCTION is a name (all formats) or a name and a format, sin_f32. Default: all, 1,000,000 inputs each; of a function of one
# f16 all 65,536. They take gfx900, gfx906 and gfx908 by turns, or all of them NAME. --bound ULP takes the place of the documented bound.
# GCNCHECK: the program (default build/gcncheck); CC: the compiler for the host; everything goes to BUILD/truth (default build/truth).
# scripts/truth/builtins.known lists what the library itself gets wrong, with reasons.
set -eu
cd "$(dirname "$0")/../.."
. harness/t/lib/tap.sh >/dev/null
for need in python3 clang-19 ld.lld-19; do
    command -v $need >/dev/null || { echo "TAP version 13"; skip_all "$need is not installed (scripts/deps.sh long)"; }
done
[ -f "${ROCM_DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}/opencl.bc" ] || {
    echo "TAP version 13"; skip_all "ROCm's device libraries are not installed (scripts/deps.sh long)"; }
echo '#include <mpfr.h>' | ${CC:-cc} -E - >/dev/null 2>&1 || { echo "TAP version 13"; skip_all "libmpfr-dev is not installed (scripts/deps.sh test)"; }
exec python3 scripts/truth/builtins.py "$@"
