/* One work-group: its schedule, its start, and what comes of it. */
#include "harness/launch/internal.h"

#include "harness/io/stop.h"
#include "harness/launch/filter.h"
#include "harness/launch/turns.h"
#include "oracle/exec/delay.h"
#include "oracle/exec/weak.h"

static enum schedule_kind schedule_named(const char *name)
{
    for (u32 i = 0; i < SCHEDULES; i++)
        if (strcmp(name, schedule_names[i]) == 0)
            return (enum schedule_kind)i;
    return SCHEDULE_ORDER;
}

void launch_schedule(const struct dispatch *d, u64 index, struct schedule *s)
{
    *s = (struct schedule){ .kind = schedule_named(d->cfg->schedule),
                            .cut = stop_flag(),
                            .max_steps = d->cfg->max_steps,
                            .looks = true };
    rng_seed(&s->rng, hash_mix(d->cfg->seed, index));
    if (d->turns)
        s->guide = turns_begin(d->turns);
}

void group_start(struct group_run *run, u64 index)
{
    const struct dispatch *d = run->g.d;
    run->index = index;
    launch_group_at(d, index, run->group);
    runner_start(&run->g, run->group);
    if (d->cfg->delay_seed)
        delay_random(run->g.m, hash_mix(d->cfg->delay_seed, index));
    if (d->weak)
        weak_place(run->g.m, (u32)(index % d->cus));
    if (run->g.trails)
        memset(run->g.trails, 0, run->g.m->waves_max * sizeof *run->g.trails);
    if (d->watch)
        hazard_watch_start(&run->g);
    if (d->lockstep)
        lockstep_start(run);
    if (d->races)
        race_start(run);
    if (d->heap)
        heap_start(run);
}

void group_finish(struct group_run *run, enum stop stop, u32 who, struct launch_result *r)
{
    const struct dispatch *d = run->g.d;
    const struct machine *m = run->g.m;
    for (u32 i = 0; i < m->waves; i++)
        r->instructions += m->wave[i]->steps;
    r->has_ended = stop == STOP_END;
    r->at_break = stop == STOP_NONE;
    r->groups += r->has_ended;
    if (r->has_ended)
        return;
    stop_describe(run, stop, who, r);
    filter_end(d->cfg->filter, d->cfg->out);
    if (d->cfg->registers)
        trace_registers(d, m->wave[who]);
}

bool group_drain(const struct dispatch *d, const u32 group[3], struct launch_result *r)
{
    const char *wrong = NULL;
    if (host_drain(d->host, d->co, &wrong))
        return true;
    r->has_ended = r->at_break = false;
    snprintf(r->why, sizeof r->why, "%s; work-group %u %u %u", wrong, group[0], group[1], group[2]);
    return false;
}
