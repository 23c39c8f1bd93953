/* Reading tokens: numbers, registers, source modifiers, and what stands behind the operands. */
#include "oracle/insn/asm.h"

/* ---- scanning ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_' || c == '.' || c == '$';
}

void line_skip(struct line *l)
{
    while (*l->p == ' ')
        l->p++;
}

bool accept_char(struct line *l, char c)
{
    line_skip(l);
    if (*l->p != c)
        return false;
    l->p++;
    return true;
}

size_t word_length(const char *p)
{
    size_t n = 0;
    if (is_digit(p[0]))
        return 0;
    while (is_word(p[n]))
        n++;
    return n;
}

/* Text and a lower-cased word. */
static bool same_word(const char *p, size_t n, const char *word)
{
    size_t i = 0;
    for (; i < n && word[i]; i++) {
        char c = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] + 32) : word[i];
        if (c != p[i])
            return false;
    }
    return i == n && word[i] == '\0';
}

bool accept_word(struct line *l, const char *word)
{
    line_skip(l);
    size_t n = word_length(l->p);
    if (n == 0 || !same_word(l->p, n, word))
        return false;
    l->p += n;
    return true;
}

enum status fail_at(const struct line *l, const char *p, const char *what, struct err *e)
{
    while (*p == ' ')
        p++;
    size_t n = word_length(p);
    bool bare = n == 0;
    if (bare)
        n = strcspn(p, " ,");
    else if (p[n] == '[' || p[n] == '(' || p[n] == ':')
        n += strcspn(p + n, p[n] == '[' ? "]" : p[n] == '(' ? ")" : " ,");
    n += !bare && (p[n] == ']' || (p[n] == ')' && memchr(p, '(', n)));
    if (n == 0 && *p)
        n = 1;
    if (n == 0)
        return err_set(e, ST_INPUT, "%s at the end of the line", what);
    return err_set(e, ST_INPUT, "%s '%.*s'", what, (int)(n < 60 ? n : 60),
                   l->original + (p - l->text));
}

/* ---- numbers ---- */

static u32 digit_of(char c)
{
    if (is_digit(c))
        return (u32)(c - '0');
    return c >= 'a' && c <= 'f' ? (u32)(c - 'a') + 10 : 99;
}

/* Unsigned digits; false if there is none or the value does not fit 64 bits. */
static bool accept_digits(struct line *l, u64 *value)
{
    u32 base = 10;
    if (l->p[0] == '0' && (l->p[1] == 'x' || l->p[1] == 'b')) {
        base = l->p[1] == 'x' ? 16 : 2;
        l->p += 2;
    } else if (l->p[0] == '0') {
        base = 8;
    }
    u64 v = 0;
    const char *start = l->p;
    for (; digit_of(*l->p) < base; l->p++) {
        if (v > (~0ull - digit_of(*l->p)) / base)
            return false;
        v = v * base + digit_of(*l->p);
    }
    *value = v;
    return l->p > start && !is_word(*l->p);
}

bool accept_integer(struct line *l, i64 *value)
{
    const char *start = l->p;
    bool minus = accept_char(l, '-');
    u64 v;
    line_skip(l);
    if (!accept_digits(l, &v) || (minus && v > 1ull << 63)) {
        l->p = start;
        return false;
    }
    *value = (i64)(minus ? 0 - v : v);
    return true;
}

enum { BIG_WORDS = 16, DECIMAL_EXP_MAX = 80, DECIMAL_DIGITS_MAX = 19 };

/* Little-endian 512-bit numbers: enough for 2^64 * 10^80. */
struct big {
    u32 w[BIG_WORDS];
};

static void big_mul(struct big *b, u32 factor)
{
    u64 carry = 0;
    for (u32 i = 0; i < BIG_WORDS; i++) {
        carry += (u64)b->w[i] * factor;
        b->w[i] = (u32)carry;
        carry >>= 32;
    }
}

static u32 big_bits(const struct big *b)
{
    for (u32 i = BIG_WORDS; i-- > 0;)
        if (b->w[i])
            return i * 32 + 32 - clz32(b->w[i]);
    return 0;
}

static u32 big_bit(const struct big *b, u32 i)
{
    return b->w[i / 32] >> i % 32 & 1;
}

/* The top 64 bits of b, and in *sticky whether there is anything below them. */
static u64 big_top(const struct big *b, bool *sticky)
{
    u32 bits = big_bits(b);
    u64 top = 0;
    *sticky = false;
    for (u32 i = bits; i-- > 0;) {
        if (bits - i <= 64)
            top = top << 1 | big_bit(b, i);
        else if (big_bit(b, i))
            *sticky = true;
    }
    return top;
}

/* rem = rem * 2 + bit, then the quotient bit of rem / den is returned and den taken away. */
static u32 big_divide_step(struct big *rem, const struct big *den, u32 bit)
{
    u32 in = bit;
    for (u32 i = 0; i < BIG_WORDS; i++) {
        u32 out = rem->w[i] >> 31;
        rem->w[i] = rem->w[i] << 1 | in;
        in = out;
    }
    for (u32 i = BIG_WORDS; i-- > 0;)
        if (rem->w[i] != den->w[i]) {
            if (rem->w[i] < den->w[i])
                return 0;
            break;
        }
    u64 borrow = 0;
    for (u32 i = 0; i < BIG_WORDS; i++) {
        u64 d = (u64)rem->w[i] - den->w[i] - borrow;
        rem->w[i] = (u32)d;
        borrow = d >> 63;
    }
    return 1;
}

u64 round_binary(u64 m, bool sticky, i32 e2, u32 mant, u32 exp)
{
    i32 bias = (1 << (exp - 1)) - 1;
    u32 lead = clz64(m);
    m <<= lead;
    e2 += 63 - (i32)lead; /* of the leading bit */
    i32 biased = e2 + bias;
    u32 drop = 63 - mant; /* bits to round away; one more for each step below the normal range */
    if (biased <= 0) {
        drop += (u32)(1 - biased);
        biased = 0;
    }
    if (drop > 64)
        return 0;
    u64 kept = drop >= 64 ? 0 : m >> drop, half = 1ull << (drop - 1), rest = m & mask64(drop);
    if (rest > half || (rest == half && (sticky || kept & 1)))
        kept++;
    /* The leading bit of a normal number adds one to the exponent; rounding up may carry into it
     * too. */
    u64 bits = biased ? ((u64)(biased - 1) << mant) + kept : kept;
    u64 infinity = mask64(exp) << mant;
    return biased >= 2 * bias + 1 || bits > infinity ? infinity : bits;
}

u32 f32_of_f64(u64 bits)
{
    u32 sign = (u32)(bits >> 63) << 31, biased = (u32)(bits >> 52 & 0x7ff);
    u64 fraction = bits & mask64(52);
    if (biased == 0)
        return sign; /* zero, or far below the smallest f32 */
    return sign | (u32)round_binary(1ull << 52 | fraction, false, (i32)biased - 1023 - 52, 23, 8);
}

u32 f16_of_f64(u64 bits)
{
    u32 sign = (u32)(bits >> 63) << 15, biased = (u32)(bits >> 52 & 0x7ff);
    u64 fraction = bits & mask64(52);
    if (biased == 0)
        return sign;
    return sign | (u32)round_binary(1ull << 52 | fraction, false, (i32)biased - 1023 - 52, 10, 5);
}

/* digits * 10^e10 as a double. */
static u64 decimal_to_f64(u64 digits, i32 e10)
{
    if (digits == 0)
        return 0;
    bool sticky = false;
    struct big num = { { (u32)digits, (u32)(digits >> 32) } }, den = { { 1 } };
    for (i32 i = 0; i < e10; i++)
        big_mul(&num, 10);
    if (e10 >= 0) {
        u32 bits = big_bits(&num);
        u64 top = big_top(&num, &sticky);
        return round_binary(top, sticky, bits > 64 ? (i32)bits - 64 : 0, 52, 11);
    }
    for (i32 i = e10; i < 0; i++)
        big_mul(&den, 10);
    /* (m << shift) / den, m with its top bit set, lies between 2^62 and 2^64. */
    u32 lead = clz64(digits), shift = big_bits(&den) - 1;
    u64 m = digits << lead, q = 0;
    struct big rem = { { 0 } };
    for (u32 i = 64 + shift; i-- > 0;) {
        u32 bit = i >= shift ? (u32)(m >> (i - shift)) & 1 : 0;
        q = q << 1 | big_divide_step(&rem, &den, bit);
    }
    return round_binary(q, big_bits(&rem) != 0, -(i32)shift - (i32)lead, 52, 11);
}

/* The characters of a decimal float at p: digits with a point or an exponent. 0 if it is none. */
static size_t float_length(const char *p)
{
    size_t n = 0;
    bool point = false, digit = false, exponent = false;
    for (; is_digit(p[n]) || (p[n] == '.' && !point); n++) {
        point |= p[n] == '.';
        digit |= is_digit(p[n]);
    }
    if (digit && p[n] == 'e') {
        size_t k = n + 1 + (p[n + 1] == '-' || p[n + 1] == '+' ? 1 : 0);
        exponent = is_digit(p[k]);
        for (; exponent && is_digit(p[k]); k++)
            n = k;
        n += exponent ? 1 : 0;
    }
    return digit && (point || exponent) && !is_word(p[n]) ? n : 0;
}

static enum status read_float(struct line *l, struct val *v, struct err *e)
{
    const char *start = l->p, *p = start, *end = start + float_length(start);
    u64 digits = 0;
    u32 count = 0;
    i32 e10 = 0, written = 0;
    bool point = false, minus = false;
    for (; p < end && *p != 'e'; p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        e10 -= point;
        count += digits || *p != '0';
        if (count > DECIMAL_DIGITS_MAX)
            return fail_at(l, start, "more than 19 digits in", e);
        digits = digits * 10 + (u32)(*p - '0');
    }
    for (p += p < end; p < end; p++) {
        if (*p == '-' || *p == '+')
            minus = *p == '-';
        else if (written < 1000)
            written = written * 10 + (*p - '0');
    }
    e10 += minus ? -written : written;
    if (digits && (e10 > DECIMAL_EXP_MAX || e10 < -DECIMAL_EXP_MAX))
        return fail_at(l, start, "out of the range of f32:", e);
    l->p = end;
    v->type = VAL_FLOAT;
    v->f64 = decimal_to_f64(digits, e10);
    return ST_OK;
}

enum status read_number(struct line *l, struct val *v, struct err *e)
{
    line_skip(l);
    const char *start = l->p;
    bool minus = accept_char(l, '-');
    line_skip(l);
    if (float_length(l->p)) {
        enum status st = read_float(l, v, e);
        v->f64 ^= (u64)minus << 63;
        return st;
    }
    l->p = start;
    v->type = VAL_INT;
    return accept_integer(l, &v->num) ? ST_OK : fail_at(l, start, "not a number:", e);
}

/* ---- registers ---- */

struct bank {
    char letters[5];
    u16 first, count;
    bool acc; /* only in matrix instructions: elsewhere a1 may be a label */
};
static struct bank bank_at(enum gen gen, size_t i)
{
    u16 ttmp = (u16)gen_ttmp(gen);
    const struct bank banks[] = { { "s", 0, (u16)gen_sgprs(gen), false },
                                  { "v", CODE_VGPR, 256, false },
                                  { "ttmp", ttmp, (u16)(CODE_TTMP_LAST - ttmp + 1), false },
                                  { "a", CODE_ACC, 256, true },
                                  { "acc", CODE_ACC, 256, true } };
    return banks[i];
}
enum { BANKS = 5 };

static enum status set_range(struct line *l, const char *start, const struct bank *b, i64 first,
                             i64 last, struct val *v, struct err *e)
{
    if (last < first || last - first >= 32)
        return fail_at(l, start, "bad register range", e);
    if (last >= b->count)
        return fail_at(l, start, "no such register", e);
    v->type = VAL_REG;
    v->code = (u16)(b->first + first);
    v->dwords = (u8)(last - first + 1);
    return ST_OK;
}

/* s5, s[2], s[2:3]; *found says whether it was one of the ranges at all. */
static enum status read_ranged(struct line *l, struct val *v, bool *found, struct err *e)
{
    const char *start = l->p;
    for (size_t i = 0; i < BANKS; i++) {
        const struct bank bank = bank_at((enum gen)l->gen, i), *b = &bank;
        size_t n = strlen(b->letters), word = word_length(start);
        if (b->acc && l->row->enc != ENC_MAI)
            continue;
        if (strncmp(start, b->letters, n) != 0 || (word > n && !is_digit(start[n])))
            continue;
        i64 first, last;
        l->p = start + n;
        *found = true;
        if (word > n) {
            if (!accept_integer(l, &first))
                return fail_at(l, start, "no such register", e);
            return set_range(l, start, b, first, first, v, e);
        }
        if (!accept_char(l, '[')) {
            *found = false;
            break;
        }
        bool good = accept_integer(l, &first);
        last = first;
        if (good && accept_char(l, ':'))
            good = accept_integer(l, &last);
        if (!good || !accept_char(l, ']'))
            return fail_at(l, start, "bad register range", e);
        return set_range(l, start, b, first, last, v, e);
    }
    l->p = start;
    return ST_OK;
}

static bool read_named(struct line *l, struct val *v)
{
    size_t n = word_length(l->p);
    for (const struct reg_name *r = text_regs; r->name; r++)
        if (r->gens >> l->gen & 1 && same_word(l->p, n, r->name)) {
            l->p += n;
            v->type = VAL_REG;
            v->code = r->code;
            v->dwords = r->dwords;
            return true;
        }
    return false;
}

/* [s2,s3]: neighbours, written out. */
static enum status read_list(struct line *l, struct val *v, struct err *e)
{
    const char *start = l->p;
    struct val next = { 0 };
    bool found = false, first = true;
    accept_char(l, '[');
    do {
        line_skip(l);
        found = false;
        enum status st = read_ranged(l, &next, &found, e);
        if (st != ST_OK)
            return st;
        if (!found || next.dwords != 1 || (!first && next.code != v->code + v->dwords))
            return fail_at(l, start, "not a list of neighbouring registers:", e);
        if (first) {
            v->code = next.code;
            v->dwords = 0;
        }
        v->dwords++;
        first = false;
    } while (accept_char(l, ','));
    v->type = VAL_REG;
    return accept_char(l, ']') ? ST_OK : fail_at(l, l->p, "']' missing before", e);
}

static enum status read_plain(struct line *l, struct val *v, struct err *e)
{
    line_skip(l);
    bool found = false;
    if (*l->p == '[')
        return read_list(l, v, e);
    if (is_digit(*l->p) || *l->p == '-' || (*l->p == '.' && is_digit(l->p[1])))
        return read_number(l, v, e);
    if (accept_word(l, "off")) {
        v->type = VAL_OFF;
        return ST_OK;
    }
    enum status st = read_ranged(l, v, &found, e);
    if (st != ST_OK || found || read_named(l, v))
        return st;
    size_t n = word_length(l->p);
    if (n == 0)
        return fail_at(l, l->p, "an operand is missing before", e);
    v->type = VAL_LABEL;
    l->p += n;
    return ST_OK;
}

/* ---- operands ---- */

/* word( ... ), and nothing else moves on. */
static bool accept_call(struct line *l, const char *word)
{
    const char *start = l->p;
    if (accept_word(l, word) && accept_char(l, '('))
        return true;
    l->p = start;
    return false;
}

static enum status read_abs(struct line *l, struct val *v, struct err *e)
{
    bool bar = accept_char(l, '|'), call = !bar && accept_call(l, "abs");
    enum status st = read_plain(l, v, e);
    if (st != ST_OK || (!bar && !call))
        return st;
    v->mods |= TAKES_ABS;
    return accept_char(l, bar ? '|' : ')')
               ? ST_OK
               : fail_at(l, l->p, "end of the absolute value missing before", e);
}

/* A '-' belongs to a number if one follows, else it is the modifier. */
static bool accept_minus(struct line *l)
{
    const char *start = l->p;
    if (!accept_char(l, '-'))
        return false;
    line_skip(l);
    if (!is_digit(*l->p) && *l->p != '.')
        return true;
    l->p = start;
    return false;
}

enum status read_value(struct line *l, struct val *v, struct err *e)
{
    line_skip(l);
    const char *start = l->p;
    *v = (struct val){ .at = (u16)(start - l->text) };
    bool minus = accept_minus(l), call_neg = !minus && accept_call(l, "neg");
    bool call_sext = !minus && !call_neg && accept_call(l, "sext");
    if (minus || call_neg)
        v->mods |= TAKES_NEG;
    if (call_sext)
        v->mods |= TAKES_SEXT;
    enum status st = read_abs(l, v, e);
    if (st != ST_OK)
        return st;
    if ((call_neg || call_sext) && !accept_char(l, ')'))
        return fail_at(l, l->p, "')' missing before", e);
    v->len = (u16)(l->p - start);
    return ST_OK;
}

/* ---- modifiers ---- */

enum status add_mod(struct line *l, const char *start, u32 field, i64 value, struct err *e)
{
    for (u32 i = 0; i < l->modvals; i++)
        if (l->mod[i].field == field)
            return fail_at(l, start, "given twice:", e);
    if (l->modvals == MODVALS_MAX)
        return fail_at(l, start, "too many modifiers at", e);
    l->mod[l->modvals++] =
        (struct modval){ .field = (u8)field, .at = (u16)(start - l->text), .value = value };
    return ST_OK;
}

static enum status read_mod_number(struct line *l, const char *start, i64 *value, struct err *e)
{
    if (!accept_char(l, ':'))
        return fail_at(l, start, "':' and a value are missing after", e);
    return accept_integer(l, value) ? ST_OK : fail_at(l, l->p, "not a number:", e);
}

static enum status read_mod_name(struct line *l, const char *start, const char *const *names,
                                 u32 count, i64 *value, struct err *e)
{
    if (!accept_char(l, ':'))
        return fail_at(l, start, "':' and a value are missing after", e);
    for (u32 i = 0; i < count; i++)
        if (accept_word(l, names[i])) {
            *value = i;
            return ST_OK;
        }
    return fail_at(l, l->p, "no such select:", e);
}

static enum status read_omod(struct line *l, const char *start, bool divide, i64 *value,
                             struct err *e)
{
    enum status st = read_mod_number(l, start, value, e);
    if (st != ST_OK)
        return st;
    i64 n = *value;
    if (divide ? n != 1 && n != 2 : n != 1 && n != 2 && n != 4)
        return fail_at(l, start, "only mul:2, mul:4 and div:2 exist, not", e);
    *value = n == 1 ? 0 : divide ? 3 : n / 2;
    return ST_OK;
}

static enum status read_quad_perm(struct line *l, const char *start, i64 *value, struct err *e)
{
    *value = 0;
    bool good = accept_char(l, ':') && accept_char(l, '[');
    for (u32 i = 0; i < 4 && good; i++) {
        i64 lane = 0;
        good =
            accept_integer(l, &lane) && lane >= 0 && lane <= 3 && accept_char(l, i < 3 ? ',' : ']');
        if (good)
            *value |= lane << i * 2;
    }
    return good ? ST_OK : fail_at(l, start, "four lanes 0 to 3 in [] and commas belong after", e);
}

/* A bit for each source; of the bit for the destination, which is bit 3, nothing need be said. */
static enum status read_selects(struct line *l, const char *start, const struct mod *m, i64 *value,
                                struct err *e)
{
    u32 sources = text_sel_sources(l->row), count = 0;
    bool good = accept_char(l, ':') && accept_char(l, '['), more = good;
    *value = 0;
    while (good && more) {
        i64 bit = 0;
        good = accept_integer(l, &bit) && bit >= 0 && bit <= 1 &&
               count < sources + (m->style == STYLE_SELDST);
        if (good)
            *value |= bit << (count < sources ? count : 3);
        count++;
        more = accept_char(l, ',');
    }
    good = good && count >= sources && accept_char(l, ']');
    return good ? ST_OK
                : fail_at(l, start, "a bit for each source in [] and commas belong after", e);
}

/* One of the dpp_ctrl words other than quad_perm; *found says whether it was one. */
static enum status read_dpp(struct line *l, i64 *value, bool *found, struct err *e)
{
    line_skip(l);
    const char *start = l->p;
    *found = false;
    for (const struct dpp_name *d = text_dpp; d->text; d++) {
        if (!accept_word(l, d->text))
            continue;
        *found = true;
        i64 n = -1;
        if (d->value >= 0) {
            enum status st = read_mod_number(l, start, &n, e);
            if (st != ST_OK)
                return st;
        }
        if (n >= d->value && n <= d->value + d->last - d->first) {
            *value = d->first + (n - d->value);
            return ST_OK;
        }
        l->p = start; /* row_bcast stands there twice */
    }
    return *found ? fail_at(l, start, "no such lane shuffle:", e) : ST_OK;
}

static enum status read_mod_value(struct line *l, const char *start, const struct mod *m,
                                  i64 *value, struct err *e)
{
    switch ((enum mod_style)m->style) {
    case STYLE_NONE:
    case STYLE_FLAG: *value = 1; return ST_OK;
    case STYLE_SEL: return read_mod_name(l, start, text_sel_names, SEL_COUNT, value, e);
    case STYLE_UNUSED: return read_mod_name(l, start, text_unused_names, UNUSED_COUNT, value, e);
    case STYLE_FORMAT: return read_format(l, start, value, e);
    case STYLE_DPP: return read_quad_perm(l, start, value, e);
    case STYLE_OMOD: return read_omod(l, start, false, value, e);
    case STYLE_NUM:
    case STYLE_SNUM:
    case STYLE_HEX:
    case STYLE_MASK:
    case STYLE_DMASK: return read_mod_number(l, start, value, e);
    case STYLE_SWIZZLE:
        return accept_char(l, ':') ? read_swizzle(l, value, e)
                                   : fail_at(l, start, "':' and a value are missing after", e);
    case STYLE_SELS:
    case STYLE_SELDST:
    case STYLE_SELHI: return read_selects(l, start, m, value, e);
    case STYLE_BOUND: break;
    }
    /* Old and new spelling of the same bit. */
    enum status st = read_mod_number(l, start, value, e);
    if (st == ST_OK && *value != 0 && *value != 1)
        return fail_at(l, start, "only 0 and 1 may follow", e);
    *value = 1;
    return st;
}

/* One modifier of a layout; *found says whether there was one. */
static enum status read_mod_of(struct line *l, enum isa_form form, bool *found, struct err *e)
{
    line_skip(l);
    const char *start = l->p;
    i64 value = 0;
    *found = true;
    for (const struct mod *m = text_mods(l->row, form); m->style != STYLE_NONE; m++) {
        bool divide = m->style == STYLE_OMOD && accept_word(l, "div");
        if (!divide &&
            (!text_mod_applies((enum gen)l->gen, l->row, form, m) || !accept_word(l, m->text)))
            continue;
        enum status st =
            divide ? read_omod(l, start, true, &value, e) : read_mod_value(l, start, m, &value, e);
        return st != ST_OK ? st : add_mod(l, start, m->field, value, e);
    }
    if (form == FORM_DPP) {
        enum status st = read_dpp(l, &value, found, e);
        if (st != ST_OK || *found)
            return st != ST_OK ? st : add_mod(l, start, FLD_dpp_ctrl, value, e);
    }
    *found = false;
    return ST_OK;
}

enum status read_mods(struct line *l, struct err *e)
{
    for (line_skip(l); *l->p; line_skip(l)) {
        bool found = false;
        for (u32 form = 0; form < FORM_COUNT && !found; form++) {
            if (!(isa_forms((enum gen)l->gen, l->row) >> form & 1))
                continue;
            enum status st = read_mod_of(l, (enum isa_form)form, &found, e);
            if (st != ST_OK)
                return st;
        }
        if (!found)
            return fail_at(l, l->p, "not a modifier of this instruction:", e);
    }
    return ST_OK;
}
