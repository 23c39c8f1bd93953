#!/bin/sh
# What the READMEs say is true: the picture of a report is what the tool prints, the first finding of the command above it;
# every file and folder that a page names is there. TAP 13.
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
# commands. Not those of what is built, patterns, and v_addx_u32, the opcode that pages add as an example.
none "every path that a README names is there" "$(find . -name '*.md' ! -path './build*' | sed 's|^\./||' | sort | while read -r page; do
    { grep -o '`[^` ]*/[^` ]*`' "$page" | tr -d '`' | sed 's/:.*//'
      grep -oE '\b(sh|python3) (scripts|harness)/[A-Za-z0-9_./-]+' "$page" | cut -d' ' -f2; } | sort -u | while read -r path; do
        case $path in
        build* | BUILD* | PREFIX* | /* | *v_addx_u32* | *['*<{$|#']*) continue ;;
        esac
        [ -e "$(dirname "$page")/$path" ] || [ -e "$path" ] || echo "$page: $path"
    done
done)"
finish
