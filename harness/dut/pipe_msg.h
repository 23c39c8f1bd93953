/* The messages of the pipe protocol: jobs to frames and frames to answers. A frame is a u32
 * little-endian length and that many bytes of msgpack. Answers come from outside: they are checked
 * for size before anything is allocated, and nothing of an answer is taken over before all of it
 * was checked. Used by kind_pipe.c. */
#ifndef HARNESS_DUT_PIPE_MSG_H
#define HARNESS_DUT_PIPE_MSG_H

#include "harness/dut/dut.h"

/* A frame being written, with its length in front. The owner frees data. */
struct frame {
    u8 *data;
    size_t len, cap; /* bytes */
    bool failed;     /* no memory, or more than a u32 can count */
};

/* Replace the frame's contents by a request. `id` must come back in the answer: so an answer to an
 * earlier request is never taken for this one's. False: no memory. */
bool pipe_pack_hello(struct frame *f, u64 id, const char *mcpu);
bool pipe_pack_run(struct frame *f, u64 id, const struct gcncheck_job *jobs, u32 count);

/* How many of the jobs fit into `bytes`: at least one. */
u32 pipe_fitting(const struct gcncheck_job *jobs, u32 count, size_t bytes);

/* Bytes that an answer to the jobs can have, generously: with every byte of memory as a change of its
 * own. What is longer is garbage. */
u32 pipe_answer_max(const struct gcncheck_job *jobs, u32 count);

/* Takes name, version and can from the answer (a frame without its length). ST_INPUT: the text says
 * what is wrong with it. ST_WORLD: no memory. */
enum status pipe_unpack_hello(const u8 *data, size_t len, u64 id, struct dut *d, struct err *e);

/* Takes the results. ST_INPUT: the answer as a whole is wrong, no job was touched; *stale: because
 * it answers an earlier request. ST_WORLD: no memory. Otherwise every job has an outcome; a result that is wrong in
 * itself is OUT_NONSENSE and leaves the job's buffers alone. */
enum status pipe_unpack_run(const u8 *data, size_t len, u64 id, struct gcncheck_job *jobs,
                            u32 count, bool *stale, struct err *e);

#endif
