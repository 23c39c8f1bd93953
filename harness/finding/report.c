/* Findings in words. All that is said of instructions comes from the minimal program, as program.s
 * does: the model executes it to know what they read. */
#include "harness/dut/model.h"
#include "harness/finding/internal.h"
#include "harness/io/shell.h"
#include "oracle/exec/schedule.h"
#include "oracle/isa/op.h"
#include "oracle/state/effects.h"
#include "oracle/state/place.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- places in words ---- */

static void add_place(struct text *t, enum gen gen, const struct diff *d, u32 waves)
{
    char name[PLACE_NAME_MAX];
    if (d->place == PLACE_MEM)
        text_add(t, "memory at 0x%" PRIx64, d->addr);
    else if (d->place == PLACE_LDS)
        text_add(t, "lds[%" PRIu64 "].b32", d->addr);
    else
        text_add(t, "%s", place_name(gen, d->place, name));
    if (d->place < PLACE_MEM && GCNCHECK_PLACE_DW(d->place) > 1)
        text_add(t, " lane %u", d->lane);
    if (d->place < PLACE_MEM && waves > 1)
        text_add(t, " of wave %u", d->wave);
}

static void add_diffs(struct text *t, enum gen gen, const struct finding *f)
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
        add_place(&p, gen, d, f->minimal->waves);
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

/* ---- what instructions read ---- */

/* The lane that is shown of vector registers: that of the first difference. */
static u32 shown_lane(const struct finding *f)
{
    return f->j.diff_count && f->j.diff[0].place < PLACE_MEM ? f->j.diff[0].lane : 0;
}

/* Adds the registers that an instruction reads, as they are before it. */
static void add_registers(struct text *t, const struct insn *in, const struct wave *w, u32 lane)
{
    struct effects fx;
    char name[PLACE_NAME_MAX];
    u64 seen[(GCNCHECK_PLACES + 63) / 64] = { 0 };
    effects_of(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        for (u32 k = 0; k < fx.e[i].dw && fx.e[i].dir & DIR_R; k++) {
            u32 place = fx.e[i].place + k;
            if (place >= GCNCHECK_STATUS || seen[place / 64] >> place % 64 & 1)
                continue;
            seen[place / 64] |= 1ull << place % 64;
            text_add(t, " %s=0x%x", place_name((enum gen)in->gen, place, name),
                     wave_get(w, place, GCNCHECK_PLACE_DW(place) > 1 ? lane : 0));
        }
}

static bool reads_vector(const struct insn *in)
{
    struct effects fx;
    bool found = false;
    effects_of(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        found |= fx.e[i].dir & DIR_R && fx.e[i].place < PLACE_MEM &&
                 GCNCHECK_PLACE_DW(fx.e[i].place) > 1;
    return found;
}

enum { INPUTS_MAX = 64 /* instructions executed whose inputs are shown */ };

/* Calls fn for each instruction that the model executes of the minimal program, before it does:
 * wave by wave up to the next wait, as machine_run goes. A step case has but one that counts. */
static enum status follow(const struct finding *f,
                          void (*fn)(void *arg, const struct insn *in, const struct wave *w),
                          void *arg, struct err *e)
{
    struct jobbuf *jb = jobbuf_new();
    struct model *mo = NULL;
    const struct gcncheck_job *job = jb ? stream_job_build(f->minimal, jb) : NULL;
    u32 count = 0, most = f->tier == TIER_STEP ? 1 : INPUTS_MAX, before;
    enum status st = job ? model_open_small(&mo, f->mcpu, f->minimal->waves, e) : err_memory(e);
    if (st == ST_OK)
        st = model_start(mo, job, e);
    if (st != ST_OK)
        most = 0;
    do {
        before = count;
        for (u32 i = 0; i < f->minimal->waves && most; i++) {
            struct wave *w = mo->m->wave[i];
            while (w->stop == STOP_NONE && count < most) {
                const struct xinsn *x = machine_fetch(mo->m, w);
                if (!x)
                    break;
                if (!(insn_row(&x->insn)->flags & (FLAG_END | FLAG_WAIT)) || f->tier == TIER_STEP)
                    fn(arg, &x->insn, w);
                machine_step(mo->m, w);
                count++;
            }
        }
    } while (count < most && (count > before || schedule_barrier(mo->m)));
    model_close(mo);
    jobbuf_free(jb);
    return st;
}

/* The inputs of each instruction, a line each or behind one another. */
struct inputs {
    const struct finding *f;
    const struct isa *isa;
    struct text *t;
    bool in_lines, has_vector;
    u32 count;
};

static void add_inputs_of(void *arg, const struct insn *in, const struct wave *w)
{
    struct inputs *n = arg;
    n->has_vector |= reads_vector(in);
    if (n->f->tier != TIER_STEP) {
        text_add(n->t, n->in_lines ? "    " : n->count ? "; " : "");
        finding_add_insn(n->isa, in, n->t);
        if (n->f->minimal->waves > 1)
            text_add(n->t, " (wave %u)", w->id);
        text_add(n->t, ":");
    }
    add_registers(n->t, in, w, shown_lane(n->f));
    text_add(n->t, n->in_lines && n->f->tier != TIER_STEP ? "\n" : "");
    n->count++;
}

/* "  in:    v1=0x1", or a line for each instruction of an interaction. */
static enum status add_inputs(const struct isa *isa, const struct finding *f, struct text *t,
                              struct err *e)
{
    struct inputs n = { .f = f, .isa = isa, .t = t, .in_lines = true };
    text_add(t, f->tier == TIER_STEP ? "  in:   " : "  inputs:\n");
    enum status st = follow(f, add_inputs_of, &n, e);
    if (n.has_vector && f->tier == TIER_STEP)
        text_add(t, "    (vector registers: lane %u)", shown_lane(f));
    else if (n.has_vector)
        text_add(t, "    (vector registers: lane %u)\n", shown_lane(f));
    text_add(t, f->tier == TIER_STEP ? "\n" : "");
    return st;
}

void finding_add_insn(const struct isa *isa, const struct insn *in, struct text *t)
{
    char line[160];
    insn_print(isa, in, line, sizeof line);
    text_add(t, "%s", line);
}

void finding_add_program(const struct isa *isa, const struct finding *f, struct text *t)
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
    text_add(t, "%s: %s, %s, %s differs, %s, %s%s%s%s vs model\n", f->id, finding_mnemonic(f),
             finding_form(f), finding_what(&f->j), f->mcpu, f->dut, f->dut_name[0] ? " (" : "",
             f->dut_name, f->dut_name[0] ? ")" : "");
    text_add(t, "  ---\n  kind:   %s\n", tiers[f->tier]);
    text_add(t, "  length: %u instruction%s\n", f->insns, f->insns == 1 ? "" : "s");
    if (!f->repeats)
        text_add(t, "  note:   it did not differ again when it was run alone\n");
}

void finding_add_origin(const struct finding *f, struct text *t)
{
    if (f->file[0])
        text_add(t, "%s", f->file);
    else
        text_add(t, "stream %" PRIu64 " of seed %" PRIu64, f->number, f->seed);
}

enum status finding_report(const struct isa *isa, const struct finding *f, const char *folder,
                           struct text *t, struct err *e)
{
    add_head(f, t);
    if (f->tier == TIER_STEP) {
        u32 dw[INSN_DW_MAX], n = insn_encode(&f->insn, dw);
        text_add(t, "  insn:   ");
        finding_add_insn(isa, &f->insn, t);
        text_add(t, "    ");
        for (u32 i = 0; i < n; i++)
            text_add(t, " %08x", dw[i]);
        text_add(t, "\n");
    } else {
        text_add(t, "  program:\n");
        finding_add_program(isa, f, t);
    }
    enum status st = add_inputs(isa, f, t, e);
    add_diffs(t, (enum gen)isa->target->gen, f);
    if (f->stands[0])
        text_add(t, "  stands: %s\n", f->stands);
    for (u32 i = 0; i < f->votes; i++)
        text_add(t, "%s%s\n", i ? "          " : "  votes:  ", f->vote[i]);
    if (f->like[0])
        text_add(t, "  like:   %s\n", f->like);
    if (f->fails[0])
        text_add(t, "  fails:  %s\n", f->fails);
    if (f->ledger[0])
        text_add(t, "  ledger: %s\n", f->ledger);
    text_add(t, "  from:   ");
    finding_add_origin(f, t);
    if (f->tier == TIER_STEP)
        text_add(t, ", after %u instructions", f->step);
    text_add(t, "\n  again:  gcncheck replay ");
    shell_word(t, folder);
    if (f->dut_is_other) {
        text_add(t, " --dut ");
        shell_word(t, f->dut_absolute);
    } else if (dut_is_program(f->dut_absolute)) {
        text_add(t, " --trust");
    }
    text_add(t, "\n  ...\n");
    return st;
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
    enum status st = finding_report(isa, f, folder, &t, e);
    if (st == ST_OK)
        fputs(buf, out);
    free(buf);
    return st;
}

static void result_diff(enum gen gen, const struct diff *d, struct result *r)
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
        RESULT_SET(to->place, "%s", place_name(gen, d->place, name));
    to->lane = d->place < PLACE_MEM && GCNCHECK_PLACE_DW(d->place) > 1 ? d->lane : -1;
    judge_want(d->want, d->start, to->want, sizeof to->want);
    RESULT_SET(to->got, "0x%08x", d->got);
    RESULT_SET(to->note, "%s", judge_note((enum diff_what)d->what));
}

enum status finding_result(const struct isa *isa, const struct finding *f, struct result *r,
                           struct err *e)
{
    char line[1536];
    struct text t;
    result_init(r);
    r->status = RESULT_NOT_OK;
    RESULT_SET(r->id, "%s/fuzz/%s", f->mcpu, f->id);
    text_init(&t, line, sizeof line);
    finding_add_origin(f, &t);
    RESULT_SET(r->title, "%s", line);
    if (f->insn.op != OP_NONE) {
        RESULT_SET(r->encoding, "%s", isa_encs[insn_row(&f->insn)->enc].name);
        text_init(&t, line, sizeof line);
        finding_add_insn(isa, &f->insn, &t);
        RESULT_SET(r->insn, "%s", line);
        r->dword_count = insn_encode(&f->insn, r->dwords);
    }
    RESULT_SET(r->mnemonic, "%s", finding_mnemonic(f));
    RESULT_SET(r->form, "%s", finding_form(f));
    RESULT_SET(r->mcpu, "%s", f->mcpu);
    RESULT_SET(r->dut, "%s", f->dut);
    RESULT_SET(r->against, "model");
    RESULT_SET(r->ledger, "%s", f->ledger);
    RESULT_SET(r->vote, "%s", f->stands);
    if (f->cause[0])
        RESULT_SET(r->cause, "%s", f->cause);
    else
        RESULT_SET(r->cause, "%s%s %s: %s", f->tier == TIER_STEP ? "" : "interaction up to ",
                   finding_mnemonic(f), finding_form(f), finding_what(&f->j));
    if (f->j.what == DIFF_OUTCOME) {
        RESULT_SET(r->reason, "%s", dut_outcome_name(f->j.outcome));
        RESULT_SET(r->detail, "%s", f->j.reason);
    }
    if (f->tier != TIER_STEP) {
        text_init(&t, line, sizeof line);
        finding_add_program(isa, f, &t);
        result_lines(r->program, sizeof r->program, line);
    }
    struct inputs n = { .f = f, .isa = isa, .t = &t };
    text_init(&t, line, sizeof line);
    enum status st = follow(f, add_inputs_of, &n, e);
    RESULT_SET(r->inputs, "%s", line + (line[0] == ' '));
    for (u32 i = 0; i < f->j.diff_count; i++)
        result_diff((enum gen)isa->target->gen, &f->j.diff[i], r);
    if (f->j.diff_total > f->j.diff_count)
        r->diff_count = f->j.diff_total;
    return st;
}
