/* Jobs on a card through libdrm_amdgpu, here a virtual one under which this program starts itself
 * anew: what hangs the ring, and that the device works afterwards; what cannot be carried. */
#include "harness/t/lib/job.h"
#include "harness/t/lib/tap_test.h"
#include "harness/vgpu/under.h"
#include "oracle/insn/insn.h"

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
    ends_as("l: s_branch l\ns_endpgm\n", "fault", "the ring hung");
    works("behind an endless loop");
    ends_as("s_sethalt 1\ns_endpgm\n", "fault", "the ring hung");
    works("behind a wave that halts");
    ends_as("s_getpc_b64 s[0:1]\ns_endpgm\n", "unsupported", "s_getpc_b64: depends on where");
    ends_as("s_setvskip 0, 0\ns_endpgm\n", "unsupported", "s_setvskip: may leave VSKIP");
    ends_as("s_endpgm_saved\n", "unsupported", "s_endpgm_saved: ends in a way of its own");
    test_memory();
    works("at last");
    dut_close(dut);
    return done();
}
