/* Synchronisation objects: a fence, or a timeline of points that each have one. */
#include "harness/vgpu/core/internal.h"

#include <stdlib.h>

static void empty(struct vgpu_syncobj *s)
{
    vgpu_fence_put(s->fence);
    for (u32 i = 0; i < s->count; i++)
        vgpu_fence_put(s->points[i].fence);
    s->fence = NULL;
    s->count = 0;
    s->passed = 0;
}

void vgpu_syncobj_put(struct vgpu_syncobj *s)
{
    if (!s || --s->refs)
        return;
    empty(s);
    free(s->points);
    free(s);
}

void vgpu_syncobj_set(struct vgpu_syncobj *s, struct vgpu_fence *f)
{
    vgpu_fence_get(f);
    empty(s);
    s->fence = f;
}

/* Points that are done go, but for the last. */
static void settle(struct vgpu_syncobj *s)
{
    u32 gone = 0;
    while (gone + 1 < s->count && s->points[gone].fence->is_done) {
        s->passed = s->points[gone].value;
        vgpu_fence_put(s->points[gone++].fence);
    }
    s->count -= gone;
    memmove(s->points, s->points + gone, s->count * sizeof *s->points);
}

bool vgpu_syncobj_add(struct vgpu_syncobj *s, u64 point, struct vgpu_fence *f)
{
    if (s->count)
        settle(s);
    if (s->count == s->cap) {
        u32 cap = s->cap ? 2 * s->cap : 4;
        struct vgpu_point *points = realloc(s->points, cap * sizeof *points);
        if (!points)
            return false;
        s->points = points;
        s->cap = cap;
    }
    vgpu_fence_get(f);
    if (s->count == 0)
        vgpu_syncobj_set(s, NULL);
    /* Out of order it is as late as the one before. */
    else if (point < s->points[s->count - 1].value)
        point = s->points[s->count - 1].value;
    s->points[s->count++] = (struct vgpu_point){ .value = point, .fence = f };
    return true;
}

/* The point that reaches the value (0: the last); s->count if there is none. */
static u32 find(const struct vgpu_syncobj *s, u64 point)
{
    u32 at = point || !s->count ? 0 : s->count - 1;
    while (at < s->count && s->points[at].value < point)
        at++;
    return at;
}

bool vgpu_syncobj_has(const struct vgpu_syncobj *s, u64 point)
{
    if (s->count == 0)
        return point == 0 && s->fence;
    return find(s, point) < s->count;
}

/* A point is reached when those before it are. */
bool vgpu_syncobj_is_done(const struct vgpu_syncobj *s, u64 point)
{
    if (!vgpu_syncobj_has(s, point))
        return false;
    if (s->count == 0)
        return s->fence->is_done;
    if (point && point <= s->passed)
        return true;
    for (u32 i = 0, last = find(s, point); i <= last; i++)
        if (!s->points[i].fence->is_done)
            return false;
    return true;
}

u64 vgpu_syncobj_value(const struct vgpu_syncobj *s, bool submitted)
{
    u64 value = s->passed;
    for (u32 i = 0; i < s->count && (submitted || s->points[i].fence->is_done); i++)
        value = s->points[i].value;
    return value;
}

struct vgpu_fence *vgpu_syncobj_fence(const struct vgpu_syncobj *s, u64 point)
{
    if (point && point <= s->passed)
        return vgpu_fence_new_done();
    return vgpu_fence_get(s->count ? s->points[find(s, point)].fence : s->fence);
}
