#include "oracle/insn/same.h"

#include "oracle/insn/text.h"

u32 same_features(const struct isa *a, const struct isa *b, const struct isa_row *row)
{
    u32 differing = a->target->features ^ b->target->features;
    if (a->ecc != b->ecc)
        differing |= 1u << FEATUREBIT_SRAM_ECC;
    return differing & isa_touching(row);
}

/* Whether both generations take the same modifiers in the form. */
static bool has_same_mods(enum gen a, enum gen b, const struct isa_row *row, enum isa_form form)
{
    for (const struct mod *m = text_mods(row, form); m->style; m++)
        if (text_mod_applies(a, row, form, m) != text_mod_applies(b, row, form, m))
            return false;
    return true;
}

static bool has_same_fields(enum gen a, enum gen b, const struct isa_row *row, enum isa_form form)
{
    const struct isa_layout_info *la = &isa_layouts[a][isa_layout_of(row, form)],
                                 *lb = &isa_layouts[b][isa_layout_of(row, form)];
    if (la->match != lb->match || la->dwords != lb->dwords)
        return false;
    for (u32 f = FLD_none + 1; f < FLD_COUNT; f++) {
        struct isa_pos pa = isa_field_pos(a, row, form, (enum isa_field)f),
                       pb = isa_field_pos(b, row, form, (enum isa_field)f);
        if (pa.width != pb.width || (pa.width && pa.lsb != pb.lsb))
            return false;
    }
    return true;
}

bool same_op(const struct isa *a, const struct isa *b, isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    enum gen ga = (enum gen)a->target->gen, gb = (enum gen)b->target->gen;
    if (!isa_has(a, op) || !isa_has(b, op) || strcmp(isa_name(ga, op), isa_name(gb, op)) != 0 ||
        row->number[ga] != row->number[gb] || isa_forms(ga, row) != isa_forms(gb, row) ||
        same_features(a, b, row))
        return false;
    for (u32 form = 0; form < FORM_COUNT; form++)
        if (isa_forms(ga, row) >> form & 1 && (!has_same_mods(ga, gb, row, (enum isa_form)form) ||
                                               !has_same_fields(ga, gb, row, (enum isa_form)form)))
            return false;
    return true;
}

/* ---- instructions ---- */

/* The counts of s_waitcnt: a counter that cannot count as far has not so many under way. */
static u32 same_counts(enum gen from, enum gen to, u32 simm16)
{
    const struct counter *a = counter_table(from), *b = counter_table(to);
    u32 out = 0;
    for (u32 i = 0; i < COUNTERS; i++) {
        u32 n = counter_get(&a[i], simm16), most = counter_max(&b[i]);
        out = counter_set(&b[i], out, n < most && n != counter_max(&a[i]) ? n : most);
    }
    return out;
}

/* Parameters of interpolation stand where other rows have their first source. */
static bool has_field(const struct isa_row *row, enum isa_field field)
{
    bool of_parameter = field == FLD_attr || field == FLD_attrchan || field == FLD_high;
    return !of_parameter || isa_operand_of_kind(row, K_ATTR);
}

static enum status copy_fields(const struct insn *in, struct insn *out, struct err *e)
{
    for (u32 f = FLD_none + 1; f < FLD_COUNT; f++) {
        enum isa_field field = (enum isa_field)f;
        u32 value = insn_has(in, field) ? insn_get(in, field) : 0;
        if (field == FLD_op || field == FLD_lit || !has_field(insn_row(in), field))
            continue;
        if (insn_has(out, field))
            insn_set(out, field, value);
        if ((insn_has(out, field) ? insn_get(out, field) : 0) != value)
            return err_set(e, ST_INPUT, "%s: its field %s does not hold 0x%x", insn_name(out),
                           isa_field_names[field], value);
    }
    return ST_OK;
}

/* Operands as they are written: a number may be the code of another register. */
static enum status check_operands(const struct insn *in, const struct insn *out, struct err *e)
{
    char a[160], b[160];
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        if (o->kind == K_WAITCNT)
            continue;
        insn_print_operand(in, o, a, sizeof a);
        insn_print_operand(out, o, b, sizeof b);
        if (strcmp(a, b) != 0)
            return err_set(e, ST_INPUT, "%s: %s would be %s", insn_name(out), a, b);
    }
    return ST_OK;
}

enum status same_insn(const struct isa *to, const struct insn *in, struct insn *out, struct err *e)
{
    const struct isa_row *row = insn_row(in);
    struct err unheard;
    if (!e)
        e = &unheard;
    if (!isa_has(to, in->op) || !(isa_forms((enum gen)to->target->gen, row) >> in->form & 1))
        return err_set(e, ST_INPUT, "%s has no %s in this form", to->target->mcpu, row->name);
    insn_start(to, in->op, (enum isa_form)in->form, out);
    out->lit = in->lit;
    enum status st = ST_OK;
    if (row->operand[0].kind == K_WAITCNT)
        insn_set(out, FLD_simm16,
                 same_counts((enum gen)in->gen, (enum gen)out->gen, insn_get(in, FLD_simm16)));
    else
        st = copy_fields(in, out, e);
    if (st == ST_OK)
        st = insn_legal(to, out, e);
    return st == ST_OK ? check_operands(in, out, e) : st;
}
