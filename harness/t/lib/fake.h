/* A DUT for self tests: the model in this process, with a hook after every instruction in which a
 * test plants its bug. */
#ifndef HARNESS_T_LIB_FAKE_H
#define HARNESS_T_LIB_FAKE_H

#include "harness/dut/dut.h"
#include "harness/dut/model.h"

struct fake {
    struct dut dut;
    struct model *model;
    const struct insn *before; /* the instruction executed before, NULL at the start of a wave */
    struct insn last;
    u32 outcome; /* set by the hook: the job ends so, instead of as done */
    void (*hook)(struct fake *f, struct wave *w, const struct insn *in);
    u64 jobs; /* run so far */
};

static inline void fake_run_job(struct fake *f, struct gcncheck_job *job)
{
    struct err e = { .text = "" };
    u32 who = 0;
    f->jobs++;
    f->outcome = OUT_DONE;
    if (model_start(f->model, job, &e) != ST_OK)
        BUG(e.text);
    struct machine *m = f->model->m;
    for (u32 i = 0; i < job->waves; i++) {
        struct wave *w = m->wave[i];
        f->before = NULL;
        while (w->stop == STOP_NONE && w->steps < job->max_steps) {
            const struct xinsn *x = machine_fetch(m, w);
            if (!x)
                break;
            struct insn in = x->insn;
            machine_step(m, w);
            f->hook(f, w, &in);
            f->last = in;
            f->before = &f->last;
        }
    }
    model_finish(f->model, job, machine_run(m, job->max_steps, &who), who);
    if (f->outcome != OUT_DONE)
        dut_answer(job, f->outcome, "planted");
}

static inline enum status fake_run(struct dut *d, struct gcncheck_job *jobs, u32 count,
                                   struct err *e)
{
    (void)e;
    for (u32 i = 0; i < count; i++)
        fake_run_job((struct fake *)d, &jobs[i]);
    return ST_OK;
}

static inline void fake_close(struct dut *d)
{
    model_close(((struct fake *)d)->model);
}

static const struct dut_ops fake_ops = { .run = fake_run, .close = fake_close };

/* Everything but AGPRs, STATUS and PC can be set and shown. */
static inline void fake_open_on(const char *mcpu, struct fake *f,
                                void (*hook)(struct fake *, struct wave *, const struct insn *))
{
    struct err e;
    memset(f, 0, sizeof *f);
    f->dut.ops = &fake_ops;
    f->hook = hook;
    for (u32 i = 0; i < CLASS_COUNT; i++)
        f->dut.can[i] = GCNCHECK_SHOW_SET;
    f->dut.can[CLASS_AGPR] = f->dut.can[CLASS_STATUS] = f->dut.can[CLASS_PC] = GCNCHECK_NO;
    if (model_open(&f->model, mcpu, "ref", NULL, &e) != ST_OK)
        BUG(e.text);
}

static inline void fake_open(struct fake *f,
                             void (*hook)(struct fake *, struct wave *, const struct insn *))
{
    fake_open_on("gfx900", f, hook);
}

#endif
