/* Submissions: from chunks of the client to a job of the queue. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

/* Adds references to `count` buffers. */
static int list_add(struct vgpu_list *list, struct vgpu_bo *const *bo, u32 count)
{
    struct vgpu_bo **all = realloc(list->bo, (list->count + count + 1) * sizeof(struct vgpu_bo *));
    if (!all)
        return -ENOMEM;
    list->bo = all;
    for (u32 i = 0; i < count; i++) {
        bo[i]->refs++;
        all[list->count++] = bo[i];
    }
    return 0;
}

/* The buffers that a client's array names are added. */
static int list_read(struct vgpu_call *c, const struct drm_amdgpu_bo_list_in *in,
                     struct vgpu_list *list)
{
    int r;
    if (in->bo_info_size != sizeof(struct drm_amdgpu_bo_list_entry))
        return -EINVAL;
    struct drm_amdgpu_bo_list_entry *entry =
        vgpu_fetch(c, in->bo_info_ptr, in->bo_number, sizeof *entry, &r);
    for (u32 i = 0; r == 0 && i < in->bo_number; i++) {
        struct vgpu_bo *bo = vgpu_table_get(&c->f->bos, entry[i].bo_handle);
        r = bo ? list_add(list, &bo, 1) : -ENOENT;
    }
    free(entry);
    return r;
}

int vgpu_bo_list(struct vgpu_call *c)
{
    union drm_amdgpu_bo_list *a = c->arg;
    struct vgpu_list *old = vgpu_table_get(&c->f->lists, a->in.list_handle), list = { 0 };
    u32 op = a->in.operation, handle = a->in.list_handle;
    int r = 0;
    if (op > AMDGPU_BO_LIST_OP_UPDATE || (op != AMDGPU_BO_LIST_OP_CREATE && !old))
        return op > AMDGPU_BO_LIST_OP_UPDATE ? -EINVAL : -ENOENT;
    if (op != AMDGPU_BO_LIST_OP_DESTROY)
        r = list_read(c, &a->in, &list);
    if (r == 0 && op == AMDGPU_BO_LIST_OP_CREATE) {
        old = calloc(1, sizeof *old);
        handle = old ? vgpu_table_add(&c->f->lists, old) : 0;
        r = handle ? 0 : -ENOMEM;
    }
    if (r < 0) {
        vgpu_list_free(c->v, &list);
        return r;
    }
    vgpu_list_free(c->v, old);
    *old = list;
    if (op == AMDGPU_BO_LIST_OP_DESTROY) {
        vgpu_table_take(&c->f->lists, handle);
        free(old);
    }
    memset(a, 0, sizeof *a);
    a->out.list_handle = handle;
    return 0;
}

enum { SIGNALS_MAX = 64 };

/* A submission under construction. */
struct build {
    struct vgpu_call *c;
    struct vgpu_job *job;
    struct {
        struct vgpu_syncobj *s;
        u64 point;
    } out[SIGNALS_MAX];
    u32 out_count;
};

static int add_ib(struct build *b, const struct drm_amdgpu_cs_chunk_ib *ib)
{
    struct vgpu_job *job = b->job;
    u32 known = AMDGPU_IB_FLAG_PREAMBLE | AMDGPU_IB_FLAG_PREEMPT | AMDGPU_IB_FLAG_EMIT_MEM_SYNC |
                AMDGPU_IB_FLAG_TC_WB_NOT_INVALIDATE | AMDGPU_IB_FLAG_RESET_GDS_MAX_WAVE_ID;
    if (ib->ip_type == AMDGPU_HW_IP_GFX)
        known |= AMDGPU_IB_FLAG_CE;
    if (ib->ip_type >= IPS || ib->ip_instance || ib->ring >= vgpu_rings(b->c->v, ib->ip_type)) {
        vgpu_error(b->c->v, "CS: the chip has no ring %u of IP %u instance %u", ib->ring,
                   ib->ip_type, ib->ip_instance);
        return -EINVAL;
    }
    if (job->ib_count && (job->ip != ib->ip_type || job->ring != ib->ring))
        return -EINVAL;
    if (ib->flags & ~known || job->ib_count == JOB_IBS_MAX) {
        vgpu_error(b->c->v, "CS: IB flags 0x%x, or more than %d IBs", ib->flags, JOB_IBS_MAX);
        return -EINVAL;
    }
    job->ip = ib->ip_type;
    job->ring = ib->ring;
    job->ib[job->ib_count].va = ib->va_start;
    job->ib[job->ib_count].flags = ib->flags;
    job->ib[job->ib_count++].bytes = ib->ib_bytes;
    return 0;
}

static int set_fence(struct build *b, const struct drm_amdgpu_cs_chunk_fence *fence)
{
    struct vgpu_bo *bo = vgpu_table_get(&b->c->f->bos, fence->handle);
    if (!bo)
        return -ENOENT;
    if (b->job->user_fence || fence->offset > bo->size - sizeof(u64) || bo->size != PAGE_BYTES)
        return -EINVAL;
    bo->refs++;
    b->job->user_fence = bo;
    b->job->user_offset = fence->offset;
    return 0;
}

/* The queue is executed in order, so that what a submission depends on is done before it. */
static int check_dependency(struct build *b, const struct drm_amdgpu_cs_chunk_dep *dep)
{
    const struct vgpu_ctx *ctx = vgpu_table_get(&b->c->f->ctxs, dep->ctx_id);
    if (!ctx || dep->ip_type >= IPS || dep->ip_instance ||
        dep->ring >= vgpu_rings(b->c->v, dep->ip_type))
        return -EINVAL;
    return dep->handle > ctx->submitted[dep->ip_type][dep->ring] ? -EINVAL : 0;
}

/* Of binary ones, the point is 0. What has been submitted is executed before, as the queue is in
 * order. */
static int wait_syncobj(struct build *b, u32 handle, u64 point, u32 flags)
{
    const struct vgpu_syncobj *s = vgpu_table_get(&b->c->f->syncobjs, handle);
    if (!s)
        return -EINVAL;
    return vgpu_syncobj_has(s, point) ? 0 : vgpu_wait_for_submit(b->c, flags);
}

static int signal_syncobj(struct build *b, u32 handle, u64 point)
{
    struct vgpu_syncobj *s = vgpu_table_get(&b->c->f->syncobjs, handle);
    if (!s || b->out_count == SIGNALS_MAX)
        return -EINVAL;
    b->out[b->out_count].s = s;
    b->out[b->out_count++].point = point;
    return 0;
}

static int add_syncobj(struct build *b, u32 id, const void *one)
{
    const struct drm_amdgpu_cs_chunk_sem *sem = one;
    const struct drm_amdgpu_cs_chunk_syncobj *at = one; /* of a timeline */
    switch (id) {
    case AMDGPU_CHUNK_ID_SYNCOBJ_IN: return wait_syncobj(b, sem->handle, 0, 0);
    case AMDGPU_CHUNK_ID_SYNCOBJ_OUT: return signal_syncobj(b, sem->handle, 0);
    case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
        return wait_syncobj(b, at->handle, at->point, at->flags);
    default: return signal_syncobj(b, at->handle, at->point);
    }
}

/* Bytes of one element of a chunk; 0: there is no such chunk here. */
static u32 chunk_size(u32 id)
{
    switch (id) {
    case AMDGPU_CHUNK_ID_IB: return sizeof(struct drm_amdgpu_cs_chunk_ib);
    case AMDGPU_CHUNK_ID_FENCE: return sizeof(struct drm_amdgpu_cs_chunk_fence);
    case AMDGPU_CHUNK_ID_BO_HANDLES: return sizeof(struct drm_amdgpu_bo_list_in);
    case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
    case AMDGPU_CHUNK_ID_SYNCOBJ_OUT: return sizeof(struct drm_amdgpu_cs_chunk_sem);
    case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
    case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL: return sizeof(struct drm_amdgpu_cs_chunk_syncobj);
    case AMDGPU_CHUNK_ID_DEPENDENCIES:
    case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES: return sizeof(struct drm_amdgpu_cs_chunk_dep);
    default: return 0;
    }
}

static int add_chunk(struct build *b, u32 id, const void *data, u32 bytes)
{
    u32 size = chunk_size(id);
    const u8 *at = data;
    int r = 0;
    if (size == 0) {
        vgpu_error(b->c->v, "CS: chunks of kind %u are not implemented", id);
        return -EINVAL;
    }
    for (; r == 0 && bytes >= size; bytes -= size, at += size) {
        _Alignas(8) u8 one[64];
        memcpy(one, at, size);
        switch (id) {
        case AMDGPU_CHUNK_ID_IB: r = add_ib(b, (const void *)one); break;
        case AMDGPU_CHUNK_ID_FENCE: r = set_fence(b, (const void *)one); break;
        case AMDGPU_CHUNK_ID_BO_HANDLES:
            r = list_read(b->c, (const void *)one, &b->job->list);
            break;
        case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
        case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
        case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
        case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL: r = add_syncobj(b, id, one); break;
        default: r = check_dependency(b, (const void *)one); break;
        }
    }
    return r < 0 ? r : bytes ? -EINVAL : 0;
}

static int read_chunks(struct build *b, const struct drm_amdgpu_cs_in *in)
{
    int r;
    u64 *at = vgpu_fetch(b->c, in->chunks, in->num_chunks, sizeof *at, &r);
    for (u32 i = 0; r == 0 && i < in->num_chunks; i++) {
        struct drm_amdgpu_cs_chunk *head = vgpu_fetch(b->c, at[i], 1, sizeof *head, &r);
        u32 *data = head ? vgpu_fetch(b->c, head->chunk_data, head->length_dw, 4, &r) : NULL;
        if (data)
            r = add_chunk(b, head->chunk_id, data, head->length_dw * 4);
        free(data);
        free(head);
    }
    free(at);
    return r;
}

static int enqueue(struct build *b, union drm_amdgpu_cs *a)
{
    struct vgpu_job *job = b->job;
    struct vgpu *v = b->c->v;
    struct vgpu_ctx *ctx = job->ctx;
    job->fence = calloc(1, sizeof *job->fence);
    if (!job->fence)
        return -ENOMEM;
    job->seq = ++ctx->submitted[job->ip][job->ring];
    struct vgpu_fence **kept = &ctx->fence[job->ip][job->ring][job->seq % FENCES_KEPT];
    vgpu_fence_put(*kept);
    job->fence->refs = 2;
    *kept = job->fence;
    for (u32 i = 0; i < b->out_count; i++)
        if (b->out[i].point == 0)
            vgpu_syncobj_set(b->out[i].s, job->fence);
        else if (!vgpu_syncobj_add(b->out[i].s, b->out[i].point, job->fence))
            vgpu_error(v, "no memory for a point of a timeline");
    ctx->refs++;
    *v->last = job;
    v->last = &job->next;
    job->number = ++v->stats.submissions;
    if (v->cfg.faults.slow_ms)
        job->due_ns = vgpu_now_ns() + v->cfg.faults.slow_ms * 1000000ull;
    v->is_lost |= job->number == v->cfg.faults.lose;
    memset(a, 0, sizeof *a);
    a->out.handle = job->seq;
    return 0;
}

int vgpu_cs(struct vgpu_call *c)
{
    union drm_amdgpu_cs *a = c->arg;
    struct drm_amdgpu_cs_in in = a->in;
    struct vgpu_ctx *ctx = vgpu_table_get(&c->f->ctxs, in.ctx_id);
    const struct vgpu_list *list = vgpu_table_get(&c->f->lists, in.bo_list_handle);
    if (!ctx || (in.bo_list_handle && !list))
        return ctx ? -ENOENT : -EINVAL;
    if (ctx->is_guilty)
        return -ECANCELED;
    struct build b = { .c = c, .job = calloc(1, sizeof *b.job) };
    if (!b.job)
        return -ENOMEM;
    b.job->file = c->f;
    b.job->ctx = ctx;
    int r = read_chunks(&b, &in);
    if (r == 0 && list)
        r = list_add(&b.job->list, list->bo, list->count);
    if (r == 0 && b.job->ib_count == 0)
        r = -EINVAL;
    if (r == 0)
        r = enqueue(&b, a);
    if (r < 0) {
        vgpu_bo_put(c->v, b.job->user_fence);
        vgpu_list_free(c->v, &b.job->list);
        free(b.job->fence);
        free(b.job);
    }
    return r;
}
