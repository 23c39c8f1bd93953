/* Inside harness/bench: what its measurements have in common. */
#ifndef HARNESS_BENCH_INTERNAL_H
#define HARNESS_BENCH_INTERNAL_H

#include "harness/bench/bench.h"

/* The last dword of the resource of a buffer of dwords: x y z w, data of 32 bits. */
#define BENCH_BUFFER_DWORDS 0x00024fac

/* The median of values, which are sorted then. */
double bench_median(double *value, u32 count);

#endif
