/* Where an instruction sends control, as far as it says so itself. */
#include "oracle/insn/insn.h"

u64 insn_flow_target(const struct insn *in, u64 pc)
{
    return pc + in->dw * 4u + sext64(insn_get(in, FLD_simm16), 16) * 4;
}

u32 insn_flow_register(const struct insn *in)
{
    /* The last source of 64 bits: forks have the mask before it. */
    u32 code = 0;
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++)
        if (o->dir == DIR_R && isa_types[o->type].dwords == 2)
            code = insn_code(in, o);
    return code;
}
