/* Buffers: ranges of the heap, which clients map. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define BO_MAX (64ull << 30) /* bytes; more than any chip has */

int vgpu_gem_create(struct vgpu_call *c)
{
    union drm_amdgpu_gem_create *a = c->arg;
    struct drm_amdgpu_gem_create_in in = a->in;
    /* GDS, GWS and OA can be had, but nothing uses them. */
    u64 known = AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_GDS |
                AMDGPU_GEM_DOMAIN_GWS | AMDGPU_GEM_DOMAIN_OA;
    if (in.bo_size == 0 || in.alignment & (in.alignment - 1))
        return -EINVAL;
    if (in.bo_size > BO_MAX)
        return -ENOMEM;
    if (in.domains & ~known || !in.domains) {
        vgpu_error(c->v, "GEM_CREATE: domains 0x%llx are not implemented",
                   (unsigned long long)in.domains);
        return -EINVAL;
    }
    struct vgpu_bo *bo = calloc(1, sizeof *bo);
    if (!bo)
        return -ENOMEM;
    *bo = (struct vgpu_bo){ .refs = 1,
                            .size = (in.bo_size + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES,
                            .alignment = in.alignment,
                            .domains = in.domains,
                            .flags = in.domain_flags };
    int r = vgpu_bo_add(c->v, bo);
    if (r < 0) {
        free(bo);
        return r;
    }
    u32 handle = vgpu_table_add(&c->f->bos, bo);
    if (handle == 0) {
        vgpu_bo_put(c->v, bo);
        return -ENOMEM;
    }
    memset(a, 0, sizeof *a);
    a->out.handle = handle;
    vgpu_log(c->v, "buffer %u: %llu bytes in %s", handle, (unsigned long long)bo->size,
             in.domains & AMDGPU_GEM_DOMAIN_VRAM ? "VRAM" : "GTT");
    return 0;
}

int vgpu_gem_mmap(struct vgpu_call *c)
{
    union drm_amdgpu_gem_mmap *a = c->arg;
    const struct vgpu_bo *bo = vgpu_table_get(&c->f->bos, a->in.handle);
    if (!bo)
        return -ENOENT;
    if (bo->flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS)
        return -EPERM;
    memset(a, 0, sizeof *a);
    a->out.addr_ptr = bo->offset;
    return 0;
}

/* What drivers tell each other about a buffer; the device does not look at it. */
int vgpu_gem_metadata(struct vgpu_call *c)
{
    struct drm_amdgpu_gem_metadata *a = c->arg;
    struct vgpu_bo *bo = vgpu_table_get(&c->f->bos, a->handle);
    if (!bo)
        return -ENOENT;
    if (a->op == AMDGPU_GEM_METADATA_OP_GET_METADATA) {
        memcpy(&a->data, &bo->metadata, sizeof a->data);
        return 0;
    }
    if (a->op != AMDGPU_GEM_METADATA_OP_SET_METADATA ||
        a->data.data_size_bytes > sizeof a->data.data)
        return -EINVAL;
    memcpy(&bo->metadata, &a->data, sizeof a->data);
    return 0;
}

int vgpu_gem_close(struct vgpu_call *c)
{
    const struct drm_gem_close *a = c->arg;
    /* What was submitted holds the buffer, but no longer its place in the address space. */
    int r = vgpu_wait_until(c->v, ~0ull);
    if (r < 0)
        return r;
    struct vgpu_bo *bo = vgpu_table_take(&c->f->bos, a->handle);
    if (!bo)
        return -EINVAL;
    if (!vgpu_table_find(&c->f->bos, bo)) /* under another handle */
        vgpu_vm_drop(c->v, c->f, bo);
    vgpu_bo_put(c->v, bo);
    return 0;
}

int vgpu_gem_wait_idle(struct vgpu_call *c)
{
    union drm_amdgpu_gem_wait_idle *a = c->arg;
    const struct vgpu_bo *bo = vgpu_table_get(&c->f->bos, a->in.handle);
    if (!bo)
        return -ENOENT;
    int r = vgpu_wait_until(c->v, a->in.timeout);
    if (r < 0)
        return r;
    memset(a, 0, sizeof *a);
    a->out.status = !vgpu_is_idle(c->v);
    a->out.domain = (u32)bo->domains;
    return 0;
}

int vgpu_gem_op(struct vgpu_call *c)
{
    struct drm_amdgpu_gem_op *a = c->arg;
    struct vgpu_bo *bo = vgpu_table_get(&c->f->bos, a->handle);
    if (!bo)
        return -ENOENT;
    if (a->op == AMDGPU_GEM_OP_GET_GEM_CREATE_INFO) {
        struct drm_amdgpu_gem_create_in info = { .bo_size = bo->size,
                                                 .alignment = bo->alignment,
                                                 .domains = bo->domains,
                                                 .domain_flags = bo->flags };
        return c->client->write(c->client->ctx, a->value, &info, sizeof info) ? 0 : -EFAULT;
    }
    if (a->op != AMDGPU_GEM_OP_SET_PLACEMENT)
        return -EINVAL;
    *vgpu_bo_used(c->v, bo) -= bo->size;
    bo->domains = a->value & (AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT);
    *vgpu_bo_used(c->v, bo) += bo->size;
    return 0;
}

int vgpu_gem_va(struct vgpu_call *c)
{
    const struct drm_amdgpu_gem_va *a = c->arg;
    u32 flags = AMDGPU_VM_DELAY_UPDATE | AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
                AMDGPU_VM_PAGE_EXECUTABLE | AMDGPU_VM_PAGE_PRT | AMDGPU_VM_MTYPE_MASK;
    u64 va = vgpu_vm_canonical(a->va_address);
    if (va != a->va_address ||
        (a->operation != AMDGPU_VA_OP_UNMAP && !vgpu_vm_is_valid(va, a->map_size))) {
        vgpu_error(c->v, "GEM_VA: 0x%llx of 0x%llx bytes is no range of the address space",
                   (unsigned long long)a->va_address, (unsigned long long)a->map_size);
        return -EINVAL;
    }
    if (a->flags & ~flags)
        return -EINVAL;
    bool is_prt = a->flags & AMDGPU_VM_PAGE_PRT, is_clear = a->operation == AMDGPU_VA_OP_CLEAR;
    struct vgpu_bo *bo = is_prt || is_clear ? NULL : vgpu_table_get(&c->f->bos, a->handle);
    if (!bo && !is_prt && !is_clear)
        return -ENOENT;
    int r = vgpu_wait_until(c->v, ~0ull); /* what was submitted runs with the old tables */
    if (r < 0)
        return r;
    vgpu_log(c->v, "VA %u: 0x%llx to 0x%llx, buffer %u + 0x%llx, flags 0x%x", a->operation,
             (unsigned long long)va, (unsigned long long)(va + a->map_size - 1), a->handle,
             (unsigned long long)a->offset_in_bo, a->flags);
    switch (a->operation) {
    case AMDGPU_VA_OP_MAP: return vgpu_vm_map(c, a, bo, va, false);
    case AMDGPU_VA_OP_REPLACE: return vgpu_vm_map(c, a, bo, va, true);
    case AMDGPU_VA_OP_UNMAP: return vgpu_vm_unmap(c, bo, va);
    case AMDGPU_VA_OP_CLEAR: return vgpu_vm_clear(c, va, a->map_size);
    default: return -EINVAL;
    }
}
