/* The driver behind /dev/kfd, by its ioctls: memory, events, user-mode queues; packets that must be
 * refused, faults, and what goes wrong on demand. */
#include "harness/t/vgpu/kfd.h"

#include <errno.h>

/* ---- the driver ---- */

static void test_memory(void)
{
    struct kfd_arg_version version = { 0, 0 };
    struct kfd_aperture aperture;
    struct kfd_arg_apertures all = { .to = (u64)(uintptr_t)&aperture, .count = 1 };
    struct kfd_arg_available room = { .gpu = t.gpu };
    struct kfd_arg_alloc a = { .va = 0x70000000, .size = 0x3000, .gpu = t.gpu };
    u32 other = t.gpu + 1;
    open_all(NULL);
    is_i64(0, kfd(KFD_GET_VERSION, &version), "GET_VERSION");
    is_u64(1, version.major, "version 1");
    is_i64(0, kfd(KFD_GET_APERTURES, &all), "GET_PROCESS_APERTURES_NEW");
    is_hex(t.gpu, aperture.gpu, "one GPU has them");
    is_hex(WAVE_SHARED_BASE, aperture.lds_base, "LDS, where the model has it");
    is_hex(WAVE_PRIVATE_BASE, aperture.scratch_base, "private memory likewise");
    gpu_must(kfd(KFD_AVAILABLE, &room), "AVAILABLE_MEMORY");
    u64 before = room.bytes;
    is_u64((16384ull << 20) - BYTES, before, "all of the card's memory but for the code");
    is_i64(-EINVAL, kfd(KFD_ALLOC_MEMORY, &a), "memory of no kind");
    a.flags = KFD_MEMORY_VRAM | KFD_MEMORY_GTT;
    is_i64(-EINVAL, kfd(KFD_ALLOC_MEMORY, &a), "of two kinds");
    a.flags = KFD_MEMORY_DOORBELL;
    is_i64(-EINVAL, kfd(KFD_ALLOC_MEMORY, &a), "a page of doorbells of another size");
    a.flags = KFD_MEMORY_VRAM | KFD_MEMORY_WRITABLE;
    a.size = 1ull << 40;
    is_i64(-ENOMEM, kfd(KFD_ALLOC_MEMORY, &a), "more than there is anywhere");
    a.size = 0x3000;
    a.gpu++;
    is_i64(-EINVAL, kfd(KFD_ALLOC_MEMORY, &a), "on another GPU");
    a.gpu--;
    is_i64(0, kfd(KFD_ALLOC_MEMORY, &a), "some");
    gpu_must(kfd(KFD_AVAILABLE, &room), "AVAILABLE_MEMORY");
    is_u64(before - 0x3000, room.bytes, "less is left");
    struct kfd_arg_map wrong = { .handle = a.handle, .gpus = (u64)(uintptr_t)&other, .count = 1 };
    is_i64(-EINVAL, kfd(KFD_MAP_MEMORY, &wrong), "mapped for another GPU");
    is_i64(0, map_op(KFD_MAP_MEMORY, a.handle), "mapped");
    is_i64(-EBUSY, kfd(KFD_FREE_MEMORY, &(struct kfd_arg_handle){ a.handle }), "freed too early");
    is_i64(0, map_op(KFD_UNMAP_MEMORY, a.handle), "unmapped");
    is_i64(0, kfd(KFD_FREE_MEMORY, &(struct kfd_arg_handle){ a.handle }), "freed");
    is_i64(-EINVAL, kfd(KFD_FREE_MEMORY, &(struct kfd_arg_handle){ a.handle }), "freed twice");
    gpu_must(kfd(KFD_AVAILABLE, &room), "AVAILABLE_MEMORY");
    is_u64(before, room.bytes, "as much as before");
    is_i64(-ENOTTY, kfd(_IOWR(KFD_TYPE, 0x82, u64), &a), "an ioctl of the vendor's own kernels");
    gpu_errors();
    is_i64(-EOPNOTSUPP, kfd(_IOWR(KFD_TYPE, 0x20, u64), &a), "one that is not implemented");
    ok(strstr(gpu_errors(), "SVM is not implemented"), "is refused by name");
    gpu_close();

    gpu.faults = (struct vgpu_faults){ .hang = 0 };
    open_kfd("raven"); /* with 512 MiB */
    a = (struct kfd_arg_alloc){
        .va = 0x70000000, .size = 513 << 20, .gpu = t.gpu, .flags = KFD_MEMORY_VRAM
    };
    is_i64(-ENOMEM, kfd(KFD_ALLOC_MEMORY, &a), "more than the card has");
    a.flags = KFD_MEMORY_GTT;
    is_i64(0, kfd(KFD_ALLOC_MEMORY, &a), "of the system's there is more");
    gpu_close();
}

static void test_events(void)
{
    open_all(NULL);
    is_i64(1, wait_for(t.event, NULL), "nothing has happened");
    is_i64(0, kfd(KFD_SET_EVENT, &(struct kfd_arg_id){ .id = t.event }), "an event is set");
    is_i64(0, wait_for(t.event, NULL), "who waits is told");
    is_i64(1, wait_for(t.event, NULL), "once");
    struct kfd_arg_create_event a = { .type = KFD_EVENT_SIGNAL };
    gpu_must(kfd(KFD_CREATE_EVENT, &a), "CREATE_EVENT");
    gpu_must(kfd(KFD_SET_EVENT, &(struct kfd_arg_id){ .id = a.id }), "SET_EVENT");
    is_i64(0, wait_for(a.id, NULL), "one without reset");
    is_i64(0, wait_for(a.id, NULL), "stays set");
    struct kfd_event_data two[] = { { .id = a.id }, { .id = t.event } };
    struct kfd_arg_wait w = {
        .events = (u64)(uintptr_t)two, .count = 2, .for_all = 1, .timeout_ms = 1
    };
    is_i64(0, kfd(KFD_WAIT_EVENTS, &w), "waiting for both");
    is_u64(KFD_WAIT_TIMEOUT, w.result, "of which one is set");
    w.for_all = 0;
    is_i64(0, kfd(KFD_WAIT_EVENTS, &w), "for either");
    is_u64(KFD_WAIT_COMPLETE, w.result, "is enough");
    gpu_must(kfd(KFD_RESET_EVENT, &(struct kfd_arg_id){ .id = a.id }), "RESET_EVENT");
    is_i64(1, wait_for(a.id, NULL), "until it is reset");
    gpu_must(kfd(KFD_DESTROY_EVENT, &(struct kfd_arg_id){ .id = a.id }), "DESTROY_EVENT");
    is_i64(-EINVAL, wait_for(a.id, NULL), "one that is no more");
    is_i64(-EINVAL, kfd(KFD_SET_EVENT, &(struct kfd_arg_id){ .id = t.memory_event }),
           "what only the card may say");
    gpu_close();
}

/* While one waits, another sets the event and then waits for it himself. */
static int second;

static void meanwhile(void *ctx, u64 deadline_ns)
{
    (void)ctx;
    (void)deadline_ns;
    if (second != -1)
        return;
    second = 2;
    gpu_must(kfd(KFD_SET_EVENT, &(struct kfd_arg_id){ .id = t.event }), "SET_EVENT");
    second = wait_for(t.event, NULL);
}

/* While one waits, another ends the event, and makes one that has the same number. */
static void destroy(void *ctx, u64 deadline_ns)
{
    (void)ctx;
    (void)deadline_ns;
    kfd(KFD_DESTROY_EVENT, &(struct kfd_arg_id){ .id = t.event });
    event_of(KFD_EVENT_SIGNAL);
}

static void test_waiters(void)
{
    second = -1;
    gpu.wait = meanwhile;
    open_all(NULL);
    is_i64(0, wait_for(t.event, NULL), "who waits when an event is set is told");
    is_i64(1, second, "who waits from then on is not, and takes nothing away");
    gpu_close();
    gpu.wait = destroy;
    open_all(NULL);
    is_i64(-EIO, wait_for(t.event, NULL), "an event that ends while somebody waits");
    gpu_close();
    gpu.wait = NULL;
}

/* What was answered to calls of another in the middle of a dispatch. */
static struct {
    bool is_over, is_idle;
    int wait, map, close;
    u64 seq;
} inside;

static void call_in(void *ctx, u64 deadline_ns)
{
    (void)ctx;
    (void)deadline_ns;
    if (inside.is_over)
        return;
    inside.is_over = true;
    memset(gpu.at[2], 0, 16); /* nothing but padding */
    gpu_must(gpu_submit(AMDGPU_HW_IP_COMPUTE, 4, &inside.seq), "CS");
    inside.wait = gpu_wait(AMDGPU_HW_IP_COMPUTE, inside.seq);
    inside.map = gpu_va(AMDGPU_VA_OP_MAP, gpu.handle[1], 0x9000000, 0, 4096, GPU_RW);
    inside.close =
        gpu_ioctl(DRM_IOCTL_GEM_CLOSE, &(struct drm_gem_close){ .handle = gpu.handle[1] });
    vgpu_run(gpu.v);
    inside.is_idle = vgpu_is_idle(gpu.v);
}

/* The other driver of the card executes nothing while a queue does. */
static void test_both_drivers(void)
{
    enum { GROUPS = 20000 }; /* which take longer than what the card lets pass until it looks up */
    u32 dw[AQL_DW];
    gpu.wait = call_in;
    open_all(NULL);
    put_kernel("s_endpgm");
    put_dispatch(dw);
    dw[3] = 64 * GROUPS;
    publish(dw);
    ring();
    is_i64(0, value_at(DONE), "a kernel of many work-groups ends");
    ok(inside.is_over, "and others called in meanwhile");
    is_i64(VGPU_BLOCKED, inside.wait, "who waits for a submission then must go on waiting");
    is_i64(VGPU_BLOCKED, inside.map, "as who maps, behind what was submitted");
    is_i64(VGPU_BLOCKED, inside.close, "and who closes a buffer");
    ok(!inside.is_idle, "the submission is not executed in the middle");
    is_i64(0, gpu_wait(AMDGPU_HW_IP_COMPUTE, inside.seq), "but behind it");
    is_i64(0, gpu_va(AMDGPU_VA_OP_MAP, gpu.handle[1], 0x9000000, 0, 4096, GPU_RW),
           "what was blocked had no effect");
    gpu_close();
    gpu.wait = NULL;
}

static void test_create(void)
{
    struct kfd_arg_create_queue a;
    open_all(NULL);
    create_queue(&a);
    a.gpu++;
    is_i64(-EINVAL, kfd(KFD_CREATE_QUEUE, &a), "a queue of another GPU");
    create_queue(&a);
    a.ring_size = 3000;
    is_i64(-EINVAL, kfd(KFD_CREATE_QUEUE, &a), "of a size that is no power of two");
    create_queue(&a);
    a.percentage = 101;
    is_i64(-EINVAL, kfd(KFD_CREATE_QUEUE, &a), "of too many percent");
    create_queue(&a);
    a.ring = 0x123456000;
    is_i64(-EFAULT, kfd(KFD_CREATE_QUEUE, &a), "in memory that is not there");
    create_queue(&a);
    a.write_pointer += 8;
    is_i64(-EFAULT, kfd(KFD_CREATE_QUEUE, &a), "with indices that are no record's");
    create_queue(&a);
    a.type = KFD_QUEUE_PM4;
    is_i64(-EOPNOTSUPP, kfd(KFD_CREATE_QUEUE, &a), "of PM4");
    is_i64(-EINVAL, kfd(KFD_DESTROY_QUEUE, &(struct kfd_arg_id){ .id = 99 }), "none is ended");
    gpu_close();
}

/* ---- packets ---- */

static void test_dispatch(void)
{
    u32 dw[AQL_DW];
    open_all(NULL);
    put_kernel(STORE_IDS);
    put_dispatch(dw);
    publish(dw);
    vgpu_kfd_poll(gpu.v);
    is_i64(1, value_at(DONE), "nothing is executed before the doorbell");
    ring();
    ok(has_ids(), "a dispatch is executed");
    is_i64(0, value_at(DONE), "its signal falls");
    is_u64(1, get64(RECORD + AQL_QUEUE_READ_INDEX), "the index is read");
    is_u64(AQL_INVALID, t.mem[RING] | (u64)t.mem[RING + 1] << 8, "the place is free");
    is_i64(0, wait_for(t.event, NULL), "those who wait are told");
    is_str("", gpu_errors(), "nothing is wrong");
    for (u32 i = 0; i < 40; i++) {
        put_signal(DONE, 1);
        publish(dw);
        ring();
    }
    is_u64(41, get64(RECORD + AQL_QUEUE_READ_INDEX), "more than the ring has places");
    is_i64(0, value_at(DONE), "all are executed");
    wait_for(t.event, NULL);
    put64(DONE + AQL_SIGNAL_MAILBOX, EVENTS + (t.event + 1) * 8);
    publish(dw);
    ring();
    is_i64(1, wait_for(t.event, NULL), "a signal with another event's slot tells nobody");
    ok(strstr(gpu_errors(), "whose slot was not written"), "which is said");
    gpu_close();
}

/* A program has more pieces of memory than a machine has windows, and may touch all. */
static void test_windows(void)
{
    u32 dw[AQL_DW], got, right = 0;
    u8 *at[100];
    u64 handle;
    open_all(NULL);
    for (u32 i = 0; i < COUNT_OF(at); i++)
        at[i] = memory(0x80000000 + i * 0x10000ull, 0x1000, KFD_MEMORY_GTT | KFD_MEMORY_WRITABLE,
                       &handle);
    put_kernel("s_load_dword s4, s[0:1], 0x0\nv_lshlrev_b32 v1, 16, v0\nv_mov_b32 v2, 0\n"
               "v_add_u32 v1, 0x80000000, v1\nglobal_store_dword v[1:2], v0, off\n"
               "v_add_u32 v1, 0x240000, v1\nglobal_store_dword v[1:2], v0, off\n"
               "s_waitcnt vmcnt(0)\ns_endpgm\n");
    put_dispatch(dw);
    publish(dw);
    ring();
    is_i64(0, value_at(DONE), "a dispatch that touches 101 pieces of memory");
    for (u32 i = 0; i < COUNT_OF(at); i++) {
        memcpy(&got, at[i], sizeof got);
        right += got == (i < 36 ? i : i - 36);
    }
    is_u64(COUNT_OF(at), right, "writes all of them");
    is_str("", gpu_errors(), "nothing is wrong with that");
    gpu_close();
}

static void test_barriers(void)
{
    u32 barrier[AQL_DW] = { AQL_BARRIER_AND, 0, QUEUE_VA + OTHER, 0 }, dw[AQL_DW];
    open_all(NULL);
    put_kernel(STORE_IDS);
    put_signal(OTHER, 1);
    publish(barrier);
    put_dispatch(dw);
    publish(dw);
    ring();
    is_i64(1, value_at(DONE), "a barrier waits for its signal");
    put64(OTHER + AQL_SIGNAL_VALUE, 0);
    ring();
    is_i64(0, value_at(DONE), "and lets pass what is behind it");
    barrier[0] = AQL_BARRIER_OR;
    barrier[4] = QUEUE_VA + INACTIVE; /* whose value is 0 */
    put64(OTHER + AQL_SIGNAL_VALUE, 1);
    put_signal(DONE, 1);
    publish(barrier);
    publish(dw);
    ring();
    is_i64(0, value_at(DONE), "one of two is enough for the other kind");
    barrier[0] = AQL_BARRIER_AND;
    put_signal(DONE, 1);
    publish(barrier);
    publish(dw);
    ring();
    is_i64(1, value_at(DONE), "but not for the first");
    gpu_close();
}

/* One dword of the dispatch is made wrong: the bit that the inactive signal then has, and a word of
 * what the log says. */
static void refused(u32 index, u32 value, u32 bit, const char *says)
{
    u32 dw[AQL_DW];
    open_all(NULL);
    put_kernel(STORE_IDS);
    put_dispatch(dw);
    dw[index] = value;
    publish(dw);
    ring();
    is_hex(bit, (u64)value_at(INACTIVE), "dword %u = 0x%x", index, value);
    ok(strstr(gpu_errors(), says), "... '%s'", says);
    is_i64(0, wait_for(t.event, NULL), "... the runtime is told");
    is_i64(1, value_at(DONE), "... and it is not executed");
    gpu_close();
}

static void test_refused(void)
{
    refused(0, AQL_AGENT_DISPATCH | 1 << 16, AQL_ERROR_PACKET, "type = 0x4");
    refused(0, AQL_DISPATCH | 1 << 14 | 1 << 16, AQL_ERROR_PACKET, "reserved bits");
    refused(0, AQL_DISPATCH | 3 << 9 | 1 << 16, AQL_ERROR_PACKET, "scope of a fence");
    refused(0, AQL_DISPATCH, AQL_ERROR_DIMENSIONS, "setup");
    refused(4, 2, AQL_ERROR_DIMENSIONS, "direction = 0x1");
    refused(3, 0, AQL_ERROR_DIMENSIONS, "direction = 0x0");
    refused(1, 1025 | 1 << 16, AQL_ERROR_GROUP_SIZE, "work-group");
    refused(2, 1 | 1 << 16, AQL_ERROR_PACKET, "reserved0");
    refused(8, 0, AQL_ERROR_CODE, "kernel_object");
    refused(10, QUEUE_VA + KERNARG + 4, AQL_ERROR_PACKET, "kernarg_address");
    refused(0, AQL_VENDOR | 9 << 16, AQL_ERROR_VENDOR, "vendor packet");
}

/* What is told to the queue without a word on standard error, as it is no mistake. */
static void test_scratch(void)
{
    const u32 lanes_16 = 1 << 12; /* WAVESIZE: 1 KiB of a wave are 16 bytes of a lane */
    u32 dw[AQL_DW];
    open_all(NULL);
    put_kernel(STORE_IDS);
    put_dispatch(dw);
    dw[6] = 16;
    publish(dw);
    ring();
    is_hex(AQL_ERROR_SCRATCH, (u64)value_at(INACTIVE), "more private memory is asked for");
    is_i64(1, value_at(DONE), "before the kernel runs");
    memcpy(t.mem + RECORD + AQL_QUEUE_TMPRING, &lanes_16, 4);
    vgpu_kfd_poll(gpu.v);
    is_i64(1, value_at(DONE), "the queue waits");
    put64(INACTIVE + AQL_SIGNAL_VALUE, 0);
    ring();
    is_i64(0, value_at(DONE), "until it is told that it has it");
    const u32 once = AQL_PROPERTY_SCRATCH_ONCE;
    memcpy(t.mem + RECORD + AQL_QUEUE_PROPERTIES, &once, 4);
    put_signal(DONE, 2);
    publish(dw);
    publish(dw);
    ring();
    is_i64(1, value_at(DONE), "memory that is for one dispatch");
    is_hex(AQL_ERROR_SCRATCH_ONCE, (u64)value_at(INACTIVE), "is given back behind it");
    is_str("", gpu_errors(), "nothing was wrong");
    gpu_close();
}

/* A kernel ends otherwise: the bit of the queue's error. */
static void ends_with(const char *text, u32 bit)
{
    u32 dw[AQL_DW];
    open_all(NULL);
    put_kernel(text);
    put_dispatch(dw);
    publish(dw);
    ring();
    is_hex(bit, (u64)value_at(INACTIVE), "%s", text);
    is_i64(1, value_at(DONE), "... has not ended");
    gpu_close();
}

static void test_ends(void)
{
    struct kfd_event_data data;
    u32 dw[AQL_DW], pad[2] = { 0xbfff0000, 0xbf810000 };
    ends_with("s_trap 2\ns_endpgm\n", AQL_ERROR_TRAP);
    open_all(NULL);
    put_kernel(STORE_IDS);
    memcpy(t.code + 256, pad, sizeof pad);
    put_dispatch(dw);
    publish(dw);
    ring();
    is_hex(AQL_ERROR_INSTRUCTION, (u64)value_at(INACTIVE), "what is no instruction");
    gpu_close();

    open_all(NULL);
    put_kernel("v_mov_b32 v1, 0x1234\nv_mov_b32 v2, 0x77\nglobal_store_dword v[1:2], v1, off\n"
               "s_endpgm\n");
    put_dispatch(dw);
    publish(dw);
    ring();
    is_i64(0, wait_for(t.memory_event, &data), "an access outside memory is told");
    is_hex(0x7700001000, data.memory.va, "its page");
    ok(data.memory.not_present && !data.memory.read_only && data.memory.gpu == t.gpu, "and why");
    ring();
    is_i64(1, wait_for(t.memory_event, NULL), "once: the process's queues have stopped");
    put_kernel(STORE_IDS);
    close_queue();
    open_queue();
    invalidate();
    put_dispatch(dw);
    publish(dw);
    ring();
    is_i64(0, value_at(DONE), "a new one works");
    gpu_errors();
    put_kernel("v_mov_b32 v1, 0x1000\nv_mov_b32 v2, 0\nv_add_u32 v1, 0x50000000, v1\n"
               "global_store_dword v[1:2], v1, off\ns_endpgm\n");
    put_signal(DONE, 1);
    publish(dw);
    ring();
    is_i64(0, value_at(DONE), "new code is not seen, as nobody invalidated the instruction cache");
    invalidate();
    publish(dw);
    ring();
    is_i64(0, wait_for(t.memory_event, &data), "a write to what may only be read is told");
    ok(data.memory.read_only && !data.memory.not_present, "as what it is");
    gpu_close();

    open_all(NULL);
    put_kernel("s_branch -1\ns_endpgm\n");
    put_dispatch(dw);
    publish(dw);
    ring();
    is_i64(0, wait_for(t.reset_event, &data), "a kernel without an end: the card is reset");
    ok(data.reset.gpu == t.gpu && data.reset.memory_lost, "its memory is lost");
    ok(strstr(gpu_errors(), "queue 0 hung at packet 0"), "the queue is named");
    gpu_close();
}

/* ---- what goes wrong on demand ---- */

static void test_demand(void)
{
    u32 dw[AQL_DW];
    struct kfd_arg_version version;
    open_all(&(struct vgpu_faults){ .hang = 2 });
    put_kernel(STORE_IDS);
    put_dispatch(dw);
    publish(dw);
    ring();
    is_i64(0, value_at(DONE), "hang=2: the first dispatch is right");
    put_signal(DONE, 1);
    publish(dw);
    ring();
    is_i64(1, value_at(DONE), "the second hangs");
    is_i64(0, wait_for(t.reset_event, NULL), "the card is reset");
    gpu_close();

    open_all(&(struct vgpu_faults){ .lose = 1 });
    put_kernel(STORE_IDS);
    put_dispatch(dw);
    publish(dw);
    ring();
    is_i64(1, value_at(DONE), "lose=1: the first dispatch is never executed");
    is_i64(0, wait_for(t.reset_event, NULL), "those who wait are told");
    struct kfd_arg_available room = { .gpu = t.gpu };
    is_i64(-ENODEV, kfd(KFD_AVAILABLE, &room), "the card is gone");
    is_i64(0, kfd(KFD_GET_VERSION, &version), "the driver is there");
    gpu_close();

    open_all(NULL);
    u64 calls = vgpu_stats_of(gpu.v)->ioctls;
    gpu_close();
    open_all(&(struct vgpu_faults){ .ioctl = calls + 1, .error = ENOMEM });
    is_i64(-ENOMEM, kfd(KFD_GET_VERSION, &version), "an ioctl fails");
    is_i64(0, kfd(KFD_GET_VERSION, &version), "once");
    gpu_close();
}

static struct {
    u32 count;
    bool is_busy;
    i64 done; /* the dispatch's signal */
} naps;

static void nap(void *ctx, u64 deadline_ns)
{
    (void)ctx;
    (void)deadline_ns;
    naps.count++;
    naps.is_busy = vgpu_is_busy(gpu.v);
    naps.done = value_at(DONE);
    usleep(30000);
}

static void test_flip_and_slow(void)
{
    u32 dw[AQL_DW], id;
    open_all(&(struct vgpu_faults){
        .flip_at = QUEUE_VA + DATA + 5 * 4, .flip_bit = 3, .flip = 2, .is_flip_behind = true });
    put_kernel(STORE_IDS);
    put_dispatch(dw);
    for (u32 i = 1; i <= 3; i++) {
        publish(dw);
        ring();
        memcpy(&id, t.mem + DATA + 5 * 4, sizeof id);
        is_u64(i == 2 ? 5 ^ 8 : 5, id, "a bit flips behind dispatch 2: %u", i);
    }
    gpu_close();
    gpu.wait = nap;
    open_all(&(struct vgpu_faults){ .slow_ms = 100 });
    put_kernel(STORE_IDS);
    put_dispatch(dw);
    publish(dw);
    ring();
    ok(naps.count && naps.is_busy, "a slow dispatch lets others call in, %u times", naps.count);
    is_i64(1, naps.done, "before it is done");
    is_i64(0, value_at(DONE), "and then is");
    ok(has_ids(), "with all that it does");
    gpu_close();
    gpu.wait = NULL;
}

static int unmapped = -1;

static void unmap_code(void *ctx, u64 deadline_ns)
{
    (void)ctx;
    (void)deadline_ns;
    if (unmapped == -1)
        unmapped = map_op(KFD_UNMAP_MEMORY, t.code_handle);
}

/* What was fetched goes on; what was not is not there. */
static void test_code_that_goes(void)
{
    enum { GROUPS = 20000 };
    u32 dw[AQL_DW];
    struct kfd_event_data data;
    gpu.wait = unmap_code;
    open_all(NULL);
    put_kernel("s_movk_i32 s3, 19999\ns_cmp_eq_u32 s2, s3\ns_cbranch_scc1 far\ns_endpgm\n"
               ".fill 990, 4, 0xbf800000\nfar: s_endpgm\n");
    put_dispatch(dw);
    dw[3] = 64 * GROUPS;
    publish(dw);
    ring();
    is_i64(0, unmapped, "code is unmapped while it runs");
    gpu.wait = NULL;
    is_i64(1, value_at(DONE), "the dispatch does not end");
    is_i64(0, wait_for(t.memory_event, &data), "the process is told");
    is_hex(CODE_AT + 4096, data.memory.va, "on which page it wanted to go on");
    gpu_close();
}

/* ---- copy engines ---- */

static void open_sdma(u64 **doorbell)
{
    struct kfd_arg_create_queue a = { .ring = QUEUE_VA + SDMA_RING,
                                      .ring_size = 0x1000,
                                      .read_pointer = QUEUE_VA + SDMA_READ,
                                      .write_pointer = QUEUE_VA + SDMA_WRITE,
                                      .gpu = t.gpu,
                                      .type = KFD_QUEUE_SDMA,
                                      .percentage = 100 };
    gpu_must(kfd(KFD_CREATE_QUEUE, &a), "CREATE_QUEUE");
    *doorbell = (u64 *)(void *)(gpu.heap + a.doorbell);
}

static void test_copy_engine(void)
{
    const u32 to = (u32)QUEUE_VA + DATA;
    const u32 packets[] = {
        8 | 3 << 28 | 1u << 31,
        (u32)QUEUE_VA + OTHER + AQL_SIGNAL_VALUE,
        0,
        0,
        ~0u,
        4, /* wait for 0 */
        11 | 2u << 30,
        to,
        0,
        0x1234,
        15, /* fill */
        1,
        7,
        0,
        to,
        0,
        to + 32,
        0, /* copy */
        10 | 47u << 25,
        (u32)QUEUE_VA + DONE + AQL_SIGNAL_VALUE,
        0,
        ~0u,
        ~0u,
        0,
        0,
        0, /* add -1 */
        5,
        (u32)QUEUE_VA + (u32)0xa000,
        0,
        t.event, /* fence */
        13 | 2 << 8,
        to + 64,
        0, /* time */
    };
    u64 *doorbell;
    u32 first;
    open_all(NULL);
    open_sdma(&doorbell);
    memcpy(t.mem + SDMA_RING, packets, sizeof packets);
    put_signal(OTHER, 1);
    put_signal(DONE, 1);
    *doorbell = sizeof packets;
    vgpu_kfd_poll(gpu.v);
    is_u64(0, get64(SDMA_READ), "a copy engine waits for memory");
    put64(OTHER + AQL_SIGNAL_VALUE, 0);
    vgpu_kfd_poll(gpu.v);
    is_u64(sizeof packets, get64(SDMA_READ), "and then executes what is behind it");
    memcpy(&first, t.mem + DATA, 4);
    is_hex(0x1234, first, "memory is filled");
    memcpy(&first, t.mem + DATA + 32, 4);
    is_hex(0x1234, first, "and copied");
    is_i64(0, value_at(DONE), "a signal falls");
    ok(get64(DATA + 64) != 0, "the clock is read");
    is_str("", gpu_errors(), "nothing is wrong");
    const u32 wrong[] = { 99 };
    memcpy(t.mem + SDMA_RING + sizeof packets, wrong, sizeof wrong);
    *doorbell += 4;
    vgpu_kfd_poll(gpu.v);
    is_i64(0, wait_for(t.reset_event, NULL), "a packet that is none: the card is reset");
    ok(strstr(gpu_errors(), "unknown opcode 99"), "the packet is named");
    gpu_close();

    const u32 astray[] = { 11 | 2u << 30, 0x1000, 0x55, 0, 3 };
    struct kfd_event_data data;
    open_all(NULL);
    open_sdma(&doorbell);
    memcpy(t.mem + SDMA_RING, astray, sizeof astray);
    *doorbell = sizeof astray;
    vgpu_kfd_poll(gpu.v);
    is_i64(0, wait_for(t.memory_event, &data),
           "a copy engine reaches for memory that is not there");
    is_hex(0x5500001000, data.memory.va, "where");
    gpu_close();
}

static void test_tree(void)
{
    const struct vgpu_chip *chip = vgpu_chip_find("gfx90c");
    struct vgpu_node n;
    ok(vgpu_tree_find(chip, "/dev/kfd", false, &n) && n.kind == VGPU_DEVICE,
       "/dev/kfd is a device");
    ok(vgpu_tree_find(chip, "/sys/class/kfd/kfd/topology/nodes/1/gpu_id", false, &n) &&
           strcmp(n.text, "5686\n") == 0,
       "the GPU's number through a link");
    ok(vgpu_tree_find(chip, "/sys/devices/virtual/kfd/kfd/topology/nodes/1/properties", false,
                      &n) &&
           strstr(n.text, "\ngfx_target_version 90012\n") && strstr(n.text, "\nsimd_count 32\n"),
       "gfx90c is version 9.0.12");
    ok(!vgpu_tree_find(chip, "/sys/devices/virtual/kfd/kfd/topology/nodes/2", false, &n),
       "no third node");
}

int main(void)
{
    t.gpu = vgpu_chip_find("vega20")->device_id;
    test_memory();
    test_events();
    test_waiters();
    test_both_drivers();
    test_create();
    test_dispatch();
    test_windows();
    test_barriers();
    test_refused();
    test_scratch();
    test_ends();
    test_demand();
    test_flip_and_slow();
    test_code_that_goes();
    test_copy_engine();
    test_tree();
    return done();
}
