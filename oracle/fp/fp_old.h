/* Arithmetic that only gfx6 and gfx7 have: results without infinity, the minimum and maximum of
 * DX9, compares that report every NaN. For rows of the vector ALU. ERRATA(GCN2-U02 GCN2-U04):
 * their manual is not among the specifications. */
#ifndef ORACLE_FP_FP_OLD_H
#define ORACLE_FP_FP_OLD_H

#include "oracle/fp/fp.h"

/* As the functions of fp_trans.h and fp.h, but an infinity becomes the largest number of its sign
 * (clamp), or zero of its sign (legacy). */
u32 flog_clamp32(struct fp_env *env, u32 a);
u32 frcp_clamp32(struct fp_env *env, u32 a);
u32 frcp_legacy32(struct fp_env *env, u32 a);
u32 frsq_clamp32(struct fp_env *env, u32 a);
u32 frsq_legacy32(struct fp_env *env, u32 a);
u64 frcp_clamp64(struct fp_env *env, u64 a);
u64 frsq_clamp64(struct fp_env *env, u64 a);

/* a if it is less than b, else b; a if it is not less than b, else b. With a NaN it is b. ALT_RAW:
 * not flushed although MODE says so. */
u32 fmin_legacy32(struct fp_env *env, u32 a, u32 b);
u32 fmax_legacy32(struct fp_env *env, u32 a, u32 b);

/* a * b, where zero times anything is +0; the lowest number if b is that, minus infinity or a NaN,
 * or if c is a NaN or not above zero. */
u32 fmullit32(struct fp_env *env, u32 a, u32 b, u32 c);

/* fcmp32 and fcmp64 that raise FP_INVALID for quiet NaNs, too. */
enum fp_order fcmps32(struct fp_env *env, u32 a, u32 b);
enum fp_order fcmps64(struct fp_env *env, u64 a, u64 b);

#endif
