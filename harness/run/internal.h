/* Shared by the files of the runner. */
#ifndef HARNESS_RUN_INTERNAL_H
#define HARNESS_RUN_INTERNAL_H

#include "harness/check/compare.h"
#include "harness/dut/job.h"
#include "harness/run/run.h"

enum {
    RUN_GUARD = 256, /* bytes watched before and behind every memory */
    RUN_WAVES = 16
};

/* A test in one spelling. */
struct run_program {
    const struct isa *isa;
    u32 dw;
    u32 *code;
    u32 insns, focus; /* as in struct case_program */
    struct insn *insn;
    u32 *offset;
    const char *form;
    struct judge_places writes;  /* that the instructions may write */
    struct judge_places touches; /* and those that they read, too: what a wrong model may hit */
};

/* What is run at once: one job, or one check of code that must be refused. */
struct run_unit {
    const struct casefile *file;
    const struct case_test *test;
    const struct run_program *program; /* NULL: CASE_REJECT, or not for this processor */
    const struct isa *isa;
    bool elsewhere;   /* not for this processor: skipped */
    u32 form;         /* enum isa_form, FORM_COUNT: as written */
    u32 first, count; /* rows, or one row or case */
    u32 show, shown;  /* of those, which results are wanted */
    u64 key;          /* hash of its id: everything chosen per unit derives from it */
};

/* The state a unit starts from and what is read back of it, as a job that lives in jb. NULL if
 * memory is short. */
struct gcncheck_job *run_build(const struct run_unit *u, const char *mcpu, const struct dut *dut,
                               struct jobbuf *jb);

/* Why the DUT cannot run the unit: the name of a place it cannot set, or NULL. */
const char *run_cannot(const struct run_unit *u, const struct dut *dut, char *buf, size_t size);

/* Whether the DUT knows only one MODE, and the unit is meant for another. */
bool run_has_other_mode(const struct run_unit *u, const struct dut *dut);

/* Addresses for casefile_eval: code, then the memories; and the generation. */
void run_bases(const struct run_unit *u, u64 base[CASE_BASES]);

/* The lanes of a wave, which began with `exec`, that a place in `out` stands for: the one it names, or
 * every lane that was on; bit 0 of a scalar place. */
u64 run_place_lanes(const struct case_place *p, u32 wave, u64 exec);

/* The lists of a unit: shared first, then the case's own (NULL for tables). */
const struct case_item *run_item(const struct run_unit *u);
/* The row of a CASE_RUNS unit, or of a lane. */
const struct case_row *run_row(const struct run_unit *u, u32 lane);

/* What memory k, or LDS (k = CASE_MEMS_MAX), holds at the start. `bytes` covers size bytes, guards
 * not included. */
void run_fill(const struct run_unit *u, u32 k, u8 *bytes, u32 size);
/* What a guard byte holds; `at` is its offset from the memory's start, negative before it. */
u8 run_guard(u32 k, i64 at);

/* Differences beyond those that a result holds. */
struct run_more {
    bool is_short; /* of memory: some are missing */
    u32 count, cap;
    struct {
        const struct result *r; /* whose they are */
        struct result_diff d;
    } * at; /* owned, in the order of the results */
};

/* Room for comparing, kept by a thread. */
struct run_scratch;
struct run_scratch *run_scratch_new(void);
void run_scratch_free(struct run_scratch *s);

/* Names the cause of a result that differs: opcode, form and what differs (or how the run ended),
 * as `gcncheck fuzz` names causes. */
void run_set_cause(struct result *r, const char *what);

/* Compares a job that is OUT_DONE; r[0..u->shown-1] get differences, their cause and what was not
 * judged. What they have no room for is added to *more, unless that is NULL. */
void run_compare(struct run_scratch *s, const struct run_unit *u, const struct gcncheck_job *job,
                 struct result *r, struct run_more *more);

/* Everything of the results that does not depend on the outcome. */
void run_describe(const struct run_unit *u, const struct run_cfg *cfg, struct result *r);
/* Says of the results that differ where DUT and model part (harness/check/compare.h), and whose
 * fault that is. `start`: the unit's job, not run. `outcome`: of the run that differed. ST_WORLD: no
 * memory to look, or the wish to end. */
enum status run_localise(const struct run_unit *u, struct compare *c,
                         const struct gcncheck_job *start, u32 outcome, struct result *r,
                         struct err *e);

/* Says of the results that differ why that is not looked for. */
void run_not_localised(const struct run_unit *u, const char *why, struct result *r);

/* What only a result that somebody reads needs: instruction, program, inputs, the command that
 * shows it again. */
void run_explain(const struct run_unit *u, const struct run_cfg *cfg, struct result *r);

#endif
