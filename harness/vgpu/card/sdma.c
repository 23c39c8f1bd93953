/* The copy engines, SDMA version 4: packets of linear memory. Counts are one less than what they
 * count. */
#include "harness/vgpu/core/internal.h"

/* A packet's dwords, as far as they have a fixed meaning: bits that may be set. */
static const struct sdma_row {
    u8 op, sub;
    const char *name;
    u8 dw; /* with the header; what follows by a count is checked apart */
    u32 mask[7];
} rows[] = {
    { 0, 0, "NOP", 1, { 0x3fff0000 } },
    { 1, 0, "COPY_LINEAR", 7, { 0xffff, 0x3fffff, 0, ~0u, 0xffff, ~0u, 0xffff } },
    { 2, 0, "WRITE_LINEAR", 4, { 0xffff, ~3u, 0xffff, 0xfffff } },
    { 5, 0, "FENCE", 4, { 0xff, ~3u, 0xffff, ~0u } },
    { 8, 0, "POLL_REGMEM", 6, { 0xf40000ff, ~3u, 0xffff, ~0u, ~0u, 0x0fffffff } },
    { 11, 0, "CONSTANT_FILL", 5, { 0xc00000ff, ~0u, 0xffff, ~0u, 0x3fffff } },
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

static bool poll_memory(struct vgpu *v, const struct vgpu_job *job, const u32 *p)
{
    if (!bits32(p[0], 31, 1)) {
        vgpu_error(v, "POLL_REGMEM: registers are not implemented");
        return false;
    }
    return vgpu_poll(v, job, address(p + 1), bits32(p[0], 28, 3), p[3], p[4]);
}

static bool execute(struct vgpu *v, const struct vgpu_job *job, const u32 *p)
{
    switch (bits32(p[0], 0, 8)) {
    case 1: return copy(v, job, p);
    case 2: return write_dwords(v, job, address(p + 1), p + 4, p[3] + 1);
    case 5: return write_dwords(v, job, address(p + 1), p + 3, 1);
    case 8: return poll_memory(v, job, p);
    case 11: return fill(v, job, p);
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

bool vgpu_sdma_run(struct vgpu *v, const struct vgpu_job *job, const u32 *ib, u32 dw)
{
    for (u32 at = 0, n; at < dw; at += n) {
        n = check(v, ib + at, dw - at);
        v->stats.packets++;
        if (n == 0 || !execute(v, job, ib + at)) {
            vgpu_error(v, "SDMA packet at dword %u of %u", at, dw);
            return false;
        }
    }
    return true;
}
