/* Streams from recipes: what is drawn of one gene, and values that are set. */
#include "fuzz/gen/internal.h"

#include "oracle/state/effects.h"

void gen_note_gene(struct draw *d, bool is_focus)
{
    struct recipe *r = d->note;
    u32 at = r->gene_count++;
    if (at >= RECIPE_GENES_MAX)
        return;
    r->gene[at] =
        (struct gene){ .kind = is_focus ? GENE_FOCUS : GENE_DRAWN, .form = GENE_ANY_FORM };
    memcpy(r->gene[at].at, d->rng.s, sizeof r->gene[at].at);
}

/* ---- repair ---- */

static void repair_gene(const struct generator *g, struct gene *gene)
{
    struct rng rng;
    gene->kind %= GENE_KINDS;
    if (gene->kind != GENE_OP) {
        gene->op = OP_NONE;
        gene->form = GENE_ANY_FORM;
    } else if (gene->op >= isa_op_count || !g->forms[gene->op] ||
               isa_rows[gene->op].flags & FLAG_END) {
        gene->op = g->op[gene->op % g->op_count];
    }
    if (gene->form >= FORM_COUNT || !(g->forms[gene->op] >> gene->form & 1))
        gene->form = GENE_ANY_FORM;
    if (!(gene->at[0] | gene->at[1] | gene->at[2] | gene->at[3])) {
        rng_seed(&rng, 0);
        memcpy(gene->at, rng.s, sizeof gene->at);
    }
    if (gene->swap_count > RECIPE_SWAPS_MAX)
        gene->swap_count = RECIPE_SWAPS_MAX;
    for (u32 i = 0; i < gene->swap_count; i++)
        if (gene->swap[i].field >= FLD_COUNT)
            gene->swap[i].field = GENE_LITERAL;
}

void recipe_repair(const struct generator *g, struct recipe *r)
{
    bool is_focus = false;
    for (u32 i = 0; i < g->op_count && !is_focus; i++)
        is_focus = g->op[i] == r->focus;
    if (!is_focus)
        r->focus = g->op[r->focus % g->op_count];
    if (r->form >= FORM_COUNT || !(g->forms[r->focus] >> r->form & 1))
        r->form = GENE_ANY_FORM;
    if (r->value_count > RECIPE_VALUES_MAX)
        r->value_count = RECIPE_VALUES_MAX;
    if (r->gene_count > RECIPE_GENES_MAX)
        r->gene_count = RECIPE_GENES_MAX;
    for (u32 i = 0; i < r->value_count; i++)
        if (r->value[i].lane > GENE_ALL_LANES)
            r->value[i].lane = GENE_ALL_LANES;
    for (u32 i = 0; i < r->gene_count; i++)
        repair_gene(g, &r->gene[i]);
}

/* ---- drawing ---- */

enum { VECTORS = VINT_REGS + VFLT_REGS + VDBL_REGS, DATA_REGS = VECTORS + SDATA_REGS };

/* The place of a register of data: their numbers are in struct recipe_value. */
static u32 place_of(const struct reg_plan *r, u32 reg)
{
    reg %= DATA_REGS;
    if (reg >= VECTORS)
        return r->sdata + reg - VECTORS;
    if (reg >= VINT_REGS + VFLT_REGS)
        return (u32)PLACE_V0 + r->vdbl + reg - VINT_REGS - VFLT_REGS;
    return (u32)PLACE_V0 + (reg >= VINT_REGS ? r->vflt + reg - VINT_REGS : r->vint + reg);
}

void gen_set_values(struct draw *d)
{
    for (u32 i = 0; d->recipe && i < d->recipe->value_count; i++) {
        const struct recipe_value *v = &d->recipe->value[i];
        u32 place = place_of(&d->r, v->reg);
        u32 *at = stream_value(d->s, (u32)(v->wave % d->s->waves), place);
        if (at && place < PLACE_V0)
            *at = v->value;
        for (u32 lane = 0; at && place >= PLACE_V0 && lane < LANES; lane++)
            if (v->lane == lane || v->lane == GENE_ALL_LANES)
                at[lane] = v->value;
    }
}

/* Whether it only keeps a result. */
static bool is_fold(const struct draw *d, const struct effects *fx)
{
    for (u32 i = 0; i < fx->count; i++)
        if (fx->e[i].dir & DIR_W &&
            (fx->e[i].place == PLACE_V0 + d->r.vfold || fx->e[i].place == PLACE_V0 + d->r.vkept))
            return true;
    return false;
}

u32 gen_list_reads(const struct draw *d, struct recipe_value reads[RECIPE_READS_MAX])
{
    bool is_read[DATA_REGS] = { false };
    u32 n = 0;
    for (u32 i = 0; i < d->prog->count; i++) {
        struct effects fx;
        effects_of(&d->prog->insn[i].in, &fx);
        for (u32 k = 0; k < fx.count && !is_fold(d, &fx); k++)
            for (u32 reg = 0; fx.e[k].dir & DIR_R && reg < DATA_REGS; reg++)
                is_read[reg] |= place_of(&d->r, reg) - fx.e[k].place < fx.e[k].dw;
    }
    for (u32 reg = 0; reg < DATA_REGS; reg++) {
        const u32 *at = is_read[reg] ? stream_value(d->s, 0, place_of(&d->r, reg)) : NULL;
        if (at)
            reads[n++] =
                (struct recipe_value){ .reg = (u8)reg, .lane = GENE_ALL_LANES, .value = *at };
    }
    return n;
}
_Static_assert((u32)DATA_REGS <= (u32)RECIPE_READS_MAX, "every register of data may be read");

bool gen_gene_fits(const struct draw *d)
{
    u8 share[GEN_CLASSES];
    const struct isa_row *row = &isa_rows[d->gene->op];
    i32 class = gen_class_of(row);
    if (d->gene->op == d->s->focus || row->flags & (FLAG_BRANCH | FLAG_BARRIER))
        return true;
    gen_draw_shares(d, share);
    return class >= 0 && (share[class] || class == CL_INTERP);
}

/* Of other instructions fields belong together: an address and its base, a register and its value. */
static bool takes_swaps(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    bool plain = (isa_unit(row) == UNIT_SALU || isa_unit(row) == UNIT_VALU) &&
                 !isa_operand_of_kind(row, K_HWREG);
    return plain && !(row->flags & (FLAG_BRANCH | FLAG_WR_EXEC | FLAG_WR_MODE)) &&
           isa_m0(row) == M0_NOTHING && !gen_repeats_source((isa_op)in->op) &&
           isa_accept_kind(row) != ACCEPT_PROBE;
}

/* Whether one has its literal in this field, and the other another. */
static bool moves_literal(const struct insn *in, const struct insn *other, enum isa_field field)
{
    return in->form == FORM_LIT &&
           (insn_get(in, field) == CODE_LIT) != (insn_get(other, field) == CODE_LIT);
}

/* Whether some operand stands where the field does in other rows of the encoding. */
static bool cuts_operand(const struct insn *in, enum isa_field field)
{
    u32 first = insn_pos(in, field).lsb, end = first + insn_pos(in, field).width;
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        enum isa_field other = (enum isa_field)o->field;
        if (other == field || !insn_has(in, other))
            continue;
        u32 lsb = insn_pos(in, other).lsb;
        if (first < lsb + insn_pos(in, other).width && lsb < end)
            return true;
    }
    return false;
}

void gen_swap_fields(struct draw *d, struct insn *in)
{
    struct rng rng = d->rng;
    for (u32 i = 0; d->gene && i < d->gene->swap_count && takes_swaps(in); i++) {
        const struct gene_swap *swap = &d->gene->swap[i];
        enum isa_field field = (enum isa_field)swap->field;
        struct insn other, next = *in;
        rng_seed(&d->rng, swap->seed);
        if (!gen_draw_insn(d, (isa_op)in->op, (enum isa_form)in->form, &other))
            continue;
        if (swap->field == GENE_LITERAL)
            next.lit = in->form == FORM_LIT ? other.lit : in->lit;
        else if (insn_has(in, field) && !moves_literal(in, &other, field) &&
                 !cuts_operand(in, field))
            insn_set(&next, field, insn_get(&other, field));
        if (insn_legal(d->g->isa, &next, NULL) == ST_OK && !gen_overlaps(&next) &&
            gen_is_everywhere(d, &next))
            *in = next;
    }
    d->rng = rng;
}
