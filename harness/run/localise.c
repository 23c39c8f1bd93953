/* Where DUT and model part in a program that differs: words for what harness/check finds. */
#include "harness/io/stop.h"
#include "harness/run/internal.h"

/* What was found out of a unit. */
struct parting {
    const struct run_unit *u;
    const struct isa *isa;
    bool is_found;    /* the first cause, in the order of execution */
    struct insn insn; /* at which they part */
    char text[128];   /* the same, as text */
    char parts[sizeof((struct result *)NULL)->parts];
    char cause[sizeof((struct result *)NULL)->cause];
};

void run_not_localised(const struct run_unit *u, const char *why, struct result *r)
{
    for (u32 i = 0; i < u->shown; i++)
        if (result_differs(&r[i]))
            RESULT_SET(r[i].parts, "not localised: %s", why);
}

/* The name of the memory at an address, as cases write it. */
static void add_memory(const struct run_unit *u, u64 addr, struct text *t)
{
    u64 base[CASE_BASES];
    run_bases(u, base);
    for (u32 k = 0; k < u->test->mems; k++) {
        i64 at = (i64)(addr - base[1 + k]);
        if (at >= -RUN_GUARD && at < (i64)u->test->mem[k].size + RUN_GUARD) {
            text_add(t, "%s[%lld].b32", u->test->mem[k].name, (long long)at);
            return;
        }
    }
    text_add(t, "mem[0x%llx].b32", (unsigned long long)addr);
}

static void add_place(const struct run_unit *u, const struct diff *d, struct text *t)
{
    char name[48];
    struct case_place p = {
        .dw = 1, .wave = -1, .lane = -1, .place = d->place, .bits = d->place == PLACE_SCC ? 1 : 32
    };
    if (d->place == PLACE_MEM)
        add_memory(u, d->addr, t);
    else if (d->place == PLACE_LDS)
        text_add(t, "lds[%llu].b32", (unsigned long long)d->addr);
    else
        text_add(t, "%s", casefile_place_name(u->test, &p, name, sizeof name));
}

/* The first difference, and how many there are. */
static void add_diff(const struct parting *p, const struct judgement *j, struct text *t)
{
    const struct diff *d = &j->diff[0];
    if (j->what == DIFF_OUTCOME) {
        text_add(t, "the DUT ends with %s (%s)", dut_outcome_name(j->outcome), j->reason);
        return;
    }
    if (d->what == DIFF_PC) {
        text_add(t, "pc: the DUT goes elsewhere than the model");
        return;
    }
    add_place(p->u, d, t);
    bool is_vector = d->place < PLACE_MEM && GCNCHECK_PLACE_DW(d->place) > 1;
    if (is_vector)
        text_add(t, " lane %u", d->lane);
    text_add(t, ": model 0x%08x, DUT 0x%08x", d->want, d->got);
    const char *note = judge_note((enum diff_what)d->what);
    if (note[0])
        text_add(t, ", %s", note);
    if (j->diff_total > 1)
        text_add(t, " (and %u more)", j->diff_total - 1);
}

/* As the cause of a case of this opcode and form alone is named, so that they come together. */
static void add_cause(const struct parting *p, const struct cause *c, struct text *t)
{
    const struct isa_row *row = insn_row(&c->insn);
    enum diff_what what = (enum diff_what)c->j.what;
    text_add(t, "%s%s %s: %s", c->tier == TIER_STEP ? "" : "interaction up to ", row->name,
             isa_form_name((enum gen)p->isa->target->gen, row, (enum isa_form)c->insn.form),
             what == DIFF_OUTCOME ? dut_outcome_name(c->j.outcome) : judge_cause_name(what));
}

static void note_cause(void *arg, const struct cause *c)
{
    struct parting *p = arg;
    struct text t;
    if (p->is_found || c->j.verdict != JUDGED_WRONG || c->tier == TIER_END)
        return;
    p->is_found = true;
    p->insn = c->insn;
    insn_print(p->isa, &c->insn, p->text, sizeof p->text);
    text_init(&t, p->parts, sizeof p->parts);
    text_add(&t, "step %u", c->step + (c->tier == TIER_STEP));
    if (c->tier == TIER_STEP && p->u->test->waves > 1)
        text_add(&t, " (wave %u)", c->wave);
    text_add(&t, ": %s: ", p->text);
    add_diff(p, &c->j, &t);
    if (c->tier == TIER_PREFIX)
        text_add(&t, "; no instruction differs alone, this one behind the %u before it does",
                 c->step - 1);
    text_init(&t, p->cause, sizeof p->cause);
    add_cause(p, c, &t);
}

/* Why nothing was found, where all of the program was looked at. */
static const char *why_not(const struct explained *ex, const struct result *r)
{
    if (ex->tolerated)
        return "each step gives what its rule allows, though not always what the model gives";
    if (ex->cut_short)
        return "the program is longer than what is looked at";
    if (ex->unsupported)
        return "the DUT does not implement a step alone";
    if (strcmp(r->model, "agrees with expected") != 0)
        return "DUT and model agree in every step: the case asks for something else";
    return "no step and no part of the program differs when it is run again";
}

enum status run_localise(const struct run_unit *u, struct compare *c,
                         const struct gcncheck_job *start, u32 outcome, struct result *r,
                         struct err *e)
{
    struct parting p = { .u = u, .isa = u->isa };
    struct explained ex;
    /* After a crash or a hang each step that shows it again costs a process or a time limit. */
    struct explain_cfg cfg = {
        .first = true, .singly = outcome != OUT_DONE, .fn = note_cause, .arg = &p
    };
    enum status st = compare_explain(c, start, &cfg, &ex, e);
    if (st != ST_OK && (err_is_memory(e) || (stop_requested() && !p.is_found)))
        return st;
    if (st != ST_OK && !p.is_found) {
        run_not_localised(u, e->text, r);
        return ST_OK;
    }
    for (u32 i = 0; i < u->shown; i++) {
        if (!result_differs(&r[i]))
            continue;
        if (!p.is_found) {
            RESULT_SET(r[i].parts, "not localised: %s", why_not(&ex, &r[i]));
            continue;
        }
        const struct isa_row *row = insn_row(&p.insn);
        RESULT_SET(r[i].parts, "%s", p.parts);
        RESULT_SET(r[i].cause, "%s", p.cause);
        RESULT_SET(r[i].insn, "%s", p.text);
        r[i].dword_count = insn_encode(&p.insn, r[i].dwords);
        RESULT_SET(r[i].blame, "%s", row->name);
        RESULT_SET(r[i].blame_encoding, "%s", isa_encs[row->enc].name);
    }
    return ST_OK;
}
