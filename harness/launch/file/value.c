#include "harness/launch/file/value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const struct launch_scalar scalars[] = {
    { "i8", SCALAR_SIGNED, 1 },    { "u8", SCALAR_UNSIGNED, 1 },  { "i16", SCALAR_SIGNED, 2 },
    { "u16", SCALAR_UNSIGNED, 2 }, { "i32", SCALAR_SIGNED, 4 },   { "u32", SCALAR_UNSIGNED, 4 },
    { "i64", SCALAR_SIGNED, 8 },   { "u64", SCALAR_UNSIGNED, 8 }, { "f32", SCALAR_FLOAT, 4 },
    { "f64", SCALAR_FLOAT, 8 },    { "f16", SCALAR_FLOAT, 2 },
};

const struct launch_scalar *launch_scalar_named(const char *word)
{
    for (u32 i = 0; i < COUNT_OF(scalars); i++)
        if (strcmp(word, scalars[i].word) == 0)
            return &scalars[i];
    return NULL;
}

bool launch_integer(const char *s, bool *is_negative, u64 *magnitude)
{
    *is_negative = *s == '-';
    s += *is_negative;
    bool is_hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    s += is_hex ? 2 : 0;
    size_t digits = strspn(s, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (digits == 0 || s[digits])
        return false;
    errno = 0;
    *magnitude = strtoull(s, NULL, is_hex ? 16 : 10);
    return errno == 0;
}

/* The half that is nearest to a double, ties to even. */
static u64 half_bits(double d)
{
    u64 sign = signbit(d) ? 0x8000 : 0;
    int exp;
    double m = frexp(fabs(d), &exp); /* m * 2^exp, m in [0.5, 1) */
    if (isnan(d))
        return sign | 0x7e00;
    if (isinf(d) || exp > 16)
        return sign | 0x7c00;
    if (d == 0)
        return sign;
    int unit = exp < -13 ? -24 : exp - 11; /* weight of the last bit */
    u64 n = (u64)nearbyint(ldexp(m, exp - unit));
    /* 1024 and more is a normal number; a carry out of the fraction lands in the exponent. */
    return sign | (unit == -24 ? n : n - 1024 + ((u64)(unit + 25) << 10));
}

/* The bits of a float; false if `s` is no number or too large. */
static bool parse_float(const char *s, u32 size, u64 *bits)
{
    char *end;
    bool is_finite_text = !strpbrk(s, "iInN"); /* inf, nan */
    if (size == 4) {
        float f = strtof(s, &end);
        u32 b;
        memcpy(&b, &f, sizeof b);
        *bits = b;
        return end != s && !*end && (!is_finite_text || isfinite(f));
    }
    double d = strtod(s, &end);
    memcpy(bits, &d, sizeof d);
    if (size == 2) {
        *bits = half_bits(d);
        return end != s && !*end && (!is_finite_text || (*bits & 0x7fff) < 0x7c00);
    }
    return end != s && !*end && (!is_finite_text || isfinite(d));
}

bool launch_scalar_bits(const struct launch_scalar *sc, const char *s, u64 *bits)
{
    bool is_negative;
    u64 v = 0;
    if (sc->class == SCALAR_FLOAT)
        return parse_float(s, sc->size, bits);
    if (!launch_integer(s, &is_negative, &v))
        return false;
    u32 width = sc->size * 8;
    u64 max = mask64(sc->class == SCALAR_SIGNED ? width - 1 : width);
    if (is_negative && sc->class == SCALAR_UNSIGNED)
        return false;
    if (v > max + is_negative)
        return false;
    *bits = is_negative ? 0 - v : v;
    return true;
}
