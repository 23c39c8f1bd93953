/* What the files of the kernel driver behind /dev/kfd share: a process with its memory, events and
 * user-mode queues. There is one process. */
#ifndef HARNESS_VGPU_KFD_INTERNAL_H
#define HARNESS_VGPU_KFD_INTERNAL_H

#include "harness/vgpu/core/internal.h"
#include "harness/vgpu/kfd/abi.h"
#include "harness/vgpu/packet/aql.h"

enum {
    KFD_QUEUES_MAX = 128,
    KFD_DOORBELL_BYTES = 8192, /* a process's page, 64 bits for each queue */
    KFD_EVENT_PAGE_BYTES = KFD_SIGNALS * 8,
    KFD_OTHER_EVENTS = 64 /* that are none of signals */
};

/* Where FLAT finds LDS and private memory, and what clients may map. */
#define KFD_GPUVM_BASE  0x4000ull
#define KFD_GPUVM_LIMIT ((1ull << 47) - 1)

struct kfd_memory {
    struct vgpu_bo *bo;
    u64 va;
    u32 flags; /* KFD_MEMORY_... */
    bool is_mapped;
};

struct kfd_event {
    bool is_there, auto_reset;
    bool is_set; /* and nobody waited then, or it is not reset by itself */
    u32 waiting; /* calls that wait for it */
    u64 fired;   /* how often it was set */
    u64 birth;   /* number of the call that made it */
    u32 type;    /* enum kfd_event_type */
    union {
        struct kfd_memory_fault memory;
        struct kfd_reset reset;
    };
};

enum kfd_queue_state {
    KFD_RUNS,
    KFD_STALLS, /* has told its client of an error, and goes on when the inactive signal is 0 */
    KFD_DEAD    /* after a fault or a reset */
};

struct kfd_queue {
    bool is_there;
    u8 state; /* enum kfd_queue_state */
    u32 id, type;
    u64 ring, bytes;       /* in the process's memory */
    u64 read_at, write_at; /* addresses of its indices */
    u64 record;            /* AQL: of the queue's own record */
    u64 next;              /* AQL: index of the next packet; SDMA: bytes */
    u32 percentage;        /* 0: it does not run */
    bool was_reported;     /* what it waits for stands in the log */
};

struct kfd {
    struct vgpu *v;
    struct vgpu_file *vm;     /* whose address space is the process's; NULL: none yet */
    struct vgpu_table memory; /* of struct kfd_memory */
    struct vgpu_bo *doorbells, *remap, *event_page;
    struct kfd_event signal[KFD_SIGNALS], other[KFD_OTHER_EVENTS];
    u64 births;
    u64 *slots; /* of signal events; NULL: no page yet */
    struct kfd_queue queue[KFD_QUEUES_MAX];
    u32 queues; /* that are there */
    const struct kfd_queue
        *running; /* whose dispatch is under way, or NULL; others may call in then */
};

struct kfd_call {
    struct kfd *k;
    const struct vgpu_client *client;
    void *arg;
};

typedef int kfd_ioctl_fn(struct kfd_call *c);

/* ---- memory.c ---- */
kfd_ioctl_fn kfd_acquire_vm, kfd_alloc, kfd_free, kfd_map, kfd_unmap, kfd_available;
/* A buffer of the driver's own. NULL: memory is short. */
struct vgpu_bo *kfd_page(struct kfd *k, u64 bytes, u64 alignment);
/* The page of doorbells. Where there is room it lies at a multiple of 4 GiB: libhsakmt takes the lower
 * half of the first one's offset for its place in the page, since the driver's are made so. */
struct vgpu_bo *kfd_doorbells(struct kfd *k);
struct vgpu_bo *kfd_bo_of(struct kfd *k, u64 handle);
void kfd_close_memory(struct kfd *k);
/* What the client of a queue wrote to its doorbell last, and where. */
u64 kfd_doorbell(const struct kfd *k, const struct kfd_queue *q);
u64 *kfd_doorbell_at(const struct kfd *k, u32 id);
/* The bytes of a range that the process's queues may read or write, NULL if it is not theirs. */
u8 *kfd_at(struct kfd *k, u64 va, u64 bytes, bool write);

/* ---- event.c ---- */
kfd_ioctl_fn kfd_create_event, kfd_destroy_event, kfd_set_event, kfd_reset_event;
struct kfd_event *kfd_event_of(struct kfd *k, u32 id); /* NULL: there is none */
/* The card says that this event's slot was written. */
void kfd_interrupt(struct kfd *k, u32 id);
/* An access of the process to memory that is not its own: all its queues stop for good. */
void kfd_tell_fault(struct kfd *k, u64 va);
/* The card was reset, or is gone: so do they. */
void kfd_tell_reset(struct kfd *k);
/* A submission of a queue's. */
struct vgpu_job kfd_job(struct kfd *k);

/* ---- queue.c ---- */
kfd_ioctl_fn kfd_create_queue, kfd_destroy_queue, kfd_update_queue, kfd_set_cu_mask;

/* ---- aql.c ---- */
/* Executes what can be executed of a queue; whether there was anything. */
bool kfd_run_aql(struct kfd *k, struct kfd_queue *q);

/* ---- dispatch.c ---- */
/* Executes the queue's next packet, which stands at `at`; the bits of an error, or 0. KFD_FAULT: it
 * reached for memory at *va that is not there. After a reset the queue is dead. */
#define KFD_FAULT (~0u)
u32 kfd_dispatch(struct kfd *k, struct kfd_queue *q, u64 at, const struct aql_packet *p, u64 *va);

/* ---- sdma.c ---- */
bool kfd_run_sdma(struct kfd *k, struct kfd_queue *q);

/* ---- poll.c ---- */
kfd_ioctl_fn kfd_wait_events;

#endif
