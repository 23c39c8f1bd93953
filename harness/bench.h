/* How fast the model executes, each figure beside a bare loop of the same work measured in the same
 * run. */
#ifndef HARNESS_BENCH_H
#define HARNESS_BENCH_H

#include "oracle/exec.h"

/* What a bare loop works on: the registers, memory and LDS that the instruction would. */
struct bare {
    u32 *dst; /* 64 lanes */
    const u32 *src0, *src1, *src2;
    u64 exec;
    u64 carry; /* lane mask out */
    u32 flags; /* float exceptions out, MXCSR bits */
    u32 scc;
    u8 *bytes; /* memory or LDS */
    u32 size;  /* of bytes */
};
typedef void bare_fn(struct bare *b);

/* 64 lanes in, the row's body, a vectorised masked store out (bench_bare.c, compiled like the
 * rows). */
bare_fn bare_add, bare_bfe, bare_add_co, bare_fma, bare_scalar_add, bare_load, bare_lds_add;

struct bench_result {
    const char *text; /* the instruction */
    const char *engine;
    bool full_exec;
    double model_per_s; /* wave-instructions per second, median of nine */
    double bare_per_s;
};

/* Measures every line of the table and calls back with each result. `ms` is the length of one of
 * the nine measurements. ST_INPUT for an unknown processor. */
typedef void bench_fn(void *ctx, const struct bench_result *r);
enum status bench_run(const char *mcpu, u32 ms, bench_fn *fn, void *ctx, struct err *e);

#endif
