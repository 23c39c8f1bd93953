/* Buffers under names and descriptors, by which other files of the device open them. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <fcntl.h>

int vgpu_gem_flink(struct vgpu_call *c)
{
    struct drm_gem_flink *a = c->arg;
    struct vgpu_bo *bo = vgpu_table_get(&c->f->bos, a->handle);
    if (!c->f->is_primary)
        return -EACCES;
    if (!bo)
        return -ENOENT;
    if (!bo->name)
        bo->name = vgpu_table_add(&c->v->names, bo);
    a->name = bo->name;
    return bo->name ? 0 : -ENOMEM;
}

static int add_handle(struct vgpu_call *c, struct vgpu_bo *bo, u32 *handle)
{
    *handle = vgpu_table_add(&c->f->bos, bo);
    bo->refs += *handle != 0;
    return *handle ? 0 : -ENOMEM;
}

int vgpu_gem_open(struct vgpu_call *c)
{
    struct drm_gem_open *a = c->arg;
    struct vgpu_bo *bo = vgpu_table_get(&c->v->names, a->name);
    if (!c->f->is_primary)
        return -EACCES;
    if (!bo)
        return -ENOENT;
    a->size = bo->size;
    return add_handle(c, bo, &a->handle);
}

int vgpu_prime_to_fd(struct vgpu_call *c)
{
    struct drm_prime_handle *a = c->arg;
    struct vgpu_bo *bo = vgpu_table_get(&c->f->bos, a->handle);
    if (a->flags & ~(u32)(DRM_CLOEXEC | DRM_RDWR))
        return -EINVAL;
    if (!bo)
        return -ENOENT;
    if (bo->user_va || bo->flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID)
        return -EPERM;
    bo->refs++;
    int fd =
        vgpu_object_give(c, (struct vgpu_object){ .bo = bo }, bo->size, a->flags & DRM_CLOEXEC);
    a->fd = fd < 0 ? a->fd : fd;
    return fd < 0 ? fd : 0;
}

/* A file that has the buffer already gets the same handle. */
int vgpu_prime_from_fd(struct vgpu_call *c)
{
    struct drm_prime_handle *a = c->arg;
    const struct vgpu_object *ob = vgpu_object_take(c, a->fd);
    if (!ob || !ob->bo)
        return -EINVAL;
    a->handle = vgpu_table_find(&c->f->bos, ob->bo);
    return a->handle ? 0 : add_handle(c, ob->bo, &a->handle);
}
