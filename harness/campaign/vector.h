/* Steps of random programs as vectors: one instruction each, from the model's state before it. What
 * is expected is the model's result, with what its rows leave open. */
#ifndef HARNESS_CAMPAIGN_VECTOR_H
#define HARNESS_CAMPAIGN_VECTOR_H

#include "harness/vector/vector.h"

struct step_vectors {
    const char *mcpu;
    const char *only; /* opcodes or encodings that are wanted; NULL: all */
    u64 seed, count;  /* streams seed 0 .. count - 1 */
};

typedef enum status step_vector_fn(void *ctx, const struct vector_record *r, struct err *e);

/* Hands over all in the order of the names of encoding, opcode and form. ST_INPUT: an unknown
 * processor, or nothing is wanted that there is. */
enum status vector_steps(const struct step_vectors *cfg, step_vector_fn *fn, void *ctx,
                         struct err *e);

#endif
