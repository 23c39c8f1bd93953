#!/bin/sh
# Runs the directed cases against every mutant; each must fail at least one. Prints TAP 13, one point per mutant, and
# a table of encodings and kinds; the last line is "N passed, M failed". Exit code 1 if a mutant survives.
#
#   scripts/mutate/mutation-score.sh [-s N] [ID]...    -s N: every N-th mutant and those of state; ID: only these
#
# A mutant of one opcode meets that opcode's case file first, one of an encoding the encoding's folder; only what
# survives these meets all cases. GCNCHECK: the program (default build/gcncheck). CASES: the folder (default cases).
# MCPU: processors; a mutant meets the cases on the first of them that has its opcode (default gfx900 gfx906 gfx908).
# JOBS: runs at a time (default: one per processor).

GCNCHECK="${GCNCHECK:-build/gcncheck}" CASES="${CASES:-cases}" MCPU="${MCPU:-gfx900 gfx906 gfx908}"
export GCNCHECK CASES MCPU
. "$(dirname "$0")/start.sh"
for mcpu in $MCPU; do
    if ! "$GCNCHECK" mutants --mcpu "$mcpu" --format tsv >"$done_file"; then
        echo "Bail out! $GCNCHECK mutants --mcpu $mcpu failed"
        exit 1
    fi
    # A case that fails on the model itself would kill every mutant.
    if ! "$GCNCHECK" run --mcpu "$mcpu" --quiet "$CASES" >/dev/null; then
        echo "Bail out! not all of $CASES pass on the model of $mcpu"
        exit 1
    fi
    awk -F '\t' -v OFS='\t' -v mcpu="$mcpu" 'NR > 1 { print $1, $2, $3, $4, mcpu }' "$done_file"
done | awk -F '\t' '!seen[$1]++' >"$list"
case $(head -n 1 "$list") in
Bail*) cat "$list"; exit 1 ;;
esac

# Columns of a line: number, id, encoding, opcode, kind, processor; then the verdict.
awk -F '\t' -v sample="$sample" -v only=" $* " '(only == "  " \
    ? (NR - 1) % sample == 0 || $4 == "state" : index(only, " " $1 " ")) { print ++n, $1, $2, $3, $4, $5 }' "$list" |
xargs -P "${JOBS:-$(nproc)}" -L 1 sh -c '
    number=$1 id=$2 enc=$3 op=$4 kind=$5 mcpu=$6
    folder="$CASES/$(echo "$enc" | tr A-Z a-z)"
    own="$folder"
    [ "$op" = - ] || own="$folder/$op.case"
    code=0
    if [ "$enc" != - ] && [ -e "$own" ]; then
        "$GCNCHECK" run --mcpu "$mcpu" --quiet --gate manual --jobs 1 --dut "mutant:$id" "$own" >/dev/null 2>&1
        code=$?
    fi
    if [ $code = 0 ] || [ $code = 3 ]; then # 3: nothing there was judged
        "$GCNCHECK" run --mcpu "$mcpu" --quiet --gate manual --jobs 1 --dut "mutant:$id" "$CASES" >/dev/null 2>&1
        code=$?
    fi
    echo "$number $id $enc $kind $code $mcpu"
' sh >"$done_file"

sort -n "$done_file" | awk -v table="$([ "$sample" = 1 ] && echo 1)" -v gcncheck="$GCNCHECK" -v cases="$CASES" '
    {
        cell = $3 " " $4
        if (!(cell in seen)) order[++cells] = cell
        seen[cell]++
        if ($5 == 1) {
            killed[cell]++
            all++
            print "ok " NR " - " $2
        } else {
            print "# " ($5 ? "exit code " $5 : "survived: no case fails") "; again: " gcncheck " run --gate manual --mcpu " $6 \
                " --dut mutant:" $2 " " cases
            print "not ok " NR " - " $2
        }
    }
    END {
        print "1.." NR
        if (table) printf "# %-8s %-9s %6s %8s\n", "encoding", "kind", "killed", "survived"
        for (i = 1; table && i <= cells; i++) {
            split(order[i], c, " ")
            printf "# %-8s %-9s %6d %8d\n", c[1], c[2], killed[order[i]], seen[order[i]] - killed[order[i]]
        }
        printf "%d passed, %d failed\n", all, NR - all
        exit all != NR || NR == 0
    }'
