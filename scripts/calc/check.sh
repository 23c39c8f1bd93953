#!/bin/sh
# Runs the calculators that write case files and compares what they write with the files in cases/, byte by byte. One point
# for each calculator. TAP 13.
#
#   scripts/calc/check.sh                the quick ones: 10 seconds of one core
#   scripts/calc/check.sh --all          and those that take minutes
#   scripts/calc/check.sh NAME...        these, such as calc_mem
#
# Here and in mem/ (memory, buffers, images) stand the calculators; lib/ has what they share: binary floats, the rules of the
# vector opcodes by type, what the file of every vector opcode holds.
#
# A calculator works on a copy of cases/ in a temporary folder. Tests that are written by hand stand in the same files;
# calculators read and keep them.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
make_tmp
root=$PWD
cp -r cases "$tmp" || exit 2

script_of() { find "$root/scripts/calc" -name "$1.py"; }

# calculator NAME ARGUMENT...: passes if it writes at least one file and all that it writes are those of the tree.
calculator() {
    name=$1
    shift
    find "$tmp/cases" -exec touch -d 2000-01-01 {} +
    if ! (cd "$tmp" && python3 -B "$(script_of "$name")" "$@") >"$tmp/said" 2>&1; then
        ok 1 "$name" "$tmp/said"
        return
    fi
    (cd "$tmp" && find cases -type f -newermt 2001-01-01 | sort) >"$tmp/written"
    while read -r file; do
        cmp "$file" "$tmp/$file" 2>&1
    done <"$tmp/written" >"$tmp/differ"
    [ -s "$tmp/written" ] || echo "it has written nothing" >"$tmp/differ"
    [ ! -s "$tmp/differ" ]
    ok $? "$name: $(wc -l <"$tmp/written") files" "$tmp/differ"
}

# The folder that a calculator takes; its other arguments.
run() {
    case $1 in
    calc_sad) calculator calc_sad cases/vop3a ;;
    calc_vopc) calculator calc_vopc cases/vopc ;;
    calc_sop) # computes the results of tests that are written by hand, and says which differ
        python3 -B "$(script_of calc_sop)" cases/sop* >"$tmp/said" 2>&1
        ok $? "calc_sop: $(tail -n 1 "$tmp/said")" "$tmp/said"
        ;;
    expect-bench-kernels) calculator expect-bench-kernels ;;
    expect-rounds-best)
        for file in in out; do
            python3 -B "$(script_of expect-rounds-best)" $file | cmp - cases/kernels/rounds_best/$file.bin >"$tmp/said" 2>&1
            ok $? "expect-rounds-best: $file.bin" "$tmp/said"
        done ;;
    expect-initial-state)
        python3 -B "$(script_of expect-initial-state)" | cmp - cases/kernels/initial_state/out.bin >"$tmp/said" 2>&1
        ok $? "expect-initial-state: 1 file" "$tmp/said"
        ;;
    *) calculator "$1" cases ;;
    esac
}

quick="calc_atomic calc_buf calc_dot calc_f16_cases calc_img calc_interp calc_lanes calc_mem calc_old calc_sad calc_sample calc_scratch calc_smem
    calc_sop calc_vopc cases_f32 cases_f64 expect-bench-kernels expect-initial-state
    expect-rounds-best"
case "$*" in
--all) set -- $quick calc_mfma ;;
'') set -- $quick ;;
esac
for name; do
    run "$name"
done
finish
