/* The command processor of a compute pipe: executes the packets of a submission. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>

enum { IB_DEPTH_MAX = 4, PACKETS_MAX = 1 << 20 };

/* A submission under way. */
struct ring {
    struct vgpu *v;
    struct vgpu_job *job;
    struct vgpu_sh sh;
    u32 packets;
    u64 indirect; /* where dispatches of the graphics ring find their sizes, from SET_BASE */
    u32 ce, de;   /* counters by which the constant engine and the others wait for each other */
};

static u64 address(const u32 *dw)
{
    return dw[0] | (u64)dw[1] << 32;
}

static bool run_buffer(struct ring *r, u64 va, u32 dw, u32 depth);

/* What is wrong with a packet goes to the log; the ring hangs. */
static bool refuse(struct ring *r, const char *why)
{
    vgpu_error(r->v, "%s", why);
    return false;
}

static bool set_sh_reg(struct ring *r, const struct pm4_packet *p)
{
    for (u32 i = 1; i < p->body_dw; i++) {
        u32 offset = p->body[0] + i - 1, at = offset - SH_FIRST; /* decoding has checked it */
        if (offset < SH_FIRST)
            continue; /* of a stage that draws */
        r->sh.reg[at] = p->body[i];
        r->sh.is_set[at] = true;
    }
    return true;
}

static bool dispatch(struct ring *r, const u32 dim[3], u32 initiator)
{
    struct err why = { .text = "" };
    r->v->stats.dispatches++;
    return vgpu_dispatch(r->v, r->job, &r->sh, dim, initiator, &why) || refuse(r, why.text);
}

/* On the graphics ring programs that run on cards leave the bit out. */
static bool dispatch_direct(struct ring *r, const struct pm4_packet *p)
{
    if (!p->is_compute && r->job->ip != AMDGPU_HW_IP_GFX)
        return refuse(r, "DISPATCH_DIRECT without the compute bit in its header");
    return dispatch(r, p->body, p->body[3]);
}

/* Sizes in memory: compute rings have their address in the packet, the graphics ring a distance from
 * a base. */
static bool dispatch_indirect(struct ring *r, const struct pm4_packet *p)
{
    bool is_gfx = r->job->ip == AMDGPU_HW_IP_GFX;
    u32 dim[3];
    if (p->body_dw != (is_gfx ? 2 : 3))
        return refuse(r, "DISPATCH_INDIRECT: not as long as on this ring");
    if (!p->is_compute && !is_gfx)
        return refuse(r, "DISPATCH_INDIRECT without the compute bit in its header");
    u64 va = is_gfx ? r->indirect + p->body[0] : address(p->body);
    const u8 *from = va % 4 ? NULL : vgpu_vm_at(r->v, r->job, va, sizeof dim, false);
    if (!from)
        return refuse(r, "DISPATCH_INDIRECT cannot read its sizes");
    memcpy(dim, from, sizeof dim);
    return dispatch(r, dim, p->body[p->body_dw - 1]);
}

static bool set_base(struct ring *r, const struct pm4_packet *p)
{
    enum { INDIRECT = 1 };
    if (p->body[0] != INDIRECT)
        return refuse(r, "SET_BASE: only that of indirect dispatches is implemented");
    r->indirect = address(&p->body[1]);
    return true;
}

static bool acquire_mem(struct ring *r, const struct pm4_packet *p)
{
    if (p->body[0] & PM4_ICACHE_INV)
        r->v->icache.is_valid = false;
    return true;
}

/* Events after which nothing is to be done, as it was done at once. Those of drawing are the graphics
 * ring's. */
static bool is_past(const struct ring *r, u32 type, u32 index)
{
    enum {
        FLUSH_INDEX = 4,
        BREAK_BATCH = 0x0e,
        VS_PARTIAL_FLUSH,
        PS_PARTIAL_FLUSH,
        PIPELINESTAT_START = 0x19,
        PIPELINESTAT_STOP,
        FLUSH_AND_INV_DB_META = 0x2c,
        FLUSH_AND_INV_CB_META = 0x2e
    };
    bool is_gfx = r->job->ip == AMDGPU_HW_IP_GFX;
    switch (type) {
    case PM4_EVENT_CS_PARTIAL_FLUSH: return index == FLUSH_INDEX;
    case VS_PARTIAL_FLUSH:
    case PS_PARTIAL_FLUSH: return is_gfx && index == FLUSH_INDEX;
    case FLUSH_AND_INV_DB_META:
    case FLUSH_AND_INV_CB_META:
    case BREAK_BATCH: return is_gfx && index == 0;
    case PIPELINESTAT_START:
    case PIPELINESTAT_STOP: return index == 0;
    default: return false;
    }
}

static bool event_write(struct ring *r, const struct pm4_packet *p)
{
    u32 type = bits32(p->body[0], 0, 6), index = bits32(p->body[0], 8, 4);
    char text[96];
    struct text t;
    if (p->body_dw == 1 && is_past(r, type, index))
        return true;
    text_init(&t, text, sizeof text);
    text_add(&t, "EVENT_WRITE: event %u with index %u and %u dwords is not implemented", type,
             index, p->body_dw);
    return refuse(r, text);
}

/* Which actions on the texture caches may stand together on GFX9; a release with others does
 * something else than it says. */
static bool may_release(u32 event)
{
    enum { WB = 1 << 15, TCL1 = 1 << 16, TC = 1 << 17, NC = 1 << 19, MD = 1 << 21 };
    u32 tc = event & (WB | TC | NC | MD);
    return tc == 0 || tc == (TC | MD) || tc == (TC | WB) || tc == (WB | NC) || tc == (TC | NC) ||
           tc == (TC | WB | MD);
}

/* At the end of the pipe, or of all shaders; each event has its index. */
static bool is_end(u32 type, u32 index)
{
    enum { END_OF_PIPE = 5, END_OF_SHADER = 6 };
    if (type == PM4_EVENT_CS_DONE)
        return index == END_OF_SHADER;
    return index == END_OF_PIPE &&
           (type == PM4_EVENT_CACHE_FLUSH_AND_INV_TS || type == PM4_EVENT_BOTTOM_OF_PIPE_TS);
}

/* A value is written when all before is done: two packets, one of them for the graphics ring of old
 * chips, which has the upper part of the address beside the selection. */
static bool release(struct ring *r, u32 event, u32 select, u64 va, u64 value)
{
    u32 data = bits32(select, 29, 3), bytes = data == 1 ? 4 : 8;
    if (!is_end(bits32(event, 0, 6), bits32(event, 8, 4)))
        return refuse(r, "RELEASE_MEM: not an end-of-pipe event with index 5, nor CS_DONE with 6");
    if (r->v->packets->pairs_actions && !may_release(event))
        return refuse(r, "RELEASE_MEM: no such combination of cache actions on GFX9");
    if (data > 3)
        return refuse(r, "RELEASE_MEM: reserved selection of data or destination");
    if (data == 0)
        return true;
    if (data == 3)
        value = vgpu_clock_ticks();
    if (va % bytes)
        return refuse(r, "RELEASE_MEM: the address is not aligned to the data");
    u8 *to = vgpu_vm_at(r->v, r->job, va, bytes, true);
    if (to)
        memcpy(to, &value, bytes);
    return to || refuse(r, "RELEASE_MEM cannot write its value");
}

static bool release_mem(struct ring *r, const struct pm4_packet *p)
{
    if (bits32(p->body[1], 16, 2) > 1)
        return refuse(r, "RELEASE_MEM: reserved selection of data or destination");
    return release(r, p->body[0], p->body[1], address(&p->body[2]), address(&p->body[4]));
}

static bool event_write_eop(struct ring *r, const struct pm4_packet *p)
{
    u64 va = p->body[1] | (u64)(p->body[2] & 0xffff) << 32;
    return release(r, p->body[0], p->body[2], va, address(&p->body[3]));
}

static bool write_data(struct ring *r, const struct pm4_packet *p)
{
    enum { DST_MEMORY = 5, DST_MEMORY_SYNC = 1 };
    u32 dst = bits32(p->body[0], 8, 4), dw = p->body_dw - 3;
    bool is_one = p->body[0] & 1 << 16;
    if (dst != DST_MEMORY && dst != DST_MEMORY_SYNC)
        return refuse(r, "WRITE_DATA: only memory is implemented as its destination");
    u8 *to = vgpu_vm_at(r->v, r->job, address(&p->body[1]), is_one ? 4 : dw * 4, true);
    if (to)
        memcpy(to, is_one ? &p->body[p->body_dw - 1] : &p->body[3], is_one ? 4 : dw * 4);
    return to || refuse(r, "WRITE_DATA cannot write");
}

/* One or two dwords to memory: of memory, of the packet, or the time. */
static bool copy_data(struct ring *r, const struct pm4_packet *p)
{
    enum { MEMORY = 1, L2 = 2, VALUE = 5, CLOCK = 9, TO_MEMORY = 5 };
    u32 src = bits32(p->body[0], 0, 4), dst = bits32(p->body[0], 8, 4);
    u32 bytes = bits32(p->body[0], 16, 1) ? 8 : 4;
    u64 value = src == CLOCK ? vgpu_clock_ticks() : address(&p->body[1]), to = address(&p->body[3]);
    if ((src != MEMORY && src != L2 && src != VALUE && src != CLOCK) ||
        (dst != MEMORY && dst != L2 && dst != TO_MEMORY))
        return refuse(r, "COPY_DATA: only memory, values and the clock are implemented");
    if (src == MEMORY || src == L2) {
        const u8 *from = value % bytes ? NULL : vgpu_vm_at(r->v, r->job, value, bytes, false);
        if (!from)
            return refuse(r, "COPY_DATA cannot read");
        memcpy(&value, from, bytes);
    }
    u8 *write = to % bytes ? NULL : vgpu_vm_at(r->v, r->job, to, bytes, true);
    if (write)
        memcpy(write, &value, bytes);
    return write || refuse(r, "COPY_DATA cannot write");
}

/* Memory to memory, or a value to memory; from somewhere to the same place, or to none, is a prefetch
 * into L2. */
static bool dma_data(struct ring *r, const struct pm4_packet *p)
{
    enum { MEMORY = 0, DATA = 2, L2 = 3 }; /* source and destination */
    const struct pm4_generation *g = r->v->packets;
    u32 src = bits32(p->body[0], 29, 2), dst = bits32(p->body[0], 20, 2);
    u32 bytes = bits32(p->body[5], 0, g->copy_bits);
    u64 from = address(&p->body[1]), to = address(&p->body[3]);
    bool is_nowhere = g->copy_nowhere && dst == g->copy_nowhere;
    if (p->body[5] & ~(mask32(g->copy_bits) | g->copy_flags))
        return refuse(r, "DMA_DATA: registers and address modes are not implemented");
    if ((src != MEMORY && src != DATA && src != L2) ||
        (dst != MEMORY && dst != L2 && !is_nowhere) || (src == DATA && is_nowhere))
        return refuse(r, "DMA_DATA: only memory is implemented");
    if (bytes == 0)
        return true;
    const u8 *read = src == DATA ? NULL : vgpu_vm_at(r->v, r->job, from, bytes, false);
    if (read && (from == to || is_nowhere))
        return true;
    u8 *write = src == DATA || read ? vgpu_vm_at(r->v, r->job, to, bytes, true) : NULL;
    if (!write)
        return refuse(r, "DMA_DATA cannot read or write");
    if (read)
        memmove(write, read, bytes);
    else if (p->body[1] == 0)
        memset(write, 0, bytes);
    else
        for (u32 i = 0; i < bytes; i++)
            write[i] = (u8)(p->body[1] >> i % 4 * 8);
    return true;
}

static bool wait_mem(struct ring *r, const struct pm4_packet *p)
{
    if (!bits32(p->body[0], 4, 1) || bits32(p->body[0], 6, 2))
        return refuse(r, "WAIT_REG_MEM: only waiting for memory is implemented");
    return vgpu_poll(r->v, r->job, address(&p->body[1]), bits32(p->body[0], 0, 3), p->body[3],
                     p->body[4]) ||
           refuse(r, "WAIT_REG_MEM waits for ever");
}

/* The constant engine, whose buffers have been executed when the others of the submission are. */
static bool count_engines(struct ring *r, const struct pm4_packet *p)
{
    switch (p->op) {
    case PM4_SET_CE_DE_COUNTERS: r->ce = r->de = 0; return true;
    case PM4_INCREMENT_CE_COUNTER: r->ce++; return true;
    case PM4_INCREMENT_DE_COUNTER: r->de++; return true;
    case PM4_WAIT_ON_CE_COUNTER:
        return r->ce > r->de || refuse(r, "WAIT_ON_CE_COUNTER waits for ever");
    default: return true; /* a difference that the others may lag behind */
    }
}

static bool call_buffer(struct ring *r, const struct pm4_packet *p, u32 depth)
{
    if (!(p->body[2] & 1 << 23))
        return refuse(r, "INDIRECT_BUFFER: the valid bit is clear");
    if (depth + 1 == IB_DEPTH_MAX)
        return refuse(r, "INDIRECT_BUFFER: buffers call each other too deeply");
    return run_buffer(r, address(p->body), bits32(p->body[2], 0, 20), depth + 1);
}

static bool execute(struct ring *r, const struct pm4_packet *p, u32 depth)
{
    u32 pipe = r->job->ip == AMDGPU_HW_IP_GFX ? PM4_ME : PM4_MEC;
    if (!(p->pipes & pipe))
        return refuse(r, pipe == PM4_MEC ? "a packet of the graphics ring"
                                         : "a packet of compute rings");
    switch (p->op) {
    case PM4_NOP:
    case PM4_PFP_SYNC_ME: return true; /* packets are executed one after the other */
    case PM4_SET_SH_REG: return set_sh_reg(r, p);
    case PM4_SET_UCONFIG_REG: return true; /* nothing here has an effect */
    case PM4_DISPATCH_DIRECT: return dispatch_direct(r, p);
    case PM4_DISPATCH_INDIRECT: return dispatch_indirect(r, p);
    case PM4_SET_BASE: return set_base(r, p);
    case PM4_SURFACE_SYNC:
    case PM4_ACQUIRE_MEM: return acquire_mem(r, p);
    case PM4_EVENT_WRITE: return event_write(r, p);
    case PM4_RELEASE_MEM: return release_mem(r, p);
    case PM4_EVENT_WRITE_EOP: return event_write_eop(r, p);
    case PM4_WRITE_DATA: return write_data(r, p);
    case PM4_COPY_DATA: return copy_data(r, p);
    case PM4_DMA_DATA: return dma_data(r, p);
    case PM4_INDIRECT_BUFFER: return call_buffer(r, p, depth);
    case PM4_WAIT_REG_MEM: return wait_mem(r, p);
    case PM4_SET_CE_DE_COUNTERS:
    case PM4_INCREMENT_CE_COUNTER:
    case PM4_INCREMENT_DE_COUNTER:
    case PM4_WAIT_ON_CE_COUNTER:
    case PM4_WAIT_ON_DE_COUNTER_DIFF: return count_engines(r, p);
    case PM4_DRAW_INDEX_2:
    case PM4_DRAW_INDEX_AUTO: return refuse(r, "a draw: there is no rasterizer here");
    case PM4_CONTEXT_CONTROL:
    case PM4_CLEAR_STATE:
    case PM4_NUM_INSTANCES:
    case PM4_SET_UCONFIG_REG_INDEX:
    case PM4_SET_CONTEXT_REG: return true; /* state of graphics, which nothing here looks at */
    default: return refuse(r, "a packet that is known, but not implemented");
    }
}

/* Whether nothing but zeros stands from ib[at] on: clients pad with them. */
static bool is_padding(const u32 *ib, u32 dw, u32 at)
{
    while (at < dw && ib[at] == 0)
        at++;
    return at == dw;
}

static void log_packet(struct ring *r, u64 va, const struct pm4_packet *p)
{
    char text[400];
    struct text t;
    if (!r->v->cfg.log)
        return;
    text_init(&t, text, sizeof text);
    pm4_print(p, &t);
    vgpu_log(r->v, "  %012llx: %s", (unsigned long long)(va & mask64(48)), text);
}

/* Packets are executed from a copy, as the command processor fetches them ahead of their effects. */
static bool run_packets(struct ring *r, u64 va, const u32 *ib, u32 dw, u32 depth)
{
    struct err e = { .text = "" };
    for (u32 at = 0; at < dw;) {
        struct pm4_packet p;
        if (is_padding(ib, dw, at))
            return true;
        if (++r->packets > PACKETS_MAX)
            return refuse(r, "more than a million packets");
        enum status st = pm4_decode(r->v->cfg.chip->gen, ib, dw, at, &p, &e);
        if (st == ST_OK)
            log_packet(r, va + at * 4u, &p);
        r->v->stats.packets++;
        if (st != ST_OK || !execute(r, &p, depth)) {
            vgpu_error(r->v, "packet at 0x%llx, dword %u of %u: %s", (unsigned long long)va, at, dw,
                       st == ST_OK ? "not executed" : e.text);
            return false;
        }
        at += p.dw;
    }
    return true;
}

static bool run_buffer(struct ring *r, u64 va, u32 dw, u32 depth)
{
    const u8 *bytes = dw && va % 4 == 0 ? vgpu_vm_at(r->v, r->job, va, dw * 4ull, false) : NULL;
    u32 *ib = bytes ? malloc(dw * sizeof *ib) : NULL;
    if (!ib)
        return refuse(r, "the indirect buffer cannot be read");
    memcpy(ib, bytes, dw * sizeof *ib);
    bool is_ok = r->job->ip == AMDGPU_HW_IP_DMA ? vgpu_sdma_run(r->v, r->job, ib, dw)
                                                : run_packets(r, va, ib, dw, depth);
    free(ib);
    return is_ok;
}

bool vgpu_ring_packets(struct vgpu *v, struct vgpu_job *job, u64 va, const u32 *packets, u32 dw)
{
    struct ring *r = calloc(1, sizeof *r);
    if (!r)
        return false;
    *r = (struct ring){ .v = v, .job = job };
    bool is_ok = run_packets(r, va, packets, dw, 0);
    free(r);
    return is_ok;
}

static bool run_ib(struct ring *r, u32 i)
{
    static const char *const names[IPS] = { "GFX", "compute", "SDMA" };
    const struct vgpu_job *job = r->job;
    u64 va = job->ib[i].va;
    u32 bytes = job->ib[i].bytes;
    r->packets = 0;
    vgpu_log(r->v, "context %u, submission %llu, %s ring %u: %u bytes at 0x%llx", job->ctx->id,
             (unsigned long long)job->seq, names[job->ip], job->ring, bytes,
             (unsigned long long)va);
    if (bytes % 4) {
        vgpu_error(r->v, "an indirect buffer of %u bytes: not whole dwords", bytes);
        return false;
    }
    return run_buffer(r, va, bytes / 4, 0);
}

/* The constant engine runs ahead of the others. Registers stay from one buffer of a submission to the
 * next: drivers set some in the first alone. */
int vgpu_ring_run(struct vgpu *v, struct vgpu_job *job)
{
    struct ring *r = calloc(1, sizeof *r);
    bool is_ok = r != NULL;
    if (r)
        *r = (struct ring){ .v = v, .job = job };
    for (u32 turn = 0; turn < 2; turn++)
        for (u32 i = 0; is_ok && i < job->ib_count; i++)
            if (((job->ib[i].flags & AMDGPU_IB_FLAG_CE) != 0) == (turn == 0))
                is_ok = run_ib(r, i);
    free(r);
    return is_ok ? 0 : -ECANCELED;
}
