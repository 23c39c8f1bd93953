/* The transcendental unit: reciprocal, roots, exponential, logarithm, sine and cosine of f32, from
 * integers alone.
 *
 * What hardware returns is published only as a bound (1 ULP; for sine and cosine an example or
 * two), so every function gives the nearest number, ties to even, whatever FP_ROUND says, and notes
 * in env->open that and on which side of the exact value it lies (OPEN_NEAR, OPEN_LESS, OPEN_MORE).
 * The intermediate results have a relative error below 2^-60; harness/t/fp/t_trans.c compares them
 * with MPFR, over samples in `make test` and over every input on request.
 *
 * Exceptions are those of the last rounding, and what stands at the functions: which of them
 * hardware raises is not published.
 *
 * Except in sine and cosine subnormal operands and results are zeros whatever MODE says.
 * Vega ISA, chapter 12 (VOP1 opcodes). */
#ifndef ORACLE_FP_FP_TRANS_H
#define ORACLE_FP_FP_TRANS_H

#include "oracle/fp/fp.h"

/* 1/0 and 1/sqrt(0) raise FP_DIV0, the root of a negative number FP_INVALID. */
u32 frcp32(struct fp_env *env, u32 a);
u32 frsq32(struct fp_env *env, u32 a);
u32 fsqrt32(struct fp_env *env, u32 a);

/* frcp32 that raises FP_INT_DIV0 for zero and nothing else. */
u32 frcp_iflag32(struct fp_env *env, u32 a);

/* 2^a and log2(a). log2(0) raises FP_DIV0, of a negative number FP_INVALID. */
u32 fexp32(struct fp_env *env, u32 a);
u32 flog32(struct fp_env *env, u32 a);

/* "Legacy semantics" are nowhere defined: as fexp32 and flog32, with OPEN_ANY for operands that are
 * no ordinary numbers. */
u32 fexp_legacy32(struct fp_env *env, u32 a);
u32 flog_legacy32(struct fp_env *env, u32 a);

/* sin and cos of a turns (2 pi a), of any finite a. Zeros at the other multiples of half a turn are
 * +0. Infinity raises FP_INVALID. */
u32 fsin32(struct fp_env *env, u32 a);
u32 fcos32(struct fp_env *env, u32 a);

#endif
