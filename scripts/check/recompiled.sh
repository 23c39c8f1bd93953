#!/bin/sh
# How much of the program is compiled again for a new row: objects that depend on a file of rows, by the compiler's own .d
# files. More than 40 means that a header which many files include knows the opcodes by name (oracle/isa/op.h). TAP.
#
#   BUILD=build scripts/check/recompiled.sh [MOST]
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} most=${1:-40}
worst=0
for rows in oracle/isa/rows/*.def; do
    n=$(find "$build" -name '*.d' ! -path "$build/harness/t/*" ! -path "$build/fz/*" ! -path "$build/harness/mutant/*" \
        ! -path "$build/gen/*" ! -path "$build/afl/*" -exec grep -l -F "$rows" {} + |
        while read -r d; do # of a source that is gone its .d stays behind
            [ ! -e "$(sed -n '1s/^[^:]*: *\([^ ]*\).*/\1/p' "$d")" ] || echo "$d"
        done | wc -l)
    [ "$n" -le "$worst" ] || { worst=$n; name=$rows; }
done
echo "TAP version 13"
echo "1..1"
if [ "$worst" -gt 0 ] && [ "$worst" -le "$most" ]; then
    echo "ok 1 - a row in $name is in $worst objects of the program, at most $most"
else
    echo "not ok 1 - a row in ${name:-any file} is in $worst objects of the program, at most $most"
    exit 1
fi
