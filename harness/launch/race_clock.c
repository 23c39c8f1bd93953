/* What waves know of each other: vector clocks with entries only for those that met. They are shared
 * and never changed, so that handing one on costs nothing. */
#include "harness/launch/race.h"

#include <stdlib.h>

struct race_clock *race_clock_keep(struct race_clock *c)
{
    if (c)
        c->refs++;
    return c;
}

void race_clock_drop(struct race_clock *c)
{
    if (c && --c->refs == 0)
        free(c);
}

u32 race_clock_find(const struct race_clock *c, u32 first)
{
    u32 lo = 0, hi = c->count;
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        if (c->e[mid].wave < first)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static u32 later(u32 a, u32 b)
{
    return a > b ? a : b;
}

static struct race_entry both(const struct race_entry *a, const struct race_entry *b)
{
    return (struct race_entry){ a->wave, later(a->all, b->all), later(a->group, b->group),
                                later(a->lds, b->lds) };
}

static bool covers(const struct race_entry *a, const struct race_entry *b)
{
    return a->all >= b->all && a->group >= b->group && a->lds >= b->lds;
}

/* Whether `a` knows all that n entries say. */
static bool knows(const struct race_clock *a, const struct race_entry *e, u32 n)
{
    u32 at = 0;
    if (!a)
        return n == 0;
    for (u32 i = 0; i < n; i++) {
        while (at < a->count && a->e[at].wave < e[i].wave)
            at++;
        if (at == a->count || a->e[at].wave != e[i].wave || !covers(&a->e[at], &e[i]))
            return false;
    }
    return true;
}

static struct race_clock *merge(struct race_clock *a, const struct race_entry *e, u32 n,
                                bool *failed)
{
    if (knows(a, e, n))
        return a;
    u32 count = a ? a->count : 0, i = 0, k = 0, out = 0;
    struct race_clock *c = malloc(sizeof *c + ((size_t)count + n) * sizeof c->e[0]);
    if (!c) {
        *failed = true;
        return a;
    }
    while (i < count || k < n) {
        if (k == n || (i < count && a->e[i].wave < e[k].wave))
            c->e[out++] = a->e[i++];
        else if (i == count || e[k].wave < a->e[i].wave)
            c->e[out++] = e[k++];
        else
            c->e[out++] = both(&a->e[i++], &e[k++]);
    }
    c->refs = 1;
    c->count = out;
    race_clock_drop(a);
    return c;
}

struct race_clock *race_clock_join(struct race_clock *a, struct race_clock *b, bool *failed)
{
    if (!b || a == b)
        return a;
    if (!a)
        return race_clock_keep(b);
    if (knows(b, a->e, a->count)) {
        race_clock_drop(a);
        return race_clock_keep(b);
    }
    return merge(a, b->e, b->count, failed);
}

struct race_clock *race_clock_add(struct race_clock *a, const struct race_entry *e, bool *failed)
{
    return merge(a, e, 1, failed);
}
