/* f64 arithmetic. Only the fused product does not fit the 64-bit significands of fp_core.h. */
#include "oracle/fp.h"

#include "oracle/fp_core.h"

u64 fadd64(struct fp_env *env, u64 a, u64 b)
{
    return fp_add(env, FMT_F64, a, b);
}
u64 fsub64(struct fp_env *env, u64 a, u64 b)
{
    return fp_sub(env, FMT_F64, a, b);
}
u64 fmul64(struct fp_env *env, u64 a, u64 b)
{
    return fp_mul(env, FMT_F64, a, b);
}
u64 fmin64(struct fp_env *env, u64 a, u64 b)
{
    return fp_min_max(env, FMT_F64, a, b, false);
}
u64 fmax64(struct fp_env *env, u64 a, u64 b)
{
    return fp_min_max(env, FMT_F64, a, b, true);
}
enum fp_order fcmp64(struct fp_env *env, u64 a, u64 b)
{
    return fp_compare(env, FMT_F64, a, b);
}

u64 ftrunc64(struct fp_env *env, u64 a)
{
    return fp_integral(env, FMT_F64, a, WHOLE_TRUNC);
}
u64 fceil64(struct fp_env *env, u64 a)
{
    return fp_integral(env, FMT_F64, a, WHOLE_CEIL);
}
u64 ffloor64(struct fp_env *env, u64 a)
{
    return fp_integral(env, FMT_F64, a, WHOLE_FLOOR);
}
u64 frndne64(struct fp_env *env, u64 a)
{
    return fp_integral(env, FMT_F64, a, WHOLE_EVEN);
}
u64 ffract64(struct fp_env *env, u64 a)
{
    return fp_fract(env, FMT_F64, a);
}

static u32 truncated(struct fp_env *env, u64 a, bool is_signed)
{
    if (fp_nan(FMT_F64, a)) {
        env->flags |= FP_INVALID;
        return 0;
    }
    return fp_to_int32(env, FMT_F64, a, WHOLE_TRUNC, is_signed);
}

u32 cvt_i32_f64(struct fp_env *env, u64 a)
{
    return truncated(env, a, true);
}
u32 cvt_u32_f64(struct fp_env *env, u64 a)
{
    return truncated(env, a, false);
}

u64 cvt_f64_i32(struct fp_env *env, u32 a)
{
    bool sign = a >> 31;
    return fp_from_int(env, FMT_F64, sign, sign ? 0 - a : a);
}
u64 cvt_f64_u32(struct fp_env *env, u32 a)
{
    return fp_from_int(env, FMT_F64, false, a);
}

u64 fomod64(struct fp_env *env, u64 v, u32 omod)
{
    return fp_omod(env, FMT_F64, v, omod);
}
u64 fclamp64(const struct fp_env *env, u64 v)
{
    return fp_clamp(env, FMT_F64, v);
}

static u128 shift_sticky_wide(u128 v, int count)
{
    if (count >= 128)
        return v != 0;
    return v >> count | ((v & (((u128)1 << count) - 1)) != 0);
}

/* x * y + z with 128-bit significands, sig * 2^(exp - 126); the result is reduced to 64 bits,
 * sticky. */
static struct fp_num fused(const struct fp_env *env, struct fp_num x, struct fp_num y,
                           struct fp_num z)
{
    const int unused = FP_POINT - 52;                           // zero bits below an unpacked f64
    u128 p = (u128)(x.sig >> unused) * (y.sig >> unused) << 21; // leading one at bit 125 or 126
    u128 c = (u128)z.sig << 64;
    int exp = x.exp + y.exp + 1;
    bool sign = x.sign != y.sign;

    if (exp >= z.exp) {
        c = shift_sticky_wide(c, exp - z.exp);
    } else {
        p = shift_sticky_wide(p, z.exp - exp);
        exp = z.exp;
    }
    u128 sum = sign == z.sign ? p + c : p > c ? p - c : c - p;
    if (sum == 0)
        return (struct fp_num){ .sign = sign == z.sign ? sign : env->round == ROUND_DOWN };
    if (c > p)
        sign = z.sign;

    u64 hi = (u64)(sum >> 64);
    int up = hi ? (int)clz64(hi) : 64 + (int)clz64((u64)sum);
    sum <<= up;
    return (
        struct fp_num){ .sig = (u64)(sum >> 64) | ((u64)sum != 0), .exp = exp - up, .sign = sign };
}

u64 ffma64(struct fp_env *env, u64 a, u64 b, u64 c)
{
    if (fp_special(FMT_F64, a) || fp_special(FMT_F64, b) || fp_special(FMT_F64, c))
        return fp_fma_special(env, FMT_F64, a, b, c);
    struct fp_num x = fp_unpack(env, FMT_F64, a);
    struct fp_num y = fp_unpack(env, FMT_F64, b);
    struct fp_num z = fp_unpack(env, FMT_F64, c);
    return fp_round(env, FMT_F64, fused(env, x, y, z));
}
