/* Recipes changed at random. */
#include "fuzz/mutate/mutate.h"

enum { CHANGES_MAX = 6 /* at a time; half of all are one, a quarter two */ };

/* ---- genes ---- */

static void draw_state(struct rng *rng, struct gene *gene)
{
    struct rng fresh;
    rng_seed(&fresh, rng_u64(rng));
    memcpy(gene->at, fresh.s, sizeof gene->at);
}

static struct gene draw_gene(const struct generator *g, struct rng *rng)
{
    struct gene gene = { .kind = GENE_OP, .form = GENE_ANY_FORM };
    u32 how = rng_below(rng, 8);
    draw_state(rng, &gene);
    if (how == 0)
        gene.kind = GENE_DRAWN;
    else if (how == 1)
        gene.kind = GENE_FOCUS;
    else
        gene.op = g->op[rng_below(rng, g->op_count)];
    return gene;
}

/* Makes room for `n` genes at `at`; what does not fit any more falls off the end. Returns how many
 * there is room for. */
static u32 make_room(struct recipe *r, u32 at, u32 n)
{
    u32 left = RECIPE_GENES_MAX - at;
    n = n < left ? n : left;
    u32 behind = r->gene_count - at, kept = behind < left - n ? behind : left - n;
    memmove(&r->gene[at + n], &r->gene[at], kept * sizeof r->gene[0]);
    r->gene_count = (u16)(at + n + kept);
    return n;
}

static void insert_gene(const struct generator *g, struct rng *rng, struct recipe *r)
{
    u32 at = rng_below(rng, r->gene_count + 1u);
    struct gene gene = draw_gene(g, rng);
    if (make_room(r, at, 1))
        r->gene[at] = gene;
}

void mutate_cut(struct recipe *r, u32 at, u32 n)
{
    u32 behind = r->gene_count - at - n;
    memmove(&r->gene[at], &r->gene[at + n], behind * sizeof r->gene[0]);
    r->gene_count = (u16)(r->gene_count - n);
}

static void delete_genes(struct rng *rng, struct recipe *r)
{
    u32 at = rng_below(rng, r->gene_count), most = r->gene_count - at;
    mutate_cut(r, at, rng_one_in(rng, 3) ? 1 + rng_below(rng, most) : 1);
}

/* A run of genes from a recipe, which may be the same, goes to some place. */
static void splice_genes(struct rng *rng, const struct recipe *from, struct recipe *r)
{
    struct gene copy[RECIPE_GENES_MAX];
    u32 first = rng_below(rng, from->gene_count), n = 1 + rng_below(rng, from->gene_count - first);
    if (rng_one_in(rng, 2))
        n = n < 4 ? n : 4;
    u32 at = rng_below(rng, r->gene_count + 1u);
    memcpy(copy, &from->gene[first], n * sizeof copy[0]);
    memcpy(&r->gene[at], copy, make_room(r, at, n) * sizeof copy[0]);
}

static struct gene *any_gene(struct rng *rng, struct recipe *r)
{
    return &r->gene[rng_below(rng, r->gene_count)];
}

static void swap_field(struct rng *rng, struct gene *gene)
{
    struct gene_swap swap = { .field = (u8)rng_below(rng, FLD_COUNT + 1u) };
    swap.seed = (u32)rng_u64(rng);
    if (swap.field == FLD_COUNT)
        swap.field = GENE_LITERAL;
    if (gene->swap_count < RECIPE_SWAPS_MAX)
        gene->swap[gene->swap_count++] = swap;
    else
        gene->swap[rng_below(rng, RECIPE_SWAPS_MAX)] = swap;
}

static void change_gene(const struct generator *g, struct rng *rng, struct recipe *r)
{
    struct gene *gene = any_gene(rng, r);
    switch (rng_below(rng, 6)) {
    case 0: draw_state(rng, gene); return;
    case 1:
        gene->swap_count = 0;
        draw_state(rng, gene);
        return;
    case 2: gene->form = (u8)rng_below(rng, FORM_COUNT); return;
    case 3: *gene = draw_gene(g, rng); return;
    default: swap_field(rng, gene); return;
    }
}

/* ---- values ---- */

static u32 change_value(struct rng *rng, u32 value)
{
    static const u32 edges[] = { 0,          1,          31,         32,         0x7f,
                                 0x80,       0xff,       0x7fff,     0x8000,     0xffff,
                                 0x00800000, 0x007fffff, 0x3f800000, 0x7f800000, 0x7f800001,
                                 0x7fc00000, 0x7fffffff, 0x80000000, 0xff800000, 0xffffffff };
    u32 byte = 8 * rng_below(rng, 4);
    u32 digit = 4 * rng_below(rng, 8);
    switch (rng_below(rng, 8)) {
    case 0: return edges[rng_below(rng, COUNT_OF(edges))];
    case 1: return value ^ 1u << rng_below(rng, 32);
    case 2: return value + rng_below(rng, 33) - 16;
    case 3: return (value & ~(0xffu << byte)) | rng_below(rng, 256) << byte;
    case 4: return (u32)rng_u64(rng);
    default: return (value & ~(15u << digit)) | rng_below(rng, 16) << digit;
    }
}

/* The value of a register that some instruction reads goes on from the one it has: who has found half
 * of what is asked for does not have to find it again. */
static void set_value(const struct generator *g, struct rng *rng, struct stream *scratch,
                      struct recipe *r)
{
    bool is_new = !r->value_count || (r->value_count < RECIPE_VALUES_MAX && rng_one_in(rng, 3));
    u32 at = is_new ? r->value_count : rng_below(rng, r->value_count);
    struct recipe_value *v = &r->value[at], reads[RECIPE_READS_MAX];
    if (is_new) {
        recipe_repair(g, r);
        u32 n = recipe_list_reads(g, r, scratch, reads);
        if (!n)
            return;
        *v = reads[rng_below(rng, n)];
        v->wave = rng_one_in(rng, 4) ? (u8)rng_below(rng, STREAM_WAVES_MAX) : 0;
        if (rng_one_in(rng, 2))
            v->lane = (u8)rng_below(rng, LANES);
        r->value_count++;
    }
    v->value = change_value(rng, v->value);
}

static void forget_value(struct rng *rng, struct recipe *r)
{
    if (r->value_count)
        r->value[rng_below(rng, r->value_count)] = r->value[r->value_count - 1u];
    r->value_count = (u16)(r->value_count - (r->value_count != 0));
}

/* ---- the whole ---- */

/* Another start: registers and values, and sometimes what the stream turns around. */
static void change_start(const struct generator *g, struct rng *rng, struct recipe *r)
{
    r->seed = rng_u64(rng);
    if (rng_one_in(rng, 2))
        return;
    r->focus = g->op[rng_below(rng, g->op_count)];
    r->form = GENE_ANY_FORM;
}

static void change_once(const struct generator *g, struct rng *rng, const struct recipe *other,
                        struct stream *scratch, struct recipe *r)
{
    u32 how = rng_below(rng, 64);
    if (how < 14 || !r->gene_count)
        insert_gene(g, rng, r);
    else if (how < 20)
        delete_genes(rng, r);
    else if (how < 24)
        splice_genes(rng, other && other->gene_count ? other : r, r);
    else if (how < 46)
        change_gene(g, rng, r);
    else if (how < 61)
        set_value(g, rng, scratch, r);
    else if (how < 62)
        forget_value(rng, r);
    else
        change_start(g, rng, r);
}

void mutate_recipe(const struct generator *g, struct rng *rng, const struct recipe *other,
                   struct stream *scratch, struct recipe *r)
{
    u32 left = 1;
    while (left < CHANGES_MAX && rng_one_in(rng, 2))
        left++;
    while (left--)
        change_once(g, rng, other, scratch, r);
    recipe_repair(g, r);
}

/* ---- every digit of every value ---- */

enum { DIGITS = 8, DIGIT_VALUES = 16 };

u32 mutate_walk_start(const struct generator *g, const struct recipe *r, struct stream *scratch,
                      struct mutate_walk *walk)
{
    walk->count = recipe_list_reads(g, r, scratch, walk->reads);
    return walk->count * DIGITS * DIGIT_VALUES;
}

void mutate_walk_step(const struct mutate_walk *walk, u32 step, struct recipe *r)
{
    struct recipe_value v = walk->reads[step / (DIGITS * DIGIT_VALUES)];
    u32 lsb = (DIGITS - 1 - step / DIGIT_VALUES % DIGITS) * 4, at = 0;
    v.value = (v.value & ~(15u << lsb)) | step % DIGIT_VALUES << lsb;
    while (at < r->value_count &&
           (r->value[at].reg != v.reg || r->value[at].wave || r->value[at].lane != v.lane))
        at++;
    if (at == RECIPE_VALUES_MAX)
        at--;
    if (at == r->value_count)
        r->value_count++;
    r->value[at] = v;
}
