/* Conversions between the floating-point formats. */
#include "oracle/fp/fp.h"

#include "oracle/fp/fp_core.h"

/* Open: whether a subnormal counts that only directed rounding can turn into something. */
u16 cvt_f16_f32(struct fp_env *env, u32 a)
{
    struct fp_env e = *env;
    if (f32_is_snan(a) && !env->ieee)
        env->open |= OPEN_NAN;
    if (env->round != ROUND_EVEN && fp_subnormal(FMT_F32, a) && fp_alt(env, ALT_RAW))
        e.flush_in = !e.flush_in;
    u16 d = (u16)fp_convert(&e, FMT_F32, FMT_F16, a);
    env->flags |= e.flags;
    env->open |= e.open;
    return d;
}
/* Open: whether MODE's flush applies to the operand. */
u32 cvt_f32_f16(struct fp_env *env, u16 a)
{
    struct fp_env e = *env;
    if (fp_nan(FMT_F16, a))
        return (u32)fp_convert(env, FMT_F16, FMT_F32, fp_first_nan(env, FMT_F16, a, 0, 0));
    if (env->flush_in && fp_subnormal(FMT_F16, a) && fp_alt(env, ALT_RAW))
        e.flush_in = 0;
    u32 d = (u32)fp_convert(&e, FMT_F16, FMT_F32, a);
    env->flags |= e.flags;
    return d;
}
u64 cvt_f64_f32(struct fp_env *env, u32 a)
{
    return fp_convert(env, FMT_F32, FMT_F64, a);
}
u32 cvt_f32_f64(struct fp_env *env, u64 a)
{
    return (u32)fp_convert(env, FMT_F64, FMT_F32, a);
}
