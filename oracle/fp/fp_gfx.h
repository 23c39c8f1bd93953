/* f32 operations of V_*_F32 opcodes that no standard of arithmetic knows: DX9 multiplication,
 * medians, cube maps, packing. Rules of oracle/fp/fp.h (order of stages, NaN, exceptions) hold
 * where a comment says nothing else. Vega ISA, chapter 12. */
#ifndef ORACLE_FP_FP_GFX_H
#define ORACLE_FP_FP_GFX_H

#include "oracle/fp/fp.h"

/* V_MUL_LEGACY: +0 if a factor is a zero after input flush, whatever the other is; else a * b.
 * V_MAD_LEGACY: such a product plus c, otherwise as fmad32. */
u32 fmul_legacy32(struct fp_env *env, u32 a, u32 b);
u32 fmad_legacy32(struct fp_env *env, u32 a, u32 b, u32 c);

/* V_MIN3/MAX3: the operation of two applied twice. V_MED3: with a NaN min3; -0 orders below +0
 * (ALT_ZERO: the manual's text takes them for equal). */
u32 fmin3_32(struct fp_env *env, u32 a, u32 b, u32 c);
u32 fmax3_32(struct fp_env *env, u32 a, u32 b, u32 c);
u32 fmed3_32(struct fp_env *env, u32 a, u32 b, u32 c);

/* V_CUBEID/SC/TC/MA of the vector (x, y, z). sc and tc pass one of the operands or its negation;
 * subnormal magnitudes compare as zero; ma of a zero is +0 unless rounding down. Open: everything
 * where an operand is a NaN or subnormal, and the sign of a zero ma. */
u32 fcubeid32(struct fp_env *env, u32 x, u32 y, u32 z);
u32 fcubesc32(struct fp_env *env, u32 x, u32 y, u32 z);
u32 fcubetc32(struct fp_env *env, u32 x, u32 y, u32 z);
u32 fcubema32(struct fp_env *env, u32 x, u32 y, u32 z);

/* V_CVT_OFF_F32_I4: the low four bits, signed, in sixteenths. */
u32 cvt_off_f32_i4(u32 a);

/* To 8 bits, saturated, NaN gives 0. How a fraction is rounded is open: toward zero, to even
 * (ALT_VALUE), by env->round (ALT_VALUE2). */
u32 cvt_u8_f32(struct fp_env *env, u32 a);

/* a clamped to [-1, 1] or [0, 1] times 32767 or 65535, in 16 bits; NaN gives 0. Halves go up
 * (ALT_VALUE: to even), which matters for -1/2 alone. */
u32 cvt_snorm16_f32(struct fp_env *env, u32 a);
u32 cvt_unorm16_f32(struct fp_env *env, u32 a);

/* V_CVT_PKRTZ_F16_F32: two halves rounded toward zero, a below b. Subnormal halves are kept
 * (ALT_VALUE: flushed if env->flush_out). */
u32 cvt_pkrtz_f16_f32(struct fp_env *env, u32 a, u32 b);

#endif
