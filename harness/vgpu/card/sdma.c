/* The copy engines, SDMA version 4: packets of linear memory. Counts are one less than what they
 * count. */
#include "harness/vgpu/core/internal.h"

/* A packet's dwords, as far as they have a fixed meaning: bits that may be set. */
static const struct sdma_row {
    u8 op, sub;
    const char *name;
    u8 dw; /* with the header; what follows by a count is checked apart */
    u32 mask[8];
} rows[] = {
    { 0, 0, "NOP", 1, { 0x3fff0000 } },
    { 1, 0, "COPY_LINEAR", 7, { 0xffff, 0x3fffff, 0, ~0u, 0xffff, ~0u, 0xffff } },
    { 2, 0, "WRITE_LINEAR", 4, { 0xffff, ~3u, 0xffff, 0xfffff } },
    { 5, 0, "FENCE", 4, { 0xff, ~3u, 0xffff, ~0u } },
    { 6, 0, "TRAP", 2, { 0xff, 0xfffffff } },
    { 8, 0, "POLL_REGMEM", 6, { 0xf40000ff, ~3u, 0x8000ffff, ~0u, ~0u, 0xfffffff } },
    { 10, 0, "ATOMIC", 8, { 0xfe0100ff, ~3u, 0xffff, ~0u, ~0u, ~0u, ~0u, 0x1fff } },
    { 11, 0, "CONSTANT_FILL", 5, { 0xc00000ff, ~0u, 0xffff, ~0u, 0x3fffff } },
    { 13, 2, "TIMESTAMP_GET_GLOBAL", 3, { 0xffff, ~7u, 0xffff } },
};

static const struct sdma_row *find(u32 header)
{
    for (u32 i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].op == bits32(header, 0, 8) && rows[i].sub == bits32(header, 8, 8))
            return &rows[i];
    return NULL;
}

static u64 address(const u32 *dw)
{
    return dw[0] | (u64)dw[1] << 32;
}

static bool copy(struct vgpu *v, const struct vgpu_job *job, const u32 *p)
{
    u32 bytes = p[1] + 1;
    const u8 *from = vgpu_vm_at(v, job, address(p + 3), bytes, false);
    u8 *to = from ? vgpu_vm_at(v, job, address(p + 5), bytes, true) : NULL;
    if (to)
        memmove(to, from, bytes);
    return to != NULL;
}

static bool write_dwords(struct vgpu *v, const struct vgpu_job *job, u64 va, const u32 *data,
                         u32 dw)
{
    u8 *to = vgpu_vm_at(v, job, va, dw * 4ull, true);
    if (to)
        memcpy(to, data, dw * 4ull);
    return to != NULL;
}

/* The header's upper bits say how large the value is: 0 a byte, 2 a dword. */
static bool fill(struct vgpu *v, const struct vgpu_job *job, const u32 *p)
{
    u32 bytes = p[4] + 1, size = 1u << bits32(p[0], 30, 2);
    if (size > 4 || bytes % size || p[1] % size) {
        vgpu_error(v, "CONSTANT_FILL: %u bytes at 0x%llx by %u", bytes,
                   (unsigned long long)address(p + 1), size);
        return false;
    }
    u8 *to = vgpu_vm_at(v, job, address(p + 1), bytes, true);
    for (u32 i = 0; to && i < bytes; i++)
        to[i] = (u8)(p[3] >> i % size * 8);
    return to != NULL;
}

/* The only operation of ATOMIC that is known of is the addition of 64 bits. */
static bool add64(struct vgpu *v, const struct vgpu_job *job, const u32 *p)
{
    enum { ADD64 = 47 };
    if (p[0] >> 25 != ADD64) {
        vgpu_error(v, "SDMA: ATOMIC: operation %u is not implemented", p[0] >> 25);
        return false;
    }
    u8 *to = vgpu_vm_at(v, job, address(p + 1), 8, true);
    if (to)
        __atomic_fetch_add((u64 *)(void *)to, address(p + 3), __ATOMIC_ACQ_REL);
    return to != NULL;
}

static bool stamp(struct vgpu *v, const struct vgpu_job *job, const u32 *p)
{
    u64 now = vgpu_clock_ticks();
    u8 *to = vgpu_vm_at(v, job, address(p + 1), sizeof now, true);
    if (to)
        memcpy(to, &now, sizeof now);
    return to != NULL;
}

static bool tell(const struct vgpu_job *job, const u32 *p)
{
    if (job->interrupt)
        job->interrupt(job->interrupt_arg, p[1]);
    return true;
}

/* 1 or, if a queue has to wait, SDMA_WAITS; 0 if it is wrong. A register is only ever flushed so. */
static u32 poll(struct vgpu *v, const struct vgpu_job *job, const u32 *p)
{
    u32 function = bits32(p[0], 28, 3);
    bool is_memory = p[0] >> 31;
    if (function == 7 || (!is_memory && function)) {
        vgpu_error(v, "SDMA: POLL_REGMEM: 0x%08x is not implemented", p[0]);
        return 0;
    }
    if (!is_memory)
        return 1;
    if (!job->is_queue)
        return vgpu_poll(v, job, address(p + 1), function, p[3], p[4]);
    const void *at = vgpu_vm_at(v, job, address(p + 1), 4, false);
    if (!at)
        return 0;
    return vgpu_poll_is_met(at, function, p[3], p[4]) ? 1 : SDMA_WAITS;
}

static u32 execute(struct vgpu *v, const struct vgpu_job *job, const u32 *p)
{
    switch (bits32(p[0], 0, 8)) {
    case 1: return copy(v, job, p);
    case 2: return write_dwords(v, job, address(p + 1), p + 4, p[3] + 1);
    case 5: return write_dwords(v, job, address(p + 1), p + 3, 1);
    case 6: return tell(job, p);
    case 8: return poll(v, job, p);
    case 10: return add64(v, job, p);
    case 11: return fill(v, job, p);
    case 13: return stamp(v, job, p);
    default: return true;
    }
}

/* The length of the packet at p, 0 if it is none; `left` dwords are there. */
static u32 check(struct vgpu *v, const u32 *p, u32 left)
{
    const struct sdma_row *row = find(p[0]);
    if (!row) {
        vgpu_error(v, "SDMA: unknown opcode %u.%u", bits32(p[0], 0, 8), bits32(p[0], 8, 8));
        return 0;
    }
    u64 dw = row->dw;
    if (row->op == 0)
        dw += p[0] >> 16;
    if (row->op == 2 && left >= 4)
        dw += (u64)p[3] + 1;
    if (dw > left) {
        vgpu_error(v, "%s: the buffer ends after %u dwords", row->name, left);
        return 0;
    }
    for (u32 i = 0; i < row->dw; i++)
        if (p[i] & ~row->mask[i]) {
            vgpu_error(v, "%s: dword %u = 0x%08x has reserved bits 0x%08x", row->name, i, p[i],
                       p[i] & ~row->mask[i]);
            return 0;
        }
    vgpu_log(v, "  %s", row->name);
    return (u32)dw;
}

u32 vgpu_sdma_packet(struct vgpu *v, const struct vgpu_job *job, const u32 *p, u32 left)
{
    u32 dw = check(v, p, left), done = dw ? execute(v, job, p) : 0;
    if (done == SDMA_WAITS)
        return SDMA_WAITS;
    v->stats.packets++;
    return done ? dw : 0;
}

bool vgpu_sdma_run(struct vgpu *v, const struct vgpu_job *job, const u32 *ib, u32 dw)
{
    for (u32 at = 0, n; at < dw; at += n) {
        n = vgpu_sdma_packet(v, job, ib + at, dw - at);
        if (n == SDMA_WAITS)
            vgpu_error(v, "SDMA: nobody is left who could change what POLL_REGMEM waits for");
        if (n == 0 || n == SDMA_WAITS) {
            vgpu_error(v, "SDMA packet at dword %u of %u", at, dw);
            return false;
        }
    }
    return true;
}
