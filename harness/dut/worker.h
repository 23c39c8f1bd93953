/* A forked worker over shared memory: a copy of this process in which a plug-in is loaded and
 * called, so that its crashes and hangs stay there. Requests and answers are plain data in the
 * arena, which both sides see at the same address (pointers into it are valid on both); one byte
 * each way says "go" and "done", another one each time. The worker may scribble over the whole
 * arena and write to any descriptor: the parent believes nothing without a check. */
#ifndef HARNESS_DUT_WORKER_H
#define HARNESS_DUT_WORKER_H

#include "harness/io/child.h"

struct worker_ops {
    void (*serve)(void *ctx);  /* in the worker: does what the arena asks for */
    void (*finish)(void *ctx); /* in the worker: the parent wants it to end */
};

struct worker {
    const struct worker_ops *ops;
    void *ctx;
    struct child child;
    u8 turn;     /* the byte of the last request */
    u8 *arena;   /* page-aligned, between two pages that cannot be touched */
    size_t size; /* bytes of the arena */
};

/* Maps an arena of at least `size` bytes (memory is used only where touched). No process yet. */
enum status worker_open(struct worker *w, const struct worker_ops *ops, void *ctx, size_t size,
                        struct err *e);

/* Enlarges the arena to at least `size` bytes; its contents are lost and the worker, if any, is
 * ended. */
enum status worker_resize(struct worker *w, size_t size, struct err *e);

/* Starts the worker if there is none. Its standard output is our standard error, its input is
 * empty. */
enum status worker_start(struct worker *w, struct err *e);

static inline bool worker_runs(const struct worker *w)
{
    return w->child.pid > 0;
}

/* Has the worker serve once. After CHILD_DIED and CHILD_SLOW the caller ends it with worker_stop.
 * *babbled: something wrote to the worker's own descriptor, so that no answer of it can be told
 * from another; it has to be ended, too. */
enum child_io worker_call(struct worker *w, u32 limit_ms, bool *babbled);

/* Ends the worker: politely within `grace_ms`, at once if that is 0. The arena stays. */
void worker_stop(struct worker *w, u32 grace_ms);

/* As worker_stop at once; the next worker is a copy of this process as it is then, not as it was when the
 * first one started. */
void worker_forget(struct worker *w);

/* Ends the worker and unmaps the arena. */
void worker_close(struct worker *w);

#endif
