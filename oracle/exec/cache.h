/* A cache of memory that does not know what others write: lines of 64 bytes, each at one place.
 * Stale lines stay until they are dropped. For weak.c, which says when. */
#ifndef ORACLE_EXEC_CACHE_H
#define ORACLE_EXEC_CACHE_H

#include "oracle/state/state.h"

enum { CACHE_LINE = 64, CACHE_LINES = 256 };

struct cache_line {
    u64 number; /* address / CACHE_LINE + 1; 0: there is none */
    u64 dirty;  /* bytes that memory does not have yet, by bit */
    u8 *at;     /* where it stands in memory */
    bool is_nonvolatile;
    u8 bytes[CACHE_LINE];
};

struct cache {
    bool is_used; /* a line was fetched since it was cleared */
    struct cache_line line[CACHE_LINES];
};

static inline u64 cache_number(u64 addr)
{
    return addr / CACHE_LINE + 1;
}

static inline struct cache_line *cache_place(struct cache *c, u64 number)
{
    return &c->line[(number ^ number >> 8) % CACHE_LINES];
}

/* The line, or NULL if it is not there. */
static inline struct cache_line *cache_find(struct cache *c, u64 number)
{
    struct cache_line *l = cache_place(c, number);
    return l->number == number ? l : NULL;
}

/* Fetches the line from memory, anew if it is there; what stood at its place is written back. NULL
 * if not all of it lies in one window: it is not cached then. */
struct cache_line *cache_fill(struct cache *c, struct memory *mem, u64 number);

/* Makes it empty. */
void cache_clear(struct cache *c);

/* Drops a line, whatever it holds. */
static inline void cache_drop(struct cache *c, u64 number)
{
    struct cache_line *l = cache_find(c, number);
    if (l)
        l->number = 0;
}

/* Drops all lines that have no dirty bytes; with `is_volatile` only those of volatile memory. */
void cache_invalidate(struct cache *c, bool is_volatile);

/* Writes the dirty bytes of all lines to memory; they stay. */
void cache_write_back(struct cache *c, bool is_volatile);
void cache_write_line(struct cache_line *l);

#endif
