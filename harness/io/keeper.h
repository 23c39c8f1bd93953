/* What stands between gcncheck and a child that it talks to (harness/io/child.h): a process that
 * starts the child, is its parent, and says that it has ended only when nothing is left of it. So a
 * child that signals its parent or its parent's group meets the keeper, and costs itself; what it
 * started and left behind, in whatever session or group, is killed with it; and if gcncheck is
 * killed, nothing stays. The keeper also passes on what comes on the child's standard error, as
 * much as anyone can want to read.
 *
 * A keeper starts one child after another: it stays as small as gcncheck was when it was forked, so
 * that what gcncheck holds by then is not copied for each of them. Over a socket of packets it is
 * handed the two streams of a child, and answers with the child's status (as waitpid gives it; -errno
 * if there was no process to be had). It ends when the socket's other end is closed, or when it cannot end what a child left behind.
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
    int control;  /* the keeper's end of the socket */
    pid_t parent; /* who forks the keeper */
    void (*run)(void *ctx);
    void *ctx;
    struct keeper_limits limits;
};

/* How long a keeper takes at most to end all that is left. */
enum { KEEPER_END_MS = 5000 };

/* Passed on of standard error: KEEPER_BURST bytes at once, KEEPER_RATE in a second. */
enum { KEEPER_BURST = 1 << 20, KEEPER_RATE = 1 << 18 };

/* The life of the keeper, in the new process. Each child calls plan->run(plan->ctx), with memory as it
 * was when the keeper was forked, and exits when that returns. SIGTERM ends the child, too. */
_Noreturn void keeper_main(const struct keeper_plan *plan);

/* Has the keeper at the other end of `control` start a child with this standard input and output,
 * which the caller may close then. False: there is no keeper any more; errno says why. */
bool keeper_ask(int control, int in, int out);

/* Has it end the child; what has ended meanwhile is no harm. Never waits. */
void keeper_end(int control);

/* Takes the status of the child from `control`, without waiting. 1: it has ended, or never began
 * (*status is -errno then); 0: not yet; -1: the keeper is gone. */
int keeper_status(int control, int *status);

/* Whether the kernel can confine (see is_confined). */
bool keeper_can_confine(void);

#endif
