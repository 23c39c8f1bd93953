/* As much of a C library for GPUs as program.c needs: LLVM's start kernels, and the client of its remote procedure calls as LLVM 19 has them
 * (with LLVM20: as LLVM 20 and 21). On a host, where there is one lane, it is the client of LLVM's own server. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum { PACKET_WORDS = 8, MOST_PORTS = 4096 };

struct header {
    uint64_t lanes;
#ifdef LLVM20
    uint32_t opcode;
#define OPCODE(n) ((n) >> 15 ? (n) : (uint32_t)'c' << 24 | (n))
#else
    uint16_t opcode;
#define OPCODE(n) ((uint16_t)(n))
#endif
};

typedef uint64_t packet[PACKET_WORDS];

struct client {
    uint32_t ports;
    uint32_t *inbox, *outbox;
    struct header *header;
    packet *packets;
    uint32_t lock[MOST_PORTS / 32];
};

#ifdef LLVM20
__attribute__((visibility("protected"), used)) struct client __llvm_rpc_client;
#define the_client __llvm_rpc_client
#else
static struct client the_client;
__attribute__((visibility("protected"), used)) struct client *__llvm_libc_rpc_client = &the_client;
#endif

enum { NOOP, EXIT, WRITE_STDOUT, WRITE_STDERR, WRITE_STREAM, WRITE_LINE, OPEN = 8, MALLOC = 10, FREE, ABORT = 13, FLUSH = 19,
       PRINTF = 24, PRINTF_STDERR, PRINTF_STREAM, TEST_INCREMENT = 0x8001, TEST_ORDER, TEST_PIECES };

#ifdef __AMDGCN__
#define KERNEL __attribute__((visibility("protected"), amdgpu_kernel))
static uint32_t lane_id(void) { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
static uint64_t active_lanes(void) { return __builtin_amdgcn_read_exec(); }
static uint64_t ballot(uint64_t lanes, _Bool b) { return lanes & __builtin_amdgcn_ballot_w64(b); }
static uint32_t first_of(uint32_t v) { return __builtin_amdgcn_readfirstlane(v); }
static void meet(void) { __builtin_amdgcn_wave_barrier(); }
static void rest(void) { __builtin_amdgcn_s_sleep(2); }
#define FENCE(order, scope) __builtin_amdgcn_fence(order, scope)
enum { LANES = 64 };
#else
static uint32_t lane_id(void) { return 0; }
static uint64_t active_lanes(void) { return 1; }
static uint64_t ballot(uint64_t lanes, _Bool b) { return lanes & b; }
static uint32_t first_of(uint32_t v) { return v; }
static void meet(void) {}
static void rest(void) {}
#define FENCE(order, scope) __atomic_thread_fence(order)
enum { LANES = 1 };
#endif

static _Bool is_first(uint64_t lanes) { return (lanes & -lanes) == 1ull << lane_id(); }

static size_t length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static void copy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
}

/* A port that is held. It belongs to the program while what it sent last is what the host has answered. */
struct port {
    uint64_t lanes;
    uint32_t index, out;
    _Bool has_received;
};

static uint32_t load(uint32_t *at) { return first_of(__scoped_atomic_load_n(at, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM)); }

static void give(struct port *p)
{
    p->out = !p->out;
    FENCE(__ATOMIC_RELEASE, "");
    __scoped_atomic_store_n(&the_client.outbox[p->index], p->out, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}

static void own(struct port *p)
{
    while (load(&the_client.inbox[p->index]) != p->out)
        rest();
    FENCE(__ATOMIC_ACQUIRE, "");
}

static uint64_t *mine(const struct port *p) { return the_client.packets[p->index * LANES + lane_id()]; }

/* Owns the packet, to be filled; sent() hands it over. */
static uint64_t *to_send(struct port *p)
{
    own(p);
    p->has_received = 0;
    return mine(p);
}

static uint64_t *received(struct port *p)
{
    if (p->has_received)
        give(p);
    own(p);
    p->has_received = 1;
    return mine(p);
}

static struct port open_port(uint32_t opcode)
{
    for (uint32_t index = 0;; index = (index + 1) % the_client.ports) {
        uint64_t lanes = active_lanes();
        uint32_t bit = 1u << index % 32, *word = &the_client.lock[index / 32];
        _Bool was = (__scoped_atomic_fetch_or(word, bit, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) & bit) != 0;
        if (ballot(lanes, was) == lanes)
            continue;
        FENCE(__ATOMIC_ACQUIRE, "agent");
        struct port p = { .lanes = lanes, .index = index, .out = load(&the_client.outbox[index]) };
        if (load(&the_client.inbox[index]) != p.out) {
            FENCE(__ATOMIC_RELEASE, "agent");
            if (is_first(lanes))
                __scoped_atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
            continue;
        }
        if (is_first(lanes)) {
            the_client.header[index].opcode = OPCODE(opcode);
            the_client.header[index].lanes = lanes;
        }
        meet();
        return p;
    }
}

static void close_port(struct port *p)
{
    meet();
    FENCE(__ATOMIC_RELEASE, "agent");
    if (is_first(p->lanes))
        __scoped_atomic_fetch_and(&the_client.lock[p->index / 32], ~(1u << p->index % 32), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    meet();
}

static void send_piece(struct port *p, const void *from, uint64_t size)
{
    uint64_t at = 56, *w = to_send(p);
    w[0] = size;
    copy(w + 1, from, size < 56 ? size : 56);
    give(p);
    for (; ballot(p->lanes, at < size); at += 64) {
        w = to_send(p);
        if (at < size)
            copy(w, (const char *)from + at, size - at < 64 ? size - at : 64);
        give(p);
    }
}

/* Into room for as many bytes as come. */
static uint64_t receive_piece(struct port *p, void *to)
{
    uint64_t at = 56, *w = received(p), size = w[0];
    copy(to, w + 1, size < 56 ? size : 56);
    for (; ballot(p->lanes, at < size); at += 64) {
        w = received(p);
        if (at < size)
            copy((char *)to + at, w, size - at < 64 ? size - at : 64);
    }
    return size;
}

static uint64_t write_text(uint32_t opcode, const char *text)
{
    struct port p = open_port(opcode);
    if (opcode == WRITE_STREAM) {
        to_send(&p)[0] = 3; /* standard error's tag */
        give(&p);
    }
    send_piece(&p, text, length(text));
    uint64_t written = received(&p)[0];
    close_port(&p);
    return written;
}

static int print(uint32_t opcode, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct port p = open_port(opcode);
    send_piece(&p, format, length(format) + 1);
    uint64_t size = received(&p)[0];
#ifdef __AMDGCN__
    send_piece(&p, args, size);
#else
    send_piece(&p, "", 0);
#endif
    uint64_t *w, result;
    for (;;) {
        w = received(&p);
        result = w[0];
        const char *string = (const char *)w[1];
        if (!string)
            break;
        send_piece(&p, string, length(string) + 1);
    }
    close_port(&p);
    va_end(args);
    return (int)result;
}

static uint64_t ask(uint32_t opcode, uint64_t argument)
{
    struct port p = open_port(opcode);
    to_send(&p)[0] = argument;
    give(&p);
    uint64_t answer = received(&p)[0];
    close_port(&p);
    return answer;
}

_Noreturn static void leave(uint32_t opcode, int code)
{
    struct port p = open_port(opcode);
    to_send(&p);
    give(&p);
    received(&p);
    to_send(&p)[0] = (uint32_t)code;
    give(&p);
    close_port(&p);
#ifdef __AMDGCN__
    __builtin_amdgcn_endpgm();
#else
    for (;;)
        ;
#endif
}

/* --- where the loader begins --- */

int main(int argc, char **argv, char **envp);
void begin(int argc, char **argv, char **envp);
void end(int code);

#ifdef __AMDGCN__
KERNEL void _begin(int argc, char **argv, char **envp) { begin(argc, argv, envp); }
KERNEL void _start(int argc, char **argv, char **envp, int *result) { __atomic_fetch_or(result, main(argc, argv, envp), __ATOMIC_RELAXED); }
#ifdef LLVM21
KERNEL void _end(void) { end(-1); }
#else
KERNEL void _end(int code) { end(code); }
#endif
#endif
