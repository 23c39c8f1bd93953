/* Findings: names and shrinking. What is said of them is report.c, their other files file.c. */
#include "harness/finding/finding.h"

#include "fuzz/shrink/shrink.h"
#include "harness/finding/internal.h"
#include "harness/io/stop.h"
#include "oracle/isa/op.h"

#include <stdlib.h>

enum status finding_new(struct finding **out, struct err *e)
{
    struct finding *f = calloc(1, sizeof *f);
    if (f) {
        f->minimal = calloc(1, sizeof *f->minimal);
        f->original = calloc(1, sizeof *f->original);
    }
    if (!f || !f->minimal || !f->original) {
        finding_free(f);
        return err_memory(e);
    }
    *out = f;
    return ST_OK;
}

void finding_free(struct finding *f)
{
    if (!f)
        return;
    free(f->minimal);
    free(f->original);
    free(f);
}

enum status finding_set_dut(struct finding *f, const char *spec, struct err *e)
{
    struct text t;
    if (strlen(spec) >= sizeof f->dut)
        return err_set(e, ST_INPUT, "--dut: longer than %zu characters", sizeof f->dut - 1);
    memcpy(f->dut, spec, strlen(spec) + 1);
    text_init(&t, f->dut_absolute, sizeof f->dut_absolute);
    dut_add_absolute(spec, &t);
    return ST_OK;
}

const char *finding_what(const struct judgement *j)
{
    if (j->verdict == JUDGED_WRONG && j->what == DIFF_OUTCOME)
        return dut_outcome_name(j->outcome);
    return judge_cause_name((enum diff_what)j->what);
}

const char *finding_mnemonic(const struct finding *f)
{
    return f->insn.op == OP_NONE ? "program" : insn_row(&f->insn)->name;
}

const char *finding_form(const struct finding *f)
{
    return f->insn.op == OP_NONE ? "whole"
                                 : isa_form_name((enum gen)f->insn.gen, insn_row(&f->insn),
                                                 (enum isa_form)f->insn.form);
}

/* Whether an instruction of the minimal program is one that the finding is about. */
static bool is_own(const struct finding *f, const struct insn *in)
{
    u64 flags = in->op == OP_NONE ? 0 : insn_row(in)->flags;
    bool is_wait = f->tier == TIER_STEP && flags & FLAG_WAIT;
    return !(flags & FLAG_END) && !is_wait && !compare_is_mark(in, f->marker);
}

/* The step case of an instruction begins with it. */
void finding_take_insn(const struct isa *isa, struct finding *f)
{
    const struct stream *s = f->minimal;
    struct insn in;
    if (f->tier == TIER_END) {
        f->insn = (struct insn){ .op = OP_NONE };
        return;
    }
    for (u32 at = 0; at < s->code_dw; at += in.dw) {
        if (!insn_decode(isa, s->code + at, s->code_dw - at, &in, NULL))
            continue;
        if (!(insn_row(&in)->flags & (FLAG_END | FLAG_WAIT)) || f->tier == TIER_STEP)
            f->insn = in;
        if (f->tier == TIER_STEP)
            return;
    }
}

void finding_count_insns(const struct isa *isa, struct finding *f)
{
    struct insn in;
    f->insns = 0;
    finding_take_insn(isa, f);
    for (u32 at = 0; at < f->minimal->code_dw; at += in.dw) {
        insn_decode(isa, f->minimal->code + at, f->minimal->code_dw - at, &in, NULL);
        f->insns += is_own(f, &in);
    }
}

/* ---- shrinking ---- */

static struct subject subject_of(const struct finding *f, const struct stream *s, struct jobbuf *jb)
{
    bool is_step = f->tier == TIER_STEP;
    return (struct subject){ .start = stream_job_build(s, jb),
                             .single = is_step,
                             .marker = f->marker,
                             .all = !is_step || f->j.what == DIFF_STRAY_REGISTER };
}

struct subject finding_subject(const struct finding *f, struct jobbuf *jb)
{
    return subject_of(f, f->minimal, jb);
}

struct chase {
    struct compare *c;
    const struct finding *f;
    struct jobbuf *jb;
    enum status st;
    struct err *e;
    struct judgement last; /* of the last program that differed in the same way: the minimal one */
};

static void note_step(void *arg, const struct cause *cause)
{
    *(bool *)arg |= cause->tier == TIER_STEP;
}

/* Whether some instruction of the program differs alone: then it shows another bug. */
static bool has_step_cause(struct chase *ch, const struct gcncheck_job *start)
{
    bool found = false;
    struct explained ex;
    struct explain_cfg cfg = { .steps_only = true, .fn = note_step, .arg = &found };
    ch->st = compare_explain(ch->c, start, &cfg, &ex, ch->e);
    return found;
}

/* A step case begins with its instruction; that of a branch has a program around it. */
static bool is_same_insn(const struct chase *ch, const struct stream *s)
{
    struct insn in;
    if (ch->f->tier != TIER_STEP)
        return true;
    return insn_decode(compare_isa(ch->c), s->code, s->code_dw, &in, NULL) &&
           in.op == ch->f->insn.op && in.form == ch->f->insn.form;
}

static bool still_differs(void *ctx, const struct stream *candidate)
{
    struct chase *ch = ctx;
    if (ch->st != ST_OK || stop_requested() || !is_same_insn(ch, candidate))
        return false;
    struct subject sub = subject_of(ch->f, candidate, ch->jb);
    ch->st = compare_run(ch->c, &sub, 1, ch->e);
    bool fails = ch->st == ST_OK && sub.j.verdict == JUDGED_WRONG && sub.j.what == ch->f->j.what &&
                 sub.j.outcome == ch->f->j.outcome && sub.j.who == ch->f->j.who;
    if (fails && ch->f->tier == TIER_PREFIX)
        fails = !has_step_cause(ch, sub.start) && ch->st == ST_OK;
    if (fails)
        ch->last = sub.j;
    return fails;
}

enum status finding_shrink(struct compare *c, struct finding *f, u32 max_calls, bool *complete,
                           struct err *e)
{
    struct chase ch = { .c = c, .f = f, .jb = jobbuf_new(), .e = e, .last = f->j };
    struct shrink_stats stats = { 0 };
    struct err why = { .text = "" };
    finding_count_insns(compare_isa(c), f);
    f->repeats = true; /* who cannot look again does not say that it is gone */
    if (!ch.jb)
        return err_memory(e);
    bool differs = still_differs(&ch, f->minimal);
    f->repeats = differs || ch.st != ST_OK;
    if (differs) {
        struct shrink_cfg cfg = { .max_calls = max_calls };
        /* A program that the shrinker cannot take apart stays as long as it is. */
        enum status shrunk =
            shrink_stream(compare_isa(c), f->minimal, &cfg, still_differs, &ch, &stats, &why);
        if (shrunk == ST_WORLD && ch.st == ST_OK)
            ch.st = err_set(e, shrunk, "%s", why.text);
        struct subject sub = finding_subject(f, ch.jb);
        if (ch.st == ST_OK && !stop_requested())
            ch.st = compare_run(c, &sub, 1, e);
        if (stop_requested() || ch.st != ST_OK)
            f->j = ch.last;
        else if (sub.j.verdict == JUDGED_WRONG)
            f->j = sub.j;
        finding_count_insns(compare_isa(c), f);
    }
    if (complete)
        *complete = stats.complete;
    jobbuf_free(ch.jb);
    return stop_requested() && f->repeats ? ST_OK : ch.st;
}
