/* Mixed precision: halves in, or out, of arithmetic in f32. */
#include "oracle/fp_core.h"

/* The sum, rounded to odd: an f16 rounded from it is the exact sum's. */
static u32 sum_to_odd(const struct fp_env *mode, u32 a, u32 b, u32 c, bool fused)
{
    struct fp_env env = *mode, mul = *mode;
    env.round = ROUND_ZERO;
    env.flags = 0;
    if (!fused)
        env.flush_in = env.flush_out = mul.flush_in = mul.flush_out = 1;
    u32 sum = fused ? ffma32(&env, a, b, c) : fadd32(&env, fmul32(&mul, a, b), c);
    return env.flags & FP_INEXACT ? sum | 1 : sum;
}

u16 fmix16(struct fp_env *env, const struct fp_env *mode32, u32 a, u32 b, u32 c, bool fused)
{
    struct fp_env wide = *mode32, narrow = *env;
    wide.flags = narrow.flags = 0;
    if (!fused)
        narrow.flush_out = 1;
    u32 sum = fused ? ffma32(&wide, a, b, c) : fmad32(&wide, a, b, c);
    u32 odd = sum_to_odd(mode32, a, b, c, fused);
    struct fp_env other = narrow, kept = narrow;
    u16 d = cvt_f16_f32(&narrow, fused ? odd : sum);
    u16 alternative = cvt_f16_f32(&other, fused ? sum : odd);
    env->flags |= wide.flags | narrow.flags;
    env->open |= wide.open | narrow.open;
    if (d != alternative && fp_alt(env, ALT_VALUE))
        return alternative;
    kept.flush_out = env->flush_out;
    u16 subnormal = cvt_f16_f32(&kept, fused ? odd : sum);
    return d != subnormal && fp_alt(env, ALT_VALUE2) ? subnormal : d;
}
