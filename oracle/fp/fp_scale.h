/* What divides, takes roots and works on exponents, written once for every binary format like
 * fp_core.h and included behind it by fp16.c, fp32.c and fp64.c alone. The opcodes are those of the
 * Vega ISA, chapter 12; where the manual is silent or wrong the rule stands at the function. */
#ifndef ORACLE_FP_FP_SCALE_H
#define ORACLE_FP_FP_SCALE_H

#include "oracle/fp/fp_core.h"

/* The encoded exponent: 0 for zero and subnormal numbers, all ones for infinity and NaN. */
FP_INLINE int fp_field(struct fp_fmt f, u64 v)
{
    return (int)(fp_abs(f, v) >> f.mant);
}

/* ---- exponents ---- */

/* Open: whether a decomposition flushes what MODE says is flushed. It usually does not. */
FP_INLINE bool fp_frexp_flushes(struct fp_env *env, struct fp_fmt f, u64 v)
{
    return (env->flush_in || env->flush_out) && fp_subnormal(f, v) && fp_alt(env, ALT_VALUE);
}

/* V_FREXP_EXP: e of v = m * 2^e with |m| in [1/2, 1). ERRATA(VALU-U12): the manual's formula
 * forgets zero, which gives 0 like infinity and NaN. Subnormals count, whatever MODE says. */
FP_INLINE u32 fp_frexp_exp(struct fp_env *env, struct fp_fmt f, u64 v)
{
    struct fp_env keep = { 0 };
    if (fp_special(f, v) || fp_abs(f, v) == 0 || fp_frexp_flushes(env, f, v))
        return 0;
    return (u32)(fp_unpack(&keep, f, v).exp + 1);
}

/* V_FREXP_MANT: that m; zero, infinity and NaN stay themselves. UNVERIFIED: that a signaling NaN is
 * quieted, which is open. */
FP_INLINE u64 fp_frexp_mant(struct fp_env *env, struct fp_fmt f, u64 v)
{
    struct fp_env keep = { 0 };
    if (fp_nan(f, v)) {
        u64 nan = fp_first_nan(env, f, v, 0, 0);
        return nan != v && fp_alt(env, ALT_VALUE) ? v : nan;
    }
    if (fp_inf(f, v) || fp_abs(f, v) == 0)
        return v;
    if (fp_frexp_flushes(env, f, v))
        return v & fmt_sign(f);
    struct fp_num n = fp_unpack(&keep, f, v);
    n.exp = -1;
    return fp_round(&keep, f, n);
}

/* v * 2^by, rounded once. */
FP_INLINE u64 fp_ldexp(struct fp_env *env, struct fp_fmt f, u64 v, i32 by)
{
    const int far = 3 << f.exp; // moves every number out of the format
    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_inf(f, v))
        return v;
    struct fp_num n = fp_unpack(env, f, v);
    n.exp += by > far ? far : by < -far ? -far : by;
    return fp_round(env, f, n);
}

/* V_CMP_CLASS: the bit of the mask that stands for v, 0..9. Neither flushes nor raises. */
FP_INLINE u32 fp_class(struct fp_fmt f, u64 v)
{
    bool negative = fp_negative(f, v);
    if (fp_nan(f, v))
        return fp_snan(f, v) ? 0 : 1;
    u32 size = fp_inf(f, v) ? 3 : fp_subnormal(f, v) ? 1 : fp_abs(f, v) ? 2 : 0;
    return negative ? 5 - size : 6 + size;
}

/* ---- reciprocals and roots: rounded once by env->round ---- */

FP_INLINE u64 fp_rcp(struct fp_env *env, struct fp_fmt f, u64 v)
{
    u64 sign = v & fmt_sign(f);
    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_inf(f, v))
        return sign;
    if (fp_counts_as_zero(env, f, v)) {
        env->flags |= FP_DIV0;
        return sign | fmt_inf(f);
    }
    struct fp_num n = fp_unpack(env, f, v);
    u128 one = (u128)1 << 2 * FP_POINT;
    n.exp = -n.exp;
    n.sig = (u64)(one / n.sig) | (one % n.sig != 0);
    return fp_round(env, f, n);
}

/* A positive number with its exponent made even: significand in [2^62, 2^64). */
FP_INLINE struct fp_num fp_even(struct fp_num n)
{
    if (n.exp & 1) {
        n.sig <<= 1;
        n.exp -= 1;
    }
    return n;
}

FP_INLINE u64 fp_sqrt(struct fp_env *env, struct fp_fmt f, u64 v)
{
    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_counts_as_zero(env, f, v))
        return v & fmt_sign(f);
    if (fp_negative(f, v))
        return fp_invalid(env, f);
    if (fp_inf(f, v))
        return v;
    struct fp_num n = fp_even(fp_unpack(env, f, v));
    u128 square = (u128)n.sig << FP_POINT;
    u64 root = 0;
    for (u64 bit = 1ull << FP_POINT; bit; bit >>= 1)
        if ((u128)(root | bit) * (root | bit) <= square)
            root |= bit;
    n.sig = root | ((u128)root * root != square);
    n.exp /= 2;
    return fp_round(env, f, n);
}

/* root^2 * sig against 2^186: -1, 0, 1. root <= 2^62. */
FP_INLINE int fp_rsq_compare(u64 root, u64 sig)
{
    u128 square = (u128)root * root;
    u128 low = (u128)(u64)square * sig;
    u128 high = (u128)(u64)(square >> 64) * sig + (low >> 64);
    const u128 limit = (u128)1 << (186 - 64);
    if (high != limit)
        return high < limit ? -1 : 1;
    return (u64)low != 0;
}

FP_INLINE u64 fp_rsq(struct fp_env *env, struct fp_fmt f, u64 v)
{
    if (fp_nan(f, v))
        return fp_first_nan(env, f, v, 0, 0);
    if (fp_counts_as_zero(env, f, v)) {
        env->flags |= FP_DIV0;
        return (v & fmt_sign(f)) | fmt_inf(f);
    }
    if (fp_negative(f, v))
        return fp_invalid(env, f);
    if (fp_inf(f, v))
        return 0;
    struct fp_num n = fp_even(fp_unpack(env, f, v));
    u64 root = 0;
    for (u64 bit = 1ull << FP_POINT; bit; bit >>= 1)
        if (fp_rsq_compare(root | bit, n.sig) <= 0)
            root |= bit;
    n.sig = root | (fp_rsq_compare(root, n.sig) != 0);
    n.exp = -n.exp / 2;
    return fp_round(env, f, n);
}

/* ---- the helpers of division: s1 denominator, s2 numerator ---- */

/* What V_DIV_SCALE adds to the exponent of s0, and the flag for V_DIV_FMAS. ERRATA(VALU-U17): the
 * manual scales a denominator up whose reciprocal and quotient would both be subnormal, assigns
 * nothing where nothing is scaled, and clears the flag for zero operands. */
FP_INLINE int fp_div_adjust(struct fp_fmt f, bool is_den, int den, int num, bool *flag)
{
    const int step = f.mant == FMT_F64.mant ? 128 : 64;
    const int gap = f.mant == FMT_F64.mant ? 768 : 96;
    const int top = (1 << f.exp) - 1;
    int delta = num - den;

    *flag = delta >= gap;
    if (delta >= gap)
        return is_den ? step : 0;
    if (den == 0)
        return step;
    *flag = delta <= -gap;
    if (den >= top - 2)
        return delta <= -gap && !is_den ? 0 : -step;
    if (delta <= -gap)
        return is_den ? 0 : step;
    return num <= f.mant + 1 ? step : 0;
}

/* The same by the manual's text, for numbers; what it does not assign is s0. */
FP_INLINE int fp_div_adjust_manual(struct fp_fmt f, bool is_den, u64 s1, u64 s2, bool *flag)
{
    const int step = f.mant == FMT_F64.mant ? 128 : 64;
    const int gap = f.mant == FMT_F64.mant ? 768 : 96;
    struct fp_env keep = { 0 };
    struct fp_num den = fp_unpack(&keep, f, s1), num = fp_unpack(&keep, f, s2);
    int least = 1 - fmt_bias(f);
    bool inverse_tiny = den.exp > -least || (den.exp == -least && den.sig > 1ull << FP_POINT);
    bool quotient_tiny = num.exp - den.exp - (num.sig < den.sig) < least;

    *flag = fp_field(f, s2) - fp_field(f, s1) >= gap;
    if (*flag)
        return is_den ? step : 0;
    if (fp_subnormal(f, s1))
        return step;
    *flag = quotient_tiny;
    if (inverse_tiny)
        return !quotient_tiny ? -step : is_den ? step : 0;
    if (quotient_tiny)
        return is_den ? 0 : step;
    return fp_field(f, s2) <= f.mant + 1 ? step : 0;
}

/* Exponents so close, of normal numbers, that all sources agree. */
FP_INLINE bool fp_div_settled(struct fp_fmt f, u64 s1, u64 s2)
{
    int gap = fp_field(f, s2) - fp_field(f, s1);
    return fp_field(f, s1) && fp_field(f, s2) && gap > -90 && gap < 90;
}

/* V_DIV_SCALE: s0, which is s1 or s2, scaled so that no step of the division is subnormal. Open:
 * the flag of zero operands, and where the manual has it differently. */
FP_INLINE u64 fp_div_scale(struct fp_env *env, struct fp_fmt f, u64 s0, u64 s1, u64 s2, bool *flag)
{
    bool is_den = s0 == s1, other = false;
    int by = fp_div_adjust(f, is_den, fp_field(f, s1), fp_field(f, s2), flag);

    if (fp_counts_as_zero(env, f, s1) || fp_counts_as_zero(env, f, s2)) {
        if (*flag && fp_alt(env, ALT_VALUE))
            *flag = false;
        return fmt_default_nan(f);
    }
    if (!fp_special(f, s1) && !fp_special(f, s2) && !fp_div_settled(f, s1, s2)) {
        int manual = fp_div_adjust_manual(f, is_den, s1, s2, &other);
        if ((manual != by || other != *flag) && fp_alt(env, ALT_VALUE)) {
            by = manual;
            *flag = other;
        }
    }
    return fp_ldexp(env, f, s0, by);
}

/* V_DIV_FMAS: s0 * s1 + s2, scaled back by the flag of V_DIV_SCALE and rounded once; operands are
 * never flushed. ERRATA(VALU-C33): the manual scales by a constant 2^32, 2^64 for f64; here it goes
 * up or down by the exponent of s2. */
FP_INLINE u64 fp_div_fmas(struct fp_env *env, struct fp_fmt f, u64 s0, u64 s1, u64 s2, bool flag)
{
    const int step = f.mant == FMT_F64.mant ? 128 : 64;
    struct fp_env keep = *env;
    u64 d;

    keep.flush_in = 0;
    if (fp_special(f, s0) || fp_special(f, s1) || fp_special(f, s2)) {
        d = fp_fma_special(&keep, f, s0, s1, s2);
    } else {
        struct fp_num x = fp_unpack(&keep, f, s0);
        struct fp_num y = fp_unpack(&keep, f, s1);
        struct fp_num z = fp_unpack(&keep, f, s2);
        struct fp_num n = fp_fused(&keep, f, x, y, z);
        n.exp += !flag ? 0 : fp_field(f, s2) > fmt_bias(f) ? step : -step;
        d = fp_round(&keep, f, n);
    }
    env->flags = keep.flags;
    return d;
}

/* V_DIV_FIXUP: the special cases of s2 / s1, else s0 with the quotient's sign. ERRATA(VALU-U18):
 * the manual passes a quotient that is a NaN or infinite although neither operand is; it
 * overflowed. Open: whether a subnormal quotient is flushed. */
FP_INLINE u64 fp_div_fixup(struct fp_env *env, struct fp_fmt f, u64 s0, u64 s1, u64 s2)
{
    const int underflow = f.mant == FMT_F64.mant ? -1075 : f.mant == FMT_F32.mant ? -150 : -100000;
    u64 sign = (s1 ^ s2) & fmt_sign(f);

    if (fp_nan(f, s1) || fp_nan(f, s2))
        return fp_first_nan(env, f, s2, s1, 0);
    bool zero1 = fp_counts_as_zero(env, f, s1), zero2 = fp_counts_as_zero(env, f, s2);
    bool inf1 = fp_inf(f, s1), inf2 = fp_inf(f, s2);
    if ((zero1 && zero2) || (inf1 && inf2))
        return fp_invalid(env, f);
    fp_note_denorm(env, f, s1);
    fp_note_denorm(env, f, s2);
    if (zero1 || inf2) {
        env->flags |= inf2 ? 0 : FP_DIV0;
        return sign | fmt_inf(f);
    }
    if (zero2 || inf1)
        return sign;
    if (fp_field(f, s2) - fp_field(f, s1) < underflow) {
        struct fp_num least = { .sig = 1, .exp = FP_ZERO_EXP / 2, .sign = sign != 0 };
        return fp_round(env, f, least);
    }
    if (fp_special(f, s0))
        return fp_overflow(env, f, sign != 0);
    u64 d = sign | fp_abs(f, s0);
    if (env->flush_out && fp_subnormal(f, d) && fp_alt(env, ALT_RAW))
        return d;
    return fp_flush_out(env, f, d);
}

#endif
