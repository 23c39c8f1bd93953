/* From the dwords at a wave's PC to a prepared instruction, once for each place in the program. */
#include "oracle/exec/exec.h"
#include "oracle/state/place.h"

#include <stdio.h>

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
static const char *unmodelled_part(const struct insn *in)
{
    if (insn_get(in, FLD_gds) && !may_be_gds(insn_row(in)))
        return "gds";
    if (insn_get(in, FLD_tfe) &&
        !((insn_row(in)->enc == ENC_MUBUF || isa_memory(insn_row(in)) == MEMORY_IMAGE) &&
          insn_row(in)->flags & FLAG_LOAD))
        return "tfe";
    if (insn_has(in, FLD_saddr) && insn_get(in, FLD_lds) && !(insn_row(in)->flags & FLAG_LDS_FORM))
        return "lds";
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++)
        if (insn_code(in, o) == CODE_LDS_DIRECT && !takes_lds_direct(in, o))
            return "src_lds_direct";
    return NULL;
}

/* Whether `dw` registers from operand code `code` on lie outside what a wave is allocated. Beyond
 * the scalar registers of a program stand VCC, FLAT_SCRATCH and others, which are always there. */
static bool is_outside(const struct machine *m, u32 code, u32 dw)
{
    if (code <= CODE_SGPR_LAST)
        return m->sgprs && code + dw > m->sgprs;
    if (code < CODE_VGPR)
        return false;
    u32 first = code < PLACE_A0 ? CODE_VGPR : PLACE_A0;
    return m->vgprs && code - first + dw > m->vgprs;
}

/* Stops at an instruction that names a register that the wave does not have. */
static bool has_registers(const struct machine *m, struct wave *w, const struct insn *in)
{
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(in, o), dw = insn_operand_dw(in, o);
        char name[PLACE_NAME_MAX], text[96];
        if (!isa_kind_is_register((enum isa_kind)o->kind) || !insn_operand_there(in, o) ||
            insn_operand_off(in, o) || !is_outside(m, code, dw))
            continue;
        snprintf(text, sizeof text, " uses %s, the kernel allocates %u",
                 place_name(code + dw - 1, name), code < CODE_VGPR ? m->sgprs : m->vgprs);
        stop_wave(w, STOP_ILLEGAL, insn_row(in)->name, text);
        return false;
    }
    return true;
}

const struct xinsn *machine_prepare(struct machine *m, struct wave *w)
{
    u64 at = (w->pc - m->base) / 4;
    if (w->pc < m->base || at >= m->code_dw || w->pc & 3)
        return stop_wave(w, STOP_PC, "PC left the program", "");
    struct insn in;
    struct err why = { .text = "" };
    if (!insn_decode(m->isa, &m->code[at], m->code_dw - (u32)at, &in, &why))
        return stop_wave(w, STOP_ILLEGAL, why.text, "");
    if (!m->engine->sem[in.op])
        return stop_wave(w, STOP_UNMODELLED, insn_row(&in)->name, ": not modelled");
    if (insn_printable(m->isa, &in, &why) != ST_OK)
        return stop_wave(w, STOP_ILLEGAL, why.text, "");
    if (!has_registers(m, w, &in))
        return NULL;
    const char *missing = unmodelled_part(&in);
    if (missing)
        return stop_wave(w, STOP_UNMODELLED, missing, " is not modelled");
    struct xinsn *x = &m->prepared[at];
    m->engine->operand->prepare(x, &in);
    x->sem = m->engine->sem[in.op];
    m->ready[at] = 1;
    return x;
}
