/* What compare.c (judging by the end) and compare_steps.c (cutting) share; nobody else includes it.
 */
#ifndef HARNESS_COMPARE_CORE_H
#define HARNESS_COMPARE_CORE_H

#include "harness/compare.h"

enum { COMPARE_BATCH = 64, PLACE_WORDS = (GCNCHECK_PLACES + 63) / 64 };

/* Lanes of one destination for which several NaNs are right. `place` 0: none. */
struct nan_rule {
    u16 place;
    bool ieee;
    u64 any;       /* any quiet NaN */
    u64 quiet_bit; /* the quiet bit is not compared */
};

/* A subject between the model's run and the DUT's. */
struct pending {
    struct subject *subject;
    struct gcncheck_job *want;
    u64 announced[PLACE_WORDS];
    struct nan_rule nan;
};

struct compare {
    struct compare_cfg cfg;
    struct dut *dut;
    struct model *ref;    /* judges step cases and prefixes */
    struct model *tracer; /* steps through a program while `ref` judges what came out of it */
    struct model *fast;   /* the engine asked for; NULL if that is ref */
    struct jobbuf *want[COMPARE_BATCH], *got[COMPARE_BATCH], *step[COMPARE_BATCH];
};

/* Decodes at dword `at` and returns how far to go on: the instruction's length, or 1. */
u32 compare_decode(const struct isa *isa, const struct gcncheck_job *job, u32 at, struct insn *in);

/* Copies program, values and memory; compare_ready then finishes it with the waves, steps and
 * poison of `start`. Nothing is read back. */
void compare_copy(struct jobbuf *dst, const struct gcncheck_job *start);
struct gcncheck_job *compare_ready(struct jobbuf *jb, const struct gcncheck_job *start);

/* compare_run with a certain model. */
enum status compare_with(struct compare *c, struct model *mo, struct subject *s, u32 count,
                         struct err *e);

#endif
