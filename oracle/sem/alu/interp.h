/* Interpolation: parameters of primitives in LDS, and the arithmetic on them. Vega ISA, sections
 * 10.3 (LDS parameter reads) and 12.11. For sem_vop.c. */
#ifndef ORACLE_SEM_ALU_INTERP_H
#define ORACLE_SEM_ALU_INTERP_H

#include "oracle/sem/sem.h"

/* The selectors of v_interp_mov_f32. */
enum { P10, P20, P0 };

/* A parameter for the quad that the lane is of: twelve dwords for each primitive of each attribute.
 * M0 holds where they begin, and for each quad but the first whether a primitive begins there.
 * ERRATA: the manual says no more; the order is that of CLRX. */
static inline u32 lds_param(struct wave *w, u32 attr_chan, u32 which, u32 lane)
{
    u32 m0 = w->sgpr[CODE_M0], begins = (m0 >> 15 & 0xfffe) | 1, chan = attr_chan & 3;
    u32 prim = popcount32(begins & ((2u << lane / 4) - 1)) - 1;
    u32 dword = which == P20 ? 8 + chan : chan * 2 + (which == P10);
    u32 record = (attr_chan >> 2) * popcount32(begins) + prim;
    return (u32)mem_read(w, SPACE_LDS, lane, (m0 & 0xffff) + (record * 12 + dword) * 4, 4);
}

/* a * b + c. ERRATA: whether the product is rounded and subnormals are flushed is not known. */
static inline u32 interp32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    struct fp_env unfused = *env;
    u32 d = ffma32(env, a, b, c), other = fmad32(&unfused, a, b, c);
    return d != other && fp_alt(env, ALT_VALUE2) ? other : d;
}

/* Half of a parameter, as f32. ERRATA: whether subnormals are flushed is not known. */
static inline u32 interp_half(struct fp_env *env, u32 half)
{
    bool subnormal = !(half & 0x7c00) && half & 0x3ff;
    return f16_widen((u16)half, subnormal && fp_alt(env, ALT_VALUE));
}

/* interp32 whose result may be rounded as halves are. ERRATA: LLVM sets that field of MODE for
 * it. */
static inline u32 interp_wide(struct fp_env *env, const struct fp_env *narrow, u32 a, u32 b, u32 c)
{
    struct fp_env other = *env;
    other.round = narrow->round;
    u32 d = interp32(env, a, b, c), e = interp32(&other, a, b, c);
    return d != e && fp_alt(env, ALT_PRODUCT) ? e : d;
}

/* a * b + c as a half, where `wide` is the environment of f32. ERRATA: as of interp32. */
static inline u16 interp16(struct fp_env *env, const struct fp_env *wide, u32 a, u32 b, u32 c)
{
    struct fp_env unfused = *env;
    u16 d = fmix16(env, wide, a, b, c, true), other = fmix16(&unfused, wide, a, b, c, false);
    return d != other && fp_alt(env, ALT_PRODUCT) ? other : d;
}

/* The half of a parameter that the instruction's attr_word names. */
static inline u32 half_param(struct fp_env *env, struct wave *w, const struct xinsn *in,
                             u32 attr_chan, u32 which, u32 lane)
{
    u32 dword = lds_param(w, attr_chan, which, lane);
    return interp_half(env, insn_get(&in->insn, FLD_high) ? dword >> 16 : dword & 0xffff);
}

#endif
