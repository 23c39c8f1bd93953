#include "fuzz/gen/cover.h"

const char *const cover_kind_names[COVER_KINDS] = {
    [COVER_VGPR] = "vgpr",
    [COVER_SGPR] = "sgpr",
    [COVER_VCC] = "vcc",
    [COVER_M0] = "m0",
    [COVER_EXEC] = "exec",
    [COVER_SPECIAL] = "special",
    [COVER_INLINE_INT] = "inline-int",
    [COVER_INLINE_FLOAT] = "inline-float",
    [COVER_LITERAL] = "literal",
    [COVER_IMMEDIATE] = "immediate",
    [COVER_OFF] = "off",
};

const char *const cover_modifier_names[COVER_MODIFIERS] = {
    [COVER_NEG] = "neg",         [COVER_ABS] = "abs",           [COVER_SEXT] = "sext",
    [COVER_CLAMP] = "clamp",     [COVER_OMOD] = "omod",         [COVER_DST_SEL] = "dst_sel",
    [COVER_SRC_SEL] = "src_sel", [COVER_ROW_MASK] = "row_mask", [COVER_BOUND_CTRL] = "bound_ctrl",
};

static enum cover_kind kind_of(const struct insn *in, const struct isa_operand *o)
{
    u32 code = insn_code(in, o);
    enum operand_class class = isa_kinds[o->kind].class;
    if (class == OPERAND_IMMEDIATE)
        return COVER_IMMEDIATE;
    if (class == OPERAND_OFFSET)
        return insn_get(in, FLD_imm) && !insn_get(in, FLD_soe) ? COVER_IMMEDIATE : COVER_SGPR;
    if (o->kind == K_SADDR)
        return code == CODE_OFF ? COVER_OFF : COVER_SGPR;
    if (code >= CODE_VGPR)
        return COVER_VGPR;
    if (code == CODE_LIT)
        return COVER_LITERAL;
    if (code >= CODE_FLOAT_0_5)
        return code <= CODE_FLOAT_LAST ? COVER_INLINE_FLOAT : COVER_SPECIAL;
    if (code >= CODE_INT_0)
        return code <= CODE_INT_MINUS_16 ? COVER_INLINE_INT : COVER_SPECIAL;
    if (code == CODE_M0)
        return COVER_M0;
    return code / 2 == CODE_VCC / 2    ? COVER_VCC
           : code / 2 == CODE_EXEC / 2 ? COVER_EXEC
                                       : COVER_SGPR;
}

static bool any(const struct insn *in, enum isa_field a, enum isa_field b, enum isa_field c)
{
    return insn_get(in, a) || insn_get(in, b) || insn_get(in, c);
}

static void count_modifiers(u64 *m, const struct insn *in)
{
    m[COVER_NEG] += any(in, FLD_neg, FLD_src0_neg, FLD_src1_neg);
    m[COVER_ABS] += any(in, FLD_abs, FLD_src0_abs, FLD_src1_abs);
    m[COVER_SEXT] += any(in, FLD_src0_sext, FLD_src1_sext, FLD_none);
    m[COVER_CLAMP] += insn_get(in, FLD_clamp);
    m[COVER_OMOD] += insn_get(in, FLD_omod) != 0;
    if (in->form == FORM_SDWA) {
        m[COVER_DST_SEL] += insn_has(in, FLD_dst_sel) && insn_get(in, FLD_dst_sel) != SEL_DWORD;
        m[COVER_SRC_SEL] +=
            insn_get(in, FLD_src0_sel) != SEL_DWORD || insn_get(in, FLD_src1_sel) % SEL_DWORD;
    } else if (in->form == FORM_DPP) {
        m[COVER_ROW_MASK] += insn_get(in, FLD_row_mask) != 15 || insn_get(in, FLD_bank_mask) != 15;
        m[COVER_BOUND_CTRL] += insn_get(in, FLD_bound_ctrl);
    }
}

void cover_insn(struct cover *c, const struct insn *in)
{
    const struct isa_operand *o = insn_row(in)->operand;
    c->insns++;
    c->form[in->op][in->form]++;
    for (u32 i = 0; o[i].kind != K_NONE; i++)
        c->kind[in->op][i][kind_of(in, &o[i])]++;
    count_modifiers(c->modifier[in->op], in);
}

void cover_stream(struct cover *c, const struct isa *isa, const struct stream *s)
{
    struct insn in;
    c->streams++;
    for (u32 at = 0; at < s->code_dw; at += in.dw)
        if (insn_decode(isa, s->code + at, s->code_dw - at, &in, NULL))
            cover_insn(c, &in);
}

static void add(u64 *to, const u64 *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

void cover_merge(struct cover *to, const struct cover *from)
{
    to->streams += from->streams;
    to->insns += from->insns;
    for (u32 op = 0; op < isa_op_count; op++) {
        add(to->form[op], from->form[op], FORM_COUNT);
        add(to->modifier[op], from->modifier[op], COVER_MODIFIERS);
        for (u32 i = 0; i < OPERANDS_MAX; i++)
            add(to->kind[op][i], from->kind[op][i], COVER_KINDS);
    }
}
