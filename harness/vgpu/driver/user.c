/* Buffers that are a client's own memory. Submissions see a copy of it, made before each and written
 * back behind it, so that it need not be memory of this process. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

int vgpu_gem_userptr(struct vgpu_call *c)
{
    struct drm_amdgpu_gem_userptr *a = c->arg;
    u32 known = AMDGPU_GEM_USERPTR_READONLY | AMDGPU_GEM_USERPTR_ANONONLY |
                AMDGPU_GEM_USERPTR_VALIDATE | AMDGPU_GEM_USERPTR_REGISTER;
    u8 byte;
    if (a->flags & ~known || (a->addr | a->size) % PAGE_BYTES || !a->addr || !a->size)
        return -EINVAL;
    if (a->flags & AMDGPU_GEM_USERPTR_VALIDATE)
        for (u64 at = 0; at < a->size; at += PAGE_BYTES)
            if (!c->client->read(c->client->ctx, &byte, a->addr + at, 1))
                return -EFAULT;
    struct vgpu_bo *bo = calloc(1, sizeof *bo);
    if (!bo)
        return -ENOMEM;
    *bo = (struct vgpu_bo){ .refs = 1,
                            .size = a->size,
                            .domains = AMDGPU_GEM_DOMAIN_GTT,
                            .flags = AMDGPU_GEM_CREATE_NO_CPU_ACCESS,
                            .user_va = a->addr,
                            .is_user_readonly = a->flags & AMDGPU_GEM_USERPTR_READONLY,
                            .user = *c->client };
    int r = vgpu_bo_add(c->v, bo);
    if (r < 0) {
        free(bo);
        return r;
    }
    a->handle = vgpu_table_add(&c->f->bos, bo);
    if (a->handle == 0)
        vgpu_bo_put(c->v, bo);
    return a->handle ? 0 : -ENOMEM;
}

static void say_fault(struct vgpu *v, const struct vgpu_bo *bo)
{
    vgpu_error(v, "a buffer is the client's memory at 0x%llx, which is not there any more",
               (unsigned long long)bo->user_va);
}

void vgpu_user_in(struct vgpu *v, const struct vgpu_job *job)
{
    for (u32 i = 0; i < job->list.count; i++) {
        struct vgpu_bo *bo = job->list.bo[i];
        u8 *copy = v->cfg.heap + bo->offset;
        if (bo->user_va && !bo->user.read(bo->user.ctx, copy, bo->user_va, bo->size))
            say_fault(v, bo);
    }
}

/* Only what differs goes back: the client may have written elsewhere on the same page. */
static bool write_back(struct vgpu_bo *bo, const u8 *copy)
{
    enum { CHUNK = 64 };
    u8 now[PAGE_BYTES];
    bool is_ok = true;
    for (u64 at = 0; is_ok && at < bo->size; at += PAGE_BYTES) {
        is_ok = bo->user.read(bo->user.ctx, now, bo->user_va + at, PAGE_BYTES);
        for (u32 i = 0; is_ok && i < PAGE_BYTES; i += CHUNK)
            if (memcmp(now + i, copy + at + i, CHUNK) != 0)
                is_ok = bo->user.write(bo->user.ctx, bo->user_va + at + i, copy + at + i, CHUNK);
    }
    return is_ok;
}

void vgpu_user_out(struct vgpu *v, const struct vgpu_job *job)
{
    for (u32 i = 0; i < job->list.count; i++) {
        struct vgpu_bo *bo = job->list.bo[i];
        if (bo->user_va && !bo->is_user_readonly && !write_back(bo, v->cfg.heap + bo->offset))
            say_fault(v, bo);
    }
}
