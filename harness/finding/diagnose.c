/* Samples of an instruction, right and wrong ones. */
#include "harness/finding/diagnose.h"
#include "harness/finding/like.h"
#include "harness/finding/predicate.h"

#include <stdlib.h>

enum { STREAMS = 64 /* that are made for samples */ };

/* What the callback needs. */
struct taking {
    struct samples *s;
    const struct dut *dut;
    bool is_short; /* of memory */
};

/* ---- jobs ---- */

/* Registers with a name of their own are read back whatever the row announces. */
static void ask_for(struct jobbuf *jb, const struct dut *d, const struct insn *in, u16 marker)
{
    static const u16 named[] = { CODE_VCC,      CODE_VCC + 1, CODE_M0,   CODE_EXEC,
                                 CODE_EXEC + 1, PLACE_SCC,    PLACE_MODE };
    struct judge_places set = { { 0 } };
    judge_add_insn(&set, in, DIR_W);
    for (u32 i = 0; i < COUNT_OF(named); i++)
        judge_add_places(&set, named[i], 1);
    if (marker)
        judge_add_places(&set, marker, 1);
    for (u32 place = 0; place < GCNCHECK_PC_LO; place++)
        if (judge_has(&set, place) && place != PLACE_STATUS && place != PLACE_TRAPSTS &&
            dut_can(d, place) != GCNCHECK_NO)
            job_get(jb, 0, place);
}

/* ---- samples ---- */

/* Lanes that are wrong: of vector registers, and of masks by their bits. */
static u64 wrong_lanes(const struct insn *in, const struct judgement *j)
{
    u64 lanes = j->lanes;
    const struct isa_operand *mask = isa_operand_of_kind(insn_row(in), K_MASK);
    for (u32 i = 0; i < j->diff_count && mask && mask->dir & DIR_W; i++) {
        const struct diff *d = &j->diff[i];
        u32 first = insn_code(in, mask);
        if (d->place == first || d->place == first + 1)
            lanes |= (u64)(d->want ^ d->got) << (d->place == first ? 0 : 32);
    }
    return lanes;
}

static void take_sample(void *arg, const struct insn *in, const struct subject *subject)
{
    struct taking *t = arg;
    struct samples *s = t->s;
    if (s->count == SAMPLES_MAX || subject->j.what == DIFF_OUTCOME)
        return;
    struct sample *sample = &s->sample[s->count];
    sample->jb = jobbuf_new();
    if (sample->jb) {
        sample_copy(sample->jb, subject->start);
        ask_for(sample->jb, t->dut, in, subject->marker);
        sample->job = sample_ready(sample->jb, subject->start);
    }
    t->is_short |= !sample->job;
    if (!sample->job) {
        jobbuf_free(sample->jb);
        return;
    }
    sample->is_wrong = subject->j.verdict == JUDGED_WRONG;
    sample->lanes = sample->is_wrong ? wrong_lanes(in, &subject->j) : 0;
    s->wrong += sample->is_wrong;
    s->count++;
}

static void ignore_cause(void *arg, const struct cause *cause)
{
    (void)arg;
    (void)cause;
}

static enum status take_of(struct executor *x, const struct finding *f, const struct stream *stream,
                           struct taking *t, struct err *e)
{
    struct explain_cfg cfg = { .steps_only = true,
                               .only_op = f->insn.op,
                               .only_form = f->insn.form,
                               .fn = ignore_cause,
                               .seen = take_sample,
                               .arg = t };
    struct explained ex;
    struct jobbuf *jb = jobbuf_new();
    struct gcncheck_job *job = jb ? stream_job_build(stream, jb) : NULL;
    enum status st = job ? compare_explain(x->compare, job, &cfg, &ex, e) : err_memory(e);
    jobbuf_free(jb);
    return st == ST_OK && t->is_short ? err_memory(e) : st;
}

/* From the stream that showed it, then from others that turn around the opcode. */
static enum status take_samples(struct executor *x, const struct finding *f, struct samples *s,
                                struct err *e)
{
    struct taking t = { .s = s, .dut = x->dut };
    struct generator *g = malloc(sizeof *g);
    struct stream *stream = malloc(sizeof *stream);
    struct gen_cfg gc = gen_cfg_default;
    gc.features = executor_features(x);
    gc.seed = f->seed;
    enum status st = g && stream ? gen_open(g, s->isa, &gc, e) : err_memory(e);
    if (st == ST_OK)
        st = take_of(x, f, f->original, &t, e);
    bool is_drawn = st == ST_OK && g->forms[f->insn.op] >> f->insn.form & 1;
    for (u32 i = 0; st == ST_OK && is_drawn && i < STREAMS && s->count < SAMPLES_MAX; i++) {
        gen_stream_in(g, f->insn.op, (enum isa_form)f->insn.form, i, stream);
        st = take_of(x, f, stream, &t, e);
    }
    free(stream);
    free(g);
    return st;
}

/* ---- results ---- */

/* What DUT and model answer. */
static enum status run_both(struct executor *x, const struct finding *f, struct samples *s,
                            struct err *e)
{
    u64 hash[2][SAMPLES_MAX];
    struct dut *model = NULL;
    enum status st = dut_open("model", &(struct dut_cfg){ .mcpu = f->mcpu }, &model, e);
    if (st == ST_OK)
        st = sample_run(model, s, 0, s->count, hash[0], e);
    if (st == ST_OK)
        st = sample_run(x->dut, s, 0, s->count, hash[1], e);
    for (u32 i = 0; i < s->count && st == ST_OK; i++) {
        s->sample[i].model = hash[0][i];
        s->sample[i].dut = hash[1][i];
    }
    dut_close(model);
    return st;
}

enum status diagnose_finding(struct executor *x, struct finding *f,
                             char missing[DIAGNOSE_MISSING_MAX], struct err *e)
{
    f->like[0] = f->fails[0] = missing[0] = '\0';
    if (f->tier != TIER_STEP || f->j.what == DIFF_OUTCOME || f->insn.op == OP_NONE)
        return ST_OK;
    struct samples *s = calloc(1, sizeof *s);
    if (!s)
        return err_memory(e);
    s->isa = compare_isa(x->compare);
    enum status st = take_samples(x, f, s, e);
    if (st == ST_OK && s->wrong)
        st = run_both(x, f, s, e);
    if (st == ST_OK && s->wrong)
        st = predicate_find(s, f, e);
    if (st == ST_OK && s->wrong)
        st = like_find(s, f, missing, DIAGNOSE_MISSING_MAX, e);
    for (u32 i = 0; i < s->count; i++)
        jobbuf_free(s->sample[i].jb);
    free(s);
    return st;
}
