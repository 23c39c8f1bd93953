#include "fuzz/cover/tally.h"

void tally_code(struct tally *t, const struct isa *isa, const u32 *code, u32 dw)
{
    struct insn in;
    t->streams++;
    for (u32 at = 0; at < dw; at += in.dw)
        if (insn_decode(isa, code + at, dw - at, &in, NULL)) {
            t->insns++;
            t->form[in.op][in.form]++;
        }
}

void tally_merge(struct tally *to, const struct tally *from)
{
    to->streams += from->streams;
    to->insns += from->insns;
    for (u32 op = 0; op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            to->form[op][form] += from->form[op][form];
}
