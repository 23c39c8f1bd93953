/* What the debugger prints. */
#include "harness/launch/debug/internal.h"

#include <inttypes.h>

/* The instruction at an address; false if there is none. */
static bool insn_at(const struct debugger *g, u64 pc, struct insn *in)
{
    const struct machine *m = g->run->g.m;
    struct err why;
    u64 at = (pc - m->base) / 4;
    return pc >= m->base && at < m->code_dw && !(pc & 3) &&
           insn_decode(m->isa, &m->code[at], m->code_dw - (u32)at, in, &why);
}

static void show_insn(const struct debugger *g, u64 pc)
{
    struct insn in;
    char text[512] = "no instruction";
    if (insn_at(g, pc, &in))
        insn_print(&g->d->isa, &in, text, sizeof text);
    fprintf(g->out, "%s", text);
}

static void show_pc(const struct debugger *g, u64 pc)
{
    char buf[512];
    struct text t;
    text_init(&t, buf, sizeof buf);
    where_describe_pc(g->d, pc, &t);
    fprintf(g->out, "%s", buf);
}

static void show_range(const struct debugger *g, const struct place_range *reg)
{
    char buf[64];
    struct text t;
    text_init(&t, buf, sizeof buf);
    place_print((enum gen)g->d->isa.target->gen, &t, reg);
    fprintf(g->out, "%s", buf);
}

static void show_access(const struct debugger *g, const struct mem_access *a)
{
    fprintf(g->out, ", %s of %u byte%s at 0x%" PRIx64 " by lane %u", a->write ? "store" : "load",
            a->bytes, a->bytes == 1 ? "" : "s", a->addr, a->lane);
    if (a->write)
        fprintf(g->out, ", value 0x%" PRIx64, a->value);
}

void debug_show_stop(struct debugger *g)
{
    static const char *const words[] = {
        [DEBUG_AT_START] = "start",         [DEBUG_AT_POINT] = "breakpoint",
        [DEBUG_AT_STEP] = "step",           [DEBUG_AT_WATCH] = "watchpoint",
        [DEBUG_AT_INTERRUPT] = "interrupt", [DEBUG_AT_END] = "stuck"
    };
    const u32 *group = g->run->group;
    fprintf(g->out, "%s", words[g->why]);
    if (g->at)
        fprintf(g->out, " %u, hit %" PRIu64, g->at->number, g->at->hits);
    if (g->why == DEBUG_AT_WATCH && g->at->kind == DEBUG_MEMORY)
        show_access(g, &g->at->access);
    if (g->why == DEBUG_AT_END) {
        fprintf(g->out, ": %s\n", g->end);
        return;
    }
    fprintf(g->out, ": %u.%u.%u/%u ", group[0], group[1], group[2], g->w->id);
    if (g->w->stop == STOP_END) {
        fprintf(g->out, "has ended\n");
        return;
    }
    show_pc(g, g->w->pc);
    fprintf(g->out, ": ");
    show_insn(g, g->w->pc);
    fputc('\n', g->out);
}

void debug_show_point(const struct debugger *g, const struct debug_point *p)
{
    fprintf(g->out, "%u: ", p->number);
    if (p->kind == DEBUG_BREAK) {
        fprintf(g->out, "break ");
        show_pc(g, p->address);
    } else if (p->kind == DEBUG_LINE) {
        fprintf(g->out, "break %s:%u", p->file, p->line);
    } else {
        fprintf(g->out, "%s ", !p->read ? "watch" : p->write ? "awatch" : "rwatch");
        if (p->kind == DEBUG_REGISTER)
            show_range(g, &p->reg);
        else
            fprintf(g->out, "0x%" PRIx64 " %" PRIu64, p->address, p->size);
    }
    if (p->only.from_hit > 1)
        fprintf(g->out, " hit %" PRIu64, p->only.from_hit);
    if (p->only.has_group)
        fprintf(g->out, " group %u.%u.%u", p->only.group[0], p->only.group[1], p->only.group[2]);
    if (p->only.has_wave)
        fprintf(g->out, " wave %u", p->only.wave);
    fprintf(g->out, ", %" PRIu64 " hit%s\n", p->hits, p->hits == 1 ? "" : "s");
}

void debug_show_points(const struct debugger *g)
{
    for (u32 i = 0; i < g->points; i++)
        debug_show_point(g, &g->point[i]);
    if (!g->points)
        fprintf(g->out, "no points\n");
}

/* Equal lanes that follow each other once. */
static void show_lanes(const struct debugger *g, u32 place)
{
    for (u32 lane = 0, last; lane < LANES; lane = last + 1) {
        u32 value = wave_get(g->w, place, lane);
        for (last = lane; last + 1 < LANES && wave_get(g->w, place, last + 1) == value;)
            last++;
        fprintf(g->out, last > lane ? " [%u-%u]=0x%x" : " [%u]=0x%x", lane,
                last > lane ? last : value, value);
    }
}

void debug_show_register(const struct debugger *g, const struct place_range *reg)
{
    for (u32 i = 0; i < reg->dw; i++) {
        struct place_range one = { .place = (u16)(reg->place + i), .dw = 1, .lane = reg->lane };
        show_range(g, &one);
        if (place_is_vector(one.place) && reg->lane < 0)
            show_lanes(g, one.place);
        else
            fprintf(g->out, "=0x%x", wave_get(g->w, one.place, reg->lane < 0 ? 0 : (u32)reg->lane));
        fputc('\n', g->out);
    }
}

bool debug_show_memory(const struct debugger *g, u64 address, u64 count)
{
    for (u64 i = 0; i < count; i++) {
        u32 dw;
        const u8 *at = debug_bytes(g, address + 4 * i, 4, false);
        if (!at) {
            fprintf(g->out, "%s", i % 4 ? "\n" : "");
            return false;
        }
        if (i % 4 == 0)
            fprintf(g->out, "0x%" PRIx64 ":", address + 4 * i);
        memcpy(&dw, at, 4);
        fprintf(g->out, " 0x%08x%s", dw, i % 4 == 3 || i + 1 == count ? "\n" : "");
    }
    return true;
}

void debug_show_calls(const struct debugger *g)
{
    const struct launch_trail *t = &g->run->g.trails[g->w->id];
    fprintf(g->out, "0: ");
    show_pc(g, g->w->pc);
    for (u32 i = t->depth; i-- > 0;) {
        fprintf(g->out, "\n%u: ", t->depth - i);
        show_pc(g, t->from[i]);
    }
    fputc('\n', g->out);
}

void debug_show_waves(const struct debugger *g)
{
    for (u32 i = 0; i < g->d->under_way_count; i++) {
        const struct group_run *run = g->d->under_way[i];
        for (u32 k = 0; k < run->g.m->waves; k++) {
            const struct wave *w = run->g.m->wave[k];
            fprintf(g->out, "%s%u.%u.%u/%u ", w == g->w ? "* " : "  ", run->group[0], run->group[1],
                    run->group[2], k);
            if (w->stop == STOP_NONE || w->stop == STOP_BARRIER || w->stop == STOP_GWS)
                show_pc(g, w->pc);
            if (w->stop != STOP_NONE)
                fprintf(g->out, "%s%s", w->stop == STOP_BARRIER || w->stop == STOP_GWS ? ", " : "",
                        machine_stop_text(w->stop));
            fputc('\n', g->out);
        }
    }
}

void debug_show_code(const struct debugger *g, u64 count)
{
    u64 pc = g->w->pc;
    struct insn in;
    for (u64 i = 0; i < count && insn_at(g, pc, &in); i++) {
        fprintf(g->out, "0x%" PRIx64 ": ", where_shown_pc(g->d, pc));
        show_insn(g, pc);
        fputc('\n', g->out);
        pc += in.dw * 4u;
    }
}
