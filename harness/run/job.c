/* From a unit to the job a DUT gets: its starting state, and what is read back. */
#include "harness/run/internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Memory k begins just below a multiple of 4 GiB, so that addresses above 256 bytes carry; that of
 * exports where those are seen. */
static u64 memory_base(const struct case_test *t, u32 k)
{
    _Static_assert(GCNCHECK_EXPORTS == EXPORTS_BASE, "plug-ins and the model agree");
    return strcmp(t->mem[k].name, CASE_EXPORTS) ? 0x12ffffff00ull + ((u64)k << 32) : EXPORTS_BASE;
}

/* A job being built, and which of its places have been started. */
struct build {
    const struct run_unit *u;
    struct jobbuf *jb;
    u64 base[CASE_BASES];
    u64 started[RUN_WAVES][(GCNCHECK_PLACES + 63) / 64];
};

void run_bases(const struct run_unit *u, u64 base[CASE_BASES])
{
    base[0] = PC_DEFAULT;
    base[CASE_BASE_GEN] = u->isa->target->gen;
    for (u32 i = 0; i < u->test->mems; i++)
        base[1 + i] = memory_base(u->test, i);
}

const struct case_item *run_item(const struct run_unit *u)
{
    return u->test->shape == CASE_ITEMS ? &u->test->item[u->first] : NULL;
}

u64 run_place_lanes(const struct case_place *p, u32 wave, u64 exec)
{
    if (p->wave >= 0 && p->wave != (i32)wave)
        return 0;
    if (p->lane >= 0)
        return 1ull << p->lane;
    return GCNCHECK_PLACE_DW(p->place) == 1 ? 1 : exec;
}

const struct case_row *run_row(const struct run_unit *u, u32 lane)
{
    return &u->test->row[u->first + lane];
}

/* ---- memory ---- */

static void put_bytes(u8 *to, const u32 *dw, u32 bits)
{
    for (u32 i = 0; i < bits / 8; i++)
        to[i] = (u8)(dw[i / 4] >> (i % 4 * 8));
}

static void fill_list(const struct case_assigns *list, u32 k, const u64 *base, u8 *bytes)
{
    for (u32 i = 0; i < list->count; i++) {
        const struct case_place *p = &list->a[i].place;
        u32 value[CASE_VALUE_DW];
        if (p->space == CASE_REG || (p->space == CASE_LDS ? (u32)CASE_MEMS_MAX : p->mem) != k)
            continue;
        casefile_eval(&list->a[i].value.alt[0], 0, base, value);
        put_bytes(bytes + p->offset, value, p->bits);
    }
}

void run_fill(const struct run_unit *u, u32 k, u8 *bytes, u32 size)
{
    const struct case_test *t = u->test;
    const struct case_item *item = run_item(u);
    u64 base[CASE_BASES];
    run_bases(u, base);
    for (u32 at = 0; at < size; at++) {
        u32 dword = (k == CASE_MEMS_MAX ? 0xe0000000u : 0xd0000000u | k << 16) + (at & ~3u);
        bytes[at] = (u8)(dword >> (at % 4 * 8));
    }
    fill_list(&t->in, k, base, bytes);
    if (item)
        fill_list(&item->in, k, base, bytes);
    for (u32 c = 0; t->shape == CASE_RUNS && c < t->in_cols; c++) {
        struct case_assign a = { .place = t->col[c], .value = run_row(u, 0)->value[c] };
        struct case_assigns one = { 1, 1, &a };
        fill_list(&one, k, base, bytes);
    }
}

u8 run_guard(u32 k, i64 at)
{
    return (u8)(0xa5 ^ k ^ (u64)at);
}

static void add_memories(struct build *b)
{
    const struct case_test *t = b->u->test;
    for (u32 k = 0; k < t->mems; k++) {
        u32 size = t->mem[k].size;
        u8 *bytes = job_window(b->jb, memory_base(t, k) - RUN_GUARD, size + 2 * RUN_GUARD, NULL);
        if (!bytes)
            return;
        for (i64 i = 0; i < RUN_GUARD; i++) {
            bytes[i] = run_guard(k, i - RUN_GUARD);
            bytes[RUN_GUARD + size + i] = run_guard(k, size + i);
        }
        run_fill(b->u, k, bytes + RUN_GUARD, size);
    }
    u8 *lds = t->lds_size ? job_lds(b->jb, t->lds_size, NULL) : NULL;
    if (lds)
        run_fill(b->u, CASE_MEMS_MAX, lds, t->lds_size);
}

/* ---- registers ---- */

/* The dwords of a place, started with its poison. */
static u32 *start_place(struct build *b, u32 wave, u32 place)
{
    u32 *v = job_set(b->jb, wave, place);
    u64 *word = &b->started[wave][place / 64];
    if (!(*word >> place % 64 & 1)) {
        *word |= 1ull << place % 64;
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(place); lane++)
            v[lane] = gcncheck_poison(1, place, lane);
    }
    return v;
}

/* Sets lane `lane` (vector registers; -1: all) of a place in a wave. */
static void set_value(struct build *b, u32 wave, const struct case_place *p, i32 lane,
                      const struct case_const *c)
{
    u32 value[CASE_VALUE_DW];
    for (u32 i = 0; i < p->dw; i++) {
        u32 *v = start_place(b, wave, p->place + i);
        if (GCNCHECK_PLACE_DW(p->place) == 1) {
            casefile_eval(c, 0, b->base, value);
            *v = value[i];
            continue;
        }
        for (u32 l = lane < 0 ? 0 : (u32)lane; l < (lane < 0 ? (u32)LANES : (u32)lane + 1); l++) {
            casefile_eval(c, l, b->base, value);
            v[l] = value[i];
        }
    }
}

static void set_list(struct build *b, const struct case_assigns *list)
{
    for (u32 i = 0; i < list->count; i++) {
        const struct case_place *p = &list->a[i].place;
        if (p->space != CASE_REG)
            continue;
        for (u32 w = 0; w < b->u->test->waves; w++)
            if (p->wave < 0 || p->wave == (i32)w)
                set_value(b, w, p, p->lane, &list->a[i].value.alt[0]);
    }
}

/* A column of a table whose rows are lanes: one lane, or one bit, from each row. */
static void set_lane_column(struct build *b, u32 c)
{
    const struct run_unit *u = b->u;
    const struct case_place *p = &u->test->col[c];
    u64 bits = 0;
    for (u32 lane = 0; lane < u->count; lane++) {
        const struct case_const *v = &run_row(u, lane)->value[c].alt[0];
        if (p->place >= PLACE_V0)
            set_value(b, 0, p, (i32)lane, v);
        else
            bits |= (u64)(v->dw[0] & 1) << lane;
    }
    if (p->place < PLACE_V0) {
        *start_place(b, 0, p->place) = (u32)bits;
        *start_place(b, 0, p->place + 1u) = (u32)(bits >> 32);
    }
}

static void set_columns(struct build *b)
{
    const struct case_test *t = b->u->test;
    for (u32 c = 0; c < t->in_cols; c++) {
        const struct case_place *p = &t->col[c];
        if (t->shape == CASE_LANES)
            set_lane_column(b, c);
        else if (p->space == CASE_REG)
            set_value(b, 0, p, p->lane < 0 ? 0 : p->lane, &run_row(b->u, 0)->value[c].alt[0]);
    }
}

static void set_registers(struct build *b, const struct dut *dut)
{
    const struct run_unit *u = b->u;
    const struct case_test *t = u->test;
    const struct case_item *item = run_item(u);
    u64 exec = t->shape == CASE_LANES ? mask64(u->count) : t->one_lane ? 1 : ~0ull;
    for (u32 w = 0; w < t->waves; w++) {
        start_place(b, w, CODE_VCC);
        start_place(b, w, CODE_VCC + 1);
        u32 *m0 = start_place(b, w, CODE_M0);
        if (isa_target_has(u->isa->target, FEATUREBIT_LDS_LIMIT))
            *m0 = ~0u; /* no limit: as compilers begin */
        bool traps = isa_target_has(u->isa->target, FEATUREBIT_TRAP_SGPRS) &&
                     dut_can(dut, CODE_TRAP) == GCNCHECK_SHOW_SET;
        for (u32 place = CODE_TRAP; traps && place < CODE_TTMP_OLD; place++)
            *start_place(b, w, place) = 0; /* there is no handler */
        *start_place(b, w, CODE_EXEC) = (u32)exec;
        *start_place(b, w, CODE_EXEC + 1) = (u32)(exec >> 32);
        *start_place(b, w, PLACE_SCC) = 0;
        *start_place(b, w, PLACE_MODE) = dut_mode(dut, t->mode);
        if (dut_can(dut, PLACE_TRAPSTS) == GCNCHECK_SHOW_SET)
            *start_place(b, w, PLACE_TRAPSTS) = 0;
    }
    set_list(b, &t->in);
    if (item)
        set_list(b, &item->in);
    set_columns(b);
    if (t->shape == CASE_LANES) {
        *start_place(b, 0, CODE_EXEC) &= (u32)exec;
        *start_place(b, 0, CODE_EXEC + 1) &= (u32)(exec >> 32);
    }
}

/* ---- what is read back ---- */

static void get_place(struct build *b, const struct dut *dut, u32 wave, u32 place)
{
    if (dut_can(dut, place) != GCNCHECK_NO)
        job_get(b->jb, wave, place);
}

static void get_list(struct build *b, const struct dut *dut, const struct case_assigns *list)
{
    for (u32 i = 0; i < list->count; i++) {
        const struct case_place *p = &list->a[i].place;
        for (u32 w = 0; p->space == CASE_REG && w < b->u->test->waves; w++)
            for (u32 k = 0; k < p->dw && (p->wave < 0 || p->wave == (i32)w); k++)
                get_place(b, dut, w, p->place + k);
    }
}

/* Those of a set, numbers ascending. */
static void get_set(struct build *b, const struct dut *dut, u32 wave,
                    const struct judge_places *set)
{
    for (u32 i = 0; i < JUDGE_WORDS; i++)
        for (u64 bits = set->bits[i]; bits; bits &= bits - 1)
            get_place(b, dut, wave, i * 64 + ctz64(bits));
}

/* Registers nobody has a reason to write. */
static void get_watched(struct build *b, const struct dut *dut, u32 wave)
{
    u16 watched[JUDGE_WATCHED];
    judge_watched(b->u->key, wave, watched);
    for (u32 i = 0; i < JUDGE_WATCHED; i++)
        get_place(b, dut, wave, watched[i]);
    if (judge_reads_all(b->u->key)) {
        for (u32 place = 0; place <= CODE_VCC + 1; place++)
            get_place(b, dut, wave, place);
        for (u32 v = 0; v < VGPRS; v++)
            get_place(b, dut, wave, PLACE_V0 + v);
        return;
    }
    /* Neighbours of what is written, and the other half of a scalar pair: the likeliest to be hit by
     * mistake. */
    const struct judge_places *writes = &b->u->program->writes;
    for (u32 next = 1; next < PLACE_A0; next++)
        if (judge_has(writes, next - 1) && (next < 102 || next >= PLACE_V0))
            get_place(b, dut, wave, next);
    for (u32 code = 0; code <= CODE_EXEC + 1; code++)
        if (judge_has(writes, code ^ 1) && (code <= CODE_VCC + 1 || code >= CODE_EXEC))
            get_place(b, dut, wave, code);
}

static void get_places(struct build *b, const struct dut *dut)
{
    const struct run_unit *u = b->u;
    const struct case_item *item = run_item(u);
    for (u32 w = 0; w < u->test->waves; w++) {
        get_set(b, dut, w, &u->program->touches);
        get_watched(b, dut, w);
    }
    get_list(b, dut, &u->test->out);
    if (item)
        get_list(b, dut, &item->out);
    for (u32 c = u->test->in_cols; c < u->test->cols; c++)
        for (u32 k = 0; u->test->col[c].space == CASE_REG && k < u->test->col[c].dw; k++)
            get_place(b, dut, 0, u->test->col[c].place + k);
}

struct gcncheck_job *run_build(const struct run_unit *u, const char *mcpu, const struct dut *dut,
                               struct jobbuf *jb)
{
    struct build b = { .u = u, .jb = jb };
    run_bases(u, b.base);
    jobbuf_reset(jb, mcpu);
    job_code(jb, u->program->code, u->program->dw, PC_DEFAULT);
    set_registers(&b, dut);
    get_places(&b, dut);
    add_memories(&b);
    struct gcncheck_job *job = job_ready(jb);
    if (job)
        job->waves = u->test->waves;
    return job;
}

/* ---- partial DUTs ---- */

bool run_has_other_mode(const struct run_unit *u, const struct dut *dut)
{
    return u->program && dut->has_fixed_mode && u->test->mode != dut->fixed_mode;
}

static bool cannot_set(const struct dut *dut, const struct case_place *p)
{
    return p->space == CASE_REG && dut_can(dut, p->place) != GCNCHECK_SHOW_SET;
}

const char *run_cannot(const struct run_unit *u, const struct dut *dut, char *buf, size_t size)
{
    const struct case_test *t = u->test;
    const struct case_item *item = run_item(u);
    const struct case_assigns *lists[2] = { &t->in, item ? &item->in : NULL };
    for (u32 k = 0; k < 2; k++)
        for (u32 i = 0; lists[k] && i < lists[k]->count; i++)
            if (cannot_set(dut, &lists[k]->a[i].place))
                return casefile_place_name(t, &lists[k]->a[i].place, buf, size);
    for (u32 c = 0; c < t->in_cols; c++)
        if (cannot_set(dut, &t->col[c]))
            return casefile_place_name(t, &t->col[c], buf, size);
    bool part = t->shape == CASE_LANES ? u->count < LANES : t->one_lane;
    const char *name = NULL;
    if (t->mode != MODE_DEFAULT && !dut->has_fixed_mode &&
        dut_can(dut, PLACE_MODE) != GCNCHECK_SHOW_SET)
        name = "mode";
    else if (part && dut_can(dut, CODE_EXEC) != GCNCHECK_SHOW_SET)
        name = "exec";
    if (name)
        snprintf(buf, size, "%s", name);
    return name ? buf : NULL;
}
