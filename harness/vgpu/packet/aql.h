/* AQL, the packets of user-mode queues: names, decoding with every check that can be made without
 * executing, printing; and the memory that queues, signals and kernels share with the card. HSA
 * Platform System Architecture, section "Architected Queuing Language"; LLVM's AMDGPU guide, "Kernel
 * Descriptor" and "Kernel Dispatch". */
#ifndef HARNESS_VGPU_PACKET_AQL_H
#define HARNESS_VGPU_PACKET_AQL_H

#include "oracle/base/base.h"

enum { AQL_BYTES = 64, AQL_DW = 16, AQL_DEPENDENCIES = 5, AQL_IB_DW = 4 };

enum aql_type {
    AQL_VENDOR,
    AQL_INVALID, /* nothing stands there yet */
    AQL_DISPATCH,
    AQL_BARRIER_AND,
    AQL_AGENT_DISPATCH,
    AQL_BARRIER_OR
};

/* Vendor packets: what they are. */
enum aql_format { AQL_PM4_IB = 1, AQL_BARRIER_VALUE = 2 };

struct aql_packet {
    u8 type;    /* enum aql_type */
    u8 format;  /* AQL_VENDOR: enum aql_format */
    u64 signal; /* handle of what is told of its end; 0: nothing */
    /* AQL_DISPATCH */
    u32 group[3], grid[3];
    u32 private_bytes, group_bytes;
    u64 kernel, kernarg;
    /* barriers */
    u64 dependency[AQL_DEPENDENCIES];
    u64 value, mask; /* AQL_BARRIER_VALUE, with dependency[0] */
    u32 condition;
    u32 ib[AQL_IB_DW]; /* AQL_PM4_IB: a packet of PM4 that calls a buffer */
};

/* Bits of an error in a queue, as its inactive signal holds them. */
enum {
    AQL_ERROR_SCRATCH = 1, /* more private memory is needed; goes on when the signal is 0 */
    AQL_ERROR_DIMENSIONS = 2,
    AQL_ERROR_GROUP_MEMORY = 4,
    AQL_ERROR_CODE = 8,
    AQL_ERROR_PACKET = 32,
    AQL_ERROR_GROUP_SIZE = 64,
    AQL_ERROR_VGPRS = 128,
    AQL_ERROR_VENDOR = 256,
    AQL_ERROR_SCRATCH_ONCE = 512, /* private memory that was for one dispatch is no longer needed */
    AQL_ERROR_APERTURE = 0x20000000,
    AQL_ERROR_INSTRUCTION = 0x40000000
};
#define AQL_ERROR_TRAP 0x80000000u

/* A queue's own record in memory (amd_queue_t): bytes from its beginning. */
enum {
    AQL_QUEUE_WRITE_INDEX = 56,
    AQL_QUEUE_READ_INDEX = 128,
    AQL_QUEUE_TMPRING = 140,
    AQL_QUEUE_SCRATCH_BUFFER = 144, /* four dwords */
    AQL_QUEUE_SCRATCH_BASE = 160,
    AQL_QUEUE_SCRATCH_LANE = 176, /* bytes of a lane of a wave of 64 */
    AQL_QUEUE_PROPERTIES = 180,
    AQL_QUEUE_INACTIVE = 192, /* a signal */
    AQL_QUEUE_RECORD = 256,
    AQL_PROPERTY_PROFILING = 1 << 3,
    AQL_PROPERTY_SCRATCH_ONCE = 1 << 4
};

/* A signal (amd_signal_t). */
enum {
    AQL_SIGNAL_KIND = 0,
    AQL_SIGNAL_VALUE = 8,
    AQL_SIGNAL_MAILBOX = 16,
    AQL_SIGNAL_EVENT = 24,
    AQL_SIGNAL_START = 32,
    AQL_SIGNAL_END = 40,
    AQL_SIGNAL_BYTES = 64,
    AQL_SIGNAL_USER = 1 /* a kind: one with a value */
};

/* What a command processor reads of a kernel's descriptor. */
enum {
    AQL_KERNEL_ENTRY = 16,
    AQL_KERNEL_RSRC1 = 48,
    AQL_KERNEL_RSRC2 = 52,
    AQL_KERNEL_PROPERTIES = 56,
    AQL_KERNEL_BYTES = 64
};

/* Decodes the packet at dw. ST_INPUT: it is none, and *error is its bit: an unknown type, a bit set
 * that must not be, sizes that no packet has. */
enum status aql_decode(const u32 dw[AQL_DW], struct aql_packet *p, u32 *error, struct err *e);

/* A packet on one line. */
void aql_print(const struct aql_packet *p, struct text *t);

#endif
