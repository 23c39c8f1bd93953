#!/bin/sh
# Names every modelled opcode that has no directed case, and every case file of an opcode that the list does not know.
# usage: scripts/check-cases.sh [GCNCHECK [MCPU]]     exit code 1 if something is missing
gcncheck=${1:-build/gcncheck}
mcpu=${2:-gfx900}
list=$("$gcncheck" list --mcpu "$mcpu" --format tsv) || exit 2
missing=$(echo "$list" | awk -F'\t' '
    $5 == "yes" && $6 == 0 { printf "no case: cases/%s/%s.case\n", tolower($1), $3 }')
unknown=$(for f in cases/*/*.case; do
    case $f in cases/multi/* | cases/bug/*) continue ;; esac
    name=${f#cases/} name=${name%.case}
    echo "$list" | awk -F'\t' -v name="$name" 'tolower($1) "/" $3 == name { found = 1 } END { exit !found }' ||
        echo "no such opcode: $f"
done)
rows=$(echo "$list" | awk -F'\t' '$5 == "yes" { n++; if ($6 > 0) have++; rows += $6 }
    END { printf "%d of %d modelled opcodes have cases, %d rows", have, n, rows }')
[ -z "$missing$unknown" ] || printf '%s\n' "$missing" "$unknown" | grep .
echo "$rows"
[ -z "$missing$unknown" ]
