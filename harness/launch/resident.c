/* Work-groups that are under way together: as many as the processor has room for, in one thread,
 * so that the schedule alone says in which order they go. */
#include "harness/io/stop.h"
#include "harness/launch/internal.h"

#include <stdlib.h>

/* --- how many there is room for --- */

enum {
    CU_SIMDS = 4,
    SIMD_WAVES = 10,
    SIMD_VGPRS = 256,
    SIMD_SGPRS = 800,
    CU_GROUPS = 16 /* of more than one wave: barriers of a CU */
};

/* Waves of a SIMD that have room for their registers. */
static u32 simd_waves(const struct kernel_desc *k)
{
    u32 n = SIMD_WAVES;
    if (k->vgprs && SIMD_VGPRS / k->vgprs < n)
        n = SIMD_VGPRS / k->vgprs;
    if (k->sgprs && SIMD_SGPRS / k->sgprs < n)
        n = SIMD_SGPRS / k->sgprs;
    return n;
}

u32 resident_limit(const struct dispatch *d)
{
    u64 items = (u64)d->l->now.workgroup[0] * d->l->now.workgroup[1] * d->l->now.workgroup[2];
    u32 waves = (u32)((items + LANES - 1) / LANES);
    u32 groups = simd_waves(&d->k->desc) * CU_SIMDS / waves;
    if (waves > 1 && groups > CU_GROUPS)
        groups = CU_GROUPS;
    u32 lds = (u32)launch_round_up(d->lds_size, isa_lds_granule(d->isa.target));
    if (lds && LDS_MAX / lds < groups)
        groups = LDS_MAX / lds;
    return groups ? groups * d->cus : 1;
}

/* --- those that are under way --- */

struct residents {
    struct dispatch *d;
    struct launch_result *r;
    pthread_mutex_t *shared;
    struct group_run **runs; /* room for d->resident, and those that came from threads */
    struct schedule_slot *slots;
    struct group_run *idle; /* has a machine and no work-group; NULL: none has */
    u32 count;
    const u64 *left; /* work-groups to be begun: these, and then all from `next` on */
    u32 left_count;
    u64 next;
    struct schedule s;
    bool at_break;
};

/* Work-groups that have not begun. */
static u64 to_begin(const struct residents *p)
{
    u64 all = launch_group_count(p->d);
    return p->left_count + (p->next < all ? all - p->next : 0);
}

static u64 take_next(struct residents *p)
{
    if (!p->left_count)
        return p->next++;
    p->left_count--;
    return *p->left++;
}

static bool can_add(const struct residents *p)
{
    return p->count < p->d->resident && to_begin(p) && !stop_requested();
}

static void close_run(struct group_run *run)
{
    if (run)
        runner_close(&run->g);
    free(run);
}

static enum status open_run(struct residents *p, struct group_run **run, struct err *e)
{
    *run = p->idle;
    p->idle = NULL;
    if (*run)
        return ST_OK;
    *run = calloc(1, sizeof **run);
    if (!*run)
        return err_memory(e);
    enum status st = p->count ? runner_open_beside(&(*run)->g, &p->runs[0]->g, e)
                              : runner_open(&(*run)->g, p->d, p->shared, e);
    if (st == ST_OK && p->d->lockstep)
        st = lockstep_add(&(*run)->g, e);
    if (st != ST_OK)
        close_run(*run);
    return st;
}

static void put_run(struct residents *p, struct group_run *run)
{
    p->runs[p->count] = run;
    p->slots[p->count] = (struct schedule_slot){ .m = run->g.m };
    p->s.slots = ++p->count;
    p->d->under_way = p->runs;
    p->d->under_way_count = p->count;
}

/* Begins the next work-group. */
static enum status add_group(struct residents *p, struct err *e)
{
    struct group_run *run;
    enum status st = open_run(p, &run, e);
    if (st != ST_OK)
        return st;
    put_run(p, run);
    group_start(run, take_next(p));
    schedule_added(&p->s, p->count - 1);
    return ST_OK;
}

/* As many as may be there at once where the configuration says so; else one after the other. */
static enum status fill(struct residents *p, struct err *e)
{
    enum status st = ST_OK;
    while (st == ST_OK && can_add(p) &&
           (p->count == 0 || p->d->cfg->resident || p->d->weak || p->d->turns))
        st = add_group(p, e);
    return st;
}

/* A work-group has ended: its machine is for another. */
static void remove_group(struct residents *p, u32 index)
{
    struct group_run *run = p->runs[index];
    p->count--;
    memmove(&p->runs[index], &p->runs[index + 1], (p->count - index) * sizeof p->runs[0]);
    memmove(&p->slots[index], &p->slots[index + 1], (p->count - index) * sizeof p->slots[0]);
    p->s.slots = p->d->under_way_count = p->count;
    schedule_removed(&p->s, index);
    close_run(p->idle);
    p->idle = run;
}

static enum stop follow(void *ctx, u32 index, struct wave *w, u64 limit)
{
    struct residents *p = ctx;
    enum stop stop = trace_wave(p->runs[index], w, limit);
    p->at_break |= stop == STOP_NONE && p->d->cfg->break_at && w->pc == p->d->break_address;
    p->at_break |= p->d->cfg->debug && p->d->cfg->debug->has_quit;
    p->at_break |= p->d->lockstep && lockstep_has_found(p->d->lockstep);
    return stop;
}

/* Looks whether waves use what nobody set, until one may. */
static enum stop look(void *ctx, u32 index, struct wave *w, u64 limit)
{
    struct residents *p = ctx;
    struct group_runner *g = &p->runs[index]->g;
    p->d->in_doubt |= !g->defined;
    if (p->d->in_doubt)
        return g->m->engine->exec->run(g->m, w, limit);
    enum stop stop = defined_run(g->defined, g->m, w, limit);
    p->d->in_doubt = defined_has_doubt(g->defined);
    return stop;
}

static bool serve(void *ctx)
{
    struct residents *p = ctx;
    return rpc_serve(p->d->cfg->rpc);
}

/* The launch ends with this wave. */
static void fail(struct residents *p, const struct schedule_end *end)
{
    u64 instructions = 0;
    for (u32 i = 0; i < p->count; i++)
        for (u32 k = 0; k < p->slots[i].m->waves && i != end->at; k++)
            instructions += p->slots[i].m->wave[k]->steps;
    group_finish(p->runs[end->at], end->stop, end->wave, p->r);
    p->r->instructions += instructions;
    if ((end->stop == STOP_SPIN || end->stop == STOP_GWS) && p->count > 1)
        stop_describe_all((const struct group_run *const *)p->runs, p->count, to_begin(p), p->r);
    if (p->d->cfg->debug)
        p->d->cfg->debug->end(p->runs[end->at], p->slots[end->at].m->wave[end->wave], p->r->why);
}

/* Runs until something is to be told. False: that was the end. */
static bool go_on(struct residents *p, enum status *st, struct err *e)
{
    p->s.may_add = can_add(p);
    struct schedule_end end = schedule_go(&p->s);
    bool waits = end.stop == STOP_SPIN || end.stop == STOP_GWS;
    if (end.stop == STOP_END) {
        struct group_run *run = p->runs[end.at];
        group_finish(run, STOP_END, 0, p->r);
        remove_group(p, end.at);
        return p->count || group_drain(p->d, run->group, p->r);
    }
    if (can_add(p) && !p->at_break && (waits || end.stop == STOP_NONE)) {
        *st = add_group(p, e);
        return *st == ST_OK;
    }
    fail(p, &end);
    group_drain(p->d, p->runs[end.at]->group, p->r);
    return false;
}

static void close_all(struct residents *p)
{
    close_run(p->idle);
    for (u32 i = 0; i < p->count; i++)
        close_run(p->runs[i]);
    free(p->runs);
    free(p->slots);
}

/* Takes over those that are under way. */
static enum status take_over(struct residents *p, struct group_run *runs, u32 count, struct err *e)
{
    enum status st = ST_OK;
    for (u32 i = 0; i < count; i++) {
        struct group_run *run = st == ST_OK ? malloc(sizeof *run) : NULL;
        if (!run) {
            st = err_memory(e);
            runner_close(&runs[i].g);
            continue;
        }
        *run = runs[i];
        put_run(p, run);
    }
    return st;
}

enum status resident_run(struct dispatch *d, const struct resident_start *from,
                         pthread_mutex_t *shared, struct launch_result *r, struct err *e)
{
    struct residents p = { .d = d,
                           .r = r,
                           .shared = shared,
                           .left = from->left,
                           .left_count = from->left_count,
                           .next = from->next };
    u64 room = d->resident + (u64)from->count;
    p.runs = calloc(room, sizeof *p.runs);
    p.slots = calloc(room, sizeof *p.slots);
    enum status st = p.runs && p.slots ? ST_OK : err_memory(e);
    launch_schedule(d, 0, &p.s);
    p.s.slot = p.slots;
    if (d->cfg->rpc) {
        p.s.serve = serve;
        p.s.ctx = &p;
    }
    if (launch_is_followed(d) || d->looks) {
        p.s.run = d->looks ? look : follow;
        p.s.ctx = &p;
    }
    if (st == ST_OK)
        st = take_over(&p, from->runs, from->count, e);
    schedule_start(&p.s);
    if (st == ST_OK)
        st = fill(&p, e);
    while (st == ST_OK && p.count && go_on(&p, &st, e) && st == ST_OK)
        st = fill(&p, e);
    close_all(&p);
    return st;
}
