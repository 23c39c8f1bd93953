/* The transcendental unit (oracle/fp/fp_trans.h) against MPFR: results bit for bit the nearest
 * number, and the side of the exact value that each notes. Without arguments a sample of every
 * exponent.
 *
 *     build/t_trans sweep NAME STRIDE [FIRST]    every STRIDE-th of all 2^32 operands
 *
 * 2^24 operands take 15 to 30 s, all 2^32 an hour or two; `scripts/run/test-long.sh units` takes
 * every 61st. */
#include "oracle/fp/fp_trans.h"

#include "harness/t/fp/fp_values.h"

#include <mpfr.h>
#include <stdlib.h>

static const struct fv_fmt f32 = { "f32", 23, 8 };

static mpfr_t x, r;

static int calc_rcp(void)
{
    return mpfr_ui_div(r, 1, x, MPFR_RNDN);
}
static int calc_rsq(void)
{
    return mpfr_rec_sqrt(r, x, MPFR_RNDN);
}
static int calc_sqrt(void)
{
    return mpfr_sqrt(r, x, MPFR_RNDN);
}
static int calc_exp(void)
{
    return mpfr_exp2(r, x, MPFR_RNDN);
}
static int calc_log(void)
{
    return mpfr_log2(r, x, MPFR_RNDN);
}
static int calc_sin(void)
{
    return mpfr_sinu(r, x, 1, MPFR_RNDN);
}
static int calc_cos(void)
{
    return mpfr_cosu(r, x, 1, MPFR_RNDN);
}

static const struct unit {
    const char *name;
    u32 (*model)(struct fp_env *env, u32 a);
    int (*exact)(void);
    bool flushes;  /* subnormals, on both sides and in every mode */
    bool negative; /* has a value for negative operands */
} units[] = {
    { "rcp", frcp32, calc_rcp, true, true },  { "rcp_iflag", frcp_iflag32, calc_rcp, true, true },
    { "rsq", frsq32, calc_rsq, true, false }, { "sqrt", fsqrt32, calc_sqrt, true, false },
    { "exp", fexp32, calc_exp, true, true },  { "log", flog32, calc_log, true, false },
    { "sin", fsin32, calc_sin, false, true }, { "cos", fcos32, calc_cos, false, true },
};

enum { ROW_OPEN = OPEN_NEAR | OPEN_LESS | OPEN_MORE };

/* An f32 that is no NaN, as MPFR reads it. */
static void set_x(u32 v)
{
    float f;
    memcpy(&f, &v, sizeof f);
    mpfr_set_flt(x, f, MPFR_RNDN);
}

/* The nearest f32, or a zero for what is below the normal numbers where the unit flushes. */
static u32 want_of(const struct unit *u, u32 a, int *side)
{
    set_x(a);
    int ternary = u->exact();
    mpfr_exp_t exp = mpfr_regular_p(r) ? mpfr_get_exp(r) : 0;
    bool tiny = mpfr_regular_p(r) && exp < -125;
    if (tiny && u->flushes) {
        *side = 0;
        return mpfr_signbit(r) ? 0x80000000 : 0;
    }
    if (mpfr_regular_p(r) && exp > 128) {
        *side = 0;
        return mpfr_signbit(r) ? 0xff800000 : 0x7f800000;
    }
    if (tiny) {
        mpfr_set_emin(-148);
        ternary = mpfr_subnormalize(r, ternary, MPFR_RNDN);
        mpfr_set_emin(mpfr_get_emin_min());
    }
    float f = mpfr_get_flt(r, MPFR_RNDN);
    u32 v;
    memcpy(&v, &f, sizeof v);
    *side = tiny || !mpfr_regular_p(r) ? 0 : ternary;
    if (mpfr_zero_p(r)) /* MPFR's sign of zero is a matter of taste, ours a matter of fp_trans.h */
        v = a << 1 ? 0 : u->model == fsin32 ? a : v;
    return v;
}

static void check_one(struct fv_check *c, const struct unit *u, u32 a)
{
    struct fp_env env = { .ieee = 1 };
    u64 in[3] = { a };
    int side;
    u32 got = u->model(&env, a), want = want_of(u, a, &side);
    u32 open = side > 0 ? OPEN_NEAR | OPEN_LESS : side < 0 ? OPEN_NEAR | OPEN_MORE : 0;
    env.flags = 0;
    if (fv_same(c, &env, in, want, 0, got) && (env.open & ROW_OPEN) != open &&
        (side || !(env.open & OPEN_NEAR)) && c->wrong++ < FV_SHOWN)
        printf("# %s of %#x: notes %#x, want %#x\n", u->name, a, env.open & ROW_OPEN, open);
}

/* Whether the operand has an exact value to compare with. */
static bool is_subject(const struct unit *u, u32 a)
{
    u32 mag = a & 0x7fffffff;
    if (mag >= 0x7f800000 || (u->flushes && mag < 0x00800000))
        return false;
    return mag ? u->negative || !(a >> 31) : u->model == fsin32 || u->model == fcos32;
}

static void test_samples(struct fv_tap *t)
{
    struct rng rng;
    u64 edges[FV_EDGES_MAX];
    int n = fv_edges(&f32, edges);
    rng_seed(&rng, 17);
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        struct fv_check c = { .name = units[i].name };
        for (int k = 0; k < n; k++)
            if (is_subject(&units[i], (u32)edges[k]))
                check_one(&c, &units[i], (u32)edges[k]);
        for (u32 k = 0; k < 1 << 16; k++) {
            u32 a = k << 16 | (u32)rng_u64(&rng) >> 16;
            if (is_subject(&units[i], a))
                check_one(&c, &units[i], a);
        }
        fv_done(t, &c, 20000);
    }
}

/* Operands whose results lie close to each other or to a power of two. */
static void test_close(struct fv_tap *t)
{
    static const struct {
        const char *name;
        u32 from, to;
    } ranges[] = {
        { "log", 0x3f7ff000, 0x3f801000 }, /* around 1 */
        { "log", 0x3f350000, 0x3f351000 }, /* sqrt(1/2), where the reduction changes sides */
        { "log", 0x3fb50400, 0x3fb50600 },
        { "exp", 0x327ff000, 0x32801000 }, /* 2^-26, from where the series is used */
        { "exp", 0xb27ff000, 0xb2801000 },
        { "exp", 0x33b8a000, 0x33b8b000 }, /* 1 + half a unit */
        { "exp", 0xb338a000, 0xb338b000 },
        { "exp", 0x42fff000, 0x43000010 }, /* overflow */
        { "exp", 0xc2fbf000, 0xc2fc1000 }, /* 2^-126 */
        { "sin", 0x3e7ff000, 0x3e801000 }, /* a quarter */
        { "sin", 0x3dfff000, 0x3e001000 }, /* an eighth */
        { "cos", 0x3e7ff000, 0x3e801000 },
        { "cos", 0x3f3ff000, 0x3f401000 },
        { "cos", 0x397ff000, 0x39801000 }, /* 1 - half a unit */
        { "sin", 0x4afff000, 0x4b000010 }, /* the last fractions */
        { "sin", 0xcafff000, 0xcb000010 },
        { "rcp", 0x7e7ff000, 0x7e801000 }, /* 2^-126 */
    };
    struct fv_check c = { .name = "close to a corner" };
    for (size_t i = 0; i < COUNT_OF(ranges); i++)
        for (size_t k = 0; k < COUNT_OF(units); k++)
            if (strcmp(units[k].name, ranges[i].name) == 0)
                for (u32 a = ranges[i].from; a < ranges[i].to; a++)
                    check_one(&c, &units[k], a);
    fv_done(t, &c, 80000);
}

/* The examples of the manual (Vega ISA, VOP1 opcodes) and what follows from its words; the flags by
 * the same text. */
static void test_special(struct fv_tap *t)
{
    static const struct {
        u32 (*fn)(struct fp_env *env, u32 a);
        u32 a, want, flags, open;
    } rows[] = {
        { fexp32, 0xff800000, 0, 0, 0 },
        { fexp32, 0x80000000, 0x3f800000, 0, 0 },
        { fexp32, 0x7f800000, 0x7f800000, 0, 0 },
        { fexp32, 0x00000001, 0x3f800000, 0, 0 },
        { fexp32, 0x807fffff, 0x3f800000, 0, 0 },
        { fexp32, 0x43000000, 0x7f800000, FP_OVERFLOW | FP_INEXACT, 0 },
        { fexp32, 0x7f7fffff, 0x7f800000, FP_OVERFLOW | FP_INEXACT, 0 },
        { fexp32, 0xff7fffff, 0, FP_UNDERFLOW | FP_INEXACT, 0 },
        { fexp32, 0xc2fc0000, 0x00800000, 0, OPEN_NEAR }, /* -126 */
        { fexp32, 0xc2fc0001, 0, FP_UNDERFLOW | FP_INEXACT, 0 },
        { fexp32, 0x40400000, 0x41000000, 0, OPEN_NEAR }, /* 3 -> 8: within a unit */
        { flog32, 0xff800000, 0xffc00000, FP_INVALID, 0 },
        { flog32, 0xbf800000, 0xffc00000, FP_INVALID, 0 },
        { flog32, 0x80000000, 0xff800000, FP_DIV0, 0 },
        { flog32, 0x00000000, 0xff800000, FP_DIV0, 0 },
        { flog32, 0x007fffff, 0xff800000, FP_DIV0, 0 },
        { flog32, 0x3f800000, 0, 0, 0 },
        { flog32, 0x7f800000, 0x7f800000, 0, 0 },
        { flog32, 0x41000000, 0x40400000, 0, 0 },
        { flog32, 0x00800000, 0xc2fc0000, 0, 0 },
        { frcp32, 0xff800000, 0x80000000, 0, 0 },
        { frcp32, 0xc0000000, 0xbf000000, 0, 0 },
        { frcp32, 0x80000000, 0xff800000, FP_DIV0, 0 },
        { frcp32, 0x00000000, 0x7f800000, FP_DIV0, 0 },
        { frcp32, 0x80000001, 0xff800000, FP_DIV0, 0 },
        { frcp32, 0x7f800000, 0, 0, 0 },
        { frcp32, 0x7e800000, 0x00800000, 0, 0 },
        { frcp32, 0xfe800001, 0x80000000, FP_UNDERFLOW | FP_INEXACT, 0 },
        { frcp_iflag32, 0, 0x7f800000, FP_INT_DIV0, 0 },
        { frcp_iflag32, 0x80000000, 0xff800000, FP_INT_DIV0, 0 },
        { frcp_iflag32, 0x40400000, 0x3eaaaaab, 0, OPEN_NEAR | OPEN_LESS },
        { frcp_iflag32, 0x7f800001, 0x7fc00001, 0, 0 },
        { frsq32, 0xff800000, 0xffc00000, FP_INVALID, 0 },
        { frsq32, 0x80000000, 0xff800000, FP_DIV0, 0 },
        { frsq32, 0x00000000, 0x7f800000, FP_DIV0, 0 },
        { frsq32, 0x40800000, 0x3f000000, 0, 0 },
        { frsq32, 0x7f800000, 0, 0, 0 },
        { fsqrt32, 0xff800000, 0xffc00000, FP_INVALID, 0 },
        { fsqrt32, 0x80000000, 0x80000000, 0, 0 },
        { fsqrt32, 0x807fffff, 0x80000000, 0, 0 },
        { fsqrt32, 0x00000000, 0, 0, 0 },
        { fsqrt32, 0x40800000, 0x40000000, 0, 0 },
        { fsqrt32, 0x7f800000, 0x7f800000, 0, 0 },
        { fsin32, 0xff800000, 0xffc00000, FP_INVALID, 0 },
        { fsin32, 0xff7fffff, 0, 0, 0 },
        { fsin32, 0x80000000, 0x80000000, 0, 0 },
        { fsin32, 0x3e800000, 0x3f800000, 0, 0 },
        { fsin32, 0x7f800000, 0xffc00000, FP_INVALID, 0 },
        { fsin32, 0x3f000000, 0, 0, OPEN_NEAR }, /* half a turn: within the tolerance */
        { fcos32, 0xff800000, 0xffc00000, FP_INVALID, 0 },
        { fcos32, 0xff7fffff, 0x3f800000, 0, 0 },
        { fcos32, 0x80000000, 0x3f800000, 0, 0 },
        { fcos32, 0x3e800000, 0, 0, 0 },
        { fcos32, 0x7f800000, 0xffc00000, FP_INVALID, 0 },
        { fcos32, 0x3f000000, 0xbf800000, 0, OPEN_NEAR },
        { fexp_legacy32, 0x40400000, 0x41000000, 0, OPEN_NEAR },
        { fexp_legacy32, 0, 0x3f800000, 0, OPEN_ANY },
        { fexp_legacy32, 0xff800000, 0, 0, OPEN_ANY },
        { flog_legacy32, 0x41000000, 0x40400000, 0, 0 },
        { flog_legacy32, 0x80000000, 0xff800000, FP_DIV0, OPEN_ANY },
        { flog_legacy32, 0xc1000000, 0xffc00000, FP_INVALID, OPEN_ANY },
    };
    struct fv_check c = { .name = "special operands" };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fp_env env = { .ieee = 1 };
        u32 got = rows[i].fn(&env, rows[i].a);
        u64 in[3] = { rows[i].a, i };
        if (fv_same(&c, &env, in, rows[i].want, rows[i].flags, got) && env.open != rows[i].open) {
            printf("# row %zu: notes %#x\n", i, env.open);
            c.wrong++;
        }
    }
    fv_done(t, &c, COUNT_OF(rows));
}

/* FP_ROUND does nothing, nor do the denormal fields except to sine and cosine; a signaling NaN is
 * quieted with IEEE alone. */
static void test_modes(struct fv_tap *t)
{
    static const u32 operands[] = { 0x3eaaaaab, 0x40490fdb, 0x00000001, 0x807fffff,
                                    0x00800000, 0x7e800001, 0xc2fd0000, 0x3dcccccd };
    struct fv_check c = { .name = "modes" };
    for (size_t i = 0; i < COUNT_OF(units); i++)
        for (u32 mode = 0; mode < 32; mode++) {
            struct fp_env env = fv_env(mode), plain = { .ieee = 1 };
            for (size_t k = 0; k < COUNT_OF(operands); k++) {
                u32 a = operands[k], got = units[i].model(&env, a);
                u64 in[3] = { a, i };
                bool subnormal = (a & 0x7fffffff) < 0x00800000;
                if (!units[i].flushes && subnormal && env.flush_in)
                    a &= 0x80000000;
                u32 want = units[i].model(&plain, a);
                if (!units[i].flushes && env.flush_out && (want & 0x7f800000) == 0)
                    want &= 0x80000000;
                env.flags = 0;
                fv_same(&c, &env, in, want, 0, got);
            }
            u64 in[3] = { 0xff800001, i };
            u32 got = units[i].model(&env, 0xff800001);
            env.flags = 0;
            fv_same(&c, &env, in, env.ieee ? 0xffc00001 : 0xff800001, 0, got);
        }
    fv_done(t, &c, 2000);
}

static int sweep(int argc, char **argv)
{
    struct fv_tap t = { 0 };
    u64 stride = strtoull(argv[3], NULL, 0), first = argc > 4 ? strtoull(argv[4], NULL, 0) : 0;
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        struct fv_check c = { .name = argv[2] };
        if (strcmp(units[i].name, argv[2]) != 0 || stride == 0)
            continue;
        for (u64 a = first; a < 1ull << 32; a += stride)
            if (is_subject(&units[i], (u32)a))
                check_one(&c, &units[i], (u32)a);
        fv_done(&t, &c, 1);
    }
    return t.count ? fv_plan(&t) : 2;
}

int main(int argc, char **argv)
{
    struct fv_tap t = { 0 };
    mpfr_inits2(24, x, r, (mpfr_ptr)NULL);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    if (argc > 3 && strcmp(argv[1], "sweep") == 0)
        return sweep(argc, argv);
    test_samples(&t);
    test_close(&t);
    test_special(&t);
    test_modes(&t);
    mpfr_clears(x, r, (mpfr_ptr)NULL);
    mpfr_free_cache();
    return fv_plan(&t);
}
