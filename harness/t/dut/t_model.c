/* A model starts every job from the same registers, whatever the one before has left: of what that wrote it
 * takes back what stands in its log, which with registers alone has the first old value of each row. */
#include "fuzz/gen/gen.h"
#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"
#include "harness/t/lib/tap_test.h"

#include <stdlib.h>

enum { STREAMS = 60, POISON = 5 };

static struct generator gen;
static struct stream stream;

static void run(struct model *mo, struct jobbuf *jb, bool registers)
{
    struct err e = { .text = "" };
    u32 who;
    const struct gcncheck_job *job = stream_job_build(&stream, jb);
    if (!job || model_start(mo, job, &e) != ST_OK)
        bail("%s", e.text);
    if (registers)
        model_log_registers(mo);
    machine_run(mo->m, job->max_steps, &who);
}

static bool same_registers(const struct model *a, const struct model *b, u32 waves)
{
    bool same = true;
    for (u32 i = 0; i < waves; i++) {
        const struct wave *x = a->m->wave[i], *y = b->m->wave[i];
        same &= !memcmp(x->vgpr, y->vgpr, sizeof x->vgpr) &&
                !memcmp(x->sgpr, y->sgpr, sizeof x->sgpr) && x->scc == y->scc &&
                x->mode == y->mode && x->status == y->status && x->trapsts == y->trapsts;
    }
    return same;
}

static struct model *open_model(void)
{
    struct err e = { .text = "" };
    struct model *mo;
    if (model_open(&mo, "gfx908", "ref", NULL, &e) != ST_OK)
        bail("%s", e.text);
    return mo;
}

int main(void)
{
    struct err e = { .text = "" };
    struct jobbuf *jb = jobbuf_new();
    struct model *used = open_model(), *logged = open_model(), *forgetful = open_model();
    struct gen_cfg gc = gen_cfg_default;
    gc.seed = 3;
    if (!jb || gen_open(&gen, &used->isa, &gc, &e) != ST_OK)
        bail("%s", e.text);
    u32 right = 0, right_logged = 0, shorter = 0, noticed = 0;
    for (u32 i = 0; i < STREAMS; i++) {
        struct model *fresh = open_model();
        gen_stream(&gen, i, &stream);
        stream.poison = POISON;
        run(fresh, jb, false);
        run(used, jb, true);
        run(logged, jb, false);
        right += same_registers(fresh, used, stream.waves);
        right_logged += same_registers(fresh, logged, stream.waves);
        shorter += used->m->log.count < logged->m->log.count;
        wlog_empty(&forgetful->m->log, forgetful->m->waves_max);
        run(forgetful, jb, true);
        noticed += !same_registers(fresh, forgetful, stream.waves);
        model_close(fresh);
    }
    is_hex(STREAMS, right, "each job's registers as on a model that has run none before");
    is_hex(STREAMS, right_logged, "and where all is logged");
    is_hex(STREAMS, shorter, "a log of registers alone is shorter");
    ok(noticed > STREAMS / 2, "with the log forgotten %u of %u jobs end otherwise", noticed,
       STREAMS);
    model_close(used);
    model_close(logged);
    model_close(forgetful);
    jobbuf_free(jb);
    return done();
}
