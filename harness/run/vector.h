/* Directed cases as vectors (harness/vector/vector.h): what is run and what is compared, as data. */
#ifndef HARNESS_RUN_VECTOR_H
#define HARNESS_RUN_VECTOR_H

#include "harness/run/run.h"
#include "harness/vector/vector.h"

/* Called for each vector; the record lives until it returns. Anything but ST_OK ends it all. */
typedef enum status run_vector_fn(void *ctx, const struct vector_record *r, struct err *e);

/* Hands over all that the run's cases are for its processor, in the order of the names of encoding,
 * opcode and form. Code that must be refused is a vector without a program. */
enum status run_vectors(struct run *r, run_vector_fn *fn, void *ctx, struct err *e);

#endif
