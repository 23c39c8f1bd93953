/* The objects that several others hold: contexts, lists of buffers, what descriptors stand
 * for. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

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

/* ---- what descriptors stand for ---- */

static void let_go(struct vgpu *v, struct vgpu_object *ob)
{
    vgpu_bo_put(v, ob->bo);
    vgpu_syncobj_put(ob->syncobj);
    vgpu_fence_put(ob->fence);
}

int vgpu_object_give(struct vgpu_call *c, struct vgpu_object ob, u64 bytes, bool cloexec)
{
    struct vgpu_object *kept = malloc(sizeof *kept);
    u32 id = kept ? vgpu_table_add(&c->v->objects, kept) : 0;
    int fd = id ? c->client->give(c->client->ctx, id, bytes, cloexec) : -ENOMEM;
    if (fd >= 0) {
        *kept = ob;
        return fd;
    }
    vgpu_table_take(&c->v->objects, id);
    free(kept);
    let_go(c->v, &ob);
    return fd;
}

struct vgpu_object *vgpu_object_take(struct vgpu_call *c, int fd)
{
    return vgpu_table_get(&c->v->objects, c->client->take(c->client->ctx, fd));
}

void vgpu_object_close(struct vgpu *v, u32 object)
{
    struct vgpu_object *ob = vgpu_table_take(&v->objects, object);
    if (ob)
        let_go(v, ob);
    free(ob);
}
