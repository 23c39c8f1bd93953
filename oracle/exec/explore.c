#include "oracle/exec/explore.h"

#include "oracle/base/array.h"

#include <stdlib.h>

/* What one turn accesses: writes, then reads; both sorted, and none touches the next. */
struct accesses {
    struct explore_access *at;
    u32 count, writes;
};

/* A thread that need not have the next turn: orders that begin with it have been run. Until
 * something happens that its turn depends on. */
struct sleeper {
    u32 thread;
    bool owns; /* its accesses */
    struct accesses a;
};

/* Before a turn: what may be chosen. */
struct node {
    u32 chosen;
    u64 wanted; /* threads that have to be tried there */
    u64 asleep; /* those of sleeper[] */
    struct sleeper *sleeper;
    u32 sleepers, room;
};

/* A turn of this run. */
struct turn {
    u32 thread;
    bool is_forgotten;
    struct accesses a;
};

struct explore {
    u32 threads;
    struct node *node;
    u32 nodes, node_room;
    struct turn *turn;
    u32 turns, turn_room;
    u32 streak; /* of the last ones, those of one thread */
    u32 fresh;  /* turns before this one were taken in the run before */
    u32 *
        clocks; /* of each turn: by thread, how many of all turns up to its last one that came before
                    have to be there */
    u32 clock_room;
    u32 *now;   /* the same of each thread: what its next turn comes behind */
    u32 *races; /* turns, while one is looked at */
    u32 race_room;
    bool failed, is_covered, is_too_long;
};

struct explore *explore_open(u32 threads)
{
    struct explore *x = calloc(1, sizeof *x);
    if (!x || threads < 1 || threads > EXPLORE_THREADS)
        BUG("explore_open");
    x->threads = threads;
    x->now = calloc((size_t)threads * threads, sizeof *x->now);
    if (x->now)
        return x;
    explore_close(x);
    return NULL;
}

static void drop_node(struct node *n)
{
    for (u32 i = 0; i < n->sleepers; i++)
        if (n->sleeper[i].owns)
            free(n->sleeper[i].a.at);
    free(n->sleeper);
}

void explore_close(struct explore *x)
{
    if (!x)
        return;
    for (u32 i = 0; i < x->nodes; i++)
        drop_node(&x->node[i]);
    for (u32 i = 0; i < x->turns; i++)
        free(x->turn[i].a.at);
    free(x->node);
    free(x->turn);
    free(x->clocks);
    free(x->now);
    free(x->races);
    free(x);
}

void explore_begin(struct explore *x)
{
    for (u32 i = 0; i < x->turns; i++)
        free(x->turn[i].a.at);
    x->turns = 0;
    x->fresh = x->nodes ? x->nodes - 1 : 0;
    x->is_covered = x->is_too_long = false;
    memset(x->now, 0, (size_t)x->threads * x->threads * sizeof *x->now);
}

bool explore_is_covered(const struct explore *x)
{
    return x->is_covered;
}

bool explore_is_too_long(const struct explore *x)
{
    return x->is_too_long;
}

bool explore_has_failed(const struct explore *x)
{
    return x->failed;
}

u32 explore_turns(const struct explore *x)
{
    return x->turns;
}

static bool grow(struct explore *x, void *array_at, u32 *room, u64 need, size_t size)
{
    void **array = array_at, *moved = need <= *room ? *array : array_grow(*array, room, need, size);
    x->failed |= !moved;
    if (moved)
        *array = moved;
    return moved != NULL;
}

/* ---- what depends on what ---- */

static int by_place(const void *a, const void *b)
{
    const struct explore_access *x = a, *y = b;
    if (x->write != y->write)
        return x->write ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Those that lie side by side become one. */
static bool copy_accesses(struct accesses *to, struct explore_access *from, u32 count)
{
    if (count)
        qsort(from, count, sizeof *from, by_place);
    *to = (struct accesses){ .at = malloc((count + 1) * sizeof *from) };
    for (u32 i = 0; to->at && i < count; i++) {
        struct explore_access *last = to->count ? &to->at[to->count - 1] : NULL;
        if (last && last->write == from[i].write && last->end >= from[i].first) {
            last->end = last->end > from[i].end ? last->end : from[i].end;
            continue;
        }
        to->at[to->count++] = from[i];
        to->writes += from[i].write;
    }
    return to->at != NULL;
}

static bool overlap(const struct explore_access *a, u32 as, const struct explore_access *b, u32 bs)
{
    for (u32 i = 0, k = 0; i < as && k < bs;) {
        if (a[i].end <= b[k].first)
            i++;
        else if (b[k].end <= a[i].first)
            k++;
        else
            return true;
    }
    return false;
}

static bool depend(const struct accesses *a, const struct accesses *b)
{
    const struct explore_access *read_a = a->at + a->writes, *read_b = b->at + b->writes;
    return overlap(a->at, a->writes, b->at, b->writes) ||
           overlap(a->at, a->writes, read_b, b->count - b->writes) ||
           overlap(read_a, a->count - a->writes, b->at, b->writes);
}

/* Forgotten turns depend on nothing. */
static bool turn_depends(const struct turn *t, const struct accesses *a)
{
    return !t->is_forgotten && depend(&t->a, a);
}

/* ---- whose turn it is ---- */

static bool add_sleeper(struct explore *x, struct node *n, const struct sleeper *s)
{
    if (!grow(x, &n->sleeper, &n->room, n->sleepers + 1ull, sizeof *n->sleeper))
        return false;
    n->sleeper[n->sleepers++] = *s;
    n->asleep |= 1ull << s->thread;
    return true;
}

/* Those go on sleeping that do not depend on the turn in between. */
static bool inherit(struct explore *x, struct node *n)
{
    u32 last = x->turns - 1;
    const struct node *before = x->turns ? &x->node[last] : NULL;
    for (u32 i = 0; before && i < before->sleepers; i++) {
        struct sleeper s = before->sleeper[i];
        s.owns = false;
        if (s.thread == before->chosen || turn_depends(&x->turn[last], &s.a))
            continue;
        if (!add_sleeper(x, n, &s))
            return false;
    }
    return true;
}

/* The thread of the last turn as long as it can, but not for ever: what it does may be a wait that
 * counts. Any choice will do. */
static u32 pick(const struct explore *x, u64 threads)
{
    enum { PATIENCE = 256 };
    u32 last = x->turns ? x->turn[x->turns - 1].thread : EXPLORE_NONE;
    if (last == EXPLORE_NONE)
        return ctz64(threads);
    u64 behind = threads & ~mask64(last + 1);
    if (x->streak >= PATIENCE && threads != 1ull << last)
        return ctz64(behind ? behind : threads);
    return threads >> last & 1 ? last : ctz64(threads);
}

u32 explore_choose(struct explore *x, u64 able)
{
    struct node n = { .chosen = EXPLORE_NONE };
    if (x->failed)
        return EXPLORE_NONE;
    if (x->turns < x->nodes)
        return x->node[x->turns].chosen;
    x->is_too_long = able && x->turns == EXPLORE_TURNS;
    if (!able || x->is_too_long || !grow(x, &x->node, &x->node_room, x->nodes + 1ull, sizeof n))
        return EXPLORE_NONE;
    bool ok = inherit(x, &n);
    x->is_covered = ok && (able & ~n.asleep) == 0;
    if (!ok || x->is_covered) {
        drop_node(&n);
        return EXPLORE_NONE;
    }
    n.chosen = pick(x, able & ~n.asleep);
    n.wanted = 1ull << n.chosen;
    x->node[x->nodes++] = n;
    return n.chosen;
}

/* ---- what came before what ---- */

static u32 *clock_of(const struct explore *x, u32 turn)
{
    return x->clocks + (size_t)turn * x->threads;
}

static void join(const struct explore *x, u32 *clock, const u32 *with)
{
    for (u32 i = 0; i < x->threads; i++)
        clock[i] = clock[i] > with[i] ? clock[i] : with[i];
}

/* Whether a turn came before what has this clock. */
static bool came_before(const struct explore *x, u32 turn, const u32 *clock)
{
    return clock[x->turn[turn].thread] > turn;
}

void explore_follow(struct explore *x, u32 thread, u32 other)
{
    join(x, x->now + (size_t)thread * x->threads, x->now + (size_t)other * x->threads);
}

void explore_forget(struct explore *x, u32 thread, u32 from)
{
    for (u32 i = from; i < x->turns; i++)
        x->turn[i].is_forgotten |= x->turn[i].thread == thread;
}

/* The threads that can have the turn before `first` if `last` is to come before that: one of them
 * has to be tried there. Of the turns behind `first` that do not come behind it, those before which
 * no other of them came. */
static u64 find_initials(const struct explore *x, u32 first, u32 last)
{
    u32 begin[EXPLORE_THREADS];
    u64 seen = 0, initials = 0;
    for (u32 i = first + 1; i <= last; i++) {
        const u32 *clock = clock_of(x, i);
        u32 t = x->turn[i].thread;
        if ((i < last && came_before(x, first, clock)) || seen >> t & 1)
            continue;
        bool is_initial = true;
        for (u64 left = seen; left; left &= left - 1)
            is_initial &= !came_before(x, begin[ctz64(left)], clock);
        begin[t] = i;
        seen |= 1ull << t;
        initials |= (u64)is_initial << t;
    }
    return initials;
}

/* The last turn and an earlier one, which nothing orders, could have been the other way round. */
static void turn_round(struct explore *x, u32 first, u32 last)
{
    struct node *n = &x->node[first];
    u64 initials = find_initials(x, first, last), it = 1ull << x->turn[last].thread;
    if ((initials & n->wanted) == 0)
        n->wanted |= initials & it ? it : initials & -initials;
}

/* Fills the clock of the last turn. Answers with how many turns it races, in x->races. */
static u32 find_races(struct explore *x, u32 last, u32 *clock)
{
    const struct turn *t = &x->turn[last];
    u32 count = 0;
    for (u32 i = last; i-- > 0;) {
        if (came_before(x, i, clock) || !turn_depends(&x->turn[i], &t->a))
            continue;
        if (!grow(x, &x->races, &x->race_room, count + 1ull, sizeof *x->races))
            return 0;
        x->races[count++] = i;
        join(x, clock, clock_of(x, i));
    }
    clock[t->thread] = last + 1;
    return count;
}

void explore_turn(struct explore *x, struct explore_access *access, u32 count)
{
    u32 at = x->turns, thread = x->node[at].chosen;
    u32 *now = x->now + (size_t)thread * x->threads;
    if (!grow(x, &x->turn, &x->turn_room, at + 1ull, sizeof *x->turn) ||
        !grow(x, &x->clocks, &x->clock_room, (at + 1ull) * x->threads, sizeof *x->clocks))
        return;
    x->turn[at] = (struct turn){ .thread = thread };
    if (!copy_accesses(&x->turn[at].a, access, count)) {
        x->failed = true;
        return;
    }
    x->streak = at && x->turn[at - 1].thread == thread ? x->streak + 1 : 1;
    x->turns++;
    u32 races = find_races(x, at, now);
    memcpy(clock_of(x, at), now, x->threads * sizeof *now);
    for (u32 i = 0; at >= x->fresh && i < races; i++)
        turn_round(x, x->races[i], at);
}

/* ---- the next run ---- */

/* What was chosen last at a node has been tried. */
static bool put_to_sleep(struct explore *x, u32 at)
{
    struct turn *t = &x->turn[at];
    struct sleeper s = { .thread = t->thread, .owns = true, .a = t->a };
    if (!add_sleeper(x, &x->node[at], &s))
        return false;
    t->a = (struct accesses){ 0 };
    return true;
}

bool explore_next(struct explore *x)
{
    while (x->nodes && !x->failed) {
        struct node *n = &x->node[x->nodes - 1];
        if (x->nodes > x->turns || !put_to_sleep(x, x->nodes - 1))
            return false;
        u64 left = n->wanted & ~n->asleep;
        if (left) {
            n->chosen = ctz64(left);
            return true;
        }
        drop_node(n);
        x->nodes--;
    }
    return false;
}
