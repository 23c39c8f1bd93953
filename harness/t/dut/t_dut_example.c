/* The example devices of harness/sdk, in C (plug-in) and Python (pipe): one row per instruction and
 * form, values from the manual's rule by hand. In every row lane 1 is off and v0 held OLD
 * before. */
#include "harness/t/lib/job.h"
#include "harness/t/lib/tap_test.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Places, marked so that the zero at the end of a list is none. */
#define S(n) ((n) | MARK)
#define V(n) ((256 + (n)) | MARK)
enum {
    MARK = 0x8000,
    VCC = GCNCHECK_VCC_LO | MARK,
    VCC_HI = GCNCHECK_VCC_HI | MARK,
    EXEC = GCNCHECK_EXEC_LO | MARK,
    SCC = GCNCHECK_SCC | MARK,
    OLD = 0x77777777
};

static const u32 endpgm = 0xbf810000;

struct row {
    const char *text;
    u32 code[6], code_dw; /* without the s_endpgm */
    struct {
        u32 place, value;
    } in[5], want[4];
    bool in_pipe; /* the Python example has it too */
};

static const struct row rows[] = {
    { "s_mov_b32 s0, 0x12345678",
      { 0xbe8000ff, 0x12345678 },
      2,
      { { 0, 0 } },
      { { S(0), 0x12345678 } },
      true },
    { "s_mov_b32 s1, -16", { 0xbe8100d0 }, 1, { { 0, 0 } }, { { S(1), 0xfffffff0 } }, true },
    { "s_mov_b32 s2, 64", { 0xbe8200c0 }, 1, { { 0, 0 } }, { { S(2), 64 } }, true },
    { "s_mov_b32 s3, 0.5", { 0xbe8300f0 }, 1, { { 0, 0 } }, { { S(3), 0x3f000000 } }, true },
    { "s_mov_b64 s[4:5], -1",
      { 0xbe8401c1 },
      1,
      { { 0, 0 } },
      { { S(4), 0xffffffff }, { S(5), 0xffffffff } },
      false },
    { "s_mov_b64 s[6:7], exec",
      { 0xbe86017e },
      1,
      { { 0, 0 } },
      { { S(6), 0xfffffffd }, { S(7), 0xffffffff } },
      false },
    { "s_add_u32 s0, s1, s2",
      { 0x80000201 },
      1,
      { { S(1), 0xffffffff }, { S(2), 1 } },
      { { S(0), 0 }, { SCC, 1 } },
      true },
    { "s_add_u32 s0, s1, s2: no carry",
      { 0x80000201 },
      1,
      { { S(1), 0x7fffffff }, { S(2), 1 }, { SCC, 1 } },
      { { S(0), 0x80000000 }, { SCC, 0 } },
      true },
    { "s_add_u32 s0, 0x80000000, s2",
      { 0x800002ff, 0x80000000 },
      2,
      { { S(2), 0x80000001 } },
      { { S(0), 1 }, { SCC, 1 } },
      true },
    { "s_and_b64 s[0:1], s[2:3], vcc",
      { 0x86806a02 },
      1,
      { { S(2), 0xff00ff00 }, { S(3), 0x0f }, { VCC, 0xf0f0f0f0 }, { VCC_HI, 0xf1 } },
      { { S(0), 0xf000f000 }, { S(1), 1 }, { SCC, 1 } },
      false },
    { "s_and_b64 exec, exec, s[2:3]: nothing left",
      { 0x86fe027e },
      1,
      { { S(2), 2 }, { SCC, 1 } },
      { { EXEC, 0 }, { SCC, 0 } },
      false },
    { "s_cmp_eq_u32 s0, s1",
      { 0xbf060100 },
      1,
      { { S(0), 5 }, { S(1), 5 } },
      { { SCC, 1 } },
      false },
    { "s_cmp_eq_u32 s0, 0x11223344",
      { 0xbf06ff00, 0x11223344 },
      2,
      { { S(0), 5 }, { SCC, 1 } },
      { { SCC, 0 } },
      false },
    { "s_cbranch_scc1 1, taken; s_mov_b32 s2, 64; s_mov_b32 s1, -16",
      { 0xbf850001, 0xbe8200c0, 0xbe8100d0 },
      3,
      { { SCC, 1 }, { S(2), 9 } },
      { { S(2), 9 }, { S(1), 0xfffffff0 } },
      false },
    { "s_cbranch_scc1 1, not taken; s_mov_b32 s2, 64",
      { 0xbf850001, 0xbe8200c0, 0xbf800000 },
      3,
      { { S(2), 9 } },
      { { S(2), 64 } },
      false },
    { "s_branch 1; s_mov_b32 s2, 64; s_nop 0; s_waitcnt 0",
      { 0xbf820001, 0xbe8200c0, 0xbf800000, 0xbf8c0000 },
      4,
      { { S(2), 9 } },
      { { S(2), 9 } },
      false },
    { "v_mov_b32 v0, 0xcafe", { 0x7e0002ff, 0xcafe }, 2, { { 0, 0 } }, { { V(0), 0xcafe } }, true },
    { "v_mov_b32_e64 v0, s3", { 0xd1410000, 3 }, 2, { { S(3), 44 } }, { { V(0), 44 } }, false },
    { "v_add_u32 v0, s1, v2",
      { 0x68000401 },
      1,
      { { S(1), 0xffffffff }, { V(2), 3 }, { VCC, 8 } },
      { { V(0), 2 }, { VCC, 8 } },
      true },
    { "v_add_u32_e64 v0, v1, v2 clamp",
      { 0xd1348000, 0x00020501 },
      2,
      { { V(1), 0xffffffff }, { V(2), 3 } },
      { { V(0), 0xffffffff } },
      false },
    { "v_sub_u32 v0, v1, v2",
      { 0x6a000501 },
      1,
      { { V(1), 3 }, { V(2), 5 } },
      { { V(0), 0xfffffffe } },
      false },
    { "v_sub_u32_e64 v0, v1, v2 clamp",
      { 0xd1358000, 0x00020501 },
      2,
      { { V(1), 3 }, { V(2), 5 } },
      { { V(0), 0 } },
      false },
    { "v_add_co_u32 v0, vcc, v1, v2",
      { 0x32000501 },
      1,
      { { V(1), 0xffffffff }, { V(2), 2 }, { VCC, 2 } },
      { { V(0), 1 }, { VCC, 0xfffffffd }, { VCC_HI, 0xffffffff } },
      false },
    { "v_add_co_u32_e64 v0, s[4:5], v1, v2: no carry",
      { 0xd1190400, 0x00020501 },
      2,
      { { V(1), 1 }, { V(2), 2 }, { S(4), 7 }, { S(5), 7 }, { VCC, 9 } },
      { { V(0), 3 }, { S(4), 0 }, { S(5), 0 }, { VCC, 9 } },
      false },
    { "v_add_co_u32_e64 v0, s[4:5], v1, v2 clamp",
      { 0xd1198400, 0x00020501 },
      2,
      { { V(1), 0xfffffff0 }, { V(2), 0x20 } },
      { { V(0), 0xffffffff }, { S(4), 0xfffffffd }, { S(5), 0xffffffff } },
      false },
    { "v_and_b32 v0, v1, v2",
      { 0x26000501 },
      1,
      { { V(1), 0xff00ff00 }, { V(2), 0x0ff00ff0 } },
      { { V(0), 0x0f000f00 } },
      true },
    { "v_xor_b32 v0, 0xff00ff00, v2",
      { 0x2a0004ff, 0xff00ff00 },
      2,
      { { V(2), 0x0ff00ff0 } },
      { { V(0), 0xf0f0f0f0 } },
      true },
    { "v_lshlrev_b32 v0, v1, v2: count modulo 32",
      { 0x24000501 },
      1,
      { { V(1), 36 }, { V(2), 3 } },
      { { V(0), 48 } },
      false },
    { "v_bfe_u32 v0, v1, v2, v3",
      { 0xd1c80000, 0x040e0501 },
      2,
      { { V(1), 0xdeadbeef }, { V(2), 8 }, { V(3), 12 } },
      { { V(0), 0xdbe } },
      false },
    { "v_bfe_u32: width 0",
      { 0xd1c80000, 0x040e0501 },
      2,
      { { V(1), 0xdeadbeef }, { V(2), 8 }, { V(3), 32 } },
      { { V(0), 0 } },
      false },
    { "v_bfe_u32: past bit 31",
      { 0xd1c80000, 0x040e0501 },
      2,
      { { V(1), 0xdeadbeef }, { V(2), 20 }, { V(3), 20 } },
      { { V(0), 0xdea } },
      false },
    { "v_cmp_lt_u32 vcc, v1, v2: unsigned",
      { 0x7d920501 },
      1,
      { { V(1), 1 }, { V(2), 0x80000000 }, { VCC, 2 } },
      { { VCC, 0xfffffffd }, { VCC_HI, 0xffffffff }, { V(0), OLD } },
      false },
    { "v_cmp_lt_u32_e64 s[6:7], v1, s1: equal",
      { 0xd0c90006, 0x00000301 },
      2,
      { { V(1), 5 }, { S(1), 5 }, { S(6), ~0u }, { S(7), ~0u } },
      { { S(6), 0 }, { S(7), 0 } },
      false },
    { "v_cndmask_b32 v0, v1, v2, vcc: all set",
      { 0x00000501 },
      1,
      { { V(1), 5 }, { V(2), 6 }, { VCC, ~0u }, { VCC_HI, ~0u } },
      { { V(0), 6 } },
      false },
    { "v_cndmask_b32_e64 v0, v1, v2, s[6:7]: none set",
      { 0xd1000000, 0x001a0501 },
      2,
      { { V(1), 5 }, { V(2), 6 }, { VCC, ~0u }, { S(6), 0 }, { S(7), 0 } },
      { { V(0), 5 } },
      false },
    { "v_mul_lo_u32 v0, v1, v2",
      { 0xd2850000, 0x00020501 },
      2,
      { { V(1), 0x10001 }, { V(2), 0x10001 } },
      { { V(0), 0x20001 } },
      false },
    { "v_mov_b32_sdwa v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1",
      { 0x7e0002f9, 0x00051101 },
      2,
      { { V(1), 0xabcd0000 } },
      { { V(0), 0x7777cd77 } },
      false },
    { "v_mov_b32_sdwa v0, sext(v1) src0_sel:BYTE_2",
      { 0x7e0002f9, 0x000a0601 },
      2,
      { { V(1), 0x00800000 } },
      { { V(0), 0xffffff80 } },
      false },
    { "v_add_u32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_3 "
      "src1_sel:WORD_1",
      { 0x680004f9, 0x05030d01 },
      2,
      { { V(1), 0x90000000 }, { V(2), 0x80010000 } },
      { { V(0), 0x80910000 } },
      false },
    { "v_mov_b32_dpp v0, v1 quad_perm:[0,0,2,3] row_mask:0xf bank_mask:0xf",
      { 0x7e0002fa, 0xff00e001 },
      2,
      { { V(1), 0x1234 } },
      { { V(0), 0x1234 } },
      false },
    { "v_mov_b32_dpp v0, v1 quad_perm:[0,0,2,3] row_mask:0x0 bank_mask:0xf",
      { 0x7e0002fa, 0x0f00e001 },
      2,
      { { V(1), 0x1234 } },
      { { V(0), OLD } },
      false },
    { "v_cmp_class_f32_e64 s[6:7], -|v1|, v2: -0 of -0",
      { 0xd0100106, 0x20020501 },
      2,
      { { V(1), 0x80000000 }, { V(2), 0x20 } },
      { { S(6), 0xfffffffd }, { S(7), ~0u } },
      false },
    { "v_cndmask_b32_e64 v0, -|v1|, v2, s[6:7]: none set",
      { 0xd1000100, 0x201a0501 },
      2,
      { { V(1), 0x12345678 }, { V(2), 6 }, { S(6), 0 }, { S(7), 0 } },
      { { V(0), 0x92345678 } },
      false },
    { "global_load_dword v0, v[2:3], off: where no memory is",
      { 0xdc508000, 0x007f0002 },
      2,
      { { V(2), 0x1000 }, { V(3), 0 } },
      { { V(0), 0 } },
      false },
};

/* `detail` is said only if it does not hold. */
static void check(bool good, const char *what, const char *detail)
{
    if (!ok(good, "%s", what))
        diag("%s", detail);
}

/* Builds the row's job: everything in `in`, v0 = OLD, lane 1 off; reads back what is wanted. */
static void build(struct test_job *t, const struct row *r, u32 *code)
{
    memcpy(code, r->code, sizeof r->code);
    code[r->code_dw] = endpgm;
    test_job_init(t, code, r->code_dw + 1);
    t->values[0] = 0xfffffffd; /* exec_lo is the first of the set values */
    test_job_set(t, GCNCHECK_V0, OLD);
    for (size_t i = 0; i < COUNT_OF(r->in) && r->in[i].place; i++)
        test_job_set(t, r->in[i].place & ~(u32)MARK, r->in[i].value);
    for (size_t i = 0; i < COUNT_OF(r->want) && r->want[i].place; i++)
        test_job_get(t, r->want[i].place & ~(u32)MARK);
}

/* Whether the answer is the row's; else detail says how it is not. */
static bool judge(const struct test_job *t, const struct row *r, char *detail, size_t size)
{
    struct text x;
    text_init(&x, detail, size);
    if (t->job.outcome != OUT_DONE) {
        text_add(&x, "%s, %s", dut_outcome_name(t->job.outcome), t->job.reason);
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(r->want) && r->want[i].place; i++) {
        u32 place = r->want[i].place & ~(u32)MARK;
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(place); lane++) {
            u32 want = lane == 1 && place == GCNCHECK_V0 ? (u32)OLD : r->want[i].value;
            u32 got = test_job_out(t, place, lane);
            if (got == want)
                continue;
            text_add(&x, "place %u lane %u want 0x%08x got 0x%08x", place, lane, want, got);
            return false;
        }
    }
    return true;
}

static void run_rows(struct dut *d, bool pipe)
{
    static struct test_job jobs[COUNT_OF(rows)];
    static u32 code[COUNT_OF(rows)][6];
    struct gcncheck_job array[COUNT_OF(rows)];
    struct err e = { .text = "" };
    char name[160], detail[200];
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        build(&jobs[i], &rows[i], code[i]);
        array[i] = jobs[i].job;
    }
    check(dut_run(d, array, COUNT_OF(rows), &e) == ST_OK, "all jobs are answered", e.text);
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        jobs[i].job = array[i];
        if (pipe && !rows[i].in_pipe)
            continue;
        bool good = judge(&jobs[i], &rows[i], detail, sizeof detail);
        snprintf(name, sizeof name, "%s: %s", d->name, rows[i].text);
        check(good, name, detail);
    }
}

/* One program with an outcome other than done. */
static void run_other(struct dut *d, const char *text, const u32 *code, u32 code_dw, u32 outcome,
                      const char *reason)
{
    static struct test_job t;
    char name[160];
    test_job_init(&t, code, code_dw);
    dut_run(d, &t.job, 1, NULL);
    snprintf(name, sizeof name, "%s: %s is %s", d->name, text, dut_outcome_name(outcome));
    check(t.job.outcome == outcome && strstr(t.job.reason, reason), name, t.job.reason);
}

static void others_of_both(struct dut *d)
{
    static const u32 add[] = { 0x80000201 };
    run_other(d, "a program without s_endpgm", add, 1, OUT_FAULT, "end");
    static const u32 mul[] = { 0x92000201, 0xbf810000 };
    run_other(d, "s_mul_i32 s0, s1, s2", mul, 2, OUT_UNSUPPORTED, "0x92000201");
    static const u32 load[] = { 0xdc500000, 0x007f0002, 0xbf810000 };
    run_other(d, "flat_load_dword v0, v[2:3]", load, 3, OUT_UNSUPPORTED, "0xdc500000");
    u32 nops[101];
    for (u32 i = 0; i < COUNT_OF(nops); i++)
        nops[i] = 0xbf800000;
    run_other(d, "101 s_nop", nops, 101, OUT_LIMIT, "max_steps");
}

static void others_of_c(struct dut *d)
{
    static const u32 sdwa[] = { 0x320004f9, 0x06060601, 0xbf810000 };
    run_other(d, "v_add_co_u32_sdwa v0, vcc, v1, v2", sdwa, 3, OUT_UNSUPPORTED, "SDWA");
    static const u32 dpp[] = { 0x320004fa, 0xff00e401, 0xbf810000 };
    run_other(d, "v_add_co_u32_dpp v0, vcc, v1, v2", dpp, 3, OUT_UNSUPPORTED, "DPP");
    static const u32 add_f32[] = { 0x02000501, 0xbf810000 };
    run_other(d, "v_add_f32 v0, v1, v2", add_f32, 2, OUT_UNSUPPORTED, "0x02000501");
    static const u32 fma[] = { 0xd1cb0000, 0x040e0501, 0xbf810000 };
    run_other(d, "v_fma_f32 v0, v1, v2, v3", fma, 3, OUT_UNSUPPORTED, "0xd1cb0000");
    static const u32 neg[] = { 0xd1410000, 0x20000003, 0xbf810000 };
    run_other(d, "v_mov_b32_e64 v0, -s3", neg, 3, OUT_UNSUPPORTED, "neg");
    static const u32 literal[] = { 0xd1410000, 0x000000ff, 0xbf810000 };
    run_other(d, "v_mov_b32_e64 with a literal", literal, 3, OUT_ILLEGAL, "literal");
    static const u32 loop[] = { 0xbf82ffff };
    run_other(d, "s_branch to itself", loop, 1, OUT_LIMIT, "max_steps");
}

/* Registers that nobody set hold the poison, and every wave has its own registers. */
static void poison_and_waves(struct dut *d)
{
    static const u32 code[] = { 0x68000403, endpgm }; /* v_add_u32 v0, s3, v2 */
    static struct test_job t;
    test_job_init(&t, code, 2);
    t.job.poison = 1;
    t.job.waves = 2;
    t.job.set_count = 0;
    for (u16 wave = 0; wave < 2; wave++) {
        u32 n = t.job.set_count;
        t.set[n] = (struct gcncheck_slot){ wave, 3, n };
        t.values[n] = 0x100 + wave;
        t.set[n + 1] = (struct gcncheck_slot){ wave, GCNCHECK_EXEC_LO, n + 1 };
        t.values[n + 1] = 0x20;
        t.set[n + 2] = (struct gcncheck_slot){ wave, GCNCHECK_EXEC_HI, n + 2 };
        t.job.set_count += 3;
        t.get[2 * wave] = (struct gcncheck_slot){ wave, GCNCHECK_V0, 65 * (u32)wave };
        t.get[2 * wave + 1] = (struct gcncheck_slot){ wave, 7, 65 * (u32)wave + 64 };
    }
    t.job.get_count = 4;
    dut_run(d, &t.job, 1, NULL);
    char detail[120];
    snprintf(detail, sizeof detail, "%s 0x%08x 0x%08x 0x%08x", dut_outcome_name(t.job.outcome),
             t.out[5], t.out[65 + 5], t.out[65 + 6]);
    /* v2 of lane 5 is 0xb0020005; off lane 6 of v0 keeps 0xb0000006. */
    check(t.job.outcome == OUT_DONE && t.out[5] == 0xb0020105 && t.out[65 + 5] == 0xb0020106 &&
              t.out[65 + 6] == 0xb0000006 && t.out[64] == 0xa0070000,
          "two waves start from the poison of seed 1", detail);
}

static struct dut *open_dut(const char *spec)
{
    struct dut_cfg cfg = { .mcpu = "gfx900" };
    struct err e = { .text = "" };
    struct dut *d = NULL;
    check(dut_open(spec, &cfg, &d, &e) == ST_OK && d, "it opens", e.text);
    return d;
}

int main(void)
{
    char exe[PATH_MAX] = "", spec[PATH_MAX + 64];
    if (readlink("/proc/self/exe", exe, sizeof exe - 1) < 0)
        bail("cannot find this program's folder");
    snprintf(spec, sizeof spec, "plugin:%s/example_dut.so", dirname(exe));

    setenv("EXAMPLE_DUT_BUG", "0", 1);
    struct dut *d = open_dut(spec);
    if (d) {
        run_rows(d, false);
        others_of_both(d);
        others_of_c(d);
        poison_and_waves(d);
        check(dut_can(d, GCNCHECK_MODE) == GCNCHECK_NO && dut_can(d, 300) == GCNCHECK_SHOW_SET &&
                  dut_can(d, 110) == GCNCHECK_NO && dut_can(d, 127) == GCNCHECK_SHOW_SET,
              "can() of the plug-in", "");
        dut_close(d);
    }
    setenv("EXAMPLE_DUT_BUG", "1", 1);
    d = open_dut(spec);
    if (d) {
        static struct test_job t;
        u32 code[6];
        static const struct row past = { .code = { 0xd1c80000, 0x040e0501 },
                                         .code_dw = 2,
                                         .in = { { V(1), 0xdeadbeef }, { V(2), 20 }, { V(3), 20 } },
                                         .want = { { V(0), 0xdea } } };
        build(&t, &past, code);
        dut_run(d, &t.job, 1, NULL);
        check(t.job.outcome == OUT_DONE && test_job_out(&t, GCNCHECK_V0, 0) != 0xdea,
              "the planted bug shows in v_bfe_u32 past bit 31", "");
        dut_close(d);
    }
    d = open_dut("pipe:python3 harness/sdk/example_pipe.py");
    if (d) {
        run_rows(d, true);
        others_of_both(d);
        poison_and_waves(d);
        check(dut_can(d, GCNCHECK_MODE) == GCNCHECK_NO && dut_can(d, 300) == GCNCHECK_SHOW_SET,
              "can() of the pipe", "");
        dut_close(d);
    }
    return done();
}
