/* Values as .case files spell them, and whether something is what a value allows. Host floats serve
 * only to read a decimal fraction: strtof and strtod round correctly. */
#include "harness/case/internal.h"
#include "oracle/accept/tolerance.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- floats ---- */

static const struct {
    u8 bits, mantissa;
} formats[] = { { 16, 10 }, { 32, 23 }, { 64, 52 } };

/* Bits of the mantissa of a float of that size. */
static u32 mantissa_bits(u32 bits)
{
    for (u32 i = 0; i < COUNT_OF(formats); i++)
        if (formats[i].bits == bits)
            return formats[i].mantissa;
    BUG("no such float format");
}

/* Cuts "16", "32" or "64" (behind `mark`) off the end of a word; 0 if it has none. */
static u32 cut_suffix(const char *s, size_t *len, const char *mark)
{
    size_t n = strlen(mark);
    for (u32 i = 0; i < COUNT_OF(formats); i++) {
        char tail[8];
        snprintf(tail, sizeof tail, "%s%u", mark, formats[i].bits);
        if (*len > n + 2 && memcmp(s + *len - n - 2, tail, n + 2) == 0) {
            *len -= n + 2;
            return formats[i].bits;
        }
    }
    return 0;
}

/* inf nan snan anynan, with or without a size. False if the word is none of them. */
static bool named_float(const char *s, size_t len, u32 place_bits, struct case_const *c, u64 *v,
                        u32 *bits)
{
    *bits = cut_suffix(s, &len, "");
    if (!*bits)
        *bits = place_bits == 64 ? 64 : place_bits == 16 ? 16 : 32;
    u32 m = mantissa_bits(*bits);
    u64 inf = mask64(*bits - 1 - m) << m;
    struct word w = { s, len };
    if (word_is(&w, "inf"))
        *v = inf;
    else if (word_is(&w, "nan") || word_is(&w, "anynan"))
        *v = inf | 1ull << (m - 1);
    else if (word_is(&w, "snan"))
        *v = inf | 1;
    else
        return false;
    c->any_nan = len == 6;
    return true;
}

/* A half is taken from the double of the same value and must be exact: rounding twice would not be
 * right. */
static bool half_of_double(double d, u64 *v)
{
    for (u32 h = 0; h < 0x7c00; h++) {
        double m = h >= 0x400 ? (double)(0x400 | (h & 0x3ff)) : (double)h;
        u32 exp = h >= 0x400 ? (h >> 10) - 1 : 0;
        if (m * (double)(1ull << exp) / 16777216.0 == d) {
            *v = h;
            return true;
        }
    }
    return false;
}

/* 1.5f32 0x1.8p0f64: false if the word does not look like one; *why is set if it looks so and is
 * wrong. */
static bool decimal_float(const char *s, size_t len, u64 *v, u32 *bits, const char **why)
{
    char buf[64], *end;
    bool hex = len > 2 && s[0] == '0' && s[1] == 'x';
    if (hex && !memchr(s, 'p', len))
        return false;
    if (!(len && (s[0] == '.' || (s[0] >= '0' && s[0] <= '9'))) ||
        !(*bits = cut_suffix(s, &len, "f")))
        return false;
    *why = "not a number";
    if (len >= sizeof buf)
        return false;
    memcpy(buf, s, len);
    buf[len] = '\0';
    if (*bits == 32) {
        u32 b;
        float x = strtof(buf, &end);
        memcpy(&b, &x, 4);
        *v = b;
    } else {
        double x = strtod(buf, &end);
        memcpy(v, &x, 8);
        if (*bits == 16 && *end == '\0' && !half_of_double(x, v)) {
            *why = "not exactly a 16-bit float; write it in hex";
            return false;
        }
    }
    if (end == buf || *end != '\0')
        return false;
    *why = NULL;
    return true;
}

/* ---- integers ---- */

/* Hex of more than 64 bits. */
static bool wide_hex(const char *s, size_t len, u32 dw, u32 *out)
{
    if (len <= 18 || len > 2 + 8 * (size_t)dw || s[0] != '0' || s[1] != 'x')
        return false;
    for (u32 i = 0; i < dw; i++) {
        char word[8 + 2] = "0x";
        u64 v;
        size_t n = 0, end = len > 2 + 8 * (size_t)i ? len - 8 * (size_t)i : 2;
        size_t from = end > 10 ? end - 8 : 2;
        for (size_t k = from; k < end; k++)
            word[2 + n++] = s[k];
        if (n && !word_u64(word, 2 + n, &v))
            return false;
        out[i] = n ? (u32)v : 0;
    }
    return true;
}

/* &name or &name>>N: the place of memory, or what descriptors hold of it. */
static bool address_term(const struct case_test *t, const char *s, size_t len, struct case_const *c)
{
    const char *cut = memchr(s, '>', len);
    struct word name = { s, cut ? (size_t)(cut - s) : len };
    u64 shift = 0;
    if (cut && (len - name.len < 3 || cut[1] != '>' ||
                !word_u64(cut + 2, len - name.len - 2, &shift) || shift > 63))
        return false;
    c->shift = (u8)shift;
    if (word_is(&name, "code"))
        c->base = CASE_BASE_CODE;
    for (u32 i = 0; t && i < t->mems; i++)
        if (word_is(&name, t->mem[i].name))
            c->base = (u8)(CASE_BASE_MEM + i);
    return c->base != CASE_BASE_NONE;
}

/* gfx8*N: what is added on a generation and those on its side of gfx9. */
static bool generation_term(const struct word *name, const struct word *n, struct case_const *c)
{
    u64 v;
    for (u32 gen = 0; gen < GEN_COUNT; gen++) {
        if (!word_is(name, isa_gen_name((enum gen)gen)))
            continue;
        if (c->on_gen || !word_u64(n->s, n->len, &v) || v == 0 || v > ~0u)
            return false;
        c->gen = (u8)gen;
        c->on_gen = (u32)v;
        return true;
    }
    return false;
}

/* One term of a sum, already without its sign: number, lane, lane*N, N*lane, gfx8*N, &name,
 * &name>>N. */
static bool sum_term(const struct case_test *t, const char *s, size_t len, bool minus,
                     struct case_const *c, u64 *sum)
{
    const char *star = memchr(s, '*', len);
    struct word a = { s, star ? (size_t)(star - s) : len };
    struct word b = { star ? star + 1 : s, star ? len - a.len - 1 : 0 };
    u64 v = 1;
    if (!star && len > 1 && s[0] == '&')
        return c->base == CASE_BASE_NONE && !minus && address_term(t, s + 1, len - 1, c);
    if (star && !minus && generation_term(&a, &b, c))
        return true;
    bool a_lane = word_is(&a, "lane"), b_lane = star && word_is(&b, "lane");
    if (a_lane || b_lane) {
        const struct word *n = a_lane ? &b : &a;
        if (c->lane || (star && (a_lane == b_lane || !word_u64(n->s, n->len, &v))) || v > 1 << 20)
            return false;
        c->lane = minus ? -(i32)v : (i32)v;
        return true;
    }
    if (!word_u64(s, len, &v))
        return false;
    *sum += minus ? 0 - v : v;
    return true;
}

static bool is_sum(const struct case_test *t, const char *s, size_t len, struct case_const *c,
                   u64 *sum, u32 *terms)
{
    const char *end = s + len;
    *sum = 0;
    for (*terms = 0; s < end; ++*terms) {
        bool minus = *s == '-';
        if (minus || *s == '+')
            s++;
        else if (*terms)
            return false;
        const char *from = s;
        while (s < end && *s != '+' && *s != '-')
            s++;
        if (!sum_term(t, from, (size_t)(s - from), minus, c, sum))
            return false;
    }
    return *terms > 0;
}

static void put_u64(struct case_const *c, u64 v, bool negative, u32 dw)
{
    c->dw[0] = (u32)v;
    c->dw[1] = (u32)(v >> 32);
    for (u32 i = 2; i < CASE_VALUE_DW; i++)
        c->dw[i] = negative ? ~0u : 0;
    for (u32 i = dw; i < CASE_VALUE_DW; i++)
        c->dw[i] = 0;
}

/* One number of a value. */
static enum status parse_const(const struct case_test *t, const char *s, size_t len,
                               const struct case_place *p, struct case_const *c, struct err *e)
{
    u64 v;
    u32 bits, terms;
    const char *why = NULL;
    size_t sign = len && s[0] == '-';
    *c = (struct case_const){ 0 };
    if (wide_hex(s, len, p->dw, c->dw))
        return ST_OK;
    if (named_float(s + sign, len - sign, p->bits, c, &v, &bits) ||
        decimal_float(s + sign, len - sign, &v, &bits, &why)) {
        if (bits > p->bits || (bits == 32 && p->bits != 32))
            return word_err(e, "a float of another size than its place", s, len);
        c->float_bits = (u8)bits;
        put_u64(c, sign ? v ^ 1ull << (bits - 1) : v, false, p->dw);
        return ST_OK;
    }
    if (why)
        return word_err(e, why, s, len);
    if (!is_sum(t, s, len, c, &v, &terms))
        return word_err(e, "not a value", s, len);
    if (c->lane && p->bits == 1)
        return word_err(e, "the lane's number is no bit", s, len);
    if (c->base != CASE_BASE_NONE && p->bits < 64)
        return word_err(e, "an address takes 64 bits", s, len);
    bool negative = (s[0] == '-' || (terms > 1 && p->bits < 64)) && (i64)v <= 0;
    if (p->bits < 64) {
        bool fits = v <= mask64(p->bits) || (negative && (i64)v >= -(1ll << (p->bits - 1)));
        if (!fits)
            return word_err(e, "value is too large for its place", s, len);
        if (p->bits < 32)
            v &= mask64(p->bits);
    } else if (terms == 1 && s[0] == '-' && (i64)v > 0) {
        return word_err(e, "value is too large for its place", s, len);
    }
    put_u64(c, v, negative, p->dw);
    return ST_OK;
}

/* Cuts `~row` off the end: the tolerance of the opcode that the file is about. */
static enum status row_tolerance(const struct case_test *t, const char *s, size_t *len,
                                 const struct case_place *p, struct case_value *v, struct err *e)
{
    enum isa_accept kind = t && t->row_of_file ? isa_accept_kind(t->row_of_file) : ACCEPT_EXACT;
    if (kind != ACCEPT_ULP && kind != ACCEPT_REL && kind != ACCEPT_ABS)
        return word_err(e, "the file is not named as an opcode with a tolerance", s, *len);
    if (p->bits > 64)
        return word_err(e, "a tolerance of another size than its place", s, *len);
    const struct isa_operand *d = t->row_of_file->operand;
    v->ulp_bits = isa_type_is_half((enum isa_type)d->type) ? 16 : p->bits == 64 ? 64 : 32;
    v->as_row = t->row_of_file;
    *len -= 4;
    return ST_OK;
}

/* Cuts `~2ulp` off the end. */
static enum status parse_tolerance(const struct case_test *t, const char *s, size_t *len,
                                   const struct case_place *p, struct case_value *v, struct err *e)
{
    const char *tilde = memchr(s, '~', *len);
    if (!tilde)
        return ST_OK;
    size_t n = *len - (size_t)(tilde + 1 - s);
    const char *tail = tilde + 1;
    u64 ulps;
    struct word word = { tail, n };
    u32 bits = cut_suffix(tail, &n, "ulp");
    if (word_is(&word, "row"))
        return row_tolerance(t, s, len, p, v, e);
    if (!bits && n > 3 && memcmp(tail + n - 3, "ulp", 3) == 0) {
        n -= 3;
        bits = p->bits == 64 ? 64 : p->bits == 16 ? 16 : 32;
    }
    if (!bits || !word_u64(tail, n, &ulps) || ulps == 0 || ulps > 1 << 20)
        return word_err(e, "not a tolerance, as in ~2ulp", tilde, *len - (size_t)(tilde - s));
    if (bits > p->bits || p->bits > 64)
        return word_err(e, "a tolerance of another size than its place", tilde,
                        *len - (size_t)(tilde - s));
    v->ulp_bits = (u8)bits;
    v->ulps = (u32)ulps;
    *len = (size_t)(tilde - s);
    return ST_OK;
}

enum status casefile_value(const struct case_test *t, const char *s, size_t len,
                           const struct case_place *p, struct case_value *v, struct err *e)
{
    const char *all = s;
    size_t all_len = len;
    *v = (struct case_value){ .kind = CASE_VALUE };
    struct word w = { s, len };
    if (word_is(&w, "?") || word_is(&w, "same")) {
        v->kind = len == 1 ? CASE_ANY : CASE_SAME;
        return ST_OK;
    }
    enum status st = parse_tolerance(t, s, &len, p, v, e);
    if (st != ST_OK)
        return st;
    if (len == 0 || s[0] != '{') {
        v->alts = 1;
        return parse_const(t, s, len, p, &v->alt[0], e);
    }
    if (s[len - 1] != '}')
        return word_err(e, "no } after the alternatives", all, all_len);
    const char *end = s + len - 1;
    for (s++; s <= end; s++) {
        const char *from = s;
        while (s < end && *s != '|')
            s++;
        const char *to = s;
        while (from < to && *from == ' ')
            from++;
        while (to > from && to[-1] == ' ')
            to--;
        if (v->alts == CASE_ALTS_MAX)
            return word_err(e, "more than 3 alternatives", all, all_len);
        st = parse_const(t, from, (size_t)(to - from), p, &v->alt[v->alts++], e);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

/* ---- evaluation ---- */

void casefile_eval(const struct case_const *c, u32 lane, const u64 *base, u32 out[CASE_VALUE_DW])
{
    memcpy(out, c->dw, sizeof c->dw);
    if (c->lane == 0 && c->base == CASE_BASE_NONE && !c->on_gen)
        return;
    u64 v = (out[0] | (u64)out[1] << 32) + (u64)((i64)c->lane * (i64)lane);
    if (c->base != CASE_BASE_NONE)
        v += base[c->base - CASE_BASE_CODE] >> c->shift;
    bool old = c->gen < (u32)CASE_GEN;
    if (c->on_gen && (old ? base[CASE_BASE_GEN] <= c->gen : base[CASE_BASE_GEN] >= c->gen))
        v += c->on_gen;
    out[0] = (u32)v;
    out[1] = (u32)(v >> 32);
}

/* A float's bits as a number that grows with it; both zeros are the middle. */
static i64 float_order(u64 v, u32 bits)
{
    u64 magnitude = v & mask64(bits - 1);
    return v >> (bits - 1) & 1 ? -(i64)magnitude : (i64)magnitude;
}

static bool within_ulps(u64 want, u64 got, u32 bits, u32 ulps)
{
    u32 m = mantissa_bits(bits);
    u64 inf = mask64(bits - 1 - m) << m, mag = want & mask64(bits - 1);
    if (mag == 0 || mag >= inf || (want ^ got) >> (bits - 1))
        return want == got;
    i64 a = float_order(want, bits), b = float_order(got, bits);
    u64 distance = a > b ? (u64)a - (u64)b : (u64)b - (u64)a;
    return distance <= ulps;
}

static bool is_quiet_nan(u64 v, u32 bits)
{
    u32 m = mantissa_bits(bits);
    u64 quiet = mask64(bits - m) << (m - 1);
    return (v & quiet) == quiet;
}

static bool alternative_accepts(const struct case_value *v, const struct case_const *c, u32 dw,
                                u32 lane, const u64 *base, const u32 *got)
{
    u32 want[CASE_VALUE_DW];
    casefile_eval(c, lane, base, want);
    if (memcmp(want, got, dw * 4) == 0)
        return true;
    u64 w = want[0] | (dw > 1 ? (u64)want[1] << 32 : 0),
        g = got[0] | (dw > 1 ? (u64)got[1] << 32 : 0);
    u32 bits = c->any_nan ? c->float_bits : v->ulp_bits;
    if (bits == 0 || (w ^ g) & ~mask64(bits))
        return false;
    w &= mask64(bits);
    g &= mask64(bits);
    if (c->any_nan)
        return is_quiet_nan(g, bits);
    if (!v->as_row)
        return within_ulps(w, g, bits, v->ulps);
    struct tolerance near = { .kind = isa_accept_kind(v->as_row), .n = isa_accept_n(v->as_row) };
    return tolerance_accepts(&near, bits, w, g);
}

bool casefile_accepts(const struct case_value *v, const struct case_place *p, u32 lane,
                      const u64 *base, const u32 *was, const u32 *got)
{
    if (v->kind == CASE_ANY)
        return true;
    if (v->kind == CASE_SAME)
        return memcmp(was, got, p->dw * 4u) == 0;
    for (u32 i = 0; i < v->alts; i++)
        if (alternative_accepts(v, &v->alt[i], p->dw, lane, base, got))
            return true;
    return false;
}
