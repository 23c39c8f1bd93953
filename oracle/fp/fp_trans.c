/* Fixed-point series. Qn names a u64 whose unit is 2^-n. */
#include "oracle/fp/fp_trans.h"

#include "oracle/fp/fp_core.h"
#include "oracle/fp/fp_scale.h"

static const u64 LN2_Q64 = 0xb17217f7d1cf79ac;
static const u64 TWO_BY_LN2_Q62 = 0xb8aa3b295c17f0bc;
static const u64 PI_Q62 = 0xc90fdaa22168c235;
static const u64 ONE_Q63 = 1ull << 63;

static u64 mul_high(u64 a, u64 b)
{
    return (u64)((u128)a * b >> 64);
}

/* What an operation gives for any operand, by env->round. */
typedef u64 unit_fn(struct fp_env *env, struct fp_fmt f, u64 v);

/* Rounds to even and, for a normal result that is not exact, notes the side of the exact value: it
 * is farther from zero than the result if rounding toward zero gives the same. */
static u32 nearest(struct fp_env *env, unit_fn *fn, u32 a)
{
    struct fp_env even = *env, zero;
    even.round = ROUND_EVEN;
    even.flags = 0;
    zero = even;
    zero.round = ROUND_ZERO;
    u32 d = (u32)fn(&even, FMT_F32, a), z = (u32)fn(&zero, FMT_F32, a);
    env->flags |= even.flags;
    env->open |= even.open;
    if (even.flags & FP_INEXACT && !(even.flags & (FP_OVERFLOW | FP_UNDERFLOW)))
        env->open |=
            (u16)(OPEN_NEAR | ((d == z) != fp_negative(FMT_F32, d) ? OPEN_MORE : OPEN_LESS));
    return d;
}

/* The same for operations that flush on both sides. */
static u32 flushed(struct fp_env *env, unit_fn *fn, u32 a)
{
    struct fp_env flush = *env;
    flush.flush_in = flush.flush_out = 1;
    u32 d = nearest(&flush, fn, a);
    env->flags = flush.flags;
    env->open = flush.open & (u16)~ALT_TINY; /* what is below the normal numbers is zero */
    return d;
}

static u64 rcp_unit(struct fp_env *env, struct fp_fmt f, u64 v)
{
    return fp_rcp(env, f, v);
}
static u64 rsq_unit(struct fp_env *env, struct fp_fmt f, u64 v)
{
    return fp_rsq(env, f, v);
}
static u64 sqrt_unit(struct fp_env *env, struct fp_fmt f, u64 v)
{
    return fp_sqrt(env, f, v);
}

/* ---- 2^x ---- */

/* 2^f for f in Q64, as Q63 in [1, 2): the series of e^(f ln 2). */
static u64 exp2_fraction(u64 f)
{
    u64 u = mul_high(f, LN2_Q64), sum = ONE_Q63;
    for (u32 k = 22; k >= 1; k--)
        sum = ONE_Q63 + mul_high(u, sum) / k;
    return sum;
}

static u64 exp_unit(struct fp_env *env, struct fp_fmt f, u64 v)
{
    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_inf(f, v))
        return fp_negative(f, v) ? 0 : v;
    struct fp_num x = fp_unpack(env, f, v), d = { .sig = 1ull << FP_POINT };
    if (x.sig == 0)
        return fp_round(env, f, d);
    if (x.exp >= 8) { /* beyond +-256 */
        d.exp = x.sign ? -1000 : 1000;
    } else if (x.exp < -26) { /* nearer to 1 than any other number */
        d.sig = x.sign ? mask64(FP_POINT + 1) : d.sig | 1;
        d.exp = x.sign ? -1 : 0;
    } else {
        u128 q64 = x.exp >= -2 ? (u128)x.sig << (x.exp + 2) : x.sig >> (-2 - x.exp);
        if (x.sign)
            q64 = 0 - q64;
        d.exp = (int)(i64)(q64 >> 64);
        if ((u64)q64) {
            d.sig = exp2_fraction((u64)q64) | 1;
            d.exp -= 1;
        }
    }
    return fp_round(env, f, d);
}

/* ---- log2(x) ---- */

/* |log2(m)| of m = mant / base near 1, as sig * 2^exp: 2/ln2 * artanh((m - 1) / (m + 1)). mant !=
 * base. */
static u64 log2_near_one(u64 mant, u64 base, int *exp)
{
    u64 num = mant > base ? mant - base : base - mant, den = mant + base;
    int shift = 63 + (int)clz64(num) - (int)clz64(den);
    u64 s = (u64)(((u128)num << shift) / den); /* in [2^62, 2^64) */
    u64 s_q64 = shift - 64 < 64 ? s >> (shift - 64) : 0;
    u64 z = mul_high(s_q64, s_q64), sum = 0;
    for (u32 k = 14; k > 0; k--)
        sum = ONE_Q63 / (2 * k - 1) + mul_high(z, sum);
    *exp = 3 - shift;
    return mul_high(mul_high(s, sum), TWO_BY_LN2_Q62);
}

/* whole + (negative ? -1 : 1) * sig * 2^exp, where whole is not zero and the rest at most 1/2. */
static struct fp_num log2_sum(int whole, bool negative, u64 sig, int exp)
{
    enum { POINT = 100 }; /* exp >= -84 */
    u128 sum = (u128)(whole < 0 ? -whole : whole) << POINT, part = (u128)sig << (exp + POINT);
    sum = (whole < 0) == negative ? sum + part : sum - part;
    int up = sum >> 64 ? (int)clz64((u64)(sum >> 64)) : 64 + (int)clz64((u64)sum);
    sum <<= up;
    return (struct fp_num){ .sig = (u64)(sum >> 64) | ((u64)sum != 0),
                            .exp = FP_POINT + 64 - up - POINT,
                            .sign = whole < 0 };
}

static u64 log_unit(struct fp_env *env, struct fp_fmt f, u64 v)
{
    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_counts_as_zero(env, f, v)) {
        env->flags |= FP_DIV0;
        return fmt_sign(f) | fmt_inf(f);
    }
    if (fp_negative(f, v))
        return fp_invalid(env, f);
    if (fp_inf(f, v))
        return v;
    struct fp_num x = fp_unpack(env, f, v), d;
    const u64 one = 1ull << FP_POINT, root2 = 0x5a827999fcef3242; /* sqrt(2) * one */
    bool high = x.sig > root2;
    int whole = x.exp + high, exp;
    if (x.sig == one)
        return fp_from_int(env, f, whole < 0, (u64)(whole < 0 ? -whole : whole));
    /* 39 bits of zeros below the 24 of an f32 */
    u64 sig = log2_near_one(x.sig >> 39, (high ? one << 1 : one) >> 39, &exp);
    if (whole == 0)
        d = (struct fp_num){ .sig = sig | 1, .exp = exp + FP_POINT, .sign = high };
    else
        d = log2_sum(whole, high, sig | 1, exp);
    return fp_round(env, f, d);
}

/* ---- sine and cosine ---- */

/* sin(2 pi r) and cos(2 pi r) of r = sig * 2^-down in (0, 1/8], sig with its leading one at bit
 * 63. */
static struct fp_num sine(u64 sig, int down, bool cosine)
{
    u64 t = mul_high(sig, PI_Q62); /* the angle is t * 2^-k */
    int k = down - 3;
    u64 t_q64 = k < 64 ? t << 1 : k < 128 ? t >> (k - 64) : 0; /* k < 64 for r = 1/8 alone */
    u64 z = mul_high(t_q64, t_q64), sum = ONE_Q63;
    for (u64 j = 11; j >= 1; j--)
        sum = ONE_Q63 - mul_high(z, sum) / (cosine ? (2 * j - 1) * (2 * j) : (2 * j) * (2 * j + 1));
    if (cosine)
        return (struct fp_num){ .sig = (sum - (sum == ONE_Q63)) | 1, .exp = -1 };
    return (struct fp_num){ .sig = mul_high(t, sum) | 1, .exp = FP_POINT + 1 - k };
}

/* sin(2 pi (x + turns / 4)) of finite x != 0; a zero is +0. */
static struct fp_num sine_of_turns(struct fp_num x, u32 turns)
{
    struct fp_num d;
    const int fraction =
        FP_POINT - 39 - x.exp; /* of the 24 bits that an f32 has: 2^-fraction each */
    u64 v = x.sig >> 39, r;
    u32 octant = 0;
    bool negative = false;
    int down;
    if (fraction <= 0)
        v = 0;
    if (fraction > 60) { /* tiny */
        r = v;
        down = fraction;
    } else {
        down = (fraction < 0 ? 0 : fraction) + 3;
        v = (v & mask64((u32)down - 3)) << 3;
        if (x.sign) /* a whole turn on */
            v = (0 - v) & mask64((u32)down);
        octant = (u32)(v >> (down - 3));
        r = v & mask64((u32)down - 2);
        if (octant & 1)
            r = (1ull << (down - 2)) - r;
    }
    negative = fraction > 60 && x.sign;
    u32 quarter = (octant >> 1) + turns;
    bool cosine = (quarter & 1) != (octant & 1);
    if (r == 0) {
        d = (struct fp_num){ .sig = cosine ? 1ull << FP_POINT : 0 };
    } else {
        int up = (int)clz64(r);
        d = sine(r << up, down + up, cosine);
    }
    d.sign = (quarter >> 1 & 1) != (negative && !cosine) && d.sig;
    return d;
}

static u64 sine_unit(struct fp_env *env, struct fp_fmt f, u64 v, u32 turns)
{
    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_inf(f, v))
        return fp_invalid(env, f);
    struct fp_num x = fp_unpack(env, f, v);
    if (x.sig == 0)
        return turns ? (u64)fmt_bias(f) << f.mant : v & fmt_sign(f);
    return fp_round(env, f, sine_of_turns(x, turns));
}

static u64 sin_unit(struct fp_env *env, struct fp_fmt f, u64 v)
{
    return sine_unit(env, f, v, 0);
}
static u64 cos_unit(struct fp_env *env, struct fp_fmt f, u64 v)
{
    return sine_unit(env, f, v, 1);
}

/* At multiples of a quarter the documents settle few results: all whole turns, and +1/4. */
static void note_quarters(struct fp_env *env, u32 a, u32 d)
{
    const u32 quarter = 0x3e800000, magnitude = a & 0x7fffffff;
    bool settled = a == quarter || frndne32(&(struct fp_env){ 0 }, magnitude) == magnitude;
    if (magnitude < quarter || magnitude >= 0x7f800000)
        return;
    if ((d & 0x7fffffff) == 0 || (d & 0x7fffffff) == 0x3f800000)
        env->open |= settled ? 0 : OPEN_NEAR;
}

/* ---- the operations ---- */

u32 frcp32(struct fp_env *env, u32 a)
{
    return flushed(env, rcp_unit, a);
}

u32 frcp_iflag32(struct fp_env *env, u32 a)
{
    u32 flags = env->flags;
    u32 d = flushed(env, rcp_unit, a);
    env->flags = flags | (f32_is_tiny_or_zero(a) ? FP_INT_DIV0 : 0);
    return d;
}

u32 frsq32(struct fp_env *env, u32 a)
{
    return flushed(env, rsq_unit, a);
}
u32 fsqrt32(struct fp_env *env, u32 a)
{
    return flushed(env, sqrt_unit, a);
}

/* ERRATA(VALU-U09): nothing settles that a whole number gives an exact power; hardware may be a
 * unit off. */
u32 fexp32(struct fp_env *env, u32 a)
{
    u32 d = flushed(env, exp_unit, a), mag = a & 0x7fffffff;
    if (mag >= 0x3f800000 && mag < 0x43000000 && d)
        env->open |= OPEN_NEAR;
    return d;
}
u32 flog32(struct fp_env *env, u32 a)
{
    return flushed(env, log_unit, a);
}

u32 fexp_legacy32(struct fp_env *env, u32 a)
{
    if (f32_is_tiny_or_zero(a) || (a & 0x7fffffff) >= 0x7f800000)
        env->open |= OPEN_ANY;
    return fexp32(env, a);
}

u32 flog_legacy32(struct fp_env *env, u32 a)
{
    if (f32_is_tiny_or_zero(a) || a >= 0x7f800000)
        env->open |= OPEN_ANY;
    return flog32(env, a);
}

/* ERRATA(VALU-C40): the manual says that subnormals are supported; whether MODE may flush them, and
 * whether hardware does, is open. */
u32 fsin32(struct fp_env *env, u32 a)
{
    if (fp_subnormal(FMT_F32, a) && !env->flush_in && fp_alt(env, ALT_VALUE))
        return a & 0x80000000;
    u32 d = nearest(env, sin_unit, a);
    note_quarters(env, a, d);
    if ((a & 0x7fffffff) <= 0x39800000) /* 2^-12 */
        env->open |= env->open & OPEN_NEAR ? OPEN_REL : 0;
    return d;
}

u32 fcos32(struct fp_env *env, u32 a)
{
    u32 d = nearest(env, cos_unit, a);
    note_quarters(env, a, d);
    return d;
}
