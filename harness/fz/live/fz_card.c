/* What programs hand the virtual GPU. The first byte chooses what the rest is, the second the chip:
 *
 *   0  packets of PM4 for a compute ring, 1 for the graphics ring, 2 packets of the copy engine
 *   3  packets of AQL in a user-mode queue of /dev/kfd, whose kernel stores 64 numbers
 *   4  ioctls of /dev/kfd, 5 of the render node: of each its number, a byte with the length of its
 *      argument, and that; behind the last (a number of 0) the client's memory
 *
 * Everything is printed to the log. */
#include "harness/fz/fz.h"
#include "harness/t/vgpu/kfd.h"

enum {
    ARENA = 0x10000, /* address of the client's memory */
    ARENA_BYTES = 0x10000,
    ARG_AT = ARENA_BYTES - 256, /* where an ioctl's argument lies in it */
    CALLS_MAX = 64,
    STEPS = 300
};

static u8 arena[ARENA_BYTES];
static FILE *sink;

static u8 *in_arena(u64 at, u64 bytes)
{
    return at >= ARENA && bytes <= ARENA_BYTES && at - ARENA <= ARENA_BYTES - bytes
               ? arena + (at - ARENA)
               : NULL;
}

static bool arena_read(void *ctx, void *to, u64 from, u64 bytes)
{
    const u8 *at = in_arena(from, bytes);
    (void)ctx;
    if (at)
        memcpy(to, at, bytes);
    return at != NULL;
}

static bool arena_write(void *ctx, u64 to, const void *from, u64 bytes)
{
    u8 *at = in_arena(to, bytes);
    (void)ctx;
    if (at)
        memcpy(at, from, bytes);
    return at != NULL;
}

static u8 *arena_share(void *ctx, u64 at, u64 bytes)
{
    (void)ctx;
    return at % 4096 ? NULL : in_arena(at, bytes);
}

static const struct vgpu_client stranger = { .read = arena_read,
                                             .write = arena_write,
                                             .share = arena_share,
                                             .file = file_of,
                                             .give = gpu_give,
                                             .take = gpu_take };

void fz_open(void)
{
    sink = fz_sink();
    gpu.max_steps = STEPS;
    gpu.log = sink;
}

static const char *chip_of(u8 which)
{
    u32 count = 0;
    while (vgpu_chip_at(count))
        count++;
    return vgpu_chip_at(which % count)->name;
}

static bool submit(const u8 *data, size_t size, u8 chip, u32 ip)
{
    u64 seq = 0;
    u32 dw = (u32)(size / 4 < BYTES / 4 ? size / 4 : BYTES / 4);
    gpu_open(chip_of(chip));
    memcpy(gpu.at[2], data, dw * 4);
    int r = gpu_submit(ip, dw, &seq);
    if (r == 0)
        r = gpu_wait(ip, seq);
    return r == 0;
}

static bool queue(const u8 *data, size_t size)
{
    open_all(NULL);
    put_kernel(STORE_IDS);
    for (size_t at = 0; size - at >= AQL_BYTES && at < RING_BYTES; at += AQL_BYTES)
        publish((const u32 *)(const void *)memcpy(arena, data + at, AQL_BYTES));
    ring();
    return true;
}

/* Ioctls one behind the other; whether one was carried out. */
static bool call(const u8 *data, size_t size, u8 chip, bool is_kfd)
{
    bool any = false;
    size_t at = 0, end = 0;
    open_kfd(chip_of(chip));
    while (size - end >= 5 && (data[end] | data[end + 1] | data[end + 2] | data[end + 3]))
        end += 5u + data[end + 4] < size - end ? 5u + data[end + 4] : size - end;
    memset(arena, 0, sizeof arena);
    if (size - end > 4)
        memcpy(arena, data + end + 4, size - end - 4 < ARG_AT ? size - end - 4 : ARG_AT);
    for (u32 i = 0; i < CALLS_MAX && end - at >= 5; i++) {
        u32 cmd;
        size_t bytes = data[at + 4] < end - at - 5 ? data[at + 4] : end - at - 5;
        memcpy(&cmd, data + at, sizeof cmd);
        memset(arena + ARG_AT, 0, ARENA_BYTES - ARG_AT);
        memcpy(arena + ARG_AT, data + at + 5, bytes);
        any |= (is_kfd ? vgpu_kfd_ioctl(gpu.v, t.file, cmd, ARENA + ARG_AT, &stranger)
                       : vgpu_ioctl(gpu.v, gpu.file, cmd, ARENA + ARG_AT, &stranger)) == 0;
        vgpu_kfd_poll(gpu.v);
        at += 5 + bytes;
    }
    vgpu_run(gpu.v);
    return any;
}

bool fz_one(const u8 *data, size_t size)
{
    bool any = false;
    if (size < 2)
        return false;
    gpu.faults = (struct vgpu_faults){ .hang = 0 };
    switch (data[0] % 6) {
    case 0: any = submit(data + 2, size - 2, data[1], AMDGPU_HW_IP_COMPUTE); break;
    case 1: any = submit(data + 2, size - 2, data[1], AMDGPU_HW_IP_GFX); break;
    case 2: any = submit(data + 2, size - 2, data[1], AMDGPU_HW_IP_DMA); break;
    case 3: any = queue(data + 2, size - 2); break;
    default: any = call(data + 2, size - 2, data[1], data[0] % 6 == 4);
    }
    gpu_errors();
    gpu_close();
    madvise(gpu.heap, HEAP_BYTES, MADV_DONTNEED);
    return any;
}
