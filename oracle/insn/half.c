#include "oracle/insn/half.h"

/* Of an image with d16: dmask has an odd number of components. */
static bool has_odd_halves(const struct insn *in)
{
    u32 dmask = insn_get(in, FLD_dmask), odd = 0;
    for (u32 bit = 0; bit < 4; bit++)
        odd ^= dmask >> bit & 1;
    return insn_get(in, FLD_d16) && in->packed_d16 && odd;
}

bool half_loads(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    const struct isa_operand *d = &row->operand[0];
    if (!(row->flags & FLAG_LOAD))
        return false;
    return d->dir == DIR_RW || (d->kind == K_IDATA && has_odd_halves(in));
}

u32 half_written(const struct isa *isa, const struct insn *in, u32 reg)
{
    u32 data = insn_operand_dw(in, &insn_row(in)->operand[0]) - insn_get(in, FLD_tfe);
    if (isa_clears_half(isa) || !half_loads(in) || reg + 1 != data)
        return ~0u;
    return insn_row(in)->flags & FLAG_UPPER_HALF ? 0xffff0000u : 0xffffu;
}
