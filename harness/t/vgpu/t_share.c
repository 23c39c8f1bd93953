/* What clients of the virtual GPU wait for and share: timelines, syncobjs and buffers under
 * descriptors and names, memory of the client's own as a buffer, rings that wait for memory. */
#include "harness/t/vgpu/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

static u64 now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static u32 syncobj(u32 flags)
{
    struct drm_syncobj_create a = { .flags = flags };
    gpu_must(gpu_ioctl(DRM_IOCTL_SYNCOBJ_CREATE, &a), "SYNCOBJ_CREATE");
    return a.handle;
}

static int signal_point(u32 handle, u64 point)
{
    struct drm_syncobj_timeline_array a = { .handles = (u64)(uintptr_t)&handle,
                                            .points = (u64)(uintptr_t)&point,
                                            .count_handles = 1 };
    return gpu_ioctl(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &a);
}

static u64 value_of(u32 handle, u32 flags)
{
    u64 value = ~0ull;
    struct drm_syncobj_timeline_array a = { .handles = (u64)(uintptr_t)&handle,
                                            .points = (u64)(uintptr_t)&value,
                                            .count_handles = 1,
                                            .flags = flags };
    gpu_must(gpu_ioctl(DRM_IOCTL_SYNCOBJ_QUERY, &a), "SYNCOBJ_QUERY");
    return value;
}

static int wait_point(u32 handle, u64 point, u32 flags, u64 until_ns)
{
    struct drm_syncobj_timeline_wait a = { .handles = (u64)(uintptr_t)&handle,
                                           .points = (u64)(uintptr_t)&point,
                                           .timeout_nsec = (i64)until_ns,
                                           .count_handles = 1,
                                           .flags = flags };
    return gpu_ioctl(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &a);
}

/* A submission of one NOP to the compute ring that waits for a point, or signals one. */
static int submit_at(u32 chunk_id, u32 handle, u64 point, u32 flags)
{
    struct drm_amdgpu_cs_chunk_ib ib = { .va_start = IB_VA,
                                         .ib_bytes = 4,
                                         .ip_type = AMDGPU_HW_IP_COMPUTE };
    struct drm_amdgpu_cs_chunk_syncobj at = { .handle = handle, .flags = flags, .point = point };
    struct drm_amdgpu_cs_chunk chunk[] = {
        { .chunk_id = AMDGPU_CHUNK_ID_IB,
          .length_dw = sizeof ib / 4,
          .chunk_data = (u64)(uintptr_t)&ib },
        { .chunk_id = chunk_id, .length_dw = sizeof at / 4, .chunk_data = (u64)(uintptr_t)&at }
    };
    u64 list[] = { (u64)(uintptr_t)&chunk[0], (u64)(uintptr_t)&chunk[1] };
    union drm_amdgpu_cs a = { .in = { .ctx_id = gpu.ctx,
                                      .bo_list_handle = gpu.list,
                                      .num_chunks = 2,
                                      .chunks = (u64)(uintptr_t)list } };
    *(u32 *)(void *)gpu.at[2] = PM4_FILL;
    return gpu_ioctl(DRM_IOCTL_AMDGPU_CS, &a);
}

enum {
    FOR_SUBMIT = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
    AVAILABLE = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
    WAIT_AT = AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT,
    SIGNAL_AT = AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL
};

static void test_timeline(void)
{
    u64 later = now_ns() + 60000000000;
    gpu_open("vega10");
    u32 s = syncobj(0);
    is_u64(0, value_of(s, 0), "a new one is at 0");
    is_i64(-EINVAL, wait_point(s, 5, 0, later), "point 5 has not been submitted");
    is_i64(VGPU_BLOCKED, wait_point(s, 5, FOR_SUBMIT, later), "it is waited for");
    is_i64(-ETIME, wait_point(s, 5, FOR_SUBMIT, now_ns() - 1), "until the time is over");
    is_i64(VGPU_BLOCKED, wait_point(s, 5, AVAILABLE, later), "as is that it be submitted");
    is_i64(VGPU_BLOCKED, submit_at(WAIT_AT, s, 5, FOR_SUBMIT), "by a submission, too");
    is_i64(-EINVAL, submit_at(WAIT_AT, s, 5, 0), "unless it does not want to wait");
    is_i64(0, submit_at(SIGNAL_AT, s, 10, 0), "a submission that will signal 10");
    is_u64(0, value_of(s, 0), "has not been executed");
    is_u64(10, value_of(s, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), "but submitted");
    is_i64(0, wait_point(s, 5, AVAILABLE, 0), "5 is on its way");
    is_i64(-ETIME, wait_point(s, 5, 0, 0), "and not there for who only asks");
    is_i64(0, submit_at(WAIT_AT, s, 5, FOR_SUBMIT), "a submission behind it");
    is_i64(0, wait_point(s, 10, 0, later), "10 is waited for");
    is_u64(10, value_of(s, 0), "and has been reached");
    is_i64(-EINVAL, wait_point(s, 11, 0, later), "11 has not");
    is_i64(0, signal_point(s, 20), "the CPU signals 20");
    is_u64(20, value_of(s, 0), "which is the value then");
    is_i64(0, wait_point(s, 7, 0, 0), "what lies behind is over");
    is_i64(0, submit_at(SIGNAL_AT, s, 30, 0), "30 is to come");
    is_i64(0, signal_point(s, 40), "40 is signalled before it");
    is_i64(0, signal_point(s, 50), "as is 50");
    is_u64(20, value_of(s, 0), "which nobody sees");
    is_i64(-ETIME, wait_point(s, 40, 0, 0), "as 30 comes first");
    is_i64(0, wait_point(s, 15, 0, 0), "but what had passed before has");
    is_i64(0, wait_point(s, 40, 0, later), "when 30 is done");
    is_u64(50, value_of(s, 0), "40 and 50 are, too");
    gpu_close();
}

/* One of several, and which; or all. */
static void test_wait_any(void)
{
    gpu_open("vega10");
    u32 s[] = { syncobj(0), syncobj(DRM_SYNCOBJ_CREATE_SIGNALED), syncobj(0) };
    struct drm_syncobj_wait w = { .handles = (u64)(uintptr_t)s,
                                  .count_handles = 3,
                                  .flags = FOR_SUBMIT };
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "one of three is signalled");
    is_u64(1, w.first_signaled, "the second");
    w.flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
    is_i64(-ETIME, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "not all");
    w.count_handles = 0;
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "none cannot be waited for");
    gpu_close();
}

static void test_transfer(void)
{
    gpu_open("vega10");
    u32 line = syncobj(0), binary = syncobj(0);
    struct drm_syncobj_transfer t = { .src_handle = line, .dst_handle = binary, .src_point = 3 };
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_SYNCOBJ_TRANSFER, &t), "nothing to transfer");
    t.flags = FOR_SUBMIT;
    is_i64(VGPU_BLOCKED, gpu_ioctl(DRM_IOCTL_SYNCOBJ_TRANSFER, &t), "is waited for");
    gpu_must(submit_at(SIGNAL_AT, line, 4, 0), "CS");
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_TRANSFER, &t), "a fence of a timeline");
    struct drm_syncobj_wait w = { .handles = (u64)(uintptr_t)&binary, .count_handles = 1 };
    is_i64(-ETIME, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "is the binary one's, not done");
    vgpu_run(gpu.v);
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "and then is");
    t = (struct drm_syncobj_transfer){ .src_handle = binary, .dst_handle = line, .dst_point = 9 };
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_TRANSFER, &t), "and back, to a point");
    is_u64(9, value_of(line, 0), "which is reached");
    t.dst_handle = 77;
    is_i64(-ENOENT, gpu_ioctl(DRM_IOCTL_SYNCOBJ_TRANSFER, &t), "not to one that is not there");
    gpu_close();
}

static int to_fd(u32 handle, u32 flags, int *fd)
{
    struct drm_syncobj_handle a = { .handle = handle, .flags = flags, .fd = -1 };
    int r = gpu_ioctl(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &a);
    *fd = a.fd;
    return r;
}

static int from_fd(int fd, u32 flags, u32 *handle)
{
    struct drm_syncobj_handle a = { .handle = *handle, .flags = flags, .fd = fd };
    int r = gpu_ioctl(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &a);
    *handle = a.handle;
    return r;
}

static void test_syncobj_fds(void)
{
    enum { EXPORT_FILE = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE };
    enum { IMPORT_FILE = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE };
    int fd, file;
    gpu_open("vega10");
    u32 s = syncobj(0), same = 0, other = syncobj(0), mine = gpu.file;
    is_i64(-EINVAL, to_fd(s, EXPORT_FILE, &file), "no fence, no sync file");
    is_i64(0, to_fd(s, 0, &fd), "the syncobj as a descriptor");
    gpu.file = vgpu_file_open(gpu.v, false);
    is_i64(0, from_fd(fd, 0, &same), "another file has it then");
    gpu_must(signal_point(same, 6), "SYNCOBJ_TIMELINE_SIGNAL");
    gpu.file = mine;
    is_u64(6, value_of(s, 0), "and what it signals is seen here");
    is_i64(0, to_fd(s, EXPORT_FILE, &file), "its fence as a sync file");
    is_i64(0, from_fd(file, IMPORT_FILE, &other), "goes into another one");
    struct drm_syncobj_wait w = { .handles = (u64)(uintptr_t)&other, .count_handles = 1 };
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "which has been signalled then");
    is_i64(-EINVAL, from_fd(file, 0, &same), "a sync file is no syncobj");
    is_i64(-EINVAL, from_fd(fd, IMPORT_FILE, &other), "a syncobj is no sync file");
    is_i64(-EINVAL, from_fd(5, 0, &same), "nor is another descriptor");
    vgpu_object_close(gpu.v, gpu_take(NULL, fd));
    is_i64(-EINVAL, from_fd(fd, 0, &same), "nor one that has been closed");
    is_u64(6, value_of(s, 0), "the syncobj stays");
    gpu_close();
}

static u64 vram_used(void)
{
    u64 used = 0;
    struct drm_amdgpu_info a = { .return_pointer = (u64)(uintptr_t)&used,
                                 .return_size = sizeof used,
                                 .query = AMDGPU_INFO_VRAM_USAGE };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_INFO, &a), "INFO");
    return used;
}

static void close_handle(u32 handle)
{
    struct drm_gem_close c = { .handle = handle };
    gpu_must(gpu_ioctl(DRM_IOCTL_GEM_CLOSE, &c), "GEM_CLOSE");
}

static void test_prime(void)
{
    gpu_open("vega10");
    u32 bo = gpu_buffer(0x3000, AMDGPU_GEM_DOMAIN_VRAM), mine = gpu.file;
    gpu_bytes(bo)[0x123] = 0x5a;
    struct drm_prime_handle a = { .handle = bo, .flags = DRM_CLOEXEC | DRM_RDWR, .fd = -1 };
    is_i64(0, gpu_ioctl(DRM_IOCTL_PRIME_HANDLE_TO_FD, &a), "a buffer as a descriptor");
    is_u64(0x3000, gpu.given_bytes, "as long as the buffer");
    int fd = a.fd;
    a = (struct drm_prime_handle){ .fd = fd };
    is_i64(0, gpu_ioctl(DRM_IOCTL_PRIME_FD_TO_HANDLE, &a), "and back");
    is_u64(bo, a.handle, "is the same handle");
    gpu.file = vgpu_file_open(gpu.v, false);
    a = (struct drm_prime_handle){ .fd = fd };
    is_i64(0, gpu_ioctl(DRM_IOCTL_PRIME_FD_TO_HANDLE, &a), "another file opens it");
    is_hex(0x5a, gpu_bytes(a.handle)[0x123], "with what is in it");
    u32 there = a.handle;
    a = (struct drm_prime_handle){ .fd = 5 };
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_PRIME_FD_TO_HANDLE, &a), "not another descriptor");
    gpu.file = mine;
    close_handle(bo);
    vgpu_object_close(gpu.v, gpu_take(NULL, fd));
    is_u64(0x3000, vram_used(), "closed here, it stays for the other");
    gpu.file = mine + 1;
    close_handle(there);
    is_u64(0, vram_used(), "and goes with the last");
    a = (struct drm_prime_handle){ .fd = fd };
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_PRIME_FD_TO_HANDLE, &a), "as has its descriptor");
    a = (struct drm_prime_handle){ .handle = there };
    is_i64(-ENOENT, gpu_ioctl(DRM_IOCTL_PRIME_HANDLE_TO_FD, &a), "no buffer, no descriptor");
    gpu.file = mine;
    gpu_close();
}

static void test_flink(void)
{
    gpu_open("vega10");
    u32 bo = gpu_buffer(0x2000, AMDGPU_GEM_DOMAIN_VRAM);
    struct drm_gem_flink f = { .handle = bo };
    is_i64(-EACCES, gpu_ioctl(DRM_IOCTL_GEM_FLINK, &f), "no names on a render node");
    gpu.file = vgpu_file_open(gpu.v, true);
    bo = gpu_buffer(0x2000, AMDGPU_GEM_DOMAIN_VRAM);
    f.handle = bo;
    is_i64(0, gpu_ioctl(DRM_IOCTL_GEM_FLINK, &f), "a buffer's name");
    struct drm_gem_open o = { .name = f.name };
    u32 name = f.name;
    is_i64(0, gpu_ioctl(DRM_IOCTL_GEM_FLINK, &f), "once more");
    is_u64(name, f.name, "is the same");
    u32 first = gpu.file;
    gpu.file = vgpu_file_open(gpu.v, true);
    is_i64(0, gpu_ioctl(DRM_IOCTL_GEM_OPEN, &o), "is opened by another file");
    is_u64(0x2000, o.size, "with its size");
    close_handle(o.handle);
    gpu.file = first;
    close_handle(bo);
    is_i64(-ENOENT, gpu_ioctl(DRM_IOCTL_GEM_OPEN, &o), "and gone with the buffer");
    gpu_close();
}

/* Two handles of one file: a mapping goes with the last of them. */
static void test_two_handles(void)
{
    gpu_open("vega10");
    gpu.file = vgpu_file_open(gpu.v, true);
    u32 bo = gpu_buffer(0x1000, AMDGPU_GEM_DOMAIN_VRAM);
    struct drm_gem_flink f = { .handle = bo };
    gpu_must(gpu_ioctl(DRM_IOCTL_GEM_FLINK, &f), "GEM_FLINK");
    struct drm_gem_open o = { .name = f.name };
    gpu_must(gpu_ioctl(DRM_IOCTL_GEM_OPEN, &o), "GEM_OPEN");
    gpu_must(gpu_va(AMDGPU_VA_OP_MAP, bo, 0x10000000, 0, 0x1000, GPU_RW), "GEM_VA");
    close_handle(bo);
    is_i64(0, gpu_va(AMDGPU_VA_OP_UNMAP, o.handle, 0x10000000, 0, 0x1000, 0),
           "the other handle still has the mapping");
    gpu_close();
}

/* Packets that copy a dword from the client's memory to DATA, and a value back. */
static void test_userptr(void)
{
    enum { PAGE = 4096, COPY_DW = 7 };
    static _Alignas(4096) u8 page[2 * PAGE];
    const u64 va = 0x5000000;
    struct drm_amdgpu_gem_userptr u = { .addr = (u64)(uintptr_t)page, .size = 2 * PAGE };
    u64 seq;
    gpu_open("vega10");
    is_i64(0, gpu_ioctl(DRM_IOCTL_AMDGPU_GEM_USERPTR, &u), "memory of the client as a buffer");
    gpu_must(gpu_va(AMDGPU_VA_OP_MAP, u.handle, va, 0, 2 * PAGE, GPU_RW), "GEM_VA");
    struct drm_amdgpu_bo_list_entry entry[4] = { { .bo_handle = u.handle } };
    for (u32 i = 0; i < 3; i++)
        entry[i + 1].bo_handle = gpu.handle[i];
    union drm_amdgpu_bo_list l = { .in = { .operation = AMDGPU_BO_LIST_OP_CREATE,
                                           .bo_number = 4,
                                           .bo_info_size = sizeof entry[0],
                                           .bo_info_ptr = (u64)(uintptr_t)entry } };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_BO_LIST, &l), "BO_LIST");
    gpu.list = l.out.list_handle;
    memset(page, 0x11, sizeof page);
    const u32 control = 1u << 31;
    const u32 ib[2 * COPY_DW] = { PM4_HEADER(PM4_DMA_DATA, 6),
                                  control,
                                  (u32)va + PAGE,
                                  0,
                                  DATA_VA,
                                  0,
                                  64,
                                  PM4_HEADER(PM4_DMA_DATA, 6),
                                  control | 2u << 29,
                                  0x77777777,
                                  0,
                                  (u32)va + PAGE + 128,
                                  0,
                                  64 };
    memcpy(gpu.at[2], ib, sizeof ib);
    memset(gpu.at[1], 0, 256);
    memset(page + PAGE, 0x33, 64); /* behind the call that made the buffer */
    gpu_must(gpu_submit(AMDGPU_HW_IP_COMPUTE, 2 * COPY_DW, &seq), "CS");
    is_i64(0, gpu_wait(AMDGPU_HW_IP_COMPUTE, seq), "a submission that uses it");
    is_hex(0x33, gpu.at[1][63], "reads what is there");
    is_hex(0x77, page[PAGE + 128 + 63], "and writes there");
    is_hex(0x11, page[PAGE + 128 + 64], "and nowhere else");
    u.flags = 0x80;
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_AMDGPU_GEM_USERPTR, &u), "not with unknown flags");
    u.flags = 0;
    u.addr += 1;
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_AMDGPU_GEM_USERPTR, &u), "nor off a page");
    struct drm_prime_handle a = { .handle = u.handle };
    is_i64(-EPERM, gpu_ioctl(DRM_IOCTL_PRIME_HANDLE_TO_FD, &a), "nor to be shared");
    gpu_close();
}

/* WAIT_REG_MEM with each function, on a value of 5 that nobody changes. */
static void test_wait_mem(void)
{
    static const struct {
        u32 function, reference, mask;
        bool is_hang;
    } rows[] = { { 0, 9, ~0u, false }, { 1, 6, ~0u, false }, { 1, 5, ~0u, true },
                 { 2, 5, ~0u, false }, { 2, 4, ~0u, true },  { 3, 5, ~0u, false },
                 { 3, 4, ~0u, true },  { 4, 4, ~0u, false }, { 4, 5, ~0u, true },
                 { 5, 5, ~0u, false }, { 5, 6, ~0u, true },  { 6, 4, ~0u, false },
                 { 6, 5, ~0u, true },  { 3, 1, 3, false } };
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        const u32 ib[] = { PM4_HEADER(PM4_WAIT_REG_MEM, 6),
                           rows[i].function | 1 << 4,
                           DATA_VA,
                           0,
                           rows[i].reference,
                           rows[i].mask,
                           4 };
        gpu_open("vega10");
        memcpy(gpu.at[2], ib, sizeof ib);
        *(u32 *)(void *)gpu.at[1] = 5;
        is_i64(rows[i].is_hang ? -ECANCELED : 0, gpu_run(COUNT_OF(ib)),
               "5 waited for with function %u, %u", rows[i].function, rows[i].reference);
        gpu_close();
    }
    u64 seq;
    for (u32 reference = 4; reference < 6; reference++) {
        const u32 poll[] = { 8 | 4u << 28 | 1u << 31, DATA_VA, 0, reference, ~0u, 0x0fff0004 };
        gpu_open("vega10");
        memcpy(gpu.at[2], poll, sizeof poll);
        *(u32 *)(void *)gpu.at[1] = 5;
        gpu_must(gpu_submit(AMDGPU_HW_IP_DMA, COUNT_OF(poll), &seq), "CS");
        is_i64(reference == 5 ? -ECANCELED : 0, gpu_wait(AMDGPU_HW_IP_DMA, seq),
               "SDMA waits for what is not %u", reference);
        gpu_close();
    }
}

/* The constant engine's buffer counts, the other's waits for it. */
static void test_engines(void)
{
    for (u32 counted = 0; counted < 2; counted++) {
        const u32 dw[] = { PM4_HEADER(PM4_SET_CE_DE_COUNTERS, 1),
                           0,
                           counted ? PM4_HEADER(PM4_INCREMENT_CE_COUNTER, 1) : PM4_FILL,
                           counted ? 1 : PM4_FILL,
                           PM4_HEADER(PM4_WAIT_ON_CE_COUNTER, 1),
                           1 };
        struct drm_amdgpu_cs_chunk_ib ib[] = {
            { .va_start = IB_VA + 16, .ib_bytes = 8 },
            { .va_start = IB_VA, .ib_bytes = 16, .flags = AMDGPU_IB_FLAG_CE }
        };
        struct drm_amdgpu_cs_chunk chunk = { .chunk_id = AMDGPU_CHUNK_ID_IB,
                                             .length_dw = sizeof ib / 4,
                                             .chunk_data = (u64)(uintptr_t)ib };
        u64 at = (u64)(uintptr_t)&chunk;
        gpu_open("vega10");
        memcpy(gpu.at[2], dw, sizeof dw);
        union drm_amdgpu_cs a = { .in = { .ctx_id = gpu.ctx,
                                          .bo_list_handle = gpu.list,
                                          .num_chunks = 1,
                                          .chunks = (u64)(uintptr_t)&at } };
        gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_CS, &a), "CS");
        is_i64(counted ? 0 : -ECANCELED, gpu_wait(AMDGPU_HW_IP_GFX, a.out.handle),
               "a wait for the constant engine, which has %scounted", counted ? "" : "not ");
        gpu_close();
    }
}

int main(void)
{
    test_timeline();
    test_wait_any();
    test_transfer();
    test_syncobj_fds();
    test_prime();
    test_flink();
    test_two_handles();
    test_userptr();
    test_wait_mem();
    test_engines();
    return done();
}
