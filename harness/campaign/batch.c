/* A batch of streams: each is run, judged and, where it differs, cut down to its causes. */
#include "harness/campaign/state.h"

#include <stdlib.h>

enum {
    HANGS_EXPLAINED = 2, /* streams of a batch in which the DUT hangs that are cut */
    HANGS_MAX = 8,       /* streams in which the DUT hangs before the campaign ends */
    FATAL_MIN = 32       /* a batch of so many, in all of which it crashes, ends it too */
};

/* Every stream is one of right, wrong, unsupported and invalid. A cause in any part of it makes it
 * wrong, whatever became of the rest. */
static void count_verdict(const struct campaign_worker *w, const struct subject *s)
{
    struct batch_out *out = w->out;
    if (w->below && !w->differs) {
        out->below++;
        return;
    }
    u32 verdict = w->differs ? (u32)JUDGED_WRONG : s->j.verdict;
    bool is_judged = verdict == JUDGED_RIGHT || verdict == JUDGED_WRONG;
    out->right += verdict == JUDGED_RIGHT;
    out->wrong += verdict == JUDGED_WRONG;
    out->unsupported += verdict == JUDGED_UNSUPPORTED;
    out->retried += is_judged && w->is_retried;
    out->narrowed += is_judged && (s->j.narrowed || w->is_retried);
    out->narrowed_classes |= is_judged ? s->j.narrowed : 0;
    if (verdict != JUDGED_INVALID)
        return;
    if (out->invalid++ == 0)
        memcpy(out->invalid_reason, s->j.reason, sizeof out->invalid_reason);
}

static void note_refused(void *arg, u64 pc, const struct insn *in)
{
    struct campaign_worker *w = arg;
    if (w->refused_count < COUNT_OF(w->refused))
        w->refused[w->refused_count++] = (struct refused){ pc, in->dw };
}

/* Which instructions of a program are judged: every one, those that are like known wrong ones, the
 * others. */
enum cut { CUT_ALL, CUT_ALIKE, CUT_OTHERS };

static bool is_other(void *worker, const struct insn *in)
{
    return !campaign_is_alike(worker, in);
}

static enum status explain(struct campaign_worker *w, const struct subject *s, u64 index,
                           enum cut which, struct err *e)
{
    static bool (*const wanted[])(
        void *, const struct insn *) = { [CUT_ALIKE] = campaign_is_alike, [CUT_OTHERS] = is_other };
    struct batch_out *out = w->out;
    struct explained ex;
    bool is_refused = s->j.verdict == JUDGED_UNSUPPORTED;
    bool steps_only = which == CUT_ALIKE || is_refused || !campaign_looks_at_sequences(w, index);
    struct explain_cfg cfg = { .steps_only = steps_only,
                               .wanted = which ? wanted[which] : NULL,
                               .fn = campaign_note_cause,
                               .refused = note_refused,
                               .judged = campaign_note_judged,
                               .arg = w };
    w->end = s->j;
    w->refused_count = 0;
    enum status st = compare_explain(w->x.compare, s->start, &cfg, &ex, e);
    if (st == ST_OK && w->is_short)
        st = err_memory(e);
    w->is_uncut |= !is_refused && which != CUT_ALIKE && steps_only && !ex.causes && !ex.tolerated;
    out->steps += ex.steps;
    out->steps_unsupported += ex.unsupported;
    out->tolerated += ex.tolerated;
    return st;
}

/* Puts fillers in place of what the DUT refused. The rest may take another way, and a longer
 * one. */
static void take_out(const struct campaign_worker *w, struct stream *s)
{
    s->max_steps = 4 * STREAM_DW_MAX;
    for (u32 i = 0; i < w->refused_count; i++) {
        u64 at = (w->refused[i].pc - s->pc) / 4;
        for (u32 k = 0; k < w->refused[i].dw && at + k < s->code_dw; k++)
            s->code[at + k] = w->k->filler;
    }
}

/* A program that the DUT refuses: its instructions are judged one by one, and what is refused among
 * them is taken out, so that the rest can be run as a whole. */
static enum status judge_refused(struct campaign_worker *w, struct subject *s, struct jobbuf *jb,
                                 u64 index, struct err *e)
{
    enum status st = campaign_stream(w->k, index, w->stream, e);
    for (u32 round = 0; round < 4 && st == ST_OK && s->j.verdict == JUDGED_UNSUPPORTED; round++) {
        st = explain(w, s, index, CUT_ALL, e);
        if (st != ST_OK || w->refused_count == 0 || !w->k->filler)
            break;
        take_out(w, w->stream);
        s->announced = NULL; /* what the program wrote before */
        s->start = stream_job_build(w->stream, jb);
        st = compare_run(w->x.compare, s, 1, e);
        w->is_retried = true;
    }
    return st;
}

/* One bug often shows in all opcodes of an encoding and form. A program that differs without what is known
 * is mostly explained by those that are like it, which are looked at first, and again as long as others of
 * them differ in what is left. *which: what is then to be looked at, unless *is_explained. */
static enum status explain_by_known(struct campaign_worker *w, struct subject *s, struct rest *r,
                                    u64 index, bool *is_explained, enum cut *which, struct err *e)
{
    enum { ROUNDS = 8 };
    const struct subject whole = *s;
    enum status st = campaign_leave_out(w, s, r, is_explained, e);
    *which = CUT_ALL;
    for (u32 round = 0; st == ST_OK && !r->is_right && round < ROUNDS; round++) {
        u32 before = w->out->count;
        st = explain(w, s, index, CUT_ALIKE, e);
        if (st == ST_OK && w->out->count == before) {
            *which = CUT_OTHERS;
            break;
        }
        *s = whole;
        if (st == ST_OK)
            st = campaign_leave_out(w, s, r, is_explained, e);
    }
    return st;
}

/* Finds out why a program differs, unless known causes explain it. */
static enum status judge_wrong(struct campaign_worker *w, struct subject *s, struct rest *r,
                               u64 index, struct err *e)
{
    struct subject whole = *s;
    bool is_explained = false;
    enum cut which = CUT_ALL;
    enum status st = ST_OK;
    if (!campaign_looks_deeper(w, index))
        st = explain_by_known(w, s, r, index, &is_explained, &which, e);
    if (st == ST_OK && !is_explained)
        st = explain(w, s, index, which, e);
    /* What was left accuses nobody: then it was what was left out, or nothing. */
    if (st == ST_OK && !is_explained && !w->differs && !w->below && s->start != whole.start) {
        *s = whole;
        st = explain(w, s, index, CUT_ALL, e);
    }
    w->differs |= w->is_uncut;
    w->out->uncut += w->is_uncut;
    /* Nothing is accused: all that differs is left open by the rules, or follows from it. */
    if (st == ST_OK && !w->differs)
        s->j.verdict = JUDGED_RIGHT;
    return st;
}

/* Judges one stream to the end, from what running it as it is gave. */
static enum status judge_stream(struct campaign_worker *w, struct subject *s, struct jobbuf *jb,
                                struct rest *r, u64 index, struct err *e)
{
    struct batch_out *out = w->out;
    enum status st = ST_OK;
    w->index = index;
    w->differs = w->below = w->is_retried = w->is_uncut = false;
    if (s->j.verdict == JUDGED_UNSUPPORTED) {
        if (!out->refused_reason[0])
            memcpy(out->refused_reason, s->j.reason, sizeof out->refused_reason);
        st = judge_refused(w, s, jb, index, e);
    }
    bool is_hang = s->j.verdict == JUDGED_WRONG && s->j.outcome == OUT_HANG;
    out->hangs += is_hang;
    out->fatal +=
        s->j.verdict == JUDGED_WRONG && (s->j.outcome == OUT_CRASH || s->j.outcome == OUT_NONSENSE);
    if (is_hang && out->hangs > HANGS_EXPLAINED) {
        s->j.verdict = JUDGED_INVALID;
        strcpy(s->j.reason, "the device hung too often to be asked why");
    }
    if (st == ST_OK && s->j.verdict == JUDGED_WRONG)
        st = judge_wrong(w, s, r, index, e);
    if (st != ST_OK && s->j.verdict == JUDGED_UNSUPPORTED)
        return st; /* refused as a whole; the rest of it was not run any more */
    out->streams++;
    count_verdict(w, s);
    return st;
}

/* A worker has done no batch behind this one yet. */
static void note_covered(struct campaign_worker *w)
{
    for (u32 op = 0; op < OPS_MAX; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            w->out->covered[op] |= (u8)((w->tally.form[op][form] != 0) << form);
}

enum status campaign_run_batch(struct campaign_worker *w, u64 first, u32 n, struct err *e)
{
    struct subject s[CAMPAIGN_BATCH];
    u64 written[CAMPAIGN_BATCH][STREAM_PLACE_WORDS];
    struct batch_out *out = w->out;
    enum status counted = ST_OK;
    memset(out, 0, sizeof *out);
    for (u32 i = 0; i < n && counted == ST_OK; i++) {
        counted = campaign_stream(w->k, first + i, w->stream, e);
        if (counted != ST_OK)
            break;
        u64 before = w->tally.insns;
        tally_code(&w->tally, &w->k->isa, w->stream->code, w->stream->code_dw);
        out->insns += w->tally.insns - before;
        counted = steer_count(w, w->stream, first + i, e);
        campaign_clear_rest(&w->rest[i]);
        memcpy(written[i], w->stream->written, sizeof written[i]);
        s[i] = (struct subject){ .start = stream_job_build(w->stream, w->job[i]),
                                 /* Drawn for all, encoded for one: found in the code. */
                                 .announced = w->k->common_count ? NULL : written[i],
                                 .all = w->k->corpus || judge_reads_all(first + i),
                                 .canary = (u32)(first + i) };
    }
    if (counted != ST_OK)
        return counted;
    note_covered(w);
    enum status st = compare_run(w->x.compare, s, n, e);
    if (st == ST_OK)
        st = campaign_leave_known_out(w, s, first, n, e);
    struct err later = { .text = "" };
    for (u32 i = 0; i < n; i++) {
        /* The DUT gave up before it got to this one, which was not run. */
        if (st != ST_OK && s[i].j.verdict == JUDGED_INVALID && !s[i].j.reason[0])
            continue;
        enum status settled =
            judge_stream(w, &s[i], w->job[i], &w->rest[i], first + i, st == ST_OK ? e : &later);
        st = st == ST_OK ? settled : st;
    }
    return st;
}

/* ---- taking results, in order ---- */

static void add_counters(struct campaign_result *r, const struct batch_out *out)
{
    if (r->invalid == 0)
        memcpy(r->invalid_reason, out->invalid_reason, sizeof r->invalid_reason);
    if (!r->refused_reason[0])
        memcpy(r->refused_reason, out->refused_reason, sizeof r->refused_reason);
    r->hangs += out->hangs;
    r->streams += out->streams;
    r->insns += out->insns;
    r->right += out->right;
    r->wrong += out->wrong;
    r->below += out->below;
    r->unsupported += out->unsupported;
    r->retried += out->retried;
    r->invalid += out->invalid;
    r->narrowed += out->narrowed;
    r->narrowed_classes |= out->narrowed_classes;
    r->steps += out->steps;
    r->steps_unsupported += out->steps_unsupported;
    r->tolerated += out->tolerated;
    r->uncut += out->uncut;
    for (u32 op = 0; op < OPS_MAX; op++)
        r->covered[op] |= out->covered[op];
}

/* Ends the campaign if the DUT has hung too often, or does nothing but crash. */
static void count_hangs(struct campaign *k, const struct batch_out *out)
{
    pthread_mutex_lock(&k->lock);
    k->r->is_lost = out->streams >= FATAL_MIN && out->fatal == out->streams;
    k->r->is_cut = k->r->hangs >= HANGS_MAX || k->r->is_lost;
    k->stop |= k->r->is_cut;
    pthread_mutex_unlock(&k->lock);
}

void campaign_count_causes(struct campaign *k)
{
    const struct campaign_cfg *cfg = k->cfg;
    u32 known = 0;
    for (u32 i = 0; cfg->is_known && i < k->r->cause_count; i++)
        known += !k->r->cause[i].below && cfg->is_known(cfg->arg, &k->r->cause[i]);
    if (cfg->max_causes == 0 || campaign_causes(k->r) - known < cfg->max_causes)
        return;
    k->r->is_full = true;
    campaign_stop(k);
}

/* Whether the process was asked to end, since when shrinking ends early: a later one does it all. */
static bool is_stopping(const struct campaign *k)
{
    return k->cfg->stop && *k->cfg->stop;
}

enum status campaign_keep_rest(struct campaign *k, struct err *e)
{
    bool is_open = k->state && !k->is_torn && state_is_behind(k->state, k);
    return is_open ? state_keep(k->state, k, e) : ST_OK;
}

/* Adds what it found out. *e and what is returned: of findings that could not be made. */
static enum status add_batch(struct campaign_worker *w, const struct batch_out *out, struct err *e)
{
    struct campaign *k = w->k;
    enum status st = ST_OK;
    add_counters(k->r, out);
    count_hangs(k, out);
    for (u32 i = 0; i < out->count && st == ST_OK; i++)
        st = campaign_take_failure(w, &out->seen[i], e);
    campaign_take_left_out(k, out);
    campaign_take_judged(k, out);
    campaign_count_causes(k);
    return st;
}

enum status campaign_take_batch(struct campaign_worker *w, struct batch_out *out, struct err *e)
{
    struct campaign *k = w->k;
    struct err later = { .text = "" };
    bool is_last = is_stopping(k) || out->st != ST_OK;
    enum status st = is_last ? campaign_keep_rest(k, e) : ST_OK; /* before it is too late */
    if (k->r->is_cut || k->r->is_full || st != ST_OK) {
        k->is_torn = true;
    } else {
        st = add_batch(w, out, e);
        k->is_torn |= st != ST_OK || out->st != ST_OK || is_stopping(k);
        steer_take(k, out);
    }
    campaign_out_free(out);
    enum status known = campaign_know(k, st == ST_OK ? e : &later);
    if (k->cfg->progress)
        progress_set(k->cfg->progress, k->r->streams - k->r->forms_fatal, k->r->cause_count);
    st = st == ST_OK ? known : st;
    pthread_mutex_lock(&k->lock);
    bool is_due = k->state && !k->is_torn && state_is_due(k->state, k);
    pthread_mutex_unlock(&k->lock);
    if (st == ST_OK && is_due)
        st = state_keep(k->state, k, e);
    if (st != ST_OK)
        campaign_stop(k);
    return st;
}
