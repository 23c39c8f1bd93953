/* How fast random programs go through everything that a campaign does with them, and which part takes
 * how much of it. As in a campaign they are made of what the DUT implements. */
#include "fuzz/cover/tally.h"
#include "harness/bench/internal.h"
#include "harness/campaign/campaign.h"
#include "harness/finding/stream_job.h"
#include "harness/io/clock.h"

#include <stdlib.h>

enum { BATCH = 64, SEED = 1, BATCHES_MAX = 4096 };

struct line {
    struct executor x;
    struct model *model; /* beside that of the comparison, to be timed alone */
    struct generator gen;
    struct tally tally;
    struct stream stream;
    struct jobbuf *jb[BATCH];
    struct subject subject[BATCH];
    struct gcncheck_job job[BATCH];
    u64 written[BATCH][STREAM_PLACE_WORDS];
    u64 insns[BATCH];                 /* in the program as it stands */
    u64 judged;                       /* of those judged as a whole */
    u64 executed;                     /* by all waves of all programs */
    double spent[BENCH_STREAM_PARTS]; /* seconds, of the batch at hand */
    u32 batches;
    /* Of every batch, for each instruction executed. */
    double part[BENCH_STREAM_PARTS][BATCHES_MAX];
};

/* Seconds since *since, which is then now. */
static double lap(double *since)
{
    double now = clock_seconds(CLOCK_MONOTONIC), passed = now - *since;
    *since = now;
    return passed;
}

static enum status draw(struct line *l, const struct isa *isa, u64 first, struct err *e)
{
    double since = 0;
    lap(&since);
    for (u32 i = 0; i < BATCH; i++) {
        gen_stream(&l->gen, first + i, &l->stream);
        l->stream.poison = hash_mix(SEED, first) | 2; /* as in a campaign, laid once for all */
        l->spent[BENCH_DRAW] += lap(&since);
        u64 before = l->tally.insns;
        tally_code(&l->tally, isa, l->stream.code, l->stream.code_dw);
        l->insns[i] = l->tally.insns - before;
        l->spent[BENCH_COUNT] += lap(&since);
        const struct gcncheck_job *start = stream_job_build(&l->stream, l->jb[i]);
        if (!start)
            return err_memory(e);
        memcpy(l->written[i], l->stream.written, sizeof l->written[i]);
        l->subject[i] = (struct subject){ .start = start,
                                          .announced = l->written[i],
                                          .canary = (u32)(first + i) };
        l->spent[BENCH_BUILD] += lap(&since);
    }
    return ST_OK;
}

/* Runs the programs on the model alone, to be timed; counts what is executed. */
static enum status run_model(struct line *l, struct err *e)
{
    enum status st = ST_OK;
    for (u32 i = 0; i < BATCH && st == ST_OK; i++) {
        st = model_run(l->model, &l->job[i], e);
        for (u32 wave = 0; wave < l->job[i].waves; wave++)
            l->executed += l->model->m->wave[wave]->steps;
    }
    return st;
}

/* What the model and the DUT take of a comparison is what the same jobs take them alone. A program that
 * the DUT refuses as a whole, although it has all the opcodes, takes time and is no instruction. */
static enum status run(struct line *l, struct err *e)
{
    double since = 0;
    lap(&since);
    enum status st = compare_run(l->x.compare, l->subject, BATCH, e);
    double all = lap(&since);
    for (u32 i = 0; i < BATCH && st == ST_OK; i++) {
        const struct judgement *j = &l->subject[i].j;
        l->job[i] = *l->subject[i].start;
        l->judged += j->verdict == JUDGED_RIGHT ? l->insns[i] : 0;
        if (j->verdict != JUDGED_RIGHT && j->verdict != JUDGED_UNSUPPORTED)
            st = err_set(e, ST_INPUT, "the DUT is not right in stream %u: %.64s",
                         l->subject[i].canary, j->reason[0] ? j->reason : "it differs");
    }
    lap(&since);
    if (st == ST_OK)
        st = run_model(l, e);
    double model = lap(&since);
    if (st == ST_OK)
        st = dut_run(l->x.dut, l->job, BATCH, e);
    double dut = lap(&since);
    l->spent[BENCH_MODEL] += model;
    l->spent[BENCH_DUT] += dut;
    /* On a busy machine the two may take longer alone. */
    l->spent[BENCH_COMPARE] += all > model + dut ? all - model - dut : 0;
    return st;
}

static void close_line(struct line *l)
{
    executor_close(&l->x);
    model_close(l->model);
    for (u32 i = 0; i < BATCH; i++)
        jobbuf_free(l->jb[i]);
    free(l);
}

static enum status open_line(struct line *l, const char *spec, const struct isa *isa, struct err *e)
{
    struct executor_cfg xc = {
        .mcpu = isa->target->mcpu, .dut = spec, .engine = "ref", .exact = dut_is_exact(spec)
    };
    struct gen_cfg gc = gen_cfg_default;
    u8 forms[OPS_MAX] = { 0 };
    enum status st = executor_open(&l->x, &xc, e);
    if (st == ST_OK)
        st = campaign_ask(&l->x, xc.mcpu, spec, forms, e);
    if (st == ST_OK)
        st = model_open(&l->model, isa->target->mcpu, "ref", NULL, e);
    for (u32 i = 0; i < BATCH && st == ST_OK; i++)
        st = (l->jb[i] = jobbuf_new()) ? ST_OK : err_memory(e);
    gc.seed = SEED;
    gc.forms = forms;
    if (st == ST_OK)
        gc.features = executor_features(&l->x);
    return st == ST_OK ? gen_open(&l->gen, isa, &gc, e) : st;
}

/* Goes through a batch and adds how long it took. */
static enum status time_batch(struct line *l, const struct isa *isa, double *sum, struct err *e)
{
    u64 before = l->executed;
    memset(l->spent, 0, sizeof l->spent);
    enum status st = draw(l, isa, (u64)l->batches * BATCH, e);
    if (st == ST_OK)
        st = run(l, e);
    for (u32 part = 0; part < BENCH_STREAM_PARTS; part++) {
        l->part[part][l->batches] = l->spent[part] / (double)(l->executed - before);
        *sum += l->spent[part];
    }
    l->batches++;
    return st;
}

/* Of each part the median, as if every instruction took that: what else the machine does falls on
 * few batches, and on one part of them. Answers the time of all parts. */
static double take_medians(struct line *l)
{
    double sum = 0;
    for (u32 part = 0; part < BENCH_STREAM_PARTS; part++) {
        l->spent[part] = bench_median(l->part[part], l->batches) * (double)l->executed;
        sum += l->spent[part];
    }
    return sum;
}

enum status bench_streams(const char *spec, const struct isa *isa, u32 ms, bench_stream_fn *fn,
                          void *ctx, struct err *e)
{
    struct line *l = calloc(1, sizeof *l);
    if (!l)
        return err_memory(e);
    enum status st = open_line(l, spec, isa, e);
    double sum = 0;
    while (st == ST_OK && sum * 1000 < ms && l->batches < BATCHES_MAX)
        st = time_batch(l, isa, &sum, e);
    if (st != ST_OK) {
        close_line(l);
        return st;
    }
    sum = take_medians(l);
    const double *spent = l->spent;
    struct bench_stream_result r = {
        .insns_per_s = (double)l->judged / sum,
        .dut_executes_per_s = (double)l->executed / spent[BENCH_DUT],
        .judged_per_s = (double)l->executed / (sum - spent[BENCH_DRAW] - spent[BENCH_MODEL]),
        .executed_per_s = (double)l->executed / sum,
    };
    for (u32 part = 0; part < BENCH_STREAM_PARTS; part++)
        r.share[part] = spent[part] / sum;
    fn(ctx, &r);
    close_line(l);
    return ST_OK;
}
