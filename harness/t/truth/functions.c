/* Bounds: "ULP Values for Math Instructions - Full Profile" of the OpenCL environment
 * specification, and its section on edge cases, which follows C99 where it says nothing else; MPFR
 * does the same. Where they part, the function is written out here. */
#define _GNU_SOURCE
#include "harness/t/truth/functions.h"

#include <limits.h>
#include <math.h>

#define PI  3.14159265358979323846264338327950288L
#define RND MPFR_RNDN

/* Functions that MPFR has. */
#define MPFR_1(NAME, CALL)                                    \
    static int e_##NAME(mpfr_ptr r, const struct operands *o) \
    {                                                         \
        return CALL(r, o->v[0], RND);                         \
    }
#define MPFR_2(NAME, CALL)                                    \
    static int e_##NAME(mpfr_ptr r, const struct operands *o) \
    {                                                         \
        return CALL(r, o->v[0], o->v[1], RND);                \
    }

MPFR_1(sin, mpfr_sin)
MPFR_1(cos, mpfr_cos)
MPFR_1(tan, mpfr_tan)
MPFR_1(asin, mpfr_asin)
MPFR_1(acos, mpfr_acos)
MPFR_1(atan, mpfr_atan)
MPFR_1(sinh, mpfr_sinh)
MPFR_1(cosh, mpfr_cosh)
MPFR_1(tanh, mpfr_tanh)
MPFR_1(asinh, mpfr_asinh)
MPFR_1(acosh, mpfr_acosh)
MPFR_1(atanh, mpfr_atanh)
MPFR_1(exp, mpfr_exp)
MPFR_1(exp2, mpfr_exp2)
MPFR_1(exp10, mpfr_exp10)
MPFR_1(expm1, mpfr_expm1)
MPFR_1(log, mpfr_log)
MPFR_1(log2, mpfr_log2)
MPFR_1(log10, mpfr_log10)
MPFR_1(log1p, mpfr_log1p)
MPFR_1(cbrt, mpfr_cbrt)
MPFR_1(sqrt, mpfr_sqrt)
MPFR_1(rsqrt, mpfr_rec_sqrt)
MPFR_1(erf, mpfr_erf)
MPFR_1(erfc, mpfr_erfc)
MPFR_1(sinpi, mpfr_sinpi)
MPFR_1(cospi, mpfr_cospi)
MPFR_1(tanpi, mpfr_tanpi)
MPFR_1(asinpi, mpfr_asinpi)
MPFR_1(acospi, mpfr_acospi)
MPFR_1(atanpi, mpfr_atanpi)
MPFR_1(rint, mpfr_rint)
MPFR_1(fabs, mpfr_abs)
MPFR_2(add, mpfr_add)
MPFR_2(sub, mpfr_sub)
MPFR_2(mul, mpfr_mul)
MPFR_2(divide, mpfr_div)
MPFR_2(hypot, mpfr_hypot)
MPFR_2(atan2, mpfr_atan2)
MPFR_2(atan2pi, mpfr_atan2pi)
MPFR_2(pow, mpfr_pow)
MPFR_2(fmod, mpfr_fmod)
MPFR_2(remainder, mpfr_remainder)
MPFR_2(fdim, mpfr_dim)
MPFR_2(fmax, mpfr_max)
MPFR_2(fmin, mpfr_min)

#define EVALUATE(NAME) static int e_##NAME(mpfr_ptr r, const struct operands *o)

static int set_int(mpfr_ptr r, long value)
{
    return mpfr_set_si(r, value, RND);
}

EVALUATE(ceil)
{
    return mpfr_ceil(r, o->v[0]);
}

EVALUATE(floor)
{
    return mpfr_floor(r, o->v[0]);
}

EVALUATE(trunc)
{
    return mpfr_trunc(r, o->v[0]);
}

EVALUATE(round) /* halves away from zero */
{
    return mpfr_round(r, o->v[0]);
}

EVALUATE(fma)
{
    return mpfr_fma(r, o->v[0], o->v[1], o->v[2], RND);
}

EVALUATE(recip)
{
    return mpfr_ui_div(r, 1, o->v[0], RND);
}

/* Beyond 2000 the result is beyond every format; MPFR, with its exponents, would go on for long. */
EVALUATE(tgamma)
{
    double x = number_value(o->format, o->bits[0]);
    bool is_far = fabs(x) > 2000 && isfinite(x);
    if (!is_far || (x < 0 && x == floor(x)))
        return mpfr_gamma(r, o->v[0], RND);
    int sign = x < 0 && fmod(floor(x), 2) != 0 ? -1 : 1;
    mpfr_set_si_2exp(r, sign, x < 0 ? -20000 : 20000, RND);
    return 1; /* not exact */
}

EVALUATE(lgamma)
{
    int sign;
    return mpfr_lgamma(r, &sign, o->v[0], RND);
}

/* 0 at zero and the negative integers; between these the sign changes with each. Nothing says what
 * it is of NaN and minus infinity. */
EVALUATE(lgamma_sign)
{
    double x = number_value(o->format, o->bits[0]);
    if (isnan(x) || x == -HUGE_VAL) {
        mpfr_set_nan(r);
        return 0;
    }
    if (x == 0 || (x < 0 && x == floor(x)))
        return set_int(r, 0);
    return set_int(r, x < 0 && fmod(floor(x), 2) != 0 ? -1 : 1);
}

EVALUATE(powr) /* NaN of 1 and NaN, too, unlike MPFR's */
{
    if (mpfr_nan_p(o->v[1]))
        return mpfr_set(r, o->v[1], RND);
    return mpfr_powr(r, o->v[0], o->v[1], RND);
}

EVALUATE(pown)
{
    return mpfr_pow_si(r, o->v[0], o->n, RND);
}

EVALUATE(rootn)
{
    return mpfr_rootn_si(r, o->v[0], o->n, RND);
}

EVALUATE(ldexp)
{
    return mpfr_mul_2si(r, o->v[0], o->n, RND);
}

/* The lower seven bits of the quotient to the nearest integer, with its sign. */
EVALUATE(quotient)
{
    long q = 0;
    mpfr_t rest;
    if (!mpfr_number_p(o->v[0]) || mpfr_nan_p(o->v[1]) || mpfr_zero_p(o->v[1]))
        return set_int(r, 0);
    mpfr_init2(rest, 64);
    mpfr_remquo(rest, &q, o->v[0], o->v[1], RND);
    mpfr_clear(rest);
    return set_int(r, q < 0 ? -(-q & 127) : q & 127);
}

EVALUATE(frexp)
{
    mpfr_exp_t e;
    return mpfr_regular_p(o->v[0]) ? mpfr_frexp(&e, r, o->v[0], RND) : mpfr_set(r, o->v[0], RND);
}

EVALUATE(frexp_exponent)
{
    return set_int(r, mpfr_regular_p(o->v[0]) ? mpfr_get_exp(o->v[0]) : 0);
}

EVALUATE(modf)
{
    return mpfr_inf_p(o->v[0]) ? mpfr_set_zero(r, mpfr_signbit(o->v[0]) ? -1 : 1),
           0                   : mpfr_frac(r, o->v[0], RND);
}

/* x - floor(x), but not 1, which a small negative x would round to. */
EVALUATE(fract)
{
    const struct format *f = o->format;
    if (mpfr_nan_p(o->v[0]))
        return mpfr_set(r, o->v[0], RND);
    if (!mpfr_regular_p(o->v[0])) {
        mpfr_set_zero(r, mpfr_signbit(o->v[0]) ? -1 : 1);
        return 0;
    }
    mpfr_t whole;
    mpfr_init2(whole, f->precision);
    mpfr_floor(whole, o->v[0]);
    int ternary = mpfr_sub(r, o->v[0], whole, RND);
    mpfr_clear(whole);
    if (mpfr_cmp_ui(r, 1) < 0)
        return ternary;
    mpfr_set_ui(r, 1, RND);
    mpfr_nextbelow(r);
    return 0;
}

EVALUATE(logb)
{
    if (mpfr_nan_p(o->v[0]))
        return mpfr_set(r, o->v[0], RND);
    if (!mpfr_regular_p(o->v[0])) {
        mpfr_set_inf(r, mpfr_zero_p(o->v[0]) ? -1 : 1);
        return 0;
    }
    return set_int(r, mpfr_get_exp(o->v[0]) - 1);
}

/* FP_ILOGB0 is the least int here, FP_ILOGBNAN the greatest. */
EVALUATE(ilogb)
{
    if (mpfr_zero_p(o->v[0]))
        return set_int(r, INT_MIN);
    return set_int(r, mpfr_regular_p(o->v[0]) ? mpfr_get_exp(o->v[0]) - 1 : INT_MAX);
}

EVALUATE(nextafter)
{
    const struct format *f = o->format;
    uint64_t x = o->bits[0], sign = number_sign_bit(f);
    if (mpfr_nan_p(o->v[0]) || mpfr_nan_p(o->v[1]))
        mpfr_set_nan(r);
    else if (mpfr_equal_p(o->v[0], o->v[1]))
        mpfr_set(r, o->v[1], RND);
    else {
        int up = mpfr_less_p(o->v[0], o->v[1]);
        if (mpfr_zero_p(o->v[0]))
            x = up ? 1 : sign | 1;
        else
            x += up == !number_sign(f, x) ? 1 : -1;
        mpfr_set_d(r, number_value(f, x), RND);
    }
    return 0;
}

/* The one of greater or less magnitude; of two that are alike, fmax or fmin. */
static int by_magnitude(mpfr_ptr r, const struct operands *o, int sign)
{
    int c = mpfr_nan_p(o->v[0]) || mpfr_nan_p(o->v[1]) ? 0 : sign * mpfr_cmpabs(o->v[0], o->v[1]);
    if (c != 0)
        return mpfr_set(r, o->v[c < 0], RND);
    return sign > 0 ? e_fmax(r, o) : e_fmin(r, o);
}

EVALUATE(maxmag)
{
    return by_magnitude(r, o, 1);
}

EVALUATE(minmag)
{
    return by_magnitude(r, o, -1);
}

/* x * a / b with pi; twice the precision is exact enough to round from. */
static int by_pi(mpfr_ptr r, mpfr_srcptr x, int to_degrees)
{
    mpfr_t pi;
    mpfr_init2(pi, 2 * mpfr_get_prec(r) + 64);
    mpfr_const_pi(pi, RND);
    if (to_degrees)
        mpfr_ui_div(pi, 180, pi, RND);
    else
        mpfr_div_ui(pi, pi, 180, RND);
    int ternary = mpfr_mul(r, x, pi, RND);
    mpfr_clear(pi);
    return ternary;
}

EVALUATE(degrees)
{
    return by_pi(r, o->v[0], 1);
}

EVALUATE(radians)
{
    return by_pi(r, o->v[0], 0);
}

EVALUATE(copysign) /* the sign of a NaN, too */
{
    return mpfr_setsign(r, o->v[0], number_sign(o->format, o->bits[1]), RND);
}

EVALUATE(sign) /* 0 of a NaN */
{
    if (mpfr_zero_p(o->v[0]))
        return mpfr_set(r, o->v[0], RND);
    return set_int(r, mpfr_nan_p(o->v[0]) ? 0 : mpfr_sgn(o->v[0]));
}

EVALUATE(step) /* step(x, y): 0 where y < x, otherwise 1 */
{
    return set_int(r, !mpfr_less_p(o->v[1], o->v[0]));
}

/* Estimates by the host. */
#define HOST_1(NAME, EXPRESSION)                                         \
    static long double h_##NAME(long double x, long double y, int32_t n) \
    {                                                                    \
        (void)y, (void)n;                                                \
        return EXPRESSION;                                               \
    }
#define HOST_2(NAME, EXPRESSION)                                         \
    static long double h_##NAME(long double x, long double y, int32_t n) \
    {                                                                    \
        (void)n;                                                         \
        return EXPRESSION;                                               \
    }
#define HOST_N(NAME, EXPRESSION)                                         \
    static long double h_##NAME(long double x, long double y, int32_t n) \
    {                                                                    \
        (void)y;                                                         \
        return EXPRESSION;                                               \
    }

/* The sine of pi * x, moved on by quarters of a turn. */
static long double sine_pi(long double x, int quarters)
{
    long double turn = remainderl(x, 2), near = rintl(2 * turn), rest = PI * (turn - near / 2);
    switch (((int)near + quarters) & 3) {
    case 0: return sinl(rest);
    case 1: return cosl(rest);
    case 2: return -sinl(rest);
    }
    return -cosl(rest);
}

HOST_1(sin, sinl(x))
HOST_1(cos, cosl(x))
HOST_1(tan, tanl(x))
HOST_1(asin, asinl(x))
HOST_1(acos, acosl(x))
HOST_1(atan, atanl(x))
HOST_1(sinh, sinhl(x))
HOST_1(cosh, coshl(x))
HOST_1(tanh, tanhl(x))
HOST_1(asinh, asinhl(x))
HOST_1(acosh, acoshl(x))
HOST_1(atanh, atanhl(x))
HOST_1(exp, expl(x))
HOST_1(exp2, exp2l(x))
HOST_1(exp10, exp10l(x))
HOST_1(expm1, expm1l(x))
HOST_1(log, logl(x))
HOST_1(log2, log2l(x))
HOST_1(log10, log10l(x))
HOST_1(log1p, log1pl(x))
HOST_1(cbrt, cbrtl(x))
HOST_1(sqrt, sqrtl(x))
HOST_1(rsqrt, 1 / sqrtl(x))
HOST_1(erf, erfl(x))
HOST_1(erfc, erfcl(x))
HOST_1(tgamma, tgammal(x))
HOST_1(lgamma, lgammal(x))
HOST_1(sinpi, sine_pi(x, 0))
HOST_1(cospi, sine_pi(x, 1))
HOST_1(tanpi, sine_pi(x, 0) / sine_pi(x, 1))
HOST_1(asinpi, asinl(x) / PI)
HOST_1(acospi, acosl(x) / PI)
HOST_1(atanpi, atanl(x) / PI)
HOST_1(recip, 1 / x)
HOST_1(degrees, x *(180 / PI))
HOST_1(radians, x *(PI / 180))
HOST_2(atan2, atan2l(x, y))
HOST_2(atan2pi, atan2l(x, y) / PI)
HOST_2(hypot, hypotl(x, y))
HOST_2(pow, powl(x, y))
HOST_2(powr, x > 0 ? powl(x, y) : 0)
HOST_2(divide, x / y)
HOST_N(pown, powl(x, n))
HOST_N(rootn, x > 0 ? powl(x, 1.0L / n) : 0)

#define BY(NAME)   e_##NAME, h_##NAME
#define ONLY(NAME) e_##NAME, NULL

const struct function functions[] = {
#include "harness/t/truth/functions.def"
};
const unsigned function_count = sizeof functions / sizeof functions[0];
