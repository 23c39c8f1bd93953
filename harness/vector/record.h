/* Running vectors on a device and keeping what it answers. */
#ifndef HARNESS_VECTOR_RECORD_H
#define HARNESS_VECTOR_RECORD_H

#include "harness/dut/dut.h"
#include "harness/vector/vector.h"

struct recorder;

/* The device stays the caller's. ST_WORLD: no memory. */
enum status record_open(struct recorder **out, const char *mcpu, struct dut *d, struct err *e);
void record_close(struct recorder *rec);

/* Called in order for each vector that was handed over, with its answer. */
typedef enum status recorded_fn(void *ctx, const struct vector_record *r,
                                const struct gcncheck_vector *v, struct err *e);

/* Takes a vector, whose bytes are copied; runs a batch when there is one. */
enum status record_add(struct recorder *rec, const struct vector_record *r, recorded_fn *fn,
                       void *ctx, struct err *e);
/* Runs what is left. */
enum status record_flush(struct recorder *rec, recorded_fn *fn, void *ctx, struct err *e);

#endif
