/* Whole kernels, launched as `gcncheck launch` does. Their code is that of cases/kernels, kept in
 * the program so that an installed one measures the same; what they compute is checked by plain
 * C. */
#include "harness/bench/internal.h"
#include "harness/io/clock.h"
#include "harness/io/sha256.h"
#include "harness/launch/launch.h"

#include <stdlib.h>

/* The bytes of a file of the folder that the program is built in. */
#define EMBED(name, file)                                                          \
    extern const u8 name##_begin[], name##_end[];                                  \
    __asm__(".pushsection .rodata\n" #name "_begin:\n.incbin \"" file "\"\n" #name \
            "_end:\n.popsection\n")

EMBED(bench_sha256, "cases/kernels/sha256/gfx900.O3.co");
EMBED(bench_matmul, "cases/kernels/matmul_tiled/gfx900.O3.co");

enum {
    BLOCKS = 3, /* of a message */
    MESSAGES = 16384,
    ROWS = 256,
    MATRIX = ROWS * ROWS * 4, /* bytes */
    ROUNDS = 9
};

/* ---- SHA-256 ---- */

static void fill_sha256(struct launch *l, struct rng *r)
{
    for (u32 i = 0; i < MESSAGES * BLOCKS * SHA256_BLOCK; i++)
        l->args[0].bytes[i] = (u8)rng_below(r, 256);
}

static bool check_sha256(const struct launch *l)
{
    for (u32 id = 0; id < MESSAGES; id++) {
        struct sha256 s;
        u8 want[SHA256_BYTES];
        sha256_init(&s);
        sha256_add(&s, l->args[0].bytes + id * BLOCKS * SHA256_BLOCK, BLOCKS * SHA256_BLOCK);
        sha256_end_bytes(&s, want);
        if (memcmp(want, l->args[1].bytes + id * SHA256_BYTES, SHA256_BYTES) != 0)
            return false;
    }
    return true;
}

/* ---- matrices ---- */

/* Of small integers: sums of their products are exact in any order. */
static void fill_matmul(struct launch *l, struct rng *r)
{
    for (u32 at = 0; at < 2 * MATRIX; at += 4) {
        float v = (float)((i32)rng_below(r, 129) - 64);
        memcpy(l->args[at / MATRIX].bytes + at % MATRIX, &v, sizeof v);
    }
}

static void read_row(const struct launch_arg *a, u32 row, float *to)
{
    memcpy(to, a->bytes + row * ROWS * 4, ROWS * 4);
}

static bool check_matmul(const struct launch *l)
{
    float a[ROWS], b[ROWS], got[ROWS];
    for (u32 row = 0; row < ROWS; row++) {
        float want[ROWS] = { 0 };
        read_row(&l->args[0], row, a);
        for (u32 k = 0; k < ROWS; k++) {
            read_row(&l->args[1], k, b);
            for (u32 i = 0; i < ROWS; i++)
                want[i] += a[k] * b[i];
        }
        read_row(&l->args[2], row, got);
        for (u32 i = 0; i < ROWS; i++)
            if (!(want[i] <= got[i] && want[i] >= got[i])) /* nor a NaN */
                return false;
    }
    return true;
}

/* ---- launches ---- */

static const struct kernel_row {
    const char *name;
    const u8 *begin, *end; /* code object */
    u32 grid[3], group[3];
    u32 buffer[3]; /* bytes of each; 0: no more */
    u32 argument;  /* behind the buffers */
    void (*fill)(struct launch *l, struct rng *r);
    bool (*check)(const struct launch *l);
} table[] = {
    { .name = "sha256",
      .begin = bench_sha256_begin,
      .end = bench_sha256_end,
      .grid = { MESSAGES, 1, 1 },
      .group = { 256, 1, 1 },
      .buffer = { MESSAGES * BLOCKS * SHA256_BLOCK, MESSAGES *SHA256_BYTES },
      .argument = BLOCKS,
      .fill = fill_sha256,
      .check = check_sha256 },
    { .name = "matmul_tiled",
      .begin = bench_matmul_begin,
      .end = bench_matmul_end,
      .grid = { ROWS, ROWS, 1 },
      .group = { 16, 16, 1 },
      .buffer = { MATRIX, MATRIX, MATRIX },
      .argument = ROWS,
      .fill = fill_matmul,
      .check = check_matmul },
};

static enum status open_launch(const struct kernel_row *row, const u32 *grid, struct launch *l,
                               struct err *e)
{
    char buf[512];
    struct text t;
    text_init(&t, buf, sizeof buf);
    text_add(&t, "kernel %s\ngrid %u %u %u\nworkgroup %u %u %u\n", row->name, grid[0], grid[1],
             grid[2], row->group[0], row->group[1], row->group[2]);
    for (u32 i = 0; i < COUNT_OF(row->buffer) && row->buffer[i]; i++)
        text_add(&t, "tmp %u\n", row->buffer[i]);
    text_add(&t, "u32 %u\n", row->argument);
    enum status st = launch_open_memory(l, row->name, buf, strlen(buf), e);
    struct rng r;
    rng_seed(&r, 1);
    if (st == ST_OK)
        row->fill(l, &r);
    for (u32 i = 0; i < l->arg_count; i++) /* all but the last are read: --check-memory */
        if (l->args[i].kind == LARG_TMP)
            l->args[i].kind = l->args[i + 1].kind == LARG_TMP ? LARG_BUF : LARG_INOUT;
    return st;
}

/* One launch; ST_WORLD if the kernel does not end. */
static enum status run(const struct kernel_row *row, struct launch *l, const struct codeobj *co,
                       const struct launch_cfg *cfg, struct launch_result *r, struct err *e)
{
    struct codeobj_kernel k;
    enum status st = codeobj_kernel(co, row->name, &k, e);
    if (st == ST_OK)
        st = launch_run(co, &k, l, cfg, NULL, NULL, r, e);
    if (st == ST_OK && r->races)
        st = err_set(e, ST_WORLD, "%s has races", row->name);
    if (st == ST_OK && !r->has_ended)
        st = err_set(e, ST_WORLD, "%s: %.150s", row->name, r->why);
    return st;
}

/* How many lanes execute an instruction on average. All work-groups do the same: one tells. */
static enum status count_lanes(const struct kernel_row *row, const struct codeobj *co,
                               const struct launch_cfg *cfg, double *lanes, struct err *e)
{
    struct launch l = { 0 };
    struct launch_result r;
    struct launch_cfg counting = *cfg;
    counting.count_lanes = true;
    counting.check_races = counting.check_memory = counting.weak = false;
    enum status st = open_launch(row, row->group, &l, e);
    if (st == ST_OK)
        st = run(row, &l, co, &counting, &r, e);
    if (st == ST_OK)
        *lanes = (double)r.lanes / (double)r.instructions;
    launch_close(&l);
    return st;
}

/* Instructions per second of one round. A thread's second is one that it was given, as if there
 * were nothing else to do; if it is the only one, with what comes before and behind the waves. */
static enum status time_round(const struct kernel_row *row, const struct codeobj *co,
                              const struct launch_cfg *cfg, double seconds, double *rate,
                              struct err *e)
{
    struct launch l = { 0 };
    enum status st = open_launch(row, row->grid, &l, e);
    double spent = 0, instructions = 0;
    while (st == ST_OK && spent < seconds) {
        struct launch_result r;
        double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        st = run(row, &l, co, cfg, &r, e);
        double taken = cfg->jobs == 1 ? clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start
                                      : r.cpu_seconds / cfg->jobs;
        if (st == ST_OK && !row->check(&l))
            st = err_set(e, ST_WORLD, "%s gives wrong results on %u threads", row->name, cfg->jobs);
        spent += st == ST_OK ? taken : 0;
        instructions += (double)r.instructions;
    }
    *rate = spent > 0 ? instructions / spent : 0;
    launch_close(&l);
    return st;
}

/* What a launch is asked for beside its result: --check-races, --memory weak, --check-memory. */
enum mode { MODE_PLAIN, MODE_RACES, MODE_WEAK, MODE_MEMORY, MODES };
static const char *const mode_names[MODES] = { "host", "races", "weak", "memory" };

static enum status measure(const struct kernel_row *row, const struct codeobj *co, u32 jobs,
                           enum mode mode, double seconds, struct bench_kernel_result *r,
                           struct err *e)
{
    struct launch_cfg cfg = { .engine = "host",
                              .max_steps = LAUNCH_STEPS,
                              .jobs = jobs,
                              .schedule = mode == MODE_WEAK ? "random" : "order",
                              .seed = 1,
                              .out = stdout,
                              .check_races = mode == MODE_RACES,
                              .check_memory = mode == MODE_MEMORY,
                              .weak = mode == MODE_WEAK,
                              .weak_seed = 1 };
    double rate[ROUNDS], lanes = 0;
    enum status st = count_lanes(row, co, &cfg, &lanes, e);
    for (u32 i = 0; i < ROUNDS && st == ST_OK; i++)
        st = time_round(row, co, &cfg, seconds, &rate[i], e);
    if (st != ST_OK)
        return st;
    double median = bench_median(rate, ROUNDS);
    *r = (struct bench_kernel_result){ row->name, mode_names[mode], jobs, median, median * lanes };
    return ST_OK;
}

enum status bench_kernels(u32 jobs, u32 ms, bench_kernel_fn *fn, void *ctx, struct err *e)
{
    enum status st = ST_OK;
    for (size_t i = 0; i < COUNT_OF(table) && st == ST_OK; i++) {
        const struct kernel_row *row = &table[i];
        struct codeobj co = { 0 };
        struct bench_kernel_result r;
        st = codeobj_open_memory(&co, row->name, row->begin, (size_t)(row->end - row->begin),
                                 GPU_CODE_BASE, e);
        if (st != ST_OK)
            break;
        for (u32 threads = 1; st == ST_OK && threads <= jobs;
             threads = threads < jobs ? jobs : jobs + 1) {
            st = measure(row, &co, threads, MODE_PLAIN, ms / 1000.0, &r, e);
            if (st == ST_OK)
                fn(ctx, &r);
        }
        for (enum mode mode = MODE_RACES; st == ST_OK && mode < MODES; mode++) {
            st = measure(row, &co, 1, mode, ms / 1000.0, &r, e);
            if (st == ST_OK)
                fn(ctx, &r);
        }
        codeobj_close(&co);
    }
    return st;
}
