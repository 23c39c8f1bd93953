/* Builds a struct gcncheck_job over storage of its own. A jobbuf is reused for job after job; it
 * grows to the largest and then no longer allocates. If memory runs out on the way, the job has
 * failed and job_ready says so: what is added until then is ignored. */
#ifndef HARNESS_DUT_JOB_H
#define HARNESS_DUT_JOB_H

#include "harness/sdk/gcncheck_dut.h"
#include "oracle/base/base.h"

struct jobbuf;

/* NULL if memory is short. The caller frees it. */
struct jobbuf *jobbuf_new(void);
void jobbuf_free(struct jobbuf *jb);

/* Starts a job: no code, one wave, poison seed 1, 100,000 steps, nothing set, nothing to read back.
 * `mcpu` must outlive the job. */
void jobbuf_reset(struct jobbuf *jb, const char *mcpu);

/* The program (copied) and the address of its first dword. */
void job_code(struct jobbuf *jb, const u32 *code, u32 dw, u64 pc);

/* The dwords that `place` of `wave` starts with: 1, or 64 for a vector register; the caller fills
 * them before the next call. Setting a place again returns the same dwords. */
u32 *job_set(struct jobbuf *jb, u32 wave, u32 place);

/* Sets places of a job that sets none yet, each once: `slots` index `values`, as those of a job. */
void job_set_all(struct jobbuf *jb, const struct gcncheck_slot *slots, u32 count, const u32 *values,
                 u32 dw);

/* Sets EXEC, VCC, M0, SCC and MODE of a wave to all ones, 0, 0, 0 and MODE_DEFAULT, as far as not
 * set yet: the contract promises that these five are always set. */
void job_set_defaults(struct jobbuf *jb, u32 wave);

/* Takes the program and all that is set from another job instead: it is not copied and must stay as
 * it is. Nothing else is set then. */
void job_share(struct jobbuf *jb, const struct gcncheck_job *from);

/* Whether a job sets what job_set_defaults would, of all its waves. */
bool job_has_defaults(const struct gcncheck_job *job);

/* Asks for a place to be read back; asking twice counts once. */
void job_get(struct jobbuf *jb, u32 wave, u32 place);

/* Adds a memory window with a copy of `bytes`, or of zero bytes if that is NULL. Returns its bytes,
 * valid until the next window is added; NULL if memory is short. */
u8 *job_window(struct jobbuf *jb, u64 address, u64 size, const u8 *bytes);

/* The LDS of the work-group, filled and returned in the same way. */
u8 *job_lds(struct jobbuf *jb, u32 size, const u8 *bytes);

/* The finished job, with out zeroed and outcome NOT_RUN. It points into the jobbuf and is valid
 * until the next call with it. waves, max_steps and poison may be changed in it. NULL if memory ran
 * out while it was built. */
struct gcncheck_job *job_ready(struct jobbuf *jb);

/* The same, with these three. */
struct gcncheck_job *job_ready_with(struct jobbuf *jb, u32 waves, u32 max_steps, u64 poison);

/* The value a job starts a place with (set or poison), dword `lane`. */
u32 job_initial(const struct gcncheck_job *job, u32 wave, u32 place, u32 lane);

#endif
