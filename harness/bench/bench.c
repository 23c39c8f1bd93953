#include "harness/bench/internal.h"

#include "harness/io/clock.h"

#include <stdlib.h>

enum { COPIES = 64, ROUNDS = 9, MEM_SIZE = 4096 };
#define MEM_BASE 0x100000ull

/* As gfx9 spells them; what a processor does not have is left out. */
static const struct row {
    const char *text;
    const char *engine;
    bare_fn *bare;
} table[] = {
    { "v_add_u32_e32 v0, v1, v2", "ref", bare_add },
    { "v_bfe_u32 v0, v1, v2, v3", "ref", bare_bfe },
    { "v_add_co_u32_e32 v0, vcc, v1, v2", "ref", bare_add_co },
    { "v_fma_f32 v0, v4, v5, v6", "host", bare_fma },
    { "v_fma_f32 v0, v4, v5, v6", "ref", bare_fma },
    { "v_add_f32_e32 v0, v4, v5", "host", bare_add_f32 },
    { "v_add_f32_e32 v0, v4, v5", "ref", bare_add_f32 },
    { "v_mul_f64 v[0:1], v[8:9], v[10:11]", "host", bare_mul_f64 },
    { "v_mul_f64 v[0:1], v[8:9], v[10:11]", "ref", bare_mul_f64 },
    { "s_add_u32 s0, s1, s2", "ref", bare_scalar_add },
    { "global_load_dword v0, v7, s[4:5]", "ref", bare_load },
    { "buffer_load_dword v0, v7, s[4:7], 0 offen", "ref", bare_load },
    { "ds_read_b32 v0, v7", "ref", bare_load },
    { "ds_add_u32 v7, v1", "ref", bare_lds_add },
};

/* Time that this thread was given, so that other work on the machine counts less. */
static double now(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double bench_median(double *value, u32 count)
{
    qsort(value, count, sizeof *value, by_value);
    return value[count / 2];
}

/* Integers in v1..v3, ordinary floats in v4..v6, doubles in v[8:9] and v[10:11], a lane's own dword
 * offset in v7; memory in s[4:5] and, as a buffer of dwords, in s[4:7]. */
static void fill(struct machine *m, u8 *mem)
{
    struct wave *w = m->wave[0];
    struct rng r;
    rng_seed(&r, 1);
    for (u32 lane = 0; lane < LANES; lane++) {
        for (u32 v = 1; v <= 3; v++)
            w->vgpr[v][lane] = (u32)rng_u64(&r);
        for (u32 v = 4; v <= 6; v++)
            w->vgpr[v][lane] = 0x3f800000 | (u32)rng_below(&r, 1 << 23);
        for (u32 v = 8; v <= 11; v++)
            w->vgpr[v][lane] = v & 1 ? 0x3ff00000 | (u32)rng_below(&r, 1 << 20) : (u32)rng_u64(&r);
        w->vgpr[7][lane] = lane * 4;
    }
    pair_set(&w->sgpr[4], MEM_BASE);
    w->sgpr[6] = MEM_SIZE;
    w->sgpr[7] = BENCH_BUFFER_DWORDS;
    w->sgpr[CODE_M0] = ~0u; /* all LDS */
    for (u32 i = 0; i < MEM_SIZE; i++)
        mem[i] = (u8)rng_below(&r, 256);
}

static double time_model(struct machine *m, double seconds)
{
    struct wave *w = m->wave[0];
    double start = now(), end;
    u64 n = 0;
    do {
        for (u32 i = 0; i < 100; i++) {
            w->pc = m->base;
            w->stop = STOP_NONE;
            m->engine->exec->run(m, w, COPIES);
        }
        n += 100 * COPIES;
        end = now();
    } while (end - start < seconds);
    return (double)n / (end - start);
}

static double time_bare(bare_fn *fn, struct bare *b, double seconds)
{
    double start = now(), end;
    u64 n = 0;
    do {
        for (u32 i = 0; i < 100 * COPIES; i++)
            fn(b);
        n += 100 * COPIES;
        end = now();
    } while (end - start < seconds);
    return (double)n / (end - start);
}

static struct bare bare_over(struct machine *m, u8 *mem, const char *text)
{
    struct wave *w = m->wave[0];
    struct bare b = { .dst = w->vgpr[0],
                      .src0 = w->vgpr[1],
                      .src1 = w->vgpr[2],
                      .src2 = w->vgpr[3],
                      .exec = wave_exec(w),
                      .bytes = mem,
                      .size = MEM_SIZE };
    if (strstr(text, "f32")) {
        b.src0 = w->vgpr[4];
        b.src1 = w->vgpr[5];
        b.src2 = w->vgpr[6];
    } else if (strstr(text, "f64")) {
        b.src0 = w->vgpr[8];
        b.src1 = w->vgpr[10];
    } else if (strstr(text, "load") || strncmp(text, "ds_", 3) == 0) {
        b.src0 = w->vgpr[7];
        b.src1 = w->vgpr[1];
    }
    return b;
}

static enum status measure(const struct row *row, const struct isa *isa, const struct insn *in,
                           bool full, double seconds, struct bench_result *r, struct err *e)
{
    static const struct machine_cfg cfg = { .waves_max = 1 };
    struct engine engine;
    struct machine *m = NULL;
    u32 code[COPIES * INSN_DW_MAX], dw = 0;
    u8 mem[MEM_SIZE];
    double model[ROUNDS], bare[ROUNDS];
    enum status st = engine_open(&engine, row->engine, e);
    if (st == ST_OK)
        st = machine_open(&m, isa, &engine, &cfg, e);
    for (u32 i = 0; i < COPIES && st == ST_OK; i++)
        dw += insn_encode(in, code + dw);
    if (st == ST_OK)
        st = machine_load(m, code, dw, PC_DEFAULT, e);
    if (st == ST_OK) {
        machine_reset(m, 1, MEM_SIZE);
        st = machine_window(m, MEM_BASE, mem, sizeof mem, false, e);
    }
    if (st == ST_OK) {
        fill(m, mem);
        pair_set(&m->wave[0]->sgpr[CODE_EXEC], full ? ~0ull : 0x5555555555555555u);
        struct bare b = bare_over(m, mem, row->text);
        for (u32 i = 0; i < ROUNDS; i++) {
            model[i] = time_model(m, seconds);
            bare[i] = time_bare(row->bare, &b, seconds);
        }
        *r = (struct bench_result){ "", row->engine, full, bench_median(model, ROUNDS),
                                    bench_median(bare, ROUNDS) };
        insn_print(isa, in, r->text, sizeof r->text);
    }
    machine_close(m);
    return st;
}

enum status bench_run(const struct isa *isa, u32 ms, bench_fn *fn, void *ctx, struct err *e)
{
    struct isa spelled = *isa; /* as the table is */
    struct insn in;
    enum status st = ST_OK;
    isa_use_row_names(&spelled);
    for (size_t i = 0; i < COUNT_OF(table) && st == ST_OK; i++) {
        if (insn_parse(&spelled, table[i].text, &in, NULL) != ST_OK)
            continue;
        for (int full = 1; full >= 0 && st == ST_OK; full--) {
            struct bench_result r;
            st = measure(&table[i], isa, &in, full, ms / 1000.0, &r, e);
            if (st == ST_OK)
                fn(ctx, &r);
        }
    }
    return st;
}
