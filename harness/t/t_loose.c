/* Which results may differ, by hand: one instruction, lane by lane, in the MODE given. Lane n has
 * operands a[n], b[n], c[n]. */
#include "fuzz/loose.h"
#include "oracle/exec.h"
#include "reports/tap.h"

enum {
    QNAN = 0x7fc00000,
    QNAN2 = 0x7fc12345,
    SNAN = 0x7f800001,
    INF = 0x7f800000,
    ONE = 0x3f800000,
    SUB = 0x00000001,
    MIN = 0x00800000,
    HALF = 0x3f000000,
    THIRD = 0x3eaaaaab
};
enum { ROUND_UP_32 = 1, IEEE_OFF = MODE_DEFAULT & ~0x200, FLUSH = MODE_DEFAULT & ~0x30 };

static struct isa isa;
static struct engine engine;
static struct machine *m;

struct values {
    u32 a[4], b[4], c[4];
};

/* Four lanes are on; lanes beyond are not judged. */
static struct loose judge(const char *text, u32 mode, const struct values *v)
{
    struct insn in;
    struct err e = { .text = "" };
    struct loose l = { 0 };
    u32 code[INSN_DW_MAX];
    if (insn_parse(&isa, text, &in, &e))
        bail("%s: %s", text, e.text);
    u32 n = insn_encode(&in, code);
    machine_reset(m, 1, 0);
    if (machine_load(m, code, n, PC_DEFAULT, &e))
        bail("%s", e.text);
    struct wave *w = m->wave[0];
    wave_set(w, PLACE_MODE, 0, mode);
    wave_set(w, 126, 0, 15);
    wave_set(w, 127, 0, 0);
    for (u32 lane = 0; lane < 4; lane++) {
        wave_set(w, PLACE_V0 + 1, lane, v->a[lane]);
        wave_set(w, PLACE_V0 + 2, lane, v->b[lane]);
        wave_set(w, PLACE_V0 + 3, lane, v->c[lane]);
        wave_set(w, PLACE_V0, lane, v->c[lane]);
    }
    const struct xinsn *x = machine_fetch(m, w);
    if (!x)
        bail("%s: %s", text, w->why);
    gen_loose(w, x, &l);
    return l;
}

static void is_loose(const char *text, u32 mode, struct values v, u64 nan_lanes, u64 any_lanes)
{
    struct loose l = judge(text, mode, &v);
    ok(l.nan_lanes == nan_lanes && l.any_lanes == any_lanes,
       "%s, mode 0x%x: NaN 0x%llx, any 0x%llx", text, mode, (unsigned long long)l.nan_lanes,
       (unsigned long long)l.any_lanes);
}

static void test_nans(void)
{
    struct values v = { { QNAN, QNAN, ONE, SNAN }, { QNAN2, ONE, ONE, ONE }, { 0 } };
    is_loose("v_add_f32 v0, v1, v2", MODE_DEFAULT, v, 1, 0);
    is_loose("v_add_f32 v0, v1, v2", IEEE_OFF, v, 9, 0);
    is_loose("v_mul_f32 v0, v1, v2", MODE_DEFAULT, v, 1, 0);
    is_loose("v_add_f32 v0, v1, 1.0", MODE_DEFAULT, v, 0, 0);
    is_loose("v_max_f32 v0, v1, v2", IEEE_OFF, v, 1, 0);
    is_loose("v_add_u32 v0, v1, v2", MODE_DEFAULT, v, 0, 0);
    is_loose("v_mov_b32 v0, v1", IEEE_OFF, v, 0, 0);
    is_loose("v_cmp_lt_f32 vcc, v1, v2", MODE_DEFAULT, v, 0, 0);
    is_loose("v_cvt_rpi_i32_f32 v0, v1", MODE_DEFAULT, v, 0, 11);
    is_loose("v_cvt_i32_f32 v0, v1", MODE_DEFAULT, v, 0, 0);
    /* abs and neg come first and make no NaN of a number */
    is_loose("v_add_f32_e64 v0, -v1, |v2|", MODE_DEFAULT, v, 1, 0);
    /* 0 * inf beside a NaN addend; the third lane has an ordinary product, the fourth no NaN */
    struct values f = { { 0, INF, ONE, 0 }, { INF, 0, ONE, INF }, { QNAN, QNAN, QNAN, ONE } };
    is_loose("v_fma_f32 v0, v1, v2, v3", MODE_DEFAULT, f, 3, 0);
    is_loose("v_mac_f32 v0, v1, v2", MODE_DEFAULT, f, 3, 0);
    is_loose("v_madmk_f32 v0, v1, 0x7f800000, v3", MODE_DEFAULT, f, 1, 0);
}

static void test_modes(void)
{
    struct values mm = { { SUB, ONE, ONE, 0 }, { ONE, SUB, HALF, ONE }, { 0 } };
    is_loose("v_min_f32 v0, v1, v2", MODE_DEFAULT, mm, 0, 0);
    is_loose("v_min_f32 v0, v1, v2", FLUSH, mm, 0, 3);
    /* 1/3 * 1/3 is inexact; 0.5 * 0.5 is not; MIN * HALF is subnormal; 0 is exact */
    struct values mad = { { THIRD, HALF, MIN, 0 },
                          { THIRD, HALF, HALF, ONE },
                          { ONE, ONE, ONE, ONE } };
    is_loose("v_mad_f32 v0, v1, v2, v3", MODE_DEFAULT, mad, 0, 4);
    is_loose("v_mad_f32 v0, v1, v2, v3", MODE_DEFAULT | ROUND_UP_32, mad, 0, 5);
    is_loose("v_fma_f32 v0, v1, v2, v3", MODE_DEFAULT | ROUND_UP_32, mad, 0, 0);
    /* (1 - 2^-24) * 2^-126 rounds up to 2^-126; 2^-126 itself is exact; half of it is flushed for
     * certain */
    struct values edge = { { 0x3f7fffff, ONE, HALF, ONE }, { MIN, MIN, MIN, ONE }, { 0 } };
    is_loose("v_mul_f32 v0, v1, v2", FLUSH, edge, 0, 1);
    is_loose("v_mul_f32 v0, v1, v2", MODE_DEFAULT, edge, 0, 0);
    struct values one = { { 0x80000000, 0xb3000000, 0xbf000000, INF }, { 0 }, { 0 } };
    is_loose("v_fract_f32 v0, v1", MODE_DEFAULT, one, 8, 3);
    struct values sub = { { SUB, ONE, 0, HALF }, { 0 }, { 0 } };
    is_loose("v_floor_f32 v0, v1", MODE_DEFAULT, sub, 0, 0);
    is_loose("v_floor_f32 v0, v1", FLUSH, sub, 0, 1);
    /* omod does nothing with IEEE set; else zeros and the lowest binade are open */
    struct values om = { { ONE, ONE, 0, MIN }, { ONE, 0xbf800000, 0, 0 }, { 0 } };
    is_loose("v_add_f32_e64 v0, v1, v2 mul:2", FLUSH, om, 0, 0);
    is_loose("v_add_f32_e64 v0, v1, v2 mul:2", FLUSH & ~0x200, om, 0, 14);
}

static void test_masks(void)
{
    struct values v = { { 1, 2, 3, 4 }, { 0 }, { 0 } };
    is_hex(0, judge("v_add_co_u32 v0, vcc, v1, v2", MODE_DEFAULT, &v).mask_lanes,
           "a carry is exact");
    is_hex(15, judge("v_add_co_u32_e64 v0, vcc, v1, v2 clamp", MODE_DEFAULT, &v).mask_lanes,
           "but not beside a clamp");
    is_hex(15, judge("v_mad_i64_i32 v[4:5], vcc, v1, v2, 0", MODE_DEFAULT, &v).mask_lanes,
           "v_mad_i64_i32");
    is_hex(0, judge("v_mad_u64_u32 v[4:5], vcc, v1, v2, 0", MODE_DEFAULT, &v).mask_lanes,
           "v_mad_u64_u32");
    /* lane 3 would read lane 4, which is off */
    const char *dpp = "v_add_co_u32_dpp v0, vcc, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf";
    is_hex(8, judge(dpp, MODE_DEFAULT, &v).mask_lanes, "lanes that DPP does not write");
    is_hex(
        0,
        judge("v_add_co_u32_dpp v0, vcc, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1",
              MODE_DEFAULT, &v)
            .mask_lanes,
        "with bound_ctrl it writes them");
    ok(judge("s_bfe_i32 s0, 5, 0x1f0004", MODE_DEFAULT, &v).scalar,
       "a signed field that runs past the top");
    ok(!judge("s_bfe_i32 s0, 5, 0x100004", MODE_DEFAULT, &v).scalar, "one that does not");
    ok(!judge("s_bfe_u32 s0, 5, 0x1f0004", MODE_DEFAULT, &v).scalar, "an unsigned one");
    struct values far = { { 1, 0x80000000, 3, 0xffffffff }, { 0 }, { 0 } };
    is_loose("global_load_dword v0, v1, s[2:3]", MODE_DEFAULT, far, 0, 10);
    is_loose("global_load_dword v0, v[1:2], off", MODE_DEFAULT, far, 0, 0);
}

/* A row with a float result that joins the model needs a decision in fuzz/loose.c. */
static void test_decided(void)
{
    for (u32 op = OP_NONE + 1; op < OP_COUNT; op++) {
        const struct isa_row *row = &isa_rows[op];
        bool is_float = false;
        for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
            is_float |= (o->dir & DIR_W) && isa_types[o->type].class == CLASS_FLOAT;
        if (is_float && isa_modelled((enum isa_op)op))
            ok(gen_loose_knows((enum isa_op)op), "decided in fuzz/loose.c: %s", row->name);
    }
    ok(!gen_loose_knows(OP_v_add_u32), "which says nothing of integers");
}

int main(void)
{
    struct err e = { .text = "" };
    struct machine_cfg cfg = { .waves_max = 1 };
    if (isa_open(&isa, "gfx900", &e) || engine_open(&engine, "ref", &e) ||
        machine_open(&m, &isa, &engine, &cfg, &e))
        bail("%s", e.text);
    test_nans();
    test_modes();
    test_masks();
    test_decided();
    machine_close(m);
    return done();
}
