/* Which results may differ, by hand: one instruction, lane by lane, in the MODE given. Lane n has
 * operands a[n], b[n], c[n]. */
#include "harness/t/lib/machine.h"
#include "oracle/accept/acceptance.h"

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

struct values {
    u32 a[4], b[4], c[4];
};

/* The wave is about to run the instruction. */
static const struct xinsn *load(const struct insn *in, u32 mode)
{
    struct err e = { .text = "" };
    u32 code[INSN_DW_MAX];
    u32 n = insn_encode(in, code);
    machine_reset(m, 1, 0);
    if (machine_load(m, code, n, PC_DEFAULT, &e))
        bail("%s", e.text);
    struct wave *w = m->wave[0];
    wave_set(w, PLACE_MODE, 0, mode);
    const struct xinsn *x = machine_fetch(m, w);
    if (!x)
        bail("%s", w->why);
    return x;
}

/* Four lanes are on; lanes beyond are not judged. */
static struct acceptance judge(const char *text, u32 mode, const struct values *v)
{
    struct insn in;
    struct err e = { .text = "" };
    struct acceptance l = { 0 };
    if (insn_parse(&isa, text, &in, &e))
        bail("%s: %s", text, e.text);
    const struct xinsn *x = load(&in, mode);
    struct wave *w = m->wave[0];
    wave_set(w, 126, 0, 15);
    wave_set(w, 127, 0, 0);
    for (u32 lane = 0; lane < 4; lane++) {
        wave_set(w, PLACE_V0 + 1, lane, v->a[lane]);
        wave_set(w, PLACE_V0 + 2, lane, v->b[lane]);
        wave_set(w, PLACE_V0 + 3, lane, v->c[lane]);
        wave_set(w, PLACE_V0, lane, v->c[lane]);
    }
    acceptance_of(w, x, &l);
    return l;
}

static void is_loose(const char *text, u32 mode, struct values v, u64 nan_lanes, u64 set_lanes)
{
    struct acceptance l = judge(text, mode, &v);
    bool good = ok(l.nan_lanes == nan_lanes && l.set_lanes == set_lanes && !l.any_lanes,
                   "%s, mode 0x%x: NaN 0x%llx, several 0x%llx", text, mode,
                   (unsigned long long)nan_lanes, (unsigned long long)set_lanes);
    if (!good)
        diag("got NaN 0x%llx, several 0x%llx, any 0x%llx", (unsigned long long)l.nan_lanes,
             (unsigned long long)l.set_lanes, (unsigned long long)l.any_lanes);
}

/* In `lane` the one other right value is `other`. */
static void is_set(const char *text, u32 mode, struct values v, u32 lane, u64 other)
{
    struct acceptance l = judge(text, mode, &v);
    is_u64(1, l.alt_count[lane], "%s, mode 0x%x, lane %u: two right values", text, mode, lane);
    is_hex(other, l.alt[0][lane], "which are these");
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
    is_set("v_cvt_rpi_i32_f32 v0, v1", MODE_DEFAULT, v, 0, 0);
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
    is_set("v_min_f32 v0, v1, v2", FLUSH, mm, 1, SUB);
    is_loose("v_max_f32 v0, v1, v2", FLUSH, mm, 0, 0);
    /* 1/3 * 1/3 is inexact; 0.5 * 0.5 is not; MIN * HALF is subnormal, which 1 absorbs unless the
     * sum is rounded up; 0 is exact */
    struct values mad = { { THIRD, HALF, MIN, 0 },
                          { THIRD, HALF, HALF, ONE },
                          { ONE, ONE, ONE, ONE } };
    is_loose("v_mad_f32 v0, v1, v2, v3", MODE_DEFAULT, mad, 0, 0);
    is_loose("v_mad_f32 v0, v1, v2, v3", MODE_DEFAULT | ROUND_UP_32, mad, 0, 4);
    is_set("v_mad_f32 v0, v1, v2, v3", MODE_DEFAULT | ROUND_UP_32, mad, 2, ONE + 1);
    is_loose("v_fma_f32 v0, v1, v2, v3", MODE_DEFAULT | ROUND_UP_32, mad, 0, 0);
    /* 1/3 * 1/3 rounds up to even in the first, down in the second */
    struct values third = { { THIRD, 0x3eaaaaac, 0, 0 }, { THIRD, THIRD, 0, 0 }, { 0 } };
    is_loose("v_mad_f32 v0, v1, v2, v3", MODE_DEFAULT | ROUND_UP_32, third, 0, 2);
    is_set("v_mad_f32 v0, v1, v2, v3", MODE_DEFAULT | ROUND_UP_32, third, 1, 0x3de38e3b);
    /* (1 - 2^-24) * 2^-126 is a number of 24 bits below 2^-126, a subnormal tie; (2^-126 - 2^-149)
     * * (1 + 2^-23) lies so little below 2^-126 that 24 bits round it up to there; 2^-126 itself is
     * exact; half of it is flushed for certain */
    struct values edge = { { 0x3f7fffff, ONE + 1, HALF, ONE }, { MIN, MIN - 1, MIN, MIN }, { 0 } };
    is_loose("v_mul_f32 v0, v1, v2", FLUSH, edge, 0, 1);
    is_set("v_mul_f32 v0, v1, v2", FLUSH, edge, 0, MIN);
    is_loose("v_mul_f32 v0, v1, v2", FLUSH | 0x10, edge, 0, 3);
    is_set("v_mul_f32 v0, v1, v2", FLUSH | 0x10, edge, 1, 0);
    is_loose("v_mul_f32 v0, v1, v2", MODE_DEFAULT, edge, 0, 0);
    struct values one = { { 0x80000000, 0xb3000000, 0xbf000000, INF }, { 0 }, { 0 } };
    is_loose("v_fract_f32 v0, v1", MODE_DEFAULT, one, 8, 3);
    struct values sub = { { SUB, ONE, 0, HALF }, { 0 }, { 0 } };
    is_loose("v_floor_f32 v0, v1", MODE_DEFAULT, sub, 0, 0);
    is_loose("v_floor_f32 v0, v1", FLUSH, sub, 0, 0);
    is_loose("v_ceil_f32 v0, v1", FLUSH, sub, 0, 1);
    is_set("v_floor_f32 v0, v1", FLUSH, (struct values){ .a = { 0x80000001 } }, 0, 0xbf800000);
    is_set("v_fract_f32 v0, v1", MODE_DEFAULT, one, 0, 0x80000000);
    is_set("v_fract_f32 v0, v1", MODE_DEFAULT, (struct values){ .a = { 0xb2000000 } }, 0, ONE);
    /* omod does nothing with IEEE set; else -0 becomes +0, and the sign of a zero that halving makes
     * is open */
    struct values om = { { ONE, 0x80000000, 0, MIN }, { ONE, 0x80000000, 0, 0 }, { 0 } };
    is_loose("v_add_f32_e64 v0, v1, v2 mul:2", FLUSH, om, 0, 0);
    is_loose("v_add_f32_e64 v0, v1, v2 mul:2", FLUSH & ~0x200, om, 0, 0);
    struct values half = { { 0x80800000, MIN, 0x81000000 }, { 0 }, { 0 } };
    is_loose("v_add_f32_e64 v0, v1, v2 div:2", FLUSH & ~0x200, half, 0, 1);
    is_set("v_add_f32_e64 v0, v1, v2 div:2", FLUSH & ~0x200, half, 0, 0);
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
    is_hex(10, judge("global_load_dword v0, v1, s[2:3]", MODE_DEFAULT, &far).any_lanes,
           "an offset of 32 bits with the top bit set");
    is_hex(0, judge("global_load_dword v0, v[1:2], off", MODE_DEFAULT, &far).any_lanes,
           "an address of 64 bits");
}

/* ---- comparing ---- */

struct accept_row {
    u8 accept, n, type;
    bool less, more, rel;
    u64 want, got;
    bool right;
};

static void test_tolerances(void)
{
    static const struct accept_row rows[] = {
        { ACCEPT_ULP, 1, T_F32, 0, 0, 0, ONE, ONE + 1, true },
        { ACCEPT_ULP, 1, T_F32, 0, 0, 0, ONE, ONE - 1, true },
        { ACCEPT_ULP, 1, T_F32, 0, 0, 0, ONE, ONE + 2, false },
        { ACCEPT_ULP, 2, T_F32, 0, 0, 0, ONE, ONE + 2, true },
        { ACCEPT_ULP, 1, T_F32, 0, 0, 0, ONE, 0xbf800000, false },
        /* the exact value lies below: the number above it is more than one unit away */
        { ACCEPT_ULP, 1, T_F32, 1, 0, 0, ONE, ONE + 1, false },
        { ACCEPT_ULP, 1, T_F32, 1, 0, 0, ONE, ONE - 1, true },
        { ACCEPT_ULP, 1, T_F32, 0, 1, 0, ONE, ONE - 1, false },
        { ACCEPT_ULP, 1, T_F32, 0, 1, 0, ONE, ONE + 1, true },
        /* less is more of a magnitude below zero */
        { ACCEPT_ULP, 1, T_F32, 1, 0, 0, 0xbf800000, 0xbf800001, true },
        { ACCEPT_ULP, 1, T_F32, 1, 0, 0, 0xbf800000, 0xbf7fffff, false },
        { ACCEPT_ULP, 1, T_F32, 0, 0, 0, 0x7f7fffff, INF, false },
        { ACCEPT_ULP, 1, T_F32, 0, 0, 0, QNAN, QNAN + 1, false },
        { ACCEPT_ABS, 21, T_F32, 0, 0, 0, 0x3f000000, 0x3f000008, true }, /* 2^-24 each */
        { ACCEPT_ABS, 21, T_F32, 0, 0, 0, 0x3f000000, 0x3f000009, false },
        { ACCEPT_ABS, 21, T_F32, 0, 0, 0, 0, 0x35000000, true }, /* 2^-21 */
        { ACCEPT_ABS, 21, T_F32, 0, 0, 0, 0, 0x35000001, false },
        { ACCEPT_ABS, 21, T_F32, 0, 0, 0, 0x00000001, 0xb5000000, true }, /* nearly */
        { ACCEPT_ABS, 21, T_F32, 0, 0, 0, 0x34800000, 0xb4800000, true }, /* +-2^-22 */
        { ACCEPT_ABS, 21, T_F32, 0, 0, 0, 0x34800000, 0xb4800001, false },
        { ACCEPT_ABS, 21, T_F32, 0, 0, 1, 0x35000000, 0x35000002, true }, /* 2 * 2^-23 < 2^-21 */
        { ACCEPT_ABS, 21, T_F32, 0, 0, 1, 0x35000000, 0x35000004, true },
        { ACCEPT_ABS, 21, T_F32, 0, 0, 1, 0x35000000, 0x35000005, false },
        { ACCEPT_REL, 23, T_F64, 0, 0, 0, 0x3ff0000000000000, 0x3ff0000020000000, true },
        { ACCEPT_REL, 23, T_F64, 0, 0, 0, 0x3ff0000000000000, 0x3ff0000020000001, false },
        { ACCEPT_REL, 23, T_F64, 0, 0, 0, 0x3ff0000000000000, 0x3feffffFc0000000, true },
        { ACCEPT_REL, 23, T_F64, 0, 0, 0, 0x3ff0000000000000, 0x3feffffFbfffffff, false },
        { ACCEPT_REL, 23, T_F64, 0, 0, 0, 0x3ff0000000000000, 0x7ff0000000000000, false },
        { ACCEPT_SET, 0, T_F32, 0, 0, 0, ONE, ONE + 1, false },
        { ACCEPT_ULP, 1, T_F16, 0, 0, 0, 0x3c00, 0x3c01, true },
        { ACCEPT_ULP, 1, T_F16, 0, 0, 0, 0x3c00, 0x13c00, false }, /* the other half */
        { ACCEPT_ULP, 1, T_PF16, 0, 0, 0, 0x3c003c00, 0x3bff3c01, true },
        { ACCEPT_ULP, 1, T_PF16, 0, 0, 0, 0x3c003c00, 0x3bfe3c01, false },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct accept_row *r = &rows[i];
        struct acceptance l = { .accept = r->accept,
                                .accept_n = r->n,
                                .type = r->type,
                                .dw = isa_types[r->type].dwords,
                                .near_lanes = 2,
                                .less_lanes = (u64)r->less << 1,
                                .more_lanes = (u64)r->more << 1,
                                .rel_lanes = (u64)r->rel << 1 };
        ok(acceptance_takes(&l, 1, r->want, r->got) == r->right, "row %zu: 0x%llx for 0x%llx is %s",
           i, (unsigned long long)r->got, (unsigned long long)r->want,
           r->right ? "right" : "wrong");
        ok(!acceptance_takes(&l, 0, r->want, r->got), "but wrong in a lane that is exact");
    }
}

static void test_accepts(void)
{
    struct values v = { { QNAN, ONE, SNAN, SUB }, { QNAN2, ONE, QNAN2, ONE }, { 0 } };
    struct acceptance l = judge("v_add_f32 v0, v1, v2", MODE_DEFAULT, &v);
    ok(acceptance_takes(&l, 0, QNAN, QNAN2), "either of two NaNs");
    ok(!acceptance_takes(&l, 0, QNAN, INF), "no infinity");
    ok(!acceptance_takes(&l, 0, QNAN, SNAN), "no signaling one");
    ok(!acceptance_takes(&l, 1, 0x40000000, QNAN), "no NaN where there is none");
    l = judge("v_add_f32 v0, v1, v2", IEEE_OFF, &v);
    ok(acceptance_takes(&l, 2, SNAN, SNAN + 1), "with IEEE=0 signaling ones too");
    l = judge("v_min_f32 v0, v1, v2", FLUSH, &v);
    ok(acceptance_takes(&l, 3, 0, SUB) && !acceptance_takes(&l, 3, 0, SUB + 1),
       "one of a set, no third");
}

/* Inline floats and subnormal halves of packed and mixed operands. */
static void test_halves(void)
{
    struct values v = { { 0x40003c00 }, { ONE }, { 0 } };
    is_loose("v_pk_add_f16 v0, v1, 1.0", MODE_DEFAULT, v, 0, 0);
    /* 1 * 1 + 0, or the f32 of the bits 0x3c00, which is flushed, times 1 */
    is_set("v_mad_mix_f32 v0, v2, 1.0, v3", MODE_DEFAULT, v, 0, 0);
    struct acceptance l = judge("v_mad_mix_f32 v0, v2, 1.0, v3", MODE_DEFAULT, &v);
    ok(l.any_lanes == 0, "a constant that is an f32 is one of these");
    l = judge("v_mad_mix_f32 v0, v2, 3, v3", MODE_DEFAULT, &v);
    ok(l.set_lanes == 0, "an integer is known");
    l = judge("v_mad_mix_f32 v0, v2, 1.0, v3 op_sel_hi:[0,1,0]", MODE_DEFAULT, &v);
    ok(l.any_lanes & 1, "one that is a half is not");
    l = judge("v_mad_mix_f32 v0, v2, 3, v3 op_sel_hi:[0,1,0]", MODE_DEFAULT, &v);
    ok(l.any_lanes == 0, "an integer is");
    v.a[0] = 1;
    is_set("v_mad_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]", MODE_DEFAULT, v, 0, 0x33800000);
}

/* A load of halves on the processor that is open: `kept` of its result may be lost if that is `open`;
 * what it writes is compared, and so is a lane that is off. */
static void is_half(const char *text, u64 kept, bool open)
{
    struct values v = { .a = { 0 } };
    struct acceptance l = judge(text, MODE_DEFAULT, &v);
    u64 want = 0x5a5aa5a55a5aa5a5 & mask64(l.dw * 32), lowest = kept & -kept;
    const char *mcpu = isa.target->mcpu;
    for (u32 bit = 0; bit < l.dw * 32; bit += 8) {
        u64 flip = 1ull << bit;
        ok(acceptance_takes(&l, 3, want, want ^ flip) == (open && kept & flip),
           "%s, %s: a wrong bit %u is %s", mcpu, text, bit, open && kept & flip ? "open" : "wrong");
    }
    ok(acceptance_takes(&l, 3, want, want & ~kept) == (open || !kept), "%s: all that it keeps",
       text);
    ok(!acceptance_takes(&l, 3, want, (want & ~kept) ^ ((kept & 1) ? 1ull << 31 : 1)),
       "%s: that and a loaded bit", text);
    ok(!lowest || !acceptance_takes(&l, 4, want, want ^ lowest), "%s: a lane that is off", text);
}

static void test_half_loads(void)
{
    static const struct {
        const char *text;
        u64 kept;
    } load[] = {
        { "ds_read_u16_d16 v0, v1", 0xffff0000 },
        { "ds_read_i8_d16_hi v0, v1", 0xffff },
        { "global_load_short_d16_hi v0, v[1:2], off", 0xffff },
        { "buffer_load_ubyte_d16 v0, v1, s[0:3], 0 offen", 0xffff0000 },
        { "buffer_load_format_d16_hi_x v0, v1, s[0:3], 0 offen", 0xffff },
        { "buffer_load_format_d16_x v0, v1, s[0:3], 0 offen", 0xffff0000 },
        { "buffer_load_format_d16_xy v0, v1, s[0:3], 0 offen", 0 },
        { "buffer_load_format_d16_xyz v[0:1], v1, s[0:3], 0 offen", 0xffffull << 48 },
        { "tbuffer_load_format_d16_xyz v[0:1], v1, s[0:3], 0 offen", 0xffffull << 48 },
        { "tbuffer_load_format_d16_xyzw v[0:1], v1, s[0:3], 0 offen", 0 },
    };
    static const char *const mcpu[] = { "gfx908", "gfx900", "gfx908:sramecc-", "gfx908:sramecc+",
                                        "gfx906" };
    static const bool open[] = { true, false, false, false, true };
    for (u32 i = 0; i < COUNT_OF(mcpu); i++) {
        machine_close(m);
        machine_must_open_on(mcpu[i], &(struct machine_cfg){ .waves_max = 1 });
        for (u32 n = 0; n < COUNT_OF(load); n++)
            is_half(load[n].text, load[n].kept, open[i]);
    }
}

/* ---- the rows' claims ---- */

static const u32 edges[] = { 0, 0x80000000, SUB, 0x80000001, 0x007fffff, MIN, 0x80800000,
                             0x00800001, 0xb2000000, HALF, 0xbf000000, ONE, 0xbf800000, THIRD,
                             0x4b000001, 0x7f7fffff, INF, 0xff800000, QNAN, 0xffc12345, SNAN,
                             0x7ff00000, 0xfff80001,
                             /* f16: close to the middle after rcp, sqrt, rsq, log, exp */
                             0x3c103c10, 0x3c013c01, 0x3c1a3c1a, 0x3c0b3c0b, 0x3c433c43 };

/* What the row's arithmetic notes, of the edges in two operands. */
static struct lane_open notes_of(const struct insn *in, u32 mode)
{
    struct lane_open open = { 0 };
    const struct xinsn *x = load(in, mode);
    struct wave *w = m->wave[0];
    for (u32 i = 0; i < COUNT_OF(edges); i++) {
        for (u32 lane = 0; lane < LANES; lane++)
            for (u32 r = 0; r < VGPRS; r++)
                w->vgpr[r][lane] = edges[(r * i + lane * (r % 3 + 1) / 2) % COUNT_OF(edges)];
        w->open = &open;
        x->sem(w, x);
        w->open = NULL;
    }
    return open;
}

static u32 mode_of(u32 i)
{
    return (i & 3) * 5 | (i >> 2 & 1) * 0xf0 | (i >> 3 & 1) << MODE_IEEE;
}

/* Packed rows leave open what the high half of an inline float is. */
static u32 notes_of_constant(struct insn *in)
{
    enum { CODE_ONE = 242 };
    if (!isa_row_is_packed(insn_row(in)) || insn_row(in)->enc != ENC_VOP3P)
        return 0;
    insn_set(in, FLD_src0, CODE_ONE);
    return notes_of(in, MODE_DEFAULT).alts;
}

/* A row that claims to be exact must not note that results are open beyond what holds everywhere;
 * one that claims a tolerance must not claim it for a set. */
static void test_claims(void)
{
    u32 set = 0;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        const struct isa_row *row = &isa_rows[op];
        struct insn in;
        bool is_float = false, has_result = false, reads_lds = false;
        for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
            is_float |= isa_types[o->type].class == CLASS_FLOAT;
            has_result |= (o->dir & DIR_W) && o->kind == K_VGPR;
            reads_lds |= o->kind == K_ATTR;
        }
        if (!is_float || !has_result || !isa_modelled(op) || !isa_has(&isa, op) || reads_lds ||
            row->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC))
            continue;
        enum isa_form form = FORM_BASE;
        while (!(row->forms >> form & 1))
            form++;
        insn_neutral(&isa, op, form, &in);
        u32 alts = 0;
        u64 any = 0, near = 0;
        for (u32 mode = 0; mode < 16; mode++) {
            struct lane_open o = notes_of(&in, mode_of(mode));
            alts |= o.alts;
            any |= o.any;
            near |= o.near;
        }
        alts |= notes_of_constant(&in);
        u32 own = alts & ~(u32)(ALT_TINY | ALT_OMOD);
        enum isa_accept kind = isa_accept_kind(row);
        if (kind == ACCEPT_EXACT)
            ok(!own && !any && !near, "%s is exact, as its row says", row->name);
        else if (kind == ACCEPT_SET)
            ok((own || any) && !near, "%s has several right results, as its row says", row->name);
        else if (kind != ACCEPT_PROBE)
            ok(near, "%s is approximate, as its row says", row->name);
        set += kind == ACCEPT_SET;
    }
    ok(set >= 10, "%u rows have several right results", set);
}

int main(void)
{
    machine_must_open(&(struct machine_cfg){ .waves_max = 1 });
    test_nans();
    test_modes();
    test_masks();
    test_tolerances();
    test_accepts();
    test_halves();
    test_claims();
    test_half_loads();
    machine_close(m);
    return done();
}
