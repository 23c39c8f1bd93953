/* Functions that scalar rows are written in, beyond those of sem.h: total functions on bits.
 * Included by sem_sop.c only. */
#ifndef ORACLE_SEM_ALU_SOP_H
#define ORACLE_SEM_ALU_SOP_H

#include "oracle/base/base.h"

/* As bfe_i32, of 64 bits. */
static inline i64 bfe_i64(i64 v, u32 offset, u32 width)
{
    i64 rest = v >> offset;
    u32 unused = width >= 64 - offset ? 0 : 64 - width;
    return width == 0 ? 0 : (i64)((u64)rest << unused) >> unused;
}

static inline u64 brev64(u64 v)
{
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(v);
}

/* Bits from the top that equal the top bit, -1 if all do. S_FLBIT_I32, S_FLBIT_I32_I64. */
static inline u32 sign_run32(u32 v)
{
    u32 change = v >> 31 ? ~v : v;
    return change ? clz32(change) : ~0u;
}
static inline u32 sign_run64(u64 v)
{
    u64 change = v >> 63 ? ~v : v;
    return change ? clz64(change) : ~0u;
}

/* Bit 4n is set if any of the bits 4n to 4n + 3 is. */
static inline u64 quads(u64 v)
{
    v |= v >> 1;
    v |= v >> 2;
    return v & 0x1111111111111111;
}

/* S_WQM: a quad of which any bit is set becomes all ones. */
static inline u64 whole_quads(u64 v)
{
    return quads(v) * 15;
}

/* S_QUADMASK: one bit per quad. */
static inline u64 quad_mask(u64 v)
{
    u64 mask = 0;
    for (u32 i = 0; i < 16; i++)
        mask |= (quads(v) >> i * 4 & 1) << i;
    return mask;
}

/* S_BITREPLICATE: every bit twice. */
static inline u64 bit_pairs(u32 v)
{
    u64 d = 0;
    for (u32 i = 0; i < 32; i++)
        d |= (u64)(v >> i & 1) * 3 << i * 2;
    return d;
}

#endif
