/* What the files of comparing share, lowest first: end.c (what a device made of a job), say.c (what
 * several did), compare.c (running and judging), prefix.c and steps.c (cutting). Nobody else includes
 * it. */
#ifndef HARNESS_CHECK_INTERNAL_H
#define HARNESS_CHECK_INTERNAL_H

#include "harness/check/compare.h"
#include "oracle/accept/acceptance.h"

enum {
    COMPARE_BATCH = 64,
    STEPS_MAX = 2000, /* of one program; loops do not need more */
    PREFIX_DW_MAX = 4096,
    DW_END = (int)0xbf810000, /* s_endpgm */
    DW_WAIT = (int)0xbf8c0000 /* s_waitcnt 0 */
};

/* Which bits are don't-care in the result of a step case, and the places that it goes to. */
struct acceptance_at {
    bool is_single; /* a step case: what follows holds */
    struct acceptance acceptance;
    u16 vector, mask, scalar; /* places written */
    u32 dw[2];                /* dwords of the vector result; of the scalar one */
};

/* A subject between the model's run and the DUT's. */
struct pending {
    struct subject *subject;
    struct gcncheck_job *want;
    struct judge_places announced;
    struct acceptance_at acceptance;
};

/* What the DUT writes of one job: results, windows, LDS. */
struct dut_copy {
    u8 *bytes;
    size_t cap;
};

struct compare {
    struct compare_cfg cfg;
    struct dut *dut;
    struct model *ref;    /* judges step cases and prefixes */
    struct model *tracer; /* steps through a program while `ref` judges what came out of it */
    struct doubt_table doubt;
    struct doubt_scratch tried;
    struct model *fast;           /* the engine asked for; NULL if that is ref */
    struct judge_places settable; /* the DUT can set and show it */
    struct judge_places known;    /* of those, what is compared */
    struct judge_places shown;    /* compared where it is written: it may start from anything */
    struct judge_places hidden;   /* cannot be shown: counted as narrowed where it is written */
    u32 batch;                    /* of the arrays below, how many there are */
    struct jobbuf *want[COMPARE_BATCH], *step[COMPARE_BATCH], *mark;
    struct dut_copy got[COMPARE_BATCH];
    compare_say_fn *say; /* during compare_ask */
    void *say_arg;
};

/* Decodes at dword `at` and returns how far to go on: the instruction's length, or 1. */
u32 compare_decode(const struct isa *isa, const struct gcncheck_job *job, u32 at, struct insn *in);

/* Copies program, values and memory; compare_ready then finishes it with the waves, steps and
 * poison of `start`, or returns NULL if memory was short. Nothing is read back. */
void compare_copy(struct jobbuf *dst, const struct gcncheck_job *start);
void compare_copy_memory(const struct gcncheck_job *start, struct jobbuf *dst); /* that alone */
struct gcncheck_job *compare_ready(struct jobbuf *jb, const struct gcncheck_job *start);

/* What job_ready answers with NULL: ST_WORLD. */
enum status compare_short_of_memory(struct err *e);

/* What one wave executes, in a row and without branches. */
struct path {
    bool goes_back; /* something was executed that stands before what was executed before it */
    u32 dw, count;
    u32 code[PREFIX_DW_MAX];
    u16 end[STEPS_MAX];  /* dwords of the path behind instruction i */
    u16 step[STEPS_MAX]; /* instructions executed, branches included, when it is done */
};

/* Adds an instruction that is executed as number `step`, counted from 1; without room for it the
 * path stays as it is. */
void prefix_add(struct path *p, const struct insn *in, u32 step);

/* Looks for the shortest prefix that differs, of a path that goes back (NULL: of none) or else of
 * the program as it stands, and hands it to cfg->fn. ST_WORLD as compare_run. */
enum status prefix_explain(struct compare *c, const struct gcncheck_job *start,
                           const struct path *p, const struct explain_cfg *cfg, bool *found,
                           struct err *e);

/* Judges what a device made of a job that the model has run. */
void compare_judge(struct compare *c, const struct pending *p, const struct gcncheck_job *got);

/* Whether the rules take a value that is not the model's. */
bool compare_accepts(const struct compare *c, const struct pending *p,
                     const struct gcncheck_job *got_job, const struct gcncheck_slot *slot, u32 lane,
                     u32 want, u32 got);

/* The same of a panel, of its last run: the worst judgement, of the first member that deserves it; hands
 * over what they say if that is asked for. */
void say_judge(struct compare *c, const struct pending *p, u32 job);

/* compare_run with a certain model. */
enum status compare_with(struct compare *c, struct model *mo, struct subject *s, u32 count,
                         struct err *e);

#endif
