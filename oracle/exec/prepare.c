/* From the dwords at a wave's PC to a prepared instruction, once for each place in the program. */
#include "oracle/exec/exec.h"
#include "oracle/insn/plain.h"

static const struct xinsn *stop_wave(struct wave *w, enum stop stop, const char *why,
                                     const char *detail)
{
    struct text t;
    text_init(&t, w->why, sizeof w->why);
    text_add(&t, "%s%s", why, detail);
    w->stop = stop;
    w->stop_pc = w->pc;
    return NULL;
}

/* GDS has no lanes that read each other and no addresses by lane number, as far as is known. */
static bool may_be_gds(const struct isa_row *row)
{
    bool by_lane = row->flags & (FLAG_LOAD | FLAG_STORE);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        by_lane &= o->slot != SLOT_ADDR;
    return !by_lane && !(row->flags & FLAG_LANEWISE);
}

/* Where an operand may come from LDS directly; halves of a pair may not. */
static bool takes_lds_direct(const struct insn *in, const struct isa_operand *o)
{
    bool source = isa_kinds[o->kind].class == OPERAND_SOURCE || o->kind == K_VGPR;
    bool row = !(insn_row(in)->flags & FLAG_LANEWISE) && insn_row(in)->enc != ENC_VOP3P;
    return !source || (o->kind == K_SRC && row && isa_types[o->type].dwords == 1);
}

/* What a modelled row can still name that is not: NULL if nothing. */
static const char *unmodelled_part(const struct xinsn *x)
{
    const struct insn *in = &x->insn;
    if (insn_get(in, FLD_gds) && !may_be_gds(insn_row(in)))
        return "gds";
    if (insn_get(in, FLD_tfe) &&
        !((insn_row(in)->enc == ENC_MUBUF || isa_memory(insn_row(in)) == MEMORY_IMAGE) &&
          insn_row(in)->flags & FLAG_LOAD))
        return "tfe";
    if (insn_has(in, FLD_saddr) && insn_get(in, FLD_lds) && !(insn_row(in)->flags & FLAG_LDS_FORM))
        return "lds";
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++)
        if (x->opnd[o->slot].code == CODE_LDS_DIRECT && !takes_lds_direct(in, o))
            return "src_lds_direct";
    return NULL;
}

/* Stops at an instruction that names a register that the wave does not have. */
static bool has_registers(const struct machine *m, struct wave *w, const struct insn *in)
{
    char buf[80];
    u32 place;
    struct text t;
    if (!allocated_lacks(&m->allocated, in, &place))
        return true;
    text_init(&t, buf, sizeof buf);
    text_add(&t, " ");
    allocated_print(&m->allocated, (enum gen)in->gen, place, &t);
    stop_wave(w, STOP_ILLEGAL, insn_row(in)->name, buf);
    return false;
}

/* Of any modelled instruction. False if the wave stops. */
static bool prepare_any(struct machine *m, struct wave *w, const struct insn *in, struct xinsn *x)
{
    struct err why;
    if (insn_printable(m->isa, in, &why) != ST_OK) {
        stop_wave(w, STOP_ILLEGAL, why.text, "");
        return false;
    }
    if (!has_registers(m, w, in))
        return false;
    m->engine->operand->prepare(x, in);
    const char *missing = unmodelled_part(x); /* asked last: the operands' codes are known now */
    if (missing)
        stop_wave(w, STOP_UNMODELLED, missing, " is not modelled");
    return !missing;
}

const struct xinsn *machine_prepare(struct machine *m, struct wave *w)
{
    u64 at = (w->pc - m->base) / 4;
    if (w->pc < m->base || at >= m->code_dw || w->pc & 3 ||
        (m->bring && !m->bring(m->bring_ctx, (u32)at)))
        return stop_wave(w, STOP_PC, "PC left the program", "");
    struct insn in;
    struct err why; /* filled where it is read: to empty it takes longer than to decode */
    if (!insn_decode(m->isa, &m->code[at], m->code_dw - (u32)at, &in, &why))
        return stop_wave(w, STOP_ILLEGAL, why.text, "");
    if (!m->engine->sem[in.op])
        return stop_wave(w, STOP_UNMODELLED, insn_row(&in)->name, ": not modelled");
    struct xinsn *x = &m->prepared[at];
    bool limited = m->allocated.vgprs || m->allocated.sgprs;
    const struct plain_form *f = plain_find(m->plain, m->isa, &in);
    if (limited || !m->engine->operand->prepare_plain(x, &in, m->plain, f))
        if (!prepare_any(m, w, &in, x))
            return NULL;
    x->sem = m->engine->sem[in.op];
    m->ready[at] = 1;
    return x;
}
