#include "oracle/insn/plain.h"

static enum plain_class class_of(u32 code)
{
    if (code == CODE_VGPR)
        return PLAIN_VECTOR;
    if (code <= CODE_SGPR_LAST || code - CODE_VCC < 2 || code - CODE_EXEC < 2)
        return PLAIN_SCALAR;
    if (code == CODE_M0)
        return PLAIN_SINGLE;
    if (code - CODE_INT_0 <= CODE_INT_MINUS_16 - CODE_INT_0)
        return PLAIN_CONSTANT;
    if (code - CODE_FLOAT_0_5 < CODE_FLOAT_LAST - CODE_FLOAT_0_5) /* not all have the last */
        return PLAIN_CONSTANT;
    return code == CODE_LIT ? PLAIN_LITERAL : PLAIN_OTHER;
}

/* Of an operand of a kind that is plain. */
static u32 takes(const struct insn *in, enum isa_kind kind, u32 dw)
{
    u32 scalar = (dw <= 2 ? PLAIN_SCALAR : 0) | (dw == 1 ? PLAIN_SINGLE : 0);
    u32 source = scalar | PLAIN_CONSTANT | (in->form == FORM_LIT ? PLAIN_LITERAL : 0);
    switch (kind) {
    case K_VGPR: return PLAIN_VECTOR;
    case K_SRC: return source | PLAIN_VECTOR;
    case K_SSRC: return source;
    case K_LANESEL: return scalar | PLAIN_CONSTANT;
    case K_SGPR:
    case K_MASK: return scalar;
    default: return PLAIN_NUMBER;
    }
}

/* Kinds of which no other field has a say. */
static bool is_plain_kind(enum isa_kind kind)
{
    const u64 plain = 1ull << K_VGPR | 1ull << K_SRC | 1ull << K_SSRC | 1ull << K_SGPR |
                      1ull << K_LANESEL | 1ull << K_MASK | 1ull << K_LIT | 1ull << K_SIMM |
                      1ull << K_UIMM | 1ull << K_UDEC | 1ull << K_OPTDEC | 1ull << K_LABEL |
                      1ull << K_HWREG | 1ull << K_WAITCNT | 1ull << K_SENDMSG | 1ull << K_GPRIDX;
    return plain >> kind & 1;
}
_Static_assert(K_COUNT <= 64, "a bit for each kind");

/* Memory has fields of its own, SDWA, DPP and packed operands have modifiers always. */
static bool is_plain_row(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    bool ok = isa_memory(row) == MEMORY_NONE && row->enc != ENC_VOP3P && in->form <= FORM_E64;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        ok &= is_plain_kind((enum isa_kind)o->kind);
    return ok;
}

static struct plain_operand plain_operand_of(const struct insn *in, const struct isa_operand *o)
{
    const u32 dw = isa_types[o->type].dwords;
    struct plain_operand p = { .slot = o->slot, .kind = o->kind, .type = o->type, .dir = o->dir };
    struct isa_pos pos = insn_pos(in, (enum isa_field)o->field);
    bool has_field = o->field != FLD_lit && pos.width;
    if (has_field) {
        p.lsb = pos.lsb;
        p.width = pos.width;
    }
    if (o->kind == K_LIT)
        p.first = CODE_LIT;
    else if (o->kind == K_MASK && !has_field)
        p.first = CODE_VCC;
    else if ((o->kind == K_VGPR || o->kind == K_SRC) && pos.width != 9)
        p.first = CODE_VGPR;
    p.takes = (u8)takes(in, (enum isa_kind)o->kind, dw);
    p.last = p.takes & PLAIN_NUMBER ? 0xffff : (u16)(CODE_ACC - dw);
    p.odd = (u8)(dw - 1);
    return p;
}

/* Bits of VOP3 that are legal one by one: they do not ask for one another. */
static u64 modifiers_of(const struct isa *isa, const struct insn *in)
{
    static const u8 fields[] = { FLD_abs, FLD_neg, FLD_op_sel, FLD_clamp, FLD_omod };
    struct insn usual;
    u64 bits = 0;
    insn_neutral(isa, in->op, (enum isa_form)in->form, &usual);
    for (u32 i = 0; i < COUNT_OF(fields) && in->form == FORM_E64; i++) {
        struct isa_pos pos = insn_pos(in, (enum isa_field)fields[i]);
        for (u32 bit = pos.lsb; bit < (u32)pos.lsb + pos.width; bit++) {
            struct insn one = usual;
            one.word ^= 1ull << bit;
            bits |= (u64)(insn_printable(isa, &one, NULL) == ST_OK) << bit;
        }
    }
    return bits;
}

static struct plain_form plain_form_of(const struct isa *isa, const struct insn *in)
{
    struct plain_form f;
    struct insn start;
    memset(&f, 0, sizeof f); /* as it is compared as a whole */
    if (!is_plain_row(in))
        return f;
    insn_start(isa, in->op, (enum isa_form)in->form, &start);
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        struct plain_operand *p = &f.operand[f.count++];
        *p = plain_operand_of(in, o);
        f.operands |= mask64(p->width) << p->lsb;
    }
    if (insn_has(in, FLD_op))
        f.operands |= mask64(insn_pos(in, FLD_op).width) << insn_pos(in, FLD_op).lsb;
    f.rest = start.word & ~f.operands;
    f.modifiers = modifiers_of(isa, in) & ~(f.operands | f.rest);
    return f;
}

const struct plain_form *plain_add(struct plain_table *t, const struct isa *isa,
                                   const struct insn *in)
{
    if (!t->count) {
        t->count = PLAIN_NONE + 1;
        for (u32 code = 0; code <= CODE_VGPR; code++)
            t->classes[code] = (u8)class_of(code);
    }
    const struct plain_form f = plain_form_of(isa, in);
    u32 at = PLAIN_NONE;
    if (f.count)
        for (at++; at < t->count && memcmp(&t->form[at], &f, sizeof f) != 0; at++)
            ;
    if (at == PLAIN_MAX)
        at = PLAIN_NONE;
    if (at == t->count)
        t->form[t->count++] = f;
    t->of[in->op][in->form] = (u16)at;
    return &t->form[at];
}
