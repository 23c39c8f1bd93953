/* Whether a wrong result is still seen at the end of a stream: in each of many streams one bit that
 * an instruction has just written is inverted, and the run goes on. Where the end is the same the
 * error was masked. Of vector and of scalar registers apart. */
#include "fuzz/gen/gen.h"
#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/exec/schedule.h"

#include <stdlib.h>

enum { ERRORS = 1500 /* of each kind */, TRIES = 8 * ERRORS, MASKED_PERCENT = 5 };

/* Everything that a comparison could look at. */
struct ending {
    u32 sgpr[STREAM_WAVES_MAX][CODE_EXEC + 2];
    u32 vgpr[STREAM_WAVES_MAX][VGPR_ROWS][LANES];
    u32 other[STREAM_WAVES_MAX][4];
    u8 window[STREAM_WINDOWS_MAX][STREAM_WINDOW_MAX];
    u8 lds[STREAM_LDS_MAX];
    bool ends;
};

struct living {
    struct isa isa;
    struct generator *g;
    struct stream *s;
    struct jobbuf *jb;
    struct model *mo;
    struct ending *right, *wrong;
    struct rng rng;
    bool scalar; /* which registers errors are planted in */
    u64 at;      /* the step whose result is wrong; ~0: none */
    u64 steps;
    bool planted;
};

static bool is_result(const struct living *l, const struct wlog_entry *w)
{
    return l->scalar ? w->place < CODE_TTMP : w->place >= PLACE_V0 && w->place < PLACE_A0;
}

/* Inverts a bit of what the last step has written of these registers. */
static void plant(struct living *l, struct wave *w, u32 first)
{
    const struct wlog *log = &l->mo->m->log;
    for (u32 i = first; i < log->count && !l->planted; i++) {
        const struct wlog_entry *e = &log->entry[i];
        if (e->wave != w->id || !is_result(l, e))
            continue;
        const u32 *old = &log->data[e->at];
        u32 bit = 1u << rng_below(&l->rng, 32), n = rng_below(&l->rng, e->size);
        for (u32 k = 0; k < e->size && !l->planted; k++, n = (n + 1) % e->size) {
            u32 *now = l->scalar ? &w->sgpr[e->place + n]
                                 : &w->vgpr[e->place - PLACE_V0 + n / LANES][n % LANES];
            l->planted = l->scalar || *now != old[n];
            *now ^= l->planted ? bit : 0;
        }
    }
}

static void note_end(struct living *l, const struct gcncheck_job *job, struct ending *e)
{
    const struct machine *m = l->mo->m;
    e->ends = true;
    for (u32 i = 0; i < job->waves; i++) {
        const struct wave *w = m->wave[i];
        e->ends &= w->stop == STOP_END;
        memcpy(e->sgpr[i], w->sgpr, sizeof e->sgpr[i]);
        memcpy(e->vgpr[i], w->vgpr, sizeof e->vgpr[i]);
        const u32 other[4] = { w->scc, w->mode, (u32)w->steps, w->trapsts };
        memcpy(e->other[i], other, sizeof other);
    }
    for (u32 i = 0; i < job->window_count; i++)
        memcpy(e->window[i], job->windows[i].bytes, job->windows[i].size);
    memcpy(e->lds, m->lds->bytes, job->lds_size);
}

/* Runs the stream; from l->at on its first fitting result is made wrong. */
static bool run(struct living *l, struct ending *end)
{
    struct err e = { .text = "" };
    struct gcncheck_job *job = stream_job_build(l->s, l->jb);
    struct machine *m = l->mo->m;
    u64 before;
    if (!job || model_start(l->mo, job, &e))
        bail("%s", e.text);
    l->steps = 0;
    l->planted = false;
    do {
        before = l->steps;
        for (u32 i = 0; i < job->waves; i++) {
            struct wave *w = m->wave[i];
            while (w->stop == STOP_NONE && l->steps < (u64)job->max_steps * job->waves) {
                u32 first = m->log.count;
                machine_step(m, w);
                if (l->steps++ >= l->at && !l->planted)
                    plant(l, w, first);
            }
        }
    } while (l->steps > before || schedule_barrier(m));
    note_end(l, job, end);
    return end->ends;
}

static bool is_same(const struct living *l)
{
    const struct ending *a = l->right, *b = l->wrong;
    for (u32 i = 0; i < l->s->waves; i++)
        if (memcmp(a->sgpr[i], b->sgpr[i], sizeof a->sgpr[i]) ||
            memcmp(a->vgpr[i], b->vgpr[i], sizeof a->vgpr[i]) ||
            memcmp(a->other[i], b->other[i], sizeof a->other[i]))
            return false;
    for (u32 i = 0; i < l->s->window_count; i++)
        if (memcmp(a->window[i], b->window[i], l->s->window[i].size))
            return false;
    return a->ends == b->ends && !memcmp(a->lds, b->lds, l->s->lds_size);
}

static void test_masking(struct living *l, bool scalar, const char *what)
{
    u32 planted = 0, masked = 0;
    l->scalar = scalar;
    rng_seed(&l->rng, scalar);
    for (u64 i = 0; i < TRIES && planted < ERRORS; i++) {
        gen_stream(l->g, i, l->s);
        l->at = ~0ull;
        if (!run(l, l->right))
            bail("stream %llu does not end", (unsigned long long)i);
        l->at = rng_below(&l->rng, (u32)l->steps);
        run(l, l->wrong);
        planted += l->planted;
        masked += l->planted && is_same(l);
    }
    is_u64(ERRORS, planted, "%s: errors are planted", what);
    ok(masked * 100 < planted * MASKED_PERCENT, "%s: %.1f %% of wrong bits are not seen at the end",
       what, (double)masked * 100 / (planted + !planted));
}

int main(void)
{
    struct err e = { .text = "" };
    struct living l = { .g = calloc(1, sizeof *l.g),
                        .s = calloc(1, sizeof *l.s),
                        .right = calloc(1, sizeof *l.right),
                        .wrong = calloc(1, sizeof *l.wrong),
                        .jb = jobbuf_new() };
    if (!l.g || !l.s || !l.right || !l.wrong || !l.jb || isa_open(&l.isa, "gfx900", &e) ||
        model_open(&l.mo, "gfx900", "host", NULL, &e) ||
        gen_open(l.g, &l.isa, &gen_cfg_default, &e))
        bail("cannot start: %s", e.text);
    test_masking(&l, false, "vector registers");
    test_masking(&l, true, "scalar registers");
    free(l.g);
    free(l.s);
    free(l.right);
    free(l.wrong);
    jobbuf_free(l.jb);
    model_close(l.mo);
    return done();
}
