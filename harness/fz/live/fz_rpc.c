/* What kernels ask of the host while they run. The first byte chooses:
 *
 *   0  calls of LLVM's libc with opcodes of 16 bits, 1 of 32: packets one behind the other
 *   2  hostcalls of HIP: packets, too
 *   3  the printf buffer of OpenCL: lines with formats as metadata has them, a zero byte, the buffer
 *
 * A packet begins with 8 bytes: the port, or the number of the packet; lanes, of which the low four
 * bits are the first and the others the last ones of a wave; what differs (DOORBELL, ODD); which is
 * the next one; the opcode, or the service. 64 bytes of each of these lanes follow. */
#include "harness/codeobj/internal.h"
#include "harness/fz/fz.h"
#include "harness/launch/host/host_internal.h"
#include "harness/launch/host/rpc_internal.h"

#include <stdlib.h>

enum {
    KINDS = 4,
    PACKETS_MAX = 64,
    HEAD_BYTES = 8,
    DOORBELL = 1, /* a hostcall: the host is told of those that are ready */
    ODD = 2       /* a call: the port's word is the next byte; a hostcall: is there twice */
};

/* A packet of the input. */
struct asked {
    u8 where, how, next;
    u32 opcode;
    u64 lanes;
    const u8 *lane[LANES]; /* 64 bytes each; NULL: none */
};

static struct rpc *rpc;
static struct host host;
static struct wave wave;

void fz_open(void)
{
    struct err e;
    FILE *sink = fz_sink();
    if (rpc_open(&rpc, sink, sink, &e) != ST_OK)
        fz_broken("there is memory", e.text);
    host.out = sink;
    host.printf_buffer = malloc(HOST_PRINTF_SIZE);
    host.call = calloc(1, sizeof *host.call);
    if (!host.printf_buffer || !host.call)
        fz_broken("there is memory", "none");
}

/* The next packet; false behind the last. */
static bool take(const u8 **data, size_t *size, struct asked *a)
{
    const u8 *d = *data;
    if (*size < HEAD_BYTES)
        return false;
    *a = (struct asked){
        .where = d[0], .how = d[2], .next = d[3], .lanes = (d[1] & 15u) | (u64)(d[1] >> 4) << 60
    };
    memcpy(&a->opcode, d + 4, sizeof a->opcode);
    size_t at = HEAD_BYTES;
    for (u64 left = a->lanes; left; left &= left - 1, at += RPC_PACKET_BYTES)
        a->lane[ctz64(left)] = at + RPC_PACKET_BYTES <= *size ? d + at : NULL;
    at = at < *size ? at : *size;
    *data += at;
    *size -= at;
    return true;
}

/* ---- LLVM's libc ---- */

static void send(const struct asked *a)
{
    u32 port = a->where % RPC_PORTS;
    struct rpc_area *area = rpc->area;
    area->header[port].lanes = a->lanes;
    area->header[port].opcode = a->opcode;
    for (u32 lane = 0; lane < LANES; lane++)
        if (a->lane[lane])
            memcpy(area->packet[port][lane], a->lane[lane], RPC_PACKET_BYTES);
    area->to_host[port] = a->how & ODD ? a->next : area->to_host[port] ^ 1;
}

static void forget_calls(void)
{
    memset(rpc->area, 0, sizeof *rpc->area);
    for (u32 i = 0; i < RPC_PORTS; i++) {
        rpc_piece_close(&rpc->port[i].piece);
        rpc_print_close(rpc->port[i].print);
        rpc->port[i] = (struct rpc_port){ .is_open = false };
    }
    rpc->memory_used = 0;
    rpc->has_ended = rpc->is_refused = false;
}

static bool call(const u8 *data, size_t size, bool is_wide)
{
    struct asked a;
    struct err e = { .text = "" };
    int status;
    const char *why;
    u32 count = 0;
    rpc->is_wide = is_wide;
    while (count < PACKETS_MAX && !rpc_has_ended(rpc, &status, &why) && take(&data, &size, &a)) {
        send(&a);
        bool has_served = rpc_serve(rpc);
        if (!has_served &&
            rpc->area->to_host[a.where % RPC_PORTS] != rpc->area->to_client[a.where % RPC_PORTS])
            fz_broken("a packet is answered", "it stays");
        count += has_served;
    }
    if (rpc_has_ended(rpc, &status, &why) && why) {
        err_set(&e, ST_INPUT, "%s", why);
        fz_check_message(&e);
    }
    forget_calls();
    return count > 0;
}

/* ---- HIP ---- */

static void forget_hostcalls(void)
{
    memset(host.call, 0, sizeof *host.call);
    for (u32 i = 0; i < COUNT_OF(host.message); i++)
        free(host.message[i].bytes);
    memset(host.message, 0, sizeof host.message);
    host.memory_used = 0;
    wave.stop = STOP_NONE;
    wave.why[0] = '\0';
}

static bool hostcall(const u8 *data, size_t size)
{
    struct asked a;
    struct hostcall *c = host.call;
    struct err e = { .text = "" };
    u32 count = 0;
    bool is_served = false;
    host_attach(&host, &wave);
    while (count < PACKETS_MAX && wave.stop == STOP_NONE && take(&data, &size, &a)) {
        u32 index = a.where % HOST_PACKETS;
        c->header[index].next = a.how & ODD ? a.next : c->ready_stack;
        c->header[index].exec = a.lanes;
        c->header[index].service = a.opcode;
        c->header[index].control = 1;
        c->ready_stack = index | HOST_PACKETS;
        for (u32 lane = 0; lane < LANES; lane++)
            if (a.lane[lane])
                memcpy(c->payload[index][lane], a.lane[lane], sizeof c->payload[index][lane]);
        count++;
        if (!(a.how & DOORBELL))
            continue;
        wave.interrupt(wave.interrupt_arg, &wave);
        if (c->header[index].control & 1)
            fz_broken("a packet is answered", "it stays");
        is_served |= wave.stop == STOP_NONE;
    }
    if (wave.stop != STOP_NONE) {
        err_set(&e, ST_INPUT, "%s", wave.why);
        fz_check_message(&e);
    }
    forget_hostcalls();
    return is_served;
}

/* ---- OpenCL ---- */

static bool records(const u8 *data, size_t size)
{
    struct codeobj co = { .base = 0 };
    struct err e = { .text = "" };
    const char *why = NULL;
    const u8 *end = memchr(data, 0, size);
    const char *at = (const char *)data;
    u32 used = end ? (u32)(data + size - end - 1) : 0;
    used = used < HOST_PRINTF_SIZE - 8 ? used : HOST_PRINTF_SIZE - 8;
    for (size_t len; end && at < (const char *)end; at += len + 1) {
        len = strcspn(at, "\n");
        if (codeobj_printf_add(&co, at, len, &e) != ST_OK)
            fz_check_message(&e);
    }
    host_fill_unwritten(host.printf_buffer + 8, HOST_PRINTF_SIZE - 8);
    if (used)
        memcpy(host.printf_buffer + 8, end + 1, used);
    memcpy(host.printf_buffer, &used, sizeof used);
    bool is_ok = host_drain(&host, &co, &why);
    if (!is_ok) {
        err_set(&e, ST_INPUT, "%s", why);
        fz_check_message(&e);
    }
    memcpy(&used, host.printf_buffer, sizeof used);
    if (used)
        fz_broken("the buffer is empty behind it", "it is not");
    bool is_any = is_ok && co.printf_count;
    codeobj_printf_close(&co);
    return is_any;
}

bool fz_one(const u8 *data, size_t size)
{
    if (size < 1)
        return false;
    switch (data[0] % KINDS) {
    case 0:
    case 1: return call(data + 1, size - 1, data[0] % KINDS == 1);
    case 2: return hostcall(data + 1, size - 1);
    default: return records(data + 1, size - 1);
    }
}
