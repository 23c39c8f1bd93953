#include "harness/launch/host/rpc_internal.h"

#include "harness/launch/file/kernarg.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MEMORY_SIZE = 256 << 20, /* of malloc; nothing is used again */
    MEMORY_ALIGN = 16,
    LOCK_WORDS = 128 /* of a client: a bit for each of the most ports that it can have */
};

/* What a program knows of it. */
struct rpc_client {
    u32 ports, unused;
    u64 inbox, outbox, headers, packets;
    u32 lock[LOCK_WORDS];
};

enum status rpc_open(struct rpc **out, FILE *text, FILE *error, struct err *e)
{
    struct rpc *r = *out = calloc(1, sizeof *r);
    if (!r)
        return err_memory(e);
    r->out = text;
    r->error = error;
    r->area = calloc(1, sizeof *r->area);
    r->memory = calloc(1, MEMORY_SIZE);
    if (r->area && r->memory)
        return ST_OK;
    rpc_close(r);
    *out = NULL;
    return err_memory(e);
}

static void close_port(struct rpc_port *p)
{
    rpc_piece_close(&p->piece);
    rpc_print_close(p->print);
    *p = (struct rpc_port){ .is_open = false };
}

void rpc_close(struct rpc *r)
{
    if (!r)
        return;
    for (u32 i = 0; i < RPC_PORTS; i++)
        close_port(&r->port[i]);
    free(r->area);
    free(r->memory);
    free(r);
}

/* --- the program's side --- */

/* Bytes of the image behind a GPU address; NULL if there are not `size` of them. */
static u8 *image_at(struct codeobj *co, u64 address, u64 size)
{
    u64 at = address - co->base - co->image_lo;
    return at <= co->image_size && size <= co->image_size - at ? co->image + at : NULL;
}

enum status rpc_connect(struct rpc *r, struct codeobj *co, struct err *e)
{
    struct codeobj_symbol s;
    u64 at = GPU_RPC_ADDRESS, address = 0;
    struct rpc_client client = { .ports = RPC_PORTS,
                                 .inbox = at + offsetof(struct rpc_area, to_client),
                                 .outbox = at + offsetof(struct rpc_area, to_host),
                                 .headers = at + offsetof(struct rpc_area, header),
                                 .packets = at + offsetof(struct rpc_area, packet) };
    if (codeobj_symbol(co, "__llvm_rpc_client", &s)) {
        r->is_wide = true;
        address = co->base + s.vaddr;
    } else if (codeobj_symbol(co, "__llvm_libc_rpc_client", &s)) {
        const u8 *pointer = image_at(co, co->base + s.vaddr, sizeof address);
        if (pointer)
            memcpy(&address, pointer, sizeof address);
    } else {
        return ST_OK;
    }
    u8 *to = image_at(co, address, sizeof client);
    if (!to || (r->is_wide && s.size < sizeof client))
        return err_set(e, ST_INPUT, "%s: its client has no %zu bytes in the program", s.name,
                       sizeof client);
    memcpy(to, &client, sizeof client);
    return ST_OK;
}

enum status rpc_map(struct rpc *r, struct machine *m, struct err *e)
{
    if (!r)
        return ST_OK;
    enum status st = machine_window(m, GPU_RPC_ADDRESS, r->area, sizeof *r->area, false, e);
    return st == ST_OK ? machine_window(m, GPU_RPC_MEMORY, r->memory, MEMORY_SIZE, false, e) : st;
}

/* --- calls --- */

/* The text of each lane, in the order of the lanes; answered with the bytes written. */
static enum rpc_answer write_text(struct rpc *r, struct rpc_port *p)
{
    enum rpc_answer got = rpc_take(r, p, &p->piece, p->lanes);
    if (got != RPC_DONE)
        return got;
    for (u64 left = p->lanes; left; left &= left - 1) {
        u32 lane = ctz64(left);
        FILE *f = rpc_text(r, p->opcode == RPC_WRITE_TO_STDERR || p->count >> lane & 1);
        u64 size = p->piece.size[lane], written = fwrite(p->piece.bytes[lane], 1, size, f);
        if (p->opcode == RPC_WRITE_TO_STDOUT_NEWLINE && written == size)
            written += fputc('\n', f) != EOF;
        p->packet[lane][0] = written;
    }
    return RPC_DONE;
}

/* What there is to ask of standard output and error has one answer. */
static enum rpc_answer ask_streams(struct rpc *r, struct rpc_port *p)
{
    if (rpc_take_streams(r, p) == RPC_REFUSED)
        return RPC_REFUSED;
    for (u64 left = p->lanes; left; left &= left - 1)
        p->packet[ctz64(left)][0] = 0;
    return RPC_DONE;
}

static enum rpc_answer allocate(struct rpc *r, struct rpc_port *p)
{
    for (u64 left = p->lanes; left; left &= left - 1) {
        u64 *packet = p->packet[ctz64(left)], size = packet[0];
        packet[0] = 0;
        if (size > MEMORY_SIZE - r->memory_used)
            continue; /* a null pointer, as malloc has it */
        packet[0] = GPU_RPC_MEMORY + r->memory_used;
        r->memory_used += (size + MEMORY_ALIGN - 1) & ~(u64)(MEMORY_ALIGN - 1);
    }
    return RPC_DONE;
}

/* The first packet is answered, so that the program knows of a host; the second one is final. */
static enum rpc_answer leave(struct rpc *r, struct rpc_port *p)
{
    if (p->step == 0)
        return RPC_MORE;
    if (p->opcode == RPC_ABORT)
        return rpc_refuse(r, "abort was called");
    r->has_ended = true;
    r->status = (int)(u32)p->packet[ctz64(p->lanes)][0];
    return RPC_DONE;
}

/* LLVM's test of the order of packets: what comes in is 1 larger in what goes out. Its first packet
 * says whether the last one comes. */
static enum rpc_answer test_order(struct rpc_port *p)
{
    /* Of each packet: whether it brings a number, whether it takes one. */
    static const struct {
        bool comes, goes;
    } order[] = { { true, false }, { true, true },  { true, true }, { true, false },
                  { true, true },  { false, true }, { true, false } };
    bool is_last = p->step + 1 == COUNT_OF(order);
    bool ends_coming = p->count & 1;
    u64 count = p->count >> 1;
    for (u64 left = p->lanes; left; left &= left - 1) {
        u64 *packet = p->packet[ctz64(left)];
        bool comes = is_last ? ends_coming : order[p->step].comes;
        if (p->step == 0)
            ends_coming = packet[0] & 0xff;
        else if (comes)
            count = packet[0];
        if (order[p->step].goes || (is_last && !ends_coming))
            packet[0] = ++count;
    }
    p->count = count << 1 | ends_coming;
    return is_last ? RPC_DONE : RPC_MORE;
}

/* What is sent comes back. */
static enum rpc_answer test_piece(struct rpc *r, struct rpc_port *p)
{
    if (!p->count) {
        enum rpc_answer got = rpc_take(r, p, &p->piece, p->lanes);
        if (got != RPC_DONE)
            return got;
        p->count = 1;
        p->piece.at = 0;
    }
    return rpc_give(p, &p->piece) ? RPC_DONE : RPC_MORE;
}

static enum rpc_answer refuse_call(struct rpc *r, const struct rpc_port *p)
{
    static const char *const names[RPC_OPCODES] = {
        [RPC_READ_FROM_STREAM] = "read",   [RPC_READ_FGETS] = "fgets", [RPC_OPEN_FILE] = "fopen",
        [RPC_CLOSE_FILE] = "fclose",       [RPC_FSEEK] = "fseek",      [RPC_FTELL] = "ftell",
        [RPC_HOST_CALL] = "host function", [RPC_UNGETC] = "ungetc",    [RPC_REMOVE] = "remove",
        [RPC_RENAME] = "rename",           [RPC_SYSTEM] = "system"
    };
    const char *name = p->opcode < RPC_OPCODES ? names[p->opcode] : NULL;
    return rpc_refuse(r, "call %u%s%s%s: no host answers it", p->opcode, name ? " (" : "",
                      name ? name : "", name ? ")" : "");
}

static enum rpc_answer answer(struct rpc *r, struct rpc_port *p)
{
    switch (p->opcode) {
    case RPC_EXIT:
    case RPC_ABORT: return leave(r, p);
    case RPC_WRITE_TO_STREAM: return p->step ? write_text(r, p) : rpc_take_streams(r, p);
    case RPC_WRITE_TO_STDOUT:
    case RPC_WRITE_TO_STDERR:
    case RPC_WRITE_TO_STDOUT_NEWLINE: return write_text(r, p);
    case RPC_MALLOC: return allocate(r, p);
    case RPC_FEOF:
    case RPC_FERROR:
    case RPC_CLEARERR:
    case RPC_FFLUSH: return ask_streams(r, p);
    case RPC_PRINTF_TO_STDOUT:
    case RPC_PRINTF_TO_STDERR:
    case RPC_PRINTF_TO_STREAM:
    case RPC_PRINTF_TO_STDOUT_PACKED:
    case RPC_PRINTF_TO_STDERR_PACKED:
    case RPC_PRINTF_TO_STREAM_PACKED: return rpc_print(r, p);
    case RPC_TEST_INCREMENT:
        for (u64 left = p->lanes; left; left &= left - 1)
            p->packet[ctz64(left)][0]++;
        return RPC_DONE;
    case RPC_TEST_INTERFACE: return test_order(p);
    case RPC_TEST_STREAM: return test_piece(r, p);
    case RPC_NOOP:
    case RPC_TEST_NOOP:
    case RPC_FREE: return RPC_DONE;
    default: return refuse_call(r, p);
    }
}

/* The opcode without the letter that LLVM 20 on has above it. */
static u32 opcode_at(const struct rpc *r, u32 index)
{
    u32 opcode = r->area->header[index].opcode;
    return !r->is_wide ? opcode & 0xffff : opcode >> 24 == 'c' ? opcode & 0xffffff : opcode;
}

static void serve_port(struct rpc *r, u32 index)
{
    struct rpc_port *p = &r->port[index];
    if (!p->is_open)
        *p = (struct rpc_port){ .is_open = true,
                                .opcode = opcode_at(r, index),
                                .lanes = r->area->header[index].lanes,
                                .packet = r->area->packet[index] };
    u32 word = r->area->to_host[index];
    enum rpc_answer got =
        word < 2 && p->lanes
            ? answer(r, p)
            : rpc_refuse(r, "port %u holds 0x%x, for lanes 0x%" PRIx64, index, word, p->lanes);
    p->step++;
    if (got != RPC_MORE)
        close_port(p);
    r->area->to_client[index] ^= 1;
}

bool rpc_serve(struct rpc *r)
{
    bool has_served = false;
    for (u32 i = 0; r && i < RPC_PORTS && !r->has_ended; i++)
        if (r->area->to_client[i] != r->area->to_host[i]) {
            serve_port(r, i);
            has_served = true;
        }
    return has_served;
}

bool rpc_has_ended(const struct rpc *r, int *status, const char **why)
{
    *status = r ? r->status : 0;
    *why = r && r->is_refused ? r->why : NULL;
    return r && r->has_ended;
}
