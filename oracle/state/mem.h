/* Memory as instructions see it: windows, LDS, GDS, and the private memory of lanes. Used by rows,
 * and by code that prepares or inspects what they access. */
#ifndef ORACLE_STATE_MEM_H
#define ORACLE_STATE_MEM_H

#include "oracle/state/state.h"

/* What stands between a wave and memory: accesses that find their bytes, at `at`, are left to it. In
 * GDS and LDS addresses count from their beginning; private memory comes with the address where it
 * stands. Rows take their slow way then. */
struct memory_view {
    u64 (*read)(struct memory_view *v, enum space space, u64 addr, u32 bytes, u8 *at);
    void (*write)(struct memory_view *v, enum space space, u64 addr, u32 bytes, u8 *at, u64 value);
};

/* For rows: memory of 1..8 bytes, little endian; `lane` tells whose private memory. Outside memory
 * a read gives 0, a write is dropped, and the first such access is remembered in the wave (and in
 * TRAPSTS). Writes are logged, w->observer sees all. Vega ISA, chapter 9 (memory error checking). */
u64 mem_read(struct wave *w, enum space space, u32 lane, u64 addr, u32 bytes);
void mem_write(struct wave *w, enum space space, u32 lane, u64 addr, u32 bytes, u64 value);
/* Whether an access of any number of bytes lies inside; if not it is remembered like the others. */
bool mem_reach(struct wave *w, enum space space, u32 lane, u64 addr, u32 bytes, bool write);

/* The block of memory in one piece that holds the byte at addr: addresses *first to *first + *limit
 * - 1 are there, and the byte at address a stands at the returned number + a. 0 if there is none,
 * or none that may be touched without going through the functions above. */
uintptr_t mem_direct(struct wave *w, enum space space, u64 addr, bool write, u64 *first,
                     u64 *limit);

#endif
