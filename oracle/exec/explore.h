/* All orders of the turns of several threads that can come to something else, one after the other
 * (dynamic partial-order reduction: C. Flanagan and P. Godefroid, POPL 2005; with the source sets of
 * P. Abdulla et al., POPL 2014, and sleep sets). Turns that access nothing in common, or only read
 * it, may be swapped, and of the orders that differ by that alone one is run.
 *
 * The caller runs everything from the beginning, again and again: it asks before each turn whose it
 * is, and says afterwards what the turn has accessed. The same turns must do the same each time.
 * Knows of no machine. */
#ifndef ORACLE_EXEC_EXPLORE_H
#define ORACLE_EXEC_EXPLORE_H

#include "oracle/base/base.h"

enum {
    EXPLORE_THREADS = 64,
    EXPLORE_NONE = EXPLORE_THREADS, /* no thread */
    EXPLORE_TURNS = 1 << 15         /* of one run */
};

/* Bytes first to end - 1. A turn writes what it changes; a store of what is there already reads. */
struct explore_access {
    u64 first, end;
    bool write;
};

struct explore;

/* NULL if memory is short. */
struct explore *explore_open(u32 threads);
void explore_close(struct explore *x);

/* A run begins. */
void explore_begin(struct explore *x);

/* Whose turn it is, of the threads that are able to (bits). EXPLORE_NONE: nobody is, or the rest of
 * this run is that of another (explore_is_covered), or there were too many turns
 * (explore_is_too_long), or memory is short. */
u32 explore_choose(struct explore *x, u64 able);
bool explore_is_covered(const struct explore *x);
bool explore_is_too_long(const struct explore *x);

/* The turn that was chosen is over. Sorts the accesses. */
void explore_turn(struct explore *x, struct explore_access *access, u32 count);

/* Turns of this run so far. */
u32 explore_turns(const struct explore *x);

/* The turns of a thread from number `from` on have left everything as it was, and could as well not
 * have been. */
void explore_forget(struct explore *x, u32 thread, u32 from);

/* What a thread does next cannot come before the last turn of another: it waited for that. */
void explore_follow(struct explore *x, u32 thread, u32 other);

/* After a run: whether there is another. */
bool explore_next(struct explore *x);

/* Whether memory was short on the way. */
bool explore_has_failed(const struct explore *x);

#endif
