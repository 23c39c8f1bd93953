/* The debugger: when a launch stops, and how it goes on. */
#include "harness/io/stop.h"
#include "harness/launch/debug/internal.h"

#include <stdlib.h>

enum { POLL_EVERY = 256 }; /* instructions */

static struct debugger *debugger_of(struct launch_watcher *v)
{
    return (struct debugger *)((char *)v - offsetof(struct debugger, watcher));
}

struct debug_point *debug_add(struct debugger *g, const struct debug_point *p)
{
    if (g->points == DEBUG_POINTS_MAX)
        return NULL;
    struct debug_point *to = &g->point[g->points++];
    *to = *p;
    to->number = ++g->last_number;
    g->has_memory |= p->kind == DEBUG_MEMORY;
    return to;
}

void debug_remove(struct debugger *g, u32 index)
{
    g->points--;
    memmove(&g->point[index], &g->point[index + 1], (g->points - index) * sizeof g->point[0]);
}

void debug_go(struct debugger *g, enum debug_run how, u64 steps)
{
    bool has_ended = g->w->stop == STOP_END; /* it makes no step more */
    g->how = has_ended && how != DEBUG_CONTINUE ? DEBUG_ANY : how;
    g->steps = steps;
    g->done = 0;
    g->group = g->run->index;
    g->wave = g->w->id;
    g->depth = g->run->g.trails[g->w->id].depth;
    g->line = debug_line_of(g, g->w->pc);
}

u8 *debug_bytes(const struct debugger *g, u64 address, u64 size, bool write)
{
    const struct wave *w = g->w;
    u64 byte = address - w->shared_base;
    if (byte < LDS_MAX)
        return size <= w->lds->size && byte <= w->lds->size - size ? &w->lds->bytes[byte] : NULL;
    return size <= UINT32_MAX ? mem_at(w->mem, address, (u32)size, write) : NULL;
}

bool debug_is_code(const struct debugger *g, u64 address)
{
    const struct codeobj *co = g->d->co;
    const struct machine *m = g->run->g.m;
    u64 vaddr = address - co->base, at = (address - m->base) / 4;
    struct insn in;
    struct err why;
    bool inside = false;
    for (u32 i = 0; i < co->segment_count; i++)
        inside |= co->segments[i].is_executable && vaddr >= co->segments[i].vaddr &&
                  vaddr - co->segments[i].vaddr < co->segments[i].size;
    return inside && address % 4 == 0 && at < m->code_dw &&
           insn_decode(m->isa, &m->code[at], m->code_dw - (u32)at, &in, &why);
}

const struct debug_line *debug_line_of(const struct debugger *g, u64 pc)
{
    const struct debug_lines *lines = g->d->cfg->lines;
    return lines ? debug_line_at(lines, pc - g->d->co->base) : NULL;
}

/* --- what stops it --- */

static bool is_on_line(const struct debugger *g, const struct debug_point *p, u64 pc)
{
    const struct debug_line *line = pc ? debug_line_of(g, pc) : NULL;
    return line && line->line == p->line && strcmp(line->file, p->file) == 0;
}

/* Whether a wave stands at a place in code; of a line, has come to it. */
static bool has_reached(const struct debugger *g, const struct debug_point *p, const struct wave *w,
                        const struct launch_trail *t)
{
    if (p->kind == DEBUG_BREAK)
        return w->pc == p->address;
    return p->kind == DEBUG_LINE && is_on_line(g, p, w->pc) &&
           (w->pc <= t->last || !is_on_line(g, p, t->last));
}

/* The first point at which the wave is to stop, before an instruction or behind one; all that it has
 * reached are counted. */
static const struct debug_point *find_point(struct debugger *g, const struct group_run *run,
                                            const struct wave *w, bool behind)
{
    const struct debug_point *first = NULL;
    for (u32 i = 0; i < g->points; i++) {
        struct debug_point *p = &g->point[i];
        bool in_code = p->kind == DEBUG_BREAK || p->kind == DEBUG_LINE;
        bool hit = in_code ? !behind && has_reached(g, p, w, &run->g.trails[w->id]) : p->is_hit;
        p->is_hit = false;
        if (hit && point_is_meant(&p->only, run->group, w->id) && ++p->hits >= p->only.from_hit &&
            !first)
            first = p;
    }
    return first;
}

/* Whether a wave has come to another line, or by a jump back to the same one. Code of no line belongs to the
 * one before; where there are no lines at all, each instruction is one. */
static bool is_other_line(const struct debugger *g, u64 pc, u64 last)
{
    const struct debug_line *line = debug_line_of(g, pc), *from = g->line;
    if (!line)
        return !g->d->cfg->lines || !g->d->cfg->lines->count;
    return !from || line->line != from->line || strcmp(line->file, from->file) != 0 || pc <= last;
}

/* Whether the step that was asked for is done before this instruction. */
static bool is_step_done(const struct debugger *g, const struct group_run *run,
                         const struct wave *w)
{
    const struct launch_trail *t = &run->g.trails[w->id];
    bool deeper = t->depth > g->depth;
    if (g->how == DEBUG_ANY)
        return true;
    if (g->how == DEBUG_CONTINUE || !g->done || run->index != g->group || w->id != g->wave)
        return false;
    if (g->how == DEBUG_STEP)
        return g->done >= g->steps;
    if (g->how == DEBUG_FINISH)
        return t->depth < g->depth;
    return (g->how == DEBUG_STEP_LINE || !deeper) && is_other_line(g, w->pc, t->last);
}

/* Asks what to do. False: the launch ends. */
static bool stop_here(struct debugger *g, struct group_run *run, struct wave *w, enum debug_why why,
                      const struct debug_point *at)
{
    g->d = run->g.d;
    g->run = run;
    g->w = w;
    g->why = why;
    if (at)
        g->hit = *at;
    g->at = at ? &g->hit : NULL;
    g->how = DEBUG_CONTINUE;
    g->has_begun = true;
    g->watcher.has_quit = !g->ask(g);
    if (g->watcher.has_quit)
        w->stop_pc = w->pc;
    return !g->watcher.has_quit;
}

/* --- the instruction under way --- */

static void see(struct observer *o, struct wave *w, const struct mem_access *a)
{
    struct debugger *g = (struct debugger *)((char *)o - offsetof(struct debugger, seen));
    u64 address = a->space == SPACE_LDS ? w->shared_base + a->addr : a->addr;
    for (u32 i = 0; i < g->points; i++) {
        struct debug_point *p = &g->point[i];
        bool overlaps = address >= p->address ? address - p->address < p->size
                                              : p->address - address < a->bytes;
        if (p->kind != DEBUG_MEMORY || p->is_hit || a->space == SPACE_GDS || !overlaps ||
            !(a->write ? p->write : p->read))
            continue;
        p->is_hit = true;
        p->access = *a;
        p->access.addr = address;
    }
}

static bool reads_register(const struct insn *in, const struct place_range *reg)
{
    struct effects fx;
    effects_of(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        if (fx.e[i].dir & DIR_R && fx.e[i].place < reg->place + reg->dw &&
            reg->place < fx.e[i].place + fx.e[i].dw)
            return true;
    return false;
}

static u64 lanes_of(const struct place_range *reg)
{
    if (!place_is_vector(reg->place))
        return 1;
    return reg->lane < 0 ? ~0ull : 1ull << reg->lane;
}

/* Keeps the values of a register, or answers whether they are others now. */
static bool look_at(struct debug_point *p, const struct wave *w, bool keeps)
{
    bool differs = false;
    for (u32 i = 0; i < p->reg.dw; i++)
        for (u64 m = lanes_of(&p->reg); m; m &= m - 1) {
            u32 now = wave_get(w, p->reg.place + i, ctz64(m));
            differs |= !keeps && now != p->old[i][ctz64(m)];
            p->old[i][ctz64(m)] = now;
        }
    return differs;
}

static void begin_step(struct debugger *g, struct wave *w, const struct insn *in)
{
    for (u32 i = 0; i < g->points; i++) {
        struct debug_point *p = &g->point[i];
        p->is_hit = p->kind == DEBUG_REGISTER && p->read && reads_register(in, &p->reg);
        if (p->kind == DEBUG_REGISTER && p->write)
            look_at(p, w, true);
    }
    if (g->has_memory) {
        g->seen = (struct observer){ .see = see, .next = w->observer };
        w->observer = &g->seen;
    }
}

/* A call is remembered until the wave is behind it again; it then comes from there. */
static void follow_calls(struct launch_trail *t, const struct wave *w, const struct insn *in)
{
    u64 back = t->last + in->dw * 4u;
    if (isa_flow_calls(insn_row(in)) && t->depth < LAUNCH_CALLS_MAX) {
        t->from[t->depth] = t->last;
        t->back[t->depth++] = back;
        return;
    }
    for (u32 i = t->depth; w->pc != back && i-- > 0;)
        if (t->back[i] == w->pc) {
            t->last = t->from[i];
            t->depth = i;
        }
}

static bool before(struct group_run *run, struct wave *w)
{
    struct debugger *g = debugger_of(run->g.d->cfg->debug);
    if (g->watcher.has_quit) { /* behind the last instruction of another wave's turn */
        w->stop_pc = w->pc;
        return false;
    }
    const struct xinsn *in = g->is_free ? NULL : machine_fetch(run->g.m, w);
    if (!in)
        return true;
    g->d = run->g.d;
    const struct debug_point *at = find_point(g, run, w, false);
    bool wants = g->wants && g->polled++ % POLL_EVERY == 0 && g->wants(g);
    bool stops = true;
    enum debug_why why = DEBUG_AT_START;
    if (g->has_begun && at)
        why = DEBUG_AT_POINT;
    else if (g->has_begun && is_step_done(g, run, w))
        why = DEBUG_AT_STEP;
    else if (g->has_begun && wants)
        why = DEBUG_AT_INTERRUPT;
    else
        stops = !g->has_begun;
    if (stops && !stop_here(g, run, w, why, at))
        return false;
    if (g->is_free)
        return true;
    in = machine_fetch(run->g.m, w); /* whoever leads it may have set the pc */
    if (!in)
        return true;
    begin_step(g, w, &in->insn);
    g->is_looking = true;
    run->g.trails[w->id].last = w->pc;
    return true;
}

static bool after(struct group_run *run, struct wave *w)
{
    struct debugger *g = debugger_of(run->g.d->cfg->debug);
    struct launch_trail *t = &run->g.trails[w->id];
    if (w->observer == &g->seen)
        w->observer = g->seen.next;
    if (!g->is_looking)
        return true;
    g->is_looking = false;
    const struct xinsn *in = &run->g.m->prepared[(t->last - run->g.m->base) / 4];
    follow_calls(t, w, &in->insn);
    bool is_mine = run->index == g->group && w->id == g->wave;
    g->done += is_mine;
    if (is_mine && w->stop == STOP_END && g->how != DEBUG_CONTINUE)
        g->how = DEBUG_ANY;
    bool any = false;
    for (u32 i = 0; i < g->points; i++) {
        struct debug_point *p = &g->point[i];
        if (p->kind == DEBUG_REGISTER && p->write)
            p->is_hit |= look_at(p, w, false);
        any |= p->is_hit;
    }
    if (!any)
        return true;
    const struct debug_point *at = find_point(g, run, w, true);
    return !at || stop_here(g, run, w, DEBUG_AT_WATCH, at);
}

static void cannot_go_on(struct group_run *run, struct wave *w, const char *why)
{
    struct debugger *g = debugger_of(run->g.d->cfg->debug);
    if (g->is_free || g->watcher.has_quit || stop_requested())
        return;
    g->end = why;
    stop_here(g, run, w, DEBUG_AT_END, NULL);
}

/* --- what it is to a launch --- */

struct debugger *debug_new(void)
{
    struct debugger *g = calloc(1, sizeof *g);
    if (g)
        g->watcher =
            (struct launch_watcher){ .before = before, .after = after, .end = cannot_go_on };
    return g;
}

const char *debug_close(struct launch_watcher *v, int exit_code)
{
    struct debugger *g = v ? debugger_of(v) : NULL;
    const char *wrong = g && g->close ? g->close(g, exit_code) : NULL;
    free(g);
    return wrong;
}
