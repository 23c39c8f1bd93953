#!/bin/sh
# What is installed: all of it is there, works from there, and goes again; nothing else does. The pkg-config file, the completion
# of bash and the manual page say what is true. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
build=$(dirname "$gcncheck")
libraries=$(ls "$build"/gcncheck-vgpu.so "$build"/gcncheck-drm.so 2>/dev/null | tr '\n' ' ')
[ -z "${EMULATOR:-}" ] || skip_all "the program does not run here"

# ship TREE PREFIX VERB: without make.
ship() {
    BUILD=$build LIBRARIES=$libraries DESTDIR=$1 PREFIX=$2 sh scripts/ship/install.sh "$3"
}

# quiet_make TREE PREFIX TARGET: as a user does it, but nothing is built.
quiet_make() {
    MAKEFLAGS='' MAKELEVEL='' make -s -o all "$3" BUILD="$build" DESTDIR="$1" PREFIX="$2"
}

# everything FOLDER: files, links and folders in it.
everything() {
    (cd "$1" && find . | LC_ALL=C sort)
}

# ---- there and away again ----

mkdir -p "$tmp/root/opt/share/man" # a folder that is there before
everything "$tmp/root" >"$tmp/before"
expect "make install" 0 "^installed [0-9]* files in $tmp/root/opt$" quiet_make "$tmp/root" /opt install
BUILD=$build LIBRARIES=$libraries sh scripts/ship/install.sh list | sed 's|^|./opt/|' | LC_ALL=C sort >"$tmp/want"
(cd "$tmp/root" && find . -type f ! -path ./opt/share/gcncheck/installed | LC_ALL=C sort) >"$tmp/got"
diff "$tmp/want" "$tmp/got" >"$tmp/diff"
ok $? "every file of the list is there, and no other" "$tmp/diff"
none "every case is" "$(diff -r cases "$tmp/root/opt/share/gcncheck/cases" 2>&1 | head -3)"
for file in bin/gcncheck include/gcncheck_dut.h include/gcncheck_vectors.h share/gcncheck/sdk/example_dut.c share/gcncheck/sdk/gcncheck_vectors.py \
    share/man/man1/gcncheck.1 share/bash-completion/completions/gcncheck share/pkgconfig/gcncheck.pc; do
    [ -s "$tmp/root/opt/$file" ]
    ok $? "$file is there"
done
none "everybody may read it" "$(find "$tmp/root/opt" ! -perm -a+r)$(find "$tmp/root/opt" -perm /go+w)"
is "$("$gcncheck" --version)" "$("$tmp/root/opt/bin/gcncheck" --version)" "the program runs from there"
expect "and so does the virtual GPU beside it (built with a sanitizer: the model)" 0 "^ok" "$tmp/root/opt/bin/gcncheck" run --quiet \
    --dut "$([ -n "$libraries" ] && ! grep -q __asan_init "$gcncheck" && echo vgpu:gfx900 || echo model)" "$tmp/root/opt/share/gcncheck/cases/sop2/s_add_u32.case"

everything "$tmp/root" >"$tmp/installed"
expect "installed once more" 0 "^installed" ship "$tmp/root" /opt install
everything "$tmp/root" >"$tmp/again"
diff "$tmp/installed" "$tmp/again" >"$tmp/diff"
ok $? "it is the same" "$tmp/diff"
expect "make uninstall" 0 "^took [0-9]* files out of $tmp/root/opt$" quiet_make "$tmp/root" /opt uninstall
everything "$tmp/root" >"$tmp/after"
diff "$tmp/before" "$tmp/after" >"$tmp/diff"
ok $? "everything is as it was before, the folder that was there included" "$tmp/diff"
refuse "twice" 2 "is not there: nothing that can be taken out" env DESTDIR="$tmp/root" PREFIX=/opt sh scripts/ship/install.sh uninstall

# Files of others, in our folders and under names that we do not have.
ship "$tmp/root" /opt install >/dev/null 2>&1
for file in bin/other include/other.h share/gcncheck/mine share/gcncheck/cases/vop2/mine.case share/gcncheck/sdk/example_dut.so; do
    echo "$file" >"$tmp/root/opt/$file"
    echo "./opt/$file"
done | LC_ALL=C sort >"$tmp/want"
ship "$tmp/root" /opt uninstall >/dev/null 2>&1
(cd "$tmp/root" && find . -type f | LC_ALL=C sort) >"$tmp/got"
diff "$tmp/want" "$tmp/got" >"$tmp/diff"
ok $? "files of others stay, and no other" "$tmp/diff"
rm -rf "$tmp/root"

# What an earlier version had and this one has not; what was cut short; a record that somebody changed.
mkdir -p "$tmp/root"
ship "$tmp/root" /opt install >/dev/null 2>&1
echo old >"$tmp/root/opt/share/gcncheck/old.txt"
mkdir "$tmp/root/opt/share/gcncheck/gone" && echo old >"$tmp/root/opt/share/gcncheck/gone/old.txt"
printf 'f share/gcncheck/old.txt\nf share/gcncheck/gone/old.txt\nd share/gcncheck/gone\n' >>"$tmp/root/opt/share/gcncheck/installed"
ship "$tmp/root" /opt install >/dev/null 2>&1
[ ! -e "$tmp/root/opt/share/gcncheck/old.txt" ] && [ ! -e "$tmp/root/opt/share/gcncheck/gone/old.txt" ]
ok $? "what an earlier version had goes with the next install"
rm "$tmp/root/opt/bin/gcncheck" "$tmp/root/opt/include/gcncheck_dut.h"
echo keep >"$tmp/outside"
printf 'f ../../outside\nf %s/outside\nf share/../../../outside\nf two words\n' "$tmp" >>"$tmp/root/opt/share/gcncheck/installed"
ship "$tmp/root" /opt uninstall >/dev/null 2>&1
is keep "$(cat "$tmp/outside" 2>&1)" "a record that names files outside takes none of them"
none "all the rest goes, though some was gone already" "$(find "$tmp/root" -mindepth 1)"
refuse "a PREFIX that is no whole path" 2 "PREFIX is 'usr': a whole path" env BUILD="$build" PREFIX=usr sh scripts/ship/install.sh install
refuse "nothing was built" 2 "make all first" env BUILD="$tmp/nothing" DESTDIR="$tmp/root" sh scripts/ship/install.sh install
refuse "another verb" 2 "use install, uninstall" sh scripts/ship/install.sh remove

# ---- for people who write plug-ins ----

prefix=$tmp/usr
ship '' "$prefix" install >/dev/null 2>&1
if command -v pkg-config >/dev/null; then
    # pc ARGUMENT...: of the file that was installed alone.
    pc() { PKG_CONFIG_LIBDIR=$prefix/share/pkgconfig pkg-config "$@" gcncheck; }
    is "$(sed -n 's/^#define GCNCHECK_VERSION "\(.*\)"$/\1/p' harness/line/opts.h)" "$(pc --modversion)" "pkg-config: the version"
    is "-I$prefix/include" "$(pc --cflags | sed 's/ *$//')" "pkg-config: where the headers are"
    is "" "$(pc --libs | tr -d ' ')" "pkg-config: there is no library"
    is "$prefix/share/gcncheck/cases" "$(pc --variable=casesdir)" "pkg-config: where the cases are"
    examples=$(pc --variable=examplesdir)
    (cd "$tmp" && ${CC:-gcc} -shared -fPIC $(pc --cflags) -o mine.so "$examples/example_dut.c" &&
        ${CC:-gcc} $(pc --cflags) -o judge "$examples/judge_vectors.c") >"$tmp/log" 2>&1
    ok $? "the examples build out of what is installed" "$tmp/log"
    expect "the plug-in is a device under test" 1 "v_bfe_u32" "$prefix/bin/gcncheck" run --quiet --failures --dut "plugin:$tmp/mine.so" \
        "$prefix/share/gcncheck/cases/vop3a/v_bfe_u32.case"
    ${CC:-gcc} -c -o "$tmp/none.o" "$examples/example_dut.c" >"$tmp/log" 2>&1
    [ $? != 0 ]
    ok $? "it needs these flags" # else the points above say nothing of them
    expect "the Python reader stands with the examples" 0 "^<function judge" python3 -B -c \
        'import sys; sys.path.insert(0, sys.argv[1]); import gcncheck_vectors; print(gcncheck_vectors.judge)' "$examples"
else
    skip "pkg-config: the examples build" "pkg-config is not installed"
fi

# ---- completion, by the function that bash calls ----

completion=$prefix/share/bash-completion/completions/gcncheck

# complete WORD...: what the last may become, in one line.
complete() {
    bash -c '. "$0"; COMP_WORDS=(gcncheck "$@"); COMP_CWORD=$#; COMPREPLY=(); _gcncheck; echo "${COMPREPLY[*]}"' "$completion" "$@" 2>&1
}

if command -v bash >/dev/null; then
    is "export explain" "$(complete ex)" "a command"
    is "v_bfe_i32 v_bfe_u32" "$(complete explain v_bfe_)" "an opcode"
    is "v_add_i32" "$(complete explain v_add_i | tr ' ' '\n' | grep -x v_add_i32)" "one that only another generation has"
    is "VALU-C01" "$(complete explain VALU-C01)" "an entry of the ledger"
    is "v_bfe_u32" "$(complete eval "'v_bfe_u")" "the opcode of an instruction, behind a quote"
    is "s_add_u32,v_bfe_i32 s_add_u32,v_bfe_u32" "$(complete run --only s_add_u32,v_bfe)" "the last of a list of opcodes"
    is "VOP2" "$(complete fuzz --skip VOP2)" "an encoding"
    is "gfx801 gfx802 gfx803 gfx805" "$(complete list --mcpu gfx80)" "a processor"
    is "gfx900,gfx908" "$(complete fuzz --common gfx900,gfx908)" "the last of two processors"
    is "gfx906" "$(complete list --diff gfx906)" "--diff of list is a processor"
    is "html" "$(complete report --format h)" "a format"
    is "--known" "$(complete run --kno)" "an option"
    is "" "$(complete lint --kno)" "not one of another command"
    is "Makefile" "$(complete report Makef)" "a file"
    is "" "$(complete run --only v_nothing)" "nothing for what nobody knows"
    # offered FILE: the opcodes of a completion, a line each.
    offered() { sed -n "s/^    local opcodes='//p" "$1" | tr -d "'" | tr ' ' '\n' | grep . | LC_ALL=C sort; }
    offered "$completion" >"$tmp/offered"
    "$gcncheck" list --mcpu gfx900 --format tsv | sed 1d | cut -f3 | LC_ALL=C sort -u >"$tmp/listed"
    [ "$(wc -l <"$tmp/listed")" -gt 1000 ]
    ok $? "there are opcodes to be offered" "$tmp/listed"
    none "every opcode of gfx900 is" "$(LC_ALL=C comm -13 "$tmp/offered" "$tmp/listed" | head -3)"
    none "none twice" "$(uniq -d "$tmp/offered" | head -3)"
    sed "/^    local opcodes='/s/ v_bfe_i32 / v_bfe_u32 /" "$completion" >"$tmp/planted"
    offered "$tmp/planted" >"$tmp/offered"
    is "v_bfe_i32 v_bfe_u32" "$(LC_ALL=C comm -13 "$tmp/offered" "$tmp/listed" | xargs) $(uniq -d "$tmp/offered" | xargs)" \
        "planted: one that is missing shows, one that is there twice too"
    is "complete -o filenames -F _gcncheck gcncheck" "$(bash -c '. "$0"; complete -p gcncheck' "$completion")" "bash knows whom to ask"
else
    skip "completion" "bash is not installed"
fi

# ---- the manual page ----

page=$prefix/share/man/man1/gcncheck.1
if command -v groff >/dev/null; then
    none "groff has nothing to say of it" "$(groff -man -ww -Tutf8 "$page" 2>&1 >"$tmp/page" | head -3)"
    # As it is read: without bold letters, without lines broken at hyphens.
    groff -man -Tascii -P-c -P-b -P-o -P-u -rLL=400n "$page" 2>/dev/null >"$tmp/text"
    # Heads of commands stand three columns in, their options further.
    "$gcncheck" --help | sed -n '/^commands:/,/^examples:/s/^  \([a-z]*\) .*/\1/p' >"$tmp/commands"
    while read -r command; do
        "$gcncheck" "$command" --help | sed -n "s/^  \(--[a-z-]*\).*/$command \1/p" | grep -v -e '--help$'
    done <"$tmp/commands" >"$tmp/want"
    # missing TEXT: commands with options that are not in the text of a page.
    missing() {
        awk 'NR == FNR { is[$1]; next } /^   [a-z]/ && $1 in is { of = $1 } $1 ~ /^--/ { print of, $1 }' "$tmp/commands" "$1" | LC_ALL=C sort -u >"$tmp/got"
        LC_ALL=C sort -u "$tmp/want" | LC_ALL=C comm -13 "$tmp/got" - | head -3
    }
    [ "$(wc -l <"$tmp/want")" -gt 100 ]
    ok $? "there are options to be explained" "$tmp/want"
    none "every command and option is in it" "$(missing "$tmp/text")"
    sed '/--update-known/d' "$tmp/text" >"$tmp/planted"
    is "fuzz --update-known run --update-known" "$(missing "$tmp/planted" | xargs)" "planted: an option that is missing shows"
    for place in share/gcncheck/cases share/gcncheck/sdk include/gcncheck_dut.h lib/gcncheck; do
        [ "$place" = lib/gcncheck ] && [ -z "$libraries" ] && continue
        grep -q "$place" "$tmp/text" && [ -e "$prefix/$place" ]
        ok $? "it says that $place is there, and so it is"
    done
    grep -q "gcncheck $("$gcncheck" --version | cut -d' ' -f2)" "$tmp/text"
    ok $? "the version is that of the program"
else
    skip "the manual page" "groff is not installed"
fi
finish
