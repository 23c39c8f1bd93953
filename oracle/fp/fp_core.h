/* The arithmetic behind oracle/fp/fp.h, written once for every binary format: unpack, exact
 * operation on 64-bit significands, round and pack. fp16.c, fp32.c, fp64.c and fp_cvt.c are thin
 * wrappers that pass a constant struct fp_fmt, so that the compiler makes one copy per format.
 * Nobody else includes this.
 *
 * A number in flight is sig * 2^(exp - 62). unpack puts the leading one at bit 62, which leaves bit
 * 63 for the carry of one addition; fp_round accepts any position. Bits that do not fit are ORed
 * into bit 0
 * ("sticky"): it always lies at least nine places below the rounding position, so rounding sees
 * whether something was lost but never where. */
#ifndef ORACLE_FP_FP_CORE_H
#define ORACLE_FP_FP_CORE_H

#include "oracle/fp/fp.h"

#define FP_INLINE static inline __attribute__((always_inline))

__extension__ typedef unsigned __int128 u128;

/* A binary interchange format by its field widths, in bits; the sign lies above both. */
struct fp_fmt {
    int mant; /* stored significand bits */
    int exp;  /* exponent bits */
};

#define FMT_F16 ((struct fp_fmt){ .mant = 10, .exp = 5 })
#define FMT_F32 ((struct fp_fmt){ .mant = 23, .exp = 8 })
#define FMT_F64 ((struct fp_fmt){ .mant = 52, .exp = 11 })

struct fp_num {
    u64 sig; /* 0: zero */
    int exp;
    bool sign;
};

enum {
    FP_POINT = 62,
    FP_ZERO_EXP = -100000 /* below every exponent that a computation can reach */
};

FP_INLINE int fmt_bias(struct fp_fmt f)
{
    return (1 << (f.exp - 1)) - 1;
}
FP_INLINE u64 fmt_sign(struct fp_fmt f)
{
    return 1ull << (f.mant + f.exp);
}
FP_INLINE u64 fmt_inf(struct fp_fmt f)
{
    return mask64((u32)f.exp) << f.mant;
}
FP_INLINE u64 fmt_quiet(struct fp_fmt f)
{
    return 1ull << (f.mant - 1);
}
FP_INLINE u64 fmt_default_nan(struct fp_fmt f)
{
    return fmt_sign(f) | fmt_inf(f) | fmt_quiet(f);
}

FP_INLINE u64 fp_abs(struct fp_fmt f, u64 v)
{
    return v & (fmt_sign(f) - 1);
}
FP_INLINE bool fp_negative(struct fp_fmt f, u64 v)
{
    return (v & fmt_sign(f)) != 0;
}
FP_INLINE bool fp_special(struct fp_fmt f, u64 v)
{
    return (v & fmt_inf(f)) == fmt_inf(f);
}
FP_INLINE bool fp_inf(struct fp_fmt f, u64 v)
{
    return fp_abs(f, v) == fmt_inf(f);
}
FP_INLINE bool fp_nan(struct fp_fmt f, u64 v)
{
    return fp_abs(f, v) > fmt_inf(f);
}
FP_INLINE bool fp_snan(struct fp_fmt f, u64 v)
{
    return fp_nan(f, v) && !(v & fmt_quiet(f));
}

FP_INLINE bool fp_subnormal(struct fp_fmt f, u64 v)
{
    return fp_abs(f, v) - 1 < mask64((u32)f.mant); // zero wraps to the largest value
}

/* Input flush without a flag. */
FP_INLINE u64 fp_flush_in(const struct fp_env *env, struct fp_fmt f, u64 v)
{
    return env->flush_in && fp_subnormal(f, v) ? v & fmt_sign(f) : v;
}

/* Records a subnormal operand that is kept. Called once NaN operands and invalid operations, which
 * take precedence, are out of the way. */
FP_INLINE void fp_note_denorm(struct fp_env *env, struct fp_fmt f, u64 v)
{
    if (!env->flush_in && fp_subnormal(f, v))
        env->flags |= FP_IN_DENORM;
}

FP_INLINE u64 fp_invalid(struct fp_env *env, struct fp_fmt f)
{
    env->flags |= FP_INVALID;
    return fmt_default_nan(f);
}

/* The NaN that goes out when v, a NaN, came in. */
FP_INLINE u64 fp_quieted(const struct fp_env *env, struct fp_fmt f, u64 v)
{
    return env->ieee ? v | fmt_quiet(f) : v;
}

/* Result where at least one of three operands is a NaN: the first one. Fewer operands: pass 0.
 * Which of several it is, and whether a signaling one is quieted with IEEE=0, is open. */
FP_INLINE u64 fp_first_nan(struct fp_env *env, struct fp_fmt f, u64 a, u64 b, u64 c)
{
    bool signaling = fp_snan(f, a) || fp_snan(f, b) || fp_snan(f, c);
    if (signaling)
        env->flags |= FP_INVALID;
    if (fp_nan(f, a) + fp_nan(f, b) + fp_nan(f, c) > 1 || (signaling && !env->ieee))
        env->open |= OPEN_NAN;
    return fp_quieted(env, f, fp_nan(f, a) ? a : fp_nan(f, b) ? b : c);
}

/* Output flush of a result that needed no rounding. */
FP_INLINE u64 fp_flush_out(struct fp_env *env, struct fp_fmt f, u64 v)
{
    if (!env->flush_out || !fp_subnormal(f, v))
        return v;
    env->flags |= FP_UNDERFLOW | FP_INEXACT;
    return v & fmt_sign(f);
}

/* Finite v as a number; flushes it or records that it is subnormal. */
FP_INLINE struct fp_num fp_unpack(struct fp_env *env, struct fp_fmt f, u64 v)
{
    u64 mant = v & mask64((u32)f.mant);
    int exp = (int)(fp_abs(f, v) >> f.mant);
    struct fp_num n = { .sign = fp_negative(f, v) };

    if (exp > 0) {
        n.sig = (mant | 1ull << f.mant) << (FP_POINT - f.mant);
        n.exp = exp - fmt_bias(f);
    } else if (mant == 0 || env->flush_in) {
        n.sig = 0;
        n.exp = FP_ZERO_EXP;
    } else {
        int up = (int)clz64(mant) - 1;
        env->flags |= FP_IN_DENORM;
        n.sig = mant << up;
        n.exp = 1 - fmt_bias(f) + FP_POINT - f.mant - up;
    }
    return n;
}

/* Shifts right by any count >= 0; what falls out sets bit 0. */
FP_INLINE u64 fp_shift_sticky(u64 v, int count)
{
    if (count >= 64)
        return v != 0;
    return v >> count | ((v & mask64((u32)count)) != 0);
}

/* sig / 2^count rounded to an integer, 1 <= count <= 63. */
FP_INLINE u64 fp_round_sig(u8 round, bool sign, u64 sig, int count)
{
    u64 kept = sig >> count;
    u64 lost = sig & mask64((u32)count);
    u64 half = 1ull << (count - 1);

    switch (round) {
    case ROUND_EVEN: return kept + (lost > half || (lost == half && kept & 1));
    case ROUND_UP: return kept + (lost && !sign);
    case ROUND_DOWN: return kept + (lost && sign);
    default: return kept;
    }
}

/* A finite result beyond the largest number. */
FP_INLINE u64 fp_overflow(struct fp_env *env, struct fp_fmt f, bool sign)
{
    bool to_max = env->round == ROUND_ZERO || env->round == (sign ? ROUND_UP : ROUND_DOWN) ||
                  (f.exp == FMT_F16.exp && env->fp16_ovfl);
    env->flags |= FP_OVERFLOW | FP_INEXACT;
    return (sign ? fmt_sign(f) : 0) | (fmt_inf(f) - to_max);
}

/* Rounds n once and packs it. Tininess is judged on the value rounded as if the exponent were
 * unbounded. */
FP_INLINE u64 fp_round(struct fp_env *env, struct fp_fmt f, struct fp_num n)
{
    const int drop = 63 - f.mant; // bits below the last kept place, leading one at bit 63
    u64 sign = n.sign ? fmt_sign(f) : 0;

    if (n.sig == 0)
        return sign;

    int up = (int)clz64(n.sig);
    u64 sig = n.sig << up;
    int exp = n.exp + 1 - up + fmt_bias(f);
    u64 mant = fp_round_sig(env->round, n.sign, sig, drop);
    bool exact = (sig & mask64((u32)drop)) == 0;
    int carry = (int)(mant >> (f.mant + 1));

    if (__builtin_expect(exp + carry < 1, 0)) {
        sig = fp_shift_sticky(sig, 1 - exp);
        mant = fp_round_sig(env->round, n.sign, sig, drop);
        if (env->flush_out) {
            env->flags |= FP_UNDERFLOW | FP_INEXACT;
            return mant >> f.mant && fp_alt(env, ALT_TINY) ? sign | mant : sign;
        }
        if (sig & mask64((u32)drop))
            env->flags |= FP_UNDERFLOW | FP_INEXACT;
        return sign | mant; // a carry into the exponent field makes the smallest normal
    }
    if (__builtin_expect(exp + carry >= (1 << f.exp) - 1, 0))
        return fp_overflow(env, f, n.sign);
    if (__builtin_expect(exp < 1, 0) && env->flush_out && fp_alt(env, ALT_TINY)) {
        env->flags |= FP_UNDERFLOW | FP_INEXACT;
        return sign;
    }
    if (!exact)
        env->flags |= FP_INEXACT;
    // The leading one adds 1 to the exponent field; a carry doubles it and leaves the fraction
    // zero.
    return sign | (((u64)(exp - 1) << f.mant) + mant);
}

/* a + b, either may be zero. An exact zero gets the sign of the rule of signed zeros. */
FP_INLINE struct fp_num fp_sum(const struct fp_env *env, struct fp_num a, struct fp_num b)
{
    struct fp_num hi = a.exp >= b.exp ? a : b;
    struct fp_num lo = a.exp >= b.exp ? b : a;
    u64 lo_sig = fp_shift_sticky(lo.sig, hi.exp - lo.exp);

    if (hi.sign == lo.sign) {
        hi.sig += lo_sig;
    } else if (hi.sig > lo_sig) {
        hi.sig -= lo_sig;
    } else if (hi.sig < lo_sig) {
        hi.sig = lo_sig - hi.sig;
        hi.sign = lo.sign;
    } else {
        hi.sig = 0;
        hi.sign = env->round == ROUND_DOWN;
    }
    return hi;
}

/* a * b. Exact for f16 and f32; of an f64 product the low bits are sticky. Leading one at bit 61
 * or 62. */
FP_INLINE struct fp_num fp_product(struct fp_fmt f, struct fp_num a, struct fp_num b)
{
    struct fp_num n = { .sign = a.sign != b.sign, .exp = a.exp + b.exp + 1 };
    u64 x = a.sig >> (FP_POINT - f.mant);
    u64 y = b.sig >> (FP_POINT - f.mant);
    int up = FP_POINT - (2 * f.mant + 1);

    if (up >= 0) {
        n.sig = x * y << (up & 63);
    } else {
        u128 p = (u128)x * y;
        u128 lost = p & (((u128)1 << (-up & 63)) - 1);
        n.sig = (u64)(p >> (-up & 63)) | (lost != 0);
    }
    return n;
}

FP_INLINE u64 fp_add(struct fp_env *env, struct fp_fmt f, u64 a, u64 b)
{
    if (__builtin_expect(fp_special(f, a) || fp_special(f, b), 0)) {
        if (fp_nan(f, a) || fp_nan(f, b))
            return fp_first_nan(env, f, a, b, 0);
        if (fp_inf(f, a) && fp_inf(f, b) && a != b)
            return fp_invalid(env, f);
        fp_note_denorm(env, f, a);
        fp_note_denorm(env, f, b);
        return fp_inf(f, a) ? a : b;
    }
    struct fp_num x = fp_unpack(env, f, a);
    struct fp_num y = fp_unpack(env, f, b);
    return fp_round(env, f, fp_sum(env, x, y));
}

/* The sign of a NaN subtrahend is kept. */
FP_INLINE u64 fp_sub(struct fp_env *env, struct fp_fmt f, u64 a, u64 b)
{
    return fp_add(env, f, a, fp_nan(f, b) ? b : b ^ fmt_sign(f));
}

/* Zero after input flush. */
FP_INLINE bool fp_counts_as_zero(const struct fp_env *env, struct fp_fmt f, u64 v)
{
    return fp_abs(f, fp_flush_in(env, f, v)) == 0;
}

FP_INLINE bool fp_zero_times_inf(const struct fp_env *env, struct fp_fmt f, u64 a, u64 b)
{
    return (fp_inf(f, a) && fp_counts_as_zero(env, f, b)) ||
           (fp_inf(f, b) && fp_counts_as_zero(env, f, a));
}

FP_INLINE u64 fp_mul(struct fp_env *env, struct fp_fmt f, u64 a, u64 b)
{
    if (__builtin_expect(fp_special(f, a) || fp_special(f, b), 0)) {
        if (fp_nan(f, a) || fp_nan(f, b))
            return fp_first_nan(env, f, a, b, 0);
        if (fp_zero_times_inf(env, f, a, b))
            return fp_invalid(env, f);
        fp_note_denorm(env, f, a);
        fp_note_denorm(env, f, b);
        return ((a ^ b) & fmt_sign(f)) | fmt_inf(f);
    }
    struct fp_num x = fp_unpack(env, f, a);
    struct fp_num y = fp_unpack(env, f, b);
    return fp_round(env, f, fp_product(f, x, y));
}

/* a * b + c where an operand is infinite or NaN. The invalid product wins over a NaN addend. */
FP_INLINE u64 fp_fma_special(struct fp_env *env, struct fp_fmt f, u64 a, u64 b, u64 c)
{
    bool inf = fp_inf(f, a) || fp_inf(f, b);
    u64 product = ((a ^ b) & fmt_sign(f)) | fmt_inf(f);

    if (fp_zero_times_inf(env, f, a, b)) {
        if (fp_nan(f, c))
            env->open |= OPEN_NAN;
        return fp_invalid(env, f);
    }
    if (fp_nan(f, a) || fp_nan(f, b) || fp_nan(f, c))
        return fp_first_nan(env, f, a, b, c);
    if (inf && fp_inf(f, c) && product != c)
        return fp_invalid(env, f);
    fp_note_denorm(env, f, a);
    fp_note_denorm(env, f, b);
    fp_note_denorm(env, f, c);
    return inf ? product : c;
}

FP_INLINE u128 fp_shift_sticky_wide(u128 v, int count)
{
    if (count >= 128)
        return v != 0;
    return v >> count | ((v & (((u128)1 << count) - 1)) != 0);
}

/* x * y + z of f64 numbers with 128-bit significands, sig * 2^(exp - 126); the result is reduced to
 * 64 bits, sticky. */
FP_INLINE struct fp_num fp_fused_wide(const struct fp_env *env, struct fp_num x, struct fp_num y,
                                      struct fp_num z)
{
    const int unused = FP_POINT - 52;                           // zero bits below an unpacked f64
    u128 p = (u128)(x.sig >> unused) * (y.sig >> unused) << 21; // leading one at bit 125 or 126
    u128 c = (u128)z.sig << 64;
    int exp = x.exp + y.exp + 1;
    bool sign = x.sign != y.sign;

    if (exp >= z.exp) {
        c = fp_shift_sticky_wide(c, exp - z.exp);
    } else {
        p = fp_shift_sticky_wide(p, z.exp - exp);
        exp = z.exp;
    }
    u128 sum = sign == z.sign ? p + c : p > c ? p - c : c - p;
    if (sum == 0)
        return (struct fp_num){ .sign = sign == z.sign ? sign : env->round == ROUND_DOWN };
    if (c > p)
        sign = z.sign;

    u64 hi = (u64)(sum >> 64);
    int up = hi ? (int)clz64(hi) : 64 + (int)clz64((u64)sum);
    sum <<= up;
    return (
        struct fp_num){ .sig = (u64)(sum >> 64) | ((u64)sum != 0), .exp = exp - up, .sign = sign };
}

/* x * y + z, as good as exact. */
FP_INLINE struct fp_num fp_fused(const struct fp_env *env, struct fp_fmt f, struct fp_num x,
                                 struct fp_num y, struct fp_num z)
{
    if (f.mant == FMT_F64.mant)
        return fp_fused_wide(env, x, y, z);
    return fp_sum(env, fp_product(f, x, y), z);
}

FP_INLINE u64 fp_fma(struct fp_env *env, struct fp_fmt f, u64 a, u64 b, u64 c)
{
    if (__builtin_expect(fp_special(f, a) || fp_special(f, b) || fp_special(f, c), 0))
        return fp_fma_special(env, f, a, b, c);
    struct fp_num x = fp_unpack(env, f, a);
    struct fp_num y = fp_unpack(env, f, b);
    struct fp_num z = fp_unpack(env, f, c);
    return fp_round(env, f, fp_fused(env, f, x, y, z));
}

/* Whether a result v that overflowed would be infinite without FP16_OVFL. */
FP_INLINE bool fp_limited(const struct fp_env *env, struct fp_fmt f, u64 v)
{
    struct fp_env unlimited = *env;
    unlimited.fp16_ovfl = 0;
    return f.exp == FMT_F16.exp && env->fp16_ovfl &&
           fp_inf(f, fp_overflow(&unlimited, f, fp_negative(f, v)));
}

/* a * b rounded, plus c rounded; subnormals flushed on input, in the product and on output. Open:
 * the rounding of the product where MODE does not say to even, whether it is flushed by itself, and
 * whether FP16_OVFL limits it (if not, the sum overflows whatever is added).
 * ERRATA(VALU-U43): the manual speaks of results. */
FP_INLINE u64 fp_mad(struct fp_env *env, struct fp_fmt f, u64 a, u64 b, u64 c)
{
    struct fp_env mul = *env, add;
    mul.flush_in = mul.flush_out = 1;
    mul.flags = 0;
    add = mul;
    u64 p = fp_mul(&mul, f, a, b);
    if (mul.flags & FP_INEXACT && env->round != ROUND_EVEN && fp_alt(&mul, ALT_PRODUCT)) {
        struct fp_env even = add;
        even.round = ROUND_EVEN;
        p = fp_mul(&even, f, a, b);
    }
    if (mul.flags & FP_UNDERFLOW && fp_alt(&mul, ALT_RAW)) {
        struct fp_env raw = add;
        raw.flush_out = 0;
        p = fp_mul(&raw, f, a, b);
        c = fp_flush_in(&add, f, c);
        add.flush_in = 0;
    }
    if (mul.flags & FP_OVERFLOW && fp_limited(env, f, p) && !fp_special(f, c) &&
        fp_alt(&mul, ALT_VALUE))
        c = 0;
    u64 d = fp_add(&add, f, p, c);
    env->flags |= mul.flags | add.flags;
    env->open |= mul.open | add.open;
    return d;
}

/* Maps bit patterns to integers that order like the numbers, -0 below +0. */
FP_INLINE i64 fp_key(struct fp_fmt f, u64 v)
{
    i64 magnitude = (i64)fp_abs(f, v);
    return fp_negative(f, v) ? -1 - magnitude : magnitude;
}

/* The environment for an operation that may not flush although MODE says so, if that is taken. */
FP_INLINE bool fp_raw(struct fp_env *env, struct fp_fmt f, u64 a, u64 b)
{
    return (env->flush_in || env->flush_out) && (fp_subnormal(f, a) || fp_subnormal(f, b)) &&
           fp_alt(env, ALT_RAW);
}

/* Open: whether the selection flushes, and what comes of two NaNs. */
FP_INLINE u64 fp_min_max(struct fp_env *env, struct fp_fmt f, u64 a, u64 b, bool want_max)
{
    bool raw = fp_raw(env, f, a, b);
    u64 x = raw ? a : fp_flush_in(env, f, a);
    u64 y = raw ? b : fp_flush_in(env, f, b);

    if (__builtin_expect(fp_nan(f, a) || fp_nan(f, b), 0)) {
        if (fp_snan(f, a) || fp_snan(f, b))
            env->flags |= FP_INVALID;
        if (fp_nan(f, a) && fp_nan(f, b))
            env->open |= OPEN_NAN;
        if (env->ieee && fp_snan(f, a))
            return a | fmt_quiet(f);
        if (env->ieee && fp_snan(f, b))
            return b | fmt_quiet(f);
        u64 other = fp_nan(f, a) ? y : x;
        return raw ? other : fp_flush_out(env, f, other);
    }
    fp_note_denorm(env, f, a);
    fp_note_denorm(env, f, b);
    u64 d = (fp_key(f, x) > fp_key(f, y)) == want_max ? x : y;
    return raw ? d : fp_flush_out(env, f, d);
}

FP_INLINE enum fp_order fp_compare(struct fp_env *env, struct fp_fmt f, u64 a, u64 b)
{
    u64 x = fp_flush_in(env, f, a);
    u64 y = fp_flush_in(env, f, b);

    if (fp_nan(f, a) || fp_nan(f, b)) {
        if (fp_snan(f, a) || fp_snan(f, b))
            env->flags |= FP_INVALID;
        return ORDER_UN;
    }
    fp_note_denorm(env, f, a);
    fp_note_denorm(env, f, b);
    if (x == y || fp_abs(f, x | y) == 0)
        return ORDER_EQ;
    return fp_key(f, x) < fp_key(f, y) ? ORDER_LT : ORDER_GT;
}

/* A finite magnitude split at the binary point. */
enum fp_rest { REST_NONE, REST_BELOW_HALF, REST_HALF, REST_ABOVE_HALF };
struct fp_split {
    u64 whole;
    enum fp_rest rest;
};

/* n.exp <= 62; n as fp_unpack makes it. */
FP_INLINE struct fp_split fp_split_at_point(struct fp_num n)
{
    struct fp_split s = { 0, n.sig ? REST_BELOW_HALF : REST_NONE };
    if (n.exp < -1)
        return s;

    int count = FP_POINT - n.exp; // bits of the fraction, 0..63
    u64 lost = n.sig & mask64((u32)count);
    u64 half = count ? 1ull << (count - 1) : 0;
    s.whole = n.sig >> count;
    s.rest = !lost          ? REST_NONE
             : lost < half  ? REST_BELOW_HALF
             : lost == half ? REST_HALF
                            : REST_ABOVE_HALF;
    return s;
}

/* How a number becomes an integer. FLOOR_HALF is floor(x + 0.5). */
enum fp_whole { WHOLE_TRUNC, WHOLE_CEIL, WHOLE_FLOOR, WHOLE_EVEN, WHOLE_FLOOR_HALF };

/* The magnitude of the integer; its sign is n's. */
FP_INLINE u64 fp_whole(struct fp_num n, enum fp_whole how)
{
    struct fp_split s = fp_split_at_point(n);
    switch (how) {
    case WHOLE_CEIL: return s.whole + (s.rest != REST_NONE && !n.sign);
    case WHOLE_FLOOR: return s.whole + (s.rest != REST_NONE && n.sign);
    case WHOLE_EVEN:
        return s.whole + (s.rest == REST_ABOVE_HALF || (s.rest == REST_HALF && s.whole & 1));
    case WHOLE_FLOOR_HALF:
        return s.whole + (s.rest == REST_ABOVE_HALF || (s.rest == REST_HALF && !n.sign));
    default: return s.whole;
    }
}

/* v as an integral value of the same format. Raises nothing but FP_INVALID for a signaling NaN.
 * Open: whether a subnormal is flushed first. */
FP_INLINE u64 fp_integral(struct fp_env *env, struct fp_fmt f, u64 v, enum fp_whole how)
{
    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_inf(f, v))
        return v;
    struct fp_env in = *env;
    if (fp_raw(env, f, v, 0))
        in.flush_in = 0;
    struct fp_num n = fp_unpack(&in, f, v);
    if (n.exp >= f.mant)
        return v;
    n.sig = fp_whole(n, how);
    n.exp = FP_POINT;
    return fp_round(env, f, n); // exact: at most 2^mant
}

/* v - floor(v), rounded, but always below 1. Open: the NaN of an infinity, 1 instead of the number
 * below it, the sign of zero for -0, and whether a subnormal is flushed. */
FP_INLINE u64 fp_fract(struct fp_env *env, struct fp_fmt f, u64 v)
{
    u64 one = (u64)fmt_bias(f) << f.mant;

    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_inf(f, v)) {
        env->open |= OPEN_NAN;
        return fp_invalid(env, f);
    }
    struct fp_env e = *env;
    if (fp_raw(env, f, v, 0))
        e.flush_in = e.flush_out = 0;
    struct fp_num n = fp_unpack(&e, f, v);
    if (n.sig == 0 && n.sign)
        return fp_alt(env, ALT_ZERO) ? fmt_sign(f) : 0;
    if (n.exp >= 0)
        n.sig &= n.exp >= FP_POINT ? 0 : mask64((u32)(FP_POINT - n.exp));
    if (n.sig == 0)
        return 0;
    if (n.sign)
        n = fp_sum(&e, (struct fp_num){ .sig = 1ull << FP_POINT }, n);
    u64 d = fp_round(&e, f, n);
    env->flags = e.flags;
    if (d < one)
        return d;
    return fp_alt(env, ALT_VALUE) ? one : one - 1;
}

/* v as a 32-bit integer, saturated; a NaN is the caller's business. Only truncation is called
 * inexact. */
FP_INLINE u32 fp_to_int32(struct fp_env *env, struct fp_fmt f, u64 v, enum fp_whole how,
                          bool is_signed)
{
    bool sign = fp_negative(f, v);
    u64 limit = is_signed ? 0x7fffffffull + sign : sign ? 0 : 0xffffffffull;
    u64 whole = ~0ull;
    bool fraction = false;

    if (!fp_inf(f, v)) {
        u32 flags = env->flags;
        struct fp_num n = fp_unpack(env, f, v);
        env->flags = flags;
        if (n.exp < FP_POINT) {
            whole = fp_whole(n, how);
            fraction = fp_split_at_point(n).rest != REST_NONE;
        }
    }
    if (whole > limit) {
        env->flags |= FP_INVALID;
        whole = limit;
    } else if (fraction && how == WHOLE_TRUNC) {
        env->flags |= FP_INEXACT;
    }
    return sign ? 0 - (u32)whole : (u32)whole;
}

FP_INLINE u64 fp_from_int(struct fp_env *env, struct fp_fmt f, bool sign, u64 magnitude)
{
    return fp_round(env, f, (struct fp_num){ .sig = magnitude, .exp = FP_POINT, .sign = sign });
}

/* From one format to another. A NaN keeps its sign and the top of its payload; narrowing quiets it
 * always, because the payload that is left may be zero. Open: what an f64's NaN becomes. */
FP_INLINE u64 fp_convert(struct fp_env *env, struct fp_fmt from, struct fp_fmt to, u64 v)
{
    u64 sign = fp_negative(from, v) ? fmt_sign(to) : 0;
    u64 mant = v & mask64((u32)from.mant);
    int down = from.mant - to.mant;

    if (fp_special(from, v)) {
        if (fp_snan(from, v))
            env->flags |= FP_INVALID;
        if (mant == 0)
            return sign | fmt_inf(to);
        if (from.mant == FMT_F64.mant || (fp_snan(from, v) && !env->ieee))
            env->open |= OPEN_NAN;
        if (down > 0)
            return sign | fmt_inf(to) | fmt_quiet(to) | mant >> (down & 63);
        return fp_quieted(env, to, sign | fmt_inf(to) | mant << (-down & 63));
    }
    return fp_round(env, to, fp_unpack(env, from, v));
}

FP_INLINE u64 fp_omod(struct fp_env *env, struct fp_fmt f, u64 v, u32 omod)
{
    static const int scale[4] = { 0, 1, 2, -1 };
    const int special = (1 << f.exp) - 1;
    u64 sign = v & fmt_sign(f);
    int exp = (int)(fp_abs(f, v) >> f.mant);

    if (omod == 0 || exp == special)
        return v;
    if (exp == 0) {
        if (fp_abs(f, v))
            env->flags |= FP_UNDERFLOW | FP_INEXACT;
        return 0;
    }
    exp += scale[omod & 3];
    if (exp >= special)
        return fp_overflow(env, f, sign != 0);
    if (exp == 0) {
        env->flags |= FP_UNDERFLOW | FP_INEXACT;
        return sign && fp_alt(env, ALT_OMOD) ? 0 : sign;
    }
    return sign | (u64)exp << f.mant | (v & mask64((u32)f.mant));
}

FP_INLINE u64 fp_clamp(const struct fp_env *env, struct fp_fmt f, u64 v)
{
    u64 one = (u64)fmt_bias(f) << f.mant;

    if (fp_nan(f, v))
        return env->dx10_clamp ? 0 : v;
    if (fp_negative(f, v))
        return 0;
    return v > one ? one : v;
}

#endif
