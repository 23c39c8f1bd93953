/* Integer-only IEEE arithmetic on bit patterns: the `ref` half of the row vocabulary. Every
 * function is correctly rounded under the environment, follows the NaN, zero and flush rules of
 * GFX9, and ORs the exceptions it raises into env->flags. Nothing here touches a host
 * floating-point register.
 *
 * Order of stages in every function that computes: flush subnormal inputs (keeps the sign) if
 * flush_in; operate; round once; flush a tiny result (keeps the sign; tininess is judged after
 * rounding to full precision with an unbounded exponent) if flush_out. abs, neg, omod and clamp are
 * not done here.
 *
 * NaN. One NaN operand is the result, quieted if env->ieee; of several the first in operand order.
 * An invalid operation gives the negative quiet NaN without payload, also 0 * inf + NaN.
 *
 * Exceptions are those of x86 SSE with everything masked (enum fp_flag says when), so that the host
 * engine can use MXCSR. Operands without a NaN give the same result and exceptions on both. x86
 * differs only where an operand is a NaN: 0 * inf + quiet NaN gives the quiet NaN and raises
 * nothing; a signaling NaN is always quieted; of two NaNs an FMA chooses by the order of the
 * instruction, and a compiler may swap the operands of any commutative operation. Its exceptions
 * are then a subset of ours. */
#ifndef ORACLE_FP_FP_H
#define ORACLE_FP_FP_H

#include "oracle/base/base.h"

/* MODE.FP_ROUND, Vega ISA, chapter 3 (MODE register). */
enum fp_round { ROUND_EVEN, ROUND_UP, ROUND_DOWN, ROUND_ZERO };

/* TRAPSTS.EXCP bits, sticky, in the order of MXCSR. */
enum fp_flag {
    FP_INVALID = 1,    // a signaling NaN operand, whatever env->ieee says; or an invalid operation
    FP_IN_DENORM = 2,  // a subnormal operand is kept; unless one is a NaN or the operation invalid
    FP_DIV0 = 4,       // an infinity from finite operands
    FP_OVERFLOW = 8,   // the rounded magnitude exceeds the largest number; with FP_INEXACT
    FP_UNDERFLOW = 16, // the result is tiny, and flushed or inexact; with FP_INEXACT
    FP_INEXACT = 32,   // the result differs from the exact value
    FP_INT_DIV0 = 64   // V_RCP_IFLAG_F32 of zero
};

/* What is open about a result: operands for which the numeric rules name more than one right
 * answer, or none. The first group are alternatives: an operation that comes to such a point notes
 * it in env->open and gives the other answer if the bit is set in env->take (nobody sets it but
 * oracle/accept/acceptance.c, which runs an instruction once per alternative). The second group
 * says how a result may differ. */
enum fp_open {
    ALT_TINY = 1,    /* zero or the smallest normal number: which side tininess is judged on */
    ALT_RAW = 2,     /* a subnormal that is not flushed although MODE says so */
    ALT_PRODUCT = 4, /* the product of an unfused multiply-add is rounded to even */
    ALT_VALUE = 8,   /* another value; the function says which */
    ALT_VALUE2 = 16, /* a third one */
    ALT_ZERO = 32,   /* the other sign of zero */
    ALT_OMOD = 64,   /* the other zero that omod may make */
    ALT_MASK = 127,
    OPEN_NAN = 128,   /* any quiet NaN; any NaN with IEEE=0 */
    OPEN_ANY = 256,   /* not compared */
    OPEN_NEAR = 512,  /* within the tolerance that the row states */
    OPEN_LESS = 1024, /* the exact value is less than the result (beside OPEN_NEAR) */
    OPEN_MORE = 2048, /* the exact value is more */
    OPEN_REL = 4096   /* a row that states an absolute error: here it is relative */
};

/* One format's view of MODE. */
struct fp_env {
    u8 round;      /* enum fp_round */
    u8 flush_in;   /* subnormal inputs count as zero */
    u8 flush_out;  /* tiny results become zero */
    u8 ieee;       /* MODE.IEEE: signaling NaNs are quieted, min/max follow the IEEE rule */
    u8 dx10_clamp; /* MODE.DX10_CLAMP */
    u8 fp16_ovfl;  /* MODE.FP16_OVFL: a finite f16 result that overflows becomes +-65504 */
    u32 flags;     /* enum fp_flag, ORed, never cleared here */
    u16 take;      /* ALT_ bits: where results are open, the other answer; normally 0 */
    u16 open;      /* enum fp_open, ORed, never cleared here */
};

/* Notes that an alternative exists here, and says whether to take it. */
static inline bool fp_alt(struct fp_env *env, enum fp_open alt)
{
    env->open |= (u16)alt;
    return (env->take & alt) != 0;
}

static inline bool f32_is_nan(u32 v)
{
    return (v & 0x7fffffff) > 0x7f800000;
}

static inline bool f32_is_snan(u32 v)
{
    return f32_is_nan(v) && !(v & 0x00400000);
}

static inline bool f32_is_tiny_or_zero(u32 v)
{
    return (v & 0x7f800000) == 0;
}

/* Arithmetic, one rounding. */
u32 fadd32(struct fp_env *env, u32 a, u32 b);
u32 fsub32(struct fp_env *env, u32 a, u32 b);
u32 fmul32(struct fp_env *env, u32 a, u32 b);
u32 ffma32(struct fp_env *env, u32 a, u32 b, u32 c);

/* V_MAD/V_MAC: product rounded, then the sum rounded, both by env->round; subnormals flushed on
 * input, in the product and on output whatever the environment says. */
u32 fmad32(struct fp_env *env, u32 a, u32 b, u32 c);

/* V_MIN/V_MAX/V_MED3_F32: min gives -0 and max +0 of two zeros. With env->ieee a signaling NaN wins
 * and is quieted, a first; in every other case with a NaN the result is the other operand, and of
 * two NaNs b. A subnormal result is flushed under flush_out like any other (FP_UNDERFLOW |
 * FP_INEXACT). */
u32 fmin32(struct fp_env *env, u32 a, u32 b);
u32 fmax32(struct fp_env *env, u32 a, u32 b);

/* Ordered comparison after input flush. Raises FP_INVALID for a signaling NaN, FP_IN_DENORM as
 * above. */
enum fp_order { ORDER_LT = 1, ORDER_EQ = 2, ORDER_GT = 4, ORDER_UN = 8 };
enum fp_order fcmp32(struct fp_env *env, u32 a, u32 b);

/* Conversions between f32 and 32-bit integers. To integer: truncate, saturate, NaN gives 0. Raises
 * FP_INVALID for NaN and what saturates, else FP_INEXACT if a fraction was dropped (the
 * instructions raise that only with their CLAMP bit set: the caller drops it), never FP_IN_DENORM.
 * From integer: rounded by env->round. */
u32 cvt_i32_f32(struct fp_env *env, u32 a);
u32 cvt_u32_f32(struct fp_env *env, u32 a);
u32 cvt_f32_i32(struct fp_env *env, u32 a);
u32 cvt_f32_u32(struct fp_env *env, u32 a);

/* The same with another rule; no FP_INEXACT. NaN saturates to the side of its sign. */
u32 cvt_rpi_i32_f32(struct fp_env *env, u32 a); /* floor(a + 0.5), the sum exact */
u32 cvt_flr_i32_f32(struct fp_env *env, u32 a); /* floor(a) */

/* V_TRUNC/CEIL/FLOOR/RNDNE_F32: a zero result has the sign of a. Only FP_INVALID can be raised. */
u32 ftrunc32(struct fp_env *env, u32 a);
u32 fceil32(struct fp_env *env, u32 a);
u32 ffloor32(struct fp_env *env, u32 a);
u32 frndne32(struct fp_env *env, u32 a);

/* V_FRACT_F32: a - floor(a) rounded by env->round, but always below 1; +0 for integers, invalid for
 * infinities. */
u32 ffract32(struct fp_env *env, u32 a);

/* Output modifiers on a finished f32 result. omod: 1 = x2, 2 = x4, 3 = /2, 0 = none; the caller
 * decides whether it applies at all. NaN and infinity pass; a zero or subnormal becomes +0, and
 * halving into the subnormals gives zero of the same sign; overflow follows env->round. clamp: to
 * [+0, 1]; NaN becomes +0 if env->dx10_clamp. */
u32 fomod32(struct fp_env *env, u32 v, u32 omod);
u32 fclamp32(const struct fp_env *env, u32 v);

/* The other formats, rules as for f32. Their environment is MODE's f64/f16 fields. */
u16 fadd16(struct fp_env *env, u16 a, u16 b);
u16 fsub16(struct fp_env *env, u16 a, u16 b);
u16 fmul16(struct fp_env *env, u16 a, u16 b);
u16 ffma16(struct fp_env *env, u16 a, u16 b, u16 c);
u16 fmin16(struct fp_env *env, u16 a, u16 b);
u16 fmax16(struct fp_env *env, u16 a, u16 b);
enum fp_order fcmp16(struct fp_env *env, u16 a, u16 b);
u16 fmad16(struct fp_env *env, u16 a, u16 b, u16 c); /* unfused and flushing, as fmad32 */
u16 ftrunc16(struct fp_env *env, u16 a);
u16 fceil16(struct fp_env *env, u16 a);
u16 ffloor16(struct fp_env *env, u16 a);
u16 frndne16(struct fp_env *env, u16 a);
u16 ffract16(struct fp_env *env, u16 a);
u16 fomod16(struct fp_env *env, u16 v, u32 omod);
u16 fclamp16(const struct fp_env *env, u16 v);

/* The middle of three, -0 below +0. With a NaN among them the smallest, by the rules of fmin16. */
u16 fmed316(struct fp_env *env, u16 a, u16 b, u16 c);

/* a * 2^n, one rounding. */
u16 fldexp16(struct fp_env *env, u16 a, i16 n);

/* a = mantissa * 2^exponent with 0.5 <= |mantissa| < 1; subnormals are normalised whatever MODE
 * says. Zero and infinity are their own mantissa, a NaN too, quieted if env->ieee; the exponent of
 * all these is 0. */
u16 frexp_mant16(struct fp_env *env, u16 a);
i16 frexp_exp16(struct fp_env *env, u16 a);

/* V_CMP_CLASS: whether `a`, as it stands, belongs to one of the classes: bit 0 signaling NaN, 1
 * quiet NaN, 2 -inf, 3 -normal, 4 -subnormal, 5 -0, 6 +0, 7 +subnormal, 8 +normal, 9 +inf. */
bool fclass16(u16 a, u32 classes);

/* V_DIV_FIXUP: the quotient a with the sign and the special values that b, the denominator, and c,
 * the numerator, ask for. Raises FP_INVALID for 0/0 and inf/inf, FP_DIV0 for x/0. ERRATA(VALU-U18):
 * a quotient that is NaN or infinite becomes what an overflow gives. */
u16 fdiv_fixup16(struct fp_env *env, u16 a, u16 b, u16 c);

/* The exact value rounded once, to even whatever MODE says. Open: what lies within 0.01 of a last
 * place of the middle between two numbers; of fsin16 and fcos16, whose operand counts turns,
 * everything that is not exact. FP_DIV0 for the infinite results of zeros. */
u16 frcp16(struct fp_env *env, u16 a);
u16 fsqrt16(struct fp_env *env, u16 a);
u16 frsq16(struct fp_env *env, u16 a);
u16 flog16(struct fp_env *env, u16 a); /* to base 2 */
u16 fexp16(struct fp_env *env, u16 a); /* of 2 */
u16 fsin16(struct fp_env *env, u16 a);
u16 fcos16(struct fp_env *env, u16 a);

/* Conversions between f16 and 16-bit integers, as those of f32. */
u16 cvt_u16_f16(struct fp_env *env, u16 a);
i16 cvt_i16_f16(struct fp_env *env, u16 a);
u16 cvt_f16_u16(struct fp_env *env, u16 a);
u16 cvt_f16_i16(struct fp_env *env, i16 a);

/* [-1, 1] onto -32767..32767 and [0, 1] onto 0..65535, to the nearest, ties to even; what lies
 * outside saturates, NaN gives 0. UNVERIFIED: the rounding. */
i16 cvt_snorm16_f16(struct fp_env *env, u16 a);
u16 cvt_unorm16_f16(struct fp_env *env, u16 a);

/* V_MAD_MIXLO/MIXHI, V_FMA_MIXLO/MIXHI: a * b + c as an f16. Unfused: V_MAD_MIX_F32's f32, then
 * rounded again; f16 subnormals are flushed. Fused: rounded once. Open: once or twice, and the
 * flush. env is the f16's environment, mode32 that of f32. */
u16 fmix16(struct fp_env *env, const struct fp_env *mode32, u32 a, u32 b, u32 c, bool fused);

/* V_DOT2_F32_F16: c plus the products of the halves of a and b, low ones first, each sum rounded by
 * itself; f32 subnormals are flushed whatever the environment says. UNVERIFIED, and open: the
 * order, the last place, everything where large parts cancel, subnormal halves, the payload of a
 * NaN. */
u32 fdot2_32(struct fp_env *env, u32 a, u32 b, u32 c);

/* The same value as f32. A NaN keeps everything, the quiet bit included. No exceptions. */
u32 f16_widen(u16 a, bool flush);

u64 fadd64(struct fp_env *env, u64 a, u64 b);
u64 fsub64(struct fp_env *env, u64 a, u64 b);
u64 fmul64(struct fp_env *env, u64 a, u64 b);
u64 ffma64(struct fp_env *env, u64 a, u64 b, u64 c);
u64 fmin64(struct fp_env *env, u64 a, u64 b);
u64 fmax64(struct fp_env *env, u64 a, u64 b);
enum fp_order fcmp64(struct fp_env *env, u64 a, u64 b);
u64 ftrunc64(struct fp_env *env, u64 a);
u64 fceil64(struct fp_env *env, u64 a);
u64 ffloor64(struct fp_env *env, u64 a);
u64 frndne64(struct fp_env *env, u64 a);
u64 ffract64(struct fp_env *env, u64 a);
u32 cvt_i32_f64(struct fp_env *env, u64 a);
u32 cvt_u32_f64(struct fp_env *env, u64 a);
u64 cvt_f64_i32(struct fp_env *env, u32 a);
u64 cvt_f64_u32(struct fp_env *env, u32 a);
u64 fomod64(struct fp_env *env, u64 v, u32 omod);
u64 fclamp64(const struct fp_env *env, u64 v);

/* V_FREXP_EXP/MANT: zero, infinity and NaN have exponent 0 and stay themselves as significands;
 * subnormals are normalised whatever MODE says. V_LDEXP: a * 2^by, one rounding. */
u32 ffrexp_exp32(struct fp_env *env, u32 a);
u32 ffrexp_mant32(struct fp_env *env, u32 a);
u32 fldexp32(struct fp_env *env, u32 a, i32 by);
u32 ffrexp_exp64(struct fp_env *env, u64 a);
u64 ffrexp_mant64(struct fp_env *env, u64 a);
u64 fldexp64(struct fp_env *env, u64 a, i32 by);

/* The bit of V_CMP_CLASS's mask that stands for a: 0 signaling NaN, 1 quiet NaN, 2 -infinity,
 * 3 -normal, 4 -subnormal, 5 -0, 6 +0, 7 +subnormal, 8 +normal, 9 +infinity. No flush, no flags. */
u32 fclass32(u32 a);
u32 fclass64(u64 a);

/* V_RCP/RSQ/SQRT_F64: hardware gives some 23 good bits; this is the nearest number, ties to even,
 * whatever env->round says. 1/0 raises FP_DIV0, the root of a negative number FP_INVALID. */
u64 frcp64(struct fp_env *env, u64 a);
u64 frsq64(struct fp_env *env, u64 a);
u64 fsqrt64(struct fp_env *env, u64 a);

/* V_DIV_SCALE (s0 is s1 or s2; *flag is its VCC bit), V_DIV_FMAS, V_DIV_FIXUP (s0 quotient): s1 is
 * the denominator, s2 the numerator; the rules stand in fp_scale.h. */
u32 fdiv_scale32(struct fp_env *env, u32 s0, u32 s1, u32 s2, bool *flag);
u32 fdiv_fmas32(struct fp_env *env, u32 s0, u32 s1, u32 s2, bool flag);
u32 fdiv_fixup32(struct fp_env *env, u32 s0, u32 s1, u32 s2);
u64 fdiv_scale64(struct fp_env *env, u64 s0, u64 s1, u64 s2, bool *flag);
u64 fdiv_fmas64(struct fp_env *env, u64 s0, u64 s1, u64 s2, bool flag);
u64 fdiv_fixup64(struct fp_env *env, u64 s0, u64 s1, u64 s2);

/* V_TRIG_PREOP_F64: 53 bits of 2/pi for the range reduction of a, the segment's low five bits
 * choose which; rounded toward zero where they are subnormal. */
u64 ftrig_preop64(struct fp_env *env, u64 a, u32 segment);

/* Between formats. Here env->flush_in belongs to the format of the operand; env->round, flush_out
 * and fp16_ovfl to the format of the result: the caller mixes them from MODE. A NaN keeps its sign
 * and the top of its payload; widening quiets it if env->ieee, narrowing always. */
u16 cvt_f16_f32(struct fp_env *env, u32 a);
u32 cvt_f32_f16(struct fp_env *env, u16 a);
u64 cvt_f64_f32(struct fp_env *env, u32 a);
u32 cvt_f32_f64(struct fp_env *env, u64 a);

#endif
