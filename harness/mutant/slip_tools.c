/* What slips have in common: registers that show other values, or get other ones. */
#include "harness/mutant/slip.h"

const struct isa_operand *slip_operand(const struct isa_row *row, u32 index)
{
    for (u32 i = 0; i < OPERANDS_MAX && row->operand[i].kind != K_NONE; i++)
        if (i == index)
            return &row->operand[i];
    return NULL;
}

bool slip_counts(const struct isa_row *row, const struct isa_operand *d)
{
    static const char *const unread[SLOT_COUNT] = {
        [SLOT_S0] = "(void)S0;", [SLOT_S1] = "(void)S1;"
    };
    return !unread[d->slot] || !strstr(row->semantics, unread[d->slot]);
}

u32 slip_registers_of(const struct xop *o)
{
    bool is_off = (o->kind == K_SADDR || o->kind == K_SSADDR) && o->code == CODE_OFF;
    bool is_register = o->code < SGPRS || o->code >= CODE_VGPR;
    bool is_number = o->is_const || isa_kinds[o->kind].class >= OPERAND_IMMEDIATE;
    return is_off || is_number || !is_register ? 0 : o->dw;
}

u32 slip_place(const struct xop *o, u32 i)
{
    bool is_vgpr = o->code >= CODE_VGPR && o->code < CODE_ACC;
    return is_vgpr ? CODE_VGPR + (o->code - CODE_VGPR + i) % VGPRS : o->code + i;
}

static u32 *register_at(struct wave *w, u32 place)
{
    return place < CODE_VGPR ? &w->sgpr[place] : w->vgpr[(place - CODE_VGPR) % VGPR_ROWS];
}

void slip_open(struct wave *w, struct slip_shown *s, u32 place)
{
    s->at = register_at(w, place);
    s->count = place < CODE_VGPR ? 1 : LANES;
    wlog_reg(w, place, s->at, s->count);
    memcpy(s->old, s->at, s->count * 4);
    memcpy(s->put, s->at, s->count * 4);
}

void slip_show(struct slip_shown *s)
{
    memcpy(s->at, s->put, s->count * 4);
}

void slip_close(struct slip_shown *s)
{
    for (u32 i = 0; i < s->count; i++)
        if (s->at[i] == s->put[i])
            s->at[i] = s->old[i];
}

void slip_set(struct wave *w, u32 place, u64 lanes, u32 value)
{
    u32 *at = register_at(w, place), count = place < CODE_VGPR ? 1 : LANES;
    wlog_reg(w, place, at, count);
    for (u32 i = 0; i < count; i++)
        if (count == 1 || lanes >> i & 1)
            at[i] = value;
}

void slip_prepare(struct machine *m, struct xinsn *x)
{
    struct insn in = x->insn;
    m->engine->operand->prepare(x, &in);
    x->sem = m->engine->sem[in.op];
}
