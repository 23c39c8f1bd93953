/* Runs the units: threads with a DUT each take chunks in order; the caller's thread hands their
 * results over in the same order, so that the output does not depend on how many threads there
 * are. */
#include "harness/run/plan.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CHUNK_UNITS = 64,
    CHUNK_RESULTS = 256,
    AHEAD = 4 /* chunks per thread that may wait to be handed over */
};

struct chunk {
    u32 first, units;
    u32 results;
    struct result *result;
    u32 valid; /* of them, in order: fewer than results if the DUT was lost */
    bool done;
    enum status status;
    struct err err;
};

struct pool {
    struct run *run;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    u32 chunks, next, handed, ahead;
    struct chunk *chunk;
    u32 opened, failed; /* threads */
    enum status open_status;
    struct err open_err;
    bool stop;
};

struct worker {
    struct pool *pool;
    pthread_t thread;
    struct dut *dut, *model;
    struct jobbuf *buf[CHUNK_UNITS], *model_buf;
    struct gcncheck_job job[CHUNK_UNITS];
    u32 unit_of[CHUNK_UNITS], result_of[CHUNK_UNITS]; /* of job i, within the chunk */
    struct run_scratch *scratch;
    struct result *model_result;
};

/* ---- one worker ---- */

static enum status open_worker(struct worker *w, struct err *e)
{
    const struct run_cfg *c = &w->pool->run->cfg;
    struct dut_cfg d = { .mcpu = c->mcpu,
                         .time_limit_ms = c->dut_time_ms,
                         .in_process = c->in_process };
    bool memory = (w->scratch = run_scratch_new()) && (w->model_buf = jobbuf_new()) &&
                  (w->model_result = calloc(LANES, sizeof *w->model_result));
    for (u32 i = 0; memory && i < CHUNK_UNITS; i++)
        memory = (w->buf[i] = jobbuf_new()) != NULL;
    if (!memory)
        return err_set(e, ST_WORLD, "out of memory");
    return dut_open(c->dut, &d, &w->dut, e);
}

static void close_worker(struct worker *w)
{
    dut_close(w->dut);
    dut_close(w->model);
    for (u32 i = 0; i < CHUNK_UNITS; i++)
        jobbuf_free(w->buf[i]);
    jobbuf_free(w->model_buf);
    run_scratch_free(w->scratch);
    free(w->model_result);
}

static void fail_all(const struct run_unit *u, struct result *r, u32 status, const char *reason,
                     const char *detail)
{
    for (u32 i = 0; i < u->shown; i++) {
        r[i].status = status;
        RESULT_SET(r[i].reason, "%s", reason);
        RESULT_SET(r[i].detail, "%s", detail);
    }
}

/* What the model says to a unit that differs: whether it gives what the case expects. */
static void ask_model(struct worker *w, const struct run_unit *u, struct result *r)
{
    struct run *run = w->pool->run;
    struct err e;
    struct dut_cfg d = { .mcpu = run->cfg.mcpu };
    if (!w->model && dut_open("model", &d, &w->model, &e) != ST_OK)
        return;
    struct gcncheck_job *job = run_build(u, run->cfg.mcpu, w->model, w->model_buf);
    if (!job)
        return;
    bool ran = dut_run(w->model, job, 1, &e) == ST_OK && job->outcome == OUT_DONE;
    for (u32 i = 0; i < u->shown; i++)
        result_init(&w->model_result[i]);
    if (ran)
        run_compare(w->scratch, u, job, w->model_result);
    for (u32 i = 0; i < u->shown; i++) {
        if (r[i].status != RESULT_NOT_OK)
            continue;
        if (!ran)
            RESULT_SET(r[i].model, "%s (%s)", outcome_name(job->outcome), job->reason);
        else
            RESULT_SET(r[i].model, "%s",
                       w->model_result[i].diff_count ? "differs from expected"
                                                     : "agrees with expected");
    }
}

/* Fills the results of a unit whose job was answered. */
static void judge(struct worker *w, const struct run_unit *u, const struct gcncheck_job *job,
                  struct result *r)
{
    bool wrong = false;
    switch (job->outcome) {
    case OUT_DONE: run_compare(w->scratch, u, job, r); break;
    case OUT_UNSUPPORTED: fail_all(u, r, RESULT_SKIP, RESULT_UNIMPLEMENTED, job->reason); return;
    default: fail_all(u, r, RESULT_NOT_OK, outcome_name(job->outcome), job->reason); break;
    }
    for (u32 i = 0; i < u->shown; i++) {
        if (r[i].diff_count)
            r[i].status = RESULT_NOT_OK;
        wrong = wrong || r[i].status == RESULT_NOT_OK;
    }
    if (!wrong)
        return;
    run_explain(u, &w->pool->run->cfg, r);
    ask_model(w, u, r);
    for (u32 i = 0; i < u->shown; i++)
        if (r[i].status == RESULT_NOT_OK && r[i].diff_count &&
            errata_weakest(r[i].ledger) < w->pool->run->cfg.gate)
            r[i].status = RESULT_TODO;
}

static void check_reject(const struct run_unit *u, const struct run_cfg *cfg, struct result *r)
{
    struct err e = { 0 };
    if (casefile_rejects(u->isa, u->file, u->test, &e) == ST_OK)
        return;
    fail_all(u, r, RESULT_NOT_OK, "not-rejected", e.text);
    RESULT_SET(r->against, "the rules");
    run_explain(u, cfg, r);
}

/* Describes every unit of a chunk, settles those without a job and builds the jobs of the others.
 * Returns their number. Without memory for a job the chunk ends before its unit. */
static u32 prepare(struct worker *w, struct chunk *c)
{
    const struct run *run = w->pool->run;
    u32 jobs = 0, at = 0;
    for (u32 i = 0; i < c->units; i++) {
        const struct run_unit *u = &run->unit[c->first + i];
        struct result *r = &c->result[at];
        char name[48];
        run_describe(u, &run->cfg, r);
        if (u->elsewhere) {
            fail_all(u, r, RESULT_SKIP, "not-for-processor", run->cfg.mcpu);
        } else if (!u->program) {
            check_reject(u, &run->cfg, r);
        } else if (run_cannot(u, w->dut, name, sizeof name)) {
            fail_all(u, r, RESULT_SKIP, "cannot-set", name);
            for (u32 k = 0; k < u->shown; k++)
                RESULT_SET(r[k].narrowed, "%s fixed", name);
        } else {
            w->unit_of[jobs] = i;
            w->result_of[jobs] = at;
            const struct gcncheck_job *job = run_build(u, run->cfg.mcpu, w->dut, w->buf[jobs]);
            if (!job) {
                c->status = err_set(&c->err, ST_WORLD, "out of memory for a job");
                c->valid = at;
                break;
            }
            w->job[jobs++] = *job;
        }
        at += u->shown;
    }
    return jobs;
}

static void do_chunk(struct worker *w, struct chunk *c)
{
    const struct run *run = w->pool->run;
    c->result = calloc(c->results, sizeof *c->result);
    if (!c->result) {
        c->status = err_set(&c->err, ST_WORLD, "out of memory");
        return;
    }
    c->valid = c->results;
    u32 jobs = prepare(w, c);
    struct err e = { 0 };
    enum status st = dut_run(w->dut, w->job, jobs, &e);
    if (st != ST_OK) {
        c->status = st;
        c->err = e;
    }
    for (u32 i = 0; i < jobs; i++) {
        if (w->job[i].outcome == OUT_NOT_RUN && st != ST_OK) {
            c->valid = w->result_of[i];
            return;
        }
        judge(w, &run->unit[c->first + w->unit_of[i]], &w->job[i], &c->result[w->result_of[i]]);
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct pool *p = w->pool;
    struct err e = { 0 };
    enum status st = open_worker(w, &e);
    pthread_mutex_lock(&p->lock);
    p->opened++;
    if (st != ST_OK && p->open_status == ST_OK) {
        p->open_status = st;
        p->open_err = e;
    }
    p->stop = p->stop || st != ST_OK;
    pthread_cond_broadcast(&p->changed);
    while (st == ST_OK && !p->stop && p->next < p->chunks) {
        if (p->next >= p->handed + p->ahead) {
            pthread_cond_wait(&p->changed, &p->lock);
            continue;
        }
        struct chunk *c = &p->chunk[p->next++];
        pthread_mutex_unlock(&p->lock);
        do_chunk(w, c);
        pthread_mutex_lock(&p->lock);
        c->done = true;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    close_worker(w);
    return NULL;
}

/* ---- the pool ---- */

static enum status cut_chunks(struct pool *p, struct err *e)
{
    struct run *r = p->run;
    p->chunk = calloc(r->units ? r->units : 1, sizeof *p->chunk);
    if (!p->chunk)
        return err_set(e, ST_WORLD, "out of memory");
    for (u32 i = r->skip_unit; i < r->units; i++) {
        struct chunk *c = p->chunks ? &p->chunk[p->chunks - 1] : NULL;
        if (!c || c->units == CHUNK_UNITS || c->results + r->unit[i].shown > CHUNK_RESULTS) {
            c = &p->chunk[p->chunks++];
            c->first = i;
        }
        c->units++;
        c->results += r->unit[i].shown;
    }
    return ST_OK;
}

/* Hands chunks over in order, waiting for each. */
static enum status hand_over(struct pool *p, run_result_fn *fn, void *ctx, struct err *e)
{
    enum status st = ST_OK;
    for (u32 i = 0; st == ST_OK && i < p->chunks; i++) {
        struct chunk *c = &p->chunk[i];
        pthread_mutex_lock(&p->lock);
        while (!c->done && p->open_status == ST_OK)
            pthread_cond_wait(&p->changed, &p->lock);
        st = p->open_status;
        *e = p->open_err;
        pthread_mutex_unlock(&p->lock);
        if (st != ST_OK)
            break;
        for (u32 k = i ? 0 : p->run->skip_results; k < c->valid; k++)
            fn(ctx, &c->result[k]);
        free(c->result);
        c->result = NULL;
        st = c->status;
        *e = c->err;
        pthread_mutex_lock(&p->lock);
        p->handed = i + 1;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
    }
    return st;
}

/* Starts up to `threads` workers; returns how many run. */
static u32 start_workers(struct pool *p, struct worker *w, u32 threads)
{
    u32 n = 0;
    while (n < threads) {
        w[n].pool = p;
        if (pthread_create(&w[n].thread, NULL, work, &w[n]) != 0)
            break;
        n++;
    }
    return n;
}

enum status run_skip(struct run *r, const struct result *done, struct err *e)
{
    if (r->skip_unit == r->units)
        return err_set(e, ST_INPUT, "has more results than the run: %.100s", done->id);
    const struct run_unit *u = &r->unit[r->skip_unit];
    if (!r->skipped && !(r->skipped = calloc(LANES, sizeof *r->skipped)))
        return err_set(e, ST_WORLD, "out of memory");
    if (r->skip_results == 0)
        run_describe(u, &r->cfg, r->skipped);
    if (strcmp(r->skipped[r->skip_results].id, done->id) != 0)
        return err_set(e, ST_INPUT, "holds %.80s where the run has %.80s", done->id,
                       r->skipped[r->skip_results].id);
    if (++r->skip_results == u->shown) {
        r->skip_results = 0;
        r->skip_unit++;
    }
    return ST_OK;
}

enum status run_all(struct run *r, run_result_fn *fn, void *ctx, struct err *e)
{
    struct pool p = { .run = r };
    enum status st = cut_chunks(&p, e);
    u32 threads = r->cfg.jobs < p.chunks ? r->cfg.jobs : p.chunks;
    /* With nothing to run the DUT is opened all the same: a wrong name is an error whatever was
     * selected. */
    threads = threads ? threads : 1;
    p.ahead = AHEAD * threads;
    struct worker *workers = calloc(threads, sizeof *workers);
    if (st == ST_OK && !workers)
        st = err_set(e, ST_WORLD, "out of memory");
    if (st != ST_OK) {
        free(p.chunk);
        free(workers);
        return st;
    }
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    u32 running = start_workers(&p, workers, threads);
    pthread_mutex_lock(&p.lock);
    while (p.opened < running)
        pthread_cond_wait(&p.changed, &p.lock);
    st = p.open_status;
    *e = p.open_err;
    pthread_mutex_unlock(&p.lock);
    if (!running)
        st = err_set(e, ST_WORLD, "no thread can be started");
    if (st == ST_OK)
        st = hand_over(&p, fn, ctx, e);
    pthread_mutex_lock(&p.lock);
    p.stop = true;
    pthread_cond_broadcast(&p.changed);
    pthread_mutex_unlock(&p.lock);
    for (u32 i = 0; i < running; i++)
        pthread_join(workers[i].thread, NULL);
    for (u32 i = 0; i < p.chunks; i++)
        free(p.chunk[i].result);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
    free(p.chunk);
    free(workers);
    return st;
}
