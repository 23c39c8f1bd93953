#include "harness/afl/afl.h"

#include "harness/campaign/internal.h"

#include <stdio.h>
#include <stdlib.h>

enum status afl_ask(const char *mcpu, const char *dut, struct afl_forms *f, struct err *e)
{
    struct executor_cfg xc = {
        .mcpu = mcpu, .dut = dut, .engine = "ref", .exact = dut_is_exact(dut)
    };
    struct executor x = { 0 };
    enum status st = executor_open(&x, &xc, e);
    if (st == ST_OK)
        st = campaign_ask(&x, mcpu, dut, f->forms, e);
    if (st == ST_OK)
        f->features = executor_features(&x);
    executor_close(&x);
    return st;
}

/* ---- running ---- */

enum status afl_open(const char *mcpu, const struct afl_forms *f, struct afl **out, struct err *e)
{
    struct afl *a = calloc(1, sizeof *a);
    if (!a || !(a->jb = jobbuf_new())) {
        afl_close(a);
        return err_memory(e);
    }
    a->gate = EVIDENCE_AGREED;
    snprintf(a->mcpu, sizeof a->mcpu, "%s", mcpu);
    enum status st = afl_open_generator(a->mcpu, f, &a->isa, &a->gen, e);
    if (st == ST_OK)
        *out = a;
    else
        afl_close(a);
    return st;
}

enum status afl_open_dut(struct afl *a, const char *dut, struct err *e)
{
    struct executor_cfg xc = {
        .mcpu = a->mcpu, .dut = dut, .engine = "ref", .exact = dut_is_exact(dut), .in_process = true
    };
    return executor_open(&a->x, &xc, e);
}

void afl_close(struct afl *a)
{
    if (!a)
        return;
    executor_close(&a->x);
    jobbuf_free(a->jb);
    free(a);
}

struct noting {
    enum evidence gate;
    bool *differs;
};

static void note_cause(void *arg, const struct cause *cause)
{
    const struct noting *n = arg;
    *n->differs |= !campaign_is_below(cause, n->gate);
}

enum status afl_run(struct afl *a, const u8 *bytes, size_t size, bool *differs, struct err *e)
{
    struct explained ex = { 0 };
    struct noting noting = { a->gate, differs };
    struct explain_cfg cfg = { .fn = note_cause, .arg = &noting };
    *differs = false;
    mutate_decode(&a->gen, bytes, size, &a->recipe);
    recipe_stream(&a->gen, &a->recipe, &a->stream);
    struct subject s = { .start = stream_job_build(&a->stream, a->jb), .all = true };
    enum status st = compare_run(a->x.compare, &s, 1, e);
    if (st == ST_OK && s.j.verdict == JUDGED_WRONG)
        st = compare_explain(a->x.compare, s.start, &cfg, &ex, e);
    return st;
}
