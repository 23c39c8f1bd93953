#!/bin/sh
# The README's picture of a report is what the tool prints: the first finding of the command above it. TAP.
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
finish
