/* A process of a self test that has /dev/kfd open: memory, events, a queue, a kernel, and packets
 * for it. The test is the client and rings the doorbells. */
#ifndef HARNESS_T_VGPU_KFD_H
#define HARNESS_T_VGPU_KFD_H

#include "harness/t/vgpu/gpu.h"
#include "harness/vgpu/kfd/abi.h"
#include "harness/vgpu/packet/aql.h"

enum {
    DRM_FD = 5,
    BYTES = 0x10000,
    RING_BYTES = 1024, /* sixteen packets */
    /* What lies where in the one piece of memory that queues use. */
    RING = 0,
    RECORD = 0x1000,
    INACTIVE = 0x1100, /* signals */
    DONE = 0x1140,
    OTHER = 0x1180,
    KERNARG = 0x1200,
    IB = 0x1300,
    DATA = 0x2000,
    SDMA_RING = 0x8000,
    SDMA_READ = 0x9000,
    SDMA_WRITE = 0x9008
};
#define QUEUE_VA 0x40000000ull
#define CODE_AT  0x50000000ull
#define EVENTS   0x60000000ull

static struct {
    u32 gpu; /* its number, that of the PCI device */
    u32 file, queue, event, memory_event, reset_event;
    u8 *mem, *code;
    u64 *doorbell;
    u64 event_page, code_handle;
    u64 next; /* index of the next packet */
} t;

static inline u32 file_of(void *ctx, u32 fd)
{
    (void)ctx;
    return fd == DRM_FD ? gpu.file : 0;
}

static inline u8 *share(void *ctx, u64 at, u64 bytes)
{
    (void)ctx;
    (void)bytes;
    return (u8 *)(uintptr_t)at;
}

static const struct vgpu_client client = {
    .read = gpu_read, .write = gpu_write, .share = share, .file = file_of
};

static inline int kfd(u64 cmd, void *arg)
{
    return vgpu_kfd_ioctl(gpu.v, t.file, (u32)cmd, (u64)(uintptr_t)arg, &client);
}

static inline int map_op(u64 cmd, u64 handle)
{
    u32 id = t.gpu;
    struct kfd_arg_map a = { .handle = handle, .gpus = (u64)(uintptr_t)&id, .count = 1 };
    int r = kfd(cmd, &a);
    return r ? r : a.done == 1 ? 0 : -1;
}

/* Memory at an address that is mapped; its bytes. */
static inline u8 *memory(u64 va, u64 bytes, u32 flags, u64 *handle)
{
    struct kfd_arg_alloc a = { .va = va, .size = bytes, .gpu = t.gpu, .flags = flags };
    gpu_must(kfd(KFD_ALLOC_MEMORY, &a), "ALLOC_MEMORY_OF_GPU");
    gpu_must(map_op(KFD_MAP_MEMORY, a.handle), "MAP_MEMORY_TO_GPU");
    *handle = a.handle;
    return gpu.heap + a.offset;
}

static inline u32 event_of(u32 type)
{
    struct kfd_arg_create_event a = { .page = t.event_page, .type = type, .auto_reset = 1 };
    t.event_page = 0; /* only once */
    gpu_must(kfd(KFD_CREATE_EVENT, &a), "CREATE_EVENT");
    return a.id;
}

/* 0 if one of the events is set, 1 if none is in time, or a negative errno. */
static inline int wait_for(u32 id, struct kfd_event_data *data)
{
    struct kfd_event_data one = { .id = id };
    struct kfd_arg_wait a = { .events = (u64)(uintptr_t)&one, .count = 1, .timeout_ms = 10 };
    int r = kfd(KFD_WAIT_EVENTS, &a);
    if (data)
        *data = one;
    return r ? r : (int)a.result;
}

static inline void put64(u32 at, u64 value)
{
    memcpy(t.mem + at, &value, sizeof value);
}

static inline u64 get64(u32 at)
{
    u64 value;
    memcpy(&value, t.mem + at, sizeof value);
    return value;
}

/* A signal with a value, of which t.event is told. */
static inline void put_signal(u32 at, i64 value)
{
    memset(t.mem + at, 0, AQL_SIGNAL_BYTES);
    put64(at + AQL_SIGNAL_KIND, AQL_SIGNAL_USER);
    put64(at + AQL_SIGNAL_VALUE, (u64)value);
    put64(at + AQL_SIGNAL_MAILBOX, EVENTS + t.event * 8);
    put64(at + AQL_SIGNAL_EVENT, t.event);
}

static inline int create_queue(struct kfd_arg_create_queue *a)
{
    *a = (struct kfd_arg_create_queue){ .ring = QUEUE_VA + RING,
                                        .ring_size = RING_BYTES,
                                        .read_pointer = QUEUE_VA + RECORD + AQL_QUEUE_READ_INDEX,
                                        .write_pointer = QUEUE_VA + RECORD + AQL_QUEUE_WRITE_INDEX,
                                        .gpu = t.gpu,
                                        .type = KFD_QUEUE_AQL,
                                        .percentage = 100 };
    return 0;
}

static inline void open_queue(void)
{
    struct kfd_arg_create_queue a;
    create_queue(&a);
    memset(t.mem, 0, 0x3000);
    for (u32 i = 0; i < RING_BYTES; i += AQL_BYTES)
        t.mem[RING + i] = AQL_INVALID;
    put64(RECORD + AQL_QUEUE_INACTIVE, QUEUE_VA + INACTIVE);
    put_signal(INACTIVE, 0);
    gpu_must(kfd(KFD_CREATE_QUEUE, &a), "CREATE_QUEUE");
    t.queue = a.id;
    t.doorbell = (u64 *)(void *)(gpu.heap + a.doorbell);
    t.next = 0;
}

static inline void close_queue(void)
{
    gpu_must(kfd(KFD_DESTROY_QUEUE, &(struct kfd_arg_id){ .id = t.queue }), "DESTROY_QUEUE");
}

static inline void open_kfd(const char *chip)
{
    gpu_open(chip);
    t.gpu = vgpu_chip_find(chip)->device_id;
    t.file = vgpu_kfd_open(gpu.v);
    gpu_must(kfd(KFD_ACQUIRE_VM, &(struct kfd_arg_acquire){ .fd = DRM_FD, .gpu = t.gpu }),
             "ACQUIRE_VM");
}

static inline void open_all(const struct vgpu_faults *faults)
{
    u64 handle;
    gpu.faults = faults ? *faults : (struct vgpu_faults){ .hang = 0 };
    open_kfd("vega20");
    t.mem = memory(QUEUE_VA, BYTES, KFD_MEMORY_GTT | KFD_MEMORY_WRITABLE, &handle);
    t.code = memory(CODE_AT, BYTES, KFD_MEMORY_VRAM | KFD_MEMORY_EXECUTABLE, &t.code_handle);
    memory(EVENTS, KFD_SIGNALS * 8, KFD_MEMORY_GTT | KFD_MEMORY_WRITABLE, &t.event_page);
    t.event = event_of(KFD_EVENT_SIGNAL);
    t.memory_event = event_of(KFD_EVENT_MEMORY);
    t.reset_event = event_of(KFD_EVENT_HARDWARE);
    open_queue();
    gpu_errors();
}

/* A kernel's descriptor at CODE_AT, its code 256 bytes behind. */
static inline void put_kernel(const char *text)
{
    const u32 vgprs_8 = 1, sgprs_16 = 0, denorms = 0xc0, user_sgprs = 2, group_x = 1 << 7,
              kernarg = 1 << 3;
    u32 words[AQL_KERNEL_BYTES / 4] = { 0 }, n;
    struct isa isa;
    struct err e;
    words[AQL_KERNEL_ENTRY / 4] = 256;
    words[AQL_KERNEL_RSRC1 / 4] = vgprs_8 | sgprs_16 << 6 | denorms << 12;
    words[AQL_KERNEL_RSRC2 / 4] = user_sgprs << 1 | group_x;
    words[AQL_KERNEL_PROPERTIES / 4] = kernarg;
    memcpy(t.code, words, sizeof words);
    if (isa_open(&isa, "gfx906", &e) != ST_OK ||
        insn_parse_program(&isa, text, (u32 *)(void *)(t.code + 256), 1024, &n, &e) != ST_OK)
        bail("%s: %s", text, e.text);
}

/* 64 work-items; the kernel's argument is the address of the data. */
static inline void put_dispatch(u32 *dw)
{
    memset(dw, 0, AQL_BYTES);
    dw[0] = AQL_DISPATCH | 1 << 16;
    dw[1] = 64 | 1 << 16;
    dw[2] = 1;
    dw[3] = 64;
    dw[4] = dw[5] = 1;
    dw[8] = CODE_AT;
    dw[10] = QUEUE_VA + KERNARG;
    dw[14] = QUEUE_VA + DONE;
    put64(KERNARG, QUEUE_VA + DATA);
    put_signal(DONE, 1);
}

/* Puts a packet into the ring; the header comes last. */
static inline void publish(const u32 *dw)
{
    u8 *at = t.mem + RING + t.next++ * AQL_BYTES % RING_BYTES;
    memcpy(at, dw, AQL_BYTES);
    put64(RECORD + AQL_QUEUE_WRITE_INDEX, t.next);
}

static inline void ring(void)
{
    *t.doorbell = t.next - 1;
    while (vgpu_kfd_poll(gpu.v)) {
    }
}

/* The runtime does this when it has loaded code: a buffer of PM4 invalidates the instruction cache. */
static inline void invalidate(void)
{
    const u32 ib[] = { PM4_HEADER(PM4_ACQUIRE_MEM, 6), PM4_ICACHE_INV, ~0u, 0xff, 0, 0, 4 };
    const u32 dw[AQL_DW] = { AQL_VENDOR | AQL_PM4_IB << 16,
                             PM4_HEADER(PM4_INDIRECT_BUFFER, 3),
                             (u32)QUEUE_VA + IB,
                             0,
                             COUNT_OF(ib) | 1 << 23,
                             10 };
    memcpy(t.mem + IB, ib, sizeof ib);
    publish(dw);
    ring();
}

static inline i64 value_at(u32 signal)
{
    return (i64)get64(signal + AQL_SIGNAL_VALUE);
}

#define STORE_IDS                                                                         \
    "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n" \
    "global_store_dword v1, v0, s[4:5]\ns_waitcnt vmcnt(0)\ns_endpgm\n"

static inline bool has_ids(void)
{
    for (u32 i = 0; i < 64; i++)
        if (t.mem[DATA + 4 * i] != i)
            return false;
    return true;
}

#endif
