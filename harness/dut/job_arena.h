/* Jobs laid out in memory that a plug-in may touch: each buffer that it writes stands between two
 * guards, its inputs are compared afterwards with what was sent, and nothing that it wrote is
 * believed unchecked. Used by the plug-in DUT over the worker's arena. The layout follows from the
 * sizes of the jobs alone, so storing, checking and collecting walk the same way and no table of
 * offsets is kept. */
#ifndef HARNESS_DUT_JOB_ARENA_H
#define HARNESS_DUT_JOB_ARENA_H

#include "harness/dut/batch.h"

/* What is looked up in a job's slots once, where the plug-in cannot write: dwords of values and out. */
struct job_dw {
    u32 values, out;
};

/* Bytes that a job needs, at most; fills *dw, which the others take an array of. */
size_t job_arena_bytes(const struct gcncheck_job *job, struct job_dw *dw);

/* Copies the inputs of jobs[0..count-1] to `base` (aligned to 64) and sets the guards. Returns the
 * copied array: the pointers in it point into the arena. `size` must be the sum of job_arena_bytes or more. */
struct gcncheck_job *job_arena_store(u8 *base, size_t size, const struct gcncheck_job *jobs,
                                     const struct job_dw *dw, u32 count);

/* Whether the plug-in kept to its buffers: NULL, or the first thing it did, such as "wrote outside
 * lds". Only a job that was alone is surely the guilty one. */
const char *job_arena_trespass(u8 *base, const struct gcncheck_job *jobs, const struct job_dw *dw,
                               u32 count);

/* Fills outcome and reason of every job, and for OUT_DONE copies out, windows and lds back to the
 * caller's buffers. An answer against the contract becomes OUT_NONSENSE. Call it only without
 * trespass. */
void job_arena_collect(u8 *base, struct gcncheck_job *jobs, const struct job_dw *dw, u32 count);

#endif
