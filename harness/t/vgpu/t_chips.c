/* The chips before gfx9: what they say of themselves, where they map memory, packets and registers
 * that are others there. */
#include "harness/t/vgpu/gpu.h"

#include <errno.h>

static const struct chip_row {
    const char *chip;
    u32 device, family, rev, cus, rbs, tccs, bits;
    u32 gfx_major, dma_major;
} rows[] = { { "gfx701", 0x67a0, AMDGPU_FAMILY_CI, 0x28, 44, 16, 16, 512, 7, 2 },
             { "gfx803", 0x67df, AMDGPU_FAMILY_VI, 0x51, 36, 8, 8, 256, 8, 3 } };

static u32 *ib(void)
{
    return (u32 *)(void *)gpu.at[2];
}

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

static int info(struct drm_amdgpu_info a, void *to, u32 bytes)
{
    a.return_pointer = (u64)(uintptr_t)to;
    a.return_size = bytes;
    return gpu_ioctl(DRM_IOCTL_AMDGPU_INFO, &a);
}

static u32 ip_major(u32 ip)
{
    struct drm_amdgpu_info_hw_ip h = { 0 };
    gpu_must(info((struct drm_amdgpu_info){ .query = AMDGPU_INFO_HW_IP_INFO,
                                            .query_hw_ip = { .type = ip } },
                  &h, sizeof h),
             "HW_IP_INFO");
    return h.hw_ip_version_major;
}

static void test_identity(const struct chip_row *r)
{
    struct drm_amdgpu_info_device d = { 0 };
    gpu_open(r->chip);
    gpu_must(info((struct drm_amdgpu_info){ .query = AMDGPU_INFO_DEV_INFO }, &d, sizeof d),
             "DEV_INFO");
    is_hex(r->device, d.device_id, "%s: device", r->chip);
    is_u64(r->family, d.family, "%s: family", r->chip);
    is_hex(r->rev, d.external_rev, "%s: revision", r->chip);
    is_u64(r->cus, d.cu_active_number, "%s: compute units", r->chip);
    is_u64(r->rbs, popcount64(d.enabled_rb_pipes_mask), "%s: render back ends", r->chip);
    is_u64(r->tccs, d.num_tcc_blocks, "%s: caches of L2", r->chip);
    is_u64(AMDGPU_VRAM_TYPE_GDDR5, d.vram_type, "%s: kind of memory", r->chip);
    is_u64(r->bits, d.vram_bit_width, "%s: width of its bus", r->chip);
    is_hex((1ull << 40) - 0x200000, d.virtual_address_max, "%s: end of addresses", r->chip);
    is_hex(0, d.high_va_max, "%s: no second half of them", r->chip);
    is_u64(r->gfx_major, ip_major(AMDGPU_HW_IP_COMPUTE), "%s: version of compute", r->chip);
    is_u64(r->dma_major, ip_major(AMDGPU_HW_IP_DMA), "%s: version of the copy engines", r->chip);
    is_str(r->chip, vgpu_chip_of_ids(d.family, d.external_rev)->mcpu, "%s: told by these", r->chip);
    gpu_close();
}

/* ---- registers that drivers read ---- */

enum { RB_DISABLE = 0x263d, ADDR_CONFIG = 0x263e, TILE_MODE = 0x2644, MACROTILE_MODE = 0x2664 };

static int read_registers(u32 first, u32 count, u32 *to)
{
    return info(
        (struct drm_amdgpu_info){
            .query = AMDGPU_INFO_READ_MMR_REG,
            .read_mmr_reg = { .dword_offset = first, .count = count, .instance = ~0u } },
        to, count * 4);
}

/* Pipes are in bits 10:6 of a tile mode (P8_32x32_16x16 is 12, P16_32x32_16x16 17), how its array lies in
 * bits 5:2 (1 linear, 2 and 4 tiled in one and in two dimensions); banks in bits 7:6 of a macro tile
 * mode (3: 16 of them). */
static void test_registers(const struct chip_row *r)
{
    bool is_hawaii = r->gfx_major == 7;
    u32 tile[32] = { 0 }, macro[16] = { 0 }, one = 1;
    gpu_open(r->chip);
    is_i64(0, read_registers(TILE_MODE, 32, tile), "%s: all tile modes at once", r->chip);
    is_u64(4, bits32(tile[0], 2, 4), "%s: the first is of two dimensions", r->chip);
    is_u64(1, bits32(tile[8], 2, 4), "%s: the ninth is linear", r->chip);
    is_u64(2, bits32(tile[13], 2, 4), "%s: the fourteenth is of one", r->chip);
    is_u64(is_hawaii ? 17 : 12, bits32(tile[14], 6, 5), "%s: their pipes", r->chip);
    is_i64(0, read_registers(MACROTILE_MODE, 16, macro), "%s: macro tile modes", r->chip);
    is_u64(3, bits32(macro[0], 6, 2), "%s: their banks", r->chip);
    is_i64(0, read_registers(RB_DISABLE, 1, &one), "%s: back ends that are off", r->chip);
    is_u64(0, one, "%s: none", r->chip);
    is_i64(0, read_registers(ADDR_CONFIG, 1, &one), "%s: GB_ADDR_CONFIG", r->chip);
    is_hex(is_hawaii ? 0x12011003 : 0x22011003, one, "%s: is known", r->chip);
    gpu_errors();
    is_i64(-EINVAL, read_registers(MACROTILE_MODE, 17, tile), "%s: not past the end", r->chip);
    complained("17 registers from 0x2664 are not all implemented", r->chip);
    is_i64(-EINVAL, read_registers(TILE_MODE, 33, tile), "%s: nor too many", r->chip);
    gpu_close();
    gpu_open("vega10");
    is_i64(-EINVAL, read_registers(TILE_MODE, 1, &one), "gfx9 has no tile modes");
    gpu_close();
}

static void test_addresses(const struct chip_row *r)
{
    u64 end = (1ull << 40) - 0x200000;
    gpu_open(r->chip);
    u32 bo = gpu_buffer(0x10000, AMDGPU_GEM_DOMAIN_VRAM);
    is_i64(0, gpu_va(AMDGPU_VA_OP_MAP, bo, end - 0x1000, 0, 0x1000, GPU_RW), "%s: the last page",
           r->chip);
    is_i64(-EINVAL, gpu_va(AMDGPU_VA_OP_MAP, bo, end, 0, 0x1000, GPU_RW), "%s: none behind it",
           r->chip);
    complained("0xffffe00000 of 0x1000 bytes is no range of the address space", r->chip);
    is_i64(-EINVAL, gpu_va(AMDGPU_VA_OP_MAP, bo, 0xffff800000000000, 0, 0x1000, GPU_RW),
           "%s: nor in the half that gfx9 has", r->chip);
    gpu_close();
}

/* ---- a dispatch ---- */

/* Where in the usual submission what stands. */
enum {
    AT_ACQUIRE = 0,
    AT_THREADS = 7,
    AT_PGM = 12,
    AT_RSRC = 16,
    AT_USER = 20,
    AT_DISPATCH = 24,
    AT_RELEASE = 29,
    AT_PAD = 36,
    IB_DW = 40,
    FENCE_AT = 0x8000
};

/* As t_vgpu.c's, with a release of six dwords. */
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
                            3,
                            1,
                            1,
                            5,
                            [AT_RELEASE] = PM4_HEADER(PM4_RELEASE_MEM, 6) | PM4_COMPUTE,
                            0x14 | 5 << 8 | 1 << 16 | 1 << 17,
                            1 << 29,
                            DATA_VA + FENCE_AT,
                            0,
                            77,
                            0,
                            [AT_PAD] = PM4_FILL,
                            PM4_FILL,
                            PM4_FILL,
                            PM4_FILL };
    memcpy(ib(), dw, sizeof dw);
    memset(gpu.at[1], 0, 65536);
}

/* Dword n of the data becomes n % 64. */
#define STORE_IDS                                                                  \
    "s_lshl_b32 s3, s2, 8\ns_add_u32 s0, s0, s3\nv_mov_b32 v2, s0\n"               \
    "v_mad_u32_u24 v2, v0, 4, v2\nv_mov_b32 v3, s1\nflat_store_dword v[2:3], v0\n" \
    "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm\n"

static void test_run(const struct chip_row *r)
{
    u32 wrong = 0;
    gpu_open(r->chip);
    gpu_code(r->chip, STORE_IDS);
    usual();
    is_i64(0, gpu_run(IB_DW), "%s: a submission", r->chip);
    for (u32 i = 0; i < 3 * 64; i++)
        wrong += data()[i] != i % 64;
    is_u64(0, wrong, "%s: thread ids of three work-groups", r->chip);
    is_u64(77, data()[FENCE_AT / 4], "%s: RELEASE_MEM writes its value", r->chip);
    complained("", r->chip);
    gpu_close();
}

/* One dword of it is another. Without a reason it is right on these chips. */
static const struct damage {
    const char *chip; /* NULL: any */
    u32 at, value;
    const char *why;
} damages[] = {
    { NULL, AT_ACQUIRE + 3, 0x1000000, "size_hi = 0x01000000 has reserved bits" },
    { "gfx701", AT_ACQUIRE + 1, 0x28c40008, "coher_cntl = 0x28c40008 has reserved bits" },
    { "gfx803", AT_ACQUIRE + 1, 0x28c40008, "" }, /* what is not coherent */
    { "gfx701", AT_ACQUIRE + 1, 0x68c40000, "coher_cntl = 0x68c40000 has reserved bits" },
    { "gfx803", AT_ACQUIRE + 1, 0x68c40000, "" }, /* stores of the scalar cache */
    { NULL, AT_ACQUIRE, PM4_HEADER(PM4_SURFACE_SYNC, 4), "a packet of the graphics ring" },
    { NULL, AT_USER + 1, SH_STATIC_THREAD_MGMT_SE4, "no compute register has offset 0x226" },
    { NULL, AT_RSRC + 2, 1 | 2 << 6 | 1 << 26, "PGM_RSRC1 = 0x04000081 has reserved bits" },
    { NULL, AT_RSRC + 2, 1 | 13 << 6, "" }, /* all scalar registers */
    { NULL, AT_RSRC + 3, 2u << 1 | 1u << 31, "has reserved bits 0x80000000" },
    { NULL, AT_RSRC + 3, 2 << 1 | 1 << 6, "trap handler" },
    { NULL, AT_RELEASE, PM4_HEADER(PM4_RELEASE_MEM, 7), "RELEASE_MEM: no such packet has 8" },
    { NULL, AT_RELEASE + 1, 0x14 | 5 << 8 | 1 << 15, "" }, /* not a pair of actions */
    { NULL, AT_RELEASE + 1, 0x14 | 5 << 8 | 1 << 21, "event = 0x00200514 has reserved bits" },
    { NULL, AT_RELEASE + 1, 0x14 | 4 << 8, "not an end-of-pipe event" },
};

static void test_damage(const struct chip_row *r)
{
    for (u32 i = 0; i < COUNT_OF(damages); i++) {
        const struct damage *d = &damages[i];
        char what[64];
        if (d->chip && strcmp(d->chip, r->chip) != 0)
            continue;
        snprintf(what, sizeof what, "%s: dword %u is 0x%x", r->chip, d->at, d->value);
        gpu_open(r->chip);
        gpu_code(r->chip, STORE_IDS);
        usual();
        ib()[d->at] = d->value;
        if (d->at == AT_ACQUIRE) /* two dwords less */
            ib()[AT_ACQUIRE + 5] = ib()[AT_ACQUIRE + 6] = PM4_FILL;
        is_i64(d->why[0] ? -ECANCELED : 0, gpu_run(IB_DW), "%s: the wait", what);
        complained(d->why, what);
        gpu_close();
    }
}

/* The address of a trap handler can be set: no wave has one. */
static void test_handler(const struct chip_row *r)
{
    const u32 tba[] = {
        PM4_HEADER(PM4_SET_SH_REG, 5) | PM4_COMPUTE, SH_TBA_LO, 0x123, 0, 0x456, 0
    };
    gpu_open(r->chip);
    gpu_code(r->chip, "v_mov_b32 v0, tba_lo\n" STORE_IDS);
    usual();
    memcpy(ib() + IB_DW, ib(), IB_DW * 4);
    memcpy(ib(), tba, sizeof tba);
    for (u32 i = COUNT_OF(tba); i < IB_DW; i++)
        ib()[i] = PM4_FILL;
    is_i64(0, gpu_run(2 * IB_DW), "%s: a trap handler's address", r->chip);
    is_u64(0, data()[0], "%s: is not in the wave's registers", r->chip);
    complained("", r->chip);
    gpu_close();
}

/* ---- the graphics ring ---- */

static int run_graphics(const u32 *dw, u32 count)
{
    u64 seq = 0;
    memcpy(ib(), dw, count * sizeof *dw);
    gpu_must(gpu_submit(AMDGPU_HW_IP_GFX, count, &seq), "CS");
    return gpu_wait(AMDGPU_HW_IP_GFX, seq);
}

static void test_graphics(const struct chip_row *r)
{
    const u32 dw[] = { PM4_HEADER(PM4_SURFACE_SYNC, 4),
                       PM4_ICACHE_INV | PM4_KCACHE_INV | PM4_TCL1_INV,
                       ~0u,
                       0,
                       10,
                       PM4_HEADER(PM4_EVENT_WRITE_EOP, 5),
                       0x14 | 5 << 8 | 1 << 17,
                       DATA_VA + 8,
                       2u << 29,
                       0x11111111,
                       0x22222222 };
    const u32 acquire[] = { PM4_HEADER(PM4_ACQUIRE_MEM, 6), PM4_ICACHE_INV, ~0u, 0xff, 0, 0, 10 };
    gpu_open(r->chip);
    is_i64(0, run_graphics(dw, COUNT_OF(dw)), "%s: graphics have packets of their own", r->chip);
    is_hex(0x22222222, data()[3], "%s: EVENT_WRITE_EOP writes 64 bits", r->chip);
    complained("", r->chip);
    is_i64(-ECANCELED, run_graphics(acquire, COUNT_OF(acquire)), "%s: and not those of compute",
           r->chip);
    complained("a packet of compute rings", r->chip);
    gpu_close();
    gpu_open("vega10");
    is_i64(-ECANCELED, run_graphics(dw, COUNT_OF(dw)), "gfx9 has no SURFACE_SYNC");
    complained("unknown opcode 0x43", "gfx9");
    gpu_close();
}

/* ---- copies ---- */

/* The count has 21 bits, with flags from there on. */
static void test_dma_data(const struct chip_row *r)
{
    static const struct {
        u32 flags;
        const char *why;
    } flags[] = { { 0, "" },
                  { 1u << 21, "" }, /* no confirmation */
                  { 1u << 30, "" }, /* waits for reads */
                  { 1u << 22, "registers and address modes" },
                  { 1u << 26, "registers and address modes" } };
    for (u32 i = 0; i < COUNT_OF(flags); i++) {
        const u32 dw[] = { PM4_HEADER(PM4_DMA_DATA, 6) | PM4_COMPUTE,
                           3u << 29 | 3u << 20,
                           DATA_VA,
                           0,
                           DATA_VA + 0x1000,
                           0,
                           64 | flags[i].flags };
        gpu_open(r->chip);
        memcpy(ib(), dw, sizeof dw);
        data()[15] = 0x12345678;
        is_i64(flags[i].why[0] ? -ECANCELED : 0, gpu_run(COUNT_OF(dw)), "%s: DMA_DATA with 0x%x",
               r->chip, flags[i].flags);
        complained(flags[i].why, r->chip);
        is_hex(flags[i].why[0] ? 0 : 0x12345678, data()[0x400 + 15], "%s: its last dword", r->chip);
        gpu_close();
    }
}

static int run_sdma(const u32 *dw, u32 count)
{
    u64 seq = 0;
    memcpy(ib(), dw, count * sizeof *dw);
    gpu_must(gpu_submit(AMDGPU_HW_IP_DMA, count, &seq), "CS");
    return gpu_wait(AMDGPU_HW_IP_DMA, seq);
}

/* Counts are what they count. */
static void test_sdma(const struct chip_row *r)
{
    const u32 good[] = { 1,
                         256,
                         0,
                         DATA_VA,
                         0,
                         DATA_VA + 0x1000,
                         0,
                         2,
                         DATA_VA + 0x2000,
                         0,
                         2,
                         0x11111111,
                         0x22222222,
                         11 | 2u << 30,
                         DATA_VA + 0x3000,
                         0,
                         0xabcd0123,
                         16 };
    const u32 atomic[] = { 10 | 47u << 25, DATA_VA, 0, 5, 0, 0, 0, 0 };
    const u32 large[] = { 1, 1u << 21, 0, DATA_VA, 0, DATA_VA, 0 };
    gpu_open(r->chip);
    for (u32 j = 0; j < 64; j++)
        data()[j] = 1000 + j;
    is_i64(0, run_sdma(good, COUNT_OF(good)), "%s: SDMA", r->chip);
    is_mem(data(), data() + 0x400, 256, "%s: copies", r->chip);
    is_u64(0, data()[0x400 + 64], "%s: no more", r->chip);
    is_hex(0x22222222, data()[0x801], "%s: writes", r->chip);
    is_hex(0xabcd0123, data()[0xc03], "%s: fills", r->chip);
    is_u64(0, data()[0xc04], "%s: no more", r->chip);
    complained("", r->chip);
    bool is_old = r->gfx_major == 7;
    is_i64(is_old ? -ECANCELED : 0, run_sdma(atomic, COUNT_OF(atomic)), "%s: an atomic", r->chip);
    complained(is_old ? "unknown opcode 10.0" : "", r->chip);
    gpu.ctx = gpu_context(); /* the other is guilty */
    is_i64(-ECANCELED, run_sdma(large, COUNT_OF(large)), "%s: two megabytes", r->chip);
    complained(is_old ? "reserved bits 0x00200000" : "is not mapped", r->chip);
    gpu_close();
}

int main(void)
{
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        test_identity(&rows[i]);
        test_registers(&rows[i]);
        test_addresses(&rows[i]);
        test_run(&rows[i]);
        test_damage(&rows[i]);
        test_handler(&rows[i]);
        test_graphics(&rows[i]);
        test_dma_data(&rows[i]);
        test_sdma(&rows[i]);
    }
    return done();
}
