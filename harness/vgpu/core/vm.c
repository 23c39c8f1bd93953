/* Address spaces: one for each file, ranges in order of address. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

/* Clients may use what lies between; of 48-bit addresses what is below the hole, and above it. */
#define VA_LOW  0x200000ull
#define VA_HIGH 0xffff800000000000ull

/* Registers and packets hold 48 bits. */
u64 vgpu_vm_canonical(u64 va)
{
    return sext64(va & mask64(48), 48);
}

/* Where there is no second half, the kernel keeps the end of the only one. */
u64 vgpu_vm_end(const struct vgpu *v)
{
    u32 bits = v->packets->va_bits;
    return bits < 48 ? (1ull << bits) - VA_LOW : 1ull << (bits - 1);
}

u64 vgpu_vm_high(const struct vgpu *v)
{
    return v->packets->va_bits < 48 ? 0 : VA_HIGH;
}

bool vgpu_vm_is_valid(const struct vgpu *v, u64 va, u64 size)
{
    u64 last = va + size - 1;
    if (size == 0 || last < va || (va | size) % PAGE_BYTES)
        return false;
    return (va >= VA_LOW && last < vgpu_vm_end(v)) || (vgpu_vm_high(v) && va >= vgpu_vm_high(v));
}

static bool reserve(struct vgpu_file *f, u32 count)
{
    u32 cap = f->map_cap ? f->map_cap : 32;
    while (cap < f->map_count + count)
        cap *= 2;
    if (cap == f->map_cap)
        return true;
    struct vgpu_mapping *map = realloc(f->map, cap * sizeof *map);
    if (!map)
        return false;
    f->map = map;
    f->map_cap = cap;
    return true;
}

/* The first mapping that ends behind the address. */
static u32 first_behind(const struct vgpu_file *f, u64 va)
{
    u32 lo = 0, hi = f->map_count;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (f->map[mid].va + (f->map[mid].size - 1) < va)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void insert(struct vgpu_file *f, const struct vgpu_mapping *m)
{
    u32 at = first_behind(f, m->va);
    memmove(&f->map[at + 1], &f->map[at], (f->map_count - at) * sizeof *f->map);
    f->map[at] = *m;
    f->map_count++;
    f->map_version++;
    if (m->bo)
        m->bo->refs++;
}

static void remove_at(struct vgpu *v, struct vgpu_file *f, u32 at)
{
    struct vgpu_bo *bo = f->map[at].bo;
    if (v->icache.file == f && v->icache.base - f->map[at].va < f->map[at].size)
        v->icache.is_valid = false;
    memmove(&f->map[at], &f->map[at + 1], (f->map_count - at - 1) * sizeof *f->map);
    f->map_count--;
    f->map_version++;
    vgpu_bo_put(v, bo);
}

/* Empties a range; what stands at its edges keeps its outer parts. Room for one more is there. */
static void clear(struct vgpu *v, struct vgpu_file *f, u64 va, u64 size)
{
    u64 last = va + (size - 1);
    u32 i = first_behind(f, va);
    while (i < f->map_count && f->map[i].va <= last) {
        struct vgpu_mapping m = f->map[i], right = m;
        u64 m_last = m.va + (m.size - 1);
        if (m.bo)
            m.bo->refs++;
        remove_at(v, f, i);
        if (m.va < va) {
            struct vgpu_mapping left = m;
            left.size = va - m.va;
            insert(f, &left);
            i++;
        }
        if (m_last > last) {
            right.va = last + 1;
            right.offset += right.va - m.va;
            right.size = m_last - last;
            insert(f, &right);
        }
        vgpu_bo_put(v, m.bo);
    }
}

int vgpu_vm_map(struct vgpu_call *c, const struct drm_amdgpu_gem_va *a, struct vgpu_bo *bo, u64 va,
                bool replace)
{
    struct vgpu_file *f = c->f;
    if (bo && (a->offset_in_bo % PAGE_BYTES || a->offset_in_bo > bo->size ||
               a->map_size > bo->size - a->offset_in_bo))
        return -EINVAL;
    if (!reserve(f, 3))
        return -ENOMEM;
    if (replace) {
        clear(c->v, f, va, a->map_size);
    } else {
        u32 at = first_behind(f, va);
        if (at < f->map_count && f->map[at].va <= va + (a->map_size - 1)) {
            vgpu_error(c->v, "GEM_VA: 0x%llx to 0x%llx overlaps the mapping at 0x%llx",
                       (unsigned long long)va, (unsigned long long)(va + a->map_size - 1),
                       (unsigned long long)f->map[at].va);
            return -EINVAL;
        }
    }
    insert(f, &(struct vgpu_mapping){ .va = va,
                                      .size = a->map_size,
                                      .bo = bo,
                                      .offset = a->offset_in_bo,
                                      .flags = a->flags });
    return 0;
}

int vgpu_vm_clear(struct vgpu_call *c, u64 va, u64 size)
{
    if (!reserve(c->f, 2))
        return -ENOMEM;
    clear(c->v, c->f, va, size);
    return 0;
}

/* The mapping of this buffer that begins exactly there. */
int vgpu_vm_unmap(struct vgpu_call *c, const struct vgpu_bo *bo, u64 va)
{
    u32 at = first_behind(c->f, va);
    if (at == c->f->map_count || c->f->map[at].va != va || c->f->map[at].bo != bo)
        return -ENOENT;
    remove_at(c->v, c->f, at);
    return 0;
}

void vgpu_vm_drop(struct vgpu *v, struct vgpu_file *f, const struct vgpu_bo *bo)
{
    for (u32 i = f->map_count; i-- > 0;)
        if (f->map[i].bo == bo)
            remove_at(v, f, i);
}

void vgpu_vm_close(struct vgpu *v, struct vgpu_file *f)
{
    while (f->map_count)
        remove_at(v, f, f->map_count - 1);
    free(f->map);
    f->map = NULL;
    f->map_cap = 0;
}

const struct vgpu_mapping *vgpu_vm_find(const struct vgpu_file *f, u64 va)
{
    va = vgpu_vm_canonical(va);
    u32 at = first_behind(f, va);
    return at < f->map_count && f->map[at].va <= va ? &f->map[at] : NULL;
}

u8 *vgpu_vm_at(struct vgpu *v, const struct vgpu_job *job, u64 va, u64 bytes, bool write)
{
    const struct vgpu_mapping *m = vgpu_vm_find(job->file, va);
    u32 need = write ? AMDGPU_VM_PAGE_WRITEABLE : AMDGPU_VM_PAGE_READABLE;
    const char *why = NULL;
    va = vgpu_vm_canonical(va);
    if (m && !m->bo)
        why = "is mapped without memory (PRT), which packets here do not know";
    else if (!m || bytes > m->size - (va - m->va))
        why = "is not mapped";
    else if (!(m->flags & need))
        why = write ? "is mapped, but not for writing" : "is mapped, but not for reading";
    else if (!vgpu_list_has(&job->list, m->bo))
        why = "lies in a buffer that is not in the submission's list";
    if (why) {
        v->refused_va = va;
        vgpu_error(v, "0x%llx (%llu bytes) %s", (unsigned long long)va, (unsigned long long)bytes,
                   why);
        return NULL;
    }
    return vgpu_bo_bytes(v, m->bo) + m->offset + (va - m->va);
}
