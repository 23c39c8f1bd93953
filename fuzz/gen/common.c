/* Streams that are valid on several processors and do the same on all of them. They are drawn for the
 * latest of them, with the wait states of all; what is not there everywhere is not drawn, and what a
 * feature of some would show is kept out of the state; at the end the program is written for each of
 * them and held to its rules. */
#include "fuzz/gen/internal.h"

#include "oracle/insn/half.h"
#include "oracle/insn/same.h"

/* What does not show in these streams: M0 limits nothing where LDS is accessed, buffers have no
 * records or all are in range, MODE's bit is 0; offsets that one processor lacks are not legal on all. */
enum {
    SHOWS_NOT = 1 << FEATUREBIT_LDS_LIMIT | 1 << FEATUREBIT_BYTE_RECORDS |
                1 << FEATUREBIT_STRIDE_RECORDS | 1 << FEATUREBIT_LONG_STRIDE |
                1 << FEATUREBIT_ELEMENT_SIZE | 1 << FEATUREBIT_FP16_OVFL |
                1 << FEATUREBIT_NEGATIVE_SMEM,
    SHOWS_NOT_FLAT = 1 << FEATUREBIT_SIZED_SCRATCH, /* addresses are those of windows */
    HALVES = 1 << FEATUREBIT_SRAM_ECC | 1 << FEATUREBIT_D16_CLEARS /* of images not in all loads */
};

/* Some distance of a computed jump: one that no inline constant is. */
enum { DISTANCE = 0x1000 };

/* Of programs that are as long everywhere, addresses are the same, and registers that hold one. */
static u32 dwords_on(const struct isa *isa, const struct isa_row *row, enum isa_form form)
{
    return isa_layouts[isa->target->gen][isa_layout_of(row, form)].dwords;
}

bool gen_is_common(const struct gen_cfg *cfg, isa_op op, enum isa_form form)
{
    const struct isa_row *row = &isa_rows[op];
    u32 hidden = SHOWS_NOT;
    if (isa_memory(row) == MEMORY_FLAT)
        hidden |= SHOWS_NOT_FLAT;
    if (isa_memory(row) == MEMORY_IMAGE)
        hidden |= HALVES;
    for (u32 i = 0; i < cfg->common_count; i++) {
        const struct isa *one = cfg->common[i];
        if (!isa_has(one, op) || !(isa_forms((enum gen)one->target->gen, row) >> form & 1) ||
            dwords_on(one, row, form) != dwords_on(cfg->common[0], row, form) ||
            same_features(cfg->common[0], one, row) & ~hidden)
            return false;
    }
    return true;
}

void gen_open_common(struct generator *g)
{
    g->features_all = g->features_any = g->isa->target->features;
    for (u32 i = 0; i < g->cfg.common_count; i++) {
        const struct isa *one = g->cfg.common[i];
        g->features_all &= one->target->features;
        g->features_any |= one->target->features;
        if (i == 0 || one->target->gen > g->isa->target->gen ||
            (one->target->gen == g->isa->target->gen &&
             strcmp(one->target->mcpu, g->isa->target->mcpu) > 0))
            g->isa = one;
    }
}

void gen_start_rules(struct draw *d)
{
    rule_start(&d->st);
    for (u32 i = 0; i < d->g->cfg.common_count; i++)
        d->st.gens |= (u8)(1u << d->g->cfg.common[i]->target->gen);
}

bool gen_has_flat_offset(const struct draw *d)
{
    const struct gen_cfg *c = &d->g->cfg;
    bool has = isa_layout_pos(gen_generation(d), LAY_FLAT, FLD_offset).width;
    for (u32 i = 0; i < c->common_count; i++)
        has &= isa_layout_pos((enum gen)c->common[i]->target->gen, LAY_FLAT, FLD_offset).width != 0;
    return has;
}

bool gen_is_everywhere(const struct draw *d, const struct insn *in)
{
    const struct gen_cfg *c = &d->g->cfg;
    struct insn out;
    if ((d->g->features_any ^ d->g->features_all) & HALVES && half_loads(in))
        return false;
    for (u32 i = 0; i < c->common_count; i++)
        if (c->common[i] != d->g->isa && same_insn(c->common[i], in, &out, NULL) != ST_OK)
            return false;
    return true;
}

/* Writes the program for a processor and holds it to its rules. ST_INPUT: it cannot be had there. */
static enum status encode_for(const struct draw *d, const struct isa *isa, u32 *code, u32 *dw)
{
    struct prog prog = *d->prog;
    for (u32 i = 0; i < prog.count; i++) {
        struct insn in = d->prog->insn[i].in;
        if (in.form == FORM_LIT && prog.insn[i].target != PROG_NO_TARGET)
            in.lit = DISTANCE; /* prog_encode writes it */
        if (same_insn(isa, &in, &prog.insn[i].in, NULL) != ST_OK)
            return ST_INPUT;
    }
    *dw = prog_encode(&prog, code, STREAM_DW_MAX, NULL);
    struct rule_program p = { .code = code, .dw = *dw, .pc = d->s->pc };
    return *dw ? rule_check(isa, &p, NULL) : ST_INPUT;
}

enum status gen_encode(struct draw *d)
{
    const struct gen_cfg *c = &d->g->cfg;
    u32 other[STREAM_DW_MAX], dw;
    enum status st = ST_OK;
    if (!c->common_count)
        d->s->code_dw = prog_encode(d->prog, d->s->code, STREAM_DW_MAX, NULL);
    for (u32 i = 0; i < c->common_count && st == ST_OK; i++)
        if (c->common[i] != d->g->target)
            st = encode_for(d, c->common[i], other, &dw);
    return c->common_count && st == ST_OK ? encode_for(d, d->g->target, d->s->code, &d->s->code_dw)
                                          : st;
}
