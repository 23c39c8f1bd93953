/* Slips at the bits of an instruction: another opcode, a form that is refused, a literal, a field,
 * a distance. */
#include "harness/mutant/slip.h"

static bool has_operand(const struct isa_row *row, enum isa_kind kind)
{
    return isa_operand_of_kind(row, kind);
}

static void illegal(struct wave *w, const char *what)
{
    struct text t;
    text_init(&t, w->why, sizeof w->why);
    text_add(&t, "%s", what);
    w->stop = STOP_ILLEGAL;
}

/* ---- the opcode ---- */

static bool same_operands(const struct isa_row *a, const struct isa_row *b)
{
    u32 i = 0;
    for (; a->operand[i].kind != K_NONE || b->operand[i].kind != K_NONE; i++)
        if (memcmp(&a->operand[i], &b->operand[i], sizeof a->operand[i]) != 0)
            return false;
    return true;
}

/* Whether they are the same but for the name: rows that do nothing in the model, two clocks. */
static bool same_rows(const struct isa_row *a, const struct isa_row *b)
{
    return same_operands(a, b) && a->flags == b->flags && strcmp(a->semantics, b->semantics) == 0;
}

/* The row whose number differs in one bit: the lowest for which there is one with the same
 * operands, else the lowest for which there is one; OP_NONE if there is none that does anything
 * else. */
static isa_op neighbour_of(const struct isa_row *row)
{
    isa_op best = OP_NONE;
    u32 distance = ~0u;
    for (isa_op op = 1; op < isa_op_count; op++) {
        const struct isa_row *other = &isa_rows[op];
        if (other->enc != row->enc || other->number[GEN_GFX9] < 0 || row->number[GEN_GFX9] < 0)
            continue;
        u32 bits = (u32)(other->number[GEN_GFX9] ^ row->number[GEN_GFX9]);
        u32 far = same_operands(row, other) ? bits : bits << 16;
        if (popcount32(bits) != 1 || other->needs & ~row->needs || !other->semantics ||
            same_rows(row, other))
            continue;
        if (far < distance) {
            distance = far;
            best = op;
        }
    }
    return best;
}

static bool fits_neighbour(const struct isa_row *row, u32 arg, struct text *id)
{
    (void)arg, (void)id;
    return neighbour_of(row) != OP_NONE;
}

static void neighbour(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    struct insn in, mine, other;
    struct err why = { .text = "" };
    u32 dw[INSN_DW_MAX] = { 0 };
    isa_op op = neighbour_of(insn_row(&x->insn));
    enum isa_form form = (enum isa_form)x->insn.form;
    (void)arg;
    if (!(isa_forms(GEN_GFX9, &isa_rows[op]) >> form & 1)) {
        illegal(w, "the opcode's neighbour has no such form");
        return;
    }
    insn_start(m->isa, x->insn.op, form, &mine);
    insn_start(m->isa, op, form, &other);
    in = x->insn;
    in.word ^= mine.word ^ other.word;
    in.op = (u16)op;
    insn_encode(&in, dw);
    if (!insn_decode(m->isa, dw, INSN_DW_MAX, &in, &why) || !m->engine->sem[in.op] ||
        insn_printable(m->isa, &in, &why) != ST_OK) {
        illegal(w, why.text);
        return;
    }
    w->pc = w->stop_pc + in.dw * 4u;
    x->insn = in;
    slip_prepare(m, x);
    exec_insn(w, x);
}

/* ---- forms ---- */

static bool fits_form(const struct isa_row *row, u32 arg, struct text *id)
{
    text_add(id, "_%s", isa_form_names[arg]);
    return arg != FORM_BASE && isa_forms(GEN_GFX9, row) >> arg & 1 &&
           isa_forms(GEN_GFX9, row) != 1u << arg;
}

static void refused(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    if (x->insn.form == arg)
        illegal(w, "the form is not known");
    else
        exec_insn(w, x);
}

static bool fits_literal(const struct isa_row *row, u32 arg, struct text *id)
{
    bool is_read = false;
    (void)arg, (void)id;
    for (const struct isa_operand *d = row->operand; d->kind != K_NONE; d++)
        is_read |= d->dir & DIR_R && slip_counts(row, d);
    return isa_forms(GEN_GFX9, row) & F_LIT && is_read;
}

static void with_literal(struct machine *m, struct wave *w, struct xinsn *x, u32 value)
{
    if (x->insn.form == FORM_LIT) {
        x->insn.lit = value;
        slip_prepare(m, x);
    }
    exec_insn(w, x);
}

static void literal_zero(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)arg;
    with_literal(m, w, x, 0);
}

/* Variants: the dword before it, the one behind it. */
static bool fits_dword(const struct isa_row *row, u32 arg, struct text *id)
{
    text_add(id, "_%s", arg ? "next" : "first");
    return fits_literal(row, arg, id);
}

static void literal_dword(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    u64 next = (w->pc - m->base) / 4;
    u32 behind = next < m->code_dw ? m->code[next] : 0;
    with_literal(m, w, x, arg ? behind : (u32)x->insn.word);
}

/* ---- a field of value 0 counts as not there ---- */

static const struct {
    u8 field, form; /* FORM_COUNT: any */
    u8 instead;
} off_fields[] = {
    { FLD_dst_sel, FORM_SDWA, SEL_DWORD },  { FLD_src0_sel, FORM_SDWA, SEL_DWORD },
    { FLD_src1_sel, FORM_SDWA, SEL_DWORD }, { FLD_dpp_ctrl, FORM_DPP, 0xe4 },
    { FLD_row_mask, FORM_DPP, 15 },         { FLD_bank_mask, FORM_DPP, 15 },
    { FLD_op_sel_hi, FORM_BASE, 3 },
};

static bool fits_off_field(const struct isa_row *row, u32 arg, struct text *id)
{
    enum isa_field field = (enum isa_field)off_fields[arg].field;
    enum isa_form form = (enum isa_form)off_fields[arg].form;
    text_add(id, "_%s", isa_field_names[field]);
    return isa_forms(GEN_GFX9, row) >> form & 1 && isa_field_pos(GEN_GFX9, row, form, field).width;
}

static void off_field(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    enum isa_field field = (enum isa_field)off_fields[arg].field;
    if (x->insn.form == off_fields[arg].form && insn_has(&x->insn, field) &&
        !insn_get(&x->insn, field)) {
        insn_set(&x->insn, field, off_fields[arg].instead);
        slip_prepare(m, x);
    }
    exec_insn(w, x);
}

/* ---- distances ---- */

static const u8 reaches[] = { 8, 11, 14 };

static bool fits_reach(const struct isa_row *row, u32 arg, struct text *id)
{
    text_add(id, "_%u", reaches[arg]);
    return has_operand(row, K_LABEL);
}

static void reach(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    u64 *distance = &x->opnd[SLOT_TARGET].konst;
    (void)m;
    *distance = (u64)sext64(*distance & mask64(reaches[arg]), reaches[arg]);
    exec_insn(w, x);
}

/* ---- hardware registers ---- */

enum { HW_NEXT, HW_OFFSET_NONE, HW_OFFSET_4_BITS, HW_SIZE_LESS, HW_SIZE_MORE, HW_SIZE_4_BITS, HWS };

static bool fits_hwreg(const struct isa_row *row, u32 arg, struct text *id)
{
    static const char *const names[HWS] = { "_next",      "_offset_none", "_offset_4_bits",
                                            "_size_less", "_size_more",   "_size_4_bits" };
    text_add(id, "%s", names[arg]);
    return has_operand(row, K_HWREG);
}

static void hwreg(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    u64 *simm = &x->opnd[SLOT_HW].konst;
    u32 id = *simm & 63, offset = *simm >> 6 & 31, size = *simm >> 11 & 31;
    (void)m;
    switch (arg) {
    case HW_NEXT: id ^= 1; break;
    case HW_OFFSET_NONE: offset = 0; break;
    case HW_OFFSET_4_BITS: offset &= 15; break;
    case HW_SIZE_LESS: size -= size > 0; break;
    case HW_SIZE_MORE: size += size < 31; break;
    default: size &= 15; break;
    }
    *simm = id | offset << 6 | size << 11;
    exec_insn(w, x);
}

/* One register is taken for another: MODE, or where it is MODE itself STATUS. */
static bool fits_alias(const struct isa_row *row, u32 arg, struct text *id)
{
    static const u32 known = 1 << HWREG_MODE | 1 << HWREG_STATUS | 1 << HWREG_TRAPSTS |
                             1 << HWREG_GPR_ALLOC | 1 << HWREG_LDS_ALLOC | 1 << HWREG_IB_STS |
                             1 << HWREG_SH_MEM_BASES | 1 << HWREG_TBA_LO | 1 << HWREG_TBA_HI |
                             1 << HWREG_TMA_LO | 1 << HWREG_TMA_HI;
    static const u32 writable = 1 << HWREG_MODE | 1 << HWREG_TRAPSTS;
    text_add(id, "_%u", arg);
    return has_operand(row, K_HWREG) && (row->operand[0].dir & DIR_W ? known : writable) >> arg & 1;
}

static void alias(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    u64 *simm = &x->opnd[SLOT_HW].konst;
    (void)m;
    if ((*simm & 63) == arg)
        *simm = (*simm & ~63ull) | (arg == HWREG_MODE ? HWREG_STATUS : HWREG_MODE);
    exec_insn(w, x);
}

/* ---- clamp ---- */

static bool fits_clamp(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, 0);
    (void)arg, (void)id;
    return isa_is_vector_alu(row) && isa_unit(row) != UNIT_MATRIX && d && d->dir & DIR_W &&
           isa_types[d->type].class == CLASS_FLOAT && !(row->flags & FLAG_NO_CLAMP);
}

static void clamp(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m, (void)arg;
    x->clamp = 1;
    x->opnd[SLOT_D].direct = false;
    exec_insn(w, x);
}

static const struct slip slips[] = {
    { "neighbour", "opcode number", "executes the row whose number differs in one bit",
      MUTANT_VALUE, SLIP_ROW, 1, 1, fits_neighbour, neighbour },
    { "refused", "form refused", "a legal form is refused", MUTANT_VALUE, SLIP_ROW, FORM_COUNT, 1,
      fits_form, refused },
    { "literal_zero", "literal", "the literal is 0", MUTANT_VALUE, SLIP_ROW, 1, 1, fits_literal,
      literal_zero },
    { "literal", "literal", "the literal is another dword", MUTANT_VALUE, SLIP_ROW, 2, 8,
      fits_dword, literal_dword },
    { "off", "0 is off", "a field of value 0 counts as not there", MUTANT_MODIFIER, SLIP_ENC,
      COUNT_OF(off_fields), 1, fits_off_field, off_field },
    { "reach", "branch reach", "the distance has so many bits", MUTANT_ADDRESS, SLIP_ROW,
      COUNT_OF(reaches), 1, fits_reach, reach },
    { "hwreg", "hardware register", "the field of the hardware register is misread", MUTANT_VALUE,
      SLIP_ROW, HWS, 1, fits_hwreg, hwreg },
    { "hwreg", "hardware register", "this hardware register is taken for another", MUTANT_VALUE,
      SLIP_ROW, 32, 1, fits_alias, alias },
    { "clamp_unasked", "clamp unasked", "clamps a float without the bit", MUTANT_MODIFIER, SLIP_ROW,
      1, 1, fits_clamp, clamp },
};
const struct slip_file slip_instructions = { slips, COUNT_OF(slips) };
