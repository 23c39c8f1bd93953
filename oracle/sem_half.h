/* Helpers of the bodies of 16-bit and packed rows: total functions on bits and small numbers. */
#ifndef ORACLE_SEM_HALF_H
#define ORACLE_SEM_HALF_H

#include "oracle/sem.h"

/* A sum or product as 16 bits: saturated if clamp is set, else its low bits. */
static inline u16 u16_of(i64 v, bool clamp)
{
    if (clamp)
        v = v < 0 ? 0 : v > UINT16_MAX ? UINT16_MAX : v;
    return (u16)v;
}
static inline i16 i16_of(i64 v, bool clamp)
{
    if (clamp)
        v = v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v;
    return (i16)v;
}

/* Saturated to 8 bits without sign. */
static inline u32 u8_of(i32 v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (u32)v;
}

static inline u16 u16_min(u16 a, u16 b)
{
    return a < b ? a : b;
}
static inline u16 u16_max(u16 a, u16 b)
{
    return a >= b ? a : b;
}
static inline i16 i16_min(i16 a, i16 b)
{
    return a < b ? a : b;
}
static inline i16 i16_max(i16 a, i16 b)
{
    return a >= b ? a : b;
}

/* V_MAD_MIXLO/MIXHI: the f32 of V_MAD_MIX_F32, then an f16 by the rounding mode of f16. Subnormals
 * of both formats are flushed whatever MODE says. UNVERIFIED: that it is rounded twice. */
static inline u16 mad_mix16(const struct wave *w, struct fp_env *env, u32 a, u32 b, u32 c)
{
    struct fp_env wide = w->f32, narrow = *env;
    u32 sum = fmad32(&wide, a, b, c);
    narrow.flush_in = narrow.flush_out = 1;
    u16 d = cvt_f16_f32(&narrow, sum);
    env->flags = wide.flags | narrow.flags;
    return d;
}

#endif
