/* Streams (fuzz/stream/stream.h) as jobs and back: the generator and the shrinker work on streams, DUTs
 * and the comparison on jobs. Places mean the same on both sides. */
#ifndef HARNESS_FINDING_STREAM_JOB_H
#define HARNESS_FINDING_STREAM_JOB_H

#include "fuzz/gen/gen.h"
#include "harness/dut/job.h"

/* Fills jb from the stream, with the five registers that every job sets. What it returns is
 * job_ready(jb) and as short-lived; NULL if memory is short, which compare_run takes for a
 * subject's start and reports. s->mcpu must outlive it. */
struct gcncheck_job *stream_job_build(const struct stream *s, struct jobbuf *jb);

/* Fills *s from a job; seed, number, focus and features are 0. ST_INPUT if the job is larger than a
 * stream can be. */
enum status stream_job_read(const struct gcncheck_job *job, struct stream *s, struct err *e);

#endif
