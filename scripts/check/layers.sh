#!/bin/sh
# The folders are layers: no folder includes one below it in the list (that is scripts/check/layers), the list is the tree, and the
# READMEs show the list; no folder holds more than a reader can take in; every header compiles alone; the top level holds nothing
# that has no place there. TAP 13.
#
#   scripts/check/layers.sh                   checks
#   scripts/check/layers.sh --picture [oracle]   prints the list as README.md or oracle/README.md shows it
cd "$(dirname "$0")/../.." || exit 2
layers=scripts/check/layers # the list of folders
most=22                     # files of C, or scripts, in a folder; more are two subjects, or one with a part to take out

# picture [FOLDER]: the lines of the list, all or those below FOLDER, as a page shows them.
picture() { sed -n "s|^\(${1:+$1/}[a-z].*\)|    \1|p" "$layers"; }
[ "${1:-}" != --picture ] || { picture "${2:-}"; exit; }

. harness/t/lib/tap.sh
make_tmp
plan 6

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

# Each page shows every folder once, in the order and the words of the list.
bad=$(for page in README.md oracle/README.md fuzz/README.md harness/README.md; do
    folder=$(dirname $page)
    [ "$folder" != . ] || folder=
    picture $folder >"$tmp/want"
    grep -E '^    (oracle|fuzz|reports|harness)(/[a-z0-9/]+)?  ' $page >"$tmp/got" 2>&1
    diff "$tmp/want" "$tmp/got" | sed -n "s|^< |missing in $page: |p; s|^> |not in the list, or not there: $page: |p"
done)
none "READMEs show the list of folders" "$bad"

# Headers and lists of rows are not counted: they stand beside what they are about.
bad=$(find . -path './build*' -prune -o -type f \( -name '*.c' -o -name '*.sh' -o -name '*.py' \) -print | sed 's|^\./||' | grep / |
    awk -v most="$most" '{ folder = $0; sub("/[^/]*$", "", folder); count[folder " holds %d " (/\.c$/ ? "files of C" : "scripts")]++ }
    END { for (what in count) if (count[what] > most) printf what ", at most %d\n", count[what], most }' | sort)
none "no folder holds more than $most files of C, or scripts" "$bad"

no_drm=' '
pkg-config --exists libdrm_amdgpu 2>/dev/null || no_drm='^harness/\(vgpu/core/internal\|drm/\)' # they include its headers
bad=$(for h in $(find oracle fuzz reports harness -name '*.h' | grep -v -e '^harness/t/' -e '^oracle/sem/host/' -e "$no_drm" | sort); do
    printf '#include "%s"\n' "$h" |
        ${CC:-gcc} -std=c11 -D_GNU_SOURCE -DSEM_NAME=base -I. $(pkg-config --cflags libelf msgpack jansson 2>/dev/null) $(pkg-config --cflags libdrm_amdgpu 2>/dev/null) \
            -fsyntax-only -x c - 2>/dev/null || echo "$h does not compile alone"
done)
none "every header compiles alone" "$bad"

bad=$(ls | grep -v -x -e Makefile -e cases -e fuzz -e oracle -e harness -e reports -e scripts -e README.md -e LICENSE -e 'build.*')
none "the top level is what it should be" "$bad"
finish
