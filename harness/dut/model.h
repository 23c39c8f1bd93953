/* The oracle as something that runs jobs. kind_model.c makes a DUT of it; whoever needs to follow
 * a run step by step (the step compare, eval, traces) uses it directly. */
#ifndef HARNESS_DUT_MODEL_H
#define HARNESS_DUT_MODEL_H

#include "harness/sdk/gcncheck_dut.h"
#include "oracle/doubt/doubt.h"
#include "oracle/exec/exec.h"

struct model {
    struct isa isa;
    struct engine engine;
    struct machine *m;
    u64 poisoned; /* the seed that the registers of the machine's waves start from, so that it is
                     laid once; ~0: none */
    struct doubt_engine doubt;
};

/* `engine`: "ref" or "host". `mutant`: the id of a mutant to plant, or NULL. ST_INPUT if one of the
 * names is unknown, ST_WORLD if memory is short. On ST_OK the caller closes it. */
enum status model_open(struct model **out, const char *mcpu, const char *engine, const char *mutant,
                       struct err *e);

/* The reference engine for who runs a job or two of no more than `waves` waves: opened in a fraction of
 * the time, as it has neither waves to spare nor a log, without which every job lays its registers anew.
 * ST_WORLD if memory is short. On ST_OK the caller closes it. */
enum status model_open_small(struct model **out, const char *mcpu, u32 waves, struct err *e);

void model_close(struct model *mo);

/* From now on memory results arrive late (oracle/exec/delay.h): as late as possible, or with a seed
 * other than 0 at times that it draws. ST_WORLD if memory is short. */
enum status model_delay(struct model *mo, u64 seed, struct err *e);

/* From now on entries of the ledger are read otherwise: those that `ids` names (doubt_parse).
 * ST_INPUT: one has no other reading. */
enum status model_doubt(struct model *mo, const char *ids, struct err *e);

/* Puts a job's program, state, windows and LDS into the machine (windows are used in place).
 * Afterwards mo->m can be run or stepped; its log holds what changed since. ST_INPUT if the job is
 * malformed. */
enum status model_start(struct model *mo, const struct gcncheck_job *job, struct err *e);

/* For who runs the job to its end and looks only at what came out: the log then holds registers alone,
 * which the next job starts from. Everything, still, for step loops other than the plain one, which may
 * read it. */
void model_log_registers(struct model *mo);

/* Fills job->out, lds, outcome and reason from the machine after it was run to `stop`. */
void model_finish(struct model *mo, struct gcncheck_job *job, enum stop stop, u32 who);

/* Start, run, finish. A malformed job is answered as illegal. ST_WORLD: no memory, and no answer. */
enum status model_run(struct model *mo, struct gcncheck_job *job, struct err *e);

#endif
