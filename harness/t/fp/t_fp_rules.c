/* The rules of oracle/fp/fp.h that no calculator knows: which NaN comes out, min and max,
 * comparison, output modifiers, FP16_OVFL, and the corners of tininess. Every expectation is worked
 * out by hand from the rules for GFX9: NaN kept and quieted under IEEE, first in operand order;
 * invalid = 0xffc00000. */
#include "harness/t/fp/fp_values.h"

#define QNAN  0x7fc00123u /* quiet, positive, with a payload */
#define QNAN2 0xffc00456u
#define SNAN  0x7f800abcu /* signaling */
#define SNAN2 0xff800defu
#define QUIET 0x00400000u
#define INF   0x7f800000u
#define NINF  0xff800000u
#define ONE   0x3f800000u
#define NONE  0xbf800000u /* -1 */
#define NZERO 0x80000000u
#define SUB   0x00000007u /* subnormal */
#define NSUB  0x80000007u
#define MINN  0x00800000u /* smallest normal */
#define MAXN  0x7f7fffffu /* largest */

enum { IEEE = 1, FIN = 2, FOUT = 4 }; /* settings of a row; the rounding is to even unless stated */

static struct fp_env env_of(int settings, int round)
{
    return (struct fp_env){ .round = (u8)round,
                            .flush_in = (settings & FIN) != 0,
                            .flush_out = (settings & FOUT) != 0,
                            .ieee = (settings & IEEE) != 0,
                            .dx10_clamp = 1 };
}

enum fn { ADD, SUB_, MUL, FMA, MAD, MIN, MAX, TRUNC, CEIL, FLOOR, RNDNE, FRACT };

struct row {
    enum fn fn;
    int settings;
    u32 a, b, c;
    u32 want, flags;
};

static u32 call(enum fn fn, struct fp_env *e, u32 a, u32 b, u32 c)
{
    switch (fn) {
    case ADD: return fadd32(e, a, b);
    case SUB_: return fsub32(e, a, b);
    case MUL: return fmul32(e, a, b);
    case FMA: return ffma32(e, a, b, c);
    case MAD: return fmad32(e, a, b, c);
    case MIN: return fmin32(e, a, b);
    case MAX: return fmax32(e, a, b);
    case TRUNC: return ftrunc32(e, a);
    case CEIL: return fceil32(e, a);
    case FLOOR: return ffloor32(e, a);
    case RNDNE: return frndne32(e, a);
    default: return ffract32(e, a);
    }
}

static void run(struct fv_tap *t, const char *name, const struct row *row, size_t rows)
{
    struct fv_check c = { .name = name };
    for (size_t i = 0; i < rows; i++) {
        const struct row *r = &row[i];
        struct fp_env env = env_of(r->settings, ROUND_EVEN);
        u32 got = call(r->fn, &env, r->a, r->b, r->c);
        if (!fv_same(&c, &env, (u64[3]){ r->a, r->b, r->c }, r->want, r->flags, got))
            printf("# that was row %zu of %s\n", i, name);
    }
    fv_done(t, &c, rows);
}

/* clang-format off */
static const struct row nan_rows[] = {
    // one NaN: sign and payload kept
    { ADD, IEEE, QNAN, ONE, 0,      QNAN, 0 },
    { ADD, IEEE, ONE, QNAN2, 0,     QNAN2, 0 },
    { ADD, IEEE, SNAN, ONE, 0,      SNAN | QUIET, FP_INVALID },
    { ADD, IEEE, ONE, SNAN2, 0,     SNAN2 | QUIET, FP_INVALID },
    { ADD, 0,    SNAN, ONE, 0,      SNAN, FP_INVALID },
    { ADD, 0,    QNAN2, ONE, 0,     QNAN2, 0 },
    { SUB_, IEEE, ONE, QNAN, 0,     QNAN, 0 },
    { SUB_, IEEE, ONE, SNAN2, 0,    SNAN2 | QUIET, FP_INVALID },
    { MUL, IEEE, QNAN, NONE, 0,     QNAN, 0 },
    { MUL, 0,    NONE, SNAN2, 0,    SNAN2, FP_INVALID },
    { FMA, IEEE, ONE, ONE, SNAN,    SNAN | QUIET, FP_INVALID },
    { FMA, 0,    ONE, ONE, SNAN,    SNAN, FP_INVALID },
    { FMA, IEEE, ONE, QNAN2, INF,   QNAN2, 0 },
    // several: the first in operand order, even behind a signaling one
    { ADD, IEEE, QNAN, QNAN2, 0,    QNAN, 0 },
    { ADD, IEEE, QNAN2, QNAN, 0,    QNAN2, 0 },
    { MUL, IEEE, QNAN, SNAN, 0,     QNAN, FP_INVALID },
    { MUL, 0,    SNAN2, SNAN, 0,    SNAN2, FP_INVALID },
    { FMA, IEEE, ONE, QNAN2, QNAN,  QNAN2, 0 },
    { FMA, IEEE, QNAN, SNAN, SNAN2, QNAN, FP_INVALID },
    { FMA, 0,    SNAN2, SNAN, QNAN, SNAN2, FP_INVALID },
    { MAD, IEEE, QNAN, ONE, QNAN2,  QNAN, 0 },
    { MAD, IEEE, ONE, ONE, QNAN2,   QNAN2, 0 },
    { MAD, 0,    ONE, SNAN, QNAN2,  SNAN, FP_INVALID },
    // invalid operations: the negative default NaN
    { ADD, IEEE, INF, NINF, 0,      0xffc00000, FP_INVALID },
    { ADD, 0,    NINF, INF, 0,      0xffc00000, FP_INVALID },
    { SUB_, IEEE, INF, INF, 0,      0xffc00000, FP_INVALID },
    { SUB_, IEEE, INF, NINF, 0,     INF, 0 },
    { MUL, IEEE, 0, INF, 0,         0xffc00000, FP_INVALID },
    { MUL, 0,    NINF, NZERO, 0,    0xffc00000, FP_INVALID },
    { FMA, IEEE, INF, ONE, NINF,    0xffc00000, FP_INVALID },
    { FMA, IEEE, NINF, NONE, INF,   INF, 0 },
    // 0 * inf wins over a NaN addend
    { FMA, IEEE, 0, INF, QNAN,      0xffc00000, FP_INVALID },
    { FMA, 0,    NINF, 0, SNAN,     0xffc00000, FP_INVALID },
    { MAD, IEEE, 0, INF, QNAN,      0xffc00000, FP_INVALID },
    // a flushed subnormal is a zero, one that is kept is not
    { MUL, FIN,  SUB, INF, 0,       0xffc00000, FP_INVALID },
    { MUL, FOUT, SUB, INF, 0,       INF, FP_IN_DENORM },
    { FMA, FIN,  INF, NSUB, QNAN,   0xffc00000, FP_INVALID },
    { FMA, 0,    INF, NSUB, QNAN,   QNAN, 0 },
    { MAD, 0,    SUB, INF, 0,       0xffc00000, FP_INVALID },
    // NaN and invalid come before the denormal exception
    { ADD, IEEE, QNAN, SUB, 0,      QNAN, 0 },
    { MUL, IEEE, SUB, SNAN, 0,      SNAN | QUIET, FP_INVALID },
    { FMA, IEEE, 0, INF, SUB,       0xffc00000, FP_INVALID },
    { ADD, IEEE, SUB, NINF, 0,      NINF, FP_IN_DENORM },
    // one-operand functions
    { TRUNC, IEEE, SNAN2, 0, 0,     SNAN2 | QUIET, FP_INVALID },
    { CEIL, 0, SNAN, 0, 0,          SNAN, FP_INVALID },
    { FLOOR, IEEE, QNAN2, 0, 0,     QNAN2, 0 },
    { RNDNE, IEEE, NINF, 0, 0,      NINF, 0 },
    { FRACT, IEEE, SNAN, 0, 0,      SNAN | QUIET, FP_INVALID },
    { FRACT, IEEE, QNAN, 0, 0,      QNAN, 0 },
    { FRACT, IEEE, INF, 0, 0,       0xffc00000, FP_INVALID },
    { FRACT, 0, NINF, 0, 0,         0xffc00000, FP_INVALID },
};

static const struct row zero_rows[] = {
    { ADD, 0, 0, NZERO, 0,          0, 0 },
    { ADD, 0, NZERO, NZERO, 0,      NZERO, 0 },
    { ADD, 0, ONE, NONE, 0,         0, 0 },
    { SUB_, 0, NZERO, 0, 0,         NZERO, 0 },
    { MUL, 0, NZERO, ONE, 0,        NZERO, 0 },
    { FMA, 0, NZERO, ONE, 0,        0, 0 },
    { FMA, 0, NZERO, ONE, NZERO,    NZERO, 0 },
    { TRUNC, 0, 0xbf7fffff, 0, 0,   NZERO, 0 },
    { CEIL, 0, 0xbe99999a, 0, 0,    NZERO, 0 },       // ceil(-0.3)
    { CEIL, 0, SUB, 0, 0,           ONE, 0 },
    { CEIL, FIN, SUB, 0, 0,         0, 0 },
    { FLOOR, 0, NZERO, 0, 0,        NZERO, 0 },
    { FLOOR, 0, NSUB, 0, 0,         NONE, 0 },
    { FLOOR, FIN, NSUB, 0, 0,       NZERO, 0 },
    { RNDNE, 0, 0xbf000000, 0, 0,   NZERO, 0 },       // -0.5
    { RNDNE, 0, 0x40200000, 0, 0,   0x40000000, 0 },  // 2.5
    { RNDNE, 0, 0x40600000, 0, 0,   0x40800000, 0 },  // 3.5
    { FRACT, 0, NZERO, 0, 0,        0, 0 },
    { FRACT, 0, 0xc0400000, 0, 0,   0, 0 },           // -3
    { FRACT, 0, 0xbe800000, 0, 0,   0x3f400000, 0 },  // -0.25
    { FRACT, 0, NSUB, 0, 0,         0x3f7fffff, FP_IN_DENORM | FP_INEXACT },
    { FRACT, FIN, NSUB, 0, 0,       0, 0 },
    { FRACT, FOUT, SUB, 0, 0,       0, FP_IN_DENORM | FP_UNDERFLOW | FP_INEXACT },
    { FRACT, 0, SUB, 0, 0,          SUB, FP_IN_DENORM },
};

/* Tiny is judged after rounding to 24 bits with an unbounded exponent. */
static const struct row tiny_rows[] = {
    // (1 - 2^-24) * 2^-126 fits 24 bits, so it is tiny, although the subnormal grid
    // rounds it to 2^-126
    { MUL, 0, 0x3f7fffff, MINN, 0,              MINN, FP_UNDERFLOW | FP_INEXACT },
    { MUL, FOUT, 0x3f7fffff, MINN, 0,           0, FP_UNDERFLOW | FP_INEXACT },
    { MUL, FOUT, 0xbf7fffff, MINN, 0,           NZERO, FP_UNDERFLOW | FP_INEXACT },
    // 2^-126 - 2^-152 and the tie 2^-126 - 2^-151 round to 2^-126: not tiny
    { FMA, FOUT, 0x8d800000, 0x25800000, MINN,  MINN, FP_INEXACT },
    { FMA, FOUT, 0x8d800000, 0x26000000, MINN,  MINN, FP_INEXACT },
    { FMA, 0,    0x8d800000, 0x26000000, MINN,  MINN, FP_INEXACT },
    // 2^-126 - 1.5 * 2^-151 rounds to 2^-126 - 2^-150: tiny
    { FMA, FOUT, 0x8dc00000, 0x26000000, MINN,  0, FP_UNDERFLOW | FP_INEXACT },
    { FMA, 0,    0x8dc00000, 0x26000000, MINN,  MINN, FP_UNDERFLOW | FP_INEXACT },
    // an exact subnormal raises underflow only where it is flushed
    { MUL, 0,    MINN, 0x3f000000, 0,           0x00400000, 0 },
    { MUL, FOUT, MINN, 0x3f000000, 0,           0, FP_UNDERFLOW | FP_INEXACT },
    { ADD, FOUT, 0x00800001, 0x80800000, 0,     0, FP_UNDERFLOW | FP_INEXACT },
    // MAD flushes whatever the environment says: operands, product, result
    { MAD, 0, SUB, ONE, 0,                      0, 0 },
    { MAD, 0, MINN, 0x3f000000, ONE,            ONE, FP_UNDERFLOW | FP_INEXACT },
    { MAD, 0, MINN, 0x3f000000, 0x80400000,     0, FP_UNDERFLOW | FP_INEXACT },
    { MAD, 0, MINN, ONE, 0x80800001,            NZERO, FP_UNDERFLOW | FP_INEXACT },
    // and rounds twice: (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46 fused, 0 unfused
    { MAD, 0, 0x3f800001, 0x3f800001, 0xbf800002, 0, FP_INEXACT },
    { FMA, 0, 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000, 0 },
};

static const struct row min_max_rows[] = {
    { MIN, 0, ONE, NONE, 0,          NONE, 0 },
    { MAX, 0, ONE, NONE, 0,          ONE, 0 },
    { MIN, 0, NINF, NONE, 0,         NINF, 0 },
    { MAX, 0, INF, MAXN, 0,          INF, 0 },
    { MIN, 0, 0xc0000000, NONE, 0,   0xc0000000, 0 },
    { MAX, 0, 0xc0000000, NONE, 0,   NONE, 0 },
    // zeros are ordered
    { MIN, 0, 0, NZERO, 0,           NZERO, 0 },
    { MIN, 0, NZERO, 0, 0,           NZERO, 0 },
    { MAX, 0, 0, NZERO, 0,           0, 0 },
    { MAX, 0, NZERO, 0, 0,           0, 0 },
    { MAX, IEEE, NZERO, NZERO, 0,    NZERO, 0 },
    // IEEE: a signaling NaN wins and is quieted, the first before the second
    { MIN, IEEE, SNAN, ONE, 0,       SNAN | QUIET, FP_INVALID },
    { MIN, IEEE, ONE, SNAN2, 0,      SNAN2 | QUIET, FP_INVALID },
    { MAX, IEEE, SNAN, SNAN2, 0,     SNAN | QUIET, FP_INVALID },
    { MAX, IEEE, QNAN, SNAN2, 0,     SNAN2 | QUIET, FP_INVALID },
    { MAX, IEEE, SNAN2, QNAN, 0,     SNAN2 | QUIET, FP_INVALID },
    // a quiet NaN loses; of two the second is left
    { MIN, IEEE, QNAN, ONE, 0,       ONE, 0 },
    { MAX, IEEE, ONE, QNAN, 0,       ONE, 0 },
    { MAX, IEEE, QNAN, NINF, 0,      NINF, 0 },
    { MIN, IEEE, QNAN, QNAN2, 0,     QNAN2, 0 },
    { MAX, IEEE, QNAN2, QNAN, 0,     QNAN, 0 },
    // IEEE off: every NaN loses, nothing is quieted
    { MIN, 0, SNAN, ONE, 0,          ONE, FP_INVALID },
    { MAX, 0, ONE, SNAN, 0,          ONE, FP_INVALID },
    { MIN, 0, QNAN, SNAN, 0,         SNAN, FP_INVALID },
    { MAX, 0, SNAN, SNAN2, 0,        SNAN2, FP_INVALID },
    { MAX, 0, SNAN, QNAN2, 0,        QNAN2, FP_INVALID },
    // subnormals follow the flush settings
    { MIN, 0, SUB, ONE, 0,           SUB, FP_IN_DENORM },
    { MIN, FIN, SUB, ONE, 0,         0, 0 },
    { MAX, FIN, NSUB, NONE, 0,       NZERO, 0 },
    { MAX, FIN, NSUB, SUB, 0,        0, 0 },
    { MIN, FIN, SUB, NSUB, 0,        NZERO, 0 },
    { MAX, FOUT, NSUB, NONE, 0,      NZERO, FP_IN_DENORM | FP_UNDERFLOW | FP_INEXACT },
    { MAX, FOUT, NSUB, ONE, 0,       ONE, FP_IN_DENORM },
    { MAX, FIN, QNAN, SUB, 0,        0, 0 },
    { MAX, 0, QNAN, SUB, 0,          SUB, 0 },
    { MAX, FIN, NSUB, QNAN, 0,       NZERO, 0 },
};

static const struct {
    int settings;
    u32 a, b;
    enum fp_order want;
    u32 flags;
} order_rows[] = {
    { 0, ONE, ONE, ORDER_EQ, 0 },       { 0, NONE, ONE, ORDER_LT, 0 },
    { 0, ONE, NONE, ORDER_GT, 0 },      { 0, NZERO, 0, ORDER_EQ, 0 },
    { 0, 0, NZERO, ORDER_EQ, 0 },       { 0, NINF, 0xff7fffff, ORDER_LT, 0 },
    { 0, INF, INF, ORDER_EQ, 0 },       { 0, 0xc0000000, NONE, ORDER_LT, 0 },
    { 0, QNAN, ONE, ORDER_UN, 0 },      { 0, ONE, QNAN, ORDER_UN, 0 },
    { 0, QNAN, QNAN, ORDER_UN, 0 },     { IEEE, SNAN, ONE, ORDER_UN, FP_INVALID },
    { 0, SUB, SNAN, ORDER_UN, FP_INVALID }, { 0, SUB, QNAN, ORDER_UN, 0 },
    { 0, SUB, 0, ORDER_GT, FP_IN_DENORM },  { FIN, SUB, 0, ORDER_EQ, 0 },
    { FOUT, NSUB, 0, ORDER_LT, FP_IN_DENORM }, { FIN, SUB, NSUB, ORDER_EQ, 0 },
    { FIN, NSUB, MINN, ORDER_LT, 0 },   { 0, SUB, SUB, ORDER_EQ, FP_IN_DENORM },
};

static const struct {
    int round;
    u32 v, omod, want, flags;
} omod_rows[] = {
    { ROUND_EVEN, ONE, 0, ONE, 0 },
    { ROUND_EVEN, ONE, 1, 0x40000000, 0 },
    { ROUND_EVEN, NONE, 2, 0xc0800000, 0 },
    { ROUND_EVEN, 0x3fc00001, 3, 0x3f400001, 0 },
    { ROUND_EVEN, QNAN, 1, QNAN, 0 },
    { ROUND_EVEN, SNAN2, 2, SNAN2, 0 },
    { ROUND_EVEN, NINF, 3, NINF, 0 },
    { ROUND_EVEN, NZERO, 1, 0, 0 },
    { ROUND_EVEN, NZERO, 0, NZERO, 0 },
    { ROUND_EVEN, NSUB, 2, 0, FP_UNDERFLOW | FP_INEXACT },
    { ROUND_EVEN, 0x00ffffff, 3, 0, FP_UNDERFLOW | FP_INEXACT },
    { ROUND_EVEN, 0x80800000, 3, NZERO, FP_UNDERFLOW | FP_INEXACT },
    { ROUND_EVEN, 0x01000000, 3, MINN, 0 },
    { ROUND_EVEN, MAXN, 1, INF, FP_OVERFLOW | FP_INEXACT },
    { ROUND_EVEN, 0x7e7fffff, 1, 0x7effffff, 0 },
    { ROUND_EVEN, 0x7e800000, 2, INF, FP_OVERFLOW | FP_INEXACT },
    { ROUND_ZERO, MAXN, 2, MAXN, FP_OVERFLOW | FP_INEXACT },
    { ROUND_UP, 0xff000000, 1, 0xff7fffff, FP_OVERFLOW | FP_INEXACT },
    { ROUND_UP, 0x7f000000, 1, INF, FP_OVERFLOW | FP_INEXACT },
    { ROUND_DOWN, 0xff000000, 1, NINF, FP_OVERFLOW | FP_INEXACT },
    { ROUND_DOWN, 0x7f000000, 1, MAXN, FP_OVERFLOW | FP_INEXACT },
};

static const struct {
    bool dx10;
    u32 v, want;
} clamp_rows[] = {
    { true, QNAN, 0 },       { true, SNAN2, 0 },     { false, QNAN2, QNAN2 },
    { false, SNAN, SNAN },   { true, NZERO, 0 },     { true, NONE, 0 },
    { false, NINF, 0 },      { true, INF, ONE },     { true, 0x3f800001, ONE },
    { true, ONE, ONE },      { true, 0x3f7fffff, 0x3f7fffff }, { true, SUB, SUB },
    { true, NSUB, 0 },       { true, 0, 0 },
};

static const struct {
    bool ovfl;
    int round;
    u32 v;
    u16 want;
    u32 flags;
} f16_rows[] = {
    { false, ROUND_EVEN, 0x477fe000, 0x7bff, 0 },                           // 65504
    { false, ROUND_EVEN, 0x477fefff, 0x7bff, FP_INEXACT },                  // below 65520
    { false, ROUND_EVEN, 0x477ff000, 0x7c00, FP_OVERFLOW | FP_INEXACT },    // 65520
    { true,  ROUND_EVEN, 0x477ff000, 0x7bff, FP_OVERFLOW | FP_INEXACT },
    { true,  ROUND_DOWN, 0xff7fffff, 0xfbff, FP_OVERFLOW | FP_INEXACT },
    { false, ROUND_ZERO, MAXN, 0x7bff, FP_OVERFLOW | FP_INEXACT },
    { true,  ROUND_UP, NINF, 0xfc00, 0 },                                   // a true infinity stays
    { false, ROUND_EVEN, 0x33800000, 0x0001, 0 },                           // 2^-24
    { false, ROUND_EVEN, 0x33000000, 0x0000, FP_UNDERFLOW | FP_INEXACT },   // 2^-25, a tie
    { false, ROUND_UP, 0x33000000, 0x0001, FP_UNDERFLOW | FP_INEXACT },
    { false, ROUND_EVEN, QNAN, 0x7e00, 0 },         // the payload 0x123 lies below the top ten bits
    { false, ROUND_EVEN, 0xff802000, 0xfe01, FP_INVALID },
    { false, ROUND_EVEN, 0x7f800001, 0x7e00, FP_INVALID },
};

static const struct {
    u16 v;
    u32 want;
} exact_rows[] = {
    { 0x0000, 0 },          { 0x8000, NZERO },      { 0x3c00, ONE },        { 0xbc00, NONE },
    { 0x0001, 0x33800000 }, { 0x83ff, 0xb87fc000 }, { 0x0400, 0x38800000 }, { 0x7bff, 0x477fe000 },
    { 0x7c00, INF },        { 0xfc00, NINF },       { 0x7e01, 0x7fc02000 }, { 0xfd55, 0xffaaa000 },
};

/* min, max and comparison in the other formats, settings as above. */
static const struct {
    int settings;
    u16 a, b, min, max;
    enum fp_order order;
    u32 flags; // of min and max
} rows16[] = {
    { 0, 0x3c00, 0xbc00, 0xbc00, 0x3c00, ORDER_GT, 0 },
    { 0, 0x8000, 0x0000, 0x8000, 0x0000, ORDER_EQ, 0 },
    { 0, 0x03ff, 0x0400, 0x03ff, 0x0400, ORDER_LT, FP_IN_DENORM },
    { FIN, 0x83ff, 0x0001, 0x8000, 0x0000, ORDER_EQ, 0 },
    { 0, 0xfc00, 0x7c00, 0xfc00, 0x7c00, ORDER_LT, 0 },
    { IEEE, 0x7e05, 0x3c00, 0x3c00, 0x3c00, ORDER_UN, 0 },
    { IEEE, 0x3c00, 0xfc01, 0xfe01, 0xfe01, ORDER_UN, FP_INVALID },
    { 0, 0x3c00, 0xfc01, 0x3c00, 0x3c00, ORDER_UN, FP_INVALID },
};

static const struct {
    int settings;
    u64 a, b, min, max;
    enum fp_order order;
    u32 flags;
} rows64[] = {
    { 0, 0x3ff0000000000000, 0xbff0000000000000, 0xbff0000000000000, 0x3ff0000000000000, ORDER_GT, 0 },
    { 0, 0x8000000000000000, 0, 0x8000000000000000, 0, ORDER_EQ, 0 },
    { 0, 0x000fffffffffffff, 0x0010000000000000, 0x000fffffffffffff, 0x0010000000000000, ORDER_LT, FP_IN_DENORM },
    { FIN, 0x800fffffffffffff, 1, 0x8000000000000000, 0, ORDER_EQ, 0 },
    { 0, 0xfff0000000000000, 0x7fefffffffffffff, 0xfff0000000000000, 0x7fefffffffffffff, ORDER_LT, 0 },
    { IEEE, 0x7ff8000000000005, 0x3ff0000000000000, 0x3ff0000000000000, 0x3ff0000000000000, ORDER_UN, 0 },
    { IEEE, 0, 0xfff0000000000001, 0xfff8000000000001, 0xfff8000000000001, ORDER_UN, FP_INVALID },
    { 0, 0, 0xfff0000000000001, 0, 0, ORDER_UN, FP_INVALID },
};
/* clang-format on */

static void order(struct fv_tap *t)
{
    struct fv_check c = { .name = "compare" };
    for (size_t i = 0; i < COUNT_OF(order_rows); i++) {
        struct fp_env env = env_of(order_rows[i].settings, ROUND_EVEN);
        u64 in[3] = { order_rows[i].a, order_rows[i].b, 0 };
        enum fp_order got = fcmp32(&env, order_rows[i].a, order_rows[i].b);
        fv_same(&c, &env, in, order_rows[i].want, order_rows[i].flags, got);
    }
    fv_done(t, &c, COUNT_OF(order_rows));
}

static void modifiers(struct fv_tap *t)
{
    struct fv_check omod = { .name = "omod" }, clamp = { .name = "clamp" };

    for (size_t i = 0; i < COUNT_OF(omod_rows); i++) {
        struct fp_env env = env_of(FOUT, omod_rows[i].round);
        u32 got = fomod32(&env, omod_rows[i].v, omod_rows[i].omod);
        fv_same(&omod, &env, (u64[3]){ omod_rows[i].v, omod_rows[i].omod, 0 }, omod_rows[i].want,
                omod_rows[i].flags, got);
    }
    fv_done(t, &omod, COUNT_OF(omod_rows));
    for (size_t i = 0; i < COUNT_OF(clamp_rows); i++) {
        struct fp_env env = { .dx10_clamp = clamp_rows[i].dx10 };
        u32 got = fclamp32(&env, clamp_rows[i].v);
        fv_same(&clamp, &env, (u64[3]){ clamp_rows[i].v, 0, 0 }, clamp_rows[i].want, 0, got);
    }
    fv_done(t, &clamp, COUNT_OF(clamp_rows));
}

static void half(struct fv_tap *t)
{
    struct fv_check to = { .name = "f16 from f32" }, from = { .name = "f32 from f16, exact" };

    for (size_t i = 0; i < COUNT_OF(f16_rows); i++) {
        struct fp_env env = { .round = (u8)f16_rows[i].round, .fp16_ovfl = f16_rows[i].ovfl };
        u16 got = cvt_f16_f32(&env, f16_rows[i].v);
        fv_same(&to, &env, (u64[3]){ f16_rows[i].v, 0, 0 }, f16_rows[i].want, f16_rows[i].flags,
                got);
    }
    fv_done(t, &to, COUNT_OF(f16_rows));
    for (size_t i = 0; i < COUNT_OF(exact_rows); i++) {
        struct fp_env env = { 0 }, used = env; /* the exceptions are tested elsewhere */
        u32 got = cvt_f32_f16(&used, exact_rows[i].v);
        fv_same(&from, &env, (u64[3]){ exact_rows[i].v, 0, 0 }, exact_rows[i].want, 0, got);
    }
    fv_done(t, &from, COUNT_OF(exact_rows));
}

static void other_formats(struct fv_tap *t)
{
    struct fv_check c = { .name = "min, max and compare of f16 and f64" };

    for (size_t i = 0; i < COUNT_OF(rows16); i++) {
        u64 in[3] = { rows16[i].a, rows16[i].b, 0 };
        struct fp_env min = env_of(rows16[i].settings, ROUND_EVEN), max = min, cmp = min;
        u16 got_min = fmin16(&min, rows16[i].a, rows16[i].b);
        u16 got_max = fmax16(&max, rows16[i].a, rows16[i].b);
        enum fp_order got = fcmp16(&cmp, rows16[i].a, rows16[i].b);
        fv_same(&c, &min, in, rows16[i].min, rows16[i].flags, got_min);
        fv_same(&c, &max, in, rows16[i].max, rows16[i].flags, got_max);
        fv_same(&c, &cmp, in, rows16[i].order, rows16[i].flags, got);
    }
    for (size_t i = 0; i < COUNT_OF(rows64); i++) {
        u64 in[3] = { rows64[i].a, rows64[i].b, 0 };
        struct fp_env min = env_of(rows64[i].settings, ROUND_EVEN), max = min, cmp = min;
        u64 got_min = fmin64(&min, rows64[i].a, rows64[i].b);
        u64 got_max = fmax64(&max, rows64[i].a, rows64[i].b);
        enum fp_order got = fcmp64(&cmp, rows64[i].a, rows64[i].b);
        fv_same(&c, &min, in, rows64[i].min, rows64[i].flags, got_min);
        fv_same(&c, &max, in, rows64[i].max, rows64[i].flags, got_max);
        fv_same(&c, &cmp, in, rows64[i].order, rows64[i].flags, got);
    }
    fv_done(t, &c, 3 * (COUNT_OF(rows16) + COUNT_OF(rows64)));
}

/* FP16_OVFL is about f16 results only; arithmetic with an infinite operand has not overflowed. */
static void f16_overflow(struct fv_tap *t)
{
    struct fv_check c = { .name = "FP16_OVFL" };
    const struct fp_env on = { .fp16_ovfl = 1 };
    struct fp_env env = on;
    u32 got = fadd32(&env, MAXN, MAXN);

    fv_same(&c, &env, (u64[3]){ MAXN, MAXN, 0 }, INF, FP_OVERFLOW | FP_INEXACT, got);
    env = on;
    got = fmul16(&env, 0x7bff, 0xc000);
    fv_same(&c, &env, (u64[3]){ 0x7bff, 0xc000, 0 }, 0xfbff, FP_OVERFLOW | FP_INEXACT, got);
    env = on;
    got = fadd16(&env, 0x7bff, 0xfc00);
    fv_same(&c, &env, (u64[3]){ 0x7bff, 0xfc00, 0 }, 0xfc00, 0, got);
    fv_done(t, &c, 3);
}

/* Flags are ORed in, never cleared, also by the functions that work on a copy of the
 * environment. */
static void sticky(struct fv_tap *t)
{
    struct fv_check c = { .name = "flags stay" };
    static const enum fn fns[] = { ADD, MUL, FMA, MAD, MIN, TRUNC, FRACT };

    for (size_t i = 0; i < COUNT_OF(fns); i++) {
        struct fp_env env = { .flags = FP_DIV0 | FP_OVERFLOW };
        u32 got = call(fns[i], &env, ONE, ONE, 0);
        u32 want = fns[i] == ADD ? 0x40000000 : fns[i] == FRACT ? 0 : ONE;
        fv_same(&c, &env, (u64[3]){ ONE, ONE, 0 }, want, FP_DIV0 | FP_OVERFLOW, got);
    }
    fv_done(t, &c, COUNT_OF(fns));
}

int main(void)
{
    struct fv_tap t = { 0 };
    run(&t, "NaN and invalid", nan_rows, COUNT_OF(nan_rows));
    run(&t, "signed zeros and integral values", zero_rows, COUNT_OF(zero_rows));
    run(&t, "tiny results", tiny_rows, COUNT_OF(tiny_rows));
    run(&t, "min and max", min_max_rows, COUNT_OF(min_max_rows));
    order(&t);
    modifiers(&t);
    half(&t);
    other_formats(&t);
    f16_overflow(&t);
    sticky(&t);
    return fv_plan(&t);
}
