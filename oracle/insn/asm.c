/* Assembling a line: mnemonic, operands, modifiers, then the shortest form of the row that can hold
 * them. */
#include "oracle/insn/asm.h"

#include "oracle/isa/op.h"

/* ---- special operands ---- */

/* hwreg(name or number[, offset, size]) or the raw 16 bits. */
static enum status read_hwreg(struct line *l, struct val *v, struct err *e)
{
    asm_skip(l);
    i64 id = -1, offset = 0, size = 32;
    const char *start = l->p;
    v->type = VAL_INT;
    if (!asm_accept_word(l, "hwreg"))
        return asm_accept_integer(l, &v->num)
                   ? ST_OK
                   : asm_fail_at(l, start, "hwreg(...) expected instead of", e);
    bool good = asm_accept_char(l, '(');
    for (i64 i = 0; i < HWREGS && good && id < 0; i++)
        if (text_hwreg((enum gen)l->gen, (u32)i) &&
            asm_accept_word(l, text_hwreg((enum gen)l->gen, (u32)i)))
            id = i;
    if (!good || (id < 0 && !asm_accept_integer(l, &id)))
        return asm_fail_at(l, l->p, "no such hardware register:", e);
    if (asm_accept_char(l, ','))
        good = asm_accept_integer(l, &offset) && asm_accept_char(l, ',') &&
               asm_accept_integer(l, &size);
    if (!good || !asm_accept_char(l, ')'))
        return asm_fail_at(l, l->p, "offset, size and ')' expected before", e);
    if (id < 0 || id > 63 || offset < 0 || offset > 31 || size < 1 || size > 32)
        return asm_fail_at(l, start, "id 0-63, offset 0-31 and size 1-32 are possible in", e);
    v->num = id | offset << 6 | (size - 1) << 11;
    return ST_OK;
}

static const struct counter *accept_counter(struct line *l, bool *saturate)
{
    const struct counter *counters = counter_table((enum gen)l->gen);
    asm_skip(l);
    size_t n = asm_word_length(l->p), base;
    for (u32 i = 0; i < COUNTERS; i++) {
        base = strlen(counters[i].name);
        if (strncmp(l->p, counters[i].name, base) != 0 || (n != base && n != base + 4))
            continue;
        *saturate = n != base;
        if (*saturate && strncmp(l->p + base, "_sat", 4) != 0)
            continue;
        l->p += n;
        return &counters[i];
    }
    return NULL;
}

/* vmcnt(n) expcnt(n) lgkmcnt(n), joined by spaces, commas or &; or the raw 16 bits. */
static enum status read_waitcnt(struct line *l, struct val *v, struct err *e)
{
    v->type = VAL_INT;
    asm_skip(l);
    if (asm_accept_integer(l, &v->num))
        return ST_OK;
    u32 bits = 0;
    const struct counter *counters = counter_table((enum gen)l->gen);
    for (u32 i = 0; i < COUNTERS; i++)
        bits = counter_set(&counters[i], bits, counter_max(&counters[i]));
    do {
        const char *start = l->p;
        bool saturate;
        const struct counter *c = accept_counter(l, &saturate);
        i64 n = 0;
        if (!c)
            return asm_fail_at(l, start, "no such counter:", e);
        if (!asm_accept_char(l, '(') || !asm_accept_integer(l, &n) || !asm_accept_char(l, ')'))
            return asm_fail_at(l, start, "a count in () belongs after", e);
        if (saturate && n > counter_max(c))
            n = counter_max(c);
        if (n < 0 || n > counter_max(c))
            return asm_fail_at(l, start, "too large for its counter:", e);
        bits = counter_set(c, bits, (u32)n);
        if (!asm_accept_char(l, '&'))
            asm_accept_char(l, ',');
        asm_skip(l);
    } while (*l->p);
    v->num = bits;
    return ST_OK;
}

static enum status read_operand(struct line *l, const struct isa_operand *o, struct val *v,
                                struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    *v = (struct val){ .at = (u16)(start - l->text) };
    enum status st = o->kind == K_HWREG     ? read_hwreg(l, v, e)
                     : o->kind == K_WAITCNT ? read_waitcnt(l, v, e)
                     : o->kind == K_SENDMSG ? asm_read_sendmsg(l, v, e)
                     : o->kind == K_GPRIDX  ? asm_read_gpr_idx(l, v, e)
                     : o->kind == K_ATTR    ? asm_read_attr(l, v, e)
                     : o->kind == K_PARAM   ? asm_read_param(l, v, e)
                     : o->kind == K_EXPTGT  ? asm_read_export_target(l, v, e)
                                            : asm_read_value(l, v, e);
    v->len = (u16)(l->p - start);
    return st;
}

/* LLVM lets a comma stand before the format of a typed buffer. */
static bool next_is_format(struct line *l)
{
    asm_skip(l);
    return l->row->enc == ENC_MTBUF && strncmp(l->p, "format", 6) == 0;
}

static enum status read_operands(struct line *l, struct err *e)
{
    u32 want = asm_operand_count(l->row), least = want - asm_first_is_optional(l->row);
    for (const struct isa_operand *o = l->row->operand; o->kind != K_NONE; o++) {
        asm_skip(l);
        if (o->kind == K_OPTDEC && *l->p == '\0') {
            l->val[l->count++] = (struct val){ .type = VAL_INT };
            break;
        }
        bool spaced = o > l->row->operand && o[-1].kind == K_EXPTGT;
        if (*l->p == '\0' || (l->count > 0 && !asm_accept_char(l, ',') && !spaced)) {
            if (l->count == least)
                break;
            if (*l->p)
                return asm_fail_at(l, l->p, "',' expected before", e);
            return err_set(e, ST_INPUT, "%s has %u operands, not %u", l->name, want, l->count);
        }
        enum status st = ST_OK;
        if (o->field == FLD_soffset && l->row->enc == ENC_MTBUF)
            st = asm_read_split_format(l, e);
        if (st == ST_OK)
            st = read_operand(l, o, &l->val[l->count], e);
        if (st != ST_OK)
            return st;
        l->count++;
    }
    if (asm_accept_char(l, ',') && !next_is_format(l))
        return asm_fail_at(l, l->p, "one operand too many:", e);
    return ST_OK;
}

/* ---- fitting to a form ---- */

/* What is being tried: the line, the instruction so far, and how far it got (for choosing the best
 * message). */
struct fit {
    struct line *l;
    struct insn *in;
    const struct asm_labels *labels;
    u32 progress;
    bool literal_used;
};

static enum status refuse(const struct fit *f, const struct val *v, const char *why, struct err *e)
{
    return err_set(e, ST_INPUT, "operand '%.*s' of %s (%s form): %s", v->len < 60 ? v->len : 60,
                   f->l->original + v->at, f->l->name,
                   isa_form_name((enum gen)f->l->gen, f->l->row, (enum isa_form)f->in->form), why);
}

/* The bits that a constant stands for in an operand of this type; false if they do not fit. */
static bool constant_bits(const struct val *v, enum isa_type type, u64 *bits)
{
    u32 dwords = isa_types[type].dwords;
    bool half = isa_type_is_short(type);
    if (v->type == VAL_FLOAT) {
        *bits = half || type == T_PF16 ? asm_f16_of_f64(v->f64)
                : dwords == 1          ? asm_f32_of_f64(v->f64)
                                       : v->f64;
        return true;
    }
    *bits = (u64)v->num;
    if (half && (v->num < INT16_MIN || v->num > UINT16_MAX))
        return false;
    if (dwords == 1 && (v->num < INT32_MIN || v->num > UINT32_MAX))
        return false;
    if (dwords == 1)
        *bits &= half ? 0xffffu : ~0u;
    return true;
}

/* The inline constant with these bits, or 0. */
static u32 inline_code(enum gen gen, const struct val *v, u64 bits, enum isa_type type)
{
    bool half = isa_type_is_short(type), wide = isa_types[type].dwords > 1;
    i64 s = half ? (i64)sext64(bits, 16) : wide ? (i64)bits : (i32)(u32)bits;
    if (half && !isa_type_has_f16(type) && v->type == VAL_INT)
        s = v->num; /* 0xfff0 is not -16 here */
    if ((v->type == VAL_INT || !half || isa_type_has_f16(type)) && text_is_inline_int(s))
        return insn_code_of_int((i32)s);
    if (half && !isa_type_has_f16(type) && v->type == VAL_INT)
        return 0;
    for (u32 i = 0; i < text_floats_count(gen); i++)
        if (bits == (wide ? text_floats[i].f64 : text_float_bits(&text_floats[i], type)))
            return text_floats[i].code;
    return 0;
}

/* Puts the literal into the instruction, which has one only: two operands may share it. */
static enum status take_literal(struct fit *f, const struct val *v, u32 bits, struct err *e)
{
    if (f->literal_used && f->in->lit != bits)
        return refuse(f, v, "an instruction has one literal only", e);
    f->in->lit = bits;
    f->literal_used = true;
    return ST_OK;
}

/* A constant as an operand code; the literal goes into the instruction. */
static enum status fit_constant(struct fit *f, const struct val *v, enum isa_type type, u32 *code,
                                struct err *e)
{
    u64 bits;
    u32 dwords = isa_types[type].dwords;
    if (!constant_bits(v, type, &bits))
        return refuse(f, v,
                      isa_type_is_short(type) ? "does not fit 16 bits" : "does not fit 32 bits", e);
    *code = inline_code((enum gen)f->l->gen, v, bits, type);
    if (*code)
        return ST_OK;
    if (isa_type_is_short(type) && !isa_type_has_f16(type) && v->type == VAL_FLOAT)
        return refuse(f, v, "an integer is needed", e);
    if (f->in->form != FORM_LIT)
        return refuse(f, v, "needs a literal, which this form does not have", e);
    if (type == T_F64 && v->type == VAL_FLOAT) /* a literal is the upper half */
        bits >>= 32;
    bool fits = (i64)bits >= INT32_MIN && (i64)bits <= UINT32_MAX;
    if (dwords > 1 && ((v->type == VAL_FLOAT && type != T_F64) || !fits))
        return refuse(f, v, "does not fit a 32-bit literal", e);
    *code = CODE_LIT;
    return take_literal(f, v, (u32)bits, e);
}

/* The dword that follows, written as an operand of its own. */
static enum status fit_lit_operand(struct fit *f, const struct isa_operand *o, const struct val *v,
                                   struct err *e)
{
    u64 bits;
    if ((v->type != VAL_INT && v->type != VAL_FLOAT) || v->mods)
        return refuse(f, v, "a constant is needed", e);
    if (!constant_bits(v, (enum isa_type)o->type, &bits))
        return refuse(f, v, "does not fit", e);
    return take_literal(f, v, (u32)bits, e);
}

static enum status fit_immediate(struct fit *f, const struct isa_operand *o, const struct val *v,
                                 struct err *e)
{
    i64 n = v->num;
    bool is_signed = o->kind == K_SIMM || o->kind == K_LABEL;
    if (v->type == VAL_LABEL && o->kind == K_LABEL) {
        const char *name = f->l->original + v->at;
        if (!f->labels)
            return refuse(f, v, "no labels here; give the distance in dwords", e);
        if (!asm_label_distance(f->labels, name, v->len, &n))
            return refuse(f, v, "no such label", e);
    } else if (v->type != VAL_INT || v->mods) {
        return refuse(f, v, "a number is needed", e);
    }
    u32 width = insn_pos(f->in, (enum isa_field)o->field).width;
    if (o->kind == K_ATTR) {
        insn_set(f->in, FLD_attrchan, (u32)n & 3);
        n >>= 2;
    }
    if (n > (i64)mask32(width) || n < (is_signed ? -0x8000 : 0))
        return refuse(f, v, width == 16 ? "does not fit 16 bits" : "does not fit its field", e);
    insn_set(f->in, (enum isa_field)o->field, (u32)n & 0xffff);
    return ST_OK;
}

static enum status fit_smem_offset(struct fit *f, const struct val *v, struct err *e)
{
    struct insn *in = f->in;
    if (v->type == VAL_REG && v->dwords <= 1 && v->code < 128 && !v->mods) {
        insn_set(in, FLD_offset, v->code);
        return ST_OK;
    }
    if (v->type != VAL_INT || v->mods)
        return refuse(f, v, "a scalar register or a number is needed", e);
    if (in->form == FORM_LIT) {
        in->lit = (u32)v->num;
        f->literal_used = true;
        return v->num < 0 || v->num > UINT32_MAX ? refuse(f, v, "does not fit 32 bits", e) : ST_OK;
    }
    u32 width = insn_pos(in, FLD_offset).width;
    bool is_signed = in->gen >= GEN_GFX9;
    if (v->num < (is_signed ? -0x100000 : 0) || v->num > (i64)mask32(width - is_signed))
        return refuse(f, v, is_signed ? "does not fit 21 bits" : "does not fit its field", e);
    insn_set(in, FLD_imm, 1);
    insn_set(in, FLD_offset, (u32)v->num);
    return ST_OK;
}

static bool is_image(const struct isa_operand *o)
{
    return o->kind == K_IDATA || o->kind == K_IRAW || o->kind == K_GATHER || o->kind == K_IATOMIC ||
           o->kind == K_IADDR;
}

static bool takes_vgpr(const struct isa_operand *o)
{
    return o->kind == K_SRC || o->kind == K_VGPR || o->kind == K_VADDR || o->kind == K_RTN ||
           o->kind == K_SVADDR || o->kind == K_LDATA || o->kind == K_BDATA || o->kind == K_BADDR ||
           o->kind == K_EXPSRC || is_image(o);
}

/* A register's code into the operand's field, or a reason why it has no place there. */
static enum status fit_code(struct fit *f, const struct isa_operand *o, const struct val *v,
                            u32 code, struct err *e)
{
    struct insn *in = f->in;
    enum isa_field field = (enum isa_field)o->field;
    u32 width = insn_pos(in, field).width;
    bool vgpr = code >= CODE_VGPR;
    if (o->kind == K_MASK && width == 0)
        return code == CODE_VCC ? ST_OK : refuse(f, v, "must be vcc in this form", e);
    bool sdwa_source = in->form == FORM_SDWA && o->kind == K_SRC && insn_has(in, FLD_s0);
    if (vgpr && width < 8)
        return refuse(f, v, "a scalar register is needed", e);
    if (!vgpr && width == 8 && takes_vgpr(o) && !sdwa_source)
        return refuse(f, v, "a vector register is needed", e);
    if (vgpr && width == 8 && !takes_vgpr(o))
        return refuse(f, v, "a scalar register is needed", e);
    if (o->kind == K_SBASE && code % 2)
        return refuse(f, v, "must begin at an even register", e);
    if (o->kind == K_RSRC && code % 4)
        return refuse(f, v, "must begin at a multiple of 4", e);
    if (o->kind == K_EXPSRC)
        insn_set(in, FLD_en, insn_get(in, FLD_en) | 1u << (field - FLD_vsrc0));
    return insn_set_code(in, o, code) ? ST_OK : refuse(f, v, "a scalar register is needed", e);
}

static enum status refuse_width(const struct fit *f, const struct val *v, u32 dwords, struct err *e)
{
    return err_set(e, ST_INPUT, "operand '%.*s' of %s: %u register%s needed",
                   v->len < 60 ? v->len : 60, f->l->original + v->at, f->l->name, dwords,
                   dwords == 1 ? " is" : "s are");
}

static bool takes_acc(const struct isa_operand *o)
{
    return o->kind == K_ACC || o->kind == K_ACCSRC || o->kind == K_VASRC;
}

/* A register of a matrix product; constants are refused. */
static enum status fit_acc(struct fit *f, const struct isa_operand *o, const struct val *v,
                           struct err *e)
{
    u32 code = v->type == VAL_REG ? v->code : 0, first = o->kind == K_VASRC ? CODE_VGPR : CODE_ACC;
    if (code < first || v->mods)
        return refuse(f, v,
                      first == CODE_ACC ? "an accumulation register is needed"
                                        : "a vector or an accumulation register is needed",
                      e);
    if (v->dwords != isa_types[o->type].dwords)
        return refuse_width(f, v, isa_types[o->type].dwords, e);
    return insn_set_code(f->in, o, code) ? ST_OK : refuse(f, v, "has no place here", e);
}

static enum status fit_source(struct fit *f, const struct isa_operand *o, const struct val *v,
                              struct err *e)
{
    u32 dwords = isa_types[o->type].dwords, code = v->code;
    enum status st = ST_OK;
    if (takes_acc(o))
        return fit_acc(f, o, v, e);
    if (v->type == VAL_REG && code >= CODE_ACC)
        return refuse(f, v, "an accumulation register has no place here", e);
    if ((o->kind == K_SADDR || o->kind == K_SSADDR) && v->type == VAL_OFF) {
        insn_set(f->in, FLD_saddr, CODE_OFF);
        return ST_OK;
    }
    bool may_be_off = o->kind == K_SVADDR || o->kind == K_BADDR || o->kind == K_EXPSRC;
    if (may_be_off && v->type == VAL_OFF)
        return ST_OK;
    if (v->type == VAL_INT || v->type == VAL_FLOAT)
        st = fit_constant(f, v, (enum isa_type)o->type, &code, e);
    else if (v->type != VAL_REG)
        return refuse(
            f, v, v->type == VAL_OFF ? "a register is needed" : "no such register or modifier", e);
    if (st != ST_OK)
        return st;
    st = fit_code(f, o, v, code, e);
    if (st != ST_OK)
        return st;
    /* A 64-bit vector address covers one register where a scalar base is used; that field is set
     * later. */
    bool width_free = v->type != VAL_REG || v->dwords == 0 ||
                      (o->kind == K_VADDR && v->dwords == 1) || o->kind == K_BDATA ||
                      o->kind == K_BADDR || is_image(o);
    if (!width_free && v->dwords != dwords)
        return refuse_width(f, v, dwords, e);
    if (v->mods & ~text_source_mods(f->in, o))
        return refuse(f, v, "does not take this source modifier", e);
    if (v->mods)
        text_source_set(f->in, o, v->mods);
    return ST_OK;
}

static enum status fit_operand(struct fit *f, const struct isa_operand *o, const struct val *v,
                               struct err *e)
{
    switch (isa_kinds[o->kind].class) {
    case OPERAND_IMMEDIATE: return fit_immediate(f, o, v, e);
    case OPERAND_LITERAL: return fit_lit_operand(f, o, v, e);
    case OPERAND_OFFSET: return fit_smem_offset(f, v, e);
    case OPERAND_NOTHING:
    case OPERAND_VECTOR:
    case OPERAND_ACC:
    case OPERAND_SOURCE:
    case OPERAND_SCALAR: break;
    }
    return fit_source(f, o, v, e);
}

/* An address of one register goes with a scalar base, one of two registers with `off`; off goes
 * with what is not used. */
static enum status fit_address(struct fit *f, struct err *e)
{
    for (u32 i = 0; i < f->l->count; i++) {
        const struct isa_operand *o = &f->l->row->operand[i + f->l->first];
        const struct val *v = &f->l->val[i];
        if (o->kind == K_SVADDR && (v->type == VAL_OFF) != insn_operand_off(f->in, o))
            return refuse(f, v, "one of the two addresses is needed, the other is off", e);
        if (o->kind == K_VADDR && v->dwords != insn_operand_dw(f->in, o))
            return refuse(f, v,
                          v->dwords == 1 ? "two registers are needed without a scalar base"
                                         : "one register is needed with a scalar base",
                          e);
    }
    return ST_OK;
}

/* Operands whose width, or whether they are used, the modifiers say. */
static enum status fit_widths(struct fit *f, struct err *e)
{
    for (u32 i = 0; i < f->l->count; i++) {
        const struct isa_operand *o = &f->l->row->operand[i + f->l->first];
        const struct val *v = &f->l->val[i];
        u32 dwords = insn_operand_dw(f->in, o);
        if (o->kind != K_BDATA && o->kind != K_BADDR && !is_image(o))
            continue;
        if (o->kind == K_IADDR && asm_image_address_fits(f->l->row, o, v->dwords))
            continue;
        if (o->kind == K_BADDR && (v->type == VAL_OFF) != insn_operand_off(f->in, o))
            return refuse(f, v, "an address goes with idxen or offen, off without them", e);
        if (v->type == VAL_REG && v->dwords != dwords)
            return refuse_width(f, v, dwords, e);
    }
    return ST_OK;
}

static bool value_fits(const struct mod *m, i64 value, u32 width)
{
    bool is_signed = m->style == STYLE_SNUM || m->style == STYLE_HEX;
    if (is_signed)
        return value >= -(1ll << (width - 1)) && value < 1ll << (width - 1);
    return value >= 0 && value <= (i64)mask32(width);
}

static enum status fit_mod(struct fit *f, const struct modval *mv, struct err *e)
{
    struct insn *in = f->in;
    const struct isa_row *row = f->l->row;
    const struct mod *m = text_mods(row, (enum isa_form)in->form);
    const char *at = f->l->text + mv->at;
    while (m->style != STYLE_NONE &&
           (m->field != mv->field ||
            !text_mod_applies((enum gen)in->gen, row, (enum isa_form)in->form, m)))
        m++;
    if (m->style == STYLE_NONE)
        return asm_fail_at(f->l, at, "not a modifier of this instruction:", e);
    if (m->style == STYLE_SELHI) {
        u32 others = isa_row_is_packed(row) ? ~mask32(text_sel_sources(row)) & 7 : 0;
        text_set_sel_hi(in, (u32)mv->value | others);
        return ST_OK;
    }
    u32 width = insn_pos(in, (enum isa_field)m->field).width;
    if (!value_fits(m, mv->value, width))
        return asm_fail_at(f->l, at, "value out of range:", e);
    if (m->needs == NEEDS_SOE) {
        if (insn_get(in, FLD_imm))
            return asm_fail_at(f->l, at, "only with a scalar register before it:", e);
        insn_set(in, FLD_soffset, insn_get(in, FLD_offset));
        insn_set(in, FLD_soe, 1);
        insn_set(in, FLD_imm, 1);
    }
    insn_set(in, (enum isa_field)m->field, (u32)mv->value & mask32(width));
    f->progress++;
    return ST_OK;
}

/* What SDWA, DPP, packed rows and typed buffers mean where nothing is written. */
static void set_defaults(struct insn *in)
{
    static const struct {
        u8 field, value;
    } defaults[] = { { FLD_dst_sel, SEL_COUNT - 1 },
                     { FLD_dst_unused, UNUSED_COUNT - 1 },
                     { FLD_src0_sel, SEL_COUNT - 1 },
                     { FLD_src1_sel, SEL_COUNT - 1 },
                     { FLD_row_mask, 15 },
                     { FLD_bank_mask, 15 } };
    if (insn_has(in, FLD_format))
        insn_set(in, FLD_format, DATA_FORMAT_DEFAULT);
    if (isa_row_is_packed(insn_row(in)) && insn_has(in, FLD_op_sel_hi))
        text_set_sel_hi(in, 7);
    if (in->form != FORM_SDWA && in->form != FORM_DPP)
        return;
    for (const struct mod *m = text_mods(insn_row(in), (enum isa_form)in->form); m->style; m++)
        for (size_t i = 0; i < COUNT_OF(defaults); i++)
            if (defaults[i].field == m->field &&
                text_mod_applies((enum gen)in->gen, insn_row(in), (enum isa_form)in->form, m))
                insn_set(in, (enum isa_field)m->field, defaults[i].value);
}

static enum status fit_form(const struct isa *isa, struct fit *f, enum isa_form form, struct err *e)
{
    struct line *l = f->l;
    enum status st = ST_OK;
    bool shuffled = form != FORM_DPP;
    insn_start(isa, (isa_op)(l->row - isa_rows), form, f->in);
    set_defaults(f->in);
    for (u32 i = 0; i < l->count && st == ST_OK; i++, f->progress++)
        st = fit_operand(f, &l->row->operand[i + l->first], &l->val[i], e);
    if (st == ST_OK)
        st = fit_address(f, e);
    for (u32 i = 0; i < l->modvals && st == ST_OK; i++) {
        st = fit_mod(f, &l->mod[i], e);
        shuffled |= l->mod[i].field == FLD_dpp_ctrl;
    }
    if (st == ST_OK)
        st = fit_widths(f, e);
    if (st != ST_OK)
        return st;
    asm_compress_export(f->in);
    if (!shuffled)
        return err_set(e, ST_INPUT, "%s in dpp form needs quad_perm, row_shl or the like", l->name);
    if (form == FORM_LIT && !f->literal_used)
        return err_set(e, ST_INPUT, "%s has no literal here", l->name);
    f->progress +=
        2; /* a complete instruction that is not legal says more than one that does not fit */
    return insn_check(isa, f->in, CHECK_ASM, e);
}

/* Tries the forms, shortest first. If all fail, the error is that of the form that got furthest. */
static enum status fit_line(const struct isa *isa, struct line *l, const struct asm_labels *labels,
                            struct insn *in, struct err *e)
{
    u32 best = 0;
    bool tried = false;
    for (u32 form = 0; form < FORM_COUNT; form++) {
        if (!(l->op_forms >> form & 1))
            continue;
        struct fit f = { .l = l, .in = in, .labels = labels };
        struct err why = { .file = "" };
        if (fit_form(isa, &f, (enum isa_form)form, &why) == ST_OK)
            return ST_OK;
        if (form == FORM_LIT && !f.literal_used && tried)
            continue;
        if (!tried || f.progress > best) {
            best = f.progress;
            err_set(e, ST_INPUT, "%s", why.text);
        }
        tried = true;
    }
    if (!tried)
        return err_set(e, ST_INPUT, "%s has no such form", l->name);
    return ST_INPUT;
}

/* ---- mnemonic ---- */

static const struct {
    const char *suffix;
    u8 forms;
} suffixes[] = {
    { "_e32", F_BASE | F_LIT }, { "_e64", F_E64 }, { "_sdwa", F_SDWA }, { "_dpp", F_DPP }
};

/* Other names of opcodes, those of the manual. */
static const struct {
    const char *name;
    u16 op;
} aliases[] = { { "v_accvgpr_read", OP_v_accvgpr_read_b32 },
                { "v_accvgpr_write", OP_v_accvgpr_write_b32 } };

static isa_op find_alias(const struct isa *isa, const char *name, size_t len)
{
    for (size_t i = 0; i < COUNT_OF(aliases); i++)
        if (strlen(aliases[i].name) == len && memcmp(aliases[i].name, name, len) == 0 &&
            isa_has(isa, aliases[i].op))
            return aliases[i].op;
    return OP_NONE;
}

static enum status read_mnemonic(const struct isa *isa, struct line *l, struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    size_t n = asm_word_length(start);
    u32 forms = (1u << FORM_COUNT) - 1;
    isa_op op = n ? isa_find(isa, start, n) : OP_NONE;
    if (op == OP_NONE)
        op = find_alias(isa, start, n);
    for (size_t i = 0; i < COUNT_OF(suffixes) && op == OP_NONE; i++) {
        size_t k = strlen(suffixes[i].suffix);
        if (n <= k || memcmp(start + n - k, suffixes[i].suffix, k) != 0)
            continue;
        op = isa_find(isa, start, n - k);
        forms = suffixes[i].forms;
    }
    if (op == OP_NONE)
        return asm_fail_at(l, start, "unknown mnemonic", e);
    l->row = &isa_rows[op];
    l->gen = isa->target->gen;
    l->name = isa_name((enum gen)l->gen, op);
    l->p += n;
    l->op_forms = (u8)(forms & isa_forms((enum gen)l->gen, l->row));
    if (l->op_forms == 0)
        return asm_fail_at(l, start, "no such form:", e);
    return ST_OK;
}

/* Lower-cases, turns control characters into spaces, cuts comments. */
static enum status prepare_line(struct line *l, const char *text, struct err *e)
{
    size_t n = 0;
    bool comment = false;
    for (; text[n] && text[n] != '\n' && text[n] != ';' && text[n] != '#'; n++) {
        char c = text[n];
        if (n == LINE_MAX_CHARS)
            return err_set(e, ST_INPUT, "a line of more than %d characters", LINE_MAX_CHARS);
        if (!comment && c == '/' && text[n + 1] == '/')
            break;
        comment |= c == '/' && text[n + 1] == '*';
        l->text[n] = comment || (u8)c < ' ' ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        if (comment && c == '/' && n > 0 && text[n - 1] == '*')
            comment = false;
    }
    l->text[n] = '\0';
    l->original = text;
    l->p = l->text;
    return ST_OK;
}

enum status asm_line(const struct isa *isa, const char *text, const struct asm_labels *labels,
                     struct insn *in, struct err *e)
{
    struct line l;
    l.count = l.modvals = l.first = 0;
    *in = (struct insn){ .dw = 1 };
    enum status st = prepare_line(&l, text, e);
    if (st == ST_OK)
        st = read_mnemonic(isa, &l, e);
    if (st == ST_OK)
        st = read_operands(&l, e);
    if (st == ST_OK)
        st = asm_read_mods(&l, e);
    if (st == ST_OK)
        st = asm_place_operands(&l, e);
    if (st == ST_OK)
        st = fit_line(isa, &l, labels, in, e);
    if (st != ST_OK)
        *in = (struct insn){ .dw = 1 };
    return st;
}

enum status insn_parse(const struct isa *isa, const char *line, struct insn *in, struct err *e)
{
    return asm_line(isa, line, NULL, in, e);
}
