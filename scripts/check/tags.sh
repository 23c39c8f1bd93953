#!/bin/sh
# Every row of a case that rests on an entry of the ledger below `agreed` names it. Rests: it fails on a device that reads the
# entry otherwise (--dut doubt:ID, oracle/errata/other.def). TAP 13.
#
#   scripts/check/tags.sh           the cases, and whether tags that are taken away are missed
#   scripts/check/tags.sh CASE...   names the rows of these that lack a tag, with the tag
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

# One of each generation, and what differs within two of them: halves in pairs or one to a register, opcodes.
processors="gfx600 gfx701 gfx803 gfx810 gfx900 gfx908"

# Of each opcode of these: encoding, mnemonic.
for mcpu in $processors; do
    "$gcncheck" list --mcpu $mcpu --format tsv "$tmp"
done | cut -f1,3 | sort -u >"$tmp/opcodes"

# touched FILE...: "ID FILE" for each reading that changes what an opcode in the code of the file does; on every other file its
# device is the model. A line of code that begins with no opcode of the list (.long, another name) may be any.
touched() {
    awk '
        FNR == 1 { delete seen; code = 0; part++ }
        part == 1 { encoding[$2] = $1; next }
        part == 2 && /^OTHER/ {
            split($0, word, "\""); ids[++readings] = word[2]; patterns[readings] = word[4]; next }
        part == 2 { next }
        /^[^ \t#]/ { code = $1 == "code"; next }
        !code { next }
        { sub(/#.*/, ""); sub(/^[ \t]*[A-Za-z0-9_.$]+:/, ""); op = $1 }
        op == "" || op in seen { next }
        { seen[op]; sub(/_(e32|e64|sdwa|dpp)$/, "", op)
          for (i = 1; i <= readings; i++)
              if (changes(i, op) && !((ids[i], FILENAME) in said)) { said[ids[i], FILENAME]; print ids[i], FILENAME } }
        function changes(i, op,    n, k, glob) {
            if (!(op in encoding)) return 1
            if ((i, op) in known) return known[i, op]
            known[i, op] = 0
            n = split(patterns[i], glob, " ")
            for (k = 1; k <= n; k++) {
                if (glob[k] == encoding[op] ":") known[i, op] = 1
                gsub(/[*]/, ".*", glob[k])
                if (op ~ "^" glob[k] "$") known[i, op] = 1
            }
            return known[i, op]
        }' "$tmp/opcodes" oracle/errata/other.def "$@"
}

# failing ID MCPU PATH...: FILE:LINE of the rows that fail on doubt:ID and do not name the entry. ID `all`: of all that fail.
failing() {
    id=$1 mcpu=$2
    shift 2
    "$gcncheck" run --mcpu "$mcpu" --dut "doubt:$id" --gate captured "$@" >"$tmp/out" 2>&1
    awk -v id="$id" '
        /^not ok/ { todo = / # TODO / ? $0 : ""; sub(/.* # TODO /, "", todo); bad = index(" " todo " ", " " id " ") == 0 }
        bad && $1 == "at:" { print $2; bad = 0 }' "$tmp/out" | sort -u
}

# untagged MCPU PATH...: "FILE:LINE: errata ID" for each row and tag that it lacks.
untagged() {
    mcpu=$1
    shift
    failing all "$mcpu" "$@" | sed 's/:.*//' | sort -u >"$tmp/files"
    # shellcheck disable=SC2046
    touched $(cat "$tmp/files") >"$tmp/touched"
    for reading in $(cut -d' ' -f1 "$tmp/touched" | sort -u); do
        # shellcheck disable=SC2046
        failing "$reading" "$mcpu" $(sed -n "s/^$reading //p" "$tmp/touched") | sed "s/\$/: errata $reading/"
    done
}

if [ $# -gt 0 ]; then
    for mcpu in $processors; do
        untagged $mcpu "$@"
    done | sort -u
    exit
fi

for mcpu in $processors; do
    untagged $mcpu cases >"$tmp/lacking"
    [ ! -s "$tmp/lacking" ]
    ok $? "$mcpu: every row that rests on an entry names it" "$tmp/lacking"
done

# A device that reads all entries otherwise, and differs in nothing else.
"$gcncheck" run --mcpu gfx900 --dut doubt:all --gate agreed cases >"$tmp/out" 2>&1
code=$?
n=$(grep -c '^not ok .* # TODO ' "$tmp/out")
echo "# exit code $code, $n differences below the gate" >>"$tmp/out"
[ $code = 0 ] && [ "$n" -ge 200 ]
ok $? "all readings at once: exit code 0, $n differences are TODO" "$tmp/out"

# Ten tags are taken away, one from each of ten files: all ten rows are named.
cp -r cases "$tmp/cases"
grep -rnE '\|.*  errata [A-Z]+-[CU][0-9]+ *$' "$tmp/cases" | sort -u -t: -k1,1 | awk 'NR % 10 == 1' | head -10 |
    cut -d: -f1,2 >"$tmp/ten"
while IFS=: read -r file line; do
    sed -i "${line}s/  errata .*//" "$file"
done <"$tmp/ten"
for mcpu in $processors; do
    # shellcheck disable=SC2046
    untagged $mcpu $(cut -d: -f1 "$tmp/ten")
done | cut -d: -f1,2 | sort -u >"$tmp/found"
sort "$tmp/ten" | cmp -s - "$tmp/found" && [ "$(wc -l <"$tmp/ten")" = 10 ]
ok $? "ten tags that are taken away are missed, each by its row" "$tmp/found"
finish
