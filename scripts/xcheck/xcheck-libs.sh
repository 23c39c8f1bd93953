#!/bin/sh
# Compares our listing of compiled GPU code with LLVM 19's, and assembles every instruction of it again. TAP on stdout.
#
#   scripts/xcheck/xcheck-libs.sh [--gcncheck FILE] [--mcpu NAME,NAME] [--show N] [LIBRARY]...
#
# The code is that of Debian's librocrand1 and librocsparse0 (or of the libraries named), for gfx803, gfx900, gfx906 and
# gfx908: about 7 million instructions for each. The text of `gcncheck dis` must be that of llvm-objdump-19 -d, line by
# line, and each line must assemble to the dwords it came from. Differences are listed by mnemonic; reviewed ones stand in
# scripts/xcheck/xcheck-libs.known. Skipped where LLVM 19 or a library is not installed.
set -eu
cd "$(dirname "$0")/../.."
skip() { echo "TAP version 13"; echo "1..0 # SKIP $1"; exit 0; }
command -v llvm-objdump-19 > /dev/null || skip "llvm-objdump-19 is not installed"
command -v python3 > /dev/null || skip "python3 is not installed"
exec python3 scripts/xcheck/xcheck_libs.py "$@"
