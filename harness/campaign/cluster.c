#include "harness/campaign/cluster.h"

#include "harness/campaign/internal.h"

#include <stdlib.h>

/* What a description costs: naming an opcode, a trait, an opcode that has the traits and is right;
 * and right step cases that it covers, be they covered by traits or by an opcode's name. Lengths in
 * bits, roughly. A cluster must save some bits against a list of its opcodes. */
enum {
    COST_OP = 10,
    COST_TRAIT = 8,
    COST_EXCEPTION = 8,
    COST_PASSES = 40,
    COST_MOSTLY_RIGHT = 1 << 16, /* never pays; yet one such is better than another */
    SAVES_MIN = 10
};
enum { LITERALS = 2 * TRAIT_COUNT, BEAM = 8 };
static const u32 NO_CLUSTER = UINT32_MAX;

/* Sets of samples, a byte for each cause and for each kind: bit i is sample i. */
struct sets {
    u8 *cause, *kind;
};

struct choice {
    u32 count;
    u16 literal[CLUSTER_TRAITS_MAX]; /* trait, + TRAIT_COUNT: its absence */
    i32 saves;
};

struct search {
    struct campaign_result *r;
    const struct kind_seen *seen;
    u32 kinds;
    u32 *kind;           /* those with samples or failures: index in seen */
    struct sets literal; /* [LITERALS] of them, one behind the other */
    struct sets work[CLUSTER_TRAITS_MAX];
    bool *covered; /* by the choice that was measured last: [causes] */
    u8 *op_state;  /* [OPS_MAX], OP_ bits */
};

enum { OP_COVERED = 1, OP_MORE = 2, OP_PASSES = 4 };

/* ---- sets ---- */

static u8 samples_with(const struct traits *sample, u32 count, u32 literal)
{
    u8 set = 0;
    bool absent = literal >= TRAIT_COUNT;
    for (u32 i = 0; i < count; i++)
        set |= (u8)((trait_has(&sample[i], literal % TRAIT_COUNT) != absent) << i);
    return set;
}

static void fill_sets(struct search *s)
{
    for (u32 l = 0; l < LITERALS; l++) {
        for (u32 i = 0; i < s->r->cause_count; i++) {
            const struct campaign_cause *c = &s->r->cause[i];
            s->literal.cause[l * s->r->cause_count + i] = samples_with(c->sample, c->samples, l);
        }
        for (u32 i = 0; i < s->kinds; i++) {
            const struct kind_seen *k = &s->seen[s->kind[i]];
            s->literal.kind[l * s->kinds + i] = samples_with(k->sample, k->samples, l);
        }
    }
}

/* The samples that have all traits of a choice, into work[depth] from work[depth - 1]. */
static void narrow(struct search *s, u32 depth, u32 literal)
{
    const u8 *cause = s->literal.cause + literal * s->r->cause_count;
    const u8 *kind = s->literal.kind + literal * s->kinds;
    struct sets *to = &s->work[depth];
    const struct sets *from = depth ? &s->work[depth - 1] : NULL;
    for (u32 i = 0; i < s->r->cause_count; i++)
        to->cause[i] = from ? from->cause[i] & cause[i] : cause[i];
    for (u32 i = 0; i < s->kinds; i++)
        to->kind[i] = from ? from->kind[i] & kind[i] : kind[i];
}

/* ---- how good a choice is ---- */

/* Only single instructions of which some were judged, above or below the gate like `below`. */
static bool is_open(const struct campaign_cause *c, bool below)
{
    return c->tier == TIER_STEP && c->op != OP_NONE && c->cluster == NO_CLUSTER && c->samples &&
           c->below == below;
}

/* One sample of many may be that of another bug. */
static bool has_all(u8 set, u32 samples)
{
    return popcount64(set) + (samples == CAMPAIGN_SAMPLES) >= samples;
}

/* Right step cases of a kind that have the traits: an estimate from its samples. */
static u64 passes_of(const struct kind_seen *k, u8 set)
{
    return k->samples ? (k->passes * popcount64(set) + k->samples - 1) / k->samples : 0;
}

/* Marks the causes that a choice covers; answers how many, with their failures. */
static u32 cover(struct search *s, const u8 *set, bool below, u32 *ops, u64 *fails)
{
    u32 count = 0;
    *ops = 0;
    *fails = 0;
    memset(s->op_state, 0, OPS_MAX);
    for (u32 i = 0; i < s->r->cause_count; i++) {
        const struct campaign_cause *c = &s->r->cause[i];
        bool has = c->tier == TIER_STEP && c->samples && has_all(set[i], c->samples);
        s->covered[i] = has && is_open(c, below);
        if (has)
            s->op_state[c->op] |= OP_MORE; /* fails with these traits, for this or another reason */
        if (!s->covered[i])
            continue;
        *ops += !(s->op_state[c->op] & OP_COVERED);
        s->op_state[c->op] |= OP_COVERED;
        *fails += c->fails;
        count++;
    }
    return count;
}

/* What describing causes by work[depth] saves against naming their opcodes: bits of length, and the
 * right step cases that the names cover (`own`) for those that the traits cover (`passes`). */
static i32 measure(struct search *s, u32 depth, bool below)
{
    const struct sets *w = &s->work[depth];
    u32 ops, exceptions = 0;
    u64 fails, passes = 0, own = 0;
    u32 causes = cover(s, w->cause, below, &ops, &fails);
    if (ops < 2)
        return -(1 << 20);
    for (u32 i = 0; i < s->kinds; i++)
        if (s->op_state[s->kind[i] / FORM_COUNT] & OP_COVERED)
            own += s->seen[s->kind[i]].passes;
    for (u32 i = 0; i < s->kinds; i++) {
        u32 op = s->kind[i] / FORM_COUNT;
        u64 n = w->kind[i] ? passes_of(&s->seen[s->kind[i]], w->kind[i]) : 0;
        passes += n;
        if (n && !(s->op_state[op] & (OP_MORE | OP_PASSES))) {
            s->op_state[op] |= OP_PASSES;
            exceptions++;
        }
    }
    return (i32)(COST_OP * (ops - 1) + causes - ops) +
           (i32)(COST_PASSES * own / (fails + own + 1)) - (i32)(COST_TRAIT * (depth + 1)) -
           (i32)(COST_EXCEPTION * exceptions) - (i32)(COST_PASSES * passes / (fails + passes + 1)) -
           (fails < passes ? COST_MOSTLY_RIGHT : 0);
}

/* ---- the search ---- */

/* The choice with one trait more; the traits stay in order. */
static struct choice with_literal(const struct choice *from, u16 literal)
{
    struct choice c = *from;
    u32 at = c.count++;
    for (; at && c.literal[at - 1] > literal; at--)
        c.literal[at] = c.literal[at - 1];
    c.literal[at] = literal;
    return c;
}

/* Keeps the best few, the first of equals. */
static void keep_choice(struct choice *beam, u32 *count, const struct choice *c)
{
    u32 at = *count;
    for (u32 i = 0; i < *count; i++)
        if (memcmp(beam[i].literal, c->literal, c->count * sizeof *c->literal) == 0)
            return;
    while (at && beam[at - 1].saves < c->saves)
        at--;
    if (at == BEAM)
        return;
    *count += *count < BEAM;
    memmove(&beam[at + 1], &beam[at], (*count - 1 - at) * sizeof *beam);
    beam[at] = *c;
}

/* Whether the trait is had by what fails of two opcodes at least: nothing else can be shared. */
static bool is_promising(struct search *s, u32 literal, bool below)
{
    u32 ops;
    u64 fails;
    cover(s, s->literal.cause + literal * s->r->cause_count, below, &ops, &fails);
    return ops >= 2;
}

static void set_work(struct search *s, const struct choice *c)
{
    for (u32 i = 0; i < c->count; i++)
        narrow(s, i, c->literal[i]);
}

/* Tries every choice of the beam with one trait more. What does not pay yet may do so with another
 * trait; only what covers too little is given up. */
static void widen(struct search *s, const struct choice *from, u32 from_count, const u16 *promising,
                  u32 promising_count, bool below, struct choice *beam, u32 *count)
{
    *count = 0;
    for (u32 b = 0; b < from_count; b++) {
        set_work(s, &from[b]);
        for (u32 i = 0; i < promising_count; i++) {
            struct choice c = with_literal(&from[b], promising[i]);
            narrow(s, from[b].count, promising[i]);
            c.saves = measure(s, from[b].count, below);
            keep_choice(beam, count, &c);
        }
    }
}

static struct choice find_choice(struct search *s, bool below)
{
    u16 promising[LITERALS];
    u32 n = 0, count[2] = { 1, 0 };
    struct choice beam[2][BEAM + 1] = { { { .count = 0 } } }, best = { .count = 0 };
    for (u32 l = 0; l < LITERALS; l++)
        if (is_promising(s, l, below))
            promising[n++] = (u16)l;
    for (u32 depth = 0; depth < CLUSTER_TRAITS_MAX && n; depth++) {
        struct choice *from = beam[depth & 1], *to = beam[~depth & 1];
        widen(s, from, count[depth & 1], promising, n, below, to, &count[~depth & 1]);
        if (count[~depth & 1] && to[0].saves > best.saves)
            best = to[0];
    }
    return best;
}

/* ---- clusters ---- */

static struct campaign_cluster *add_cluster(struct search *s, bool below)
{
    struct campaign_cluster *c = &s->r->cluster[s->r->cluster_count++];
    *c = (struct campaign_cluster){ .below = below };
    return c;
}

/* The step cases of the opcodes covered, with and without the traits. */
static void count_evidence(struct search *s, struct campaign_cluster *c, const struct sets *w)
{
    for (u32 i = 0; i < s->r->cause_count; i++)
        if (s->covered[i])
            c->fails += s->r->cause[i].fails;
    for (u32 i = 0; i < s->kinds; i++) {
        const struct kind_seen *k = &s->seen[s->kind[i]];
        u64 with = passes_of(k, w->kind[i]);
        c->passes += with;
        if (!(s->op_state[s->kind[i] / FORM_COUNT] & OP_COVERED))
            continue;
        c->passes_without += k->passes - (with < k->passes ? with : k->passes);
        c->fails_without += k->fails;
    }
    c->fails_without -= c->fails < c->fails_without ? c->fails : c->fails_without;
}

static void take_choice(struct search *s, const struct choice *choice, bool below)
{
    struct campaign_cluster *c = add_cluster(s, below);
    set_work(s, choice);
    measure(s, choice->count - 1, below);
    c->traits = choice->count;
    for (u32 i = 0; i < choice->count; i++) {
        c->trait[i].trait = choice->literal[i] % TRAIT_COUNT;
        c->trait[i].is_absent = choice->literal[i] >= TRAIT_COUNT;
    }
    count_evidence(s, c, &s->work[choice->count - 1]);
    for (u32 i = 0; i < s->r->cause_count; i++)
        if (s->covered[i])
            s->r->cause[i].cluster = s->r->cluster_count - 1;
}

/* Whether two causes that no trait explains belong together. */
static bool belongs(const struct campaign_cause *a, const struct campaign_cause *b)
{
    if (a->tier != b->tier || a->below != b->below)
        return false;
    switch (a->tier) {
    case TIER_STEP: return a->op == b->op;
    case TIER_PREFIX: return a->link == b->link && a->link_value == b->link_value;
    default: return true;
    }
}

static void cluster_others(struct search *s)
{
    for (u32 i = 0; i < s->r->cause_count; i++) {
        if (s->r->cause[i].cluster != NO_CLUSTER)
            continue;
        add_cluster(s, s->r->cause[i].below);
        for (u32 k = i; k < s->r->cause_count; k++)
            if (s->r->cause[k].cluster == NO_CLUSTER && belongs(&s->r->cause[i], &s->r->cause[k]))
                s->r->cause[k].cluster = s->r->cluster_count - 1;
    }
}

/* An opcode that a cluster covers in most of its causes is covered in all: with another kind of
 * difference, or too few samples, they say the same. */
static void join_rest(struct search *s)
{
    for (u32 i = 0; i < s->r->cause_count; i++) {
        struct campaign_cause *c = &s->r->cause[i];
        for (u32 k = 0; k < s->r->cause_count && c->cluster == NO_CLUSTER; k++) {
            const struct campaign_cause *o = &s->r->cause[k];
            if (c->tier == TIER_STEP && o->tier == TIER_STEP && c->op == o->op &&
                c->form == o->form && c->below == o->below && o->cluster != NO_CLUSTER)
                c->cluster = o->cluster;
        }
    }
}

static void count_members(struct campaign_result *r)
{
    for (u32 i = 0; i < r->cause_count; i++) {
        const struct campaign_cause *c = &r->cause[i];
        struct campaign_cluster *cl = &r->cluster[c->cluster];
        bool is_first = true;
        for (u32 k = 0; k < i; k++)
            is_first &= r->cause[k].cluster != c->cluster || r->cause[k].op != c->op;
        cl->causes++;
        cl->ops += is_first;
        cl->streams += c->count;
    }
}

/* The order: most causes first, the first cause first of equals. */
static void sort_clusters(struct campaign_result *r)
{
    for (u32 i = 1; i < r->cluster_count; i++)
        for (u32 k = i; k && r->cluster[k].causes > r->cluster[k - 1].causes; k--) {
            struct campaign_cluster t = r->cluster[k];
            r->cluster[k] = r->cluster[k - 1];
            r->cluster[k - 1] = t;
            for (u32 c = 0; c < r->cause_count; c++)
                if (r->cause[c].cluster == k || r->cause[c].cluster == k - 1)
                    r->cause[c].cluster ^= k ^ (k - 1);
        }
}

static bool open_search(struct search *s, struct campaign_result *r, const struct kind_seen *seen)
{
    size_t causes = r->cause_count;
    *s = (struct search){ .r = r, .seen = seen, .kind = malloc(KINDS * sizeof *s->kind) };
    for (u32 i = 0; s->kind && i < KINDS; i++)
        if (seen[i].samples || seen[i].fails)
            s->kind[s->kinds++] = i;
    s->literal.cause = malloc(LITERALS * causes);
    s->literal.kind = malloc(LITERALS * (size_t)s->kinds + 1);
    s->covered = malloc(causes * sizeof *s->covered);
    s->op_state = malloc(OPS_MAX);
    bool good = s->kind && s->literal.cause && s->literal.kind && s->covered && s->op_state;
    for (u32 i = 0; i < CLUSTER_TRAITS_MAX; i++) {
        s->work[i] = (struct sets){ malloc(causes), malloc((size_t)s->kinds + 1) };
        good = good && s->work[i].cause && s->work[i].kind;
    }
    r->cluster = malloc(causes * sizeof *r->cluster);
    return good && r->cluster;
}

static void close_search(struct search *s)
{
    for (u32 i = 0; i < CLUSTER_TRAITS_MAX; i++) {
        free(s->work[i].cause);
        free(s->work[i].kind);
    }
    free(s->literal.cause);
    free(s->literal.kind);
    free(s->covered);
    free(s->op_state);
    free(s->kind);
}

bool cluster_find(struct campaign_result *r, const struct kind_seen *seen)
{
    struct search s;
    if (r->cause_count == 0)
        return true;
    bool good = open_search(&s, r, seen);
    for (u32 i = 0; i < r->cause_count; i++)
        r->cause[i].cluster = good ? NO_CLUSTER : 0;
    if (good)
        fill_sets(&s);
    for (u32 below = 0; good && below < 2;) {
        struct choice best = find_choice(&s, below);
        if (best.saves >= SAVES_MIN)
            take_choice(&s, &best, below);
        else
            below++;
    }
    if (good) {
        join_rest(&s);
        cluster_others(&s);
        count_members(r);
        sort_clusters(r);
    }
    close_search(&s);
    return good;
}

/* ---- in words ---- */

/* The encoding and the form that all causes of a cluster have; ENC_COUNT and FORM_COUNT where they
 * have several. */
static void find_kind(const struct campaign_result *r, u32 cluster, u32 *enc, u32 *form)
{
    bool is_first = true;
    for (u32 i = 0; i < r->cause_count; i++) {
        const struct campaign_cause *c = &r->cause[i];
        if (c->cluster != cluster)
            continue;
        *enc = is_first || *enc == isa_rows[c->op].enc ? isa_rows[c->op].enc : (u32)ENC_COUNT;
        *form = is_first || *form == c->form ? c->form : (u32)FORM_COUNT;
        is_first = false;
    }
}

/* "25 opcodes, all VOP2 dpp: bound_ctrl:0, reads a lane that is off": what they all are is not said
 * again. */
static void add_shared(const struct campaign_result *r, u32 cluster, struct text *t)
{
    const struct campaign_cluster *c = &r->cluster[cluster];
    u32 enc = ENC_COUNT, form = FORM_COUNT, said = 0;
    find_kind(r, cluster, &enc, &form);
    bool has_form = form != FORM_COUNT && form != FORM_BASE;
    text_add(t, "%u opcodes", c->ops);
    if (enc != ENC_COUNT || has_form)
        text_add(t, ", all");
    if (enc != ENC_COUNT)
        text_add(t, " %s", isa_encs[enc].name);
    if (has_form)
        text_add(t, " %s", isa_form_names[form]);
    for (u32 i = 0; i < c->traits; i++) {
        u32 trait = c->trait[i].trait;
        if (!c->trait[i].is_absent && ((enc != ENC_COUNT && trait == TRAIT_ENC + enc) ||
                                       (has_form && trait == TRAIT_FORM + form)))
            continue;
        text_add(t, "%s%s", said++ ? ", " : ": ", c->trait[i].is_absent ? "not " : "");
        trait_add_text(trait, t);
    }
}

void cluster_add_text(const struct campaign_result *r, u32 cluster, struct text *t)
{
    const struct campaign_cluster *c = &r->cluster[cluster];
    const struct campaign_cause *first = r->cause;
    while (first->cluster != cluster)
        first++;
    if (first->tier == TIER_PREFIX) {
        text_add(t, "interactions ");
        campaign_cause_add_link(first, t);
    } else if (first->tier == TIER_END || first->op == OP_NONE) {
        text_add(t, "whole programs");
    } else if (c->traits) {
        add_shared(r, cluster, t);
    } else {
        text_add(t, "%s", isa_rows[first->op].name);
    }
}

void cluster_add_evidence(const struct campaign_cluster *c, struct text *t)
{
    if (c->traits)
        text_add(t, "%llu of %llu step cases with it differ, %llu of %llu without",
                 (unsigned long long)c->fails, (unsigned long long)(c->fails + c->passes),
                 (unsigned long long)c->fails_without,
                 (unsigned long long)(c->fails_without + c->passes_without));
}
