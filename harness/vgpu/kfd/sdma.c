/* The queues of the copy engines: indices are bytes. */
#include "harness/vgpu/kfd/internal.h"

#include <inttypes.h>

/* A packet that is wrong: outside memory it is a fault, else the engine hangs. */
static void stop(struct kfd *k, const struct kfd_queue *q)
{
    struct vgpu *v = k->v;
    u64 va = v->refused_va;
    vgpu_error(v, "queue %u hung at byte %" PRIu64, q->id, q->next);
    if (va) {
        kfd_tell_fault(k, va);
    } else {
        v->stats.hangs++;
        v->resets++;
        kfd_tell_reset(k);
    }
}

bool kfd_run_sdma(struct kfd *k, struct kfd_queue *q)
{
    struct vgpu_job job = kfd_job(k);
    bool any = false;
    job.ip = AMDGPU_HW_IP_DMA;
    for (u64 end; (end = kfd_doorbell(k, q)) > q->next && q->state == KFD_RUNS;) {
        u64 at = q->next % q->bytes, left = q->bytes - at;
        if (left > end - q->next)
            left = end - q->next;
        k->v->refused_va = 0;
        const u8 *p = kfd_at(k, q->ring + at, left, false);
        u8 *index = kfd_at(k, q->read_at, sizeof(u64), true);
        u32 n = p && index && left % 4 == 0
                    ? vgpu_sdma_packet(k->v, &job, (const u32 *)(const void *)p, (u32)left / 4)
                    : 0;
        if (n == SDMA_WAITS)
            break;
        if (n == 0) {
            stop(k, q);
            break;
        }
        q->next += n * 4ull;
        __atomic_store_n((u64 *)(void *)index, q->next, __ATOMIC_RELEASE);
        any = true;
    }
    return any;
}
