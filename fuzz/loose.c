/* The numeric rules that name several right results, for the rows that are modelled. */
#include "fuzz/loose.h"

#include "oracle/exec.h"
#include "oracle/fp.h"

enum { SOURCES = 3 };

/* The float operands of an instruction: 64 values each, in operand order, what it accumulates to
 * behind them. */
struct sources {
    u32 count;
    u32 v[SOURCES][LANES];
};

static void fetch_floats(struct wave *w, const struct xinsn *x, struct sources *s)
{
    static const u8 order[] = { SLOT_S0, SLOT_S1, SLOT_S2, SLOT_D };
    s->count = 0;
    for (u32 i = 0; i < COUNT_OF(order); i++) {
        const struct xop *o = &x->opnd[order[i]];
        if (o->type != T_F32 || !o->fetch32 || s->count == SOURCES)
            continue;
        u32 buf[LANES];
        memcpy(s->v[s->count++], fetch32(w, x, o, buf), sizeof buf);
    }
}

static bool is_subnormal(u32 v)
{
    return f32_is_tiny_or_zero(v) && v << 1;
}
static bool is_zero(u32 v)
{
    return !(v << 1);
}
static bool is_inf(u32 v)
{
    return v << 1 == 0xff000000;
}

/* What the instruction computes before omod and clamp, where it is arithmetic; false for others. */
static bool compute(u32 op, struct fp_env *env, u32 a, u32 b, u32 c, u32 *r)
{
    switch (op) {
    case OP_v_add_f32: *r = fadd32(env, a, b); return true;
    case OP_v_sub_f32: *r = fsub32(env, a, b); return true;
    case OP_v_subrev_f32: *r = fsub32(env, b, a); return true;
    case OP_v_mul_f32: *r = fmul32(env, a, b); return true;
    case OP_v_fma_f32: *r = ffma32(env, a, b, c); return true;
    case OP_v_mac_f32:
    case OP_v_mad_f32:
    case OP_v_madak_f32: *r = fmad32(env, a, b, c); return true;
    case OP_v_madmk_f32: *r = fmad32(env, a, c, b); return true;
    default: return false;
    }
}

/* Factors first, addend last. */
static void order_madmk(u32 op, u32 *b, u32 *c)
{
    if (op == OP_v_madmk_f32) {
        u32 t = *b;
        *b = *c;
        *c = t;
    }
}

/* The unfused product: rounded by FP_ROUND or to even, flushed alone or not. */
static bool product_is_open(const struct fp_env *mode, u32 a, u32 b)
{
    struct fp_env env = *mode;
    env.flush_in = 1;
    env.flush_out = 0;
    env.flags = 0;
    u32 r = fmul32(&env, a, b);
    return is_subnormal(r) || (mode->round != ROUND_EVEN && env.flags & FP_INEXACT);
}

/* Flushed to zero, or kept because it rounds up to the smallest normal number: which is not
 * certain. */
static bool flush_is_open(u32 op, const struct fp_env *mode, u32 a, u32 b, u32 c)
{
    struct fp_env env = *mode;
    u32 r;
    env.flush_out = 0;
    env.flags = 0;
    return mode->flush_out && compute(op, &env, a, b, c, &r) && r << 1 == 0x01000000 &&
           env.flags & FP_INEXACT;
}

/* omod works in this mode, and what it makes of zeros and of the smallest numbers is not certain.
 */
static bool omod_is_open(const struct xinsn *x, const struct fp_env *mode, u32 a, u32 b, u32 c)
{
    struct fp_env env = *mode;
    u32 r;
    if (!x->omod || mode->ieee || !mode->flush_out)
        return false;
    return !compute(x->insn.op, &env, a, b, c, &r) || (r & 0x7f800000) <= 0x00800000;
}

enum how { EXACT, NAN_ONLY, ANY };

static enum how judge_arithmetic(const struct xinsn *x, const struct fp_env *mode, u32 a, u32 b,
                                 u32 c)
{
    bool mad = insn_row(&x->insn)->flags & FLAG_FLUSHES, sum = mad || x->insn.op == OP_v_fma_f32;
    bool flush = mad || mode->flush_in;
    order_madmk(x->insn.op, &b, &c);
    if (mad && product_is_open(mode, a, b))
        return ANY;
    u32 nans = (u32)f32_is_nan(a) + f32_is_nan(b) + (sum && f32_is_nan(c));
    bool za = flush ? f32_is_tiny_or_zero(a) : is_zero(a),
         zb = flush ? f32_is_tiny_or_zero(b) : is_zero(b);
    bool invalid = sum && ((za && is_inf(b)) || (zb && is_inf(a)));
    bool signaling = f32_is_snan(a) || f32_is_snan(b) || (sum && f32_is_snan(c));
    order_madmk(x->insn.op, &b, &c);
    if (nans > 1 || (nans && (invalid || (signaling && !mode->ieee))))
        return NAN_ONLY;
    bool open = flush_is_open(x->insn.op, mode, a, b, c) || omod_is_open(x, mode, a, b, c);
    return open && !nans ? ANY : EXACT;
}

static enum how judge_one(const struct xinsn *x, const struct fp_env *mode, u32 a, u32 b)
{
    bool flushes = mode->flush_in || mode->flush_out;
    bool signaling = f32_is_snan(a) && !mode->ieee;
    switch (x->insn.op) {
    case OP_v_min_f32:
    case OP_v_max_f32:
        if (f32_is_nan(a) && f32_is_nan(b))
            return NAN_ONLY;
        return flushes && (is_subnormal(a) || is_subnormal(b)) ? ANY : EXACT;
    case OP_v_cvt_rpi_i32_f32:
    case OP_v_cvt_flr_i32_f32: return f32_is_nan(a) ? ANY : EXACT;
    case OP_v_fract_f32:
        if (is_inf(a) || signaling)
            return NAN_ONLY;
        /* -0, and what is so little below zero that 1 - |x| rounds to 1 */
        return (a >> 31 && (a & 0x7fffffff) < 0x33800000) || (flushes && is_subnormal(a)) ? ANY
                                                                                          : EXACT;
    case OP_v_trunc_f32:
    case OP_v_ceil_f32:
    case OP_v_floor_f32:
    case OP_v_rndne_f32:
        if (signaling)
            return NAN_ONLY;
        return flushes && is_subnormal(a) ? ANY : EXACT;
    default: return EXACT;
    }
}

/* Every modelled row with a float result, and who judges it. A row that is missing would be taken
 * for exact with nobody having looked at the rules: t_loose fails. */
enum judge { JUDGE_UNKNOWN, JUDGE_EXACT, JUDGE_ARITHMETIC, JUDGE_ONE };

static const u8 float_rows[OP_COUNT] = {
    [OP_v_add_f32] = JUDGE_ARITHMETIC,
    [OP_v_sub_f32] = JUDGE_ARITHMETIC,
    [OP_v_subrev_f32] = JUDGE_ARITHMETIC,
    [OP_v_mul_f32] = JUDGE_ARITHMETIC,
    [OP_v_fma_f32] = JUDGE_ARITHMETIC,
    [OP_v_mac_f32] = JUDGE_ARITHMETIC,
    [OP_v_mad_f32] = JUDGE_ARITHMETIC,
    [OP_v_madak_f32] = JUDGE_ARITHMETIC,
    [OP_v_madmk_f32] = JUDGE_ARITHMETIC,
    [OP_v_min_f32] = JUDGE_ONE,
    [OP_v_max_f32] = JUDGE_ONE,
    [OP_v_fract_f32] = JUDGE_ONE,
    [OP_v_trunc_f32] = JUDGE_ONE,
    [OP_v_ceil_f32] = JUDGE_ONE,
    [OP_v_floor_f32] = JUDGE_ONE,
    [OP_v_rndne_f32] = JUDGE_ONE,
    /* omod aside, which is judged for all of them */
    [OP_v_cvt_f32_i32] = JUDGE_EXACT,
    [OP_v_cvt_f32_u32] = JUDGE_EXACT,
    [OP_v_cvt_f32_ubyte0] = JUDGE_EXACT,
    [OP_v_cvt_f32_ubyte1] = JUDGE_EXACT,
    [OP_v_cvt_f32_ubyte2] = JUDGE_EXACT,
    [OP_v_cvt_f32_ubyte3] = JUDGE_EXACT,
    /* no float result, but loose for NaN sources */
    [OP_v_cvt_rpi_i32_f32] = JUDGE_ONE,
    [OP_v_cvt_flr_i32_f32] = JUDGE_ONE,
};

bool gen_loose_knows(enum isa_op op)
{
    return float_rows[op] != JUDGE_UNKNOWN;
}

static enum how judge_lane(const struct xinsn *x, const struct fp_env *mode, u32 a, u32 b, u32 c)
{
    switch ((enum judge)float_rows[x->insn.op]) {
    case JUDGE_ARITHMETIC: return judge_arithmetic(x, mode, a, b, c);
    case JUDGE_ONE: return judge_one(x, mode, a, b);
    case JUDGE_UNKNOWN:
    case JUDGE_EXACT: break;
    }
    return EXACT;
}

static void judge_floats(struct wave *w, const struct xinsn *x, struct loose *l)
{
    struct sources s;
    const struct fp_env *mode = &w->f32;
    fetch_floats(w, x, &s);
    if (s.count == 0 && x->opnd[SLOT_D].type == T_F32 && omod_is_open(x, mode, 0, 0, 0))
        l->any_lanes = wave_exec(w);
    for (u64 m = wave_exec(w); m && s.count; m &= m - 1) {
        u32 lane = ctz64(m);
        u32 a = s.v[0][lane], b = s.count > 1 ? s.v[1][lane] : 0,
            c = s.count > 2 ? s.v[2][lane] : 0;
        enum how how = judge_lane(x, mode, a, b, c);
        if (how == EXACT && x->opnd[SLOT_D].type == T_F32 && omod_is_open(x, mode, a, b, c))
            how = ANY;
        l->nan_lanes |= (u64)(how == NAN_ONLY) << lane;
        l->any_lanes |= (u64)(how == ANY) << lane;
    }
}

/* Carries: with clamp it may be the true one or 0; a lane that DPP does not write may get 0 or keep
 * its bit. */
static void judge_carry(struct wave *w, const struct xinsn *x, struct loose *l)
{
    u32 buf[LANES];
    if (x->clamp || x->insn.op == OP_v_mad_i64_i32)
        l->mask_lanes = wave_exec(w);
    if (x->insn.form != FORM_DPP)
        return;
    fetch32(w, x, &x->opnd[SLOT_S0], buf);
    l->mask_lanes |= wave_exec(w) & ~w->write_mask;
}

static void judge_scalar(const struct wave *w, const struct xinsn *x, struct loose *l)
{
    if (x->insn.op == OP_s_bfe_i32) {
        u32 s1 = scalar32(w, &x->opnd[SLOT_S1]), offset = s1 & 31, width = s1 >> 16 & 127;
        l->scalar = offset && offset + width > 32;
    } else if (x->insn.op == OP_s_getreg_b32) {
        l->scalar = (insn_get(&x->insn, FLD_simm16) & 63) != HWREG_MODE;
    }
}

/* A 32-bit offset beside a scalar base: whether it has a sign is contested. */
static void judge_offset(const struct wave *w, const struct xinsn *x, struct loose *l)
{
    const struct xop *v = &x->opnd[SLOT_ADDR];
    if (v->dw != 1)
        return;
    for (u64 m = wave_exec(w); m; m &= m - 1)
        l->any_lanes |= (u64)(w->vgpr[v->code - CODE_VGPR][ctz64(m)] >> 31) << ctz64(m);
}

void gen_loose(struct wave *w, const struct xinsn *x, struct loose *l)
{
    const struct isa_row *row = insn_row(&x->insn);
    *l = (struct loose){ 0 };
    if (row->enc == ENC_SOP2 || row->enc == ENC_SOPK)
        judge_scalar(w, x, l);
    else if (row->enc == ENC_GLOBAL)
        judge_offset(w, x, l);
    else if (x->opnd[SLOT_CARRY].kind == K_MASK)
        judge_carry(w, x, l);
    else if (row->enc != ENC_VOPC && !(row->flags & FLAG_LANEWISE))
        judge_floats(w, x, l);
}
