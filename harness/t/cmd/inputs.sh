#!/bin/sh
# Inputs that AFL++ came to (harness/fz/inputs/NAME, the few that reach nearly all) and those on which something once
# went wrong, through what reads them (build/fz_inputs): no crash, no law of a target is broken, and none takes long. With sanitizers
# in scripts/run/test-long.sh. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
build="${BUILD:-build}"
inputs=harness/fz/inputs
FZ_FOLDER=$tmp/files
export FZ_FOLDER
mkdir "$FZ_FOLDER" || bail "no folder"

# through NAME FILE...: each of them, in one process; the last lines of what it says are in $tmp/out.
through() { timeout 120 "$build/fz_inputs" "$@" >"$tmp/out" 2>&1; }

"$build/fz_inputs" >"$tmp/names"
count=0
while read -r name; do
    set -- "$inputs/$name"/*
    [ -f "$1" ] || set --
    [ $# -gt 0 ]
    ok $? "$name has inputs"
    paths=
    for file; do paths="$paths $PWD/$file"; done
    # shellcheck disable=SC2086
    through "$name" $paths
    code=$?
    [ $code = 0 ] && [ "$(grep -ac ' bytes, no crash, ' "$tmp/out")" = $# ]
    bad=$?
    [ $bad = 0 ] || { tail -n 12 "$tmp/out" >"$tmp/end"; note "code $code"; }
    ok $bad "$name: $# inputs" "$tmp/end"
    grep -aq ', accepted$' "$tmp/out"
    ok $? "$name: some are taken" "$tmp/out"
    count=$((count + $#))
done <"$tmp/names"
note "$count inputs"
if grep -qx card "$tmp/names"; then
    # shellcheck disable=SC2010
    none "every folder of inputs is that of a target" "$(ls $inputs | grep -vxFf "$tmp/names")"
else
    skip "every folder of inputs is that of a target" "some are of libdrm_amdgpu, which is not installed"
fi

# A law that is broken ends the program, and is seen.
(unset FZ_FOLDER; ulimit -c 0; through launch "$PWD/README.md") 2>/dev/null
[ $? -gt 125 ] && grep -q "^broken: FZ_FOLDER" "$tmp/out"
ok $? "a broken law is no success" "$tmp/out"
finish
