/* Memory as instructions see it: windows, LDS, GDS, and the private memory of lanes. */
#include "oracle/state/mem.h"

#include "oracle/insn/insn.h"

/* Remembers the first access outside memory. Scalar accesses do not report violations. Vega ISA,
 * chapter 3 (memory violations). */
static void fault(struct wave *w, enum space space, u64 addr)
{
    if (space != SPACE_SCALAR)
        wave_raise(w, TRAPSTS_MEM_VIOL);
    if (space == SPACE_LDS || space == SPACE_LDS_M0 || space == SPACE_GDS)
        return;
    if (!w->faulted)
        w->fault_addr = addr;
    w->faulted = true;
    if (w->stop_at_fault)
        w->stop = STOP_FAULT;
}

/* The bytes of LDS that the wave may touch. ERRATA(GCN3-U01): where M0 limits them, too, how
 * many of its bits count is not said. */
static u32 lds_limit(const struct wave *w, enum space space)
{
    u32 m0 = w->sgpr[CODE_M0], size = w->lds->size;
    bool limited = space == SPACE_LDS && isa_target_has(w->isa->target, FEATUREBIT_LDS_LIMIT);
    return limited && m0 < size ? m0 : size;
}

/* M0 holds the base of the wave's part of GDS in its upper half, the size in its lower. */
static u8 *find_gds(struct wave *w, u64 addr, u32 bytes, u64 *off)
{
    u32 base = w->sgpr[CODE_M0] >> 16, size = w->sgpr[CODE_M0] & 0xffff;
    *off = base + addr;
    if (bytes > size || addr > size - bytes || *off + bytes > w->gds->size) {
        fault(w, SPACE_GDS, addr);
        return NULL;
    }
    return &w->gds->bytes[*off];
}

/* Where private memory stands: dwords of the 64 lanes lie side by side. Vega ISA, chapter 9
 * (scratch). ERRATA(FLAT-C10): one of its formulas puts each lane's memory in one piece.
 * ERRATA(GCN3-U02): where FLAT_SCRATCH holds a size and a distance, that is from address 0. */
static u64 scratch_address(const struct wave *w, u32 lane, u64 addr)
{
    bool sized = isa_target_has(w->isa->target, FEATUREBIT_SIZED_SCRATCH);
    const u32 *r = &w->sgpr[insn_flat_scratch((enum gen)w->isa->target->gen)];
    u64 base = sized ? w->scratch_base + ((u64)r[1] << 8) : pair_get(r);
    return base + addr / 4 * (LANES * 4) + lane * 4 + addr % 4;
}

/* Whether `bytes` from a private address on are the lane's. */
static bool scratch_holds(const struct wave *w, u64 addr, u32 bytes)
{
    u32 size = w->sgpr[insn_flat_scratch((enum gen)w->isa->target->gen)];
    return !isa_target_has(w->isa->target, FEATUREBIT_SIZED_SCRATCH) ||
           (bytes <= size && addr <= size - bytes);
}

/* What FLAT addresses mean, by their upper half. ERRATA(GCN3-U01): of LDS, M0 limits nothing. */
static enum space aperture(const struct wave *w, u64 *addr)
{
    enum space space = *addr >> 32 == w->shared_base >> 32    ? SPACE_LDS_M0
                       : *addr >> 32 == w->private_base >> 32 ? SPACE_SCRATCH
                                                              : SPACE_GLOBAL;
    if (space != SPACE_GLOBAL)
        *addr = (u32)*addr;
    return space;
}

/* The bytes behind an address that is not of private memory; `place` and *off say where they are
 * for the log. NULL if there are none. A DS access outside the LDS of the work-group is no
 * violation. */
static u8 *find(struct wave *w, enum space space, u64 addr, u32 bytes, bool write,
                enum place *place, u64 *off)
{
    bool lds = space == SPACE_LDS || space == SPACE_LDS_M0;
    *place = lds ? PLACE_LDS : space == SPACE_GDS ? PLACE_GDS : PLACE_MEM;
    *off = addr;
    if (space == SPACE_GDS)
        return find_gds(w, addr, bytes, off);
    if (lds) {
        u32 limit = lds_limit(w, space);
        return bytes <= limit && addr <= limit - bytes ? &w->lds->bytes[addr] : NULL;
    }
    u8 *p = mem_at(w->mem, addr, bytes, write);
    if (!p)
        fault(w, space, addr);
    return p;
}

/* How many bytes from a private address on lie in one piece. */
static u32 piece(u64 addr, u32 bytes)
{
    u32 left = 4 - (u32)(addr & 3);
    return left < bytes ? left : bytes;
}

static void show(struct wave *w, enum space space, u32 lane, u64 addr, u32 bytes, const u8 *at,
                 const u64 *value)
{
    struct mem_access a = { .space = (u8)(space == SPACE_LDS_M0 ? SPACE_LDS : space),
                            .write = value != NULL,
                            .lane = lane,
                            .bytes = bytes,
                            .addr = addr,
                            .value = value ? *value : 0,
                            .at = at };
    for (struct observer *o = w->observer; o; o = o->next)
        o->see(o, w, &a);
}

/* Reads of 0 and writes that are dropped, for the hardware; whoever checks a kernel may want to know.
 */
static void outside_lds(struct wave *w, u64 addr)
{
    if (!w->stop_outside_lds)
        return;
    w->fault_addr = addr;
    w->stop = STOP_FAULT;
}

/* As find, of a space in which an access lies in one piece; what is not there is remembered. */
static u8 *reach(struct wave *w, enum space space, bool flat, u64 addr, u32 bytes, bool write,
                 enum place *place, u64 *off)
{
    u8 *p = find(w, space, addr, bytes, write, place, off);
    if (!p && (space == SPACE_LDS || space == SPACE_LDS_M0))
        outside_lds(w, addr);
    if (!p && flat && space == SPACE_LDS_M0) /* chapter 9: for FLAT it is a violation */
        fault(w, SPACE_LDS, addr);
    return p;
}

bool mem_reach(struct wave *w, enum space space, u32 lane, u64 addr, u32 bytes, bool write)
{
    enum place place;
    u64 off;
    bool flat = space == SPACE_FLAT, all = true;
    if (flat)
        space = aperture(w, &addr);
    if (space != SPACE_SCRATCH)
        return reach(w, space, flat, addr, bytes, write, &place, &off) != NULL;
    if (!scratch_holds(w, addr, bytes)) {
        fault(w, SPACE_GLOBAL, addr);
        return false;
    }
    for (u32 n = 0, k; all && n < bytes; n += k) {
        k = piece(addr + n, bytes - n);
        all = find(w, SPACE_GLOBAL, scratch_address(w, lane, addr + n), k, write, &place, &off);
    }
    return all;
}

/* Bytes that are there, at p, in one piece; private memory by where it stands. */
static u64 get(struct wave *w, enum space space, u32 lane, u64 off, u32 bytes, u8 *p)
{
    u64 v = 0;
    if (w->observer)
        show(w, space, lane, off, bytes, p, NULL);
    if (w->view)
        return w->view->read(w->view, space, off, bytes, p);
    memcpy(&v, p, bytes);
    return v;
}

u64 mem_read(struct wave *w, enum space space, u32 lane, u64 addr, u32 bytes)
{
    enum place place;
    u64 off, v = 0;
    if (space == SPACE_GLOBAL && !w->observer && !w->view) { /* what samplers ask for many times */
        const u8 *there = mem_at(w->mem, addr, bytes, false);
        if (there) {
            memcpy(&v, there, bytes);
            return v;
        }
    }
    bool flat = space == SPACE_FLAT;
    if (flat)
        space = aperture(w, &addr);
    if (space != SPACE_SCRATCH) {
        u8 *p = reach(w, space, flat, addr, bytes, false, &place, &off);
        return p ? get(w, space, lane, off, bytes, p) : 0;
    }
    if (!mem_reach(w, space, lane, addr, bytes, false))
        return 0;
    for (u32 n = 0, k; n < bytes; n += k) {
        k = piece(addr + n, bytes - n);
        u8 *p = find(w, space, scratch_address(w, lane, addr + n), k, false, &place, &off);
        v |= get(w, space, lane, off, k, p) << n * 8;
    }
    return v;
}

static void put(struct wave *w, enum space space, u32 lane, u64 off, u64 value, u32 bytes,
                enum place place, u8 *p)
{
    if (w->observer)
        show(w, space, lane, off, bytes, p, &value);
    if (w->view) {
        w->view->write(w->view, space, off, bytes, p, value);
        return;
    }
    if (wlog_takes_memory(w))
        wlog_put(w->log, w, place, off, p, bytes);
    if (space == SPACE_GDS)
        w->gds->written = true;
    memcpy(p, &value, bytes);
}

void mem_write(struct wave *w, enum space space, u32 lane, u64 addr, u32 bytes, u64 value)
{
    enum place place;
    u64 off;
    bool flat = space == SPACE_FLAT;
    if (flat)
        space = aperture(w, &addr);
    if (space != SPACE_SCRATCH) {
        u8 *p = reach(w, space, flat, addr, bytes, true, &place, &off);
        if (p)
            put(w, space, lane, off, value, bytes, place, p);
        return;
    }
    if (!mem_reach(w, space, lane, addr, bytes, true))
        return;
    for (u32 n = 0, k; n < bytes; n += k) {
        k = piece(addr + n, bytes - n);
        u8 *p = find(w, space, scratch_address(w, lane, addr + n), k, true, &place, &off);
        put(w, space, lane, off, value >> n * 8, k, place, p);
    }
}

uintptr_t mem_direct(struct wave *w, enum space space, u64 addr, bool write, u64 *first, u64 *limit)
{
    const struct mem_window *win;
    if (w->observer || w->view)
        return 0;
    if (space == SPACE_FLAT) {
        u64 in_space = addr;
        if (aperture(w, &in_space) != SPACE_GLOBAL)
            return 0;
    }
    if (space == SPACE_LDS) {
        *first = 0;
        *limit = lds_limit(w, space);
        return (uintptr_t)w->lds->bytes;
    }
    if ((space != SPACE_GLOBAL && space != SPACE_FLAT) || !mem_at(w->mem, addr, 1, write))
        return 0;
    win = &w->mem->window[w->mem->hint];
    if (!win->size) /* for one access alone */
        return 0;
    if (space == SPACE_FLAT) { /* a window that reaches into an aperture is not all global */
        u64 last = win->base + win->size - 1, hi = last >> 32, lo = win->base >> 32;
        if ((w->shared_base >> 32) - lo <= hi - lo || (w->private_base >> 32) - lo <= hi - lo)
            return 0;
    }
    *first = win->base;
    *limit = win->size;
    return (uintptr_t)win->bytes - (uintptr_t)win->base;
}
