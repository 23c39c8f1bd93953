/* Jobs on a card through libdrm_amdgpu, here a virtual one under which this program starts itself
 * anew: what hangs the ring, and that the device works afterwards; what cannot be carried. */
#include "harness/t/lib/job.h"
#include "harness/t/lib/tap_test.h"
#include "harness/vgpu/under.h"
#include "oracle/insn/insn.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

static struct isa isa;
static struct dut *dut;

static void run(struct test_job *t, const char *text)
{
    static u32 code[64];
    struct err e = { .text = "" };
    u32 dw;
    if (insn_parse_program(&isa, text, code, COUNT_OF(code), &dw, &e) != ST_OK)
        bail("%s: %s", text, e.text);
    t->job.code = code;
    t->job.code_dw = dw;
    if (dut_run(dut, &t->job, 1, &e) != ST_OK)
        bail("%s", e.text);
}

/* s5 = 7 and v3 = lanes: known without a model. */
static void works(const char *when)
{
    struct test_job t;
    test_job_init(&t, NULL, 0);
    test_job_get(&t, 5);
    test_job_get(&t, 6);
    test_job_get(&t, GCNCHECK_V0 + 3);
    t.job.poison = 1;
    run(&t, "s_mov_b32 s5, 7\nv_mbcnt_lo_u32_b32 v3, -1, 0\nv_mbcnt_hi_u32_b32 v3, -1, v3\n"
            "s_endpgm\n");
    is_str("done", dut_outcome_name(t.job.outcome), "%s: a job is done", when);
    is_u64(7, test_job_out(&t, 5, 0), "%s: s5", when);
    is_hex(0xa0060000, test_job_out(&t, 6, 0), "%s: s6 as it was", when);
    is_u64(63, test_job_out(&t, GCNCHECK_V0 + 3, 63), "%s: v3 of the last lane", when);
}

static void ends_as(const char *text, const char *outcome, const char *reason)
{
    struct test_job t;
    test_job_init(&t, NULL, 0);
    run(&t, text);
    is_str(outcome, dut_outcome_name(t.job.outcome), "%.20s: outcome", text);
    if (!ok(strstr(t.job.reason, reason) != NULL, "%.20s: '%s'", text, reason))
        diag("it said: %s", t.job.reason);
}

/* Many to a submission; the one that never ends is alone in being told so. */
static void test_batch(void)
{
    enum { JOBS = 40, BAD = 23, DW = 8 };
    static struct test_job t[JOBS];
    static struct gcncheck_job jobs[JOBS];
    static u32 code[JOBS][DW];
    struct err e = { .text = "" };
    for (u32 round = 0; round < 2; round++) {
        u32 done = 0, right = 0;
        for (u32 i = 0; i < JOBS; i++) {
            char text[80];
            u32 dw;
            bool is_bad = round && i == BAD;
            snprintf(text, sizeof text,
                     is_bad ? "l: s_branch l\ns_endpgm\n" : "v_add_u32 v%u, %u, v%u\ns_endpgm\n", i,
                     i, i);
            if (insn_parse_program(&isa, text, code[i], DW, &dw, &e) != ST_OK)
                bail("%s", e.text);
            test_job_init(&t[i], code[i], dw);
            test_job_set(&t[i], GCNCHECK_V0 + i, 1000 * i);
            test_job_get(&t[i], GCNCHECK_V0 + i);
            if (i % 3 == 0) { /* others have memory at the same addresses */
                test_job_add_memory(&t[i]);
                t[i].windows[0].address = 0x20000000;
                t[i].windows[1].address = 0x20001000;
                t[i].bytes[0][0] = (u8)i;
            }
            jobs[i] = t[i].job;
        }
        if (dut_run(dut, jobs, JOBS, &e) != ST_OK)
            bail("%s", e.text);
        for (u32 i = 0; i < JOBS; i++) {
            done += jobs[i].outcome == OUT_DONE;
            right += jobs[i].outcome == OUT_DONE &&
                     test_job_out(&t[i], GCNCHECK_V0 + i, 5) == 1001 * i &&
                     t[i].bytes[0][0] == (i % 3 ? 0 : i);
        }
        is_u64(JOBS - round, done, "round %u: jobs that are done", round);
        is_u64(JOBS - round, right, "round %u: jobs that are right", round);
        if (round)
            is_str("fault", dut_outcome_name(jobs[BAD].outcome), "the one that never ends");
    }
}

static void test_safe(void)
{
    ends_as("l: s_branch l\ns_endpgm\n", "unsupported", "does not end on the model");
    ends_as("s_sethalt 1\ns_endpgm\n", "unsupported", "s_sethalt: halts");
    ends_as("s_sendmsg 1\ns_endpgm\n", "unsupported", "s_sendmsg: sends a message");
    ends_as("s_setreg_imm32_b32 hwreg(HW_REG_STATUS), 0\ns_endpgm\n", "unsupported",
            "writes more than MODE and TRAPSTS");
    ends_as(
        "v_mov_b32 v1, 0\nv_readfirstlane_b32 s4, v1\nglobal_load_dword v0, v1, s[4:5]\ns_endpgm\n",
        "unsupported", "unsafe: hazard");
    ends_as("s_mov_b32 s4, 0x1000\ns_mov_b32 s5, 1\ns_load_dword s6, s[4:5], 0x0\n"
            "s_waitcnt lgkmcnt(0)\ns_endpgm\n",
            "unsupported", "reaches outside its memory");
    ends_as(
        "s_mov_b32 s4, 4\nl: s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 l\ns_endpgm\n",
        "done", "");
}

static void test_memory(void)
{
    struct test_job t;
    test_job_init(&t, NULL, 0);
    test_job_add_memory(&t);
    t.windows[0].address = 0x1000;
    run(&t, "s_endpgm\n");
    is_str("unsupported", dut_outcome_name(t.job.outcome), "memory below what can be mapped");
    t.windows[0].address = 0x12345678900;
    t.windows[1].address = 0x12345678980; /* of the same page */
    t.bytes[0][4] = 0x11;
    t.lds[63] = 0x77;
    test_job_set(&t, 2, 0x45678900);
    test_job_set(&t, 3, 0x123);
    run(&t, "v_mov_b32 v0, 0\nglobal_load_ubyte v1, v0, s[2:3] offset:4\ns_waitcnt vmcnt(0)\n"
            "v_add_u32 v1, 1, v1\nglobal_store_byte v0, v1, s[2:3] offset:130\n"
            "v_mov_b32 v2, 8\nds_write_b8 v2, v1\ns_waitcnt lgkmcnt(0)\ns_endpgm\n");
    is_str("done", dut_outcome_name(t.job.outcome), "two windows of one page");
    is_hex(0x12, t.bytes[1][2], "written in the second");
    is_hex(0x11, t.bytes[0][4], "the first as it was");
    is_hex(0x12, t.lds[8], "LDS is written");
    is_hex(0x77, t.lds[63], "the rest of it is there");
}

/* How many registers an image's address has says its descriptor (a 2D image, and the instruction's da: v60
 * to v63, of which the last is the level): the wrapper must be in none of them. v14 and v30 are what it would
 * rather have. */
static void test_image_address(void)
{
    static const u32 image[] = { 0xd00cacb3, 0x10400000, 0x4000, 0x90000004,
                                 0x4000,     0x10000000, 0,      0 };
    struct test_job t;
    test_job_init(&t, NULL, 0);
    for (u32 i = 0; i < COUNT_OF(image); i++)
        test_job_set(&t, 76 + i, image[i]);
    test_job_set(&t, GCNCHECK_V0 + 60, ~0u); /* beyond its width: nothing is read from memory */
    test_job_get(&t, GCNCHECK_V0 + 22);
    run(&t,
        "v_mov_b32 v14, 1\nv_mov_b32 v30, 1\nimage_load_mip v22, v[60:63], s[76:83] dmask:0x1 da\n"
        "s_waitcnt vmcnt(0)\ns_endpgm\n");
    is_str("done", dut_outcome_name(t.job.outcome), "an image whose address has four registers");
    is_hex(0, test_job_out(&t, GCNCHECK_V0 + 22, 63), "beyond its width it is zero");
}

int main(int argc, char **argv)
{
    struct vgpu_under u = { .chip = "gfx900" };
    struct dut_cfg cfg = { .mcpu = "gfx900" };
    struct err e = { .text = "" };
    char path[VGPU_PATH];
    (void)argc;
#ifdef __SANITIZE_ADDRESS__
    if (!getenv("LD_PRELOAD"))
        skip_all("the sanitizers' library must come first: LD_PRELOAD=libasan.so");
#endif
    if (!vgpu_under_library("gcncheck-vgpu", path))
        skip_all("gcncheck-vgpu.so has not been built");
    if (!vgpu_under_is(&u))
        bail("%s", (vgpu_under_exec(&u, "/proc/self/exe", argv, &e), e.text));
    if (isa_open(&isa, "gfx900", &e) != ST_OK || dut_open("drm", &cfg, &dut, &e) != ST_OK)
        bail("%s", e.text);
    works("at first");
    test_safe();
    works("in the safe tier");
    dut_close(dut);
    if (setenv("GCNCHECK_DRM_UNSAFE", "1", 1) != 0 || dut_open("drm", &cfg, &dut, &e) != ST_OK)
        bail("%s", e.text);
    ends_as("l: s_branch l\ns_endpgm\n", "fault", "the ring hung");
    works("behind an endless loop");
    ends_as("s_sethalt 1\ns_endpgm\n", "fault", "the ring hung");
    works("behind a wave that halts");
    ends_as("s_getpc_b64 s[0:1]\ns_endpgm\n", "unsupported", "s_getpc_b64: depends on where");
    ends_as("s_setvskip 0, 0\ns_endpgm\n", "unsupported", "s_setvskip: may leave VSKIP");
    ends_as("s_endpgm_saved\n", "unsupported", "s_endpgm_saved: ends in a way of its own");
    test_memory();
    test_image_address();
    test_batch();
    works("at last");
    dut_close(dut);
    return done();
}
