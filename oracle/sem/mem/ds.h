/* DS rows that act on the wave as a whole: lanes read each other, counters that all lanes share.
 * Vega ISA, chapter 12 (DS opcodes). For sem_mem.c. */
#ifndef ORACLE_SEM_MEM_DS_H
#define ORACLE_SEM_MEM_DS_H

#include "oracle/sem/sem.h"

/* Pull: each lane reads DATA0 of the lane that its address names; a lane that is off gives 0. */
static void ds_bpermute(struct wave *w, const struct xinsn *in)
{
    const u32 *addr = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    const u32 *data = w->vgpr[in->opnd[SLOT_DATA0].code - CODE_VGPR];
    u64 exec = wave_exec(w);
    u32 out[LANES];
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 src = (addr[lane] + (u32)in->offset) / 4 % LANES;
        out[lane] = exec >> src & 1 ? data[src] : 0;
    }
    store32(w, in, &in->opnd[SLOT_D], out);
}

/* Push: each lane writes its DATA0 to the lane that its address names; the highest-numbered writer
 * wins and a lane that nobody writes gets 0. */
static void ds_permute(struct wave *w, const struct xinsn *in)
{
    const u32 *addr = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    const u32 *data = w->vgpr[in->opnd[SLOT_DATA0].code - CODE_VGPR];
    u32 out[LANES] = { 0 };
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m);
        out[(addr[lane] + (u32)in->offset) / 4 % LANES] = data[lane];
    }
    store32(w, in, &in->opnd[SLOT_D], out);
}

enum { SWIZZLE_QUAD = 0x8000, SWIZZLE_ROTATE = 0xc000, SWIZZLE_FFT = 0xe000 };

/* The lane that lane i of 32 reads. ERRATA: the Vega manual does not define it; the modes are those
 * of the MI100 manual. */
static inline u32 swizzle_lane(u32 offset, u32 i)
{
    u32 mask = offset & 31, middle = offset >> 5 & 31;
    if (offset >= SWIZZLE_FFT)
        return (brev32(i) >> 27 >> popcount32(mask)) | (i & mask);
    if (offset >= SWIZZLE_ROTATE) {
        u32 by = offset >> 10 & 1 ? 0 - middle : middle;
        return (i & mask) | ((i + by) & ~mask & 31);
    }
    if (offset >= SWIZZLE_QUAD)
        return (i & ~3u) | (offset >> (i & 3) * 2 & 3);
    return ((i & mask) | middle) ^ (offset >> 10 & 31);
}

/* The halves of a wave do not meet; a lane that is off gives 0. */
static void ds_swizzle(struct wave *w, const struct xinsn *in)
{
    const u32 *data = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    u64 exec = wave_exec(w);
    u32 out[LANES];
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 src = (lane & 32) | swizzle_lane((u32)in->offset, lane & 31);
        out[lane] = exec >> src & 1 ? data[src] : 0;
    }
    store32(w, in, &in->opnd[SLOT_D], out);
}

/* Adds a number to the counter at M0's base + offset; every active lane gets its old value. ERRATA:
 * where M0 holds the base of LDS is not said; compilers put it into the lower half. */
static void ds_count(struct wave *w, const struct xinsn *in, u32 number)
{
    enum space space = (enum space)in->space;
    u64 addr = (space == SPACE_LDS ? w->sgpr[CODE_M0] & 0xffff : 0) + (u64)(u32)in->offset;
    u32 old = (u32)mem_read(w, space, 0, addr, 4), out[LANES];
    mem_write(w, space, 0, addr, 4, old + number);
    for (u32 lane = 0; lane < LANES; lane++)
        out[lane] = old;
    store32(w, in, &in->opnd[SLOT_D], out);
}

#endif
