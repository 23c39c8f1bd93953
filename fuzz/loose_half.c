/* The numeric rules that name several right results, for f16. Where a rule is not known to be exact
 * the lane is not compared. */
#include "fuzz/loose_half.h"

enum { SOURCES = 3, MIN_NORMAL = 0x0400, ONE = 0x3c00 };

/* What is asked about one lane, or half of one. */
struct half {
    const struct xinsn *x;
    const struct fp_env *mode; /* of f16 */
    u16 v[SOURCES];            /* factors first, addend last */
};

static bool is_nan(u16 v)
{
    return (v & 0x7fff) > 0x7c00;
}
static bool is_signaling(u16 v)
{
    return is_nan(v) && !(v & 0x200);
}
static bool is_inf(u16 v)
{
    return (v & 0x7fff) == 0x7c00;
}
static bool is_zero(u16 v)
{
    return !(v & 0x7fff);
}
static bool is_subnormal(u16 v)
{
    return !(v & 0x7c00) && !is_zero(v);
}

static bool flushes(const struct half *h)
{
    return h->mode->flush_in || h->mode->flush_out;
}

static bool any_subnormal(const struct half *h, u32 count)
{
    bool any = false;
    for (u32 i = 0; i < count; i++)
        any |= is_subnormal(h->v[i]);
    return any;
}

static u32 count_nans(const struct half *h, u32 count)
{
    u32 n = 0;
    for (u32 i = 0; i < count; i++)
        n += is_nan(h->v[i]);
    return n;
}

static bool any_signaling(const struct half *h, u32 count)
{
    bool any = false;
    for (u32 i = 0; i < count; i++)
        any |= is_signaling(h->v[i]);
    return any;
}

/* How the row works, by what its rules look like. */
enum rule {
    RULE_NONE,
    RULE_EXACT,
    RULE_ADD,
    RULE_SUB,
    RULE_SUBREV,
    RULE_MUL,
    RULE_FMA,
    RULE_MAD,
    RULE_MADMK,
    RULE_LDEXP,
    RULE_MIN2,
    RULE_MIN3,
    RULE_MED3,
    RULE_WHOLE,
    RULE_FRACT,
    RULE_FREXP,
    RULE_TO_F16,
    RULE_TO_F32,
    RULE_NORM,
    RULE_FIXUP,
    RULE_PACK,
    RULE_APPROX,
    RULE_MIX
};

static const u8 rules[OP_COUNT] = {
    [OP_v_add_f16] = RULE_ADD,
    [OP_v_pk_add_f16] = RULE_ADD,
    [OP_v_sub_f16] = RULE_SUB,
    [OP_v_subrev_f16] = RULE_SUBREV,
    [OP_v_mul_f16] = RULE_MUL,
    [OP_v_pk_mul_f16] = RULE_MUL,
    [OP_v_fma_f16] = RULE_FMA,
    [OP_v_fma_legacy_f16] = RULE_FMA,
    [OP_v_pk_fma_f16] = RULE_FMA,
    [OP_v_mac_f16] = RULE_MAD,
    [OP_v_madak_f16] = RULE_MAD,
    [OP_v_madmk_f16] = RULE_MADMK,
    [OP_v_mad_f16] = RULE_MAD,
    [OP_v_mad_legacy_f16] = RULE_MAD,
    [OP_v_ldexp_f16] = RULE_LDEXP,
    [OP_v_min_f16] = RULE_MIN2,
    [OP_v_max_f16] = RULE_MIN2,
    [OP_v_pk_min_f16] = RULE_MIN2,
    [OP_v_pk_max_f16] = RULE_MIN2,
    [OP_v_min3_f16] = RULE_MIN3,
    [OP_v_max3_f16] = RULE_MIN3,
    [OP_v_med3_f16] = RULE_MED3,
    [OP_v_trunc_f16] = RULE_WHOLE,
    [OP_v_ceil_f16] = RULE_WHOLE,
    [OP_v_floor_f16] = RULE_WHOLE,
    [OP_v_rndne_f16] = RULE_WHOLE,
    [OP_v_fract_f16] = RULE_FRACT,
    [OP_v_frexp_mant_f16] = RULE_FREXP,
    [OP_v_frexp_exp_i16_f16] = RULE_FREXP,
    [OP_v_cvt_f16_f32] = RULE_TO_F16,
    [OP_v_cvt_f32_f16] = RULE_TO_F32,
    [OP_v_cvt_f16_u16] = RULE_EXACT,
    [OP_v_cvt_f16_i16] = RULE_EXACT,
    [OP_v_cvt_u16_f16] = RULE_EXACT,
    [OP_v_cvt_i16_f16] = RULE_EXACT,
    [OP_v_cvt_norm_i16_f16] = RULE_NORM,
    [OP_v_cvt_norm_u16_f16] = RULE_NORM,
    [OP_v_cvt_pknorm_i16_f16] = RULE_NORM,
    [OP_v_cvt_pknorm_u16_f16] = RULE_NORM,
    [OP_v_div_fixup_f16] = RULE_FIXUP,
    [OP_v_div_fixup_legacy_f16] = RULE_FIXUP,
    [OP_v_pack_b32_f16] = RULE_PACK,
    [OP_v_rcp_f16] = RULE_APPROX,
    [OP_v_rsq_f16] = RULE_APPROX,
    [OP_v_sqrt_f16] = RULE_APPROX,
    [OP_v_log_f16] = RULE_APPROX,
    [OP_v_exp_f16] = RULE_APPROX,
    [OP_v_sin_f16] = RULE_APPROX,
    [OP_v_cos_f16] = RULE_APPROX,
    [OP_v_mad_mix_f32] = RULE_MIX,
    [OP_v_mad_mixlo_f16] = RULE_MIX,
    [OP_v_mad_mixhi_f16] = RULE_MIX,
};

bool loose_half_knows(enum isa_op op)
{
    return rules[op] != RULE_NONE;
}

static enum rule rule_of(const struct half *h)
{
    return (enum rule)rules[h->x->insn.op];
}

/* ---- arithmetic ---- */

static bool is_sum_of_product(enum rule rule)
{
    return rule == RULE_FMA || rule == RULE_MAD || rule == RULE_MADMK;
}

/* The result under env, before omod and clamp. */
static u16 compute(const struct half *h, struct fp_env *env)
{
    const u16 *v = h->v;
    switch (rule_of(h)) {
    case RULE_ADD: return fadd16(env, v[0], v[1]);
    case RULE_SUB: return fsub16(env, v[0], v[1]);
    case RULE_SUBREV: return fsub16(env, v[1], v[0]);
    case RULE_MUL: return fmul16(env, v[0], v[1]);
    case RULE_LDEXP: return fldexp16(env, v[0], (i16)v[1]);
    default: return ffma16(env, v[0], v[1], v[2]);
    }
}

/* The unfused product: rounded by FP_ROUND or to even, flushed alone or not. */
static bool product_is_open(const struct half *h)
{
    struct fp_env env = *h->mode;
    env.flush_in = 1;
    env.flush_out = 0;
    env.flags = 0;
    u16 r = fmul16(&env, h->v[0], h->v[1]);
    return is_subnormal(r) || (env.round != ROUND_EVEN && env.flags & FP_INEXACT);
}

/* Flushed to zero, or kept because it rounds up to the smallest normal number. */
static bool flush_is_open(const struct half *h, bool mad)
{
    struct fp_env env = *h->mode;
    u16 r;
    if (!mad && !env.flush_out)
        return false;
    env.flush_out = 0;
    env.flush_in |= mad;
    env.flags = 0;
    r = mad ? fadd16(&env, fmul16(&env, h->v[0], h->v[1]), h->v[2]) : compute(h, &env);
    return (r & 0x7fff) == MIN_NORMAL && env.flags & FP_INEXACT;
}

static bool arithmetic_is_open(const struct half *h)
{
    enum rule rule = rule_of(h);
    bool sum = is_sum_of_product(rule), mad = sum && rule != RULE_FMA;
    u32 count = sum ? 3 : rule == RULE_LDEXP ? 1 : 2, nans = count_nans(h, count);
    bool tiny = mad || h->mode->flush_in;
    bool zero_a = is_zero(h->v[0]) || (tiny && is_subnormal(h->v[0]));
    bool zero_b = is_zero(h->v[1]) || (tiny && is_subnormal(h->v[1]));
    bool invalid = sum && ((zero_a && is_inf(h->v[1])) || (zero_b && is_inf(h->v[0])));
    if (nans)
        return nans > 1 || invalid || (any_signaling(h, count) && !h->mode->ieee);
    return (mad && product_is_open(h)) || flush_is_open(h, mad);
}

/* ---- the other rules ---- */

static bool select_is_open(const struct half *h)
{
    enum rule rule = rule_of(h);
    u32 count = rule == RULE_MIN2 ? 2 : 3, zeros = 0;
    for (u32 i = 0; i < count; i++)
        zeros |= is_zero(h->v[i]) ? 1u << (h->v[i] >> 15) : 0;
    if (count_nans(h, count) > 1 || (rule != RULE_MIN2 && any_signaling(h, count)))
        return true;
    return (rule == RULE_MED3 && zeros == 3) || (flushes(h) && any_subnormal(h, count));
}

static bool fixup_is_open(const struct half *h)
{
    u16 quotient = h->v[0];
    return any_signaling(h, 3) || is_nan(quotient) || is_inf(quotient) ||
           (flushes(h) && any_subnormal(h, 3));
}

static bool one_is_open(const struct half *h)
{
    u16 a = h->v[0];
    bool flushed = flushes(h) && is_subnormal(a);
    switch (rule_of(h)) {
    case RULE_WHOLE:
    case RULE_TO_F32: return flushed || (is_signaling(a) && !h->mode->ieee);
    case RULE_FRACT: /* of -0, and of what is so little below zero that 1 - |a| rounds to 1 */
        return flushed || is_inf(a) || (is_signaling(a) && !h->mode->ieee) ||
               (a >> 15 && (a & 0x7fff) < 0x1000);
    case RULE_FREXP: return flushed || is_signaling(a);
    case RULE_NORM: return !is_zero(a) && !is_nan(a) && (a & 0x7fff) < ONE;
    case RULE_PACK: return flushed || is_signaling(a);
    case RULE_APPROX:
        return flushed || is_signaling(a) ||
               (h->mode->fp16_ovfl && is_zero(a)) || !(is_zero(a) || is_inf(a) || is_nan(a));
    default: return false;
    }
}

static bool half_is_open(const struct half *h)
{
    switch (rule_of(h)) {
    case RULE_ADD:
    case RULE_SUB:
    case RULE_SUBREV:
    case RULE_MUL:
    case RULE_FMA:
    case RULE_MAD:
    case RULE_MADMK:
    case RULE_LDEXP: return arithmetic_is_open(h);
    case RULE_MIN2:
    case RULE_MIN3:
    case RULE_MED3: return select_is_open(h);
    case RULE_FIXUP: return fixup_is_open(h);
    default: return one_is_open(h);
    }
}

/* From f32: subnormals in directed modes, and the flush of what rounds up to the smallest normal. */
static bool narrowing_is_open(const struct wave *w, u32 v)
{
    struct fp_env env = w->f64;
    bool nan = (v & 0x7fffffff) > 0x7f800000, subnormal = !(v & 0x7f800000) && v << 1;
    env.flush_in = w->f32.flush_in;
    env.flush_out = 0;
    env.flags = 0;
    u16 r = cvt_f16_f32(&env, v);
    return (nan && !(v & 0x00400000) && !env.ieee) || (subnormal && env.round != ROUND_EVEN) ||
           (w->f64.flush_out && (r & 0x7fff) == MIN_NORMAL && env.flags & FP_INEXACT);
}

/* ---- mixed precision ---- */

struct mixed {
    u32 v[SOURCES];
    bool subnormal_half; /* one of the sources is a subnormal f16 */
};

/* The rounded sum to an f16 once, instead of by way of f32: rounded to odd first. */
static u16 rounded_once(const struct wave *w, const struct mixed *m, bool fused, bool flush)
{
    struct fp_env wide = w->f32, odd, narrow = w->f64;
    wide.flush_in |= flush;
    wide.flush_out |= flush;
    narrow.flush_out |= flush;
    odd = wide;
    odd.round = ROUND_ZERO;
    odd.flags = 0;
    u32 sum = fused ? ffma32(&odd, m->v[0], m->v[1], m->v[2])
                    : fadd32(&odd, fmul32(&wide, m->v[0], m->v[1]), m->v[2]);
    return cvt_f16_f32(&narrow, odd.flags & FP_INEXACT ? sum | 1 : sum);
}

static bool mix_is_open(const struct wave *w, const struct xinsn *x, const struct mixed *m)
{
    bool flush = insn_row(&x->insn)->flags & FLAG_FLUSHES, fused = !flush;
    struct fp_env env = w->f32, narrow = w->f64;
    u32 nans = 0;
    for (u32 i = 0; i < SOURCES; i++)
        nans += (m->v[i] & 0x7fffffff) > 0x7f800000;
    if (nans)
        return nans > 1 || !env.ieee || x->opnd[SLOT_D].type != T_F32 ||
               ((m->v[0] | m->v[1]) << 1) == 0xff000000;
    if (m->subnormal_half && flush)
        return true;
    env.flush_in |= flush;
    env.flush_out = 0;
    u32 product = fmul32(&env, m->v[0], m->v[1]);
    if (!fused && ((product << 1 && !(product & 0x7f800000)) ||
                   (env.round != ROUND_EVEN && env.flags & FP_INEXACT)))
        return true;
    env.flags = 0;
    u32 sum = fused ? ffma32(&env, m->v[0], m->v[1], m->v[2]) : fadd32(&env, product, m->v[2]);
    if (x->opnd[SLOT_D].type == T_F32)
        return (flush || w->f32.flush_out) && sum << 1 == 0x01000000 && env.flags & FP_INEXACT;
    narrow.flush_out = 0;
    narrow.flags = 0;
    u16 r = cvt_f16_f32(&narrow, sum);
    bool at_edge = (r & 0x7fff) <= MIN_NORMAL && (r & 0x7fff);
    return ((flush || w->f64.flush_out) && at_edge) || (r != rounded_once(w, m, fused, false));
}

static bool is_constant_half(const struct xop *o)
{
    return o->is_const && o->konst > 64 && o->konst >> 16 == 0; /* an inline float: f16 bits */
}

static u32 raw_bits(const struct wave *w, const struct xop *o, u32 lane)
{
    if (o->is_const || o->code < CODE_VGPR)
        return scalar32(w, o);
    return w->vgpr[o->code - CODE_VGPR][lane];
}

static u64 loose_mix(struct wave *w, const struct xinsn *x)
{
    u32 buf[SOURCES][LANES];
    u64 any = 0;
    for (u32 i = 0; i < SOURCES; i++) {
        const struct xop *o = &x->opnd[SLOT_S0 + i];
        if (o->mask == 0xffff && is_constant_half(o))
            return wave_exec(w);
        memcpy(buf[i], fetch32(w, x, o, buf[i]), sizeof buf[i]);
    }
    for (u64 lanes = wave_exec(w); lanes; lanes &= lanes - 1) {
        u32 lane = ctz64(lanes);
        struct mixed m = { .subnormal_half = false };
        for (u32 i = 0; i < SOURCES; i++) {
            const struct xop *o = &x->opnd[SLOT_S0 + i];
            m.v[i] = buf[i][lane];
            m.subnormal_half |=
                o->mask == 0xffff && is_subnormal((u16)(raw_bits(w, o, lane) >> o->shift));
        }
        any |= (u64)mix_is_open(w, x, &m) << lane;
    }
    return any;
}

/* ---- rows ---- */

/* Sources in operand order, what is accumulated to behind them; madmk's constant is a factor. */
static u32 fetch_sources(struct wave *w, const struct xinsn *x, u32 v[SOURCES][LANES])
{
    static const u8 order[] = { SLOT_S0, SLOT_S1, SLOT_S2, SLOT_D };
    static const u8 madmk[] = { SLOT_S0, SLOT_K, SLOT_S1 };
    bool k_first = rules[x->insn.op] == RULE_MADMK;
    u32 count = 0;
    for (u32 i = 0; i < (k_first ? COUNT_OF(madmk) : COUNT_OF(order)) && count < SOURCES; i++) {
        const struct xop *o = &x->opnd[k_first ? madmk[i] : order[i]];
        if (!o->fetch32 || isa_types[o->type].dwords != 1)
            continue;
        u32 buf[LANES];
        memcpy(v[count++], fetch32(w, x, o, buf), sizeof buf);
    }
    return count;
}

/* The high half of a packed operand reads an inline float: 0, or the same value again? */
static bool reads_high_constant(const struct xinsn *x)
{
    bool reads = false;
    for (u32 i = SLOT_S0; i <= SLOT_S2; i++) {
        const struct xop *o = &x->opnd[i];
        reads |= o->type == T_PF16 && is_constant_half(o) && (o->shift || o->shift_hi);
    }
    return reads;
}

u64 loose_half(struct wave *w, const struct xinsn *x)
{
    u32 v[SOURCES][LANES] = { { 0 } };
    const struct xop *d = &x->opnd[SLOT_D];
    const struct fp_env *out = d->type == T_F32 ? &w->f32 : &w->f64;
    enum rule rule = (enum rule)rules[x->insn.op];
    bool packed = d->type == T_PF16, pair = rule == RULE_PACK || x->insn.op == OP_v_cvt_pknorm_i16_f16 ||
                                            x->insn.op == OP_v_cvt_pknorm_u16_f16;
    u64 any = 0;
    if (reads_high_constant(x))
        return wave_exec(w);
    if (x->omod && !out->ieee && out->flush_out && isa_types[d->type].class == CLASS_FLOAT)
        return wave_exec(w);
    if (rule == RULE_MIX)
        return loose_mix(w, x);
    fetch_sources(w, x, v);
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m);
        bool open = rule == RULE_TO_F16 && narrowing_is_open(w, v[0][lane]);
        for (u32 half = 0; half < (packed ? 2 : 1) && rule != RULE_TO_F16; half++) {
            struct half h = { .x = x, .mode = &w->f64 };
            for (u32 i = 0; i < SOURCES; i++)
                h.v[i] = (u16)(v[i][lane] >> half * 16);
            open |= half_is_open(&h);
            h.v[0] = h.v[1];
            open |= pair && half_is_open(&h);
        }
        any |= (u64)open << lane;
    }
    return any;
}
