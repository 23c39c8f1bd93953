#include "harness/vgpu/core/internal.h"

#include <stdlib.h>

struct vgpu_fence *vgpu_fence_get(struct vgpu_fence *f)
{
    if (f)
        f->refs++;
    return f;
}

void vgpu_fence_put(struct vgpu_fence *f)
{
    if (f && --f->refs == 0)
        free(f);
}

struct vgpu_fence *vgpu_fence_new_done(void)
{
    struct vgpu_fence *f = calloc(1, sizeof *f);
    if (f)
        *f = (struct vgpu_fence){ .refs = 1, .is_done = true };
    return f;
}
