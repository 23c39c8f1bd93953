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
done | awk -F'\t' '!seen[$1, $3]++')
[ -n "$list" ] || bail "no list of opcodes"
make_tmp
plan 2

none "every modelled opcode has a case" "$(echo "$list" | awk -F'\t' -v cases="$cases" '
    $5 == "yes" && $6 == 0 { printf "missing: %s/%s/%s.case\n", cases, tolower($1), $3 }')"
# Where halves stand in a register each (gfx8 before gfx810), a row of another name has the mnemonic; so has VOP2 of
# gfx6 and gfx7 what later is VOP3.
echo "$list" | awk -F'\t' '{ print tolower($1) "/" $3 ".case"; print tolower($1) "/" $3 "_unpacked.case"
    if ($1 == "VOP2") print "vop2/" $3 "_vop2.case" }' >"$tmp/files"
none "every case file is of an opcode" "$(cd "$cases" && for file in */*.case; do
    case $file in multi/*) ;; *) echo "$file" ;; esac
done | grep -vxF -f "$tmp/files" | sed "s|^|no such opcode: $cases/|")"
echo "$list" | awk -F'\t' '$5 == "yes" { n++; if ($6 > 0) have++; rows += $6 }
    END { printf "# %d of %d modelled opcodes have cases, %d rows\n", have, n, rows }'
finish
