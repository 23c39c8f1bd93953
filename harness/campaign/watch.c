/* Counting what a stream does when it is executed. */
#include "harness/campaign/watch.h"

#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"

#include <stdlib.h>

struct watch {
    struct engine engine; /* that of the model, but for its step loop, which finds us by it */
    struct exec_ops exec;
    struct model *model;
    struct jobbuf *job;
    struct cover_seen *seen;
};

static const struct watch *watch_of(const struct machine *m)
{
    return (const struct watch *)(const void *)((const char *)m->engine -
                                                offsetof(struct watch, engine));
}

/* The step loop of exec.c with a look at every instruction before it is executed. Where MODE makes
 * it another one, there is none. */
static enum stop run_watched(struct machine *m, struct wave *w, u64 limit)
{
    const struct watch *watch = watch_of(m);
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        if (!w->special)
            cover_step(watch->seen, w, &in->insn);
        exec_insn(w, in);
        w->steps++;
    }
    return w->stop;
}

enum status watch_open(struct watch **watch, const char *mcpu, struct err *e)
{
    struct watch *c = calloc(1, sizeof *c);
    if (!c)
        return err_memory(e);
    c->job = jobbuf_new();
    enum status st = c->job ? model_open(&c->model, mcpu, "host", NULL, e) : err_memory(e);
    if (st != ST_OK) {
        watch_close(c);
        return st;
    }
    c->engine = c->model->engine;
    c->exec.run = run_watched;
    c->engine.exec = &c->exec;
    c->model->m->engine = &c->engine;
    *watch = c;
    return ST_OK;
}

void watch_close(struct watch *watch)
{
    if (!watch)
        return;
    if (watch->job)
        jobbuf_free(watch->job);
    if (watch->model)
        model_close(watch->model);
    free(watch);
}

enum status watch_run(struct watch *watch, const struct stream *stream, struct cover_seen *seen,
                      struct err *e)
{
    u32 who;
    struct gcncheck_job *job = stream_job_build(stream, watch->job);
    if (!job)
        return err_memory(e);
    enum status st = model_start(watch->model, job, e);
    watch->seen = seen;
    if (st == ST_OK)
        machine_run(watch->model->m, job->max_steps, &who);
    seen->watched += st == ST_OK;
    return st;
}
