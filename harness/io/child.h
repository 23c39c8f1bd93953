/* A child process that we talk to: started, given requests and read from under a deadline,
 * described when it dies, killed with everything it started, and reaped. The worker of a plug-in
 * and the command behind a pipe DUT are both such children. Between it and us is its keeper
 * (harness/io/keeper.h). Writing to a dead child never raises
 * SIGPIPE. Not shared between threads: the kernel kills a child when the thread that started it
 * ends. */
#ifndef HARNESS_IO_CHILD_H
#define HARNESS_IO_CHILD_H

#include "harness/io/keeper.h"

#include <sys/types.h>

struct child {
    pid_t pid;  /* of its keeper while there is a child; 0: none */
    int to;     /* our end of its standard input, a socket */
    int from;   /* our end of its standard output, a pipe */
    bool dead;  /* it ended and was reaped: `status` is valid */
    int status; /* as waitpid gives it; -errno: there was none to be had (child_unborn) */
    bool cut;   /* it closed a stream while alive */
    /* The keeper, which stays for the next child. */
    pid_t keeper; /* 0: none */
    int control;  /* our end of its socket */
};

enum child_io { CHILD_OK, CHILD_DIED, CHILD_SLOW };

/* Starts a child by the keeper of the last one, or forks a keeper. In the child, standard input and
 * output are the other ends, standard error comes to ours through the keeper, every other
 * descriptor is closed, signals are at their defaults, and `limits` hold; then run(ctx) is called,
 * and the child exits when it returns. Its memory, but for what is shared, is what ours was when
 * the keeper was forked; if that, run, ctx or limits are to be others, child_close comes first. *c
 * must be zero or the result of child_end or child_close. ST_WORLD if there is no keeper to be had; that
 * the keeper gets no process for the child comes later, as its death. */
enum status child_start(struct child *c, void (*run)(void *ctx), void *ctx,
                        const struct keeper_limits *limits, struct err *e);

/* Write or read exactly `len` bytes, until a point of clock_ms(). CHILD_DIED: it ended or closed the stream (it is reaped or
 * killed then, see child_death). CHILD_SLOW: the deadline passed, or stop_requested(); the child is
 * still there. */
enum child_io child_write(struct child *c, const void *buf, size_t len, u64 deadline_ms);
enum child_io child_read(struct child *c, void *buf, size_t len, u64 deadline_ms);

/* Whether it has written bytes that were not read yet. */
bool child_pending(const struct child *c);

/* Whether it has read all that was written to it. */
bool child_took(const struct child *c);

/* Why a dead child never began, a value of errno; 0: it did. */
int child_unborn(const struct child *c);

/* How a dead child ended: "SIGSEGV", "exited with code 3", "closed its end of the pipe"; "could not be
 * started: ..." if it never began. Returns buf. */
const char *child_death(const struct child *c, char *buf, size_t size);

/* Closes its standard input and gives it `grace_ms` to end; then kills it with all that it started,
 * reaps it and closes our ends. Afterwards c->pid is 0; `dead` and `status` stay readable. Harmless if there
 * is none. */
void child_end(struct child *c, u32 grace_ms);

/* As child_end; then ends the keeper, too. */
void child_close(struct child *c, u32 grace_ms);

#endif
