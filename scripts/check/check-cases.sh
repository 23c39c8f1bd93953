#!/bin/sh
# Every modelled opcode must have a directed case, and every case file an opcode. TAP; the last line is a comment that
# counts them.
#
#   GCNCHECK=build/gcncheck scripts/check/check-cases.sh ['MCPU...' [CASES]]    processors whose opcodes count together
cd "$(dirname "$0")/../.." || exit 2
mcpu=${1:-gfx900 gfx906 gfx908}
cases=${2:-cases}
list=$(for m in $mcpu; do
    "${GCNCHECK:-build/gcncheck}" list --mcpu "$m" --format tsv "$cases" | tail -n +2
done | awk -F'\t' '!seen[$1, $3]++')
[ -n "$list" ] || { echo "Bail out! no list of opcodes"; exit 2; }
tmp=$(mktemp) || exit 2
trap 'rm -f "$tmp"' EXIT
failed=0

# point NUMBER TITLE NAMES
point() {
    [ -z "$3" ] || { echo "$3" | sed 's/^/# /'; printf 'not '; failed=1; }
    echo "ok $1 - $2"
}

echo "TAP version 13"
echo "1..2"
point 1 "every modelled opcode has a case" "$(echo "$list" | awk -F'\t' -v cases="$cases" '
    $5 == "yes" && $6 == 0 { printf "missing: %s/%s/%s.case\n", cases, tolower($1), $3 }')"
echo "$list" | awk -F'\t' '{ print tolower($1) "/" $3 ".case" }' >"$tmp"
point 2 "every case file is of an opcode" "$(cd "$cases" && for file in */*.case; do
    case $file in multi/* | bug/*) ;; *) echo "$file" ;; esac
done | grep -vxF -f "$tmp" | sed "s|^|no such opcode: $cases/|")"
echo "$list" | awk -F'\t' '$5 == "yes" { n++; if ($6 > 0) have++; rows += $6 }
    END { printf "# %d of %d modelled opcodes have cases, %d rows\n", have, n, rows }'
exit $failed
