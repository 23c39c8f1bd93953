#!/bin/sh
# Runs the directed cases against every mutant; each must fail at least one. Prints TAP 13, one point per mutant, and
# two tables: of encodings and kinds, and of classes of bug; the last line is "N passed, M failed". Exit code 1 if a
# mutant survives that is not in scripts/mutate/survivors.known, or one that is listed there does not.
#
#   scripts/mutate/mutation-score.sh [-s N] [ID]...    -s N: one in N of the mutants and those of state; ID: only these
#
# A mutant of one opcode meets that opcode's case file first, then the others that name the opcode; one of an encoding the
# encoding's folder first, then all cases. GCNCHECK: the program (default build/gcncheck). CASES: the folder (default
# cases). KNOWN: the list of survivors (default survivors.known beside this script).
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
    # A mutant of an encoding meets the cases where the encoding has opcodes.
    awk -F '\t' -v OFS='\t' -v mcpu="$mcpu" '
        NR == FNR { if ($3 != "-") has[$2] = 1; next }
        FNR > 1 && ($3 != "-" || $2 == "-" || has[$2]) { gsub(/ /, "_", $6); print $1, $2, $3, $4, mcpu, $6 }' "$done_file" "$done_file"
done | awk -F '\t' '!seen[$1]++' >"$list"
case $(head -n 1 "$list") in
Bail*) cat "$list"; exit 1 ;;
esac

# The program that has the mutants, which the other one would go on as (12,000 processes are started).
program="$GCNCHECK-mutants"
[ -x "$program" ] || program=$GCNCHECK
export program

# Columns of a line: number, id, encoding, opcode, kind, processor, class, folder; then the verdict. A sample leaves out what is
# listed as open.
awk -F '\t' -v sample="$sample" -v only=" $* " "$pattern$in_sample"'
    known_list && /^[^#]/ {
        split($0, word, " ")
        if (word[2] == "open") left_out[++lines] = pattern_of(word[1])
    }
    known_list { next }
    {
        if (only != "  " && !index(only, " " $1 " ")) next
        if (sample > 1 && $4 != "state") {
            if (!in_sample($1, sample)) next
            for (i = 1; i <= lines; i++)
                if ($1 ~ left_out[i] || $5 ":" $1 ~ left_out[i]) next
        }
        print ++n, $1, $2, $3, $4, $5, $6, tolower($2)
    }' known_list=1 "$KNOWN" known_list= "$list" |
xargs -P "${JOBS:-$(nproc)}" -L 16 sh -c '
    fails() { # fails FILE...: its exit code
        "$program" run --mcpu "$mcpu" --quiet --gate manual --jobs 1 --dut "mutant:$id" "$@" >/dev/null 2>&1
    }
    while [ $# -ge 8 ]; do
        number=$1 id=$2 enc=$3 op=$4 kind=$5 mcpu=$6 class=$7 folder=$8
        shift 8
        own="$CASES/$folder"
        [ "$op" = - ] || own="$own/$op.case"
        code=0
        if [ "$enc" != - ] && [ -e "$own" ]; then
            fails "$own"
            code=$?
        fi
        if [ $code = 0 ] || [ $code = 3 ]; then # 3: nothing there was judged
            others="$CASES"
            [ "$op" = - ] || others=$(grep -rlF --include="*.case" "$op" "$CASES" | grep -vxF "$own")
            if [ -n "$others" ]; then
                fails $others
                code=$?
            fi
        fi
        echo "$number $id $enc $kind $code $mcpu $class"
    done
' sh >"$done_file"

sort -n "$done_file" | awk -v whole="$([ "$sample" = 1 ] && [ $# = 0 ] && echo 1)" -v gcncheck="$GCNCHECK" -v cases="$CASES" \
    "$pattern"'
    function add(cell) {
        if (!(cell in seen)) order[++cells] = cell
        seen[cell]++
    }
    function known_by(id, mcpu,    i) {
        for (i = 1; i <= lines; i++)
            if (id ~ pattern[i] || mcpu ":" id ~ pattern[i]) return i
        return 0
    }
    # Whether a line of one processor is about one that was tried; the others are about all.
    function is_tried(text,    name, one) {
        if (text !~ /:/) return 1
        name = substr(text, 1, index(text, ":") - 1)
        for (one in tried)
            if (one ~ pattern_of(name)) return 1
        return 0
    }
    function table(title, prefix,    i, n) {
        printf "# %-24s %8s %8s %8s %8s %9s\n", title, "mutants", "killed", "same", "open", "survived"
        for (i = 1; i <= cells; i++)
            if (index(order[i], prefix) == 1) {
                n = order[i]
                printf "# %-24s %8d %8d %8d %8d %9d\n", substr(n, length(prefix) + 1), seen[n], killed[n], \
                    listed[n, "same"], listed[n, "open"], seen[n] - killed[n] - listed[n, "same"] - listed[n, "open"]
            }
    }
    known_list && /^[^#]/ {
        text[++lines] = $1
        pattern[lines] = pattern_of($1)
        verdict[lines] = $2
        if ($2 != "same" && $2 != "open" || $3 == "") bad[++bads] = FNR
        $1 = $2 = ""
        sub(/^ +/, "")
        why[lines] = $0
    }
    known_list { next }
    {
        class = "c" $7
        tried[$6]
        cell = "k" $3 " " $4
        add(cell)
        add(class)
        line = known_by($2, $6)
        points++
        if (line) met[line]++
        if ($5 == 1) {
            killed[cell]++
            killed[class]++
            all++
            print "ok " points " - " $2
        } else if ($5 != 1 && ($5 == 0 || $5 == 3) && line) {
            listed[cell, verdict[line]]++
            listed[class, verdict[line]]++
            survives[line]++
            known++
            print "not ok " points " - " $2 " # TODO " why[line]
        } else {
            print "# " ($5 ? "exit code " $5 : "survived: no case fails") "; again: " gcncheck " run --gate manual --mcpu " $6 \
                " --dut mutant:" $2 " " cases
            print "not ok " points " - " $2
        }
    }
    END {
        for (i = 1; i <= bads; i++)
            print "not ok " ++points " - survivors.known:" bad[i] " has neither same nor open, or no reason"
        for (i = 1; i <= lines; i++)
            if (met[i] && !survives[i] && (whole || text[i] !~ /\*/) || whole && !met[i] && is_tried(text[i])) {
                print "# stale: no mutant that " text[i] " of survivors.known stands for survives"
                print "not ok " ++points " - " text[i]
            }
        print "1.." points
        if (whole) table("encoding and kind", "k")
        table("class of bug", "c")
        if (known) printf "# %d more survive and are listed in survivors.known\n", known
        printf "%d passed, %d failed\n", all, points - all - known
        exit all + known != points || points == 0
    }' known_list=1 "$KNOWN" known_list= -
