/* Which results two right implementations may disagree on: NaN payloads with two NaN operands,
 * results for which the sources contradict each other. Judged from the state before the
 * instruction, so that a comparer can follow a stream step by step. The classes are those of the
 * numeric rules: most results are exact. */
#ifndef FUZZ_LOOSE_H
#define FUZZ_LOOSE_H

#include "oracle/operand.h"

struct loose {
    u64 nan_lanes;  /* vector result: any quiet NaN is right (any NaN with IEEE=0) where the model
                       has a NaN */
    u64 any_lanes;  /* vector result: not compared */
    u64 mask_lanes; /* bits of a lane-mask result (carry out) that are not compared */
    bool scalar;    /* the scalar result is not compared */
};

/* Fills *l for prepared instruction x that is about to run on w. Changes nothing in w that a
 * program can see. */
void gen_loose(struct wave *w, const struct xinsn *x, struct loose *l);

/* Whether it is decided how the float result of this opcode is judged. What is not is compared bit
 * by bit. */
bool gen_loose_knows(enum isa_op op);

#endif
