/* Following a launch step by step: traces, breaks, registers. */
#include "harness/launch/internal.h"

#include "harness/io/stop.h"
#include "harness/launch/filter.h"
#include "oracle/state/change.h"
#include "oracle/state/effects.h"
#include "oracle/state/place.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- registers --- */

static u64 nonzero_lanes(const u32 *v)
{
    u64 which = 0;
    for (u32 lane = 0; lane < LANES; lane++)
        which |= (u64)(v[lane] != 0) << lane;
    return which;
}

void trace_registers(const struct dispatch *d, const struct wave *w)
{
    FILE *out = d->cfg->out;
    char name[PLACE_NAME_MAX], line[2048];
    fprintf(out,
            "wave %u pc 0x%" PRIx64 " scc %u mode 0x%x trapsts 0x%x, %" PRIu64
            " instructions; registers that are not 0:\n",
            w->id, where_shown_pc(d, w->pc), w->scc, w->mode, w->trapsts, w->steps);
    for (u32 i = 0; i < SGPRS; i++) {
        if (w->sgpr[i])
            fprintf(out, " %s=0x%x", place_name((enum gen)d->isa.target->gen, i, name), w->sgpr[i]);
    }
    fputc('\n', out);
    for (u32 i = 0; i < wave_vgprs(w); i++) {
        u64 which = nonzero_lanes(w->vgpr[i]);
        struct text t;
        text_init(&t, line, sizeof line);
        if (which) {
            change_print_vector(&t, i, w->vgpr[i], which);
            fprintf(out, "%s\n", line);
        }
    }
}

/* --- traces --- */

static void step(struct group_run *run, struct wave *w)
{
    if (run->g.heap)
        heap_before(run, w);
    if (run->g.race)
        race_wave(run, w, 1);
    else
        machine_step(run->g.m, w);
    if (run->g.heap)
        heap_after(run, w);
}

static void trace_step(struct group_run *run, struct wave *w)
{
    struct group_runner *g = &run->g;
    const u32 *group = run->group;
    const struct dispatch *d = g->d;
    char text[512], changes[CHANGE_BYTES];
    struct text t;
    u64 pc = w->pc;
    const struct xinsn *in = machine_fetch(g->m, w);
    if (!in)
        return;
    if (!filter_takes(d->cfg->filter, group, w, &in->insn)) {
        step(run, w);
        return;
    }
    insn_print(&d->isa, &in->insn, text, sizeof text);
    wlog_empty(&g->m->log, g->m->waves_max);
    step(run, w);
    FILE *out = filter_line(d->cfg->filter, d->cfg->out);
    if (out) {
        text_init(&t, changes, sizeof changes);
        change_print(&t, w);
        fprintf(out, "%u.%u.%u/%u 0x%" PRIx64 " %s ;%s\n", group[0], group[1], group[2], w->id,
                where_shown_pc(d, pc), text, changes);
    }
    filter_line_end(d->cfg->filter);
}

enum stop trace_wave(struct group_run *run, struct wave *w, u64 limit)
{
    struct group_runner *g = &run->g;
    struct dispatch *d = g->d;
    bool only_races =
        d->races && !d->heap && !d->cfg->trace && !d->cfg->break_at && !d->watch && !d->cfg->debug;
    if (only_races && !d->cfg->count_lanes && !d->lockstep)
        return stop_requested() ? (w->stop = STOP_LIMIT) : race_wave(run, w, limit);
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        if (d->cfg->break_at && w->pc == d->break_address) {
            w->stop_pc = w->pc;
            return STOP_NONE;
        }
        if (d->cfg->debug && !d->cfg->debug->before(run, w))
            return STOP_NONE;
        bool looks = d->watch || d->cfg->count_lanes;
        const struct xinsn *in = looks ? machine_fetch(g->m, w) : NULL;
        if (in && d->watch)
            hazard_watch_step(run, w, &in->insn);
        if (in && d->cfg->count_lanes)
            d->lanes += effects_is_by_lane(&in->insn) ? popcount64(wave_exec(w)) : 1;
        if (stop_requested())
            return w->stop = STOP_LIMIT;
        if (d->lockstep && !lockstep_step(run, w))
            return STOP_NONE;
        else if (d->lockstep)
            continue;
        if (d->cfg->trace)
            trace_step(run, w);
        else
            step(run, w);
        if (d->cfg->debug && !d->cfg->debug->after(run, w))
            return STOP_NONE;
    }
    return w->stop;
}
