/* What the buffers of host.h look like: for host.c, and for a fuzzer that fills them. */
#ifndef HARNESS_LAUNCH_HOST_HOST_INTERNAL_H
#define HARNESS_LAUNCH_HOST_HOST_INTERNAL_H

#include "harness/launch/host/host.h"

enum {
    HOST_PRINTF_SIZE = 1 << 20, /* bytes of the printf buffer; records begin at byte 8 */
    HOST_PACKETS_LOG = 5,       /* of hostcalls under way: more than waves of a work-group */
    HOST_PACKETS = 1 << HOST_PACKETS_LOG,
    HOST_SLOTS = 8, /* of 8 bytes for each lane */
    HOST_MESSAGES = 4096
};

/* The hostcall buffer as ROCm's device libraries know it. Stacks hold the index of a packet in
 * their low HOST_PACKETS_LOG bits and a number that changes above; 0 is the end. */
struct hostcall {
    u64 headers, payloads; /* addresses */
    u64 doorbell;
    u64 free_stack, ready_stack;
    u64 index_mask;
    struct {
        i64 kind, value;
        u64 mailbox; /* where the number of the event is written; then an interrupt is sent */
        u32 event, reserved[9];
    } signal;
    u64 mailbox;
    struct {
        u64 next, exec;
        u32 service, control; /* bit 0: under way */
    } header[HOST_PACKETS];
    u64 payload[HOST_PACKETS][LANES][HOST_SLOTS];
};

struct host_message {
    u8 *bytes;
    size_t size;
    bool in_use;
};

struct host {
    FILE *out;
    u8 *printf_buffer; /* NULL: not asked for, as the others */
    struct hostcall *call;
    u8 *heap;
    u8 *memory;
    u64 memory_used; /* bytes */
    struct host_message message[HOST_MESSAGES];
};

/* What the printf buffer holds where no record was written. */
void host_fill_unwritten(u8 *at, u32 size);

#endif
