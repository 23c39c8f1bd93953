/* Helpers of the bodies of 16-bit and packed rows: total functions on bits and small numbers. */
#ifndef ORACLE_SEM_ALU_HALF_H
#define ORACLE_SEM_ALU_HALF_H

#include "oracle/sem/sem.h"

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

/* V_PACK_B32_F16 moves bits. Open: whether it flushes and quiets. */
static inline u16 pack_half(struct fp_env *env, u16 v)
{
    bool special = (v & 0x7fff) > 0x7c00, subnormal = !(v & 0x7c00) && v & 0x3ff;
    if (special && !(v & 0x200))
        env->open |= OPEN_ANY;
    bool flush = env->flush_in || env->flush_out;
    return subnormal && flush && fp_alt(env, ALT_RAW) ? v & 0x8000 : v;
}

#endif
