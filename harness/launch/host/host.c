#include "harness/launch/host/host_internal.h"

#include "harness/launch/file/kernarg.h"
#include "harness/launch/host/print.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    HEAP_SIZE = 256 << 10, /* the heap's own state, zeroes at the start */
    MESSAGE_MAX = 1 << 16, /* bytes of text and arguments of one printf */
    SLAB_ALIGN = 2 << 20   /* of memory that malloc divides */
};

enum { SERVICE_CALL = 1, SERVICE_PRINTF = 2, SERVICE_MEMORY = 3 };

/* Slot 0 of a printf packet. */
enum { MESSAGE_BEGIN = 1, MESSAGE_END = 2, MESSAGE_LENGTH = 5, MESSAGE_ID = 8 };

/* What the printf buffer holds where no record was written. */
static const u8 unwritten[4] = { 0xb9, 0x79, 0x37, 0x9e };

void host_fill_unwritten(u8 *at, u32 size)
{
    for (u32 i = 0; i < size; i++)
        at[i] = unwritten[i & 3];
}

static bool asks_for(const struct kernel_meta *m, enum arg_kind kind)
{
    for (u32 i = 0; i < m->arg_count; i++)
        if (m->args[i].kind == kind)
            return true;
    return false;
}

#define CALL_ADDRESS(member) (GPU_HOSTCALL_ADDRESS + offsetof(struct hostcall, member))

static void init_hostcall(struct hostcall *c)
{
    c->headers = CALL_ADDRESS(header);
    c->payloads = CALL_ADDRESS(payload);
    c->doorbell = CALL_ADDRESS(signal);
    c->index_mask = HOST_PACKETS - 1;
    c->signal.kind = 1;
    c->signal.mailbox = CALL_ADDRESS(mailbox);
    for (u64 i = 0; i < HOST_PACKETS; i++) {
        c->header[i].next = c->free_stack;
        c->free_stack = i + HOST_PACKETS;
    }
}

u32 host_printf_offset(const struct codeobj *co, const struct kernel_meta *m)
{
    enum { BEHIND_FIRST = 72, SIZE = 8 };
    struct codeobj_symbol s;
    if (asks_for(m, ARG_HIDDEN_PRINTF_BUFFER) || !codeobj_symbol(co, "__printf_alloc", &s))
        return 0;
    for (u32 i = 0; i < m->arg_count; i++) {
        const struct kernel_arg *first = &m->args[i];
        if (first->kind == ARG_HIDDEN_BLOCK_COUNT_X &&
            first->offset + (u64)BEHIND_FIRST + SIZE <= m->kernarg_size)
            return first->offset + BEHIND_FIRST;
    }
    return 0;
}

enum status host_open(struct host **out, const struct codeobj *co, const struct kernel_meta *m,
                      FILE *text, struct err *e)
{
    bool prints = asks_for(m, ARG_HIDDEN_PRINTF_BUFFER) || host_printf_offset(co, m);
    bool calls = asks_for(m, ARG_HIDDEN_HOSTCALL_BUFFER);
    bool has_heap = asks_for(m, ARG_HIDDEN_HEAP_V1);
    *out = NULL;
    if (!prints && !calls && !has_heap)
        return ST_OK;
    struct host *h = calloc(1, sizeof *h);
    if (!h)
        return err_memory(e);
    h->out = text ? text : stderr;
    if (prints)
        h->printf_buffer = calloc(1, HOST_PRINTF_SIZE);
    if (calls) {
        h->call = calloc(1, sizeof *h->call);
        h->memory = calloc(1, HOST_MEMORY_SIZE);
    }
    if (has_heap)
        h->heap = calloc(1, HEAP_SIZE);
    if ((prints && !h->printf_buffer) || (calls && (!h->call || !h->memory)) ||
        (has_heap && !h->heap)) {
        host_close(h);
        return err_memory(e);
    }
    if (prints) {
        memcpy(h->printf_buffer + 4, &(u32){ HOST_PRINTF_SIZE - 8 }, 4);
        host_fill_unwritten(h->printf_buffer + 8, HOST_PRINTF_SIZE - 8);
    }
    if (calls)
        init_hostcall(h->call);
    *out = h;
    return ST_OK;
}

void host_close(struct host *h)
{
    if (!h)
        return;
    for (u32 i = 0; i < HOST_MESSAGES; i++)
        free(h->message[i].bytes);
    free(h->printf_buffer);
    free(h->call);
    free(h->memory);
    free(h->heap);
    free(h);
}

enum status host_map(struct host *h, struct machine *m, struct err *e)
{
    enum status st = ST_OK;
    if (!h)
        return ST_OK;
    if (h->printf_buffer)
        st = machine_window(m, GPU_PRINTF_ADDRESS, h->printf_buffer, HOST_PRINTF_SIZE, false, e);
    if (st == ST_OK && h->call)
        st = machine_window(m, GPU_HOSTCALL_ADDRESS, h->call, sizeof *h->call, false, e);
    if (st == ST_OK && h->memory)
        st = machine_window(m, GPU_MEMORY_ADDRESS, h->memory, HOST_MEMORY_SIZE, false, e);
    if (st == ST_OK && h->heap)
        st = machine_window(m, GPU_HEAP_ADDRESS, h->heap, HEAP_SIZE, false, e);
    return st;
}

/* --- hostcalls --- */

/* Prints a message of HIP: where to (0: standard output, 1: standard error), format, arguments.
 * Both go to the launch's output. */
static int print_message(const struct host *h, const struct host_message *m)
{
    struct print_args args = { .at = m->bytes, .size = m->size, .is_wide = true };
    if (m->size < 16)
        return -1;
    const char *format = (const char *)m->bytes + 8;
    size_t len = strnlen(format, m->size - 8);
    if (len == m->size - 8)
        return -1;
    args.at += 8 + (len + 8) / 8 * 8;
    args.size -= 8 + (len + 8) / 8 * 8;
    return print_formatted(h->out, format, &args);
}

/* One lane's part of a printf. Slot 0 is answered with the number of the message, at its end with
 * the result. NULL, or what is wrong. */
static const char *serve_printf(struct host *h, u64 slot[HOST_SLOTS])
{
    u64 id = slot[0] >> MESSAGE_ID, size = (slot[0] >> MESSAGE_LENGTH & 7) * 8;
    if (slot[0] & MESSAGE_BEGIN)
        for (id = 0; id < HOST_MESSAGES && h->message[id].in_use;)
            id++;
    struct host_message *m = id < HOST_MESSAGES ? &h->message[id] : NULL;
    if (!m || (!m->in_use && !(slot[0] & MESSAGE_BEGIN)))
        return "printf: the message does not exist or is one too many";
    m->in_use = true;
    if (m->size + size > MESSAGE_MAX)
        return "printf: more than 65536 bytes";
    u8 *more = realloc(m->bytes, m->size + size + 1);
    if (!more)
        return "printf: out of memory";
    m->bytes = more;
    memcpy(m->bytes + m->size, slot + 1, size);
    m->size += size;
    bool is_end = slot[0] & MESSAGE_END;
    slot[0] = id << MESSAGE_ID;
    if (!is_end)
        return NULL;
    int n = print_message(h, m);
    slot[0] = (u64)(i64)n;
    free(m->bytes);
    *m = (struct host_message){ .bytes = NULL };
    return n < 0 ? "printf: the format does not fit the arguments, or a width in it is too large"
                 : NULL;
}

/* Memory: slot 0 is an address to free (nothing is reused), or 0 and slot 1 the bytes wanted. */
static const char *serve_memory(struct host *h, u64 slot[HOST_SLOTS])
{
    u64 size = slot[1];
    if (slot[0])
        return NULL;
    h->memory_used = (h->memory_used + SLAB_ALIGN - 1) / SLAB_ALIGN * SLAB_ALIGN;
    if (size > HOST_MEMORY_SIZE - h->memory_used)
        return NULL; /* a null pointer, as malloc has it */
    slot[0] = GPU_MEMORY_ADDRESS + h->memory_used;
    h->memory_used += size;
    return NULL;
}

static void serve_packet(struct host *h, u32 index, struct wave *w)
{
    u32 service = h->call->header[index].service;
    for (u32 lane = 0; lane < LANES; lane++) {
        u64 *slot = h->call->payload[index][lane];
        const char *wrong = NULL;
        if (!(h->call->header[index].exec >> lane & 1))
            continue;
        if (service == SERVICE_PRINTF)
            wrong = serve_printf(h, slot);
        else if (service == SERVICE_MEMORY)
            wrong = serve_memory(h, slot);
        else
            wave_unmodelled(w, "hostcall of service %u%s: no host answers it", service,
                            service == SERVICE_CALL ? " (a host function)" : "");
        if (wrong)
            wave_unmodelled(w, "hostcall: %s", wrong);
    }
    h->call->header[index].control &= ~1u;
}

/* The interrupt behind a doorbell: all packets that are ready, in the order they came. */
static void serve(void *arg, struct wave *w)
{
    struct host *h = arg;
    u32 order[HOST_PACKETS], count = 0;
    for (u64 at = h->call->ready_stack; at && count < HOST_PACKETS; count++) {
        order[count] = at & (HOST_PACKETS - 1);
        at = h->call->header[order[count]].next;
    }
    h->call->ready_stack = 0;
    while (count)
        serve_packet(h, order[--count], w);
}

void host_attach(struct host *h, struct wave *w)
{
    if (h && h->call) {
        w->interrupt = serve;
        w->interrupt_arg = h;
    }
}

/* --- the printf buffer --- */

/* Prints the record at *at, which then stands behind it. */
static const char *print_record(const struct host *h, const struct codeobj *co, const u8 **at,
                                const u8 *end)
{
    u32 id, lost = 0;
    memcpy(&id, *at, sizeof id);
    const struct codeobj_printf *f = codeobj_printf(co, id);
    if (!f)
        return "the printf buffer holds a record of no known format";
    size_t left = (size_t)(end - *at) - sizeof id, size = 0;
    for (u32 i = 0; i < f->size_count; i++)
        size += f->sizes[i];
    size = size < left ? size : left;
    *at += sizeof id + size;
    while (lost < size / 4 && memcmp(*at - 4 - 4 * lost, unwritten, sizeof unwritten) == 0)
        lost++;
    struct print_args args = {
        .at = *at - size, .size = size, .sizes = f->sizes, .size_count = f->size_count, .lost = lost
    };
    return print_formatted(h->out, f->format, &args) < 0
               ? "a printf's format does not fit its arguments"
               : NULL;
}

bool host_drain(struct host *h, const struct codeobj *co, const char **why)
{
    u32 used;
    if (!h || !h->printf_buffer)
        return true;
    memcpy(&used, h->printf_buffer, sizeof used);
    memset(h->printf_buffer, 0, sizeof used);
    if (!co->printf_count)
        return true;
    used = used < HOST_PRINTF_SIZE - 8 ? used : HOST_PRINTF_SIZE - 8;
    const u8 *at = h->printf_buffer + 8, *end = at + used;
    *why = NULL;
    while (end - at >= 4 && !*why)
        *why = print_record(h, co, &at, end);
    host_fill_unwritten(h->printf_buffer + 8, used);
    return !*why;
}
