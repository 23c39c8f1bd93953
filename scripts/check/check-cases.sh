#!/bin/sh
# Every modelled opcode must have a directed case, and every case file an opcode. TAP; the last line is a comment that
# counts them.
#
#   GCNCHECK=build/gcncheck scripts/check/check-cases.sh ['MCPU...' [CASES]]    processors whose opcodes count together
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
mcpu=${1:-gfx600 gfx701 gfx803 gfx900 gfx906 gfx908}
cases=${2:-cases}
list=$(for m in $mcpu; do
    "$gcncheck" list --mcpu "$m" --format tsv "$cases" | tail -n +2
done | awk -F'\t' '!seen[$8]++')
[ -n "$list" ] || bail "no list of opcodes"
make_tmp
plan 2

none "every modelled opcode has a case" "$(echo "$list" | awk -F'\t' -v cases="$cases" '
    $5 == "yes" && $6 == 0 { print "missing: " cases "/" $8 }')"
echo "$list" | cut -f 8 >"$tmp/files"
none "every case file is of an opcode" "$(cd "$cases" && for file in */*.case; do
    case $file in multi/*) ;; *) echo "$file" ;; esac
done | grep -vxF -f "$tmp/files" | sed "s|^|no such opcode: $cases/|")"
echo "$list" | awk -F'\t' '$5 == "yes" { n++; if ($6 > 0) have++; rows += $6 }
    END { printf "# %d of %d modelled opcodes have cases, %d rows\n", have, n, rows }'
finish
