/* Reciprocals, roots, logarithms, powers, sine and cosine of f16: the exact value rounded once, to
 * the nearest even whatever MODE says, subnormals by MODE. The manual promises 0.51 ULP: near the
 * middle between two numbers the other one is right too. The values come from fixed-point series
 * whose error is below 2^-50 of the result; no f16 comes closer to such a middle than that
 * matters. */
#include "oracle/fp/fp_scale.h"

/* Numbers in flight: 62 bits behind the point, as struct fp_num. */
enum { Q = FP_POINT };
#define LN2 0x2c5c85fdf473de6bull /* ln 2 * 2^62 */
#define TAU 0xc90fdaa22168c235ull /* 2 pi * 2^61 */

static u64 mul_q(u64 a, u64 b)
{
    return (u64)((u128)a * b >> Q);
}

/* Rounds n, of which one hundredth of the last place is uncertain. */
static u16 round_close(struct fp_env *env, struct fp_num n)
{
    struct fp_env near = *env;
    int up = (int)clz64(n.sig) - 1;
    int coarse = 1 - fmt_bias(FMT_F16) - (n.exp - up); // places of a subnormal's last bit above
    u64 slack = (1ull << (Q - FMT_F16.mant)) / 50;

    near.round = ROUND_EVEN;
    n.sig <<= up;
    n.exp -= up;
    if (coarse > FMT_F16.mant)
        coarse = FMT_F16.mant;
    if (coarse > 0)
        slack <<= coarse;
    struct fp_num above = n, below = n;
    above.sig += slack;
    below.sig -= slack;
    struct fp_env quiet = near;
    u64 d = fp_round(&near, FMT_F16, n);
    u64 high = fp_round(&quiet, FMT_F16, above), low = fp_round(&quiet, FMT_F16, below);
    env->flags |= near.flags;
    env->open |= near.open;
    if (high != d && fp_alt(env, ALT_VALUE))
        return (u16)high;
    if (low != d && fp_alt(env, ALT_VALUE))
        return (u16)low;
    return (u16)d;
}

/* ---- by division and roots ---- */

/* An infinity of a finite operand, which FP16_OVFL may or may not turn into the largest number. */
static u16 infinite(struct fp_env *env, u16 v)
{
    if (env->fp16_ovfl && fp_inf(FMT_F16, v) && fp_alt(env, ALT_VALUE2))
        return (u16)(v - 1);
    return v;
}

/* fp_rcp, fp_sqrt and fp_rsq work at any precision: at that of f64 their result is close enough to
 * be rounded again, because its last bit says whether something was lost. */
static u16 from_f64(struct fp_env *env, u64 wide, bool exact)
{
    struct fp_env keep = { 0 };
    struct fp_num n = fp_unpack(&keep, FMT_F64, wide);
    if (!exact)
        n.sig |= 1;
    return round_close(env, n);
}

static u16 by_f64(struct fp_env *env, u16 a, u64 (*function)(struct fp_env *env, u64 v))
{
    struct fp_env wide = { .round = ROUND_ZERO, .ieee = 1 };
    struct fp_env in = *env;
    u64 v = fp_convert(&in, FMT_F16, FMT_F64, a);
    u64 d = function(&wide, v);
    env->flags |= (in.flags & FP_IN_DENORM) | (wide.flags & (FP_INVALID | FP_DIV0));
    if (fp_inf(FMT_F64, d) || fp_nan(FMT_F64, d) || fp_abs(FMT_F64, d) == 0)
        return (u16)fp_convert(&wide, FMT_F64, FMT_F16, d);
    return from_f64(env, d, !(wide.flags & FP_INEXACT));
}

static u64 rcp_f64(struct fp_env *env, u64 v)
{
    return fp_rcp(env, FMT_F64, v);
}
static u64 sqrt_f64(struct fp_env *env, u64 v)
{
    return fp_sqrt(env, FMT_F64, v);
}
static u64 rsq_f64(struct fp_env *env, u64 v)
{
    return fp_rsq(env, FMT_F64, v);
}

static u16 nan_of(struct fp_env *env, u16 a)
{
    return (u16)fp_first_nan(env, FMT_F16, a, 0, 0);
}

u16 frcp16(struct fp_env *env, u16 a)
{
    if (fp_nan(FMT_F16, a))
        return nan_of(env, a);
    u16 d = by_f64(env, a, rcp_f64);
    return fp_counts_as_zero(env, FMT_F16, a) ? infinite(env, d) : d;
}

u16 fsqrt16(struct fp_env *env, u16 a)
{
    return fp_nan(FMT_F16, a) ? nan_of(env, a) : by_f64(env, a, sqrt_f64);
}

u16 frsq16(struct fp_env *env, u16 a)
{
    return fp_nan(FMT_F16, a) ? nan_of(env, a) : infinite(env, by_f64(env, a, rsq_f64));
}

/* ---- powers and logarithms of two ---- */

/* One bit of the logarithm for each squaring: what reaches 2 is halved. Each step adds its rounding
 * error at the weight of its bit, so that all together stay below 2^-60. */
static u64 log2_bits(u64 m, u32 bits)
{
    u64 log = 0;
    for (u32 i = 0; i < bits; i++) {
        u128 square = (u128)m * m >> Q;
        bool two = square >> (Q + 1) != 0;
        m = (u64)(square >> two);
        log = log << 1 | two;
    }
    return log;
}

u16 flog16(struct fp_env *env, u16 a)
{
    enum { BITS = 50 };
    if (fp_nan(FMT_F16, a))
        return nan_of(env, a);
    if (fp_counts_as_zero(env, FMT_F16, a)) {
        env->flags |= FP_DIV0;
        return infinite(env, 0xfc00);
    }
    if (fp_negative(FMT_F16, a))
        return (u16)fp_invalid(env, FMT_F16);
    if (fp_inf(FMT_F16, a))
        return a;
    struct fp_num n = fp_unpack(env, FMT_F16, a);
    bool exact = n.sig == 1ull << Q;
    i64 log = (i64)n.exp * (1ll << (BITS + 1));
    if (!exact) // between this bit and the next
        log += (i64)(log2_bits(n.sig, BITS) << 1 | 1);
    if (log == 0)
        return 0;
    struct fp_num d = { .sig = (u64)(log < 0 ? -log : log), .exp = Q - BITS - 1, .sign = log < 0 };
    return round_close(env, d);
}

/* v = whole * 2^-24, exactly: every finite f16 is such a number. */
static i64 in_units(struct fp_num n)
{
    i64 v = (i64)(n.sig >> (Q - 10)) << (n.exp + 14); // exp >= -14 here
    return n.sign ? -v : v;
}

static i64 whole_units(struct fp_env *env, u16 a)
{
    struct fp_num n = fp_unpack(env, FMT_F16, a);
    if (n.sig == 0)
        return 0;
    if (n.exp < -14) { // subnormal: unpack moved the leading one
        i64 v = (i64)(n.sig >> (Q - 24 - n.exp));
        return n.sign ? -v : v;
    }
    return in_units(n);
}

u16 fexp16(struct fp_env *env, u16 a)
{
    const u64 one = 1ull << Q;
    if (fp_nan(FMT_F16, a))
        return nan_of(env, a);
    if (fp_inf(FMT_F16, a))
        return fp_negative(FMT_F16, a) ? 0 : a;
    i64 x = whole_units(env, a);
    u64 fraction = (u64)x & mask64(24);
    struct fp_num d = { .sig = one, .exp = (int)((x - (i64)fraction) / (1 << 24)) };
    if (fraction) {
        u64 y = (u64)((u128)fraction * LN2 >> 24), term = y;
        for (u64 k = 2; term; k++) {
            d.sig += term;
            term = mul_q(term, y) / k;
        }
        d.sig |= 1;
    }
    return round_close(env, d);
}

/* ---- sine and cosine of turns ---- */

/* sin(2 pi x), x = units * 2^-24 in [0, 1/8]. */
static u64 sin_series(u64 units)
{
    u64 y = (u64)((u128)units * TAU >> 23), square = mul_q(y, y), term = y, sum = 0;
    for (u64 k = 2; term; k += 4) {
        u64 next = mul_q(term, square) / (k * (k + 1));
        sum += term - next;
        term = mul_q(next, square) / ((k + 2) * (k + 3));
    }
    return sum;
}

/* cos(2 pi x), x as above. */
static u64 cos_series(u64 units)
{
    u64 y = (u64)((u128)units * TAU >> 23), square = mul_q(y, y), term = 1ull << Q, sum = 0;
    for (u64 k = 1; term; k += 4) {
        u64 next = mul_q(term, square) / (k * (k + 1));
        sum += term - next;
        term = mul_q(next, square) / ((k + 2) * (k + 3));
    }
    return sum;
}

/* The sine of units * 2^-24 turns. Open: whatever is not exact. */
static u16 sine(struct fp_env *env, i64 units)
{
    enum { TURN = 1 << 24 };
    u64 r = (u64)units & (TURN - 1);
    struct fp_num d = { .sign = r >= TURN / 2 };
    r %= TURN / 2;
    if (r == 0)
        return 0;
    if (r > TURN / 4)
        r = TURN / 2 - r;
    if (r == TURN / 4)
        return d.sign ? 0xbc00 : 0x3c00;
    d.sig = (r <= TURN / 8 ? sin_series(r) : cos_series(TURN / 4 - r)) | 1;
    struct fp_env even = *env;
    even.round = ROUND_EVEN;
    u64 v = fp_round(&even, FMT_F16, d);
    env->flags |= even.flags;
    env->open |= even.open | OPEN_NEAR;
    return (u16)v;
}

/* Open: the sign of zero at odd halves of a turn. */
u16 fsin16(struct fp_env *env, u16 a)
{
    if (fp_nan(FMT_F16, a))
        return nan_of(env, a);
    if (fp_inf(FMT_F16, a))
        return (u16)fp_invalid(env, FMT_F16);
    if (fp_counts_as_zero(env, FMT_F16, a))
        return a & 0x8000;
    i64 units = whole_units(env, a);
    bool half = (units & 0xffffff) == 0x800000;
    return half && fp_alt(env, ALT_ZERO) ? 0x8000 : sine(env, units);
}

u16 fcos16(struct fp_env *env, u16 a)
{
    if (fp_nan(FMT_F16, a))
        return nan_of(env, a);
    if (fp_inf(FMT_F16, a))
        return (u16)fp_invalid(env, FMT_F16);
    return sine(env, whole_units(env, a) + (1 << 22));
}
