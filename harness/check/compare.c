/* Judging programs by their end: what is read back, and what counts as equal. */
#include "harness/check/internal.h"

#include <stdlib.h>

const struct isa *compare_isa(const struct compare *c)
{
    return &c->ref->isa;
}

/* ---- what is announced and what is read back ---- */

u32 compare_decode(const struct isa *isa, const struct gcncheck_job *job, u32 at, struct insn *in)
{
    return insn_decode(isa, job->code + at, job->code_dw - at, in, NULL) ? in->dw : 1;
}

/* Every place that some instruction of the program may write. */
static void find_announced(const struct isa *isa, const struct gcncheck_job *job,
                           struct judge_places *set)
{
    struct insn in;
    *set = (struct judge_places){ 0 };
    for (u32 at = 0; at < job->code_dw;) {
        at += compare_decode(isa, job, at, &in);
        if (in.op == OP_NONE || !isa_modelled(in.op))
            continue;
        judge_add_insn(set, &in, DIR_W);
    }
}

/* Fills the maps of what the DUT can do. STATUS and PC are never compared, TRAPSTS only between our
 * own engines and where it is asked for: which instruction raises what is largely doubtful. */
static void find_places(struct compare *c)
{
    for (u32 place = 0; place < GCNCHECK_PLACES; place++) {
        u32 can = dut_can(c->dut, place);
        bool is_judged = place != GCNCHECK_STATUS && place < GCNCHECK_PC_LO &&
                         (place != GCNCHECK_TRAPSTS || c->cfg.exact || c->cfg.trapsts);
        if (can == GCNCHECK_SHOW_SET)
            judge_add_places(&c->settable, place, 1);
        if (can == GCNCHECK_SHOW_SET && is_judged)
            judge_add_places(&c->known, place, 1);
        if (can != GCNCHECK_NO && is_judged)
            judge_add_places(&c->shown, place, 1);
        if (can == GCNCHECK_NO && place < GCNCHECK_STATUS && dut_place_class(place) != CLASS_COUNT)
            judge_add_places(&c->hidden, place, 1);
    }
}

/* The value of a place that every job has to set, for DUTs on which it is fixed. */
static bool fixed_value(const struct dut *d, u32 place, u32 *value)
{
    switch (place) {
    case GCNCHECK_EXEC_LO:
    case GCNCHECK_EXEC_HI: *value = ~0u; return true;
    case GCNCHECK_VCC_LO:
    case GCNCHECK_VCC_HI:
    case GCNCHECK_M0:
    case GCNCHECK_SCC: *value = 0; return true;
    case GCNCHECK_MODE: *value = dut_mode(d, MODE_DEFAULT); return true;
    default: return false;
    }
}

static void copy_set(const struct compare *c, const struct gcncheck_job *start, struct jobbuf *dst,
                     u32 *narrowed)
{
    for (u32 i = 0; i < start->set_count; i++) {
        const struct gcncheck_slot *s = &start->set[i];
        const u32 *from = start->values + s->index;
        u32 fixed = 0;
        bool can_set = judge_has(&c->settable, s->place);
        bool is_fixed = fixed_value(c->dut, s->place, &fixed);
        /* Under a fixed MODE a program that has the default loses nothing: it is another one. */
        bool is_other = *from != fixed && (s->place != GCNCHECK_MODE || *from != MODE_DEFAULT);
        if (!can_set && (!is_fixed || is_other) && s->place != GCNCHECK_TRAPSTS)
            *narrowed |= 1u << dut_place_class(s->place);
        if (can_set)
            memcpy(job_set(dst, s->wave, s->place), from,
                   GCNCHECK_PLACE_DW(s->place) * sizeof(u32));
        else if (is_fixed)
            *job_set(dst, s->wave, s->place) = fixed;
    }
}

enum status compare_short_of_memory(struct err *e)
{
    return err_set(e, ST_WORLD, "out of memory for a job");
}

/* The registers watched; only what the DUT starts from a known value. */
static void ask_watched(const struct compare *c, const struct subject *s, struct jobbuf *jb,
                        u32 wave)
{
    u16 place[JUDGE_WATCHED];
    judge_watched(s->canary, wave, place);
    for (u32 i = 0; i < JUDGE_WATCHED; i++)
        if (judge_has(&c->known, place[i]))
            job_get(jb, wave, place[i]);
}

static void ask_for(const struct compare *c, struct subject *s, struct jobbuf *jb,
                    const struct judge_places *announced)
{
    for (u32 wave = 0; wave < s->start->waves; wave++) {
        for (u32 i = 0; i < JUDGE_WORDS; i++) {
            u64 bits = (announced->bits[i] & c->shown.bits[i]) | (s->all ? c->known.bits[i] : 0);
            for (; bits; bits &= bits - 1)
                job_get(jb, wave, i * 64 + ctz64(bits));
            for (bits = announced->bits[i] & c->hidden.bits[i]; bits; bits &= bits - 1)
                s->j.narrowed |= 1u << dut_place_class(i * 64 + ctz64(bits));
        }
        if (!s->all)
            ask_watched(c, s, jb, wave);
    }
}

/* Whether the DUT can be set to all that the subject starts from, as it stands. */
static bool is_settable(const struct compare *c, const struct gcncheck_job *start)
{
    for (u32 i = 0; i < start->set_count; i++)
        if (!judge_has(&c->settable, start->set[i].place))
            return false;
    return job_has_defaults(start);
}

/* The job that is run: the subject's start as far as the DUT can be set, and what to read back. */
static void build(const struct compare *c, struct subject *s, struct jobbuf *jb,
                  const struct judge_places *announced)
{
    jobbuf_reset(jb, c->cfg.mcpu);
    if (is_settable(c, s->start)) {
        job_share(jb, s->start);
    } else {
        job_code(jb, s->start->code, s->start->code_dw, s->start->pc);
        copy_set(c, s->start, jb, &s->j.narrowed);
        for (u32 wave = 0; wave < s->start->waves; wave++)
            job_set_defaults(jb, wave);
    }
    compare_copy_memory(s->start, jb);
    ask_for(c, s, jb, announced);
}

/* ---- results that two right implementations may disagree on ---- */

/* Finds which bits are don't-care in the result of the model's next instruction, and where it
 * goes. */
static void find_acceptance(struct machine *m, struct acceptance_at *l)
{
    struct wave *w = m->wave[0];
    const struct xinsn *x = machine_fetch(m, w);
    l->is_single = false;
    if (!x)
        return;
    l->is_single = true;
    l->vector = l->mask = l->scalar = 0;
    acceptance_of(w, x, &l->acceptance);
    const struct xop *result = acceptance_vector(x);
    for (const struct isa_operand *o = insn_row(&x->insn)->operand; o->kind != K_NONE; o++) {
        u16 code = x->opnd[o->slot].code;
        if (!(o->dir & DIR_W))
            continue;
        bool vector = &x->opnd[o->slot] == result;
        if (vector)
            l->vector = code;
        else if (o->kind == K_MASK)
            l->mask = code;
        else
            l->scalar = code;
        l->dw[vector ? 0 : 1] = insn_operand_dw(&x->insn, o);
    }
}

/* ---- opening ---- */

enum status compare_open(struct compare **out, const struct compare_cfg *cfg, struct dut *d,
                         struct err *e)
{
    struct compare *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return err_memory(e);
    c->cfg = *cfg;
    c->dut = d;
    doubt_table_fill(&c->doubt);
    find_places(c);
    enum status st = model_open(&c->ref, cfg->mcpu, "ref", NULL, e);
    if (st == ST_OK)
        st = model_open(&c->tracer, cfg->mcpu, "ref", NULL, e);
    if (st == ST_OK && strcmp(cfg->engine, "ref") != 0)
        st = model_open(&c->fast, cfg->mcpu, cfg->engine, NULL, e);
    c->mark = jobbuf_new();
    if (st == ST_OK && !c->mark)
        st = err_memory(e);
    c->batch = cfg->batch && cfg->batch < COMPARE_BATCH ? cfg->batch : COMPARE_BATCH;
    for (u32 i = 0; i < c->batch && st == ST_OK; i++) {
        c->want[i] = jobbuf_new();
        c->step[i] = jobbuf_new();
        if (!c->want[i] || !c->step[i])
            st = err_memory(e);
    }
    if (st != ST_OK) {
        compare_close(c);
        return st;
    }
    *out = c;
    return ST_OK;
}

void compare_close(struct compare *c)
{
    if (!c)
        return;
    for (u32 i = 0; i < c->batch; i++) {
        jobbuf_free(c->want[i]);
        free(c->got[i].bytes);
        jobbuf_free(c->step[i]);
    }
    jobbuf_free(c->mark);
    model_close(c->ref);
    model_close(c->tracer);
    model_close(c->fast);
    free(c);
}

/* ---- running ---- */

/* Runs the subject on the model. False: there is nothing to compare with; the judgement says
 * why. */
static bool run_model(struct compare *c, struct model *mo, struct subject *s, struct pending *p,
                      struct gcncheck_job *want, enum status *st, struct err *e)
{
    struct text t;
    struct err why = { .text = "" };
    u32 who = 0;
    text_init(&t, s->j.reason, sizeof s->j.reason);
    s->j.verdict = JUDGED_INVALID;
    enum status started = model_start(mo, want, &why);
    if (started == ST_WORLD)
        *st = err_set(e, started, "%s", why.text);
    if (started != ST_OK) {
        text_add(&t, "%s", why.text);
        return false;
    }
    if (s->single && !c->cfg.exact)
        find_acceptance(mo->m, &p->acceptance);
    model_log_registers(mo);
    model_finish(mo, want, machine_run(mo->m, want->max_steps, &who), who);
    if (want->outcome != OUT_DONE) {
        text_add(&t, "%s", want->reason);
        return false;
    }
    for (u32 i = 0; i < want->waves && !c->cfg.exact; i++)
        if (mo->m->wave[i]->faulted) {
            text_add(&t, "access outside memory");
            return false;
        }
    return true;
}

/* Finds what the subject may write and builds its job. NULL if memory is short. */
static struct gcncheck_job *prepare(const struct compare *c, const struct model *mo,
                                    struct pending *p, struct jobbuf *jb)
{
    _Static_assert((int)JUDGE_WORDS == (PLACE_COUNT + 63) / 64, "places are the model's");
    if (p->subject->announced)
        memcpy(p->announced.bits, p->subject->announced, sizeof p->announced.bits);
    else
        find_announced(&mo->isa, p->subject->start, &p->announced);
    build(c, p->subject, jb, &p->announced);
    p->want = compare_ready(jb, p->subject->start);
    return p->want;
}

/* The same job as `want`, which the model has run, for the DUT: with results, windows and LDS of
 * its own. */
static enum status copy_for_dut(struct dut_copy *t, const struct gcncheck_job *want,
                                const struct gcncheck_job *start, struct gcncheck_job *job,
                                struct err *e)
{
    size_t outs = dut_slots_dw(want->get, want->get_count) * sizeof(u32);
    size_t windows = want->window_count * sizeof(struct gcncheck_window);
    size_t need = outs + windows + start->lds_size + 64;
    for (u32 i = 0; i < start->window_count; i++)
        need += start->windows[i].size + 8;
    if (need > t->cap) {
        free(t->bytes);
        t->bytes = malloc(need * 2);
        t->cap = t->bytes ? need * 2 : 0;
        if (!t->bytes)
            return err_memory(e);
    }
    *job = *want;
    job->outcome = OUT_NOT_RUN;
    job->reason[0] = '\0';
    u8 *at = t->bytes;
    job->windows = (struct gcncheck_window *)(void *)at;
    at += windows;
    job->out = memset(at, 0, outs);
    at += (outs + 7) / 8 * 8;
    for (u32 i = 0; i < start->window_count; i++) {
        const struct gcncheck_window *w = &start->windows[i];
        job->windows[i] =
            (struct gcncheck_window){ w->address, w->size, memcpy(at, w->bytes, w->size) };
        at += (w->size + 7) / 8 * 8;
    }
    if (start->lds_size)
        job->lds = memcpy(at, start->lds, start->lds_size);
    return ST_OK;
}

enum status compare_with(struct compare *c, struct model *mo, struct subject *s, u32 count,
                         struct err *e)
{
    enum status st = ST_OK;
    u32 most = c->dut->is_here ? 1 : c->batch; /* one job's memory is still in the cache */
    for (u32 first = 0; first < count; first += most) {
        u32 n = count - first < most ? count - first : most;
        struct pending pending[COMPARE_BATCH];
        struct gcncheck_job job[COMPARE_BATCH];
        u32 jobs = 0;
        for (u32 i = 0; i < n; i++) {
            struct subject *sub = &s[first + i];
            struct pending *p = &pending[jobs];
            memset(&sub->j, 0, sizeof sub->j);
            p->subject = sub;
            p->acceptance.is_single = false;
            struct gcncheck_job *want = sub->start ? prepare(c, mo, p, c->want[jobs]) : NULL;
            if (st == ST_OK && !want)
                st = compare_short_of_memory(e);
            if (st != ST_OK || !run_model(c, mo, sub, p, want, &st, e)) {
                sub->j.verdict = JUDGED_INVALID;
                continue;
            }
            st = copy_for_dut(&c->got[jobs], want, sub->start, &job[jobs], e);
            jobs += st == ST_OK;
        }
        if (jobs && st == ST_OK)
            st = dut_run(c->dut, job, jobs, e);
        for (u32 i = 0; i < jobs; i++)
            if (panel_members(c->dut))
                say_judge(c, &pending[i], i);
            else
                compare_judge(c, &pending[i], &job[i]);
    }
    return st;
}

enum status compare_run(struct compare *c, struct subject *s, u32 count, struct err *e)
{
    return compare_with(c, c->fast ? c->fast : c->ref, s, count, e);
}

enum status compare_ask(struct compare *c, struct subject *s, compare_say_fn *fn, void *arg,
                        struct err *e)
{
    c->say = panel_members(c->dut) ? fn : NULL;
    c->say_arg = arg;
    enum status st = compare_with(c, c->ref, s, 1, e);
    c->say = NULL;
    return st;
}
