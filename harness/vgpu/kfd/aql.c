/* The packet processor of an AQL queue: packets in their order, signals, errors. */
#include "harness/vgpu/kfd/internal.h"

#include <inttypes.h>

/* What became of a packet. */
enum outcome { DONE, WAITS, STOPS };

static u64 load64(const u8 *at)
{
    return __atomic_load_n((const u64 *)(const void *)at, __ATOMIC_ACQUIRE);
}

static void store64(u8 *at, u64 value)
{
    __atomic_store_n((u64 *)(void *)at, value, __ATOMIC_RELEASE);
}

/* The process has reached for memory that is not there: all its queues stop. */
static enum outcome fault(struct kfd *k, u64 va)
{
    kfd_tell_fault(k, va);
    return STOPS;
}

/* The signal's record; NULL, and the queue has its error, if it is none. */
static u8 *find_signal(struct kfd *k, u64 handle)
{
    u8 *s = handle % AQL_SIGNAL_BYTES ? NULL : kfd_at(k, handle, AQL_SIGNAL_BYTES, true);
    if (s && load64(s + AQL_SIGNAL_KIND) == AQL_SIGNAL_USER)
        return s;
    vgpu_error(k->v, "0x%" PRIx64 " is no signal", handle);
    return NULL;
}

/* Those who sleep until a signal changes are woken by an interrupt; both were read before it did. */
static void notify(struct kfd *k, u64 mailbox, u32 event)
{
    u8 *slot = mailbox ? kfd_at(k, mailbox, sizeof(u64), true) : NULL;
    if (!slot)
        return;
    store64(slot, event);
    kfd_interrupt(k, event);
}

static u32 event_of(const u8 *signal)
{
    u32 event;
    memcpy(&event, signal + AQL_SIGNAL_EVENT, sizeof event);
    return event;
}

static u32 properties_of(struct kfd *k, const struct kfd_queue *q)
{
    const u8 *record = kfd_at(k, q->record, AQL_QUEUE_RECORD, false);
    u32 properties = 0;
    if (record)
        memcpy(&properties, record + AQL_QUEUE_PROPERTIES, sizeof properties);
    return properties;
}

static bool complete(struct kfd *k, const struct kfd_queue *q, u64 handle, const u64 ticks[2])
{
    u8 *s = find_signal(k, handle);
    if (!s)
        return false;
    u32 event = event_of(s);
    u64 mailbox = load64(s + AQL_SIGNAL_MAILBOX);
    if (properties_of(k, q) & AQL_PROPERTY_PROFILING) {
        store64(s + AQL_SIGNAL_START, ticks[0]);
        store64(s + AQL_SIGNAL_END, ticks[1]);
    }
    __atomic_fetch_sub((u64 *)(void *)(s + AQL_SIGNAL_VALUE), 1, __ATOMIC_RELEASE);
    notify(k, mailbox, event);
    return true;
}

/* The queue's inactive signal. */
static u8 *inactive_signal(struct kfd *k, const struct kfd_queue *q)
{
    const u8 *record = kfd_at(k, q->record, AQL_QUEUE_RECORD, false);
    u64 handle = record ? load64(record + AQL_QUEUE_INACTIVE) : 0;
    return handle ? find_signal(k, handle) : NULL;
}

/* The queue tells its client what is wrong, and waits. */
static enum outcome raise_error(struct kfd *k, struct kfd_queue *q, u32 bits)
{
    u8 *s = inactive_signal(k, q);
    q->state = s ? KFD_STALLS : KFD_DEAD;
    vgpu_log(k->v, "queue %u: error 0x%x at packet %" PRIu64, q->id, bits, q->next);
    if (s) {
        store64(s + AQL_SIGNAL_VALUE, bits);
        notify(k, load64(s + AQL_SIGNAL_MAILBOX), event_of(s));
    }
    return STOPS;
}

static bool goes_on(struct kfd *k, struct kfd_queue *q)
{
    if (q->state == KFD_STALLS) {
        const u8 *s = inactive_signal(k, q);
        if (s && load64(s + AQL_SIGNAL_VALUE) == 0)
            q->state = KFD_RUNS;
    }
    return q->is_there && q->state == KFD_RUNS;
}

/* Whether a barrier's signals let it pass. */
static enum outcome barrier(struct kfd *k, const struct aql_packet *p)
{
    u32 asked = 0, zero = 0;
    for (u32 i = 0; i < AQL_DEPENDENCIES; i++) {
        const u8 *s = p->dependency[i] ? find_signal(k, p->dependency[i]) : NULL;
        if (p->dependency[i] && !s)
            return fault(k, p->dependency[i]);
        asked += s != NULL;
        zero += s && load64(s + AQL_SIGNAL_VALUE) == 0;
    }
    bool passes = p->type == AQL_BARRIER_AND ? zero == asked : zero || !asked;
    return passes ? DONE : WAITS;
}

static enum outcome barrier_value(struct kfd *k, const struct aql_packet *p)
{
    const u8 *s = p->dependency[0] ? find_signal(k, p->dependency[0]) : NULL;
    if (!s)
        return fault(k, p->dependency[0]);
    i64 value = (i64)(load64(s + AQL_SIGNAL_VALUE) & p->mask), than = (i64)p->value;
    bool passes[] = { value == than, value != than, value < than, value >= than };
    return passes[p->condition] ? DONE : WAITS;
}

static enum outcome vendor(struct kfd *k, struct kfd_queue *q, const struct aql_packet *p, u64 at)
{
    struct vgpu_job job = kfd_job(k);
    if (p->format == AQL_BARRIER_VALUE)
        return barrier_value(k, p);
    return vgpu_ring_packets(k->v, &job, at + 4, p->ib, AQL_IB_DW)
               ? DONE
               : raise_error(k, q, AQL_ERROR_VENDOR);
}

static enum outcome dispatch(struct kfd *k, struct kfd_queue *q, const struct aql_packet *p, u64 at)
{
    u64 va = 0;
    u32 bits = kfd_dispatch(k, q, at, p, &va);
    if (q->state == KFD_DEAD || !q->is_there)
        return STOPS;
    return bits == KFD_FAULT ? fault(k, va) : bits ? raise_error(k, q, bits) : DONE;
}

static void print_packet(struct kfd *k, struct kfd_queue *q, const struct aql_packet *p)
{
    char text[400];
    struct text t;
    if (!k->v->cfg.log || q->was_reported)
        return;
    text_init(&t, text, sizeof text);
    aql_print(p, &t);
    vgpu_log(k->v, "queue %u, packet %" PRIu64 ": %s", q->id, q->next, text);
}

/* The packet has been executed: its place is the client's again. */
static enum outcome retire(struct kfd *k, struct kfd_queue *q, u64 at, const struct aql_packet *p,
                           const u64 ticks[2])
{
    u8 *index = kfd_at(k, q->read_at, sizeof(u64), true), *place = kfd_at(k, at, AQL_BYTES, true);
    u64 from = q->next;
    if (!index || !place)
        return fault(k, index ? at : q->read_at);
    q->next++;
    q->was_reported = false;
    __atomic_store_n((u16 *)(void *)place, AQL_INVALID, __ATOMIC_RELEASE);
    store64(index, q->next);
    if (p->signal && !complete(k, q, p->signal, ticks)) {
        vgpu_error(k->v, "queue %u, packet %" PRIu64 ": nobody is told of its end", q->id, from);
        return fault(k, p->signal);
    }
    return DONE;
}

static enum outcome run_one(struct kfd *k, struct kfd_queue *q)
{
    u64 at = q->ring + q->next * AQL_BYTES % q->bytes, ticks[2] = { vgpu_clock_ticks(), 0 };
    u8 *place = kfd_at(k, at, AQL_BYTES, true);
    u32 dw[AQL_DW], error = 0;
    struct aql_packet p;
    struct err e = { .text = "" };
    if (!place)
        return fault(k, at);
    dw[0] = __atomic_load_n((const u32 *)(const void *)place, __ATOMIC_ACQUIRE);
    if ((dw[0] & 0xff) == AQL_INVALID)
        return WAITS;
    memcpy(dw + 1, place + 4, sizeof dw - 4);
    k->v->stats.packets += !q->was_reported;
    if (aql_decode(dw, &p, &error, &e) != ST_OK) {
        vgpu_error(k->v, "queue %u, packet %" PRIu64 ": %s", q->id, q->next, e.text);
        return raise_error(k, q, error);
    }
    print_packet(k, q, &p);
    enum outcome o = p.type == AQL_DISPATCH ? dispatch(k, q, &p, at)
                     : p.type == AQL_VENDOR ? vendor(k, q, &p, at)
                                            : barrier(k, &p);
    q->was_reported = o == WAITS;
    ticks[1] = vgpu_clock_ticks();
    if (o == DONE)
        o = retire(k, q, at, &p, ticks);
    /* Private memory that was had for this dispatch alone is given back before the next. */
    if (o == DONE && p.type == AQL_DISPATCH && properties_of(k, q) & AQL_PROPERTY_SCRATCH_ONCE)
        raise_error(k, q, AQL_ERROR_SCRATCH_ONCE);
    return o;
}

bool kfd_run_aql(struct kfd *k, struct kfd_queue *q)
{
    bool any = false;
    /* Index by index up to the one that was written to the doorbell last. */
    while (goes_on(k, q) && (i64)(kfd_doorbell(k, q) - q->next) >= 0) {
        if (run_one(k, q) != DONE)
            break;
        any = true;
    }
    return any;
}
