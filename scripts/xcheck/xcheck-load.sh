#!/bin/sh
# Loads every kernel of compiled libraries as a launch does, and lints it. TAP on stdout.
#
#   scripts/xcheck/xcheck-load.sh [--gcncheck FILE] [--mcpu NAME,NAME] [--show N] [LIBRARY]...
#
# The libraries are Debian's librocrand1 and librocsparse0, the processors gfx900, gfx906 and gfx908: 12,671 kernels for each.
# `gcncheck launch --list` must load all that llvm-readelf-19 shows, with the same sizes of arguments and segments and the
# registers that its counts ask for; `gcncheck lint` must find nothing. Skipped where LLVM 19 or a library is not installed.
# xcheck-libs.sh asks for its own tool in the same way.
set -eu
cd "$(dirname "$0")/../.."
skip() { echo "TAP version 13"; echo "1..0 # SKIP $1"; exit 0; }
command -v llvm-readelf-19 > /dev/null || skip "llvm-readelf-19 is not installed"
command -v python3 > /dev/null || skip "python3 is not installed"
exec python3 scripts/xcheck/xcheck_load.py "$@"
