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

/* What a call that waits knows of one of its events. */
struct waiter {
    u64 birth, fired; /* of the event when the call began */
    bool is_told;
};

/* Waits for events from now on; those that are set already have told it. */
static int join(struct kfd *k, struct waiter *w, const struct kfd_event_data *data, u32 count)
{
    for (u32 i = 0; i < count; i++)
        if (!kfd_event_of(k, data[i].id))
            return -EINVAL;
    for (u32 i = 0; i < count; i++) {
        struct kfd_event *e = kfd_event_of(k, data[i].id);
        w[i] = (struct waiter){ .birth = e->birth, .fired = e->fired, .is_told = e->is_set };
        e->is_set &= !e->auto_reset;
        e->waiting++;
    }
    return 0;
}

static struct kfd_event *still(struct kfd *k, const struct waiter *w, u32 id)
{
    struct kfd_event *e = kfd_event_of(k, id);
    return e && e->birth == w->birth ? e : NULL;
}

/* Whether enough of them have been set since: -EIO if one is no more. */
static int look(struct kfd *k, struct waiter *w, const struct kfd_event_data *data, u32 count,
                bool is_all)
{
    u32 told = 0;
    for (u32 i = 0; i < count; i++) {
        const struct kfd_event *e = still(k, &w[i], data[i].id);
        if (!e)
            return -EIO;
        w[i].is_told |= e->fired != w[i].fired;
        told += w[i].is_told;
    }
    return is_all ? told == count : told > 0;
}

/* Waits no more; what those that were set have to say is the client's. */
static void leave(struct kfd *k, const struct waiter *w, struct kfd_event_data *data, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        struct kfd_event *e = still(k, &w[i], data[i].id);
        if (!e)
            continue;
        e->waiting--;
        if (w[i].is_told && e->type == KFD_EVENT_MEMORY)
            data[i].memory = e->memory;
        else if (w[i].is_told && e->type == KFD_EVENT_HARDWARE)
            data[i].reset = e->reset;
    }
}

static int wait_until(struct kfd_call *c, struct waiter *w, const struct kfd_event_data *data,
                      const struct kfd_arg_wait *a, u64 end)
{
    const struct vgpu_cfg *cfg = &c->k->v->cfg;
    for (;;) {
        /* Where there are others, the card is one: who waits may be whom a kernel waits for. */
        while (!cfg->wait && vgpu_kfd_poll(c->k->v)) {
        }
        int r = look(c->k, w, data, a->count, a->for_all != 0);
        if (r != 0 || !cfg->wait || vgpu_now_ns() >= end)
            return r;
        cfg->wait(cfg->wait_ctx, end);
    }
}

int kfd_wait_events(struct kfd_call *c)
{
    struct kfd_arg_wait *a = c->arg;
    struct vgpu_call call = { .v = c->k->v, .client = c->client };
    bool is_endless = a->timeout_ms == 0xffffffff;
    u64 end = is_endless ? ~0ull : vgpu_now_ns() + a->timeout_ms * 1000000ull;
    int r;
    struct kfd_event_data *data = vgpu_fetch(&call, a->events, a->count, sizeof *data, &r);
    if (!data)
        return r;
    struct waiter *w = calloc(a->count, sizeof *w);
    r = w ? join(c->k, w, data, a->count) : -ENOMEM;
    if (r == 0) {
        r = wait_until(c, w, data, a, end);
        leave(c->k, w, data, a->count);
    }
    a->result = r > 0 ? KFD_WAIT_COMPLETE : KFD_WAIT_TIMEOUT;
    if (r > 0 && !c->client->write(c->client->ctx, a->events, data, a->count * sizeof *data))
        r = -EFAULT;
    free(w);
    free(data);
    return r < 0 ? r : 0;
}
