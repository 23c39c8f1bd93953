/* Conversions between the floating-point formats. */
#include "oracle/fp.h"

#include "oracle/fp_core.h"

u16 cvt_f16_f32(struct fp_env *env, u32 a)
{
    return (u16)fp_convert(env, FMT_F32, FMT_F16, a);
}
u32 cvt_f32_f16(struct fp_env *env, u16 a)
{
    return (u32)fp_convert(env, FMT_F16, FMT_F32, a);
}
u64 cvt_f64_f32(struct fp_env *env, u32 a)
{
    return fp_convert(env, FMT_F32, FMT_F64, a);
}
u32 cvt_f32_f64(struct fp_env *env, u64 a)
{
    return (u32)fp_convert(env, FMT_F64, FMT_F32, a);
}
