/* The core of the virtual GPU, by its ioctls: identity, buffers, address spaces, submissions,
 * packets that must be refused, hangs. */
#include "harness/t/vgpu/gpu.h"

#include <errno.h>

static u32 *ib(void)
{
    return (u32 *)(void *)gpu.at[2];
}

static u32 *data(void)
{
    return (u32 *)(void *)gpu.at[1];
}

/* Where in the usual submission what stands. */
enum {
    AT_ACQUIRE = 0,
    AT_THREADS = 7,
    AT_PGM = 12,
    AT_RSRC = 16,
    AT_USER = 20,
    AT_DISPATCH = 24,
    AT_RELEASE = 29,
    AT_PAD = 37,
    IB_DW = 40,
    FENCE_AT = 0x8000
};

/* Program at CODE_VA, DATA_VA in s[0:1], 64 threads, one work-group; value 77 to the data's half. */
static void usual(void)
{
    const u32 dw[IB_DW] = { [AT_ACQUIRE] = PM4_HEADER(PM4_ACQUIRE_MEM, 6) | PM4_COMPUTE,
                            0x28c40000,
                            ~0u,
                            0xff,
                            0,
                            0,
                            10,
                            [AT_THREADS] = PM4_HEADER(PM4_SET_SH_REG, 4) | PM4_COMPUTE,
                            SH_NUM_THREAD_X,
                            64,
                            1,
                            1,
                            [AT_PGM] = PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                            SH_PGM_LO,
                            CODE_VA >> 8,
                            0,
                            [AT_RSRC] = PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                            SH_PGM_RSRC1,
                            1 | 2 << 6 | 0xc0 << 12,
                            2 << 1 | 1 << 7,
                            [AT_USER] = PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                            SH_USER_DATA_0,
                            DATA_VA,
                            0,
                            [AT_DISPATCH] = PM4_HEADER(PM4_DISPATCH_DIRECT, 4) | PM4_COMPUTE,
                            1,
                            1,
                            1,
                            5,
                            [AT_RELEASE] = PM4_HEADER(PM4_RELEASE_MEM, 7) | PM4_COMPUTE,
                            0x14 | 5 << 8 | 1 << 15 | 1 << 17,
                            1 << 29,
                            DATA_VA + FENCE_AT,
                            0,
                            77,
                            0,
                            0,
                            [AT_PAD] = PM4_FILL,
                            PM4_FILL,
                            PM4_FILL };
    memcpy(ib(), dw, sizeof dw);
    memset(gpu.at[1], 0, 65536);
}

#define STORE_IDS                                                           \
    "v_lshlrev_b32 v1, 2, v0\ns_lshl_b32 s3, s2, 8\nv_add_u32 v1, s3, v1\n" \
    "global_store_dword v1, v0, s[0:1]\ns_waitcnt vmcnt(0)\ns_endpgm\n"

static void test_identity(void)
{
    static const struct {
        const char *chip;
        u32 device, cus, gfx, compute, dma;
    } want[] = { { "vega10", 0x6863, 64, 1, 0xff, 3 },
                 { "gfx906", 0x66a1, 60, 1, 0xff, 3 },
                 { "mi100", 0x738c, 120, 0, 0xff, 0xff },
                 { "raven", 0x15dd, 11, 1, 0xff, 1 },
                 { "gfx90c", 0x1636, 8, 1, 0xff, 1 } };
    for (u32 i = 0; i < COUNT_OF(want); i++) {
        struct drm_amdgpu_info_device d = { 0 };
        struct drm_amdgpu_info a = { .return_pointer = (u64)(uintptr_t)&d,
                                     .return_size = sizeof d,
                                     .query = AMDGPU_INFO_DEV_INFO };
        gpu_open(want[i].chip);
        is_u64(0, (u64)gpu_ioctl(DRM_IOCTL_AMDGPU_INFO, &a), "%s: DEV_INFO", want[i].chip);
        is_hex(want[i].device, d.device_id, "%s: its device id", want[i].chip);
        u32 cus = 0, rings[] = { want[i].gfx, want[i].compute, want[i].dma };
        for (u32 j = 0; j < 16; j++)
            cus += popcount32(d.cu_bitmap[j / 4][j % 4]);
        is_u64(want[i].cus, cus, "%s: compute units in the bitmap", want[i].chip);
        is_u64(want[i].cus, d.cu_active_number, "%s: and as a number", want[i].chip);
        const struct vgpu_chip *chip = vgpu_chip_of_ids(d.family, d.external_rev);
        is_str(vgpu_chip_find(want[i].chip)->name, chip ? chip->name : "none",
               "%s: told by family and revision", want[i].chip);
        for (u32 ip = 0; ip < 3; ip++) {
            struct drm_amdgpu_info_hw_ip h = { 0 };
            struct drm_amdgpu_info q = { .return_pointer = (u64)(uintptr_t)&h,
                                         .return_size = sizeof h,
                                         .query = AMDGPU_INFO_HW_IP_INFO,
                                         .query_hw_ip = { .type = ip } };
            gpu_ioctl(DRM_IOCTL_AMDGPU_INFO, &q);
            is_hex(rings[ip], h.available_rings, "%s: rings of IP %u", want[i].chip, ip);
        }
        gpu_close();
    }
    ok(!vgpu_chip_find("gfx1030"), "no chip is called gfx1030");
}

/* Whether what the device complained of since the last call has the text. */
static void complained(const char *text, const char *what)
{
    const char *got = gpu_errors();
    if (!ok(strstr(got, text) != NULL, "%s: '%s'", what, text))
        diag("it said: %s", got);
}

static void test_address_space(void)
{
    enum { MAP = AMDGPU_VA_OP_MAP };
    u32 bo = gpu_buffer(0x10000, AMDGPU_GEM_DOMAIN_VRAM);
    u64 high = 0xffff800100000000;
    is_i64(0, gpu_va(MAP, bo, 0x10000000, 0, 0x10000, GPU_RW), "a buffer is mapped");
    is_i64(-EINVAL, gpu_va(MAP, bo, 0x1000f000, 0, 0x1000, GPU_RW), "not over another");
    complained("overlaps the mapping at 0x10000000", "an overlap");
    is_i64(-EINVAL, gpu_va(MAP, bo, 0x20000800, 0, 0x1000, GPU_RW), "not off a page");
    is_i64(-EINVAL, gpu_va(MAP, bo, 0x800000000000, 0, 0x1000, GPU_RW), "not in the hole");
    is_i64(-EINVAL, gpu_va(MAP, bo, 0x1000, 0, 0x1000, GPU_RW), "not below the first address");
    is_i64(-EINVAL, gpu_va(MAP, bo, 0x20000000, 0xf000, 0x2000, GPU_RW), "not past its end");
    is_i64(-EINVAL, gpu_va(MAP, bo, 0x20000000, 0, 0, GPU_RW), "not nothing");
    is_i64(-ENOENT, gpu_va(MAP, 999, 0x20000000, 0, 0x1000, GPU_RW), "not a buffer without a name");
    is_i64(0, gpu_va(MAP, bo, high, 0, 0x10000, GPU_RW), "the high range");
    is_i64(0, gpu_va(AMDGPU_VA_OP_REPLACE, bo, high + 0x4000, 0, 0x1000, GPU_RW), "a hole in it");
    is_i64(0, gpu_va(AMDGPU_VA_OP_CLEAR, 0, high + 0x4000, 0, 0x1000, 0), "is emptied");
    is_i64(0, gpu_va(MAP, bo, high + 0x4000, 0, 0x1000, GPU_RW), "and filled");
    is_i64(-ENOENT, gpu_va(AMDGPU_VA_OP_UNMAP, bo, high + 0x1000, 0, 0x1000, 0),
           "only what begins there is unmapped");
    is_i64(0, gpu_va(AMDGPU_VA_OP_UNMAP, bo, high, 0, 0x4000, 0), "by its first address");
    struct drm_gem_close c = { .handle = bo };
    is_i64(0, gpu_ioctl(DRM_IOCTL_GEM_CLOSE, &c), "a buffer is closed");
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_GEM_CLOSE, &c), "once");
    u32 again = gpu_buffer(0x10000, AMDGPU_GEM_DOMAIN_VRAM);
    is_i64(0, gpu_va(MAP, again, 0x10000000, 0, 0x10000, GPU_RW), "with it its mappings are gone");
    u32 other = vgpu_file_open(gpu.v, false), mine = gpu.file;
    gpu.file = other;
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_GEM_CLOSE, &c), "another file has other handles");
    gpu.file = mine;
    vgpu_file_close(gpu.v, other);
    gpu_errors();
}

static void test_run(const char *chip)
{
    u64 seq = 0;
    gpu_open(chip);
    gpu_code(chip, STORE_IDS);
    usual();
    ib()[AT_DISPATCH + 1] = 3;
    is_i64(0, gpu_submit(AMDGPU_HW_IP_COMPUTE, IB_DW, &seq), "%s: a submission", chip);
    is_u64(1, seq, "%s: is the first", chip);
    ok(!vgpu_is_idle(gpu.v), "%s: waits for its turn", chip);
    is_u64(0, data()[63], "%s: nothing is there before somebody waits", chip);
    is_i64(0, gpu_wait(AMDGPU_HW_IP_COMPUTE, seq), "%s: the fence", chip);
    u32 wrong = 0;
    for (u32 i = 0; i < 3 * 64; i++)
        wrong += data()[i] != i % 64;
    is_u64(0, wrong, "%s: thread ids of three work-groups", chip);
    is_u64(77, data()[FENCE_AT / 4], "%s: RELEASE_MEM writes its value", chip);
    is_i64(-EINVAL, gpu_wait(AMDGPU_HW_IP_COMPUTE, 2), "%s: a fence that is not there", chip);
    is_str("", gpu_errors(), "%s: no complaint", chip);
    is_i64(vgpu_chip_find(chip)->gfx_rings ? 0 : -EINVAL, gpu_submit(AMDGPU_HW_IP_GFX, IB_DW, &seq),
           "%s: its graphics ring", chip);
    gpu_close();
}

/* One dword of the usual submission is wrong: it hangs, and the device says why. */
static const struct damage {
    u32 at, value;
    const char *why;
} damages[] = {
    { AT_ACQUIRE, PM4_HEADER(0x57, 6), "unknown opcode 0x57" },
    { AT_ACQUIRE, PM4_HEADER(PM4_ACQUIRE_MEM, 6) | 4, "has reserved bits" },
    { AT_ACQUIRE, PM4_HEADER(PM4_ACQUIRE_MEM, 5), "no such packet has 6 dwords" },
    { AT_ACQUIRE, 0x40000000, "header of type 1" },
    { AT_ACQUIRE + 1, 0x28c40001, "coher_cntl = 0x28c40001 has reserved bits 0x00000001" },
    { AT_THREADS + 1, 0x203, "NUM_THREAD_X has not been set" },
    { AT_THREADS + 1, 0x217, "NUM_THREAD_X has not been set" },
    { AT_THREADS + 1, 0x230, "no compute register has offset 0x230" },
    { AT_THREADS + 2, 0, "a work-group of 0 x 1 x 1 threads" },
    { AT_THREADS + 2, 1088, "a work-group of 1088 x 1 x 1 threads" },
    { AT_PGM + 1, SH_PGM_LO + 1, "PGM_HI = 0x00010000 has reserved bits" },
    { AT_PGM + 2, CODE_VA >> 7, "no executable memory at PGM 0x2000000" },
    { AT_PGM + 3, 0x100, "PGM_HI = 0x00000100 has reserved bits" },
    { AT_RSRC + 1, SH_PGM_RSRC1 + 2, "no compute register has offset 0x214" },
    { AT_RSRC + 2, 1 | 14 << 6, "no such number of SGPRs" },
    { AT_RSRC + 2, 1 | 3 << 6, "" }, /* half a granule, as drivers ask for */
    { AT_RSRC + 2, 1 | 2 << 6 | 1 << 20, "privileged mode" },
    { AT_RSRC + 2, 0 | 2 << 6, "" },           /* four registers are enough */
    { AT_RSRC + 3, 3 << 1, "VM fault at 0x" }, /* what nobody set is anything */
    { AT_RSRC + 3, 2 << 1 | 200 << 15, "102400 bytes of LDS" },
    { AT_RSRC + 3, 2 << 1 | 1 << 6, "trap handler" },
    { AT_USER + 2, 0x4000000, "VM fault at 0x4000" },
    { AT_USER + 3, 0x12340000, "" }, /* of a shader's address 48 bits count */
    { AT_USER + 3, 0x8000, "VM fault at 0x800002000000" },
    { AT_DISPATCH, PM4_HEADER(PM4_DISPATCH_DIRECT, 4), "without the compute bit" },
    { AT_DISPATCH + 4, 0x85, "initiator = 0x00000085 has reserved bits" },
    { AT_DISPATCH + 4, 1, "START_X has not been set" },
    { AT_RELEASE + 1, 0x14 | 4 << 8, "not an end-of-pipe event" },
    { AT_RELEASE + 1, 0x14 | 5 << 8 | 1 << 15, "no such combination of cache actions" },
    { AT_RELEASE + 3, DATA_VA + 0x10000, "0x2010000 (4 bytes) is not mapped" },
    { AT_RELEASE + 3, IB_VA, "mapped, but not for writing" },
    { AT_RELEASE, PM4_HEADER(PM4_RELEASE_MEM, 64), "the buffer ends after" },
    { AT_PAD, PM4_HEADER(PM4_WAIT_REG_MEM, 6), "the buffer ends after" },
};

static void test_damage(void)
{
    for (u32 i = 0; i < COUNT_OF(damages); i++) {
        const struct damage *d = &damages[i];
        char what[64];
        snprintf(what, sizeof what, "dword %u is 0x%x", d->at, d->value);
        gpu_open("vega10");
        gpu_code("vega10", STORE_IDS);
        usual();
        ib()[d->at] = d->value;
        int r = gpu_run(IB_DW);
        bool is_hang = d->why[0] && !strstr(d->why, "VM fault");
        is_i64(is_hang ? -ECANCELED : 0, r, "%s: the ring %s", what, is_hang ? "hangs" : "goes on");
        if (d->why[0])
            complained(d->why, what);
        else
            is_str("", gpu_errors(), "%s: no complaint", what);
        gpu_close();
    }
}

static u32 reset_status(u32 ctx)
{
    union drm_amdgpu_ctx a = { .in = { .op = AMDGPU_CTX_OP_QUERY_STATE, .ctx_id = ctx } };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_CTX, &a), "QUERY_STATE");
    return a.out.state.reset_status;
}

static u64 reset_flags(u32 ctx)
{
    union drm_amdgpu_ctx a = { .in = { .op = AMDGPU_CTX_OP_QUERY_STATE2, .ctx_id = ctx } };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_CTX, &a), "QUERY_STATE2");
    return a.out.state.flags;
}

static void test_hang(void)
{
    static const struct {
        const char *code, *why;
    } hangs[] = { { "s_branch -1\n", "instruction limit" },
                  { "s_sethalt 1\ns_endpgm\n", "halted" },
                  { ".fill 1, 4, 0xbfff0000\n", "at 0x1000000: " },
                  { "s_mov_b64 s[4:5], 0\ns_setpc_b64 s[4:5]\n", "PC left" },
                  { "v_mov_b32 v40, 1\ns_endpgm\n", "beyond the 8 that it has" } };
    for (u32 i = 0; i < COUNT_OF(hangs); i++) {
        u64 seq;
        gpu_open("vega20");
        u32 innocent = gpu_context(), guilty = gpu.ctx;
        gpu_code("vega20", hangs[i].code);
        usual();
        is_i64(-ECANCELED, gpu_run(IB_DW), "hang %u: the wait", i);
        complained(hangs[i].why, "the log");
        is_u64(AMDGPU_CTX_UNKNOWN_RESET, reset_status(guilty), "hang %u: a reset", i);
        is_u64(AMDGPU_CTX_NO_RESET, reset_status(guilty), "hang %u: told once", i);
        is_u64(AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY, reset_flags(guilty),
               "hang %u: whose fault", i);
        is_u64(AMDGPU_CTX_QUERY2_FLAGS_RESET, reset_flags(innocent), "hang %u: not the other's", i);
        is_i64(-ECANCELED, gpu_submit(AMDGPU_HW_IP_COMPUTE, IB_DW, &seq),
               "hang %u: a guilty context is done", i);
        gpu.ctx = innocent;
        gpu_code("vega20", STORE_IDS);
        usual();
        is_i64(0, gpu_run(IB_DW), "hang %u: the device works again", i);
        is_u64(63, data()[63], "hang %u: with results", i);
        gpu_close();
    }
}

/* The instruction cache holds what it fetched until a packet says otherwise. */
static void test_icache(void)
{
    gpu_open("vega10");
    gpu_code("vega10", STORE_IDS);
    usual();
    gpu_run(IB_DW);
    gpu_code("vega10", "s_endpgm\n");
    usual();
    ib()[AT_ACQUIRE + 1] &= ~(u32)PM4_ICACHE_INV;
    is_i64(0, gpu_run(IB_DW), "new code without an invalidate");
    is_u64(63, data()[63], "is not seen");
    usual();
    is_i64(0, gpu_run(IB_DW), "new code with one");
    is_u64(0, data()[63], "is");
    gpu_close();
}

/* Buffers that the list lacks are not there, whatever is mapped. */
static void test_list(void)
{
    gpu_open("vega10");
    u32 bo = gpu_buffer(4096, AMDGPU_GEM_DOMAIN_VRAM);
    gpu_must(gpu_va(AMDGPU_VA_OP_MAP, bo, 0x5000000, 0, 4096, GPU_RW), "GEM_VA");
    gpu_code("vega10", STORE_IDS);
    usual();
    ib()[AT_RELEASE + 3] = 0x5000000;
    is_i64(-ECANCELED, gpu_run(IB_DW), "a release into a buffer that is not listed");
    complained("not in the submission's list", "it");
    gpu_close();
}

/* Pages without memory: loads give 0, stores and atomics leave nothing. */
static void test_prt(void)
{
    static const u64 at = 0x6000000, terabyte = 1ull << 40;
    static const char code[] =
        "v_lshlrev_b32 v3, 2, v0\ns_mov_b32 s4, 0x6000000\ns_mov_b32 s5, 0\nv_mov_b32 v2, 7\n"
        "global_store_dword v3, v2, s[4:5]\ns_waitcnt vmcnt(0)\n"
        "global_atomic_add v5, v3, v2, s[4:5] glc\ns_waitcnt vmcnt(0)\n"
        "global_load_dword v6, v3, s[4:5]\ns_load_dword s8, s[4:5], 0x0\n"
        "s_waitcnt vmcnt(0) lgkmcnt(0)\nv_add_u32 v5, v5, v6\nv_add_u32 v5, s8, v5\n"
        "v_lshl_add_u32 v5, v5, 8, v0\nglobal_store_dword v3, v5, s[0:1]\ns_endpgm\n";
    u32 wrong = 0;
    gpu_open("vega10");
    gpu_must(gpu_va(AMDGPU_VA_OP_MAP, 0, at, 0, terabyte, AMDGPU_VM_PAGE_PRT), "GEM_VA");
    gpu_code("vega10", code);
    usual();
    is_i64(0, gpu_run(IB_DW), "a kernel stores, adds and loads where there is no memory");
    for (u32 i = 0; i < 64; i++)
        wrong += data()[i] != i;
    is_u64(0, wrong, "and has 0 of each");
    ib()[AT_RELEASE + 3] = (u32)at;
    is_i64(-ECANCELED, gpu_run(IB_DW), "a release to there");
    complained("is mapped without memory (PRT)", "it");
    gpu_must(gpu_va(AMDGPU_VA_OP_CLEAR, 0, at, 0, terabyte, 0), "GEM_VA");
    gpu.ctx = gpu_context(); /* that one is lost */
    usual();
    is_i64(0, gpu_run(IB_DW), "without that mapping a fault holds nobody up");
    complained("VM fault at 0x6000000", "it");
    gpu_close();
}

/* The copy engine: a copy, a write, a fill, a fence; and each with something wrong. */
static void test_sdma(void)
{
    enum { COPY = 0, WRITE = 7, FILL = 13, FENCE = 18, NOP = 22, DW = 25 };
    const u32 good[DW] = { [COPY] = 1,
                           255,
                           0,
                           DATA_VA,
                           0,
                           DATA_VA + 0x1000,
                           0,
                           [WRITE] = 2,
                           DATA_VA + 0x2000,
                           0,
                           1,
                           0x11111111,
                           0x22222222,
                           [FILL] = 11 | 2u << 30,
                           DATA_VA + 0x3000,
                           0,
                           0xabcd0123,
                           15,
                           [FENCE] = 5,
                           DATA_VA + 0x4000,
                           0,
                           99,
                           [NOP] = 2 << 16,
                           7,
                           7 };
    static const struct damage bad[] = {
        { COPY, 3, "unknown opcode 3.0" },
        { COPY, 0x101, "unknown opcode 1.1" },
        { COPY + 1, 1 << 22, "reserved bits 0x00400000" },
        { COPY + 3, 0x7000000, "0x7000000 (256 bytes) is not mapped" },
        { COPY + 5, DATA_VA + 0xff80, "(256 bytes) is not mapped" },
        { COPY + 5, CODE_VA, "mapped, but not for writing" },
        { WRITE + 3, 100, "the buffer ends after 18 dwords" },
        { FILL + 4, 13, "CONSTANT_FILL: 14 bytes at" },
        { FENCE + 1, DATA_VA + 1, "reserved bits 0x00000001" },
        { NOP, 3 << 16, "the buffer ends after 3 dwords" },
    };
    u64 seq;
    for (u32 i = 0; i <= COUNT_OF(bad); i++) {
        gpu_open("vega10");
        memcpy(ib(), good, sizeof good);
        for (u32 j = 0; j < 64; j++)
            data()[j] = 1000 + j;
        if (i < COUNT_OF(bad))
            ib()[bad[i].at] = bad[i].value;
        gpu_must(gpu_submit(AMDGPU_HW_IP_DMA, DW, &seq), "CS");
        is_i64(i < COUNT_OF(bad) ? -ECANCELED : 0, gpu_wait(AMDGPU_HW_IP_DMA, seq),
               "SDMA %u: the wait", i);
        if (i < COUNT_OF(bad))
            complained(bad[i].why, "SDMA");
        else
            is_str("", gpu_errors(), "SDMA: no complaint");
        if (i == COUNT_OF(bad)) {
            is_mem(data(), data() + 0x400, 256, "SDMA copies");
            is_u64(0, data()[0x400 + 64], "SDMA copies no more");
            is_hex(0x22222222, data()[0x801], "SDMA writes");
            is_hex(0xabcd0123, data()[0xc03], "SDMA fills");
            is_u64(0, data()[0xc04], "SDMA fills no more");
            is_u64(99, data()[0x1000], "SDMA writes its fence");
        }
        gpu_close();
    }
}

static void test_syncobj(void)
{
    gpu_open("vega10");
    struct drm_syncobj_create s = { 0 };
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_CREATE, &s), "a syncobj");
    struct drm_syncobj_wait w = { .handles = (u64)(uintptr_t)&s.handle, .count_handles = 1 };
    is_i64(-EINVAL, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "has no fence to wait for");
    struct drm_syncobj_array a = { .handles = (u64)(uintptr_t)&s.handle, .count_handles = 1 };
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_SIGNAL, &a), "is signalled");
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "and waited for");
    is_i64(0, gpu_ioctl(DRM_IOCTL_SYNCOBJ_RESET, &a), "is reset");
    w.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    is_i64(-ETIME, gpu_ioctl(DRM_IOCTL_SYNCOBJ_WAIT, &w), "and not there any more");
    union drm_amdgpu_sched q = { .in = { .op = 0 } };
    is_i64(-EOPNOTSUPP, gpu_ioctl(DRM_IOCTL_AMDGPU_SCHED, &q), "what there is not is refused");
    complained("AMDGPU_SCHED is not implemented", "by name");
    gpu_close();
}

static void test_tree(void)
{
    const struct vgpu_chip *chip = vgpu_chip_find("vega10");
    struct vgpu_node n;
    ok(vgpu_tree_find(chip, "/dev/dri/renderD128", false, &n) && n.kind == VGPU_DEVICE &&
           n.minor == 128,
       "the render node is a device");
    ok(vgpu_tree_find(chip, "/sys/dev/char/226:128/device/device", false, &n) &&
           strcmp(n.text, "0x6863\n") == 0,
       "its device id through two links");
    ok(vgpu_tree_find(chip, "/sys/dev/char/226:0/device/subsystem", true, &n) &&
           n.kind == VGPU_LINK && strcmp(n.text, "/sys/bus/pci") == 0,
       "the bus as a link");
    ok(vgpu_tree_find(chip, "/sys/dev/char/226:0/device/drm/../vendor", false, &n), "with ..");
    ok(!vgpu_tree_find(chip, "/dev/dri/card1", false, &n), "no second card");
    ok(vgpu_tree_owns("/dev/dri/card1") && !vgpu_tree_owns("/dev/drift"), "what is ours");
    ok(vgpu_tree_leads("/sys/devices/pci0000:00") && !vgpu_tree_leads("/sys/devices/pci0000:0"),
       "what leads there");
}

int main(void)
{
    test_identity();
    gpu_open("vega10");
    test_address_space();
    gpu_close();
    test_run("vega10");
    test_run("vega20");
    test_run("mi100");
    test_run("raven");
    test_run("renoir");
    test_damage();
    test_hang();
    test_icache();
    test_list();
    test_prt();
    test_sdma();
    test_syncobj();
    test_tree();
    return done();
}
