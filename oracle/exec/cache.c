#include "oracle/exec/cache.h"

void cache_write_line(struct cache_line *l)
{
    for (u64 left = l->dirty; left; left &= left - 1)
        l->at[ctz64(left)] = l->bytes[ctz64(left)];
    l->dirty = 0;
}

void cache_clear(struct cache *c)
{
    if (c->is_used)
        memset(c, 0, sizeof *c);
}

struct cache_line *cache_fill(struct cache *c, struct memory *mem, u64 number)
{
    u8 *at = mem_at(mem, (number - 1) * CACHE_LINE, CACHE_LINE, false);
    struct cache_line *l = cache_place(c, number);
    if (!at)
        return NULL;
    if (l->number)
        cache_write_line(l);
    c->is_used = true;
    l->number = number;
    l->at = at;
    l->is_nonvolatile = false;
    memcpy(l->bytes, at, CACHE_LINE);
    return l;
}

void cache_invalidate(struct cache *c, bool is_volatile)
{
    for (u32 i = 0; i < CACHE_LINES; i++)
        if (!c->line[i].dirty && !(is_volatile && c->line[i].is_nonvolatile))
            c->line[i].number = 0;
}

void cache_write_back(struct cache *c, bool is_volatile)
{
    for (u32 i = 0; i < CACHE_LINES; i++)
        if (c->line[i].number && !(is_volatile && c->line[i].is_nonvolatile))
            cache_write_line(&c->line[i]);
}
