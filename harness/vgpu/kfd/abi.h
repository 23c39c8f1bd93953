/* What ioctls of /dev/kfd take and answer: the binary interface of the kernel's driver, version 1.11.
 * (The kernel's own header needs another that distributions put in different places.) */
#ifndef HARNESS_VGPU_KFD_ABI_H
#define HARNESS_VGPU_KFD_ABI_H

#include "oracle/base/base.h"

#include <sys/ioctl.h>

enum {
    KFD_TYPE = 'K', /* of the ioctls' numbers */
    KFD_MAJOR = 1,
    KFD_MINOR = 11,
    KFD_SIGNALS = 4096, /* events of a process that are signals, each with a slot of 8 bytes */
    KFD_RING_LEAST = 1024,
    KFD_PERCENTAGE_MOST = 100,
    KFD_PRIORITY_MOST = 15
};

struct kfd_arg_version {
    u32 major, minor;
};

enum kfd_queue_type { KFD_QUEUE_PM4, KFD_QUEUE_SDMA, KFD_QUEUE_AQL, KFD_QUEUE_SDMA_LINK };

struct kfd_arg_create_queue {
    u64 ring, write_pointer, read_pointer;
    u64 doorbell; /* out */
    u32 ring_size, gpu, type, percentage, priority;
    u32 id; /* out */
    u64 eop, eop_size, save_area;
    u32 save_area_size, save_stack_size;
};

struct kfd_arg_id {
    u32 id, pad; /* of a queue, an event */
};

struct kfd_arg_update_queue {
    u64 ring;
    u32 id, ring_size, percentage, priority;
};

struct kfd_arg_cu_mask {
    u32 id, bits;
    u64 mask;
};

enum { KFD_NONCOHERENT = 1 }; /* the higher of two policies */

struct kfd_arg_memory_policy {
    u64 alternate_base, alternate_size;
    u32 gpu, policy, alternate_policy, pad;
};

struct kfd_arg_clocks {
    u64 gpu_clock, cpu_clock, system_clock, system_hz; /* out */
    u32 gpu, pad;
};

struct kfd_aperture {
    u64 lds_base, lds_limit, scratch_base, scratch_limit, vm_base, vm_limit;
    u32 gpu, pad;
};

struct kfd_arg_apertures {
    u64 to; /* struct kfd_aperture */
    u32 count, pad;
};

enum kfd_event_type {
    KFD_EVENT_SIGNAL = 0,
    KFD_EVENT_HARDWARE = 3,
    KFD_EVENT_DEBUG = 5,
    KFD_EVENT_MEMORY = 8
};

struct kfd_arg_create_event {
    u64 page;    /* in: a handle of memory; out: an offset for mmap */
    u32 trigger; /* out */
    u32 type, auto_reset, node;
    u32 id, slot; /* out */
};

/* What has gone wrong with memory. */
struct kfd_memory_fault {
    u32 not_present, read_only, not_executable, is_imprecise;
    u64 va;
    u32 gpu, kind;
};

enum { KFD_WHOLE_RESET = 0, KFD_HANG = 0 };

struct kfd_reset {
    u32 type, cause, memory_lost, gpu;
};

struct kfd_event_data {
    union {
        struct kfd_memory_fault memory;
        struct kfd_reset reset;
    };
    u64 extension;
    u32 id, pad;
};

enum { KFD_WAIT_COMPLETE, KFD_WAIT_TIMEOUT };

struct kfd_arg_wait {
    u64 events; /* struct kfd_event_data */
    u32 count, for_all, timeout_ms;
    u32 result; /* out */
};

struct kfd_arg_scratch {
    u64 va;
    u32 gpu, pad;
};

struct kfd_arg_tiling {
    u64 tiles, macro_tiles;
    u32 tile_count, macro_tile_count; /* room; out: how many */
    u32 gpu;
    u32 address_config, banks, ranks; /* out */
};

struct kfd_arg_trap_handler {
    u64 code, memory;
    u32 gpu, pad;
};

struct kfd_arg_acquire {
    u32 fd, gpu;
};

/* What memory is, and what it may be used for. */
#define KFD_MEMORY_VRAM       (1u << 0)
#define KFD_MEMORY_GTT        (1u << 1)
#define KFD_MEMORY_USER       (1u << 2)
#define KFD_MEMORY_DOORBELL   (1u << 3)
#define KFD_MEMORY_REGISTERS  (1u << 4)
#define KFD_MEMORY_EXECUTABLE (1u << 30)
#define KFD_MEMORY_WRITABLE   (1u << 31)

struct kfd_arg_alloc {
    u64 va, size;
    u64 handle; /* out */
    u64 offset; /* for mmap; of a client's own memory its address */
    u32 gpu, flags;
};

struct kfd_arg_handle {
    u64 handle;
};

struct kfd_arg_map {
    u64 handle, gpus;
    u32 count, done;
};

struct kfd_arg_available {
    u64 bytes; /* out */
    u32 gpu, pad;
};

struct kfd_arg_xnack {
    i32 mode; /* below 0: only asked */
};

#define KFD_GET_VERSION     _IOR(KFD_TYPE, 0x01, struct kfd_arg_version)
#define KFD_CREATE_QUEUE    _IOWR(KFD_TYPE, 0x02, struct kfd_arg_create_queue)
#define KFD_DESTROY_QUEUE   _IOWR(KFD_TYPE, 0x03, struct kfd_arg_id)
#define KFD_MEMORY_POLICY   _IOW(KFD_TYPE, 0x04, struct kfd_arg_memory_policy)
#define KFD_GET_CLOCKS      _IOWR(KFD_TYPE, 0x05, struct kfd_arg_clocks)
#define KFD_UPDATE_QUEUE    _IOW(KFD_TYPE, 0x07, struct kfd_arg_update_queue)
#define KFD_CREATE_EVENT    _IOWR(KFD_TYPE, 0x08, struct kfd_arg_create_event)
#define KFD_DESTROY_EVENT   _IOW(KFD_TYPE, 0x09, struct kfd_arg_id)
#define KFD_SET_EVENT       _IOW(KFD_TYPE, 0x0a, struct kfd_arg_id)
#define KFD_RESET_EVENT     _IOW(KFD_TYPE, 0x0b, struct kfd_arg_id)
#define KFD_WAIT_EVENTS     _IOWR(KFD_TYPE, 0x0c, struct kfd_arg_wait)
#define KFD_SCRATCH_BACKING _IOWR(KFD_TYPE, 0x11, struct kfd_arg_scratch)
#define KFD_GET_TILING      _IOWR(KFD_TYPE, 0x12, struct kfd_arg_tiling)
#define KFD_TRAP_HANDLER    _IOW(KFD_TYPE, 0x13, struct kfd_arg_trap_handler)
#define KFD_GET_APERTURES   _IOWR(KFD_TYPE, 0x14, struct kfd_arg_apertures)
#define KFD_ACQUIRE_VM      _IOW(KFD_TYPE, 0x15, struct kfd_arg_acquire)
#define KFD_ALLOC_MEMORY    _IOWR(KFD_TYPE, 0x16, struct kfd_arg_alloc)
#define KFD_FREE_MEMORY     _IOW(KFD_TYPE, 0x17, struct kfd_arg_handle)
#define KFD_MAP_MEMORY      _IOWR(KFD_TYPE, 0x18, struct kfd_arg_map)
#define KFD_UNMAP_MEMORY    _IOWR(KFD_TYPE, 0x19, struct kfd_arg_map)
#define KFD_CU_MASK         _IOW(KFD_TYPE, 0x1a, struct kfd_arg_cu_mask)
#define KFD_XNACK_MODE      _IOWR(KFD_TYPE, 0x21, struct kfd_arg_xnack)
#define KFD_AVAILABLE       _IOWR(KFD_TYPE, 0x23, struct kfd_arg_available)

#endif
