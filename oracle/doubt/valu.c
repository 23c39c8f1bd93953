/* Other readings of vector ALU rows. */
#include "oracle/doubt/internal.h"

/* ---- operands and results ---- */

static struct xop *result_op(struct doubt_run *r)
{
    struct xop *d = &r->x.opnd[SLOT_D];
    return d->kind == K_VGPR ? d : NULL;
}

static u32 *result_row(struct doubt_run *r, u32 upper)
{
    return r->w->vgpr[(r->x.opnd[SLOT_D].code - (u32)CODE_VGPR + upper) % VGPRS];
}

static u64 result(struct doubt_run *r, u32 lane)
{
    u64 high = r->x.opnd[SLOT_D].dw > 1 ? result_row(r, 1)[lane] : 0;
    return result_row(r, 0)[lane] | high << 32;
}

static void set_result(struct doubt_run *r, u32 lane, u64 v)
{
    for (u32 i = 0; i < r->x.opnd[SLOT_D].dw; i++) {
        wlog_reg(r->w, r->x.opnd[SLOT_D].code + i, result_row(r, i), LANES);
        result_row(r, i)[lane] = (u32)(v >> i * 32);
    }
}

/* Lanes whose result was written. */
static u64 written(const struct doubt_run *r)
{
    u64 exec = wave_exec(r->w);
    return r->x.insn.form == FORM_DPP ? exec & r->w->write_mask : exec;
}

static bool is_float(const struct xop *o)
{
    return isa_types[o->type].class == CLASS_FLOAT;
}

/* Where the floats of the result stand in it: how many, of how many bits, the first from which on.
 * 0: a part of one only. */
static u32 floats_of(struct doubt_run *r, u32 *width, u32 *lsb)
{
    const struct xop *d = &r->x.opnd[SLOT_D];
    *lsb = d->part == PART_HIGH ? 16 : 0;
    *width = d->dw > 1 ? 64 : isa_types[d->type].traits & TYPE_HALF && d->type != T_MIX ? 16 : 32;
    if (r->x.insn.form == FORM_SDWA && r->x.dst_sel != SEL_DWORD) {
        *lsb = r->x.dst_sel == SEL_WORD_1 ? 16 : 0;
        return *width == 16 && r->x.dst_sel >= SEL_WORD_0;
    }
    return d->type == T_PF16 ? 2 : 1;
}

static bool is_nan(u64 v, u32 width)
{
    u64 magnitude = v & (mask64(width) >> 1);
    return width == 16 ? magnitude > 0x7c00
                       : magnitude > (width == 32 ? 0x7f800000 : 0x7ff0000000000000);
}

static u64 default_nan(u32 width)
{
    return width == 16 ? 0xfe00 : width == 32 ? 0xffc00000 : 0xfff8000000000000;
}

/* Whether v, all that an operand holds in a lane, has a NaN among its floats. */
static bool has_nan(const struct xop *o, u64 v)
{
    bool half = isa_types[o->type].traits & TYPE_HALF && o->type != T_MIX;
    return is_nan(v, o->dw > 1 ? 64 : half ? 16 : 32) || (o->type == T_PF16 && is_nan(v >> 16, 16));
}

/* Lanes in which an addend that is the destination is a NaN. Where another operand is the third,
 * the destination is only kept in part. */
static u64 nan_addends(struct doubt_run *r)
{
    const struct xop *d = result_op(r);
    u64 nans = 0;
    if (!d || insn_row(&r->x.insn)->operand[0].dir != DIR_RW || r->x.opnd[SLOT_S2].kind != K_NONE)
        return 0;
    for (u32 lane = 0; lane < LANES; lane++)
        nans |= (u64)has_nan(d, result(r, lane)) << lane;
    return nans;
}

/* Lanes in which a float operand is a NaN. */
static u64 nan_operands(struct doubt_run *r)
{
    static const u8 slots[] = { SLOT_S0, SLOT_S1, SLOT_S2 };
    u64 nans = nan_addends(r);
    for (u32 i = 0; i < COUNT_OF(slots); i++) {
        const struct xop *o = &r->x.opnd[slots[i]];
        u64 wide[LANES];
        u32 narrow[LANES];
        if (o->kind == K_NONE || !is_float(o) || !o->fetch32)
            continue;
        const u64 *v64 = o->dw > 1 ? o->fetch64(r->w, &r->x, o, wide) : NULL;
        const u32 *v32 = v64 ? NULL : fetch32(r->w, &r->x, o, narrow);
        for (u32 lane = 0; lane < LANES; lane++)
            nans |= (u64)has_nan(o, v64 ? v64[lane] : v32[lane]) << lane;
    }
    return nans;
}

/* Replaces each float of the results in `lanes` by what `other` makes of it. */
typedef u64 other_fn(u64 v, u32 width, u64 memo);

static void replace(struct doubt_run *r, u64 lanes, const struct doubt_memo *m, other_fn *other)
{
    u32 width, lsb, n;
    if (!result_op(r) || !is_float(result_op(r)))
        return;
    n = floats_of(r, &width, &lsb);
    for (lanes &= written(r); lanes; lanes &= lanes - 1) {
        u32 lane = ctz64(lanes);
        u64 v = result(r, lane), was = v;
        for (u32 i = 0; i < n; i++) {
            u32 at = lsb + i * width;
            u64 field = mask64(width) << at;
            u64 one = other(bits64(v, at, width), width, bits64(m->value[lane], at, width));
            v = (v & ~field) | one << at;
        }
        if (v != was)
            set_result(r, lane, v);
    }
}

/* ---- the default NaN ---- */

static void note_nans(struct doubt_run *r, struct doubt_memo *m)
{
    m->lanes = nan_operands(r);
    memset(m->value, 0, sizeof m->value);
}

static u64 positive(u64 v, u32 width, u64 memo)
{
    (void)memo;
    return v == default_nan(width) ? v & (mask64(width) >> 1) : v;
}

static void nan_sign(struct doubt_run *r, struct doubt_memo *m)
{
    replace(r, ~m->lanes, m, positive);
}

const struct doubt_hooks doubt_nan_sign = { note_nans, nan_sign };

/* ---- alternatives that the arithmetic knows ---- */

static void take(struct doubt_run *r, u32 alt)
{
    wave_take(r->w, r->w->f32.take | alt);
}

/* A hook for each: it gets the instruction, and nothing that would tell one alternative from another. */
static void take_raw(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    take(r, ALT_RAW);
}
static void take_product(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    take(r, ALT_PRODUCT);
}
static void take_zero(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    take(r, ALT_ZERO);
}
static void take_value(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    take(r, ALT_VALUE);
}
static void take_value2(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    take(r, ALT_VALUE2);
}
static void take_tiny(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    take(r, ALT_TINY);
}
static void take_nothing(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    wave_take(r->w, 0);
}

const struct doubt_hooks doubt_take_raw = { take_raw, take_nothing };
const struct doubt_hooks doubt_take_product = { take_product, take_nothing };
const struct doubt_hooks doubt_take_zero = { take_zero, take_nothing };
const struct doubt_hooks doubt_take_value = { take_value, take_nothing };
const struct doubt_hooks doubt_take_value2 = { take_value2, take_nothing };
const struct doubt_hooks doubt_take_tiny = { take_tiny, take_nothing };

/* ---- NaN operands of functions of one operand ---- */

static u64 default_instead(u64 v, u32 width, u64 memo)
{
    (void)memo;
    return is_nan(v, width) ? default_nan(width) : v;
}

static void nan_lost(struct doubt_run *r, struct doubt_memo *m)
{
    replace(r, m->lanes, m, default_instead);
}

const struct doubt_hooks doubt_nan_lost = { note_nans, nan_lost };

/* What is put into a quiet NaN for it to signal; only a payload tells it from an infinity. */
static u64 signal_instead(u64 v, u32 width, u64 memo)
{
    return is_nan(memo, width) && is_nan(v, width) ? memo : v;
}

/* Operands that are signaling NaNs. */
static void note_signaling(struct doubt_run *r, struct doubt_memo *m)
{
    const struct xop *o = &r->x.opnd[SLOT_S0];
    u32 width = o->dw > 1 ? 64 : isa_types[o->type].traits & TYPE_HALF ? 16 : 32;
    u64 quiet = width == 64 ? 1ull << 51 : width == 32 ? 1u << 22 : 1u << 9, wide[LANES];
    u32 narrow[LANES];
    const u64 *v64 = width == 64 ? o->fetch64(r->w, &r->x, o, wide) : NULL;
    const u32 *v32 = v64 ? NULL : fetch32(r->w, &r->x, o, narrow);
    u32 lsb, unused;
    if (!result_op(r) || !floats_of(r, &unused, &lsb))
        return;
    for (u32 lane = 0; lane < LANES; lane++) {
        u64 v = (v64 ? v64[lane] : v32[lane]) & mask64(width);
        bool signals = is_nan(v, width) && !(v & quiet);
        m->lanes |= (u64)signals << lane;
        m->value[lane] = v << lsb;
    }
}

static void nan_signals(struct doubt_run *r, struct doubt_memo *m)
{
    replace(r, m->lanes, m, signal_instead);
}

const struct doubt_hooks doubt_nan_signals = { note_signaling, nan_signals };

/* ---- other operands ---- */

static const u32 *fetch_given(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *buf)
{
    const struct doubt_run *r = (const struct doubt_run *)(const void *)in;
    (void)w, (void)buf;
    return r->given[o - in->opnd];
}

/* From now on the operand in this slot has the values in r->given. */
static void give(struct doubt_run *r, u32 slot)
{
    r->x.opnd[slot].fetch32 = fetch_given;
    r->x.opnd[slot].direct = false;
}

static void exponent16(struct doubt_run *r, struct doubt_memo *m)
{
    u32 buf[LANES];
    const u32 *v = fetch32(r->w, &r->x, &r->x.opnd[SLOT_S1], buf);
    (void)m;
    for (u32 lane = 0; lane < LANES; lane++)
        r->given[SLOT_S1][lane] = sext32(v[lane], 16);
    give(r, SLOT_S1);
}

const struct doubt_hooks doubt_exponent16 = { exponent16, NULL };

static void low_halves(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    for (u32 slot = SLOT_S0; slot <= SLOT_S1; slot++)
        r->x.opnd[slot].shift = 0;
}

const struct doubt_hooks doubt_low_halves = { low_halves, NULL };

static void no_signs(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    for (u32 slot = SLOT_S0; slot <= SLOT_S1; slot++) {
        r->x.opnd[slot].keep = ~0u;
        r->x.opnd[slot].flip = 0;
    }
}

const struct doubt_hooks doubt_no_signs = { no_signs, NULL };

static void sdwa_clamp(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    if (r->x.insn.form == FORM_SDWA && !is_float(&r->x.opnd[SLOT_D]))
        r->x.clamp = 0;
}

const struct doubt_hooks doubt_sdwa_clamp = { sdwa_clamp, NULL };

/* Gives the operand the inline float that it is, as another type reads it. */
static void reread(struct doubt_run *r, u32 slot, enum isa_type type)
{
    struct xop *o = &r->x.opnd[slot];
    u64 v;
    if (o->kind == K_NONE || o->code < CODE_FLOAT_0_5 || o->code > CODE_FLOAT_LAST || !o->is_const)
        return;
    if (insn_constant(&r->x.insn, o->code, type, &v))
        o->konst = v;
}

static void class_f32(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    reread(r, SLOT_S1, T_F32);
}

const struct doubt_hooks doubt_class_f32 = { class_f32, NULL };

static void mix_half(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    for (u32 slot = SLOT_S0; slot <= SLOT_S2; slot++)
        reread(r, slot, T_F16);
}

const struct doubt_hooks doubt_mix_half = { mix_half, NULL };

/* ---- conversions ---- */

static void rpi_sum(struct doubt_run *r, struct doubt_memo *m)
{
    struct fp_env env = r->w->f32;
    u32 buf[LANES];
    const u32 *v = fetch32(r->w, &r->x, &r->x.opnd[SLOT_S0], buf);
    env.round = ROUND_EVEN;
    for (u32 lane = 0; lane < LANES; lane++)
        m->value[lane] = f32_is_nan(v[lane])
                             ? cvt_rpi_i32_f32(&env, v[lane])
                             : cvt_flr_i32_f32(&env, fadd32(&env, v[lane], 0x3f000000));
}

static void put_values(struct doubt_run *r, struct doubt_memo *m)
{
    for (u64 lanes = written(r); lanes && r->x.insn.form != FORM_SDWA; lanes &= lanes - 1) {
        u32 lane = ctz64(lanes);
        if (result(r, lane) != m->value[lane])
            set_result(r, lane, m->value[lane]);
    }
}

const struct doubt_hooks doubt_rpi_sum = { rpi_sum, put_values };

static void pkaccum_none(struct doubt_run *r, struct doubt_memo *m)
{
    u32 buf[LANES];
    const u32 *v = fetch32(r->w, &r->x, &r->x.opnd[SLOT_S1], buf);
    for (u32 lane = 0; lane < LANES; lane++) {
        m->lanes |= (u64)(v[lane] > 3) << lane;
        m->value[lane] = result(r, lane);
    }
}

static void put_back(struct doubt_run *r, struct doubt_memo *m)
{
    for (u64 lanes = written(r) & m->lanes; lanes; lanes &= lanes - 1) {
        u32 lane = ctz64(lanes);
        if (result(r, lane) != m->value[lane])
            set_result(r, lane, m->value[lane]);
    }
}

const struct doubt_hooks doubt_pkaccum_none = { pkaccum_none, put_back };

/* ---- packed minima and maxima ---- */

static u32 quiet_half(u32 a, u32 b)
{
    return (is_nan(a & 0xffff, 16) ? a : b) | 0x200;
}

static void note_pk_nans(struct doubt_run *r, struct doubt_memo *m)
{
    u32 buf[2][LANES];
    const u32 *a = fetch32(r->w, &r->x, &r->x.opnd[SLOT_S0], buf[0]);
    const u32 *b = fetch32(r->w, &r->x, &r->x.opnd[SLOT_S1], buf[1]);
    m->lanes = ~0ull;
    for (u32 lane = 0; lane < LANES; lane++) {
        m->value[lane] = 0;
        for (u32 at = 0; at < 32; at += 16)
            if (is_nan(a[lane] >> at & 0xffff, 16) || is_nan(b[lane] >> at & 0xffff, 16))
                m->value[lane] |= (u64)(quiet_half(a[lane] >> at, b[lane] >> at) & 0xffff) << at;
    }
}

static u64 nan_instead(u64 v, u32 width, u64 nan)
{
    return is_nan(nan, width) ? nan : v;
}

static void put_nans(struct doubt_run *r, struct doubt_memo *m)
{
    replace(r, m->lanes, m, nan_instead);
}

const struct doubt_hooks doubt_pk_nan = { note_pk_nans, put_nans };

/* ---- lane masks ---- */

static void note_carry(struct doubt_run *r, struct doubt_memo *m)
{
    m->value[0] = pair_get(&r->w->sgpr[r->x.opnd[SLOT_CARRY].code]);
}

static void put_carry(struct doubt_run *r, u64 bits, u64 lanes)
{
    u32 code = r->x.opnd[SLOT_CARRY].code, pair[2];
    u64 now = pair_get(&r->w->sgpr[code]);
    pair_set(pair, (now & ~lanes) | (bits & lanes));
    if (pair_get(pair) != now)
        scalar_write(r->w, code, pair, 2);
}

static void dpp_carry(struct doubt_run *r, struct doubt_memo *m)
{
    if (r->x.insn.form == FORM_DPP)
        put_carry(r, m->value[0], wave_exec(r->w) & ~r->w->write_mask);
}

const struct doubt_hooks doubt_dpp_carry = { note_carry, dpp_carry };

static void carry_off(struct doubt_run *r, struct doubt_memo *m)
{
    put_carry(r, m->value[0], ~wave_exec(r->w));
}

const struct doubt_hooks doubt_carry_off = { note_carry, carry_off };

static void carry_none(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    put_carry(r, 0, wave_exec(r->w));
}

const struct doubt_hooks doubt_carry_none = { NULL, carry_none };
