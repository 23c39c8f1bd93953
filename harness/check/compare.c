/* Judging programs by their end: what is read back, and what counts as equal. */
#include "harness/check/internal.h"

#include "oracle/state/effects.h"

#include <stdlib.h>

static const char *const what_names[DIFF_WHAT_COUNT] = {
    [DIFF_NONE] = "nothing",
    [DIFF_OUTCOME] = "outcome",
    [DIFF_STRAY_REGISTER] = "stray-register",
    [DIFF_STRAY_MEMORY] = "stray-memory",
    [DIFF_PC] = "pc",
    [DIFF_VGPR] = "vgpr",
    [DIFF_SGPR] = "sgpr",
    [DIFF_VCC] = "vcc",
    [DIFF_EXEC] = "exec",
    [DIFF_M0] = "m0",
    [DIFF_SCC] = "scc",
    [DIFF_MODE] = "mode",
    [DIFF_TRAPSTS] = "trapsts",
    [DIFF_MEMORY] = "memory",
    [DIFF_LDS] = "lds",
};

const char *diff_what_name(enum diff_what what)
{
    return (u32)what < DIFF_WHAT_COUNT ? what_names[what] : "?";
}

const struct isa *compare_isa(const struct compare *c)
{
    return &c->ref->isa;
}

/* ---- what is announced and what is looked at ---- */

static bool bit_of(const u64 *map, u32 place)
{
    return map[place / 64] >> place % 64 & 1;
}

static void set_bits(u64 *map, u32 place, u32 n)
{
    for (u32 i = place; i < place + n && i < GCNCHECK_PLACES; i++)
        map[i / 64] |= 1ull << i % 64;
}

u32 compare_decode(const struct isa *isa, const struct gcncheck_job *job, u32 at, struct insn *in)
{
    return insn_decode(isa, job->code + at, job->code_dw - at, in, NULL) ? in->dw : 1;
}

/* Every place that some instruction of the program may write. */
static void find_announced(const struct isa *isa, const struct gcncheck_job *job, u64 *map)
{
    struct insn in;
    memset(map, 0, PLACE_WORDS * sizeof *map);
    for (u32 at = 0; at < job->code_dw;) {
        at += compare_decode(isa, job, at, &in);
        if (in.op == OP_NONE || !isa_modelled(in.op))
            continue;
        struct effects fx;
        insn_effects(&in, &fx);
        for (u32 i = 0; i < fx.count; i++)
            if (fx.e[i].dir & DIR_W)
                set_bits(map, fx.e[i].place, fx.e[i].dw);
    }
}

/* Fills the maps of what the DUT can do. STATUS and PC are never compared, TRAPSTS only between our
 * own engines. */
static void find_places(struct compare *c)
{
    for (u32 place = 0; place < GCNCHECK_PLACES; place++) {
        u32 can = dut_can(c->dut, place);
        bool is_judged = place != GCNCHECK_STATUS && place < GCNCHECK_PC_LO &&
                         (place != GCNCHECK_TRAPSTS || c->cfg.exact);
        if (can == GCNCHECK_SHOW_SET)
            set_bits(c->settable, place, 1);
        if (can == GCNCHECK_SHOW_SET && is_judged)
            set_bits(c->known, place, 1);
        if (can != GCNCHECK_NO && is_judged)
            set_bits(c->shown, place, 1);
        if (can == GCNCHECK_NO && place < GCNCHECK_STATUS && dut_place_class(place) != CLASS_COUNT)
            set_bits(c->hidden, place, 1);
    }
}

/* The value of a place that every job has to set, for DUTs on which it is fixed. */
static bool fixed_value(u32 place, u32 *value)
{
    switch (place) {
    case GCNCHECK_EXEC_LO:
    case GCNCHECK_EXEC_HI: *value = ~0u; return true;
    case GCNCHECK_VCC_LO:
    case GCNCHECK_VCC_HI:
    case GCNCHECK_M0:
    case GCNCHECK_SCC: *value = 0; return true;
    case GCNCHECK_MODE: *value = MODE_DEFAULT; return true;
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
        bool is_settable = bit_of(c->settable, s->place);
        bool is_fixed = fixed_value(s->place, &fixed);
        if (!is_settable && (!is_fixed || *from != fixed) && s->place != GCNCHECK_TRAPSTS)
            *narrowed |= 1u << dut_place_class(s->place);
        if (is_settable)
            memcpy(job_set(dst, s->wave, s->place), from,
                   GCNCHECK_PLACE_DW(s->place) * sizeof(u32));
        else if (is_fixed)
            *job_set(dst, s->wave, s->place) = fixed;
    }
}

static void copy_memory(const struct gcncheck_job *start, struct jobbuf *dst)
{
    for (u32 i = 0; i < start->window_count; i++) {
        const struct gcncheck_window *w = &start->windows[i];
        job_window(dst, w->address, w->size, w->bytes);
    }
    if (start->lds_size)
        job_lds(dst, start->lds_size, start->lds);
}

void compare_copy(struct jobbuf *dst, const struct gcncheck_job *start)
{
    jobbuf_reset(dst, start->mcpu);
    job_code(dst, start->code, start->code_dw, start->pc);
    for (u32 i = 0; i < start->set_count; i++) {
        const struct gcncheck_slot *s = &start->set[i];
        memcpy(job_set(dst, s->wave, s->place), start->values + s->index,
               GCNCHECK_PLACE_DW(s->place) * sizeof(u32));
    }
    copy_memory(start, dst);
}

enum status compare_short_of_memory(struct err *e)
{
    return err_set(e, ST_WORLD, "out of memory for a job");
}

/* Carries over what job_ready does not know of. */
struct gcncheck_job *compare_ready(struct jobbuf *jb, const struct gcncheck_job *start)
{
    struct gcncheck_job *j = job_ready(jb);
    if (!j)
        return NULL;
    j->waves = start->waves;
    j->max_steps = start->max_steps;
    j->poison = start->poison;
    return j;
}

enum { CANARY_SGPRS = 8, CANARY_VGPRS = 4, SGPRS_NAMED = 102 };

/* Canaries and the registers with a name of their own; only what the DUT starts from a known
 * value. */
static void ask_canaries(const struct compare *c, const struct subject *s, struct jobbuf *jb,
                         u32 wave)
{
    static const u16 always[] = { GCNCHECK_VCC_LO,  GCNCHECK_VCC_HI,  GCNCHECK_M0,
                                  GCNCHECK_EXEC_LO, GCNCHECK_EXEC_HI, GCNCHECK_SCC,
                                  GCNCHECK_MODE,    GCNCHECK_TRAPSTS };
    u16 place[COUNT_OF(always) + CANARY_SGPRS + CANARY_VGPRS];
    u32 n = COUNT_OF(always);
    struct rng r;
    rng_seed(&r, hash_mix(s->canary, wave));
    memcpy(place, always, sizeof always);
    while (n < COUNT_OF(always) + CANARY_SGPRS)
        place[n++] = (u16)rng_below(&r, SGPRS_NAMED);
    while (n < COUNT_OF(place))
        place[n++] = (u16)(GCNCHECK_V0 + rng_below(&r, VGPRS));
    for (u32 i = 0; i < n; i++)
        if (bit_of(c->known, place[i]))
            job_get(jb, wave, place[i]);
}

static void ask_for(const struct compare *c, struct subject *s, struct jobbuf *jb,
                    const u64 *announced)
{
    for (u32 wave = 0; wave < s->start->waves; wave++) {
        for (u32 i = 0; i < PLACE_WORDS; i++) {
            u64 bits = (announced[i] & c->shown[i]) | (s->all ? c->known[i] : 0);
            for (; bits; bits &= bits - 1)
                job_get(jb, wave, i * 64 + ctz64(bits));
            for (bits = announced[i] & c->hidden[i]; bits; bits &= bits - 1)
                s->j.narrowed |= 1u << dut_place_class(i * 64 + ctz64(bits));
        }
        if (!s->all)
            ask_canaries(c, s, jb, wave);
    }
}

/* The job that is run: the subject's start as far as the DUT can be set, and what to read back. */
static void build(const struct compare *c, struct subject *s, struct jobbuf *jb,
                  const u64 *announced)
{
    jobbuf_reset(jb, c->cfg.mcpu);
    job_code(jb, s->start->code, s->start->code_dw, s->start->pc);
    copy_set(c, s->start, jb, &s->j.narrowed);
    for (u32 wave = 0; wave < s->start->waves; wave++)
        job_set_defaults(jb, wave);
    copy_memory(s->start, jb);
    ask_for(c, s, jb, announced);
}

/* ---- results that two right implementations may disagree on ---- */

/* Finds which bits are don't-care in the result of the model's next instruction, and where it goes. */
static void find_loose(struct machine *m, struct loose_at *l)
{
    struct wave *w = m->wave[0];
    const struct xinsn *x = machine_fetch(m, w);
    l->is_single = false;
    if (!x)
        return;
    l->is_single = true;
    l->vector = l->mask = l->scalar = 0;
    gen_loose(w, x, &l->loose);
    for (const struct isa_operand *o = insn_row(&x->insn)->operand; o->kind != K_NONE; o++) {
        u16 code = x->opnd[o->slot].code;
        if (!(o->dir & DIR_W))
            continue;
        bool vector = o->kind == K_VGPR || o->kind == K_LDATA;
        if (vector)
            l->vector = code;
        else if (o->kind == K_MASK)
            l->mask = code;
        else
            l->scalar = code;
        l->dw[vector ? 0 : 1] = insn_operand_dw(&x->insn, o);
    }
}

/* What was read back of a place and lane; false if it was not. */
static bool read_back(const struct gcncheck_job *job, u32 wave, u32 place, u32 lane, u32 *value)
{
    for (u32 i = 0; i < job->get_count; i++) {
        const struct gcncheck_slot *s = &job->get[i];
        if (s->wave != wave || s->place != place)
            continue;
        *value = job->out[s->index + lane];
        return true;
    }
    return false;
}

/* The whole vector result. A half that was not read back counts as right. */
static bool is_right_vector(const struct loose_at *l, const struct gcncheck_job *want,
                            const struct gcncheck_job *got, u32 lane)
{
    u64 w = 0, g = 0;
    if (l->dw[0] > 2)
        return l->loose.any_lanes >> lane & 1;
    for (u32 i = 0; i < l->dw[0]; i++) {
        u32 a = 0, b = 0;
        if (read_back(want, 0, l->vector + i, lane, &a) &&
            read_back(got, 0, l->vector + i, lane, &b)) {
            w |= (u64)a << i * 32;
            g |= (u64)b << i * 32;
        }
    }
    return loose_accepts(&l->loose, lane, w, g);
}

static bool is_tolerated(const struct pending *p, const struct gcncheck_job *got_job, u32 place,
                         u32 lane, u32 want, u32 got)
{
    const struct loose_at *l = &p->loose;
    const struct loose *loose = &l->loose;
    if (!l->is_single)
        return false;
    if (l->vector && place >= l->vector && place < l->vector + l->dw[0])
        return is_right_vector(l, p->want, got_job, lane);
    if (loose->mask_lanes && (place == l->mask || place == l->mask + 1u)) {
        u32 bits = (u32)(place == l->mask ? loose->mask_lanes : loose->mask_lanes >> 32);
        return ((want ^ got) & ~bits) == 0;
    }
    return loose->scalar && place >= l->scalar && place < l->scalar + l->dw[1];
}

/* ---- differences ---- */

static enum diff_what what_of_place(u32 place)
{
    if (place >= GCNCHECK_V0 && place < GCNCHECK_SCC)
        return DIFF_VGPR;
    switch (place) {
    case GCNCHECK_VCC_LO:
    case GCNCHECK_VCC_HI: return DIFF_VCC;
    case GCNCHECK_EXEC_LO:
    case GCNCHECK_EXEC_HI: return DIFF_EXEC;
    case GCNCHECK_M0: return DIFF_M0;
    case GCNCHECK_SCC: return DIFF_SCC;
    case GCNCHECK_MODE: return DIFF_MODE;
    case GCNCHECK_TRAPSTS: return DIFF_TRAPSTS;
    default: return DIFF_SGPR;
    }
}

static void add_diff(struct judgement *j, const struct diff *d)
{
    j->verdict = JUDGED_WRONG;
    if (j->what == DIFF_NONE || d->what < j->what)
        j->what = d->what;
    j->diff_total++;
    if (j->diff_count < DIFFS_MAX)
        j->diff[j->diff_count++] = *d;
}

static void diff_registers(const struct compare *c, struct subject *s, const struct pending *p,
                           const struct gcncheck_job *want, const struct gcncheck_job *got)
{
    for (u32 i = 0; i < want->get_count; i++) {
        const struct gcncheck_slot *slot = &want->get[i];
        u32 n = GCNCHECK_PLACE_DW(slot->place);
        const u32 *w = want->out + slot->index, *g = got->out + slot->index;
        if (memcmp(w, g, n * sizeof *w) == 0)
            continue;
        enum diff_what what = what_of_place(slot->place);
        if (s->marker && slot->place == s->marker)
            what = DIFF_PC;
        else if (!bit_of(p->announced, slot->place))
            what = DIFF_STRAY_REGISTER;
        for (u32 lane = 0; lane < n; lane++) {
            if (w[lane] == g[lane])
                continue;
            if (!c->cfg.exact && is_tolerated(p, got, slot->place, lane, w[lane], g[lane])) {
                s->j.tolerated = true;
                continue;
            }
            add_diff(&s->j,
                     &(struct diff){ .what = (u8)what,
                                     .lane = (u8)lane,
                                     .wave = slot->wave,
                                     .place = slot->place,
                                     .start = job_initial(want, slot->wave, slot->place, lane),
                                     .want = w[lane],
                                     .got = g[lane] });
        }
    }
}

/* Whether the model writes any of the four bytes at `addr`. Asked only when something differs
 * there: the model runs the program again and its log is searched. */
static bool is_written(struct compare *c, const struct subject *s, u32 place, u64 addr)
{
    struct jobbuf *jb = jobbuf_new();
    struct err e;
    u32 who;
    bool found = false;
    if (!jb)
        return true;
    compare_copy(jb, s->start);
    const struct gcncheck_job *again = compare_ready(jb, s->start);
    found = !again; /* without memory for a proof nothing is called unannounced */
    if (again && model_start(c->ref, again, &e) == ST_OK) {
        machine_run(c->ref->m, s->start->max_steps, &who);
        const struct wlog *log = &c->ref->m->log;
        for (u32 i = 0; i < log->count && !found; i++) {
            const struct wlog_entry *w = &log->entry[i];
            found = w->place == place && w->addr < addr + 4 && addr < w->addr + w->size;
        }
        found = found || log->full;
    }
    jobbuf_free(jb);
    return found;
}

static u32 dword_at(const u8 *bytes, u64 size, u64 at)
{
    u32 v = 0;
    memcpy(&v, bytes + at, size - at < 4 ? size - at : 4);
    return v;
}

static void diff_bytes(struct compare *c, struct subject *s, u32 place, u64 address, u64 size,
                       const u8 *start, const u8 *want, const u8 *got)
{
    if (size == 0 || memcmp(want, got, size) == 0)
        return;
    for (u64 at = 0; at < size; at += 4) {
        u32 w = dword_at(want, size, at), g = dword_at(got, size, at);
        if (w == g)
            continue;
        enum diff_what what = place == PLACE_LDS ? DIFF_LDS : DIFF_MEMORY;
        if (s->j.diff_count < DIFFS_MAX && !is_written(c, s, place, address + at))
            what = DIFF_STRAY_MEMORY;
        add_diff(&s->j, &(struct diff){ .what = (u8)what,
                                        .place = (u16)place,
                                        .addr = address + at,
                                        .start = dword_at(start, size, at),
                                        .want = w,
                                        .got = g });
    }
}

static void judge(struct compare *c, struct subject *s, const struct pending *p,
                  const struct gcncheck_job *want, const struct gcncheck_job *got)
{
    const struct gcncheck_job *start = s->start;
    s->j.outcome = (u8)got->outcome;
    memcpy(s->j.reason, got->reason, sizeof s->j.reason);
    if (got->outcome == OUT_NOT_RUN) {
        s->j.verdict = JUDGED_INVALID;
        return;
    }
    if (got->outcome != OUT_DONE) {
        s->j.verdict = got->outcome == OUT_UNSUPPORTED ? JUDGED_UNSUPPORTED : JUDGED_WRONG;
        s->j.what = s->j.verdict == JUDGED_WRONG ? DIFF_OUTCOME : DIFF_NONE;
        return;
    }
    s->j.verdict = JUDGED_RIGHT;
    diff_registers(c, s, p, want, got);
    for (u32 i = 0; i < start->window_count; i++)
        diff_bytes(c, s, PLACE_MEM, start->windows[i].address, start->windows[i].size,
                   start->windows[i].bytes, want->windows[i].bytes, got->windows[i].bytes);
    diff_bytes(c, s, PLACE_LDS, 0, start->lds_size, start->lds, want->lds, got->lds);
}

/* ---- opening ---- */

enum status compare_open(struct compare **out, const struct compare_cfg *cfg, struct dut *d,
                         struct err *e)
{
    struct compare *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return err_set(e, ST_WORLD, "out of memory");
    c->cfg = *cfg;
    c->dut = d;
    find_places(c);
    enum status st = model_open(&c->ref, cfg->mcpu, "ref", NULL, e);
    if (st == ST_OK)
        st = model_open(&c->tracer, cfg->mcpu, "ref", NULL, e);
    if (st == ST_OK && strcmp(cfg->engine, "ref") != 0)
        st = model_open(&c->fast, cfg->mcpu, cfg->engine, NULL, e);
    for (u32 i = 0; i < COMPARE_BATCH && st == ST_OK; i++) {
        c->want[i] = jobbuf_new();
        c->step[i] = jobbuf_new();
        if (!c->want[i] || !c->step[i])
            st = err_set(e, ST_WORLD, "out of memory");
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
    for (u32 i = 0; i < COMPARE_BATCH; i++) {
        jobbuf_free(c->want[i]);
        free(c->got[i].bytes);
        jobbuf_free(c->step[i]);
    }
    model_close(c->ref);
    model_close(c->tracer);
    model_close(c->fast);
    free(c);
}

/* ---- running ---- */

/* Runs the subject on the model. False: there is nothing to compare with; the judgement says
 * why. */
static bool run_model(struct compare *c, struct model *mo, struct subject *s, struct pending *p,
                      struct gcncheck_job *want)
{
    struct text t;
    struct err e = { .text = "" };
    u32 who = 0;
    text_init(&t, s->j.reason, sizeof s->j.reason);
    s->j.verdict = JUDGED_INVALID;
    if (model_start(mo, want, &e) != ST_OK) {
        text_add(&t, "%s", e.text);
        return false;
    }
    if (s->single && !c->cfg.exact)
        find_loose(mo->m, &p->loose);
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
    find_announced(&mo->isa, p->subject->start, p->announced);
    build(c, p->subject, jb, p->announced);
    p->want = compare_ready(jb, p->subject->start);
    return p->want;
}

/* The same job as `want`, which the model has run, for the DUT: with results, windows and LDS of
 * its own. */
static enum status twin(struct twin *t, const struct gcncheck_job *want,
                        const struct gcncheck_job *start, struct gcncheck_job *job, struct err *e)
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
            return err_set(e, ST_WORLD, "out of memory");
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
    for (u32 first = 0; first < count; first += COMPARE_BATCH) {
        u32 n = count - first < COMPARE_BATCH ? count - first : COMPARE_BATCH;
        struct pending pending[COMPARE_BATCH];
        struct gcncheck_job job[COMPARE_BATCH];
        u32 jobs = 0;
        for (u32 i = 0; i < n; i++) {
            struct subject *sub = &s[first + i];
            struct pending *p = &pending[jobs];
            memset(&sub->j, 0, sizeof sub->j);
            p->subject = sub;
            p->loose.is_single = false;
            struct gcncheck_job *want = sub->start ? prepare(c, mo, p, c->want[jobs]) : NULL;
            if (st == ST_OK && !want)
                st = compare_short_of_memory(e);
            if (st != ST_OK || !run_model(c, mo, sub, p, want)) {
                sub->j.verdict = JUDGED_INVALID;
                continue;
            }
            st = twin(&c->got[jobs], want, sub->start, &job[jobs], e);
            jobs += st == ST_OK;
        }
        if (jobs && st == ST_OK)
            st = dut_run(c->dut, job, jobs, e);
        for (u32 i = 0; i < jobs; i++)
            judge(c, pending[i].subject, &pending[i], pending[i].want, &job[i]);
    }
    return st;
}

enum status compare_run(struct compare *c, struct subject *s, u32 count, struct err *e)
{
    return compare_with(c, c->fast ? c->fast : c->ref, s, count, e);
}
