/* Runs the units: a pool of threads with a DUT each works on chunks of them and hands their results
 * over in order, so that the output does not depend on how many threads there are. */
#include "harness/io/clock.h"
#include "harness/io/pool.h"
#include "harness/io/progress.h"
#include "harness/io/stop.h"
#include "harness/run/plan.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    CHUNK_UNITS = 64,
    CHUNK_RESULTS = 256,
    AHEAD = 4,         /* chunks per thread that may wait to be handed over */
    LOCALISED_MAX = 16 /* units of a file */
};

/* Units that are run in one go. */
struct chunk {
    u32 first, units;
    u32 results;
};

/* What became of a chunk. */
struct chunk_out {
    struct result *result;
    u32 valid; /* of them, in order: fewer than chunk.results if the DUT was lost */
    struct run_more more;
    enum status status;
    struct err err;
};

/* A run under way. */
struct work {
    struct run *run;
    u32 chunks;
    struct chunk *chunk;
    run_result_fn *fn;
    void *ctx;
    u64 end_ms; /* when the time is over; 0: never */
};

struct worker {
    const struct work *work;
    struct dut *dut, *model;
    struct compare *compare; /* of dut; NULL until it is needed */
    struct jobbuf *buf[CHUNK_UNITS], *model_buf;
    struct gcncheck_job job[CHUNK_UNITS];
    u32 unit_of[CHUNK_UNITS], result_of[CHUNK_UNITS]; /* of job i, within the chunk */
    struct run_scratch *scratch;
    struct result *model_result;
};

/* ---- one worker ---- */

static void close_worker(void *worker)
{
    struct worker *w = worker;
    compare_close(w->compare);
    dut_close(w->dut);
    dut_close(w->model);
    for (u32 i = 0; i < CHUNK_UNITS; i++)
        jobbuf_free(w->buf[i]);
    jobbuf_free(w->model_buf);
    run_scratch_free(w->scratch);
    free(w->model_result);
    free(w);
}

static enum status open_worker(void *ctx, void **worker, struct err *e)
{
    const struct work *work = ctx;
    const struct run_cfg *c = &work->run->cfg;
    struct dut_cfg d = { .mcpu = c->mcpu,
                         .time_limit_ms = c->dut_time_ms,
                         .in_process = c->in_process };
    struct worker *w = calloc(1, sizeof *w);
    if (!w)
        return err_memory(e);
    w->work = work;
    bool memory = (w->scratch = run_scratch_new()) && (w->model_buf = jobbuf_new()) &&
                  (w->model_result = calloc(LANES, sizeof *w->model_result));
    for (u32 i = 0; memory && i < CHUNK_UNITS; i++)
        memory = (w->buf[i] = jobbuf_new()) != NULL;
    enum status st = memory ? dut_open(c->dut, &d, &w->dut, e) : err_memory(e);
    if (st != ST_OK) {
        close_worker(w);
        return st;
    }
    *worker = w;
    return ST_OK;
}

static void fail_all(const struct run_unit *u, struct result *r, u32 status, const char *reason,
                     const char *detail)
{
    for (u32 i = 0; i < u->shown; i++) {
        if (r[i].status == RESULT_SKIP)
            continue;
        r[i].status = status;
        RESULT_SET(r[i].reason, "%s", reason);
        RESULT_SET(r[i].detail, "%s", detail);
        if (status == RESULT_NOT_OK)
            run_set_cause(&r[i], reason);
    }
}

/* Runs a unit on the model, as it is put to `as`, and fills w->model_result. OUT_DONE in the job: it
 * came to its end. ST_WORLD: no memory. */
static enum status run_model(struct worker *w, const struct run_unit *u, const struct dut *as,
                             struct gcncheck_job **job, struct err *e)
{
    const struct run *run = w->work->run;
    struct dut_cfg d = { .mcpu = run->cfg.mcpu };
    enum status st = w->model ? ST_OK : dut_open("model", &d, &w->model, e);
    if (st != ST_OK)
        return st;
    *job = run_build(u, run->cfg.mcpu, as ? as : w->model, w->model_buf);
    st = *job ? dut_run(w->model, *job, 1, e) : err_memory(e);
    if (st != ST_OK)
        return st;
    for (u32 i = 0; i < u->shown; i++)
        result_init(&w->model_result[i]);
    if ((*job)->outcome == OUT_DONE)
        run_compare(w->scratch, u, *job, w->model_result, NULL);
    return ST_OK;
}

/* Whether a row comes out as the case expects it under the DUT's MODE, too; if not, it needs the
 * other. The model says so; what is expected of the DUT stays what the case says. */
static bool needs_mode(const struct worker *w, const struct gcncheck_job *job, u32 i)
{
    return job->outcome != OUT_DONE || w->model_result[i].diff_count;
}

/* Leaves out the rows that need a MODE which the DUT does not know. *any: there are others. */
static enum status leave_out_modes(struct worker *w, const struct run_unit *u, struct result *r,
                                   bool *any, struct err *e)
{
    struct gcncheck_job *job;
    enum status st = run_model(w, u, w->dut, &job, e);
    *any = false;
    for (u32 i = 0; st == ST_OK && i < u->shown; i++) {
        if (r[i].status == RESULT_SKIP)
            continue;
        if (!needs_mode(w, job, i)) {
            *any = true;
            continue;
        }
        r[i].status = RESULT_SKIP;
        RESULT_SET(r[i].reason, RESULT_OTHER_MODE);
        RESULT_SET(r[i].detail, "0x%08x, the device has 0x%08x", u->test->mode, w->dut->fixed_mode);
        RESULT_SET(r[i].narrowed, "mode fixed");
    }
    return st;
}

/* What the model says to a unit that differs: whether it gives what the case expects. */
static enum status ask_model(struct worker *w, const struct run_unit *u, struct result *r,
                             struct err *e)
{
    struct gcncheck_job *job;
    enum status st = run_model(w, u, NULL, &job, e);
    for (u32 i = 0; st == ST_OK && i < u->shown; i++) {
        if (r[i].status != RESULT_NOT_OK)
            continue;
        if (job->outcome != OUT_DONE)
            RESULT_SET(r[i].model, "%s (%s)", dut_outcome_name(job->outcome), job->reason);
        else
            RESULT_SET(r[i].model, "%s",
                       w->model_result[i].diff_count ? "differs from expected"
                                                     : "agrees with expected");
    }
    return st;
}

/* Of a row that is not judged. */
static void drop_diffs(struct result *r)
{
    memset(r->diff, 0, sizeof r->diff);
    r->diff_count = 0;
    r->cause[0] = '\0';
}

/* Fills the results of a unit whose job was answered. ST_WORLD: no memory to say all of them. */
static enum status judge(struct worker *w, const struct run_unit *u, const struct gcncheck_job *job,
                         struct result *r, struct run_more *more, struct err *e)
{
    bool wrong = false;
    switch (job->outcome) {
    case OUT_DONE:
        run_compare(w->scratch, u, job, r, w->work->run->cfg.more ? more : NULL);
        for (u32 i = 0; i < u->shown; i++)
            if (r[i].status == RESULT_SKIP)
                drop_diffs(&r[i]);
        break;
    case OUT_UNSUPPORTED:
        fail_all(u, r, RESULT_SKIP, RESULT_UNIMPLEMENTED, job->reason);
        return ST_OK;
    default: fail_all(u, r, RESULT_NOT_OK, dut_outcome_name(job->outcome), job->reason); break;
    }
    for (u32 i = 0; i < u->shown; i++) {
        if (r[i].diff_count)
            r[i].status = RESULT_NOT_OK;
        wrong = wrong || r[i].status == RESULT_NOT_OK;
    }
    if (!wrong)
        return ST_OK;
    run_explain(u, &w->work->run->cfg, r);
    enum status st = ask_model(w, u, r, e);
    for (u32 i = 0; i < u->shown; i++)
        if (r[i].status == RESULT_NOT_OK && r[i].diff_count &&
            errata_weakest(r[i].ledger) < w->work->run->cfg.gate)
            r[i].status = RESULT_TODO;
    return st;
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

/* Leaves out the rows that --skips names. False: that is all of them. */
static bool leave_out_listed(const struct run_cfg *cfg, const struct run_unit *u, struct result *r)
{
    bool any = false;
    for (u32 i = 0; i < u->shown; i++) {
        if (!cfg->known || !known_skips(cfg->known, r[i].id)) {
            any = true;
            continue;
        }
        r[i].status = RESULT_SKIP;
        RESULT_SET(r[i].reason, KNOWN_SKIPPED);
    }
    return any;
}

/* The chunk ends before the results from `at` on. */
static void end_chunk(struct chunk_out *out, u32 at, enum status st, const struct err *e)
{
    out->valid = at;
    out->status = st;
    out->err = *e;
}

/* Builds the job of a unit, unless all of its rows are left out. ST_WORLD: no memory. */
static enum status add_job(struct worker *w, const struct run_unit *u, struct result *r, u32 *jobs,
                           struct err *e)
{
    bool any = true;
    enum status st = run_has_other_mode(u, w->dut) ? leave_out_modes(w, u, r, &any, e) : ST_OK;
    if (st != ST_OK || !any)
        return st;
    const struct gcncheck_job *job = run_build(u, w->work->run->cfg.mcpu, w->dut, w->buf[*jobs]);
    if (!job)
        return err_set(e, ST_WORLD, "out of memory for a job");
    w->job[(*jobs)++] = *job;
    return ST_OK;
}

/* Describes every unit of a chunk, settles those without a job and builds the jobs of the others.
 * Returns their number. Without memory for a job the chunk ends before its unit. */
static u32 prepare(struct worker *w, const struct chunk *c, struct chunk_out *out)
{
    const struct run *run = w->work->run;
    u32 jobs = 0, at = 0;
    enum status st = ST_OK;
    struct err e = { 0 };
    for (u32 i = 0; i < c->units && st == ST_OK; i++) {
        const struct run_unit *u = &run->unit[c->first + i];
        struct result *r = &out->result[at];
        char name[48];
        run_describe(u, &run->cfg, r);
        if (!leave_out_listed(&run->cfg, u, r)) {
            at += u->shown;
            continue;
        }
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
            st = add_job(w, u, r, &jobs, &e);
            if (st != ST_OK)
                end_chunk(out, at, st, &e);
        }
        at += u->shown;
    }
    return jobs;
}

static void do_chunk(struct worker *w, const struct chunk *c, struct chunk_out *out)
{
    const struct run *run = w->work->run;
    *out = (struct chunk_out){ .result = calloc(c->results, sizeof *out->result) };
    if (!out->result) {
        out->status = err_memory(&out->err);
        return;
    }
    out->valid = c->results;
    u32 jobs = prepare(w, c, out);
    struct err e = { 0 };
    enum status st = dut_run(w->dut, w->job, jobs, &e);
    if (st != ST_OK) {
        out->status = st;
        out->err = e;
    }
    for (u32 i = 0; i < jobs; i++) {
        if (w->job[i].outcome == OUT_NOT_RUN && st != ST_OK) {
            out->valid = w->result_of[i];
            return;
        }
        struct err why = { 0 };
        enum status said = judge(w, &run->unit[c->first + w->unit_of[i]], &w->job[i],
                                 &out->result[w->result_of[i]], &out->more, &why);
        if (said != ST_OK) {
            end_chunk(out, w->result_of[i], said, &why);
            return;
        }
    }
    if (out->more.is_short && out->status == ST_OK)
        out->status = err_memory(&out->err);
}

/* ---- as a pool of workers ---- */

static bool has_chunk(void *ctx, u64 index)
{
    const struct work *work = ctx;
    bool is_over = work->end_ms && clock_ms() >= work->end_ms;
    return index < work->chunks && !is_over && !stop_requested();
}

static bool do_one(void *worker, u64 index, void *result)
{
    struct worker *w = worker;
    struct chunk_out *out = result;
    do_chunk(w, &w->work->chunk[index], out);
    return out->status == ST_OK;
}

static void drop_results(void *result)
{
    struct chunk_out *out = result;
    free(out->result);
    free(out->more.at);
}

/* A unit's are found place by place, for one row and another. */
static void hand_over_more(const struct work *work, const struct chunk_out *out,
                           const struct result *r)
{
    for (u32 i = 0; i < out->more.count; i++)
        if (out->more.at[i].r == r && result_differs(r))
            work->run->cfg.more(work->ctx, r, &out->more.at[i].d);
}

/* ---- where the DUT parts from the model ---- */

/* Counts a unit that differs. A file's are counted in order, so that what is localised does not
 * depend on the number of threads or on how often a run was cut short. */
static bool is_within_bound(struct run *r, const struct run_unit *u)
{
    if (r->localised_in != u->file)
        r->localised = 0;
    r->localised_in = u->file;
    return r->localised++ < LOCALISED_MAX;
}

/* Only a program of several instructions leaves open which of them is wrong. */
static bool is_open(const struct run_unit *u)
{
    return u->program && u->program->insns > 1;
}

/* ST_WORLD: no memory, or the wish to end, after which somebody else may go on; whatever else hinders
 * it is said in the results. */
static enum status localise(struct worker *w, const struct run_unit *u, struct result *r,
                            struct err *e)
{
    struct run *run = w->work->run;
    struct compare_cfg cc = { .mcpu = run->cfg.mcpu,
                              .engine = "ref",
                              .batch = 8, /* programs of cases are short */
                              .exact = dut_is_exact(run->cfg.dut) };
    u32 outcome = OUT_DONE;
    for (u32 i = 0; i < u->shown; i++)
        for (u32 k = 0; result_differs(&r[i]) && k < OUT_COUNT; k++)
            if (strcmp(r[i].reason, dut_outcome_name(k)) == 0)
                outcome = k;
    if (!is_within_bound(run, u)) {
        run_not_localised(u, "enough of this file were", r);
        return ST_OK;
    }
    enum status st = w->compare ? ST_OK : compare_open(&w->compare, &cc, w->dut, e);
    if (st != ST_OK)
        return st;
    const struct gcncheck_job *job = run_build(u, run->cfg.mcpu, w->dut, w->model_buf);
    return job ? run_localise(u, w->compare, job, outcome, r, e) : err_memory(e);
}

/* One at a time and in order; where memory is short or the run is to end, the chunk ends before the
 * unit. Who asks for every difference holds devices beside one another, and does not look for what is
 * wrong in one of them. */
static void localise_chunk(struct worker *w, const struct chunk *c, struct chunk_out *out)
{
    struct result *r = out->result;
    enum status st = ST_OK;
    struct err e = { 0 };
    for (u32 i = 0; i < c->units && st == ST_OK; i++) {
        const struct run_unit *u = &w->work->run->unit[c->first + i];
        if (r + u->shown > out->result + out->valid)
            break;
        bool is_wrong = false;
        for (u32 k = 0; k < u->shown; k++)
            is_wrong |= result_differs(&r[k]);
        if (is_wrong && is_open(u) && !w->work->run->cfg.more)
            st = localise(w, u, r, &e);
        if (st != ST_OK)
            end_chunk(out, (u32)(r - out->result), st, &e);
        r += u->shown;
    }
}

static enum status hand_over(void *worker, u64 index, void *result, struct err *e)
{
    struct worker *w = worker;
    struct chunk_out *out = result;
    struct run *run = w->work->run;
    enum status st = ST_OK;
    if (run->cfg.opened && !run->has_opened)
        st = run->cfg.opened(run->cfg.arg, w->dut, e);
    run->has_opened = true;
    if (st != ST_OK) {
        free(out->result);
        return st;
    }
    localise_chunk(w, &w->work->chunk[index], out);
    for (u32 k = index ? 0 : run->skip_results; k < out->valid && st == ST_OK; k++) {
        st = w->work->fn(w->work->ctx, &out->result[k], e);
        if (out->result[k].diff_count > RESULT_DIFFS_MAX && out->more.count)
            hand_over_more(w->work, out, &out->result[k]);
    }
    free(out->result);
    free(out->more.at);
    if (st == ST_OK)
        *e = out->err;
    return st == ST_OK ? out->status : st;
}

static enum status cut_chunks(struct work *work, struct err *e)
{
    const struct run *r = work->run;
    work->chunk = calloc(r->units ? r->units : 1, sizeof *work->chunk);
    if (!work->chunk)
        return err_memory(e);
    for (u32 i = r->skip_unit; i < r->units; i++) {
        struct chunk *c = work->chunks ? &work->chunk[work->chunks - 1] : NULL;
        if (!c || c->units == CHUNK_UNITS || c->results + r->unit[i].shown > CHUNK_RESULTS) {
            c = &work->chunk[work->chunks++];
            c->first = i;
        }
        c->units++;
        c->results += r->unit[i].shown;
    }
    return ST_OK;
}

enum status run_skip(struct run *r, const struct result *done, struct err *e)
{
    if (r->skip_unit == r->units)
        return err_set(e, ST_INPUT, "has more results than the run: %.100s", done->id);
    const struct run_unit *u = &r->unit[r->skip_unit];
    if (!r->skipped && !(r->skipped = calloc(LANES, sizeof *r->skipped)))
        return err_memory(e);
    if (r->skip_results == 0)
        run_describe(u, &r->cfg, r->skipped);
    if (strcmp(r->skipped[r->skip_results].id, done->id) != 0)
        return err_set(e, ST_INPUT, "holds %.80s where the run has %.80s", done->id,
                       r->skipped[r->skip_results].id);
    r->skip_differs |= result_differs(done);
    if (++r->skip_results == u->shown) {
        if (r->skip_differs && is_open(u))
            is_within_bound(r, u);
        r->skip_differs = false;
        r->skip_results = 0;
        r->skip_unit++;
    }
    return ST_OK;
}

enum status run_all(struct run *r, run_result_fn *fn, void *ctx, struct err *e)
{
    struct work work = { .run = r, .fn = fn, .ctx = ctx };
    if (r->cfg.time_ms)
        work.end_ms = clock_ms() + r->cfg.time_ms;
    enum status st = cut_chunks(&work, e);
    u32 threads = r->cfg.jobs < work.chunks ? r->cfg.jobs : work.chunks;
    struct pool_job job = {
        /* With nothing to run the DUT is opened all the same: a wrong name is an error whatever was
         * selected. */
        .threads = threads ? threads : 1,
        .ahead = AHEAD,
        .result_size = sizeof(struct chunk_out),
        .ctx = &work,
        .open = open_worker,
        .close = close_worker,
        .more = has_chunk,
        .work = do_one,
        .settle = hand_over,
        .drop = drop_results,
    };
    if (st == ST_OK)
        st = pool_run(&job, e);
    free(work.chunk);
    return st;
}
