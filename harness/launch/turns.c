/* A launch in which the order of turns is given: by the explorer (oracle/exec/explore.h), or a list.
 * A turn is as many instructions of a wave as it takes to access memory once that others can
 * access, to come to a barrier, or to end. All work-groups are under way from the start. */
#include "harness/launch/turns.h"

#include "harness/io/number.h"
#include "oracle/base/array.h"
#include "oracle/exec/spin.h"

#include <stdlib.h>

/* Memory that is a work-group's own, or has no addresses. */
enum { SPACE_SHIFT = 60, KEY_LDS = 1, KEY_GDS, KEY_GWS, GROUP_SHIFT = 32 };

/* What is remembered of a wave, to see that it comes back to the same state (spin.h says why that is
 * a wait): since it changed memory, or read what somebody else had changed. */
enum { READS_MAX = 256, VISITS_MAX = 32 };

struct visit {
    u64 pc, hash;
    u32 turns; /* of the run, by then */
};

struct turns_wave {
    enum stop was; /* when it was looked at last */
    bool waits;
    u32 reads, visits;
    struct spin_private private;
    u32 guess; /* which read is likely to come next */
    struct spin_read read[READS_MAX];
    struct visit visit[VISITS_MAX];
};

struct turns {
    struct schedule_guide guide;
    struct dispatch *d;
    struct explore *x;            /* NULL: they are those of the list */
    const struct turns_run *list; /* the caller's */
    u32 list_count, list_at, list_done;
    u32 waves; /* of a work-group */
    u32 threads;
    struct turns_wave *wave;
    u32 me;                        /* thread that has the turn, or had it last */
    const struct machine *machine; /* its */
    struct observer seen;
    struct explore_access *access; /* of this turn */
    u32 count, room;
    struct turns_run *taken;
    u32 taken_count, taken_room;
    bool failed, is_impossible;
};

enum status turns_open(struct turns **out, struct dispatch *d, struct err *e)
{
    const u32 *size = d->l->now.workgroup;
    u32 waves = (size[0] * size[1] * size[2] + LANES - 1) / LANES;
    u64 threads = launch_group_count(d) * waves;
    *out = NULL;
    if (threads > EXPLORE_THREADS)
        return err_set(e, ST_INPUT,
                       "kernel %.60s has %llu waves: their turns can be chosen of at most %d",
                       d->k->meta->name, (unsigned long long)threads, EXPLORE_THREADS);
    if (launch_group_count(d) > d->resident)
        return err_set(e, ST_INPUT, "kernel %.60s: not all work-groups can be under way at a time",
                       d->k->meta->name);
    struct turns *t = *out = calloc(1, sizeof *t);
    if (!t)
        return err_memory(e);
    t->d = d;
    t->waves = waves;
    t->threads = (u32)threads;
    t->wave = calloc(threads, sizeof *t->wave);
    return t->wave ? ST_OK : err_memory(e);
}

void turns_close(struct turns *t)
{
    if (!t)
        return;
    free(t->wave);
    free(t->access);
    free(t->taken);
    free(t);
}

u32 turns_threads(const struct turns *t)
{
    return t->threads;
}

void turns_explore(struct turns *t, struct explore *x)
{
    t->x = x;
}

void turns_follow(struct turns *t, const struct turns_run *list, u32 count)
{
    t->x = NULL;
    t->list = list;
    t->list_count = count;
}

static void *grow(struct turns *t, void *array, u32 *room, u64 need, size_t size)
{
    void *moved = need <= *room ? array : array_grow(array, room, need, size);
    t->failed |= !moved;
    return moved;
}

/* ---- waits ---- */

static u64 bytes_at(const u8 *at, u32 bytes)
{
    u64 v = 0;
    memcpy(&v, at, bytes);
    return v;
}

static bool is_as_read(const struct spin_read *r)
{
    return bytes_at(r->at, r->bytes) == r->value;
}

static bool reads_hold(const struct turns_wave *w)
{
    for (u32 i = 0; i < w->reads; i++)
        if (!is_as_read(&w->read[i]))
            return false;
    return true;
}

/* What was seen before says nothing of what comes. */
static void look_anew(struct turns_wave *w)
{
    w->reads = w->visits = 0;
}

static void remember(struct turns_wave *w, const struct mem_access *a, u64 now)
{
    bool is_news = w->reads == READS_MAX;
    for (u32 n = 0; n < w->reads; n++) {
        u32 i = (w->guess + n) % w->reads;
        const struct spin_read *r = &w->read[i];
        if (r->at != a->at || r->bytes != a->bytes)
            continue;
        w->guess = i + 1;
        if (r->value == now)
            return;
        is_news = true; /* somebody else changed it */
        break;
    }
    if (is_news)
        look_anew(w);
    w->read[w->reads++] = (struct spin_read){ a->at, now, a->bytes };
}

/* Whether the wave, which has had its turn, did nothing since it was in the same state. */
static bool is_idle(struct turns *t, const struct machine *m, struct wave *w)
{
    struct turns_wave *me = &t->wave[t->me];
    u64 hash = spin_hash(m, w, &me->private);
    if (me->visits && !reads_hold(me))
        me->visits = 0;
    for (u32 i = 0; i < me->visits; i++)
        if (me->visit[i].pc == w->pc && me->visit[i].hash == hash) {
            if (t->x)
                explore_forget(t->x, t->me, me->visit[i].turns);
            return true;
        }
    if (me->visits == VISITS_MAX)
        me->visits = 0;
    me->visit[me->visits++] = (struct visit){ w->pc, hash, t->x ? explore_turns(t->x) : 0 };
    return false;
}

/* ---- one turn ---- */

static void add_access(struct turns *t, u64 first, u32 bytes, bool write)
{
    struct explore_access *last = t->count ? &t->access[t->count - 1] : NULL;
    if (last && last->write == write && last->end == first) {
        last->end += bytes;
        return;
    }
    struct explore_access *moved = grow(t, t->access, &t->room, t->count + 1ull, sizeof *t->access);
    if (!moved)
        return;
    t->access = moved;
    t->access[t->count++] = (struct explore_access){ first, first + bytes, write };
}

static u64 key_of(const struct turns *t, const struct mem_access *a)
{
    if (a->space == SPACE_LDS)
        return (u64)KEY_LDS << SPACE_SHIFT | (u64)(t->me / t->waves) << GROUP_SHIFT | a->addr;
    return a->space == SPACE_GDS ? (u64)KEY_GDS << SPACE_SHIFT | a->addr : a->addr;
}

static void see(struct observer *o, struct wave *w, const struct mem_access *a)
{
    struct turns *t = (struct turns *)((u8 *)o - offsetof(struct turns, seen));
    struct turns_wave *me = &t->wave[t->me];
    u64 now = bytes_at(a->at, a->bytes);
    bool changes = a->write && (a->value & mask64(a->bytes * 8)) != now, grew;
    (void)w;
    if (spin_is_private(t->machine, a, &me->private, &grew)) {
        if (grew)
            look_anew(me);
        return;
    }
    if (changes)
        look_anew(me);
    else
        remember(me, a, now);
    add_access(t, key_of(t, a), a->bytes, changes);
}

static void look_away(struct turns *t, struct wave *w)
{
    struct observer **o = &w->observer;
    while (*o != &t->seen)
        o = &(*o)->next;
    *o = t->seen.next;
}

/* One instruction. False if s->run wants to end the run. */
static bool step(struct turns *t, struct schedule *s, struct machine *m, struct wave *w)
{
    struct turns_wave *me = &t->wave[t->me];
    const struct xinsn *in = machine_fetch(m, w);
    u64 before = w->steps;
    if (in && insn_row(&in->insn)->flags & FLAG_GDS_ONLY) {
        add_access(t, (u64)KEY_GWS << SPACE_SHIFT, 1, true);
        look_anew(me);
    }
    spin_turn(&m->spin[w->id], m, w, 1);
    if (s->run)
        s->run(s->ctx, s->at, w, 1);
    else
        m->engine->exec->run(m, w, 1);
    me->waits = spin_step(&m->spin[w->id], m, w); /* a loop that accesses nothing */
    return w->steps > before || w->stop != STOP_NONE;
}

static bool take_turn(struct schedule_guide *g, struct schedule *s, struct wave *w, u64 left)
{
    struct turns *t = (struct turns *)g;
    struct turns_wave *me = &t->wave[t->me];
    struct machine *m = s->slot[s->at].m;
    bool goes_on = true;
    t->machine = m;
    t->count = 0;
    t->seen = (struct observer){ .see = see, .next = w->observer };
    w->observer = &t->seen;
    for (; left && goes_on && w->stop == STOP_NONE && !t->count && !me->waits; left--)
        goes_on = step(t, s, m, w);
    look_away(t, w);
    me->was = w->stop;
    if (t->x)
        explore_turn(t->x, t->access, t->count);
    if (w->stop == STOP_NONE && t->count && is_idle(t, m, w))
        me->waits = true;
    return goes_on;
}

/* ---- whose turn it is ---- */

/* The barrier of a work-group has let its waves go on: each behind all. */
static void meet(struct turns *t, u32 first, u32 waves)
{
    for (u32 i = 0; t->x && i < waves; i++)
        for (u32 k = 0; k < waves; k++)
            explore_follow(t->x, first + i, first + k);
}

/* What the last turn did to a wave that is not stopped. Whether it can go on. */
static bool is_able(struct turns *t, struct turns_wave *w, u32 thread, struct spin *spin)
{
    bool was_waiting = w->waits || w->was == STOP_GWS;
    if (w->waits && reads_hold(w))
        return false;
    if (was_waiting && t->x)
        explore_follow(t->x, thread, t->me);
    if (w->waits) {
        look_anew(w);
        spin->is_waiting = w->waits = false;
    }
    return true;
}

/* Those that can go on. */
static u64 look(struct turns *t, struct schedule *s)
{
    u64 able = 0;
    for (u32 at = 0; at < s->slots; at++) {
        struct machine *m = s->slot[at].m;
        u32 first = (u32)t->d->under_way[at]->index * t->waves;
        bool met = false;
        for (u32 i = 0; i < m->waves; i++) {
            struct turns_wave *w = &t->wave[first + i];
            bool runs = m->wave[i]->stop == STOP_NONE;
            met |= runs && w->was == STOP_BARRIER;
            if (runs && is_able(t, w, first + i, &m->spin[i]))
                able |= 1ull << (first + i);
            w->was = m->wave[i]->stop;
        }
        if (met)
            meet(t, first, m->waves);
    }
    return able;
}

static bool is_done(const struct turns_run *run, u32 turns, u64 able)
{
    return run->turns ? turns == run->turns : !(able >> run->thread & 1);
}

/* Without a list, or behind its end: the same wave as long as it can, then the first one. */
static u32 by_list(struct turns *t, u64 able)
{
    bool can_last = t->taken_count && able >> t->me & 1;
    if (t->list_done && is_done(&t->list[t->list_at], t->list_done, able)) {
        t->list_done = 0;
        t->list_at++;
    }
    if (!able)
        return EXPLORE_NONE;
    if (t->list_at == t->list_count)
        return can_last ? t->me : ctz64(able);
    const struct turns_run *run = &t->list[t->list_at];
    t->is_impossible = run->thread >= t->threads || !(able >> run->thread & 1);
    t->list_done++;
    return t->is_impossible ? EXPLORE_NONE : run->thread;
}

/* Keeps whose turns they were. */
static void record(struct turns *t, u64 able, u32 thread)
{
    struct turns_run *last = t->taken_count ? &t->taken[t->taken_count - 1] : NULL;
    if (last && last->thread == thread) {
        last->turns++;
        return;
    }
    if (last)
        last->is_whole = !(able >> last->thread & 1);
    bool is_usual = (!last || last->is_whole) && thread == ctz64(able);
    struct turns_run *moved =
        grow(t, t->taken, &t->taken_room, t->taken_count + 1ull, sizeof *t->taken);
    if (!moved)
        return;
    t->taken = moved;
    t->taken[t->taken_count++] =
        (struct turns_run){ .thread = thread, .turns = 1, .is_usual = is_usual };
}

static bool choose(struct schedule_guide *g, struct schedule *s)
{
    struct turns *t = (struct turns *)g;
    u64 able = look(t, s);
    u32 thread = t->x ? explore_choose(t->x, able) : by_list(t, able);
    if (thread == EXPLORE_NONE)
        return false;
    if (!(able >> thread & 1))
        BUG("choose: a run that does not repeat itself");
    record(t, able, thread);
    t->me = thread;
    for (s->at = 0; t->d->under_way[s->at]->index != thread / t->waves;)
        s->at++;
    s->wave = thread % t->waves;
    return true;
}

struct schedule_guide *turns_begin(struct turns *t)
{
    memset(t->wave, 0, t->threads * sizeof *t->wave);
    t->guide = (struct schedule_guide){ .choose = choose, .turn = take_turn };
    t->me = t->count = t->taken_count = t->list_at = t->list_done = 0;
    t->is_impossible = false;
    return &t->guide;
}

bool turns_were_cut(const struct turns *t)
{
    return t->wave[t->me].was > STOP_GWS;
}

/* ---- as text ---- */

enum status turns_check(const struct turns *t, struct err *e)
{
    if (t->failed)
        return err_memory(e);
    if (t->is_impossible)
        return err_set(e, ST_INPUT, "--turns: wave %u of the grid cannot go on when it is its turn",
                       t->list[t->list_at].thread);
    return ST_OK;
}

u32 turns_taken(const struct turns *t, const struct turns_run **runs)
{
    u32 count = t->taken_count;
    while (count && t->taken[count - 1].is_usual)
        count--;
    *runs = t->taken;
    return count;
}

void turns_print(FILE *out, const struct turns_run *runs, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        fprintf(out, "%s%u", i ? "," : "", runs[i].thread);
        if (!runs[i].is_whole && i + 1 < count)
            fprintf(out, ":%u", runs[i].turns);
    }
    if (!count)
        fprintf(out, "0");
}

enum status turns_parse(const char *text, struct turns_run **runs, u32 *count, struct err *e)
{
    u32 room = 0;
    *runs = NULL;
    *count = 0;
    for (const char *p = text;; p++) {
        size_t len = strcspn(p, ","), first = strcspn(p, ",:");
        u64 thread = 0, turns = 0;
        bool good = number_u64_span(p, first, &thread) && thread < EXPLORE_THREADS &&
                    (first == len || (number_u64_span(p + first + 1, len - first - 1, &turns) &&
                                      turns > 0 && turns <= UINT32_MAX));
        if (!good)
            return err_set(e, ST_INPUT,
                           "--turns %.60s: not WAVE or WAVE:TURNS, with commas between them", text);
        if (*count == room) {
            struct turns_run *moved = array_grow(*runs, &room, room + 1ull, sizeof **runs);
            if (!moved)
                return err_memory(e);
            *runs = moved;
        }
        (*runs)[(*count)++] = (struct turns_run){ .thread = (u32)thread, .turns = (u32)turns };
        p += len;
        if (!*p)
            return ST_OK;
    }
}
