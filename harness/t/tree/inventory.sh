#!/bin/sh
# Every processor has exactly the opcodes of its manual: `gcncheck list` against harness/t/data/inventory.tsv, opcode by
# opcode, but for rows that say EXTRA; and the README counts them right. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
inventory=harness/t/data/inventory.tsv
make_tmp

# wanted MCPU: encoding, number and mnemonic of what the inventory says it has.
wanted() {
    awk -F'\t' -v mcpu="$1" '!/^#/ && ($4 == "*" || index("," $4 ",", "," mcpu ",")) { print $1, $2, $3 }' $inventory | sort
}

# listed MCPU: the same of what gcncheck says. MAI is the upper half of VOP3P.
listed() {
    "$gcncheck" list --mcpu "$1" --format tsv | grep -vwF -f "$tmp/extras" |
        awk -F'\t' 'NR > 1 { sub(/^MAI$/, "VOP3P", $1); print $1, $2, $3 }' | sort
}
sed -n 's/^OP[A-Z]*(\([a-z0-9_]*\),.*\<EXTRA\>.*/\1/p' oracle/isa/rows/*.def >"$tmp/extras"

# equal MCPU
equal() {
    wanted "$1" >"$tmp/want"
    listed "$1" >"$tmp/have"
    comm -23 "$tmp/want" "$tmp/have" >"$tmp/missing"
    comm -13 "$tmp/want" "$tmp/have" >"$tmp/extra"
    sed 's/^/# missing: /' "$tmp/missing"
    sed 's/^/# extra: /' "$tmp/extra"
    [ ! -s "$tmp/missing" ] && [ ! -s "$tmp/extra" ]
    ok $? "$1: $(wc -l <"$tmp/want") opcodes, $(wc -l <"$tmp/missing") missing, $(wc -l <"$tmp/extra") extra"
    uniq -d "$tmp/have" >"$tmp/twice"
    [ -s "$tmp/have" ] && [ ! -s "$tmp/twice" ]
    ok $? "$1: each once" "$tmp/twice"
}

for mcpu in $(sed -n 's/^TARGET(\([a-z0-9]*\), GEN_GFX9,.*/\1/p' oracle/isa/target.def); do
    equal "$mcpu"
done

# Of opcodes, those that are modelled: "1,172 of the 1,176".
"$gcncheck" list --mcpu gfx900 --format tsv | grep -vwF -f "$tmp/extras" >"$tmp/list"
is "$(awk -F'\t' 'NR > 1 { all++; runs += $5 == "yes" } END { print runs " of the " all " opcodes" }' "$tmp/list")" \
    "$(grep -o '[0-9,]* of the [0-9,]* opcodes of the Vega manual' README.md | tr -d , | sed 's/ of the Vega manual//')" \
    "the README counts the opcodes"

# The manual has two image opcodes that LLVM has not. They are described from the manual alone, and the cross-check knows
# them (scripts/xcheck/xcheck-llvm.known).
[ "$(awk -F'\t' '$5 == "not in LLVM" { print $1, $2, $3 }' $inventory)" = "MIMG 74 image_gather4h_pck
MIMG 75 image_gather8h_pck" ] && grep -q 'image_gather\[48\]h_pck' scripts/xcheck/xcheck-llvm.known
ok $? "two opcodes are not in LLVM, and the cross-check says so"
finish
