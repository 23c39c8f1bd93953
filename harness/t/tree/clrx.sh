#!/bin/sh
# The FLAT and SOPP tables of the CLRX pages (harness/t/data/clrx.tsv) against ours, opcode by opcode and both ways: a
# number that differs, an opcode that one side lacks, and a ledger entry for a difference that is gone, fail. TAP 13.

cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
data=harness/t/data/clrx.tsv
make_tmp

# Rows that stand in no manual.
sed -n 's/^OP[A-Z]*(\([a-z0-9_]*\),.*\<EXTRA\>.*/\1/p' oracle/isa/rows/*.def > "$tmp/extras"

# A processor for each version of the pages.
for pair in 1.0:gfx600 1.1:gfx700 1.2:gfx803 1.4:gfx900; do
    version=${pair%:*} mcpu=${pair#*:}
    "$gcncheck" list --mcpu "$mcpu" --format tsv > "$tmp/all" || exit 1
    grep -vwF -f "$tmp/extras" "$tmp/all" > "$tmp/list"
    for encoding in FLAT SOPP; do
        awk -F '\t' -v encoding=$encoding -v version="$version" -v compared="$tmp/compared" '
            NR == FNR { if ($1 == encoding) ours[$3] = $2; next }
            $1 == "encoding" { for (i = 3; i <= 6; i++) if ($i == version) column = i }
            $1 != encoding { next }
            {
                stated[$2] = 1
                if ($column == "?") next
                page = $column
                answer = $2 in ours ? ours[$2] : "-"
                rows++
                split($7, differs, /[ =]/)
                if (differs[2] == version && page == differs[3])
                    print $2 ": " $7 ": CLRX says the same"
                if (differs[2] == version)
                    page = differs[3]
                if (answer != page) print $2 " is " answer " here, " page " there"
            }
            END {
                for (name in ours) if (!(name in stated)) print name " is not in CLRX"
                print rows + 0 > compared
            }' "$tmp/list" "$data" > "$tmp/differences"
        rows=$(cat "$tmp/compared")
        if [ "$rows" -gt 0 ]; then
            none "$encoding on GCN $version ($mcpu): $rows opcodes" "$(cat "$tmp/differences")"
        fi
    done
done

# What differs is in the ledger.
cut -f 7 "$data" | sed -n 's/ .*=.*//p' | sort -u | while read -r id; do
    "$gcncheck" explain "$id" > "$tmp/entry" 2>&1 || echo "$id is no ledger entry"
    grep -q CLRX "$tmp/entry" || echo "$id does not speak of CLRX"
done > "$tmp/differences"
none "every difference is a ledger entry" "$(cat "$tmp/differences")"
finish
