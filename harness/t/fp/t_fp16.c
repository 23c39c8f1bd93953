/* What only f16 has, over all 65,536 operands: reciprocals, roots, logarithms, powers and turns
 * against MPFR; conversions, exponents and classes against their definitions in doubles, which hold
 * every f16 and every scaled f16 exactly. */
#include "harness/t/fp/fp_values.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

static const struct fv_fmt f16 = { "f16", 10, 5 };
static const mpfr_rnd_t rounding[4] = { MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ };

static mpfr_t operand, exact, middle, rounded;

static bool is_nan(u16 a)
{
    return fv_is_nan(&f16, a);
}

static double value(u16 a)
{
    int exp = a >> 10 & 31;
    double mant = a & 0x3ff, v = exp ? ldexp(1024 + mant, exp - 25) : ldexp(mant, -24);
    if (exp == 31)
        v = HUGE_VAL;
    return a >> 15 ? -v : v;
}

static void unbounded(void)
{
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
}

/* x as an f16; env says how, and gets the exceptions. */
static u16 round16(mpfr_srcptr x, struct fp_env *env)
{
    mpfr_rnd_t rnd = rounding[env->round];
    unbounded();
    int ternary = mpfr_set(rounded, x, rnd);
    u16 sign = (u16)(mpfr_signbit(rounded) ? 0x8000u : 0u);
    bool tiny = mpfr_regular_p(rounded) && mpfr_get_exp(rounded) < -13;
    bool huge = mpfr_regular_p(rounded) && mpfr_get_exp(rounded) > 16;
    if (huge)
        env->flags |= FP_OVERFLOW;
    if (tiny && env->flush_out) {
        env->flags |= FP_UNDERFLOW | FP_INEXACT;
        return sign;
    }
    mpfr_set_emin(-23);
    mpfr_set_emax(16);
    ternary = mpfr_check_range(rounded, ternary, rnd);
    ternary = mpfr_subnormalize(rounded, ternary, rnd);
    if (ternary)
        env->flags |= FP_INEXACT | (tiny ? FP_UNDERFLOW : 0);
    double v = fabs(mpfr_get_d(rounded, MPFR_RNDN));
    unbounded();
    if (isinf(v))
        return sign | (huge && env->fp16_ovfl ? 0x7bff : 0x7c00);
    int exp;
    double m = frexp(v, &exp);
    if (v == 0)
        return sign;
    if (exp < -13)
        return sign | (u16)ldexp(v, 24);
    return (u16)(sign | (((u32)(exp + 13) << 10) + (u32)ldexp(m, 11)));
}

/* ---- functions of a real number ---- */

struct function {
    const char *name;
    u16 (*got)(struct fp_env *env, u16 a);
    void (*want)(mpfr_ptr r, mpfr_srcptr a);
    u16 at_zero, at_minus_zero, at_inf, at_minus_inf;
    bool of_negative; /* defined below zero */
    bool turns;
};

static void want_rcp(mpfr_ptr r, mpfr_srcptr a)
{
    mpfr_ui_div(r, 1, a, MPFR_RNDN);
}
static void want_sqrt(mpfr_ptr r, mpfr_srcptr a)
{
    mpfr_sqrt(r, a, MPFR_RNDN);
}
static void want_rsq(mpfr_ptr r, mpfr_srcptr a)
{
    mpfr_rec_sqrt(r, a, MPFR_RNDN);
}
static void want_log(mpfr_ptr r, mpfr_srcptr a)
{
    mpfr_log2(r, a, MPFR_RNDN);
}
static void want_exp(mpfr_ptr r, mpfr_srcptr a)
{
    mpfr_exp2(r, a, MPFR_RNDN);
}

/* Reduced to an eighth of a turn first, so that zeros and ones come out exactly. */
static void want_sine(mpfr_ptr r, double turns)
{
    double t = turns - floor(turns);
    bool negative = t >= 0.5;
    t = fmod(t, 0.5);
    t = t > 0.25 ? 0.5 - t : t;
    mpfr_const_pi(r, MPFR_RNDN);
    mpfr_mul_d(r, r, 2 * (t > 0.125 ? 0.25 - t : t), MPFR_RNDN);
    if (t > 0.125)
        mpfr_cos(r, r, MPFR_RNDN);
    else
        mpfr_sin(r, r, MPFR_RNDN);
    if (negative && !mpfr_zero_p(r))
        mpfr_neg(r, r, MPFR_RNDN);
}
static void want_sin(mpfr_ptr r, mpfr_srcptr a)
{
    want_sine(r, mpfr_get_d(a, MPFR_RNDN));
}
static void want_cos(mpfr_ptr r, mpfr_srcptr a)
{
    double t = mpfr_get_d(a, MPFR_RNDN);
    want_sine(r, t - floor(t) + 0.25);
}

/* The result for zeros, infinities, NaNs and what is not defined; false for the rest. */
static bool special(const struct function *f, const struct fp_env *env, u16 a, u16 *want)
{
    u16 abs = a & 0x7fff;
    if (is_nan(a))
        *want = a | (env->ieee ? 0x200 : 0);
    else if (abs == 0x7c00)
        *want = a >> 15 ? f->at_minus_inf : f->at_inf;
    else if (abs == 0 || (abs < 0x400 && env->flush_in))
        *want = a >> 15 ? f->at_minus_zero : f->at_zero;
    else if (a >> 15 && !f->of_negative)
        *want = 0xfe00;
    else
        return false;
    return true;
}

/* How far the exact value lies from the middle between two numbers, of which `near` is the nearest,
 * in units of its last place. */
static double from_middle(u16 near)
{
    int exp = (int)mpfr_get_exp(exact) - 1;
    double v = value(near & 0x7fff), ulp = ldexp(1, exp < -14 ? -24 : exp - 10);
    mpfr_abs(middle, exact, MPFR_RNDN);
    mpfr_sub_d(middle, middle, v, MPFR_RNDN);
    double off = fabs(mpfr_get_d(middle, MPFR_RNDN)) / ulp;
    return fabs(off - 0.5);
}

static void sweep(struct fv_tap *t, const struct function *f)
{
    struct fv_check c = { .name = f->name };
    u32 wrong_open = 0, opens = 0;
    for (u32 i = 0; i < 65536 * 8; i++) {
        u16 a = (u16)i, want;
        struct fp_env env = { .round = (u8)(i >> 17 & 3), // which is ignored
                              .flush_in = i >> 16 & 1,
                              .flush_out = i >> 16 & 1,
                              .ieee = i >> 18 & 1 },
                      nearest = env;
        nearest.round = ROUND_EVEN;
        nearest.flags = 0;
        bool is_special = special(f, &env, a, &want), open = false;
        if (!is_special) {
            mpfr_set_d(operand, value(a), MPFR_RNDN);
            f->want(exact, operand);
            want = round16(exact, &nearest);
        }
        u16 got = f->got(&env, a);
        bool noted = env.open & (ALT_VALUE | OPEN_NEAR);
        if (!is_special && !f->turns && (want & 0x7fff) < 0x7bff)
            open = from_middle(want) < 0.0199;
        bool unsure = !is_special && !f->turns && fabs(from_middle(want) - 0.02) < 0.0002;
        bool edge = nearest.flags & (FP_OVERFLOW | FP_UNDERFLOW);
        wrong_open += !f->turns && open != noted && !unsure && !edge;
        opens += noted;
        u32 flags = is_special ? env.flags : nearest.flags | (env.flags & FP_IN_DENORM);
        fv_same(&c, &env, (u64[3]){ a, 0, 0 }, want, flags, got);
    }
    fv_done(t, &c, 65536 * 8);
    t->count++;
    printf("%s %d - %s: open where it is close to the middle (%u of %u)\n",
           wrong_open ? "not ok" : "ok", t->count, f->name, opens, 65536 * 8);
    t->failed += wrong_open != 0;
}

/* ---- exponents, classes, whole numbers ---- */

static const i32 powers[] = { -32768, -40, -30, -25, -24, -15, -14, -11, -10, -1,   0,
                              1,      5,   10,  15,  16,  24,  29,  30,  40,  32767 };

static void check_ldexp(struct fv_tap *t)
{
    struct fv_check c = { .name = "f16 ldexp" };
    for (u32 i = 0; i < 65536 * COUNT_OF(powers); i++) {
        u16 a = (u16)i;
        i32 n = powers[i >> 16];
        struct fp_env env = fv_env(i * 2654435761u >> 27), want_env = env;
        bool subnormal = fv_is_subnormal(&f16, a);
        if (is_nan(a))
            continue;
        mpfr_set_d(operand, subnormal && env.flush_in ? value(a & 0x8000) : value(a), MPFR_RNDN);
        mpfr_mul_2si(exact, operand, n, MPFR_RNDN);
        u16 want = (a & 0x7fff) == 0x7c00 ? a : round16(exact, &want_env);
        want_env.flags |= subnormal && !env.flush_in ? FP_IN_DENORM : 0;
        u16 got = fldexp16(&env, a, (i16)n);
        fv_same(&c, &env, (u64[3]){ a, (u64)(u32)n, 0 }, want, want_env.flags, got);
    }
    fv_done(t, &c, 1000000);
}

static u32 class_of(u16 a)
{
    double v = value(a);
    if (is_nan(a))
        return a & 0x200 ? 1 : 0;
    if (isinf(v))
        return a >> 15 ? 2 : 9;
    if (v == 0)
        return a >> 15 ? 5 : 6;
    if (fabs(v) < ldexp(1, -14))
        return a >> 15 ? 4 : 7;
    return a >> 15 ? 3 : 8;
}

/* The bits of a value that is an f16. */
static u16 bits(double v, bool sign)
{
    struct fp_env env = { 0 };
    mpfr_set_d(exact, v, MPFR_RNDN);
    return (u16)((round16(exact, &env) & 0x7fff) | (u16)sign << 15);
}

static void check_parts(struct fv_tap *t)
{
    struct fv_check c = { .name = "f16 frexp, class, widen" };
    for (u32 i = 0; i < 65536; i++) {
        struct fp_env env = { .ieee = 1 };
        u16 a = (u16)i;
        int exp = 0;
        double v = value(a), m = is_nan(a) || isinf(v) ? v : frexp(v, &exp);
        u16 want = is_nan(a) ? a | 0x200 : isinf(v) ? a : bits(m, a >> 15);
        u16 got = frexp_mant16(&env, a);
        env.flags = 0;
        fv_same(&c, &env, (u64[3]){ a, 0, 0 }, want, 0, got);
        fv_same(&c, &env, (u64[3]){ a, 1, 0 }, (u16)(is_nan(a) ? 0 : exp), 0,
                (u16)frexp_exp16(&env, a));
        for (u32 k = 0; k < 10; k++)
            fv_same(&c, &env, (u64[3]){ a, 2, k }, k == class_of(a), 0, fclass16(a, 1u << k));
        fv_same(&c, &env, (u64[3]){ a, 3, 0 }, 0, 0, fclass16(a, 0xfc00));
        float f = (float)v;
        u32 wide;
        memcpy(&wide, &f, sizeof wide);
        wide = is_nan(a) ? (u32)(a & 0x8000) << 16 | 0x7f800000 | (u32)(a & 0x3ff) << 13 : wide;
        fv_same(&c, &env, (u64[3]){ a, 4, 0 }, wide, 0, f16_widen(a, false));
        wide = fv_is_subnormal(&f16, a) ? wide & 0x80000000 : wide;
        fv_same(&c, &env, (u64[3]){ a, 5, 0 }, wide, 0, f16_widen(a, true));
    }
    fv_done(t, &c, 65536 * 15);
}

static void check_integers(struct fv_tap *t)
{
    struct fv_check c = { .name = "f16 to and from 16-bit integers" };
    for (u32 i = 0; i < 65536 * 4; i++) {
        u16 a = (u16)i;
        struct fp_env env = { .round = (u8)(i >> 16) }, want = env;
        mpfr_set_si(exact, a, MPFR_RNDN);
        u16 u = round16(exact, &want);
        u16 got = cvt_f16_u16(&env, a);
        fv_same(&c, &env, (u64[3]){ a, 0, 0 }, u, want.flags, got);
        mpfr_set_si(exact, (i16)a, MPFR_RNDN);
        env.flags = want.flags = 0;
        u = round16(exact, &want);
        got = cvt_f16_i16(&env, (i16)a);
        fv_same(&c, &env, (u64[3]){ a, 1, 0 }, u, want.flags, got);
        double v = is_nan(a) ? 0 : trunc(value(a)), low = v < 0 ? 0 : v;
        bool fraction = !is_nan(a) && v != value(a);
        u32 flags = is_nan(a) || low != fmin(v, 65535) ? FP_INVALID : fraction ? FP_INEXACT : 0;
        env.flags = 0;
        got = cvt_u16_f16(&env, a);
        flags |= v > 65535 ? FP_INVALID : 0;
        fv_same(&c, &env, (u64[3]){ a, 2, 0 }, (u16)fmin(low, 65535), flags, got);
        double s = fmax(fmin(v, 32767), -32768);
        flags = is_nan(a) || s != v ? FP_INVALID : fraction ? FP_INEXACT : 0;
        env.flags = 0;
        got = (u16)cvt_i16_f16(&env, a);
        fv_same(&c, &env, (u64[3]){ a, 3, 0 }, (u16)(i16)s, flags, got);
        v = is_nan(a) ? 0 : fmax(fmin(value(a), 1), -1);
        env.flags = 0;
        got = (u16)cvt_snorm16_f16(&env, a);
        fv_same(&c, &env, (u64[3]){ a, 4, 0 }, (u16)(i16)nearbyint(v * 32767), env.flags, got);
        got = cvt_unorm16_f16(&env, a);
        fv_same(&c, &env, (u64[3]){ a, 5, 0 }, (u16)nearbyint(fmax(v, 0) * 65535), env.flags, got);
    }
    fv_done(t, &c, 65536 * 24);
}

/* ---- output modifiers, the middle of three, mixed precision ---- */

static void check_modifiers(struct fv_tap *t)
{
    struct fv_check c = { .name = "f16 omod and clamp" };
    static const double factor[4] = { 1, 2, 4, 0.5 };
    for (u32 i = 0; i < 65536 * 16; i++) {
        u16 a = (u16)i, omod = i >> 16 & 3, want = a;
        struct fp_env env = { .round = (u8)(i >> 18), .flush_in = 1, .flush_out = 1 };
        struct fp_env want_env = env;
        if (!is_nan(a) && (a & 0x7fff) != 0x7c00 && omod) {
            mpfr_set_d(exact, value(a) * factor[omod], MPFR_RNDN);
            want = (a & 0x7fff) < 0x400 ? 0 : round16(exact, &want_env);
            want_env.flags |= fv_is_subnormal(&f16, a) ? FP_UNDERFLOW | FP_INEXACT : 0;
        }
        u16 got = fomod16(&env, a, omod);
        fv_same(&c, &env, (u64[3]){ a, omod, 0 }, want, want_env.flags, got);
        env.flags = 0;
        env.dx10_clamp = i >> 16 & 1;
        want = is_nan(a) ? (env.dx10_clamp ? 0 : a) : bits(fmin(fmax(value(a), 0), 1), false);
        fv_same(&c, &env, (u64[3]){ a, 8, 0 }, want, 0, fclamp16(&env, a));
    }
    fv_done(t, &c, 65536 * 32);
}

static int by_value(const void *x, const void *y)
{
    double a = value(*(const u16 *)x), b = value(*(const u16 *)y);
    bool minus_a = *(const u16 *)x >> 15, minus_b = *(const u16 *)y >> 15;
    return a < b ? -1 : a > b ? 1 : minus_b - minus_a;
}

static void check_med3(struct fv_tap *t)
{
    struct fv_check c = { .name = "f16 med3" };
    struct rng r;
    rng_seed(&r, 3);
    for (u32 i = 0; i < 200000; i++) {
        u16 v[3], sorted[3];
        struct fp_env env = { 0 };
        for (u32 k = 0; k < 3; k++)
            do
                v[k] = (u16)fv_random(&f16, &r);
            while (is_nan(v[k]));
        if (i % 4 == 0)
            v[i / 4 % 3] = v[i / 12 % 3];
        memcpy(sorted, v, sizeof v);
        qsort(sorted, 3, sizeof *v, by_value);
        u16 got = fmed316(&env, v[0], v[1], v[2]);
        env.flags = 0;
        fv_same(&c, &env, (u64[3]){ v[0], v[1], v[2] }, sorted[1], 0, got);
    }
    fv_done(t, &c, 200000);
}

static u32 random_f32(struct rng *r, float *v)
{
    u32 b = rng_below(r, 2) ? f16_widen((u16)(rng_u64(r) & 0xfbff), true)
                            : (u32)(rng_u64(r) & 0x807fffff) | (u32)(110 + rng_below(r, 30)) << 23;
    memcpy(v, &b, sizeof b);
    return b;
}

/* Fused: the exact value rounded once. Unfused: three roundings to nearest, by the host. */
static void check_mix(struct fv_tap *t)
{
    struct fv_check c = { .name = "f16 from a sum in f32" };
    struct rng r;
    u32 opens = 0;
    rng_seed(&r, 4);
    for (u32 i = 0; i < 400000; i++) {
        float a, b, d;
        u32 x = random_f32(&r, &a), y = random_f32(&r, &b), z = random_f32(&r, &d);
        bool fused = i & 1;
        struct fp_env env = { .round = fused ? i >> 1 & 3 : ROUND_EVEN, .flush_out = i >> 3 & 1 };
        struct fp_env wide = { 0 }, want_env = env;
        want_env.flush_out |= !fused;
        volatile float product = a * b, sum = product + d;
        mpfr_set_flt(operand, a, MPFR_RNDN);
        mpfr_mul_d(exact, operand, (double)b, MPFR_RNDN);
        mpfr_add_d(exact, exact, (double)d, MPFR_RNDN);
        if (!fused)
            mpfr_set_flt(exact, sum, MPFR_RNDN);
        u16 want = round16(exact, &want_env);
        if (mpfr_zero_p(exact))
            continue;
        u16 got = fmix16(&env, &wide, x, y, z, fused);
        opens += (env.open & ALT_VALUE) != 0;
        fv_same(&c, &env, (u64[3]){ x, y, z }, want, env.flags, got);
    }
    fv_done(t, &c, 390000);
    t->count++;
    printf("%s %d - of which once and twice differ: %u\n", opens ? "ok" : "not ok", t->count,
           opens);
    t->failed += opens == 0;
}

/* ---- exceptions of what has no finite result ---- */

static void check_exceptions(struct fv_tap *t)
{
    static const struct {
        u16 (*f)(struct fp_env *env, u16 a);
        u16 a;
        u32 flags;
    } rows[] = {
        { frcp16, 0, FP_DIV0 },          { frcp16, 0x8000, FP_DIV0 },
        { frcp16, 0x7d00, FP_INVALID },  { frcp16, 0x7c00, 0 },
        { fsqrt16, 0xbc00, FP_INVALID }, { fsqrt16, 0x8000, 0 },
        { frsq16, 0, FP_DIV0 },          { frsq16, 0xfc00, FP_INVALID },
        { flog16, 0, FP_DIV0 },          { flog16, 0xbc00, FP_INVALID },
        { flog16, 0x3c00, 0 },           { fexp16, 0xfc00, 0 },
        { fsin16, 0x7c00, FP_INVALID },  { fcos16, 0xfc00, FP_INVALID },
        { fsin16, 0x7e00, 0 },           { fcos16, 0x7d00, FP_INVALID },
    };
    struct fv_check c = { .name = "f16 exceptions" };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fp_env env = { .ieee = 1 };
        u16 got = rows[i].f(&env, rows[i].a);
        fv_same(&c, &env, (u64[3]){ rows[i].a, i, 0 }, got, rows[i].flags, got);
    }
    fv_done(t, &c, COUNT_OF(rows));
}

int main(void)
{
    static const struct function functions[] = {
        { "f16 rcp", frcp16, want_rcp, 0x7c00, 0xfc00, 0, 0x8000, true, false },
        { "f16 sqrt", fsqrt16, want_sqrt, 0, 0x8000, 0x7c00, 0xfe00, false, false },
        { "f16 rsq", frsq16, want_rsq, 0x7c00, 0xfc00, 0, 0xfe00, false, false },
        { "f16 log", flog16, want_log, 0xfc00, 0xfc00, 0x7c00, 0xfe00, false, false },
        { "f16 exp", fexp16, want_exp, 0x3c00, 0x3c00, 0x7c00, 0, true, false },
        { "f16 sin", fsin16, want_sin, 0, 0x8000, 0xfe00, 0xfe00, true, true },
        { "f16 cos", fcos16, want_cos, 0x3c00, 0x3c00, 0xfe00, 0xfe00, true, true },
    };
    struct fv_tap t = { 0 };
    mpfr_init2(operand, 300);
    mpfr_init2(exact, 300);
    mpfr_init2(middle, 300);
    mpfr_init2(rounded, 11);
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        sweep(&t, &functions[i]);
    check_ldexp(&t);
    check_parts(&t);
    check_integers(&t);
    check_modifiers(&t);
    check_med3(&t);
    check_mix(&t);
    check_exceptions(&t);
    mpfr_clear(operand);
    mpfr_clear(exact);
    mpfr_clear(middle);
    mpfr_clear(rounded);
    mpfr_free_cache();
    return fv_plan(&t);
}
