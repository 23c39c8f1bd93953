/* A program on the HSA runtime, for hsa.sh: loads the kernels of hsa_kernels.s and runs what its second
 * argument names. Prints "right", or what is not; exit code 0 or 1, 2 if it could not be run. */
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 4096, GROUP = 256 };

static struct {
    hsa_agent_t gpu, cpu;
    hsa_amd_memory_pool_t fine, vram;
    hsa_executable_t kernels;
    hsa_status_t error; /* the last one of a queue */
    uint32_t *words;    /* WORDS of them, which both see */
} h;

static void must(hsa_status_t status, const char *what)
{
    const char *text = "";
    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
        return;
    hsa_status_string(status, &text);
    fprintf(stderr, "hsa_client: %s: %s\n", what, text);
    exit(2);
}

static hsa_status_t see_agent(hsa_agent_t agent, void *unused)
{
    hsa_device_type_t type;
    (void)unused;
    must(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type), "agent");
    if (type == HSA_DEVICE_TYPE_GPU)
        h.gpu = agent;
    else if (type == HSA_DEVICE_TYPE_CPU)
        h.cpu = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t see_pool(hsa_amd_memory_pool_t pool, void *to)
{
    hsa_amd_segment_t segment;
    uint32_t flags = 0;
    must(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment), "pool");
    if (segment != HSA_AMD_SEGMENT_GLOBAL)
        return HSA_STATUS_SUCCESS;
    must(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags), "pool");
    if (to == &h.vram || flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
        *(hsa_amd_memory_pool_t *)to = pool;
    return HSA_STATUS_SUCCESS;
}

static void *allocate(hsa_amd_memory_pool_t pool, size_t bytes)
{
    void *p = NULL;
    const hsa_agent_t both[] = { h.gpu, h.cpu };
    must(hsa_amd_memory_pool_allocate(pool, bytes, 0, &p), "memory");
    must(hsa_amd_agents_allow_access(pool.handle == h.vram.handle ? 1 : 2, both, NULL, p),
         "access");
    return p;
}

static void open_all(const char *path)
{
    hsa_code_object_reader_t reader;
    FILE *in = fopen(path, "rb");
    if (!in) {
        perror(path);
        exit(2);
    }
    must(hsa_init(), "hsa_init");
    must(hsa_iterate_agents(see_agent, NULL), "agents");
    must(hsa_amd_agent_iterate_memory_pools(h.cpu, see_pool, &h.fine), "pools");
    must(hsa_amd_agent_iterate_memory_pools(h.gpu, see_pool, &h.vram), "pools");
    must(hsa_code_object_reader_create_from_file(fileno(in), &reader), path);
    must(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                   &h.kernels),
         "executable");
    must(hsa_executable_load_agent_code_object(h.kernels, h.gpu, reader, NULL, NULL), path);
    must(hsa_executable_freeze(h.kernels, NULL), "executable");
    h.words = allocate(h.fine, WORDS * sizeof *h.words);
    memset(h.words, 0, WORDS * sizeof *h.words);
}

/* ---- queues and packets ---- */

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *unused)
{
    (void)queue;
    (void)unused;
    __atomic_store_n(&h.error, status, __ATOMIC_RELEASE);
}

static hsa_queue_t *queue_of(uint32_t size)
{
    hsa_queue_t *q;
    must(hsa_queue_create(h.gpu, size, HSA_QUEUE_TYPE_MULTI, on_error, NULL, UINT32_MAX, UINT32_MAX,
                          &q),
         "queue");
    return q;
}

static hsa_signal_t signal_of(int64_t value)
{
    hsa_signal_t s;
    must(hsa_signal_create(value, 0, NULL, &s), "signal");
    return s;
}

static uint32_t header_of(uint32_t type, uint32_t setup)
{
    return type << HSA_PACKET_HEADER_TYPE | 1u << HSA_PACKET_HEADER_BARRIER |
           HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
           HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE | setup << 16;
}

/* The next place of a queue, when it is free. */
static void *place_of(hsa_queue_t *q, uint64_t *index)
{
    *index = hsa_queue_add_write_index_relaxed(q, 1);
    while (*index - hsa_queue_load_read_index_scacquire(q) >= q->size)
        usleep(10);
    return (hsa_kernel_dispatch_packet_t *)q->base_address + *index % q->size;
}

static void publish(void *place, uint32_t header)
{
    __atomic_store_n((uint32_t *)place, header, __ATOMIC_RELEASE);
}

static void ring(hsa_queue_t *q, uint64_t index)
{
    hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)index);
}

static hsa_kernel_dispatch_packet_t kernel_of(const char *name, uint32_t items, const void *to)
{
    hsa_executable_symbol_t symbol;
    hsa_kernel_dispatch_packet_t p = { .workgroup_size_x = GROUP, .workgroup_size_y = 1 };
    char full[64];
    const void **kernarg = allocate(h.fine, 64);
    snprintf(full, sizeof full, "%s.kd", name);
    must(hsa_executable_get_symbol_by_name(h.kernels, full, &h.gpu, &symbol), name);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT,
                                   &p.kernel_object);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE,
                                   &p.group_segment_size);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
                                   &p.private_segment_size);
    *kernarg = to;
    p.workgroup_size_z = 1;
    p.grid_size_x = items;
    p.grid_size_y = p.grid_size_z = 1;
    p.kernarg_address = (void *)kernarg;
    return p;
}

/* Puts a packet, but for its first dword, and returns where that belongs. */
static void *put(hsa_queue_t *q, const void *packet, uint64_t *index)
{
    char *place = place_of(q, index);
    memcpy(place + 4, (const char *)packet + 4, 60);
    return place;
}

static void submit(hsa_queue_t *q, const hsa_kernel_dispatch_packet_t *p)
{
    uint64_t index;
    publish(put(q, p, &index), header_of(HSA_PACKET_TYPE_KERNEL_DISPATCH, 1));
    ring(q, index);
}

static void submit_barrier(hsa_queue_t *q, uint32_t type, hsa_signal_t a, hsa_signal_t b,
                           hsa_signal_t done)
{
    hsa_barrier_and_packet_t p = { .dep_signal = { a, b }, .completion_signal = done };
    uint64_t index;
    publish(put(q, &p, &index), header_of(type, 0));
    ring(q, index);
}

/* Whether a signal falls to 0 in time. */
static bool ends(hsa_signal_t s)
{
    uint64_t hz, start = 0, now;
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &hz);
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &start);
    now = start;
    while (hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, hz, HSA_WAIT_STATE_BLOCKED) >
               0 &&
           now - start < 5 * hz)
        hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &now);
    return hsa_signal_load_relaxed(s) == 0;
}

static bool stays(hsa_signal_t s, int64_t value)
{
    usleep(50000);
    return hsa_signal_load_scacquire(s) == value;
}

static bool run(const char *name, uint32_t items)
{
    hsa_kernel_dispatch_packet_t p = kernel_of(name, items, h.words);
    p.completion_signal = signal_of(1);
    submit(queue_of(64), &p);
    return ends(p.completion_signal);
}

/* ---- what can be run ---- */

static bool is_filled(const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < WORDS; i++)
        if (words[i] != (i < count ? 3 * i + 1 : 0)) {
            printf("word %u is %u\n", i, words[i]);
            return false;
        }
    return true;
}

/* The last group is not whole. */
static bool fill(void)
{
    return run("fill", 1000) && is_filled(h.words, 1000);
}

static bool reverse(void)
{
    bool is_right = run("reverse", 1024);
    for (uint32_t i = 0; i < 1024; i++)
        is_right &= h.words[i] == i / GROUP * GROUP + (GROUP - 1 - i % GROUP);
    return is_right;
}

/* The queue has no private memory before it is asked for. */
static bool private_memory(void)
{
    bool is_right = run("private", 512);
    for (uint32_t i = 0; i < 512; i++)
        is_right &= h.words[i] == i + 7;
    return is_right;
}

/* More packets than a queue has places, in three queues, told by one signal. */
static bool wrap(void)
{
    hsa_queue_t *q[3] = { queue_of(64), queue_of(64), queue_of(64) };
    hsa_kernel_dispatch_packet_t p = kernel_of("count", 64, h.words);
    p.workgroup_size_x = 64;
    p.completion_signal = signal_of(600);
    for (int i = 0; i < 600; i++)
        submit(q[i % 3], &p);
    return ends(p.completion_signal) && h.words[0] == 600 * 64;
}

/* A packet waits for its doorbell, and for those before it. */
static bool doorbell(void)
{
    hsa_queue_t *q = queue_of(64);
    hsa_kernel_dispatch_packet_t p = kernel_of("count", 64, h.words);
    uint64_t first, second;
    p.workgroup_size_x = 64;
    p.completion_signal = signal_of(2);
    void *at = put(q, &p, &first), *next = put(q, &p, &second);
    publish(next, header_of(HSA_PACKET_TYPE_KERNEL_DISPATCH, 1));
    ring(q, second);
    if (!stays(p.completion_signal, 2))
        return false;
    publish(at, header_of(HSA_PACKET_TYPE_KERNEL_DISPATCH, 1));
    if (!ends(p.completion_signal))
        return false;
    hsa_signal_store_relaxed(p.completion_signal, 1);
    publish(put(q, &p, &first), header_of(HSA_PACKET_TYPE_KERNEL_DISPATCH, 1));
    bool is_right = stays(p.completion_signal, 1);
    ring(q, first);
    return ends(p.completion_signal) && is_right && h.words[0] == 3 * 64;
}

/* Barriers between two queues, and what the host does with signals. */
static bool barriers(void)
{
    hsa_queue_t *a = queue_of(64), *b = queue_of(64);
    hsa_signal_t one = signal_of(1), two = signal_of(1), both = signal_of(1), any = signal_of(1);
    submit_barrier(a, HSA_PACKET_TYPE_BARRIER_AND, one, two, both);
    submit_barrier(b, HSA_PACKET_TYPE_BARRIER_OR, one, two, any);
    bool is_right = stays(any, 1) && stays(both, 1);
    hsa_signal_store_screlease(two, 0);
    is_right &= ends(any) && stays(both, 1);
    hsa_kernel_dispatch_packet_t p = kernel_of("fill", 1000, h.words);
    p.completion_signal = one;
    submit(b, &p);
    is_right &= ends(both) && is_filled(h.words, 1000);
    hsa_amd_barrier_value_packet_t v = { .signal = signal_of(5),
                                         .value = 3,
                                         .mask = 7,
                                         .cond = HSA_SIGNAL_CONDITION_LT,
                                         .completion_signal = signal_of(1) };
    uint64_t index;
    void *at = put(a, &v, &index);
    publish(at, header_of(HSA_PACKET_TYPE_VENDOR_SPECIFIC, HSA_AMD_PACKET_TYPE_BARRIER_VALUE));
    ring(a, index);
    is_right &= stays(v.completion_signal, 1);
    hsa_signal_store_screlease(v.signal, 8 + 2);
    return ends(v.completion_signal) && is_right;
}

/* The host answers a kernel that waits for it, and can ask the driver for things meanwhile. */
static bool meet(void)
{
    hsa_kernel_dispatch_packet_t p = kernel_of("meet", 64, h.words);
    p.workgroup_size_x = 64;
    p.completion_signal = signal_of(1);
    submit(queue_of(64), &p);
    bool is_right = stays(p.completion_signal, 1);
    void *vram = allocate(h.vram, 1 << 20);
    must(hsa_amd_memory_pool_free(vram), "free");
    __atomic_store_n(&h.words[0], 1, __ATOMIC_RELEASE);
    return ends(p.completion_signal) && is_right && h.words[0] == 2;
}

static bool handle(hsa_signal_value_t value, void *to)
{
    __atomic_store_n((int64_t *)to, value, __ATOMIC_RELEASE);
    return false;
}

/* A thread of the runtime's is woken by the interrupt of a packet, and by one of a kernel. */
static bool interrupts(void)
{
    int64_t seen = 77;
    hsa_kernel_dispatch_packet_t p = kernel_of("fill", 1000, h.words);
    p.completion_signal = signal_of(1);
    must(hsa_amd_signal_async_handler(p.completion_signal, HSA_SIGNAL_CONDITION_LT, 1, handle,
                                      &seen),
         "handler");
    submit(queue_of(64), &p);
    for (int i = 0; i < 5000 && __atomic_load_n(&seen, __ATOMIC_ACQUIRE) == 77; i++)
        usleep(1000);
    const char *signal = (const char *)(uintptr_t)signal_of(1).handle;
    memset(h.words, 0, WORDS * sizeof *h.words);
    memcpy(h.words, signal + 16, 12); /* amd_signal_t: mailbox, number of the event */
    return seen == 0 && run("tell", 64);
}

/* There and back through the card's memory, by the copy engines. */
static bool copies(void)
{
    uint32_t *vram = allocate(h.vram, WORDS * sizeof *vram);
    hsa_signal_t in = signal_of(1), done = signal_of(1);
    hsa_kernel_dispatch_packet_t p = kernel_of("fill", 500, vram);
    must(hsa_amd_memory_fill(vram, 0, WORDS), "fill");
    p.completion_signal = in;
    must(hsa_amd_memory_async_copy(h.words, h.cpu, vram, h.gpu, WORDS * sizeof *vram, 1, &in, done),
         "copy");
    bool is_right = stays(done, 1);
    submit(queue_of(64), &p);
    return ends(done) && is_right && is_filled(h.words, 500);
}

static bool profile(void)
{
    hsa_amd_profiling_dispatch_time_t t = { 0, 0 };
    hsa_queue_t *q = queue_of(64);
    hsa_kernel_dispatch_packet_t p = kernel_of("fill", 1000, h.words);
    uint64_t before = 0, after = 0;
    p.completion_signal = signal_of(1);
    must(hsa_amd_profiling_set_profiler_enabled(q, 1), "profiling");
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &before);
    submit(q, &p);
    bool is_right = ends(p.completion_signal);
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &after);
    must(hsa_amd_profiling_get_dispatch_time(h.gpu, p.completion_signal, &t), "time");
    uint64_t slack = 1000000; /* the clocks are compared now and then */
    is_right &= t.start < t.end && t.start + slack > before && t.end < after + slack;
    if (!is_right)
        printf("%lu to %lu, not in %lu to %lu\n", t.start, t.end, before, after);
    return is_right;
}

/* What a queue's callback is told of a packet. */
static bool told(const hsa_kernel_dispatch_packet_t *p, uint32_t header, hsa_status_t want)
{
    hsa_queue_t *q = queue_of(64);
    uint64_t index;
    h.error = HSA_STATUS_SUCCESS;
    publish(put(q, p, &index), header);
    ring(q, index);
    for (int i = 0; i < 10000 && !__atomic_load_n(&h.error, __ATOMIC_ACQUIRE); i++)
        usleep(1000);
    if (h.error != want)
        printf("header 0x%x: 0x%x, not 0x%x\n", header, h.error, want);
    return h.error == want;
}

static bool errors(void)
{
    uint32_t header = header_of(HSA_PACKET_TYPE_KERNEL_DISPATCH, 1);
    hsa_kernel_dispatch_packet_t good = kernel_of("fill", 1000, h.words), p = good;
    bool is_right = told(&good, header_of(HSA_PACKET_TYPE_AGENT_DISPATCH, 1),
                         HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    is_right &= told(&good, header | 1u << 13, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    is_right &= told(&good, header & 0xffff, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    p.group_segment_size = 1 << 17;
    is_right &= told(&p, header, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    p = good;
    p.workgroup_size_x = 1025;
    is_right &= told(&p, header, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    p = good;
    p.kernel_object = 0;
    is_right &= told(&p, header, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    p = kernel_of("illegal", 64, h.words);
    is_right &= told(&p, header, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION);
    p = kernel_of("gives_up", 64, h.words);
    is_right &= told(&p, header, HSA_STATUS_ERROR_EXCEPTION);
    return is_right && fill(); /* other queues are none the worse */
}

/* These end otherwise than well. */
static bool outside(void)
{
    return run("outside", 64);
}

static bool endless(void)
{
    hsa_kernel_dispatch_packet_t p = kernel_of("endless", 64, h.words);
    p.completion_signal = signal_of(1);
    submit(queue_of(64), &p);
    usleep(2000000);
    bool is_right = stays(p.completion_signal, 1);
    /* With a new queue the device works, unless that was made before the reset. */
    return (fill() || fill()) && is_right;
}

static bool nothing(void)
{
    hsa_queue_t *q = queue_of(64);
    hsa_queue_destroy(q);
    return true;
}

/* Sits there with a queue until it is killed. */
static bool idle(void)
{
    queue_of(64);
    puts("idle");
    fflush(stdout);
    sleep(60);
    return true;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } tests[] = {
        { "fill", fill },       { "reverse", reverse },       { "private", private_memory },
        { "wrap", wrap },       { "doorbell", doorbell },     { "barriers", barriers },
        { "meet", meet },       { "interrupts", interrupts }, { "copies", copies },
        { "profile", profile }, { "errors", errors },         { "outside", outside },
        { "endless", endless }, { "nothing", nothing },       { "idle", idle }
    };
    if (argc != 3) {
        fprintf(stderr, "usage: hsa_client FILE.co TEST\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strcmp(argv[2], tests[i].name) == 0) {
            open_all(argv[1]);
            bool is_right = tests[i].run();
            puts(is_right ? "right" : "wrong");
            return !is_right;
        }
    fprintf(stderr, "hsa_client: no test '%s'\n", argv[2]);
    return 2;
}
