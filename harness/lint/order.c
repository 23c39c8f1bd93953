/* A flag that is stored before its data is acknowledged. What stores are for does not stand in the code,
 * so only a kernel that shows both sides by itself is judged: it loads from pointer F of its arguments
 * past the cache (glc) and invalidates the cache behind that, an acquire; behind that it loads from
 * another pointer, D; and it stores to F, or has an atomic there, while a store to D may still be under
 * way. What it does to one pointer only, through pointers that come from memory, or by way of private
 * memory (-O0) is not looked at; launch --check-races sees all of it, where it is executed.
 *
 * Pointers are followed from the kernarg segment through registers: what an instruction computes of one
 * pointer and of what is none is that pointer. */
#include "harness/lint/internal.h"
#include "oracle/insn/counter.h"
#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

#include <stdlib.h>

enum {
    CODE_MAX = 1 << 14, /* dwords of a kernel; larger ones are passed over */
    SGPR_PLACES = 128,
    PLACES = SGPR_PLACES + RULE_VGPRS,
    POINTERS_MAX = 32,
    PENDING_MAX = 24,
    AGE_MAX = 63, /* vmcnt counts no further */
    SADDR_OFF = 0x7f
};

/* What a register holds. */
enum { HOLDS_OTHER, HOLDS_KERNARG, HOLDS_POINTER };

struct pending {
    u32 at;     /* of the store */
    u8 pointer; /* number */
    u8 age;     /* instructions that vmcnt counts, issued since */
};

struct order_state {
    bool is_reached;
    u8 holds[PLACES];
    u32 loaded;   /* pointers, by bit: of the last load past the cache */
    u32 acquired; /* of loads that an invalidate of the cache followed */
    u32 count;
    struct pending pending[PENDING_MAX]; /* stores; what has no room is forgotten */
};

struct order {
    struct checked *c;
    struct order_state *at;             /* before each instruction */
    u32 offset[POINTERS_MAX], pointers; /* in the kernarg segment */
    u32 read[POINTERS_MAX];             /* of each flag: pointers that were loaded from behind it */
    bool is_final, reports;
};

static bool place_index(u32 place, u32 *index)
{
    *index = place < SGPR_PLACES ? place : place - PLACE_V0 + SGPR_PLACES;
    return place < CODE_EXEC || (place >= PLACE_V0 && place < PLACE_V0 + RULE_VGPRS);
}

/* ---- pointers ---- */

static u8 pointer_at(struct order *o, u32 offset)
{
    u32 i = 0;
    while (i < o->pointers && o->offset[i] != offset)
        i++;
    if (i == POINTERS_MAX)
        return HOLDS_OTHER;
    if (i == o->pointers)
        o->offset[o->pointers++] = offset;
    return (u8)(HOLDS_POINTER + i);
}

/* Of two: what the one holds that holds anything; *differ: both do, and not the same. */
static u8 combine(u8 a, u8 b, bool *differ)
{
    *differ |= a && b && a != b;
    return a ? a : b;
}

static u8 held(const struct order_state *s, u32 place, u32 dw)
{
    bool differ = false;
    u8 holds = HOLDS_OTHER;
    u32 index;
    for (u32 i = 0; i < dw; i++)
        if (place_index(place + i, &index))
            holds = combine(holds, s->holds[index], &differ);
    return differ ? HOLDS_OTHER : holds;
}

static bool moves(const struct insn *in)
{
    return in->op == OP_s_mov_b32 || in->op == OP_s_mov_b64;
}

static u8 computed(const struct order_state *s, const struct insn *in, const struct effects *fx)
{
    bool differ = false;
    u8 holds = HOLDS_OTHER;
    if (fx->mem_read)
        return HOLDS_OTHER;
    for (u32 i = 0; i < fx->count; i++)
        if (fx->e[i].dir & DIR_R)
            holds = combine(holds, held(s, fx->e[i].place, fx->e[i].dw), &differ);
    return differ || (holds == HOLDS_KERNARG && !moves(in)) ? HOLDS_OTHER : holds;
}

/* The offset of what a scalar load takes from the kernarg segment; false: it takes something else. */
static bool loads_argument(const struct order *o, const struct order_state *s,
                           const struct insn *in, u32 *offset)
{
    const struct isa_row *row = insn_row(in);
    bool by_dword = isa_target_has(o->c->l->isa->target, FEATUREBIT_DWORD_OFFSETS);
    if (isa_memory(row) != MEMORY_SCALAR || !(row->flags & FLAG_LOAD) ||
        insn_smem_offset_register(in) >= 0)
        return false;
    *offset = insn_get(in, FLD_offset) * (by_dword ? 4 : 1);
    return held(s, insn_get(in, FLD_sbase) * 2, 2) == HOLDS_KERNARG;
}

static void write_registers(struct order *o, struct order_state *s, const struct insn *in)
{
    struct effects fx;
    u32 offset, index;
    effects_of(in, &fx);
    u8 holds = computed(s, in, &fx);
    bool is_argument = loads_argument(o, s, in, &offset);
    for (u32 i = 0; i < fx.count; i++)
        for (u32 k = 0; k < fx.e[i].dw && fx.e[i].dir & DIR_W; k++)
            if (place_index(fx.e[i].place + k, &index))
                s->holds[index] = is_argument ? pointer_at(o, (offset + k * 4) & ~7u) : holds;
}

/* ---- memory ---- */

/* The pointer that a vector instruction goes by, as a bit; 0: not known. */
static u32 pointer_of(const struct order_state *s, const struct insn *in)
{
    u8 holds = held(s, PLACE_V0 + insn_get(in, FLD_addr), 2);
    u32 base = insn_get(in, FLD_saddr);
    if (isa_memory(insn_row(in)) == MEMORY_GLOBAL && base != SADDR_OFF)
        holds = held(s, base, 2);
    return holds >= HOLDS_POINTER ? 1u << (holds - HOLDS_POINTER) : 0;
}

static void drop(struct order_state *s, u32 age)
{
    u32 left = 0;
    for (u32 i = 0; i < s->count; i++)
        if (s->pending[i].age < age)
            s->pending[left++] = s->pending[i];
    s->count = left;
}

static void add_pending(struct order_state *s, struct pending p)
{
    for (u32 i = 0; i < s->count; i++)
        if (s->pending[i].at == p.at) {
            if (p.age < s->pending[i].age)
                s->pending[i].age = p.age;
            return;
        }
    if (s->count < PENDING_MAX)
        s->pending[s->count++] = p;
}

static enum status report(struct order *o, const struct order_state *s, u32 at, u32 flag,
                          struct err *e)
{
    struct lint_finding f = { .kind = LINT_ORDER };
    u32 data = o->read[ctz64(flag)] & ~flag;
    for (u32 i = 0; i < s->count; i++)
        if (data >> s->pending[i].pointer & 1) {
            f.from = s->pending[i].at;
            return lint_report(o->c, at, &f, e);
        }
    return ST_OK;
}

static enum status access_memory(struct order *o, struct order_state *s, u32 at, struct err *e)
{
    const struct insn *in = &o->c->df.node[at].in;
    u64 flags = insn_row(in)->flags;
    enum isa_memory memory = isa_memory(insn_row(in));
    bool is_known = memory == MEMORY_GLOBAL || memory == MEMORY_FLAT;
    bool reads = flags & FLAG_LOAD || (flags & FLAG_ATOMIC && insn_get(in, FLD_glc));
    u32 pointer = is_known ? pointer_of(s, in) : 0;
    enum status st = ST_OK;
    for (u32 left = o->is_final && flags & FLAG_LOAD ? s->acquired : 0; left; left &= left - 1)
        o->read[ctz64(left)] |= pointer;
    if (o->reports && pointer && !reads)
        st = report(o, s, at, pointer, e);
    if (reads && insn_get(in, FLD_glc))
        s->loaded = pointer;
    for (u32 i = 0; i < s->count; i++)
        s->pending[i].age++;
    drop(s, AGE_MAX);
    if (pointer && flags & FLAG_STORE)
        add_pending(s, (struct pending){ .at = at, .pointer = (u8)ctz64(pointer) });
    return st;
}

/* ---- following ---- */

static enum status step(struct order *o, struct order_state *s, u32 at, struct err *e)
{
    const struct insn *in = &o->c->df.node[at].in;
    const struct isa_row *row = insn_row(in);
    enum status st = ST_OK;
    if (isa_flow_calls(row)) { /* who is called waits, and keeps nothing that is known */
        memset(s->holds, 0, sizeof s->holds);
        s->count = s->loaded = 0;
        return ST_OK;
    }
    if (row->flags & FLAG_WAIT)
        drop(s, counter_get(&counter_table((enum gen)in->gen)[COUNTER_vmcnt],
                            insn_get(in, FLD_simm16)));
    if (isa_is_vmem(row) && row->flags & FLAG_INVALIDATES)
        s->acquired |= s->loaded;
    else if (isa_is_vmem(row))
        st = access_memory(o, s, at, e);
    write_registers(o, s, in);
    return st;
}

/* True if *to changed. */
static bool merge(struct order_state *to, const struct order_state *from)
{
    struct order_state was = *to;
    if (!to->is_reached) {
        *to = *from;
        return true;
    }
    for (u32 i = 0; i < PLACES; i++)
        if (to->holds[i] != from->holds[i])
            to->holds[i] = HOLDS_OTHER;
    to->loaded |= from->loaded;
    to->acquired |= from->acquired;
    for (u32 i = 0; i < from->count; i++)
        add_pending(to, from->pending[i]);
    return memcmp(&was, to, sizeof was) != 0;
}

/* Until nothing changes. */
static enum status follow(struct order *o, struct err *e)
{
    const struct dataflow *df = &o->c->df;
    enum status st = ST_OK;
    for (bool changed = true; changed && st == ST_OK;) {
        changed = false;
        for (u32 at = 0; at < df->dw && st == ST_OK; at++) {
            struct order_state s = o->at[at];
            if (!s.is_reached)
                continue;
            st = step(o, &s, at, e);
            for (u32 i = 0; i < df->node[at].edges; i++)
                changed |= merge(&o->at[df->node[at].edge[i]], &s);
        }
    }
    return st;
}

static enum status visit(struct order *o, struct err *e)
{
    enum status st = ST_OK;
    for (u32 at = 0; at < o->c->df.dw && st == ST_OK; at++) {
        struct order_state s = o->at[at];
        if (s.is_reached)
            st = step(o, &s, at, e);
    }
    return st;
}

/* Whether the kernel acquires anything, and all of its ways are known. */
static bool is_judged(const struct dataflow *df)
{
    bool invalidates = false, loads = false, all = df->dw <= CODE_MAX;
    for (u32 at = 0; at < df->dw && all; at++) {
        const struct dataflow_node *n = &df->node[at];
        if (!n->begins)
            continue;
        const struct isa_row *row = insn_row(&n->in);
        all = !n->full;
        invalidates |= isa_is_vmem(row) && row->flags & FLAG_INVALIDATES;
        loads |= isa_is_vmem(row) && insn_get(&n->in, FLD_glc);
    }
    return all && invalidates && loads;
}

enum status order_check(struct checked *c, struct err *e)
{
    struct order o = { .c = c };
    if (!is_judged(&c->df))
        return ST_OK;
    o.at = calloc(c->df.dw, sizeof *o.at);
    if (!o.at)
        return err_memory(e);
    o.at[0].is_reached = true;
    o.at[0].holds[c->kernarg] = o.at[0].holds[c->kernarg + 1] = HOLDS_KERNARG;
    enum status st = follow(&o, e);
    o.is_final = true;
    if (st == ST_OK)
        st = visit(&o, e);
    o.reports = true;
    if (st == ST_OK)
        st = visit(&o, e);
    free(o.at);
    return st;
}
