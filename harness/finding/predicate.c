/* Conditions that all failing inputs have and no right one: levels of coverage, and single bits of
 * sources. */
#include "harness/finding/predicate.h"
#include "fuzz/cover/cover.h"

#include "harness/dut/model.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    BITS = 64,
    /* Levels first, so that of two conditions that say the same the one with a name is taken; then
     * bits that are set, then bits that are clear. */
    SET_AT = COVER_LEVELS_MAX,
    CLEAR_AT = SET_AT + COVER_SOURCES * BITS,
    CONDITIONS = CLEAR_AT + COVER_SOURCES * BITS,
    WORDS = (CONDITIONS + 63) / 64,
    CONDITIONS_MAX = 3, /* in a predicate */
    FAILS_MIN = 4,
    PASSES_MIN = 8, /* examples without which nothing is said */
    EXAMPLES_MAX = 1 << 14
};

/* The conditions that one input has: of a lane, or of an instruction without lanes. */
struct example {
    u64 has[WORDS];
    bool fails;
};

struct examples {
    struct example *list;
    u32 count, fails;
};

static void add_condition(struct example *x, u32 condition)
{
    x->has[condition / 64] |= 1ull << condition % 64;
}

static bool has_condition(const struct example *x, u32 condition)
{
    return x->has[condition / 64] >> condition % 64 & 1;
}

/* ---- examples ---- */

static void add_example(struct examples *to, const struct cover_model *m, const struct wave *w,
                        const struct xinsn *in, u32 lane, bool fails)
{
    struct cover_bits bits;
    u64 value[COVER_SOURCES];
    if (to->count == EXAMPLES_MAX)
        return;
    struct example *x = &to->list[to->count++];
    memset(x, 0, sizeof *x);
    u32 sources = cover_lane(m, w, in, lane, &bits, value);
    memcpy(x->has, bits.w, sizeof bits.w);
    for (u32 i = 0; i < sources; i++)
        for (u32 b = 0; b < BITS; b++)
            add_condition(x, (value[i] >> b & 1 ? SET_AT : CLEAR_AT) + i * BITS + b);
    x->fails = fails;
    to->fails += fails;
}

/* The lanes of a sample, if it is known which of them are wrong. */
static void add_sample(struct examples *to, const struct cover_model *m, struct model *mo,
                       const struct sample *s, bool by_lane)
{
    struct wave *w = mo->m->wave[0];
    const struct xinsn *in = machine_fetch(mo->m, w);
    u64 exec = wave_exec(w);
    if (!in)
        return;
    if (!by_lane) {
        add_example(to, m, w, in, exec ? ctz64(exec) : 0, s->is_wrong);
        return;
    }
    for (u64 lanes = exec | s->lanes; lanes; lanes &= lanes - 1)
        add_example(to, m, w, in, ctz64(lanes), s->lanes >> ctz64(lanes) & 1);
}

static enum status collect(struct examples *to, const struct samples *s,
                           const struct cover_model *m, const struct finding *f, struct err *e)
{
    struct model *mo = NULL;
    struct jobbuf *jb = jobbuf_new();
    bool by_lane = !isa_is_scalar(insn_row(&f->insn));
    for (u32 i = 0; i < s->count; i++)
        by_lane &= !s->sample[i].is_wrong || s->sample[i].lanes;
    enum status st = jb ? model_open(&mo, f->mcpu, "ref", NULL, e) : err_memory(e);
    for (u32 i = 0; i < s->count && st == ST_OK; i++) {
        st = model_start(mo, s->sample[i].job, e);
        if (st == ST_OK)
            add_sample(to, m, mo, &s->sample[i], by_lane);
    }
    model_close(mo);
    jobbuf_free(jb);
    return st;
}

/* ---- search ---- */

/* Conditions that all examples of a side have. */
static void common(const struct examples *x, bool fails, u64 has[WORDS])
{
    memset(has, 0xff, WORDS * sizeof *has);
    for (u32 i = 0; i < x->count; i++)
        for (u32 w = 0; w < WORDS && x->list[i].fails == fails; w++)
            has[w] &= x->list[i].has[w];
}

static u32 count_left(const struct examples *x, bool fails, const bool *is_out, u32 condition)
{
    u32 n = 0;
    for (u32 i = 0; i < x->count; i++)
        n += x->list[i].fails != fails && !is_out[i] && !has_condition(&x->list[i], condition);
    return n;
}

/* Few conditions that all of a side have and that leave none of the other: each in turn the one that
 * rules out the most. Returns how many; 0: there are none so few. */
static u32 separate(const struct examples *x, bool fails, bool *is_out,
                    u32 condition[CONDITIONS_MAX])
{
    u64 all[WORDS];
    u32 left = fails ? x->count - x->fails : x->fails, n = 0;
    common(x, fails, all);
    memset(is_out, 0, x->count * sizeof *is_out);
    while (left && n < CONDITIONS_MAX) {
        u32 best = 0, most = 0;
        for (u32 c = 1; c < CONDITIONS; c++) {
            u32 out = all[c / 64] >> c % 64 & 1 ? count_left(x, fails, is_out, c) : 0;
            if (out > most) {
                most = out;
                best = c;
            }
        }
        if (!most)
            return 0;
        for (u32 i = 0; i < x->count; i++)
            is_out[i] |= !has_condition(&x->list[i], best);
        left -= most;
        condition[n++] = best;
    }
    return left ? 0 : n;
}

static void add_condition_text(const struct cover_model *m, const struct cover_kind *k,
                               u32 condition, struct text *t)
{
    if (condition < SET_AT) {
        cover_add_text(m, k, condition, t);
        return;
    }
    bool is_set = condition < CLEAR_AT;
    u32 at = condition - (is_set ? (u32)SET_AT : (u32)CLEAR_AT), source = at / BITS, n = 0;
    for (u32 i = k->fixed; i < k->factors; i++) {
        const struct cover_factor *f = &m->factor[k->factor + i];
        if (f->way < COVER_FLOAT || n++ != source)
            continue;
        text_add(t, "bit %u of %s %s", at % BITS,
                 isa_field_names[isa_rows[k->op].operand[f->operand].field],
                 is_set ? "set" : "clear");
    }
}

static void describe(const struct examples *x, const struct cover_model *m,
                     const struct cover_kind *k, bool fails, const u32 *condition, u32 n,
                     struct finding *f)
{
    struct text t;
    u32 passes = x->count - x->fails;
    text_init(&t, f->fails, sizeof f->fails);
    text_add(&t, n == 0 ? "always" : fails ? "" : "unless ");
    for (u32 i = 0; i < n; i++) {
        text_add(&t, i ? " and " : "");
        add_condition_text(m, k, condition[i], &t);
    }
    text_add(&t, ": %u/%u", x->fails, x->fails);
    if (n)
        text_add(&t, ", passes %s %u/%u", fails ? "otherwise" : "then", passes, passes);
}

static enum status search(const struct examples *x, const struct cover_model *m,
                          const struct cover_kind *k, struct finding *f, struct err *e)
{
    u32 condition[CONDITIONS_MAX] = { 0 }, passes = x->count - x->fails;
    bool *is_out = malloc(x->count + 1);
    if (!is_out)
        return err_memory(e);
    if (x->fails >= FAILS_MIN && passes == 0) {
        describe(x, m, k, true, condition, 0, f);
    } else if (x->fails >= FAILS_MIN && passes >= PASSES_MIN) {
        u32 n = separate(x, true, is_out, condition), other = 0;
        if (!n)
            other = separate(x, false, is_out, condition);
        if (n || other)
            describe(x, m, k, n != 0, condition, n ? n : other, f);
    }
    free(is_out);
    return ST_OK;
}

enum status predicate_find(const struct samples *s, struct finding *f, struct err *e)
{
    struct cover_model m;
    u8 forms[OPS_MAX] = { 0 };
    struct examples x = { .list = malloc(EXAMPLES_MAX * sizeof *x.list) };
    forms[f->insn.op] = (u8)(1u << f->insn.form);
    if (!x.list)
        return err_memory(e);
    enum status st = cover_open(&m, s->isa, forms, e);
    if (st == ST_OK)
        st = collect(&x, s, &m, f, e);
    const struct cover_kind *k =
        st == ST_OK ? cover_kind_of(&m, f->insn.op, (enum isa_form)f->insn.form) : NULL;
    if (k)
        st = search(&x, &m, k, f, e);
    cover_close(&m);
    free(x.list);
    return st;
}
