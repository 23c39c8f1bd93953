/* f32 arithmetic, conversions to and from 32-bit integers, and the f32 output modifiers. */
#include "oracle/fp/fp.h"

#include "oracle/fp/fp_core.h"
#include "oracle/fp/fp_scale.h"

u32 fadd32(struct fp_env *env, u32 a, u32 b)
{
    return (u32)fp_add(env, FMT_F32, a, b);
}
u32 fsub32(struct fp_env *env, u32 a, u32 b)
{
    return (u32)fp_sub(env, FMT_F32, a, b);
}
u32 fmul32(struct fp_env *env, u32 a, u32 b)
{
    return (u32)fp_mul(env, FMT_F32, a, b);
}
u32 ffma32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    return (u32)fp_fma(env, FMT_F32, a, b, c);
}

u32 fmad32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    return (u32)fp_mad(env, FMT_F32, a, b, c);
}

u32 fmin32(struct fp_env *env, u32 a, u32 b)
{
    return (u32)fp_min_max(env, FMT_F32, a, b, false);
}
u32 fmax32(struct fp_env *env, u32 a, u32 b)
{
    return (u32)fp_min_max(env, FMT_F32, a, b, true);
}
enum fp_order fcmp32(struct fp_env *env, u32 a, u32 b)
{
    return fp_compare(env, FMT_F32, a, b);
}

u32 cvt_i32_f32(struct fp_env *env, u32 a)
{
    if (f32_is_nan(a)) {
        env->flags |= FP_INVALID;
        return 0;
    }
    return fp_to_int32(env, FMT_F32, a, WHOLE_TRUNC, true);
}

u32 cvt_u32_f32(struct fp_env *env, u32 a)
{
    if (f32_is_nan(a)) {
        env->flags |= FP_INVALID;
        return 0;
    }
    return fp_to_int32(env, FMT_F32, a, WHOLE_TRUNC, false);
}

/* UNVERIFIED: the manual is silent on NaN here; GCN saturates to the side of its sign. */
static u32 round_to_i32(struct fp_env *env, u32 a, enum fp_whole how)
{
    if (f32_is_nan(a)) {
        env->flags |= FP_INVALID;
        if (fp_alt(env, ALT_VALUE))
            return 0;
        return fp_negative(FMT_F32, a) ? 0x80000000 : 0x7fffffff;
    }
    return fp_to_int32(env, FMT_F32, a, how, true);
}

u32 cvt_rpi_i32_f32(struct fp_env *env, u32 a)
{
    return round_to_i32(env, a, WHOLE_FLOOR_HALF);
}
u32 cvt_flr_i32_f32(struct fp_env *env, u32 a)
{
    return round_to_i32(env, a, WHOLE_FLOOR);
}

u32 cvt_f32_i32(struct fp_env *env, u32 a)
{
    bool sign = a >> 31;
    return (u32)fp_from_int(env, FMT_F32, sign, sign ? 0 - a : a);
}

u32 cvt_f32_u32(struct fp_env *env, u32 a)
{
    return (u32)fp_from_int(env, FMT_F32, false, a);
}

u32 ftrunc32(struct fp_env *env, u32 a)
{
    return (u32)fp_integral(env, FMT_F32, a, WHOLE_TRUNC);
}
u32 fceil32(struct fp_env *env, u32 a)
{
    return (u32)fp_integral(env, FMT_F32, a, WHOLE_CEIL);
}
u32 ffloor32(struct fp_env *env, u32 a)
{
    return (u32)fp_integral(env, FMT_F32, a, WHOLE_FLOOR);
}
u32 frndne32(struct fp_env *env, u32 a)
{
    return (u32)fp_integral(env, FMT_F32, a, WHOLE_EVEN);
}
u32 ffract32(struct fp_env *env, u32 a)
{
    return (u32)fp_fract(env, FMT_F32, a);
}

u32 ffrexp_exp32(struct fp_env *env, u32 a)
{
    return fp_frexp_exp(env, FMT_F32, a);
}
u32 ffrexp_mant32(struct fp_env *env, u32 a)
{
    return (u32)fp_frexp_mant(env, FMT_F32, a);
}
u32 fldexp32(struct fp_env *env, u32 a, i32 by)
{
    return (u32)fp_ldexp(env, FMT_F32, a, by);
}
u32 fclass32(u32 a)
{
    return fp_class(FMT_F32, a);
}

u32 fdiv_scale32(struct fp_env *env, u32 s0, u32 s1, u32 s2, bool *flag)
{
    if (s0 != s1 && s0 != s2)
        env->open |= OPEN_ANY;
    return (u32)fp_div_scale(env, FMT_F32, s0, s1, s2, flag);
}
u32 fdiv_fmas32(struct fp_env *env, u32 s0, u32 s1, u32 s2, bool flag)
{
    return (u32)fp_div_fmas(env, FMT_F32, s0, s1, s2, flag);
}
u32 fdiv_fixup32(struct fp_env *env, u32 s0, u32 s1, u32 s2)
{
    return (u32)fp_div_fixup(env, FMT_F32, s0, s1, s2);
}

u32 fomod32(struct fp_env *env, u32 v, u32 omod)
{
    return (u32)fp_omod(env, FMT_F32, v, omod);
}

u32 fclamp32(const struct fp_env *env, u32 v)
{
    return (u32)fp_clamp(env, FMT_F32, v);
}
