/* gcncheck vectors: tests of GCN instructions with what is expected of them, as data. This header
 * reads the binary files that `gcncheck export --format bin` and `gcncheck record` write, and judges
 * answers. It needs nothing but the C library and compiles as C99 and C++; gcncheck_vectors.py
 * beside it does the same in Python. Neither knows of instructions: what counts as equal stands in
 * the vectors. It is one file, long as it is, so that a project takes the reader by copying it.
 *
 *     struct gcncheck_vectors f;
 *     struct gcncheck_vector v;
 *     if (gcncheck_vectors_open(&f, "gfx900.gcv") != 0)
 *         return complain(f.error);
 *     while (gcncheck_vectors_next(&f, &v)) {
 *         my_reset();                                      // all registers: gcncheck_vector_start()
 *         my_run(v.code, v.code_dw, v.pc);                 // waves, memory and LDS are there, too
 *         wrong += gcncheck_vector_judge(&v, &my_state, my_print, NULL) != 0;
 *     }
 *     if (f.error[0])
 *         return complain(f.error);
 *     gcncheck_vectors_close(&f);
 *
 * A vector is a program that ends in s_endpgm, the state it starts from, and what holds at the end:
 *
 * - `set` are the registers that have a value of their own. Every other one starts as poison:
 *   gcncheck_vector_start() has both. Places are numbered as in gcncheck_dut.h, with its meaning:
 *   operand codes, v0 is 256, a0 is 512, then scc 768, mode 769, trapsts 771. JSON has the names
 *   that these codes have on gfx9, of every processor: "ttmp0" is 108, which is tba_lo on gfx8.
 * - `memory` are stretches of memory; `address` 0 with `is_lds` is the LDS of the work-group. What
 *   they hold: gcncheck_vector_bytes().
 * - `check` are the places to be compared. At the end each of them, and all memory, holds what it
 *   held at the start, but for what `end` and `change` say (with masks of the bits compared) and
 *   `accept`: there a value of one or more dwords is right if, under its mask, it lies in one of a
 *   few ranges, both ends included, as an unsigned number.
 * - `row` are the lines of the directed case that the vector was made from. Where `by_lane` is set
 *   row i is lane i, and a difference in that lane (or that bit of a lane mask) is that row's; every
 *   other difference is row 0's.
 *
 * `evidence` is "undisputed", or that of the weakest entry of gcncheck's ledger of doubtful
 * statements that the row rests on: manual, reported, agreed, captured. */
#ifndef GCNCHECK_VECTORS_H
#define GCNCHECK_VECTORS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GCNCHECK_VECTORS_VERSION = 1,
    GCNCHECK_VECTOR_PLACES = 776,
    GCNCHECK_VECTOR_MEMORIES = 65,  /* at most; LDS is the last */
    GCNCHECK_VECTOR_MEMORY = 0xffff /* in place of a place: memory or LDS */
};

/* Text that stands in the file: not terminated. Print it with "%.*s". */
struct gcncheck_text {
    const char *at;
    int len;
};

/* Dwords that stand in the file, at any alignment: gcncheck_dword(). */
struct gcncheck_dwords {
    const uint8_t *at;
    uint32_t count;
};

struct gcncheck_vector_row {
    struct gcncheck_text id, from, errata, evidence;
};

/* The starting value of a register: 1 dword, or 1 (all lanes) or 64 for a vector register. */
struct gcncheck_vector_set {
    uint32_t wave, place;
    struct gcncheck_dwords value;
};

/* The dword at byte `at` holds fill + at, but for the patches first_patch .. +patch_count-1. */
struct gcncheck_vector_memory {
    uint64_t address;
    uint32_t size; /* bytes */
    int is_lds;
    uint32_t fill;
    uint32_t first_patch, patch_count;
};
struct gcncheck_vector_patch {
    uint32_t at; /* a multiple of 4 */
    struct gcncheck_dwords words;
};

/* What a register holds at the end. Without a mask all bits are compared. Of a register that is a
 * mask of lanes, `lane` - 1 is the lane of bit 0; else it is 0. */
struct gcncheck_vector_end {
    uint32_t wave, place, lane;
    struct gcncheck_dwords want, mask;
};

/* The same for memory. */
struct gcncheck_vector_change {
    uint32_t memory, at;
    struct gcncheck_dwords want, mask;
};

/* `dw` dwords of one lane of consecutive registers, or of memory: right if value & mask lies in one
 * of the ranges lo[i]..hi[i], each of `dw` dwords, least first. */
struct gcncheck_vector_accept {
    uint32_t wave, place, lane; /* place GCNCHECK_VECTOR_MEMORY: `memory` and `at` */
    uint32_t memory, at;
    uint32_t dw;
    struct gcncheck_text rule; /* for people: "ulp:1" */
    struct gcncheck_dwords mask, lo, hi;
};

/* A vector; all of it points into the file or into `block`, and lasts until the next is read. */
struct gcncheck_vector {
    struct gcncheck_text id, mcpu, encoding, mnemonic, form, text, from, source, evidence, reject,
        hash;
    uint32_t number;    /* of those of its opcode and form */
    uint32_t waves;     /* of the one work-group */
    uint32_t max_steps; /* instructions a wave may execute */
    uint64_t pc;        /* address of code[0] */
    uint64_t poison;
    int by_lane;
    /* ends in s_endpgm; empty if `reject` says why an assembler must refuse `text`: nothing to run */
    struct gcncheck_dwords code;
    uint32_t row_count, set_count, memory_count, patch_count, check_count, end_count, change_count,
        accept_count;
    struct gcncheck_vector_row *row;
    struct gcncheck_vector_set *set;
    struct gcncheck_vector_memory *memory;
    struct gcncheck_vector_patch *patch;
    uint16_t *check;
    struct gcncheck_vector_end *end;
    struct gcncheck_vector_change *change;
    struct gcncheck_vector_accept *accept;
    void *block[8];
    int is_short; /* of memory: why it could not be read */
};

/* What a device answered, of a recording. */
struct gcncheck_answer {
    struct gcncheck_text outcome; /* "done", "unsupported", ... as gcncheck_dut.h has them */
    struct gcncheck_text reason;
    uint32_t hidden_count, value_count, words_count;
    uint16_t *hidden;                     /* places that the device cannot show */
    struct gcncheck_vector_set *value;    /* registers that are not as they were at the start */
    struct gcncheck_vector_change *words; /* memory that is not; without masks */
    void *block[3];
    int is_short;
};

struct gcncheck_vectors {
    uint8_t *bytes;
    size_t size, at, end; /* `end`: of the records that hold vectors */
    struct gcncheck_text generator, mcpu;
    struct gcncheck_text dut;  /* of a recording: what was recorded; else empty */
    struct gcncheck_vector *v; /* read last */
    struct gcncheck_answer answer;
    int has_answer; /* the vector read last comes with `answer` */
    char error[160];
};

static inline uint32_t gcncheck_dword(const struct gcncheck_dwords *d, uint32_t i)
{
    const uint8_t *p = d->at + (size_t)i * 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline int gcncheck_text_is(struct gcncheck_text t, const char *word)
{
    return t.len >= 0 && (size_t)t.len == strlen(word) && memcmp(t.at, word, (size_t)t.len) == 0;
}

/* ---- msgpack, as much of it as there is: maps, arrays, text, binary, numbers ---- */

enum gcv_kind { GCV_BAD, GCV_UINT, GCV_TEXT, GCV_BIN, GCV_LIST, GCV_MAP };

struct gcv_cursor {
    const uint8_t *at, *end;
    int bad, is_short;
};

/* `count`: the number itself, bytes, elements, or pairs. */
struct gcv_token {
    enum gcv_kind kind;
    uint64_t count;
    const uint8_t *at;
};

static inline struct gcv_token gcv_take(struct gcv_cursor *c)
{
    static const struct {
        uint8_t code, kind, bytes;
    } coded[] = { { 0xcc, GCV_UINT, 1 }, { 0xcd, GCV_UINT, 2 }, { 0xce, GCV_UINT, 4 },
                  { 0xcf, GCV_UINT, 8 }, { 0xd9, GCV_TEXT, 1 }, { 0xda, GCV_TEXT, 2 },
                  { 0xdb, GCV_TEXT, 4 }, { 0xc4, GCV_BIN, 1 },  { 0xc5, GCV_BIN, 2 },
                  { 0xc6, GCV_BIN, 4 },  { 0xdc, GCV_LIST, 2 }, { 0xdd, GCV_LIST, 4 },
                  { 0xde, GCV_MAP, 2 },  { 0xdf, GCV_MAP, 4 } };
    struct gcv_token t = { GCV_BAD, 0, NULL };
    unsigned bytes = 0;
    uint8_t b;
    if (c->bad || c->at >= c->end) {
        c->bad = 1;
        return t;
    }
    b = *c->at++;
    if (b < 0x80) {
        t.kind = GCV_UINT;
        t.count = b;
    } else if (b < 0x90) {
        t.kind = GCV_MAP;
        t.count = b & 15u;
    } else if (b < 0xa0) {
        t.kind = GCV_LIST;
        t.count = b & 15u;
    } else if (b < 0xc0) {
        t.kind = GCV_TEXT;
        t.count = b & 31u;
    } else {
        for (size_t i = 0; i < sizeof coded / sizeof coded[0]; i++)
            if (coded[i].code == b) {
                t.kind = (enum gcv_kind)coded[i].kind;
                bytes = coded[i].bytes;
            }
    }
    if (t.kind == GCV_BAD || (size_t)(c->end - c->at) < bytes) {
        c->bad = 1;
        t.kind = GCV_BAD;
        return t;
    }
    for (; bytes > 0; bytes--)
        t.count = t.count << 8 | *c->at++;
    t.at = c->at;
    if (t.kind == GCV_TEXT || t.kind == GCV_BIN) {
        if ((uint64_t)(c->end - c->at) < t.count) {
            c->bad = 1;
            t.kind = GCV_BAD;
            return t;
        }
        c->at += t.count;
    } else if (t.kind != GCV_UINT && (uint64_t)(c->end - c->at) < t.count) {
        c->bad = 1; /* an element takes a byte at least */
        t.kind = GCV_BAD;
    }
    return t;
}

static inline void gcv_skip(struct gcv_cursor *c)
{
    uint64_t left = 1;
    while (left > 0 && !c->bad) {
        struct gcv_token t = gcv_take(c);
        left--;
        if (t.kind == GCV_LIST)
            left += t.count;
        if (t.kind == GCV_MAP)
            left += t.count * 2;
    }
}

static inline uint64_t gcv_count(struct gcv_cursor *c, enum gcv_kind kind)
{
    struct gcv_token t = gcv_take(c);
    if (t.kind != kind)
        c->bad = 1;
    return c->bad ? 0 : t.count;
}

static inline uint32_t gcv_u32(struct gcv_cursor *c)
{
    uint64_t v = gcv_count(c, GCV_UINT);
    if (v > 0xffffffffu)
        c->bad = 1;
    return (uint32_t)v;
}

static inline struct gcncheck_text gcv_text(struct gcv_cursor *c)
{
    struct gcv_token t = gcv_take(c);
    struct gcncheck_text text = { "", 0 };
    if (t.kind != GCV_TEXT || t.count > 0xffffff)
        c->bad = 1;
    if (!c->bad) {
        text.at = (const char *)t.at;
        text.len = (int)t.count;
    }
    return text;
}

static inline struct gcncheck_dwords gcv_dwords(struct gcv_cursor *c)
{
    struct gcv_token t = gcv_take(c);
    struct gcncheck_dwords d = { NULL, 0 };
    if (t.kind != GCV_BIN || t.count % 4)
        c->bad = 1;
    if (!c->bad) {
        d.at = t.at;
        d.count = (uint32_t)(t.count / 4);
    }
    return d;
}

/* 16 hexadecimal digits. */
static inline uint64_t gcv_hex(struct gcv_cursor *c)
{
    struct gcncheck_text t = gcv_text(c);
    uint64_t v = 0;
    if (t.len != 16)
        c->bad = 1;
    for (int i = 0; i < t.len && !c->bad; i++) {
        char d = t.at[i];
        if (d >= '0' && d <= '9')
            v = v << 4 | (uint64_t)(d - '0');
        else if (d >= 'a' && d <= 'f')
            v = v << 4 | (uint64_t)(d - 'a' + 10);
        else
            c->bad = 1;
    }
    return v;
}

/* The number of a place by its name, or GCNCHECK_VECTOR_PLACES. */
static inline uint32_t gcncheck_place_code(struct gcncheck_text t)
{
    static const struct {
        const char *name;
        uint16_t code;
    } named[] = { { "flat_scratch_lo", 102 },
                  { "flat_scratch_hi", 103 },
                  { "xnack_mask_lo", 104 },
                  { "xnack_mask_hi", 105 },
                  { "vcc_lo", 106 },
                  { "vcc_hi", 107 },
                  { "m0", 124 },
                  { "exec_lo", 126 },
                  { "exec_hi", 127 },
                  { "scc", 768 },
                  { "mode", 769 },
                  { "status", 770 },
                  { "trapsts", 771 },
                  { "pc_lo", 772 },
                  { "pc_hi", 773 },
                  { "tba_lo", 774 },
                  { "tba_hi", 775 } };
    static const struct {
        const char *prefix;
        uint16_t first, count;
    } files[] = { { "ttmp", 108, 16 }, { "s", 0, 102 }, { "v", 256, 256 }, { "a", 512, 256 } };
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (gcncheck_text_is(t, named[i].name))
            return named[i].code;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        int n = (int)strlen(files[i].prefix);
        uint32_t number = 0;
        int digits = 0;
        if (t.len <= n || memcmp(t.at, files[i].prefix, (size_t)n) != 0)
            continue;
        for (; n + digits < t.len && digits < 4; digits++) {
            char d = t.at[n + digits];
            if (d < '0' || d > '9')
                break;
            number = number * 10 + (uint32_t)(d - '0');
        }
        if (n + digits == t.len && number < files[i].count)
            return files[i].first + number;
    }
    return GCNCHECK_VECTOR_PLACES;
}

static inline uint32_t gcv_place(struct gcv_cursor *c)
{
    uint32_t code = gcncheck_place_code(gcv_text(c));
    if (code == GCNCHECK_VECTOR_PLACES)
        c->bad = 1;
    return code;
}

static inline uint32_t gcncheck_place_dw(uint32_t place)
{
    return place >= 256 && place < 768 ? 64 : 1;
}

/* ---- the maps of a vector ---- */

/* Room for `count` elements; `block` is freed with the vector. */
static inline void *gcv_room(struct gcv_cursor *c, void **block, uint64_t count, size_t size)
{
    if (c->bad || count > 0xffffff) {
        count = 0;
        c->bad = 1;
    }
    free(*block);
    *block = calloc((size_t)count + 1, size);
    if (!*block)
        c->bad = c->is_short = 1;
    return *block;
}

/* Reads one member of a map into whatever `key` means to it; what it does not know is skipped. */
typedef void gcv_member_fn(struct gcv_cursor *c, struct gcncheck_text key, void *to);

static inline void gcv_map(struct gcv_cursor *c, gcv_member_fn *member, void *to)
{
    uint64_t pairs = gcv_count(c, GCV_MAP);
    for (; pairs > 0 && !c->bad; pairs--) {
        struct gcncheck_text key = gcv_text(c);
        if (!c->bad)
            member(c, key, to);
    }
}

/* A function for each kind of map, a line for each of its keys, each member in its own type. */
static inline void gcv_row_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcncheck_vector_row *r = (struct gcncheck_vector_row *)to;
    if (gcncheck_text_is(key, "id"))
        r->id = gcv_text(c);
    else if (gcncheck_text_is(key, "from"))
        r->from = gcv_text(c);
    else if (gcncheck_text_is(key, "errata"))
        r->errata = gcv_text(c);
    else if (gcncheck_text_is(key, "evidence"))
        r->evidence = gcv_text(c);
    else
        gcv_skip(c);
}

static inline void gcv_set_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcncheck_vector_set *s = (struct gcncheck_vector_set *)to;
    if (gcncheck_text_is(key, "wave"))
        s->wave = gcv_u32(c);
    else if (gcncheck_text_is(key, "place"))
        s->place = gcv_place(c);
    else if (gcncheck_text_is(key, "value"))
        s->value = gcv_dwords(c);
    else
        gcv_skip(c);
}

static inline void gcv_patch_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcncheck_vector_patch *p = (struct gcncheck_vector_patch *)to;
    if (gcncheck_text_is(key, "at"))
        p->at = gcv_u32(c);
    else if (gcncheck_text_is(key, "words"))
        p->words = gcv_dwords(c);
    else
        gcv_skip(c);
}

static inline void gcv_patches(struct gcv_cursor *c, struct gcncheck_vector *v,
                               struct gcncheck_vector_memory *m)
{
    uint64_t count = gcv_count(c, GCV_LIST);
    struct gcncheck_vector_patch *all;
    if (count > 0xffffff || c->bad) {
        c->bad = 1;
        return;
    }
    all = (struct gcncheck_vector_patch *)realloc(
        v->block[2], (v->patch_count + (size_t)count + 1) * sizeof *all);
    if (!all) {
        c->bad = 1;
        return;
    }
    v->block[2] = v->patch = all;
    m->first_patch = v->patch_count;
    m->patch_count = (uint32_t)count;
    for (; count > 0 && !c->bad; count--) {
        struct gcncheck_vector_patch *p = &v->patch[v->patch_count++];
        memset(p, 0, sizeof *p);
        gcv_map(c, gcv_patch_member, p);
        if (p->at % 4 || p->at > m->size || p->words.count > (m->size - p->at + 3) / 4)
            c->bad = 1;
    }
}

struct gcv_memory_of {
    struct gcncheck_vector *v;
    struct gcncheck_vector_memory *m;
};

static inline void gcv_memory_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcv_memory_of *of = (struct gcv_memory_of *)to;
    struct gcncheck_vector_memory *m = of->m;
    if (gcncheck_text_is(key, "kind"))
        m->is_lds = gcncheck_text_is(gcv_text(c), "lds");
    else if (gcncheck_text_is(key, "address"))
        m->address = gcv_hex(c);
    else if (gcncheck_text_is(key, "size")) {
        c->bad |= m->patch_count != 0; /* which were held against the size that was there */
        m->size = gcv_u32(c);
    } else if (gcncheck_text_is(key, "fill"))
        m->fill = gcv_u32(c);
    else if (gcncheck_text_is(key, "patch"))
        gcv_patches(c, of->v, m);
    else
        gcv_skip(c);
}

static inline void gcv_end_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcncheck_vector_end *e = (struct gcncheck_vector_end *)to;
    if (gcncheck_text_is(key, "wave"))
        e->wave = gcv_u32(c);
    else if (gcncheck_text_is(key, "place"))
        e->place = gcv_place(c);
    else if (gcncheck_text_is(key, "lane"))
        e->lane = gcv_u32(c) + 1;
    else if (gcncheck_text_is(key, "want"))
        e->want = gcv_dwords(c);
    else if (gcncheck_text_is(key, "mask"))
        e->mask = gcv_dwords(c);
    else
        gcv_skip(c);
}

static inline void gcv_change_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcncheck_vector_change *w = (struct gcncheck_vector_change *)to;
    if (gcncheck_text_is(key, "memory"))
        w->memory = gcv_u32(c);
    else if (gcncheck_text_is(key, "at"))
        w->at = gcv_u32(c);
    else if (gcncheck_text_is(key, "want"))
        w->want = gcv_dwords(c);
    else if (gcncheck_text_is(key, "mask"))
        w->mask = gcv_dwords(c);
    else
        gcv_skip(c);
}

static inline void gcv_accept_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcncheck_vector_accept *a = (struct gcncheck_vector_accept *)to;
    if (gcncheck_text_is(key, "wave"))
        a->wave = gcv_u32(c);
    else if (gcncheck_text_is(key, "place"))
        a->place = gcv_place(c);
    else if (gcncheck_text_is(key, "lane"))
        a->lane = gcv_u32(c);
    else if (gcncheck_text_is(key, "memory")) {
        a->memory = gcv_u32(c);
        a->place = GCNCHECK_VECTOR_MEMORY;
    } else if (gcncheck_text_is(key, "at"))
        a->at = gcv_u32(c);
    else if (gcncheck_text_is(key, "rule"))
        a->rule = gcv_text(c);
    else if (gcncheck_text_is(key, "mask")) {
        a->mask = gcv_dwords(c);
        a->dw = a->mask.count;
    } else if (gcncheck_text_is(key, "lo"))
        a->lo = gcv_dwords(c);
    else if (gcncheck_text_is(key, "hi"))
        a->hi = gcv_dwords(c);
    else
        gcv_skip(c);
}

/* A list of maps, or of places. */
#define GCV_LIST_OF(c, v, block_at, field, count_field, member)                                \
    do {                                                                                       \
        uint64_t gcv_n = gcv_count(c, GCV_LIST);                                               \
        *(void **)&(v)->field = gcv_room(c, &(v)->block[block_at], gcv_n, sizeof *(v)->field); \
        for ((v)->count_field = 0; (v)->count_field < gcv_n && !(c)->bad; (v)->count_field++)  \
            gcv_map(c, member, &(v)->field[(v)->count_field]);                                 \
    } while (0)

/* Names of places, or of the first and last of several: "s0-s101". */
static inline uint16_t *gcv_places(struct gcv_cursor *c, void **block, uint32_t *count)
{
    uint64_t n = gcv_count(c, GCV_LIST);
    uint16_t *to = (uint16_t *)gcv_room(c, block, GCNCHECK_VECTOR_PLACES, sizeof *to);
    for (*count = 0; n > 0 && !c->bad; n--) {
        struct gcncheck_text first = gcv_text(c), last = first;
        const char *dash = (const char *)memchr(first.at, '-', (size_t)first.len);
        uint32_t place, end;
        if (dash) {
            last.at = dash + 1;
            last.len = first.len - (int)(dash + 1 - first.at);
            first.len = (int)(dash - first.at);
        }
        place = gcncheck_place_code(first);
        end = gcncheck_place_code(last);
        if (end == GCNCHECK_VECTOR_PLACES || place > end ||
            end - place >= GCNCHECK_VECTOR_PLACES - *count)
            c->bad = 1;
        for (; place <= end && !c->bad; place++)
            to[(*count)++] = (uint16_t)place;
    }
    return to;
}

static inline void gcv_memories(struct gcv_cursor *c, struct gcncheck_vector *v)
{
    uint64_t n = gcv_count(c, GCV_LIST);
    v->memory = (struct gcncheck_vector_memory *)gcv_room(c, &v->block[3], n, sizeof *v->memory);
    for (v->memory_count = 0; v->memory_count < n && !c->bad; v->memory_count++) {
        struct gcv_memory_of of = { v, &v->memory[v->memory_count] };
        gcv_map(c, gcv_memory_member, &of);
    }
}

static inline struct gcncheck_text *gcv_text_member(struct gcncheck_vector *v,
                                                    struct gcncheck_text key)
{
    const struct {
        const char *name;
        struct gcncheck_text *to;
    } texts[] = { { "id", &v->id },
                  { "mcpu", &v->mcpu },
                  { "encoding", &v->encoding },
                  { "mnemonic", &v->mnemonic },
                  { "form", &v->form },
                  { "text", &v->text },
                  { "from", &v->from },
                  { "source", &v->source },
                  { "evidence", &v->evidence },
                  { "reject", &v->reject },
                  { "hash", &v->hash } };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (gcncheck_text_is(key, texts[i].name))
            return texts[i].to;
    return NULL;
}

static inline void gcv_vector_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcncheck_vector *v = (struct gcncheck_vector *)to;
    struct gcncheck_text *text = gcv_text_member(v, key);
    if (text)
        *text = gcv_text(c);
    else if (gcncheck_text_is(key, "number"))
        v->number = gcv_u32(c);
    else if (gcncheck_text_is(key, "waves"))
        v->waves = gcv_u32(c);
    else if (gcncheck_text_is(key, "steps"))
        v->max_steps = gcv_u32(c);
    else if (gcncheck_text_is(key, "by_lane"))
        v->by_lane = gcv_u32(c) != 0;
    else if (gcncheck_text_is(key, "pc"))
        v->pc = gcv_hex(c);
    else if (gcncheck_text_is(key, "poison"))
        v->poison = gcv_hex(c);
    else if (gcncheck_text_is(key, "code"))
        v->code = gcv_dwords(c);
    else if (gcncheck_text_is(key, "rows"))
        GCV_LIST_OF(c, v, 0, row, row_count, gcv_row_member);
    else if (gcncheck_text_is(key, "set"))
        GCV_LIST_OF(c, v, 1, set, set_count, gcv_set_member);
    else if (gcncheck_text_is(key, "memory"))
        gcv_memories(c, v);
    else if (gcncheck_text_is(key, "check"))
        v->check = gcv_places(c, &v->block[4], &v->check_count);
    else if (gcncheck_text_is(key, "end"))
        GCV_LIST_OF(c, v, 5, end, end_count, gcv_end_member);
    else if (gcncheck_text_is(key, "change"))
        GCV_LIST_OF(c, v, 6, change, change_count, gcv_change_member);
    else if (gcncheck_text_is(key, "accept"))
        GCV_LIST_OF(c, v, 7, accept, accept_count, gcv_accept_member);
    else
        gcv_skip(c);
}

static inline void gcv_answer_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcncheck_answer *a = (struct gcncheck_answer *)to;
    if (gcncheck_text_is(key, "outcome"))
        a->outcome = gcv_text(c);
    else if (gcncheck_text_is(key, "reason"))
        a->reason = gcv_text(c);
    else if (gcncheck_text_is(key, "hidden"))
        a->hidden = gcv_places(c, &a->block[0], &a->hidden_count);
    else if (gcncheck_text_is(key, "values"))
        GCV_LIST_OF(c, a, 1, value, value_count, gcv_set_member);
    else if (gcncheck_text_is(key, "words"))
        GCV_LIST_OF(c, a, 2, words, words_count, gcv_change_member);
    else
        gcv_skip(c);
}

/* Whether a list of dwords has as many as the place, or one for all lanes. */
static inline int gcv_fits(const struct gcncheck_dwords *d, uint32_t place)
{
    return d->count == 1 || d->count == gcncheck_place_dw(place);
}

/* What the reader relies on later. */
static inline int gcv_is_sound(const struct gcncheck_vector *v)
{
    for (uint32_t i = 0; i < v->set_count; i++)
        if (v->set[i].wave >= v->waves || !gcv_fits(&v->set[i].value, v->set[i].place))
            return 0;
    for (uint32_t i = 0; i < v->end_count; i++) {
        const struct gcncheck_vector_end *e = &v->end[i];
        if (e->wave >= v->waves || !gcv_fits(&e->want, e->place) ||
            (e->mask.count && !gcv_fits(&e->mask, e->place)))
            return 0;
    }
    for (uint32_t i = 0; i < v->change_count; i++) {
        const struct gcncheck_vector_change *w = &v->change[i];
        if (w->memory >= v->memory_count || w->at % 4 || w->at > v->memory[w->memory].size ||
            w->want.count > (v->memory[w->memory].size - w->at + 3) / 4 ||
            (w->mask.count && w->mask.count != w->want.count))
            return 0;
    }
    for (uint32_t i = 0; i < v->accept_count; i++) {
        const struct gcncheck_vector_accept *a = &v->accept[i];
        if (a->dw == 0 || a->dw > 8 || a->lo.count % a->dw || a->lo.count != a->hi.count ||
            a->lane >= 64 ||
            (a->place == GCNCHECK_VECTOR_MEMORY
                 ? a->memory >= v->memory_count || a->at % 4
                 : a->wave >= v->waves || a->place + a->dw > GCNCHECK_VECTOR_PLACES))
            return 0;
    }
    for (uint32_t i = 0; i < v->memory_count; i++)
        if (v->memory[i].is_lds && (i + 1 < v->memory_count || v->memory[i].size > 65536))
            return 0;
    return v->waves <= 16 && v->row_count > 0 && v->memory_count <= GCNCHECK_VECTOR_MEMORIES;
}

static inline void gcncheck_vector_free(struct gcncheck_vector *v)
{
    for (int i = 0; i < 8; i++)
        free(v->block[i]);
    memset(v, 0, sizeof *v);
}

static inline void gcncheck_answer_free(struct gcncheck_answer *a)
{
    for (int i = 0; i < 3; i++)
        free(a->block[i]);
    memset(a, 0, sizeof *a);
}

/* Reads a vector out of the bytes of its record; 0 if they are none, or v->is_short. The caller frees
 * *v in any case. */
static inline int gcncheck_vector_parse(struct gcncheck_vector *v, const uint8_t *bytes,
                                        size_t size)
{
    struct gcv_cursor c = { bytes, bytes + size, 0, 0 };
    memset(v, 0, sizeof *v);
    gcv_map(&c, gcv_vector_member, v);
    v->is_short = c.is_short;
    return !c.bad && c.at == c.end && gcv_is_sound(v);
}

static inline int gcncheck_answer_parse(struct gcncheck_answer *a, const struct gcncheck_vector *v,
                                        const uint8_t *bytes, size_t size)
{
    struct gcv_cursor c = { bytes, bytes + size, 0, 0 };
    memset(a, 0, sizeof *a);
    gcv_map(&c, gcv_answer_member, a);
    a->is_short = c.is_short;
    for (uint32_t i = 0; i < a->value_count && !c.bad; i++)
        if (a->value[i].wave >= v->waves || !gcv_fits(&a->value[i].value, a->value[i].place))
            c.bad = 1;
    for (uint32_t i = 0; i < a->words_count && !c.bad; i++)
        if (a->words[i].memory >= v->memory_count || a->words[i].at % 4)
            c.bad = 1;
    return !c.bad && c.at == c.end;
}

/* ---- files ---- */

/* The content hash of a vector, over the bytes of its record before the member "hash", its last. */
static inline uint64_t gcncheck_vector_hash(const uint8_t *bytes, size_t size)
{
    uint64_t h = 0x6763766563746f72ull;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t w = 0;
        for (size_t i = 0; i < 8 && at + i < size; i++)
            w |= (uint64_t)bytes[at + i] << 8 * i;
        h = (h ^ w) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
    }
    h = (h ^ (uint64_t)size) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

enum {
    GCNCHECK_VECTOR_HASH_BYTES = 22 /* of the member "hash": 5 for the key, 17 for the value */
};

/* Whether a record's hash is that of its content. */
static inline int gcncheck_vector_is_whole(const struct gcncheck_vector *v, const uint8_t *bytes,
                                           size_t size)
{
    char want[17];
    if (size < GCNCHECK_VECTOR_HASH_BYTES || v->hash.len != 16)
        return 0;
    snprintf(want, sizeof want, "%016llx",
             (unsigned long long)gcncheck_vector_hash(bytes, size - GCNCHECK_VECTOR_HASH_BYTES));
    return memcmp(want, v->hash.at, 16) == 0;
}

static inline int gcv_fail(struct gcncheck_vectors *f, const char *what)
{
    snprintf(f->error, sizeof f->error, "byte %llu: %s", (unsigned long long)f->at, what);
    return 0;
}

/* The record at f->at: its tag, and where its bytes are; 0 if the file ends before it does. */
static inline int gcv_record(struct gcncheck_vectors *f, const char *tag, struct gcv_cursor *c)
{
    const uint8_t *p = f->bytes + f->at;
    struct gcncheck_dwords head = { p, 2 };
    if (f->size - f->at < 8 || (tag && memcmp(p, tag, 4) != 0) ||
        f->size - f->at - 8 < gcncheck_dword(&head, 1))
        return 0;
    c->at = p + 8;
    c->end = p + 8 + gcncheck_dword(&head, 1);
    c->bad = 0;
    return 1;
}

struct gcv_head {
    struct gcncheck_text format, generator, mcpu, dut;
    uint32_t version;
};

static inline void gcv_head_member(struct gcv_cursor *c, struct gcncheck_text key, void *to)
{
    struct gcv_head *h = (struct gcv_head *)to;
    if (gcncheck_text_is(key, "format"))
        h->format = gcv_text(c);
    else if (gcncheck_text_is(key, "dut"))
        h->dut = gcv_text(c);
    else if (gcncheck_text_is(key, "generator"))
        h->generator = gcv_text(c);
    else if (gcncheck_text_is(key, "mcpu"))
        h->mcpu = gcv_text(c);
    else if (gcncheck_text_is(key, "version"))
        h->version = gcv_u32(c);
    else
        gcv_skip(c);
}

/* Reads vectors out of memory, which f->bytes then owns: it must come from malloc. 0, or -1 and
 * f->error. */
static inline int gcncheck_vectors_take(struct gcncheck_vectors *f, uint8_t *bytes, size_t size)
{
    struct gcv_cursor c;
    struct gcv_head h;
    memset(f, 0, sizeof *f);
    memset(&h, 0, sizeof h);
    f->bytes = bytes;
    f->size = f->end = size;
    if (!gcv_record(f, "HEAD", &c)) {
        gcv_fail(f, "this is no file of gcncheck vectors");
        return -1;
    }
    gcv_map(&c, gcv_head_member, &h);
    if (c.bad || !gcncheck_text_is(h.format, "gcncheck-vectors")) {
        gcv_fail(f, "this is no file of gcncheck vectors");
        return -1;
    }
    if (h.version != GCNCHECK_VECTORS_VERSION) {
        gcv_fail(f, "vectors of another version");
        return -1;
    }
    f->generator = h.generator;
    f->mcpu = h.mcpu;
    f->dut = h.dut;
    f->at = (size_t)(c.end - f->bytes);
    return 0;
}

/* 0, or -1 and f->error. The caller closes it in any case. */
static inline int gcncheck_vectors_open(struct gcncheck_vectors *f, const char *path)
{
    FILE *in = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t size = 0, room = 0, got = 0;
    memset(f, 0, sizeof *f);
    do {
        uint8_t *grown;
        room = room ? room * 2 : 1 << 20;
        grown = in ? (uint8_t *)realloc(bytes, room) : NULL;
        if (!grown)
            break;
        bytes = grown;
        got = fread(bytes + size, 1, room - size, in);
        size += got;
    } while (size == room);
    if (!in || !bytes || size == room || ferror(in)) {
        snprintf(f->error, sizeof f->error, "%.100s: cannot be read", path);
        free(bytes);
        if (in)
            fclose(in);
        return -1;
    }
    fclose(in);
    return gcncheck_vectors_take(f, bytes, size);
}

/* Reads the next vector, and with it the answer that a recording has: 1. At the end 0; if the file
 * is damaged 0, and f->error says where. */
static inline int gcncheck_vectors_next(struct gcncheck_vectors *f, struct gcncheck_vector *v)
{
    struct gcv_cursor c;
    if (f->v)
        gcncheck_vector_free(f->v);
    gcncheck_answer_free(&f->answer);
    f->v = NULL;
    f->has_answer = 0;
    if (gcv_record(f, "INDX", &c))
        return 0;
    if (!gcv_record(f, "TEST", &c))
        return gcv_fail(f, "neither a vector nor the index: the file is cut off or damaged");
    f->v = v;
    if (!gcncheck_vector_parse(v, c.at, (size_t)(c.end - c.at)))
        return gcv_fail(f,
                        v->is_short ? "no memory for this vector" : "this vector cannot be read");
    if (!gcncheck_vector_is_whole(v, c.at, (size_t)(c.end - c.at)))
        return gcv_fail(f, "the vector's hash is not that of its content");
    f->at = (size_t)(c.end - f->bytes);
    if (gcv_record(f, "ANSW", &c)) {
        if (!gcncheck_answer_parse(&f->answer, v, c.at, (size_t)(c.end - c.at)))
            return gcv_fail(f, f->answer.is_short ? "no memory for this answer"
                                                  : "this answer cannot be read");
        f->has_answer = 1;
        f->at = (size_t)(c.end - f->bytes);
    }
    return 1;
}

static inline void gcncheck_vectors_close(struct gcncheck_vectors *f)
{
    if (f->v)
        gcncheck_vector_free(f->v);
    gcncheck_answer_free(&f->answer);
    free(f->bytes);
    f->v = NULL;
    f->bytes = NULL;
}

/* ---- what a vector starts from ---- */

/* The starting value of a register that no `set` names: seed 0: zero; 1: a value that names its
 * place (s7 = 0xa0070000, v4 lane 3 = 0xb0040003, a4 lane 3 = 0xc0040003); else pseudo-random.
 * gcncheck_poison() of gcncheck_dut.h is the same: each of the two headers is used alone. */
static inline uint32_t gcncheck_vector_poison(uint64_t seed, uint32_t place, uint32_t lane)
{
    uint32_t kind = place < 256 ? 0xa0000000u : place < 512 ? 0xb0000000u : 0xc0000000u;
    uint32_t name = kind | (place & 255u) << 16 | lane;
    uint64_t z;
    if (seed <= 1)
        return seed ? name : 0;
    z = seed + name * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (uint32_t)(z >> 32 ^ z);
}

static inline uint32_t gcv_lane(const struct gcncheck_dwords *d, uint32_t lane)
{
    return gcncheck_dword(d, d->count == 1 ? 0 : lane);
}

/* What a register holds at the start; lane 0 for scalars. */
static inline uint32_t gcncheck_vector_start(const struct gcncheck_vector *v, uint32_t wave,
                                             uint32_t place, uint32_t lane)
{
    for (uint32_t i = 0; i < v->set_count; i++)
        if (v->set[i].place == place && v->set[i].wave == wave)
            return gcv_lane(&v->set[i].value, lane);
    return gcncheck_vector_poison(v->poison, place, lane);
}

/* What memory number `m` holds at the start: `to` has room for size bytes rounded up to dwords. */
static inline void gcncheck_vector_bytes(const struct gcncheck_vector *v, uint32_t m, uint8_t *to)
{
    const struct gcncheck_vector_memory *mem = &v->memory[m];
    for (uint32_t at = 0; at < mem->size; at += 4) {
        uint32_t dw = mem->fill ? mem->fill + at : 0;
        for (int i = 0; i < 4; i++)
            to[at + (uint32_t)i] = (uint8_t)(dw >> 8 * i);
    }
    for (uint32_t i = 0; i < mem->patch_count; i++) {
        const struct gcncheck_vector_patch *p = &v->patch[mem->first_patch + i];
        if (p->words.count)
            memcpy(to + p->at, p->words.at, (size_t)p->words.count * 4);
    }
}

/* ---- judging ---- */

/* A device's state at the end. Both answer 0 if it cannot be shown: it is then not judged. */
struct gcncheck_vector_state {
    void *ctx;
    int (*reg)(void *ctx, uint32_t wave, uint32_t place, uint32_t lane, uint32_t *value);
    int (*mem)(void *ctx, uint32_t memory, uint32_t at, uint32_t *value); /* a dword */
};

/* A dword that is not as it should be. */
struct gcncheck_vector_diff {
    uint32_t row;         /* whose it is: an index into v->row */
    uint32_t wave, place; /* GCNCHECK_VECTOR_MEMORY: `memory` and `at` */
    uint32_t lane, memory, at;
    uint32_t want, got;        /* `want` of several ranges: the lower end of the first */
    struct gcncheck_text rule; /* empty: exact under a mask */
};

typedef void gcncheck_vector_diff_fn(void *ctx, const struct gcncheck_vector_diff *d);

struct gcv_judging {
    const struct gcncheck_vector *v;
    const struct gcncheck_vector_state *s;
    gcncheck_vector_diff_fn *fn;
    void *ctx;
    uint32_t wrong;
};

static inline void gcv_differs(struct gcv_judging *j, struct gcncheck_vector_diff d, int has_row)
{
    d.row = has_row && j->v->by_lane && d.row < j->v->row_count ? d.row : 0;
    j->wrong++;
    if (j->fn)
        j->fn(j->ctx, &d);
}

static inline void gcv_judge_place(struct gcv_judging *j, uint32_t wave, uint32_t place)
{
    const struct gcncheck_vector *v = j->v;
    const struct gcncheck_vector_end *end = NULL;
    const struct gcncheck_vector_set *set = NULL;
    uint32_t lanes = gcncheck_place_dw(place);
    for (uint32_t i = 0; i < v->end_count && !end; i++)
        if (v->end[i].wave == wave && v->end[i].place == place)
            end = &v->end[i];
    for (uint32_t i = 0; i < v->set_count && !set && !end; i++)
        if (v->set[i].wave == wave && v->set[i].place == place)
            set = &v->set[i];
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t got, mask = end && end->mask.count ? gcv_lane(&end->mask, lane) : 0xffffffffu;
        uint32_t want = end   ? gcv_lane(&end->want, lane)
                        : set ? gcv_lane(&set->value, lane)
                              : gcncheck_vector_poison(v->poison, place, lane);
        struct gcncheck_vector_diff d = { lane, wave, place, lane, 0, 0, want, 0, { "", 0 } };
        if (!j->s->reg(j->s->ctx, wave, place, lane, &got))
            return;
        d.got = got;
        if (((want ^ got) & mask) == 0)
            continue;
        if (!end || !end->lane) {
            gcv_differs(j, d, lanes > 1);
            continue;
        }
        for (uint32_t bit = 0; bit < 32; bit++)
            if ((((want ^ got) & mask) >> bit & 1) != 0) {
                d.row = d.lane = end->lane - 1 + bit;
                gcv_differs(j, d, 1);
            }
    }
}

/* Whether a <= b: numbers of dw dwords, least first. */
static inline int gcv_is_le(const uint32_t *a, const uint32_t *b, uint32_t dw)
{
    while (dw-- > 0)
        if (a[dw] != b[dw])
            return a[dw] < b[dw];
    return 1;
}

static inline int gcv_is_accepted(const struct gcncheck_vector_accept *a, const uint32_t *value)
{
    for (uint32_t r = 0; r < a->lo.count; r += a->dw) {
        uint32_t lo[8], hi[8];
        for (uint32_t i = 0; i < a->dw; i++) {
            lo[i] = gcncheck_dword(&a->lo, r + i);
            hi[i] = gcncheck_dword(&a->hi, r + i);
        }
        if (gcv_is_le(lo, value, a->dw) && gcv_is_le(value, hi, a->dw))
            return 1;
    }
    return 0;
}

static inline void gcv_judge_accept(struct gcv_judging *j, const struct gcncheck_vector_accept *a)
{
    uint32_t value[8], shown = 1;
    int is_memory = a->place == GCNCHECK_VECTOR_MEMORY;
    for (uint32_t i = 0; i < a->dw && shown; i++) {
        shown = is_memory
                    ? (uint32_t)j->s->mem(j->s->ctx, a->memory, a->at + 4 * i, &value[i])
                    : (uint32_t)j->s->reg(j->s->ctx, a->wave, a->place + i, a->lane, &value[i]);
        if (shown)
            value[i] &= gcncheck_dword(&a->mask, i);
    }
    if (shown && !gcv_is_accepted(a, value)) {
        struct gcncheck_vector_diff d = { a->lane,
                                          a->wave,
                                          a->place,
                                          a->lane,
                                          a->memory,
                                          a->at,
                                          a->lo.count ? gcncheck_dword(&a->lo, 0) : 0,
                                          value[0],
                                          a->rule };
        gcv_differs(j, d, !is_memory && gcncheck_place_dw(a->place) > 1);
    }
}

/* What a change says of the dword at byte `at`; else it stays as it is. */
static inline void gcv_change_of(const struct gcncheck_vector *v, uint32_t m, uint32_t at,
                                 uint32_t *want, uint32_t *mask)
{
    for (uint32_t i = 0; i < v->change_count; i++) {
        const struct gcncheck_vector_change *w = &v->change[i];
        if (w->memory == m && at >= w->at && at - w->at < w->want.count * 4) {
            *want = gcncheck_dword(&w->want, (at - w->at) / 4);
            *mask = w->mask.count ? gcncheck_dword(&w->mask, (at - w->at) / 4) : 0xffffffffu;
        }
    }
}

static inline void gcv_judge_memory(struct gcv_judging *j, uint32_t m)
{
    uint32_t size = j->v->memory[m].size;
    uint8_t *start = (uint8_t *)malloc((size_t)size + 4);
    struct gcncheck_dwords words = { start, (size + 3) / 4 };
    if (!start) {
        j->wrong++;
        return;
    }
    gcncheck_vector_bytes(j->v, m, start);
    for (uint32_t at = 0; at < size; at += 4) {
        uint32_t got, want = gcncheck_dword(&words, at / 4);
        uint32_t mask = size - at >= 4 ? 0xffffffffu : (1u << 8 * (size - at)) - 1;
        struct gcncheck_vector_diff d = { 0, 0, GCNCHECK_VECTOR_MEMORY, 0, m, at, 0, 0, { "", 0 } };
        gcv_change_of(j->v, m, at, &want, &mask);
        if (!j->s->mem(j->s->ctx, m, at, &got))
            break;
        d.want = want;
        d.got = got;
        if (((want ^ got) & mask) != 0)
            gcv_differs(j, d, 0);
    }
    free(start);
}

/* Judges a device that came to the end: the number of differences, each of which is handed to fn
 * (which may be NULL). */
static inline uint32_t gcncheck_vector_judge(const struct gcncheck_vector *v,
                                             const struct gcncheck_vector_state *s,
                                             gcncheck_vector_diff_fn *fn, void *ctx)
{
    struct gcv_judging j = { v, s, fn, ctx, 0 };
    for (uint32_t wave = 0; wave < v->waves; wave++)
        for (uint32_t i = 0; i < v->check_count; i++)
            gcv_judge_place(&j, wave, v->check[i]);
    for (uint32_t i = 0; i < v->accept_count; i++)
        gcv_judge_accept(&j, &v->accept[i]);
    for (uint32_t m = 0; m < v->memory_count; m++)
        gcv_judge_memory(&j, m);
    return j.wrong;
}

/* ---- a recording's answer as a state ---- */

struct gcncheck_recorded {
    const struct gcncheck_vector *v;
    const struct gcncheck_answer *a;
    uint32_t m; /* whose bytes `start` are, + 1 */
    uint8_t *start;
};

static inline int gcv_recorded_reg(void *ctx, uint32_t wave, uint32_t place, uint32_t lane,
                                   uint32_t *value)
{
    const struct gcncheck_recorded *r = (const struct gcncheck_recorded *)ctx;
    for (uint32_t i = 0; i < r->a->hidden_count; i++)
        if (r->a->hidden[i] == place)
            return 0;
    for (uint32_t i = 0; i < r->a->value_count; i++)
        if (r->a->value[i].place == place && r->a->value[i].wave == wave) {
            *value = gcv_lane(&r->a->value[i].value, lane);
            return 1;
        }
    *value = gcncheck_vector_start(r->v, wave, place, lane);
    return 1;
}

static inline int gcv_recorded_mem(void *ctx, uint32_t memory, uint32_t at, uint32_t *value)
{
    struct gcncheck_recorded *r = (struct gcncheck_recorded *)ctx;
    uint32_t size = r->v->memory[memory].size;
    struct gcncheck_dwords words;
    for (uint32_t i = 0; i < r->a->words_count; i++) {
        const struct gcncheck_vector_change *w = &r->a->words[i];
        if (w->memory == memory && at >= w->at && at - w->at < w->want.count * 4) {
            *value = gcncheck_dword(&w->want, (at - w->at) / 4);
            return 1;
        }
    }
    if (r->m != memory + 1) {
        free(r->start);
        r->start = (uint8_t *)calloc((size_t)size + 4, 1);
        r->m = memory + 1;
        if (r->start)
            gcncheck_vector_bytes(r->v, memory, r->start);
    }
    if (!r->start || at >= size)
        return 0;
    words.at = r->start;
    words.count = (size + 3) / 4;
    *value = gcncheck_dword(&words, at / 4);
    return 1;
}

/* Judges a recorded answer whose outcome is "done". */
static inline uint32_t gcncheck_answer_judge(const struct gcncheck_vector *v,
                                             const struct gcncheck_answer *a,
                                             gcncheck_vector_diff_fn *fn, void *ctx)
{
    struct gcncheck_recorded r = { v, a, 0, NULL };
    struct gcncheck_vector_state s = { &r, gcv_recorded_reg, gcv_recorded_mem };
    uint32_t wrong = gcncheck_vector_judge(v, &s, fn, ctx);
    free(r.start);
    return wrong;
}

#undef GCV_LIST_OF
#ifdef __cplusplus
}
#endif

#endif
