/* Faults on demand that nothing hangs of: bits that flip, a device that is slow; how faults are named. */
#include "harness/t/vgpu/gpu.h"

#include <errno.h>
#include <time.h>

enum { MISSING = 0x7000000 };

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

static void test_parse(void)
{
    struct vgpu_faults f;
    struct err e;
    ok(vgpu_fault_parse("hang=3,ioctl=7:ENOMEM,lose=0x9", &f, &e) != ST_OK, "numbers are decimal");
    ok(vgpu_fault_parse("hang=3,ioctl=7:ENOMEM,lose=9", &f, &e) == ST_OK, "three faults");
    is_u64(3, f.hang, "a hang");
    is_u64(7, f.ioctl, "an ioctl");
    is_i64(ENOMEM, f.error, "its error");
    is_u64(9, f.lose, "a loss");
    is_hex(0, f.flip_at, "no bit flips");
    ok(vgpu_fault_parse("flip=0x100200010:7", &f, &e) == ST_OK, "a bit");
    is_hex(0x100200010, f.flip_at, "of this byte");
    is_u64(7, f.flip_bit, "the highest");
    is_u64(0, f.flip, "before the first submission that has it");
    is_u64(0, f.slow_ms, "nothing is slow");
    ok(vgpu_fault_parse("slow,flip=4096:0:12", &f, &e) == ST_OK, "a bit, and all is slow");
    is_u64(12, f.flip, "before the twelfth");
    ok(!f.is_flip_behind, "and not behind it");
    is_u64(VGPU_SLOW_MS, f.slow_ms, "by a tenth of a second");
    ok(vgpu_fault_parse("flip=4096:0:12+,slow=7", &f, &e) == ST_OK, "behind it");
    ok(f.is_flip_behind && f.flip == 12, "is told apart");
    is_u64(7, f.slow_ms, "slow by less");
    static const char *const bad[] = { "",
                                       "hang",
                                       "hang=0",
                                       "hang=1,",
                                       "ioctl=1",
                                       "ioctl=1:EX",
                                       "ioctl=1:0",
                                       "ioctl=1:5000",
                                       "hang=1 ",
                                       "slow=0",
                                       "slow=",
                                       "slowly",
                                       "slow=4000000",
                                       "flip",
                                       "flip=0x1000",
                                       "flip=0:1",
                                       "flip=0x1000:8",
                                       "flip=0x1000:",
                                       "flip=0x1000:1:0",
                                       "flip=0x1000:1+",
                                       "flip=0x1000:1:2-" };
    for (u32 i = 0; i < COUNT_OF(bad); i++)
        ok(vgpu_fault_parse(bad[i], &f, &e) == ST_INPUT, "'%s' is refused", bad[i]);
}

/* ---- submissions that store 64 ids from DATA_VA on ---- */

static const u32 stores[] = { PM4_HEADER(PM4_ACQUIRE_MEM, 6) | PM4_COMPUTE,
                              0x28c40000,
                              ~0u,
                              0xff,
                              0,
                              0,
                              10,
                              PM4_HEADER(PM4_SET_SH_REG, 4) | PM4_COMPUTE,
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
                              2 << 1,
                              PM4_HEADER(PM4_SET_SH_REG, 3) | PM4_COMPUTE,
                              SH_USER_DATA_0,
                              DATA_VA,
                              0,
                              PM4_HEADER(PM4_DISPATCH_DIRECT, 4) | PM4_COMPUTE,
                              1,
                              1,
                              1,
                              5 };

static void start(const char *fault)
{
    struct err e;
    if (vgpu_fault_parse(fault, &gpu.faults, &e) != ST_OK)
        bail("%s", e.text);
    gpu_open("vega10");
    gpu.faults = (struct vgpu_faults){ 0 };
    gpu_code("vega10", "v_lshlrev_b32 v1, 2, v0\nglobal_store_dword v1, v0, s[0:1]\n"
                       "s_waitcnt vmcnt(0)\ns_endpgm\n");
    memset(gpu.at[1], 0, 65536);
    memcpy(gpu.at[2], stores, sizeof stores);
}

/* Stores once more. The words at DATA_VA + 4, which it writes, and at DATA_VA + 0x400, which it does
 * not, are then as told. */
static void stored(u32 one, u32 beyond, const char *what)
{
    is_i64(0, gpu_run(COUNT_OF(stores)), "%s: a submission", what);
    is_hex(one, data()[1], "%s: what it writes", what);
    is_hex(beyond, data()[0x100], "%s: what it does not", what);
}

static void test_flip(void)
{
    start("flip=0x2000401:3:2");
    stored(1, 0, "before the second");
    stored(1, 0x800, "the second");
    stored(1, 0x800, "the third");
    complained("", "a bit that is there");
    gpu_close();
    start("flip=0x2000004:3:2");
    stored(1, 0, "a bit that is written over");
    stored(1, 0, "in the second");
    gpu_close();
    start("flip=0x2000004:3:2+");
    stored(1, 0, "a bit behind the second");
    stored(9, 0, "when it is there");
    stored(1, 0, "is written again");
    gpu_close();
    start("flip=0x2000400:0");
    stored(1, 1, "the first that has memory there");
    stored(1, 1, "once");
    gpu_close();
    start("flip=0x7000000:0:1");
    stored(1, 0, "an address without memory");
    complained("no bit flips: submission 1 has no memory at 0x7000000", "it");
    gpu_close();
    start("flip=0x1000000:0"); /* v_lshlrev_b32 v1, 2, v0 has 2 in its low bits: 130 */
    stored(0, 0, "a bit of code");
    is_hex(2, data()[2 * 2], "a bit of code: shifted by 3 instead of 2");
    gpu_close();
}

/* Of a ring that is gone, the next context's: the device works. */
static void test_flipped_packet(void)
{
    start("flip=0x3000000:2:1"); /* the first header */
    is_i64(-ECANCELED, gpu_run(COUNT_OF(stores)), "a bit of a packet hangs the ring");
    complained("has reserved bits, or is predicated", "it");
    memcpy(gpu.at[2], stores, sizeof stores);
    gpu.ctx = gpu_context();
    stored(1, 0, "the next context");
    gpu_close();
}

/* ---- slow ---- */

static u64 now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

static int wait_until(u64 seq, u64 deadline, u64 *is_busy)
{
    union drm_amdgpu_wait_cs a = { .in = { .handle = seq,
                                           .timeout = deadline,
                                           .ip_type = AMDGPU_HW_IP_COMPUTE,
                                           .ctx_id = gpu.ctx } };
    int r = gpu_ioctl(DRM_IOCTL_AMDGPU_WAIT_CS, &a);
    *is_busy = a.out.status;
    return r;
}

static int wait_two(u64 first, u64 second, bool all, u64 deadline, union drm_amdgpu_wait_fences *a)
{
    struct drm_amdgpu_fence f[] = {
        { .ctx_id = gpu.ctx, .ip_type = AMDGPU_HW_IP_COMPUTE, .seq_no = first },
        { .ctx_id = gpu.ctx, .ip_type = AMDGPU_HW_IP_COMPUTE, .seq_no = second }
    };
    *a = (union drm_amdgpu_wait_fences){ .in = { .fences = (u64)(uintptr_t)f,
                                                 .fence_count = 2,
                                                 .wait_all = all,
                                                 .timeout_ns = deadline } };
    return gpu_ioctl(DRM_IOCTL_AMDGPU_WAIT_FENCES, a);
}

static void test_slow(void)
{
    enum { SLOW_US = 500000 };
    union drm_amdgpu_wait_fences a;
    u64 first, second, busy, later = now_ns() + 3600000000000u;
    start("slow=500");
    u64 begin = now_ns();
    gpu_must(gpu_submit(AMDGPU_HW_IP_COMPUTE, COUNT_OF(stores), &first), "CS");
    is_i64(0, wait_until(first, 0, &busy), "who asks");
    is_u64(1, busy, "is told that it is not done");
    is_i64(VGPU_BLOCKED, wait_until(first, later, &busy), "who waits waits");
    vgpu_run(gpu.v);
    is_u64(0, data()[63], "nothing is there");
    usleep(SLOW_US);
    is_i64(0, wait_until(first, later, &busy), "later");
    is_u64(0, busy, "it is done");
    ok(now_ns() - begin >= SLOW_US * 1000ull, "not before its time");
    is_u64(63, data()[63], "all is there");
    gpu_must(gpu_submit(AMDGPU_HW_IP_COMPUTE, COUNT_OF(stores), &second), "CS");
    is_i64(0, wait_two(second, first, false, later, &a), "one of two");
    is_u64(1, a.out.first_signaled, "is the one that is done");
    is_i64(VGPU_BLOCKED, wait_two(second, first, true, later, &a), "both are waited for");
    is_i64(0, wait_two(second, first, true, 0, &a), "but not by who only asks");
    is_u64(0, a.out.status, "who is told so");
    complained("", "slow");
    gpu_close(); /* with what is still to come */
}

int main(void)
{
    test_parse();
    test_flip();
    test_flipped_packet();
    test_slow();
    return done();
}
