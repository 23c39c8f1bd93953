/* The host versions of f32 arithmetic, vectorised over 64 lanes as the host engine will use them,
 * against the integer versions: results and exceptions in every rounding and flush setting. Lanes
 * with a NaN operand belong to the integer versions: of them only "a NaN, and no exception too
 * many" is asked. */
#include "harness/t/fp/fp_values.h"

#if defined(__x86_64__)

#include "oracle/sem/host/f32.h"

enum op { ADD, SUB, MUL, FMA, MAD };

enum { WAVES = 20000 };

static const struct fv_fmt f32 = { "f32", 23, 8 };

/* One wave of operands and of results. */
struct wave64 {
    u32 in[3][LANES];
    u32 out[LANES];
};

#define HOST_LOOP(name, expression)                                    \
    static void name(const u32 *a, const u32 *b, const u32 *c, u32 *d) \
    {                                                                  \
        (void)c;                                                       \
        for (int i = 0; i < LANES; i++)                                \
            d[i] = expression;                                         \
    }

HOST_LOOP(add_loop, hadd32(a[i], b[i]))
HOST_LOOP(sub_loop, hsub32(a[i], b[i]))
HOST_LOOP(mul_loop, hmul32(a[i], b[i]))
HOST_LOOP(fma_loop, hfma32(a[i], b[i], c[i]))
HOST_LOOP(mad_loop, hmad32(a[i], b[i], c[i]))

static u32 host_run(enum op op, const struct fp_env *env, struct wave64 *w)
{
    static void (*const loop[])(const u32 *, const u32 *, const u32 *,
                                u32 *) = { add_loop, sub_loop, mul_loop, fma_loop, mad_loop };
    u32 saved = host_enter(host_csr(env));
    host_pin(w);
    loop[op](w->in[0], w->in[1], w->in[2], w->out);
    host_pin(w);
    return host_flags(host_leave(saved));
}

/* The same with the loop inlined between the accesses to MXCSR, where a compiler could move it. */
static u32 host_run_inline(const struct fp_env *env, struct wave64 *w)
{
    u32 saved = host_enter(host_csr(env));
    host_pin(w);
    for (int i = 0; i < LANES; i++)
        w->out[i] = hmul32(w->in[0][i], w->in[1][i]);
    host_pin(w);
    return host_flags(host_leave(saved));
}

static u32 ref_run(enum op op, struct fp_env *env, u32 a, u32 b, u32 c)
{
    switch (op) {
    case ADD: return fadd32(env, a, b);
    case SUB: return fsub32(env, a, b);
    case MUL: return fmul32(env, a, b);
    case FMA: return ffma32(env, a, b, c);
    default: return fmad32(env, a, b, c);
    }
}

/* Fills a wave: one kind of exponent or all, so that some waves raise few exceptions. */
static void fill(struct wave64 *w, struct rng *r, bool with_nan)
{
    bool plain = rng_one_in(r, 2);
    for (u32 lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 3; i++) {
            u32 v;
            do {
                v = (u32)fv_random(&f32, r);
                if (plain)
                    v = (v & 0x80ff0000) | (124 + rng_below(r, 6)) << 23;
            } while (!with_nan && f32_is_nan(v));
            w->in[i][lane] = v;
        }
}

static void check_wave(struct fv_check *c, enum op op, struct fp_env env, struct wave64 *w,
                       u32 host_flags_seen)
{
    struct fp_env all = env;
    bool any_nan = false;

    for (u32 lane = 0; lane < LANES; lane++) {
        u64 in[3] = { w->in[0][lane], w->in[1][lane], w->in[2][lane] };
        struct fp_env one = env;
        u32 want = ref_run(op, &one, (u32)in[0], (u32)in[1], (u32)in[2]);
        u32 got = w->out[lane];
        bool nan = f32_is_nan(w->in[0][lane]) || f32_is_nan(w->in[1][lane]) ||
                   (op >= FMA && f32_is_nan(w->in[2][lane]));
        all.flags |= one.flags;
        any_nan |= nan;
        fv_same(c, &one, in, want, one.flags, nan && f32_is_nan(got) ? want : got);
    }
    u32 want_flags = any_nan ? all.flags | host_flags_seen : host_flags_seen;
    fv_same(c, &all, (u64[3]){ w->in[0][0], w->in[1][0], w->in[2][0] }, 0, want_flags, 0);
}

static void sweep(struct fv_tap *t, const char *name, enum op op)
{
    struct fv_check c = { .name = name };
    struct wave64 w;
    struct rng r;

    rng_seed(&r, 7 + (u64)op);
    for (u32 i = 0; i < WAVES; i++) {
        struct fp_env env = fv_env((i & 15) | 16);
        if (op == MAD)
            env.flush_in = env.flush_out = 1;
        fill(&w, &r, i / 16 % 4 == 3);
        check_wave(&c, op, env, &w, host_run(op, &env, &w));
        if (op == MUL)
            check_wave(&c, op, env, &w, host_run_inline(&env, &w));
    }
    fv_done(t, &c, WAVES * LANES);
}

/* Each lane alone: flags of single operations, not hidden behind those of 63 others. */
static void single(struct fv_tap *t)
{
    struct fv_check c = { .name = "one lane that matters" };
    struct rng r;

    rng_seed(&r, 5);
    for (u32 i = 0; i < WAVES; i++) {
        enum op op = (enum op)(i % 5);
        struct fp_env env = fv_env(i / 5 & 15);
        struct wave64 w = { 0 };
        u32 lane = rng_below(&r, LANES);
        if (op == MAD)
            env.flush_in = env.flush_out = 1;
        for (int k = 0; k < 3; k++)
            do
                w.in[k][lane] = (u32)fv_random(&f32, &r);
            while (f32_is_nan(w.in[k][lane]));
        check_wave(&c, op, env, &w, host_run(op, &env, &w));
    }
    fv_done(t, &c, WAVES);
}

static void csr_words(struct fv_tap *t)
{
    struct fv_check c = { .name = "MXCSR words" };
    static const struct {
        struct fp_env env;
        u32 want;
    } rows[] = {
        { { .round = ROUND_EVEN }, 0x1f80 },
        { { .round = ROUND_UP }, 0x5f80 },
        { { .round = ROUND_DOWN }, 0x3f80 },
        { { .round = ROUND_ZERO }, 0x7f80 },
        { { .flush_in = 1 }, 0x1fc0 },
        { { .flush_out = 1 }, 0x9f80 },
        { { .round = ROUND_ZERO, .flush_in = 1, .flush_out = 1, .flags = 63 }, 0xffc0 },
    };
    u32 before = _mm_getcsr();

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fp_env env = rows[i].env;
        u32 saved = host_enter(host_csr(&env));
        u32 seen = host_leave(saved);
        fv_same(&c, &env, (u64[3]){ i, 0, 0 }, rows[i].want, env.flags, host_csr(&env));
        fv_same(&c, &env, (u64[3]){ i, 0, 0 }, rows[i].want, env.flags, seen);
        fv_same(&c, &env, (u64[3]){ i, 0, 0 }, before, env.flags, _mm_getcsr());
    }
    fv_done(t, &c, 3 * COUNT_OF(rows));
}

/* Apart from main, so that main uses no instruction the processor may lack. */
__attribute__((noinline)) static int all(void)
{
    struct fv_tap t = { 0 };
    sweep(&t, "add", ADD);
    sweep(&t, "sub", SUB);
    sweep(&t, "mul", MUL);
    sweep(&t, "fma", FMA);
    sweep(&t, "mad", MAD);
    single(&t);
    csr_words(&t);
    return fv_plan(&t);
}

int main(void)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return all();
    puts("1..0 # SKIP this processor is not x86-64-v3");
    return 0;
}

#else

int main(void)
{
    puts("1..0 # SKIP not an x86-64 machine");
    return 0;
}

#endif
