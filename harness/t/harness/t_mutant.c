/* Mutants: the list is sound, planting takes effect in the one place and nowhere else, and a mutant
 * of state shows in a program of exactly the length it states, never in a single instruction. */
#include "harness/check/compare.h"
#include "harness/mutant/mutant.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/rule/rule.h"

enum { DW_MAX = 64, INSNS_MAX = 8, V = GCNCHECK_V0, MEM = 0x200000, LDS_BYTES = 512 };

static struct isa isa;

/* ---- the list ---- */

static void test_list(void)
{
    const struct mutant *mu;
    u32 bad = 0, twice = 0, row_or_operand = 0, state = 0;
    for (u32 i = 0; (mu = mutant_at(i)); i++) {
        int pointers = !!mu->sem + !!mu->operand + !!mu->exec;
        bool is_slip = mu->class;
        bool is_state = mu->kind == MUTANT_STATE;
        if (pointers != 1 || (mu->op ? !mu->sem && !is_slip : !!mu->sem) ||
            (is_state && !mu->exec) || is_state != !!mu->witness)
            bad++;
        if (mutant_find(mu->id) != mu)
            twice++;
        if (is_state)
            state++;
        else
            row_or_operand++;
    }
    is_u64(0, bad, "each replaces one thing; those of state say how long their witness is");
    is_u64(0, twice, "each is found by its id");
    ok(row_or_operand >= 40, "at least 40 of rows and operands (%u)", row_or_operand);
    ok(state >= 5, "at least five of state (%u)", state);
    ok(!mutant_find("v_add_u32"), "an unknown id is not found");
}

/* The kinds that apply to an encoding have at least two each. */
static void test_spread(void)
{
    static const struct {
        enum isa_enc enc;
        u32 kinds;
    } want[] = {
        { ENC_SOP2, 1 << MUTANT_VALUE | 1 << MUTANT_FLAG | 1 << MUTANT_EXEC },
        { ENC_SOPK, 1 << MUTANT_VALUE | 1 << MUTANT_FLAG | 1 << MUTANT_EXEC | 1 << MUTANT_ADDRESS },
        { ENC_SOP1, 1 << MUTANT_VALUE | 1 << MUTANT_FLAG | 1 << MUTANT_EXEC | 1 << MUTANT_ADDRESS },
        { ENC_SOPC, 1 << MUTANT_VALUE | 1 << MUTANT_FLAG | 1 << MUTANT_EXEC },
        { ENC_SOPP, 1 << MUTANT_FLAG | 1 << MUTANT_EXEC | 1 << MUTANT_ADDRESS },
        { ENC_SMEM, 1 << MUTANT_VALUE | 1 << MUTANT_EXEC | 1 << MUTANT_ADDRESS },
        { ENC_VOP2,
          1 << MUTANT_VALUE | 1 << MUTANT_FLAG | 1 << MUTANT_EXEC | 1 << MUTANT_MODIFIER },
        { ENC_VOP1, 1 << MUTANT_VALUE | 1 << MUTANT_EXEC | 1 << MUTANT_MODIFIER },
        { ENC_VOPC,
          1 << MUTANT_VALUE | 1 << MUTANT_FLAG | 1 << MUTANT_EXEC | 1 << MUTANT_MODIFIER },
        { ENC_VOP3A, 1 << MUTANT_VALUE | 1 << MUTANT_EXEC | 1 << MUTANT_MODIFIER },
        { ENC_VOP3B,
          1 << MUTANT_VALUE | 1 << MUTANT_FLAG | 1 << MUTANT_EXEC | 1 << MUTANT_MODIFIER },
        { ENC_DS, 1 << MUTANT_VALUE | 1 << MUTANT_EXEC | 1 << MUTANT_ADDRESS },
        { ENC_FLAT, 1 << MUTANT_VALUE | 1 << MUTANT_EXEC | 1 << MUTANT_ADDRESS },
        { ENC_GLOBAL, 1 << MUTANT_VALUE | 1 << MUTANT_EXEC | 1 << MUTANT_ADDRESS },
    };
    const struct mutant *mu;
    for (u32 i = 0; i < COUNT_OF(want); i++) {
        u32 count[MUTANT_KINDS] = { 0 };
        for (u32 n = 0; (mu = mutant_at(n)); n++)
            if (mu->enc == want[i].enc)
                count[mu->kind]++;
        for (u32 k = 0; k < MUTANT_KINDS; k++)
            if (want[i].kinds >> k & 1)
                ok(count[k] >= 2, "%s has two of kind %s (%u)", isa_encs[want[i].enc].name,
                   mutant_kind_name((enum mutant_kind)k), count[k]);
    }
}

/* ---- programs ---- */

typedef void setup_fn(struct jobbuf *jb);

struct program {
    const char *mutant;
    setup_fn *setup;
    u32 waves;
    const char *line[INSNS_MAX]; /* without s_endpgm */
};

static void fill(struct jobbuf *jb, u32 wave, u32 place, u32 base, u32 step)
{
    u32 *v = job_set(jb, wave, place);
    for (u32 lane = 0; lane < LANES; lane++)
        v[lane] = base + lane * step;
}

/* Assembles the program without line `left_out` (-1: with all) and makes a job of it. */
static struct gcncheck_job *prepare(struct jobbuf *jb, const struct program *p, i32 left_out,
                                    u32 *code, u32 *dw)
{
    char text[512];
    struct text t;
    struct err e = { .text = "" };
    text_init(&t, text, sizeof text);
    for (i32 i = 0; i < INSNS_MAX && p->line[i]; i++)
        if (i != left_out)
            text_add(&t, "%s\n", p->line[i]);
    text_add(&t, "s_endpgm\n");
    if (insn_parse_program(&isa, text, code, DW_MAX, dw, &e) != ST_OK)
        bail("%s: %s", p->mutant, e.text);
    jobbuf_reset(jb, "gfx900");
    job_code(jb, code, *dw, PC_DEFAULT);
    p->setup(jb);
    for (u32 wave = 0; wave < p->waves; wave++) {
        job_set_defaults(jb, wave);
        for (u32 place = 0; place < 8; place++)
            job_get(jb, wave, place);
        for (u32 place = 0; place < 8; place++)
            job_get(jb, wave, V + place);
        job_get(jb, wave, PLACE_SCC);
        job_get(jb, wave, PLACE_MODE);
    }
    struct gcncheck_job *job = job_ready(jb);
    job->waves = p->waves;
    return job;
}

/* What the program reads back, as one hash, after a run on the model with this mutant (NULL:
 * without). */
static u64 run_on(const struct program *p, i32 left_out, const char *mutant)
{
    u32 code[DW_MAX], dw;
    struct model *mo;
    struct err e = { .text = "" };
    struct jobbuf *jb = jobbuf_new();
    struct gcncheck_job *job = prepare(jb, p, left_out, code, &dw);
    if (model_open(&mo, "gfx900", "ref", mutant, &e) != ST_OK)
        bail("%s", e.text);
    if (model_run(mo, job, &e) != ST_OK)
        bail("%s", e.text);
    u64 hash = job->outcome;
    for (u32 i = 0; i < job->get_count; i++)
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(job->get[i].place); lane++)
            hash = hash_mix(hash, job->out[job->get[i].index + lane]);
    model_close(mo);
    jobbuf_free(jb);
    return hash;
}

static bool differs(const struct program *p, i32 left_out)
{
    return run_on(p, left_out, p->mutant) != run_on(p, left_out, NULL);
}

/* ---- mutants of one instruction ---- */

static void set_values(struct jobbuf *jb)
{
    fill(jb, 0, V + 1, 5, 1);
    fill(jb, 0, V + 2, 9, 3);
    fill(jb, 0, V + 3, 0, 8);
    *job_set(jb, 0, 1) = 5;
    *job_set(jb, 0, 2) = 9;
    *job_set(jb, 0, CODE_EXEC) = 0x0f0f0f0f;
    *job_set(jb, 0, CODE_EXEC + 1) = 0x33333333;
    memset(job_lds(jb, LDS_BYTES * 2, NULL), 0x5a, LDS_BYTES * 2);
}

static void test_planting(void)
{
    static const struct {
        struct program p;
        bool shows;
    } tries[] = {
        { { "v_add_u32.add_sub", set_values, 1, { "v_add_u32 v0, v1, v2" } }, true },
        { { "v_add_u32.add_sub", set_values, 1, { "v_sub_u32 v0, v1, v2" } }, false },
        { { "s_add_u32.scc_inverted", set_values, 1, { "s_add_u32 s0, s1, s2" } }, true },
        { { "vop2.exec_ignored", set_values, 1, { "v_xor_b32 v0, v1, v2" } }, true },
        { { "vop2.exec_ignored", set_values, 1, { "v_not_b32 v0, v1" } }, false },
        { { "vop2.neg_ignored", set_values, 1, { "v_add_f32_e64 v0, -v1, v2" } }, true },
        { { "vop2.neg_ignored", set_values, 1, { "v_add_f32_e64 v0, v1, v2" } }, false },
        { { "operand.quad_perm",
            set_values,
            1,
            { "v_mov_b32_dpp v0, v1 quad_perm:[1,0,2,3] row_mask:0xf bank_mask:0xf" } },
          true },
        { { "operand.quad_perm",
            set_values,
            1,
            { "v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf" } },
          false },
        { { "ds.exec_ignored", set_values, 1, { "ds_read_b32 v0, v3" } }, true },
        { { "ds.offset_ignored",
            set_values,
            1,
            { "ds_write_b32 v3, v1 offset:4", "ds_read_b32 v0, v3" } },
          true },
    };
    for (u32 i = 0; i < COUNT_OF(tries); i++)
        ok(differs(&tries[i].p, -1) == tries[i].shows, "%s %s in %s", tries[i].p.mutant,
           tries[i].shows ? "shows" : "does not show", tries[i].p.line[0]);
    struct model *mo;
    struct err e = { .text = "" };
    is_u64(ST_INPUT, model_open(&mo, "gfx900", "ref", "v_add_u32", &e),
           "an unknown mutant is refused");
    is_str("unknown mutant 'v_add_u32'; 'gcncheck mutants' lists them", e.text, "and named");
}

/* ---- mutants of state ---- */

/* v1 + v2 is inexact: rounding up and to even differ. */
static void set_floats(struct jobbuf *jb)
{
    fill(jb, 0, V + 1, 0x3f800000, 0);
    fill(jb, 0, V + 2, 0x30000000, 0);
}

static void set_scc(struct jobbuf *jb)
{
    set_values(jb);
    *job_set(jb, 0, PLACE_SCC) = 1;
}

static void set_masks(struct jobbuf *jb)
{
    set_values(jb);
    *job_set(jb, 0, 2) = 0x00ff00ff;
    *job_set(jb, 0, 3) = 0x0000ffff;
    *job_set(jb, 0, CODE_VCC) = 0x12345678;
}

static void set_memory(struct jobbuf *jb)
{
    set_values(jb);
    *job_set(jb, 0, 0) = 77;
    *job_set(jb, 0, 2) = MEM;
    *job_set(jb, 0, 3) = 0;
    memset(job_window(jb, MEM, 64, NULL), 0x42, 64);
}

/* Each of two waves writes its half of LDS and reads the other's. */
static void set_lds(struct jobbuf *jb)
{
    memset(job_lds(jb, LDS_BYTES, NULL), 0x11, LDS_BYTES);
    for (u32 wave = 0; wave < 2; wave++) {
        fill(jb, wave, V + 0, wave * 256, 4);
        fill(jb, wave, V + 1, 1000 + wave * 100, 1);
        fill(jb, wave, V + 3, 256 - wave * 256, 4);
    }
}

static const struct program witnesses[] = {
    { "state.stale_mode",
      set_floats,
      1,
      { "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1", "v_add_f32 v0, v1, v2" } },
    { "state.scc_lost", set_scc, 1, { "s_cbranch_scc1 0", "s_cselect_b32 s0, s1, s2" } },
    { "state.exec_latched", set_masks, 1, { "s_mov_b64 exec, s[2:3]", "v_mov_b32 v0, v1" } },
    { "state.vcc_late",
      set_masks,
      1,
      { "v_cmp_gt_u32 vcc, 12, v1", "v_cndmask_b32 v0, v1, v2, vcc" } },
    { "state.vccz_stale",
      set_masks,
      1,
      { "s_mov_b64 vcc, 0", "s_cbranch_vccz 1", "s_mov_b32 s0, 1" } },
    { "state.late_load",
      set_memory,
      1,
      { "s_load_dword s0, s[2:3], 0x0", "s_waitcnt lgkmcnt(0)", "s_mov_b32 s1, s0" } },
    { "state.lds_stale",
      set_lds,
      2,
      { "ds_write_b32 v0, v1", "s_waitcnt lgkmcnt(0)", "s_barrier", "ds_read_b32 v2, v3",
        "s_waitcnt lgkmcnt(0)" } },
    { "state.stale_sdwa",
      set_values,
      1,
      { "v_mov_b32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3",
        "v_mov_b32 v4, v2" } },
    { "state.stale_dpp",
      set_values,
      1,
      { "v_mov_b32_dpp v0, v1 quad_perm:[1,0,2,3] row_mask:0xf bank_mask:0xf",
        "v_mov_b32 v4, v2" } },
    { "state.stale_clamp",
      set_floats,
      1,
      { "v_add_f32_e64 v0, v1, v2 clamp", "v_add_f32 v4, v1, v1" } },
};

static bool is_valid(const struct program *p, i32 left_out)
{
    u32 code[DW_MAX], dw;
    struct jobbuf *jb = jobbuf_new();
    prepare(jb, p, left_out, code, &dw);
    jobbuf_free(jb);
    struct rule_program rp = { .code = code, .dw = dw, .pc = PC_DEFAULT };
    struct err e = { .text = "" };
    return rule_check(&isa, &rp, &e) == ST_OK;
}

static void note_tier(void *arg, const struct cause *cause)
{
    bool *step = arg;
    if (cause->tier == TIER_STEP)
        *step = true;
}

/* Cuts the program into single instructions and compares each on model and mutant. */
static void test_steps(const struct program *p)
{
    char spec[80];
    struct text t;
    struct dut *d = NULL;
    struct compare *c = NULL;
    struct err e = { .text = "" };
    u32 code[DW_MAX], dw;
    struct jobbuf *jb = jobbuf_new();
    struct dut_cfg dc = { .mcpu = "gfx900" };
    struct compare_cfg cc = { .mcpu = "gfx900", .engine = "ref", .exact = true };
    text_init(&t, spec, sizeof spec);
    text_add(&t, "mutant:%s", p->mutant);
    if (dut_open(spec, &dc, &d, &e) != ST_OK || compare_open(&c, &cc, d, &e) != ST_OK)
        bail("%s", e.text);
    bool step = false;
    struct explained ex = { .steps = 0 };
    struct explain_cfg xc = { .fn = note_tier, .arg = &step };
    if (compare_explain(c, prepare(jb, p, -1, code, &dw), &xc, &ex, &e) != ST_OK)
        bail("%s", e.text);
    ok(!step && ex.steps >= 2, "%s: none of %u single instructions shows it", p->mutant, ex.steps);
    is_u64(1, ex.causes, "%s: the sequence does", p->mutant);
    compare_close(c);
    d->ops->close(d);
    jobbuf_free(jb);
}

static void test_state(void)
{
    for (u32 i = 0; i < COUNT_OF(witnesses); i++) {
        const struct program *p = &witnesses[i];
        u32 lines = 0, shorter = 0;
        while (lines < INSNS_MAX && p->line[lines])
            lines++;
        is_u64(mutant_find(p->mutant)->witness, lines, "%s: the witness has the stated length",
               p->mutant);
        ok(is_valid(p, -1), "%s: the witness is a valid program", p->mutant);
        ok(differs(p, -1), "%s: the witness shows it", p->mutant);
        for (u32 n = 0; n < lines; n++)
            shorter += is_valid(p, (i32)n) && differs(p, (i32)n);
        is_u64(0, shorter, "%s: without one of its instructions it does not", p->mutant);
        test_steps(p);
    }
    const struct mutant *mu;
    u32 state = 0;
    for (u32 i = 0; (mu = mutant_at(i)); i++)
        state += mu->kind == MUTANT_STATE;
    is_u64(state, COUNT_OF(witnesses), "every mutant of state has a witness here");
}

/* ---- several at once ---- */

static u32 first_result(const struct mutant *const *mu, u32 count, u32 code)
{
    static struct engine eng;
    static struct machine *m;
    static const struct machine_cfg cfg = { .waves_max = 1 };
    struct err e;
    u32 program[] = { code, 0xbf810000 }, who;
    if (engine_open(&eng, "ref", &e) != ST_OK)
        bail("%s", e.text);
    mutant_plant_all(mu, count, &isa, &eng);
    if (machine_open(&m, &isa, &eng, &cfg, &e) != ST_OK ||
        machine_load(m, program, COUNT_OF(program), 0x1000, &e) != ST_OK)
        bail("%s", e.text);
    machine_reset(m, 1, 0);
    m->wave[0]->pc = 0x1000;
    for (u32 i = 0; i < 8; i++)
        m->wave[0]->sgpr[i] = 100 + i;
    machine_run(m, 8, &who);
    u32 result = m->wave[0]->sgpr[0];
    machine_close(m);
    return result;
}

/* Each of several is there, of whichever kind, and nothing else is. */
static void test_several(void)
{
    const struct mutant *mu[] = { mutant_find("s_add_u32.add_sub"),
                                  mutant_find("s_xor_b32.neighbour"), mutant_find("sop1.minus_one"),
                                  mutant_find("s_sub_u32.sub_add") };
    const struct mutant *state = mutant_find("state.exec_latched");
    if (!mu[0] || !mu[1] || !mu[2] || !mu[3] || !state)
        bail("a mutant is gone");
    is_hex(0xffffffff, first_result(mu, 4, 0x80000201), "a row's: 101 + 102 is 101 - 102");
    ok(first_result(mu, 4, 0x88000201) != (101 ^ 102), "a slip's beside it");
    is_hex(1, first_result(mu, 4, 0xbe8000c1), "that of an encoding's operands: -1 is 1");
    is_hex(102, first_result(mu, 4, 0xbe800002), "nothing else: s_mov_b32");
    is_hex(101 & 102, first_result(mu, 4, 0x86000201), "nothing else: s_and_b32");
    is_hex(203, first_result(mu + 1, 2, 0x80000201), "what is not planted is not there");
    ok(mutant_collide(mu[0], mutant_find("s_add_u32.neighbour")),
       "two of one opcode cannot be had at once");
    ok(mutant_collide(state, mutant_find("state.vcc_late")), "nor two of the step loop");
    ok(!mutant_collide(mu[0], mu[1]) && !mutant_collide(mu[1], state), "others can");
}

int main(void)
{
    struct err e = { .text = "" };
    if (isa_open(&isa, "gfx900", &e) != ST_OK)
        bail("%s", e.text);
    test_list();
    test_spread();
    test_several();
    test_planting();
    test_state();
    return done();
}
