/* Running the work-groups of a launch: in threads, one after the other in each. */
#include "harness/io/pool.h"
#include "harness/io/stop.h"
#include "harness/launch/internal.h"
#include "oracle/exec/delay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

/* --- why it stopped --- */

enum { NULL_PAGE = 4096 };

/* Which buffer an address lies in or behind, for the message about a violation. */
static void describe_address(const struct dispatch *d, u64 address, struct text *t)
{
    u64 scratch_end = GPU_SCRATCH_BASE + d->scratch_size;
    text_add(t, "memory violation at 0x%" PRIx64, address);
    if (address < NULL_PAGE)
        text_add(t, " (a null pointer)");
    else if (address >= scratch_end && address < GPU_BUFFER_BASE)
        text_add(t, ", behind the private memory, %u bytes for a work-item (recursion?)",
                 d->private_size);
    for (u32 i = 0; i < d->l->arg_count; i++) {
        const struct launch_arg *a = &d->l->args[i];
        u64 offset = address - d->ka.addresses[i];
        if (launch_arg_is_buffer(a) && offset < a->size + BUFFER_GUARD)
            text_add(t, ", argument %u (%s of %" PRIu64 " bytes) byte %" PRIu64, i, a->word,
                     a->size, offset);
    }
}

/* Where the waves of a work-group stand that have not ended. */
static void describe_waves(const struct dispatch *d, const struct machine *m, struct text *t)
{
    for (u32 i = 0; i < m->waves; i++) {
        const struct wave *w = m->wave[i];
        if (w->stop == STOP_END)
            continue;
        text_add(t, "; wave %u at 0x%" PRIx64 "%s", i, where_shown_pc(d, w->pc),
                 w->stop == STOP_BARRIER ? " (barrier)"
                 : w->stop == STOP_GWS   ? " (global wave sync)"
                                         : "");
    }
}

static void describe_stop(const struct dispatch *d, enum stop stop, const struct machine *m,
                          u32 who, const u32 group[3], struct launch_result *r)
{
    const struct wave *w = m->wave[who];
    struct text t;
    text_init(&t, r->why, sizeof r->why);
    where_describe_pc(d, w->stop_pc, &t);
    text_add(&t, ": ");
    if (stop == STOP_FAULT)
        describe_address(d, w->fault_addr, &t);
    else if (stop == STOP_LIMIT)
        text_add(&t,
                 "%" PRIu64
                 " instructions without an end (--max-steps): a loop, or a wait for another wave",
                 d->cfg->max_steps);
    else if (stop == STOP_NONE)
        text_add(&t, "break");
    else
        text_add(&t, "%s", w->why[0] ? w->why : machine_stop_text(stop));
    if (stop == STOP_FAULT || stop == STOP_LIMIT || stop == STOP_NONE || stop == STOP_GWS)
        text_add(&t, "; work-group %u %u %u, wave %u", group[0], group[1], group[2], w->id);
    if (stop == STOP_LIMIT || stop == STOP_GWS)
        describe_waves(d, m, &t);
}

/* --- threads --- */

/* A work-group under way. */
struct group_run {
    struct group_runner g;
    struct schedule s;
    u64 index;
    u32 group[3];
};

/* Work-groups that wait for global wave sync until another releases them. */
enum { WAITING_MAX = 1024, TRACE_LOG_DW = 1 << 16 };

/* A thread that runs work-groups. */
struct group_worker {
    struct groups *groups;
    struct group_run run;
};

enum { AHEAD = 16 };

/* What the threads of a launch share. */
struct groups {
    struct dispatch *d;
    struct launch_result *r;
    u64 failed_at; /* the first work-group that did not end, of those whose result was taken up */
    pthread_mutex_t atomics;
    struct group_worker worker[POOL_THREADS_MAX];
    u32 opened; /* of worker[], handed out to threads */
    /* Only where work-groups are ordered, and one thread runs them: */
    struct group_run *waiting[WAITING_MAX]; /* the oldest first */
    u32 waiting_count;
    bool has_failed; /* one that waited did not end */
};

/* Of one work-group. */
struct group_result {
    bool is_waiting; /* there is none yet */
    struct launch_result r;
};

static enum schedule_kind schedule_named(const char *name)
{
    for (u32 i = 0; i < SCHEDULES; i++)
        if (strcmp(name, schedule_names[i]) == 0)
            return (enum schedule_kind)i;
    return SCHEDULE_ORDER;
}

static void start_group(struct group_run *run, u64 index)
{
    const struct dispatch *d = run->g.d;
    run->index = index;
    run->s = (struct schedule){ .kind = schedule_named(d->cfg->schedule), .cut = stop_flag() };
    rng_seed(&run->s.rng, hash_mix(d->cfg->seed, index));
    launch_group_at(d, index, run->group);
    runner_start(&run->g, run->group);
    if (d->cfg->delay_seed)
        delay_random(run->g.m, hash_mix(d->cfg->delay_seed, index));
}

/* Runs a work-group to its end, or until it waits for another: then false. Its counts go to r,
 * which is the thread's own. */
static bool run_group(struct group_run *run, bool may_wait, struct launch_result *r)
{
    struct group_runner *g = &run->g;
    const struct dispatch *d = g->d;
    u32 who = 0, *group = run->group;
    enum stop stop = launch_is_followed(d) ? trace_group(g, group, &who)
                                           : schedule_run(g->m, &run->s, d->cfg->max_steps, &who);
    if (stop == STOP_GWS && may_wait)
        return false;
    r->violations = g->watch ? hazard_watch_violations(g->watch) : 0;
    r->lanes = g->lanes;
    g->lanes = 0;
    for (u32 i = 0; i < g->m->waves; i++)
        r->instructions += g->m->wave[i]->steps;
    const char *wrong = NULL;
    if (!host_drain(d->host, d->co, &wrong)) {
        snprintf(r->why, sizeof r->why, "%s; work-group %u %u %u", wrong, group[0], group[1],
                 group[2]);
        return true;
    }
    r->has_ended = stop == STOP_END;
    r->at_break = stop == STOP_NONE;
    r->groups += r->has_ended;
    if (r->has_ended)
        return true;
    describe_stop(d, stop, g->m, who, group, r);
    if (d->cfg->registers)
        trace_registers(d, g->m->wave[who]);
    return true;
}

static void add_result(struct groups *p, u64 index, const struct launch_result *r)
{
    p->r->groups += r->groups;
    p->r->instructions += r->instructions;
    p->r->lanes += r->lanes;
    p->r->violations = r->violations; /* of all work-groups so far */
    if (!r->has_ended && index < p->failed_at) {
        p->failed_at = index;
        p->r->has_ended = false;
        p->r->at_break = r->at_break;
        memcpy(p->r->why, r->why, sizeof r->why);
    }
}

static void end_waiting(struct groups *p, u32 i, const struct launch_result *r)
{
    struct group_run *run = p->waiting[i];
    add_result(p, run->index, r);
    p->has_failed |= !r->has_ended;
    run->g.watch = NULL; /* the worker's */
    runner_close(&run->g);
    free(run);
    p->waiting_count--;
    memmove(&p->waiting[i], &p->waiting[i + 1], (p->waiting_count - i) * sizeof p->waiting[0]);
}

static bool can_go_on(const struct machine *m)
{
    for (u32 i = 0; i < m->waves; i++)
        if (m->wave[i]->stop == STOP_NONE)
            return true;
    return false;
}

/* Lets those go on that have been released, again and again. */
static void resume_waiting(struct groups *p)
{
    for (u32 i = 0; i < p->waiting_count;) {
        struct launch_result r = { 0 };
        bool goes_on = can_go_on(p->waiting[i]->g.m);
        if (goes_on && run_group(p->waiting[i], true, &r))
            end_waiting(p, i, &r);
        i = goes_on ? 0 : i + 1;
    }
}

/* The work-group that the worker has begun waits for others: it is kept with its machine, and the
 * worker gets another, which shares global wave sync and GDS. */
static bool keep_waiting(struct group_worker *w)
{
    struct groups *p = w->groups;
    struct err e;
    struct group_run *kept = p->waiting_count < WAITING_MAX ? malloc(sizeof *kept) : NULL;
    if (!kept)
        return false;
    *kept = w->run;
    if (runner_open(&w->run.g, p->d, launch_is_followed(p->d) ? TRACE_LOG_DW : 0, &p->atomics,
                    &e) != ST_OK) {
        w->run = *kept;
        free(kept);
        return false;
    }
    runner_share(&w->run.g, &kept->g);
    p->waiting[p->waiting_count++] = kept;
    return true;
}

/* A wave that waits while nobody is left: the first work-group that does so is reported. */
static void end_all_waiting(struct groups *p)
{
    while (p->waiting_count) {
        struct launch_result r = { 0 };
        run_group(p->waiting[0], false, &r);
        end_waiting(p, 0, &r);
    }
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
    return index < launch_group_count(p->d) && !p->has_failed && !stop_requested();
}

static bool do_group(void *worker, u64 index, void *result)
{
    struct group_worker *w = worker;
    struct group_result *to = result;
    *to = (struct group_result){ .is_waiting = false };
    start_group(&w->run, index);
    bool ends = run_group(&w->run, w->groups->d->is_ordered, &to->r);
    if (!ends && !keep_waiting(w))
        snprintf(to->r.why, sizeof to->r.why,
                 "more work-groups wait for global wave sync than there is memory for");
    else
        to->is_waiting = !ends;
    return to->is_waiting || to->r.has_ended;
}

static enum status take_group(void *worker, u64 index, void *result, struct err *e)
{
    struct group_worker *w = worker;
    const struct group_result *from = result;
    (void)e;
    if (!from->is_waiting && index < w->groups->failed_at)
        add_result(w->groups, index, &from->r);
    resume_waiting(w->groups);
    return ST_OK;
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
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
                            .work = do_group,
                            .settle = take_group };
    enum status st = pool_run(&job, e);
    end_all_waiting(p);
    return st;
}

enum status launch_run_groups(struct dispatch *d, struct launch_result *r, struct err *e)
{
    struct groups *p = calloc(1, sizeof *p);
    if (!p)
        return err_memory(e);
    u64 groups = launch_group_count(d);
    u32 count = d->cfg->jobs < POOL_THREADS_MAX ? d->cfg->jobs : POOL_THREADS_MAX, open = 0;
    if (launch_is_followed(d) || d->is_ordered)
        count = 1;
    if (count > groups)
        count = (u32)groups;
    if (count > 1 && !d->cfg->delay)
        d->engine.exec = &exec_ops_shared;
    *p = (struct groups){
        .d = d, .r = r, .failed_at = UINT64_MAX, .atomics = PTHREAD_MUTEX_INITIALIZER
    };
    r->has_ended = true;
    enum status st = ST_OK;
    for (; open < count && st == ST_OK; open += st == ST_OK) {
        p->worker[open].groups = p;
        st = runner_open(&p->worker[open].run.g, d, launch_is_followed(d) ? TRACE_LOG_DW : 0,
                         &p->atomics, e);
    }
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    if (st == ST_OK && count)
        st = run_pool(p, count, e);
    r->seconds = now(CLOCK_MONOTONIC) - start;
    r->cpu_seconds = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
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
