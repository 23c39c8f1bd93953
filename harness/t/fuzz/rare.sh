#!/bin/sh
# Planted bugs that only show where streams have what chance rarely makes: each is found through a plug-in. Prints TAP. Needs
# `make tests` done before.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
build=${BUILD:-build}
make_tmp

# found MUTANT COUNT TITLE: it is, in the streams of its opcode.
found() {
    GCNCHECK_MUTANT=$1 "$gcncheck" fuzz --quiet --only "${1%%.*}" --count "$2" --jobs 2 --gate manual --dut "plugin:$build/model_dut.so" \
        --out "$tmp/$1" >"$tmp/out" 2>"$tmp/err"
    is 1 $? "$3: $1 is found" "$tmp/out"
}

found v_cmp_o_f64.literal_zero 400 "compares with a literal NaN"
found v_sqrt_f64.omod_ignored 400 "results that are scaled"
found ds_swizzle_b32.direction 400 "lanes that are turned around"
found ds_swizzle_b32.fft_mask 400 "lanes in the order of an FFT"
found s_swappc_b64.half_kept_sdst_high 100 "a register for a return address that holds something"
found buffer_load_dwordx2.all_or_nothing 400 "accesses across the end of a buffer"

# Exceptions are doubted by the ledger as a whole: they are compared where the gate lets through what is.
found v_clrexcp.nothing 100 "exceptions"
found v_cmpx_tru_f16.mod128_src1 600 "an exception that is all there is of a compare"
GCNCHECK_MUTANT=v_clrexcp.nothing "$gcncheck" fuzz --quiet --only v_clrexcp --count 100 --jobs 2 --dut "plugin:$build/model_dut.so" \
    --out "$tmp/gate" >"$tmp/out" 2>"$tmp/err"
is 0 $? "not where it does not" "$tmp/out"
finding=$(ls -d "$tmp"/v_clrexcp.nothing/*/ | head -1)
GCNCHECK_MUTANT=v_clrexcp.nothing "$gcncheck" replay --trust "$finding" >"$tmp/out" 2>"$tmp/err"
is 1 $? "and a finding of them is shown again" "$tmp/out"
finish
