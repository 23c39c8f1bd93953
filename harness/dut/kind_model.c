/* The model and its mutants as devices under test, in this process. */
#include "harness/dut/dut.h"
#include "harness/dut/model.h"
#include "harness/io/number.h"

#include <stdlib.h>

struct dut_model {
    struct dut dut; /* first, so that the two can be told from one pointer */
    struct model *model;
};

static enum status run(struct dut *d, struct gcncheck_job *jobs, u32 count, struct err *e)
{
    struct dut_model *dm = (struct dut_model *)d;
    (void)e;
    for (u32 i = 0; i < count; i++)
        model_run(dm->model, &jobs[i]);
    return ST_OK;
}

static void close_model(struct dut *d)
{
    struct dut_model *dm = (struct dut_model *)d;
    model_close(dm->model);
    free(dm);
}

static const struct dut_ops ops = { .run = run, .close = close_model };

/* What stands in the name of a DUT. */
struct spec {
    const char *engine, *mutant;
    bool delay;
    u64 seed;
};

/* "model", "model:engine=NAME", "model:delay=max", "model:delay=SEED", "mutant:ID". */
static enum status parse(const char *spec, struct spec *s, struct err *e)
{
    static const char with_engine[] = "model:engine=", with_id[] = "mutant:",
                      with_delay[] = "model:delay=";
    *s = (struct spec){ .engine = "ref" };
    if (strncmp(spec, with_engine, sizeof with_engine - 1) == 0) {
        s->engine = spec + sizeof with_engine - 1;
    } else if (strncmp(spec, with_delay, sizeof with_delay - 1) == 0) {
        const char *when = spec + sizeof with_delay - 1;
        s->delay = true;
        if (strcmp(when, "max") != 0 && !number_u64(when, 1, UINT64_MAX, &s->seed))
            return err_set(e, ST_INPUT,
                           "DUT '%.60s': the delay is neither 'max' nor a seed from 1 on", spec);
    } else if (strncmp(spec, with_id, sizeof with_id - 1) == 0) {
        s->mutant = spec + sizeof with_id - 1;
    } else if (strcmp(spec, "model") != 0) {
        return err_set(
            e, ST_INPUT,
            "DUT '%.60s': after 'model' only ':engine=ref', ':engine=host', ':delay=max' or "
            "':delay=SEED' may follow",
            spec);
    }
    return ST_OK;
}

enum status dut_model_open(const char *spec, const struct dut_cfg *cfg, struct dut **out,
                           struct err *e)
{
    struct spec s;
    enum status st = parse(spec, &s, e);
    if (st != ST_OK)
        return st;
    struct dut_model *dm = calloc(1, sizeof *dm);
    if (!dm)
        return err_set(e, ST_WORLD, "out of memory");
    st = model_open(&dm->model, cfg->mcpu, s.engine, s.mutant, e);
    if (st == ST_OK && s.delay && (st = model_delay(dm->model, s.seed, e)) != ST_OK)
        model_close(dm->model);
    if (st != ST_OK) {
        free(dm);
        return st;
    }
    dm->dut.ops = &ops;
    struct text t;
    text_init(&t, dm->dut.name, sizeof dm->dut.name);
    text_add(&t, "%s", spec);
    for (u32 c = 0; c < CLASS_COUNT; c++)
        dm->dut.can[c] = c == CLASS_PC ? GCNCHECK_SHOW : GCNCHECK_SHOW_SET;
    *out = &dm->dut;
    return ST_OK;
}
