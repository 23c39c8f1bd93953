/* Which registers hold data and are drawn as operands. */
#include "fuzz/gen/internal.h"

u32 gen_draw_vgpr(struct draw *d, enum isa_type type, u32 dw)
{
    bool is_float = isa_types[type].class == CLASS_FLOAT;
    bool other = rng_one_in(&d->rng, 16);
    if (type == T_F64 && !other)
        return d->r.vdbl + rng_below(&d->rng, VDBL_REGS / 2) * 2;
    if (is_float != other)
        return d->r.vflt + rng_below(&d->rng, VFLT_REGS - dw + 1);
    return d->r.vint + rng_below(&d->rng, VINT_REGS - dw + 1);
}

/* Tuples of two begin at even numbers, larger ones at multiples of four. */
u32 gen_draw_sgpr(struct draw *d, u32 dw)
{
    u32 align = dw >= 4 ? 4 : dw;
    return d->r.sdata + rng_below(&d->rng, (SDATA_REGS - dw) / align + 1) * align;
}
