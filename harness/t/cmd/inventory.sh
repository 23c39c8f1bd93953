#!/bin/sh
# Every processor has exactly the opcodes of its manual: `gcncheck list` against harness/t/data/inventory.tsv, opcode by
# opcode. TAP 13.
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
    "$gcncheck" list --mcpu "$1" --format tsv | awk -F'\t' 'NR > 1 { sub(/^MAI$/, "VOP3P", $1); print $1, $2, $3 }' | sort
}

# equal MCPU COUNT
equal() {
    wanted "$1" >"$tmp/want"
    listed "$1" >"$tmp/have"
    comm -23 "$tmp/want" "$tmp/have" >"$tmp/missing"
    comm -13 "$tmp/want" "$tmp/have" >"$tmp/extra"
    sed 's/^/# missing: /' "$tmp/missing"
    sed 's/^/# extra: /' "$tmp/extra"
    [ ! -s "$tmp/missing" ] && [ ! -s "$tmp/extra" ]
    ok $? "$1: $(wc -l <"$tmp/want") opcodes, $(wc -l <"$tmp/missing") missing, $(wc -l <"$tmp/extra") extra"
    [ "$(uniq "$tmp/have" | wc -l)" = "$2" ]
    ok $? "$1: $2 of them, each once"
}

equal gfx900 1176
equal gfx902 1176
equal gfx904 1176
equal gfx906 1185
equal gfx908 1216
equal gfx909 1176
equal gfx90c 1176

# The manual has two image opcodes that LLVM has not. They are described from the manual alone, and the cross-check knows
# them (scripts/xcheck/xcheck-llvm.known).
[ "$(awk -F'\t' '$5 == "not in LLVM" { print $1, $2, $3 }' $inventory)" = "MIMG 74 image_gather4h_pck
MIMG 75 image_gather8h_pck" ] && grep -q 'image_gather\[48\]h_pck' scripts/xcheck/xcheck-llvm.known
ok $? "two opcodes are not in LLVM, and the cross-check says so"
finish
