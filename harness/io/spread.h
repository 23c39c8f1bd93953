/* Pieces of one thing that is done by several threads, in any order: where pool.h has workers and
 * results that are taken up in order, this has neither. And memory for large things. */
#ifndef HARNESS_IO_SPREAD_H
#define HARNESS_IO_SPREAD_H

#include "oracle/base/base.h"

/* Does pieces 0 to count-1, each once, in up to `threads` threads with the caller's; one that cannot be
 * made is no loss. */
typedef void spread_fn(void *ctx, u64 piece);
void spread_run(u32 threads, u64 count, spread_fn *fn, void *ctx);

/* Asks the system to keep what malloc or calloc has given (NULL is nothing) in large pages, if it is
 * large: each page costs a fault when it is first touched. */
void spread_prefer_large(void *bytes, u64 size);

#endif
