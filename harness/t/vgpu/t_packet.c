/* Packets that drivers use and our own path does not: COPY_DATA, and addresses of the upper range, with
 * their sign or without. */
#include "harness/t/vgpu/gpu.h"

#include <errno.h>

enum { FROM = 0x100, TO = 0x200, MISSING = 0x7000000 };

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

static void start(const char *chip)
{
    gpu_open(chip);
    memset(gpu.at[1], 0, 65536);
    memset(gpu.at[2], 0, 65536);
}

static int run(const u32 *dw, u32 count)
{
    memcpy(gpu.at[2], dw, count * sizeof *dw);
    return gpu_run(count);
}

/* ---- COPY_DATA ---- */

/* The first dword: what is read and written, and whether it has 64 bits. */
enum {
    OF_REGISTER = 0,
    OF_MEMORY = 1,
    OF_L2 = 2,
    OF_VALUE = 5,
    OF_CLOCK = 9,
    TO_REGISTER = 0,
    TO_MEMORY = 1 << 8,
    TO_L2 = 2 << 8,
    TO_MEMORY_ASYNC = 5 << 8,
    WIDE = 1 << 16,
    CONFIRM = 1 << 20
};

static const struct copy {
    u32 control, source[2], to;
    u32 got[2]; /* what stands there then */
    const char *why;
} copies[] = {
    { OF_MEMORY | TO_MEMORY, { DATA_VA + FROM, 0 }, DATA_VA + TO, { 0x11111111, 0 }, "" },
    { OF_L2 | TO_L2 | WIDE | CONFIRM,
      { DATA_VA + FROM, 0 },
      DATA_VA + TO,
      { 0x11111111, 0x22222222 },
      "" },
    { OF_MEMORY | TO_MEMORY, { DATA_VA + FROM + 4, 0 }, DATA_VA + TO + 4, { 0, 0x22222222 }, "" },
    { OF_VALUE | TO_MEMORY_ASYNC, { 5, 6 }, DATA_VA + TO, { 5, 0 }, "" },
    { OF_VALUE | TO_L2 | WIDE, { 5, 6 }, DATA_VA + TO, { 5, 6 }, "" },
    { OF_REGISTER | TO_MEMORY,
      { 0, 0 },
      DATA_VA + TO,
      { 0 },
      "only memory, values and the clock are implemented" },
    { OF_VALUE | TO_REGISTER,
      { 5, 0 },
      DATA_VA + TO,
      { 0 },
      "only memory, values and the clock are implemented" },
    { OF_MEMORY | TO_MEMORY | WIDE,
      { DATA_VA + FROM + 4, 0 },
      DATA_VA + TO,
      { 0 },
      "COPY_DATA cannot read" },
    { OF_VALUE | TO_MEMORY | WIDE, { 5, 6 }, DATA_VA + TO + 4, { 0 }, "COPY_DATA cannot write" },
    { OF_VALUE | TO_MEMORY, { 5, 0 }, DATA_VA + TO + 2, { 0 }, "COPY_DATA cannot write" },
    { OF_MEMORY | TO_MEMORY,
      { MISSING, 0 },
      DATA_VA + TO,
      { 0 },
      "0x7000000 (4 bytes) is not map" },
    { OF_MEMORY | TO_MEMORY | WIDE,
      { DATA_VA + FROM, 0 },
      MISSING,
      { 0 },
      "0x7000000 (8 bytes) is not mapped" },
    { OF_VALUE | TO_MEMORY, { 5, 0 }, CODE_VA, { 0 }, "mapped, but not for writing" },
    { OF_VALUE | TO_MEMORY | 1 << 12,
      { 5, 0 },
      DATA_VA + TO,
      { 0 },
      "COPY_DATA: control = 0x00001105 has reserved bits 0x00001000" },
};

static void test_copy(const char *chip)
{
    for (u32 i = 0; i < COUNT_OF(copies); i++) {
        const struct copy *c = &copies[i];
        const u32 dw[] = { PM4_HEADER(PM4_COPY_DATA, 5) | PM4_COMPUTE,
                           c->control,
                           c->source[0],
                           c->source[1],
                           c->to,
                           0 };
        start(chip);
        data()[FROM / 4] = 0x11111111;
        data()[FROM / 4 + 1] = 0x22222222;
        is_i64(c->why[0] ? -ECANCELED : 0, run(dw, COUNT_OF(dw)), "%s: COPY_DATA %u", chip, i);
        is_hex(c->got[0], data()[TO / 4], "%s: COPY_DATA %u, the lower half", chip, i);
        is_hex(c->got[1], data()[TO / 4 + 1], "%s: COPY_DATA %u, the upper one", chip, i);
        complained(c->why, chip);
        gpu_close();
    }
}

/* The card's own clock goes on. */
static void test_clock(void)
{
    const u32 control = OF_CLOCK | TO_MEMORY | WIDE;
    const u32 dw[] = { PM4_HEADER(PM4_COPY_DATA, 5), control, 0, 0, DATA_VA + TO,     0,
                       PM4_HEADER(PM4_COPY_DATA, 5), control, 0, 0, DATA_VA + TO + 8, 0 };
    u64 first, second;
    start("vega10");
    is_i64(0, run(dw, COUNT_OF(dw)), "the time, twice");
    usleep(1000);
    memcpy(&first, gpu.at[1] + TO, sizeof first);
    memcpy(&second, gpu.at[1] + TO + 8, sizeof second);
    ok(first && first <= second, "does not run backwards: %llu, %llu", (unsigned long long)first,
       (unsigned long long)second);
    is_i64(0, run(dw, COUNT_OF(dw)), "and later");
    memcpy(&first, gpu.at[1] + TO, sizeof first);
    ok(first > second, "it is later");
    gpu_close();
}

/* ---- addresses of the upper range ---- */

/* Where data, packets and code are mapped once more. */
#define HIGH 0xffff800100000000ull
enum { HIGH_IB = 0x100000, HIGH_CODE = 0x200000 };

enum {
    DST_MEMORY = 5 << 8, /* WRITE_DATA */
    IS_EQUAL = 3,        /* WAIT_REG_MEM */
    IN_MEMORY = 1 << 4,
    VALID = 1 << 23 /* INDIRECT_BUFFER */
};

/* Packets with the upper half of an address; what each does is that 77 stands at TO. `at`: the dword
 * that has it. */
static const struct high {
    const char *name;
    u32 at, dw[10];
    bool takes_any; /* other bits there are not looked at */
} highs[] = {
    { "WRITE_DATA", 3, { PM4_HEADER(PM4_WRITE_DATA, 4), DST_MEMORY, TO, 0, 77 }, false },
    { "RELEASE_MEM",
      4,
      { PM4_HEADER(PM4_RELEASE_MEM, 7) | PM4_COMPUTE, 0x14 | 5 << 8 | 1 << 15 | 1 << 17, 1 << 29,
        TO, 0, 77, 0, 0 },
      false },
    { "COPY_DATA", 5, { PM4_HEADER(PM4_COPY_DATA, 5), OF_VALUE | TO_MEMORY, 77, 0, TO, 0 }, false },
    { "COPY_DATA's source",
      3,
      { PM4_HEADER(PM4_COPY_DATA, 5), OF_MEMORY | TO_MEMORY, FROM, 0, DATA_VA + TO, 0 },
      true },
    { "DMA_DATA's source",
      3,
      { PM4_HEADER(PM4_DMA_DATA, 6), 3u << 29 | 3u << 20, FROM, 0, DATA_VA + TO, 0, 4 },
      true },
    { "DMA_DATA",
      5,
      { PM4_HEADER(PM4_DMA_DATA, 6), 3u << 29 | 3u << 20, DATA_VA + FROM, 0, TO, 0, 4 },
      true },
    { "INDIRECT_BUFFER",
      2,
      { PM4_HEADER(PM4_INDIRECT_BUFFER, 3), HIGH_IB + 0x1000, 0, VALID | 5 },
      false },
    { "SET_BASE", 3, { PM4_HEADER(PM4_SET_BASE, 3), 1, TO, 0 }, false },
};

static void map_high(void)
{
    static const u64 at[] = { HIGH + HIGH_CODE, HIGH, HIGH + HIGH_IB };
    static const u32 flags[] = { GPU_RX, GPU_RW, AMDGPU_VM_PAGE_READABLE };
    for (u32 i = 0; i < COUNT_OF(at); i++)
        gpu_must(gpu_va(AMDGPU_VA_OP_MAP, gpu.handle[i], at[i], 0, 65536, flags[i]), "GEM_VA");
}

static void test_high(const struct high *h)
{
    static const struct {
        u32 upper, wrong;
    } rows[] = {
        { 0xffff8001, 0 }, { 0x00008001, 0 }, { 0x00ff8001, 0x00ff0000 }, { 0xfffe8001, 0xfffe0000 }
    };
    const u32 called[] = { PM4_HEADER(PM4_WRITE_DATA, 4), DST_MEMORY, DATA_VA + TO, 0, 77 };
    bool has_effect = h->dw[0] != PM4_HEADER(PM4_SET_BASE, 3);
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        u32 dw[COUNT_OF(h->dw)];
        char why[80] = "";
        bool is_wrong = rows[i].wrong && !h->takes_any;
        memcpy(dw, h->dw, sizeof dw);
        dw[h->at] = rows[i].upper;
        if (is_wrong)
            snprintf(why, sizeof why, "address_hi = 0x%08x has reserved bits 0x%08x", rows[i].upper,
                     rows[i].wrong);
        start("vega10");
        map_high();
        data()[FROM / 4] = 77;
        memcpy(gpu.at[2] + 0x1000, called, sizeof called);
        is_i64(is_wrong ? -ECANCELED : 0, run(dw, bits32(dw[0], 16, 14) + 2), "%s at 0x%08x...",
               h->name, rows[i].upper);
        is_u64(is_wrong || !has_effect ? 0 : 77, data()[TO / 4], "%s: its effect", h->name);
        complained(why, h->name);
        gpu_close();
    }
}

/* It waits where the value does not stand in the lower range. */
static void test_wait(void)
{
    u32 dw[] = {
        PM4_HEADER(PM4_WAIT_REG_MEM, 6), IS_EQUAL | IN_MEMORY, FROM, 0xffff8001, 77, ~0u, 4
    };
    start("vega10");
    map_high();
    data()[FROM / 4] = 77;
    is_i64(0, run(dw, COUNT_OF(dw)), "WAIT_REG_MEM in the upper range");
    data()[FROM / 4] = 78;
    is_i64(-ECANCELED, run(dw, COUNT_OF(dw)), "it waits");
    complained("what is waited for at 0xffff800100000100 has not come", "it");
    gpu_close();
}

/* A program there, whose address registers have 48 bits of, that tells where it is. */
static void test_program(void)
{
    const u64 pgm = HIGH + HIGH_CODE;
    const u32 dw[] = { PM4_HEADER(PM4_SET_SH_REG, 4) | PM4_COMPUTE,
                       SH_NUM_THREAD_X,
                       64,
                       1,
                       1,
                       PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                       SH_PGM_LO,
                       (u32)(pgm >> 8),
                       (u32)(pgm >> 40) & 0xff,
                       PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                       SH_PGM_RSRC1,
                       1 | 2 << 6 | 0xc0 << 12,
                       2 << 1,
                       PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                       SH_USER_DATA_0,
                       DATA_VA + TO,
                       0,
                       PM4_HEADER(PM4_DISPATCH_DIRECT, 4) | PM4_COMPUTE,
                       1,
                       1,
                       1,
                       5 };
    start("vega10");
    map_high();
    gpu_code("vega10", "s_getpc_b64 s[4:5]\nv_mov_b32 v1, 0\nv_mov_b32 v2, s4\nv_mov_b32 v3, s5\n"
                       "global_store_dwordx2 v1, v[2:3], s[0:1]\ns_waitcnt vmcnt(0)\ns_endpgm\n");
    is_i64(0, run(dw, COUNT_OF(dw)), "a program in the upper range");
    is_hex((u32)pgm + 4, data()[TO / 4], "knows where it is");
    is_hex((u32)(pgm >> 32), data()[TO / 4 + 1], "with the address's sign");
    complained("", "it");
    gpu_close();
}

int main(void)
{
    test_copy("vega10");
    test_copy("polaris10");
    test_copy("hawaii");
    test_clock();
    for (u32 i = 0; i < COUNT_OF(highs); i++)
        test_high(&highs[i]);
    test_wait();
    test_program();
    return done();
}
