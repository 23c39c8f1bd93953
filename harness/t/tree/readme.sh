#!/bin/sh
# What the READMEs say is true: the picture of a report is what the tool prints, the first finding of the command above it;
# every file and folder that a page names is there, and so is every source file that a comment names. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=$(dirname "$gcncheck")
make_tmp
id=$(sed -n 's|^    \$ cat build/findings/\([^/]*\)/report.txt$|\1|p' README.md)
"$gcncheck" fuzz --mcpu gfx900 --seed 1 --count 100 --dut "plugin:$build/example_dut.so" --out "$tmp/findings" >"$tmp/log" 2>&1
(cd "$tmp" && ls -d findings/*) >"$tmp/found" 2>&1
[ -n "$id" ] && [ -d "$tmp/findings/$id" ]
ok $? "the finding in the README is found" "$tmp/found"
sed -n "/^    \\\$ cat build.findings/,/^      \.\.\.\$/p" README.md | tail -n +2 | sed 's/^    //' >"$tmp/readme"
sed -e "s|$tmp/findings|build/findings|" -e "s|$build/example_dut.so|build/example_dut.so|" "$tmp/findings/$id/report.txt" >"$tmp/report" 2>/dev/null
diff "$tmp/readme" "$tmp/report" >"$tmp/diff" && [ -s "$tmp/readme" ]
ok $? "its report reads as in the README" "$tmp/diff"

# Paths between backquotes, from the page's folder or from the root (`FILE:LINE` is FILE), and paths below our folders in
# commands; one with * matches something. Not those of what is built, and v_addx_u32, the opcode that pages add as an example.
none "every path that a README names is there" "$(find . -name '*.md' ! -path './build*' | sed 's|^\./||' | sort | while read -r page; do
    { grep -o '`[^` ]*/[^` ]*`' "$page" | tr -d '`' | sed 's/:.*//'
      grep -oE '\b(sh|python3) (scripts|harness)/[A-Za-z0-9_./-]+' "$page" | cut -d' ' -f2; } | sort -u | while read -r path; do
        case $path in
        build* | BUILD* | PREFIX* | /* | '~'* | *v_addx_u32* | *['<{$|#']*) continue ;;
        *'*'*) ls -d "$(dirname "$page")"/$path $path 2>/dev/null | grep -q . || echo "$page: $path"; continue ;;
        esac
        [ -e "$(dirname "$page")/$path" ] || [ -e "$path" ] || echo "$page: $path"
    done
done)"

# Names of source files in comments (what follows /* or //, lines that begin with *), the last part of a path. Not the
# names in capitals that stand for many, and stdint.h, which is the compiler's.
find . -path './build*' -prune -o \( -name '*.[ch]' -o -name '*.def' \) -print | sed 's|.*/||' | sort -u >"$tmp/files"
named=$(grep -rnoE '(/\*|//|^ \*).*' oracle fuzz reports harness --include='*.[ch]' --include='*.def' |
    awk 'NR == FNR { have[$1]; next }
    { match($0, /^[^:]*:[0-9]*:/); where = substr($0, 1, RLENGTH - 1); rest = substr($0, RLENGTH + 1)
      while (match(rest, /[A-Za-z0-9_.\/-]+\.(def|c|h)([^A-Za-z0-9_]|$)/)) {
          name = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
          sub(/[^A-Za-z0-9_]$/, "", name); sub(/.*\//, "", name); seen++
          if (!(name in have) && name !~ /NAME/ && name != "stdint.h") print where ": " name }
    } END { if (seen < 100) print "only " seen + 0 " names were found" }' "$tmp/files" -)
none "every source file that a comment names is there" "$named"
finish
