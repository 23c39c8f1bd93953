/* Integer-only IEEE arithmetic on bit patterns: the `ref` half of the row vocabulary. Every function is
 * correctly rounded under the environment, follows the NaN, zero and flush rules of GFX9, and ORs the
 * exceptions it raises into env->flags. Nothing here touches a host floating-point register.
 *
 * Order of stages in every function that computes: flush subnormal inputs (keeps the sign) if flush_in;
 * operate; round once; flush a tiny result (keeps the sign; tininess is judged after rounding to full
 * precision with an unbounded exponent) if flush_out. abs, neg, omod and clamp are not done here. */
#ifndef ORACLE_FP_H
#define ORACLE_FP_H

#include "oracle/base.h"

/* MODE.FP_ROUND, Vega ISA, chapter 3 (MODE register). */
enum fp_round { ROUND_EVEN, ROUND_UP, ROUND_DOWN, ROUND_ZERO };

/* TRAPSTS.EXCP bits, sticky. */
enum fp_flag {
    FP_INVALID = 1,
    FP_IN_DENORM = 2,
    FP_DIV0 = 4,
    FP_OVERFLOW = 8,
    FP_UNDERFLOW = 16,
    FP_INEXACT = 32
};

/* One format's view of MODE. */
struct fp_env {
    u8 round;      /* enum fp_round */
    u8 flush_in;   /* subnormal inputs count as zero */
    u8 flush_out;  /* tiny results become zero */
    u8 ieee;       /* MODE.IEEE: signaling NaNs are quieted, min/max follow the IEEE rule */
    u8 dx10_clamp; /* MODE.DX10_CLAMP */
    u32 flags;     /* enum fp_flag, ORed, never cleared here */
};

#define F32_DEFAULT_NAN 0xffc00000u /* negative: what an invalid operation produces */

static inline bool f32_is_nan(u32 v) { return (v & 0x7fffffff) > 0x7f800000; }
static inline bool f32_is_snan(u32 v) { return f32_is_nan(v) && !(v & 0x00400000); }
static inline bool f32_is_tiny_or_zero(u32 v) { return (v & 0x7f800000) == 0; }

/* Arithmetic, one rounding. */
u32 fadd32(struct fp_env *env, u32 a, u32 b);
u32 fsub32(struct fp_env *env, u32 a, u32 b);
u32 fmul32(struct fp_env *env, u32 a, u32 b);
u32 ffma32(struct fp_env *env, u32 a, u32 b, u32 c);

/* V_MAD/V_MAC: product rounded, then the sum rounded; subnormals flushed on input, in the product and on
 * output whatever the environment says. */
u32 fmad32(struct fp_env *env, u32 a, u32 b, u32 c);

/* V_MIN/V_MAX/V_MED3_F32: NaN rules by env->ieee, min gives -0 and max +0 of two zeros. */
u32 fmin32(struct fp_env *env, u32 a, u32 b);
u32 fmax32(struct fp_env *env, u32 a, u32 b);

/* Ordered comparison after input flush. Raises FP_INVALID for a signaling NaN. */
enum fp_order { ORDER_LT = 1, ORDER_EQ = 2, ORDER_GT = 4, ORDER_UN = 8 };
enum fp_order fcmp32(struct fp_env *env, u32 a, u32 b);

/* Conversions. To integer: truncate, saturate, NaN gives 0. From integer: rounded by env->round. */
u32 cvt_i32_f32(struct fp_env *env, u32 a);
u32 cvt_u32_f32(struct fp_env *env, u32 a);
u32 cvt_f32_i32(struct fp_env *env, u32 a);
u32 cvt_f32_u32(struct fp_env *env, u32 a);
u32 cvt_rpi_i32_f32(struct fp_env *env, u32 a); /* floor(a + 0.5), the sum exact */
u32 cvt_flr_i32_f32(struct fp_env *env, u32 a); /* floor(a) */

/* V_TRUNC/CEIL/FLOOR/RNDNE/FRACT_F32. */
u32 ftrunc32(struct fp_env *env, u32 a);
u32 fceil32(struct fp_env *env, u32 a);
u32 ffloor32(struct fp_env *env, u32 a);
u32 frndne32(struct fp_env *env, u32 a);
u32 ffract32(struct fp_env *env, u32 a);

/* Output modifiers on a finished f32 result. omod: 1 = x2, 2 = x4, 3 = /2; the caller decides whether it
 * applies at all. clamp: to [+0, 1]; NaN becomes +0 if env->dx10_clamp. */
u32 fomod32(struct fp_env *env, u32 v, u32 omod);
u32 fclamp32(const struct fp_env *env, u32 v);

/* The 16-bit formats used by fetch: the f32 value of a subnormal-preserving f16, exactly. */
u32 f32_from_f16_exact(u16 v);

#endif
