/* Global wave sync: barriers and semaphores that waves of all work-groups share. A wave that has to
 * wait stands still at the instruction; whoever releases it takes it out of the queue at once. Vega
 * ISA, chapter 12 (DS opcodes). For sem_mem.c. */
#ifndef ORACLE_SEM_MEM_GWS_H
#define ORACLE_SEM_MEM_GWS_H

#include "oracle/sem/sem.h"

/* The resource. ERRATA: the manual adds the offset to a base of another register; it is that of the
 * machine's waves, 0, and bits of M0. */
static u32 gws_number(const struct wave *w, const struct xinsn *in)
{
    return ((w->sgpr[CODE_M0] >> 16) + (u32)in->offset) % GWS_RESOURCES;
}

/* The data operand of the first active lane, 0 if there is none of either. */
static u32 gws_data(const struct wave *w, const struct xinsn *in)
{
    const struct xop *o = &in->opnd[SLOT_ADDR];
    u64 exec = wave_exec(w);
    return o->dw && exec ? w->vgpr[o->code - CODE_VGPR][ctz64(exec)] : 0;
}

/* The resource for an opcode that makes it one of `type`; NULL if its effect is not known, and then
 * the wave has stopped. */
static struct gws_resource *gws_open(struct wave *w, const struct xinsn *in, enum gws_type type)
{
    u32 number = gws_number(w, in);
    struct gws_resource *r = &w->gws->resource[number];
    const char *name = insn_row(&in->insn)->name;
    if (wave_exec(w) == 0) {
        wave_unmodelled(w, "%s without an active lane is not modelled", name);
        return NULL;
    }
    if (gws_data(w, in) > GWS_COUNTER_MAX) {
        wave_unmodelled(w, "%s: a count beyond %d is not modelled", name, GWS_COUNTER_MAX);
        return NULL;
    }
    if (type != GWS_NEW && !r->ready) {
        wave_unmodelled(w, "%s: resource %u is not initialised", name, number);
        return NULL;
    }
    if (r->first && r->type != type) {
        wave_unmodelled(w, "%s: waves wait at resource %u for something else", name, number);
        return NULL;
    }
    w->gws->used = true;
    r->type = (u8)type;
    return r;
}

static void gws_enqueue(struct gws_resource *r, struct wave *w)
{
    w->stop = STOP_GWS;
    w->gws_next = NULL;
    if (r->first)
        r->last->gws_next = w;
    else
        r->first = w;
    r->last = w;
}

static void gws_release_first(struct gws_resource *r)
{
    r->first->stop = STOP_NONE;
    r->first = r->first->gws_next;
}

static void gws_init(struct wave *w, const struct xinsn *in)
{
    struct gws_resource *r = gws_open(w, in, GWS_NEW);
    if (r)
        *r = (struct gws_resource){ .ready = true, .counter = (u16)gws_data(w, in) };
}

/* The counter says how many more waves are needed before the last one, which brings the number for
 * the next barrier with it. */
static void gws_barrier(struct wave *w, const struct xinsn *in)
{
    struct gws_resource *r = gws_open(w, in, GWS_BARRIER);
    if (!r)
        return;
    if (r->counter > 0) {
        r->counter--;
        gws_enqueue(r, w);
        return;
    }
    r->counter = (u16)gws_data(w, in);
    while (r->first)
        gws_release_first(r);
}

/* Adds to the counter of a semaphore; waves that wait take it at once, the first first. */
static void gws_add(struct wave *w, const struct xinsn *in, u32 number)
{
    struct gws_resource *r = gws_open(w, in, GWS_SEMAPHORE);
    if (!r)
        return;
    number += r->counter;
    for (; number && r->first; number--)
        gws_release_first(r);
    if (number > GWS_COUNTER_MAX)
        wave_unmodelled(w, "%s: a counter beyond %d is not modelled", insn_row(&in->insn)->name,
                        GWS_COUNTER_MAX);
    else
        r->counter = (u16)number;
}

static void gws_take(struct wave *w, const struct xinsn *in)
{
    struct gws_resource *r = gws_open(w, in, GWS_SEMAPHORE);
    if (r && r->counter > 0)
        r->counter--;
    else if (r)
        gws_enqueue(r, w);
}

/* ERRATA: the formula sets the counter to the number of waves that wait, the text leaves it alone
 * if there are none. */
static void gws_release_all(struct wave *w, const struct xinsn *in)
{
    struct gws_resource *r = gws_open(w, in, GWS_SEMAPHORE);
    if (r && r->counter > 0)
        wave_unmodelled(
            w, "ds_gws_sema_release_all of a semaphore that nobody waits for is not modelled");
    while (r && r->first)
        gws_release_first(r);
}

#endif
