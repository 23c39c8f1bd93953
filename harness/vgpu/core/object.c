/* The objects that several others hold: fences, contexts, synchronisation objects, lists of buffers. */
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

void vgpu_ctx_put(struct vgpu_ctx *ctx)
{
    if (!ctx || --ctx->refs)
        return;
    struct vgpu_fence **f = &ctx->fence[0][0][0];
    for (u32 i = 0; i < IPS * RINGS_MAX * FENCES_KEPT; i++)
        vgpu_fence_put(f[i]);
    free(ctx);
}

u32 vgpu_rings(const struct vgpu *v, u32 ip)
{
    const struct vgpu_chip *chip = v->cfg.chip;
    return ip == AMDGPU_HW_IP_GFX       ? chip->gfx_rings
           : ip == AMDGPU_HW_IP_COMPUTE ? chip->compute_rings
           : ip == AMDGPU_HW_IP_DMA     ? chip->sdma_rings
                                        : 0;
}

void vgpu_syncobj_free(struct vgpu_syncobj *s)
{
    if (!s)
        return;
    vgpu_fence_put(s->fence);
    free(s);
}

void vgpu_list_free(struct vgpu *v, struct vgpu_list *list)
{
    for (u32 i = 0; i < list->count; i++)
        vgpu_bo_put(v, list->bo[i]);
    free(list->bo);
    *list = (struct vgpu_list){ 0 };
}

bool vgpu_list_has(const struct vgpu_list *list, const struct vgpu_bo *bo)
{
    if (bo->flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID)
        return true;
    for (u32 i = 0; i < list->count; i++)
        if (list->bo[i] == bo)
            return true;
    return false;
}
