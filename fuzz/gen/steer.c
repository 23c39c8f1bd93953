/* Drawing by weights. */
#include "fuzz/gen/internal.h"

enum { UNIT = 256 /* of the mean weight of a class */ };

/* ---- tables ---- */

static u64 add_choice(struct gen_choice *list, u32 *count, u64 sum, u32 op, u32 form, u32 weight)
{
    if (*count == GEN_KINDS_MAX)
        BUG("too many opcodes and forms");
    list[(*count)++] = (struct gen_choice){ sum + weight, (u16)op, (u8)form };
    return sum + weight;
}

static void weigh_focus(struct generator *g, const struct gen_steer *steer)
{
    struct gen_choices *c = &g->choices;
    u64 sum = 0;
    c->focus_count = 0;
    for (u32 i = 0; i < g->op_count; i++)
        for (u32 form = 0; form < FORM_COUNT; form++) {
            u32 op = g->op[i], weight = steer->focus[op][form];
            if (g->forms[op] >> form & 1 && weight)
                sum = add_choice(c->focus, &c->focus_count, sum, op, form, weight);
        }
}

static void weigh_class(struct generator *g, const struct gen_steer *steer, u32 cl, u32 *at)
{
    struct gen_choices *c = &g->choices;
    u64 sum = 0, kinds = 0;
    c->at[cl] = *at;
    for (u32 i = 0; i < g->op_count; i++) {
        u32 op = g->op[i];
        if (gen_class_of(&isa_rows[op]) != (i32)cl)
            continue;
        for (u32 form = 0; form < FORM_COUNT; form++) {
            u32 weight = steer->drawn[op][form];
            if (!(g->forms[op] >> form & 1))
                continue;
            kinds++;
            if (weight && !c->first[op])
                c->first[op] = (u16)(*at + 1);
            if (weight)
                sum = add_choice(c->drawn, at, sum, op, form, weight);
        }
    }
    c->mean[cl] = kinds ? (sum * UNIT + kinds - 1) / kinds : 0;
}

void gen_weigh(struct generator *g, const struct gen_steer *steer)
{
    struct gen_choices *c = &g->choices;
    u32 at = 0;
    c->seen = steer->seen;
    c->candidates = steer->candidates;
    memset(c->first, 0, sizeof c->first);
    weigh_focus(g, steer);
    for (u32 cl = 0; cl < GEN_CLASSES; cl++)
        weigh_class(g, steer, cl, &at);
    c->at[GEN_CLASSES] = at;
    g->is_steered = true;
}

/* The choice that a number below the last one's belongs to. */
static const struct gen_choice *find_choice(const struct gen_choice *c, u32 count, u64 x)
{
    u32 lo = 0, hi = count;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (c[mid].upto <= x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return &c[lo];
}

/* x as a fraction of all 64-bit numbers, times n. */
static u64 scaled(u64 x, u64 n)
{
    u64 low = (x & UINT32_MAX) * (n & UINT32_MAX), mid = (x >> 32) * (n & UINT32_MAX) + (low >> 32);
    u64 other = (x & UINT32_MAX) * (n >> 32) + (mid & UINT32_MAX);
    return (x >> 32) * (n >> 32) + (mid >> 32) + (other >> 32);
}

/* ---- drawing ---- */

/* Multiples of the golden ratio spread evenly, however many there are: of few streams none falls to
 * what has little weight twice. */
bool gen_weighed_focus(const struct generator *g, u64 index, isa_op *op, enum isa_form *form)
{
    const struct gen_choices *c = &g->choices;
    if (!c->focus_count)
        return false;
    u64 x = hash_mix(g->cfg.seed, 0) + index * 0x9e3779b97f4a7c15ull;
    const struct gen_choice *focus =
        find_choice(c->focus, c->focus_count, scaled(x, c->focus[c->focus_count - 1].upto));
    *op = focus->op;
    *form = (enum isa_form)focus->form;
    return true;
}

static const struct gen_choice *draw_choice(struct draw *d)
{
    const struct gen_choices *c = &d->g->choices;
    u8 share[GEN_CLASSES];
    u64 upto[GEN_CLASSES], sum = 0;
    gen_draw_shares(d, share);
    for (u32 cl = 0; cl < GEN_CLASSES; cl++)
        upto[cl] = sum += share[cl] * c->mean[cl];
    if (sum == 0)
        return NULL;
    u64 x = scaled(rng_u64(&d->rng), sum);
    u32 cl = 0;
    while (upto[cl] <= x)
        cl++;
    u32 first = c->at[cl], count = c->at[cl + 1] - first;
    u64 y = scaled(rng_u64(&d->rng), c->drawn[first + count - 1].upto);
    return find_choice(c->drawn + first, count, y);
}

/* If nothing that may be drawn here has a weight, the focus is drawn again. */
isa_op gen_weighed_op(struct draw *d)
{
    const struct gen_choice *c = draw_choice(d);
    return c ? (isa_op)c->op : (isa_op)d->s->focus;
}

static void weights_of(const struct generator *g, isa_op op, u64 weight[FORM_COUNT])
{
    const struct gen_choices *c = &g->choices;
    memset(weight, 0, FORM_COUNT * sizeof *weight);
    if (!c->first[op])
        return;
    i32 cl = gen_class_of(&isa_rows[op]);
    for (u32 i = c->first[op] - 1u; i < c->at[cl + 1] && c->drawn[i].op == op; i++)
        weight[c->drawn[i].form] = c->drawn[i].upto - (i > c->at[cl] ? c->drawn[i - 1].upto : 0);
}

/* What has no weight in any form is drawn in all. */
enum isa_form gen_weighed_form(struct draw *d, isa_op op)
{
    u64 weight[FORM_COUNT], sum = 0;
    u32 forms = d->g->forms[op];
    weights_of(d->g, op, weight);
    for (u32 form = 0; form < FORM_COUNT; form++)
        sum += weight[form];
    for (u32 form = 0; form < FORM_COUNT && !sum; form++)
        weight[form] = forms >> form & 1;
    u64 x = scaled(rng_u64(&d->rng), sum ? sum : popcount32(forms));
    u32 form = 0;
    while (x >= weight[form])
        x -= weight[form++];
    return (enum isa_form)form;
}
