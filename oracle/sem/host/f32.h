/* The `host` half of the f32 vocabulary: the operations of oracle/fp/fp.h on the SSE/AVX unit, for
 * files compiled for x86-64-v3 with -O3 -ffp-contract=off -fno-math-errno. Each works on bit
 * patterns and is meant to be the body of a loop over 64 lanes, which the compiler vectorises.
 *
 * Results and exceptions equal the integer versions' bit for bit in every lane without a NaN
 * operand, also where the operation is invalid. Lanes with a NaN operand have to be done again by
 * oracle/fp/fp.h: their result may be another NaN; their exceptions are a subset of the right ones,
 * so ORing both is right.
 *
 *     u32 saved = host_enter(host_csr(env));
 *     host_pin(a); host_pin(b);                            // a, b, d: u32[64]
 *     for (int i = 0; i < 64; i++) d[i] = hadd32(a[i], b[i]);
 *     host_pin(d);
 *     flags = host_flags(host_leave(saved));
 *
 * The pins are not optional. No compiler knows that arithmetic reads and writes MXCSR, so both move
 * or fold it across the accesses to that register; what a pin names has to be in memory at that
 * point, and has to be read again after it. Every operand and result of the loop is pinned, none
 * may be const. */
#ifndef ORACLE_SEM_HOST_F32_H
#define ORACLE_SEM_HOST_F32_H

#include "oracle/fp/fp.h"

#include <immintrin.h>

enum {
    CSR_FLAGS = 0x003f,      /* exceptions, sticky; in the order of enum fp_flag */
    CSR_DAZ = 0x0040,        /* subnormal operands count as zero */
    CSR_MASKED = 0x1f80,     /* no exception traps */
    CSR_ROUND_DOWN = 0x2000, /* rounding, two bits */
    CSR_ROUND_UP = 0x4000,
    CSR_ROUND_ZERO = 0x6000,
    CSR_FTZ = 0x8000 /* tiny results become zero */
};

_Static_assert(FP_INVALID == _MM_EXCEPT_INVALID && FP_IN_DENORM == _MM_EXCEPT_DENORM &&
                   FP_DIV0 == _MM_EXCEPT_DIV_ZERO && FP_OVERFLOW == _MM_EXCEPT_OVERFLOW &&
                   FP_UNDERFLOW == _MM_EXCEPT_UNDERFLOW && FP_INEXACT == _MM_EXCEPT_INEXACT,
               "TRAPSTS and MXCSR order the exceptions alike");

/* The MXCSR word for an environment: everything masked, no exception recorded. Rows that flush
 * whatever MODE says set both flush fields first. */
static inline u32 host_csr(const struct fp_env *env)
{
    static const u32 rounding[4] = { [ROUND_EVEN] = 0,
                                     [ROUND_UP] = CSR_ROUND_UP,
                                     [ROUND_DOWN] = CSR_ROUND_DOWN,
                                     [ROUND_ZERO] = CSR_ROUND_ZERO };
    return CSR_MASKED | rounding[env->round & 3] | (env->flush_in ? (u32)CSR_DAZ : 0) |
           (env->flush_out ? (u32)CSR_FTZ : 0);
}

/* The exceptions recorded in an MXCSR word, as enum fp_flag. */
static inline u32 host_flags(u32 csr)
{
    return csr & CSR_FLAGS;
}

/* Everything reachable from p is in memory here and may have changed afterwards. */
static inline void host_pin(void *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Loads MXCSR; answers what it held. */
static inline u32 host_enter(u32 csr)
{
    u32 saved = _mm_getcsr();
    __asm__ volatile("ldmxcsr %0" : : "m"(csr) : "memory");
    return saved;
}

/* Restores MXCSR; answers what it held. */
static inline u32 host_leave(u32 saved)
{
    u32 csr;
    __asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(csr) : "m"(saved) : "memory");
    return csr;
}

static inline float host_float(u32 v)
{
    float f;
    memcpy(&f, &v, sizeof f);
    return f;
}

static inline u32 host_bits(float f)
{
    u32 v;
    memcpy(&v, &f, sizeof v);
    return v;
}

static inline u32 hadd32(u32 a, u32 b)
{
    return host_bits(host_float(a) + host_float(b));
}

static inline u32 hsub32(u32 a, u32 b)
{
    return host_bits(host_float(a) - host_float(b));
}

static inline u32 hmul32(u32 a, u32 b)
{
    return host_bits(host_float(a) * host_float(b));
}

static inline u32 hfma32(u32 a, u32 b, u32 c)
{
    return host_bits(__builtin_fmaf(host_float(a), host_float(b), host_float(c)));
}

/* Two roundings. Needs an MXCSR with both flushes set. */
static inline u32 hmad32(u32 a, u32 b, u32 c)
{
    return host_bits(host_float(a) * host_float(b) + host_float(c));
}

#endif
