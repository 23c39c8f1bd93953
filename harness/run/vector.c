/* Directed cases as vectors: what run_compare asks of an answer, written down. Both go through what a
 * case states in the same order, in which the first to name a place decides; what is done with it there
 * has nothing in common. */
#include "harness/run/vector.h"

#include "harness/run/plan.h"
#include "oracle/state/effects.h"

#include <stdio.h>
#include <stdlib.h>

struct exporting {
    struct vector_build *b;
    const struct run_unit *u;
    const struct gcncheck_job *job;
    u64 base[CASE_BASES];
    u64 stated[RUN_WAVES][GCNCHECK_PLACES]; /* lanes, or bit 0 */
    u8 *seen;                               /* bytes of the memory at hand that are stated */
};

/* ---- what else is right ---- */

static void add_alternative(struct vector_accept *a, const struct case_value *v,
                            const struct case_const *c, u32 lane, const u64 *base)
{
    u32 want[CASE_VALUE_DW], bits = c->any_nan ? c->float_bits : v->ulp_bits;
    casefile_eval(c, lane, base, want);
    vector_range_one(a, want);
    u64 w = want[0] | (a->dw > 1 ? (u64)want[1] << 32 : 0);
    if (bits == 0)
        return;
    if (c->any_nan) {
        vector_range_nans(a, bits, w, true);
    } else if (!v->as_row) {
        vector_range_ulps(a, bits, w, v->ulps);
    } else {
        struct tolerance t = { .kind = isa_accept_kind(v->as_row), .n = isa_accept_n(v->as_row) };
        vector_range_near(a, bits, w, &t);
    }
}

/* Whether a value is one number and nothing else will do. */
static bool is_exact(const struct case_value *v)
{
    return v->alts == 1 && !v->ulp_bits && !v->alt[0].any_nan;
}

static void name_rule(const struct case_value *v, char *buf, size_t size)
{
    char text[ACCEPT_TEXT_MAX];
    if (v->as_row)
        snprintf(buf, size, "%s", isa_accept_text(v->as_row, text));
    else if (v->ulp_bits)
        snprintf(buf, size, "ulp:%u", v->ulps);
    else
        snprintf(buf, size, "%s", v->alts > 1 ? "set" : "nan");
}

static void accept_value(const struct exporting *x, struct vector_accept *a,
                         const struct case_value *v, u32 lane)
{
    a->count = 0;
    for (u32 i = 0; i < v->alts; i++)
        add_alternative(a, v, &v->alt[i], lane, x->base);
    name_rule(v, a->rule, sizeof a->rule);
    vector_accept(x->b, a);
}

/* ---- registers ---- */

static u32 initial(const struct exporting *x, u32 wave, u32 place, u32 lane)
{
    return job_initial(x->job, wave, place, lane);
}

/* One expectation of a register place in one wave, for one lane (0 for scalars). */
static void state_place(struct exporting *x, const struct case_place *p, const struct case_value *v,
                        u32 wave, u32 lane)
{
    struct vector_accept a = { .wave = wave, .place = p->place, .lane = lane, .dw = p->dw };
    u32 want[CASE_VALUE_DW] = { 0 };
    bool is_first = true;
    for (u32 i = 0; i < p->dw && is_first; i++) {
        u64 *stated = &x->stated[wave][p->place + i];
        is_first = !(*stated >> lane & 1);
        *stated |= 1ull << lane;
        a.mask[i] = ~0u;
        vector_check(x->b, p->place + i);
        /* A value that only begins where nothing is stated yet is not judged, but stated. */
        if (is_first)
            vector_want(x->b, wave, p->place + i, lane, 0, 0);
    }
    if (!is_first || v->kind == CASE_ANY)
        return;
    if (v->kind == CASE_VALUE && !is_exact(v)) {
        accept_value(x, &a, v, lane);
        return;
    }
    if (v->kind == CASE_VALUE)
        casefile_eval(&v->alt[0], lane, x->base, want);
    for (u32 i = 0; i < p->dw; i++)
        vector_want(x->b, wave, p->place + i, lane,
                    v->kind == CASE_SAME ? initial(x, wave, p->place + i, lane) : want[i], ~0u);
}

static void state_assign(struct exporting *x, const struct case_place *p,
                         const struct case_value *v)
{
    for (u32 w = 0; w < x->u->test->waves; w++) {
        u64 exec = initial(x, w, CODE_EXEC, 0) | (u64)initial(x, w, CODE_EXEC + 1, 0) << 32;
        u64 lanes = run_place_lanes(p, w, exec);
        for (u32 lane = 0; lane < LANES; lane++)
            if (lanes >> lane & 1)
                state_place(x, p, v, w, lane);
    }
}

static void state_list(struct exporting *x, const struct case_assigns *list)
{
    for (u32 i = 0; i < list->count; i++)
        if (list->a[i].place.space == CASE_REG)
            state_assign(x, &list->a[i].place, &list->a[i].value);
}

/* A pair in a table of lanes: one bit per row; bits of lanes without a row are not judged. */
static void state_bits(struct exporting *x, u32 col)
{
    const struct case_place *p = &x->u->test->col[col];
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 was = initial(x, 0, p->place + lane / 32, 0) >> lane % 32 & 1, zero = 0, one = 1;
        bool takes[2] = { true, true };
        if (lane < x->u->count) {
            const struct case_value *v = &run_row(x->u, lane)->value[col];
            struct case_place bit = *p;
            bit.dw = 1;
            bit.bits = 1;
            takes[0] = casefile_accepts(v, &bit, lane, x->base, &was, &zero);
            takes[1] = casefile_accepts(v, &bit, lane, x->base, &was, &one);
        }
        vector_want_bit(x->b, 0, p->place, lane, takes[1], takes[0] != takes[1]);
    }
    vector_check(x->b, p->place);
    vector_check(x->b, p->place + 1u);
}

static void state_columns(struct exporting *x)
{
    const struct case_test *t = x->u->test;
    for (u32 col = t->in_cols; col < t->cols; col++) {
        const struct case_place *p = &t->col[col];
        if (p->space != CASE_REG)
            continue;
        if (t->shape == CASE_RUNS) {
            state_assign(x, p, &run_row(x->u, 0)->value[col]);
        } else if (p->place < PLACE_V0) {
            state_bits(x, col);
        } else {
            for (u32 lane = 0; lane < x->u->count; lane++)
                state_place(x, p, &run_row(x->u, lane)->value[col], 0, lane);
        }
    }
}

/* ---- memory ---- */

/* `bytes` bytes of a value that begins at byte `at % 4` of a dword, moved there. */
static void shift_up(u32 *dw, u32 bytes_up)
{
    u32 up = bytes_up * 8;
    for (u32 i = VECTOR_RANGE_DW; up && i-- > 0;)
        dw[i] = dw[i] << up | (i ? dw[i - 1] >> (32 - up) : 0);
}

static void accept_bytes(struct exporting *x, const struct case_place *p,
                         const struct case_value *v, u32 index, u32 at)
{
    u32 up = at % 4;
    struct vector_accept a = {
        .place = GCNCHECK_VECTOR_MEMORY, .memory = index, .at = at - up, .dw = p->dw
    };
    for (u32 i = 0; i < v->alts; i++)
        add_alternative(&a, v, &v->alt[i], 0, x->base);
    for (u32 i = 0; i < p->bits / 8u; i++)
        a.mask[i / 4] |= 0xffu << i % 4 * 8;
    shift_up(a.mask, up);
    for (u32 i = 0; i < a.count; i++) {
        shift_up(a.lo[i], up);
        shift_up(a.hi[i], up);
    }
    a.dw = (up + p->bits / 8u + 3) / 4;
    name_rule(v, a.rule, sizeof a.rule);
    vector_accept(x->b, &a);
}

/* An expectation of memory k, if it is one; its bytes begin at `guard` of the window. */
static void state_bytes(struct exporting *x, const struct case_place *p, const struct case_value *v,
                        u32 k, u32 guard)
{
    u32 want[CASE_VALUE_DW] = { 0 }, index = k == CASE_MEMS_MAX ? x->u->test->mems : k;
    u32 at = p->offset + guard, bytes = p->bits / 8u;
    u8 now[CASE_VALUE_DW * 4];
    if (p->space == CASE_REG || (p->space == CASE_LDS ? (u32)CASE_MEMS_MAX : p->mem) != k ||
        x->seen[p->offset])
        return;
    memset(x->seen + p->offset, 1, bytes);
    if (v->kind == CASE_SAME)
        return;
    vector_want_bytes(x->b, index, at, bytes, NULL, false);
    if (v->kind == CASE_ANY)
        return;
    if (!is_exact(v)) {
        accept_bytes(x, p, v, index, at);
        return;
    }
    casefile_eval(&v->alt[0], 0, x->base, want);
    for (u32 i = 0; i < bytes; i++)
        now[i] = (u8)(want[i / 4] >> i % 4 * 8);
    vector_want_bytes(x->b, index, at, bytes, now, true);
}

static void state_memory(struct exporting *x, u32 k)
{
    const struct case_test *t = x->u->test;
    const struct case_item *item = run_item(x->u);
    u32 guard = k == CASE_MEMS_MAX ? 0 : RUN_GUARD;
    memset(x->seen, 0, LDS_MAX);
    for (u32 i = 0; item && i < item->out.count; i++)
        state_bytes(x, &item->out.a[i].place, &item->out.a[i].value, k, guard);
    for (u32 i = 0; i < t->out.count; i++)
        state_bytes(x, &t->out.a[i].place, &t->out.a[i].value, k, guard);
    for (u32 col = t->in_cols; t->shape == CASE_RUNS && col < t->cols; col++)
        state_bytes(x, &t->col[col], &run_row(x->u, 0)->value[col], k, guard);
}

/* ---- what is compared ---- */

/* The highest register of a file that a set names, + 1; 0: none. */
static u32 end_of_file(const struct judge_places *set, u32 first)
{
    u32 end = 0;
    for (u32 i = 0; i < VGPRS; i++)
        if (judge_has(set, first + i))
            end = i + 1;
    return end;
}

static bool reads_any_register(const struct run_program *p)
{
    for (u32 i = 0; i < p->insns; i++)
        if (insn_row(&p->insn[i])->flags & FLAG_WR_MODE)
            return true; /* register numbers may be indexed */
    return false;
}

/* All scalar registers, and vector registers from the first to a few behind the last that the
 * program touches. */
static void check_places(const struct exporting *x)
{
    enum { SPARE = 4, STEP = 4 };
    static const u16 named[] = { CODE_M0, CODE_EXEC, CODE_EXEC + 1, PLACE_SCC, PLACE_MODE };
    struct judge_places set = x->u->program->touches;
    for (u32 i = 0; i < x->job->set_count; i++)
        judge_add_places(&set, x->job->set[i].place, 1);
    u32 vgprs = (end_of_file(&set, PLACE_V0) + SPARE + STEP - 1) / STEP * STEP,
        accs = end_of_file(&set, PLACE_A0);
    if (vgprs > VGPRS || reads_any_register(x->u->program))
        vgprs = VGPRS;
    accs = accs && accs + SPARE < VGPRS ? accs + SPARE : accs;
    for (u32 place = 0; place <= CODE_VCC + 1; place++)
        vector_check(x->b, place);
    for (u32 i = 0; i < COUNT_OF(named); i++)
        vector_check(x->b, named[i]);
    for (u32 i = 0; i < vgprs; i++)
        vector_check(x->b, PLACE_V0 + i);
    for (u32 i = 0; i < accs; i++)
        vector_check(x->b, PLACE_A0 + i);
}

/* Where a vector comes from. gcncheck's own files have the same name wherever it is installed. */
static void tell_from(char *buf, size_t size, const struct run_cfg *cfg, const char *path, u32 line)
{
    size_t own = cfg->own_cases ? strlen(cfg->own_cases) : 0;
    bool is_own = own && strncmp(path, cfg->own_cases, own) == 0 && path[own] == '/';
    snprintf(buf, size, "%s%s:%u", is_own ? "cases" : "", is_own ? path + own : path, line);
}

static void add_rows(const struct exporting *x, const struct run_cfg *cfg, struct result *r)
{
    char from[200];
    run_describe(x->u, cfg, r);
    for (u32 i = 0; i < x->u->shown; i++) {
        tell_from(from, sizeof from, cfg, r[i].file, r[i].line);
        vector_row(x->b, r[i].id, from, r[i].ledger);
    }
}

static void state_all(struct exporting *x)
{
    const struct case_item *item = run_item(x->u);
    run_bases(x->u, x->base);
    memset(x->stated, 0, sizeof x->stated);
    check_places(x);
    if (item)
        state_list(x, &item->out);
    state_list(x, &x->u->test->out);
    state_columns(x);
    for (u32 k = 0; k < x->u->test->mems; k++)
        state_memory(x, k);
    if (x->u->test->lds_size)
        state_memory(x, CASE_MEMS_MAX);
}

/* ---- units in order ---- */

/* What JSON files are named after. */
struct listed {
    const struct run_unit *unit;
    u32 index;
    char key[200];
};

static int by_key(const void *x, const void *y)
{
    const struct listed *a = x, *b = y;
    int order = strcmp(a->key, b->key);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static struct listed *list_units(const struct run *r, u32 *count)
{
    struct listed *all = calloc(r->units + 1u, sizeof *all);
    *count = 0;
    for (u32 i = 0; all && i < r->units; i++) {
        const struct run_unit *u = &r->unit[i];
        char folder[64];
        if (u->elsewhere)
            continue;
        run_folder(&r->isa, u->file, folder, sizeof folder);
        all[*count] = (struct listed){ .unit = u, .index = i };
        snprintf(all[*count].key, sizeof all[*count].key, "%s/%s.%s.json", folder, u->file->stem,
                 run_form(u));
        ++*count;
    }
    if (all)
        qsort(all, *count, sizeof *all, by_key);
    return all;
}

/* What a vector says of itself; the texts live in here. */
struct words {
    char folder[64], text[4096], from[300];
};

static struct vector_about about_of(const struct run *r, const struct run_unit *u, u32 number,
                                    struct words *w)
{
    struct text t;
    const struct case_test *test = u->test;
    run_folder(&r->isa, u->file, w->folder, sizeof w->folder);
    tell_from(w->from, sizeof w->from, &r->cfg, u->file->path, (u32)test->line);
    text_init(&t, w->text, sizeof w->text);
    for (u32 i = 0; u->program && i < u->program->insns; i++) {
        char line[128];
        insn_print(&r->isa, &u->program->insn[i], line, sizeof line);
        text_add(&t, "%s%s", i ? "\n" : "", line);
    }
    for (u32 i = 0; !u->program && i < test->code_count; i++)
        text_add(&t, "%s%s", i ? "\n" : "", test->code[i].text);
    return (struct vector_about){ .encoding = w->folder,
                                  .mnemonic = u->file->stem,
                                  .form = run_form(u),
                                  .mcpu = r->cfg.mcpu,
                                  .number = number,
                                  .text = w->text,
                                  .from = w->from,
                                  .source = "case",
                                  .reject = u->program ? NULL : test->reject,
                                  .by_lane = u->program && test->shape == CASE_LANES };
}

/* Room for making vectors. */
struct workshop {
    struct exporting x;
    struct words words;
    struct result result[LANES];
    struct jobbuf *jb;
    struct dut *model;
};

static enum status make(struct run *r, struct workshop *w, const struct run_unit *u, u32 number,
                        struct vector_record *record, struct err *e)
{
    struct vector_about about = about_of(r, u, number, &w->words);
    struct run_unit whole = *u;
    whole.show = 0; /* rows that were not asked for are part of the test */
    whole.shown = u->program && u->test->shape == CASE_LANES ? u->count : 1;
    w->x.u = &whole;
    w->x.job = u->program ? run_build(&whole, r->cfg.mcpu, w->model, w->jb) : NULL;
    if (u->program && !w->x.job)
        return err_memory(e);
    vector_begin(w->x.b, &about, w->x.job);
    add_rows(&w->x, &r->cfg, w->result);
    if (u->program)
        state_all(&w->x);
    return vector_finish(w->x.b, record, e);
}

static void close_workshop(struct workshop *w)
{
    if (!w)
        return;
    vector_build_free(w->x.b);
    jobbuf_free(w->jb);
    dut_close(w->model);
    free(w->x.seen);
    free(w);
}

static enum status open_workshop(const struct run *r, struct workshop **out, struct err *e)
{
    struct workshop *w = calloc(1, sizeof *w);
    struct dut_cfg d = { .mcpu = r->cfg.mcpu };
    if (!w)
        return err_memory(e);
    w->x.b = vector_build_new();
    w->jb = jobbuf_new();
    w->x.seen = malloc(LDS_MAX);
    enum status st =
        w->x.b && w->jb && w->x.seen ? dut_open("model", &d, &w->model, e) : err_memory(e);
    if (st == ST_OK)
        *out = w;
    else
        close_workshop(w);
    return st;
}

enum status run_vectors(struct run *r, run_vector_fn *fn, void *ctx, struct err *e)
{
    struct workshop *w = NULL;
    u32 count, number = 0;
    struct listed *all = list_units(r, &count);
    enum status st = all ? open_workshop(r, &w, e) : err_memory(e);
    for (u32 i = 0; i < count && st == ST_OK; i++) {
        struct vector_record record;
        number = i && strcmp(all[i].key, all[i - 1].key) == 0 ? number + 1 : 1;
        st = make(r, w, all[i].unit, number, &record, e);
        if (st == ST_OK)
            st = fn(ctx, &record, e);
    }
    close_workshop(w);
    free(all);
    return st;
}
