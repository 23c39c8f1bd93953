/* The step loop, and what MODE and traps add to an instruction. */
#include "oracle/exec/exec.h"

/* ---- instructions of waves in a special state ---- */

/* VALU proper: interpolation is not. */
static bool is_valu(const struct isa_row *row)
{
    return isa_unit(row) == UNIT_VALU;
}

/* M0 bits that say which operands are indexed. */
enum { INDEX_S0 = 12, INDEX_S1, INDEX_S2, INDEX_DST };

/* The bit that decides about an operand. A destination that is a source too (MAC) counts once, as a
 * destination; the register behind the constant of MADMK is the third source of the MAD. */
static u32 index_bit(const struct isa_row *row, const struct isa_operand *d)
{
    if (d->dir & DIR_W)
        return INDEX_DST;
    if (d->slot == SLOT_S1)
        return d > row->operand && d[-1].kind == K_LIT ? INDEX_S2 : INDEX_S1;
    return d->slot == SLOT_S0 ? INDEX_S0 : INDEX_S2;
}

bool exec_indexed(const struct wave *w, const struct insn *in, struct insn *out)
{
    const struct isa_row *row = insn_row(in);
    const u32 m0 = w->sgpr[CODE_M0], index = m0 & 255;
    if (!(w->special & SPECIAL_INDEX) || !is_valu(row))
        return false;
    *out = *in;
    for (const struct isa_operand *d = row->operand; d->kind != K_NONE; d++) {
        u32 code = insn_code(in, d);
        enum isa_field field = insn_operand_field(in, d);
        bool inside = code >= CODE_VGPR && code + index < CODE_VGPR + VGPRS;
        if (inside && m0 >> index_bit(row, d) & 1)
            insn_set(out, field, insn_get(in, field) + index);
    }
    return true;
}

/* Nothing is known of an indexed exchange, nor of accumulation registers and interpolation. */
static bool index_is_unknown(const struct insn *in, u32 m0)
{
    const struct isa_operand *o = insn_row(in)->operand;
    if (o[0].dir == DIR_RW && o[1].dir == DIR_RW)
        return m0 & (1u << INDEX_S0 | 1u << INDEX_DST);
    for (const struct isa_operand *d = insn_row(in)->operand; d->kind != K_NONE; d++)
        if (d->kind == K_ACC || d->kind == K_ACCSRC || d->kind == K_VASRC || d->kind == K_ATTR)
            return m0 >> INDEX_S0 & 15;
    return false;
}

/* Whether the wave has all registers that the index leads to; else it stops. */
static bool has_indexed(struct wave *w, const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    const u32 m0 = w->sgpr[CODE_M0], index = m0 & 255;
    for (const struct isa_operand *d = row->operand; d->kind != K_NONE; d++) {
        const struct xop *o = &in->opnd[d->slot];
        if (!o->is_const && o->code >= CODE_VGPR && m0 >> index_bit(row, d) & 1 &&
            !allocated_holds(w, row->name, true, o->code - CODE_VGPR + index, o->dw))
            return false;
    }
    return true;
}

/* With the index added to the number of each vector register that M0 names. A source out of range
 * becomes v0; a destination out of range makes the instruction do nothing. Vega ISA, chapters 3
 * (out-of-range behaviour) and 6 (VGPR indexing). ERRATA(IDX-C01 IDX-C04): the manual gives three
 * columns of its table of special cases the same bit of M0, and says elsewhere that out of range is
 * illegal. */
static void run_indexed(struct wave *w, const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    const u32 m0 = w->sgpr[CODE_M0], index = m0 & 255;
    struct xinsn x = *in;
    if (index_is_unknown(&in->insn, m0)) {
        wave_unmodelled(w, "%s with an indexed register is not modelled", row->name);
        return;
    }
    if (!has_indexed(w, in))
        return;
    for (const struct isa_operand *d = row->operand; d->kind != K_NONE; d++) {
        struct xop *o = &x.opnd[d->slot];
        if (o->is_const || o->code < CODE_VGPR || !(m0 >> index_bit(row, d) & 1))
            continue;
        bool outside = o->code + index + o->dw > CODE_VGPR + VGPRS;
        if (outside && d->dir & DIR_W)
            return;
        o->code = (u16)(outside ? CODE_VGPR : o->code + index);
    }
    in->sem(w, &x);
}

/* After an instruction that was not in the handler: an exception that is enabled, or MODE.DEBUG.
 * The PC that is saved is that of the next instruction. */
static void take_trap(struct wave *w, const struct xinsn *in)
{
    u32 enabled = w->mode >> MODE_EXCP_EN & TRAPSTS_EXCP, hit = w->raised & enabled;
    bool debug = w->mode >> MODE_DEBUG & 1;
    bool entered = w->status >> STATUS_PRIV & 1; /* by s_trap */
    if (w->stop != STOP_NONE || entered || !(hit || debug))
        return;
    /* A memory violation has no connection to the instruction before the PC that is saved. */
    wave_trap(w, w->pc, hit & ~(u32)TRAPSTS_MEM_VIOL ? in->insn.dw : 0, 0);
}

void exec_special(struct wave *w, const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    bool trap = w->special & SPECIAL_TRAP;
    w->raised = 0;
    if (w->special & SPECIAL_VSKIP && !isa_is_scalar(row))
        ; /* not issued */
    else if (w->special & SPECIAL_INDEX && is_valu(row))
        run_indexed(w, in);
    else if (w->special & SPECIAL_INDEX && isa_unit(row) == UNIT_INTERP)
        wave_unmodelled(w, "%s with an indexed register is not modelled", row->name);
    else
        in->sem(w, in);
    if (trap)
        take_trap(w, in);
}

/* ---- the step loop ---- */

static enum stop run(struct machine *m, struct wave *w, u64 limit)
{
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        exec_insn(w, in);
        w->steps++;
    }
    return w->stop;
}

const struct exec_ops exec_ops = { .run = run };
