#!/bin/sh
# The README's picture of a report is what the tool prints: the first finding of the command above it. TAP.
cd "$(dirname "$0")/../../.." || exit 2
gcncheck="${GCNCHECK:-build/gcncheck}"
build=$(dirname "$gcncheck")
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
echo "TAP version 13"
echo "1..2"
failed=0
id=$(sed -n 's|^    \$ cat build/findings/\([^/]*\)/report.txt$|\1|p' README.md)
"$gcncheck" fuzz --mcpu gfx900 --seed 1 --count 100 --dut "plugin:$build/example_dut.so" --out "$tmp/findings" >"$tmp/log" 2>&1
if [ -n "$id" ] && [ -d "$tmp/findings/$id" ]; then
    echo "ok 1 - the finding in the README is found"
else
    echo "# README: $id"
    ls "$tmp/findings" | sed 's/^/# found: /'
    echo "not ok 1 - the finding in the README is found"
    failed=1
fi
sed -n "/^    \\\$ cat build.findings/,/^      \.\.\.\$/p" README.md | tail -n +2 | sed 's/^    //' >"$tmp/readme"
sed -e "s|$tmp/findings|build/findings|" -e "s|$build/example_dut.so|build/example_dut.so|" "$tmp/findings/$id/report.txt" >"$tmp/report" 2>/dev/null
if [ -s "$tmp/readme" ] && cmp -s "$tmp/readme" "$tmp/report"; then
    echo "ok 2 - its report reads as in the README"
else
    diff "$tmp/readme" "$tmp/report" | sed 's/^/# /'
    echo "not ok 2 - its report reads as in the README"
    failed=1
fi
exit $failed
