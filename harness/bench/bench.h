/* How fast the model executes, each figure beside a bare loop of the same work measured in the same
 * run. */
#ifndef HARNESS_BENCH_BENCH_H
#define HARNESS_BENCH_BENCH_H

#include "oracle/exec/exec.h"

/* What a bare loop works on: the registers, memory and LDS that the instruction would. */
struct bare {
    u32 *dst; /* 64 lanes; here and below followed by 64 lanes of the upper dword */
    const u32 *src0, *src1, *src2;
    u64 exec;
    u64 carry; /* lane mask out */
    u32 flags; /* float exceptions out, MXCSR bits */
    u32 scc;
    u8 *bytes; /* memory or LDS */
    u32 size;  /* of bytes */
};
typedef void bare_fn(struct bare *b);

/* 64 lanes in, the row's body, a vectorised masked store out (bare.c, compiled like the
 * rows). */
bare_fn bare_add, bare_bfe, bare_add_co, bare_fma, bare_add_f32, bare_mul_f64, bare_scalar_add,
    bare_load, bare_lds_add;

struct bench_result {
    char text[64]; /* the instruction, as the processor spells it */
    const char *engine;
    bool full_exec;
    double model_per_s; /* wave-instructions per second, median of nine */
    double bare_per_s;
};

/* Measures every line of the table that the processor has and calls back with each result. `ms` is the
 * length of one of the nine measurements. */
typedef void bench_fn(void *ctx, const struct bench_result *r);
enum status bench_run(const struct isa *isa, u32 ms, bench_fn *fn, void *ctx, struct err *e);

struct bench_kernel_result {
    const char *name;   /* of the folder in cases/kernels */
    const char *engine; /* "races", "weak", "memory": the same as host, with gcncheck launch
                           --check-races, --memory weak, --check-memory */
    u32 threads;
    double waves_per_s; /* wave-instructions, of all threads together, median of nine */
    double lanes_per_s; /* lane-instructions: a vector instruction counts for each lane that is on,
                           others once */
};

/* Launches whole kernels for gfx900 on one thread and on `jobs`, and on one with each check; looks at
 * what they computed each time, and calls back with each result. `ms` as above. ST_WORLD if a result is
 * wrong or memory is short. */
typedef void bench_kernel_fn(void *ctx, const struct bench_kernel_result *r);
enum status bench_kernels(u32 jobs, u32 ms, bench_kernel_fn *fn, void *ctx, struct err *e);

struct bench_dut_result {
    /* Step cases per second in batches, of processor time (all processes) and by the clock. */
    double cases_per_cpu_s, cases_per_s;
    double alone_cpu_us, alone_us; /* of one that comes alone */
    /* Of a virtual GPU, else -1: the share of time not spent in the oracle; microseconds by the clock
     * of one alone without the way to the worker and back: put together, submitted, waited for. */
    double outside, direct_us;
    u32 rows, rows_of; /* how many of the instructions the DUT supports, and the processor has */
};

/* Measures how fast the DUT takes jobs of one instruction; `ms` is the length of each of the
 * measurements. Instructions that end as unsupported are left out; ST_WORLD also if that is all, and if
 * another job does not end well. */
typedef void bench_dut_fn(void *ctx, const struct bench_dut_result *r);
enum status bench_dut(const char *spec, const struct isa *isa, u32 ms, bench_dut_fn *fn, void *ctx,
                      struct err *e);

/* Where the time of a campaign goes. BENCH_MODEL, BENCH_DUT: running; BENCH_COMPARE: what a comparison
 * takes beside the two. */
enum bench_stream_part {
    BENCH_DRAW,
    BENCH_COUNT,
    BENCH_BUILD,
    BENCH_MODEL,
    BENCH_DUT,
    BENCH_COMPARE,
    BENCH_STREAM_PARTS
};
struct bench_stream_result {
    double insns_per_s; /* instructions of streams, by the clock */
    double share[BENCH_STREAM_PARTS];
    /* Instructions that waves execute, those of loops and of every wave again: of the DUT's time; of
     * that and what it takes to run programs on a DUT and to judge them, once they are drawn and the
     * model has run them; of all the time. */
    double dut_executes_per_s, judged_per_s, executed_per_s;
};

/* Measures how fast random programs are drawn, counted, run on the model and the DUT and compared, one
 * batch after the other, for `ms`. They are made of what the DUT implements. ST_INPUT: it does not run
 * them right, which is no rate. */
typedef void bench_stream_fn(void *ctx, const struct bench_stream_result *r);
enum status bench_streams(const char *spec, const struct isa *isa, u32 ms, bench_stream_fn *fn,
                          void *ctx, struct err *e);

struct bench_text_result {
    const char *what; /* decode, disassemble (decode and print), assemble (parse) */
    double ours_per_s;
    double llvm_per_s; /* llvm-mc on the same instructions; 0 where it is not installed */
};

/* Measures decoding, printing and parsing of legal instructions of every opcode and form, beside
 * llvm-mc where it is installed (its disassembler for the first two). `ms` as above. ST_WORLD if
 * memory is short. */
typedef void bench_text_fn(void *ctx, const struct bench_text_result *r);
enum status bench_text(const struct isa *isa, u32 ms, bench_text_fn *fn, void *ctx, struct err *e);

#endif
