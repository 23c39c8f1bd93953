/* Synchronisation objects as clients see them: waits, signals, timelines, descriptors. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

static struct vgpu_syncobj *get(struct vgpu_call *c, u32 handle)
{
    return vgpu_table_get(&c->f->syncobjs, handle);
}

static bool signal_now(struct vgpu_syncobj *s, u64 point)
{
    struct vgpu_fence *f = vgpu_fence_new_done();
    bool is_ok = f && (point == 0 || vgpu_syncobj_add(s, point, f));
    if (is_ok && point == 0)
        vgpu_syncobj_set(s, f);
    vgpu_fence_put(f);
    return is_ok;
}

int vgpu_syncobj_create(struct vgpu_call *c)
{
    struct drm_syncobj_create *a = c->arg;
    if (a->flags & ~(u32)DRM_SYNCOBJ_CREATE_SIGNALED)
        return -EINVAL;
    struct vgpu_syncobj *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    s->refs = 1;
    bool is_ok = !(a->flags & DRM_SYNCOBJ_CREATE_SIGNALED) || signal_now(s, 0);
    a->handle = is_ok ? vgpu_table_add(&c->f->syncobjs, s) : 0;
    if (a->handle == 0)
        vgpu_syncobj_put(s);
    return a->handle ? 0 : -ENOMEM;
}

int vgpu_syncobj_destroy(struct vgpu_call *c)
{
    const struct drm_syncobj_destroy *a = c->arg;
    struct vgpu_syncobj *s = vgpu_table_take(&c->f->syncobjs, a->handle);
    vgpu_syncobj_put(s);
    return s ? 0 : -EINVAL;
}

/* ---- waiting ---- */

/* The handles of an array, and a point of each (0 without an array of points). */
struct list {
    u32 *handle;
    u64 *point;
    u32 count;
};

static void list_free(struct list *l)
{
    free(l->handle);
    free(l->point);
}

static int list_fetch(struct vgpu_call *c, u64 handles, u64 points, u32 count, struct list *l)
{
    int r;
    *l = (struct list){ .count = count };
    l->handle = vgpu_fetch(c, handles, count, sizeof *l->handle, &r);
    if (r == 0 && points)
        l->point = vgpu_fetch(c, points, count, sizeof *l->point, &r);
    else if (r == 0 && !(l->point = calloc(count, sizeof *l->point)))
        r = -ENOMEM;
    for (u32 i = 0; r == 0 && i < count; i++)
        r = get(c, l->handle[i]) ? 0 : -ENOENT;
    if (r < 0)
        list_free(l);
    return r;
}

/* What the queue holds is executed first, so that what has then not been done is what nobody has
 * submitted yet, or what a dispatch of a user-mode queue is in the way of. */
static int wait_list(struct vgpu_call *c, const struct list *l, i64 until_ns, u32 flags, u32 *first)
{
    bool is_submitted = flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
    bool may_come = is_submitted || flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    u64 until = until_ns > 0 ? (u64)until_ns : 0;
    u32 done = 0;
    *first = ~0u;
    if (!is_submitted)
        vgpu_wait_until(c->v, until);
    for (u32 i = 0; i < l->count; i++) {
        const struct vgpu_syncobj *s = get(c, l->handle[i]);
        bool has = vgpu_syncobj_has(s, l->point[i]);
        if (!has && !may_come)
            return -EINVAL;
        if (is_submitted ? !has : !vgpu_syncobj_is_done(s, l->point[i]))
            continue;
        done++;
        *first = i < *first ? i : *first;
    }
    if (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL ? done == l->count : done > 0)
        return 0;
    return vgpu_now_ns() < until ? VGPU_BLOCKED : -ETIME;
}

int vgpu_syncobj_wait(struct vgpu_call *c)
{
    struct drm_syncobj_wait *a = c->arg;
    u32 known = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    struct list l;
    if (a->flags & ~known)
        return -EINVAL;
    int r = list_fetch(c, a->handles, 0, a->count_handles, &l);
    if (r < 0)
        return r;
    r = wait_list(c, &l, a->timeout_nsec, a->flags, &a->first_signaled);
    list_free(&l);
    return r;
}

int vgpu_syncobj_timeline_wait(struct vgpu_call *c)
{
    struct drm_syncobj_timeline_wait *a = c->arg;
    u32 known = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
    struct list l;
    if (a->flags & ~known)
        return -EINVAL;
    int r = list_fetch(c, a->handles, a->points, a->count_handles, &l);
    if (r < 0)
        return r;
    r = wait_list(c, &l, a->timeout_nsec, a->flags, &a->first_signaled);
    list_free(&l);
    return r;
}

/* ---- signalling ---- */

/* Resets or signals each of them. */
static int change_all(struct vgpu_call *c, u64 points, bool signal)
{
    const struct drm_syncobj_array *a = c->arg; /* as a timeline's array begins with points */
    const struct drm_syncobj_timeline_array *t = c->arg;
    struct list l;
    int r = points ? list_fetch(c, t->handles, points, t->count_handles, &l)
                   : list_fetch(c, a->handles, 0, a->count_handles, &l);
    if (r < 0)
        return r;
    for (u32 i = 0; r == 0 && i < l.count; i++) {
        struct vgpu_syncobj *s = get(c, l.handle[i]);
        if (!signal)
            vgpu_syncobj_set(s, NULL);
        else if (!signal_now(s, l.point[i]))
            r = -ENOMEM;
    }
    list_free(&l);
    return r;
}

int vgpu_syncobj_reset(struct vgpu_call *c)
{
    return change_all(c, 0, false);
}

int vgpu_syncobj_signal(struct vgpu_call *c)
{
    return change_all(c, 0, true);
}

int vgpu_syncobj_timeline_signal(struct vgpu_call *c)
{
    const struct drm_syncobj_timeline_array *a = c->arg;
    return a->flags || !a->points ? -EINVAL : change_all(c, a->points, true);
}

int vgpu_syncobj_query(struct vgpu_call *c)
{
    const struct drm_syncobj_timeline_array *a = c->arg;
    struct list l;
    if (a->flags & ~(u32)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
        return -EINVAL;
    int r = list_fetch(c, a->handles, 0, a->count_handles, &l);
    if (r < 0)
        return r;
    for (u32 i = 0; i < l.count; i++)
        l.point[i] = vgpu_syncobj_value(get(c, l.handle[i]), a->flags != 0);
    if (!c->client->write(c->client->ctx, a->points, l.point, l.count * sizeof *l.point))
        r = -EFAULT;
    list_free(&l);
    return r;
}

/* The fence of one becomes the fence of another, or of a point of it. */
int vgpu_syncobj_transfer(struct vgpu_call *c)
{
    const struct drm_syncobj_transfer *a = c->arg;
    struct vgpu_syncobj *from = get(c, a->src_handle), *to = get(c, a->dst_handle);
    if (!from || !to)
        return -ENOENT;
    if (a->pad || a->flags & ~(u32)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
        return -EINVAL;
    if (!vgpu_syncobj_has(from, a->src_point))
        return vgpu_wait_for_submit(c, a->flags);
    struct vgpu_fence *f = vgpu_syncobj_fence(from, a->src_point);
    bool is_ok = f && (a->dst_point == 0 || vgpu_syncobj_add(to, a->dst_point, f));
    if (is_ok && a->dst_point == 0)
        vgpu_syncobj_set(to, f);
    vgpu_fence_put(f);
    return is_ok ? 0 : -ENOMEM;
}

int vgpu_wait_for_submit(const struct vgpu_call *c, u32 flags)
{
    const u64 limit_ns = 5000000000; /* the kernel's */
    u64 since = c->client->since_ns;
    if (!(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
        return -EINVAL;
    return since && vgpu_now_ns() - since > limit_ns ? -ETIME : VGPU_BLOCKED;
}

/* ---- descriptors ---- */

int vgpu_syncobj_to_fd(struct vgpu_call *c)
{
    struct drm_syncobj_handle *a = c->arg;
    struct vgpu_syncobj *s = get(c, a->handle);
    bool is_file = a->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
    if (!s || a->pad || a->flags & ~(u32)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE ||
        (is_file && !vgpu_syncobj_has(s, 0)))
        return -EINVAL;
    struct vgpu_object ob = { .syncobj = is_file ? NULL : s,
                              .fence = is_file ? vgpu_syncobj_fence(s, 0) : NULL };
    s->refs += !is_file;
    int fd = vgpu_object_give(c, ob, 0, true);
    a->fd = fd < 0 ? a->fd : fd;
    return fd < 0 ? fd : 0;
}

int vgpu_syncobj_from_fd(struct vgpu_call *c)
{
    struct drm_syncobj_handle *a = c->arg;
    bool is_file = a->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE;
    if (a->pad || a->flags & ~(u32)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
        return -EINVAL;
    const struct vgpu_object *ob = vgpu_object_take(c, a->fd);
    if (is_file) {
        struct vgpu_syncobj *to = get(c, a->handle);
        if (!to)
            return -ENOENT;
        if (!ob || !ob->fence)
            return -EINVAL;
        vgpu_syncobj_set(to, ob->fence);
        return 0;
    }
    if (!ob || !ob->syncobj)
        return -EINVAL;
    a->handle = vgpu_table_add(&c->f->syncobjs, ob->syncobj);
    if (a->handle == 0)
        return -ENOMEM;
    ob->syncobj->refs++;
    return 0;
}
