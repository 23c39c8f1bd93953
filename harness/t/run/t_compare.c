/* The comparison against fake DUTs with one planted bug each: the bug is found, put down to the
 * right instruction, and nothing else is accused. Dwords are llvm-mc's. */
#include "harness/check/compare.h"
#include "harness/t/lib/fake.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/op.h"

enum { V = GCNCHECK_V0, MEM = 0x200000, WINDOW = 1024 };

/* s_add_u32 s0, s1, s2 · v_xor_b32 v1, v2, v3 · v_add_u32 v4, v1, v5 · s_cmp_eq_u32 s0, s0
 * s_cbranch_scc1 1 · v_mov_b32 v6, 0 (skipped) · v_mul_lo_u32 v7, v4, v2
 * global_store_dword v[8:9], v7, off · s_waitcnt vmcnt(0) · s_endpgm */
static const u32 program[] = { 0x80000201, 0x2a020702, 0x68080b01, 0xbf060000,
                               0xbf850001, 0x7e0c0280, 0xd2850007, 0x00020504,
                               0xdc708000, 0x007f0708, 0xbf8c0f70, 0xbf810000 };

/* s_mov_b32 s3, 3 · loop: v_add_u32 v4, v1, v5 · s_sub_u32 s3, s3, 1 · s_cmp_lg_u32 s3, 0
 * s_cbranch_scc1 loop · s_endpgm */
static const u32 loop[] = {
    0xbe830083, 0x68080b01, 0x80838103, 0xbf078003, 0xbf85fffc, 0xbf810000
};

/* v_add_f32 v10, v11, v12 · v_mov_b32 v6, 0 · s_endpgm */
static const u32 floats[] = { 0x0214190b, 0x7e0c0280, 0xbf810000 };

/* buffer_load_format_d16_xyz v[10:11], off, s[4:7], 0 · s_waitcnt vmcnt(0) · s_endpgm */
static const u32 halves[] = { 0xe0280000, 0x80010a00, 0xbf8c0f70, 0xbf810000 };

struct seen {
    u32 count;
    struct cause cause[8];
    /* Of the job that shows it, which is gone afterwards: */
    u64 pc[8];
    u32 windows[8], vgprs[8];
};

static void note(void *arg, const struct cause *cause)
{
    struct seen *seen = arg;
    if (seen->count < COUNT_OF(seen->cause)) {
        seen->pc[seen->count] = cause->start->pc;
        seen->windows[seen->count] = cause->start->window_count;
        seen->vgprs[seen->count] = 0;
        for (u32 i = 0; i < cause->start->set_count; i++)
            seen->vgprs[seen->count] += GCNCHECK_PLACE_DW(cause->start->set[i].place) > 1;
        seen->cause[seen->count] = *cause;
    }
    seen->count++;
}

/* A job with every register that the programs read set, and one window that v[8:9] points into. */
static struct gcncheck_job *start(struct jobbuf *jb, const u32 *code, u32 dw)
{
    static const u16 vgprs[] = { 1, 2, 3, 5, 11, 12 };
    jobbuf_reset(jb, "gfx900");
    job_code(jb, code, dw, PC_DEFAULT);
    job_set_defaults(jb, 0);
    *job_set(jb, 0, 1) = 0xffffffff;
    *job_set(jb, 0, 2) = 2;
    for (u32 i = 0; i < COUNT_OF(vgprs); i++)
        for (u32 lane = 0; lane < LANES; lane++)
            job_set(jb, 0, V + vgprs[i])[lane] = vgprs[i] * 0x1010101u + lane;
    for (u32 lane = 0; lane < LANES; lane++) {
        job_set(jb, 0, V + 8)[lane] = MEM + lane * 4;
        job_set(jb, 0, V + 9)[lane] = 0;
    }
    job_window(jb, MEM, WINDOW, NULL);
    return job_ready(jb);
}

/* Opens everything, judges the job, and explains it if it differs. */
static struct judgement run_job(struct fake *f, struct jobbuf *jb, struct seen *seen, bool all)
{
    struct compare *c = NULL;
    struct err e = { .text = "" };
    struct subject s = { .start = job_ready(jb), .all = all };
    struct compare_cfg cfg = { .mcpu = s.start->mcpu, .engine = "ref" };
    seen->count = 0;
    if (compare_open(&c, &cfg, &f->dut, &e) != ST_OK || compare_run(c, &s, 1, &e) != ST_OK)
        bail("%s", e.text);
    if (s.j.verdict == JUDGED_WRONG || s.j.verdict == JUDGED_UNSUPPORTED) {
        struct explained ex;
        struct explain_cfg xc = { .fn = note,
                                  .arg = seen,
                                  .steps_only = s.j.verdict == JUDGED_UNSUPPORTED };
        if (compare_explain(c, s.start, &xc, &ex, &e) != ST_OK)
            bail("%s", e.text);
        diag("%u step cases, %u unsupported, %u tolerated", ex.steps, ex.unsupported, ex.tolerated);
    }
    compare_close(c);
    jobbuf_free(jb);
    f->dut.ops->close(&f->dut);
    return s.j;
}

static struct judgement run(struct fake *f, const u32 *code, u32 dw, struct seen *seen, bool all)
{
    struct jobbuf *jb = jobbuf_new();
    start(jb, code, dw);
    return run_job(f, jb, seen, all);
}

/* One cause, a step case of `op`, that differs in `what`. */
static void is_one_step(const struct seen *seen, isa_op op, enum diff_what what, const char *text)
{
    const struct cause *cause = &seen->cause[0];
    is_u64(1, seen->count, "%s: one cause", text);
    is_u64(TIER_STEP, cause->tier, "%s: a step case", text);
    is_str(isa_rows[op].name, isa_rows[cause->insn.op].name, "%s: the instruction", text);
    is_str(judge_what_name(what), judge_what_name(cause->j.what), "%s: what differs", text);
}

#define PROGRAM(p) p, COUNT_OF(p)

static void no_bug(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f, (void)w, (void)in;
}

static void test_right(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, no_bug);
    struct judgement j = run(&f, PROGRAM(program), &seen, true);
    is_u64(JUDGED_RIGHT, j.verdict, "no bug: right");
    is_u64(0, j.narrowed, "no bug: nothing left out");
    is_u64(1, f.jobs, "no bug: one job");
}

static void wrong_lane(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_v_xor_b32)
        w->vgpr[1][17] ^= 4;
}

static void test_value(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, wrong_lane);
    run(&f, PROGRAM(program), &seen, false);
    is_one_step(&seen, OP_v_xor_b32, DIFF_VGPR, "wrong lane");
    const struct judgement *j = &seen.cause[0].j;
    is_u64(1, j->diff_total, "wrong lane: one difference, none from what follows");
    is_u64(17, j->diff[0].lane, "wrong lane: the lane");
    is_u64(V + 1, j->diff[0].place, "wrong lane: the register");
    /* v2 = 0x02020202 + 17, v3 = 0x03030303 + 17 */
    is_hex(0x02020213 ^ 0x03030314, j->diff[0].want, "wrong lane: want");
    is_hex(0x02020213 ^ 0x03030314 ^ 4, j->diff[0].got, "wrong lane: got");
    is_hex(0x10004, seen.pc[0], "wrong lane: the instruction stays where it stood");
    is_u64(3, seen.vgprs[0], "wrong lane: it starts from v1, v2 and v3");
    is_u64(0, seen.windows[0], "wrong lane: and without memory");
}

static bool is_add(void *arg, const struct insn *in)
{
    (void)arg;
    return in->op == OP_v_add_u32;
}

/* Judges the instructions of the program that `wanted` names; answers how many step cases there were. */
static u32 explain_some(void (*bug)(struct fake *f, struct wave *w, const struct insn *in),
                        bool (*wanted)(void *arg, const struct insn *in), bool steps_only,
                        struct seen *seen)
{
    struct fake f;
    struct jobbuf *jb = jobbuf_new();
    struct compare *c = NULL;
    struct err e = { .text = "" };
    struct explained ex = { 0 };
    struct compare_cfg cfg = { .mcpu = "gfx900", .engine = "ref" };
    struct explain_cfg xc = { .steps_only = steps_only, .wanted = wanted, .fn = note, .arg = seen };
    *seen = (struct seen){ .count = 0 };
    fake_open(&f, bug);
    if (compare_open(&c, &cfg, &f.dut, &e) != ST_OK ||
        compare_explain(c, start(jb, PROGRAM(program)), &xc, &ex, &e) != ST_OK)
        bail("%s", e.text);
    compare_close(c);
    jobbuf_free(jb);
    f.dut.ops->close(&f.dut);
    return ex.steps;
}

static void test_wanted(void)
{
    struct seen seen;
    is_u64(1, explain_some(wrong_lane, is_add, true, &seen), "wanted: the one addition is judged");
    is_u64(0, seen.count, "wanted: which is right");
    /* All but the skipped v_mov_b32 and s_endpgm. */
    is_u64(8, explain_some(wrong_lane, is_add, false, &seen),
           "wanted: then all, as it explains nothing");
    is_one_step(&seen, OP_v_xor_b32, DIFF_VGPR, "wanted");
}

static void stray_register(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_v_mul_lo_u32)
        scalar_write(w, 77, &(u32){ 5 }, 1);
}

static void test_stray(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, stray_register);
    struct judgement j = run(&f, PROGRAM(program), &seen, true);
    is_u64(JUDGED_WRONG, j.verdict, "stray register: the whole read-back sees it");
    is_str("stray-register", judge_what_name(j.what), "stray register: as not announced");
    is_one_step(&seen, OP_v_mul_lo_u32, DIFF_STRAY_REGISTER, "stray register");
    is_u64(77, seen.cause[0].j.diff[0].place, "stray register: the register");
}

static void stray_memory(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_global_store_dword)
        *mem_at(w->mem, MEM + 513, 1, true) = 0xee;
}

static void wrong_memory(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_global_store_dword)
        *mem_at(w->mem, MEM + 8, 1, true) ^= 1;
}

static bool is_store(void *arg, const struct insn *in)
{
    (void)arg;
    return in->op == OP_global_store_dword;
}

static void test_memory(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, stray_memory);
    run(&f, PROGRAM(program), &seen, false);
    is_one_step(&seen, OP_global_store_dword, DIFF_STRAY_MEMORY, "stray memory");
    is_hex(MEM + 512, seen.cause[0].j.diff[0].addr, "stray memory: the dword");
    is_hex(0xee00, seen.cause[0].j.diff[0].got, "stray memory: the byte in it");
    fake_open(&f, wrong_memory);
    run(&f, PROGRAM(program), &seen, false);
    is_one_step(&seen, OP_global_store_dword, DIFF_MEMORY, "wrong memory");
    is_hex(MEM + 8, seen.cause[0].j.diff[0].addr, "wrong memory: the dword");
    explain_some(wrong_memory, is_store, true, &seen);
    is_u64(1, seen.count, "wrong memory: its first step case shows it");
    is_u64(1, seen.windows[0], "wrong memory: it starts from the memory");
    /* Those that the program started from, and v4 and v7, which it has written. */
    is_u64(10, seen.vgprs[0], "wrong memory: and from every register");
}

static void missing_flag(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_s_add_u32)
        w->scc = 0;
}

static void test_flag(void)
{
    struct fake f;
    struct seen seen;
    /* The compare after it sets SCC again: only because s_endpgm follows at once is it seen. */
    static const u32 add_only[] = { 0x80000201, 0xbf810000 };
    fake_open(&f, missing_flag);
    run(&f, PROGRAM(add_only), &seen, false);
    is_one_step(&seen, OP_s_add_u32, DIFF_SCC, "missing flag");
    is_u64(1, seen.cause[0].j.diff[0].want, "missing flag: 0xffffffff + 2 carries");
}

static void wrong_branch(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_s_cbranch_scc1)
        w->pc = w->stop_pc + 4;
}

static void test_branch(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, wrong_branch);
    run(&f, PROGRAM(program), &seen, false);
    is_one_step(&seen, OP_s_cbranch_scc1, DIFF_PC, "branch not taken");
    fake_open(&f, wrong_branch);
    run(&f, PROGRAM(loop), &seen, false);
    is_u64(1, seen.count, "loop ends early: one cause");
    is_u64(TIER_PREFIX, seen.cause[0].tier, "loop ends early: a branch back is not judged alone");
    is_str("s_cbranch_scc1", isa_rows[seen.cause[0].insn.op].name, "loop ends early: where");
    fake_open(&f, no_bug);
    is_u64(JUDGED_RIGHT, run(&f, PROGRAM(loop), &seen, false).verdict, "loop without bug");
}

/* Takes a branch that is not taken, and lacks what lies past the program. */
static void taken_branch(struct fake *f, struct wave *w, const struct insn *in)
{
    if (in->op != OP_s_cbranch_scc0)
        return;
    w->pc = insn_flow_target(in, w->stop_pc);
    if (w->pc >= f->model->m->base + f->model->m->code_dw * 4)
        f->outcome = OUT_UNSUPPORTED;
}

static void test_taken_branch(void)
{
    struct fake f;
    struct seen seen;
    /* s_cmp_eq_u32 s0, s0 · s_cbranch_scc0 2 · v_mov_b32 v6, 0 (twice) · s_endpgm */
    static const u32 skip[] = { 0xbf060000, 0xbf840002, 0x7e0c0280, 0x7e0c0280, 0xbf810000 };
    fake_open(&f, taken_branch);
    run(&f, PROGRAM(skip), &seen, false);
    is_one_step(&seen, OP_s_cbranch_scc0, DIFF_PC, "branch taken");
}

/* v_add_u32 right behind v_xor_b32 is one too high. */
static void pair(struct fake *f, struct wave *w, const struct insn *in)
{
    if (in->op == OP_v_add_u32 && f->before && f->before->op == OP_v_xor_b32)
        w->vgpr[4][0]++;
}

static void test_interaction(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, pair);
    run(&f, PROGRAM(program), &seen, false);
    is_u64(1, seen.count, "interaction: one cause");
    is_u64(TIER_PREFIX, seen.cause[0].tier, "interaction: no step case differs");
    is_str("v_add_u32", isa_rows[seen.cause[0].insn.op].name,
           "interaction: the shortest prefix ends there");
    is_str("vgpr", judge_what_name(seen.cause[0].j.what), "interaction: what differs");
}

/* Wrong in the first job only. */
static void once(struct fake *f, struct wave *w, const struct insn *in)
{
    if (f->jobs == 1)
        wrong_lane(f, w, in);
}

static void test_unstable(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, once);
    is_u64(JUDGED_WRONG, run(&f, PROGRAM(program), &seen, false).verdict, "once: it differs");
    is_u64(1, seen.count, "once: one cause");
    is_u64(TIER_END, seen.cause[0].tier, "once: no part of the program is accused");
    is_u64(JUDGED_RIGHT, seen.cause[0].j.verdict, "once: it is said that it did not differ again");
}

static void crash(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)w;
    if (in->op == OP_v_mul_lo_u32)
        f->outcome = OUT_CRASH;
}

static void unsupported(struct fake *f, struct wave *w, const struct insn *in)
{
    if (in->op == OP_v_mul_lo_u32)
        f->outcome = OUT_UNSUPPORTED;
    wrong_lane(f, w, in);
}

static void test_outcomes(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, crash);
    struct judgement j = run(&f, PROGRAM(program), &seen, false);
    is_u64(OUT_CRASH, j.outcome, "crash: the outcome");
    is_one_step(&seen, OP_v_mul_lo_u32, DIFF_OUTCOME, "crash");
    is_u64(OUT_CRASH, seen.cause[0].j.outcome, "crash: the step case's outcome");
    is_str("planted", seen.cause[0].j.reason, "crash: the reason");
    fake_open(&f, unsupported);
    j = run(&f, PROGRAM(program), &seen, false);
    is_u64(JUDGED_UNSUPPORTED, j.verdict, "unsupported: never failed");
    is_one_step(&seen, OP_v_xor_b32, DIFF_VGPR, "unsupported: the rest is judged");
}

static void test_narrowed(void)
{
    struct fake f;
    struct seen seen;
    fake_open(&f, missing_flag);
    f.dut.can[CLASS_SCC] = GCNCHECK_NO;
    static const u32 add_only[] = { 0x80000201, 0xbf810000 };
    struct judgement j = run(&f, PROGRAM(add_only), &seen, true);
    is_u64(JUDGED_RIGHT, j.verdict, "SCC cannot be shown: not failed");
    is_hex(1u << CLASS_SCC, j.narrowed, "SCC cannot be shown: counted");
}

/* The payloads of the NaNs that v_add_f32 makes. */
static void nan_payload(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    for (u32 lane = 0; lane < LANES && in->op == OP_v_add_f32; lane++)
        if (f32_is_nan(w->vgpr[10][lane]))
            w->vgpr[10][lane] ^= 0x1234;
}

static struct judgement run_nans(u32 v11, u32 v12, struct seen *seen)
{
    struct fake f;
    struct jobbuf *jb = jobbuf_new();
    struct compare *c = NULL;
    struct err e = { .text = "" };
    struct explained ex;
    struct compare_cfg cfg = { .mcpu = "gfx900", .engine = "ref" };
    struct explain_cfg xc = { .fn = note, .arg = seen };
    fake_open(&f, nan_payload);
    start(jb, PROGRAM(floats));
    job_set(jb, 0, V + 11)[5] = v11;
    job_set(jb, 0, V + 12)[5] = v12;
    struct subject s = { .start = job_ready(jb) };
    seen->count = 0;
    if (compare_open(&c, &cfg, &f.dut, &e) != ST_OK || compare_run(c, &s, 1, &e) != ST_OK ||
        compare_explain(c, s.start, &xc, &ex, &e) != ST_OK)
        bail("%s", e.text);
    compare_close(c);
    jobbuf_free(jb);
    f.dut.ops->close(&f.dut);
    return s.j;
}

static void test_nans(void)
{
    struct seen seen;
    is_u64(JUDGED_WRONG, run_nans(0x7fc00001, 0x3f800000, &seen).verdict, "one NaN: ends differ");
    is_one_step(&seen, OP_v_add_f32, DIFF_VGPR, "one NaN: its payload is exact");
    is_u64(JUDGED_WRONG, run_nans(0x7fc00001, 0xffc00002, &seen).verdict, "two NaNs: ends differ");
    is_u64(0, seen.count, "two NaNs: any quiet NaN is right, and explains the end");
    run_nans(0x7f800000, 0xff800000, &seen);
    is_one_step(&seen, OP_v_add_f32, DIFF_VGPR, "inf - inf: the default NaN is exact");
}

/* A wrong bit of the result in lane 5: of the half that is kept, the third half, the first. */
static void wrong_kept(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_buffer_load_format_d16_xyz)
        w->vgpr[11][5] ^= 1u << 31;
}

static void wrong_third(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_buffer_load_format_d16_xyz)
        w->vgpr[11][5] ^= 1;
}

static void wrong_first(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_buffer_load_format_d16_xyz)
        w->vgpr[10][5] ^= 1u << 31;
}

/* How many causes are found in a load of three halves. */
static u32 count_of_halves(const char *mcpu,
                           void (*hook)(struct fake *, struct wave *, const struct insn *))
{
    static const u32 resource[] = { MEM, 0, WINDOW, 0x64fac }; /* four halves each */
    struct fake f;
    struct seen seen;
    struct jobbuf *jb = jobbuf_new();
    jobbuf_reset(jb, mcpu);
    job_code(jb, PROGRAM(halves), PC_DEFAULT);
    job_set_defaults(jb, 0);
    for (u32 i = 0; i < COUNT_OF(resource); i++)
        *job_set(jb, 0, 4 + i) = resource[i];
    for (u32 place = V + 10; place <= V + 11; place++) {
        u32 *value = job_set(jb, 0, place);
        for (u32 lane = 0; lane < LANES; lane++)
            value[lane] = 0x5a5aa5a5;
    }
    job_window(jb, MEM, WINDOW, NULL);
    fake_open_on(mcpu, &f, hook);
    is_u64(hook == no_bug ? JUDGED_RIGHT : JUDGED_WRONG, run_job(&f, jb, &seen, false).verdict,
           "halves on %s: the ends", mcpu);
    return seen.count;
}

/* Without a word about error correction only the half that is kept is open. */
static void test_halves(void)
{
    static const struct {
        const char *mcpu;
        u32 kept;
    } test[] = { { "gfx900", 1 }, { "gfx908", 0 }, { "gfx908:sramecc-", 1 } };
    for (u32 i = 0; i < COUNT_OF(test); i++) {
        const char *mcpu = test[i].mcpu;
        is_u64(0, count_of_halves(mcpu, no_bug), "halves on %s: right", mcpu);
        is_u64(test[i].kept, count_of_halves(mcpu, wrong_kept), "halves on %s: kept", mcpu);
        is_u64(1, count_of_halves(mcpu, wrong_third), "halves on %s: the third", mcpu);
        is_u64(1, count_of_halves(mcpu, wrong_first), "halves on %s: the first", mcpu);
    }
}

static void hang(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)w;
    if (in->op == OP_v_add_u32)
        f->outcome = OUT_HANG;
}

/* The loop adds three times: asked about v_add_u32 alone, the device hangs once and no more. */
static void test_hang(void)
{
    struct fake f;
    struct seen seen = { 0 };
    struct jobbuf *jb = jobbuf_new();
    struct compare *c = NULL;
    struct err e = { .text = "" };
    struct explained ex = { 0 };
    struct compare_cfg cfg = { .mcpu = "gfx900", .engine = "ref" };
    struct explain_cfg xc = { .steps_only = true,
                              .only_op = OP_v_add_u32,
                              .only_form = FORM_BASE,
                              .fn = note,
                              .arg = &seen };
    fake_open(&f, hang);
    if (compare_open(&c, &cfg, &f.dut, &e) != ST_OK ||
        compare_explain(c, start(jb, PROGRAM(loop)), &xc, &ex, &e) != ST_OK)
        bail("%s", e.text);
    is_u64(1, f.jobs, "hang: the form is not tried again");
    is_u64(1, seen.count, "hang: one cause");
    is_u64(OUT_HANG, seen.cause[0].j.outcome, "hang: it says so");
    compare_close(c);
    jobbuf_free(jb);
    f.dut.ops->close(&f.dut);
}

int main(void)
{
    test_hang();
    test_right();
    test_value();
    test_wanted();
    test_stray();
    test_memory();
    test_flag();
    test_branch();
    test_taken_branch();
    test_interaction();
    test_unstable();
    test_outcomes();
    test_narrowed();
    test_nans();
    test_halves();
    return done();
}
