/* Numbers of a floating-point format of IEEE 754 as bits, as MPFR's and as the host's; errors in
 * ULP as OpenCL defines them. Nothing here is of the model. */
#ifndef HARNESS_T_TRUTH_NUMBER_H
#define HARNESS_T_TRUTH_NUMBER_H

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

/* precision counts the hidden bit; emin and emax are the exponents of the least normal number and
 * of the greatest, as significands of 1 to 2 have them. */
struct format {
    const char *name;   /* f16, f32, f64 */
    const char *c_type; /* of OpenCL C */
    unsigned bytes, precision;
    int emin, emax;
};

enum { F32, F64, F16, FORMAT_COUNT };
extern const struct format formats[FORMAT_COUNT];

/* The value of bits; a double holds every number of the three formats. */
double number_value(const struct format *f, uint64_t bits);

/* The bits of a value, rounded to the nearest; beyond the greatest number infinity. */
uint64_t number_bits(const struct format *f, double value);

/* The bits of an MPFR number that was computed with the format's precision and an exponent without
 * bounds; ternary is what the computation returned. Rounds as IEEE 754 does, once. */
uint64_t number_round(const struct format *f, mpfr_ptr r, int ternary);

/* What bits are. */
bool number_is_nan(const struct format *f, uint64_t bits);
bool number_is_inf(const struct format *f, uint64_t bits);
bool number_is_zero(const struct format *f, uint64_t bits);
bool number_is_subnormal(const struct format *f, uint64_t bits);
bool number_sign(const struct format *f, uint64_t bits);

/* The bits of infinity and of the sign alone. */
uint64_t number_inf(const struct format *f);
uint64_t number_sign_bit(const struct format *f);

/* The distance of bits from an exact number that is neither zero nor infinite, in ULP of the exact
 * number: the distance of the two numbers of the format nearest to it. Infinity counts as the
 * number that would follow the greatest. Exact numbers below 2^least have the ULP of those above;
 * the format's own such exponent is emin. */
double number_ulp(const struct format *f, uint64_t got, mpfr_srcptr exact, int least);

/* The same by the host: of a finite number of the format from an estimate that is a normal long
 * double, not beyond the format's greatest number, and no power of two. */
long double number_ulp_quick(const struct format *f, double got, long double estimate, int least);

#endif
