/* Each loop is written out, with nothing shared but the store: what the model is measured against
 * has no calls and no choices inside. */
#include "harness/bench/bench.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

void bare_add(struct bare *b)
{
    u32 out[LANES];
    for (u32 i = 0; i < LANES; i++)
        out[i] = b->src0[i] + b->src1[i];
    put32(b->dst, out, b->exec);
}

void bare_bfe(struct bare *b)
{
    u32 out[LANES];
    for (u32 i = 0; i < LANES; i++)
        out[i] = b->src0[i] >> (b->src1[i] & 31) & ((1u << (b->src2[i] & 31)) - 1);
    put32(b->dst, out, b->exec);
}

void bare_add_co(struct bare *b)
{
    u32 out[LANES];
    u8 carry[LANES];
    u64 m = 0;
    for (u32 i = 0; i < LANES; i++) {
        out[i] = b->src0[i] + b->src1[i];
        carry[i] = out[i] < b->src0[i];
    }
    for (u32 group = 0; group < LANES; group += 8) {
        u64 eight;
        memcpy(&eight, carry + group, sizeof eight);
        m |= (eight * 0x0102040810204080u >> 56) << group;
    }
    b->carry = m & b->exec;
    put32(b->dst, out, b->exec);
}

void bare_fma(struct bare *b)
{
#if defined(__AVX2__) && defined(__FMA__)
    const float *a = (const float *)b->src0, *c = (const float *)b->src1,
                *d = (const float *)b->src2;
    float out[LANES];
    _mm_setcsr(0x1f80);
    __asm__ volatile("" : : "r"(a), "r"(c), "r"(d) : "memory");
    for (u32 i = 0; i < LANES; i++)
        out[i] = __builtin_fmaf(a[i], c[i], d[i]);
    __asm__ volatile("" : : "r"(out) : "memory");
    b->flags |= _mm_getcsr() & 0x3f;
    put32(b->dst, (const u32 *)out, b->exec);
#else
    (void)b;
#endif
}

void bare_add_f32(struct bare *b)
{
#if defined(__AVX2__) && defined(__FMA__)
    const float *a = (const float *)b->src0, *c = (const float *)b->src1;
    float out[LANES];
    _mm_setcsr(0x1f80);
    __asm__ volatile("" : : "r"(a), "r"(c) : "memory");
    for (u32 i = 0; i < LANES; i++)
        out[i] = a[i] + c[i];
    __asm__ volatile("" : : "r"(out) : "memory");
    b->flags |= _mm_getcsr() & 0x3f;
    put32(b->dst, (const u32 *)out, b->exec);
#else
    (void)b;
#endif
}

void bare_mul_f64(struct bare *b)
{
#if defined(__AVX2__) && defined(__FMA__)
    const u32 *a = b->src0, *c = b->src1;
    u32 low[LANES], high[LANES];
    _mm_setcsr(0x1f80);
    __asm__ volatile("" : : "r"(a), "r"(c) : "memory");
    for (u32 i = 0; i < LANES; i++) {
        u64 x = a[i] | (u64)a[LANES + i] << 32, y = c[i] | (u64)c[LANES + i] << 32;
        double s, t;
        memcpy(&s, &x, sizeof s);
        memcpy(&t, &y, sizeof t);
        s *= t;
        memcpy(&x, &s, sizeof x);
        low[i] = (u32)x;
        high[i] = (u32)(x >> 32);
    }
    __asm__ volatile("" : : "r"(low), "r"(high) : "memory");
    b->flags |= _mm_getcsr() & 0x3f;
    put32(b->dst, low, b->exec);
    put32(b->dst + LANES, high, b->exec);
#else
    (void)b;
#endif
}

void bare_scalar_add(struct bare *b)
{
    u64 t = (u64)b->src0[0] + b->src1[0];
    b->dst[0] = (u32)t;
    b->scc = t >> 32 != 0;
    __asm__ volatile("" : : "r"(b) : "memory");
}

void bare_load(struct bare *b)
{
    u32 out[LANES];
    for (u32 i = 0; i < LANES; i++) {
        u64 at = b->src0[i];
        out[i] = 0;
        if (at <= b->size - 4)
            memcpy(&out[i], b->bytes + at, 4);
    }
    put32(b->dst, out, b->exec);
}

void bare_lds_add(struct bare *b)
{
    for (u64 m = b->exec; m; m &= m - 1) {
        u32 i = ctz64(m), v;
        if (b->src0[i] > b->size - 4)
            continue;
        memcpy(&v, b->bytes + b->src0[i], 4);
        v += b->src1[i];
        memcpy(b->bytes + b->src0[i], &v, 4);
    }
}
