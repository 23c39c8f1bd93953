/* What a campaign is steered by: profiles, weights, and holes in coverage.
 *
 * What is counted belongs to a batch until that is taken, so that what is seen never depends on how
 * many threads there are, nor on when a process ended. Holes are those of the batches before a round of
 * ROUND of them, for which it waits. */
#include "harness/campaign/internal.h"
#include "harness/campaign/watch.h"
#include "harness/campaign/weights.h"
#include "harness/case/only.h"
#include "harness/coverage/coverage.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    ROUND = 8,          /* batches */
    CANDIDATES = 12,    /* instructions of which the best is taken */
    WATCHED_ONE_IN = 8, /* streams whose modes and values are counted */
    SHARE = 60          /* weight of an opcode, over its forms */
};

struct steer {
    struct gen_cfg gc;
    struct gen_steer weights;
    u32 wanted[OPS_MAX][FORM_COUNT]; /* by profile and file */
    u8 forms[OPS_MAX];               /* without what is skipped */
    bool is_counted;
    struct cover_model model;
    struct cover_seen file;  /* what the file of coverage held when this process began */
    struct cover_seen all;   /* what it held when the campaign did, and batches taken */
    struct cover_seen holes; /* `all` before the round that the generator is for */
    bool file_is_first;      /* nobody has written the file since the campaign began */
    u64 round;
};

/* ---- weights ---- */

static const struct gen_profile *find_profile(const struct only_name *name)
{
    const struct gen_profile *p;
    for (u32 i = 0; (p = gen_profile_at(i)); i++)
        if (only_is(name, p->name))
            return p;
    return NULL;
}

static enum status no_profile(const struct only_name *name, struct err *e)
{
    char known[200];
    struct text t;
    const struct gen_profile *p;
    text_init(&t, known, sizeof known);
    for (u32 i = 0; (p = gen_profile_at(i)); i++)
        text_add(&t, "%s%s", i ? " " : "", p->name);
    return err_set(e, ST_INPUT, "--profile: no '%.*s'; there are: %s",
                   (int)(name->len < 40 ? name->len : 40), name->text, known);
}

/* What no profile names has no weight. */
static enum status apply_profiles(struct campaign *k, struct steer *s, struct err *e)
{
    struct only_name name;
    bool more = only_first(k->cfg->profile, &name), any = more;
    u8 in[OPS_MAX] = { 0 };
    for (; more; more = only_next(&name)) {
        const struct gen_profile *p = find_profile(&name);
        if (!p)
            return no_profile(&name, e);
        for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
            for (u32 form = 0; form < FORM_COUNT; form++)
                in[op] |= (u8)(gen_profile_has(p, op, (enum isa_form)form) << form);
    }
    for (u32 op = OP_NONE + 1; any && op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            if (!(in[op] >> form & 1))
                s->wanted[op][form] = 0;
    return ST_OK;
}

/* Forms that the opcode is drawn in. */
static u32 share_of(const struct steer *s, u32 op)
{
    u32 forms = popcount32(s->forms[op]);
    return forms ? SHARE / forms : 0;
}

static bool is_focus(const struct campaign *k, u32 op, u32 form)
{
    i32 only = campaign_form(k);
    bool is_listed = k->focus_count == 0;
    for (u32 i = 0; i < k->focus_count && !is_listed; i++)
        is_listed = k->focus[i] == op;
    return is_listed && (only < 0 || (u32)only == form);
}

/* What lacks a hundred times as much as another gets ten times as many streams: those of the other
 * bring what it lacks sooner. */
static u32 weight_of_holes(u32 holes)
{
    u32 root = 1;
    while ((root + 1) * (root + 1) <= holes)
        root++;
    return root;
}

/* Among others, everything is drawn at times: what a profile does not name, seldom. */
static void weigh(struct campaign *k)
{
    enum { SELDOM = 8 };
    struct steer *s = k->steer;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++) {
            const struct cover_kind *kind =
                s->is_counted ? cover_kind_of(&s->model, op, (enum isa_form)form) : NULL;
            u32 share = share_of(s, op), w = s->wanted[op][form];
            bool by_holes = k->cfg->fill_holes && kind;
            u64 base = by_holes ? weight_of_holes(cover_kind_wanted(&s->holes, kind)) : share;
            u64 drawn = k->cfg->profile ? base * w * SELDOM + base : base * w;
            s->weights.focus[op][form] = is_focus(k, op, form) ? (u32)(base * w) : 0;
            s->weights.drawn[op][form] = drawn < UINT32_MAX ? (u32)drawn : UINT32_MAX;
        }
    s->weights.seen = k->cfg->fill_holes ? &s->holes : NULL;
    s->weights.candidates = CANDIDATES;
}

static enum status open_generator(struct campaign *k, struct err *e)
{
    struct steer *s = k->steer;
    weigh(k);
    s->gc.steer = &s->weights;
    return gen_open(&k->gen, &k->isa, &s->gc, e);
}

/* ---- opening ---- */

static bool is_weighed(const struct campaign_cfg *cfg)
{
    return cfg->profile || cfg->weights || cfg->fill_holes;
}

/* With coverage, what its file holds now. */
static enum status open_coverage(struct campaign *k, struct err *e)
{
    const char *path = k->cfg->coverage;
    struct steer *s = k->steer;
    if (!path && !k->cfg->fill_holes)
        return ST_OK;
    s->is_counted = true;
    enum status st = coverage_open_model(&s->model, &k->isa, e);
    if (st == ST_OK)
        st = cover_seen_open(&s->file, &s->model, e);
    if (st == ST_OK)
        st = cover_seen_open(&s->all, &s->model, e);
    if (st == ST_OK)
        st = cover_seen_open(&s->holes, &s->model, e);
    if (st == ST_OK && path && access(path, F_OK) == 0)
        st = coverage_read(&s->file, path, e);
    return st;
}

/* Reads the file once, which may be standard input, and takes the hash of the weights that it gives. */
static enum status read_weights(struct campaign *k, struct steer *s, struct err *e)
{
    struct sha256 sum;
    enum status st = weights_read(&k->isa, k->cfg->weights, s->wanted, e);
    sha256_init(&sum);
    sha256_add(&sum, s->wanted, sizeof s->wanted);
    if (st == ST_OK)
        sha256_end(&sum, k->r->weights_hash);
    return st;
}

enum status steer_open(struct campaign *k, struct err *e)
{
    const struct campaign_cfg *cfg = k->cfg;
    struct steer *s = k->steer = calloc(1, sizeof *s);
    if (!s)
        return err_memory(e);
    for (u32 op = 0; op < OPS_MAX; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            s->wanted[op][form] = 1;
    enum status st = only_check_list(cfg->only, "--only: ", &k->isa, e);
    if (st == ST_OK)
        st = only_check_list(cfg->skip, "--skip: ", &k->isa, e);
    if (st == ST_OK && cfg->weights)
        st = read_weights(k, s, e);
    if (st == ST_OK)
        st = apply_profiles(k, s, e);
    return st == ST_OK ? open_coverage(k, e) : st;
}

struct cover_seen *steer_counts(const struct campaign *k)
{
    return k->steer->is_counted ? &k->steer->all : NULL;
}

bool steer_ends_round(const struct campaign *k, u64 taken)
{
    return k->cfg->fill_holes && taken % ROUND == 0;
}

/* At the end of a round holes become those of the next. */
static void end_round(struct campaign *k, u64 taken)
{
    struct steer *s = k->steer;
    if (!steer_ends_round(k, taken))
        return;
    cover_seen_clear(&s->holes);
    cover_merge(&s->holes, &s->all);
}

void steer_begin_counts(struct campaign *k, bool goes_on)
{
    struct steer *s = k->steer;
    if (!s->is_counted)
        return;
    if (!goes_on) {
        cover_merge(&s->all, &s->file);
        steer_know_again(k);
    }
    s->round = k->taken / ROUND;
}

void steer_know_again(struct campaign *k)
{
    struct steer *s = k->steer;
    if (!s->is_counted)
        return;
    if (k->taken == 0) {
        k->r->pairs_before = cover_total_seen(&s->all);
        s->file_is_first = cover_same(&s->file, &s->all);
    }
    end_round(k, k->taken);
}

enum status steer_check_file(const struct campaign *k, struct err *e)
{
    const struct steer *s = k->steer;
    const char *path = k->cfg->coverage;
    if (!path || s->file_is_first || cover_same(&s->file, &s->all))
        return ST_OK;
    return err_set(
        e, ST_INPUT,
        "was begun with another --coverage: %.100s is neither as it was then nor what was "
        "counted since",
        path);
}

enum status steer_open_generator(struct campaign *k, struct gen_cfg *gc, struct err *e)
{
    struct steer *s = k->steer;
    for (u32 op = 0; op < isa_op_count; op++)
        s->forms[op] = only_lists_op(k->cfg->skip, &k->isa, op) ? 0 : gc->forms[op];
    gc->forms = s->forms;
    s->gc = *gc;
    return gen_open(&k->gen, &k->isa, gc, e);
}

/* The options that together leave nothing, as they were given. */
static enum status say_nothing_left(const struct campaign_cfg *cfg, struct err *e)
{
    char names[200];
    struct text t;
    const struct {
        const char *name, *value;
    } option[] = { { "--only", cfg->only },
                   { "--skip", cfg->skip },
                   { "--form", cfg->form },
                   { "--profile", cfg->profile },
                   { "--weights", cfg->weights } };
    u32 given = 0;
    text_init(&t, names, sizeof names);
    for (u32 i = 0; i < COUNT_OF(option); i++)
        if (option[i].value)
            text_add(&t, "%s%s %.30s", given++ ? ", " : "", option[i].name, option[i].value);
    return err_set(e, ST_INPUT, "%s: %s no opcode in any form to turn around", names,
                   given == 1 ? "leaves" : "together leave");
}

enum status steer_ready(struct campaign *k, struct err *e)
{
    if (!is_weighed(k->cfg))
        return ST_OK;
    enum status st = open_generator(k, e);
    if (st == ST_OK && !k->gen.choices.focus_count)
        st = say_nothing_left(k->cfg, e);
    return st;
}

/* ---- counting ---- */

bool steer_begin(struct campaign_worker *w, u64 batch, enum status *st, struct err *e)
{
    struct campaign *k = w->k;
    struct steer *s = k->steer;
    u64 round = batch / ROUND;
    *st = ST_OK;
    if (!k->cfg->fill_holes)
        return true;
    pthread_mutex_lock(&k->lock);
    while (k->taken < round * ROUND && !k->stop)
        pthread_cond_wait(&k->changed, &k->lock);
    bool goes_on = k->taken >= round * ROUND;
    if (goes_on && round > s->round) {
        s->round = round;
        *st = open_generator(k, e);
    }
    pthread_mutex_unlock(&k->lock);
    return goes_on;
}

static enum status open_counts(struct campaign_worker *w, struct err *e)
{
    struct steer *s = w->k->steer;
    enum status st = ST_OK;
    if (!w->watch)
        st = watch_open(&w->watch, w->k->cfg->mcpu, e);
    if (st == ST_OK && !(w->out->cover = calloc(1, sizeof *w->out->cover)))
        st = err_memory(e);
    if (st == ST_OK)
        st = cover_seen_open(w->out->cover, &s->model, e);
    if (st != ST_OK) {
        free(w->out->cover);
        w->out->cover = NULL;
    }
    return st;
}

enum status steer_count(struct campaign_worker *w, const struct stream *s, u64 index, struct err *e)
{
    enum status st = ST_OK;
    if (!w->k->steer->is_counted)
        return ST_OK;
    if (!w->out->cover)
        st = open_counts(w, e);
    if (st != ST_OK)
        return st;
    cover_code(w->out->cover, s->code, s->code_dw);
    if (hash_mix(index, 0) % WATCHED_ONE_IN)
        return ST_OK;
    return watch_run(w->watch, s, w->out->cover, e);
}

void steer_take(struct campaign *k, const struct batch_out *out)
{
    if (out->cover)
        cover_merge(&k->steer->all, out->cover);
    if (k->steer->is_counted)
        end_round(k, k->taken + 1);
}

enum status steer_finish(struct campaign *k, const struct cover_seen *kept, struct err *e)
{
    struct steer *s = k->steer;
    if (!s || !s->is_counted || !s->holes.row)
        return ST_OK;
    k->r->pairs = s->model.pairs;
    const struct cover_seen *all = kept ? kept : &s->all;
    k->r->pairs_seen = cover_total_seen(all);
    bool is_new = k->cfg->coverage && k->r->streams;
    return is_new ? coverage_write(all, k->cfg->coverage, k->cfg->force, e) : ST_OK;
}

void steer_close(struct campaign *k)
{
    struct steer *s = k->steer;
    if (!s)
        return;
    cover_seen_close(&s->file);
    cover_seen_close(&s->all);
    cover_seen_close(&s->holes);
    cover_close(&s->model);
    free(s);
    k->steer = NULL;
}
