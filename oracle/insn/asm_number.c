/* Numbers as text: decimal floats, correctly rounded without the host's floating point. */
#include "oracle/insn/asm.h"

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

u64 asm_round_binary(u64 m, bool sticky, i32 e2, u32 mant, u32 exp)
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

u32 asm_f32_of_f64(u64 bits)
{
    u32 sign = (u32)(bits >> 63) << 31, biased = (u32)(bits >> 52 & 0x7ff);
    u64 fraction = bits & mask64(52);
    if (biased == 0)
        return sign; /* zero, or far below the smallest f32 */
    return sign |
           (u32)asm_round_binary(1ull << 52 | fraction, false, (i32)biased - 1023 - 52, 23, 8);
}

u32 asm_f16_of_f64(u64 bits)
{
    u32 sign = (u32)(bits >> 63) << 15, biased = (u32)(bits >> 52 & 0x7ff);
    u64 fraction = bits & mask64(52);
    if (biased == 0)
        return sign;
    return sign |
           (u32)asm_round_binary(1ull << 52 | fraction, false, (i32)biased - 1023 - 52, 10, 5);
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
        return asm_round_binary(top, sticky, bits > 64 ? (i32)bits - 64 : 0, 52, 11);
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
    return asm_round_binary(q, big_bits(&rem) != 0, -(i32)shift - (i32)lead, 52, 11);
}

/* The characters of a decimal float at p: digits with a point or an exponent. 0 if it is none. */
static size_t float_length(const char *p)
{
    size_t n = 0;
    bool point = false, digit = false, exponent = false;
    for (; asm_is_digit(p[n]) || (p[n] == '.' && !point); n++) {
        point |= p[n] == '.';
        digit |= asm_is_digit(p[n]);
    }
    if (digit && p[n] == 'e') {
        size_t k = n + 1 + (p[n + 1] == '-' || p[n + 1] == '+' ? 1 : 0);
        exponent = asm_is_digit(p[k]);
        for (; exponent && asm_is_digit(p[k]); k++)
            n = k;
        n += exponent ? 1 : 0;
    }
    return digit && (point || exponent) && !asm_is_word(p[n]) ? n : 0;
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
            return asm_fail_at(l, start, "more than 19 digits in", e);
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
        return asm_fail_at(l, start, "out of the range of f32:", e);
    l->p = end;
    v->type = VAL_FLOAT;
    v->f64 = decimal_to_f64(digits, e10);
    return ST_OK;
}

enum status asm_read_number(struct line *l, struct val *v, struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    bool minus = asm_accept_char(l, '-');
    asm_skip(l);
    if (float_length(l->p)) {
        enum status st = read_float(l, v, e);
        v->f64 ^= (u64)minus << 63;
        return st;
    }
    l->p = start;
    v->type = VAL_INT;
    return asm_accept_integer(l, &v->num) ? ST_OK : asm_fail_at(l, start, "not a number:", e);
}
