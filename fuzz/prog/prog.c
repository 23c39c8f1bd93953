#include "fuzz/prog/prog.h"
#include "oracle/isa/op.h"

static bool is_relative(const struct insn *in)
{
    return isa_flow_target(insn_row(in)) == TARGET_DISTANCE;
}

static bool is_computed(const struct prog_insn *pi)
{
    return pi->target != PROG_NO_TARGET && pi->origin != PROG_NO_TARGET;
}

static void place_all(const struct prog *p, const bool *small, u16 *start)
{
    u32 dw = 0;
    for (u32 i = 0; i < p->count; i++) {
        start[i] = (u16)dw;
        dw += is_computed(&p->insn[i]) ? (small[i] ? 1u : 2u) : p->insn[i].in.dw;
    }
    start[p->count] = (u16)dw;
}

static u32 addend(const struct prog *p, const u16 *start, u32 i)
{
    return (u32)(start[p->insn[i].target] - start[p->insn[i].origin + 1]) * 4;
}

/* Addends up to 64 are inline constants, so that the program is what an assembler would make of its
 * text. Each that becomes one brings others nearer, never further away. */
static void lay_out(const struct prog *p, u16 *start)
{
    bool small[PROG_MAX] = { false }, changed;
    do {
        changed = false;
        place_all(p, small, start);
        for (u32 i = 0; i < p->count; i++) {
            if (is_computed(&p->insn[i]) && !small[i] && addend(p, start, i) <= 64)
                small[i] = changed = true;
        }
    } while (changed);
}

static bool resolve(const struct prog *p, const u16 *start, u32 i, struct insn *in)
{
    *in = p->insn[i].in;
    if (is_computed(&p->insn[i])) {
        bool small = start[i + 1] - start[i] == 1;
        in->form = small ? FORM_BASE : FORM_LIT;
        in->dw = small ? 1 : 2;
        in->lit = small ? 0 : addend(p, start, i);
        insn_set(in, FLD_ssrc1, small ? CODE_INT_0 + addend(p, start, i) : (u32)CODE_LIT);
    } else if (p->insn[i].target != PROG_NO_TARGET) {
        i32 distance = start[p->insn[i].target] - start[i + 1];
        insn_set(in, FLD_simm16, (u32)distance & 0xffff);
        return distance == (i16)distance;
    }
    return true;
}

u32 prog_encode(const struct prog *p, u32 *code, u32 max, u16 *start)
{
    u16 own[PROG_MAX + 1];
    start = start ? start : own;
    lay_out(p, start);
    if (start[p->count] > max)
        return 0;
    for (u32 i = 0; i < p->count; i++) {
        struct insn in;
        if (!resolve(p, start, i, &in))
            return 0;
        insn_encode(&in, &code[start[i]]);
    }
    return start[p->count];
}

/* The instruction that begins at a dword offset, or -1. */
static i32 index_of(const u16 *start, u32 count, i64 at)
{
    for (u32 i = 0; i < count; i++)
        if (start[i] == at)
            return (i32)i;
    return -1;
}

/* s_add_u32 behind s_getpc, on the low half of its pair, with a constant: how far it points, in
 * bytes. */
static bool is_addend(const struct prog *p, u32 i, i32 *bytes)
{
    const struct insn *in = &p->insn[i].in;
    const struct insn *pc = i ? &p->insn[i - 1].in : NULL;
    if (!pc || pc->op != OP_s_getpc_b64 || in->op != OP_s_add_u32)
        return false;
    u32 r = insn_get(pc, FLD_sdst), src = insn_get(in, FLD_ssrc1);
    *bytes = in->form == FORM_LIT ? (i32)in->lit : (i32)src - CODE_INT_0;
    bool constant =
        in->form == FORM_LIT ? src == CODE_LIT : src >= CODE_INT_0 && src <= CODE_INT_64;
    return constant && insn_get(in, FLD_sdst) == r && insn_get(in, FLD_ssrc0) == r;
}

static enum status link_targets(struct prog *p, const u16 *start, struct err *e)
{
    for (u32 i = 0; i < p->count; i++) {
        struct prog_insn *pi = &p->insn[i];
        pi->target = pi->origin = PROG_NO_TARGET;
        i32 bytes;
        if (is_relative(&pi->in)) {
            i64 to = start[i + 1] + (i64)sext64(insn_get(&pi->in, FLD_simm16), 16);
            pi->target = (i16)index_of(start, p->count, to);
            if (pi->target < 0)
                return err_set(e, ST_INPUT, "offset 0x%x: branches to where no instruction begins",
                               start[i] * 4u);
        } else if (is_addend(p, i, &bytes) && bytes % 4 == 0) {
            i64 to = start[i] + bytes / 4;
            pi->target = (i16)index_of(start, p->count, to);
            pi->origin = (i16)(pi->target < 0 ? PROG_NO_TARGET : (i16)(i - 1));
        }
    }
    return ST_OK;
}

enum status prog_decode(struct prog *p, const struct isa *isa, const u32 *code, u32 dw,
                        struct err *e)
{
    u16 start[PROG_MAX + 1];
    struct err why = { .text = "" };
    p->count = 0;
    u32 at = 0;
    while (at < dw) {
        if (p->count == PROG_MAX)
            return err_set(e, ST_INPUT, "more than %d instructions", PROG_MAX);
        struct insn *in = &p->insn[p->count].in;
        if (!insn_decode(isa, code + at, dw - at, in, &why))
            return err_set(e, ST_INPUT, "offset 0x%x: %s", at * 4, why.text);
        start[p->count++] = (u16)at;
        at += in->dw;
    }
    start[p->count] = (u16)at;
    return link_targets(p, start, e);
}

static void shift(i16 *ref, u32 at, u32 count)
{
    if (*ref == PROG_NO_TARGET || *ref < (i32)at)
        return;
    *ref = *ref < (i32)(at + count) ? (i16)at : (i16)(*ref - (i32)count);
}

void prog_remove(struct prog *p, u32 at, u32 count)
{
    for (u32 i = 0; i < p->count; i++) {
        struct prog_insn *pi = &p->insn[i];
        if (pi->origin >= (i32)at && pi->origin < (i32)(at + count))
            pi->origin = pi->target = PROG_NO_TARGET;
        shift(&pi->target, at, count);
        shift(&pi->origin, at, count);
    }
    memmove(&p->insn[at], &p->insn[at + count], (p->count - at - count) * sizeof p->insn[0]);
    p->count -= count;
}
