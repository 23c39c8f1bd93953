#include "harness/selfcheck/internal.h"

#include "oracle/base/array.h"
#include "oracle/insn/insn.h"
#include "oracle/state/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NAME_BYTES = 63, /* put at once */
    NONCE = 0x5a5a5a50,
    ROW_DW = DRM_ROW / 4,
    CODE_PAD_DW = 16,
    REACH_BYTES = 0x7000 * 4, /* of a branch, with some to spare */
    RECORD_DW = SELFCHECK_RECORD_BYTES / 4
};

struct selfcheck {
    struct isa isa;
    char mcpu[32], name[32];
    struct heap data, text; /* the text without the kernel before it */
    struct case_of {
        u32 entry[ENTRY_DW];
        u32 prologue, program; /* bytes of the text */
    } * cases;
    u32 count, cap, lds;
    /* What serves the programs behind it, as far as branches reach. */
    struct placed {
        struct drm_wrapper w;
        u32 prologue, epilogue, back; /* bytes of the text; the last: the way back */
    } * wrapper;
    u32 wrappers, wrapper_cap;
    bool has_accs;
    /* Rows of the data, so that equal ones are there once: offset + 1, by hash. */
    u32 *row_at, row_slots, rows;
    struct jobbuf *jb;
    u32 in[RECORD_DW], made[RECORD_DW], want[RECORD_DW], mask[RECORD_DW];
};

enum status selfcheck_heap_add(struct heap *h, const void *bytes, u32 size, u32 align, u32 *at,
                               struct err *e)
{
    u32 first = (h->size + align - 1) / align * align;
    if ((u64)first + size > h->cap) {
        u8 *grown = array_grow(h->bytes, &h->cap, (u64)first + size, 1);
        if (!grown)
            return err_memory(e);
        h->bytes = grown;
    }
    memset(h->bytes + h->size, 0, first - h->size);
    memcpy(h->bytes + first, bytes, size);
    h->size = first + size;
    *at = first;
    return ST_OK;
}

enum status selfcheck_open(struct selfcheck **out, const char *mcpu, const char *name,
                           struct err *e)
{
    struct selfcheck *s = calloc(1, sizeof *s);
    if (!s)
        return err_memory(e);
    snprintf(s->mcpu, sizeof s->mcpu, "%s", mcpu);
    snprintf(s->name, sizeof s->name, "%s", name);
    s->row_slots = 1 << 18;
    s->row_at = calloc(s->row_slots, sizeof *s->row_at);
    s->jb = jobbuf_new();
    enum status st = s->row_at && s->jb ? isa_open_modelled(&s->isa, mcpu, e) : err_memory(e);
    /* Neither the wrapper nor the kernel waits until a store has taken its data. */
    if (st == ST_OK && isa_target_has(s->isa.target, FEATUREBIT_LATE_STORES))
        st =
            err_set(e, ST_INPUT, "there are no code objects that check themselves for %.30s", mcpu);
    if (st != ST_OK)
        selfcheck_close(s);
    else
        *out = s;
    return st;
}

void selfcheck_close(struct selfcheck *s)
{
    if (!s)
        return;
    jobbuf_free(s->jb);
    for (u32 i = 0; i < s->wrappers; i++)
        drm_wrapper_free(&s->wrapper[i].w);
    free(s->wrapper);
    free(s->row_at);
    free(s->cases);
    free(s->data.bytes);
    free(s->text.bytes);
    free(s);
}

u32 selfcheck_count(const struct selfcheck *s)
{
    return s->count;
}

/* ---- rows of the data ---- */

static u32 hash_of(const u32 *row)
{
    u64 h = 1;
    for (u32 i = 0; i < ROW_DW; i++)
        h = hash_mix(h, row[i]);
    return (u32)(h ^ h >> 32);
}

/* Where a row stands; it is added if it is new and there is room to remember it, or in any case. */
static enum status add_row(struct selfcheck *s, const u32 *row, u32 *at, struct err *e)
{
    u32 slot = hash_of(row) % s->row_slots;
    while (s->row_at[slot]) {
        *at = s->row_at[slot] - 1;
        if (memcmp(s->data.bytes + *at, row, DRM_ROW) == 0)
            return ST_OK;
        slot = (slot + 1) % s->row_slots;
    }
    enum status st = selfcheck_heap_add(&s->data, row, DRM_ROW, DRM_ROW, at, e);
    if (st == ST_OK && s->rows < s->row_slots / 2) {
        s->row_at[slot] = *at + 1;
        s->rows++;
    }
    return st;
}

/* ---- a vector as records ---- */

/* What holds at the end, as a record with masks. */
static enum status state_end(struct selfcheck *s, const struct gcncheck_vector *v,
                             const struct drm_layout *l, struct err *why)
{
    u32 at, rows = drm_layout_rows(l) * ROW_DW, all = drm_layout_bytes(l) / 4;
    memcpy(s->want, s->in, all * sizeof *s->in);
    memset(s->mask, 0, rows * sizeof *s->mask);
    for (u32 i = 0; i < v->check_count; i++)
        if (drm_record_at(l, v->check[i], &at))
            memset(s->mask + at, 0xff, GCNCHECK_PLACE_DW(v->check[i]) * sizeof *s->mask);
    for (u32 i = 0; i < v->end_count; i++) {
        const struct gcncheck_vector_end *n = &v->end[i];
        if (!drm_record_at(l, n->place, &at))
            return err_set(why, ST_INPUT, "a register that is not in the record");
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(n->place); lane++) {
            s->want[at + lane] = gcv_lane(&n->want, lane);
            s->mask[at + lane] = n->mask.count ? gcv_lane(&n->mask, lane) : ~0u;
        }
    }
    memset(s->mask + rows, 0, (all - rows) * sizeof *s->mask);
    if (v->memory_count)
        memset(s->mask + rows, 0xff, v->memory[0].size / 4 * 4);
    for (u32 i = 0; i < v->change_count; i++)
        for (u32 k = 0; k < v->change[i].want.count; k++) {
            at = rows + v->change[i].at / 4 + k;
            s->want[at] = gcncheck_dword(&v->change[i].want, k);
            s->mask[at] = v->change[i].mask.count ? gcncheck_dword(&v->change[i].mask, k) : ~0u;
        }
    s->mask[ROW_DW + DRM_LANE_NONCE] = ~0u;
    return ST_OK;
}

/* Writes the rows of the record that the kernel makes by itself. */
static void make_rows(u32 *r, const struct drm_layout *l, u32 fill)
{
    const u32 first[] = { GCNCHECK_V0, GCNCHECK_A0 };
    r += DRM_SCALAR_ROWS * ROW_DW;
    for (u32 kind = 0; kind < COUNT_OF(first); kind++)
        for (u32 i = 0; i < DRM_VGPRS; i++)
            for (u32 lane = 0; lane < ROW_DW && l->groups[kind] >> i / DRM_GROUP & 1; lane++)
                *r++ = gcncheck_poison(1, first[kind] + i, lane);
    for (u32 at = 0; at < l->lds; at += 4)
        *r++ = fill ? fill + at : 0;
}

/* Rows that the kernel is given: pairs of where and what. */
static enum status add_start(struct selfcheck *s, const struct drm_layout *l, u32 *entry,
                             struct err *e)
{
    u32 all = drm_layout_bytes(l) / DRM_ROW, at = 0;
    u32(*pair)[2] = malloc((all + 1) * sizeof *pair);
    enum status st = pair ? ST_OK : err_memory(e);
    entry[ENTRY_ROW_COUNT] = 0;
    make_rows(s->made, l, entry[ENTRY_LDS_FILL]);
    for (u32 row = 0; row < all && st == ST_OK; row++) {
        const u32 *in = s->in + row * ROW_DW;
        if (row >= DRM_SCALAR_ROWS && memcmp(in, s->made + row * ROW_DW, DRM_ROW) == 0)
            continue;
        u32 *to = pair[entry[ENTRY_ROW_COUNT]++];
        to[0] = SELFCHECK_IN + row * DRM_ROW;
        st = add_row(s, in, &to[1], e);
    }
    if (st == ST_OK)
        st = selfcheck_heap_add(&s->data, pair, entry[ENTRY_ROW_COUNT] * (u32)sizeof *pair, 8, &at,
                                e);
    if (st == ST_OK)
        entry[ENTRY_ROWS] = at;
    free(pair);
    return st;
}

struct checks {
    struct selfcheck_check *check;
    u32 count, cap;
};

static enum status add_check(struct checks *c, const struct selfcheck_check *one, struct err *e)
{
    struct selfcheck_check *grown = array_grow(c->check, &c->cap, c->count + 1ull, sizeof *grown);
    if (!grown)
        return err_memory(e);
    c->check = grown;
    c->check[c->count++] = *one;
    return ST_OK;
}

/* The ranges of one place: those of each lane, as rows of their lower and upper ends. Lanes that have
 * none take everything. */
static enum status add_ranges(struct selfcheck *s, const struct gcncheck_vector *v, u32 first,
                              u32 row, const struct drm_layout *l, struct checks *c, struct err *e)
{
    const struct gcncheck_vector_accept *a = &v->accept[first];
    u32 dw = a->dw, most = 0, at, mask[2][ROW_DW] = { { 0 } };
    struct selfcheck_check check = { .kind = dw == 1 ? CHECK_RANGE : CHECK_RANGE_64,
                                     .out = SELFCHECK_OUT + row * DRM_ROW,
                                     .in = SELFCHECK_IN + row * DRM_ROW };
    for (u32 i = first; i < v->accept_count; i++)
        if (v->accept[i].place == a->place && v->accept[i].lo.count / dw > most)
            most = v->accept[i].lo.count / dw;
    u32 size = most * 2 * dw * ROW_DW;
    u32 *ends = malloc(size * sizeof *ends);
    if (!ends)
        return err_memory(e);
    for (u32 i = 0; i < size; i++)
        ends[i] = i / (dw * ROW_DW) % 2 ? ~0u : 0;
    for (u32 i = first; i < v->accept_count; i++) {
        const struct gcncheck_vector_accept *b = &v->accept[i];
        u32 count = b->lo.count / dw, lane;
        if (b->place != a->place || !drm_record_at(l, b->place, &at))
            continue;
        lane = at % ROW_DW + (GCNCHECK_PLACE_DW(b->place) > 1 ? b->lane : 0);
        for (u32 k = 0; k < most * dw; k++) {
            u32 range = k / dw < count ? k / dw : 0, part = k % dw;
            mask[part][lane] = gcncheck_dword(&b->mask, part);
            u32 *to = ends + k / dw * 2 * dw * ROW_DW + part * ROW_DW + lane;
            to[0] = gcncheck_dword(&b->lo, range * dw + part);
            to[dw * ROW_DW] = gcncheck_dword(&b->hi, range * dw + part);
        }
    }
    check.count = most;
    enum status st =
        selfcheck_heap_add(&s->data, ends, size * (u32)sizeof *ends, DRM_ROW, &check.data, e);
    if (st == ST_OK)
        st = selfcheck_heap_add(&s->data, mask, dw * DRM_ROW, DRM_ROW, &check.mask, e);
    free(ends);
    return st == ST_OK ? add_check(c, &check, e) : st;
}

static enum status add_accepts(struct selfcheck *s, const struct gcncheck_vector *v,
                               const struct drm_layout *l, struct checks *c, struct err *e)
{
    enum status st = ST_OK;
    for (u32 i = 0; i < v->accept_count && st == ST_OK; i++) {
        u32 at;
        bool is_first = true;
        for (u32 k = 0; k < i; k++)
            is_first &= v->accept[k].place != v->accept[i].place;
        if (!drm_record_at(l, v->accept[i].place, &at))
            return err_set(e, ST_INPUT, "a register that is not in the record");
        if (is_first)
            st = add_ranges(s, v, i, at / ROW_DW, l, c, e);
    }
    return st;
}

/* Rows of which something else is stated than that they stay as they were. */
static enum status add_exact(struct selfcheck *s, const struct drm_layout *l, struct checks *c,
                             struct err *e)
{
    enum status st = ST_OK;
    for (u32 row = 0; row < drm_layout_bytes(l) / DRM_ROW && st == ST_OK; row++) {
        u32 *want = s->want + row * ROW_DW;
        const u32 *mask = s->mask + row * ROW_DW;
        struct selfcheck_check check = { .kind = CHECK_MASK,
                                         .out = SELFCHECK_OUT + row * DRM_ROW,
                                         .in = SELFCHECK_IN + row * DRM_ROW };
        bool is_stated = false;
        for (u32 i = 0; i < ROW_DW; i++) {
            is_stated |= mask[i] != ~0u || want[i] != s->in[row * ROW_DW + i];
            want[i] &= mask[i];
        }
        if (!is_stated)
            continue;
        st = add_row(s, want, &check.data, e);
        if (st == ST_OK)
            st = add_row(s, mask, &check.mask, e);
        if (st == ST_OK)
            st = add_check(c, &check, e);
    }
    return st;
}

static enum status add_checks(struct selfcheck *s, const struct gcncheck_vector *v,
                              const struct drm_layout *l, u32 *entry, struct err *e)
{
    struct checks c = { 0 };
    enum status st = add_accepts(s, v, l, &c, e);
    if (st == ST_OK)
        st = add_exact(s, l, &c, e);
    if (st == ST_OK)
        st = selfcheck_heap_add(&s->data, c.check, c.count * (u32)sizeof *c.check, 32,
                                &entry[ENTRY_CHECKS], e);
    entry[ENTRY_CHECK_COUNT] = c.count;
    free(c.check);
    return st;
}

/* ---- its code ---- */

/* Puts another wrapper into the text. */
static enum status add_wrapper(struct selfcheck *s, const u32 *scalar, struct err *e)
{
    struct placed *grown =
        array_grow(s->wrapper, &s->wrapper_cap, s->wrappers + 1ull, sizeof *grown);
    u32 back[RETURN_DW];
    if (!grown)
        return err_memory(e);
    s->wrapper = grown;
    struct placed *p = &s->wrapper[s->wrappers];
    struct drm_wrapper *w = &p->w;
    enum status st = drm_wrapper_make(w, &s->isa, scalar, NULL, NULL, e);
    if (st != ST_OK)
        return st;
    s->wrappers++;
    st = driver_return(&s->isa, back, e);
    if (st == ST_OK)
        st = selfcheck_heap_add(&s->text, w->prologue, w->prologue_dw * 4, 64, &p->prologue, e);
    if (st == ST_OK) /* the last of an epilogue is s_endpgm */
        st =
            selfcheck_heap_add(&s->text, w->epilogue, (w->epilogue_dw - 1) * 4, 4, &p->epilogue, e);
    if (st == ST_OK)
        st = selfcheck_heap_add(&s->text, back, sizeof back, 4, &p->back, e);
    return st;
}

/* The last wrapper with these registers, if a program of so many bytes that comes next reaches it,
 * or another. */
static enum status wrapper_for(struct selfcheck *s, const u32 *scalar, u32 bytes,
                               const struct placed **out, struct err *e)
{
    u32 i = s->wrappers;
    while (i > 0 && s->wrapper[i - 1].w.scalar[0] != scalar[0])
        i--;
    enum status st = ST_OK;
    if (i == 0 || s->text.size + bytes - s->wrapper[i - 1].epilogue > REACH_BYTES) {
        st = add_wrapper(s, scalar, e);
        i = s->wrappers;
    }
    if (st == ST_OK)
        *out = &s->wrapper[i - 1];
    return st;
}

static enum status add_code(struct selfcheck *s, const struct drm_layout *l,
                            const struct gcncheck_job *job, struct case_of *to, struct err *why)
{
    const struct placed *p;
    u32 at, bytes = job->code_dw * 4;
    enum status st = wrapper_for(s, l->scalar, bytes, &p, why);
    if (st != ST_OK)
        return st;
    u32 *code = malloc(bytes + 4);
    if (!code)
        return err_memory(why);
    memcpy(code, job->code, bytes);
    u32 first = s->text.size + p->w.entry_dw * 4;
    if (!drm_wrapper_bend(&s->isa, code, job->code_dw, ((i32)p->epilogue - (i32)first) / 4))
        st = err_set(why, ST_INPUT, "the program is too long");
    to->prologue = p->prologue;
    if (st == ST_OK)
        st = selfcheck_heap_add(&s->text, p->w.entry, p->w.entry_dw * 4, 4, &to->program, why);
    if (st == ST_OK)
        st = selfcheck_heap_add(&s->text, code, bytes, 4, &at, why);
    free(code);
    return st;
}

/* ---- one vector ---- */

/* What no such code object can carry. */
static enum status check_vector(const struct selfcheck *s, const struct gcncheck_vector *v,
                                struct err *why)
{
    if (!v->code.count)
        return err_set(why, ST_INPUT, "code that an assembler must refuse");
    if (v->waves != 1)
        return err_set(why, ST_INPUT, "several waves");
    if (v->poison != 1)
        return err_set(why, ST_INPUT, "registers that start from random values");
    if (v->memory_count > 1 || (v->memory_count && !v->memory[0].is_lds))
        return err_set(why, ST_INPUT, "memory at addresses of its own");
    if (v->memory_count && s->lds &&
        (v->memory[0].size + DRM_ROW - 1) / DRM_ROW * DRM_ROW != s->lds)
        return err_set(why, ST_INPUT, "another size of LDS");
    for (u32 i = 0; i < v->accept_count; i++) {
        const struct gcncheck_vector_accept *a = &v->accept[i];
        if (a->place == GCNCHECK_VECTOR_MEMORY || a->dw > 2 ||
            (a->dw > 1 && GCNCHECK_PLACE_DW(a->place) == 1))
            return err_set(why, ST_INPUT, "alternatives in memory, or of several dwords");
    }
    for (u32 i = 0; i < v->end_count; i++)
        if (v->end[i].place == GCNCHECK_TRAPSTS &&
            gcncheck_dword(&v->end[i].want, 0) & TRAPSTS_MEM_VIOL)
            return err_set(why, ST_INPUT, "expects a memory violation");
    if (s->count == SELFCHECK_CASES_MAX)
        return err_set(why, ST_INPUT, "more vectors than the buffer has room for");
    return ST_OK;
}

/* The vector as a job that asks for what changes, so that these registers are not the wrapper's. */
static const struct gcncheck_job *job_of(struct selfcheck *s, const struct gcncheck_vector *v)
{
    static const bool none[GCNCHECK_PLACES] = { false };
    const struct gcncheck_job *job = vector_job(v, s->mcpu, none, s->jb);
    for (u32 i = 0; job && i < v->end_count; i++)
        job_get(s->jb, 0, v->end[i].place);
    for (u32 i = 0; job && i < v->accept_count; i++)
        for (u32 k = 0; k < v->accept[i].dw; k++)
            job_get(s->jb, 0, v->accept[i].place + k);
    return job ? job_ready(s->jb) : NULL;
}

/* Whether an operand of the program is that scalar register. */
static bool names_scalar(const struct selfcheck *s, const struct gcncheck_job *job, u32 place)
{
    struct insn in;
    for (u32 at = 0; at < job->code_dw; at += in.dw) {
        insn_decode(&s->isa, &job->code[at], job->code_dw - at, &in, NULL);
        for (const struct isa_operand *o = insn_row(&in)->operand; o->kind != K_NONE; o++)
            if (insn_operand_there(&in, o) && place - insn_code(&in, o) < insn_operand_dw(&in, o))
                return true;
    }
    return false;
}

/* Where TBA and TMA are scalar registers: whether the vector starts from 0 in one of them, as all do that
 * have no handler, and does not read it. */
static bool is_no_handler(const struct selfcheck *s, const struct gcncheck_vector_set *set,
                          const struct gcncheck_job *job)
{
    return isa_target_has(s->isa.target, FEATUREBIT_TRAP_SGPRS) &&
           set->place - CODE_TRAP < CODE_TTMP_OLD - CODE_TRAP && !gcncheck_dword(&set->value, 0) &&
           !names_scalar(s, job, set->place);
}

/* Whether the prologue can set all that the vector starts from. */
static enum status check_start(const struct selfcheck *s, const struct gcncheck_vector *v,
                               const struct gcncheck_job *job, const struct drm_layout *l,
                               struct err *why)
{
    u32 at;
    for (u32 i = 0; i < v->set_count; i++)
        if (!is_no_handler(s, &v->set[i], job) &&
            (!drm_record_at(l, v->set[i].place, &at) || v->set[i].place == GCNCHECK_STATUS))
            return err_set(why, ST_INPUT, "starts from a register that a kernel cannot set");
    return ST_OK;
}

static enum status add_name(struct selfcheck *s, const struct gcncheck_vector *v, u32 *entry,
                            struct err *e)
{
    char name[160];
    int len = snprintf(name, sizeof name, "%.*s/%.*s#%u", v->mnemonic.len, v->mnemonic.at,
                       v->form.len, v->form.at, v->number);
    entry[ENTRY_NAME_LEN] = len > NAME_BYTES ? NAME_BYTES : (u32)len;
    return selfcheck_heap_add(&s->data, name, entry[ENTRY_NAME_LEN], 1, &entry[ENTRY_NAME], e);
}

static enum status add_all(struct selfcheck *s, const struct gcncheck_vector *v,
                           const struct drm_layout *l, const struct gcncheck_job *job,
                           struct err *e)
{
    struct case_of *grown = array_grow(s->cases, &s->cap, s->count + 1ull, sizeof *grown);
    if (!grown)
        return err_memory(e);
    s->cases = grown;
    struct case_of *to = &s->cases[s->count];
    *to = (struct case_of){ .program = 0 };
    const struct drm_start start = { .nonce = NONCE }; /* the kernel knows the addresses */
    u32 *entry = to->entry;
    memcpy(&entry[ENTRY_GROUPS], l->groups, sizeof l->groups);
    entry[ENTRY_LDS_ROWS] = l->lds / DRM_ROW;
    entry[ENTRY_ALL_ROWS] = drm_layout_bytes(l) / DRM_ROW;
    entry[ENTRY_LDS_FILL] = v->memory_count ? v->memory[0].fill : 0;
    drm_record_fill((u8 *)s->in, l, job, &start);
    enum status st = state_end(s, v, l, e);
    if (st == ST_OK)
        st = add_code(s, l, job, to, e);
    if (st == ST_OK)
        st = add_start(s, l, entry, e);
    if (st == ST_OK)
        st = add_checks(s, v, l, entry, e);
    if (st == ST_OK)
        st = add_name(s, v, entry, e);
    return st;
}

enum status selfcheck_add(struct selfcheck *s, const struct gcncheck_vector *v, struct err *why)
{
    struct drm_needs n;
    enum status st = check_vector(s, v, why);
    const struct gcncheck_job *job = st == ST_OK ? job_of(s, v) : NULL;
    if (st == ST_OK && !job)
        st = err_memory(why);
    if (st == ST_OK)
        st = drm_check(&s->isa, DRM_VA_END, NULL, job, &n, why);
    if (st == ST_OK)
        st = check_start(s, v, job, &n.layout, why);
    if (st != ST_OK)
        return st;
    /* All registers are checked, those that stay among them. */
    n.layout.unread = n.layout.unasked = 0;
    st = add_all(s, v, &n.layout, job, why);
    if (st != ST_OK)
        return st;
    s->lds = n.layout.lds ? n.layout.lds : s->lds;
    s->has_accs |= n.layout.groups[1] != 0;
    s->count++;
    return ST_OK;
}

/* ---- all of it ---- */

static enum status add_strings(struct selfcheck *s, struct selfcheck_driver *d, struct err *e)
{
    char head[128];
    const char *parts[] = { head, " fail=", " first=", " lane=", " want=", " got=" };
    enum status st = ST_OK;
    snprintf(head, sizeof head, "GCNCHECK %d %s %s cases=%u pass=", SELFCHECK_VERSION, s->mcpu,
             s->name, s->count);
    for (u32 i = 0; i < COUNT_OF(parts) && st == ST_OK; i++) {
        size_t len = strlen(parts[i]);
        if (len > NAME_BYTES)
            return err_set(e, ST_INPUT, "%.60s: the name is too long", s->name);
        d->string_len[i] = (u32)len;
        st = selfcheck_heap_add(&s->data, parts[i], d->string_len[i], 1, &d->strings[i], e);
    }
    return st;
}

/* The table, in which what lies before the text is not known until all data is there. */
static enum status add_table(struct selfcheck *s, struct selfcheck_driver *d, u32 driver_bytes,
                             struct err *e)
{
    u32 size = (s->data.size + 63) / 64 * 64 + s->count * (u32)sizeof s->cases[0].entry, at = 0;
    enum status st = ST_OK;
    d->text = elf_data_to_text(size);
    for (u32 i = 0; i < s->count && st == ST_OK; i++) {
        u32 text = d->text + driver_bytes;
        s->cases[i].entry[ENTRY_PROLOGUE] = text + s->cases[i].prologue;
        s->cases[i].entry[ENTRY_PROGRAM] = text + s->cases[i].program;
        st = selfcheck_heap_add(&s->data, s->cases[i].entry, sizeof s->cases[i].entry, i ? 4 : 64,
                                &at, e);
        if (i == 0)
            d->table = at;
    }
    if (st == ST_OK && s->data.size != size)
        BUG("the data has another size than was reckoned with");
    return st;
}

/* The ways back are as long as it is from each to where the kernel goes on. */
static void set_returns(struct selfcheck *s, u32 driver_bytes, u32 resume)
{
    for (u32 i = 0; i < s->wrappers; i++) {
        u32 back = s->wrapper[i].back, distance = driver_bytes + back + 4 - resume * 4;
        memcpy(s->text.bytes + back + 8, &distance, sizeof distance);
    }
}

enum status selfcheck_write(struct selfcheck *s, const char *path, bool force, struct err *e)
{
    struct selfcheck_driver d = {
        .cases = s->count, .table = 0x10000, .text = 0x10000, .format = drm_wrapper_format(&s->isa)
    };
    u32 *driver = calloc(DRIVER_DW, sizeof *driver), dw = 0, resume = 0;
    struct heap text = { 0 };
    u32 at;
    enum status st = driver ? add_strings(s, &d, e) : err_memory(e);
    if (st == ST_OK && !s->count)
        st = err_set(e, ST_INPUT, "no vector can be run by a code object alone");
    if (st == ST_OK)
        st = driver_make(&s->isa, &d, driver, &dw, &resume, e);
    u32 bytes = (dw * 4 + 63) / 64 * 64;
    if (st == ST_OK)
        st = add_table(s, &d, bytes, e);
    u32 before = dw, nops[CODE_PAD_DW];
    for (u32 i = 0; i < CODE_PAD_DW; i++)
        nops[i] = 0xbf800000;
    if (st == ST_OK)
        st = driver_make(&s->isa, &d, driver, &dw, &resume, e);
    if (st == ST_OK && dw != before)
        BUG("the kernel has another length than was reckoned with");
    if (st == ST_OK)
        set_returns(s, bytes, resume);
    if (st == ST_OK)
        st = selfcheck_heap_add(&text, driver, bytes, 64, &at, e);
    if (st == ST_OK)
        st = selfcheck_heap_add(&text, s->text.bytes, s->text.size, 64, &at, e);
    if (st == ST_OK) /* the fetcher runs ahead */
        st = selfcheck_heap_add(&text, nops, sizeof nops, 4, &at, e);
    struct elf_parts parts = {
        s->mcpu,   s->data.bytes, s->data.size, text.bytes,
        text.size, s->lds,        s->has_accs,  (enum gen)s->isa.target->gen
    };
    if (st == ST_OK)
        st = elf_write(&parts, path, force, e);
    free(text.bytes);
    free(driver);
    return st;
}
