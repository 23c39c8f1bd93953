/* What lanes send and are sent, piece by piece; and the end of a program that sends what it must not. */
#include "harness/launch/host/rpc_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

enum rpc_answer rpc_refuse(struct rpc *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->why, sizeof r->why, format, args);
    va_end(args);
    r->has_ended = r->is_refused = true;
    return RPC_REFUSED;
}

FILE *rpc_text(const struct rpc *r, bool is_error)
{
    return is_error ? r->error : r->out;
}

enum rpc_answer rpc_take_streams(struct rpc *r, struct rpc_port *p)
{
    enum { TAG = 3, STDOUT = 2, STDERR = 3 };
    for (u64 left = p->lanes; left; left &= left - 1) {
        u32 lane = ctz64(left), tag = p->packet[lane][0] & TAG;
        if (tag != STDOUT && tag != STDERR)
            return rpc_refuse(r, "a stream that is neither standard output nor standard error");
        p->count |= (u64)(tag == STDERR) << lane;
    }
    return RPC_MORE;
}

/* What of it is in this packet: behind the number in the first one. */
static u64 part_of(const struct rpc_piece *piece, u32 lane, u64 room)
{
    u64 left = piece->size[lane] > piece->at ? piece->size[lane] - piece->at : 0;
    return left < room ? left : room;
}

static bool is_whole(const struct rpc_piece *piece, u64 lanes)
{
    for (; lanes; lanes &= lanes - 1)
        if (piece->size[ctz64(lanes)] > piece->at)
            return false;
    return true;
}

static bool take_size(struct rpc *r, struct rpc_piece *piece, u32 lane, u64 size)
{
    if (size > RPC_PIECE_MAX) {
        rpc_refuse(r, "a lane sends %" PRIu64 " bytes, more than %d", size, RPC_PIECE_MAX);
        return false;
    }
    piece->size[lane] = size;
    piece->bytes[lane] = calloc(1, size + 1);
    if (!piece->bytes[lane])
        rpc_refuse(r, "out of memory");
    return piece->bytes[lane] != NULL;
}

enum rpc_answer rpc_take(struct rpc *r, struct rpc_port *p, struct rpc_piece *piece, u64 lanes)
{
    u64 head = piece->at ? 0 : 8;
    for (u64 left = lanes; left; left &= left - 1) {
        u32 lane = ctz64(left);
        if (head && !take_size(r, piece, lane, p->packet[lane][0]))
            return RPC_REFUSED;
        u64 part = part_of(piece, lane, RPC_PACKET_BYTES - head);
        if (part)
            memcpy(piece->bytes[lane] + piece->at, &p->packet[lane][head / 8], part);
    }
    piece->at += RPC_PACKET_BYTES - head;
    return is_whole(piece, lanes) ? RPC_DONE : RPC_MORE;
}

bool rpc_give(struct rpc_port *p, struct rpc_piece *piece)
{
    u64 head = piece->at ? 0 : 8;
    for (u64 left = p->lanes; left; left &= left - 1) {
        u32 lane = ctz64(left);
        u64 part = part_of(piece, lane, RPC_PACKET_BYTES - head);
        if (head)
            p->packet[lane][0] = piece->size[lane];
        if (part)
            memcpy(&p->packet[lane][head / 8], piece->bytes[lane] + piece->at, part);
    }
    piece->at += RPC_PACKET_BYTES - head;
    return is_whole(piece, p->lanes);
}

void rpc_piece_close(struct rpc_piece *piece)
{
    for (u32 i = 0; i < LANES; i++)
        free(piece->bytes[i]);
    *piece = (struct rpc_piece){ .at = 0 };
}
