/* f16 arithmetic. */
#include "oracle/fp.h"

#include "oracle/fp_core.h"

u16 fadd16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_add(env, FMT_F16, a, b);
}
u16 fsub16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_sub(env, FMT_F16, a, b);
}
u16 fmul16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_mul(env, FMT_F16, a, b);
}
u16 ffma16(struct fp_env *env, u16 a, u16 b, u16 c)
{
    return (u16)fp_fma(env, FMT_F16, a, b, c);
}
u16 fmin16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_min_max(env, FMT_F16, a, b, false);
}
u16 fmax16(struct fp_env *env, u16 a, u16 b)
{
    return (u16)fp_min_max(env, FMT_F16, a, b, true);
}
enum fp_order fcmp16(struct fp_env *env, u16 a, u16 b)
{
    return fp_compare(env, FMT_F16, a, b);
}
