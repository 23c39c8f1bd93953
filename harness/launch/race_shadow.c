/* What was accessed, dword by dword, and whether the next access to it is ordered behind that. */
#include "harness/launch/race.h"

#include <stdlib.h>

enum { ALL_BYTES = 15 };

/* ---- order ---- */

static u32 group_of(const struct races *r, u32 wave)
{
    return (wave - 1) >> r->shift;
}

/* The last barrier of a work-group before an epoch. */
static u32 floor_before(const struct races *r, u32 group, u32 epoch)
{
    const struct race_floors *f = &r->floors[group];
    u32 lo = 0, hi = f->count;
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        if (f->epoch[mid] <= epoch)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? f->epoch[lo - 1] : 0;
}

/* Whether an access to LDS before the last barrier was under way there, and still is for all that
 * `me` knows. */
static bool is_late(const struct race_step *s, const struct race_access *a)
{
    u32 mask = (1u << s->r->shift) - 1;
    const struct race_wave *other = &s->g->wave[(a->wave - 1) & mask];
    for (u32 i = 0; i < RACE_LATE; i++) {
        const struct race_late *l = &other->late[i];
        if (a->epoch >= l->from && a->epoch < l->to && (!l->until || s->me->floor < l->until))
            return true;
    }
    return false;
}

static enum race_why order_in_group(const struct race_step *s, const struct race_access *a,
                                    bool lds)
{
    const struct race_wave *me = s->me;
    const struct race_clock *c = s->r->known[me->id - 1];
    bool scalar = s->kind == RACE_LOAD_SCALAR;
    bool before = a->epoch < me->floor, late = before && lds && s->g->has_late && is_late(s, a);
    if (before && !late && (!scalar || a->epoch < me->scalar_floor))
        return RACE_ORDERED;
    if (scalar && before)
        c = me->scalar;
    u32 i = c ? race_clock_find(c, a->wave) : 0;
    if (c && i < c->count && c->e[i].wave == a->wave &&
        a->epoch < (lds ? c->e[i].lds : c->e[i].group))
        return RACE_ORDERED;
    return late ? RACE_PENDING : before ? RACE_STALE : RACE_FREE;
}

/* Whether a clock knows an access of another work-group to global memory. */
static enum race_why known_by(const struct races *r, const struct race_clock *c,
                              const struct race_access *a)
{
    u32 group = group_of(r, a->wave);
    enum race_why why = RACE_FREE;
    for (u32 i = c ? race_clock_find(c, (group << r->shift) + 1) : 0;
         c && i < c->count && group_of(r, c->e[i].wave) == group; i++) {
        const struct race_entry *e = &c->e[i];
        if ((e->wave == a->wave && a->epoch < e->all) ||
            (e->wave != a->wave && a->epoch < floor_before(r, group, e->group)))
            return RACE_ORDERED;
        if (e->wave == a->wave && a->epoch < floor_before(r, group, e->group))
            return RACE_ORDERED;
        if (e->wave == a->wave && a->epoch < e->group)
            why = RACE_UNACKED;
    }
    return why;
}

static enum race_why order_of(const struct race_step *s, const struct race_access *a, bool lds)
{
    const struct races *r = s->r;
    const struct race_wave *me = s->me;
    if (((a->wave - 1) ^ (me->id - 1)) >> r->shift == 0)
        return order_in_group(s, a, lds);
    enum race_why why = known_by(r, r->known[me->id - 1], a);
    const struct race_clock *cache = s->kind == RACE_LOAD          ? me->seen
                                     : s->kind == RACE_LOAD_SCALAR ? me->scalar
                                                                   : NULL;
    if (why != RACE_ORDERED || s->kind == RACE_LOAD_GLC || s->kind >= RACE_STORE)
        return why;
    return known_by(r, cache, a) == RACE_ORDERED ? RACE_ORDERED : RACE_STALE;
}

/* The most frequent answer, quickly: false says nothing. */
static inline bool is_before(const struct race_step *s, const struct race_access *a)
{
    const struct race_wave *me = s->me;
    return !a->wave || a->wave == me->id ||
           (((a->wave - 1) ^ (me->id - 1)) >> s->r->shift == 0 && a->epoch < me->floor &&
            !s->g->has_late && s->kind != RACE_LOAD_SCALAR);
}

/* ---- where waves meet ---- */

static struct race_sync *find_sync(struct races *r, const struct race_cell *c)
{
    u32 mask = r->sync_room - 1, i = (u32)hash_mix((uintptr_t)c, 3) & mask;
    while (r->sync[i].cell && r->sync[i].cell != c)
        i = (i + 1) & mask;
    return &r->sync[i];
}

static bool grow_syncs(struct races *r)
{
    struct race_sync *old = r->sync;
    u32 room = r->sync_room;
    struct race_sync *more = calloc(room * 2ull, sizeof *more);
    if (!more) {
        r->failed = true;
        return false;
    }
    r->sync = more;
    r->sync_room = room * 2;
    for (u32 i = 0; i < room; i++)
        if (old[i].cell)
            *find_sync(r, old[i].cell) = old[i];
    free(old);
    return true;
}

/* The one of a dword; NULL if memory is short. */
static struct race_sync *sync_of(struct race_step *s, struct race_cell *c)
{
    struct races *r = s->r;
    if (!(c->flags & RACE_SYNC) && r->sync_count >= r->sync_room / 2 && !grow_syncs(r))
        return NULL;
    struct race_sync *y = find_sync(r, c);
    if (!(c->flags & RACE_SYNC)) {
        race_clock_drop(y->clock); /* of LDS of a work-group that is gone */
        race_clock_drop(y->seen);
        r->sync_count += !y->cell;
        *y = (struct race_sync){ .cell = c };
        c->flags |= RACE_SYNC;
    }
    return y;
}

/* The epoch up to which its LDS accesses have been waited for. */
static u32 lds_done(const struct race_queue *q, u32 now)
{
    for (u32 n = q->now; n > q->done; n--)
        if (q->lds >> n % RACE_QUEUE & 1)
            now = q->epoch[n % RACE_QUEUE];
    return now;
}

struct race_clock *race_view(struct race_step *s, bool by_lds)
{
    const struct race_wave *me = s->me;
    const struct race_queue *vm = &me->vm;
    struct races *r = s->r;
    struct race_clock **view = &s->view[by_lds];
    u32 now = me->epoch + 1;
    struct race_entry e = { .wave = me->id, .all = now, .group = now, .lds = now };
    u32 own = isa_counters(insn_row(&s->in->insn)) & COUNTS_VM ? 1 : 0;
    if (*view)
        return *view;
    if (vm->now - vm->done > own)
        e.all = vm->epoch[(vm->done + 1) % RACE_QUEUE];
    if (!by_lds && !s->done_lds)
        e.lds = lds_done(&me->lgkm, now);
    *view = race_clock_join(NULL, r->known[me->id - 1], &r->failed);
    return *view = race_clock_add(*view, &e, &r->failed);
}

/* What is known of the wave that stored a flag which nobody took for one then. */
static void view_of_store(struct race_step *s, const struct race_cell *c, struct race_sync *y,
                          bool by_lds)
{
    struct races *r = s->r;
    const struct race_access *a = &c->write;
    u32 now = a->epoch + 1;
    struct race_entry e = { .wave = a->wave, .group = now };
    e.all = c->flags & RACE_DONE_VM ? now : 0;
    e.lds = by_lds || c->flags & RACE_DONE_LDS ? now : 0;
    y->clock = race_clock_join(y->clock, r->known[a->wave - 1], &r->failed);
    y->clock = race_clock_add(y->clock, &e, &r->failed);
    y->group = group_of(r, a->wave);
    if (y->group == group_of(r, s->me->id))
        y->seen = race_clock_join(y->seen, s->g->wave[(a->wave - 1) & ((1u << r->shift) - 1)].seen,
                                  &r->failed);
}

static void acquire(struct race_step *s, struct race_cell *c, bool by_lds)
{
    struct races *r = s->r;
    bool is_new = !(c->flags & RACE_SYNC);
    if (is_new && (!c->write.wave || c->write.wave == s->me->id))
        return;
    struct race_sync *y = sync_of(s, c);
    if (!y)
        return;
    if (is_new)
        view_of_store(s, c, y, by_lds);
    s->got = race_clock_join(s->got, y->clock, &r->failed);
    if (y->group == group_of(r, s->me->id))
        s->got_seen = race_clock_join(s->got_seen, y->seen, &r->failed);
}

/* An atomic adds to what those before it have published; a store begins anew. */
static void release(struct race_step *s, struct race_cell *c, bool lds)
{
    struct races *r = s->r;
    struct race_sync *y = sync_of(s, c);
    u32 group = group_of(r, s->me->id);
    if (!y)
        return;
    if (s->kind == RACE_STORE) {
        race_clock_drop(y->clock);
        y->clock = NULL;
    }
    if (s->kind == RACE_STORE || y->group != group) {
        race_clock_drop(y->seen);
        y->seen = NULL;
    }
    y->clock = race_clock_join(y->clock, race_view(s, lds), &r->failed);
    y->seen = race_clock_join(y->seen, s->me->seen, &r->failed);
    y->group = group;
}

/* ---- findings ---- */

/* A place in memory that an instruction accesses. */
struct spot {
    struct race_cell *cell;
    const u8 *bytes; /* of the dword, as far as memory goes */
    u32 size;        /* 4, but at the end of memory */
    u64 address;
    u32 lane, mask;
    bool lds;
};

static struct race_access now_at(const struct race_step *s, u32 lane)
{
    return (struct race_access){ s->me->id, s->me->epoch, s->at << 6 | lane };
}

static void add_found(struct races *r, const struct race_found *f)
{
    for (u32 i = 0; i < r->found_count; i++) {
        const struct race_found *g = &r->found[i];
        if (g->first.where >> 6 == f->first.where >> 6 &&
            g->second.where >> 6 == f->second.where >> 6 && g->why == f->why &&
            g->first_kind == f->first_kind && !race_is_meant(r, f) == !race_is_meant(r, g))
            return;
    }
    if (r->found_count < RACE_FOUND_MAX)
        r->found[r->found_count++] = *f;
}

static void find(struct race_step *s, const struct spot *p, const struct race_access *first,
                 enum race_kind first_kind, enum race_why why)
{
    struct race_found f = { .first = *first,
                            .second = now_at(s, p->lane),
                            .first_kind = (u8)first_kind,
                            .second_kind = (u8)s->kind,
                            .why = (u8)why,
                            .space = p->lds ? SPACE_LDS : SPACE_GLOBAL,
                            .address = p->address,
                            .cell = p->cell };
    if (first_kind != RACE_STORE || s->kind != RACE_STORE) {
        add_found(s->r, &f);
    } else if (s->stores < COUNT_OF(s->store)) {
        struct race_same *t = &s->store[s->stores++];
        t->at = p->bytes;
        t->f = f;
        t->size = p->size;
        memcpy(t->old, p->bytes, t->size);
    }
}

void race_settle_stores(struct race_step *s)
{
    for (u32 i = 0; i < s->stores; i++)
        if (memcmp(s->store[i].old, s->store[i].at, s->store[i].size) != 0)
            add_found(s->r, &s->store[i].f);
    s->stores = 0;
}

/* ---- accesses ---- */

static enum race_kind kind_of_read(const struct race_cell *c, u32 i)
{
    return c->flags & (i ? RACE_READ2_GLC : RACE_READ1_GLC) ? RACE_LOAD_GLC : RACE_LOAD;
}

static u32 read_mask(const struct race_cell *c, u32 i)
{
    return c->flags >> (i ? RACE_READ2_LSB : RACE_READ1_LSB) & ALL_BYTES;
}

static void put_read(struct race_step *s, struct race_cell *c, u32 i, u32 lane, u32 mask)
{
    u32 lsb = i ? RACE_READ2_LSB : RACE_READ1_LSB, glc = i ? RACE_READ2_GLC : RACE_READ1_GLC;
    bool same = c->read[i].wave == s->me->id && c->read[i].epoch == s->me->epoch;
    u32 old = same ? read_mask(c, i) : 0;
    c->read[i] = now_at(s, lane);
    c->flags = (c->flags & ~((u32)ALL_BYTES << lsb | glc)) | (mask | old) << lsb |
               (s->kind == RACE_LOAD_GLC ? glc | (u32)RACE_GLC : 0);
}

/* The first read since the last write and the last one stay, of those that nothing orders. */
static inline void add_read(struct race_step *s, struct race_cell *c, u32 lane, u32 mask)
{
    bool first = is_before(s, &c->read[0]);
    put_read(s, c, first ? 0 : 1, lane, mask);
}

/* The last store, or the last atomic, was of another wave. */
static void meet_write(struct race_step *s, const struct spot *p, const struct race_access *a,
                       enum race_kind kind)
{
    struct race_cell *c = p->cell;
    bool flag = s->kind == RACE_LOAD_GLC;
    enum race_why why = order_of(s, a, p->lds);
    bool same_group = group_of(s->r, a->wave) == group_of(s->r, s->me->id);
    if (why == RACE_ORDERED)
        return;
    if (s->kind == RACE_LOAD && same_group)
        flag = race_polls(s->r, s->at);
    if (!flag && !(kind == RACE_RMW && s->kind == RACE_RMW))
        find(s, p, a, kind, why);
    if (flag)
        acquire(s, c, p->lds);
}

static inline void meet_writes(struct race_step *s, const struct spot *p)
{
    const struct race_cell *c = p->cell;
    if (!is_before(s, &c->write) && c->flags & p->mask)
        meet_write(s, p, &c->write, RACE_STORE);
    if (!is_before(s, &c->atomic))
        meet_write(s, p, &c->atomic, RACE_RMW);
}

static inline void load(struct race_step *s, const struct spot *p)
{
    struct race_cell *c = p->cell;
    meet_writes(s, p);
    if (s->kind == RACE_LOAD_GLC && c->flags & RACE_SYNC)
        acquire(s, c, p->lds);
    add_read(s, c, p->lane, p->mask);
}

static void meet_reads(struct race_step *s, const struct spot *p)
{
    const struct race_cell *c = p->cell;
    for (u32 i = 0; i < 2; i++) {
        const struct race_access *a = &c->read[i];
        if (!a->wave || !(read_mask(c, i) & p->mask))
            continue;
        if (a->wave == s->me->id && s->compares)
            s->r->marks[a->where >> 6] |= RACE_BEFORE_SWAP;
        if (a->wave == s->me->id || kind_of_read(c, i) == RACE_LOAD_GLC)
            continue;
        enum race_why why = order_of(s, a, p->lds);
        if (why != RACE_ORDERED)
            find(s, p, a, RACE_LOAD, why);
    }
}

/* A store takes the place of all that came before it: what comes behind it and not behind them is
 * found by it. An atomic leaves the store, which others may race with that do not with it. */
static inline void put_write(struct race_step *s, struct race_cell *c, u32 lane, u32 mask)
{
    u32 keep = c->flags & (RACE_GLC | RACE_SYNC);
    if (s->kind == RACE_RMW) {
        c->atomic = now_at(s, lane);
        keep = c->flags;
    } else {
        bool same = c->write.wave == s->me->id && c->write.epoch == s->me->epoch;
        keep |= mask | (same ? c->flags & ALL_BYTES : 0);
        keep |= (s->done_vm ? RACE_DONE_VM : 0u) | (s->done_lds ? RACE_DONE_LDS : 0u);
        c->write = now_at(s, lane);
        c->atomic.wave = 0;
    }
    c->read[0].wave = c->read[1].wave = 0;
    c->flags = keep;
}

static inline void write(struct race_step *s, const struct spot *p)
{
    struct race_cell *c = p->cell;
    if (s->kind == RACE_STORE && c->atomic.wave == s->me->id)
        s->r->marks[s->at] |= RACE_OWNS;
    meet_writes(s, p);
    if (s->compares || !is_before(s, &c->read[0]) || !is_before(s, &c->read[1]))
        meet_reads(s, p);
    if (s->kind == RACE_RMW && s->returns)
        acquire(s, c, p->lds);
    put_write(s, c, p->lane, p->mask);
    if (s->kind == RACE_RMW || c->flags & RACE_SYNC)
        release(s, c, p->lds);
}

static inline void touch(struct race_step *s, const struct spot *p)
{
    if (s->kind < RACE_STORE)
        load(s, p);
    else
        write(s, p);
}

/* ---- places ---- */

static const struct race_window *window_at(const struct races *r, u64 address)
{
    for (u32 i = 0; i < r->window_count; i++)
        if (address - r->window[i].base < r->window[i].size)
            return &r->window[i];
    return NULL;
}

/* Dwords of one block of memory: `first` is its address, `size` its bytes. */
struct block {
    struct race_cell *cells;
    const u8 *bytes;
    u64 first, size;
    bool lds;
};

/* All dwords of an access within a block. */
static inline void touch_block(struct race_step *s, const struct block *b, u32 lane, u64 at, u32 n)
{
    struct spot spot = { .lane = lane, .lds = b->lds }, *p = &spot;
    u64 base = b->lds ? 0 : b->first;
    while (n) {
        u32 in = at & 3, k = n < 4 - in ? n : 4 - in;
        u64 begin = at & ~3ull;
        p->cell = &b->cells[at / 4];
        p->bytes = b->bytes + begin;
        p->size = b->size - begin < 4 ? (u32)(b->size - begin) : 4;
        p->address = base + begin;
        p->mask = ((1u << k) - 1) << in;
        touch(s, p);
        at += k;
        n -= k;
    }
}

static struct block lds_block(const struct race_step *s)
{
    return (struct block){ s->g->lds, s->w->lds->bytes, 0, s->g->lds_dw * 4ull, true };
}

static struct block window_block(const struct race_window *win)
{
    return (struct block){ win->cells, win->bytes, win->base, win->size, false };
}

void race_touch(struct race_step *s, bool lds, u32 lane, u64 address, u32 bytes)
{
    const struct race_window *win = lds ? NULL : window_at(s->r, address);
    if (!lds && !win)
        return;
    struct block b = lds ? lds_block(s) : window_block(win);
    u64 at = address - b.first;
    if (at < b.size && bytes <= b.size - at)
        touch_block(s, &b, lane, at, bytes);
}

/* Whether FLAT addresses are of global memory all. */
static bool are_global(const struct wave *w, const u64 *address)
{
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u64 hi = address[ctz64(m)] >> 32;
        if (hi == w->shared_base >> 32 || hi == w->private_base >> 32)
            return false;
    }
    return true;
}

/* What decides quickly, where the compiler can hold it in registers. */
struct quick {
    u32 id, floor, shift;
};

static inline bool quickly_before(const struct quick *q, const struct race_access *a)
{
    return !a->wave || a->wave == q->id ||
           (((a->wave - 1) ^ (q->id - 1)) >> q->shift == 0 && a->epoch < q->floor);
}

/* The usual load of an aligned dword: behind all stores. False: it was not done. */
static inline bool load_quickly(const struct quick *q, struct race_cell *c,
                                const struct race_access *now)
{
    if (!quickly_before(q, &c->write) || !quickly_before(q, &c->atomic))
        return false;
    if (c->read[0].wave == now->wave && c->read[0].epoch == now->epoch)
        return true; /* by another lane */
    bool first = quickly_before(q, &c->read[0]);
    u32 lsb = first ? RACE_READ1_LSB : RACE_READ2_LSB;
    c->read[!first] = *now;
    c->flags = (c->flags & ~(first ? (u32)RACE_READ1_GLC : (u32)RACE_READ2_GLC)) | (u32)ALL_BYTES
                                                                                       << lsb;
    return true;
}

/* The usual store of one: behind all that came before, and no flag. */
static inline bool store_quickly(const struct quick *q, struct race_cell *c,
                                 const struct race_access *now, u32 flags)
{
    if (c->flags & RACE_SYNC || c->atomic.wave || !quickly_before(q, &c->write) ||
        !quickly_before(q, &c->read[0]) || !quickly_before(q, &c->read[1]))
        return false;
    c->write = *now;
    c->read[0].wave = c->read[1].wave = 0;
    c->flags = (c->flags & RACE_GLC) | flags;
    return true;
}

static inline bool do_quickly(const struct quick *q, struct race_cell *c,
                              const struct race_access *now, bool stores, u32 flags)
{
    return stores ? store_quickly(q, c, now, flags) : load_quickly(q, c, now);
}

/* Lanes of `rest`, as long as they lie in the block; answers those that are left. */
static inline u64 touch_in_block(struct race_step *s, const struct block *b, u64 rest,
                                 const u64 *address, u32 bytes, bool stores)
{
    const struct quick q = { s->me->id, s->me->floor, s->r->shift };
    bool quick = bytes % 4 == 0 && !s->g->has_late && (stores || s->kind == RACE_LOAD);
    u32 flags = ALL_BYTES | (s->done_vm ? RACE_DONE_VM : 0u) | (s->done_lds ? RACE_DONE_LDS : 0u);
    struct race_access now = now_at(s, 0);
    u32 where = now.where, dwords = bytes / 4;
    for (; rest; rest &= rest - 1) {
        u32 lane = ctz64(rest);
        u64 at = address[lane] - b->first;
        if (at >= b->size || bytes > b->size - at)
            return rest;
        if (!quick || at & 3) {
            touch_block(s, b, lane, at, bytes);
            continue;
        }
        now.where = where | lane;
        for (u32 i = 0; i < dwords; i++)
            if (!do_quickly(&q, &b->cells[at / 4 + i], &now, stores, flags))
                touch_block(s, b, lane, at + i * 4ull, 4);
    }
    return 0;
}

static u64 touch_lanes(struct race_step *s, const struct block *b, u64 rest, const u64 *address,
                       u32 bytes)
{
    return s->kind == RACE_STORE ? touch_in_block(s, b, rest, address, bytes, true)
                                 : touch_in_block(s, b, rest, address, bytes, false);
}

bool race_touch_lanes(struct race_step *s, const u64 *address, u32 bytes)
{
    u64 rest = wave_exec(s->w);
    struct block b = lds_block(s);
    bool lds = s->in->space == SPACE_LDS;
    if (s->in->space == SPACE_FLAT && !are_global(s->w, address))
        return false;
    while (rest) {
        u32 lane = ctz64(rest);
        const struct race_window *win = lds ? NULL : window_at(s->r, address[lane]);
        if (win)
            b = window_block(win);
        if (win || lds)
            rest = touch_lanes(s, &b, rest, address, bytes);
        if (rest && (!win || ctz64(rest) == lane)) /* it lies outside, or not wholly inside */
            rest &= rest - 1;
    }
    return true;
}
