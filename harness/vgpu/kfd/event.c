/* Events: what the card tells the driver, and the driver those who wait. */
#include "harness/vgpu/kfd/internal.h"

#include <errno.h>

#define UNSIGNALED (~0ull) /* a slot of the page that nobody has written to */

enum { OTHER_FIRST = KFD_SIGNALS }; /* events that are none of signals are numbered from here */

static bool is_signal(u32 type)
{
    return type == KFD_EVENT_SIGNAL || type == KFD_EVENT_DEBUG;
}

struct kfd_event *kfd_event_of(struct kfd *k, u32 id)
{
    struct kfd_event *e = id < KFD_SIGNALS                      ? &k->signal[id]
                          : id - OTHER_FIRST < KFD_OTHER_EVENTS ? &k->other[id - OTHER_FIRST]
                                                                : NULL;
    return e && e->is_there ? e : NULL;
}

/* The page of slots: the client's, by its handle, or the driver's own. */
static int open_page(struct kfd *k, u64 handle)
{
    struct vgpu_bo *bo = handle ? kfd_bo_of(k, handle) : k->event_page;
    if (k->slots)
        return handle ? -EINVAL : 0;
    if (handle && (!bo || bo->size < KFD_EVENT_PAGE_BYTES))
        return -EINVAL;
    if (!bo)
        bo = kfd_page(k, KFD_EVENT_PAGE_BYTES, KFD_EVENT_PAGE_BYTES);
    if (!bo)
        return -ENOMEM;
    bo->refs += handle != 0;
    k->event_page = bo;
    k->slots = (u64 *)(void *)vgpu_bo_bytes(k->v, bo);
    for (u32 i = 0; i < KFD_SIGNALS; i++)
        k->slots[i] = UNSIGNALED;
    return 0;
}

static struct kfd_event *choose(struct kfd *k, u32 type, u32 *id)
{
    u32 most = is_signal(type) ? KFD_SIGNALS : KFD_OTHER_EVENTS;
    struct kfd_event *all = is_signal(type) ? k->signal : k->other;
    u32 i = is_signal(type); /* no signal has number 0 */
    while (i < most && all[i].is_there)
        i++;
    *id = is_signal(type) ? i : OTHER_FIRST + i;
    return i < most ? &all[i] : NULL;
}

int kfd_create_event(struct kfd_call *c)
{
    struct kfd_arg_create_event *a = c->arg;
    struct kfd *k = c->k;
    u32 id;
    if (a->type > KFD_EVENT_MEMORY)
        return -EINVAL;
    int r = a->page || is_signal(a->type) ? open_page(k, a->page) : 0;
    if (r < 0)
        return r;
    struct kfd_event *e = choose(k, a->type, &id);
    if (!e)
        return -ENOSPC;
    *e = (struct kfd_event){
        .is_there = true, .auto_reset = a->auto_reset != 0, .birth = ++k->births, .type = a->type
    };
    a->id = id;
    if (is_signal(a->type)) {
        k->slots[id] = UNSIGNALED;
        a->page = k->event_page->offset;
        a->trigger = id;
        a->slot = id;
    }
    return 0;
}

int kfd_destroy_event(struct kfd_call *c)
{
    const struct kfd_arg_id *a = c->arg;
    struct kfd_event *e = kfd_event_of(c->k, a->id);
    if (e)
        *e = (struct kfd_event){ .is_there = false };
    return e ? 0 : -EINVAL;
}

/* All who wait for it now are told; if there is none, the next. */
static void fire(const struct kfd *k, struct kfd_event *e)
{
    e->fired++;
    e->is_set = !e->auto_reset || e->waiting == 0;
    if (k->v->cfg.wake)
        k->v->cfg.wake(k->v->cfg.wait_ctx);
}

int kfd_set_event(struct kfd_call *c)
{
    const struct kfd_arg_id *a = c->arg;
    struct kfd_event *e = kfd_event_of(c->k, a->id);
    if (!e || !is_signal(e->type))
        return -EINVAL;
    fire(c->k, e);
    return 0;
}

int kfd_reset_event(struct kfd_call *c)
{
    const struct kfd_arg_id *a = c->arg;
    struct kfd_event *e = kfd_event_of(c->k, a->id);
    if (!e || !is_signal(e->type))
        return -EINVAL;
    e->is_set = false;
    return 0;
}

void kfd_interrupt(struct kfd *k, u32 id)
{
    struct kfd_event *e = kfd_event_of(k, id);
    if (!e || !is_signal(e->type) || k->slots[id] == UNSIGNALED) {
        vgpu_error(k->v, "an interrupt for event %u, %s", id,
                   e ? "whose slot was not written" : "which is none");
        return;
    }
    k->slots[id] = UNSIGNALED;
    fire(k, e);
}

static void stop_queues(struct kfd *k)
{
    for (u32 i = 0; i < KFD_QUEUES_MAX; i++)
        if (k->queue[i].is_there)
            k->queue[i].state = KFD_DEAD;
}

void kfd_tell_fault(struct kfd *k, u64 va)
{
    bool is_mapped = vgpu_vm_find(k->vm, va) != NULL;
    stop_queues(k);
    for (u32 i = 0; i < KFD_OTHER_EVENTS; i++) {
        struct kfd_event *e = &k->other[i];
        if (!e->is_there || e->type != KFD_EVENT_MEMORY)
            continue;
        e->memory = (struct kfd_memory_fault){ .not_present = !is_mapped,
                                               .read_only = is_mapped,
                                               .va = va / PAGE_BYTES * PAGE_BYTES,
                                               .gpu = vgpu_gpu_id(k->v->cfg.chip) };
        fire(k, e);
    }
}

void kfd_tell_reset(struct kfd *k)
{
    stop_queues(k);
    for (u32 i = 0; i < KFD_OTHER_EVENTS; i++) {
        struct kfd_event *e = &k->other[i];
        if (!e->is_there || e->type != KFD_EVENT_HARDWARE)
            continue;
        e->reset = (struct kfd_reset){ .type = KFD_WHOLE_RESET,
                                       .cause = KFD_HANG,
                                       .memory_lost = 1,
                                       .gpu = vgpu_gpu_id(k->v->cfg.chip) };
        fire(k, e);
    }
}

static void interrupt(void *k, u32 id)
{
    kfd_interrupt(k, id);
}

struct vgpu_job kfd_job(struct kfd *k)
{
    return (struct vgpu_job){ .file = k->vm,
                              .ip = AMDGPU_HW_IP_COMPUTE,
                              .is_queue = true,
                              .interrupt = interrupt,
                              .interrupt_arg = k };
}
