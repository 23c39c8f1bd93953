/* Making a vector: what holds at the end is collected, and packed with the start. */
#include "harness/vector/internal.h"

#include "oracle/base/array.h"
#include "oracle/errata/errata.h"
#include "oracle/state/place.h"
#include "reports/file/pack_memory.h"

#include <stdlib.h>

struct vector_build *vector_build_new(void)
{
    struct vector_build *b = calloc(1, sizeof *b);
    if (b)
        msgpack_sbuffer_init(&b->out);
    return b;
}

void vector_build_free(struct vector_build *b)
{
    if (!b)
        return;
    for (u32 i = 0; i < b->memory_cap; i++) {
        free(b->memory[i].want);
        free(b->memory[i].mask);
    }
    free(b->row);
    free(b->end);
    free(b->accept);
    free(b->memory);
    msgpack_sbuffer_destroy(&b->out);
    free(b);
}

/* One more element of an array, zeroed; NULL, and the build is short of memory. */
static void *more(struct vector_build *b, void *array, u32 *count, u32 *cap, size_t size)
{
    void **a = array;
    if (*count == *cap) {
        void *grown = array_grow(*a, cap, *count + 1ull, size);
        if (!grown) {
            b->is_short = true;
            return NULL;
        }
        *a = grown;
    }
    return memset((char *)*a + (size_t)(*count)++ * size, 0, size);
}

static void begin_memory(struct vector_build *b, const u8 *bytes, u64 size)
{
    u32 cap = b->memory_cap;
    if (b->memories == cap) {
        struct vector_build_memory *all =
            array_grow(b->memory, &b->memory_cap, b->memories + 1ull, sizeof *all);
        if (!all) {
            b->is_short = true;
            return;
        }
        b->memory = all;
        memset(&all[cap], 0, (b->memory_cap - cap) * sizeof *all);
    }
    struct vector_build_memory *m = &b->memory[b->memories++];
    u32 whole = (u32)((size + 3) / 4 * 4);
    if (whole > m->room || !m->want) {
        free(m->want);
        free(m->mask);
        m->want = malloc(whole + 4u);
        m->mask = malloc(whole + 4u);
        m->room = whole;
    }
    m->size = (u32)size;
    if (!m->want || !m->mask) {
        b->is_short = true;
        m->size = m->room = 0;
        return;
    }
    memset(m->want, 0, whole);
    memset(m->mask, 0, whole);
    memcpy(m->want, bytes, size);
    memset(m->mask, 0xff, size);
}

void vector_begin(struct vector_build *b, const struct vector_about *about,
                  const struct gcncheck_job *job)
{
    b->about = *about;
    b->job = job;
    b->is_short = false;
    b->rows = b->ends = b->accepts = b->memories = 0;
    memset(b->check, 0, sizeof b->check);
    for (u32 i = 0; job && i < job->window_count; i++)
        begin_memory(b, job->windows[i].bytes, job->windows[i].size);
    if (job && job->lds_size)
        begin_memory(b, job->lds, job->lds_size);
}

void vector_describe(struct vector_build *b, const struct vector_about *about)
{
    b->about = *about;
}

void vector_row(struct vector_build *b, const char *id, const char *from, const char *errata)
{
    struct vector_build_row *r = more(b, &b->row, &b->rows, &b->rows_cap, sizeof *r);
    if (!r)
        return;
    snprintf(r->id, sizeof r->id, "%s", id);
    snprintf(r->from, sizeof r->from, "%s", from);
    snprintf(r->errata, sizeof r->errata, "%s", errata);
}

void vector_check(struct vector_build *b, u32 place)
{
    b->check[place / 64] |= 1ull << place % 64;
}

static struct vector_build_end *end_of(struct vector_build *b, u32 wave, u32 place)
{
    for (u32 i = 0; i < b->ends; i++)
        if (b->end[i].wave == wave && b->end[i].place == place)
            return &b->end[i];
    struct vector_build_end *n = more(b, &b->end, &b->ends, &b->ends_cap, sizeof *n);
    if (!n)
        return NULL;
    n->wave = (u16)wave;
    n->place = (u16)place;
    for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(place); lane++) {
        n->want[lane] = job_initial(b->job, wave, place, lane);
        n->mask[lane] = ~0u;
    }
    return n;
}

void vector_want(struct vector_build *b, u32 wave, u32 place, u32 lane, u32 want, u32 mask)
{
    struct vector_build_end *n = end_of(b, wave, place);
    if (!n)
        return;
    n->want[lane] = want & mask;
    n->mask[lane] = mask;
}

void vector_want_bit(struct vector_build *b, u32 wave, u32 pair, u32 bit, bool want,
                     bool is_compared)
{
    struct vector_build_end *n = end_of(b, wave, pair + bit / 32);
    u32 one = 1u << bit % 32;
    if (!n)
        return;
    n->is_mask = true;
    n->first = (u8)(bit / 32 * 32);
    n->want[0] = (n->want[0] & ~one) | (want && is_compared ? one : 0);
    n->mask[0] = (n->mask[0] & ~one) | (is_compared ? one : 0);
}

void vector_want_bytes(struct vector_build *b, u32 memory, u32 at, u32 count, const u8 *want,
                       bool is_compared)
{
    struct vector_build_memory *m = &b->memory[memory];
    if (b->is_short)
        return;
    for (u32 i = at; i < at + count && i < m->size; i++) {
        m->want[i] = is_compared ? want[i - at] : 0;
        m->mask[i] = is_compared ? 0xff : 0;
    }
}

void vector_accept(struct vector_build *b, const struct vector_accept *a)
{
    struct vector_accept *n = more(b, &b->accept, &b->accepts, &b->accepts_cap, sizeof *n);
    if (n)
        *n = *a;
}

/* ---- packing ---- */

static const char *evidence_of(const char *errata)
{
    return errata[0] ? evidence_names[errata_weakest(errata)] : "undisputed";
}

/* The weakest evidence of all rows. */
static const char *evidence_of_all(const struct vector_build *b)
{
    const char *weakest = "undisputed";
    u32 at = EVIDENCES;
    for (u32 i = 0; i < b->rows; i++) {
        u32 one = b->row[i].errata[0] ? (u32)errata_weakest(b->row[i].errata) : (u32)EVIDENCES;
        if (one < at) {
            at = one;
            weakest = evidence_names[one];
        }
    }
    return weakest;
}

static void pack_rows(struct vector_build *b)
{
    pack_list(&b->pk, "rows", b->rows);
    for (u32 i = 0; i < b->rows; i++) {
        const struct vector_build_row *r = &b->row[i];
        msgpack_pack_map(&b->pk, r->errata[0] ? 4 : 3);
        pack_text(&b->pk, "id", r->id);
        pack_text(&b->pk, "from", r->from);
        if (r->errata[0])
            pack_text(&b->pk, "errata", r->errata);
        pack_text(&b->pk, "evidence", evidence_of(r->errata));
    }
}

static int by_wave_and_place(const void *x, const void *y)
{
    const struct gcncheck_slot *a = x, *b = y;
    return a->wave != b->wave ? (int)a->wave - (int)b->wave : (int)a->place - (int)b->place;
}

/* The registers that a job sets, in their order. */
static void pack_set(struct vector_build *b)
{
    const struct gcncheck_job *job = b->job;
    struct gcncheck_slot *all = calloc(job->set_count + 1u, sizeof *all);
    char name[PLACE_NAME_MAX];
    if (!all) {
        b->is_short = true;
        return;
    }
    memcpy(all, job->set, job->set_count * sizeof *all);
    qsort(all, job->set_count, sizeof *all, by_wave_and_place);
    pack_list(&b->pk, "set", job->set_count);
    for (u32 i = 0; i < job->set_count; i++) {
        u32 dw = GCNCHECK_PLACE_DW(all[i].place);
        msgpack_pack_map(&b->pk, all[i].wave ? 3 : 2);
        if (all[i].wave)
            pack_u32(&b->pk, "wave", all[i].wave);
        pack_text(&b->pk, "place", place_name(PLACE_GEN, all[i].place, name));
        pack_dwords(&b->pk, "value", job->values + all[i].index, dw, dw > 1);
    }
    free(all);
}

static u32 dword_at(const u8 *bytes, u64 size, u64 at)
{
    u32 v = 0;
    for (u64 i = at; i < at + 4 && i < size; i++)
        v |= (u32)bytes[i] << (i - at) * 8;
    return v;
}

/* The fill of a memory that leaves the fewest patches: none, or the pattern in its middle. */
static u32 fill_of(const u8 *bytes, u32 size)
{
    u32 middle = size / 8 * 4, pattern = dword_at(bytes, size, middle) - middle, zeros = 0,
        fits = 0;
    for (u32 at = 0; at < size; at += 4) {
        u32 v = dword_at(bytes, size, at);
        zeros += v == 0;
        fits += v == pattern + at;
    }
    return fits > zeros ? pattern : 0;
}

/* Runs of dwords for which is_in answers true: calls fn for each, and counts them. */
typedef bool in_run_fn(const void *ctx, u32 at);
typedef void run_fn(void *ctx, u32 at, u32 dw);

static u32 for_runs(u32 size, in_run_fn *is_in, run_fn *fn, void *ctx)
{
    u32 runs = 0, from;
    for (u32 at = 0; at < size; at += 4) {
        if (!is_in(ctx, at))
            continue;
        from = at;
        while (at < size && is_in(ctx, at))
            at += 4;
        if (fn)
            fn(ctx, from, (at - from) / 4);
        runs++;
    }
    return runs;
}

/* A memory being packed. */
struct stretch {
    struct vector_build *b;
    const u8 *start;
    const struct vector_build_memory *m;
    u32 index, size, fill;
};

static bool is_patched(const void *ctx, u32 at)
{
    const struct stretch *s = ctx;
    u32 filled = s->fill ? s->fill + at : 0;
    u32 mask = s->size - at >= 4 ? ~0u : mask32(8 * (s->size - at));
    return ((dword_at(s->start, s->size, at) ^ filled) & mask) != 0;
}

static void pack_bytes(struct stretch *s, const char *key, const u8 *bytes, u32 at, u32 dw)
{
    u32 *words = malloc((size_t)dw * 4 + 4);
    if (!words) {
        s->b->is_short = true;
        return;
    }
    for (u32 i = 0; i < dw; i++)
        words[i] = dword_at(bytes, s->size, at + 4 * i);
    pack_dwords(&s->b->pk, key, words, dw, false);
    free(words);
}

static void pack_patch(void *ctx, u32 at, u32 dw)
{
    struct stretch *s = ctx;
    msgpack_pack_map(&s->b->pk, 2);
    pack_u32(&s->b->pk, "at", at);
    pack_bytes(s, "words", s->start, at, dw);
}

static const u8 *start_of(const struct vector_build *b, u32 k)
{
    return k < b->job->window_count ? b->job->windows[k].bytes : b->job->lds;
}

static void pack_memory(struct vector_build *b)
{
    if (!b->memories)
        return;
    pack_list(&b->pk, "memory", b->memories);
    for (u32 k = 0; k < b->memories; k++) {
        struct stretch s = { b, start_of(b, k), &b->memory[k], k, b->memory[k].size, 0 };
        s.fill = fill_of(s.start, s.size);
        u32 patches = for_runs(s.size, is_patched, NULL, &s);
        msgpack_pack_map(&b->pk, patches ? 4 : 3);
        if (k < b->job->window_count)
            pack_hex64(&b->pk, "address", b->job->windows[k].address);
        else
            pack_text(&b->pk, "kind", "lds");
        pack_u32(&b->pk, "size", s.size);
        pack_u32(&b->pk, "fill", s.fill);
        if (patches)
            pack_list(&b->pk, "patch", patches);
        for_runs(s.size, is_patched, pack_patch, &s);
    }
}

/* Whether an end says something: another value than at the start, or bits that are not compared. */
static bool is_changed(const struct vector_build *b, const struct vector_build_end *n)
{
    for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(n->place); lane++)
        if (n->mask[lane] != ~0u || n->want[lane] != job_initial(b->job, n->wave, n->place, lane))
            return true;
    return false;
}

static bool has_mask(const struct vector_build_end *n)
{
    for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(n->place); lane++)
        if (n->mask[lane] != ~0u)
            return true;
    return false;
}

static int by_end(const void *x, const void *y)
{
    const struct vector_build_end *a = x, *b = y;
    return a->wave != b->wave ? (int)a->wave - (int)b->wave : (int)a->place - (int)b->place;
}

static void pack_ends(struct vector_build *b)
{
    u32 count = 0;
    char name[PLACE_NAME_MAX];
    if (b->ends)
        qsort(b->end, b->ends, sizeof *b->end, by_end);
    for (u32 i = 0; i < b->ends; i++)
        count += is_changed(b, &b->end[i]);
    pack_list(&b->pk, "end", count);
    for (u32 i = 0; i < b->ends; i++) {
        const struct vector_build_end *n = &b->end[i];
        u32 dw = GCNCHECK_PLACE_DW(n->place);
        if (!is_changed(b, n))
            continue;
        msgpack_pack_map(&b->pk, 2u + (n->wave ? 1u : 0u) + (n->is_mask ? 1u : 0u) +
                                     (has_mask(n) ? 1u : 0u));
        if (n->wave)
            pack_u32(&b->pk, "wave", n->wave);
        pack_text(&b->pk, "place", place_name(PLACE_GEN, n->place, name));
        if (n->is_mask)
            pack_u32(&b->pk, "lane", n->first);
        pack_dwords(&b->pk, "want", n->want, dw, dw > 1);
        if (has_mask(n))
            pack_dwords(&b->pk, "mask", n->mask, dw, dw > 1);
    }
}

static bool is_other(const void *ctx, u32 at)
{
    const struct stretch *s = ctx;
    u32 all = s->size - at >= 4 ? ~0u : mask32(8 * (s->size - at));
    return dword_at(s->m->mask, s->size, at) != all ||
           dword_at(s->m->want, s->size, at) != dword_at(s->start, s->size, at);
}

static void pack_change(void *ctx, u32 at, u32 dw)
{
    struct stretch *s = ctx;
    bool is_masked = false;
    for (u32 i = 0; i < dw; i++)
        is_masked |= dword_at(s->m->mask, s->size, at + 4 * i) != ~0u;
    msgpack_pack_map(&s->b->pk, is_masked ? 4 : 3);
    pack_u32(&s->b->pk, "memory", s->index);
    pack_u32(&s->b->pk, "at", at);
    pack_bytes(s, "want", s->m->want, at, dw);
    if (is_masked)
        pack_bytes(s, "mask", s->m->mask, at, dw);
}

static u32 for_changes(struct vector_build *b, run_fn *fn)
{
    u32 count = 0;
    for (u32 k = 0; k < b->memories; k++) {
        struct stretch s = { b, start_of(b, k), &b->memory[k], k, b->memory[k].size, 0 };
        count += for_runs(s.size, is_other, fn, &s);
    }
    return count;
}

static void pack_accept(struct vector_build *b, const struct vector_accept *a)
{
    bool is_memory = a->place == GCNCHECK_VECTOR_MEMORY;
    u32 lo[VECTOR_RANGES * VECTOR_RANGE_DW], hi[VECTOR_RANGES * VECTOR_RANGE_DW];
    char name[PLACE_NAME_MAX];
    bool has_lane = !is_memory && GCNCHECK_PLACE_DW(a->place) > 1;
    msgpack_pack_map(&b->pk, 4u + (is_memory ? 2u : a->wave ? 2u : 1u) + (has_lane ? 1u : 0u));
    if (!is_memory && a->wave)
        pack_u32(&b->pk, "wave", a->wave);
    if (!is_memory)
        pack_text(&b->pk, "place", place_name(PLACE_GEN, a->place, name));
    if (has_lane)
        pack_u32(&b->pk, "lane", a->lane);
    if (is_memory) {
        pack_u32(&b->pk, "memory", a->memory);
        pack_u32(&b->pk, "at", a->at);
    }
    pack_text(&b->pk, "rule", a->rule);
    pack_dwords(&b->pk, "mask", a->mask, a->dw, false);
    for (u32 i = 0; i < a->count; i++) {
        memcpy(lo + i * a->dw, a->lo[i], a->dw * sizeof *lo);
        memcpy(hi + i * a->dw, a->hi[i], a->dw * sizeof *hi);
    }
    pack_dwords(&b->pk, "lo", lo, a->count * a->dw, false);
    pack_dwords(&b->pk, "hi", hi, a->count * a->dw, false);
}

static void pack_program(struct vector_build *b)
{
    const struct gcncheck_job *job = b->job;
    if (b->about.by_lane)
        pack_u32(&b->pk, "by_lane", 1);
    pack_dwords(&b->pk, "code", job->code, job->code_dw, false);
    pack_hex64(&b->pk, "pc", job->pc);
    pack_u32(&b->pk, "waves", job->waves);
    pack_u32(&b->pk, "steps", job->max_steps);
    pack_hex64(&b->pk, "poison", job->poison);
    pack_set(b);
    pack_memory(b);
    pack_places(&b->pk, "check", b->check);
    pack_ends(b);
    u32 changes = for_changes(b, NULL);
    if (changes)
        pack_list(&b->pk, "change", changes);
    for_changes(b, pack_change);
    if (b->accepts)
        pack_list(&b->pk, "accept", b->accepts);
    for (u32 i = 0; i < b->accepts; i++)
        pack_accept(b, &b->accept[i]);
}

enum status vector_finish(struct vector_build *b, struct vector_record *r, struct err *e)
{
    const struct vector_about *a = &b->about;
    if (b->is_short || !b->rows)
        return err_memory(e);
    msgpack_sbuffer_clear(&b->out);
    msgpack_packer_init(&b->pk, &b->out, pack_memory_write);
    u32 program = 0;
    if (b->job)
        program = 8 + (a->by_lane ? 1u : 0u) + (b->memories ? 1u : 0u) +
                  (for_changes(b, NULL) ? 1u : 0u) + (b->accepts ? 1u : 0u);
    msgpack_pack_map(&b->pk, 12 + (a->reject ? 1u : 0u) + program);
    pack_text(&b->pk, "id", b->row[0].id);
    pack_text(&b->pk, "mcpu", a->mcpu);
    pack_text(&b->pk, "encoding", a->encoding);
    pack_text(&b->pk, "mnemonic", a->mnemonic);
    pack_text(&b->pk, "form", a->form);
    pack_u32(&b->pk, "number", a->number);
    pack_text(&b->pk, "text", a->text);
    pack_text(&b->pk, "from", a->from);
    pack_text(&b->pk, "source", a->source);
    pack_text(&b->pk, "evidence", evidence_of_all(b));
    if (a->reject)
        pack_text(&b->pk, "reject", a->reject);
    pack_rows(b);
    if (b->job)
        pack_program(b);
    pack_hash(&b->out);
    if (b->is_short || pack_memory_was_short())
        return err_memory(e);
    *r = (struct vector_record){ .bytes = (const u8 *)b->out.data, .size = b->out.size };
    return ST_OK;
}
