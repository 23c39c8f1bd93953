/* What the floating-point tests share: edge operands of a binary format built from its field
 * widths, random operands from an exponent x significand-pattern table, and a counter that turns
 * many comparisons into one TAP line. Shares no code with oracle/fp/fp_core.h on purpose. */
#ifndef HARNESS_T_FP_FP_VALUES_H
#define HARNESS_T_FP_FP_VALUES_H

#include "oracle/fp/fp.h"

#include <inttypes.h>
#include <stdio.h>

/* A format under test. */
struct fv_fmt {
    const char *name;
    int mant; /* stored significand bits */
    int exp;  /* exponent bits */
};

enum { FV_EDGES_MAX = 96 };

static inline u64 fv_sign(const struct fv_fmt *f)
{
    return 1ull << (f->mant + f->exp);
}

static inline u64 fv_inf(const struct fv_fmt *f)
{
    return ((1ull << f->exp) - 1) << f->mant;
}

static inline int fv_bias(const struct fv_fmt *f)
{
    return (1 << (f->exp - 1)) - 1;
}

static inline bool fv_is_nan(const struct fv_fmt *f, u64 v)
{
    return (v & (fv_sign(f) - 1)) > fv_inf(f);
}

static inline bool fv_is_snan(const struct fv_fmt *f, u64 v)
{
    return fv_is_nan(f, v) && !(v >> (f->mant - 1) & 1);
}

static inline bool fv_is_subnormal(const struct fv_fmt *f, u64 v)
{
    u64 abs = v & (fv_sign(f) - 1);
    return abs != 0 && abs < 1ull << f->mant;
}

/* The value with unbiased exponent `exp` and stored significand `mant`. */
static inline u64 fv_make(const struct fv_fmt *f, int exp, u64 mant)
{
    return (u64)(exp + fv_bias(f)) << f->mant | mant;
}

/* Edge operands of both signs, into out[FV_EDGES_MAX]. The first `few` * 2 are the most telling
 * ones. Answers how many. */
static inline int fv_edges(const struct fv_fmt *f, u64 *out)
{
    const int m = f->mant;
    const u64 ulp1 = 1ull << m, all = ulp1 - 1, quiet = ulp1 >> 1, inf = fv_inf(f);
    const u64 positive[] = {
        0,
        1,                   // smallest subnormal
        all,                 // largest subnormal
        ulp1,                // smallest normal
        fv_make(f, 0, 0),    // 1
        fv_make(f, 0, 1),    // 1 + ulp
        fv_make(f, -1, all), // 1 - ulp/2
        inf - 1,             // largest
        inf,
        inf | quiet,           // quiet NaN
        inf | 5,               // signaling NaN
        fv_make(f, -m - 1, 0), // half an ulp of 1
        fv_make(f, -m - 1, 1), // a little more
        quiet,                 // half the smallest normal
        2,
        3,
        all - 1,
        ulp1 + 1,
        ulp1 + all,
        2 * ulp1,
        inf - 2,
        inf - ulp1,           // largest power of two
        inf | quiet | 0x2a,   // quiet NaN with a payload
        inf | (quiet - 1),    // signaling NaN with a payload
        fv_make(f, 1, 0),     // 2
        fv_make(f, -1, 0),    // 1/2
        fv_make(f, 0, quiet), // 1.5
        fv_make(f, 1, quiet), // 3
        fv_make(f, m, 0),     // 2^mant: the ulp is 1
        fv_make(f, m, 1),     // odd integer at ulp 1
        fv_make(f, m - 1, 1), // integer + 1/2, even
        fv_make(f, m - 1, 3), // integer + 1/2, odd
        fv_make(f, m - 1, all),
        fv_make(f, -m, 0),       // an ulp of 1
        fv_make(f, -m - 2, all), // just below half an ulp of 1
        fv_make(f, -m - 3, 0),
        fv_make(f, -fv_bias(f) / 2, 0), // squares are tiny
        fv_make(f, -fv_bias(f) / 2, all),
        fv_make(f, fv_bias(f) / 2, all), // squares are huge
        fv_make(f, fv_bias(f) / 2 + 1, 0),
        fv_make(f, 0, all),
        fv_make(f, 2, quiet / 2 * 3 % ulp1),
    };
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(positive); i++) {
        out[count++] = positive[i];
        out[count++] = positive[i] | fv_sign(f);
    }
    return count;
}

/* A random operand: exponents cluster at the ends, at 1 and one format's width from there;
 * significands are runs of ones and zeros, single bits, or random. */
static inline u64 fv_random(const struct fv_fmt *f, struct rng *r)
{
    const int top = (1 << f->exp) - 1;
    const u64 all = (1ull << f->mant) - 1;
    u64 bits = rng_u64(r);
    u32 at = rng_below(r, (u32)f->mant);
    int exp;
    u64 mant;

    switch (rng_below(r, 8)) {
    case 0: exp = (int)rng_below(r, 3); break;
    case 1: exp = top - (int)rng_below(r, 4); break;
    case 2: exp = fv_bias(f) - 2 + (int)rng_below(r, 5); break;
    case 3:
    case 4: exp = fv_bias(f) - f->mant - 3 + (int)rng_below(r, 2 * (u32)f->mant + 7); break;
    case 5: exp = fv_bias(f) / 2 - 2 + (int)rng_below(r, 5); break;
    default: exp = (int)rng_below(r, (u32)top); break;
    }
    if (exp < 0 || exp > top)
        exp = 1;
    switch (rng_below(r, 8)) {
    case 0: mant = 0; break;
    case 1: mant = rng_below(r, 4); break;
    case 2: mant = all - rng_below(r, 4); break;
    case 3: mant = 1ull << at; break;
    case 4: mant = (2ull << at) - 1; break;
    case 5: mant = all & ~((1ull << at) - 1); break;
    case 6: mant = bits & ~((1ull << at) - 1); break;
    default: mant = bits; break;
    }
    return (bits & 1ull << 63 ? fv_sign(f) : 0) | (u64)exp << f->mant | (mant & all);
}

/* Environment number i of 32: rounding, flushes, IEEE. */
static inline struct fp_env fv_env(u32 i)
{
    return (struct fp_env){ .round = i & 3,
                            .flush_in = i >> 2 & 1,
                            .flush_out = i >> 3 & 1,
                            .ieee = i >> 4 & 1,
                            .dx10_clamp = 1 };
}

/* TAP: numbers and the exit code. */
struct fv_tap {
    int count;
    int failed;
};

/* Many comparisons, one TAP line. */
struct fv_check {
    const char *name;
    u64 count;
    u64 wrong;
};

enum { FV_SHOWN = 5 };

/* Whether got (result and flags) is want; the first few that are not get a comment line. */
static inline bool fv_same(struct fv_check *c, const struct fp_env *env, const u64 *in, u64 want,
                           u32 want_flags, u64 got)
{
    c->count++;
    if (got == want && env->flags == want_flags)
        return true;
    if (c->wrong++ < FV_SHOWN)
        printf("# %s round %d flush %d/%d ieee %d: %#" PRIx64 " %#" PRIx64 " %#" PRIx64
               " want %#" PRIx64 " flags %#x got %#" PRIx64 " flags %#x\n",
               c->name, env->round, env->flush_in, env->flush_out, env->ieee, in[0], in[1], in[2],
               want, want_flags, got, env->flags);
    return false;
}

/* The TAP line of a check. One that compared fewer than `at_least` cases has failed. */
static inline void fv_done(struct fv_tap *t, const struct fv_check *c, u64 at_least)
{
    bool ok = c->wrong == 0 && c->count >= at_least;
    t->failed += !ok;
    printf("%sok %d - %s: %" PRIu64 " cases, %" PRIu64 " wrong\n", ok ? "" : "not ", ++t->count,
           c->name, c->count, c->wrong);
}

/* Prints the plan; the exit code of main. */
static inline int fv_plan(const struct fv_tap *t)
{
    printf("1..%d\n", t->count);
    return t->failed != 0;
}

#endif
