/* The runner: what is reported when an expectation is wrong, and how answers are judged. For the
 * second, jobs are answered here by hand, so that nothing depends on the model. */
#include "harness/run/plan.h"
#include "harness/t/lib/tap_test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- results of a run ---- */

enum { KEEP = 600 };

struct kept {
    u32 count;
    struct result r[KEEP];
};

static enum status keep(void *ctx, const struct result *r, struct err *e)
{
    struct kept *k = ctx;
    (void)e;
    if (k->count < KEEP)
        k->r[k->count] = *r;
    k->count++;
    return ST_OK;
}

static const struct run_cfg plain = {
    .mcpu = "gfx900", .dut = "model", .fraction = 1, .fraction_of = 1, .shards = 1, .jobs = 1
};

/* Parses a text as x/FOLDER/FILE.case and adds it. */
static enum status add_text(struct run *r, const char *path, const char *text, int line,
                            struct err *e)
{
    struct casefile *f;
    enum status st = casefile_parse(path, text, strlen(text), &f, e);
    return st == ST_OK ? run_add(r, f, line, e) : st;
}

static struct run *open_text(const struct run_cfg *cfg, const char *path, const char *text,
                             int line)
{
    struct run *r;
    struct err e = { 0 };
    if (run_open(&r, cfg, &e) != ST_OK || add_text(r, path, text, line, &e) != ST_OK)
        bail("%s:%d: %s", e.file, e.line, e.text);
    return r;
}

static struct kept *run_text(const struct run_cfg *cfg, const char *path, const char *text,
                             int line)
{
    struct run *r = open_text(cfg, path, text, line);
    struct kept *k = calloc(1, sizeof *k);
    struct err e = { 0 };
    if (!k)
        bail("out of memory");
    u64 announced = run_count(r);
    if (run_all(r, keep, k, &e) != ST_OK)
        bail("%s", e.text);
    is_u64(announced, k->count, "as many results as announced");
    run_close(r);
    return k;
}

static const char wrong[] = "case-format 1\n"
                            "test sum and carry\n"
                            "forms e32 e64\n"
                            "code\n"
                            "    v_add_co_u32 v0, vcc, v1, v2\n"
                            "rows  v1 v2 | v0 vcc\n"
                            "      1  2  | 3  0\n"
                            "      0xffffffff 1 | 1 1\n" /* 0, carry 1 */
                            "      5  6  | 11 1\n"       /* carry 0 */
                            "test state\n"
                            "in s1 = 0x00000001\n"
                            "code\n"
                            "    s_mov_b32 s7, s1\n"
                            "    s_mov_b32 s8, s1\n"
                            "out s7 = {2|3}\n";

static void try_wrong(void)
{
    struct kept *k = run_text(&plain, "x/vop2/v_add_co_u32.case", wrong, 0);
    const struct result *r = k->r;
    is_u64(7, k->count, "three rows in two forms, and a case");
    is_u64(RESULT_OK, r[0].status, "the right row is right");
    is_str("gfx900/vop2/v_add_co_u32/e32#sum-and-carry.1", r[0].id, "its id");
    is_u64(RESULT_NOT_OK, r[1].status, "a wrong value is not ok");
    is_u64(1, r[1].diff_count, "one difference");
    is_str("v0", r[1].diff[0].place, "place");
    is_i64(1, r[1].diff[0].lane, "lane");
    is_str("0x00000001", r[1].diff[0].want, "want");
    is_str("0x00000000", r[1].diff[0].got, "got");
    is_str("v1=0xffffffff v2=0x00000001", r[1].inputs, "inputs of that lane");
    is_str("differs from expected", r[1].model, "the model is asked");
    is_str("gcncheck run x/vop2/v_add_co_u32.case:8 --form e32 --mcpu gfx900 --dut model",
           r[1].again, "replay line");
    is_str("v_add_co_u32_e32 v0, vcc, v1, v2", r[1].insn, "instruction");
    is_hex(0x32000501, r[1].dwords[0], "dwords");
    ok(r[2].status == RESULT_NOT_OK && r[2].diff_count == 1 &&
           strcmp(r[2].diff[0].place, "vcc") == 0 && r[2].diff[0].lane == 2,
       "a wrong bit of vcc, bit 2");
    ok(strcmp(r[2].diff[0].want, "1") == 0 && strcmp(r[2].diff[0].got, "0") == 0, "want 1, got 0");
    is_str("sum and carry, row 3", r[5].title, "title");
    is_str("e64", r[5].form, "second form");
    is_u64(2, r[6].diff_count, "a wrong value and a register that should not change");
    is_str("0x00000002 or 0x00000003", r[6].diff[0].want, "alternatives in words");
    is_str("s8", r[6].diff[1].place, "the register");
    is_str("unchanged (0xa0080000)", r[6].diff[1].want, "should be unchanged");
    is_str("0x00000001", r[6].diff[1].got, "and is not");
    is_str("s_mov_b32 s7, s1\ns_mov_b32 s8, s1", r[6].program, "the program");
    free(k);
}

/* ---- selection and order ---- */

static void try_selection(void)
{
    struct run_cfg cfg = plain;
    struct kept *k = run_text(&cfg, "x/vop2/v_add_co_u32.case", wrong, 8);
    ok(k->count == 2 && k->r[0].line == 8 &&
           strcmp(k->r[1].id, "gfx900/vop2/v_add_co_u32/e64#sum-and-carry.2") == 0,
       "FILE:LINE of a row, in both forms");
    ok(k->r[0].diff_count == 1 && k->r[0].diff[0].lane == 1, "it keeps its lane");
    free(k);
    k = run_text(&cfg, "x/vop2/v_add_co_u32.case", wrong, 5);
    is_u64(6, k->count, "a line of a test's code selects the test");
    free(k);
    cfg.form = "e64";
    k = run_text(&cfg, "x/vop2/v_add_co_u32.case", wrong, 0);
    is_u64(3, k->count, "one form");
    free(k);
    struct err e = { 0 };
    struct run *r;
    if (run_open(&r, &plain, &e) != ST_OK)
        bail("%s", e.text);
    is_u64(ST_INPUT, add_text(r, "x/vop2/v_add_co_u32.case", wrong, 1, &e),
           "nothing stands at line 1");
    run_close(r);
}

/* A table of many rows and tests. */
static char *many(void)
{
    static char buf[1 << 17];
    struct text t;
    text_init(&t, buf, sizeof buf);
    text_add(&t, "case-format 1\n");
    for (u32 test = 0; test < 12; test++) {
        text_add(&t,
                 "test number %u\nforms e32 e64\ncode\n  v_add_u32 v0, v1, v2\nrows v1 v2 | v0\n",
                 test);
        for (u32 i = 0; i < 20; i++)
            text_add(&t, "  %u %u | %u\n", i, test, i + test + (i == 13));
    }
    return buf;
}

static void try_order(void)
{
    struct run_cfg cfg = plain;
    struct kept *one = run_text(&cfg, "x/vop2/v_add_u32.case", many(), 0);
    cfg.jobs = 3;
    struct kept *three = run_text(&cfg, "x/vop2/v_add_u32.case", many(), 0);
    is_mem(one, three, sizeof *one, "three threads give the results of one, in its order");
    is_u64(480, one->count, "20 rows, 12 tests, two forms");
    u32 not_ok = 0, sum = 0;
    for (u32 i = 0; i < one->count; i++)
        not_ok += one->r[i].status == RESULT_NOT_OK && one->r[i].diff[0].lane == 13;
    is_u64(24, not_ok, "row 14 of each is wrong");
    cfg.shards = 3;
    bool each_once = true;
    for (cfg.shard = 0; cfg.shard < 3; cfg.shard++) {
        struct kept *part = run_text(&cfg, "x/vop2/v_add_u32.case", many(), 0);
        sum += part->count;
        each_once = each_once && part->count > 0 && part->count < 480;
        free(part);
    }
    ok(sum == 480 && each_once, "three shards are all of it");
    cfg.shards = 1;
    cfg.shard = 0;
    cfg.fraction_of = 4;
    struct kept *some = run_text(&cfg, "x/vop2/v_add_u32.case", many(), 0);
    ok(some->count > 0 && some->count < 480, "a fraction is a part: %u of 480", some->count);
    free(one);
    free(three);
    free(some);
}

/* ---- answers made by hand ---- */

static struct dut hand_dut(void)
{
    struct dut d = { .name = "hand" };
    memset(d.can, GCNCHECK_SHOW_SET, sizeof d.can);
    return d;
}

struct hand {
    struct run *run;
    struct dut dut;
    struct jobbuf *jb;
    struct gcncheck_job *job;
    struct run_scratch *scratch;
    const struct run_unit *u;
    struct result r[LANES];
};

/* Opens the first unit of a text and answers "nothing changed". */
static void hand_open(struct hand *h, const char *path, const char *text)
{
    *h = (struct hand){ .dut = hand_dut(), .jb = jobbuf_new(), .scratch = run_scratch_new() };
    h->run = open_text(&plain, path, text, 0);
    h->u = &h->run->unit[0];
    h->job = run_build(h->u, "gfx900", &h->dut, h->jb);
    for (u32 i = 0; i < h->job->get_count; i++) {
        const struct gcncheck_slot *g = &h->job->get[i];
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(g->place); lane++)
            h->job->out[g->index + lane] = job_initial(h->job, g->wave, g->place, lane);
    }
    h->job->outcome = GCNCHECK_DONE;
}

static void hand_close(struct hand *h)
{
    run_scratch_free(h->scratch);
    jobbuf_free(h->jb);
    run_close(h->run);
}

static u32 *out(struct hand *h, u32 place)
{
    for (u32 i = 0; i < h->job->get_count; i++)
        if (h->job->get[i].place == place)
            return h->job->out + h->job->get[i].index;
    bail("place %u is not read back", place);
}

/* Differences of all rows. */
static u32 judge(struct hand *h)
{
    u32 n = 0;
    for (u32 i = 0; i < LANES; i++)
        result_init(&h->r[i]);
    run_compare(h->scratch, h->u, h->job, h->r, NULL);
    for (u32 i = 0; i < LANES; i++)
        n += h->r[i].diff_count;
    return n;
}

static const char lanes[] = "case-format 1\n"
                            "test t\n"
                            "in s10 = 77\n"
                            "code\n"
                            "    v_add_co_u32 v0, vcc, v1, v2\n"
                            "rows  v1 v2 exec | v0 vcc\n"
                            "      1  2  1    | 3  0\n"
                            "      4  4  0    | same 0\n"
                            "      9  1  1    | {10|11} 1\n"
                            "      0x3f800000 0 1 | 1.0f32~2ulp ?\n"
                            "out   m0 = 5\n";

static void hand_right(struct hand *h)
{
    u32 *v0 = out(h, PLACE_V0);
    v0[0] = 3;
    v0[2] = 11;
    v0[3] = 0x3f800002;
    *out(h, CODE_VCC) = 4;
    *out(h, CODE_VCC + 1) = 0;
    *out(h, CODE_M0) = 5;
}

static void try_lanes(void)
{
    struct hand h;
    hand_open(&h, "x/vop2/v_add_co_u32.case", lanes);
    is_hex(13, job_initial(h.job, 0, CODE_EXEC, 0), "EXEC: the rows, without the one that is off");
    is_hex(0, job_initial(h.job, 0, CODE_EXEC + 1, 0), "and no lane without a row");
    is_hex(4, job_initial(h.job, 0, PLACE_V0 + 1, 1), "inputs are set in their lanes");
    is_hex(0xb0010004, job_initial(h.job, 0, PLACE_V0 + 1, 4), "lanes without a row hold poison");
    is_hex(77, job_initial(h.job, 0, 10, 0), "shared inputs are set");
    hand_right(&h);
    is_u64(0, judge(&h), "the right answer, by an alternative and within the tolerance");
    *out(&h, CODE_VCC) = 0xfffffff4;
    is_u64(0, judge(&h), "bits without a row are not compared");
    *out(&h, CODE_VCC) = 6;
    ok(judge(&h) == 1 && h.r[1].diff_count == 1 && h.r[1].diff[0].lane == 1,
       "a bit of a lane that is off");
    *out(&h, CODE_VCC) = 12;
    is_u64(0, judge(&h), "? accepts anything");
    out(&h, PLACE_V0)[2] = 12;
    ok(judge(&h) == 1 && h.r[2].diff_count == 1, "none of the alternatives");
    is_str("0x0000000a or 0x0000000b", h.r[2].diff[0].want, "both are named");
    hand_right(&h);
    out(&h, PLACE_V0)[3] = 0x3f800003;
    ok(judge(&h) == 1 && h.r[3].diff_count == 1 && strcmp(h.r[3].diff[0].acceptance, "ulp:2") == 0,
       "three ulps off");
    hand_right(&h);
    out(&h, PLACE_V0)[1] = 8;
    ok(judge(&h) == 1 && h.r[1].diff_count == 1, "a lane that is off was written");
    is_str("unchanged (0xb0000001)", h.r[1].diff[0].want, "it should hold what it held");
    out(&h, PLACE_V0)[1] = 0xb0000001;
    out(&h, PLACE_V0)[40] = 0;
    ok(judge(&h) == 1 && h.r[0].diff_count == 1 && h.r[0].diff[0].lane == 40,
       "a lane without a row, at the first row");
    is_str("lane is off", h.r[0].diff[0].note, "says why");
    hand_close(&h);
}

static void try_unannounced(void)
{
    struct hand h;
    hand_open(&h, "x/vop2/v_add_co_u32.case", lanes);
    hand_right(&h);
    *out(&h, PLACE_SCC) = 1;
    ok(judge(&h) == 1 && strcmp(h.r[0].diff[0].place, "scc") == 0, "SCC was written");
    is_str("not announced by the row", h.r[0].diff[0].note, "which nobody announced");
    *out(&h, PLACE_SCC) = 0;
    out(&h, PLACE_V0 + 1)[63] = 1;
    ok(judge(&h) == 1 && strcmp(h.r[0].diff[0].place, "v1") == 0 && h.r[0].diff[0].lane == 63,
       "the register behind the destination was written");
    out(&h, PLACE_V0 + 1)[63] = 0xb001003f;
    *out(&h, PLACE_MODE) = 0;
    is_u64(1, judge(&h), "MODE was written");
    *out(&h, PLACE_MODE) = MODE_DEFAULT;
    *out(&h, CODE_M0) = 0xa07c0000;
    is_u64(1, judge(&h), "what is expected to change did not");
    u32 scalars = 0, vectors = 0;
    for (u32 i = 0; i < h.job->get_count; i++) {
        scalars += h.job->get[i].place < 102;
        vectors += h.job->get[i].place >= PLACE_V0 && h.job->get[i].place < PLACE_A0;
    }
    ok(scalars >= 1 && vectors >= 3, "registers that nobody mentions are read back: %u s, %u v",
       scalars, vectors);
    hand_close(&h);
}

static void try_other_half(void)
{
    struct hand h;
    hand_open(&h, "x/sop1/s_mov_b32.case",
              "case-format 1\ntest t\ncode\n    s_mov_b32 s3, 7\n    s_mov_b32 vcc_hi, 1\n"
              "out s3 = 7 vcc_hi = 1\n");
    *out(&h, 3) = 7;
    *out(&h, CODE_VCC + 1) = 1;
    is_u64(0, judge(&h), "upper halves of two pairs");
    *out(&h, 2) = 0;
    ok(judge(&h) == 1 && strcmp(h.r[0].diff[0].place, "s2") == 0,
       "the lower half was written, too");
    *out(&h, 2) = job_initial(h.job, 0, 2, 0);
    *out(&h, CODE_VCC) = 0;
    is_u64(1, judge(&h), "and that of vcc");
    hand_close(&h);
}

static const char memory[] = "case-format 1\n"
                             "test t\n"
                             "mem buf 16\n"
                             "lds 8\n"
                             "in exec = 2  buf[4].b16 = 0x1234  v[2:3] = &buf+8\n"
                             "code\n"
                             "    global_store_dword v[2:3], v1, off\n"
                             "case c\n"
                             "in lds[4].b32 = 9\n"
                             "out buf[8].b32 = 7 v1 = lane lds[4].b8 = 1\n";

static void try_memory(void)
{
    struct hand h;
    hand_open(&h, "x/global/global_store_dword.case", memory);
    u8 *buf = h.job->windows[0].bytes + RUN_GUARD;
    is_u64(16 + 2 * RUN_GUARD, h.job->windows[0].size, "a memory and its guards");
    is_hex(h.job->windows[0].address + RUN_GUARD + 8,
           job_initial(h.job, 0, PLACE_V0 + 2, 7) | (u64)job_initial(h.job, 0, PLACE_V0 + 3, 7)
                                                        << 32,
           "its address");
    static const u8 start[16] = {
        0, 0, 0, 0xd0, 0x34, 0x12, 0, 0xd0, 8, 0, 0, 0xd0, 12, 0, 0, 0xd0
    };
    is_mem(start, buf, 16, "poison and what is given");
    static const u8 lds[8] = { 0, 0, 0, 0xe0, 9, 0, 0, 0 };
    is_mem(lds, h.job->lds, 8, "LDS likewise");
    is_u64(3, judge(&h), "nothing happened: three differences");
    memcpy(buf + 8, "\7\0\0\0", 4);
    h.job->lds[4] = 1;
    out(&h, PLACE_V0 + 1)[1] = 1;
    is_u64(0, judge(&h), "the right answer");
    buf[12] = 13;
    ok(judge(&h) == 1 && strcmp(h.r[0].diff[0].place, "buf[12].b32") == 0, "a byte beside it");
    is_str("unchanged (0xd000000c)", h.r[0].diff[0].want, "wanted as it was");
    buf[12] = 12;
    buf[16] ^= 1;
    ok(judge(&h) == 1 && strcmp(h.r[0].diff[0].place, "buf[16].b32") == 0 &&
           strcmp(h.r[0].diff[0].note, "outside of the memory") == 0,
       "a byte behind the memory");
    buf[16] ^= 1;
    buf[-1] ^= 1;
    ok(judge(&h) == 1 && strcmp(h.r[0].diff[0].place, "buf[-4].b32") == 0,
       "a byte before the memory");
    buf[-1] ^= 1;
    h.job->lds[5] = 1;
    ok(judge(&h) == 1 && strcmp(h.r[0].diff[0].place, "lds[4].b32") == 0, "a byte of LDS");
    hand_close(&h);
}

static void try_waves(void)
{
    struct hand h;
    hand_open(&h, "x/sop1/s_mov_b32.case",
              "case-format 1\ntest t\nwaves 2\nin wave1.s1 = 5\ncode\n  s_mov_b32 s0, s1\n"
              "out wave0.s0 = 0xa0010000 wave1.s0 = 5\n");
    is_u64(2, h.job->waves, "two waves");
    is_hex(0xa0010000, job_initial(h.job, 0, 1, 0), "poison in one");
    is_hex(5, job_initial(h.job, 1, 1, 0), "a value in the other");
    is_u64(2, judge(&h), "neither was written");
    ok(strcmp(h.r[0].diff[0].place, "wave0.s0") == 0 &&
           strcmp(h.r[0].diff[1].place, "wave1.s0") == 0,
       "the wave is named");
    hand_close(&h);
}

/* ---- partial DUTs ---- */

static void try_partial(void)
{
    struct hand h;
    char name[48];
    hand_open(&h, "x/vop2/v_add_co_u32.case", lanes);
    ok(!run_cannot(h.u, &h.dut, name, sizeof name), "a complete DUT");
    h.dut.can[CLASS_EXEC] = GCNCHECK_SHOW;
    is_str("exec", run_cannot(h.u, &h.dut, name, sizeof name), "what cannot be set is named");
    h.dut = hand_dut();
    h.dut.can[CLASS_SGPR] = GCNCHECK_NO;
    is_str("s10", run_cannot(h.u, &h.dut, name, sizeof name), "an input that cannot be set");
    h.dut = hand_dut();
    h.dut.can[CLASS_VCC] = GCNCHECK_NO;
    h.job = run_build(h.u, "gfx900", &h.dut, h.jb);
    for (u32 i = 0; i < h.job->get_count; i++) {
        const struct gcncheck_slot *g = &h.job->get[i];
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(g->place); lane++)
            h.job->out[g->index + lane] = job_initial(h.job, g->wave, g->place, lane);
    }
    u32 *v0 = out(&h, PLACE_V0);
    v0[0] = 3;
    v0[2] = 10;
    v0[3] = 0x3f800000;
    *out(&h, CODE_M0) = 5;
    is_u64(0, judge(&h), "what is not shown is not judged");
    is_str("vcc not shown", h.r[0].narrowed, "but said");
    hand_close(&h);
    static const char other_mode[] =
        "case-format 1\ntest t\nmode round=rtz\ncode\n  s_mov_b32 s0, 1\nout s0 = 1\n";
    hand_open(&h, "x/sop1/s_mov_b32.case", other_mode);
    h.dut.can[CLASS_MODE] = GCNCHECK_SHOW;
    is_str("mode", run_cannot(h.u, &h.dut, name, sizeof name), "MODE");
    hand_close(&h);
}

/* ---- code ---- */

static void try_code(void)
{
    static const struct {
        const char *path, *text, *want;
    } bad[] = {
        { "x/vop2/v_add_u32.case", "code\n  v_add_u32 v0, v1, v999\nout v0 = 1\n", "4:" },
        { "x/vop2/v_add_u32.case", "code\n  v_nop\n  v_addd v0, v1\nout v0 = 1\n", "5:" },
        { "x/vop2/v_add_u32.case", "forms e64\ncode\n  v_sub_u32 v0, v1, v2\nout v0 = 1\n",
          "2:forms, but the code has no v_add_u32" },
        { "x/vop2/v_add_u32.case", "forms e64\ncode\n  v_add_u32_e32 v0, v1, v2\nout v0 = 1\n",
          "5:forms respells a mnemonic without suffix, not: \"v_add_u32_e32\"" },
        { "x/vop3a/v_bfe_u32.case", "forms dpp\ncode\n  v_bfe_u32 v0, v1, v2, v3\nout v0 = 1\n",
          "5:v_bfe_u32 has no form dpp" },
    };
    for (u32 i = 0; i < COUNT_OF(bad); i++) {
        char text[300], got[300];
        struct run *r;
        struct err e = { 0 };
        snprintf(text, sizeof text, "case-format 1\ntest t\n%s", bad[i].text);
        if (run_open(&r, &plain, &e) != ST_OK)
            bail("%s", e.text);
        enum status st = add_text(r, bad[i].path, text, 0, &e);
        snprintf(got, sizeof got, "%d:%s", e.line, e.text);
        ok(st == ST_INPUT && strncmp(got, bad[i].want, strlen(bad[i].want)) == 0, "refused: %s",
           got);
        run_close(r);
    }
    struct kept *k =
        run_text(&plain, "x/vop2/v_add_u32.case",
                 "case-format 1\ntest a\ncode\n  v_add_u32 v0, s1, s2\nreject constant bus\n"
                 "test b\ncode\n  v_add_u32 v0, v1, v2\nreject constant bus\n"
                 "test c\ncode\n  v_add_u32 v0, v1\nreject constant bus\n"
                 "test d\ncode\n  .long 0xffffffff\nreject no encoding\n",
                 0);
    ok(k->r[0].status == RESULT_OK, "refused for the reason given");
    ok(k->r[1].status == RESULT_NOT_OK && strncmp(k->r[1].detail, "accepted", 8) == 0,
       "accepted: not ok");
    ok(k->r[2].status == RESULT_NOT_OK && strncmp(k->r[2].detail, "refused for another", 19) == 0,
       "refused for another reason: not ok");
    ok(k->r[3].status == RESULT_OK, "dwords that are no instruction");
    is_str("gfx900/vop2/v_add_u32/text#a", k->r[0].id, "id of a reject");
    free(k);
    k = run_text(&plain, "x/vop2/v_add_u32.case",
                 "case-format 1\ntest a\ntargets gfx90a\nforms e32 e64\ncode\n  v_add_u32 v0, v1, "
                 "v2\nout v0 = 1\n",
                 0);
    ok(k->count == 1 && k->r[0].status == RESULT_SKIP &&
           strcmp(k->r[0].reason, "not-for-processor") == 0,
       "a test for another processor is skipped and said");
    free(k);
}

static void try_ids(void)
{
    struct run *r;
    struct err e = { 0 };
    if (run_open(&r, &plain, &e) != ST_OK ||
        add_text(r, "x/vop2/v_add_co_u32.case", wrong, 0, &e) != ST_OK)
        bail("%s", e.text);
    ok(add_text(r, "y/vop2/v_add_co_u32.case", wrong, 0, &e) == ST_INPUT, "two files with one id");
    is_str("the same id as x/vop2/v_add_co_u32.case:2", e.text, "both are named");
    ok(e.line == 2 && strcmp(e.file, "y/vop2/v_add_co_u32.case") == 0, "with their lines");
    run_close(r);
    struct kept *here = run_text(&plain, "v_add_co_u32.case", wrong, 8);
    is_str("gfx900/vop2/v_add_co_u32/e32#sum-and-carry.2", here->r[0].id,
           "the id does not depend on the folder");
    free(here);
    struct run_cfg cfg = plain;
    cfg.mcpu = "gfx42";
    ok(run_open(&r, &cfg, &e) == ST_INPUT, "an unknown processor");
    cfg = plain;
    cfg.dut = "plugin:/nothing.so";
    r = open_text(&cfg, "x/vop2/v_add_co_u32.case", wrong, 0);
    struct kept *k = calloc(1, sizeof *k);
    ok(k && run_all(r, keep, k, &e) == ST_INPUT && k->count == 0, "a DUT that cannot be opened");
    free(k);
    run_close(r);
}

/* ---- how a DUT's runs end ---- */

static void try_endings(void)
{
    struct kept *k =
        run_text(&plain, "x/sopp/s_branch.case",
                 "case-format 1\ntest never ends\ncode\n  l:\n  s_branch l\nout s0 = 1\n", 0);
    ok(k->r[0].status == RESULT_NOT_OK && strcmp(k->r[0].reason, "limit") == 0,
       "a program that never ends");
    free(k);
    char table[4000];
    struct text t;
    text_init(&t, table, sizeof table);
    text_add(&t, "case-format 1\ntest t\ncode\n  v_mov_b32 v0, v1\nrows v1 | v0\n");
    for (u32 i = 0; i < 70; i++)
        text_add(&t, " lane+%u | %u\n", i, i < 64 ? 2 * i : i - 64 + i);
    k = run_text(&plain, "x/vop1/v_mov_b32.case", table, 0);
    bool all = k->count == 70;
    for (u32 i = 0; i < k->count; i++)
        all = all && k->r[i].status == RESULT_OK;
    ok(all, "70 rows are two runs; row 65 is lane 0 of the second");
    free(k);
}

int main(void)
{
    try_wrong();
    try_selection();
    try_order();
    try_lanes();
    try_unannounced();
    try_other_half();
    try_memory();
    try_waves();
    try_partial();
    try_code();
    try_ids();
    try_endings();
    return done();
}
