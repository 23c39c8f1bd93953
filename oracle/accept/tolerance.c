#include "oracle/accept/tolerance.h"

__extension__ typedef unsigned __int128 u128;

struct format {
    u8 mant, exp; /* bits */
};

static struct format format_of(u32 bits)
{
    switch (bits) {
    case 64: return (struct format){ 52, 11 };
    case 32: return (struct format){ 23, 8 };
    default: return (struct format){ 10, 5 };
    }
}

static u64 infinity(struct format f)
{
    return mask64(f.exp) << f.mant;
}
static u64 magnitude(struct format f, u64 v)
{
    return v & mask64((u32)f.mant + f.exp);
}
static bool same_sign(struct format f, u64 a, u64 b)
{
    return !((a ^ b) >> (f.mant + f.exp));
}

bool tolerance_both_nan(u32 bits, u64 want, u64 got, bool quiet)
{
    struct format f = format_of(bits);
    return magnitude(f, want) > infinity(f) && magnitude(f, got) > infinity(f) &&
           (got >> (f.mant - 1) & 1 || !quiet);
}

/* n numbers away; on the side that the exact value is not on, one less. */
static bool within_ulps(const struct tolerance *t, struct format f, u64 want, u64 got)
{
    u64 w = magnitude(f, want), g = magnitude(f, got);
    bool negative = w != want, grows = negative ? t->less : t->more,
         shrinks = negative ? t->more : t->less;
    if (!same_sign(f, want, got))
        return false;
    return g > w ? g - w <= t->n - shrinks : w - g <= t->n - grows;
}

/* The magnitude as sig * 2^(exp - bias - mant). */
static u64 split(struct format f, u64 v, i32 *exp)
{
    u64 m = magnitude(f, v), e = m >> f.mant;
    *exp = (i32)(e ? e : 1);
    return e ? (m & mask64(f.mant)) | 1ull << f.mant : m;
}

/* |got - want| in the same way; false if they are so far apart that one counts as zero. */
static bool distance(struct format f, u64 want, u64 got, u128 *sig, i32 *exp)
{
    i32 we, ge;
    u128 w = split(f, want, &we), g = split(f, got, &ge);
    i32 low = we < ge ? we : ge;
    if (we - low > 64 || ge - low > 64)
        return false;
    w <<= we - low;
    g <<= ge - low;
    *sig = !same_sign(f, want, got) ? w + g : w > g ? w - g : g - w;
    *exp = low;
    return true;
}

static bool within_relative(const struct tolerance *t, struct format f, u64 want, u64 got)
{
    u128 d, w;
    i32 exp, we;
    w = split(f, want, &we);
    if (!distance(f, want, got, &d, &exp) || d >> 96)
        return false;
    return d << t->n <= w << (we - exp);
}

static bool within_absolute(const struct tolerance *t, struct format f, u64 want, u64 got)
{
    u128 d;
    i32 exp, bias = (1 << (f.exp - 1)) - 1;
    if (!distance(f, want, got, &d, &exp)) {
        u64 w = magnitude(f, want), g = magnitude(f, got);
        return (w > g ? w : g) <= (u64)(bias - (i32)t->n) << f.mant;
    }
    i32 limit = bias + f.mant - (i32)t->n - exp;
    return limit < 0 ? d == 0 : limit > 126 || d <= (u128)1 << limit;
}

bool tolerance_accepts(const struct tolerance *t, u32 bits, u64 want, u64 got)
{
    struct format f = format_of(bits);
    if (magnitude(f, want) >= infinity(f) || magnitude(f, got) >= infinity(f))
        return false;
    switch (t->kind) {
    case ACCEPT_ULP: return within_ulps(t, f, want, got);
    case ACCEPT_REL: return within_relative(t, f, want, got);
    case ACCEPT_ABS:
        return t->relative ? within_relative(t, f, want, got) : within_absolute(t, f, want, got);
    default: return false;
    }
}
