/* Running the work-groups of a launch: in threads, one after the other in each, as long as none
 * waits for another. */
#include "harness/io/clock.h"
#include "harness/io/pool.h"
#include "harness/io/stop.h"
#include "harness/launch/internal.h"
#include "oracle/exec/weak.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- threads --- */

/* A thread that runs work-groups. */
struct group_worker {
    struct groups *groups;
    struct group_run run;
};

enum {
    AHEAD = 16,
    BATCH_MAX = 16, /* work-groups of an item: to take one up costs as long as a small one */
    BATCHES = 64    /* items of each thread, if there are so many: the threads end together */
};

/* What the threads of a launch share. */
struct groups {
    struct dispatch *d;
    struct launch_result *r;
    u64 failed_at; /* the first work-group that did not end, of those whose result was taken up */
    pthread_mutex_t atomics;
    struct group_worker worker[POOL_THREADS_MAX];
    u32 opened; /* of worker[], handed out to threads */
    u32 batch;  /* work-groups of an item */
    u64 begun;  /* items */
    /* Those that wait for others: one of each thread, which then does no more; and those behind them in their
     * items. */
    pthread_mutex_t lock;
    struct group_run waiting[POOL_THREADS_MAX];
    u32 waiting_count;
    u64 left[POOL_THREADS_MAX * BATCH_MAX];
    u32 left_count;
};

/* Of the work-groups of an item, up to one that did not end. */
struct group_result {
    bool is_waiting; /* for that there is none yet */
    struct launch_result r;
};

/* Items are taken up in order. */
static void add_result(struct groups *p, u64 item, const struct group_result *from)
{
    p->r->groups += from->r.groups;
    p->r->instructions += from->r.instructions;
    if (!from->is_waiting && !from->r.has_ended) {
        p->failed_at = item;
        p->r->has_ended = false;
        memcpy(p->r->why, from->r.why, sizeof from->r.why);
    }
}

/* The work-group, and those from the next one to `end`, are for another thread. */
static void keep_waiting(struct groups *p, struct group_run *run, u64 end)
{
    pthread_mutex_lock(&p->lock);
    for (u64 i = run->index + 1; i < end; i++)
        p->left[p->left_count++] = i;
    p->waiting[p->waiting_count++] = *run;
    run->g = (struct group_runner){ 0 };
    pthread_mutex_unlock(&p->lock);
}

/* ---- as a pool of workers ---- */

static enum status open_group_worker(void *ctx, void **worker, struct err *e)
{
    struct groups *p = ctx;
    (void)e;
    /* All were opened before, so that opening does not count as run time. */
    *worker = &p->worker[__atomic_fetch_add(&p->opened, 1, __ATOMIC_RELAXED)];
    return ST_OK;
}

static void leave_worker(void *worker)
{
    (void)worker; /* closed when the time is taken */
}

static bool has_group(void *ctx, u64 index)
{
    const struct groups *p = ctx;
    return index * p->batch < launch_group_count(p->d) && !stop_requested();
}

/* Runs one work-group. False: it waits. */
static bool do_group(struct group_run *run, u64 index, struct launch_result *r)
{
    struct schedule s;
    launch_schedule(run->g.d, index, &s);
    group_start(run, index);
    u32 who = 0;
    enum stop stop = schedule_run(run->g.m, &s, s.max_steps, &who);
    if (stop == STOP_SPIN)
        return false;
    group_finish(run, stop, who, r);
    return true;
}

/* A work-group that waits ends the work in threads: what it waits for may be one that no thread has
 * room for. */
static bool do_item(void *worker, u64 item, void *result)
{
    struct group_worker *w = worker;
    struct groups *p = w->groups;
    struct group_result *to = result;
    u64 count = launch_group_count(p->d), end = (item + 1) * p->batch;
    *to = (struct group_result){ .r = { .has_ended = true } };
    __atomic_fetch_add(&p->begun, 1, __ATOMIC_RELAXED);
    if (end > count)
        end = count;
    for (u64 index = item * p->batch; index < end && to->r.has_ended && !to->is_waiting; index++)
        to->is_waiting = !do_group(&w->run, index, &to->r);
    if (to->is_waiting)
        keep_waiting(p, &w->run, end);
    return to->r.has_ended && !to->is_waiting;
}

static enum status take_item(void *worker, u64 item, void *result, struct err *e)
{
    struct group_worker *w = worker;
    (void)e;
    if (item < w->groups->failed_at)
        add_result(w->groups, item, result);
    return ST_OK;
}

static enum status run_pool(struct groups *p, u32 threads, struct err *e)
{
    struct pool_job job = { .threads = threads,
                            .ahead = AHEAD,
                            .result_size = sizeof(struct group_result),
                            .ctx = p,
                            .open = open_group_worker,
                            .close = leave_worker,
                            .more = has_group,
                            .work = do_item,
                            .settle = take_item };
    return pool_run(&job, e);
}

static int by_index(const void *a, const void *b)
{
    const struct group_run *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_number(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return (x > y) - (x < y);
}

/* In threads, and what is left in one. */
static enum status run_in_threads(struct groups *p, u32 threads, struct err *e)
{
    struct dispatch *d = p->d;
    u64 batch = launch_group_count(d) / ((u64)threads * BATCHES);
    p->batch = batch < 1 ? 1 : batch < BATCH_MAX ? (u32)batch : BATCH_MAX;
    enum status st = run_pool(p, threads, e);
    qsort(p->waiting, p->waiting_count, sizeof p->waiting[0], by_index);
    qsort(p->left, p->left_count, sizeof p->left[0], by_number);
    if (st == ST_OK && p->r->has_ended && p->waiting_count) {
        struct resident_start from = { .runs = p->waiting,
                                       .count = p->waiting_count,
                                       .left = p->left,
                                       .left_count = p->left_count,
                                       .next = p->begun * p->batch };
        return resident_run(d, &from, &p->atomics, p->r, e);
    }
    for (u32 i = 0; i < p->waiting_count; i++)
        runner_close(&p->waiting[i].g);
    return st;
}

static bool runs_in_one_thread(const struct dispatch *d)
{
    return launch_is_followed(d) || d->is_ordered || d->cfg->resident || d->cfg->check_memory ||
           d->weak || d->turns || d->cfg->rpc;
}

enum status launch_run_groups(struct dispatch *d, struct launch_result *r, struct err *e)
{
    struct groups *p = calloc(1, sizeof *p);
    if (!p)
        return err_memory(e);
    u64 groups = launch_group_count(d);
    u32 count = d->cfg->jobs < POOL_THREADS_MAX ? d->cfg->jobs : POOL_THREADS_MAX, open = 0;
    if (runs_in_one_thread(d))
        count = 0;
    if (count > groups)
        count = (u32)groups;
    if (count > 1 && !d->cfg->delay && d->has_atomics)
        d->engine.exec = &exec_ops_shared;
    *p = (struct groups){ .d = d,
                          .r = r,
                          .failed_at = UINT64_MAX,
                          .atomics = PTHREAD_MUTEX_INITIALIZER,
                          .lock = PTHREAD_MUTEX_INITIALIZER };
    r->has_ended = true;
    enum status st = ST_OK;
    for (; open < count && st == ST_OK; open += st == ST_OK) {
        p->worker[open].groups = p;
        st = runner_open(&p->worker[open].run.g, d, &p->atomics, e);
    }
    double start = clock_seconds(CLOCK_MONOTONIC), cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (st == ST_OK && count)
        st = run_in_threads(p, count, e);
    else if (st == ST_OK)
        st = resident_run(d, &(struct resident_start){ .next = 0 }, &p->atomics, r, e);
    if (d->weak)
        weak_end(d->weak);
    r->seconds = clock_seconds(CLOCK_MONOTONIC) - start;
    r->cpu_seconds = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (st == ST_OK && stop_requested() && r->groups < groups) {
        r->has_ended = r->at_break = false;
        snprintf(r->why, sizeof r->why, "%s, when %" PRIu64 " of %" PRIu64 " work-groups had ended",
                 stop_text(), r->groups, groups);
    }
    for (u32 i = 0; i < open; i++)
        runner_close(&p->worker[i].run.g);
    free(p);
    return st;
}
