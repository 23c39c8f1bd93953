#include "oracle/exec/weak.h"
#include "oracle/exec/request.h"
#include "oracle/insn/counter.h"

#include <stdlib.h>

enum {
    MISS = 8,      /* one in so many loads that could hit misses: its line was given away */
    DELAY_LOG = 8, /* how long a request takes is drawn below a power of two up to this one */
    LOSS = 2       /* one in so many lines that were not written back is lost */
};

/* What a wave has under way, in order of issue. */
struct weak_wave {
    struct pending_counters counters;
    u32 count;
    struct request *order[PENDING_MAX];
};

/* Of a machine. */
struct weak_machine {
    struct weak *s;
    u32 unit;
    struct weak_wave wave[];
};

/* ---- devices ---- */

static u32 busy_words(const struct weak *s)
{
    return s->unit_count / 64 + 1;
}

static void clear(struct weak *s)
{
    for (u32 i = 0; i < s->unit_count; i++) {
        cache_clear(&s->unit[i].l1);
        s->unit[i].count = 0;
    }
    for (u32 i = 0; i <= s->unit_count / SCALAR_UNITS; i++)
        cache_clear(&s->scalar[i]);
    memset(s->busy, 0, busy_words(s) * sizeof *s->busy);
    s->clock = s->serial = 0;
    s->next_due = UINT64_MAX;
    if (s->free_count == REQUESTS)
        return;
    s->free_count = REQUESTS;
    for (u32 i = 0; i < REQUESTS; i++)
        s->free[i] = &s->request[i];
}

void weak_restart(struct weak *s, u64 seed)
{
    s->seed = seed;
    rng_seed(&s->rng, seed);
    clear(s);
}

enum status weak_open(struct weak **out, const struct weak_cfg *cfg, struct err *e)
{
    struct weak *s = *out = calloc(1, sizeof *s);
    if (!s)
        return err_memory(e);
    s->unit_count = cfg->cus;
    s->private_base = cfg->private_base;
    s->private_size = cfg->private_size;
    s->unit = calloc(cfg->cus, sizeof *s->unit);
    s->busy = calloc(busy_words(s), sizeof *s->busy);
    s->scalar = calloc(cfg->cus / SCALAR_UNITS + 1, sizeof *s->scalar);
    s->request = calloc(REQUESTS, sizeof *s->request);
    s->free = calloc(REQUESTS, sizeof *s->free);
    if (!s->unit || !s->busy || !s->scalar || !s->request || !s->free) {
        weak_close(s);
        *out = NULL;
        return err_memory(e);
    }
    weak_restart(s, cfg->seed);
    return ST_OK;
}

void weak_close(struct weak *s)
{
    if (!s)
        return;
    free(s->unit);
    free(s->busy);
    free(s->scalar);
    free(s->request);
    free(s->free);
    free(s);
}

static void perform_oldest(struct weak *s, struct unit *u)
{
    request_perform(s, u->order[0]);
}

static bool perform_everything(struct weak *s)
{
    bool changed = false;
    for (u32 i = 0; i < s->unit_count; i++)
        while (s->unit[i].count)
            changed |= request_perform(s, s->unit[i].order[0]);
    return changed;
}

void weak_end(struct weak *s)
{
    perform_everything(s);
    for (u32 i = 0; i <= s->unit_count / SCALAR_UNITS; i++)
        for (u32 k = 0; k < CACHE_LINES; k++) {
            struct cache_line *l = &s->scalar[i].line[k];
            if (l->number && l->dirty && rng_below(&s->rng, LOSS))
                cache_write_line(l);
        }
}

/* ---- machines ---- */

/* A store that nothing but memory is needed for, once it has its data. */
static bool stands_alone(const struct request *r)
{
    return r->put_count && !r->uses_lds && !r->is_private && !r->in->is_atomic;
}

/* Forgets what a wave has under way: results are for nobody, and LDS will not be there any more.
 * Stores go on. */
static void let_go(struct weak *s, struct weak_wave *q)
{
    for (u32 i = 0; i < q->count; i++) {
        struct request *r = q->order[i];
        if (!r->is_performed && !stands_alone(r))
            request_perform(s, r);
        if (r->is_performed) {
            request_free(s, r);
            continue;
        }
        request_take(s, r);
        r->m = NULL;
    }
    q->count = 0;
}

void weak_reset(struct machine *m)
{
    struct weak_machine *x = m->weak;
    for (u32 i = 0; x && i < m->waves_max; i++) {
        let_go(x->s, &x->wave[i]);
        x->wave[i].counters = (struct pending_counters){ 0 };
    }
}

enum status weak_join(struct weak *s, struct machine *m, struct err *e)
{
    struct weak_machine *x = calloc(1, sizeof *x + m->waves_max * sizeof x->wave[0]);
    if (!x)
        return err_memory(e);
    x->s = s;
    m->weak = x;
    return ST_OK;
}

void weak_leave(struct machine *m)
{
    weak_reset(m);
    free(m->weak);
    m->weak = NULL;
}

void weak_place(struct machine *m, u32 cu)
{
    m->weak->unit = cu % m->weak->s->unit_count;
}

/* ---- what a wave has under way ---- */

static void finish(struct weak *s, struct weak_wave *q, u32 at)
{
    struct request *r = q->order[at];
    r->is_awaited = true;
    if (!r->is_performed)
        request_perform(s, r);
    request_deliver(r);
    request_free(s, r);
    memmove(&q->order[at], &q->order[at + 1], (--q->count - at) * sizeof q->order[0]);
}

/* FLAT is counted twice: lgkmcnt says that its LDS was accessed, vmcnt that its memory was. The result
 * is there when both do. */
static bool is_half_done(const struct request *r, bool vm, bool lgkm)
{
    return r->kind == KIND_FLAT && ((lgkm && r->uses_lds) || (vm && r->channels));
}

/* Everything that the counters say has happened happens. */
static void settle(struct weak *s, struct weak_wave *q)
{
    for (u32 at = 0; at < q->count;) {
        struct request *r = q->order[at];
        bool vm = r->n.vm <= q->counters.vm.done, lgkm = r->n.lgkm <= q->counters.lgkm.done;
        if (vm && lgkm) {
            finish(s, q, at);
            continue;
        }
        if (!r->is_performed && is_half_done(r, vm, lgkm))
            request_perform(s, r);
        else if (!r->is_performed && r->is_late && r->n.exp <= q->counters.exp.done)
            request_take(s, r);
        at++;
    }
}

static void perform_all(struct weak *s, struct weak_wave *q)
{
    for (u32 at = 0; at < q->count; at++)
        if (!q->order[at]->is_performed)
            request_perform(s, q->order[at]);
}

static void finish_all(struct weak *s, struct weak_wave *q)
{
    while (q->count)
        finish(s, q, 0);
    pending_finish(&q->counters);
}

/* A wave ends. It gets its results, which whoever looks at it then finds. */
static void end(struct weak *s, struct weak_wave *q)
{
    for (u32 at = 0; at < q->count;) {
        if (stands_alone(q->order[at]))
            at++;
        else
            finish(s, q, at);
    }
    let_go(s, q);
}

static void wait(struct weak *s, struct weak_wave *q, const struct wave *w, u32 imm)
{
    pending_wait(&q->counters, (enum gen)w->isa->target->gen, imm);
    settle(s, q);
}

/* ---- time ---- */

/* Short ones and long ones: a write may take longer than all that another wave does. */
static u64 draw_due(struct weak *s)
{
    return s->clock + 1 + rng_below(&s->rng, 1u << rng_below(&s->rng, DELAY_LOG + 1));
}

/* What is due of a unit reaches memory. */
static void perform_due_of(struct weak *s, struct unit *u)
{
    for (u32 k = 0; k < u->count;) {
        if (u->order[k]->due > s->clock) {
            if (u->order[k]->due < s->next_due)
                s->next_due = u->order[k]->due;
            k++;
            continue;
        }
        request_perform(s, u->order[k]);
        k = 0;
    }
}

static void perform_due(struct weak *s)
{
    s->next_due = UINT64_MAX;
    for (u32 i = 0; i < busy_words(s); i++)
        for (u64 left = s->busy[i]; left; left &= left - 1)
            perform_due_of(s, &s->unit[i * 64 + ctz64(left)]);
}

/* ---- issue ---- */

/* The oldest request of all goes, if it has to. Its wave has issued none before. */
static void make_room(struct weak *s, struct weak_machine *x)
{
    struct unit *u = &s->unit[x->unit];
    if (u->count == UNIT_REQUESTS)
        perform_oldest(s, u);
    while (s->free_count == 0) {
        struct request *oldest = &s->request[0];
        for (u32 i = 1; i < REQUESTS; i++)
            if (s->request[i].serial < oldest->serial)
                oldest = &s->request[i];
        if (!oldest->m)
            request_perform(s, oldest);
        else
            finish(s, &oldest->m->weak->wave[oldest->w->id], 0);
    }
}

/* Whether a load finds all that it reads in the vector cache. */
static bool hits(struct weak *s, const struct request *r)
{
    struct cache *c = &s->unit[r->unit].l1;
    const struct isa_row *row = insn_row(&r->in->insn);
    if (!(row->flags & FLAG_LOAD) || r->in->is_atomic || r->is_overflown || r->uses_lds ||
        insn_get(&r->in->insn, FLD_glc))
        return false;
    for (u32 i = 0; i < r->line_count; i++)
        if (!cache_find(c, r->line[i].number))
            return false;
    return rng_below(&s->rng, MISS);
}

/* A store leaves the lines in the cache that it writes whole, and no others; none if its data may come
 * later. */
static void store_line(struct weak *s, const struct request *r, const struct request_line *at)
{
    struct cache *c = &s->unit[r->unit].l1;
    struct cache_line *l = NULL;
    cache_drop(c, at->number);
    if (at->dirty == ~0ull && !insn_get(&r->in->insn, FLD_glc) && !r->is_late)
        l = cache_fill(c, r->w->mem, at->number);
    for (u32 i = 0; l && i < r->put_count; i++) {
        const struct request_put *p = &r->put[i];
        uintptr_t to = (uintptr_t)p->at - (uintptr_t)l->at;
        for (u32 k = 0; k < p->bytes; k++)
            if (to + k < CACHE_LINE)
                l->bytes[to + k] = (u8)(p->value >> k * 8);
    }
}

/* What the access does to the vector cache when it passes there. */
static void pass_cache(struct weak *s, const struct request *r)
{
    struct cache *c = &s->unit[r->unit].l1;
    bool drops = r->in->is_atomic || insn_get(&r->in->insn, FLD_glc);
    if (r->is_overflown && (r->writes || drops))
        cache_invalidate(c, false);
    for (u32 i = 0; i < r->line_count; i++) {
        if (r->writes && !r->in->is_atomic)
            store_line(s, r, &r->line[i]);
        else if (drops)
            cache_drop(c, r->line[i].number);
    }
}

/* Vector memory takes its place among the accesses of its compute unit now. False: it is done, or
 * the wave has stopped. */
static bool pass(struct weak *s, struct request *r)
{
    if (!request_record(s, r))
        return false;
    if (hits(s, r)) {
        request_hit(s, r);
        return false;
    }
    pass_cache(s, r);
    return true;
}

static void issue(struct machine *m, struct wave *w, struct weak_wave *q, const struct xinsn *in,
                  enum pending_kind kind)
{
    const struct isa_row *row = insn_row(&in->insn);
    struct weak *s = m->weak->s;
    struct pending_numbers n;
    bool vector = kind == KIND_VMEM || kind == KIND_FLAT;
    bool at_once = insn_get(&in->insn, FLD_lds) ||
                   (!vector && kind != KIND_SCALAR && !pending_moves_data(row));
    pending_count(&q->counters, w, &in->insn, &n);
    settle(s, q);
    make_room(s, m->weak);
    struct request *r = request_begin(s, m, w, in, kind);
    r->unit = m->weak->unit;
    r->n = n;
    r->due = draw_due(s);
    if (!vector || pass(s, r))
        request_issue(s, r);
    if (w->stop != STOP_NONE) {
        request_free(s, r);
        return;
    }
    q->order[q->count++] = r;
    if (at_once && !r->is_performed)
        request_perform(s, r);
}

/* ---- the step loop ---- */

static void execute(struct machine *m, struct wave *w, struct weak_wave *q, const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    struct weak *s = m->weak->s;
    enum pending_kind kind = pending_kind(&in->insn);
    bool special = w->special & (SPECIAL_VSKIP | SPECIAL_TRAP);
    if (special)
        finish_all(s, q);
    if (pending_is_counted(row, kind) && !special) {
        issue(m, w, q, in, kind);
        return;
    }
    pending_count_other(&q->counters, row);
    if (row->flags & FLAG_WAIT)
        wait(s, q, w, insn_get(&in->insn, FLD_simm16));
    else if (row->flags & FLAG_WR_MODE)
        perform_all(s, q);
    else if (row->flags & FLAG_INVALIDATES && kind == KIND_VMEM)
        cache_invalidate(&s->unit[m->weak->unit].l1, row->flags & FLAG_VOLATILE);
    else if (row->flags & FLAG_END)
        end(s, q);
    if (w->stop == STOP_NONE)
        exec_insn(w, in);
}

static enum stop run(struct machine *m, struct wave *w, u64 limit)
{
    struct weak *s = m->weak->s;
    struct weak_wave *q = &m->weak->wave[w->id];
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        if (++s->clock >= s->next_due)
            perform_due(s);
        if (w->stop == STOP_NONE)
            execute(m, w, q, in);
        w->steps++;
    }
    return w->stop;
}

static bool drain(struct machine *m)
{
    return perform_everything(m->weak->s);
}

static u64 hash(const struct machine *m, const struct wave *w)
{
    const struct weak_wave *q = &m->weak->wave[w->id];
    u64 h = q->count;
    for (u32 i = 0; i < q->count; i++) {
        const struct request *r = q->order[i];
        h = hash_mix(h, r->pc << 1 | r->is_performed);
        if (r->is_performed)
            h = pending_hash(h, r->place, r->dw, r->value, pair_get(&r->sgpr[CODE_EXEC]));
    }
    return h;
}

const struct exec_ops exec_ops_weak = { .run = run, .drain = drain, .hash = hash };
