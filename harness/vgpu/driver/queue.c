/* The queue of submissions, and what becomes of one that hangs. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

bool vgpu_is_idle(const struct vgpu *v)
{
    return !v->first;
}

static void finish_job(struct vgpu *v, struct vgpu_job *job, int error)
{
    if (error == 0 && job->user_fence)
        memcpy(v->cfg.heap + job->user_fence->offset + job->user_offset, &job->seq,
               sizeof job->seq);
    job->fence->is_done = true;
    job->fence->error = error;
    vgpu_fence_put(job->fence);
    vgpu_bo_put(v, job->user_fence);
    vgpu_list_free(v, &job->list);
    vgpu_ctx_put(job->ctx);
    free(job);
}

/* A ring has timed out: the context is guilty, the device has been reset, and what else the context
 * has submitted is cancelled when its turn comes. */
static void reset(struct vgpu *v, struct vgpu_job *job)
{
    v->stats.hangs++;
    v->resets++;
    v->icache.is_valid = false;
    job->ctx->is_guilty = true;
    vgpu_error(v, "ring timeout: context %u, submission %llu; the device has been reset",
               job->ctx->id, (unsigned long long)job->seq);
}

bool vgpu_is_busy(const struct vgpu *v)
{
    return v->is_busy;
}

/* Executes the next of the queue. */
static void run_first(struct vgpu *v)
{
    struct vgpu_job *job = v->first;
    v->first = job->next;
    if (!v->first)
        v->last = &v->first;
    bool is_cancelled = job->ctx->is_guilty;
    bool is_hang = job->number == v->cfg.faults.hang;
    int r = -ECANCELED;
    vgpu_user_in(v, job);
    vgpu_flip(v, job, false);
    if (!is_cancelled && !is_hang)
        r = vgpu_ring_run(v, job);
    vgpu_flip(v, job, true);
    vgpu_user_out(v, job);
    if (v->is_lost)
        r = -ENODEV;
    else if (r < 0 && !is_cancelled)
        reset(v, job);
    finish_job(v, job, r);
}

void vgpu_run(struct vgpu *v)
{
    while (v->first && !v->is_busy && (!v->first->due_ns || v->first->due_ns <= vgpu_now_ns()))
        run_first(v);
}

void vgpu_finish(struct vgpu *v)
{
    while (v->first && !v->is_busy)
        run_first(v);
}

int vgpu_wait_until(struct vgpu *v, u64 deadline_ns)
{
    if (deadline_ns <= vgpu_now_ns())
        return 0;
    vgpu_run(v);
    return v->first ? VGPU_BLOCKED : 0;
}
