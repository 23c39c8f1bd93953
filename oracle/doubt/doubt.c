/* Which readings there are, and executing by them. What each does stands in valu.c and other.c. */
#include "oracle/doubt/internal.h"

static const struct {
    const char *id, *opcodes, *reading;
    const struct doubt_hooks *hooks;
} readings[] = {
#define OTHER(id, opcodes, name, reading) { id, opcodes, reading, &doubt_##name },
#include "oracle/errata/other.def"
#undef OTHER
};
_Static_assert(COUNT_OF(readings) <= 64, "a reading is a bit");

const struct erratum *doubt_entry(u32 index)
{
    return index < COUNT_OF(readings) ? erratum_find(readings[index].id, strlen(readings[index].id))
                                      : NULL;
}

const char *doubt_reading(u32 index)
{
    return readings[index].reading;
}

void doubt_table_fill(struct doubt_table *t)
{
    memset(t, 0, sizeof *t);
    for (u32 i = 0; i < COUNT_OF(readings); i++)
        errata_mark(readings[i].opcodes, (u64)1 << i, t->of_op);
}

enum status doubt_parse(const char *ids, u64 *out, struct err *e)
{
    *out = 0;
    while (*ids) {
        size_t len = strcspn(ids, ",");
        u64 found = 0;
        for (u32 i = 0; i < COUNT_OF(readings); i++) {
            bool named = len == strlen(readings[i].id) && !memcmp(ids, readings[i].id, len);
            found |= (u64)(named || (len == 3 && !memcmp(ids, "all", 3))) << i;
        }
        if (!found)
            return err_set(e, ST_INPUT,
                           "'%.*s' names no entry of the ledger that has another "
                           "reading",
                           len < 60 ? (int)len : 60, ids);
        *out |= found;
        ids += len + (ids[len] == ',');
    }
    return *out ? ST_OK : err_set(e, ST_INPUT, "no entry of the ledger is named");
}

/* ---- executing ---- */

void doubt_exec(struct wave *w, const struct xinsn *x, u64 bits)
{
    struct doubt_memo memo[DOUBTS_MAX];
    struct doubt_run r;
    const struct doubt_hooks *hooks[DOUBTS_MAX];
    u32 n = 0;
    if (w->special) { /* an indexed instruction is not the one that stands there */
        exec_special(w, x);
        return;
    }
    r.x = *x;
    r.w = w;
    for (; bits && n < DOUBTS_MAX; bits &= bits - 1) {
        hooks[n] = readings[ctz64(bits)].hooks;
        memo[n].lanes = 0;
        if (hooks[n]->before)
            hooks[n]->before(&r, &memo[n]);
        n++;
    }
    r.x.sem(w, &r.x);
    while (n-- > 0)
        if (hooks[n]->after)
            hooks[n]->after(&r, &memo[n]);
}

static enum stop run(struct machine *m, struct wave *w, u64 limit)
{
    const struct doubt_engine *d = (const struct doubt_engine *)(const void *)m->engine->exec;
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        u64 bits = d->readings & d->table.of_op[in->insn.op];
        if (bits)
            doubt_exec(w, in, bits);
        else
            exec_insn(w, in);
        w->steps++;
    }
    return w->stop;
}

void doubt_engine_open(struct doubt_engine *d, u64 bits)
{
    d->ops.run = run;
    d->readings = bits;
    doubt_table_fill(&d->table);
}

/* ---- what one instruction touches ---- */

/* What a wave has that is in no log. */
struct unlogged {
    u32 raised;
    bool faulted;
    u64 pc, fault_addr, mask_out, write_mask;
    enum stop stop;
};

static struct unlogged unlogged_of(const struct wave *w)
{
    return (struct unlogged){ .raised = w->raised,
                              .faulted = w->faulted,
                              .pc = w->pc,
                              .fault_addr = w->fault_addr,
                              .mask_out = w->mask_out,
                              .write_mask = w->write_mask,
                              .stop = w->stop };
}

static void put_back(struct wave *w, const struct unlogged *u)
{
    w->raised = u->raised;
    w->faulted = u->faulted;
    w->pc = u->pc;
    w->fault_addr = u->fault_addr;
    w->mask_out = u->mask_out;
    w->write_mask = u->write_mask;
    w->stop = u->stop;
}

/* What the place of a log's entry holds now, as the log keeps it. */
static const void *now_at(const struct wave *w, const struct wlog_entry *e, u32 *one)
{
    switch (e->place) {
    case PLACE_MEM: return mem_at(w->mem, e->addr, e->size, false);
    case PLACE_LDS: return w->lds->bytes + e->addr;
    case PLACE_GDS: return w->gds->bytes + e->addr;
    default: break;
    }
    if (e->place < SGPRS)
        return &w->sgpr[e->place];
    if (e->place >= PLACE_V0 && e->place < PLACE_SCC)
        return w->vgpr[e->place - PLACE_V0];
    *one = wave_get(w, e->place, 0);
    return one;
}

static u32 bytes_of(const struct wlog_entry *e)
{
    return e->place >= PLACE_MEM ? e->size : e->size * 4;
}

static void run_logged(struct wave *w, const struct xinsn *x, u64 bits, struct wlog *log)
{
    w->log = log;
    w->pc += x->insn.dw * 4u;
    if (bits)
        doubt_exec(w, x, bits);
    else
        exec_insn(w, x);
}

/* Adds where an entry of a log differs from what the usual reading gives there. */
static void add_difference(const struct wlog_entry *e, const void *usual, const void *other,
                           u64 *lanes, bool *rest)
{
    bool is_vector = e->place >= PLACE_V0 && e->place < PLACE_SCC;
    if (e->place == PLACE_TRAPSTS) /* no exact rule says which exceptions there are */
        return;
    if (!is_vector) {
        *rest |= memcmp(usual, other, bytes_of(e)) != 0;
        return;
    }
    for (u32 lane = 0; lane < LANES; lane++)
        *lanes |= (u64)(((const u32 *)usual)[lane] != ((const u32 *)other)[lane]) << lane;
}

static bool is_same_place(const struct wlog_entry *a, const struct wlog_entry *b)
{
    return a->place == b->place && a->addr == b->addr && a->size == b->size;
}

/* The wave stands behind the other reading, `other`; `usual` is the log of the usual one, whose
 * values are in s->after. */
static void compare(const struct wave *w, const struct wlog *usual, const struct wlog *other,
                    const struct doubt_scratch *s, u64 *lanes, bool *rest)
{
    u32 one;
    for (u32 i = 0; i < usual->count; i++) {
        const struct wlog_entry *e = &usual->entry[i];
        add_difference(e, s->after + e->at, now_at(w, e, &one), lanes, rest);
    }
    for (u32 i = 0; i < other->count; i++) {
        const struct wlog_entry *e = &other->entry[i];
        bool known = false;
        for (u32 k = 0; k < usual->count && !known; k++)
            known = is_same_place(&usual->entry[k], e);
        if (!known)
            add_difference(e, other->data + e->at, now_at(w, e, &one), lanes, rest);
    }
}

static struct wlog open_log(struct doubt_scratch *s, u32 which)
{
    return (struct wlog){ .entry = s->entry[which],
                          .cap = COUNT_OF(s->entry[which]),
                          .data = s->data[which],
                          .data_cap = COUNT_OF(s->data[which]) };
}

/* Runs x the usual way, keeps what it wrote in *log and s->after, and takes it back. */
static void try_usual(struct wave *w, const struct xinsn *x, struct doubt_scratch *s,
                      struct wlog *log)
{
    u32 one;
    struct wlog undo;
    run_logged(w, x, 0, log);
    for (u32 i = 0; i < log->count; i++)
        memcpy(s->after + log->entry[i].at, now_at(w, &log->entry[i], &one),
               bytes_of(&log->entry[i]));
    undo = *log;
    wlog_undo(&undo, &w);
}

void doubt_touched(const struct doubt_table *t, struct wave *w, const struct xinsn *x,
                   struct doubt_scratch *s, struct doubts *d)
{
    u64 bits = t->of_op[x->insn.op];
    struct wlog usual = open_log(s, 0), *log = w->log;
    struct unlogged was = unlogged_of(w);
    u32 id = w->id;
    d->count = 0;
    if (!bits || w->special)
        return;
    w->id = 0;
    try_usual(w, x, s, &usual);
    put_back(w, &was);
    for (; bits && d->count < DOUBTS_MAX; bits &= bits - 1) {
        struct wlog other = open_log(s, 1);
        u64 lanes = 0;
        bool rest = false;
        run_logged(w, x, bits & -bits, &other);
        compare(w, &usual, &other, s, &lanes, &rest);
        wlog_undo(&other, &w);
        put_back(w, &was);
        if (!lanes && !rest)
            continue;
        d->at[d->count].entry = doubt_entry(ctz64(bits));
        d->at[d->count].lanes = lanes;
        d->at[d->count++].rest = rest;
    }
    w->log = log;
    w->id = id;
}
