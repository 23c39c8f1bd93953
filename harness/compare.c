/* Judging programs by their end: what is read back, and what counts as equal. */
#include "harness/compare_core.h"

#include "oracle/effects.h"

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

enum status compare_open(struct compare **out, const struct compare_cfg *cfg, struct dut *d,
                         struct err *e)
{
    struct compare *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return err_set(e, ST_WORLD, "out of memory");
    c->cfg = *cfg;
    c->dut = d;
    enum status st = model_open(&c->ref, cfg->mcpu, "ref", NULL, e);
    if (st == ST_OK)
        st = model_open(&c->tracer, cfg->mcpu, "ref", NULL, e);
    if (st == ST_OK && strcmp(cfg->engine, "ref") != 0)
        st = model_open(&c->fast, cfg->mcpu, cfg->engine, NULL, e);
    for (u32 i = 0; i < COMPARE_BATCH && st == ST_OK; i++) {
        c->want[i] = jobbuf_new();
        c->got[i] = jobbuf_new();
        c->step[i] = jobbuf_new();
        if (!c->want[i] || !c->got[i] || !c->step[i])
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
        jobbuf_free(c->got[i]);
        jobbuf_free(c->step[i]);
    }
    model_close(c->ref);
    model_close(c->tracer);
    model_close(c->fast);
    free(c);
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

/* Whether a place can be compared. What the DUT can show but not set starts from a value that
 * nobody knows, so that only results are compared there. */
static bool is_comparable(const struct compare *c, u32 place, bool announced)
{
    if (place == GCNCHECK_STATUS || place >= GCNCHECK_PC_LO)
        return false;
    if (place == GCNCHECK_TRAPSTS && !c->cfg.exact)
        return false;
    u32 can = dut_can(c->dut, place);
    return can == GCNCHECK_SHOW_SET || (can == GCNCHECK_SHOW && announced);
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
        bool is_settable = dut_can(c->dut, s->place) == GCNCHECK_SHOW_SET;
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
        memcpy(job_window(dst, w->address, w->size), w->bytes, w->size);
    }
    if (start->lds_size)
        memcpy(job_lds(dst, start->lds_size), start->lds, start->lds_size);
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

/* Carries over what job_ready does not know of. */
struct gcncheck_job *compare_ready(struct jobbuf *jb, const struct gcncheck_job *start)
{
    struct gcncheck_job *j = job_ready(jb);
    j->waves = start->waves;
    j->max_steps = start->max_steps;
    j->poison = start->poison;
    return j;
}

enum { CANARY_SGPRS = 8, CANARY_VGPRS = 4, SGPRS_NAMED = 102 };

static void ask(const struct compare *c, struct jobbuf *jb, u32 wave, u32 place,
                const u64 *announced)
{
    if (is_comparable(c, place, bit_of(announced, place)))
        job_get(jb, wave, place);
}

static void ask_canaries(const struct compare *c, const struct subject *s, struct jobbuf *jb,
                         u32 wave, const u64 *announced)
{
    static const u16 always[] = { GCNCHECK_VCC_LO,  GCNCHECK_VCC_HI,  GCNCHECK_M0,
                                  GCNCHECK_EXEC_LO, GCNCHECK_EXEC_HI, GCNCHECK_SCC,
                                  GCNCHECK_MODE,    GCNCHECK_TRAPSTS };
    struct rng r;
    rng_seed(&r, hash_mix(s->canary, wave));
    for (u32 i = 0; i < COUNT_OF(always); i++)
        ask(c, jb, wave, always[i], announced);
    for (u32 i = 0; i < CANARY_SGPRS; i++)
        ask(c, jb, wave, rng_below(&r, SGPRS_NAMED), announced);
    for (u32 i = 0; i < CANARY_VGPRS; i++)
        ask(c, jb, wave, GCNCHECK_V0 + rng_below(&r, VGPRS), announced);
}

static void ask_for(const struct compare *c, struct subject *s, struct jobbuf *jb,
                    const u64 *announced)
{
    for (u32 wave = 0; wave < s->start->waves; wave++) {
        for (u32 place = 0; place < GCNCHECK_PLACES; place++) {
            bool is_announced = bit_of(announced, place);
            bool exists =
                place <= GCNCHECK_VCC_HI || place == GCNCHECK_M0 || place >= GCNCHECK_EXEC_LO;
            if (is_announced || (s->all && exists))
                ask(c, jb, wave, place, announced);
            if (is_announced && !dut_can(c->dut, place) && place < GCNCHECK_STATUS)
                s->j.narrowed |= 1u << dut_place_class(place);
        }
        if (!s->all)
            ask_canaries(c, s, jb, wave, announced);
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

/* ---- the NaN rule ---- */

/* A lane with more than one NaN operand may give any quiet NaN; so may a product 0 * inf with a NaN
 * addend, whose order of precedence is doubtful. With IEEE off it is doubtful whether a signaling
 * operand is quieted. All else is exact. */
static void judge_lane(struct nan_rule *nan, u32 lane, const u32 *value, u32 n)
{
    u32 nans = 0, signaling = 0, zeros = 0, infinities = 0;
    for (u32 i = 0; i < n; i++) {
        nans += f32_is_nan(value[i]);
        signaling += f32_is_snan(value[i]);
        zeros += f32_is_tiny_or_zero(value[i]);
        infinities += (value[i] & 0x7fffffff) == 0x7f800000;
    }
    if (nans > 1 || (n == 3 && nans == 1 && zeros && infinities))
        nan->any |= 1ull << lane;
    else if (signaling && !nan->ieee)
        nan->quiet_bit |= 1ull << lane;
}

/* Finds the lanes of the model's next instruction for which the NaN rule leaves a choice. */
static void find_nans(struct machine *m, struct nan_rule *nan)
{
    struct wave *w = m->wave[0];
    const struct xinsn *x = machine_fetch(m, w);
    u32 buf[SLOT_COUNT][LANES];
    const u32 *src[SLOT_COUNT];
    u32 n = 0;
    memset(nan, 0, sizeof *nan);
    if (!x)
        return;
    for (const struct isa_operand *o = insn_row(&x->insn)->operand; o->kind != K_NONE; o++) {
        if (o->type != T_F32)
            continue;
        if (o->dir & DIR_W && o->kind == K_VGPR)
            nan->place = (u16)x->opnd[o->slot].code;
        if (o->dir & DIR_R) {
            src[n] = fetch32(w, x, &x->opnd[o->slot], buf[n]);
            n++;
        }
    }
    nan->ieee = w->f32.ieee;
    for (u32 lane = 0; lane < LANES && nan->place; lane++) {
        u32 value[SLOT_COUNT];
        for (u32 i = 0; i < n; i++)
            value[i] = src[i][lane];
        judge_lane(nan, lane, value, n);
    }
}

static bool is_tolerated(const struct nan_rule *nan, u32 place, u32 lane, u32 want, u32 got)
{
    if (place != nan->place || !nan->place || !f32_is_nan(want) || !f32_is_nan(got))
        return false;
    if (nan->any >> lane & 1)
        return !nan->ieee || !f32_is_snan(got);
    return nan->quiet_bit >> lane & 1 && (want ^ got) == 0x00400000;
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
            if (!c->cfg.exact && is_tolerated(&p->nan, slot->place, lane, w[lane], g[lane])) {
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
    if (model_start(c->ref, compare_ready(jb, s->start), &e) == ST_OK) {
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

/* ---- running ---- */

/* Runs the subject on the model. False: there is nothing to compare with; the judgement says why.
 */
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
        find_nans(mo->m, &p->nan);
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
            memset(&p->nan, 0, sizeof p->nan);
            find_announced(&mo->isa, sub->start, p->announced);
            build(c, sub, c->want[jobs], p->announced);
            struct gcncheck_job *want = compare_ready(c->want[jobs], sub->start);
            p->want = want;
            if (st != ST_OK || !run_model(c, mo, sub, p, want)) {
                sub->j.verdict = JUDGED_INVALID;
                continue;
            }
            build(c, sub, c->got[jobs], p->announced);
            job[jobs] = *compare_ready(c->got[jobs], sub->start);
            jobs++;
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
