/* The model, its mutants, and the model that reads the ledger otherwise, as devices under test, in
 * this process. */
#include "harness/dut/internal.h"
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
    enum status st = ST_OK;
    for (u32 i = 0; i < count && st == ST_OK; i++)
        st = model_run(dm->model, &jobs[i], e);
    return st;
}

static void close_model(struct dut *d)
{
    struct dut_model *dm = (struct dut_model *)d;
    model_close(dm->model);
    free(dm);
}

static const struct dut_ops ops = { .run = run, .close = close_model };

/* Which model. */
struct choice {
    const char *engine, *mutant;
    const char *doubt; /* entries that are read otherwise */
    bool is_delayed;
    u64 seed; /* of the delays; 0: as late as possible */
};

/* The DUT is called "KIND:REST", as its spec; "KIND" if rest is NULL. */
static enum status open_chosen(const struct choice *c, const struct dut_cfg *cfg, const char *kind,
                               const char *rest, struct dut **out, struct err *e)
{
    struct dut_model *dm = calloc(1, sizeof *dm);
    if (!dm)
        return err_memory(e);
    enum status st = model_open(&dm->model, cfg->mcpu, c->engine, c->mutant, e);
    if (st == ST_OK && c->is_delayed)
        st = model_delay(dm->model, c->seed, e);
    if (st == ST_OK && c->doubt)
        st = model_doubt(dm->model, c->doubt, e);
    if (st != ST_OK) {
        model_close(dm->model);
        free(dm);
        return st;
    }
    dm->dut.ops = &ops;
    dm->dut.is_here = true;
    struct text t;
    text_init(&t, dm->dut.name, sizeof dm->dut.name);
    text_add(&t, "%s%s%s", kind, rest ? ":" : "", rest ? rest : "");
    for (u32 class = 0; class < CLASS_COUNT; class ++)
        dm->dut.can[class] = class == CLASS_PC ? GCNCHECK_SHOW : GCNCHECK_SHOW_SET;
    *out = &dm->dut;
    return ST_OK;
}

/* "engine=NAME", "delay=max", "delay=SEED", or nothing. */
static enum status parse(const char *rest, struct choice *c, struct err *e)
{
    static const char engine[] = "engine=", delay[] = "delay=";
    *c = (struct choice){ .engine = "ref" };
    if (!rest)
        return ST_OK;
    if (strncmp(rest, engine, sizeof engine - 1) == 0) {
        c->engine = rest + sizeof engine - 1;
        return ST_OK;
    }
    if (strncmp(rest, delay, sizeof delay - 1) != 0)
        return err_set(
            e, ST_INPUT,
            "DUT 'model:%.54s': after 'model' only ':engine=ref', ':engine=host', ':delay=max' or "
            "':delay=SEED' may follow",
            rest);
    const char *when = rest + sizeof delay - 1;
    c->is_delayed = true;
    if (strcmp(when, "max") != 0 && !number_u64(when, 1, UINT64_MAX, &c->seed))
        return err_set(e, ST_INPUT,
                       "DUT 'model:%.54s': the delay is neither 'max' nor a seed from 1 on", rest);
    return ST_OK;
}

enum status dut_model_open(const char *rest, const struct dut_cfg *cfg, struct dut **out,
                           struct err *e)
{
    struct choice c;
    enum status st = parse(rest, &c, e);
    return st == ST_OK ? open_chosen(&c, cfg, "model", rest, out, e) : st;
}

enum status dut_mutant_open(const char *rest, const struct dut_cfg *cfg, struct dut **out,
                            struct err *e)
{
    struct choice c = { .engine = "ref", .mutant = rest };
    return open_chosen(&c, cfg, "mutant", rest, out, e);
}

enum status dut_doubt_open(const char *rest, const struct dut_cfg *cfg, struct dut **out,
                           struct err *e)
{
    struct choice c = { .engine = "ref", .doubt = rest };
    return open_chosen(&c, cfg, "doubt", rest, out, e);
}
