#!/bin/sh
# The long test of `gcncheck lint`; prints TAP 13.
#
#   scripts/kernels/lint-removals.sh [--fast]
#
# 1. Every function of librocrand1 and librocsparse0 for gfx900, gfx906 and gfx908 is clean: compiled by others, 38,000 of
#    them.
# 2. The kernels of BUILD/kernels (scripts/kernels/kernels-cl.sh makes them with clang) are clean and right with memory delayed, and
#    with every s_waitcnt and s_nop taken out of them or weakened, one at a time, lint finds it, or it is shown to be legal
#    (scripts/kernels/lint_removals.py says how). Of -O0 code, which has ten times as many, 40 changes of each kernel; --fast: 3
#    changes of each.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
kernels="${BUILD:-build}/kernels"
limit=40
all=100000
[ "${1:-}" = --fast ] && limit=3 all=3
make_tmp

for lib in librocrand.so.1 librocsparse.so.0; do
    file=/usr/lib/x86_64-linux-gnu/$lib
    for mcpu in gfx900 gfx906 gfx908; do
        if [ ! -f $file ]; then
            skip "$lib $mcpu" "not installed (scripts/deps.sh long)"
            continue
        fi
        start=$(date +%s%N)
        "$gcncheck" lint --mcpu $mcpu $file >"$tmp/out" 2>"$tmp/err"
        ok $? "$lib $mcpu" "$tmp/out"
        note "$(tail -1 "$tmp/err"), $((($(date +%s%N) - start) / 1000000)) ms"
    done
done

[ -n "$(ls "$kernels"/*/*.co 2>/dev/null)" ] || sh scripts/kernels/kernels-cl.sh >/dev/null 2>&1
if [ -z "$(ls "$kernels"/*/*.co 2>/dev/null)" ]; then
    skip kernels "none in $kernels (scripts/kernels/kernels-cl.sh could not make them)"
    finish
fi
for level in O0 O3; do
    most=$limit
    [ $level = O3 ] && most=$all
    python3 scripts/kernels/lint_removals.py --gcncheck "$gcncheck" --limit $most "$kernels"/*/*.$level.co >"$tmp/out"
    adopt $? "$tmp/out"
done
finish
