/* Places as .case files spell them: registers (oracle/state/place.h), LDS, named memory. */
#include "harness/case/internal.h"

#include "oracle/state/place.h"

#include <stdio.h>

/* A reading position in a word. oracle/state/place.c has its own for names of registers: it shows
 * whole names only, and three lines are not worth a cursor that both know. */
struct scan {
    const char *s, *end;
};

static bool scan_char(struct scan *c, char ch)
{
    if (c->s == c->end || *c->s != ch)
        return false;
    c->s++;
    return true;
}

static bool scan_text(struct scan *c, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(c->end - c->s) < n || memcmp(c->s, text, n) != 0)
        return false;
    c->s += n;
    return true;
}

/* A decimal number below a million. */
static bool scan_num(struct scan *c, u32 *v)
{
    const char *from = c->s;
    *v = 0;
    while (c->s < c->end && *c->s >= '0' && *c->s <= '9' && c->s - from < 6)
        *v = *v * 10 + (u32)(*c->s++ - '0');
    return c->s > from && !(c->s < c->end && *c->s >= '0' && *c->s <= '9');
}

/* A register: *why is set if it looks like one and is none. */
static enum status scan_register(const struct scan *c, struct case_place *p, const char **why)
{
    struct place_range r;
    enum status st = place_parse((enum gen)CASE_GEN, c->s, (size_t)(c->end - c->s), &r, why);
    p->place = r.place;
    p->dw = r.dw;
    p->lane = r.lane;
    p->is_bit = st == ST_OK && r.place == PLACE_SCC;
    p->bits = p->is_bit ? 1 : (u16)(r.dw * 32);
    return st;
}

/* lds[8].b64, buf[8].b64 */
static enum status scan_memory(const struct case_test *t, struct scan *c, struct case_place *p,
                               const char **why)
{
    u32 size = LDS_MAX, i = 0, width = 0;
    const char *open = memchr(c->s, '[', (size_t)(c->end - c->s));
    if (!open)
        return ST_INPUT;
    size_t len = (size_t)(open - c->s);
    if (len == 3 && memcmp(c->s, "lds", 3) == 0) {
        p->space = CASE_LDS;
    } else {
        p->space = CASE_MEM;
        while (t && i < t->mems &&
               (strlen(t->mem[i].name) != len || memcmp(t->mem[i].name, c->s, len) != 0))
            i++;
        if (!t || i == t->mems)
            return ST_INPUT;
        p->mem = (u8)i;
        size = t->mem[i].size;
    }
    c->s = open + 1;
    *why = "not an offset and a width, as in lds[8].b32";
    if (!scan_num(c, &p->offset) || !scan_text(c, "].b") || !scan_num(c, &width) || c->s != c->end)
        return ST_INPUT;
    *why = "width is not one of 8, 16, 32, 64, 96, 128";
    if (width != 8 && width != 16 && (width % 32 != 0 || width == 0 || width > 128))
        return ST_INPUT;
    *why = "outside of the memory";
    if (p->offset + width / 8 > size)
        return ST_INPUT;
    p->bits = (u16)width;
    p->dw = (u8)((width + 31) / 32);
    return ST_OK;
}

/* Parts of an export's record: oracle/state/state.h, EXPORTS_BASE. */
static const struct {
    const char *name;
    u16 at, bits;
} export_parts[] = { { "word", 0, 32 }, { "wave", 4, 32 }, { "exec", 8, 64 } };

enum { EXPORT_DATA = 16, EXPORT_COMPONENT = LANES * 4 };

/* export0.word export0.exec export0.x.lane3 */
static enum status scan_export(const struct case_test *t, struct scan *c, struct case_place *p,
                               const char **why)
{
    u32 n, k = 0, lane, at = 0;
    struct scan from = *c;
    if (!t || !scan_text(c, "export") || !scan_num(c, &n) || !scan_char(c, '.')) {
        *c = from;
        return ST_INPUT;
    }
    while (k < t->mems && strcmp(t->mem[k].name, CASE_EXPORTS) != 0)
        k++;
    *why = "no part of an export, as in export0.word, export0.exec, export0.x.lane3";
    for (u32 i = 0; i < COUNT_OF(export_parts) && c->s < c->end; i++)
        if (scan_text(c, export_parts[i].name)) {
            at = export_parts[i].at;
            p->bits = export_parts[i].bits;
        }
    if (!p->bits) {
        static const char components[] = "xyzw";
        const char *found = c->s < c->end ? memchr(components, *c->s, 4) : NULL;
        if (!found)
            return ST_INPUT;
        at = EXPORT_DATA + (u32)(found - components) * EXPORT_COMPONENT;
        c->s++;
        if (!scan_text(c, ".lane") || !scan_num(c, &lane) || lane >= LANES)
            return ST_INPUT;
        at += lane * 4;
        p->bits = 32;
    }
    if (c->s != c->end)
        return ST_INPUT;
    p->offset = EXPORTS_HEAD + n * EXPORTS_RECORD + at;
    *why = k == t->mems ? "the test has no memory exports" : "outside of the memory";
    if (k == t->mems || p->offset + p->bits / 8u > t->mem[k].size)
        return ST_INPUT;
    p->space = CASE_MEM;
    p->mem = (u8)k;
    p->dw = (u8)(p->bits / 32);
    return ST_OK;
}

/* The same back; false if the place is another part of that memory. */
static bool export_name(const struct case_place *p, struct text *o)
{
    u32 at = p->offset - EXPORTS_HEAD, n = at / EXPORTS_RECORD;
    at %= EXPORTS_RECORD;
    if (p->offset < EXPORTS_HEAD)
        return false;
    for (u32 i = 0; i < COUNT_OF(export_parts); i++)
        if (at == export_parts[i].at && p->bits == export_parts[i].bits) {
            text_add(o, "export%u.%s", n, export_parts[i].name);
            return true;
        }
    if (at < EXPORT_DATA || p->bits != 32 || at % 4)
        return false;
    at -= EXPORT_DATA;
    text_add(o, "export%u.%c.lane%u", n, "xyzw"[at / EXPORT_COMPONENT], at % EXPORT_COMPONENT / 4);
    return true;
}

enum status casefile_place(const struct case_test *t, const char *s, size_t len,
                           struct case_place *p, struct err *e)
{
    struct scan c = { s, s + len };
    const char *why = NULL;
    *p = (struct case_place){ .wave = -1, .lane = -1 };
    if (scan_text(&c, "wave")) {
        u32 wave;
        if (!scan_num(&c, &wave) || !scan_char(&c, '.') || wave >= 16)
            return word_err(e, "not a wave, as in wave1.s4", s, len);
        p->wave = (i8)wave;
    }
    if (scan_register(&c, p, &why) == ST_OK || (!why && scan_export(t, &c, p, &why) == ST_OK))
        return ST_OK;
    if (why)
        return word_err(e, why, s, len);
    if (scan_memory(t, &c, p, &why) != ST_OK)
        return word_err(e, why ? why : "no such place", s, len);
    if (p->wave >= 0)
        return word_err(e, "memory belongs to no wave", s, len);
    return ST_OK;
}

const char *casefile_place_name(const struct case_test *t, const struct case_place *p, char *buf,
                                size_t size)
{
    struct text o;
    text_init(&o, buf, size);
    if (p->wave >= 0)
        text_add(&o, "wave%d.", p->wave);
    if (p->space == CASE_MEM && strcmp(t->mem[p->mem].name, CASE_EXPORTS) == 0 &&
        export_name(p, &o))
        return buf;
    if (p->space != CASE_REG) {
        text_add(&o, "%s[%u].b%u", p->space == CASE_LDS ? "lds" : t->mem[p->mem].name, p->offset,
                 p->bits);
        return buf;
    }
    place_print((enum gen)t->gen, &o,
                &(struct place_range){ .place = p->place, .dw = p->dw, .lane = p->lane });
    return buf;
}

bool casefile_is_mask(const struct case_place *p)
{
    return p->space == CASE_REG && p->dw == 2 && p->place < PLACE_V0;
}

bool casefile_overlap(const struct case_place *a, const struct case_place *b)
{
    if (a->space != b->space || (a->wave >= 0 && b->wave >= 0 && a->wave != b->wave))
        return false;
    if (a->space == CASE_REG)
        return a->place < b->place + b->dw && b->place < a->place + a->dw &&
               (a->lane < 0 || b->lane < 0 || a->lane == b->lane);
    return (a->space == CASE_LDS || a->mem == b->mem) && a->offset < b->offset + b->bits / 8u &&
           b->offset < a->offset + a->bits / 8u;
}
