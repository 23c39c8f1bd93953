#!/bin/sh
# The checks of structure fail when they should: each is run on a tree of its own, which is right, and then with one fault
# planted. TAP 13. (Two rows with one number: tables.sh. Mutants that no longer fit the source: mutants.sh.)
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
root=$PWD
tree=$tmp/tree

# make_sound: a small tree of which all checks hold: every folder of the list with a source file and a header, and the pages.
make_sound() {
    mkdir -p "$tree/scripts/run" "$tree/harness/t/lib"
    cp -r scripts/check "$tree/scripts"
    cp scripts/run/tap.py "$tree/scripts/run"
    cp harness/t/lib/tap.sh "$tree/harness/t/lib"
    for page in README.md oracle/README.md fuzz/README.md harness/README.md; do
        [ ! -f $page ] || { mkdir -p "$tree/$(dirname $page)" && cp $page "$tree/$page"; }
    done
    for folder in $(sed -n 's/^\([a-z][^ ]*\).*/\1/p' scripts/check/layers); do
        mkdir -p "$tree/$folder" "$tree/build/$folder"
        name=$(basename "$folder")_it
        printf 'int %s(void);\n' "$name" >"$tree/$folder/it.h"
        printf '#include "%s/it.h"\nint %s(void)\n{\n    return 1;\n}\n' "$folder" "$name" >"$tree/$folder/it.c"
    done
}

# compile: what of the tree is newer than its object.
compile() {
    (cd "$tree" && for c in $(find oracle fuzz reports harness -name '*.c'); do
        o=build/${c%.c}.o
        [ -e "$o" ] && [ ! "$c" -nt "$o" ] || ${CC:-gcc} -I. -c -o "$o" "$c" || exit
    done) >"$tmp/log" 2>&1 || note "$(cat "$tmp/log")"
}

sound() {
    rm -rf "$tree"
    cp -a "$tmp/sound" "$tree"
}

# layers TITLE CODE PATTERN: what scripts/check/layers.sh says of the tree, which is made sound again. Whether headers compile is
# asked where that is what it is about: the compiler takes most of the time.
layers() {
    expect "$1" "$2" "$3" env CC="${compiler:-true}" sh "$tree/scripts/check/layers.sh"
    sound
}

make_sound
compile
mv "$tree" "$tmp/sound"
sound
compiler=${CC:-gcc} layers "layers: a sound tree" 0 "^1\.\.6$"
echo '#include "harness/cmd/it.h"' >>"$tree/oracle/base/it.h"
layers "layers: an include that points up" 1 "^# oracle/base/it.h:2: oracle/base may not include harness/cmd$"
echo '#include "oracle/insn/it.h"' >>"$tree/oracle/isa/it.c"
layers "layers: one that points up inside oracle" 1 "^# oracle/isa/it.c:[0-9]*: oracle/isa may not include oracle/insn$"
mkdir "$tree/oracle/extra" && touch "$tree/oracle/extra/it.h"
layers "layers: a folder that is not in the list" 1 "^# oracle/extra is not in scripts/check/layers$"
rm -r "$tree/oracle/fp"
layers "layers: a folder of the list that is gone" 1 "^# scripts/check/layers names oracle/fp, which is no folder$"
sed -i '/^    oracle\/fp  /d' "$tree/README.md"
layers "layers: a folder that the README lacks" 1 "^# missing in README.md:     oracle/fp  "
sed -i 's/^    harness\/run  .*/&\n&/' "$tree/harness/README.md"
layers "layers: one that a README shows twice" 1 "^# not in the list, or not there: harness/README.md:     harness/run  "
sed -i '/^    fuzz\/gen  /d' "$tree/fuzz/README.md"
layers "layers: a folder that the page of fuzz lacks" 1 "^# missing in fuzz/README.md:     fuzz/gen  "
sed -i 's/^oracle\/fp  .*/oracle\/fp         something else/' "$tree/scripts/check/layers"
layers "layers: the words of a README are not the list's" 1 "^# missing in README.md:     oracle/fp         something else$"
for i in $(seq 22); do touch "$tree/oracle/fp/more$i.c"; done
layers "layers: a folder with too many files of C" 1 "^# oracle/fp holds 23 files of C, at most 22$"
rm "$tree"/scripts/run/*
for i in $(seq 11); do touch "$tree/scripts/run/some$i.sh" "$tree/scripts/run/some$i.py" "$tree/scripts/run/some$i.c"; done
layers "layers: a folder that is as full as it may be" 0 "^1\.\.6$"
mkdir "$tree/harness/t/many"
for i in $(seq 23); do touch "$tree/harness/t/many/some$i.sh"; done
layers "layers: a folder with too many scripts" 1 "^# harness/t/many holds 23 scripts, at most 22$"
echo 'void f(struct nothing_known n, u32 a);' >>"$tree/reports/it.h"
compiler=${CC:-gcc} layers "layers: a header that does not compile alone" 1 "^# reports/it.h does not compile alone$"
touch "$tree/notes.txt"
layers "layers: a file at the top that has no place there" 1 "^# notes.txt$"

# classify TITLE CODE PATTERN: what scripts/check/classify.sh says of the tree, which is made sound again.
classify() {
    expect "$1" "$2" "$3" sh "$tree/scripts/check/classify.sh"
    sound
}

classify "classify: a sound tree" 0 "^1\.\.3$"
echo '/* if (strstr(row->name, "_x2")) */' >>"$tree/oracle/exec/it.c"
classify "classify: a test on the spelling of a mnemonic" 1 "^# oracle/exec/it.c:[0-9]*:"
echo '/* case ENC_DS: */' >>"$tree/fuzz/gen/it.c"
classify "classify: a ladder of encodings" 1 "^# fuzz/gen/it.c:[0-9]*:"
echo '/* OP_s_branch */' >>"$tree/harness/lint/it.c"
classify "classify: an opcode by its name" 1 "^# harness/lint/it.c names 1 opcodes, 0 are reviewed"

# names TITLE CODE PATTERN: what scripts/check/names.py says of the tree, which is made sound again.
names() {
    expect "$1" "$2" "$3" python3 "$tree/scripts/check/names.py" "$tree"
    sound
}

names "names: a sound tree" 0 "^ok 2 - [1-9]"
echo 'int look(void);' >>"$tree/harness/launch/it.h"
names "names: a function that does not say whose it is" 1 "^# harness/launch/it.h: look begins with none of: it launch$"

printf '"""A script."""\nimport os\nimport calc_old\n' >"$tree/scripts/check/new.py"
expect "imports: a module that moved away" 1 "^# scripts/check/new.py:3: no module calc_old$" python3 "$tree/scripts/check/imports.py" "$tree"
sound
mkdir -p "$tree/scripts/other/lib"
touch "$tree/scripts/other/lib/shared.py"
echo 'import shared' >"$tree/scripts/other/new.py"
expect "imports: a module of another folder" 1 "^# scripts/other/new.py:1: no module shared$" python3 "$tree/scripts/check/imports.py" "$tree"
printf 'import os\nimport sys\nsys.path.append(os.path.join(os.path.dirname(__file__), "lib"))\nimport new\n' >"$tree/scripts/other/first.py"
expect "imports: one that the script that imports it puts on its path" 0 "^ok 1 - [1-9]" python3 "$tree/scripts/check/imports.py" "$tree"
sed -i '1i #!/usr/bin/env python3' "$tree/scripts/other/new.py"
expect "imports: the same of a script that is run alone" 1 "^# scripts/other/new.py:2: no module shared$" python3 "$tree/scripts/check/imports.py" "$tree"
sound
expect "imports: a sound tree" 0 "^ok 1 - [1-9]" python3 "$tree/scripts/check/imports.py" "$tree"

# circles TITLE CODE PATTERN: compiles the tree; what scripts/check/circles.py says of it. The tree is made sound again.
circles() {
    compile
    expect "$1" "$2" "$3" sh -c "cd '$tree' && exec python3 scripts/check/circles.py build"
    sound
}
circles "circles: a sound tree" 0 "^ok 2 "
printf 'int other(void);\nint one(void) { return other(); }\n' >"$tree/oracle/base/one.c"
printf 'int one(void);\nint other(void) { return one(); }\n' >"$tree/oracle/base/other.c"
circles "circles: two files that call each other" 1 "^# *oracle/base/one -> oracle/base/other: other$"
printf 'int cmd_it(void);\nint one(void) { return cmd_it(); }\n' >"$tree/oracle/base/one.c"
circles "circles: a call that points up without an include" 1 "^# oracle/base/one -> harness/cmd/it: cmd_it: harness/cmd is above oracle/base$"

# A calculator that computes something else, and a case file that has drifted from its calculator.
mkdir -p "$tree/scripts" "$tree/cases"
cp -r scripts/calc "$tree/scripts"
cp -r cases/vop3a "$tree/cases"
calculators() { expect "$1" "$2" "$3" sh "$tree/scripts/calc/check.sh" calc_sad; }
calculators "calculators: what they write is in the tree" 0 "^ok 1 - calc_sad"
echo "# drifted" >>"$tree/cases/vop3a/v_sad_u8.case"
calculators "calculators: a case file that has drifted" 1 "cases/vop3a/v_sad_u8.case"
cp cases/vop3a/v_sad_u8.case "$tree/cases/vop3a"
sed -i 's/^M32 = 0xffffffff$/M32 = 0x7fffffff/' "$tree/scripts/calc/calc_sad.py"
calculators "calculators: one that computes something else" 1 "cases/vop3a/.* differ"

# What only make test-long builds: the Makefile names sources that are there.
expect "fuzz targets: their sources are there" 0 "fz/fz_case" make -n BUILD="$tmp/fz" fz-targets
expect "fuzz targets: one that is gone is named" 2 "No rule to make target '.*harness/case/gone.o'" \
    make -n BUILD="$tmp/fz" fz-targets fz_own=harness/case/gone.c
# The rows that mutants call are compiled for any processor, also where nothing else is.
expect "mutants: the rows that they call are made with them" 0 "sem/operand.base.o" env -u ROWS -u MAKEFLAGS make -n BUILD="$tmp/fz" mutants

# The helper of shell tests itself.
try() { expect "$1" "$2" "$3" sh -c ". harness/t/lib/tap.sh; $4; finish"; }
try "tap.sh: points that hold" 0 "^1\.\.2$" "ok 0 a; is x x b"
try "tap.sh: a point that fails" 1 "^not ok 1 - a$" "ok 1 a; ok 0 b"
try "tap.sh: texts that differ" 1 "^# want: x$" "is x y a"
try "tap.sh: a plan that is not kept" 1 "^1\.\.3$" "plan 3; ok 0 a"
try "tap.sh: a command with another exit code" 1 "^# exit code 0, wanted 1" "expect a 1 '' true"
try "tap.sh: a command that says something else" 1 "^not ok 1 - a$" "expect a 0 this echo that"
try "tap.sh: a refusal of two lines" 1 "^not ok 1 - a$" "refuse a 2 x sh -c 'echo x >&2; echo x >&2; exit 2'"
try "tap.sh: offenders" 1 "^# this one$" "none a 'this one'"
finish
