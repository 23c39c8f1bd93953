/* Sums of absolute differences of bytes. The MI100 manual has the formulas; the Vega manual only
 * names. */
#ifndef ORACLE_SEM_ALU_SAD_H
#define ORACLE_SEM_ALU_SAD_H

#include "oracle/fp/fp.h"

static inline u32 absdiff(u32 a, u32 b)
{
    return a > b ? a - b : b - a;
}

static inline u32 byte_of(u32 v, u32 i)
{
    return v >> i * 8 & 0xff;
}

/* Of four bytes; a byte of `ref` that is 0 counts nothing if `masked`. */
static inline u32 sad4(u32 v, u32 ref, bool masked)
{
    u32 sum = 0;
    for (u32 i = 0; i < 4; i++)
        if (!masked || byte_of(ref, i))
            sum += absdiff(byte_of(v, i), byte_of(ref, i));
    return sum;
}

/* Four windows of four bytes, a byte apart, each added to 16 bits of acc. What a sum over 0xffff
 * gives is open: cut, or 0xffff. */
static inline u64 qsad4(struct fp_env *env, u64 v, u32 ref, u64 acc, bool masked)
{
    u64 result = 0;
    for (u32 i = 0; i < 4; i++) {
        u32 sum = sad4((u32)(v >> i * 8), ref, masked) + (u32)(acc >> i * 16 & 0xffff);
        if (sum > 0xffff)
            sum = fp_alt(env, ALT_VALUE) ? 0xffff : sum & 0xffff;
        result |= (u64)sum << i * 16;
    }
    return result;
}

/* The mean of four pairs of bytes, rounded up where bit 0 of the byte of `up` is set. */
static inline u32 lerp4(u32 a, u32 b, u32 up)
{
    u32 result = 0;
    for (u32 i = 0; i < 4; i++)
        result |= ((byte_of(a, i) + byte_of(b, i) + (byte_of(up, i) & 1)) >> 1) << i * 8;
    return result;
}

#endif
