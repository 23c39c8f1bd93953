/* The functions that builtins.c checks: how each is written in OpenCL C, what it promises, how MPFR
 * computes it, and which inputs are worth trying. */
#ifndef HARNESS_T_TRUTH_FUNCTIONS_H
#define HARNESS_T_TRUTH_FUNCTIONS_H

#include "harness/t/truth/number.h"

/* Operands of a function: up to three of a format, or one or two and the integer n. */
struct operands {
    const struct format *format;
    uint64_t bits[3];
    int32_t n;
    mpfr_t v[3];
};

/* Computes the function, rounded to r's precision to the nearest; exponents have no bounds. Returns
 * MPFR's ternary value. NaN instead of an integer: it may be any. */
typedef int evaluate(mpfr_ptr r, const struct operands *o);

/* The same by the host, with an error below 2^-54 of the value. What cannot be estimated may be
 * anything that is not a normal number. */
typedef long double estimate(long double x, long double y, int32_t n);

enum {
    NOT = -2,   /* no such function of this format */
    EXACT = -1, /* the exact result, rounded correctly */
};

/* What inputs are worth trying beside random bits. */
enum style {
    PLAIN,  /* numbers of all sizes up to the focus, and close to 1 */
    STEPS,  /* and close to multiples of the step */
    POWER,  /* y so that x to the power of y is in range */
    NEAR,   /* the operands are close to one another, or of similar size */
    CANCEL, /* z close to -x * y */
};

enum {
    ANY_ZERO = 1,  /* the sign of a zero or an infinity from a pole at zero is not prescribed */
    FLUSH = 2,     /* subnormal operands and results may count as zeros */
    TO_INT = 4,    /* the result is an int */
    MORE = 8,      /* a second result of the function above, not counted as one */
    ABSOLUTE = 32, /* results below 1 have the ULP of 1 */
    LIMITED = 16,  /* the documented domain is up to the focus; NaN and infinity are not in it */
};

struct function {
    const char *name;
    const char *operands;       /* x, xy, xyz or xn */
    double bound[FORMAT_COUNT]; /* ULP */
    evaluate *evaluate;
    estimate *estimate; /* or NULL */
    enum style style;
    double focus; /* up to where |x| is interesting; negative: times the greatest exponent */
    double step;
    unsigned flags;
    const char *text; /* of OpenCL C; T is the format's type */
};

extern const struct function functions[];
extern const unsigned function_count;

#endif
