/* When the card looks at its queues, and who waits for what it does. */
#include "harness/vgpu/kfd/internal.h"

#include <errno.h>
#include <stdlib.h>

bool vgpu_kfd_has_queues(const struct vgpu *v)
{
    return v->kfd && v->kfd->queues;
}

bool vgpu_kfd_poll(struct vgpu *v)
{
    struct kfd *k = v->kfd;
    bool any = false;
    if (!k || v->is_busy || v->is_lost)
        return false;
    for (u32 i = 0; i < KFD_QUEUES_MAX && k->queues; i++) {
        struct kfd_queue *q = &k->queue[i];
        if (!q->is_there || q->state == KFD_DEAD || q->percentage == 0)
            continue;
        any |= q->type == KFD_QUEUE_AQL ? kfd_run_aql(k, q) : kfd_run_sdma(k, q);
    }
    return any;
}

/* Whether enough of them are set: a negative errno if one is no event. */
static int look(struct kfd *k, const struct kfd_event_data *data, u32 count, bool is_all)
{
    u32 set = 0;
    for (u32 i = 0; i < count; i++) {
        const struct kfd_event *e = kfd_event_of(k, data[i].id);
        if (!e)
            return -EINVAL;
        set += e->is_set;
    }
    return is_all ? set == count : set > 0;
}

/* Those that are set have been noticed; what they have to say is the client's. */
static void take(struct kfd *k, struct kfd_event_data *data, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        struct kfd_event *e = kfd_event_of(k, data[i].id);
        if (!e->is_set)
            continue;
        if (e->type == KFD_EVENT_MEMORY)
            data[i].memory = e->memory;
        else if (e->type == KFD_EVENT_HARDWARE)
            data[i].reset = e->reset;
        e->is_set = !e->auto_reset;
    }
}

int kfd_wait_events(struct kfd_call *c)
{
    struct kfd_arg_wait *a = c->arg;
    struct vgpu *v = c->k->v;
    struct vgpu_call call = { .v = v, .client = c->client };
    bool is_endless = a->timeout_ms == 0xffffffff;
    u64 end = is_endless ? ~0ull : vgpu_now_ns() + a->timeout_ms * 1000000ull;
    int r;
    struct kfd_event_data *data = vgpu_fetch(&call, a->events, a->count, sizeof *data, &r);
    if (!data)
        return r;
    for (;;) {
        /* Where there are others, the card is one of them: who waits may be whom a kernel waits for. */
        while (!v->cfg.wait && vgpu_kfd_poll(v)) {
        }
        r = look(c->k, data, a->count, a->for_all != 0);
        if (r != 0 || !v->cfg.wait || vgpu_now_ns() >= end)
            break;
        v->cfg.wait(v->cfg.wait_ctx, end);
    }
    a->result = r > 0 ? KFD_WAIT_COMPLETE : KFD_WAIT_TIMEOUT;
    if (r > 0) {
        take(c->k, data, a->count);
        if (!c->client->write(c->client->ctx, a->events, data, a->count * sizeof *data))
            r = -EFAULT;
    }
    free(data);
    return r < 0 ? r : 0;
}
