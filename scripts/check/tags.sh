#!/bin/sh
# Every row of a case that rests on an entry of the ledger below `agreed` names it. Rests: it fails on a device that reads the
# entry otherwise (--dut doubt:ID, oracle/errata/other.def). TAP 13.
#
#   scripts/check/tags.sh           the cases, and whether tags that are taken away are missed
#   scripts/check/tags.sh CASE...   names the rows of these that lack a tag, with the tag
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
readings=$(sed -n 's/^OTHER("\([A-Z]*-[CU][0-9]*\)".*/\1/p' oracle/errata/other.def | sort -u)

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
    for reading in $readings; do
        # shellcheck disable=SC2046
        [ ! -s "$tmp/files" ] || failing "$reading" "$mcpu" $(cat "$tmp/files") | sed "s/\$/: errata $reading/"
    done
}

if [ $# -gt 0 ]; then
    untagged gfx900 "$@"
    untagged gfx908 "$@"
    exit
fi

for mcpu in gfx900 gfx908; do
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
for mcpu in gfx900 gfx908; do
    # shellcheck disable=SC2046
    untagged $mcpu $(cut -d: -f1 "$tmp/ten")
done | cut -d: -f1,2 | sort -u >"$tmp/found"
sort "$tmp/ten" | cmp -s - "$tmp/found" && [ "$(wc -l <"$tmp/ten")" = 10 ]
ok $? "ten tags that are taken away are missed, each by its row" "$tmp/found"
finish
