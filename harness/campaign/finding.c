/* Findings: names, reports in words, and shrinking. The files are finding_file.c. */
#include "harness/campaign/finding.h"

#include "fuzz/shrink/shrink.h"
#include "harness/campaign/finding_text.h"
#include "harness/io/shell.h"
#include "oracle/isa/op.h"
#include "oracle/state/effects.h"
#include "oracle/state/place.h"

#include <inttypes.h>
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
    return judge_what_name((enum diff_what)j->what);
}

/* The mnemonic of the instruction accused, or what stands for it. */
static const char *mnemonic(const struct finding *f)
{
    return f->insn.op == OP_NONE ? "program" : insn_row(&f->insn)->name;
}

static const char *form(const struct finding *f)
{
    return f->insn.op == OP_NONE ? "whole"
                                 : isa_form_name((enum gen)f->insn.gen, insn_row(&f->insn),
                                                 (enum isa_form)f->insn.form);
}

void finding_name(struct finding *f)
{
    static const char *const tiers[] = {
        [TIER_END] = "unexplained-", [TIER_STEP] = "", [TIER_PREFIX] = "interaction-"
    };
    struct text t;
    u64 h = hash_mix(hash_mix(f->seed, f->number), f->step);
    text_init(&t, f->id, sizeof f->id);
    text_add(&t, "%s%s-%s-%s-%08x", tiers[f->tier], mnemonic(f), form(f), finding_what(&f->j),
             (u32)(h >> 32 ^ h));
}

void finding_count_insns(const struct isa *isa, struct finding *f)
{
    struct insn in;
    f->insns = 0;
    for (u32 at = 0; at < f->minimal->code_dw; at += in.dw) {
        insn_decode(isa, f->minimal->code + at, f->minimal->code_dw - at, &in, NULL);
        u64 flags = in.op == OP_NONE ? 0 : insn_row(&in)->flags;
        bool is_mark = compare_is_mark(&in, f->marker);
        bool is_wait = f->tier == TIER_STEP && flags & FLAG_WAIT;
        f->insns += !(flags & FLAG_END) && !is_wait && !is_mark;
    }
}

/* ---- places in words ---- */

static void add_place(struct text *t, const struct diff *d, u32 waves)
{
    char name[PLACE_NAME_MAX];
    if (d->place == PLACE_MEM)
        text_add(t, "memory at 0x%" PRIx64, d->addr);
    else if (d->place == PLACE_LDS)
        text_add(t, "lds[%" PRIu64 "].b32", d->addr);
    else
        text_add(t, "%s", place_name(d->place, name));
    if (d->place < PLACE_MEM && GCNCHECK_PLACE_DW(d->place) > 1)
        text_add(t, " lane %u", d->lane);
    if (d->place < PLACE_MEM && waves > 1)
        text_add(t, " of wave %u", d->wave);
}

static void add_diffs(struct text *t, const struct finding *f)
{
    const struct judgement *j = &f->j;
    text_add(t, "  diff:\n");
    if (j->what == DIFF_OUTCOME)
        text_add(t, "    - outcome          want done        got %s%s%s\n",
                 dut_outcome_name(j->outcome), j->reason[0] ? ": " : "", j->reason);
    for (u32 i = 0; i < j->diff_count; i++) {
        const struct diff *d = &j->diff[i];
        char place[80];
        struct text p;
        text_init(&p, place, sizeof place);
        add_place(&p, d, f->minimal->waves);
        text_add(t, "    - %-16s ", place);
        char want[32];
        text_add(t, "want %s  got 0x%08x", judge_want(d->want, d->start, want, sizeof want),
                 d->got);
        if (judge_note((enum diff_what)d->what)[0])
            text_add(t, "    %s", judge_note((enum diff_what)d->what));
        else if (d->what == DIFF_PC)
            text_add(t, "    marks whether the branch went where it should");
        text_add(t, "\n");
    }
    if (j->diff_total > j->diff_count)
        text_add(t, "    and %u more\n", j->diff_total - j->diff_count);
}

/* ---- what the instruction read ---- */

static void add_input(struct text *t, const struct gcncheck_job *job, u32 place, u32 lane)
{
    char name[PLACE_NAME_MAX];
    text_add(t, " %s=0x%x", place_name(place, name), job_initial(job, 0, place, lane));
}

/* The registers that the instruction reads, in the lane of the first difference. */
static void add_inputs(struct text *t, const struct finding *f)
{
    struct jobbuf *jb = jobbuf_new();
    struct effects fx;
    u32 lane = f->j.diff_count && f->j.diff[0].place < PLACE_MEM ? f->j.diff[0].lane : 0;
    u64 seen[(GCNCHECK_PLACES + 63) / 64] = { 0 };
    bool has_vector = false;
    if (!jb || f->insn.op == OP_NONE) {
        jobbuf_free(jb);
        return;
    }
    const struct gcncheck_job *job = stream_job_build(f->minimal, jb);
    if (!job) {
        jobbuf_free(jb);
        return;
    }
    effects_of(&f->insn, &fx);
    text_add(t, "  in:   ");
    for (u32 i = 0; i < fx.count; i++)
        for (u32 k = 0; k < fx.e[i].dw && fx.e[i].dir & DIR_R; k++) {
            u32 place = fx.e[i].place + k;
            if (place >= GCNCHECK_STATUS || seen[place / 64] >> place % 64 & 1)
                continue;
            seen[place / 64] |= 1ull << place % 64;
            has_vector |= GCNCHECK_PLACE_DW(place) > 1;
            add_input(t, job, place, lane);
        }
    text_add(t, has_vector ? "    (vector registers: lane %u)\n" : "\n", lane);
    jobbuf_free(jb);
}

void finding_add_insn(const struct isa *isa, const struct insn *in, struct text *t)
{
    char line[160];
    insn_print(isa, in, line, sizeof line);
    text_add(t, "%s", line);
}

static void add_program(const struct isa *isa, const struct finding *f, struct text *t)
{
    struct insn in;
    for (u32 at = 0; at < f->minimal->code_dw; at += in.dw) {
        insn_decode(isa, f->minimal->code + at, f->minimal->code_dw - at, &in, NULL);
        text_add(t, "    ");
        finding_add_insn(isa, &in, t);
        text_add(t, "\n");
    }
}

static void add_head(const struct finding *f, struct text *t)
{
    static const char *const tiers[] = {
        [TIER_END] = "no single instruction and no prefix shows it",
        [TIER_STEP] = "one instruction, from the model's state before it",
        [TIER_PREFIX] = "interaction: no single instruction shows it, this sequence does",
    };
    text_add(t, "%s: %s, %s, %s differs, %s, %s%s%s%s vs model\n", f->id, mnemonic(f), form(f),
             finding_what(&f->j), f->mcpu, f->dut, f->dut_name[0] ? " (" : "", f->dut_name,
             f->dut_name[0] ? ")" : "");
    text_add(t, "  ---\n  kind:   %s\n", tiers[f->tier]);
    text_add(t, "  length: %u instruction%s\n", f->insns, f->insns == 1 ? "" : "s");
    if (!f->repeats)
        text_add(t, "  note:   it did not differ again when it was run alone\n");
}

void finding_report(const struct isa *isa, const struct finding *f, const char *folder,
                    struct text *t)
{
    add_head(f, t);
    if (f->insn.op != OP_NONE && f->tier == TIER_STEP) {
        u32 dw[INSN_DW_MAX], n = insn_encode(&f->insn, dw);
        text_add(t, "  insn:   ");
        finding_add_insn(isa, &f->insn, t);
        text_add(t, "    ");
        for (u32 i = 0; i < n; i++)
            text_add(t, " %08x", dw[i]);
        text_add(t, "\n");
        add_inputs(t, f);
    } else {
        text_add(t, "  program:\n");
        add_program(isa, f, t);
    }
    add_diffs(t, f);
    if (f->ledger[0])
        text_add(t, "  ledger: %s\n", f->ledger);
    text_add(t, "  from:   seed %" PRIu64 ", stream %" PRIu64, f->seed, f->number);
    if (f->tier == TIER_STEP)
        text_add(t, ", after %u instructions", f->step);
    text_add(t, "\n  again:  gcncheck replay ");
    shell_word(t, folder);
    if (f->dut_is_other) {
        text_add(t, " --dut ");
        shell_word(t, f->dut_absolute);
    }
    text_add(t, "\n  ...\n");
}

enum status finding_print(FILE *out, const struct isa *isa, const struct finding *f,
                          const char *folder, struct err *e)
{
    enum { REPORT_BYTES = 1 << 18 };
    char *buf = malloc(REPORT_BYTES);
    struct text t;
    if (!buf)
        return err_memory(e);
    text_init(&t, buf, REPORT_BYTES);
    finding_report(isa, f, folder, &t);
    fputs(buf, out);
    free(buf);
    return ST_OK;
}

static void result_diff(const struct diff *d, struct result *r)
{
    struct result_diff *to = result_add_diff(r);
    char name[PLACE_NAME_MAX];
    if (!to)
        return;
    if (d->place == PLACE_MEM)
        RESULT_SET(to->place, "mem[0x%" PRIx64 "].b32", d->addr);
    else if (d->place == PLACE_LDS)
        RESULT_SET(to->place, "lds[%" PRIu64 "].b32", d->addr);
    else
        RESULT_SET(to->place, "%s", place_name(d->place, name));
    to->lane = d->place < PLACE_MEM && GCNCHECK_PLACE_DW(d->place) > 1 ? d->lane : -1;
    judge_want(d->want, d->start, to->want, sizeof to->want);
    RESULT_SET(to->got, "0x%08x", d->got);
    RESULT_SET(to->note, "%s", judge_note((enum diff_what)d->what));
}

void finding_result(const struct isa *isa, const struct finding *f, struct result *r)
{
    char line[1536];
    struct text t;
    result_init(r);
    r->status = RESULT_NOT_OK;
    RESULT_SET(r->id, "%s/fuzz/%s", f->mcpu, f->id);
    RESULT_SET(r->title, "seed %" PRIu64 ", stream %" PRIu64, f->seed, f->number);
    if (f->insn.op != OP_NONE) {
        RESULT_SET(r->encoding, "%s", isa_encs[insn_row(&f->insn)->enc].name);
        text_init(&t, line, sizeof line);
        finding_add_insn(isa, &f->insn, &t);
        RESULT_SET(r->insn, "%s", line);
        r->dword_count = insn_encode(&f->insn, r->dwords);
    }
    RESULT_SET(r->mnemonic, "%s", mnemonic(f));
    RESULT_SET(r->form, "%s", form(f));
    RESULT_SET(r->mcpu, "%s", f->mcpu);
    RESULT_SET(r->dut, "%s", f->dut);
    RESULT_SET(r->against, "model");
    RESULT_SET(r->ledger, "%s", f->ledger);
    RESULT_SET(r->cause, "%s%s %s: %s", f->tier == TIER_STEP ? "" : "interaction up to ",
               mnemonic(f), form(f), finding_what(&f->j));
    if (f->j.what == DIFF_OUTCOME) {
        RESULT_SET(r->reason, "%s", dut_outcome_name(f->j.outcome));
        RESULT_SET(r->detail, "%s", f->j.reason);
    }
    if (f->tier != TIER_STEP) {
        text_init(&t, line, sizeof line);
        add_program(isa, f, &t);
        RESULT_SET(r->program, "%s", line);
    }
    for (u32 i = 0; i < f->j.diff_count; i++)
        result_diff(&f->j.diff[i], r);
    if (f->j.diff_total > f->j.diff_count)
        r->diff_count = f->j.diff_total;
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

/* The step case of a branch has a program around the branch; the others begin with their
 * instruction. */
static bool is_same_insn(const struct chase *ch, const struct stream *s)
{
    struct insn in;
    if (ch->f->tier != TIER_STEP || ch->f->marker)
        return true;
    return insn_decode(compare_isa(ch->c), s->code, s->code_dw, &in, NULL) &&
           in.op == ch->f->insn.op && in.form == ch->f->insn.form;
}

static bool still_differs(void *ctx, const struct stream *candidate)
{
    struct chase *ch = ctx;
    if (ch->st != ST_OK || !is_same_insn(ch, candidate))
        return false;
    struct subject sub = subject_of(ch->f, candidate, ch->jb);
    ch->st = compare_run(ch->c, &sub, 1, ch->e);
    bool fails = ch->st == ST_OK && sub.j.verdict == JUDGED_WRONG && sub.j.what == ch->f->j.what &&
                 sub.j.outcome == ch->f->j.outcome;
    if (fails && ch->f->tier == TIER_PREFIX)
        fails = !has_step_cause(ch, sub.start) && ch->st == ST_OK;
    return fails;
}

/* The instruction accused, as it stands in the shrunk program: its operands may have become
 * plainer. Of a sequence it is the last one. */
static void take_insn(const struct isa *isa, struct finding *f)
{
    const struct stream *s = f->minimal;
    struct insn in;
    if (f->tier == TIER_STEP && f->marker)
        return;
    for (u32 at = 0; at < s->code_dw; at += in.dw) {
        if (!insn_decode(isa, s->code + at, s->code_dw - at, &in, NULL))
            continue;
        if (!(insn_row(&in)->flags & (FLAG_END | FLAG_WAIT)))
            f->insn = in;
        if (f->tier == TIER_STEP)
            return;
    }
}

enum status finding_shrink(struct compare *c, struct finding *f, u32 max_calls, bool *complete,
                           struct err *e)
{
    struct chase ch = { .c = c, .f = f, .jb = jobbuf_new(), .e = e };
    struct shrink_stats stats = { 0 };
    struct err why = { .text = "" };
    if (!ch.jb)
        return err_memory(e);
    finding_count_insns(compare_isa(c), f);
    f->repeats = still_differs(&ch, f->minimal);
    if (f->repeats && ch.st == ST_OK) {
        struct shrink_cfg cfg = { .max_calls = max_calls };
        /* A program that the shrinker cannot take apart stays as long as it is. */
        shrink_stream(compare_isa(c), f->minimal, &cfg, still_differs, &ch, &stats, &why);
        struct subject sub = finding_subject(f, ch.jb);
        if (ch.st == ST_OK)
            ch.st = compare_run(c, &sub, 1, e);
        if (ch.st == ST_OK && sub.j.verdict == JUDGED_WRONG)
            f->j = sub.j;
        take_insn(compare_isa(c), f);
        finding_count_insns(compare_isa(c), f);
    }
    if (complete)
        *complete = stats.complete;
    jobbuf_free(ch.jb);
    return ch.st;
}
