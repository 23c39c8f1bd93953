#!/bin/sh
# Lets the fuzzer look for mutants of a plug-in that is the model. Prints TAP 13, one point per mutant; the last line is "N passed, M failed".
#
#   scripts/mutate/mutation-fuzz.sh [-s N] [ID]...    -s N: one in N of the mutants of a value, and those of state and resources;
#                                              ID: only these
#
# A mutant of a value must be found within TIME seconds (60), and every finding put down to a single instruction, of
# its opcode if it belongs to one. A mutant of state must be found within that time, and the shortest finding must
# have the length it states, neither more nor less. Mutants of resources are those of RESOURCES below: what a descriptor
# or an address says is ignored or misread. They count as mutants of a value.
#
# GCNCHECK: the program (default build/gcncheck). MUTANT_DUT: the plug-in (default build/model_dut.so). MCPU (default gfx900). SEED (default 1). JOBS: runs at a time
# (default: one per processor). KNOWN: the list of survivors (default survivors.known beside this script). OUT: folder of the findings (default build/mutants, removed if all is well).

GCNCHECK="${GCNCHECK:-build/gcncheck}" MCPU="${MCPU:-gfx900}" SEED="${SEED:-1}" TIME="${TIME:-60}"
MUTANT_DUT="${MUTANT_DUT:-build/model_dut.so}"
OUT="${OUT:-build/mutants}"
export GCNCHECK MUTANT_DUT MCPU SEED TIME OUT
RESOURCES="buffer_load_dword.stride_ignored buffer_load_dword.swizzle_ignored buffer_load_dword.index_stride
    buffer_load_dword.records_one buffer_load_dword.tid_ignored buffer_store_dword.stride_ignored
    buffer_store_dword.records_less buffer_atomic_add.glc_ignored buffer_load_format_xy.sel_ignored
    tbuffer_load_format_xy.nfmt_descriptor buffer_load_dword.lds_m0 image_load.pitch image_load.inside_y image_load.da_ignored
    image_load.missing_w image_store.inside image_store.half_order image_atomic_cmpswap.operands64
    s_store_dword.offset_ignored s_store_dword.offset_unsigned s_buffer_store_dword.range_one
    s_scratch_load_dword.roffset_ignored s_atomic_add.glc_ignored ds_append.offset_ignored
    ds_write_addtid_b32.offset_ignored"
. "$(dirname "$0")/start.sh"
if ! "$GCNCHECK" mutants --mcpu "$MCPU" --format tsv >"$list"; then
    echo "Bail out! $GCNCHECK mutants failed"
    exit 1
fi
mkdir -p "$OUT" || exit 1

# What the ledger has as open, streams have none of, or the list of survivors says is the same as the model, is looked for in a
# few thousand streams only.
open='
BEGIN {
    while ((getline line < known) > 0)
        if (line ~ /^[^# ]+ same /) {
            equal[++equals] = pattern_of(substr(line, 1, index(line, " ") - 1))
            reason[equals] = substr(line, index(line, " same ") + 6)
        }
}
function open(id,   i) {
    if (id ~ /buffer_store_format.*\.(norm|scaled|float)_/ || id ~ /buffer_store_format_d16.*\.(f32|nfmt_descriptor)$/)
        return "how formats round is open"
    if (id ~ /^image_.*\.srgb/) return "how precisely sRGB becomes linear is open (MIMG-U12)"
    if (id == "image_sample_lz.cut_ignored") return "coordinates keep clear of edges, where rounding is open (MIMG-U13)"
    if (id ~ /^ds_gws_sema_release_all\.(one_goes_on|no_one|unit_left)/ || id ~ /^ds_gws_sema_(v|br)\.all_go_on/ || id == "ds_gws_sema_br.one_goes_on")
        return "whether a wave waits already, and which of several goes on, is left to the machine"
    if (id ~ /^s_getreg_b32\.bases$/ || id ~ /^s_(getreg|setreg|setreg_imm32)_b32\.hwreg_(3|5|7|1[0-9])$/ || id ~ /^s_setprio\./)
        return "of hardware registers streams read MODE, STATUS.SCC and LDS_SIZE"
    if (id ~ /^v_rcp_(f32|iflag_f32)\.neighbour$/) return "the opcodes differ in the exception that they raise, and streams read none"
    if (id == "v_rcp_iflag_f32.float_flag") return "streams read no exception"
    if (id ~ /^v_(nop|clrexcp)\.refused_e64$/) return "streams have what has no operands in its short form alone"
    if (id ~ /^s_movrel[sd]_b(32|64)\.(outside|index_7_bits)$/) return "streams keep M0 within the scalar registers"
    for (i = 1; i <= equals; i++)
        if (id ~ equal[i] || mcpu ":" id ~ equal[i]) return reason[i]
    if (id ~ /^s_setreg_.*\.hwreg_size_4_bits$/) return "streams write fields of MODE of at most ten bits"
    if (id == "tbuffer_store_format_d16_x.neighbour")
        return "integers of up to 16 bits are stored alike by both opcodes, how formats round is open (BUF-U10)"
    if (id ~ /^s_cbranch_cdbg(user|sys_or_user|sys_and_user)\.neighbour$/)
        return "both branch by debug bits that only a host sets"
    if (id ~ /^v_(addc_co_u32|subb_co_u32|subbrev_co_u32|cndmask_b32)\.(refused_literal|literal_)/)
        return "a literal beside the carry in VCC is one scalar source too many"
    if (id ~ /^v_cmpx?_(tru|t|f)_[fiu][136]/)
        return "the result does not depend on the operands, and streams read no exception"
    if (id ~ /^(buffer_wbinvl1|s_dcache_(inv|wb)(_vol)?)\.neighbour$/) return "neither opcode does anything in the model"
    if (id == "ds_gws_sema_v.neighbour") return "the model stops at a release for which nobody waits"
    if (id == "image_load_mip.mod128_vaddr") return "the model stops at a level that the image does not have"
    return ""
}
# Orders between waves have no instruction that is wrong alone, and what a barrier leaves shows in the next. A literal that is the dword behind its own may be what
# is wrong with a single instruction or with it and the next.
function is_interaction(id) { return id == "s_barrier.neighbour" || id ~ /^ds_gws_barrier\.(count_kept|early)$/ || id ~ /\.literal_next$/ }'

# Columns of a line: number, id, encoding, opcode, kind, witness, most streams; then exit code, seconds, what was said.
awk -F '\t' -v sample="$sample" -v only=" $* " -v resources=" $(echo $RESOURCES) " -v mcpu="$MCPU" -v known="$KNOWN" "$pattern$open$in_sample"'
    NR > 1 && (only == "  " \
    ? $4 == "state" || index(resources, " " $1 " ") || $4 == "value" && in_sample($1, sample) : index(only, " " $1 " ")) {
        print ++n, $1, $2, $3, $4, $5, open($1) == "" ? 1000000 : 4096 }' "$list" |
xargs -P "${JOBS:-$(nproc)}" -L 1 sh -c '
    number=$1 id=$2 enc=$3 op=$4 kind=$5 witness=$6 most=$7
    only=
    [ "$enc" = - ] || only="--only $enc"
    [ "$op" = - ] || only="--only $op"
    out="$OUT/$id"
    start=$(date +%s)
    rm -rf "$out"
    code=0 said=
    # Few streams first: most mutants show in the first ones, and a campaign looks at all it was asked for.
    for count in 64 512 4096 32768 1000000; do
        left=$((TIME - $(date +%s) + start))
        [ $left -gt 0 ] && [ $count -le $most ] || break
        said=$(GCNCHECK_MUTANT=$id "$GCNCHECK" fuzz --mcpu "$MCPU" --seed "$SEED" --count $count --time ${left}s --jobs 1 --quiet \
            $only --dut "plugin:$MUTANT_DUT" --out "$out" 2>&1)
        code=$?
        # One of state has other minimal programs beside the shortest, which more streams show.
        [ $code = 0 ] || [ $kind != state ] || echo "$said" | grep -q "^finding .*: $witness instruction" || continue
        [ $code = 0 ] || break
    done
    echo "$number $id $op $kind $witness $code $(($(date +%s) - start)) /$(echo "$said" | tr "\n" "|")"
' sh >"$done_file"

sort -n "$done_file" | awk -v gcncheck="$GCNCHECK" -v mcpu="$MCPU" -v seed="$SEED" -v dut="$MUTANT_DUT" -v known="$KNOWN" "$pattern$open"'
    # Findings: "finding FOLDER: N instructions"; the shortest counts. FOLDER begins with the mnemonic accused.
    {
        why = ""
        shortest = longest = others = 0
        found = split(substr($0, index($0, "/") + 1), said, "|")
        for (i = 1; i <= found; i++) {
            if (said[i] !~ /^finding /) continue
            length_now = said[i]
            sub(/^.*: /, "", length_now)
            length_now += 0
            if (!shortest || length_now < shortest) shortest = length_now
            if (length_now > longest) longest = length_now
            if ($3 != "-" && !index(said[i], "/" $3 "-") && !(is_interaction($2) && index(said[i], "/interaction-"))) others++
        }
        if ($6 == 0 && open($2) != "") {
            print "ok " NR " - " $2 " # SKIP " open($2)
            next
        }
        if ($6 == 0 && match($0, /below the gate # TODO [A-Z0-9-]+/)) {
            print "ok " NR " - " $2 " # SKIP found, but the ledger has it as open: " substr($0, RSTART + 22, RLENGTH - 22)
            next
        }
        if ($6 == 2 && index($0, "random programs do not turn around")) {
            print "ok " NR " - " $2 " # SKIP the generator leaves the opcode out"
            next
        }
        if ($6 == 2 && index($0, "the DUT does not implement")) {
            print "ok " NR " - " $2 " # seen when the DUT is asked what it implements, and named"
            next
        }
        if ($6 != 1) why = $6 ? "exit code " $6 : "not found in " $7 " s"
        else if (!shortest) why = "found, but nothing was written"
        else if ($4 == "state" && shortest != $5) why = "shrunk to " shortest " instructions, stated are " $5
        else if ($4 != "state" && longest != 1 && !is_interaction($2)) why = "not put down to one instruction but to " longest
        else if (others) why = "another opcode is accused"
        if (why != "") {
            print "# " why "; again: GCNCHECK_MUTANT=" $2 " " gcncheck " fuzz --mcpu " mcpu " --seed " seed \
                ($3 == "-" ? "" : " --only " $3) " --dut plugin:" dut
            failed++
        }
        if ($7 > slowest) { slowest = $7; slow = $2 }
        print (why == "" ? "ok " : "not ok ") NR " - " $2
    }
    END {
        print "1.." NR
        if (slow != "") print "# slowest: " slow ", " slowest " s"
        printf "%d passed, %d failed\n", NR - failed, failed
        exit failed > 0 || NR == 0
    }'
code=$?
[ $code = 0 ] && rm -rf "$OUT"
exit $code
