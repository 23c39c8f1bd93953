/* What drivers do beside the usual submission: registers set in a buffer of their own, sizes of a
 * dispatch in memory, prefetches, registers that only graphics would need, user data left out. */
#include "harness/t/vgpu/gpu.h"

#include <errno.h>

enum { SIZES_AT = 0x8000, MISSING = 0x7000000 };

static u32 *data(void)
{
    return (u32 *)(void *)gpu.at[1];
}

static void complained(const char *text, const char *what)
{
    const char *got = gpu_errors();
    if (!ok(text[0] ? strstr(got, text) != NULL : !got[0], "%s: '%s'", what, text))
        diag("it said: %s", got);
}

/* Opens the chip with a program that stores 64 thread ids for each work-group. */
static void start(const char *chip)
{
    gpu_open(chip);
    gpu_code(chip, "s_lshl_b32 s3, s2, 8\ns_add_u32 s0, s0, s3\nv_mov_b32 v2, s0\n"
                   "v_mad_u32_u24 v2, v0, 4, v2\nv_mov_b32 v3, s1\n"
                   "flat_store_dword v[2:3], v0\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm\n");
    memset(gpu.at[1], 0, 65536);
    memset(gpu.at[2], 0, 65536);
}

static void put(u32 at, const u32 *dw, u32 count)
{
    memcpy(gpu.at[2] + at * 4, dw, count * sizeof *dw);
}

/* All that the program needs, without a dispatch. */
enum { SETUP_DW = 5 + 4 + 4 + 4 + 7 };
static void put_setup(u32 at)
{
    const u32 dw[SETUP_DW] = { PM4_HEADER(PM4_SET_SH_REG, 4) | PM4_COMPUTE,
                               SH_NUM_THREAD_X,
                               64,
                               1,
                               1,
                               PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                               SH_PGM_LO,
                               CODE_VA >> 8,
                               0,
                               PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                               SH_PGM_RSRC1,
                               1 | 2 << 6 | 0xc0 << 12,
                               2 << 1 | 1 << 7,
                               PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                               SH_USER_DATA_0,
                               DATA_VA,
                               0,
                               PM4_FILL,
                               PM4_FILL,
                               PM4_FILL,
                               PM4_FILL,
                               PM4_FILL,
                               PM4_FILL,
                               PM4_FILL };
    put(at, dw, SETUP_DW);
}

static const u32 direct[] = { PM4_HEADER(PM4_DISPATCH_DIRECT, 4) | PM4_COMPUTE, 3, 1, 1, 5 };

static int run(u32 ip, u32 dw)
{
    u64 seq = 0;
    int r = gpu_submit(ip, dw, &seq);
    return r ? r : gpu_wait(ip, seq);
}

/* Two buffers, the second behind the first at dword `split`, as one submission. */
static int run_split(u32 split, u32 dw)
{
    struct drm_amdgpu_cs_chunk_ib ib[2] = {
        { .va_start = IB_VA, .ib_bytes = split * 4, .ip_type = AMDGPU_HW_IP_COMPUTE },
        { .va_start = IB_VA + split * 4,
          .ib_bytes = (dw - split) * 4,
          .ip_type = AMDGPU_HW_IP_COMPUTE }
    };
    struct drm_amdgpu_cs_chunk chunk = { .chunk_id = AMDGPU_CHUNK_ID_IB,
                                         .length_dw = sizeof ib / 4,
                                         .chunk_data = (u64)(uintptr_t)ib };
    u64 at = (u64)(uintptr_t)&chunk;
    union drm_amdgpu_cs a = { .in = { .ctx_id = gpu.ctx,
                                      .bo_list_handle = gpu.list,
                                      .num_chunks = 1,
                                      .chunks = (u64)(uintptr_t)&at } };
    gpu_must(gpu_ioctl(DRM_IOCTL_AMDGPU_CS, &a), "CS");
    return gpu_wait(AMDGPU_HW_IP_COMPUTE, a.out.handle);
}

/* How many work-groups have stored all that they should. */
static u32 stored(void)
{
    u32 groups = 0;
    for (u32 i = 0; i < 3; i++) {
        u32 right = 0;
        for (u32 lane = 0; lane < 64; lane++)
            right += data()[i * 64 + lane] == lane;
        groups += right == 64;
    }
    return groups;
}

static void test_registers_stay(void)
{
    start("polaris10");
    put_setup(0);
    put(SETUP_DW, direct, COUNT_OF(direct));
    is_i64(0, run_split(SETUP_DW, SETUP_DW + COUNT_OF(direct)), "registers set in a buffer before");
    is_u64(3, stored(), "are there in the next");
    complained("", "the two");
    put(0, direct, COUNT_OF(direct));
    is_i64(-ECANCELED, run(AMDGPU_HW_IP_COMPUTE, COUNT_OF(direct)), "not in the next submission");
    complained("NUM_THREAD_X has not been set in this submission", "which says so");
    gpu_close();
}

static void test_user_data(void)
{
    const u32 rsrc[] = { PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE, SH_PGM_RSRC1,
                         1 | 2 << 6 | 0xc0 << 12, 4 << 1 | 1 << 7 };
    start("vega10");
    gpu_code("vega10", "v_mov_b32 v2, s0\nv_mov_b32 v3, s1\nv_mov_b32 v4, s4\n"
                       "flat_store_dword v[2:3], v4\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm\n");
    put_setup(0);
    put(9, rsrc, COUNT_OF(rsrc));
    put(SETUP_DW, direct, COUNT_OF(direct));
    is_i64(0, run(AMDGPU_HW_IP_COMPUTE, SETUP_DW + COUNT_OF(direct)),
           "two of four user data are not set: nobody reads them");
    is_u64(2, data()[0], "and what follows them has its place");
    complained("", "it");
    gpu_close();
}

static void test_indirect(const char *chip)
{
    static const struct {
        u32 ip, va, body;
        const char *why;
    } rows[] = { { AMDGPU_HW_IP_COMPUTE, DATA_VA + SIZES_AT, 3, "" },
                 { AMDGPU_HW_IP_COMPUTE, DATA_VA + SIZES_AT, 2, "not as long as on this ring" },
                 { AMDGPU_HW_IP_COMPUTE, DATA_VA + SIZES_AT + 2, 3, "cannot read its sizes" },
                 { AMDGPU_HW_IP_COMPUTE, MISSING, 3, "0x7000000 (12 bytes) is not mapped" },
                 { AMDGPU_HW_IP_GFX, 0x40, 2, "" },
                 { AMDGPU_HW_IP_GFX, DATA_VA + SIZES_AT, 3, "not as long as on this ring" } };
    const u32 base[] = { PM4_HEADER(PM4_SET_BASE, 3) | PM4_COMPUTE, 1, DATA_VA + SIZES_AT - 0x40,
                         0 };
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        const u32 dw[] = { PM4_HEADER(PM4_DISPATCH_INDIRECT, rows[i].body) | PM4_COMPUTE,
                           rows[i].va, rows[i].body == 2 ? 5 : 0, 5 };
        u32 all = SETUP_DW + COUNT_OF(base) + 1 + rows[i].body;
        start(chip);
        put_setup(0);
        put(SETUP_DW, base, COUNT_OF(base));
        put(SETUP_DW + COUNT_OF(base), dw, 1 + rows[i].body);
        data()[SIZES_AT / 4] = 3;
        data()[SIZES_AT / 4 + 1] = data()[SIZES_AT / 4 + 2] = 1;
        is_i64(rows[i].why[0] ? -ECANCELED : 0, run(rows[i].ip, all), "%s: sizes in memory, %u",
               chip, i);
        is_u64(rows[i].why[0] ? 0 : 3, stored(), "%s: work-groups, %u", chip, i);
        complained(rows[i].why, chip);
        gpu_close();
    }
}

/* Registers and packets that dispatches do not look at; those of drawing are the graphics ring's. */
static void test_unseen(void)
{
    enum { GFX = AMDGPU_HW_IP_GFX, COMPUTE = AMDGPU_HW_IP_COMPUTE };
    static const struct {
        const char *chip;
        u32 ip, op, first, value;
        const char *why;
    } rows[] = {
        { "vega10", COMPUTE, PM4_SET_UCONFIG_REG, 0x380, 0x123456, "" },
        { "hawaii", COMPUTE, PM4_SET_UCONFIG_REG, 0x380, 0x123456, "" },
        { "vega10", COMPUTE, PM4_SET_UCONFIG_REG, 0x381, 0x100,
          "TA_CS_BC_BASE_ADDR_HI = 0x00000100 has reserved bits" },
        { "vega10", COMPUTE, PM4_SET_UCONFIG_REG, 0x07b, 0, "" },
        { "polaris10", COMPUTE, PM4_SET_UCONFIG_REG, 0x07b, 0,
          "no compute register has offset 0x7b" },
        { "vega10", COMPUTE, PM4_SET_UCONFIG_REG, 0x216, 0,
          "SET_UCONFIG_REG: no compute register has offset 0x216" },
        { "vega10", GFX, PM4_SET_UCONFIG_REG, 0x280, ~0u, "" },
        { "vega10", COMPUTE, PM4_SET_UCONFIG_REG, 0x280, 0, "a packet of the graphics ring" },
        { "hawaii", GFX, PM4_SET_SH_REG, 0x00c, ~0u, "" },
        { "hawaii", COMPUTE, PM4_SET_SH_REG, 0x00c, 0, "a packet of the graphics ring" },
        { "vega10", GFX, PM4_SET_UCONFIG_REG_INDEX, 0x40000258, 0, "" },
        { "hawaii", GFX, PM4_SET_UCONFIG_REG_INDEX, 0x40000258, 0, "unknown opcode 0x7a" },
        { "vega10", GFX, PM4_DRAW_INDEX_AUTO, 3, 2, "a draw: there is no rasterizer here" },
        { "vega10", COMPUTE, PM4_DRAW_INDEX_AUTO, 3, 2, "a packet of the graphics ring" },
    };
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        const u32 dw[] = { PM4_HEADER(rows[i].op, 2), rows[i].first, rows[i].value };
        start(rows[i].chip);
        put(0, dw, COUNT_OF(dw));
        is_i64(rows[i].why[0] ? -ECANCELED : 0, run(rows[i].ip, COUNT_OF(dw)),
               "%s: IP %u, 0x%x 0x%x", rows[i].chip, rows[i].ip, rows[i].op, rows[i].first);
        complained(rows[i].why, rows[i].chip);
        gpu_close();
    }
}

/* What is over when it is asked for. */
static void test_events(void)
{
    static const struct {
        u32 ip, event;
        const char *why;
    } rows[] = { { AMDGPU_HW_IP_COMPUTE, 0x407, "" },
                 { AMDGPU_HW_IP_GFX, 0x40f, "" },
                 { AMDGPU_HW_IP_GFX, 0x410, "" },
                 { AMDGPU_HW_IP_GFX, 0x00e, "" },
                 { AMDGPU_HW_IP_GFX, 0x02c, "" },
                 { AMDGPU_HW_IP_GFX, 0x02e, "" },
                 { AMDGPU_HW_IP_GFX, 0x00f, "event 15 with index 0" },
                 { AMDGPU_HW_IP_COMPUTE, 0x40f, "event 15 with index 4" },
                 { AMDGPU_HW_IP_COMPUTE, 0x00e, "event 14 with index 0" },
                 { AMDGPU_HW_IP_GFX, 0x115, "event 21 with index 1" } };
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        const u32 dw[] = { PM4_HEADER(PM4_EVENT_WRITE, 1), rows[i].event };
        start("vega10");
        put(0, dw, COUNT_OF(dw));
        is_i64(rows[i].why[0] ? -ECANCELED : 0, run(rows[i].ip, COUNT_OF(dw)), "IP %u, event 0x%x",
               rows[i].ip, rows[i].event);
        complained(rows[i].why, "vega10");
        gpu_close();
    }
}

/* A copy to nowhere, which only gfx9 has, or to the same place. */
static void test_prefetch(void)
{
    static const struct {
        const char *chip;
        u32 control, from, to;
        const char *why;
    } rows[] = { { "vega10", 3u << 29 | 2u << 20, CODE_VA, 0, "" },
                 { "vega10", 3u << 29 | 2u << 20, MISSING, 0, "is not mapped" },
                 { "vega10", 2u << 29 | 2u << 20, 5, 0, "only memory is implemented" },
                 { "polaris10", 3u << 29 | 2u << 20, CODE_VA, 0, "only memory is implemented" },
                 { "polaris10", 3u << 29 | 3u << 20, CODE_VA, CODE_VA, "" } };
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        const u32 dw[] = { PM4_HEADER(PM4_DMA_DATA, 6) | PM4_COMPUTE,
                           rows[i].control,
                           rows[i].from,
                           0,
                           rows[i].to,
                           0,
                           256 };
        start(rows[i].chip);
        put(0, dw, COUNT_OF(dw));
        is_i64(rows[i].why[0] ? -ECANCELED : 0, run(AMDGPU_HW_IP_COMPUTE, COUNT_OF(dw)),
               "%s: a prefetch, %u", rows[i].chip, i);
        complained(rows[i].why, rows[i].chip);
        gpu_close();
    }
}

int main(void)
{
    test_registers_stay();
    test_user_data();
    test_indirect("vega10");
    test_indirect("polaris10");
    test_indirect("hawaii");
    test_unseen();
    test_events();
    test_prefetch();
    return done();
}
