#include "oracle/fp/fp_gfx.h"

#include "oracle/fp/fp_core.h"

/* ---- DX9 multiplication ---- */

static bool has_zero(const struct fp_env *env, u32 a, u32 b)
{
    return fp_counts_as_zero(env, FMT_F32, a) || fp_counts_as_zero(env, FMT_F32, b);
}

u32 fmul_legacy32(struct fp_env *env, u32 a, u32 b)
{
    return has_zero(env, a, b) ? 0 : fmul32(env, a, b);
}

u32 fmad_legacy32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    struct fp_env flush = *env;
    flush.flush_in = flush.flush_out = 1;
    if (!has_zero(&flush, a, b))
        return fmad32(env, a, b, c);
    u32 d = fadd32(&flush, 0, c), flushed = (u32)fp_flush_in(&flush, FMT_F32, c);
    env->flags = flush.flags;
    env->open = flush.open;
    return d != flushed && !f32_is_nan(c) && fp_alt(env, ALT_ZERO) ? flushed : d;
}

/* ---- three operands ---- */

u32 fmin3_32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    return fmin32(env, fmin32(env, a, b), c);
}
u32 fmax3_32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    return fmax32(env, fmax32(env, a, b), c);
}

u32 fmed3_32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    if (f32_is_nan(a) || f32_is_nan(b) || f32_is_nan(c))
        return fmin3_32(env, a, b, c);
    u32 lo = fmin32(env, a, b), hi = fmax32(env, a, b);
    u32 d = fmax32(env, lo, fmin32(env, hi, c));
    /* Equality decides in the manual: both zeros occur, and the other one comes out. */
    u32 other = d ^ 0x80000000;
    bool open = d << 1 == 0 && (a == other || b == other || c == other);
    return open && fp_alt(env, ALT_ZERO) ? other : d;
}

/* ---- cube maps ---- */

enum axis { AXIS_X, AXIS_Y, AXIS_Z };

struct cube {
    enum axis major;
    bool negative;
};

/* A magnitude that compares as the number does; subnormals are zero. */
static u32 cube_magnitude(u32 v)
{
    return f32_is_tiny_or_zero(v) ? 0 : v & 0x7fffffff;
}

/* |a| >= |b|, false with a NaN. */
static bool reaches(u32 a, u32 b)
{
    return !f32_is_nan(a) && !f32_is_nan(b) && cube_magnitude(a) >= cube_magnitude(b);
}

static bool is_unsettled(u32 v)
{
    return f32_is_nan(v) || fp_subnormal(FMT_F32, v);
}

/* The face: z wins over y over x. The sign is that of a number below zero, so -0 is positive. */
static struct cube cube_of(struct fp_env *env, u32 x, u32 y, u32 z)
{
    struct cube c = { AXIS_X, false };
    if (reaches(z, x) && reaches(z, y))
        c.major = AXIS_Z;
    else if (reaches(y, x))
        c.major = AXIS_Y;
    u32 v = c.major == AXIS_Z ? z : c.major == AXIS_Y ? y : x;
    c.negative = v >> 31 && cube_magnitude(v) && !f32_is_nan(v);
    if (is_unsettled(x) || is_unsettled(y) || is_unsettled(z))
        env->open |= OPEN_ANY;
    return c;
}

u32 fcubeid32(struct fp_env *env, u32 x, u32 y, u32 z)
{
    struct cube c = cube_of(env, x, y, z);
    return cvt_f32_u32(env, (u32)c.major * 2 + c.negative);
}

u32 fcubesc32(struct fp_env *env, u32 x, u32 y, u32 z)
{
    struct cube c = cube_of(env, x, y, z);
    switch (c.major) {
    case AXIS_Z: return c.negative ? x ^ 0x80000000 : x;
    case AXIS_Y: return x;
    default: return c.negative ? z : z ^ 0x80000000;
    }
}

u32 fcubetc32(struct fp_env *env, u32 x, u32 y, u32 z)
{
    struct cube c = cube_of(env, x, y, z);
    if (c.major == AXIS_Y)
        return c.negative ? z ^ 0x80000000 : z;
    return y ^ 0x80000000;
}

u32 fcubema32(struct fp_env *env, u32 x, u32 y, u32 z)
{
    struct cube c = cube_of(env, x, y, z);
    u32 v = c.major == AXIS_Z ? z : c.major == AXIS_Y ? y : x;
    if (cube_magnitude(v) == 0) {
        bool other = fp_alt(env, ALT_ZERO);
        return (env->round == ROUND_DOWN) != other ? 0x80000000 : 0;
    }
    return fmul32(env, 0x40000000, v);
}

/* ---- conversions ---- */

u32 cvt_off_f32_i4(u32 a)
{
    static const u32 sixteenths[8] = { 0x00000000, 0x3d800000, 0x3e000000, 0x3e400000,
                                       0x3e800000, 0x3ea00000, 0x3ec00000, 0x3ee00000 };
    u32 low = a & 7;
    if (!(a & 8))
        return sixteenths[low];
    return low ? sixteenths[8 - low] | 0x80000000 : 0xbf000000;
}

/* The magnitude of a number, rounded; saturation is the caller's. */
static u64 rounded(struct fp_num n, u8 round)
{
    if (n.exp >= FP_POINT)
        return ~0ull >> 1;
    struct fp_split s = fp_split_at_point(n);
    bool more = s.rest == REST_ABOVE_HALF || (s.rest == REST_HALF && s.whole & 1);
    if (round == ROUND_UP || round == ROUND_DOWN)
        more = s.rest != REST_NONE && n.sign == (round == ROUND_DOWN);
    return s.whole + (round != ROUND_ZERO && more);
}

u32 cvt_u8_f32(struct fp_env *env, u32 a)
{
    struct fp_env keep = { 0 };
    if (f32_is_nan(a) || a >> 31)
        return 0;
    if (fp_inf(FMT_F32, a))
        return 255;
    struct fp_num n = fp_unpack(&keep, FMT_F32, a);
    u64 d = rounded(n, ROUND_ZERO), even = rounded(n, ROUND_EVEN), mode = rounded(n, env->round);
    if (d > 254)
        return 255;
    if (even != d && fp_alt(env, ALT_VALUE))
        d = even;
    else if (mode != d && fp_alt(env, ALT_VALUE2))
        d = mode;
    return (u32)d;
}

/* round(a * scale) of |a| <= 1, halves toward plus infinity. */
static i32 scaled(struct fp_env *env, u32 a, u32 scale)
{
    struct fp_env keep = { 0 };
    struct fp_num n = fp_unpack(&keep, FMT_F32, a);
    n.sig = (n.sig >> (FP_POINT - 23)) * scale; /* 40 bits */
    int up = (int)clz64(n.sig) - 1;
    if (n.sig == 0)
        return 0;
    n.sig <<= up;
    n.exp += FP_POINT - 23 - up;
    u64 even = rounded(n, ROUND_EVEN), d = fp_whole(n, WHOLE_FLOOR_HALF);
    if (d != even && fp_alt(env, ALT_VALUE))
        d = even;
    return n.sign ? -(i32)d : (i32)d;
}

/* To [-1, 1]; a NaN to 0. */
static u32 to_unit(u32 a)
{
    if (f32_is_nan(a))
        return 0;
    return (a & 0x7fffffff) > 0x3f800000 ? (a & 0x80000000) | 0x3f800000 : a;
}

u32 cvt_snorm16_f32(struct fp_env *env, u32 a)
{
    return (u32)scaled(env, to_unit(a), 32767) & 0xffff;
}
u32 cvt_unorm16_f32(struct fp_env *env, u32 a)
{
    return a >> 31 ? 0 : (u32)scaled(env, to_unit(a), 65535);
}

static u32 cvt_rtz_f16_f32(struct fp_env *env, u32 a)
{
    struct fp_env zero = *env;
    zero.round = ROUND_ZERO;
    zero.flush_out = 0;
    zero.fp16_ovfl = 0;
    u32 d = cvt_f16_f32(&zero, a);
    env->flags = zero.flags;
    env->open = zero.open;
    bool flushes = env->flush_out && fp_subnormal(FMT_F16, d) && fp_alt(env, ALT_VALUE);
    return flushes ? d & 0x8000 : d;
}

u32 cvt_pkrtz_f16_f32(struct fp_env *env, u32 a, u32 b)
{
    u32 low = cvt_rtz_f16_f32(env, a);
    return low | cvt_rtz_f16_f32(env, b) << 16;
}
