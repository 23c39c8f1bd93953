/* Causes: which differences are the same, and what becomes of those that have no finding yet. */
#include "harness/campaign/internal.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    FINDINGS_MAX = 200,
    INTERACTIONS_MAX = 24,
    SHRINK_CALLS = 4000,
    SHRINK_CALLS_CRASH = 500, /* each costs a new process; */
    CRASHES_SHRUNK = 6,       /* so many get as much, */
    SHRINK_CALLS_MORE = 50,   /* the others this */
    SHRINK_CALLS_HANG = 6     /* each costs the time limit of a job */
};

const char *campaign_cause_name(const struct isa *isa, const struct campaign_cause *c, char *buf,
                                size_t size)
{
    const struct isa_row *row = &isa_rows[c->op];
    struct judgement j = { .verdict = JUDGED_WRONG, .what = c->what, .outcome = c->outcome };
    struct text t;
    text_init(&t, buf, size);
    if (c->tier == TIER_PREFIX)
        text_add(&t, "interaction ending in %s: %s", isa_encs[row->enc].name, finding_what(&j));
    else if (c->tier == TIER_END)
        text_add(&t, "a whole program: %s", finding_what(&j));
    else
        text_add(&t, "%s %s: %s", row->name,
                 isa_form_name((enum gen)isa->target->gen, row, (enum isa_form)c->form),
                 finding_what(&j));
    return buf;
}

/* A wrong scalar result is one cause whichever register it goes to. */
static u8 fold(u8 what)
{
    return what == DIFF_VCC || what == DIFF_EXEC || what == DIFF_M0 ? DIFF_SGPR : what;
}

/* Sequences with one cause end in many different instructions: of those only the encoding
 * counts. */
static bool is_same_cause(const struct campaign_cause *c, u8 tier, bool below,
                          const struct insn *in, const struct judgement *j)
{
    if (c->tier != tier || c->below != below || fold(c->what) != fold(j->what) ||
        (c->what == DIFF_OUTCOME && c->outcome != j->outcome))
        return false;
    if (tier == TIER_STEP)
        return c->op == in->op && c->form == in->form;
    return isa_rows[c->op].enc == insn_row(in)->enc;
}

static struct campaign_cause *find_cause(struct campaign *k, u8 tier, bool below,
                                         const struct insn *in, const struct judgement *j)
{
    for (u32 i = 0; i < k->r->cause_count; i++)
        if (is_same_cause(&k->r->cause[i], tier, below, in, j))
            return &k->r->cause[i];
    return NULL;
}

/* Whether another finding of this cause can still become one. Only ever turns from true to false,
 * so that asking early and out of order changes nothing. */
static bool is_wanted(struct campaign *k, u8 tier, const struct insn *in, const struct judgement *j)
{
    pthread_mutex_lock(&k->lock);
    const struct campaign_cause *c = find_cause(k, tier, false, in, j);
    bool wanted = (!c || c->kept < k->cfg->keep) && k->findings < FINDINGS_MAX &&
                  (tier == TIER_STEP || k->interactions < INTERACTIONS_MAX);
    pthread_mutex_unlock(&k->lock);
    return wanted;
}

/* Whether a difference stands only where entries of weaker evidence than the gate's read otherwise;
 * something that nobody announced, or an end, is never one. */
static bool is_below(const struct cause *cause, enum evidence gate)
{
    const struct judgement *j = &cause->j;
    u64 lanes = j->lanes;
    bool rest = j->rest;
    for (u32 i = 0; i < cause->doubts.count; i++) {
        if (cause->doubts.at[i].entry->evidence >= gate)
            continue;
        lanes &= ~cause->doubts.at[i].lanes;
        rest = rest && !cause->doubts.at[i].rest;
    }
    return cause->tier == TIER_STEP && j->what > DIFF_STRAY_MEMORY && !lanes && !rest;
}

/* The entries that read otherwise where a difference stands. */
static void add_ledger(const struct cause *cause, char *ledger, size_t size)
{
    struct text t;
    text_init(&t, ledger, size);
    for (u32 i = 0; cause->tier == TIER_STEP && i < cause->doubts.count; i++) {
        const char *id = cause->doubts.at[i].entry->id;
        bool touches = cause->doubts.at[i].lanes & cause->j.lanes ||
                       (cause->doubts.at[i].rest && cause->j.rest);
        if (touches && !strstr(ledger, id) && t.len + strlen(id) + 1 < size)
            text_add(&t, "%s%s", t.len ? " " : "", id);
    }
}

/* Notes a cause, once per stream. */
void campaign_note_cause(void *arg, const struct cause *cause)
{
    struct campaign_worker *w = arg;
    struct batch_out *out = w->out;
    bool below = is_below(cause, w->k->cfg->gate);
    struct err e;
    w->differs |= !below;
    w->below |= below;
    for (u32 i = out->count; i > 0 && out->seen[i - 1].index == w->index; i--) {
        const struct raw_failure *s = &out->seen[i - 1];
        struct campaign_cause c = { .tier = s->tier,
                                    .op = s->insn.op,
                                    .form = s->insn.form,
                                    .below = s->below,
                                    .what = s->j.what,
                                    .outcome = s->j.outcome };
        if (is_same_cause(&c, (u8)cause->tier, below, &cause->insn, &cause->j))
            return;
    }
    if (out->count == CASES_PER_BATCH)
        return;
    struct raw_failure *s = &out->seen[out->count++];
    *s = (struct raw_failure){ .index = w->index,
                               .step = cause->step,
                               .marker = cause->marker,
                               .tier = (u8)cause->tier,
                               .is_probe = w->is_probing,
                               .insn = cause->insn,
                               .below = below,
                               .j = cause->j };
    add_ledger(cause, s->ledger, sizeof s->ledger);
    /* A difference that does not come again: what there was at first is all that can be shown. */
    if (cause->tier == TIER_END && cause->j.verdict != JUDGED_WRONG)
        s->j = w->end;
    if (below || !is_wanted(w->k, s->tier, &s->insn, &s->j))
        return;
    s->start = malloc(sizeof *s->start);
    if (s->start && stream_job_read(cause->start, s->start, &e) != ST_OK) {
        free(s->start);
        s->start = NULL;
    }
}

/* ---- findings, in order ---- */

static void fill_finding(const struct campaign_worker *w, const struct raw_failure *s,
                         struct finding *f)
{
    const struct campaign *k = w->k;
    struct text t;
    text_init(&t, f->mcpu, sizeof f->mcpu);
    text_add(&t, "%s", k->cfg->mcpu);
    memcpy(f->dut_name, w->x.dut->name, sizeof f->dut_name);
    memcpy(f->dut_version, w->x.dut->version, sizeof f->dut_version);
    f->seed = k->cfg->seed;
    f->number = s->index;
    f->step = s->step;
    f->tier = s->tier;
    f->exact = dut_is_exact(k->cfg->dut);
    f->marker = s->marker;
    f->insn = s->insn;
    f->j = s->j;
    memcpy(f->ledger, s->ledger, sizeof f->ledger);
    *f->minimal = *s->start;
    if (s->is_probe)
        *f->original = *s->start;
    else
        campaign_stream(k, s->index, f->original);
}

/* Only the thread whose turn it is asks. */
static u32 shrink_calls(struct campaign *k, const struct judgement *j)
{
    if (j->what != DIFF_OUTCOME)
        return SHRINK_CALLS;
    if (j->outcome == OUT_HANG)
        return SHRINK_CALLS_HANG;
    return k->crashes++ < CRASHES_SHRUNK ? SHRINK_CALLS_CRASH : SHRINK_CALLS_MORE;
}

/* Shrinks and writes one. Called in turn and without the lock. */
static enum status make_finding(struct campaign_worker *w, const struct raw_failure *s,
                                struct campaign_cause *c, struct err *e)
{
    const struct campaign_cfg *cfg = w->k->cfg;
    struct finding *f = NULL;
    char folder[1200];
    enum status st = finding_new(&f, e);
    if (st != ST_OK)
        return st;
    fill_finding(w, s, f);
    st = finding_set_dut(f, cfg->dut, e);
    if (st != ST_OK) {
        finding_free(f);
        return st;
    }
    enum status shrunk = ST_OK;
    if (s->is_probe && (f->j.outcome == OUT_HANG || w->is_lost)) {
        /* It is one instruction and was run alone; `gcncheck min` takes the time for more. */
        f->repeats = true;
        finding_count_insns(&w->k->isa, f);
    } else {
        shrunk = finding_shrink(w->x.compare, f, shrink_calls(w->k, &f->j), NULL, e);
    }
    finding_name(f);
    st = finding_write(&w->k->isa, f, cfg->out, e);
    if (st == ST_OK) {
        if (c->kept++ == 0 || f->insns < c->insns) {
            c->insns = f->insns;
            memcpy(c->id, f->id, sizeof c->id);
        }
        snprintf(folder, sizeof folder, "%s/%s", cfg->out, f->id);
        if (cfg->progress)
            progress_hide(cfg->progress);
        if (cfg->found)
            cfg->found(cfg->arg, f, folder);
    }
    finding_free(f);
    return st == ST_OK ? shrunk : st;
}

static struct campaign_cause *add_cause(struct campaign_result *r, const struct raw_failure *s)
{
    if (r->cause_count == CAMPAIGN_CAUSES_MAX)
        return NULL;
    struct campaign_cause *c = &r->cause[r->cause_count++];
    *c = (struct campaign_cause){ .tier = s->tier,
                                  .op = s->insn.op,
                                  .form = s->insn.form,
                                  .below = s->below,
                                  .what = s->j.what,
                                  .outcome = s->j.outcome,
                                  .first = s->index };
    memcpy(c->ledger, s->ledger, sizeof c->ledger);
    return c;
}

/* Only the thread whose turn it is changes causes; the lock is for those who look. */
enum status campaign_take_failure(struct campaign_worker *w, struct raw_failure *s, struct err *e)
{
    struct campaign *k = w->k;
    pthread_mutex_lock(&k->lock);
    struct campaign_cause *c = find_cause(k, s->tier, s->below, &s->insn, &s->j);
    if (!c)
        c = add_cause(k->r, s);
    if (!c) {
        k->r->causes_dropped++;
        pthread_mutex_unlock(&k->lock);
        return ST_OK;
    }
    c->count++;
    bool make = s->start && c->kept < k->cfg->keep && k->findings < FINDINGS_MAX &&
                (s->tier == TIER_STEP || k->interactions < INTERACTIONS_MAX);
    k->findings += make;
    k->interactions += make && s->tier != TIER_STEP;
    struct campaign_cause copy = *c;
    pthread_mutex_unlock(&k->lock);
    if (!make)
        return ST_OK;
    enum status st = make_finding(w, s, &copy, e);
    pthread_mutex_lock(&k->lock);
    *c = copy;
    pthread_mutex_unlock(&k->lock);
    return st;
}
