#!/bin/sh
# Runs every compiled kernel of cases/kernels through `gcncheck launch`; prints TAP 13.
#
#   scripts/kernels/kernels.sh [FOLDER]...      folders with launch.txt and code objects (default: those of cases/kernels)
#
# GCNCHECK: the program (default build/gcncheck). MCPU: only code objects for this processor, whose names
# begin with it (default gfx900). Output that differs (exit code 1) and a kernel that could not run to its
# end (3) both fail; the line that launch printed stands above the test point.

. "$(dirname "$0")/../../harness/t/lib/tap.sh"
mcpu="${MCPU:-gfx900}"
[ $# -gt 0 ] || set -- $(ls cases/kernels/*/launch.txt | sed 's,launch.txt$,,') # planted has none: its kernels are wrong

[ -x "$gcncheck" ] || bail "no program $gcncheck (run make)"
for folder in "$@"; do
    folder="${folder%/}"
    found=no
    for co in "$folder/$mcpu".*co; do
        [ -f "$co" ] || continue
        found=yes
        said=$("$gcncheck" launch --mcpu "$mcpu" "$co" "$folder/launch.txt" 2>&1)
        code=$?
        note "$said"
        [ $code = 0 ] || note "exit code $code; again: $gcncheck launch --mcpu $mcpu $co $folder/launch.txt"
        ok $code "$co"
    done
    [ $found = yes ] || skip "$folder" "no code object for $mcpu"
done
finish
