/* Helpers of vector bodies that look something up or put bytes together. */
#ifndef ORACLE_SEM_ALU_PACK_H
#define ORACLE_SEM_ALU_PACK_H

#include "oracle/base/base.h"

/* v with its byte `index` (two bits count) replaced. V_CVT_PK_U8_F32. */
static inline u32 put_byte(u32 v, u32 index, u32 byte)
{
    u32 shift = (index & 3) * 8;
    return (v & ~(0xffu << shift)) | byte << shift;
}

/* V_SCREEN_PARTITION_4SE_B32: the shader engines that a rectangle of tiles covers, a bit each.
 * sel = x_min, y_min, x_max, y_max, two bits each from the top; coordinates wrap. The engine of a
 * tile is { x[0] ^ y[1], y[0] ^ x[1] }: the manual's table of 256 results, Vega ISA, VOP1
 * opcodes. */
static inline u32 screen_partition(u32 sel)
{
    u32 x_min = sel >> 6 & 3, y_min = sel >> 4 & 3, x_max = sel >> 2 & 3, y_max = sel & 3,
        covered = 0;
    for (u32 i = 0; i <= ((x_max - x_min) & 3); i++)
        for (u32 k = 0; k <= ((y_max - y_min) & 3); k++) {
            u32 x = x_min + i, y = y_min + k;
            covered |= 1u << (((x ^ y >> 1) & 1) << 1 | ((y ^ x >> 1) & 1));
        }
    return covered;
}

#endif
