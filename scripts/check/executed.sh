#!/bin/sh
# Every modelled opcode of a processor is executed there by a case that is right: a case that is left out on a processor is none.
# So are FLAT and SOPP of every version of the CLRX pages (harness/t/data/clrx.tsv). TAP 13.
#
#   scripts/check/executed.sh ['MCPU...']    default: one of each generation; ALL=1: all
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
all=$("$gcncheck" doctor | sed -n 's/^ok *processor *\([a-z0-9]*\),.*/\1/p')
# What half loads do is known where the name says what memory has.
mcpus=${1:-$(much "$all" "gfx600 gfx701 gfx803 gfx900" | sed 's/gfx90[68]/&:sramecc+ &:sramecc-/g')}
[ -n "$all" ] || bail "no processors"

# results MCPU CASES FILE: the case files with a case that was right, once each.
results() {
    "$gcncheck" run --mcpu "$1" --format json "$2" 2>"$tmp/err" >"$tmp/json" || bail "cases of $1: $(tail -n 1 "$tmp/err")"
    sed -n 's/.*"status":"ok".*"encoding":"\([^"]*\)","mnemonic":"\([^"]*\)".*/\1 \2/p' "$tmp/json" | sort -u |
        awk '{ print tolower($1) "/" $2 ".case" }' >"$3"
}

# missing MCPU RESULTS [ENCODINGS]: opcodes that no case executed.
missing() {
    "$gcncheck" list --mcpu "$1" --format tsv | sed 1d | awk -F '\t' -v only="${3:-}" '
        NR == FNR { executed[$1] = 1; next }
        $5 == "yes" && (only == "" || index(" " only " ", " " $1 " ")) && !($8 in executed) { print $3 " (" $8 ")" }' "$2" -
}

for mcpu in $mcpus; do
    results "$mcpu" cases "$tmp/$mcpu"
    none "$mcpu: every modelled opcode is executed by a case" "$(missing "$mcpu" "$tmp/$mcpu")"
done

# The rows of the pages that exist, by their own numbers.
for pair in 1.0:gfx600 1.1:gfx701 1.2:gfx803 1.4:gfx900; do
    version=${pair%:*} mcpu=${pair#*:}
    [ -f "$tmp/$mcpu" ] || continue
    awk -F '\t' -v version="$version" '
        NR == FNR { executed[$1] = 1; next }
        $1 == "encoding" { for (i = 3; i <= 6; i++) if ($i == version) column = i }
        /^#/ || $1 == "encoding" || $column == "-" || $column == "?" { next }
        { n++; if (!(tolower($1) "/" $2 ".case" in executed)) print $1 " " $2 }
        END { print n > "/dev/stderr" }' "$tmp/$mcpu" harness/t/data/clrx.tsv >"$tmp/gaps" 2>"$tmp/count"
    none "GCN $version of the CLRX pages ($mcpu): $(cat "$tmp/count") opcodes of FLAT and SOPP" "$(cat "$tmp/gaps")"
done

# A gap is seen: one file is for another generation alone.
mkdir "$tmp/planted"
cp -r cases/flat cases/sopp "$tmp/planted"
sed -i 's/^test .*/&\ntargets gfx9/; /^targets gfx[678]/d' "$tmp/planted/flat/flat_load_ubyte.case"
results gfx701 "$tmp/planted" "$tmp/seen"
is "flat_load_ubyte (flat/flat_load_ubyte.case)" "$(missing gfx701 "$tmp/seen" "FLAT SOPP")" "a case that is left out is missed"
finish
