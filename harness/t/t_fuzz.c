/* The generator: 20,000 streams are legal, end, stay inside their windows, are the same again, and
 * show every opcode in every form. */
#include "fuzz/cover.h"
#include "fuzz/gen.h"
#include "fuzz/rule.h"
#include "harness/job.h"
#include "harness/model.h"
#include "reports/tap.h"

#include <stdlib.h>
#include <time.h>

enum { STREAMS = 20000 };

struct bench {
    struct isa isa;
    struct generator *g;
    struct stream *s;
    struct jobbuf *jb;
    struct model *mo;
    struct cover *cover;
    u64 *hash;
    u64 insns, steps, waves, outside;
};

static struct gcncheck_job *job_of(struct jobbuf *jb, const struct stream *s)
{
    jobbuf_reset(jb, s->mcpu);
    job_code(jb, s->code, s->code_dw, s->pc);
    for (u32 i = 0; i < s->set_count; i++) {
        const struct stream_set *set = &s->set[i];
        memcpy(job_set(jb, set->wave, set->place), &s->values[set->at],
               GCNCHECK_PLACE_DW(set->place) * sizeof(u32));
    }
    for (u32 i = 0; i < s->window_count; i++)
        memcpy(job_window(jb, s->window[i].address, s->window[i].size), s->window[i].bytes,
               s->window[i].size);
    if (s->lds_size)
        memcpy(job_lds(jb, s->lds_size), s->lds, s->lds_size);
    struct gcncheck_job *job = job_ready(jb);
    job->waves = s->waves;
    job->max_steps = s->max_steps;
    job->poison = s->poison;
    return job;
}

/* Every instruction decodes and is legal, and so is their sequence. */
static bool is_legal(struct bench *b, struct err *e)
{
    const struct stream *s = b->s;
    struct rule_program p = { .code = s->code, .dw = s->code_dw, .pc = s->pc };
    for (u32 at = 0; at < s->code_dw;) {
        struct insn in;
        char text[160];
        struct err why = { .text = "" };
        if (!insn_decode(&b->isa, s->code + at, s->code_dw - at, &in, e))
            return false;
        if (insn_legal(&b->isa, &in, &why)) {
            insn_print(&b->isa, &in, text, sizeof text);
            err_set(e, ST_INPUT, "%.100s: %.120s", text, why.text);
            return false;
        }
        at += in.dw;
        b->insns++;
    }
    return rule_check(&b->isa, &p, e) == ST_OK;
}

/* Ends within its bound, and no access leaves the windows. */
static bool runs(struct bench *b, struct err *e)
{
    struct gcncheck_job *job = job_of(b->jb, b->s);
    model_run(b->mo, job);
    if (job->outcome != GCNCHECK_DONE) {
        err_set(e, ST_INPUT, "outcome %u: %s", job->outcome, job->reason);
        return false;
    }
    for (u32 i = 0; i < job->waves; i++) {
        const struct wave *w = b->mo->m->wave[i];
        b->steps += w->steps;
        if (w->faulted) {
            err_set(e, ST_INPUT, "wave %u accesses 0x%llx", i, (unsigned long long)w->fault_addr);
            return false;
        }
    }
    b->waves += job->waves;
    return true;
}

static void test_streams(struct bench *b)
{
    u32 illegal = 0, stuck = 0;
    for (u32 i = 0; i < STREAMS; i++) {
        struct err e = { .text = "" };
        gen_stream(b->g, i, b->s);
        b->hash[i] = stream_hash(b->s);
        if (!is_legal(b, &e)) {
            if (illegal++ < 5)
                diag("stream %u (%s): %s", i, isa_rows[b->s->focus].name, e.text);
        } else if (!runs(b, &e) && stuck++ < 5) {
            diag("stream %u (%s): %s", i, isa_rows[b->s->focus].name, e.text);
        }
        b->outside += (b->s->features & GEN_LDS_OUTSIDE) != 0;
    }
    is_u64(0, illegal, "every stream is legal");
    is_u64(0, stuck, "every stream ends within its bound and inside its windows");
    diag("%.1f instructions, %.1f steps a wave, %.2f waves, %llu streams with LDS accesses outside",
         (double)b->insns / STREAMS, (double)b->steps / (double)b->waves,
         (double)b->waves / STREAMS, (unsigned long long)b->outside);
}

static void test_again(struct bench *b)
{
    u32 differ = 0;
    for (u32 i = STREAMS; i-- > 0;) {
        gen_stream(b->g, i, b->s);
        differ += stream_hash(b->s) != b->hash[i];
    }
    is_u64(0, differ, "the same streams in reverse order");
}

static void test_speed(struct bench *b)
{
    struct timespec t0, t1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
    for (u32 i = 0; i < STREAMS; i++)
        gen_stream(b->g, i, b->s);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
    double t = (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) / 1e9;
    diag("%.0f streams a second on one core", STREAMS / t);
}

int main(void)
{
    struct bench b = { 0 };
    struct err e = { .text = "" };
    b.g = calloc(1, sizeof *b.g);
    b.s = calloc(1, sizeof *b.s);
    b.hash = calloc(STREAMS, sizeof *b.hash);
    b.jb = jobbuf_new();
    if (isa_open(&b.isa, "gfx900", &e) || !b.g || !b.s || !b.hash || !b.jb ||
        model_open(&b.mo, "gfx900", "ref", NULL, &e))
        bail("cannot start: %s", e.text);
    if (gen_open(b.g, &b.isa, &gen_cfg_default, &e))
        bail("%s", e.text);
    test_streams(&b);
    test_again(&b);
    test_speed(&b);
    free(b.g);
    free(b.s);
    free(b.hash);
    jobbuf_free(b.jb);
    model_close(b.mo);
    return done();
}
