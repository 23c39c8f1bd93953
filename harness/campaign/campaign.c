/* Campaigns: threads, batches, and what becomes of differences. campaign_probe.c asks the DUT what
 * it implements. */
#include "harness/campaign/internal.h"
#include "oracle/isa/op.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CASES_PER_BATCH = 1024,
    FINDINGS_MAX = 200,
    INTERACTIONS_MAX = 24,
    SHRINK_CALLS = 4000,
    SHRINK_CALLS_CRASH = 500, /* each costs a new process; */
    CRASHES_SHRUNK = 6,       /* so many get as much, */
    SHRINK_CALLS_MORE = 50,   /* the others this */
    SHRINK_CALLS_HANG = 6,    /* each costs the time limit of a job */
    HANGS_EXPLAINED = 2,      /* streams of a batch in which the DUT hangs that are cut */
    HANGS_MAX = 8,            /* streams in which the DUT hangs before the campaign ends */
    FATAL_MIN = 32            /* a batch of so many, in all of which it crashes, ends it too */
};

/* One cause seen in one stream. */
struct sighting {
    u64 index; /* of the stream */
    u32 step;
    u16 marker;
    u8 tier;
    bool is_probe; /* `start` is all there is; no stream of the campaign has been made yet */
    struct insn insn;
    struct judgement j;
    struct stream *start; /* NULL if its cause has enough findings already */
};

/* What one batch found out, to be taken up in order. */
struct batch_out {
    u64 streams, insns, right, wrong, unsupported, mended, invalid, narrowed, steps,
        steps_unsupported, tolerated, hangs, fatal;
    u32 narrowed_classes;
    char invalid_reason[64], refused_reason[64];
    u32 count;
    struct sighting seen[CASES_PER_BATCH];
};

struct campaign {
    const struct campaign_cfg *cfg;
    struct campaign_result *r;
    struct generator gen;
    struct isa isa;
    u32 focus_count; /* 0: every opcode */
    u16 focus[OPS_MAX];
    u32 filler; /* dword that takes the place of what the DUT refuses; 0: it has none */
    u64 start_ms;
    pthread_mutex_t lock; /* everything below, and *r */
    pthread_cond_t turned;
    u64 next, turn; /* batch to be taken; batch whose results come next */
    u32 findings, interactions, crashes;
    bool stop;
    enum status st; /* the first failure */
    struct err e;
};

/* An instruction that the DUT does not implement. */
struct refused {
    u64 pc;
    u32 dw;
};

struct worker_state {
    struct campaign *k;
    struct executor x;
    struct stream *stream; /* scratch */
    struct jobbuf *job[CAMPAIGN_BATCH];
    struct batch_out *out;
    struct cover cover;
    u64 index;            /* of the stream that is being explained */
    struct judgement end; /* of that stream */
    bool differs;         /* that stream has a cause */
    bool is_mended;       /* and what the DUT refused was taken out of it */
    bool is_probing;
    bool is_lost;      /* the DUT is not asked any more; what it showed is written as it is */
    u32 refused_count; /* of the stream that is being explained */
    struct refused refused[256];
};

/* ---- names ---- */

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

/* ---- a batch ---- */

/* A wrong scalar result is one cause whichever register it goes to. */
static u8 fold(u8 what)
{
    return what == DIFF_VCC || what == DIFF_EXEC || what == DIFF_M0 ? DIFF_SGPR : what;
}

/* Sequences with one cause end in many different instructions: of those only the encoding
 * counts. */
static bool is_same_cause(const struct campaign_cause *c, u8 tier, const struct insn *in,
                          const struct judgement *j)
{
    if (c->tier != tier || fold(c->what) != fold(j->what) ||
        (c->what == DIFF_OUTCOME && c->outcome != j->outcome))
        return false;
    if (tier == TIER_STEP)
        return c->op == in->op && c->form == in->form;
    return isa_rows[c->op].enc == insn_row(in)->enc;
}

static struct campaign_cause *find_cause(struct campaign *k, u8 tier, const struct insn *in,
                                         const struct judgement *j)
{
    for (u32 i = 0; i < k->r->cause_count; i++)
        if (is_same_cause(&k->r->cause[i], tier, in, j))
            return &k->r->cause[i];
    return NULL;
}

/* Whether another finding of this cause can still become one. Only ever turns from true to false,
 * so that asking early and out of order changes nothing. */
static bool is_wanted(struct campaign *k, u8 tier, const struct insn *in, const struct judgement *j)
{
    pthread_mutex_lock(&k->lock);
    const struct campaign_cause *c = find_cause(k, tier, in, j);
    bool wanted = (!c || c->kept < k->cfg->keep) && k->findings < FINDINGS_MAX &&
                  (tier == TIER_STEP || k->interactions < INTERACTIONS_MAX);
    pthread_mutex_unlock(&k->lock);
    return wanted;
}

/* Notes a cause, once per stream. */
static void note_cause(void *arg, const struct cause *cause)
{
    struct worker_state *w = arg;
    struct batch_out *out = w->out;
    struct err e;
    w->differs = true;
    for (u32 i = out->count; i > 0 && out->seen[i - 1].index == w->index; i--) {
        const struct sighting *s = &out->seen[i - 1];
        struct campaign_cause c = { .tier = s->tier,
                                    .op = s->insn.op,
                                    .form = s->insn.form,
                                    .what = s->j.what,
                                    .outcome = s->j.outcome };
        if (is_same_cause(&c, (u8)cause->tier, &cause->insn, &cause->j))
            return;
    }
    if (out->count == CASES_PER_BATCH)
        return;
    struct sighting *s = &out->seen[out->count++];
    *s = (struct sighting){ .index = w->index,
                            .step = cause->step,
                            .marker = cause->marker,
                            .tier = (u8)cause->tier,
                            .is_probe = w->is_probing,
                            .insn = cause->insn,
                            .j = cause->j };
    /* A difference that does not come again: what there was at first is all that can be shown. */
    if (cause->tier == TIER_END && cause->j.verdict != JUDGED_WRONG)
        s->j = w->end;
    if (!is_wanted(w->k, s->tier, &s->insn, &s->j))
        return;
    s->start = malloc(sizeof *s->start);
    if (s->start && job_to_stream(cause->start, s->start, &e) != ST_OK) {
        free(s->start);
        s->start = NULL;
    }
}

/* The stream of a number; registers that are not set hold the same poison throughout a batch, which
 * the model lays only once. */
static void make_stream(const struct campaign *k, u64 index, struct stream *s)
{
    if (k->focus_count)
        gen_stream_of(&k->gen, k->focus[index % k->focus_count], index / k->focus_count, s);
    else
        gen_stream(&k->gen, index, s);
    s->poison = hash_mix(k->cfg->seed, index / CAMPAIGN_BATCH) | 2;
}

/* Every stream is one of right, wrong, unsupported and invalid. A cause in any part of it makes it
 * wrong, whatever became of the rest. */
static void count_verdict(const struct worker_state *w, const struct subject *s)
{
    struct batch_out *out = w->out;
    u32 verdict = w->differs ? (u32)JUDGED_WRONG : s->j.verdict;
    bool is_judged = verdict == JUDGED_RIGHT || verdict == JUDGED_WRONG;
    out->right += verdict == JUDGED_RIGHT;
    out->wrong += verdict == JUDGED_WRONG;
    out->unsupported += verdict == JUDGED_UNSUPPORTED;
    out->mended += is_judged && w->is_mended;
    out->narrowed += is_judged && (s->j.narrowed || w->is_mended);
    out->narrowed_classes |= is_judged ? s->j.narrowed : 0;
    if (verdict != JUDGED_INVALID)
        return;
    if (out->invalid++ == 0)
        memcpy(out->invalid_reason, s->j.reason, sizeof out->invalid_reason);
}

static void note_refused(void *arg, u64 pc, const struct insn *in)
{
    struct worker_state *w = arg;
    if (w->refused_count < COUNT_OF(w->refused))
        w->refused[w->refused_count++] = (struct refused){ pc, in->dw };
}

static enum status explain(struct worker_state *w, const struct subject *s, u64 index,
                           struct err *e)
{
    struct batch_out *out = w->out;
    struct explained ex;
    struct explain_cfg cfg = { .steps_only = s->j.verdict == JUDGED_UNSUPPORTED,
                               .fn = note_cause,
                               .refused = note_refused,
                               .arg = w };
    w->index = index;
    w->end = s->j;
    w->refused_count = 0;
    enum status st = compare_explain(w->x.compare, s->start, &cfg, &ex, e);
    out->steps += ex.steps;
    out->steps_unsupported += ex.unsupported;
    out->tolerated += ex.tolerated;
    return st;
}

/* An instruction that changes nothing, of those that the DUT implements. */
static u32 choose_filler(const struct campaign_result *r)
{
    static const struct {
        u32 op, dw;
    } fillers[] = { { OP_s_nop, 0xbf800000 },
                    { OP_s_waitcnt, 0xbf8c0000 },
                    { OP_v_nop, 0x7e000000 } };
    for (u32 i = 0; i < COUNT_OF(fillers); i++)
        if (r->supported[fillers[i].op] & F_BASE)
            return fillers[i].dw;
    return 0;
}

/* Puts fillers in place of what the DUT refused. The rest may take another way, and a longer
 * one. */
static void take_out(const struct worker_state *w, struct stream *s)
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
static enum status judge_refused(struct worker_state *w, struct subject *s, struct jobbuf *jb,
                                 u64 index, struct err *e)
{
    enum status st = ST_OK;
    make_stream(w->k, index, w->stream);
    for (u32 round = 0; round < 4 && st == ST_OK && s->j.verdict == JUDGED_UNSUPPORTED; round++) {
        st = explain(w, s, index, e);
        if (st != ST_OK || w->refused_count == 0 || !w->k->filler)
            break;
        take_out(w, w->stream);
        s->start = stream_to_job(w->stream, jb);
        st = compare_run(w->x.compare, s, 1, e);
        w->is_mended = true;
    }
    return st;
}

/* Judges one stream to the end, from what running it as it is gave. */
static enum status settle(struct worker_state *w, struct subject *s, struct jobbuf *jb, u64 index,
                          struct err *e)
{
    struct batch_out *out = w->out;
    enum status st = ST_OK;
    w->differs = w->is_mended = false;
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
    if (st == ST_OK && s->j.verdict == JUDGED_WRONG) {
        st = explain(w, s, index, e);
        /* Nothing is accused: all that differs is left open by the rules, or follows from it. */
        if (st == ST_OK && !w->differs)
            s->j.verdict = JUDGED_RIGHT;
    }
    out->streams++;
    count_verdict(w, s);
    return st;
}

/* Streams first..first+n-1. */
static enum status run_batch(struct worker_state *w, u64 first, u32 n, struct err *e)
{
    struct subject s[CAMPAIGN_BATCH];
    struct batch_out *out = w->out;
    memset(out, 0, offsetof(struct batch_out, seen));
    for (u32 i = 0; i < n; i++) {
        make_stream(w->k, first + i, w->stream);
        u64 before = w->cover.insns;
        cover_stream(&w->cover, &w->k->isa, w->stream);
        out->insns += w->cover.insns - before;
        s[i] = (struct subject){ .start = stream_to_job(w->stream, w->job[i]),
                                 .all = (first + i) % 16 == 0,
                                 .canary = (u32)(first + i) };
    }
    enum status st = compare_run(w->x.compare, s, n, e);
    for (u32 i = 0; i < n; i++) {
        /* Those that a DUT which gave up did not get to were not run. */
        if (st != ST_OK && s[i].j.verdict == JUDGED_INVALID && !s[i].j.reason[0])
            continue;
        enum status settled = settle(w, &s[i], w->job[i], first + i, e);
        st = st == ST_OK ? settled : st;
    }
    return st;
}

/* ---- taking up results, in order ---- */

static void fill_finding(const struct worker_state *w, const struct sighting *s, struct finding *f)
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
    *f->minimal = *s->start;
    if (s->is_probe)
        *f->original = *s->start;
    else
        make_stream(k, s->index, f->original);
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
static enum status make_finding(struct worker_state *w, const struct sighting *s,
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

static struct campaign_cause *add_cause(struct campaign_result *r, const struct sighting *s)
{
    if (r->cause_count == CAMPAIGN_CAUSES_MAX)
        return NULL;
    struct campaign_cause *c = &r->cause[r->cause_count++];
    *c = (struct campaign_cause){ .tier = s->tier,
                                  .op = s->insn.op,
                                  .form = s->insn.form,
                                  .what = s->j.what,
                                  .outcome = s->j.outcome,
                                  .first = s->index };
    return c;
}

/* Only the thread whose turn it is changes causes; the lock is for those who look. */
static enum status take_sighting(struct worker_state *w, struct sighting *s, struct err *e)
{
    struct campaign *k = w->k;
    pthread_mutex_lock(&k->lock);
    struct campaign_cause *c = find_cause(k, s->tier, &s->insn, &s->j);
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
    r->unsupported += out->unsupported;
    r->mended += out->mended;
    r->invalid += out->invalid;
    r->narrowed += out->narrowed;
    r->narrowed_classes |= out->narrowed_classes;
    r->steps += out->steps;
    r->steps_unsupported += out->steps_unsupported;
    r->tolerated += out->tolerated;
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

/* Once the campaign is cut, what other threads still had under way is dropped: how much that is
 * depends on their number. */
static enum status take_up(struct worker_state *w, struct err *e)
{
    struct batch_out *out = w->out;
    enum status st = ST_OK;
    bool is_dropped = w->k->r->is_cut;
    if (!is_dropped) {
        add_counters(w->k->r, out);
        count_hangs(w->k, out);
    }
    for (u32 i = 0; i < out->count; i++) {
        if (st == ST_OK && !is_dropped)
            st = take_sighting(w, &out->seen[i], e);
        free(out->seen[i].start);
    }
    if (w->k->cfg->progress)
        progress_set(w->k->cfg->progress, w->k->r->streams - w->k->r->forms_fatal,
                     w->k->r->cause_count);
    return st;
}

/* ---- threads ---- */

static void fail(struct campaign *k, enum status st, const struct err *e)
{
    pthread_mutex_lock(&k->lock);
    if (st != ST_OK && k->st == ST_OK) {
        k->st = st;
        k->e = *e;
    }
    k->stop |= st != ST_OK;
    pthread_mutex_unlock(&k->lock);
}

/* The next batch of this shard, or false if there is none. */
static bool next_batch(struct campaign *k, u64 *batch, u64 *first, u32 *n)
{
    const struct campaign_cfg *cfg = k->cfg;
    pthread_mutex_lock(&k->lock);
    bool late = cfg->time_ms && progress_now_ms() - k->start_ms >= cfg->time_ms;
    *first = (k->next * cfg->shards + cfg->shard) * CAMPAIGN_BATCH;
    bool ok =
        !k->stop && !late && !(cfg->stop && *cfg->stop) && (cfg->count == 0 || *first < cfg->count);
    *n = cfg->count && cfg->count - *first < CAMPAIGN_BATCH ? (u32)(cfg->count - *first)
                                                            : CAMPAIGN_BATCH;
    *batch = k->next;
    k->next += ok;
    pthread_mutex_unlock(&k->lock);
    return ok;
}

static void wait_turn(struct campaign *k, u64 batch)
{
    pthread_mutex_lock(&k->lock);
    while (k->turn != batch)
        pthread_cond_wait(&k->turned, &k->lock);
    pthread_mutex_unlock(&k->lock);
}

static void pass_turn(struct campaign *k)
{
    pthread_mutex_lock(&k->lock);
    k->turn++;
    pthread_cond_broadcast(&k->turned);
    pthread_mutex_unlock(&k->lock);
}

static void close_worker(struct worker_state *w)
{
    for (u32 i = 0; i < CAMPAIGN_BATCH; i++)
        jobbuf_free(w->job[i]);
    executor_close(&w->x);
    free(w->stream);
    free(w->out);
    free(w);
}

static struct worker_state *open_worker(struct campaign *k, struct err *e, enum status *st)
{
    struct worker_state *w = calloc(1, sizeof *w);
    *st = err_set(e, ST_WORLD, "out of memory");
    if (!w)
        return NULL;
    w->k = k;
    w->stream = calloc(1, sizeof *w->stream);
    w->out = calloc(1, sizeof *w->out);
    bool ok = w->stream && w->out;
    for (u32 i = 0; i < CAMPAIGN_BATCH && ok; i++)
        ok = (w->job[i] = jobbuf_new()) != NULL;
    struct executor_cfg xc = { .mcpu = k->cfg->mcpu,
                               .dut = k->cfg->dut,
                               .engine = k->cfg->engine,
                               .exact = dut_is_exact(k->cfg->dut),
                               .in_process = k->cfg->in_process,
                               .dut_time_ms = k->cfg->dut_time_ms };
    if (ok)
        *st = executor_open(&w->x, &xc, e);
    if (*st != ST_OK) {
        close_worker(w);
        return NULL;
    }
    return w;
}

static void run_batches(struct worker_state *w)
{
    struct campaign *k = w->k;
    struct err e = { .text = "" };
    u64 batch, first;
    u32 n;
    while (next_batch(k, &batch, &first, &n)) {
        enum status st = run_batch(w, first, n, &e);
        wait_turn(k, batch);
        fail(k, st, &e);
        st = take_up(w, &e);
        fail(k, st, &e);
        pass_turn(k);
    }
    pthread_mutex_lock(&k->lock);
    cover_merge(&k->r->cover, &w->cover);
    pthread_mutex_unlock(&k->lock);
}

/* A DUT belongs to the thread that opened it. */
static void *work(void *arg)
{
    struct campaign *k = arg;
    struct err e = { .text = "" };
    enum status st;
    struct worker_state *w = open_worker(k, &e, &st);
    fail(k, st, &e);
    if (w) {
        run_batches(w);
        close_worker(w);
    }
    return NULL;
}

/* This thread works as well, so that one that cannot be made is no loss. */
static void run_threads(struct campaign *k, struct worker_state *mine)
{
    pthread_t thread[64];
    u32 n = 0, want = k->cfg->jobs < COUNT_OF(thread) ? k->cfg->jobs : COUNT_OF(thread);
    while (n + 1 < want && pthread_create(&thread[n], NULL, work, k) == 0)
        n++;
    run_batches(mine);
    while (n > 0)
        pthread_join(thread[--n], NULL);
}

/* ---- the whole ---- */

/* Opcodes that --only names: "v_add_u32,vop2". */
static enum status choose_focus(struct campaign *k, struct err *e)
{
    const char *s = k->cfg->only;
    while (s && *s) {
        size_t len = strcspn(s, ",");
        u32 before = k->focus_count;
        bool known = false, modelled = false, refused = false;
        for (u32 i = 0; i < isa_op_count; i++) {
            const char *name = isa_rows[i].name, *enc = isa_encs[isa_rows[i].enc].name;
            if (i == OP_NONE || !isa_has(&k->isa, i) ||
                !((strlen(name) == len && strncasecmp(name, s, len) == 0) ||
                  (strlen(enc) == len && strncasecmp(enc, s, len) == 0)))
                continue;
            known = true;
            modelled |= isa_modelled(i);
            refused |= gen_forms(&k->isa, i) && !k->r->supported[i];
            for (u32 g = 0; g < k->gen.op_count && k->focus_count < isa_op_count; g++)
                if (k->gen.op[g] == i)
                    k->focus[k->focus_count++] = (u16)i;
        }
        if (!known)
            return err_set(e, ST_INPUT, "--only: no mnemonic or encoding '%.*s'",
                           (int)(len < 60 ? len : 60), s);
        if (k->focus_count == before)
            return err_set(e, ST_INPUT,
                           refused    ? "--only: the DUT does not implement '%.*s'"
                           : modelled ? "--only: random programs do not turn around '%.*s'"
                                      : "--only: '%.*s' is not modelled",
                           (int)(len < 60 ? len : 60), s);
        s += len + (s[len] == ',');
    }
    return ST_OK;
}

/* Asks the DUT what it implements. What kills it alone is a finding already, and is kept out of the
 * streams. */
static enum status probe(struct worker_state *w, struct err *e)
{
    struct campaign *k = w->k;
    memset(w->out, 0, offsetof(struct batch_out, seen));
    w->is_probing = true;
    enum status st = dut_is_exact(k->cfg->dut) ? ST_OK : campaign_check_end(&w->x, k->cfg->mcpu, e);
    if (st == ST_OK)
        st = campaign_probe(&w->x, &k->isa, k->cfg, note_cause, w, k->r, e);
    w->is_lost = st != ST_OK;
    struct err taken = { .text = "" };
    enum status kept = ST_OK;
    for (u32 i = 0; i < w->out->count; i++) {
        if (kept == ST_OK)
            kept = take_sighting(w, &w->out->seen[i], &taken);
        free(w->out->seen[i].start);
    }
    if (st == ST_OK && kept != ST_OK) {
        st = kept;
        *e = taken;
    }
    w->is_probing = false;
    k->r->streams += k->r->forms_fatal;
    k->r->wrong += k->r->forms_fatal;
    return st;
}

static enum status prepare(struct worker_state *w, struct err *e)
{
    struct campaign *k = w->k;
    struct gen_cfg gc = gen_cfg_default;
    memcpy(k->r->dut_name, w->x.dut->name, sizeof k->r->dut_name);
    memcpy(k->r->dut_version, w->x.dut->version, sizeof k->r->dut_version);
    enum status st = probe(w, e);
    gc.seed = k->cfg->seed;
    gc.forms = k->r->supported;
    k->filler = choose_filler(k->r);
    if (k->cfg->length)
        gc.insns_min = gc.insns_max =
            (u32)(k->cfg->length < UINT32_MAX ? k->cfg->length : UINT32_MAX);
    gc.features = executor_features(&w->x);
    if (st == ST_OK && k->r->ops_done == 0)
        st = err_set(e, ST_INPUT, "the DUT implements no instruction that the generator knows");
    if (st == ST_OK)
        st = gen_open(&k->gen, &k->isa, &gc, e);
    return st == ST_OK ? choose_focus(k, e) : st;
}

enum status campaign_run(const struct campaign_cfg *cfg, struct campaign_result *r, struct err *e)
{
    struct campaign *k = calloc(1, sizeof *k);
    struct worker_state *w = NULL;
    memset(r, 0, sizeof *r);
    if (!k)
        return err_set(e, ST_WORLD, "out of memory");
    k->cfg = cfg;
    k->r = r;
    k->start_ms = progress_now_ms();
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->turned, NULL);
    enum status st = isa_open_modelled(&k->isa, cfg->mcpu, e);
    if (st == ST_OK)
        w = open_worker(k, e, &st);
    if (st == ST_OK)
        st = prepare(w, e);
    if (st == ST_OK) {
        run_threads(k, w);
        st = k->st;
        *e = k->e;
    }
    if (w)
        close_worker(w);
    pthread_cond_destroy(&k->turned);
    pthread_mutex_destroy(&k->lock);
    free(k);
    return st;
}
