/* What was seen. */
#include "fuzz/cover/internal.h"
#include "oracle/sem/operand.h"

#include <stdlib.h>

enum { HARDLY = 16 /* instructions of a kind: fewer tell little about what it can have */ };

enum status cover_seen_open(struct cover_seen *s, const struct cover_model *m, struct err *e)
{
    *s = (struct cover_seen){ .model = m };
    s->drawn = calloc(m->kind_count + 1, sizeof *s->drawn);
    s->row = calloc(m->row_count + 1, sizeof *s->row);
    return s->drawn && s->row ? ST_OK : err_memory(e);
}

void cover_seen_close(struct cover_seen *s)
{
    free(s->drawn);
    free(s->row);
    s->drawn = NULL;
    s->row = NULL;
}

void cover_seen_clear(struct cover_seen *s)
{
    s->streams = s->insns = s->watched = 0;
    memset(s->drawn, 0, s->model->kind_count * sizeof *s->drawn);
    memset(s->row, 0, s->model->row_count * sizeof *s->row);
}

void cover_merge(struct cover_seen *to, const struct cover_seen *from)
{
    to->streams += from->streams;
    to->insns += from->insns;
    to->watched += from->watched;
    for (u32 i = 0; i < to->model->kind_count; i++)
        to->drawn[i] += from->drawn[i];
    for (u32 i = 0; i < to->model->row_count; i++)
        cover_or(&to->row[i], &from->row[i]);
}

/* What is seen beside legal pairs is in no file. */
bool cover_same(const struct cover_seen *a, const struct cover_seen *b)
{
    const struct cover_model *m = a->model;
    u64 other = (a->streams ^ b->streams) | (a->insns ^ b->insns) | (a->watched ^ b->watched);
    for (u32 i = 0; i < m->kind_count && !other; i++)
        other = a->drawn[i] ^ b->drawn[i];
    for (u32 i = 0; i < m->row_count && !other; i++)
        for (u32 w = 0; w < COVER_WORDS; w++)
            other |= (a->row[i].w[w] ^ b->row[i].w[w]) & m->legal[i].w[w];
    return !other;
}

/* ---- instructions as they stand ---- */

void cover_levels(const struct cover_model *m, const struct cover_kind *k, const struct insn *in,
                  struct cover_bits *bits)
{
    const struct cover_factor *f = &m->factor[k->factor];
    *bits = (struct cover_bits){ { 1 } };
    for (u32 i = 1; i < k->fixed; i++) {
        u32 v = (u32)(in->word >> f[i].lsb & mask32(f[i].width));
        v = f[i].base                ? m->class[(f[i].base - 1u) * 256 + v]
            : f[i].way == COVER_EACH ? v
                                     : cover_fixed_level(&f[i], in);
        u32 level = cover_level_at(&f[i], v);
        if (level < COVER_LEVELS_MAX)
            cover_set(bits, level);
    }
}

/* Every two levels of a set. */
static void see(struct cover_bits *row, const struct cover_bits *bits)
{
    for (u32 w = 0; w < COVER_WORDS; w++)
        for (u64 left = bits->w[w]; left; left &= left - 1)
            cover_or(&row[w * 64 + ctz64(left)], bits);
}

void cover_insn(struct cover_seen *s, const struct insn *in)
{
    const struct cover_kind *k = cover_kind_of(s->model, in->op, (enum isa_form)in->form);
    struct cover_bits bits;
    s->insns++;
    if (!k)
        return;
    s->drawn[k - s->model->kind]++;
    cover_levels(s->model, k, in, &bits);
    see(s->row + k->row, &bits);
}

void cover_code(struct cover_seen *s, const u32 *code, u32 dw)
{
    struct insn in;
    s->streams++;
    for (u32 at = 0; at < dw; at += in.dw)
        if (insn_decode(s->model->isa, code + at, dw - at, &in, NULL))
            cover_insn(s, &in);
}

/* ---- instructions as they are executed ---- */

static u32 exec_level(u64 exec)
{
    u32 lanes = popcount64(exec);
    return lanes == LANES ? COVER_EXEC_ALL
           : lanes > 1    ? COVER_EXEC_SOME
           : lanes        ? COVER_EXEC_ONE
                          : COVER_EXEC_NONE;
}

/* A source whose value counts. */
struct source {
    const struct cover_factor *f;
    const struct isa_operand *o;
    u32 code;
    u64 constant; /* of what is not a vector register */
    u32 dw;
};

static u64 scalar_value(const struct wave *w, const struct insn *in, const struct source *s)
{
    u64 v = 0;
    if (s->o->kind == K_LIT || s->code >= CODE_INT_0)
        if (insn_constant(in, s->code, (enum isa_type)s->o->type, &v))
            return v;
    if (s->code < SGPRS)
        return s->dw == 2 ? pair_get(&w->sgpr[s->code]) : w->sgpr[s->code];
    return s->dw == 2 ? wave_scalar_special64(w, s->code) : wave_scalar_special(w, s->code);
}

static u64 vector_value(const struct wave *w, const struct source *s, u32 lane)
{
    u32 v = s->code - CODE_VGPR;
    u64 low = w->vgpr[v][lane];
    return s->dw == 2 && v + 1 < VGPR_ROWS ? low | (u64)w->vgpr[v + 1][lane] << 32 : low;
}

static u32 value_level(const struct insn *in, const struct source *s, u64 v, u32 lane)
{
    u32 width = cover_value_width((enum isa_type)s->o->type);
    if (s->f->way == COVER_LANE)
        return v >> lane & 1;
    v = cover_selected(in, s->o, v, &width);
    return s->f->way == COVER_FLOAT ? cover_float_level(v, width) : cover_int_level(v, width);
}

/* Vector registers that are not there, and data from LDS, count for nothing. */
static u32 find_sources(const struct cover_model *m, const struct cover_kind *k,
                        const struct wave *w, const struct insn *in, struct source *s)
{
    u32 n = 0;
    for (u32 i = k->fixed; i < k->factors; i++) {
        const struct cover_factor *f = &m->factor[k->factor + i];
        if (f->way < COVER_FLOAT)
            continue;
        const struct isa_operand *o = &insn_row(in)->operand[f->operand];
        struct source *x = &s[n];
        *x = (struct source){ f, o, insn_code(in, o), 0, isa_types[o->type].dwords };
        if (!insn_operand_there(in, o) || x->code == CODE_LDS_DIRECT || x->code >= CODE_ACC)
            continue;
        if (x->code < CODE_VGPR)
            x->constant = scalar_value(w, in, x);
        n++;
    }
    return n;
}

static void set_watched(const struct cover_model *m, const struct cover_kind *k,
                        const struct wave *w, struct cover_bits *bits)
{
    for (u32 i = k->fixed; i < k->factors; i++) {
        const struct cover_factor *f = &m->factor[k->factor + i];
        u32 level = f->way == COVER_MODE   ? w->mode >> f->lsb & mask32(f->width)
                    : f->way == COVER_EXEC ? exec_level(wave_exec(w))
                                           : (u32)COVER_NO_LEVEL;
        level = cover_level_at(f, level);
        if (level < COVER_LEVELS_MAX)
            cover_set(bits, level);
    }
}

/* The values that one lane reads, beside `bits`; adds them to *all. */
static void see_lane(struct cover_bits *row, const struct wave *w, const struct insn *in,
                     const struct source *s, u32 n, u32 lane, const struct cover_bits *bits,
                     struct cover_bits *all)
{
    struct cover_bits values = { { 0 } };
    u32 level[OPERANDS_MAX];
    for (u32 i = 0; i < n; i++) {
        u64 v = s[i].code < CODE_VGPR ? s[i].constant : vector_value(w, &s[i], lane);
        level[i] = cover_level_at(s[i].f, value_level(in, &s[i], v, lane));
        if (level[i] < COVER_LEVELS_MAX)
            cover_set(&values, level[i]);
    }
    cover_or(all, &values);
    cover_or(&values, bits);
    for (u32 i = 0; i < n; i++)
        if (level[i] < COVER_LEVELS_MAX)
            cover_or(&row[level[i]], &values);
}

void cover_step(struct cover_seen *s, const struct wave *w, const struct insn *in)
{
    const struct cover_model *m = s->model;
    const struct cover_kind *k = cover_kind_of(m, in->op, (enum isa_form)in->form);
    struct source source[OPERANDS_MAX];
    struct cover_bits bits, all;
    if (!k || k->fixed == k->factors)
        return;
    struct cover_bits *row = s->row + k->row;
    cover_levels(m, k, in, &bits);
    set_watched(m, k, w, &bits);
    u32 n = find_sources(m, k, w, in, source);
    bool is_scalar = isa_is_scalar(insn_row(in));
    all = bits;
    for (u64 lanes = is_scalar ? 1 : wave_exec(w); n && lanes; lanes &= lanes - 1)
        see_lane(row, w, in, source, n, ctz64(lanes), &bits, &all);
    /* What is the same for all lanes, beside all values. */
    for (u32 i = 0; i < COVER_WORDS; i++)
        for (u64 left = bits.w[i]; left; left &= left - 1)
            cover_or(&row[i * 64 + ctz64(left)], &all);
}

u32 cover_lane(const struct cover_model *m, const struct wave *w, const struct xinsn *in, u32 lane,
               struct cover_bits *bits, u64 value[COVER_SOURCES])
{
    const struct insn *insn = &in->insn;
    const struct cover_kind *k = cover_kind_of(m, insn->op, (enum isa_form)insn->form);
    struct source s[OPERANDS_MAX];
    *bits = (struct cover_bits){ { 1 } };
    if (!k)
        return 0;
    cover_levels(m, k, insn, bits);
    set_watched(m, k, w, bits);
    u32 n = find_sources(m, k, w, insn, s);
    for (u32 i = 0; i < n; i++) {
        bool is_shuffled = insn->form == FORM_DPP && s[i].o->field == FLD_src0;
        u32 width = 64, from = is_shuffled ? in->lane_of[lane] % LANES : lane;
        u64 v = s[i].code < CODE_VGPR ? s[i].constant : vector_value(w, &s[i], from);
        u32 level = cover_level_at(s[i].f, value_level(insn, &s[i], v, lane));
        if (level < COVER_LEVELS_MAX)
            cover_set(bits, level);
        if (i < COVER_SOURCES)
            value[i] =
                s[i].f->way == COVER_LANE ? v >> lane & 1 : cover_selected(insn, s[i].o, v, &width);
    }
    return n < COVER_SOURCES ? n : COVER_SOURCES;
}

/* ---- what is missing ---- */

u32 cover_gain(const struct cover_seen *s, const struct insn *in)
{
    const struct cover_model *m = s->model;
    const struct cover_kind *k = cover_kind_of(m, in->op, (enum isa_form)in->form);
    struct cover_bits bits;
    u32 gain = 0;
    if (!k)
        return 0;
    cover_levels(m, k, in, &bits);
    for (u32 w = 0; w < COVER_WORDS; w++)
        for (u64 left = bits.w[w]; left; left &= left - 1) {
            u32 row = k->row + w * 64 + ctz64(left);
            for (u32 i = 0; i < COVER_WORDS; i++)
                gain += popcount64(bits.w[i] & m->legal[row].w[i] & ~s->row[row].w[i]);
        }
    return gain;
}

/* A pair stands in two rows, but for that of level 0 with itself. */
u32 cover_kind_seen(const struct cover_seen *s, const struct cover_kind *k)
{
    const struct cover_bits *legal = s->model->legal + k->row, *row = s->row + k->row;
    u32 n = row[0].w[0] & 1;
    for (u32 i = 0; i < k->levels; i++)
        for (u32 w = 0; w < COVER_WORDS; w++)
            n += popcount64(row[i].w[w] & legal[i].w[w]);
    return n / 2;
}

u64 cover_total_seen(const struct cover_seen *s)
{
    u64 n = 0;
    for (u32 i = 0; i < s->model->kind_count; i++)
        n += cover_kind_seen(s, &s->model->kind[i]);
    return n;
}

u32 cover_kind_wanted(const struct cover_seen *s, const struct cover_kind *k)
{
    const struct cover_bits *legal = s->model->legal + k->row, *row = s->row + k->row;
    u32 n = 0;
    if (s->drawn[k - s->model->kind] < HARDLY)
        return k->pairs - cover_kind_seen(s, k);
    for (u32 i = 1; i < k->levels; i++)
        for (u32 w = 0; w < COVER_WORDS && cover_get(&row[0], i); w++)
            n += popcount64(legal[i].w[w] & row[0].w[w] & ~row[i].w[w]);
    return n / 2;
}

bool cover_is_pair(const struct cover_model *m, const struct cover_kind *k, u32 a, u32 b)
{
    return a <= b && cover_get(&m->legal[k->row + a], b);
}

bool cover_has_pair(const struct cover_seen *s, const struct cover_kind *k, u32 a, u32 b)
{
    return cover_is_pair(s->model, k, a, b) && cover_get(&s->row[k->row + a], b);
}

void cover_see_pair(struct cover_seen *s, const struct cover_kind *k, u32 a, u32 b)
{
    cover_set(&s->row[k->row + a], b);
    cover_set(&s->row[k->row + b], a);
}
