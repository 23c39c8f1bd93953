#!/bin/sh
# Runs kernels of ROCm's libraries on the model and compares what they compute; prints TAP 13.
#
#   scripts/kernels/kernels-roc.sh [--gcncheck FILE] [--mcpu NAME,NAME] [--checks]
#
# Out of Debian's librocrand1: Philox, XORWOW, MRG32k3a and Sobol generators, from the set-up of their engines on. Out of
# librocsparse0: rocPRIM's scan (of one work-group, and with look-back) and radix sort, and the product of a sparse matrix
# and a vector. From librocprim-dev's headers, with clang-19: sort, scan and reduction of a work-group. The expected numbers
# are calculated in Python from the published algorithms. Default: gfx900,gfx906,gfx908. What is not installed is skipped.
# --checks: each is launched again with every check, and with memory that is late or weak.
set -eu
cd "$(dirname "$0")/../.."
command -v python3 > /dev/null || { echo "TAP version 13"; echo "1..0 # SKIP python3 is not installed"; exit 0; }
exec python3 scripts/kernels/kernels_roc.py "$@"
