#include "harness/campaign/vector.h"

#include "fuzz/gen/gen.h"
#include "harness/case/only.h"
#include "harness/check/internal.h"
#include "harness/finding/stream_job.h"
#include "oracle/accept/acceptance.h"
#include "oracle/base/array.h"
#include "oracle/errata/errata.h"
#include "oracle/state/effects.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS_OF_STREAM = 400 };

/* A record that waits to be sorted. */
struct kept {
    char key[160];
    u64 index;
    u8 *bytes;
    size_t size;
};

struct stepping {
    const struct step_vectors *cfg;
    struct isa isa;
    struct generator gen;
    struct stream stream;
    struct model *traced, *alone;
    struct jobbuf *whole, *one, *run; /* a stream; a step before and after it is run */
    struct vector_build *b;
    struct acceptance acceptance;
    u32 numbers[OPS_MAX][FORM_COUNT];
    struct kept *kept;
    u32 count, cap;
};

/* ---- one step as a job ---- */

static void set_place(struct stepping *s, const struct wave *w, u32 place)
{
    u32 *to = job_set(s->one, 0, place);
    for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(place); lane++)
        to[lane] = wave_get(w, place, lane);
}

static bool is_shown(u32 place)
{
    return place < GCNCHECK_PC_LO && place != GCNCHECK_STATUS;
}

/* Only what the instruction names, and the registers with names of their own. */
static void set_touched(struct stepping *s, const struct wave *w, const struct effects *fx)
{
    static const u16 named[] = { CODE_VCC,      CODE_VCC + 1, CODE_M0,   CODE_EXEC,
                                 CODE_EXEC + 1, PLACE_SCC,    PLACE_MODE };
    for (u32 i = 0; i < COUNT_OF(named); i++)
        set_place(s, w, named[i]);
    *job_set(s->one, 0, PLACE_TRAPSTS) = 0;
    for (u32 i = 0; i < fx->count; i++)
        for (u32 k = 0; k < fx->e[i].dw; k++)
            if (is_shown(fx->e[i].place + k) && fx->e[i].place + k != PLACE_TRAPSTS)
                set_place(s, w, fx->e[i].place + k);
}

static struct gcncheck_job *step_job(struct stepping *s, const struct wave *w,
                                     const struct insn *in, const struct effects *fx)
{
    const struct machine *m = s->traced->m;
    u32 code[INSN_DW_MAX + 2], n = insn_encode(in, code);
    bool is_memory = fx->mem_read || fx->mem_write;
    if (is_memory)
        code[n++] = (u32)DW_WAIT;
    code[n++] = (u32)DW_END;
    jobbuf_reset(s->one, s->cfg->mcpu);
    job_code(s->one, code, n, w->pc);
    set_touched(s, w, fx);
    for (u32 i = 0; is_memory && i < m->mem.count; i++)
        job_window(s->one, m->mem.window[i].base, m->mem.window[i].size, m->mem.window[i].bytes);
    if (is_memory && m->lds->size)
        job_lds(s->one, m->lds->size, m->lds->bytes);
    for (u32 place = 0; place < PLACE_A0; place++)
        if (place <= CODE_VCC + 1 || place == CODE_M0 || place == CODE_EXEC ||
            place == CODE_EXEC + 1 || place >= PLACE_V0)
            job_get(s->one, 0, place);
    job_get(s->one, 0, PLACE_SCC);
    job_get(s->one, 0, PLACE_MODE);
    for (u32 i = 0; i < fx->count; i++)
        for (u32 k = 0; k < fx->e[i].dw; k++)
            if (fx->e[i].place + k >= PLACE_A0 && fx->e[i].place + k < PLACE_SCC)
                job_get(s->one, 0, fx->e[i].place + k);
    return job_ready(s->one);
}

/* ---- what is right ---- */

/* Where a vector result goes. */
struct result_at {
    u32 place, dw;
};

static void add_part(struct stepping *s, const struct result_at *at, u32 lane, u32 lsb, u32 width,
                     u64 whole)
{
    const struct acceptance *l = &s->acceptance;
    bool is_float = isa_types[l->type].class == CLASS_FLOAT;
    u64 w = bits64(whole, lsb, width);
    struct vector_accept a = { .place = at->place, .lane = lane, .dw = at->dw, .rule = "model" };
    struct tolerance near = { .kind = (enum isa_accept)l->accept,
                              .n = l->accept_n,
                              .less = l->less_lanes >> lane & 1,
                              .more = l->more_lanes >> lane & 1,
                              .relative = l->rel_lanes >> lane & 1 };
    vector_range(&a, width, 0, w, w);
    for (u32 i = 0; i < l->alt_count[lane]; i++) {
        u64 alt = bits64(l->alt[i][lane], lsb, width);
        vector_range(&a, width, 0, alt, alt);
    }
    if (is_float && l->nan_lanes >> lane & 1 && tolerance_both_nan(width, w, w, l->ieee))
        vector_range_nans(&a, width, 0, l->ieee);
    if (is_float && l->near_lanes >> lane & 1)
        vector_range_near(&a, width, w, &near);
    for (u32 i = 0; i < a.count; i++) {
        a.lo[i][0] <<= lsb;
        a.hi[i][0] <<= lsb;
    }
    u64 mask = mask64(width) << lsb;
    a.mask[0] = (u32)mask;
    a.mask[1] = (u32)(mask >> 32);
    for (u32 i = 0; i < at->dw; i++)
        vector_want(s->b, 0, at->place + i, lane, (u32)((whole & ~mask) >> 32 * i),
                    (u32)(~mask >> 32 * i));
    vector_accept(s->b, &a);
}

static void open_lane(struct stepping *s, const struct result_at *at, u32 lane, u64 whole)
{
    const struct acceptance *l = &s->acceptance;
    u64 open = acceptance_open_bits(l, lane, 0) | (u64)acceptance_open_bits(l, lane, 1) << 32;
    bool is_float = isa_types[l->type].class == CLASS_FLOAT;
    for (u32 i = 0; open && i < at->dw; i++)
        vector_want(s->b, 0, at->place + i, lane, (u32)(whole >> 32 * (i & 1)),
                    l->any_lanes >> lane & 1 ? 0 : ~(u32)(open >> 32 * (i & 1)));
    bool is_ranged = l->alt_count[lane] || (is_float && (l->nan_lanes | l->near_lanes) >> lane & 1);
    if (open || !is_ranged || at->dw > 2)
        return;
    if (l->type == T_PF16) {
        add_part(s, at, lane, 0, 16, whole);
        add_part(s, at, lane, 16, 16, whole);
        for (u32 i = 0; i < at->dw; i++)
            vector_want(s->b, 0, at->place + i, lane, 0, 0);
    } else {
        add_part(s, at, lane, l->type == T_F16 ? l->shift : 0, l->type == T_F16 ? 16 : l->dw * 32u,
                 whole);
    }
}

/* Where the results of the prepared instruction go, and what they leave open. */
struct opened {
    struct result_at vector, scalar;
    u32 mask; /* of lanes; 0: none */
};

static void find_open(struct stepping *s, struct wave *w, struct opened *o)
{
    const struct xinsn *x = machine_fetch(s->alone->m, w);
    *o = (struct opened){ .mask = 0 };
    acceptance_of(w, x, &s->acceptance);
    const struct xop *result = acceptance_vector(x);
    for (const struct isa_operand *d = insn_row(&x->insn)->operand; d->kind != K_NONE; d++) {
        struct result_at at = { x->opnd[d->slot].code, insn_operand_dw(&x->insn, d) };
        if (!(d->dir & DIR_W))
            continue;
        if (&x->opnd[d->slot] == result)
            o->vector = at;
        else if (d->kind == K_MASK)
            o->mask = at.place;
        else
            o->scalar = at;
    }
}

static void open_results(struct stepping *s, const struct opened *o, const struct gcncheck_job *end)
{
    const struct acceptance *l = &s->acceptance;
    u32 value[2][LANES] = { { 0 } };
    for (u32 i = 0; i < end->get_count; i++) {
        const struct gcncheck_slot *g = &end->get[i];
        u32 at = g->place - o->vector.place;
        if (o->vector.place && g->place >= o->vector.place && at < 2 && at < o->vector.dw)
            memcpy(value[at], end->out + g->index, sizeof value[0]);
        if (l->mask_lanes && (g->place == o->mask || g->place == o->mask + 1u))
            vector_want(s->b, 0, g->place, 0, end->out[g->index],
                        ~(u32)(l->mask_lanes >> (g->place - o->mask) * 32));
        if (l->scalar && g->place >= o->scalar.place && g->place < o->scalar.place + o->scalar.dw)
            vector_want(s->b, 0, g->place, 0, 0, 0);
    }
    for (u32 lane = 0; o->vector.place && lane < LANES; lane++)
        open_lane(s, &o->vector, lane, value[0][lane] | (u64)value[1][lane] << 32);
}

static void state_end(struct stepping *s, const struct gcncheck_job *end)
{
    for (u32 i = 0; i < end->get_count; i++) {
        const struct gcncheck_slot *g = &end->get[i];
        vector_check(s->b, g->place);
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(g->place); lane++)
            if (end->out[g->index + lane] != job_initial(end, 0, g->place, lane))
                vector_want(s->b, 0, g->place, lane, end->out[g->index + lane], ~0u);
    }
    for (u32 k = 0; k < end->window_count; k++)
        vector_want_bytes(s->b, k, 0, (u32)end->windows[k].size, end->windows[k].bytes, true);
    if (end->lds_size)
        vector_want_bytes(s->b, end->window_count, 0, end->lds_size, end->lds, true);
}

/* ---- all steps ---- */

/* Entries of the ledger that touch the opcode. */
static void find_errata(enum gen gen, isa_op op, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    const struct erratum *entry;
    for (u32 i = 0; (entry = erratum_at(i)); i++)
        if (erratum_touches(entry, gen, op) && t.len + strlen(entry->id) + 1 < size)
            text_add(&t, "%s%s", t.len ? " " : "", entry->id);
}

static enum status keep(struct stepping *s, const char *key, const struct vector_record *r,
                        struct err *e)
{
    struct kept *grown = array_grow(s->kept, &s->cap, s->count + 1ull, sizeof *grown);
    if (!grown)
        return err_memory(e);
    s->kept = grown;
    struct kept *k = &s->kept[s->count];
    *k = (struct kept){ .index = s->count, .bytes = malloc(r->size + 1), .size = r->size };
    if (!k->bytes)
        return err_memory(e);
    memcpy(k->bytes, r->bytes, r->size);
    snprintf(k->key, sizeof k->key, "%s", key);
    s->count++;
    return ST_OK;
}

/* The job again, to be run. */
static struct gcncheck_job *copy_job(struct stepping *s, const struct gcncheck_job *job)
{
    compare_copy(s->run, job);
    for (u32 i = 0; i < job->get_count; i++)
        job_get(s->run, job->get[i].wave, job->get[i].place);
    return compare_ready(s->run, job);
}

static enum status finish_step(struct stepping *s, const struct insn *in, u64 index, u32 step,
                               struct err *e)
{
    const struct isa_row *row = insn_row(in);
    const char *form = isa_form_name((enum gen)in->gen, row, in->form);
    char encoding[32], id[160], from[96], text[128], ledger[64], key[160];
    struct vector_record r;
    snprintf(encoding, sizeof encoding, "%s", isa_encs[row->enc].name);
    for (char *c = encoding; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    snprintf(id, sizeof id, "%s/%s/%s/%s#seed-%" PRIu64 ".stream-%" PRIu64 ".step-%u", s->cfg->mcpu,
             encoding, insn_name(in), form, s->cfg->seed, index, step);
    snprintf(from, sizeof from, "seed %" PRIu64 ", stream %" PRIu64 ", step %u", s->cfg->seed,
             index, step);
    snprintf(key, sizeof key, "%s/%s.%s.json", encoding, insn_name(in), form);
    insn_print(&s->isa, in, text, sizeof text);
    find_errata((enum gen)in->gen, in->op, ledger, sizeof ledger);
    vector_describe(s->b, &(struct vector_about){ .mcpu = s->cfg->mcpu,
                                                  .encoding = encoding,
                                                  .mnemonic = insn_name(in),
                                                  .form = form,
                                                  .number = ++s->numbers[in->op][in->form],
                                                  .text = text,
                                                  .from = from,
                                                  .source = "model" });
    vector_row(s->b, id, from, ledger);
    enum status st = vector_finish(s->b, &r, e);
    return st == ST_OK ? keep(s, key, &r, e) : st;
}

/* The step that the wave is about to do. */
static enum status add_step(struct stepping *s, const struct wave *w, const struct insn *in,
                            u64 index, u32 step, struct err *e)
{
    struct effects fx;
    struct opened open;
    const struct vector_about none = { .mcpu = NULL };
    effects_of(in, &fx);
    const struct gcncheck_job *job = step_job(s, w, in, &fx);
    struct gcncheck_job *end = job ? copy_job(s, job) : NULL;
    if (!end)
        return err_memory(e);
    enum status st = model_start(s->alone, end, e);
    if (st != ST_OK)
        return st;
    find_open(s, s->alone->m->wave[0], &open);
    st = model_run(s->alone, end, e);
    if (st != ST_OK)
        return st;
    if (end->outcome != OUT_DONE)
        return ST_OK;
    vector_begin(s->b, &none, job);
    state_end(s, end);
    open_results(s, &open, end);
    return finish_step(s, in, index, step, e);
}

static bool is_wanted(const struct stepping *s, const struct insn *in)
{
    struct only_name name;
    if (insn_row(in)->flags & (FLAG_END | FLAG_BARRIER | FLAG_GDS_ONLY | FLAG_BRANCH))
        return false;
    if (!s->cfg->only)
        return true;
    for (bool more = only_first(s->cfg->only, &name); more; more = only_next(&name))
        if (only_is_op(&name, &s->isa, in->op))
            return true;
    return false;
}

static enum status walk_stream(struct stepping *s, u64 index, struct err *e)
{
    gen_stream(&s->gen, index, &s->stream);
    struct gcncheck_job *job = stream_job_build(&s->stream, s->whole);
    enum status st = job ? model_start(s->traced, job, e) : err_memory(e);
    struct machine *m = s->traced->m;
    struct wave *w = m->wave[0];
    for (u32 step = 0; st == ST_OK && w->stop == STOP_NONE && step < STEPS_OF_STREAM; step++) {
        const struct xinsn *x = machine_fetch(m, w);
        struct insn in = { .op = OP_NONE };
        if (x)
            in = x->insn;
        if (x && is_wanted(s, &in))
            st = add_step(s, w, &in, index, step, e);
        machine_step(m, w);
    }
    return st;
}

static int by_key(const void *x, const void *y)
{
    const struct kept *a = x, *b = y;
    int order = strcmp(a->key, b->key);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Streams that turn around what is wanted. */
static enum status open_generator(struct stepping *s, struct err *e)
{
    struct gen_cfg gc = gen_cfg_default;
    u32 count = 0;
    gc.seed = s->cfg->seed;
    gc.waves_max = 1;
    enum status st = isa_open_modelled(&s->isa, s->cfg->mcpu, e);
    if (st == ST_OK)
        st = gen_open(&s->gen, &s->isa, &gc, e);
    for (u32 i = 0; st == ST_OK && i < s->gen.op_count; i++) {
        struct only_name name;
        bool is_in = !s->cfg->only;
        for (bool more = only_first(s->cfg->only, &name); more && !is_in; more = only_next(&name))
            is_in = only_is_op(&name, &s->isa, s->gen.op[i]);
        if (is_in)
            s->gen.op[count++] = s->gen.op[i];
    }
    if (st == ST_OK && !count)
        return err_set(e, ST_INPUT, "--only: no opcode that random programs are made of");
    s->gen.op_count = count;
    return st;
}

static void close_stepping(struct stepping *s)
{
    for (u32 i = 0; i < s->count; i++)
        free(s->kept[i].bytes);
    free(s->kept);
    model_close(s->traced);
    model_close(s->alone);
    jobbuf_free(s->whole);
    jobbuf_free(s->one);
    jobbuf_free(s->run);
    vector_build_free(s->b);
    free(s);
}

enum status vector_steps(const struct step_vectors *cfg, step_vector_fn *fn, void *ctx,
                         struct err *e)
{
    struct stepping *s = calloc(1, sizeof *s);
    if (!s)
        return err_memory(e);
    s->cfg = cfg;
    s->whole = jobbuf_new();
    s->one = jobbuf_new();
    s->run = jobbuf_new();
    s->b = vector_build_new();
    enum status st = s->whole && s->one && s->run && s->b ? open_generator(s, e) : err_memory(e);
    if (st == ST_OK)
        st = model_open(&s->traced, cfg->mcpu, "ref", NULL, e);
    if (st == ST_OK)
        st = model_open(&s->alone, cfg->mcpu, "ref", NULL, e);
    for (u64 i = 0; i < cfg->count && st == ST_OK; i++)
        st = walk_stream(s, i, e);
    if (s->count)
        qsort(s->kept, s->count, sizeof *s->kept, by_key);
    for (u32 i = 0; i < s->count && st == ST_OK; i++) {
        struct vector_record r = { .bytes = s->kept[i].bytes, .size = s->kept[i].size };
        st = fn(ctx, &r, e);
    }
    close_stepping(s);
    return st;
}
