/* The reference arithmetic against the SSE unit of this machine: results and exception flags of
 * add, subtract, multiply and fused multiply-add in every rounding, DAZ and FTZ. The host engine
 * rests on this. Where an operand is a NaN the rules differ (oracle/fp/fp.h), and only "a NaN, and
 * x86 raises nothing that the reference does not raise" is asked. */
#include "harness/t/fp/fp_values.h"

#if defined(__x86_64__)

#include <immintrin.h>

enum sse_op { SSE_ADD, SSE_SUB, SSE_MUL, SSE_FMA };

static const struct fv_fmt f32 = { "f32", 23, 8 };

static __m128 vec_of(u64 v)
{
    return _mm_castsi128_ps(_mm_cvtsi32_si128((int)(u32)v));
}

static u32 bits_of(__m128 v)
{
    return (u32)_mm_cvtsi128_si32(_mm_castps_si128(v));
}

/* The operation sits between the two accesses to MXCSR as volatile asm: a compiler may move an
 * intrinsic across them. */
static u32 sse_run(enum sse_op op, const struct fp_env *env, const u64 *in, u32 *flags)
{
    static const u32 rounding[4] = { 0x0000, 0x4000, 0x2000, 0x6000 };
    u32 saved = _mm_getcsr();
    u32 csr =
        0x1f80 | rounding[env->round] | (env->flush_in ? 0x40 : 0) | (env->flush_out ? 0x8000 : 0);
    __m128 a = vec_of(in[0]), b = vec_of(in[1]), c = vec_of(in[2]);

    switch (op) {
    case SSE_ADD:
        __asm__ volatile("ldmxcsr %1\n\taddss %2, %0\n\tstmxcsr %1" : "+x"(a), "+m"(csr) : "x"(b));
        break;
    case SSE_SUB:
        __asm__ volatile("ldmxcsr %1\n\tsubss %2, %0\n\tstmxcsr %1" : "+x"(a), "+m"(csr) : "x"(b));
        break;
    case SSE_MUL:
        __asm__ volatile("ldmxcsr %1\n\tmulss %2, %0\n\tstmxcsr %1" : "+x"(a), "+m"(csr) : "x"(b));
        break;
    default:
        __asm__ volatile("vldmxcsr %1\n\tvfmadd213ss %3, %2, %0\n\tvstmxcsr %1"
                         : "+x"(a), "+m"(csr)
                         : "x"(b), "x"(c));
        break;
    }
    _mm_setcsr(saved);
    *flags = csr & 63;
    return bits_of(a);
}

static u32 ref_run(enum sse_op op, struct fp_env *env, const u64 *in)
{
    u32 a = (u32)in[0], b = (u32)in[1], c = (u32)in[2];
    switch (op) {
    case SSE_ADD: return fadd32(env, a, b);
    case SSE_SUB: return fsub32(env, a, b);
    case SSE_MUL: return fmul32(env, a, b);
    default: return ffma32(env, a, b, c);
    }
}

static void compare(struct fv_check *c, enum sse_op op, struct fp_env env, const u64 *in)
{
    u32 flags, want = sse_run(op, &env, in, &flags);
    u32 got = ref_run(op, &env, in);

    bool nan = f32_is_nan((u32)in[0]) || f32_is_nan((u32)in[1]) ||
               (op == SSE_FMA && f32_is_nan((u32)in[2]));

    if (nan && f32_is_nan(want))
        fv_same(c, &env, in, f32_is_nan(got) ? got : want, env.flags | flags, got);
    else
        fv_same(c, &env, in, want, flags, got);
}

static void sweep(struct fv_tap *t, const char *name, enum sse_op op)
{
    struct fv_check c = { .name = name };
    struct rng r;
    u64 edge[FV_EDGES_MAX];
    int edges = fv_edges(&f32, edge);
    int thirds = op == SSE_FMA ? edges : 1;

    for (int i = 0; i < edges; i++)
        for (int j = 0; j < edges; j++)
            for (int k = 0; k < thirds; k++)
                for (u32 e = 0; e < 16; e++)
                    compare(&c, op, fv_env(e | 16), (u64[3]){ edge[i], edge[j], edge[k] });
    rng_seed(&r, 1 + (u64)op);
    for (u32 i = 0; i < 400000; i++) {
        u64 in[3] = { fv_random(&f32, &r), fv_random(&f32, &r), fv_random(&f32, &r) };
        compare(&c, op, fv_env((i & 15) | 16), in);
    }
    fv_done(t, &c, 400000);
}

int main(void)
{
    struct fv_tap t = { 0 };
    sweep(&t, "add", SSE_ADD);
    sweep(&t, "sub", SSE_SUB);
    sweep(&t, "mul", SSE_MUL);
    if (__builtin_cpu_supports("fma"))
        sweep(&t, "fma", SSE_FMA);
    else
        printf("ok %d - fma # SKIP this processor has no FMA\n", ++t.count);
    return fv_plan(&t);
}

#else

int main(void)
{
    puts("1..0 # SKIP not an x86-64 machine");
    return 0;
}

#endif
