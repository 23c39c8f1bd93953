/* Shared by the files of the calls: ports, and the pieces that lanes send. */
#ifndef HARNESS_LAUNCH_HOST_RPC_INTERNAL_H
#define HARNESS_LAUNCH_HOST_RPC_INTERNAL_H

#include "harness/launch/host/rpc.h"

enum {
    RPC_PORTS = 64,
    RPC_WORDS = 8, /* of 8 bytes, of a packet of one lane */
    RPC_PACKET_BYTES = RPC_WORDS * 8,
    RPC_PIECE_MAX = 1 << 24 /* bytes that a lane may send as one */
};

/* The shared memory. A port is the host's while its two words differ. */
struct rpc_area {
    u32 to_client[RPC_PORTS], to_host[RPC_PORTS];
    struct {
        u64 lanes;
        u32 opcode; /* LLVM 19 writes 16 bits of it */
        u32 unused;
    } header[RPC_PORTS];
    u64 packet[RPC_PORTS][LANES][RPC_WORDS];
};

/* Bytes that lanes send or are sent in several packets; the first begins with how many. */
struct rpc_piece {
    u8 *bytes[LANES]; /* of those that came one is more, and 0 */
    u64 size[LANES];
    u64 at; /* of these, so many have passed */
};

struct rpc_print;

/* A call under way. */
struct rpc_port {
    bool is_open;
    u32 opcode;
    u32 step; /* packets so far */
    u64 lanes;
    u64 (*packet)[RPC_WORDS]; /* of each lane */
    struct rpc_piece piece;
    u64 count; /* lanes that mean standard error, by bit; or where a test of LLVM's stands */
    struct rpc_print *print;
};

struct rpc {
    FILE *out, *error;
    struct rpc_area *area;
    u8 *memory;
    u64 memory_used;
    struct rpc_port port[RPC_PORTS];
    bool is_wide; /* opcodes are 32 bits, the upper 8 of them say whose */
    bool has_ended, is_refused;
    int status;
    char why[160];
};

/* What a packet came to; the port goes back to the program in any case. */
enum rpc_answer { RPC_MORE, RPC_DONE, RPC_REFUSED };

enum rpc_opcode {
    RPC_NOOP,
    RPC_EXIT,
    RPC_WRITE_TO_STDOUT,
    RPC_WRITE_TO_STDERR,
    RPC_WRITE_TO_STREAM,
    RPC_WRITE_TO_STDOUT_NEWLINE,
    RPC_READ_FROM_STREAM,
    RPC_READ_FGETS,
    RPC_OPEN_FILE,
    RPC_CLOSE_FILE,
    RPC_MALLOC,
    RPC_FREE,
    RPC_HOST_CALL,
    RPC_ABORT,
    RPC_FEOF,
    RPC_FERROR,
    RPC_CLEARERR,
    RPC_FSEEK,
    RPC_FTELL,
    RPC_FFLUSH,
    RPC_UNGETC,
    RPC_PRINTF_TO_STDOUT,
    RPC_PRINTF_TO_STDERR,
    RPC_PRINTF_TO_STREAM,
    RPC_PRINTF_TO_STDOUT_PACKED,
    RPC_PRINTF_TO_STDERR_PACKED,
    RPC_PRINTF_TO_STREAM_PACKED,
    RPC_REMOVE,
    RPC_RENAME,
    RPC_SYSTEM,
    RPC_OPCODES,
    /* Of LLVM's own tests. */
    RPC_TEST_NOOP = 1 << 15,
    RPC_TEST_INCREMENT,
    RPC_TEST_INTERFACE,
    RPC_TEST_STREAM
};

/* A packet of a piece that comes; RPC_DONE with the last one. A lane that sends more than
 * RPC_PIECE_MAX, or memory that is short, ends the program. */
enum rpc_answer rpc_take(struct rpc *r, struct rpc_port *p, struct rpc_piece *piece, u64 lanes);
/* The same of one that goes; true with the last packet. */
bool rpc_give(struct rpc_port *p, struct rpc_piece *piece);
void rpc_piece_close(struct rpc_piece *piece);

/* The program cannot go on. */
enum rpc_answer rpc_refuse(struct rpc *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A packet that says which stream is meant, in the low two bits of what a program knows as a FILE:
 * lanes that mean standard error, by bit, in p->count. */
enum rpc_answer rpc_take_streams(struct rpc *r, struct rpc_port *p);
FILE *rpc_text(const struct rpc *r, bool is_error);

/* printf: rpc_print.c. */
enum rpc_answer rpc_print(struct rpc *r, struct rpc_port *p);
void rpc_print_close(struct rpc_print *print);

#endif
