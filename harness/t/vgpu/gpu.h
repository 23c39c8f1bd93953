/* The device of a self test: a virtual GPU whose client is the test, a buffer or two in its address
 * space, and a submission that the test may damage before it is executed. */
#ifndef HARNESS_T_VGPU_GPU_H
#define HARNESS_T_VGPU_GPU_H

#include "harness/t/lib/files.h"
#include "harness/vgpu/packet/pm4.h"
#include "harness/vgpu/vgpu.h"
#include "oracle/insn/insn.h"

#include <amdgpu_drm.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAP_BYTES = 1 << 30, CODE_VA = 0x1000000, DATA_VA = 0x2000000, IB_VA = 0x3000000 };

static struct {
    struct vgpu *v;
    u8 *heap;
    FILE *to; /* what the device complains of */
    u32 file, ctx, list;
    u32 handle[3]; /* of code, data and packets */
    u8 *at[3];
    struct vgpu_faults faults;                /* of the next device */
    void (*wait)(void *ctx, u64 deadline_ns); /* likewise: what happens while somebody waits */
    u64 given_bytes; /* of the last object that a descriptor was made for */
    FILE *log;       /* NULL: none */
    u64 max_steps;   /* 0: enough for any of the tests */
} gpu;

static inline bool gpu_read(void *ctx, void *to, u64 from, u64 bytes)
{
    (void)ctx;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return true;
}

static inline bool gpu_write(void *ctx, u64 to, const void *from, u64 bytes)
{
    (void)ctx;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return true;
}

/* Descriptors of objects are numbers of the test's own. */
enum { GPU_FIRST_FD = 1000 };

static inline int gpu_give(void *ctx, u32 object, u64 bytes, bool cloexec)
{
    (void)ctx;
    (void)cloexec;
    gpu.given_bytes = bytes;
    return GPU_FIRST_FD + (int)object;
}

static inline u32 gpu_take(void *ctx, int fd)
{
    (void)ctx;
    return fd > GPU_FIRST_FD ? (u32)(fd - GPU_FIRST_FD) : 0;
}

static const struct vgpu_client gpu_client = {
    .read = gpu_read, .write = gpu_write, .give = gpu_give, .take = gpu_take
};

static inline void gpu_discard(void *ctx, u64 offset, u64 bytes)
{
    (void)ctx;
    memset(gpu.heap + offset, 0, bytes);
}

static inline int gpu_ioctl(u64 cmd, void *arg)
{
    return vgpu_ioctl(gpu.v, gpu.file, (u32)cmd, (u64)(uintptr_t)arg, &gpu_client);
}

static inline void gpu_must(int r, const char *what)
{
    if (r != 0)
        bail("%s: %d", what, r);
}

/* What the device complained of since it was asked last; valid until then. */
static inline const char *gpu_errors(void)
{
    static char text[4096];
    rewind(gpu.to);
    text[fread(text, 1, sizeof text - 1, gpu.to)] = '\0';
    rewind(gpu.to);
    if (ftruncate(fileno(gpu.to), 0) != 0)
        bail("a temporary file cannot be emptied");
    return text;
}

static inline u32 gpu_buffer(u64 bytes, u64 domain)
{
    union drm_amdgpu_gem_create a = { .in = { .bo_size = bytes, .domains = domain } };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_GEM_CREATE, &a), "GEM_CREATE");
    return a.out.handle;
}

static inline u8 *gpu_bytes(u32 handle)
{
    union drm_amdgpu_gem_mmap a = { .in = { .handle = handle } };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_GEM_MMAP, &a), "GEM_MMAP");
    return gpu.heap + a.out.addr_ptr;
}

static inline int gpu_va(u32 op, u32 handle, u64 va, u64 offset, u64 bytes, u32 flags)
{
    struct drm_amdgpu_gem_va a = { .handle = handle,
                                   .operation = op,
                                   .flags = flags,
                                   .va_address = va,
                                   .offset_in_bo = offset,
                                   .map_size = bytes };
    return gpu_ioctl(DRM_IOCTL_AMDGPU_GEM_VA, &a);
}

enum {
    GPU_RW = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE,
    GPU_RX = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_EXECUTABLE
};

static inline u32 gpu_context(void)
{
    union drm_amdgpu_ctx a = { .in = { .op = AMDGPU_CTX_OP_ALLOC_CTX } };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_CTX, &a), "CTX");
    return a.out.alloc.ctx_id;
}

/* Opens the chip, with three buffers of 64 KiB: code, data, packets. */
static inline void gpu_open(const char *chip)
{
    static const u64 va[] = { CODE_VA, DATA_VA, IB_VA };
    static const u32 flags[] = { GPU_RX, GPU_RW, AMDGPU_VM_PAGE_READABLE };
    struct drm_amdgpu_bo_list_entry entry[3];
    struct err e = { .text = "" };
    if (!gpu.heap) {
        gpu.heap = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        gpu.to = tmpfile();
        if (gpu.heap == MAP_FAILED || !gpu.to)
            bail("no memory, or no temporary file");
    }
    struct vgpu_cfg cfg = { .chip = vgpu_chip_find(chip),
                            .heap = gpu.heap,
                            .heap_size = HEAP_BYTES,
                            .discard = gpu_discard,
                            .errors = gpu.to,
                            .log = gpu.log,
                            .max_steps = gpu.max_steps ? gpu.max_steps : 10000,
                            .lockup_ms = 20,
                            .wait = gpu.wait,
                            .faults = gpu.faults };
    if (!cfg.chip || vgpu_open(&gpu.v, &cfg, &e) != ST_OK)
        bail("%s: %s", chip, e.text);
    gpu.file = vgpu_file_open(gpu.v, false);
    for (u32 i = 0; i < 3; i++) {
        gpu.handle[i] = gpu_buffer(65536, AMDGPU_GEM_DOMAIN_GTT);
        gpu.at[i] = gpu_bytes(gpu.handle[i]);
        gpu_must(gpu_va(AMDGPU_VA_OP_MAP, gpu.handle[i], va[i], 0, 65536, flags[i]), "GEM_VA");
        entry[i] = (struct drm_amdgpu_bo_list_entry){ .bo_handle = gpu.handle[i] };
    }
    union drm_amdgpu_bo_list a = { .in = { .operation = AMDGPU_BO_LIST_OP_CREATE,
                                           .bo_number = 3,
                                           .bo_info_size = sizeof entry[0],
                                           .bo_info_ptr = (u64)(uintptr_t)entry } };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_BO_LIST, &a), "BO_LIST");
    gpu.list = a.out.list_handle;
    gpu.ctx = gpu_context();
    gpu_errors();
}

static inline void gpu_close(void)
{
    vgpu_close(gpu.v);
    gpu.v = NULL;
}

static inline void gpu_code(const char *chip, const char *text)
{
    struct isa isa;
    struct err e = { .text = "" };
    u32 n;
    if (isa_open(&isa, vgpu_chip_find(chip)->mcpu, &e) != ST_OK ||
        insn_parse_program(&isa, text, (u32 *)(void *)gpu.at[0], 4096, &n, &e) != ST_OK)
        bail("%s: %s", text, e.text);
}

/* Submits `dw` dwords of the packet buffer to a ring of this IP. */
static inline int gpu_submit(u32 ip, u32 dw, u64 *seq)
{
    struct drm_amdgpu_cs_chunk_ib ib = { .va_start = IB_VA, .ib_bytes = dw * 4, .ip_type = ip };
    struct drm_amdgpu_cs_chunk chunk = { .chunk_id = AMDGPU_CHUNK_ID_IB,
                                         .length_dw = sizeof ib / 4,
                                         .chunk_data = (u64)(uintptr_t)&ib };
    u64 at = (u64)(uintptr_t)&chunk;
    union drm_amdgpu_cs a = { .in = { .ctx_id = gpu.ctx,
                                      .bo_list_handle = gpu.list,
                                      .num_chunks = 1,
                                      .chunks = (u64)(uintptr_t)&at } };
    int r = gpu_ioctl(DRM_IOCTL_AMDGPU_CS, &a);
    *seq = a.out.handle;
    return r;
}

static inline int gpu_wait(u32 ip, u64 seq)
{
    union drm_amdgpu_wait_cs a = {
        .in = { .handle = seq, .timeout = ~0ull, .ip_type = ip, .ctx_id = gpu.ctx }
    };
    return gpu_ioctl(DRM_IOCTL_AMDGPU_WAIT_CS, &a);
}

static inline int gpu_run(u32 dw)
{
    u64 seq = 0;
    int r = gpu_submit(AMDGPU_HW_IP_COMPUTE, dw, &seq);
    return r ? r : gpu_wait(AMDGPU_HW_IP_COMPUTE, seq);
}

#endif
