/* Batches with blame: DUTs behind a process get many jobs per exchange, and when an exchange fails,
 * its jobs are run again one at a time, each from its inputs, so that the failure is pinned on
 * exactly one job. Used by the plug-in and the pipe DUT. */
#ifndef HARNESS_DUT_BATCH_H
#define HARNESS_DUT_BATCH_H

#include "harness/dut/dut.h"

enum { BATCH_MAX = 512 }; /* jobs of one exchange */

/* Why an exchange failed. outcome OUT_NOT_RUN: it did not. */
struct verdict {
    u32 outcome;       /* OUT_CRASH, OUT_HANG or OUT_NONSENSE */
    bool is_untouched; /* OUT_HANG: the process did not even read the request */
    char reason[sizeof((struct gcncheck_job *)0)->reason];
};

/* One exchange: takes jobs[0..*count-1] or, lowering *count to at least 1, fewer; starts the
 * process if need be. If it went well, every job taken has an outcome. If not, *v says how, the
 * jobs are as they were, and the process is gone. ST_WORLD: it cannot be started. */
typedef enum status attempt_fn(struct dut *d, struct gcncheck_job *jobs, u32 *count, u32 limit_ms,
                               struct verdict *v, struct err *e);

/* What is remembered between calls. Zero to begin with. */
struct batch {
    u32 size;      /* jobs of the next exchange */
    u32 single;    /* jobs still to be run alone */
    bool used;     /* the process has answered a job since it was started */
    u32 own_hangs; /* in a row: jobs that hung in a used process, and in a fresh one too */
};

/* dut_run's work: all jobs, in order, through `attempt`. limit_ms is one job's time limit. */
enum status batch_run(struct batch *b, struct dut *d, attempt_fn *attempt, u32 limit_ms,
                      struct gcncheck_job *jobs, u32 count, struct err *e);

void batch_verdict_set(struct verdict *v, u32 outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The verdict of an exchange with a child that ended (CHILD_DIED) or is late (CHILD_SLOW). */
struct child;
void batch_verdict_child(struct verdict *v, const struct child *c, bool slow, u32 limit_ms);

#endif
