/* The model and its mutants as devices under test, in this process. */
#include "harness/dut.h"
#include "harness/model.h"

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

/* "model", "model:engine=NAME", "mutant:ID". */
static enum status parse(const char *spec, const char **engine, const char **mutant, struct err *e)
{
    static const char with_engine[] = "model:engine=", with_id[] = "mutant:";
    *engine = "ref";
    *mutant = NULL;
    if (strncmp(spec, with_engine, sizeof with_engine - 1) == 0)
        *engine = spec + sizeof with_engine - 1;
    else if (strncmp(spec, with_id, sizeof with_id - 1) == 0)
        *mutant = spec + sizeof with_id - 1;
    else if (strcmp(spec, "model") != 0)
        return err_set(e, ST_INPUT,
                       "DUT '%.60s': after 'model' only ':engine=ref' or ':engine=host' may follow",
                       spec);
    return ST_OK;
}

enum status dut_model_open(const char *spec, const struct dut_cfg *cfg, struct dut **out,
                           struct err *e)
{
    const char *engine, *mutant;
    enum status st = parse(spec, &engine, &mutant, e);
    if (st != ST_OK)
        return st;
    struct dut_model *dm = calloc(1, sizeof *dm);
    if (!dm)
        return err_set(e, ST_WORLD, "out of memory");
    st = model_open(&dm->model, cfg->mcpu, engine, mutant, e);
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
