#!/bin/sh
# Fails if a folder includes one above it (scripts/check/layers is the list), if a header does not compile alone, or
# if the top level holds something that has no place there. TAP on standard output.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh

layers=scripts/check/layers # the list of folders
# Every #include of one of our files, against the list. Tests and fuzz targets may include all.
bad=$(grep -rn '^ *# *include "' oracle fuzz reports harness --include='*.[ch]' --include='*.def' |
    grep -v -e '^harness/t/' -e '^harness/fz/' -e '^harness/sdk/' |
    awk -F: 'function dir(f) { sub("/[^/]*$", "", f); return f }
    NR == FNR { if ($0 !~ /^#/ && NF) { split($0, word, " "); rank[word[1]] = NR } next }
    { from = dir($1); to = $3; sub(/^ *# *include "/, "", to); sub(/".*/, "", to); to = dir(to)
      if (!(from in rank)) print $1 ": " from " is not in the list of folders"
      else if (to in rank && rank[to] > rank[from]) print $1 ":" $2 ": " from " may not include " to
      else if (!(to in rank)) print $1 ":" $2 ": " to " is not in the list of folders" }' "$layers" -)
none "includes point down only" "$bad"

bad=$(for d in $(find oracle fuzz reports harness -name '*.[ch]' -exec dirname {} + | sort -u | grep -v -e '^harness/t' -e '^harness/fz'); do
    grep -q "^$d " "$layers" || echo "$d is not in $layers"
done; sed -n 's/^\([a-z][^ ]*\).*/\1/p' "$layers" | while read -r d; do [ -d "$d" ] || echo "$layers names $d, which is no folder"; done)
none "the list of folders is the tree" "$bad"

bad=$(for readme in oracle/README.md fuzz/README.md harness/README.md; do
    [ -f $readme ] || continue
    grep "^${readme%/*}/" "$layers" | while IFS= read -r line; do
        grep -qxF "    $line" $readme || echo "$readme does not show: $line"
    done
    sed -n "s,^    \\(${readme%/*}/.*\\),\\1,p" $readme | while IFS= read -r line; do
        grep -qxF "$line" "$layers" || echo "$readme shows what the list does not have: $line"
    done
done)
none "READMEs show the list of folders" "$bad"

bad=$(for h in $(find oracle fuzz reports harness -name '*.h' | grep -v -e '^harness/t/' -e '/host/' | sort); do
    printf '#include "%s"\n' "$h" |
        ${CC:-gcc} -std=c11 -D_GNU_SOURCE -DSEM_NAME=base -I. $(pkg-config --cflags libelf msgpack jansson 2>/dev/null) \
            -fsyntax-only -x c - 2>/dev/null || echo "$h does not compile alone"
done)
none "every header compiles alone" "$bad"

bad=$(ls | grep -v -x -e Makefile -e cases -e fuzz -e oracle -e harness -e reports -e scripts -e README.md -e LICENSE -e 'build.*')
none "the top level is what it should be" "$bad"
finish
