#!/bin/sh
# Fails if a folder includes one above it (oracle < fuzz, reports < harness), if a header does not compile alone, or
# if the top level holds something that has no place there. TAP on standard output.
cd "$(dirname "$0")/.." || exit 2
echo "TAP version 13"
echo "1..3"
n=0
verdict() { # verdict TEXT OFFENDERS
    n=$((n + 1))
    [ -z "$2" ] && { echo "ok $n - $1"; return; }
    printf '%s\n' "$2" | sed 's/^/# /'
    echo "not ok $n - $1"
    failed=1
}
failed=0

bad=$(grep -rn '^#include "' oracle fuzz reports harness --include='*.[ch]' --include='*.def' |
    awk -F: 'BEGIN { rank["oracle"] = 1; rank["fuzz"] = 2; rank["reports"] = 2; rank["harness"] = 3 }
    { from = $1; sub("/.*", "", from); to = $3; sub("^#include \"", "", to); sub("/.*", "", to)
      if (to in rank && to != from && rank[to] >= rank[from]) print $1 ":" $2 ": " from " may not include " to }')
verdict "includes point down only" "$bad"

bad=$(for h in $(find oracle fuzz reports harness -name '*.h' | grep -v -e '^harness/t/' -e '/host/' | sort); do
    printf '#include "%s"\n' "$h" |
        ${CC:-gcc} -std=c11 -D_GNU_SOURCE -DSEM_NAME=base -I. $(pkg-config --cflags libelf msgpack jansson 2>/dev/null) \
            -fsyntax-only -x c - 2>/dev/null || echo "$h does not compile alone"
done)
verdict "every header compiles alone" "$bad"

bad=$(ls | grep -v -x -e Makefile -e cases -e fuzz -e oracle -e harness -e reports -e scripts -e README.md -e LICENSE -e 'build.*')
verdict "the top level is what it should be" "$bad"
exit $failed
