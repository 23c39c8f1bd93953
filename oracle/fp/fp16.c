/* f16 arithmetic. fp32.c and fp64.c repeat these functions in their types: each is a name for the
 * arithmetic of fp_core.h with a constant format, of which the compiler makes a copy. */
#include "oracle/fp/fp.h"

#include "oracle/fp/fp_scale.h"

u16 fadd16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_add(env, FMT_F16, a, b);
}
u16 fsub16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_sub(env, FMT_F16, a, b);
}
u16 fmul16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_mul(env, FMT_F16, a, b);
}
u16 ffma16(struct fp_env *env, u16 a, u16 b, u16 c)
{
    return (u16)fp_fma(env, FMT_F16, a, b, c);
}
u16 fmin16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_min_max(env, FMT_F16, a, b, false);
}
u16 fmax16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_min_max(env, FMT_F16, a, b, true);
}
enum fp_order fcmp16(struct fp_env *env, u16 a, u16 b)
{
    return fp_compare(env, FMT_F16, a, b);
}

u16 fmad16(struct fp_env *env, u16 a, u16 b, u16 c)
{
    return (u16)fp_mad(env, FMT_F16, a, b, c);
}

u16 ftrunc16(struct fp_env *env, u16 a)
{
    return (u16)fp_integral(env, FMT_F16, a, WHOLE_TRUNC);
}
u16 fceil16(struct fp_env *env, u16 a)
{
    return (u16)fp_integral(env, FMT_F16, a, WHOLE_CEIL);
}
u16 ffloor16(struct fp_env *env, u16 a)
{
    return (u16)fp_integral(env, FMT_F16, a, WHOLE_FLOOR);
}
u16 frndne16(struct fp_env *env, u16 a)
{
    return (u16)fp_integral(env, FMT_F16, a, WHOLE_EVEN);
}
u16 ffract16(struct fp_env *env, u16 a)
{
    return (u16)fp_fract(env, FMT_F16, a);
}
u16 fomod16(struct fp_env *env, u16 v, u32 omod)
{
    return (u16)fp_omod(env, FMT_F16, v, omod);
}
u16 fclamp16(const struct fp_env *env, u16 v)
{
    return (u16)fp_clamp(env, FMT_F16, v);
}

/* Open: the sign of the zero where both are among the operands. */
u16 fmed316(struct fp_env *env, u16 a, u16 b, u16 c)
{
    u16 low = fmin16(env, a, b);
    if (fp_nan(FMT_F16, a) || fp_nan(FMT_F16, b) || fp_nan(FMT_F16, c))
        return fmin16(env, low, c);
    u16 d = fmax16(env, low, fmin16(env, fmax16(env, a, b), c));
    bool plus = a == 0 || b == 0 || c == 0, minus = a == 0x8000 || b == 0x8000 || c == 0x8000;
    return plus && minus && !fp_abs(FMT_F16, d) && fp_alt(env, ALT_ZERO) ? d ^ 0x8000 : d;
}

u16 fldexp16(struct fp_env *env, u16 a, i16 n)
{
    return (u16)fp_ldexp(env, FMT_F16, a, n);
}

u16 frexp_mant16(struct fp_env *env, u16 a)
{
    return (u16)fp_frexp_mant(env, FMT_F16, a);
}
i16 frexp_exp16(struct fp_env *env, u16 a)
{
    return (i16)fp_frexp_exp(env, FMT_F16, a);
}

bool fclass16(u16 a, u32 classes)
{
    return classes >> fp_class(FMT_F16, a) & 1;
}

/* Open: what becomes of a quotient that is NaN or infinite where the operands are numbers. */
u16 fdiv_fixup16(struct fp_env *env, u16 a, u16 b, u16 c)
{
    const struct fp_fmt f = FMT_F16;
    bool zero = fp_counts_as_zero(env, f, b) || fp_counts_as_zero(env, f, c);
    if (fp_special(f, a) && !fp_special(f, b) && !fp_special(f, c) && !zero)
        env->open |= OPEN_ANY;
    return (u16)fp_div_fixup(env, f, a, b, c);
}

/* A whole number cut to low..high. */
static i32 saturate(struct fp_env *env, i32 v, i32 low, i32 high)
{
    if (v < low || v > high)
        env->flags = (env->flags & ~(u32)FP_INEXACT) | FP_INVALID;
    return v < low ? low : v > high ? high : v;
}

/* NaN gives 0. The environment is the caller's alone: nothing else is in its flags. */
static i32 to_int16(struct fp_env *env, u16 a, i32 low, i32 high)
{
    struct fp_env own = *env;
    own.flags = 0;
    i32 v = 0;
    if (fp_nan(FMT_F16, a))
        own.flags = FP_INVALID;
    else
        v = saturate(&own, (i32)fp_to_int32(&own, FMT_F16, a, WHOLE_TRUNC, true), low, high);
    env->flags |= own.flags;
    return v;
}

u16 cvt_u16_f16(struct fp_env *env, u16 a)
{
    return (u16)to_int16(env, a, 0, 0xffff);
}
i16 cvt_i16_f16(struct fp_env *env, u16 a)
{
    return (i16)to_int16(env, a, INT16_MIN, INT16_MAX);
}
u16 cvt_f16_u16(struct fp_env *env, u16 a)
{
    return (u16)fp_from_int(env, FMT_F16, false, a);
}
u16 cvt_f16_i16(struct fp_env *env, i16 a)
{
    return (u16)fp_from_int(env, FMT_F16, a < 0, (u64)(a < 0 ? -a : a));
}

/* |a| of at most 1, times `scale`, to the nearest whole number. Open: which way it is rounded. */
static u32 scaled(struct fp_env *env, u16 a, u32 scale)
{
    if (fp_special(FMT_F16, a) || fp_abs(FMT_F16, a) >= 0x3c00)
        return scale;
    struct fp_num n = fp_unpack(env, FMT_F16, a);
    if (n.sig == 0)
        return 0;
    u64 product = (n.sig >> (FP_POINT - 10)) * scale; // 10 bits behind the point, times 2^exp
    int drop = 10 - n.exp;
    if (product & mask64((u32)drop)) {
        env->flags |= FP_INEXACT;
        if (fp_alt(env, ALT_VALUE2))
            return (u32)((product + (1ull << (drop - 1))) >> drop);
        if (fp_alt(env, ALT_VALUE))
            return (u32)fp_round_sig(env->round, fp_negative(FMT_F16, a), product, drop);
    }
    return (u32)fp_round_sig(ROUND_EVEN, false, product, drop);
}

i16 cvt_snorm16_f16(struct fp_env *env, u16 a)
{
    if (fp_nan(FMT_F16, a)) {
        env->flags |= FP_INVALID;
        return 0;
    }
    i32 v = (i32)scaled(env, a, 32767);
    return (i16)(fp_negative(FMT_F16, a) ? -v : v);
}

u16 cvt_unorm16_f16(struct fp_env *env, u16 a)
{
    if (fp_nan(FMT_F16, a)) {
        env->flags |= FP_INVALID;
        return 0;
    }
    return fp_negative(FMT_F16, a) ? 0 : (u16)scaled(env, a, 65535);
}

u32 f16_widen(u16 a, bool flush)
{
    u32 sign = (u32)(a & 0x8000) << 16, exp = a >> 10 & 31, mant = a & 0x3ff;
    if (exp == 31)
        return sign | 0x7f800000 | mant << 13;
    if (exp == 0) {
        if (mant == 0 || flush)
            return sign;
        u32 up = clz32(mant) - 21; // the leading one to bit 10
        return sign | (113 - up) << 23 | (mant << up & 0x3ff) << 13;
    }
    return sign | (exp + 112) << 23 | mant << 13;
}
