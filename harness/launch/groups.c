/* Running the work-groups of a launch: in threads, one after the other in each. */
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
        text_add(t, "; wave %u at 0x%" PRIx64 "%s", i, shown_pc(d, w->pc),
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
    describe_pc(d, w->stop_pc, &t);
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
        text_add(&t, "%s", w->why[0] ? w->why : stop_text(stop));
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

/* What the threads of a launch share. */
struct pool {
    struct dispatch *d;
    pthread_mutex_t lock; /* of the rest */
    u64 next;             /* work-group to start */
    u64 failed_at;        /* the first work-group that did not end */
    struct launch_result *r;
    pthread_mutex_t atomics;
    struct group_run
        *waiting[WAITING_MAX]; /* the oldest first; only where work-groups are ordered */
    u32 waiting_count;
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
    run->s = (struct schedule){ .kind = schedule_named(d->cfg->schedule) };
    rng_seed(&run->s.rng, hash_mix(d->cfg->seed, index));
    dispatch_group(d, index, run->group);
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
    enum stop stop = is_followed(d) ? trace_group(g, group, &who)
                                    : schedule_run(g->m, &run->s, d->cfg->max_steps, &who);
    if (stop == STOP_GWS && may_wait)
        return false;
    r->violations = g->watch ? watch_violations(g->watch) : 0;
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
        print_registers(d, g->m->wave[who]);
    return true;
}

/* The next work-group; none after one before it has failed. */
static bool take_group(struct pool *p, u64 *index)
{
    pthread_mutex_lock(&p->lock);
    *index = p->next;
    bool more = *index < dispatch_groups(p->d) && *index < p->failed_at;
    p->next += more;
    pthread_mutex_unlock(&p->lock);
    return more;
}

static void put_result(struct pool *p, u64 index, const struct launch_result *r)
{
    pthread_mutex_lock(&p->lock);
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
    pthread_mutex_unlock(&p->lock);
}

struct worker {
    struct pool *pool;
    struct group_run run;
    pthread_t thread;
};

static void end_waiting(struct pool *p, u32 i, const struct launch_result *r)
{
    struct group_run *run = p->waiting[i];
    put_result(p, run->index, r);
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
static void resume_waiting(struct pool *p)
{
    for (u32 i = 0; i < p->waiting_count;) {
        struct launch_result r = { 0 };
        bool goes_on = can_go_on(p->waiting[i]->g.m);
        if (goes_on && run_group(p->waiting[i], true, &r))
            end_waiting(p, i, &r);
        i = goes_on ? 0 : i + 1;
    }
}

/* The work-group that the worker has begun waits for others: it is put aside with its machine, and
 * the worker gets another, which shares global wave sync and GDS. */
static bool put_aside(struct worker *w)
{
    struct pool *p = w->pool;
    struct err e;
    struct group_run *kept = p->waiting_count < WAITING_MAX ? malloc(sizeof *kept) : NULL;
    if (!kept)
        return false;
    *kept = w->run;
    if (runner_open(&w->run.g, p->d, is_followed(p->d) ? TRACE_LOG_DW : 0, &p->atomics, &e) !=
        ST_OK) {
        w->run = *kept;
        free(kept);
        return false;
    }
    runner_share(&w->run.g, &kept->g);
    p->waiting[p->waiting_count++] = kept;
    return true;
}

/* A wave that waits while nobody is left: the first work-group that does so is told. */
static void end_all_waiting(struct pool *p)
{
    while (p->waiting_count) {
        struct launch_result r = { 0 };
        run_group(p->waiting[0], false, &r);
        end_waiting(p, 0, &r);
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    for (u64 index; take_group(w->pool, &index);) {
        struct launch_result r = { 0 };
        start_group(&w->run, index);
        bool ends = run_group(&w->run, w->pool->d->is_ordered, &r);
        if (!ends && !put_aside(w)) {
            snprintf(r.why, sizeof r.why,
                     "more work-groups wait for global wave sync than there is memory for");
            ends = true;
        }
        if (ends)
            put_result(w->pool, index, &r);
        resume_waiting(w->pool);
    }
    end_all_waiting(w->pool);
    return NULL;
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Threads beside the caller's; fewer than wished for is no failure. */
static void run_workers(struct worker *w, u32 count)
{
    u32 started = 0;
    for (u32 i = 1; i < count; i++, started++)
        if (pthread_create(&w[i].thread, NULL, work, &w[i]))
            break;
    work(&w[0]);
    for (u32 i = 1; i <= started; i++)
        pthread_join(w[i].thread, NULL);
}

enum { THREADS_MAX = 64 };

enum status run_groups(struct dispatch *d, struct launch_result *r, struct err *e)
{
    struct pool pool = { .d = d,
                         .lock = PTHREAD_MUTEX_INITIALIZER,
                         .atomics = PTHREAD_MUTEX_INITIALIZER,
                         .failed_at = UINT64_MAX,
                         .r = r };
    struct worker worker[THREADS_MAX];
    u64 groups = dispatch_groups(d);
    u32 count = d->cfg->jobs < THREADS_MAX ? d->cfg->jobs : THREADS_MAX, open = 0;
    if (is_followed(d) || d->is_ordered)
        count = 1;
    if (count > groups)
        count = (u32)groups;
    if (count > 1 && !d->cfg->delay)
        d->engine.exec = &exec_ops_shared;
    r->has_ended = true;
    enum status st = ST_OK;
    for (; open < count && st == ST_OK; open += st == ST_OK) {
        worker[open].pool = &pool;
        st = runner_open(&worker[open].run.g, d, is_followed(d) ? TRACE_LOG_DW : 0, &pool.atomics,
                         e);
    }
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    if (st == ST_OK)
        run_workers(worker, count);
    r->seconds = now(CLOCK_MONOTONIC) - start;
    r->cpu_seconds = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    for (u32 i = 0; i < open; i++)
        runner_close(&worker[i].run.g);
    return st;
}
