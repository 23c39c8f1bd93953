#include "oracle/fp/fp_old.h"

#include "oracle/fp/fp_core.h"
#include "oracle/fp/fp_gfx.h"
#include "oracle/fp/fp_trans.h"

enum { LARGEST_32 = 0x7f7fffff };

/* ---- results without infinity ---- */

static u32 clamped32(u32 v)
{
    return fp_inf(FMT_F32, v) ? (v & 0x80000000) | LARGEST_32 : v;
}
static u32 zeroed32(u32 v)
{
    return fp_inf(FMT_F32, v) ? v & 0x80000000 : v;
}
static u64 clamped64(u64 v)
{
    return fp_inf(FMT_F64, v) ? v - 1 : v;
}

u32 flog_clamp32(struct fp_env *env, u32 a)
{
    return clamped32(flog32(env, a));
}
u32 frcp_clamp32(struct fp_env *env, u32 a)
{
    return clamped32(frcp32(env, a));
}
u32 frcp_legacy32(struct fp_env *env, u32 a)
{
    return zeroed32(frcp32(env, a));
}
u32 frsq_clamp32(struct fp_env *env, u32 a)
{
    return clamped32(frsq32(env, a));
}
u32 frsq_legacy32(struct fp_env *env, u32 a)
{
    return zeroed32(frsq32(env, a));
}
u64 frcp_clamp64(struct fp_env *env, u64 a)
{
    return clamped64(frcp64(env, a));
}
u64 frsq_clamp64(struct fp_env *env, u64 a)
{
    return clamped64(frsq64(env, a));
}

/* ---- selection by a compare ---- */

/* a if its order to b is one of `wins`, else b. Open: whether it flushes, and what becomes of a
 * NaN. */
static u32 select_legacy(struct fp_env *env, u32 a, u32 b, u32 wins)
{
    struct fp_env seen = *env;
    bool raw = fp_raw(env, FMT_F32, a, b);
    if (raw)
        seen.flush_in = seen.flush_out = 0;
    enum fp_order order = fp_compare(&seen, FMT_F32, a, b);
    u64 v = order & wins ? a : b;
    env->flags = seen.flags;
    if (fp_nan(FMT_F32, v)) {
        env->open |= OPEN_NAN;
        return (u32)(env->ieee ? v | fmt_quiet(FMT_F32) : v);
    }
    return (u32)(raw ? v : fp_flush_out(env, FMT_F32, fp_flush_in(env, FMT_F32, v)));
}

u32 fmin_legacy32(struct fp_env *env, u32 a, u32 b)
{
    return select_legacy(env, a, b, ORDER_LT);
}
u32 fmax_legacy32(struct fp_env *env, u32 a, u32 b)
{
    return select_legacy(env, a, b, ORDER_EQ | ORDER_GT);
}

u32 fmullit32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    const u32 lowest = 0x80000000 | LARGEST_32, minus_inf = 0xff800000;
    bool low = b == lowest || b == minus_inf || f32_is_nan(b);
    if (low || fcmp32(env, c, 0) != ORDER_GT)
        return lowest;
    return fmul_legacy32(env, a, b);
}

/* ---- compares ---- */

enum fp_order fcmps32(struct fp_env *env, u32 a, u32 b)
{
    enum fp_order order = fcmp32(env, a, b);
    env->flags |= order == ORDER_UN ? FP_INVALID : 0;
    return order;
}
enum fp_order fcmps64(struct fp_env *env, u64 a, u64 b)
{
    enum fp_order order = fcmp64(env, a, b);
    env->flags |= order == ORDER_UN ? FP_INVALID : 0;
    return order;
}
