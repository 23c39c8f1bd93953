/* Contexts, and the fences of what was submitted in them. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

static int alloc(struct vgpu_call *c, union drm_amdgpu_ctx *a)
{
    struct vgpu *v = c->v;
    if (a->in.priority > AMDGPU_CTX_PRIORITY_VERY_HIGH)
        return -EINVAL;
    struct vgpu_ctx *ctx = calloc(1, sizeof *ctx);
    u32 id = ctx ? vgpu_table_add(&c->f->ctxs, ctx) : 0;
    if (id == 0) {
        free(ctx);
        return -ENOMEM;
    }
    ctx->refs = 1;
    ctx->id = id;
    ctx->resets_seen = ctx->resets_at_start = v->resets;
    memset(a, 0, sizeof *a);
    a->out.alloc.ctx_id = id;
    return 0;
}

/* Since the last time it was asked. The kernel does not say here whose fault it was. */
static void query(const struct vgpu *v, struct vgpu_ctx *ctx, union drm_amdgpu_ctx *a)
{
    memset(a, 0, sizeof *a);
    if (ctx->resets_seen != v->resets)
        a->out.state.reset_status = AMDGPU_CTX_UNKNOWN_RESET;
    ctx->resets_seen = v->resets;
}

static void query2(const struct vgpu *v, const struct vgpu_ctx *ctx, union drm_amdgpu_ctx *a)
{
    memset(a, 0, sizeof *a);
    if (ctx->resets_at_start != v->resets)
        a->out.state.flags |= AMDGPU_CTX_QUERY2_FLAGS_RESET;
    if (ctx->is_guilty)
        a->out.state.flags |= AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
}

static int set_pstate(struct vgpu_ctx *ctx, const union drm_amdgpu_ctx *a)
{
    if (a->in.flags > AMDGPU_CTX_STABLE_PSTATE_PEAK)
        return -EINVAL;
    ctx->pstate = a->in.flags;
    return 0;
}

static int get_pstate(const struct vgpu_ctx *ctx, union drm_amdgpu_ctx *a)
{
    if (a->in.flags)
        return -EINVAL;
    memset(a, 0, sizeof *a);
    a->out.pstate.flags = ctx->pstate;
    return 0;
}

/* A virtual machine's id of a file's own, for debuggers: each address space has one anyway. */
int vgpu_vm_ioctl(struct vgpu_call *c)
{
    union drm_amdgpu_vm *a = c->arg;
    if (a->in.op == AMDGPU_VM_OP_RESERVE_VMID)
        c->f->has_vmid = true;
    else if (a->in.op == AMDGPU_VM_OP_UNRESERVE_VMID)
        c->f->has_vmid = false;
    else
        return -EINVAL;
    return 0;
}

int vgpu_ctx_ioctl(struct vgpu_call *c)
{
    union drm_amdgpu_ctx *a = c->arg;
    if (a->in.op == AMDGPU_CTX_OP_ALLOC_CTX)
        return alloc(c, a);
    struct vgpu_ctx *ctx = vgpu_table_get(&c->f->ctxs, a->in.ctx_id);
    if (!ctx)
        return -EINVAL;
    switch (a->in.op) {
    case AMDGPU_CTX_OP_FREE_CTX: vgpu_ctx_put(vgpu_table_take(&c->f->ctxs, a->in.ctx_id)); return 0;
    case AMDGPU_CTX_OP_QUERY_STATE: query(c->v, ctx, a); return 0;
    case AMDGPU_CTX_OP_QUERY_STATE2: query2(c->v, ctx, a); return 0;
    case AMDGPU_CTX_OP_SET_STABLE_PSTATE: return set_pstate(ctx, a);
    case AMDGPU_CTX_OP_GET_STABLE_PSTATE: return get_pstate(ctx, a);
    default: vgpu_error(c->v, "CTX: operation %u is not implemented", a->in.op); return -EINVAL;
    }
}

/* The fence of a submission: 0 and *out, NULL if it is so old that it must be done. */
static int find_fence(struct vgpu_call *c, u32 ctx_id, u32 ip, u32 instance, u32 ring, u64 seq,
                      struct vgpu_fence **out)
{
    struct vgpu_ctx *ctx = vgpu_table_get(&c->f->ctxs, ctx_id);
    *out = NULL;
    if (!ctx || instance || ip >= IPS || ring >= vgpu_rings(c->v, ip))
        return -EINVAL;
    u64 last = ctx->submitted[ip][ring];
    if (seq == ~0ull)
        seq = last;
    if (seq > last)
        return -EINVAL;
    if (seq && seq + FENCES_KEPT > last)
        *out = ctx->fence[ip][ring][seq % FENCES_KEPT];
    return 0;
}

int vgpu_wait_cs(struct vgpu_call *c)
{
    union drm_amdgpu_wait_cs *a = c->arg;
    struct vgpu_fence *f;
    int r =
        find_fence(c, a->in.ctx_id, a->in.ip_type, a->in.ip_instance, a->in.ring, a->in.handle, &f);
    if (r < 0)
        return r;
    vgpu_fence_get(f);
    r = vgpu_wait_until(c->v, a->in.timeout);
    bool is_busy = f && !f->is_done;
    if (!is_busy)
        r = f ? f->error : 0;
    vgpu_fence_put(f);
    if (r < 0)
        return r;
    memset(a, 0, sizeof *a);
    a->out.status = is_busy;
    return 0;
}

int vgpu_wait_fences(struct vgpu_call *c)
{
    union drm_amdgpu_wait_fences *a = c->arg;
    int r;
    struct drm_amdgpu_fence *list =
        vgpu_fetch(c, a->in.fences, a->in.fence_count, sizeof *list, &r);
    if (!list)
        return r;
    u32 done = 0, first = ~0u, count = a->in.fence_count;
    bool is_all = a->in.wait_all, is_blocked = false;
    for (u32 i = 0; r == 0 && i < count; i++) {
        struct vgpu_fence *f;
        r = find_fence(c, list[i].ctx_id, list[i].ip_type, list[i].ip_instance, list[i].ring,
                       list[i].seq_no, &f);
        vgpu_fence_get(f);
        if (r == 0)
            r = vgpu_wait_until(c->v, a->in.timeout_ns);
        is_blocked |= r == VGPU_BLOCKED;
        r = r == VGPU_BLOCKED ? 0 : r;
        if (f && f->is_done)
            r = f->error;
        if (r == 0 && (!f || f->is_done)) {
            done++;
            first = i < first ? i : first;
        }
        vgpu_fence_put(f);
    }
    free(list);
    if (r < 0)
        return r;
    bool is_met = is_all ? done == count : done > 0;
    if (!is_met && is_blocked)
        return VGPU_BLOCKED;
    memset(a, 0, sizeof *a);
    a->out.status = is_met;
    a->out.first_signaled = first;
    return 0;
}

/* As a syncobj of the file, or a descriptor; takes the fence. */
static int give_fence(struct vgpu_call *c, struct vgpu_fence *f, u32 what)
{
    if (what == AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD)
        return vgpu_object_give(c, (struct vgpu_object){ .fence = f }, 0, true);
    struct vgpu_syncobj *s = calloc(1, sizeof *s);
    if (s)
        *s = (struct vgpu_syncobj){ .refs = 1, .fence = f };
    else
        vgpu_fence_put(f);
    if (s && what == AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD)
        return vgpu_object_give(c, (struct vgpu_object){ .syncobj = s }, 0, true);
    u32 handle = s ? vgpu_table_add(&c->f->syncobjs, s) : 0;
    if (handle == 0)
        vgpu_syncobj_put(s);
    return handle ? (int)handle : -ENOMEM;
}

int vgpu_fence_to_handle(struct vgpu_call *c)
{
    union drm_amdgpu_fence_to_handle *a = c->arg;
    const struct drm_amdgpu_fence *in = &a->in.fence;
    struct vgpu_fence *f;
    u32 what = a->in.what;
    if (what > AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD)
        return -EINVAL;
    int r = find_fence(c, in->ctx_id, in->ip_type, in->ip_instance, in->ring, in->seq_no, &f);
    if (r < 0)
        return r;
    f = f ? vgpu_fence_get(f) : vgpu_fence_new_done();
    if (!f)
        return -ENOMEM;
    r = give_fence(c, f, what);
    if (r < 0)
        return r;
    memset(a, 0, sizeof *a);
    a->out.handle = (u32)r;
    return 0;
}
