/* Where buffers lie in the heap. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

u64 *vgpu_bo_used(struct vgpu *v, const struct vgpu_bo *bo)
{
    return bo->domains & AMDGPU_GEM_DOMAIN_VRAM ? &v->vram_used : &v->gtt_used;
}

/* The first gap that is large enough, and where the buffer stands in v->bos. */
static bool place(const struct vgpu *v, struct vgpu_bo *bo, u32 *index)
{
    u64 at = 0, align = bo->alignment > PAGE_BYTES ? bo->alignment : PAGE_BYTES;
    for (u32 i = 0;; i++) {
        u64 end = i < v->bo_count ? v->bos[i]->offset : v->cfg.heap_size;
        at = (at + align - 1) / align * align;
        if (at <= end && bo->size <= end - at) {
            bo->offset = at;
            *index = i;
            return true;
        }
        if (i == v->bo_count)
            return false;
        at = end + v->bos[i]->size;
    }
}

int vgpu_bo_add(struct vgpu *v, struct vgpu_bo *bo)
{
    u32 index;
    if (v->bo_count == v->bo_cap) {
        u32 cap = v->bo_cap ? 2 * v->bo_cap : 64;
        struct vgpu_bo **bos = realloc(v->bos, cap * sizeof *bos);
        if (!bos)
            return -ENOMEM;
        v->bos = bos;
        v->bo_cap = cap;
    }
    if (!place(v, bo, &index))
        return -ENOMEM;
    memmove(&v->bos[index + 1], &v->bos[index], (v->bo_count - index) * sizeof *v->bos);
    v->bos[index] = bo;
    v->bo_count++;
    *vgpu_bo_used(v, bo) += bo->size;
    return 0;
}

void vgpu_bo_put(struct vgpu *v, struct vgpu_bo *bo)
{
    if (!bo || --bo->refs)
        return;
    if (bo->shared) {
        free(bo);
        return;
    }
    for (u32 i = 0; i < v->bo_count; i++)
        if (v->bos[i] == bo) {
            memmove(&v->bos[i], &v->bos[i + 1], (v->bo_count - i - 1) * sizeof *v->bos);
            v->bo_count--;
            break;
        }
    *vgpu_bo_used(v, bo) -= bo->size;
    vgpu_table_take(&v->names, bo->name);
    v->cfg.discard(v->cfg.discard_ctx, bo->offset, bo->size);
    free(bo);
}
