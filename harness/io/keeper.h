/* What stands between gcncheck and a child that it talks to (harness/io/child.h): a process that
 * starts the child, is its parent, and ends only when nothing is left of it. So a child that
 * signals its parent or its parent's group meets the keeper, and costs itself; what it started and
 * left behind, in whatever session or group, is killed with it; and if gcncheck is killed, nothing
 * stays. The keeper also passes on what comes on the child's standard error, as much as anyone can
 * want to read. It ends as the child did: by the same signal, or with the same code.
 *
 * Runs between fork and exec in a process with threads: only async-signal-safe calls. */
#ifndef HARNESS_IO_KEEPER_H
#define HARNESS_IO_KEEPER_H

#include "oracle/base/base.h"

#include <sys/types.h>

/* What a child may use. A field that is 0: as much as gcncheck itself. */
struct keeper_limits {
    u64 memory_bytes; /* private memory, above what it begins with */
    u32 files;        /* open at a time */
    u32 processes;    /* above what there are on the machine; not for root */
    bool is_confined; /* it cannot signal or trace a process that it did not start, if the kernel
                         has Landlock's scopes (Linux 6.12); it gets no privileges by exec */
};

struct keeper_plan {
    int in, out;  /* the child's standard input and output */
    pid_t parent; /* who forked the keeper */
    void (*run)(void *ctx);
    void *ctx;
    struct keeper_limits limits;
};

/* How long a keeper takes at most, after SIGTERM, to end all that is left. */
enum { KEEPER_END_MS = 5000 };

/* Passed on of standard error: KEEPER_BURST bytes at once, KEEPER_RATE in a second. */
enum { KEEPER_BURST = 1 << 20, KEEPER_RATE = 1 << 18 };

/* The life of the keeper, in the new process: starts the child, which calls plan->run(plan->ctx)
 * and exits when it returns. SIGTERM ends both. */
_Noreturn void keeper_main(const struct keeper_plan *plan);

/* Whether the kernel can confine (see is_confined). */
bool keeper_can_confine(void);

#endif
