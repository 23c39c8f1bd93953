#!/bin/sh
# Which cases are gcncheck's own, where a command line names none: those installed with it, or of its sources, called from
# whatever folder. A program without any says so, and takes a folder `cases` of the current folder if there is one. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
tmp=$(cd "$tmp" && pwd -P)

# suite FOLDER ROWS: a case file of s_add_u32 with so many rows.
suite() {
    mkdir -p "$1/sop2"
    { printf 'case-format 1\ntest sum\ncode\n    s_add_u32 s0, s1, s2\nrows  s1  s2  | s0\n'
      seq 1 "$2" | sed 's/.*/      &   0   | &/'; } >"$1/sop2/s_add_u32.case"
}
mkdir -p "$tmp/usr/bin" "$tmp/src/build" "$tmp/opt/bin" "$tmp/empty" "$tmp/here"
for folder in usr/bin src/build opt/bin; do cp "$gcncheck" "$tmp/$folder/gcncheck"; done
suite "$tmp/usr/share/gcncheck/cases" 3
suite "$tmp/src/cases" 4
suite "$tmp/here/cases" 5

# from FOLDER PROGRAM ARGUMENT...: its output and its errors.
from() {
    (cd "$tmp/$1" && shift && program=$1 && shift && "$tmp/$program" "$@" 2>&1)
}
# takes FOLDER PROGRAM ROWS CASES: what commands without cases say there. CASES is the folder as results name it.
takes() {
    what="$2 called in $1"
    is "$3" "$(from "$1" "$2" list | awk '$3 == "s_add_u32" { print $6 }')" "$what: list counts rows"
    is "cases/sop2/s_add_u32.case, $3 rows" "$(from "$1" "$2" explain s_add_u32 | sed -n 's/^cases  *//p')" "$what: so does explain"
    is "$3 $4/sop2/s_add_u32.case" "$(from "$1" "$2" run --quiet --format jsonl | sed -n 's/.*"file":"\([^"]*\)".*/\1/p' | uniq -c | xargs)" \
        "$what: run"
    is "$tmp/vectors: $3 vectors, $3 rows" "$(from "$1" "$2" export --force --format bin --out "$tmp/vectors")" "$what: export"
    is "cases/sop2/s_add_u32.case:2" "$(grep -ao '[a-z/A-Z.0-9]*/sop2/s_add_u32.case:2' "$tmp/vectors" | uniq)" "$what: what vectors say they come from"
    is "ok cases $4" "$(from "$1" "$2" doctor | grep ' cases ' | xargs)" "$what: doctor"
}
takes empty usr/bin/gcncheck 3 "$tmp/usr/share/gcncheck/cases"
takes here usr/bin/gcncheck 3 "$tmp/usr/share/gcncheck/cases"
takes empty src/build/gcncheck 4 "$tmp/src/cases"
takes src src/build/gcncheck 4 cases
takes here opt/bin/gcncheck 5 cases
ln -s "$tmp/usr/bin/gcncheck" "$tmp/here/linked"
takes here here/linked 3 "$tmp/usr/share/gcncheck/cases"

# A program without any.
for command in run "export --out $tmp/none"; do
    refuse "${command%% *} has no cases" 2 "^gcncheck ${command%% *}: no file is named, and gcncheck's own cases are not there: gcncheck run --help" \
        sh -c "cd $tmp/empty && ../opt/bin/gcncheck $command"
done
[ ! -e "$tmp/none" ]
ok $? "it leaves nothing behind"
is "-" "$(from empty opt/bin/gcncheck list | awk '$3 == "s_add_u32" { print $6 }')" "list: rows are not known"
is "cases gcncheck's own are not there: gcncheck run --help" "$(from empty opt/bin/gcncheck explain s_add_u32 | grep '^cases ' | tr -s ' ')" "explain says so"
is "-- cases none: gcncheck run and export have to be told which" "$(from empty opt/bin/gcncheck doctor | grep ' cases ' | tr -s ' ')" "doctor says so"
is "" "$(from empty opt/bin/gcncheck explain image_gather4h | grep '^cases ')" "of what is not modelled nobody expects any"
finish
