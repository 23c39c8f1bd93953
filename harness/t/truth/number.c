#include "harness/t/truth/number.h"

#include <math.h>
#include <string.h>

const struct format formats[FORMAT_COUNT] = {
    [F32] = { "f32", "float", 4, 24, -126, 127 },
    [F64] = { "f64", "double", 8, 53, -1022, 1023 },
    [F16] = { "f16", "half", 2, 11, -14, 15 },
};

uint64_t number_sign_bit(const struct format *f)
{
    return (uint64_t)1 << (8 * f->bytes - 1);
}

uint64_t number_inf(const struct format *f)
{
    return (uint64_t)(f->emax * 2 + 1) << (f->precision - 1);
}

static uint64_t magnitude(const struct format *f, uint64_t bits)
{
    return bits & (number_sign_bit(f) - 1);
}

bool number_sign(const struct format *f, uint64_t bits)
{
    return (bits & number_sign_bit(f)) != 0;
}

bool number_is_nan(const struct format *f, uint64_t bits)
{
    return magnitude(f, bits) > number_inf(f);
}

bool number_is_inf(const struct format *f, uint64_t bits)
{
    return magnitude(f, bits) == number_inf(f);
}

bool number_is_zero(const struct format *f, uint64_t bits)
{
    return magnitude(f, bits) == 0;
}

bool number_is_subnormal(const struct format *f, uint64_t bits)
{
    return magnitude(f, bits) != 0 && magnitude(f, bits) >> (f->precision - 1) == 0;
}

/* number_bits is the inverse, step by step: what one takes apart the other puts together. */
double number_value(const struct format *f, uint64_t bits)
{
    double d;
    float s;
    uint32_t word = (uint32_t)bits;
    switch (f->bytes) {
    case 8: memcpy(&d, &bits, sizeof d); return d;
    case 4: memcpy(&s, &word, sizeof s); return s;
    }
    uint64_t fraction = bits & ((1u << (f->precision - 1)) - 1);
    int exponent = (int)(magnitude(f, bits) >> (f->precision - 1));
    if (exponent > 2 * f->emax)
        d = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        d = ldexp((double)fraction, f->emin - (int)f->precision + 1);
    else
        d = ldexp(1.0 + ldexp((double)fraction, 1 - (int)f->precision), exponent - f->emax);
    return number_sign(f, bits) ? -d : d;
}

uint64_t number_bits(const struct format *f, double value)
{
    uint64_t bits;
    uint32_t word;
    float s = (float)value;
    switch (f->bytes) {
    case 8: memcpy(&bits, &value, sizeof bits); return bits;
    case 4: memcpy(&word, &s, sizeof word); return word;
    }
    uint64_t sign = signbit(value) ? number_sign_bit(f) : 0;
    if (isnan(value))
        return sign | number_inf(f) | number_inf(f) >> 1;
    value = fabs(value);
    if (value == 0)
        return sign;
    int e = value < ldexp(1, f->emin) ? f->emin : ilogb(value);
    if (isinf(value) || e > f->emax)
        return sign | number_inf(f);
    /* The hidden bit adds one to the exponent's field; a subnormal number has none. */
    double units = rint(ldexp(value, (int)f->precision - 1 - e));
    return sign | (((uint64_t)(e - f->emin) << (f->precision - 1)) + (uint64_t)units);
}

uint64_t number_round(const struct format *f, mpfr_ptr r, int ternary)
{
    mpfr_exp_t least = mpfr_get_emin(), greatest = mpfr_get_emax();
    mpfr_set_emin(f->emin - (int)f->precision + 2);
    mpfr_set_emax(f->emax + 1);
    ternary = mpfr_check_range(r, ternary, MPFR_RNDN);
    mpfr_subnormalize(r, ternary, MPFR_RNDN);
    mpfr_set_emin(least);
    mpfr_set_emax(greatest);
    return number_bits(f, mpfr_get_d(r, MPFR_RNDN));
}

/* The exponent of the unit in the last place of numbers in [2^e, 2^(e+1)). */
static int unit_exponent(const struct format *f, long e, int least)
{
    e = e < least ? least : e > f->emax ? f->emax : e;
    return (int)e - (int)f->precision + 1;
}

double number_ulp(const struct format *f, uint64_t got, mpfr_srcptr exact, int least)
{
    mpfr_t a, b;
    mpfr_inits2(256, a, b, (mpfr_ptr)0);
    if (number_is_inf(f, got))
        mpfr_set_si_2exp(a, number_sign(f, got) ? -1 : 1, f->emax + 1, MPFR_RNDN);
    else
        mpfr_set_d(a, number_value(f, got), MPFR_RNDN);
    mpfr_set(b, exact, MPFR_RNDN);
    long e = mpfr_get_exp(b) - 1;
    if (e > f->emax)
        mpfr_set_si_2exp(b, mpfr_signbit(b) ? -1 : 1, f->emax + 1, MPFR_RNDN);
    else if (mpfr_min_prec(b) == 1 && e > least)
        e--; /* a power of two: the number below it is the nearer one */
    mpfr_sub(a, a, b, MPFR_RNDN);
    mpfr_mul_2si(a, a, -unit_exponent(f, e, least), MPFR_RNDN);
    double ulp = fabs(mpfr_get_d(a, MPFR_RNDN));
    mpfr_clears(a, b, (mpfr_ptr)0);
    return ulp;
}

long double number_ulp_quick(const struct format *f, double got, long double estimate, int least)
{
    return fabsl(got - estimate) * ldexpl(1, -unit_exponent(f, ilogbl(estimate), least));
}
