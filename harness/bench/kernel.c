/* Whole kernels, launched as `gcncheck launch` does. Their code is that of cases/kernels, kept in
 * the program so that an installed one measures the same; what they compute is checked by plain
 * C. */
#include "harness/bench/bench.h"
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
    BLOCK = 64, /* bytes that SHA-256 takes at a time */
    BLOCKS = 3, /* of a message */
    MESSAGES = 16384,
    DIGEST = 32, /* bytes */
    ROWS = 256,
    MATRIX = ROWS * ROWS * 4, /* bytes */
    ROUNDS = 9
};

/* ---- SHA-256 ---- */

/* Constants and rounds are those of cases/kernels/sha256/kernel.cl: the same function again, in C,
 * is what the kernel is checked against. */

static const u32 round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static u32 turn(u32 v, u32 by)
{
    return v >> by | v << (32 - by);
}

static void sha256_block(u32 state[8], const u8 *block)
{
    u32 w[64], s[8];
    memcpy(w, block, BLOCK);
    memcpy(s, state, sizeof s);
    for (u32 i = 0; i < 16; i++)
        w[i] = __builtin_bswap32(w[i]);
    for (u32 i = 16; i < 64; i++) {
        u32 near = w[i - 15], far = w[i - 2];
        w[i] = w[i - 16] + (turn(near, 7) ^ turn(near, 18) ^ near >> 3) + w[i - 7] +
               (turn(far, 17) ^ turn(far, 19) ^ far >> 10);
    }
    for (u32 i = 0; i < 64; i++) {
        u32 a = s[0], e = s[4];
        u32 sum = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                  round_constant[i] + w[i];
        u32 other =
            (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, sizeof s - sizeof *s);
        s[4] += sum;
        s[0] = sum + other;
    }
    for (u32 i = 0; i < 8; i++)
        state[i] += s[i];
}

/* Of a message of whole blocks. */
static void sha256(const u8 *message, u32 blocks, u8 digest[DIGEST])
{
    u32 state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    u8 last[BLOCK] = { 0x80 };
    u32 bits = __builtin_bswap32(blocks * BLOCK * 8);
    memcpy(last + BLOCK - sizeof bits, &bits, sizeof bits);
    for (u32 n = 0; n < blocks; n++)
        sha256_block(state, message + n * BLOCK);
    sha256_block(state, last);
    for (u32 i = 0; i < 8; i++)
        state[i] = __builtin_bswap32(state[i]);
    memcpy(digest, state, DIGEST);
}

static void fill_sha256(struct launch *l, struct rng *r)
{
    for (u32 i = 0; i < MESSAGES * BLOCKS * BLOCK; i++)
        l->args[0].bytes[i] = (u8)rng_below(r, 256);
}

static bool check_sha256(const struct launch *l)
{
    for (u32 id = 0; id < MESSAGES; id++) {
        u8 want[DIGEST];
        sha256(l->args[0].bytes + id * BLOCKS * BLOCK, BLOCKS, want);
        if (memcmp(want, l->args[1].bytes + id * DIGEST, DIGEST) != 0)
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
      .buffer = { MESSAGES * BLOCKS * BLOCK, MESSAGES *DIGEST },
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
    return st;
}

/* One launch; ST_WORLD if the kernel does not end. */
static enum status run(const struct kernel_row *row, struct launch *l, const struct codeobj *co,
                       const struct launch_cfg *cfg, struct launch_result *r, struct err *e)
{
    struct codeobj_kernel k;
    enum status st = codeobj_kernel(co, row->name, &k, e);
    if (st == ST_OK)
        st = launch_run(co, &k, l, cfg, r, e);
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
    counting.check_races = false;
    enum status st = open_launch(row, row->group, &l, e);
    if (st == ST_OK)
        st = run(row, &l, co, &counting, &r, e);
    if (st == ST_OK)
        *lanes = (double)r.lanes / (double)r.instructions;
    launch_close(&l);
    return st;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Instructions per second of one round. A thread's second is one that it was given, as if there
 * were nothing else to do. */
static enum status time_round(const struct kernel_row *row, const struct codeobj *co,
                              const struct launch_cfg *cfg, double seconds, double *rate,
                              struct err *e)
{
    struct launch l = { 0 };
    enum status st = open_launch(row, row->grid, &l, e);
    double spent = 0, instructions = 0;
    while (st == ST_OK && spent < seconds) {
        struct launch_result r;
        st = run(row, &l, co, cfg, &r, e);
        if (st == ST_OK && !row->check(&l))
            st = err_set(e, ST_WORLD, "%s gives wrong results on %u threads", row->name, cfg->jobs);
        spent += st == ST_OK ? r.cpu_seconds / cfg->jobs : 0;
        instructions += (double)r.instructions;
    }
    *rate = spent > 0 ? instructions / spent : 0;
    launch_close(&l);
    return st;
}

static enum status measure(const struct kernel_row *row, const struct codeobj *co, u32 jobs,
                           bool check_races, double seconds, struct bench_kernel_result *r,
                           struct err *e)
{
    struct launch_cfg cfg = { .engine = "host",
                              .max_steps = LAUNCH_STEPS,
                              .jobs = jobs,
                              .schedule = "order",
                              .out = stdout,
                              .check_races = check_races };
    double rate[ROUNDS], lanes = 0;
    enum status st = count_lanes(row, co, &cfg, &lanes, e);
    for (u32 i = 0; i < ROUNDS && st == ST_OK; i++)
        st = time_round(row, co, &cfg, seconds, &rate[i], e);
    if (st != ST_OK)
        return st;
    qsort(rate, ROUNDS, sizeof *rate, by_value);
    *r = (struct bench_kernel_result){ row->name, check_races ? "races" : cfg.engine, jobs,
                                       rate[ROUNDS / 2], rate[ROUNDS / 2] * lanes };
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
            st = measure(row, &co, threads, false, ms / 1000.0, &r, e);
            if (st == ST_OK)
                fn(ctx, &r);
        }
        if (st == ST_OK)
            st = measure(row, &co, 1, true, ms / 1000.0, &r, e);
        if (st == ST_OK)
            fn(ctx, &r);
        codeobj_close(&co);
    }
    return st;
}
