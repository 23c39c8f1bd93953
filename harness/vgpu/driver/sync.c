/* Synchronisation objects that hold one fence; timelines are refused by name. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

static bool signal_now(struct vgpu_syncobj *s)
{
    struct vgpu_fence *f = calloc(1, sizeof *f);
    if (!f)
        return false;
    *f = (struct vgpu_fence){ .refs = 1, .is_done = true };
    vgpu_fence_put(s->fence);
    s->fence = f;
    return true;
}

int vgpu_syncobj_create(struct vgpu_call *c)
{
    struct drm_syncobj_create *a = c->arg;
    if (a->flags & ~(u32)DRM_SYNCOBJ_CREATE_SIGNALED)
        return -EINVAL;
    struct vgpu_syncobj *s = calloc(1, sizeof *s);
    bool is_ok = s && (!(a->flags & DRM_SYNCOBJ_CREATE_SIGNALED) || signal_now(s));
    a->handle = is_ok ? vgpu_table_add(&c->f->syncobjs, s) : 0;
    if (a->handle == 0)
        vgpu_syncobj_free(s);
    return a->handle ? 0 : -ENOMEM;
}

int vgpu_syncobj_destroy(struct vgpu_call *c)
{
    const struct drm_syncobj_destroy *a = c->arg;
    struct vgpu_syncobj *s = vgpu_table_take(&c->f->syncobjs, a->handle);
    vgpu_syncobj_free(s);
    return s ? 0 : -EINVAL;
}

int vgpu_syncobj_wait(struct vgpu_call *c)
{
    struct drm_syncobj_wait *a = c->arg;
    u32 known = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    bool is_all = a->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
    u32 done = 0;
    int r;
    if (a->flags & ~known)
        return -EINVAL;
    u32 *handles = vgpu_fetch(c, a->handles, a->count_handles, sizeof *handles, &r);
    if (!handles)
        return r;
    if (a->timeout_nsec > 0)
        vgpu_wait_until(c->v, (u64)a->timeout_nsec);
    a->first_signaled = ~0u;
    for (u32 i = 0; r == 0 && i < a->count_handles; i++) {
        const struct vgpu_syncobj *s = vgpu_table_get(&c->f->syncobjs, handles[i]);
        if (!s)
            r = -ENOENT;
        else if (s->fence && s->fence->is_done && ++done && a->first_signaled == ~0u)
            a->first_signaled = i;
        else if (!s->fence && !(a->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
            r = -EINVAL;
    }
    /* Nothing that is still to come could signal the rest while the client waits here. */
    if (r == 0 && (is_all ? done < a->count_handles : done == 0))
        r = -ETIME;
    free(handles);
    return r;
}

/* Resets or signals each of them. */
static int change_all(struct vgpu_call *c, bool signal)
{
    const struct drm_syncobj_array *a = c->arg;
    int r;
    u32 *handles = vgpu_fetch(c, a->handles, a->count_handles, sizeof *handles, &r);
    if (!handles)
        return r;
    for (u32 i = 0; r == 0 && i < a->count_handles; i++)
        if (!vgpu_table_get(&c->f->syncobjs, handles[i]))
            r = -ENOENT;
    for (u32 i = 0; r == 0 && i < a->count_handles; i++) {
        struct vgpu_syncobj *s = vgpu_table_get(&c->f->syncobjs, handles[i]);
        vgpu_fence_put(s->fence);
        s->fence = NULL;
        if (signal && !signal_now(s))
            r = -ENOMEM;
    }
    free(handles);
    return r;
}

int vgpu_syncobj_reset(struct vgpu_call *c)
{
    return change_all(c, false);
}

int vgpu_syncobj_signal(struct vgpu_call *c)
{
    return change_all(c, true);
}
