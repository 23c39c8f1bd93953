/* User-mode queues: made and ended by ioctls, read when their doorbells are rung. */
#include "harness/vgpu/kfd/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static int check_new(struct kfd_call *c, const struct kfd_arg_create_queue *a)
{
    struct kfd *k = c->k;
    if (a->gpu != vgpu_gpu_id(k->v->cfg.chip) || !k->vm)
        return -EINVAL;
    if (a->type > KFD_QUEUE_SDMA_LINK || a->type == KFD_QUEUE_PM4)
        return -EOPNOTSUPP;
    if (a->percentage > KFD_PERCENTAGE_MOST || a->priority > KFD_PRIORITY_MOST ||
        a->ring_size < KFD_RING_LEAST || a->ring_size & (a->ring_size - 1))
        return -EINVAL;
    if (!kfd_at(k, a->ring, a->ring_size, false) ||
        !kfd_at(k, a->read_pointer, sizeof(u64), true) ||
        !kfd_at(k, a->write_pointer, sizeof(u64), false))
        return -EFAULT;
    return 0;
}

/* The queue's own record holds both indices at fixed places. */
static int find_record(struct kfd *k, const struct kfd_arg_create_queue *a, struct kfd_queue *q)
{
    q->record = a->read_pointer - AQL_QUEUE_READ_INDEX;
    if (a->write_pointer != q->record + AQL_QUEUE_WRITE_INDEX ||
        !kfd_at(k, q->record, AQL_QUEUE_RECORD, true)) {
        vgpu_error(k->v, "CREATE_QUEUE: the indices do not lie in a queue's record");
        return -EFAULT;
    }
    return 0;
}

int kfd_create_queue(struct kfd_call *c)
{
    struct kfd_arg_create_queue *a = c->arg;
    struct kfd *k = c->k;
    u32 id = 0;
    int r = check_new(c, a);
    while (id < KFD_QUEUES_MAX && (k->queue[id].is_there || k->running == &k->queue[id]))
        id++;
    if (r == 0 && id == KFD_QUEUES_MAX)
        r = -ENOSPC;
    if (r == 0 && !kfd_doorbells(k))
        r = -ENOMEM;
    struct kfd_queue q = { .is_there = true,
                           .id = id,
                           .type = a->type,
                           .ring = a->ring,
                           .bytes = a->ring_size,
                           .read_at = a->read_pointer,
                           .write_at = a->write_pointer,
                           .percentage = a->percentage };
    if (r == 0 && a->type == KFD_QUEUE_AQL)
        r = find_record(k, a, &q);
    if (r < 0)
        return r;
    /* A doorbell of AQL holds an index, the first of which is 0: it begins with what is none. */
    *kfd_doorbell_at(k, id) = a->type == KFD_QUEUE_AQL ? ~0ull : 0;
    k->queue[id] = q;
    k->queues++;
    a->id = id;
    a->doorbell = k->doorbells->offset + id * sizeof(u64);
    vgpu_log(k->v, "queue %u: %s, %u bytes at 0x%" PRIx64, id,
             q.type == KFD_QUEUE_AQL ? "AQL" : "SDMA", a->ring_size, q.ring);
    if (k->v->cfg.wake)
        k->v->cfg.wake(k->v->cfg.wait_ctx);
    return 0;
}

static struct kfd_queue *find(struct kfd *k, u32 id)
{
    return id < KFD_QUEUES_MAX && k->queue[id].is_there ? &k->queue[id] : NULL;
}

int kfd_destroy_queue(struct kfd_call *c)
{
    const struct kfd_arg_id *a = c->arg;
    struct kfd_queue *q = find(c->k, a->id);
    if (!q)
        return -EINVAL;
    *q = (struct kfd_queue){ .is_there = false };
    c->k->queues--;
    return 0;
}

int kfd_update_queue(struct kfd_call *c)
{
    const struct kfd_arg_update_queue *a = c->arg;
    struct kfd_queue *q = find(c->k, a->id);
    if (!q || a->percentage > KFD_PERCENTAGE_MOST || a->priority > KFD_PRIORITY_MOST ||
        (a->ring && a->ring_size & (a->ring_size - 1)))
        return q ? -EINVAL : -EFAULT;
    if (a->ring && !kfd_at(c->k, a->ring, a->ring_size, false))
        return -EFAULT;
    q->ring = a->ring;
    q->bytes = a->ring_size;
    q->percentage = q->ring ? a->percentage : 0;
    return 0;
}

/* All compute units are alike; a mask without any would stop the queue. */
int kfd_set_cu_mask(struct kfd_call *c)
{
    const struct kfd_arg_cu_mask *a = c->arg;
    struct vgpu_call call = { .v = c->k->v, .client = c->client };
    int r;
    if (a->bits == 0 || a->bits % 32)
        return -EINVAL;
    u32 *mask = vgpu_fetch(&call, a->mask, a->bits / 32, sizeof *mask, &r);
    free(mask);
    return r < 0 ? r : find(c->k, a->id) ? 0 : -EFAULT;
}
