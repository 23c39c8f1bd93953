/* Mixed precision: halves in, or out, of arithmetic in f32. */
#include "oracle/fp/fp_core.h"

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

/* One of several numbers far larger than the result: rounding along the way may show anywhere. */
static bool cancels(u32 result, u32 part)
{
    return (part & 0x7f800000) > (result & 0x7f800000);
}

u32 fdot2_32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    struct fp_env own = *env;
    u32 x[2], y[2];
    own.flush_in = own.flush_out = 1;
    own.flags = 0;
    bool raw = false;
    for (u32 i = 0; i < 2; i++) {
        u16 p = (u16)(a >> i * 16), q = (u16)(b >> i * 16);
        raw |= fp_subnormal(FMT_F16, p) || fp_subnormal(FMT_F16, q);
    }
    bool flush = raw && fp_alt(env, ALT_RAW);
    for (u32 i = 0; i < 2; i++) {
        x[i] = f16_widen((u16)(a >> i * 16), flush);
        y[i] = f16_widen((u16)(b >> i * 16), flush);
    }
    u32 first = fp_alt(env, ALT_VALUE) ? 1 : 0;
    u32 inner = ffma32(&own, x[first], y[first], c);
    u32 d = ffma32(&own, x[!first], y[!first], inner);
    env->flags |= own.flags;
    if (f32_is_nan(d))
        env->open |= OPEN_NAN;
    if (!(own.flags & (FP_INEXACT | FP_UNDERFLOW)))
        return d;
    u32 p0 = ffma32(&own, x[0], y[0], 0), p1 = ffma32(&own, x[1], y[1], 0);
    env->open |= OPEN_NEAR;
    if (cancels(d, p0) || cancels(d, p1) || cancels(d, c) || !(d & 0x7f800000) ||
        fp_inf(FMT_F32, d))
        env->open |= OPEN_ANY;
    return d;
}
