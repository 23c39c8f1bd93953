#!/bin/sh
# Runs every compiled kernel of cases/kernels through `gcncheck launch`; prints TAP 13.
#
#   scripts/kernels/kernels.sh [FOLDER]...      folders with launch.txt and code objects (default: those of cases/kernels)
#
# GCNCHECK: the program (default build/gcncheck). MCPU: only code objects for this processor, whose names
# begin with it (default gfx900). Output that differs (exit code 1) and a kernel that could not run to its
# end (3) both fail; the line that launch printed stands above the test point.

gcncheck="${GCNCHECK:-build/gcncheck}"
mcpu="${MCPU:-gfx900}"
[ $# -gt 0 ] || set -- cases/kernels/*/

echo "TAP version 13"
if [ ! -x "$gcncheck" ]; then
    echo "Bail out! no program $gcncheck (run make)"
    exit 1
fi
n=0
failed=0
for folder in "$@"; do
    folder="${folder%/}"
    found=no
    for co in "$folder/$mcpu".*co; do
        [ -f "$co" ] || continue
        found=yes
        n=$((n + 1))
        said=$("$gcncheck" launch --mcpu "$mcpu" "$co" "$folder/launch.txt" 2>&1)
        code=$?
        printf '%s\n' "$said" | sed 's/^/# /'
        if [ $code -eq 0 ]; then
            echo "ok $n - $co"
        else
            echo "not ok $n - $co"
            echo "# exit code $code; again: $gcncheck launch --mcpu $mcpu $co $folder/launch.txt"
            failed=1
        fi
    done
    if [ $found = no ]; then
        n=$((n + 1))
        echo "ok $n - $folder # SKIP no code object for $mcpu"
    fi
done
echo "1..$n"
exit $failed
