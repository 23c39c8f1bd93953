/* The integer arithmetic of oracle/fp/fp.h against MPFR, for f16, f32 and f64, in every rounding
 * and flush setting: results bit for bit, exceptions from MPFR's ternary value and from the ranges
 * of the format. */
#include "harness/t/fp/fp_values.h"

#include <mpfr.h>

static const struct fv_fmt f16 = { "f16", 10, 5 };
static const struct fv_fmt f32 = { "f32", 23, 8 };
static const struct fv_fmt f64 = { "f64", 52, 11 };

enum op { ADD, SUB, MUL, FMA, MAD, CVT, TRUNC, CEIL, FLOOR, RNDNE, FRACT, RCP, RSQ, SQRT };

/* What a check runs: an operation and the formats of its operands and of its result. */
struct subject {
    enum op op;
    const struct fv_fmt *from, *to;
};

static const mpfr_rnd_t rounding[4] = { MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ };

enum { PREC_EXACT = 1200 /* bits; holds x + 1/2 and x - floor(x) of every f64 */ };
static mpfr_t operand[3], exact;
static mpfr_t result16, result32, result64; // precision of the format

static mpfr_ptr result_of(const struct fv_fmt *f)
{
    return f == &f16 ? result16 : f == &f32 ? result32 : result64;
}

static void unbounded(void)
{
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
}

/* x becomes the value of v, which is no NaN. */
static void set_bits(mpfr_ptr x, const struct fv_fmt *f, u64 v)
{
    u64 abs = v & (fv_sign(f) - 1);
    u64 mant = abs & ((1ull << f->mant) - 1);
    int exp = (int)(abs >> f->mant);

    if (abs == fv_inf(f))
        mpfr_set_inf(x, 1);
    else if (exp)
        mpfr_set_ui_2exp(x, mant | 1ull << f->mant, exp - fv_bias(f) - f->mant, MPFR_RNDN);
    else
        mpfr_set_ui_2exp(x, mant, 1 - fv_bias(f) - f->mant, MPFR_RNDN);
    mpfr_setsign(x, x, (v & fv_sign(f)) != 0, MPFR_RNDN);
}

/* The bits of x, which f can represent. */
static u64 get_bits(mpfr_srcptr x, const struct fv_fmt *f)
{
    u64 sign = mpfr_signbit(x) ? fv_sign(f) : 0;
    if (mpfr_zero_p(x) || mpfr_inf_p(x))
        return sign | (mpfr_inf_p(x) ? fv_inf(f) : 0);

    int exp = (int)mpfr_get_exp(x) - 1 + fv_bias(f); // field, unless subnormal
    int normal = exp >= 1;
    unbounded();
    mpfr_abs(exact, x, MPFR_RNDN);
    mpfr_mul_2si(exact, exact, f->mant + fv_bias(f) - (normal ? exp : 1), MPFR_RNDN);
    u64 mant = mpfr_get_uj(exact, MPFR_RNDN);
    return sign | (normal ? (u64)exp << f->mant | (mant & ((1ull << f->mant) - 1)) : mant);
}

/* The operation on operand[] with an unbounded exponent; answers the ternary value. */
static int calculate(enum op op, mpfr_ptr r, mpfr_rnd_t rnd)
{
    mpfr_ptr a = operand[0], b = operand[1], c = operand[2];

    switch (op) {
    case ADD: return mpfr_add(r, a, b, rnd);
    case SUB: return mpfr_sub(r, a, b, rnd);
    case MUL: return mpfr_mul(r, a, b, rnd);
    case FMA: return mpfr_fma(r, a, b, c, rnd);
    case TRUNC: return mpfr_trunc(r, a);
    case CEIL: return mpfr_ceil(r, a);
    case FLOOR: return mpfr_floor(r, a);
    case RNDNE: return mpfr_roundeven(r, a);
    case FRACT:
        mpfr_floor(exact, a);
        mpfr_sub(exact, a, exact, MPFR_RNDN);
        mpfr_setsign(exact, exact, 0, MPFR_RNDN);
        return mpfr_set(r, exact, rnd);
    case RCP: return mpfr_ui_div(r, 1, a, rnd);
    case RSQ: {
        int ternary = mpfr_rec_sqrt(r, a, rnd);
        if (mpfr_zero_p(a))
            mpfr_setsign(r, r, mpfr_signbit(a), rnd); // 1 / -0, where MPFR has +infinity
        return ternary;
    }
    case SQRT: return mpfr_sqrt(r, a, rnd);
    default: return mpfr_set(r, a, rnd);
    }
}

/* To nearest even whatever the environment says. */
static bool is_root_op(enum op op)
{
    return op >= RCP;
}

static bool is_integral_op(enum op op)
{
    return op >= TRUNC && op <= RNDNE;
}

static int operands_of(enum op op)
{
    return op <= MUL ? 2 : op <= MAD ? 3 : 1;
}

/* Rounds what calculate() left in r into the format's exponent range, the way MPFR documents. */
static u64 want_rounded(const struct fv_fmt *f, mpfr_ptr r, int ternary, struct fp_env *env)
{
    mpfr_rnd_t rnd = rounding[env->round];
    bool tiny = mpfr_regular_p(r) && mpfr_get_exp(r) < 2 - fv_bias(f);
    bool huge = mpfr_regular_p(r) && mpfr_get_exp(r) > fv_bias(f) + 1;

    if (tiny && env->flush_out) {
        env->flags |= FP_UNDERFLOW | FP_INEXACT;
        return mpfr_signbit(r) ? fv_sign(f) : 0;
    }
    mpfr_set_emin(2 - fv_bias(f) - f->mant);
    mpfr_set_emax(fv_bias(f) + 1);
    ternary = mpfr_check_range(r, ternary, rnd);
    ternary = mpfr_subnormalize(r, ternary, rnd);
    if (huge)
        env->flags |= FP_OVERFLOW;
    if (ternary)
        env->flags |= FP_INEXACT | (tiny ? FP_UNDERFLOW : 0);
    return get_bits(r, f);
}

static u64 default_nan(const struct fv_fmt *f)
{
    return fv_sign(f) | fv_inf(f) | 1ull << (f->mant - 1);
}

/* v, a NaN of s->from, in s->to. */
static u64 want_nan(const struct subject *s, const struct fp_env *env, u64 v)
{
    int down = s->from->mant - s->to->mant;
    u64 mant = v & ((1ull << s->from->mant) - 1);
    u64 sign = v & fv_sign(s->from) ? fv_sign(s->to) : 0;
    u64 quiet = env->ieee || down > 0 ? 1ull << (s->to->mant - 1) : 0;
    return sign | fv_inf(s->to) | quiet | (down > 0 ? mant >> down : mant << -down);
}

/* The expected result of anything but MAD, exceptions into env->flags. */
static u64 want_rounding(const struct subject *s, struct fp_env *env, const u64 *raw)
{
    const struct fv_fmt *f = s->from;
    mpfr_ptr r = result_of(s->to);
    int n = operands_of(s->op), first_nan = -1;
    bool denorm = false;

    unbounded();
    for (int i = n - 1; i >= 0; i--) {
        bool subnormal = fv_is_subnormal(f, raw[i]);
        denorm |= subnormal && !env->flush_in;
        if (fv_is_nan(f, raw[i]))
            first_nan = i;
        else
            set_bits(operand[i], f, subnormal && env->flush_in ? raw[i] & fv_sign(f) : raw[i]);
        if (fv_is_snan(f, raw[i]))
            env->flags |= FP_INVALID;
    }
    if (s->op == FMA && first_nan == 2) {
        mpfr_mul(r, operand[0], operand[1], MPFR_RNDN);
        if (mpfr_nan_p(r)) {
            env->flags |= FP_INVALID;
            return default_nan(f);
        }
    }
    if (first_nan >= 0)
        return want_nan(s, env, raw[first_nan]);

    int ternary = calculate(s->op, r, rounding[env->round]);
    if (mpfr_nan_p(r)) {
        env->flags |= FP_INVALID;
        return default_nan(s->to);
    }
    if (is_integral_op(s->op))
        return get_bits(r, s->to);
    if (denorm)
        env->flags |= FP_IN_DENORM;
    if (is_root_op(s->op) && s->op != SQRT && mpfr_zero_p(operand[0]))
        env->flags |= FP_DIV0;
    u64 want = want_rounded(s->to, r, ternary, env);
    return s->op == FRACT && want >= fv_make(f, 0, 0) ? fv_make(f, 0, 0) - 1 : want;
}

static u64 want_one(const struct subject *s, struct fp_env *env, const u64 *raw)
{
    struct fp_env own = *env;
    if (is_root_op(s->op))
        own.round = ROUND_EVEN;
    u64 want = want_rounding(s, &own, raw);
    env->flags = own.flags;
    return want;
}

static u64 want_of(const struct subject *s, struct fp_env *env, const u64 *raw)
{
    if (s->op != MAD)
        return want_one(s, env, raw);

    struct subject mul = { MUL, s->from, s->to }, add = { ADD, s->from, s->to };
    struct fp_env flush = *env;
    flush.flush_in = flush.flush_out = 1;
    u64 in[3] = { want_one(&mul, &flush, raw), raw[2], 0 };
    u64 want = want_one(&add, &flush, in);
    env->flags = flush.flags;
    return want;
}

static u64 got_f16(enum op op, struct fp_env *env, const u64 *in)
{
    u16 a = (u16)in[0], b = (u16)in[1], c = (u16)in[2];
    switch (op) {
    case ADD: return fadd16(env, a, b);
    case SUB: return fsub16(env, a, b);
    case MUL: return fmul16(env, a, b);
    case FMA: return ffma16(env, a, b, c);
    case MAD: return fmad16(env, a, b, c);
    case TRUNC: return ftrunc16(env, a);
    case CEIL: return fceil16(env, a);
    case FLOOR: return ffloor16(env, a);
    case RNDNE: return frndne16(env, a);
    default: return ffract16(env, a);
    }
}

static u64 got_f64(enum op op, struct fp_env *env, const u64 *in)
{
    switch (op) {
    case ADD: return fadd64(env, in[0], in[1]);
    case SUB: return fsub64(env, in[0], in[1]);
    case MUL: return fmul64(env, in[0], in[1]);
    case TRUNC: return ftrunc64(env, in[0]);
    case CEIL: return fceil64(env, in[0]);
    case FLOOR: return ffloor64(env, in[0]);
    case RNDNE: return frndne64(env, in[0]);
    case FRACT: return ffract64(env, in[0]);
    case RCP: return frcp64(env, in[0]);
    case RSQ: return frsq64(env, in[0]);
    case SQRT: return fsqrt64(env, in[0]);
    default: return ffma64(env, in[0], in[1], in[2]);
    }
}

static u64 got_f32(enum op op, struct fp_env *env, const u64 *in)
{
    u32 a = (u32)in[0], b = (u32)in[1], c = (u32)in[2];
    switch (op) {
    case ADD: return fadd32(env, a, b);
    case SUB: return fsub32(env, a, b);
    case MUL: return fmul32(env, a, b);
    case FMA: return ffma32(env, a, b, c);
    case MAD: return fmad32(env, a, b, c);
    case TRUNC: return ftrunc32(env, a);
    case CEIL: return fceil32(env, a);
    case FLOOR: return ffloor32(env, a);
    case RNDNE: return frndne32(env, a);
    default: return ffract32(env, a);
    }
}

static u64 got_of(const struct subject *s, struct fp_env *env, const u64 *in)
{
    if (s->op != CVT)
        return s->from == &f16   ? got_f16(s->op, env, in)
               : s->from == &f64 ? got_f64(s->op, env, in)
                                 : got_f32(s->op, env, in);
    if (s->from == &f32)
        return s->to == &f16 ? cvt_f16_f32(env, (u32)in[0]) : cvt_f64_f32(env, (u32)in[0]);
    return s->from == &f16 ? cvt_f32_f16(env, (u16)in[0]) : cvt_f32_f64(env, in[0]);
}

static void compare(struct fv_check *c, const struct subject *s, struct fp_env env, const u64 *in)
{
    struct fp_env want_env = env;
    u64 want = want_of(s, &want_env, in);
    u64 got = got_of(s, &env, in);
    fv_same(c, &env, in, want, want_env.flags, got);
}

/* Replaces the addend by a neighbour of the negated product, so that leading bits cancel. */
static void cancel(const struct fv_fmt *f, u64 *in, struct rng *r)
{
    mpfr_ptr p = result_of(f);
    if (fv_is_nan(f, in[0]) || fv_is_nan(f, in[1]))
        return;
    unbounded();
    set_bits(operand[0], f, in[0]);
    set_bits(operand[1], f, in[1]);
    mpfr_mul(p, operand[0], operand[1], MPFR_RNDN);
    if (!mpfr_regular_p(p) || mpfr_get_exp(p) < 3 - fv_bias(f) || mpfr_get_exp(p) > fv_bias(f))
        return;
    in[2] = (get_bits(p, f) ^ fv_sign(f)) + rng_below(r, 3) - 1;
}

static void sweep(struct fv_tap *t, const char *name, struct subject s, u32 randoms)
{
    struct fv_check c = { .name = name };
    struct rng r;
    u64 edge[FV_EDGES_MAX];
    int count = fv_edges(s.from, edge);
    int n = operands_of(s.op);
    int first = n == 3 ? 28 : count; // the first edges are the most telling
    int second = n == 1 ? 1 : first;
    int third = n == 3 ? first : 1;

    for (int i = 0; i < first; i++)
        for (int j = 0; j < second; j++)
            for (int k = 0; k < third; k++)
                for (u32 e = 0; e < 16; e++)
                    compare(&c, &s, fv_env(e | ((u32)(i ^ j ^ k) & 1) << 4),
                            (u64[3]){ edge[i], edge[j], edge[k] });
    rng_seed(&r, hash_mix(s.op, (u64)s.from->mant << 8 | (u64)s.to->mant));
    for (u32 i = 0; i < randoms; i++) {
        u64 in[3] = { fv_random(s.from, &r), fv_random(s.from, &r), fv_random(s.from, &r) };
        if (n == 3 && i / 32 % 2)
            cancel(s.from, in, &r);
        compare(&c, &s, fv_env(i & 31), in);
    }
    fv_done(t, &c, randoms + 1000);
}

/* Operands around integers and halves at every magnitude up to 2^33, and the edges. */
static u64 integer_operand(const struct fv_fmt *f, struct rng *r, u32 i, const u64 *edge, int edges)
{
    if (i < (u32)edges * 16)
        return edge[i / 16];
    if (rng_one_in(r, 3))
        return fv_random(f, r);
    unbounded();
    mpfr_set_ui_2exp(exact, rng_u64(r) >> (31 + rng_below(r, 33)), -(long)rng_below(r, 3),
                     MPFR_RNDN);
    mpfr_set(result_of(f), exact, MPFR_RNDN);
    u64 v = get_bits(result_of(f), f) + rng_below(r, 3);
    return (v ? v - 1 : 0) | (rng_one_in(r, 2) ? fv_sign(f) : 0);
}

enum to_int { TO_I32, TO_U32, TO_RPI, TO_FLR };

static u64 want_int(const struct fv_fmt *f, enum to_int how, struct fp_env *env, u64 a)
{
    i64 lo = how == TO_U32 ? 0 : INT32_MIN, hi = how == TO_U32 ? UINT32_MAX : INT32_MAX;
    bool negative = a & fv_sign(f);

    if (fv_is_nan(f, a)) {
        env->flags |= FP_INVALID;
        return how <= TO_U32 ? 0 : (u32)(negative ? lo : hi);
    }
    unbounded();
    set_bits(operand[0], f, fv_is_subnormal(f, a) && env->flush_in ? a & fv_sign(f) : a);
    if (how == TO_RPI)
        mpfr_add_d(exact, operand[0], 0.5, MPFR_RNDN);
    else
        mpfr_set(exact, operand[0], MPFR_RNDN);
    int dropped = how <= TO_U32 ? mpfr_trunc(exact, exact) : mpfr_floor(exact, exact);
    if (mpfr_cmp_si(exact, lo) < 0 || mpfr_cmp_si(exact, hi) > 0) {
        env->flags |= FP_INVALID;
        return (u32)(negative ? lo : hi);
    }
    if (how <= TO_U32 && dropped)
        env->flags |= FP_INEXACT;
    return (u32)mpfr_get_sj(exact, MPFR_RNDN);
}

static u32 got_int(const struct fv_fmt *f, enum to_int how, struct fp_env *env, u64 a)
{
    bool wide = f == &f64;
    switch (how) {
    case TO_I32: return wide ? cvt_i32_f64(env, a) : cvt_i32_f32(env, (u32)a);
    case TO_U32: return wide ? cvt_u32_f64(env, a) : cvt_u32_f32(env, (u32)a);
    case TO_RPI: return cvt_rpi_i32_f32(env, (u32)a);
    default: return cvt_flr_i32_f32(env, (u32)a);
    }
}

static void check_to_int(struct fv_tap *t, const char *name, const struct fv_fmt *f,
                         enum to_int how, u32 randoms)
{
    struct fv_check c = { .name = name };
    struct rng r;
    u64 edge[FV_EDGES_MAX];
    int edges = fv_edges(f, edge);

    rng_seed(&r, 77 + (u64)how);
    for (u32 i = 0; i < randoms; i++) {
        u64 a = integer_operand(f, &r, i, edge, edges);
        struct fp_env env = fv_env(i & 15), want_env = env;
        u64 want = want_int(f, how, &want_env, a);
        u32 got = got_int(f, how, &env, a);
        fv_same(&c, &env, (u64[3]){ a, 0, 0 }, want, want_env.flags, got);
    }
    fv_done(t, &c, randoms);
}

static u64 got_from_int(const struct fv_fmt *f, bool is_signed, struct fp_env *env, u32 a)
{
    if (f == &f64)
        return is_signed ? cvt_f64_i32(env, a) : cvt_f64_u32(env, a);
    return is_signed ? cvt_f32_i32(env, a) : cvt_f32_u32(env, a);
}

static void check_from_int(struct fv_tap *t, const char *name, const struct fv_fmt *f,
                           bool is_signed, u32 randoms)
{
    struct fv_check c = { .name = name };
    struct rng r;

    rng_seed(&r, 99);
    for (u32 i = 0; i < randoms; i++) {
        u32 a = (u32)rng_u64(&r) >> rng_below(&r, 32);
        if (i & 16) // around powers of two and halfway points of every size
            a = (i & 32 ? 0x01000001u : 1u) << (i >> 6 & 31) | (i >> 11 & 3);
        if (i & 1024)
            a = 0 - a;
        struct fp_env env = fv_env(i & 15), want_env = env;
        unbounded();
        int ternary = is_signed ? mpfr_set_si(result_of(f), (i32)a, rounding[env.round])
                                : mpfr_set_ui(result_of(f), a, rounding[env.round]);
        u64 want = want_rounded(f, result_of(f), ternary, &want_env);
        u64 got = got_from_int(f, is_signed, &env, a);
        fv_same(&c, &env, (u64[3]){ a, 0, 0 }, want, want_env.flags, got);
    }
    fv_done(t, &c, randoms);
}

/* Products with powers of two: around the ends of the format and far beyond, exponents of 32
 * bits. */
static void check_ldexp(struct fv_tap *t, u32 randoms)
{
    struct fv_check c = { .name = "f64 ldexp" };
    struct subject s = { CVT, &f64, &f64 };
    struct rng r;

    rng_seed(&r, 55);
    for (u32 i = 0; i < randoms; i++) {
        u64 a = fv_random(&f64, &r);
        i32 by = (i32)rng_u64(&r) >> rng_below(&r, 32);
        if (i & 32) // the result is next to the smallest or the largest number
            by = (i & 64 ? 2046 : -52) - (i32)(a >> 52 & 2047) + (i32)rng_below(&r, 56) - 2;
        struct fp_env env = fv_env(i & 31), want_env = env;
        u64 want = want_one(&s, &want_env, &a);
        bool is_number = !fv_is_nan(&f64, a) && a << 1 < fv_inf(&f64) << 1;
        if (is_number) {
            want_env = env;
            unbounded();
            bool subnormal = fv_is_subnormal(&f64, a);
            set_bits(operand[0], &f64, subnormal && env.flush_in ? a & fv_sign(&f64) : a);
            if (subnormal && !env.flush_in)
                want_env.flags |= FP_IN_DENORM;
            int ternary = mpfr_mul_2si(result64, operand[0], by, rounding[env.round]);
            want = want_rounded(&f64, result64, ternary, &want_env);
        }
        u64 got = fldexp64(&env, a, by);
        fv_same(&c, &env, (u64[3]){ a, (u32)by, 0 }, want, want_env.flags, got);
    }
    fv_done(t, &c, randoms);
}

int main(void)
{
    struct fv_tap t = { 0 };

    for (size_t i = 0; i < COUNT_OF(operand); i++)
        mpfr_init2(operand[i], 53);
    mpfr_init2(exact, PREC_EXACT);
    mpfr_init2(result16, 11);
    mpfr_init2(result32, 24);
    mpfr_init2(result64, 53);

    sweep(&t, "f32 add", (struct subject){ ADD, &f32, &f32 }, 200000);
    sweep(&t, "f32 sub", (struct subject){ SUB, &f32, &f32 }, 100000);
    sweep(&t, "f32 mul", (struct subject){ MUL, &f32, &f32 }, 200000);
    sweep(&t, "f32 fma", (struct subject){ FMA, &f32, &f32 }, 500000);
    sweep(&t, "f32 mad", (struct subject){ MAD, &f32, &f32 }, 200000);
    sweep(&t, "f32 trunc", (struct subject){ TRUNC, &f32, &f32 }, 100000);
    sweep(&t, "f32 ceil", (struct subject){ CEIL, &f32, &f32 }, 100000);
    sweep(&t, "f32 floor", (struct subject){ FLOOR, &f32, &f32 }, 100000);
    sweep(&t, "f32 rndne", (struct subject){ RNDNE, &f32, &f32 }, 100000);
    sweep(&t, "f32 fract", (struct subject){ FRACT, &f32, &f32 }, 100000);
    check_to_int(&t, "i32 from f32", &f32, TO_I32, 100000);
    check_to_int(&t, "u32 from f32", &f32, TO_U32, 100000);
    check_to_int(&t, "rpi i32 from f32", &f32, TO_RPI, 100000);
    check_to_int(&t, "flr i32 from f32", &f32, TO_FLR, 100000);
    check_from_int(&t, "f32 from i32", &f32, true, 100000);
    check_from_int(&t, "f32 from u32", &f32, false, 100000);
    check_to_int(&t, "i32 from f64", &f64, TO_I32, 100000);
    check_to_int(&t, "u32 from f64", &f64, TO_U32, 100000);
    check_from_int(&t, "f64 from i32", &f64, true, 50000);
    check_from_int(&t, "f64 from u32", &f64, false, 50000);
    check_ldexp(&t, 200000);
    sweep(&t, "f16 add", (struct subject){ ADD, &f16, &f16 }, 100000);
    sweep(&t, "f16 sub", (struct subject){ SUB, &f16, &f16 }, 50000);
    sweep(&t, "f16 mul", (struct subject){ MUL, &f16, &f16 }, 100000);
    sweep(&t, "f16 fma", (struct subject){ FMA, &f16, &f16 }, 200000);
    sweep(&t, "f16 mad", (struct subject){ MAD, &f16, &f16 }, 100000);
    sweep(&t, "f16 trunc", (struct subject){ TRUNC, &f16, &f16 }, 50000);
    sweep(&t, "f16 ceil", (struct subject){ CEIL, &f16, &f16 }, 50000);
    sweep(&t, "f16 floor", (struct subject){ FLOOR, &f16, &f16 }, 50000);
    sweep(&t, "f16 rndne", (struct subject){ RNDNE, &f16, &f16 }, 50000);
    sweep(&t, "f16 fract", (struct subject){ FRACT, &f16, &f16 }, 50000);
    sweep(&t, "f64 add", (struct subject){ ADD, &f64, &f64 }, 100000);
    sweep(&t, "f64 sub", (struct subject){ SUB, &f64, &f64 }, 50000);
    sweep(&t, "f64 mul", (struct subject){ MUL, &f64, &f64 }, 100000);
    sweep(&t, "f64 fma", (struct subject){ FMA, &f64, &f64 }, 300000);
    sweep(&t, "f64 trunc", (struct subject){ TRUNC, &f64, &f64 }, 50000);
    sweep(&t, "f64 ceil", (struct subject){ CEIL, &f64, &f64 }, 50000);
    sweep(&t, "f64 floor", (struct subject){ FLOOR, &f64, &f64 }, 50000);
    sweep(&t, "f64 rndne", (struct subject){ RNDNE, &f64, &f64 }, 50000);
    sweep(&t, "f64 fract", (struct subject){ FRACT, &f64, &f64 }, 50000);
    sweep(&t, "f64 rcp", (struct subject){ RCP, &f64, &f64 }, 50000);
    sweep(&t, "f64 rsq", (struct subject){ RSQ, &f64, &f64 }, 50000);
    sweep(&t, "f64 sqrt", (struct subject){ SQRT, &f64, &f64 }, 50000);
    sweep(&t, "f16 from f32", (struct subject){ CVT, &f32, &f16 }, 100000);
    sweep(&t, "f32 from f16", (struct subject){ CVT, &f16, &f32 }, 100000);
    sweep(&t, "f64 from f32", (struct subject){ CVT, &f32, &f64 }, 100000);
    sweep(&t, "f32 from f64", (struct subject){ CVT, &f64, &f32 }, 100000);

    for (size_t i = 0; i < COUNT_OF(operand); i++)
        mpfr_clear(operand[i]);
    mpfr_clears(exact, result16, result32, result64, (mpfr_ptr)0);
    mpfr_free_cache();
    return fv_plan(&t);
}
