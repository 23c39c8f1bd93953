#!/bin/sh
# What a row says of its opcode is asked of the row: nothing else tells opcodes apart by their spelling, by ladders of
# encodings or by lists of mnemonics. Counts such uses in every .c and .h file but those of tests. TAP 13.
cd "$(dirname "$0")/../.." || exit 2
. harness/t/lib/tap.sh
plan 3

sources() { find oracle fuzz reports harness -name '*.[ch]' ! -path 'harness/t/*' ! -path 'harness/fz/*'; }

none "no test on the spelling of a mnemonic" "$(sources | xargs grep -nE '(strstr|strn?cmp|strcasestr)\((insn_row\([^)]*\)|row|isa_rows\[[^]]*\])(->|\.)name, "')"

# emit.c: the fillers of hazards, three encodings on purpose: other ones would be other streams.
none "no ladder of encodings" "$(sources | xargs grep -nE 'case ENC_[A-Z]|enc [!=]= ENC_[A-Z0-9]+ *(\|\||&&).*enc [!=]= ENC_' |
    grep -v '^fuzz/gen/emit.c:[0-9]*:    bool plain = ')"

# Files that may name opcodes, with the most uses there are, and why. A use more fails; fewer: lower the number.
reviewed() {
    cat <<'LIST'
fuzz/gen/choose.c 4 which opcodes the generator cannot do without
fuzz/gen/around.c 22 builds what exports and others need around them
fuzz/gen/sync.c 41 builds what waves do with global wave sync
fuzz/gen/emit.c 17 builds waits, s_nop, the renewal of VCC, and what folds results
fuzz/gen/flow.c 65 builds blocks, loops, calls
fuzz/gen/gen.c 13 builds the end of streams, and helpers
fuzz/gen/index.c 19 builds what an index needs around it
fuzz/gen/ready.c 23 builds the moves that make operands ready, and loads of what is compared
fuzz/gen/sample.c 1 asks for what turns lanes on
fuzz/gen/operand.c 9 operands that only v_div_scale and the like constrain
fuzz/prog/prog.c 2 knows a computed jump again: s_getpc, s_add
fuzz/shrink/insn.c 1 s_nop: its immediate is wait states
fuzz/shrink/program.c 5 builds s_nop, lowers s_waitcnt
harness/campaign/campaign.c 3 builds padding
harness/finding/finding.c 1 knows its own mark again
harness/finding/file.c 1 drops the s_endpgm it put there
harness/campaign/probe.c 5 the simplest opcodes to try a DUT with
harness/drm/check.c 1 the end of a wave that the wrapper stands in for
harness/case/form.c 2 builds s_endpgm, and knows those that fill again
harness/cmd/fuzz/print.c 2 what every stream needs
harness/lint/order.c 2 a value that is moved stays the same one
harness/launch/hazard.c 2 builds the move that a relative one means
oracle/accept/acceptance.c 4 results of s_bfe and s_getreg that the sources leave open
oracle/insn/asm.c 2 other names of two opcodes
oracle/rule/check.c 6 knows the counted loop of the generator again
oracle/rule/rule.c 9 s_nop as wait states, s_icache_inv, constants of computed jumps
oracle/sem/operand.c 1 v_interp_p1lv_f16: a source that is half a parameter
LIST
}
none "opcodes are named where instructions are built" "$(sources | grep -v 'oracle/isa/' | xargs grep -oE '\bOP_[a-z]\w*' | cut -d: -f1 | sort | uniq -c |
    while read -r count file; do
        most=$(reviewed | sed -n "s|^$file \([0-9]*\) .*|\1|p")
        [ "$count" -le "${most:-0}" ] || echo "$file names $count opcodes, ${most:-0} are reviewed: ask the row, or say in scripts/check/classify.sh why not"
    done)"
finish
