/* An ordered pool of workers: items 0, 1, 2, ... are worked on by several threads at a time, and
 * their results are taken up one by one in the order of the items, so that what comes of them is
 * the same for any number of threads.
 *
 * The caller's thread is one of the workers: a thread that cannot be made is no loss. A worker is
 * opened, used and closed in its own thread. A result lives in a place of its own between work and
 * settle, which need not be called by the same worker. */
#ifndef HARNESS_IO_POOL_H
#define HARNESS_IO_POOL_H

#include "oracle/base/base.h"

enum { POOL_THREADS_MAX = 64 /* of one pool, with the caller's */ };

/* Whoever has work for a pool fills one of these by name (campaign.c, run.c, groups.c): the lists
 * look alike, but name functions of the place where they stand. */
struct pool_job {
    u32 threads;        /* at most, with the caller's, and POOL_THREADS_MAX; at least 1 */
    u32 ahead;          /* results of each thread that may wait for their turn */
    size_t result_size; /* bytes of a result: zero at first, later as an item before left it */
    void *ctx;          /* for open and more */
    void *mine; /* the caller's worker, open already and left open; NULL: made as the others are */

    enum status (*open)(void *ctx, void **worker, struct err *e);
    void (*close)(void *worker);

    /* Whether there is an item `index`. Asked in order; after the first false no more. */
    bool (*more)(void *ctx, u64 index);

    /* Does an item, at the same time as other workers do others. Answers whether items behind it
     * should still be begun. */
    bool (*work)(void *worker, u64 index, void *result);

    /* Takes up a result: in order, one at a time. Anything but ST_OK ends the work. */
    enum status (*settle)(void *worker, u64 index, void *result, struct err *e);

    /* Frees what a result holds that is not taken up because the work ended before it. May be
     * NULL. */
    void (*drop)(void *result);
};

/* Runs it to its end. Nothing is taken up before every worker is open: the failure to open one is
 * the only result then. Answers the first failure in the order of the items. ST_WORLD also if
 * memory is short. */
enum status pool_run(const struct pool_job *job, struct err *e);

#endif
