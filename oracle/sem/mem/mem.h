/* The vocabulary of memory rows: LDn and STn at a byte address. A wave whose accesses all lie in
 * one block of memory reads and writes it directly; else, and where writes are logged, every access
 * is looked up and checked by itself (exec.h). Both give the same results. For mem.c. */
#ifndef ORACLE_SEM_MEM_MEM_H
#define ORACLE_SEM_MEM_MEM_H

#include "oracle/sem/sem.h"

/* The widest access of a row, from its address on, bytes. */
enum { REACH_BYTES = 16 };

/* What the accesses of one instruction share. */
struct reach {
    enum space space;
    uintptr_t direct; /* a byte at address a stands at direct + a; 0: look each access up */
};

#define LD8(addr)      ((u32)load(w, R, lane, addr, 1))
#define LD16(addr)     ((u32)load(w, R, lane, addr, 2))
#define LD32(addr)     ((u32)load(w, R, lane, addr, 4))
#define LD64(addr)     load(w, R, lane, addr, 8)
#define LD96(addr)     load96(w, R, lane, addr)
#define LD128(addr)    load128(w, R, lane, addr)
#define ST8(addr, v)   store(w, R, lane, addr, 1, v)
#define ST16(addr, v)  store(w, R, lane, addr, 2, v)
#define ST32(addr, v)  store(w, R, lane, addr, 4, v)
#define ST64(addr, v)  store(w, R, lane, addr, 8, v)
#define ST96(addr, v)  store96(w, R, lane, addr, v)
#define ST128(addr, v) store128(w, R, lane, addr, v)

#define INLINE         static inline __attribute__((always_inline))

/* In every row for processors with AVX2; in the other copy of the rows one function, because that
 * is compiled in half the time. */
#ifdef __AVX2__
#define INLINE_V3 INLINE
#else
#define INLINE_V3 static __attribute__((noinline))
#endif

INLINE u64 load(struct wave *w, struct reach R, u32 lane, u64 addr, u32 bytes)
{
    u64 v = 0;
    if (!R.direct)
        return mem_read(w, R.space, lane, addr, bytes);
    memcpy(&v, (const void *)(R.direct + addr), bytes);
    return v;
}

INLINE void store(struct wave *w, struct reach R, u32 lane, u64 addr, u32 bytes, u64 v)
{
    if (R.direct)
        memcpy((void *)(R.direct + addr), &v, bytes);
    else
        mem_write(w, R.space, lane, addr, bytes, v);
}

static inline struct b128 b128_pair(u64 lo, u64 hi)
{
    return (struct b128){ { (u32)lo, (u32)(lo >> 32), (u32)hi, (u32)(hi >> 32) } };
}

/* 96 and 128 bits are one access: all of it lies inside memory, or none is done. */
INLINE struct b96 load96(struct wave *w, struct reach R, u32 lane, u64 addr)
{
    if (!R.direct && !mem_reach(w, R.space, lane, addr, 12, false))
        return (struct b96){ { 0 } };
    u64 lo = load(w, R, lane, addr, 8);
    return (struct b96){ { (u32)lo, (u32)(lo >> 32), (u32)load(w, R, lane, addr + 8, 4) } };
}

INLINE struct b128 load128(struct wave *w, struct reach R, u32 lane, u64 addr)
{
    if (!R.direct && !mem_reach(w, R.space, lane, addr, 16, false))
        return b128_pair(0, 0);
    return b128_pair(load(w, R, lane, addr, 8), load(w, R, lane, addr + 8, 8));
}

INLINE void store96(struct wave *w, struct reach R, u32 lane, u64 addr, struct b96 v)
{
    if (!R.direct && !mem_reach(w, R.space, lane, addr, 12, true))
        return;
    store(w, R, lane, addr, 8, pair_get(v.d));
    store(w, R, lane, addr + 8, 4, v.d[2]);
}

INLINE void store128(struct wave *w, struct reach R, u32 lane, u64 addr, struct b128 v)
{
    if (!R.direct && !mem_reach(w, R.space, lane, addr, 16, true))
        return;
    store(w, R, lane, addr, 8, pair_get(v.d));
    store(w, R, lane, addr + 8, 8, pair_get(v.d + 2));
}

/* Whether [addr[lane], addr[lane] + bytes) lies in [first, first + size) for all lanes of exec.
 * Differences are below 2^63, so that a sign bit tells. */
INLINE bool all_inside(const u64 *addr, u64 exec, u64 first, u64 size, u32 bytes)
{
    u64 last = size - bytes, out = 0;
    if (size < bytes)
        return false;
    if (exec == ~0ull) {
        for (u32 lane = 0; lane < LANES; lane++) {
            u64 off = addr[lane] - first;
            out |= off | (last - off);
        }
    } else {
        for (u32 lane = 0; lane < LANES; lane++) {
            u64 off = addr[lane] - first;
            out |= (off | (last - off)) & (0 - (exec >> lane & 1));
        }
    }
    return !(out >> 63);
}

/* The same with the bytes that the row accesses, of LDS: it ends where its kernel wants no more. */
INLINE bool ends_inside(const struct xinsn *in, const u64 *addr, const u64 *addr1, u64 exec,
                        u64 size)
{
    u32 bytes = isa_access_bytes(insn_row(&in->insn));
    return bytes && all_inside(addr, exec, 0, size, bytes) &&
           (!addr1 || all_inside(addr1, exec, 0, size, bytes));
}

/* Where the row's accesses go. */
INLINE_V3 struct reach reach_of(struct wave *w, const struct xinsn *in, u64 flags, const u64 *addr,
                                const u64 *addr1)
{
    struct reach R = { .space = (enum space)in->space };
    bool write = flags & (STORE | ATOMIC);
    u64 exec = wave_exec(w), first, size;
    if (exec == 0 || (write && wlog_takes_memory(w)))
        return R;
    uintptr_t direct = mem_direct(w, R.space, addr[ctz64(exec)], write, &first, &size);
    if (direct && all_inside(addr, exec, first, size, REACH_BYTES) &&
        (!addr1 || all_inside(addr1, exec, first, size, REACH_BYTES)))
        R.direct = direct;
    else if (direct && R.space == SPACE_LDS && ends_inside(in, addr, addr1, exec, size))
        R.direct = direct;
    return R;
}

#endif
