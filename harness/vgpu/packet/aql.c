#include "harness/vgpu/packet/aql.h"

#include <inttypes.h>

static u64 pair(const u32 *dw)
{
    return dw[0] | (u64)dw[1] << 32;
}

static enum status refuse(u32 *error, u32 bit, struct err *e, const char *what, u32 value)
{
    *error = bit;
    return err_set(e, ST_INPUT, "%s = 0x%x", what, value);
}

/* Scopes of the fences, which are 0 to 2. */
static enum status check_header(u32 header, u32 *error, struct err *e)
{
    if (header >> 13)
        return refuse(error, AQL_ERROR_PACKET, e, "reserved bits: header", header);
    if (bits32(header, 9, 2) == 3 || bits32(header, 11, 2) == 3)
        return refuse(error, AQL_ERROR_PACKET, e, "no such scope of a fence: header", header);
    return ST_OK;
}

/* reserved2, dwords 12 and 13, is left to profilers: HIP numbers its commands there. */
static enum status decode_dispatch(const u32 *dw, struct aql_packet *p, u32 *error, struct err *e)
{
    enum { THREADS_MAX = 1024 };
    u32 dimensions = bits32(dw[0], 16, 2), threads = 1;
    p->group[0] = dw[1] & 0xffff;
    p->group[1] = dw[1] >> 16;
    p->group[2] = dw[2] & 0xffff;
    memcpy(p->grid, dw + 3, sizeof p->grid);
    p->private_bytes = dw[6];
    p->group_bytes = dw[7];
    p->kernel = pair(dw + 8);
    p->kernarg = pair(dw + 10);
    if (dw[0] >> 18 || dimensions == 0)
        return refuse(error, AQL_ERROR_DIMENSIONS, e, "setup", dw[0] >> 16);
    if (dw[2] >> 16)
        return refuse(error, AQL_ERROR_PACKET, e, "reserved0", dw[2] >> 16);
    for (u32 i = 0; i < 3; i++) {
        bool is_used = i < dimensions;
        if (p->group[i] == 0 || p->grid[i] == 0 ||
            (!is_used && (p->group[i] != 1 || p->grid[i] != 1)))
            return refuse(error, AQL_ERROR_DIMENSIONS, e,
                          "a size that the number of dimensions does not allow: direction", i);
        threads = p->group[i] > THREADS_MAX ? THREADS_MAX + 1 : threads * p->group[i];
        if (threads > THREADS_MAX)
            return refuse(error, AQL_ERROR_GROUP_SIZE, e, "the work-group: size in direction 0",
                          p->group[0]);
    }
    if (p->kernel == 0 || p->kernel % AQL_BYTES)
        return refuse(error, AQL_ERROR_CODE, e, "kernel_object, lower half", dw[8]);
    if (p->kernarg % 16)
        return refuse(error, AQL_ERROR_PACKET, e, "kernarg_address, lower half", dw[10]);
    return ST_OK;
}

static enum status decode_barrier(const u32 *dw, struct aql_packet *p, u32 *error, struct err *e)
{
    if (dw[0] >> 16 || dw[1])
        return refuse(error, AQL_ERROR_PACKET, e, "reserved1", dw[1]);
    for (u32 i = 0; i < AQL_DEPENDENCIES; i++)
        p->dependency[i] = pair(dw + 2 + 2 * i);
    return ST_OK;
}

static enum status decode_vendor(const u32 *dw, struct aql_packet *p, u32 *error, struct err *e)
{
    enum { REMAINING = 10, CONDITIONS = 4 };
    p->format = (u8)bits32(dw[0], 16, 8);
    if (p->format == AQL_PM4_IB && dw[0] >> 24 == 0 && dw[5] == REMAINING) {
        memcpy(p->ib, dw + 1, sizeof p->ib);
        return ST_OK;
    }
    if (p->format != AQL_BARRIER_VALUE || dw[0] >> 24 || dw[1])
        return refuse(error, AQL_ERROR_VENDOR, e, "a vendor packet: first dword", dw[0]);
    p->dependency[0] = pair(dw + 2);
    p->value = pair(dw + 4);
    p->mask = pair(dw + 6);
    p->condition = dw[8];
    if (p->condition >= CONDITIONS)
        return refuse(error, AQL_ERROR_VENDOR, e, "condition", p->condition);
    return ST_OK;
}

enum status aql_decode(const u32 dw[AQL_DW], struct aql_packet *p, u32 *error, struct err *e)
{
    *p = (struct aql_packet){ .type = (u8)bits32(dw[0], 0, 8), .signal = pair(dw + 14) };
    enum status st = check_header(dw[0] & 0xffff, error, e);
    if (st != ST_OK)
        return st;
    switch (p->type) {
    case AQL_VENDOR: return decode_vendor(dw, p, error, e);
    case AQL_DISPATCH: return decode_dispatch(dw, p, error, e);
    case AQL_BARRIER_AND:
    case AQL_BARRIER_OR: return decode_barrier(dw, p, error, e);
    default: return refuse(error, AQL_ERROR_PACKET, e, "no packet of a GPU's queue: type", p->type);
    }
}

static void print_vendor(const struct aql_packet *p, struct text *t)
{
    static const char *const conditions[] = { "==", "!=", "<", ">=" };
    if (p->format == AQL_PM4_IB)
        text_add(t, "PM4 0x%08x 0x%08x 0x%08x 0x%08x", p->ib[0], p->ib[1], p->ib[2], p->ib[3]);
    else
        text_add(t, "BARRIER_VALUE signal=0x%" PRIx64 " & 0x%" PRIx64 " %s 0x%" PRIx64,
                 p->dependency[0], p->mask, conditions[p->condition], p->value);
}

void aql_print(const struct aql_packet *p, struct text *t)
{
    if (p->type == AQL_VENDOR)
        print_vendor(p, t);
    else if (p->type == AQL_DISPATCH)
        text_add(t,
                 "DISPATCH group=%u,%u,%u grid=%u,%u,%u private=%u lds=%u kernel=0x%" PRIx64
                 " kernarg=0x%" PRIx64,
                 p->group[0], p->group[1], p->group[2], p->grid[0], p->grid[1], p->grid[2],
                 p->private_bytes, p->group_bytes, p->kernel, p->kernarg);
    else
        text_add(t, "%s", p->type == AQL_BARRIER_AND ? "BARRIER_AND" : "BARRIER_OR");
    for (u32 i = 0; p->type != AQL_VENDOR && i < AQL_DEPENDENCIES; i++)
        if (p->dependency[i])
            text_add(t, " dependency=0x%" PRIx64, p->dependency[i]);
    if (p->signal)
        text_add(t, " signal=0x%" PRIx64, p->signal);
}
