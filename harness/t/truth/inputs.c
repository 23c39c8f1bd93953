#include "harness/t/truth/inputs.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* SplitMix64. */
static uint64_t random_bits(struct inputs *in)
{
    uint64_t z = in->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static unsigned below(struct inputs *in, unsigned limit)
{
    return (unsigned)(random_bits(in) >> 32) % limit;
}

/* From low to high, evenly. */
static double between(struct inputs *in, double low, double high)
{
    return low + (high - low) * ldexp((double)(random_bits(in) >> 11), -53);
}

/* Magnitudes that are tried with both signs. */
static const double edges[] = {
    0,
    0.25,
    0.5,
    0.75,
    1,
    1.5,
    2,
    2.5,
    3,
    4,
    5,
    7,
    8,
    10,
    16,
    24,
    88,
    103,
    127,
    128,
    149,
    150,
    170.5,
    709,
    745,
    1023,
    1024,
    1074,
    2047,
    4096,
    65504,
    65536,
    8388608,
    16777216,
    1e9,
    9007199254740992.0,
    1e-3,
    1e-5,
    0.1,
    0.693147180559945309,
    1.57079632679489662,
    3.14159265358979324,
    0.785398163397448310,
    2.71828182845904524,
    HUGE_VAL,
    NAN,
};
enum { VALUES = sizeof edges / sizeof edges[0], OTHERS = 10, EDGES = 2 * (VALUES + OTHERS) };

static double focus(const struct inputs *in)
{
    double f = in->function->focus;
    return f < 0 ? -f * in->format->emax : f;
}

/* One of EDGES. */
static uint64_t edge(const struct inputs *in, unsigned i)
{
    const struct format *f = in->format;
    uint64_t normal = (uint64_t)1 << (f->precision - 1), one = number_bits(f, 1);
    const uint64_t others[OTHERS] = {
        1,
        normal / 2,
        normal - 1,
        normal,
        normal + 1,
        one - 1,
        one + 1,
        number_inf(f) - 1,
        number_bits(f, focus(in)),
        number_bits(f, focus(in) / 2),
    };
    uint64_t bits = i / 2 < VALUES ? number_bits(f, edges[i / 2]) : others[i / 2 - VALUES];
    return i & 1 ? bits ^ number_sign_bit(f) : bits;
}

static const int32_t integer_edges[] = {
    0,    1,     -1,   2,     -2,    3,      -3,       4,       -4,      5,           7,
    -7,   10,    11,   16,    -16,   31,     127,      128,     -149,    -150,        1023,
    1024, -1074, 2098, -2099, 65535, -65536, 16777217, INT_MAX, INT_MIN, INT_MIN + 1,
};
enum { INTEGER_EDGES = sizeof integer_edges / sizeof integer_edges[0] };

/* Of either sign; sizes are even in the logarithm, from 2^low to 2^high. */
static double any_size(struct inputs *in, double low, double high)
{
    double v = exp2(between(in, low, high));
    return below(in, 2) ? -v : v;
}

/* A few units in the last place further. */
static uint64_t nudge(struct inputs *in, uint64_t bits)
{
    const struct format *f = in->format;
    uint64_t moved = bits + below(in, 17) - 8;
    return number_is_nan(f, bits) || number_is_nan(f, moved) ? bits : moved;
}

static uint64_t operand(struct inputs *in, unsigned turn)
{
    const struct format *f = in->format;
    double most = focus(in), multiples = most / in->function->step;
    switch (turn % 8) {
    case 4: return number_bits(f, any_size(in, -(double)f->precision - 8, log2(most) + 1));
    case 5: return number_bits(f, between(in, -most, most));
    case 6: return number_bits(f, 1 + any_size(in, -(double)f->precision, 0));
    case 7:
        if (in->function->style != STEPS)
            return edge(in, below(in, EDGES));
        if (below(in, 2))
            multiples = fmin(multiples, 64);
        return nudge(in,
                     number_bits(f, rint(between(in, -multiples, multiples)) * in->function->step));
    }
    return random_bits(in) >> (64 - 8 * f->bytes);
}

/* An operand that belongs to x. */
static uint64_t partner(struct inputs *in, uint64_t x_bits)
{
    const struct format *f = in->format;
    double x = number_value(f, x_bits);
    if (in->function->style == POWER) {
        double power = between(in, -1.1, 1.1) * (f->emax + f->precision) / log2(fabs(x));
        return number_bits(f, below(in, 2) ? rint(power) : power);
    }
    if (below(in, 2))
        return nudge(in, x_bits) ^ (below(in, 2) ? number_sign_bit(f) : 0);
    return number_bits(f, x * any_size(in, -(double)f->precision - 2, f->precision + 2));
}

static int32_t integer(struct inputs *in, uint64_t x_bits)
{
    double x = number_value(in->format, x_bits), power;
    int32_t small = (int32_t)below(in, 65) - 32;
    switch (below(in, 6)) {
    case 0: return (int32_t)random_bits(in);
    case 1: return integer_edges[below(in, INTEGER_EDGES)];
    case 2: return (int32_t)below(in, 4400) - 2200;
    case 3:
        power = (in->format->emax + in->format->precision) / log2(fabs(x)) * between(in, -1.1, 1.1);
        return fabs(power) < INT_MAX ? (int32_t)power : small;
    }
    return small;
}

/* What lies outside a documented domain is moved into it. */
static uint64_t within(struct inputs *in, uint64_t bits)
{
    double v = number_value(in->format, bits), most = focus(in);
    if (!(in->function->flags & LIMITED) || fabs(v) <= most)
        return bits;
    return number_bits(in->format, between(in, -most, most));
}

static bool is_unary(const struct function *fn)
{
    return fn->operands[1] == 0;
}

uint64_t inputs_count(const struct function *fn, const struct format *f, uint64_t wanted)
{
    return is_unary(fn) && f->bytes == 2 && wanted > 65536 ? 65536 : wanted;
}

void inputs_next(struct inputs *in, uint64_t index, uint64_t bits[3], int32_t *n)
{
    const struct function *fn = in->function;
    const char *second = fn->operands + 1;
    uint64_t pairs = is_unary(fn)     ? EDGES
                     : *second == 'n' ? EDGES * INTEGER_EDGES
                                      : (uint64_t)EDGES * EDGES;
    memset(bits, 0, 3 * sizeof bits[0]);
    *n = 0;
    if (is_unary(fn) && in->format->bytes == 2 && in->count == 65536) {
        bits[0] = within(in, index);
    } else if (index < in->count / 4 && (index < pairs || pairs > in->count / 4)) {
        /* All edges in turn where there are enough inputs, otherwise some. */
        uint64_t at = pairs > in->count / 4 ? random_bits(in) % pairs : index;
        bits[0] = within(in, edge(in, at % EDGES));
        bits[1] = *second == 'y' ? edge(in, (unsigned)(at / EDGES)) : 0;
        bits[2] = edge(in, below(in, EDGES));
        *n = integer_edges[at / EDGES % INTEGER_EDGES];
    } else {
        bits[0] = within(in, operand(in, (unsigned)index));
        *n = integer(in, bits[0]);
        bits[1] =
            below(in, 2) && fn->style != PLAIN ? partner(in, bits[0]) : operand(in, below(in, 8));
        bits[2] = operand(in, below(in, 8));
        if (fn->style == CANCEL && below(in, 2)) {
            double product = number_value(in->format, bits[0]) * number_value(in->format, bits[1]);
            bits[2] = nudge(in, number_bits(in->format, -product));
        }
    }
}
