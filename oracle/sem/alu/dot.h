/* Dot products of packed values: the sums that rows add to a 32-bit value. */
#ifndef ORACLE_SEM_ALU_DOT_H
#define ORACLE_SEM_ALU_DOT_H

#include "oracle/sem/sem.h"

/* Element i of `bits` bits. */
static inline i32 dot_signed(u32 v, u32 i, u32 bits)
{
    return (i32)sext32(v >> i * bits & mask32(bits), bits);
}
static inline u32 dot_unsigned(u32 v, u32 i, u32 bits)
{
    return v >> i * bits & mask32(bits);
}

/* The sum of the products of all elements. */
static inline i64 dot_i(u32 a, u32 b, u32 bits)
{
    i64 sum = 0;
    for (u32 i = 0; i < 32 / bits; i++)
        sum += (i64)dot_signed(a, i, bits) * dot_signed(b, i, bits);
    return sum;
}
static inline u64 dot_u(u32 a, u32 b, u32 bits)
{
    u64 sum = 0;
    for (u32 i = 0; i < 32 / bits; i++)
        sum += (u64)dot_unsigned(a, i, bits) * dot_unsigned(b, i, bits);
    return sum;
}

static inline u32 sat_u32(u64 v)
{
    return v > UINT32_MAX ? UINT32_MAX : (u32)v;
}

/* Plus the addend; clamp saturates the exact sum. Open: that of the products by itself. */
static inline i32 dot_add_i(struct fp_env *env, i64 products, i32 addend, bool clamp)
{
    i64 sum = products + addend;
    if (!clamp)
        return (i32)(u32)(u64)sum;
    if (products != sat_i32(products) && fp_alt(env, ALT_VALUE))
        return sat_i32((i64)sat_i32(products) + addend);
    return sat_i32(sum);
}
static inline u32 dot_add_u(u64 products, u32 addend, bool clamp)
{
    u64 sum = products + addend;
    return clamp ? sat_u32(sum) : (u32)sum;
}

#endif
