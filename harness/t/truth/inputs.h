/* Inputs of a function: made from a seed, the same on every host. */
#ifndef HARNESS_T_TRUTH_INPUTS_H
#define HARNESS_T_TRUTH_INPUTS_H

#include "harness/t/truth/functions.h"

struct inputs {
    const struct function *function;
    const struct format *format;
    uint64_t state; /* of the random numbers */
    uint64_t count; /* of inputs in all */
};

/* Input `index` of in->count: bits of up to three operands, and n. First come edge values (all
 * pairs of them where the count allows), then by turns random bits, sizes, values and special ones.
 * They are to be asked for in order. Of a single operand of f16, input i is the number i. */
void inputs_next(struct inputs *in, uint64_t index, uint64_t bits[3], int32_t *n);

/* How many inputs: the number wanted, or all there are of a single operand of f16. */
uint64_t inputs_count(const struct function *fn, const struct format *f, uint64_t wanted);

#endif
