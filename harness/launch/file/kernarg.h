/* The kernarg segment: explicit arguments from launch.txt, hidden ones from the launch itself, at
 * the offsets of the code object's metadata. Also decides where buffers lie in GPU memory and how
 * LDS is divided. */
#ifndef HARNESS_LAUNCH_FILE_KERNARG_H
#define HARNESS_LAUNCH_FILE_KERNARG_H

#include "harness/codeobj/codeobj.h"
#include "harness/launch/file/file.h"

/* GPU addresses, bytes. All above 4 GiB, so that code which loses the high half of an address is
 * caught. */
#define GPU_CODE_BASE        0x100000000ull /* the code object's address 0 */
#define GPU_PACKET_ADDRESS   0x200000000ull /* the dispatch packet */
#define GPU_QUEUE_ADDRESS    0x200100000ull /* the queue; nothing is mapped there */
#define GPU_DEVICE_QUEUE     0x200140000ull /* unmapped: who goes there calls enqueue_kernel */
#define GPU_DESCRIPTORS      0x200180000ull /* of images and samplers, DESCRIPTOR_BYTES each */
#define GPU_KERNARG_ADDRESS  0x200200000ull
#define GPU_PRINTF_ADDRESS   0x210000000ull /* what harness/launch/host/host.c answers */
#define GPU_HOSTCALL_ADDRESS 0x220000000ull
#define GPU_HEAP_ADDRESS     0x230000000ull
#define GPU_MEMORY_ADDRESS   0x240000000ull
#define GPU_RPC_ADDRESS      0x260000000ull /* what harness/launch/host/rpc.c answers */
#define GPU_RPC_MEMORY       0x261000000ull
#define GPU_SCRATCH_BASE     0x280000000ull /* of a work-group */
#define GPU_BUFFER_BASE      0x300000000ull

enum {
    DEVICE_QUEUE_SIZE = 65536, /* bytes at GPU_DEVICE_QUEUE */
    BUFFER_ALIGN = 4096,
    BUFFER_GUARD = 65536, /* unmapped bytes between two buffers, at least */
    LOCAL_ALIGN = 16
};

struct kernarg {
    const struct isa_target *target;
    u8 *bytes;       /* of the segment, at GPU_KERNARG_ADDRESS */
    u32 size;        /* bytes; the allocation continues with zeroes to a multiple of 16 */
    u64 *addresses;  /* of each launch argument that is a buffer; 0 for the others */
    u8 *descriptors; /* of images and samplers, at GPU_DESCRIPTORS; NULL if there are none */
    u32 descriptor_count;
    u32 lds_size;    /* bytes a work-group has: fixed and dynamic */
    u32 dynamic_lds; /* bytes of it that are dynamic */
};

/* Checks that the launch fits the kernel (work-group size, count, kind and size of the arguments)
 * and fills *out, which the caller closes after success. On failure e->file and e->line point into
 * launch.txt. target: the processor, which descriptors of images depend on. */
enum status kernarg_build(const struct codeobj_kernel *k, const struct launch *l,
                          const struct isa_target *target, struct kernarg *out, struct err *e);

/* Dimensions of the grid, 1 to 3, as the dispatch packet states them. */
u32 launch_dims(const struct launch *l);

/* Frees everything. A zeroed *k may be closed. */
void kernarg_close(struct kernarg *k);

#endif
