/* What the files of the virtual GPU's core share. */
#ifndef HARNESS_VGPU_CORE_INTERNAL_H
#define HARNESS_VGPU_CORE_INTERNAL_H

#include "harness/vgpu/packet/pm4.h"
#include "harness/vgpu/vgpu.h"
#include "oracle/state/change.h"

#include <amdgpu_drm.h>

enum {
    PAGE_BYTES = 4096,
    IPS = 3, /* GFX, COMPUTE, DMA: what has rings here */
    RINGS_MAX = 8,
    FENCES_KEPT = 32, /* of a ring of a context, as the kernel's scheduler keeps them */
    GROUP_WAVES_MAX = 16
};

/* Handles to pointers; a handle is an index from 1 on. */
struct vgpu_table {
    void **at;
    u32 count;
};

/* When a submission has been executed. */
struct vgpu_fence {
    u32 refs;
    bool is_done;
    int error; /* negative errno */
};

struct vgpu_bo {
    u32 refs;
    u32 name;         /* by which other files may open it (flink); 0: none */
    u64 offset, size; /* in the heap, bytes, whole pages */
    u8 *shared; /* memory of a client's that is used where it is, then not in the heap; or NULL */
    u64 alignment, domains, flags;
    u8 metadata[sizeof((struct drm_amdgpu_gem_metadata *)0)->data]; /* the clients' */
    /* Memory of a client's of which submissions see a copy (userptr). */
    u64 user_va; /* 0: it is none */
    bool is_user_readonly;
    struct vgpu_client user;
};

/* A range of a file's address space. */
struct vgpu_mapping {
    u64 va, size; /* whole pages */
    struct vgpu_bo *bo;
    u64 offset; /* in the buffer */
    u32 flags;  /* AMDGPU_VM_PAGE_... */
};

struct vgpu_list {
    u32 count;
    struct vgpu_bo **bo;
};

struct vgpu_ctx {
    u32 refs;
    u32 id;
    u64 submitted[IPS][RINGS_MAX]; /* the last sequence number; 0: none */
    struct vgpu_fence *fence[IPS][RINGS_MAX][FENCES_KEPT];
    u64 resets_seen, resets_at_start; /* of the device */
    u32 pstate;                       /* that clients ask for; clocks do not change */
    bool is_guilty;
};

/* A binary one holds one fence. A timeline has points, in order, each with its fence; those that
 * are done go, but for the last. */
struct vgpu_syncobj {
    u32 refs;
    struct vgpu_fence *fence; /* of a binary one, NULL: none yet */
    struct vgpu_point {
        u64 value;
        struct vgpu_fence *fence;
    } * points;
    u32 count, cap;
    u64 passed; /* the last point that has gone, or 0 */
};

/* What a descriptor stands for; one of them. */
struct vgpu_object {
    struct vgpu_bo *bo;
    struct vgpu_syncobj *syncobj;
    struct vgpu_fence *fence; /* a sync file */
};

struct vgpu_file {
    bool is_open, is_primary, has_vmid, is_kfd;
    bool is_held; /* its address space is that of the client's user-mode queues: it stays */
    u32 number;
    struct vgpu_table bos, ctxs, lists, syncobjs;
    struct vgpu_mapping *map; /* by address */
    u32 map_count, map_cap;
    u64 map_version; /* changes with it */
};

enum { JOB_IBS_MAX = 16 };

/* How a dispatch ended. */
enum vgpu_fate {
    FATE_DONE,
    FATE_REFUSED, /* it could not begin */
    FATE_VGPRS,   /* nor this, for want of registers */
    FATE_FAULT,   /* an access outside memory, at fault_addr */
    FATE_ILLEGAL,
    FATE_TRAP, /* s_trap 2: the program gave up */
    FATE_HANG
};

/* A submission that waits for its turn. */
struct vgpu_job {
    struct vgpu_job *next;
    struct vgpu_file *file;
    struct vgpu_ctx *ctx;
    u32 ip, ring;
    u64 seq, number; /* in its context's ring, of all */
    u64 due_ns;      /* before that it is not executed */
    struct {
        u64 va;
        u32 bytes, flags;
    } ib[JOB_IBS_MAX];
    u32 ib_count;
    struct vgpu_list list; /* what it may touch; its own references */
    struct vgpu_fence *fence;
    struct vgpu_bo *user_fence; /* gets seq at user_offset, or NULL */
    u64 user_offset;
    /* Of a user-mode queue: its file's memory may change while it runs, an access outside it ends it. */
    bool is_queue;
    const bool *is_wanted;                /* of a queue, whether it is still there */
    void (*interrupt)(void *arg, u32 id); /* what waves and copy engines tell the host, or NULL */
    void *interrupt_arg;
    u8 fate; /* enum vgpu_fate, of its last dispatch */
    u64 fault_addr;
};

enum {
    CODE_WINDOW = 1 << 20, /* dwords of a program that are looked at, at most */
    CODE_BLOCK = 256       /* of these are fetched at a time */
};

/* The instruction cache: what was fetched from a range, until it is invalidated. */
struct vgpu_icache {
    bool is_valid;
    const struct vgpu_file *file;
    u64 base; /* address of the machine's program */
    u32 dw;
    const u32 *from; /* what is there now */
    bool has[CODE_WINDOW / CODE_BLOCK];
};

struct vgpu {
    struct vgpu_cfg cfg;
    const struct pm4_generation *packets; /* what the chip's generation has of its own */
    struct isa isa;
    struct engine engine;
    struct machine *machine;
    struct vgpu_icache icache;
    u64 windows_of; /* number of the submission that the machine's memory is of; 0: of none */
    const struct vgpu_file *windows_file; /* whose memory it is */
    u32 windows_next;
    u16 vgprs_used[GROUP_WAVES_MAX]; /* of each wave: from this one on its VGPRs are 0 */
    u8 nothing[64];  /* what is read and written where no memory is mapped on purpose */
    bool is_busy;    /* a dispatch is under way, and others may call in while it is */
    struct kfd *kfd; /* NULL: nobody has opened /dev/kfd */
    void (*close_kfd)(struct kfd *k);
    struct vgpu_file file[VGPU_FILES_MAX]; /* number i is at i - 1 */
    struct vgpu_bo **bos;                  /* by offset */
    u32 bo_count, bo_cap;
    u64 vram_used, gtt_used;
    struct vgpu_table names;   /* of buffers, which they do not hold */
    struct vgpu_table objects; /* that descriptors stand for */
    struct vgpu_job *first, **last;
    u64 resets;
    bool is_lost;
    bool has_flipped;
    u64 refused_va; /* the last address that vgpu_vm_at refused */
    struct vgpu_stats stats;
    bool has_executed[OPS_MAX]; /* opcodes that the log has named */
    char changes[CHANGE_BYTES]; /* a line of the trace; clients' stacks may be small */
};

/* What an ioctl is called with: its argument has been copied in, and is copied out afterwards. */
struct vgpu_call {
    struct vgpu *v;
    struct vgpu_file *f;
    const struct vgpu_client *client;
    void *arg;
};

typedef int vgpu_ioctl_fn(struct vgpu_call *c);

/* ---- base.c ---- */
void vgpu_error(struct vgpu *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void vgpu_log(struct vgpu *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* CLOCK_MONOTONIC. */
u64 vgpu_now_ns(void);
/* The card's own clock. */
enum { VGPU_COUNTER_KHZ = 27000 };
u64 vgpu_clock_ticks(void);
/* A handle, or 0 if memory is short. */
u32 vgpu_table_add(struct vgpu_table *t, void *p);
void *vgpu_table_get(const struct vgpu_table *t, u32 handle);
u32 vgpu_table_find(const struct vgpu_table *t, const void *p);
void *vgpu_table_take(struct vgpu_table *t, u32 handle);
/* An array of the client's, the caller's to free; NULL with *r set if that cannot be had. */
void *vgpu_fetch(struct vgpu_call *c, u64 from, u64 count, size_t size, int *r);

/* ---- bo.c ---- */
/* Finds room for a buffer whose size, alignment and domains are set. */
int vgpu_bo_add(struct vgpu *v, struct vgpu_bo *bo);
void vgpu_bo_put(struct vgpu *v, struct vgpu_bo *bo);
/* The count of bytes in the buffer's domain. */
u64 *vgpu_bo_used(struct vgpu *v, const struct vgpu_bo *bo);
static inline u8 *vgpu_bo_bytes(const struct vgpu *v, const struct vgpu_bo *bo)
{
    return bo->shared ? bo->shared : v->cfg.heap + bo->offset;
}

/* ---- fence.c ---- */
struct vgpu_fence *vgpu_fence_get(struct vgpu_fence *f);
void vgpu_fence_put(struct vgpu_fence *f);
/* One that is done, or NULL. */
struct vgpu_fence *vgpu_fence_new_done(void);

/* ---- syncobj.c ---- */
void vgpu_syncobj_put(struct vgpu_syncobj *s);
/* The syncobj becomes a binary one that holds the fence, or NULL. */
void vgpu_syncobj_set(struct vgpu_syncobj *s, struct vgpu_fence *f);
/* A point is added behind those that are there; false: no memory. */
bool vgpu_syncobj_add(struct vgpu_syncobj *s, u64 point, struct vgpu_fence *f);
/* Whether something has been submitted that will reach the point (0: all of it), and whether that is done. */
bool vgpu_syncobj_has(const struct vgpu_syncobj *s, u64 point);
bool vgpu_syncobj_is_done(const struct vgpu_syncobj *s, u64 point);
/* The last point that is done, or has been submitted; 0 if it is no timeline. */
u64 vgpu_syncobj_value(const struct vgpu_syncobj *s, bool submitted);
/* The fence to wait for, one that is done if it has gone; NULL: no memory. The caller's. */
struct vgpu_fence *vgpu_syncobj_fence(const struct vgpu_syncobj *s, u64 point);

/* ---- object.c ---- */
void vgpu_ctx_put(struct vgpu_ctx *ctx);
/* A descriptor of the client's that stands for the object; a negative errno, and then nothing is
 * held. */
int vgpu_object_give(struct vgpu_call *c, struct vgpu_object ob, u64 bytes, bool cloexec);
struct vgpu_object *vgpu_object_take(struct vgpu_call *c, int fd);
void vgpu_list_free(struct vgpu *v, struct vgpu_list *list);
bool vgpu_list_has(const struct vgpu_list *list, const struct vgpu_bo *bo);
/* Rings of an IP. */
u32 vgpu_rings(const struct vgpu *v, u32 ip);

/* ---- vm.c ---- */
/* Registers and packets hold 48 bits of an address; this is the address. */
u64 vgpu_vm_canonical(u64 va);
/* Where clients may map: up to there, and from there on (0: nothing). */
u64 vgpu_vm_end(const struct vgpu *v);
u64 vgpu_vm_high(const struct vgpu *v);
/* Whether a range of whole pages lies there. */
bool vgpu_vm_is_valid(const struct vgpu *v, u64 va, u64 size);
/* The operations of GEM_VA; 0 or a negative errno. */
int vgpu_vm_map(struct vgpu_call *c, const struct drm_amdgpu_gem_va *a, struct vgpu_bo *bo, u64 va,
                bool replace);
int vgpu_vm_clear(struct vgpu_call *c, u64 va, u64 size);
int vgpu_vm_unmap(struct vgpu_call *c, const struct vgpu_bo *bo, u64 va);
void vgpu_vm_close(struct vgpu *v, struct vgpu_file *f);
/* Takes all mappings of a buffer out of a file's address space. */
void vgpu_vm_drop(struct vgpu *v, struct vgpu_file *f, const struct vgpu_bo *bo);
/* The mapping that holds the address (of 48 bits, or with its sign), or NULL. */
const struct vgpu_mapping *vgpu_vm_find(const struct vgpu_file *f, u64 va);
/* The bytes of a range that a submission may read, or write; NULL if any of it is not there. */
u8 *vgpu_vm_at(struct vgpu *v, const struct vgpu_job *job, u64 va, u64 bytes, bool write);

/* ---- the ioctls: info.c, gem.c, ctx.c, cs.c, sync.c ---- */
vgpu_ioctl_fn vgpu_version, vgpu_get_client, vgpu_auth_magic, vgpu_get_cap, vgpu_info;
vgpu_ioctl_fn vgpu_gem_create, vgpu_gem_mmap, vgpu_gem_close, vgpu_gem_wait_idle, vgpu_gem_op,
    vgpu_gem_va, vgpu_gem_metadata;
vgpu_ioctl_fn vgpu_ctx_ioctl, vgpu_vm_ioctl, vgpu_wait_cs, vgpu_wait_fences, vgpu_fence_to_handle;
vgpu_ioctl_fn vgpu_cs, vgpu_bo_list;
vgpu_ioctl_fn vgpu_syncobj_create, vgpu_syncobj_destroy, vgpu_syncobj_wait, vgpu_syncobj_reset,
    vgpu_syncobj_signal, vgpu_syncobj_timeline_wait, vgpu_syncobj_timeline_signal,
    vgpu_syncobj_query, vgpu_syncobj_transfer, vgpu_syncobj_to_fd, vgpu_syncobj_from_fd;
/* share.c, user.c */
vgpu_ioctl_fn vgpu_gem_flink, vgpu_gem_open, vgpu_prime_to_fd, vgpu_prime_from_fd;
vgpu_ioctl_fn vgpu_gem_userptr;

/* ---- sync.c ---- */
/* The answer to who wants a fence that nobody has submitted yet: he may wait, if the flags say so. */
int vgpu_wait_for_submit(const struct vgpu_call *c, u32 flags);

/* ---- queue.c ---- */
/* Executes what has been submitted, unless the deadline (of CLOCK_MONOTONIC) has passed: who only
 * asks does not wait. 0, or VGPU_BLOCKED while something else is under way. */
int vgpu_wait_until(struct vgpu *v, u64 deadline_ns);

/* Executes all of the queue, due or not. */
void vgpu_finish(struct vgpu *v);

/* ---- flip.c ---- */
/* The bit that is to flip with this submission does, before it is executed or behind it. */
void vgpu_flip(struct vgpu *v, const struct vgpu_job *job, bool is_behind);

/* ---- user.c ---- */
/* Memory of clients that the submission may touch comes in before it, and goes back behind it. */
void vgpu_user_in(struct vgpu *v, const struct vgpu_job *job);
void vgpu_user_out(struct vgpu *v, const struct vgpu_job *job);

/* ---- ring.c ---- */
/* Executes a submission; a negative errno if its ring has hung. */
int vgpu_ring_run(struct vgpu *v, struct vgpu_job *job);
/* Executes packets that stand in none; false if one is wrong. */
bool vgpu_ring_packets(struct vgpu *v, struct vgpu_job *job, u64 va, const u32 *packets, u32 dw);

/* ---- poll.c ---- */
/* Whether the dword at `at`, masked, compares with the reference as the function says (the codes of
 * WAIT_REG_MEM and POLL_REGMEM). */
bool vgpu_poll_is_met(const void *at, u32 function, u32 reference, u32 mask);
/* Waits until the one at an address of the card's does. False if it cannot be read, or does not within the ring's time. */
bool vgpu_poll(struct vgpu *v, const struct vgpu_job *job, u64 va, u32 function, u32 reference,
               u32 mask);

/* ---- sdma.c ---- */
/* Executes a buffer of SDMA packets; false if one is wrong. */
bool vgpu_sdma_run(struct vgpu *v, const struct vgpu_job *job, const u32 *ib, u32 dw);
/* Executes the packet at p, where `left` dwords are: its length, 0 if it is wrong, SDMA_WAITS if it
 * waits for memory, which has not changed yet. */
#define SDMA_WAITS (~0u)
u32 vgpu_sdma_packet(struct vgpu *v, const struct vgpu_job *job, const u32 *p, u32 left);

/* ---- trace.c ---- */
/* Executes one instruction of a wave and prints it. */
void vgpu_trace_step(struct vgpu *v, struct wave *w, const u32 group[3]);

/* ---- dispatch.c ---- */
/* Registers of the compute pipe, and which of them this submission has set. */
struct vgpu_sh {
    u32 reg[SH_END - SH_FIRST];
    bool is_set[SH_END - SH_FIRST];
};
/* Runs a grid of work-groups. False, and *why says why, if it never ends or cannot begin. */
bool vgpu_dispatch(struct vgpu *v, struct vgpu_job *job, const struct vgpu_sh *sh, const u32 dim[3],
                   u32 initiator, struct err *why);

#endif
