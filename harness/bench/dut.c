/* How fast a device under test takes step cases: jobs of one instruction, alone and in batches. */
#include "harness/dut/dut.h"
#include "harness/bench/internal.h"
#include "harness/dut/job.h"
#include "harness/io/clock.h"
#include "harness/vgpu/vgpu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { JOBS = 1024, ALONE = 200, VGPRS_SET = 12, LDS_BYTES = 512, MEM_BYTES = 4096 };
#define MEM_BASE 0x10000000ull

/* As gfx9 spells them; what a processor does not have is left out. v0 and v1, s0, s1 and VCC are what
 * they write; v7 holds a lane's own dword offset, s[4:5] where memory is and s[4:7] a buffer of it. */
static const char *const table[] = {
    "v_add_u32_e32 v0, v1, v2",
    "v_fma_f32 v0, v4, v5, v6",
    "v_add_co_u32_e32 v0, vcc, v1, v2",
    "v_mul_f64 v[0:1], v[8:9], v[10:11]",
    "v_cmp_lt_u32_e32 vcc, v1, v2",
    "v_mad_u32_u24 v0, v1, v2, v3",
    "v_pk_add_u16 v0, v1, v2",
    "v_sub_u32_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD",
    "v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
    "s_add_u32 s0, s1, s2",
    "s_lshl_b64 s[0:1], s[2:3], s4",
    "s_bfe_u32 s0, s1, s2",
    "v_readfirstlane_b32 s0, v1",
    "v_cvt_f16_f32_e32 v0, v4",
    "ds_read_b32 v0, v7\ns_waitcnt lgkmcnt(0)",
    "buffer_load_dword v0, v7, s[4:7], 0 offen\ns_waitcnt vmcnt(0)",
    "global_load_dword v0, v7, s[4:5]\ns_waitcnt vmcnt(0)",
};

enum { CODE_MAX = 16 };

/* The code of a row, ended; ST_INPUT if the processor does not have its instructions. */
static enum status assemble(const struct isa *isa, const char *row, u32 *code, u32 *dw,
                            struct err *e)
{
    struct isa spelled = *isa; /* as the table is */
    char program[200];
    snprintf(program, sizeof program, "%s\ns_endpgm\n", row);
    isa_use_row_names(&spelled);
    return insn_parse_program(&spelled, program, code, CODE_MAX, dw, e);
}

static enum status fill(struct jobbuf *jb, const struct isa *isa, const char *text, u64 seed,
                        struct err *e)
{
    u32 code[CODE_MAX], dw, n;
    struct rng r;
    rng_seed(&r, seed);
    enum status st = assemble(isa, text, code, &dw, e);
    if (st != ST_OK)
        return st;
    jobbuf_reset(jb, isa->target->mcpu);
    job_code(jb, code, dw, PC_DEFAULT);
    for (u32 v = 0; v < VGPRS_SET; v++)
        for (u32 *to = job_set(jb, 0, GCNCHECK_V0 + v), lane = n = 0; lane < LANES; lane++)
            to[lane] = v == 7            ? lane * 4
                       : v >= 4 && v < 7 ? 0x3f800000 | (u32)rng_below(&r, 1 << 23)
                                         : (u32)rng_u64(&r);
    for (u32 s = 0; s < 4; s++)
        *job_set(jb, 0, s) = (u32)rng_u64(&r);
    *job_set(jb, 0, 4) = (u32)MEM_BASE;
    *job_set(jb, 0, 5) = (u32)(MEM_BASE >> 32);
    *job_set(jb, 0, 6) = MEM_BYTES;
    *job_set(jb, 0, 7) = BENCH_BUFFER_DWORDS;
    *job_set(jb, 0, GCNCHECK_M0) = ~0u; /* all LDS, where that is asked */
    job_set_defaults(jb, 0);
    job_get(jb, 0, GCNCHECK_V0);
    job_get(jb, 0, GCNCHECK_V0 + 1);
    job_get(jb, 0, 0);
    job_get(jb, 0, 1);
    job_get(jb, 0, GCNCHECK_VCC_LO);
    job_get(jb, 0, GCNCHECK_SCC);
    if (strncmp(text, "ds_", 3) == 0)
        job_lds(jb, LDS_BYTES, NULL);
    if (strstr(text, "_load_"))
        job_window(jb, MEM_BASE, MEM_BYTES, NULL);
    return ST_OK;
}

/* Processor time of this process and of those that it has waited for. */
static double cpu_seconds(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    const struct timeval all[] = { self.ru_utime, self.ru_stime, children.ru_utime,
                                   children.ru_stime };
    double sum = 0;
    for (u32 i = 0; i < COUNT_OF(all); i++)
        sum += (double)all[i].tv_sec + (double)all[i].tv_usec * 1e-6;
    return sum;
}

/* The jobs of one measurement, and the rows of the table that they are made of, each as often as the others. */
struct batch {
    struct jobbuf *jb[JOBS];
    struct gcncheck_job jobs[JOBS];
    u32 rows[COUNT_OF(table)], row_count;
};

/* Makes the first `count` jobs of the batch. */
static enum status make_jobs(struct batch *b, u32 count, const struct isa *isa, struct err *e)
{
    for (u32 i = 0; i < count; i++) {
        if (!b->jb[i] && !(b->jb[i] = jobbuf_new()))
            return err_memory(e);
        enum status st = fill(b->jb[i], isa, table[b->rows[i % b->row_count]], i + 1, e);
        if (st != ST_OK)
            return st;
        const struct gcncheck_job *job = job_ready(b->jb[i]);
        if (!job)
            return err_memory(e);
        b->jobs[i] = *job;
    }
    return ST_OK;
}

/* Keeps the rows that the processor has and whose jobs the DUT supports: an emulator in the making is
 * measured by what it has. *all: rows of the processor. */
static enum status keep_supported(struct batch *b, const char *spec, const struct dut_cfg *cfg,
                                  const struct isa *isa, u32 *all, struct err *e)
{
    struct dut *d;
    u32 code[CODE_MAX], dw;
    for (u32 row = b->row_count = 0; row < COUNT_OF(table); row++)
        if (assemble(isa, table[row], code, &dw, NULL) == ST_OK)
            b->rows[b->row_count++] = row;
    *all = b->row_count;
    enum status st = make_jobs(b, *all, isa, e);
    if (st == ST_OK)
        st = dut_open(spec, cfg, &d, e);
    if (st != ST_OK)
        return st;
    st = dut_run(d, b->jobs, *all, e);
    dut_close(d);
    for (u32 i = b->row_count = 0; i < *all; i++)
        if (b->jobs[i].outcome != OUT_UNSUPPORTED)
            b->rows[b->row_count++] = b->rows[i];
    if (st == ST_OK && b->row_count == 0)
        st = err_set(e, ST_WORLD, "the device supports no step case: %.64s", b->jobs[0].reason);
    return st == ST_OK ? make_jobs(b, JOBS, isa, e) : st;
}

/* The jobs again and again for that long, from `alone` on one at a time; how many were run. */
static enum status run_for(struct dut *d, struct gcncheck_job *jobs, bool alone, double seconds,
                           u64 *count, struct err *e)
{
    double end = clock_seconds(CLOCK_MONOTONIC) + seconds;
    enum status st = ST_OK;
    *count = 0;
    do {
        for (u32 i = 0; alone && i < ALONE && st == ST_OK; i++)
            st = dut_run(d, &jobs[i], 1, e);
        if (!alone)
            st = dut_run(d, jobs, JOBS, e);
        *count += alone ? ALONE : JOBS;
    } while (st == ST_OK && clock_seconds(CLOCK_MONOTONIC) < end);
    for (u32 i = 0; st == ST_OK && i < (alone ? ALONE : JOBS); i++)
        if (jobs[i].outcome != OUT_DONE)
            st = err_set(e, ST_WORLD, "a job ended as %s: %.64s", dut_outcome_name(jobs[i].outcome),
                         jobs[i].reason);
    return st;
}

struct timing {
    u64 count;
    double cpu, wall; /* seconds */
};

/* What opening and closing costs is not counted. */
static enum status time_dut(const char *spec, const struct dut_cfg *cfg, struct gcncheck_job *jobs,
                            bool alone, double seconds, struct timing *t, struct err *e)
{
    struct dut *d;
    double opened = cpu_seconds();
    enum status st = dut_open(spec, cfg, &d, e);
    if (st != ST_OK)
        return st;
    dut_close(d);
    opened = cpu_seconds() - opened;
    double start = cpu_seconds();
    st = dut_open(spec, cfg, &d, e);
    if (st != ST_OK)
        return st;
    t->wall = clock_seconds(CLOCK_MONOTONIC);
    st = run_for(d, jobs, alone, seconds, &t->count, e);
    t->wall = clock_seconds(CLOCK_MONOTONIC) - t->wall;
    dut_close(d);
    t->cpu = cpu_seconds() - start - opened;
    return st;
}

static enum status time_wall(struct dut *d, struct gcncheck_job *jobs, bool alone, double seconds,
                             struct timing *t, struct err *e)
{
    t->wall = clock_seconds(CLOCK_MONOTONIC);
    enum status st = run_for(d, jobs, alone, seconds, &t->count, e);
    t->wall = clock_seconds(CLOCK_MONOTONIC) - t->wall;
    return st;
}

/* The share of time that a virtual GPU does not spend in the oracle, and the time of one job, both
 * in this process; -1 if it is none. */
static enum status time_direct(const char *spec, const struct dut_cfg *cfg,
                               struct gcncheck_job *jobs, double seconds, double *share,
                               double *direct_us, struct err *e)
{
    struct dut_cfg here = *cfg;
    struct timing batch, alone;
    u64 (*oracle_ns)(void) = NULL;
    void *symbol = dlsym(RTLD_DEFAULT, VGPU_ORACLE_NS);
    *share = *direct_us = -1;
    if (!symbol)
        return ST_OK;
    memcpy(&oracle_ns, &symbol, sizeof oracle_ns);
    here.in_process = true;
    struct dut *d;
    enum status st = dut_open(spec, &here, &d, e);
    if (st != ST_OK)
        return st;
    u64 before = oracle_ns();
    st = time_wall(d, jobs, false, seconds, &batch, e);
    *share = 1 - (double)(oracle_ns() - before) * 1e-9 / batch.wall;
    if (st == ST_OK)
        st = time_wall(d, jobs, true, seconds, &alone, e);
    if (st == ST_OK)
        *direct_us = alone.wall * 1e6 / (double)alone.count;
    dut_close(d);
    return st;
}

enum status bench_dut(const char *spec, const struct isa *isa, u32 ms, bench_dut_fn *fn, void *ctx,
                      struct err *e)
{
    struct dut_cfg cfg = { .mcpu = isa->target->mcpu };
    struct timing batch = { 0 }, alone = { 0 };
    double seconds = ms / 1000.0, share = -1, direct_us = -1;
    u32 all;
    struct batch *b = calloc(1, sizeof *b);
    if (!b)
        return err_memory(e);
    enum status st = keep_supported(b, spec, &cfg, isa, &all, e);
    if (st == ST_OK)
        st = time_dut(spec, &cfg, b->jobs, false, seconds, &batch, e);
    if (st == ST_OK)
        st = time_dut(spec, &cfg, b->jobs, true, seconds, &alone, e);
    if (st == ST_OK)
        st = time_direct(spec, &cfg, b->jobs, seconds, &share, &direct_us, e);
    if (st == ST_OK)
        fn(ctx, &(struct bench_dut_result){ .cases_per_cpu_s = (double)batch.count / batch.cpu,
                                            .cases_per_s = (double)batch.count / batch.wall,
                                            .alone_cpu_us = alone.cpu * 1e6 / (double)alone.count,
                                            .alone_us = alone.wall * 1e6 / (double)alone.count,
                                            .outside = share,
                                            .direct_us = direct_us,
                                            .rows = b->row_count,
                                            .rows_of = all });
    for (u32 i = 0; i < JOBS; i++)
        jobbuf_free(b->jb[i]);
    free(b);
    return st;
}
