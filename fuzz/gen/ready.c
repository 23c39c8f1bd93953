/* Memory instructions behind moves that make their operands ready: an address copied to where the
 * destination is, and a scalar offset in VCC or M0. */
#include "fuzz/gen/internal.h"

#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

/* Registers one behind another; `n` is 0 if there are none. */
struct span {
    enum isa_field field;
    u32 first, n;
};

static bool may_overlap(const struct isa_row *row)
{
    return row->operand[0].dir == DIR_W && row->flags & (FLAG_LOAD | FLAG_IMAGE_INFO) &&
           !(row->flags & FLAG_ATOMIC);
}

/* What the field names, of what the instruction reads or writes. */
static struct span span_of(const struct insn *in, enum isa_field field, u32 unit, u32 file, u32 dir)
{
    struct effects fx;
    struct span s = { field, 0, 0 };
    if (!insn_has(in, field))
        return s;
    s.first = insn_get(in, field) * unit;
    effects_of(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        if (fx.e[i].place == file + s.first && fx.e[i].dir == dir && fx.e[i].dw > s.n)
            s.n = fx.e[i].dw;
    return s;
}

static bool copy_vector(struct draw *d, u32 to, u32 from)
{
    struct insn in = gen_start(d, OP_v_mov_b32, FORM_BASE);
    insn_set(&in, FLD_vdst, to);
    insn_set(&in, FLD_src0, CODE_VGPR + from);
    return gen_emit(d, &in);
}

static bool copy_scalar(struct draw *d, isa_op op, u32 to, u32 from)
{
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, FLD_sdst, to);
    insn_set(&in, FLD_ssrc0, from);
    return gen_emit(d, &in);
}

/* Of as many registers of data as the longer of both has, either has all or a part. */
static bool overlap_vector(struct draw *d, struct insn *in)
{
    enum isa_field to = insn_has(in, FLD_vdata) ? FLD_vdata : FLD_vdst,
                   from = insn_has(in, FLD_vaddr) ? FLD_vaddr : FLD_addr;
    struct span dst = span_of(in, to, 1, PLACE_V0, DIR_W),
                src = span_of(in, from, 1, PLACE_V0, DIR_R);
    if (isa_memory(insn_row(in)) == MEMORY_IMAGE) /* the resource says how many; the level is one */
        src.n = gen_is_sampled(insn_row(in))            ? gen_sample_registers(d, in)
                : insn_row(in)->flags & FLAG_IMAGE_INFO ? 1
                                                        : COORDS;
    if (src.n > VINT_REGS)
        return true;
    if (!dst.n || !src.n || !gen_has(d, OP_v_mov_b32, FORM_BASE))
        return true;
    u32 n = dst.n > src.n ? dst.n : src.n;
    u32 at = n > VFLT_REGS ? d->r.vint + rng_below(&d->rng, VINT_REGS - n + 1)
                           : gen_draw_vgpr(d, T_U32, n);
    u32 up = rng_below(&d->rng, n - src.n + 1), dst_up = rng_below(&d->rng, n - dst.n + 1);
    for (u32 i = 0; i < src.n; i++)
        if (!copy_vector(d, at + up + i, src.first + i))
            return false;
    insn_set(in, from, at + up);
    insn_set(in, to, at + dst_up);
    return true;
}

/* A base is two or four registers, and stands at a multiple of that. */
static bool overlap_scalar(struct draw *d, struct insn *in)
{
    struct span dst = span_of(in, FLD_sdata, 1, 0, DIR_W),
                src = span_of(in, FLD_sbase, 2, 0, DIR_R);
    if (!dst.n || !src.n || !gen_has(d, OP_s_mov_b64, FORM_BASE))
        return true;
    u32 n = dst.n > src.n ? dst.n : src.n, at = gen_draw_sgpr(d, n);
    u32 step = dst.n > 4 ? 4 : dst.n, up = rng_below(&d->rng, (n - src.n) / src.n + 1) * src.n,
        dst_up = rng_below(&d->rng, (n - dst.n) / step + 1) * step;
    for (u32 i = 0; i < src.n; i += 2)
        if (!copy_scalar(d, OP_s_mov_b64, at + up + i, src.first + i))
            return false;
    insn_set(in, FLD_sbase, (at + up) / 2);
    insn_set(in, FLD_sdata, at + dst_up);
    return true;
}

static bool move_soffset(struct draw *d, struct insn *in)
{
    u32 how = rng_below(&d->rng, gen_may(d, GEN_M0) ? 3 : 2);
    u32 code = how == 2 ? (u32)CODE_M0 : CODE_VCC + how;
    if (!gen_has(d, OP_s_mov_b32, FORM_BASE))
        return true;
    if (!copy_scalar(d, OP_s_mov_b32, code, d->r.bsoffset))
        return false;
    d->s->features |= how == 2 ? GEN_M0 : 0u;
    insn_set(in, FLD_soffset, code);
    return true;
}

bool gen_emit_memory(struct draw *d, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    bool ok = true, buffer = isa_memory(row) == MEMORY_BUFFER && insn_has(in, FLD_soffset);
    bool overlaps = may_overlap(row) && rng_one_in(&d->rng, 12);
    bool special = buffer && rng_one_in(&d->rng, 3);
    d->padding++; /* what fills a hazard could write what was moved */
    if (special && row->operand[0].kind != K_NONE && insn_get(in, FLD_soffset) == d->r.bsoffset)
        ok = move_soffset(d, in);
    if (ok && overlaps)
        ok = isa_memory(row) == MEMORY_SCALAR ? overlap_scalar(d, in) : overlap_vector(d, in);
    ok = ok && gen_emit(d, in);
    d->padding--;
    return ok;
}
