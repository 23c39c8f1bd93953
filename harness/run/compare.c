/* Compares what a DUT answered with what a case expects. Every place that was read back is judged:
 * by the expectation that names it, else it must hold what it held. */
#include "harness/run/internal.h"

#include "oracle/base/array.h"

#include <stdio.h>
#include <stdlib.h>

/* Indexed by wave and place. */
struct run_scratch {
    const u32 *initial[RUN_WAVES][GCNCHECK_PLACES]; /* NULL: poison */
    const u32 *out[RUN_WAVES][GCNCHECK_PLACES];     /* NULL: not read back */
    u64 judged[RUN_WAVES][GCNCHECK_PLACES]; /* lanes, or bit 0, that an expectation covered */
    u8 *memory;                             /* what a memory held */
    u8 *seen;                               /* its bytes that an expectation covered */
    u8 what[LANES]; /* enum diff_what of the gravest difference of each result */
};

struct judging {
    struct run_scratch *s;
    const struct run_unit *u;
    const struct gcncheck_job *job;
    struct result *r;
    struct run_more *more;
    u64 base[CASE_BASES];
};

struct run_scratch *run_scratch_new(void)
{
    struct run_scratch *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->memory = malloc(LDS_MAX);
    s->seen = malloc(LDS_MAX);
    if (s->memory && s->seen)
        return s;
    run_scratch_free(s);
    return NULL;
}

void run_scratch_free(struct run_scratch *s)
{
    if (!s)
        return;
    free(s->memory);
    free(s->seen);
    free(s);
}

/* ---- words of a difference ---- */

static void hex_text(const u32 *v, u32 bits, char *buf, size_t size)
{
    u32 dw = (bits + 31) / 32, digits = bits < 8 ? 0 : bits % 32 ? bits / 4 : 8;
    struct text t;
    text_init(&t, buf, size);
    if (!digits) {
        text_add(&t, "%u", v[0]);
        return;
    }
    text_add(&t, "0x%0*x", (int)digits, v[dw - 1]);
    for (u32 i = dw - 1; i-- > 0;)
        text_add(&t, "%08x", v[i]);
}

static void want_text(const struct judging *c, const struct case_value *v, u32 bits, u32 lane,
                      const u32 *was, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    if (v->kind == CASE_SAME) {
        char old[48];
        hex_text(was, bits, old, sizeof old);
        judge_unchanged(old, buf, size);
        return;
    }
    for (u32 i = 0; i < v->alts; i++) {
        char one[48];
        u32 dw[CASE_VALUE_DW];
        casefile_eval(&v->alt[i], lane, c->base, dw);
        hex_text(dw, bits, one, sizeof one);
        text_add(&t, "%s%s", i ? " or " : "", v->alt[i].any_nan ? "any quiet NaN" : one);
    }
}

/* The result that a lane's difference belongs to: its row, else the first. NULL: its row was not
 * asked for. */
static struct result *result_of(const struct judging *c, i32 lane)
{
    const struct run_unit *u = c->u;
    if (u->test->shape != CASE_LANES || lane < 0 || (u32)lane >= u->count)
        return &c->r[0];
    return (u32)lane >= u->show && (u32)lane < u->show + u->shown ? &c->r[(u32)lane - u->show]
                                                                  : NULL;
}

/* Room for one that the result has none for, if somebody asks for those. */
static struct result_diff *add_more(struct run_more *m, const struct result *r)
{
    if (!m)
        return NULL;
    void *grown = m->at;
    if (m->count == m->cap)
        grown = array_grow(grown, &m->cap, m->count + 1ull, sizeof *m->at);
    m->is_short |= !grown;
    if (!grown)
        return NULL;
    m->at = grown;
    m->at[m->count].r = r;
    return &m->at[m->count++].d;
}

/* `at` is the place in question. */
static struct result_diff *add_diff(const struct judging *c, enum diff_what what, i32 row_lane,
                                    const char *name, i32 lane, u32 at)
{
    struct result *r = result_of(c, row_lane);
    struct result_diff *d = r ? result_add_diff(r) : NULL;
    if (r && !d)
        d = add_more(c->more, r);
    u8 *gravest = r ? &c->s->what[r - c->r] : NULL;
    if (gravest && (*gravest == DIFF_NONE || what < *gravest))
        *gravest = (u8)what;
    if (d) {
        *d = (struct result_diff){ .lane = lane, .number = (u16)at };
        RESULT_SET(d->place, "%s", name);
    }
    return d;
}

/* ---- registers ---- */

static u32 initial(const struct judging *c, u32 wave, u32 place, u32 lane)
{
    const u32 *v = c->s->initial[wave][place];
    return v ? v[GCNCHECK_PLACE_DW(place) > 1 ? lane : 0]
             : gcncheck_poison(c->job->poison, place, lane);
}

static void set_acceptance(struct result_diff *d, const struct case_value *v)
{
    char text[ACCEPT_TEXT_MAX];
    if (v->as_row)
        RESULT_SET(d->acceptance, "%s", isa_accept_text(v->as_row, text));
    else if (v->ulp_bits)
        RESULT_SET(d->acceptance, "ulp:%u", v->ulps);
}

static void not_shown(const struct judging *c, const char *name)
{
    for (u32 i = 0; i < c->u->shown; i++)
        RESULT_SET(c->r[i].narrowed, "%s not shown", name);
}

/* Judges one expectation of a register place in one wave, for one lane (scalar places: any). */
static void judge_place(const struct judging *c, const struct case_place *p,
                        const struct case_value *v, u32 wave, u32 lane)
{
    u32 was[CASE_VALUE_DW] = { 0 }, got[CASE_VALUE_DW] = { 0 };
    bool vector = GCNCHECK_PLACE_DW(p->place) > 1;
    char name[48];
    for (u32 i = 0; i < p->dw; i++) {
        const u32 *out = c->s->out[wave][p->place + i];
        if (!out) {
            struct case_place whole = *p;
            whole.lane = -1;
            not_shown(c, casefile_place_name(c->u->test, &whole, name, sizeof name));
            return;
        }
        u64 *judged = &c->s->judged[wave][p->place + i];
        if (*judged >> (vector ? lane : 0) & 1)
            return;
        *judged |= 1ull << (vector ? lane : 0);
        got[i] = out[vector ? lane : 0];
        was[i] = initial(c, wave, p->place + i, lane);
    }
    if (casefile_accepts(v, p, lane, c->base, was, got))
        return;
    struct case_place whole = *p;
    whole.lane = -1;
    whole.wave = (i8)(c->u->test->waves > 1 ? (i32)wave : -1);
    struct result_diff *d = add_diff(c, judge_what_of(p->place), vector ? (i32)lane : -1,
                                     casefile_place_name(c->u->test, &whole, name, sizeof name),
                                     vector ? (i32)lane : -1, p->place);
    if (!d)
        return;
    want_text(c, v, p->bits, lane, was, d->want, sizeof d->want);
    hex_text(got, p->bits, d->got, sizeof d->got);
    set_acceptance(d, v);
}

static void judge_assign(const struct judging *c, const struct case_place *p,
                         const struct case_value *v)
{
    for (u32 w = 0; w < c->u->test->waves; w++) {
        u64 exec = initial(c, w, CODE_EXEC, 0) | (u64)initial(c, w, CODE_EXEC + 1, 0) << 32;
        u64 lanes = run_place_lanes(p, w, exec);
        for (u32 lane = 0; lane < LANES; lane++)
            if (lanes >> lane & 1)
                judge_place(c, p, v, w, lane);
    }
}

static void judge_list(const struct judging *c, const struct case_assigns *list)
{
    for (u32 i = 0; i < list->count; i++)
        if (list->a[i].place.space == CASE_REG)
            judge_assign(c, &list->a[i].place, &list->a[i].value);
}

/* A pair in a table of lanes: one bit per row; bits of lanes without a row are not judged. */
static void judge_bits(const struct judging *c, u32 col)
{
    const struct case_place *p = &c->u->test->col[col];
    char name[48];
    struct case_place bit = *p;
    bit.dw = 1;
    bit.bits = 1;
    casefile_place_name(c->u->test, p, name, sizeof name);
    for (u32 lane = 0; lane < c->u->count; lane++) {
        const struct case_value *v = &run_row(c->u, lane)->value[col];
        u32 place = p->place + lane / 32;
        const u32 *out = c->s->out[0][place];
        if (!out) {
            not_shown(c, name);
            return;
        }
        u32 got = *out >> lane % 32 & 1, was = initial(c, 0, place, 0) >> lane % 32 & 1;
        if (casefile_accepts(v, &bit, lane, c->base, &was, &got))
            continue;
        struct result_diff *d =
            add_diff(c, judge_what_of(place), (i32)lane, name, (i32)lane, place);
        if (!d)
            continue;
        want_text(c, v, 1, lane, &was, d->want, sizeof d->want);
        hex_text(&got, 1, d->got, sizeof d->got);
    }
    c->s->judged[0][p->place] = c->s->judged[0][p->place + 1] = 1;
}

static void judge_columns(const struct judging *c)
{
    const struct case_test *t = c->u->test;
    for (u32 col = t->in_cols; col < t->cols; col++) {
        const struct case_place *p = &t->col[col];
        if (p->space != CASE_REG)
            continue;
        if (t->shape == CASE_RUNS) {
            judge_assign(c, p, &run_row(c->u, 0)->value[col]);
        } else if (p->place < PLACE_V0) {
            judge_bits(c, col);
        } else {
            for (u32 lane = 0; lane < c->u->count; lane++)
                judge_place(c, p, &run_row(c->u, lane)->value[col], 0, lane);
        }
    }
}

/* ---- what nobody mentioned ---- */

static void changed(const struct judging *c, u32 wave, u32 place, i32 lane, u32 was, u32 got)
{
    struct case_place p = { .dw = 1,
                            .wave = (i8)(c->u->test->waves > 1 ? (i32)wave : -1),
                            .lane = -1,
                            .place = (u16)place,
                            .bits = place == PLACE_SCC ? 1 : 32 };
    static const struct case_value same = { .kind = CASE_SAME };
    char name[48];
    bool is_stray = !judge_has(&c->u->program->writes, place);
    struct result_diff *d =
        add_diff(c, is_stray ? DIFF_STRAY_REGISTER : judge_what_of(place), lane,
                 casefile_place_name(c->u->test, &p, name, sizeof name), lane, place);
    if (!d)
        return;
    want_text(c, &same, p.bits, 0, &was, d->want, sizeof d->want);
    hex_text(&got, p.bits, d->got, sizeof d->got);
    u64 exec = initial(c, wave, CODE_EXEC, 0) | (u64)initial(c, wave, CODE_EXEC + 1, 0) << 32;
    if (is_stray)
        RESULT_SET(d->note, "%s", judge_note(DIFF_STRAY_REGISTER));
    else if (lane >= 0 && !(exec >> lane & 1))
        RESULT_SET(d->note, "lane is off");
}

static void on_lane(void *arg, const struct gcncheck_slot *slot, u32 lane, u32 was, u32 got)
{
    const struct judging *c = arg;
    if (!(c->s->judged[slot->wave][slot->place] >> lane & 1))
        changed(c, slot->wave, slot->place, GCNCHECK_PLACE_DW(slot->place) > 1 ? (i32)lane : -1,
                was, got);
}

static void judge_rest(struct judging *c)
{
    for (u32 i = 0; i < c->job->get_count; i++) {
        const struct gcncheck_slot *g = &c->job->get[i];
        u32 was[LANES];
        if (g->place == PLACE_STATUS || g->place == PLACE_TRAPSTS || g->place >= PLACE_PC_LO)
            continue;
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(g->place); lane++)
            was[lane] = initial(c, g->wave, g->place, lane);
        judge_register(g, was, c->job->out + g->index, on_lane, c);
    }
}

/* ---- memory ---- */

static void get_bytes(u32 *dw, const u8 *from, u32 bits)
{
    memset(dw, 0, CASE_VALUE_DW * sizeof *dw);
    for (u32 i = 0; i < bits / 8; i++)
        dw[i / 4] |= (u32)from[i] << (i % 4 * 8);
}

static void judge_stated(const struct judging *c, const struct case_place *p,
                         const struct case_value *v, u32 k, const u8 *now)
{
    u32 was[CASE_VALUE_DW], got[CASE_VALUE_DW];
    char name[48];
    if (p->space == CASE_REG || (p->space == CASE_LDS ? (u32)CASE_MEMS_MAX : p->mem) != k ||
        c->s->seen[p->offset])
        return;
    get_bytes(was, c->s->memory + p->offset, p->bits);
    get_bytes(got, now + p->offset, p->bits);
    memset(c->s->seen + p->offset, 1, p->bits / 8);
    if (casefile_accepts(v, p, 0, c->base, was, got))
        return;
    struct result_diff *d =
        add_diff(c, k == CASE_MEMS_MAX ? DIFF_LDS : DIFF_MEMORY, -1,
                 casefile_place_name(c->u->test, p, name, sizeof name), -1, PLACE_MEM);
    if (!d)
        return;
    want_text(c, v, p->bits, 0, was, d->want, sizeof d->want);
    hex_text(got, p->bits, d->got, sizeof d->got);
    set_acceptance(d, v);
}

/* A dword some of whose bytes changed though no expectation covers them; `at` counts from the start
 * of the memory. */
static void changed_dword(const struct judging *c, u32 k, i64 at, const u8 *was, const u8 *now)
{
    char name[48];
    u32 old[CASE_VALUE_DW], got[CASE_VALUE_DW];
    const char *memory = k == CASE_MEMS_MAX ? "lds" : c->u->test->mem[k].name;
    snprintf(name, sizeof name, "%s[%lld].b32", memory, (long long)at);
    struct result_diff *d = add_diff(c, DIFF_STRAY_MEMORY, -1, name, -1, PLACE_MEM);
    if (!d)
        return;
    get_bytes(old, was, 32);
    get_bytes(got, now, 32);
    judge_want(old[0], old[0], d->want, sizeof d->want);
    RESULT_SET(d->got, "0x%08x", got[0]);
    bool outside = at < 0 || (k < CASE_MEMS_MAX && at >= (i64)c->u->test->mem[k].size);
    RESULT_SET(d->note, "%s", outside ? "outside of the memory" : "not expected to change");
}

static void judge_memory(const struct judging *c, u32 k, const u8 *now, u32 size)
{
    const struct case_test *t = c->u->test;
    const struct case_item *item = run_item(c->u);
    run_fill(c->u, k, c->s->memory, size);
    memset(c->s->seen, 0, size);
    for (u32 i = 0; item && i < item->out.count; i++)
        judge_stated(c, &item->out.a[i].place, &item->out.a[i].value, k, now);
    for (u32 i = 0; i < t->out.count; i++)
        judge_stated(c, &t->out.a[i].place, &t->out.a[i].value, k, now);
    for (u32 col = t->in_cols; t->shape == CASE_RUNS && col < t->cols; col++)
        judge_stated(c, &t->col[col], &run_row(c->u, 0)->value[col], k, now);
    for (u32 at = 0; at < size; at += 4) {
        bool changed_one = false;
        for (u32 i = at; i < at + 4; i++)
            changed_one = changed_one || (now[i] != c->s->memory[i] && !c->s->seen[i]);
        if (changed_one)
            changed_dword(c, k, at, c->s->memory + at, now + at);
    }
}

/* The bytes beside memory k, from `at` on. */
static void judge_guard(const struct judging *c, u32 k, i64 at, const u8 *now)
{
    for (u32 i = 0; i < RUN_GUARD; i += 4) {
        u8 was[4];
        for (u32 b = 0; b < 4; b++)
            was[b] = run_guard(k, at + i + b);
        if (memcmp(was, now + i, 4) != 0)
            changed_dword(c, k, at + i, was, now + i);
    }
}

static void judge_memories(const struct judging *c)
{
    const struct case_test *t = c->u->test;
    for (u32 k = 0; k < t->mems; k++) {
        u32 size = t->mem[k].size;
        const u8 *bytes = c->job->windows[k].bytes;
        judge_memory(c, k, bytes + RUN_GUARD, size);
        judge_guard(c, k, -RUN_GUARD, bytes);
        judge_guard(c, k, size, bytes + RUN_GUARD + size);
    }
    if (t->lds_size)
        judge_memory(c, CASE_MEMS_MAX, c->job->lds, t->lds_size);
}

/* ---- all ---- */

static void index_job(struct run_scratch *s, const struct gcncheck_job *job, bool on)
{
    for (u32 i = 0; i < job->set_count; i++)
        s->initial[job->set[i].wave][job->set[i].place] =
            on ? job->values + job->set[i].index : NULL;
    for (u32 i = 0; i < job->get_count; i++) {
        s->out[job->get[i].wave][job->get[i].place] = on ? job->out + job->get[i].index : NULL;
        s->judged[job->get[i].wave][job->get[i].place] = 0;
    }
}

void run_compare(struct run_scratch *s, const struct run_unit *u, const struct gcncheck_job *job,
                 struct result *r, struct run_more *more)
{
    struct judging c = { .s = s, .u = u, .job = job, .r = r, .more = more };
    const struct case_item *item = run_item(u);
    run_bases(u, c.base);
    memset(s->what, DIFF_NONE, sizeof s->what);
    index_job(s, job, true);
    /* What a case says itself comes first: it overrides what is shared. */
    if (item)
        judge_list(&c, &item->out);
    judge_list(&c, &u->test->out);
    judge_columns(&c);
    judge_rest(&c);
    judge_memories(&c);
    index_job(s, job, false);
    for (u32 i = 0; i < u->shown; i++)
        if (s->what[i] != DIFF_NONE)
            run_set_cause(&r[i], judge_cause_name((enum diff_what)s->what[i]));
}
