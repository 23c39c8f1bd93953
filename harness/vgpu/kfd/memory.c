/* Memory of a process: allocated, or its own; mapped for the card where the process has it, too. */
#include "harness/vgpu/kfd/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct vgpu_bo *kfd_page(struct kfd *k, u64 bytes, u64 alignment)
{
    struct vgpu_bo *bo = calloc(1, sizeof *bo);
    if (!bo)
        return NULL;
    *bo = (struct vgpu_bo){ .refs = 1,
                            .size = bytes,
                            .alignment = alignment,
                            .domains = AMDGPU_GEM_DOMAIN_GTT,
                            .flags = AMDGPU_GEM_CREATE_VM_ALWAYS_VALID };
    if (vgpu_bo_add(k->v, bo) == 0)
        return bo;
    free(bo);
    return NULL;
}

int kfd_acquire_vm(struct kfd_call *c)
{
    const struct kfd_arg_acquire *a = c->arg;
    struct vgpu *v = c->k->v;
    u32 file = c->client->file ? c->client->file(c->client->ctx, a->fd) : 0;
    if (a->gpu != vgpu_gpu_id(v->cfg.chip) || file - 1 >= VGPU_FILES_MAX ||
        !v->file[file - 1].is_open || v->file[file - 1].is_kfd)
        return -EINVAL;
    if (c->k->vm)
        return c->k->vm == &v->file[file - 1] ? 0 : -EBUSY;
    c->k->vm = &v->file[file - 1];
    c->k->vm->is_held = true;
    return 0;
}

static u64 handle_of(const struct kfd *k, u32 number)
{
    return (u64)vgpu_gpu_id(k->v->cfg.chip) << 32 | number;
}

static struct kfd_memory *find(const struct kfd *k, u64 handle)
{
    bool is_ours = handle >> 32 == vgpu_gpu_id(k->v->cfg.chip);
    return is_ours ? vgpu_table_get(&k->memory, (u32)handle) : NULL;
}

struct vgpu_bo *kfd_bo_of(struct kfd *k, u64 handle)
{
    const struct kfd_memory *m = find(k, handle);
    return m ? m->bo : NULL;
}

struct vgpu_bo *kfd_doorbells(struct kfd *k)
{
    u64 half = 1ull << 32, alignment = k->v->cfg.heap_size > 2 * half ? half : KFD_DOORBELL_BYTES;
    if (!k->doorbells)
        k->doorbells = kfd_page(k, KFD_DOORBELL_BYTES, alignment);
    return k->doorbells;
}

u64 *kfd_doorbell_at(const struct kfd *k, u32 id)
{
    return (u64 *)(void *)vgpu_bo_bytes(k->v, k->doorbells) + id;
}

u64 kfd_doorbell(const struct kfd *k, const struct kfd_queue *q)
{
    return __atomic_load_n(kfd_doorbell_at(k, q->id), __ATOMIC_ACQUIRE);
}

/* The driver's own page, made when it is asked for first. */
static struct vgpu_bo *own_page(struct kfd *k, struct vgpu_bo **page, u64 bytes)
{
    if (!*page)
        *page = page == &k->doorbells ? kfd_doorbells(k) : kfd_page(k, bytes, bytes);
    if (*page)
        (*page)->refs++;
    return *page;
}

static u64 room(const struct kfd *k)
{
    u64 all = (u64)k->v->cfg.chip->vram_mib << 20;
    return all > k->v->vram_used ? all - k->v->vram_used : 0;
}

int kfd_available(struct kfd_call *c)
{
    struct kfd_arg_available *a = c->arg;
    if (a->gpu != vgpu_gpu_id(c->k->v->cfg.chip))
        return -EINVAL;
    a->bytes = room(c->k);
    return 0;
}

#define KINDS                                                                   \
    (KFD_MEMORY_VRAM | KFD_MEMORY_GTT | KFD_MEMORY_USER | KFD_MEMORY_DOORBELL | \
     KFD_MEMORY_REGISTERS)

static int make_bo(struct kfd_call *c, const struct kfd_arg_alloc *a, struct vgpu_bo **out)
{
    struct kfd *k = c->k;
    bool is_vram = a->flags & KFD_MEMORY_VRAM;
    if (is_vram && a->size > room(k))
        return -ENOMEM;
    struct vgpu_bo *bo = calloc(1, sizeof *bo);
    if (!bo)
        return -ENOMEM;
    *bo = (struct vgpu_bo){ .refs = 1,
                            .size = a->size,
                            .domains = is_vram ? AMDGPU_GEM_DOMAIN_VRAM : AMDGPU_GEM_DOMAIN_GTT,
                            .flags = AMDGPU_GEM_CREATE_VM_ALWAYS_VALID };
    int r;
    if (a->flags & KFD_MEMORY_USER) {
        bo->shared = c->client->share ? c->client->share(c->client->ctx, a->offset, a->size) : NULL;
        r = bo->shared ? 0 : -EFAULT;
    } else {
        r = vgpu_bo_add(k->v, bo);
    }
    if (r == 0)
        *out = bo;
    else
        free(bo);
    return r;
}

int kfd_alloc(struct kfd_call *c)
{
    struct kfd_arg_alloc *a = c->arg;
    struct kfd *k = c->k;
    u32 kind = a->flags & KINDS;
    struct vgpu_bo *bo = NULL;
    int r = 0;
    if (a->gpu != vgpu_gpu_id(k->v->cfg.chip) || a->size == 0 || a->size % PAGE_BYTES ||
        a->va % PAGE_BYTES || kind == 0 || kind & (kind - 1) ||
        (kind == KFD_MEMORY_DOORBELL && a->size != KFD_DOORBELL_BYTES) ||
        (kind == KFD_MEMORY_REGISTERS && a->size != PAGE_BYTES) ||
        (kind == KFD_MEMORY_USER && a->offset % PAGE_BYTES)) {
        vgpu_error(k->v, "ALLOC_MEMORY_OF_GPU: %" PRIu64 " bytes, flags 0x%x", (u64)a->size,
                   a->flags);
        return -EINVAL;
    }
    if (!k->vm)
        return -ENODEV;
    if (kind == KFD_MEMORY_DOORBELL)
        bo = own_page(k, &k->doorbells, KFD_DOORBELL_BYTES);
    else if (kind == KFD_MEMORY_REGISTERS)
        bo = own_page(k, &k->remap, PAGE_BYTES);
    else
        r = make_bo(c, a, &bo);
    struct kfd_memory *m = bo ? calloc(1, sizeof *m) : NULL;
    u32 number = m ? vgpu_table_add(&k->memory, m) : 0;
    if (number == 0) {
        vgpu_bo_put(k->v, bo);
        free(m);
        return r ? r : -ENOMEM;
    }
    *m = (struct kfd_memory){ .bo = bo, .va = a->va, .flags = a->flags };
    a->handle = handle_of(k, number);
    if (!bo->shared)
        a->offset = bo->offset;
    vgpu_log(k->v, "memory %u: %" PRIu64 " bytes at 0x%" PRIx64 ", flags 0x%x", number, bo->size,
             m->va, m->flags);
    return 0;
}

int kfd_free(struct kfd_call *c)
{
    const struct kfd_arg_handle *a = c->arg;
    struct kfd_memory *m = find(c->k, a->handle);
    if (!m || m->is_mapped)
        return m ? -EBUSY : -EINVAL;
    vgpu_table_take(&c->k->memory, (u32)a->handle);
    vgpu_bo_put(c->k->v, m->bo);
    free(m);
    return 0;
}

static int map_one(struct kfd *k, struct kfd_memory *m)
{
    struct vgpu_call call = { .v = k->v, .f = k->vm };
    struct drm_amdgpu_gem_va va = { .flags = AMDGPU_VM_PAGE_READABLE, .map_size = m->bo->size };
    if (m->flags & KFD_MEMORY_WRITABLE)
        va.flags |= AMDGPU_VM_PAGE_WRITEABLE;
    if (m->flags & KFD_MEMORY_EXECUTABLE)
        va.flags |= AMDGPU_VM_PAGE_EXECUTABLE;
    if (m->is_mapped)
        return 0;
    if (!vgpu_vm_is_valid(m->va, m->bo->size))
        return -EINVAL;
    int r = vgpu_vm_map(&call, &va, m->bo, m->va, false);
    m->is_mapped = r == 0;
    return r;
}

static int unmap_one(struct kfd *k, struct kfd_memory *m)
{
    struct vgpu_call call = { .v = k->v, .f = k->vm };
    int r = m->is_mapped ? vgpu_vm_unmap(&call, m->bo, m->va) : 0;
    m->is_mapped = false;
    return r;
}

/* Both ioctls have one argument: devices from the done-th on. */
static int change_maps(struct kfd_call *c, int (*change)(struct kfd *k, struct kfd_memory *m))
{
    struct kfd_arg_map *a = c->arg;
    struct kfd_memory *m = find(c->k, a->handle);
    int r = 0;
    if (a->count == 0 || a->done > a->count || !m || !c->k->vm)
        return -EINVAL;
    struct vgpu_call call = { .v = c->k->v, .client = c->client };
    u32 *ids = vgpu_fetch(&call, a->gpus, a->count, sizeof *ids, &r);
    for (u32 i = a->done; r == 0 && i < a->count; i++) {
        r = ids[i] == vgpu_gpu_id(c->k->v->cfg.chip) ? change(c->k, m) : -EINVAL;
        if (r == 0)
            a->done = i + 1;
    }
    free(ids);
    return r;
}

int kfd_map(struct kfd_call *c)
{
    return change_maps(c, map_one);
}

int kfd_unmap(struct kfd_call *c)
{
    return change_maps(c, unmap_one);
}

void kfd_close_memory(struct kfd *k)
{
    for (u32 i = 1; i <= k->memory.count; i++) {
        struct kfd_memory *m = vgpu_table_take(&k->memory, i);
        if (!m)
            continue;
        unmap_one(k, m);
        vgpu_bo_put(k->v, m->bo);
        free(m);
    }
    free(k->memory.at);
    vgpu_bo_put(k->v, k->doorbells);
    vgpu_bo_put(k->v, k->remap);
    vgpu_bo_put(k->v, k->event_page);
    if (k->vm)
        k->vm->is_held = false;
}

u8 *kfd_at(struct kfd *k, u64 va, u64 bytes, bool write)
{
    const struct vgpu_job job = { .file = k->vm };
    return k->vm ? vgpu_vm_at(k->v, &job, va, bytes, write) : NULL;
}
