/* f64 arithmetic. */
#include "oracle/fp/fp.h"

#include "oracle/fp/fp_scale.h"

u64 fadd64(struct fp_env *env, u64 a, u64 b)
{
    return fp_add(env, FMT_F64, a, b);
}
u64 fsub64(struct fp_env *env, u64 a, u64 b)
{
    return fp_sub(env, FMT_F64, a, b);
}
u64 fmul64(struct fp_env *env, u64 a, u64 b)
{
    return fp_mul(env, FMT_F64, a, b);
}
u64 fmin64(struct fp_env *env, u64 a, u64 b)
{
    return fp_min_max(env, FMT_F64, a, b, false);
}
u64 fmax64(struct fp_env *env, u64 a, u64 b)
{
    return fp_min_max(env, FMT_F64, a, b, true);
}
enum fp_order fcmp64(struct fp_env *env, u64 a, u64 b)
{
    return fp_compare(env, FMT_F64, a, b);
}

u64 ftrunc64(struct fp_env *env, u64 a)
{
    return fp_integral(env, FMT_F64, a, WHOLE_TRUNC);
}
u64 fceil64(struct fp_env *env, u64 a)
{
    return fp_integral(env, FMT_F64, a, WHOLE_CEIL);
}
u64 ffloor64(struct fp_env *env, u64 a)
{
    return fp_integral(env, FMT_F64, a, WHOLE_FLOOR);
}
u64 frndne64(struct fp_env *env, u64 a)
{
    return fp_integral(env, FMT_F64, a, WHOLE_EVEN);
}
u64 ffract64(struct fp_env *env, u64 a)
{
    return fp_fract(env, FMT_F64, a);
}

static u32 truncated(struct fp_env *env, u64 a, bool is_signed)
{
    if (fp_nan(FMT_F64, a)) {
        env->flags |= FP_INVALID;
        return 0;
    }
    return fp_to_int32(env, FMT_F64, a, WHOLE_TRUNC, is_signed);
}

u32 cvt_i32_f64(struct fp_env *env, u64 a)
{
    return truncated(env, a, true);
}
u32 cvt_u32_f64(struct fp_env *env, u64 a)
{
    return truncated(env, a, false);
}

u64 cvt_f64_i32(struct fp_env *env, u32 a)
{
    bool sign = a >> 31;
    return fp_from_int(env, FMT_F64, sign, sign ? 0 - a : a);
}
u64 cvt_f64_u32(struct fp_env *env, u32 a)
{
    return fp_from_int(env, FMT_F64, false, a);
}

u64 fomod64(struct fp_env *env, u64 v, u32 omod)
{
    return fp_omod(env, FMT_F64, v, omod);
}
u64 fclamp64(const struct fp_env *env, u64 v)
{
    return fp_clamp(env, FMT_F64, v);
}

u64 ffma64(struct fp_env *env, u64 a, u64 b, u64 c)
{
    return fp_fma(env, FMT_F64, a, b, c);
}

u32 ffrexp_exp64(struct fp_env *env, u64 a)
{
    return fp_frexp_exp(env, FMT_F64, a);
}
u64 ffrexp_mant64(struct fp_env *env, u64 a)
{
    return fp_frexp_mant(env, FMT_F64, a);
}
u64 fldexp64(struct fp_env *env, u64 a, i32 by)
{
    return fp_ldexp(env, FMT_F64, a, by);
}
u32 fclass64(u64 a)
{
    return fp_class(FMT_F64, a);
}

/* MODE's rounding does not reach the approximations of the hardware; these are to nearest even.
 * Open: every number but zero. */
static u64 nearest(struct fp_env *env, u64 (*fn)(struct fp_env *, struct fp_fmt, u64), u64 a)
{
    struct fp_env even = *env;
    even.round = ROUND_EVEN;
    u64 d = fn(&even, FMT_F64, a);
    env->flags = even.flags;
    env->open = even.open;
    if (!fp_special(FMT_F64, d) && fp_abs(FMT_F64, d))
        env->open |= OPEN_NEAR;
    return d;
}

/* Powers of two are exact. */
u64 frcp64(struct fp_env *env, u64 a)
{
    u16 open = env->open;
    u64 d = nearest(env, fp_rcp, a), mant = a & mask64(52);
    bool is_power = fp_subnormal(FMT_F64, a) ? !(mant & (mant - 1)) : mant == 0;
    if (is_power)
        env->open = (u16)(open | (env->open & ~(u32)OPEN_NEAR));
    return d;
}
u64 frsq64(struct fp_env *env, u64 a)
{
    return nearest(env, fp_rsq, a);
}
u64 fsqrt64(struct fp_env *env, u64 a)
{
    return nearest(env, fp_sqrt, a);
}

u64 fdiv_scale64(struct fp_env *env, u64 s0, u64 s1, u64 s2, bool *flag)
{
    return fp_div_scale(env, FMT_F64, s0, s1, s2, flag);
}
u64 fdiv_fmas64(struct fp_env *env, u64 s0, u64 s1, u64 s2, bool flag)
{
    return fp_div_fmas(env, FMT_F64, s0, s1, s2, flag);
}
u64 fdiv_fixup64(struct fp_env *env, u64 s0, u64 s1, u64 s2)
{
    return fp_div_fixup(env, FMT_F64, s0, s1, s2);
}

/* The first 1201 bits of 2/pi behind the binary point, the first one in bit 63 of word 0: with
 * whole numbers, floor(2^1201 * 2 / pi), pi = 16 atan(1/5) - 4 atan(1/239) to 1464 bits. */
static const u64 two_over_pi[19] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000,
};

/* 53 bits from bit `at` on, counted from the first; bits behind the end are zero. */
static u64 two_over_pi_bits(u32 at)
{
    u32 word = at / 64, bit = at % 64;
    u64 here = word < COUNT_OF(two_over_pi) ? two_over_pi[word] : 0;
    u64 next = word + 1 < COUNT_OF(two_over_pi) ? two_over_pi[word + 1] : 0;
    u64 v = here << bit | (bit ? next >> (64 - bit) : 0);
    return v >> 11;
}

/* The exponent of a NaN or an infinity counts like any other. Open: that it does, and
 * whether the last segments are zero. ERRATA(VALU-U42): LLVM has fewer bits of 2/pi than the manual. */
u64 ftrig_preop64(struct fp_env *env, u64 a, u32 segment)
{
    const int start = 1077, large = 1968; // exponent fields
    const int tail = 1120;                // from here on 2/pi may have no more bits
    int exp = fp_field(FMT_F64, a);
    int shift = (int)(segment & 31) * 53 + (exp > start ? exp - start : 0);
    struct fp_env zero = *env;
    struct fp_num n = { .sig = two_over_pi_bits((u32)shift),
                        .exp = FP_POINT - 53 - shift + (exp >= large ? 128 : 0) };

    zero.round = ROUND_ZERO;
    u64 d = fp_round(&zero, FMT_F64, n);
    env->flags = zero.flags;
    env->open |= zero.open;
    if (fp_special(FMT_F64, a) && fp_alt(env, ALT_VALUE))
        return fp_nan(FMT_F64, a) ? a | fmt_quiet(FMT_F64) : fmt_default_nan(FMT_F64);
    return shift >= tail && d && fp_alt(env, ALT_VALUE2) ? 0 : d;
}
