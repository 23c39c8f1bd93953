/* Division and square root of doubles, by the instruction sequences that clang-19 makes of a / b
 * and sqrt(a) for gfx900, executed by the model: the results are those of IEEE 754, correctly
 * rounded, for edge operands, for quotients and roots next to a tie, and for random ones. MPFR is
 * the judge. The sequences rest on an approximation (v_rcp_f64, v_rsq_f64) of which the manual
 * promises a relative error of 2^-23: they are run with the model's value and with values that far
 * off.
 *
 * t_div.c does the same with floats. The two share no arithmetic on purpose: what is near a tie, how far
 * an approximation is moved and how MPFR is asked are another thing in each type.
 *
 *     t_div64 [WAVES]      random waves of 64 operands per sequence and approximation;
 *                          default 500 */
#include "harness/t/fp/fp_values.h"
#include "harness/t/lib/machine.h"

#include <mpfr.h>
#include <stdlib.h>

static const struct fv_fmt f64 = { "f64", 52, 11 };

/* v[0:1] numerator and result, v[2:3] denominator. The line with s[8:9] is not the compiler's: it
 * moves the approximation. */
static const char div_text[] = "v_div_scale_f64 v[4:5], s[2:3], v[2:3], v[2:3], v[0:1]\n"
                               "v_div_scale_f64 v[10:11], vcc, v[0:1], v[2:3], v[0:1]\n"
                               "v_rcp_f64_e32 v[6:7], v[4:5]\n"
                               "v_mul_f64 v[6:7], v[6:7], s[8:9]\n"
                               "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
                               "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]\n"
                               "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
                               "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]\n"
                               "v_mul_f64 v[8:9], v[10:11], v[6:7]\n"
                               "v_fma_f64 v[4:5], -v[4:5], v[8:9], v[10:11]\n"
                               "v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[8:9]\n"
                               "v_div_fixup_f64 v[0:1], v[4:5], v[2:3], v[0:1]\n"
                               "s_endpgm\n";

/* v[0:1] radicand and root. */
static const char sqrt_text[] = "s_mov_b32 s2, 0\n"
                                "s_brev_b32 s3, 8\n"
                                "v_cmp_gt_f64_e32 vcc, s[2:3], v[0:1]\n"
                                "v_cndmask_b32_e64 v2, 0, 1, vcc\n"
                                "v_lshlrev_b32_e32 v2, 8, v2\n"
                                "v_ldexp_f64 v[0:1], v[0:1], v2\n"
                                "v_rsq_f64_e32 v[2:3], v[0:1]\n"
                                "v_mul_f64 v[2:3], v[2:3], s[8:9]\n"
                                "v_mul_f64 v[4:5], v[0:1], v[2:3]\n"
                                "v_mul_f64 v[2:3], v[2:3], 0.5\n"
                                "v_fma_f64 v[6:7], -v[2:3], v[4:5], 0.5\n"
                                "v_fma_f64 v[4:5], v[4:5], v[6:7], v[4:5]\n"
                                "v_fma_f64 v[2:3], v[2:3], v[6:7], v[2:3]\n"
                                "v_fma_f64 v[6:7], -v[4:5], v[4:5], v[0:1]\n"
                                "v_fma_f64 v[4:5], v[6:7], v[2:3], v[4:5]\n"
                                "v_fma_f64 v[6:7], -v[4:5], v[4:5], v[0:1]\n"
                                "v_fma_f64 v[2:3], v[6:7], v[2:3], v[4:5]\n"
                                "v_mov_b32_e32 v4, 0xffffff80\n"
                                "v_mov_b32_e32 v5, 0x260\n"
                                "v_cndmask_b32_e32 v4, 0, v4, vcc\n"
                                "v_cmp_class_f64_e32 vcc, v[0:1], v5\n"
                                "v_ldexp_f64 v[2:3], v[2:3], v4\n"
                                "v_cndmask_b32_e32 v1, v3, v1, vcc\n"
                                "v_cndmask_b32_e32 v0, v2, v0, vcc\n"
                                "s_endpgm\n";

static mpfr_t x, y, z;

/* ---- the judge ---- */

static void set_bits(mpfr_ptr r, u64 v)
{
    u64 mant = v & ((1ull << 52) - 1);
    int exp = (int)(v >> 52 & 2047);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    if (exp == 2047)
        mpfr_set_inf(r, 1);
    else
        mpfr_set_ui_2exp(r, exp ? mant | 1ull << 52 : mant, (exp ? exp : 1) - 1075, MPFR_RNDN);
    mpfr_setsign(r, r, v >> 63, MPFR_RNDN);
}

/* r, of 53 bits, as a double. */
static u64 to_bits(mpfr_ptr r, int ternary)
{
    mpfr_set_emin(-1073);
    mpfr_set_emax(1024);
    ternary = mpfr_check_range(r, ternary, MPFR_RNDN);
    mpfr_subnormalize(r, ternary, MPFR_RNDN);
    double d = mpfr_get_d(r, MPFR_RNDN);
    u64 v;
    memcpy(&v, &d, sizeof v);
    return v;
}

static const u64 quiet = 1ull << 51, invalid = 0xfff8000000000000;

/* The numerator's NaN goes before the denominator's: v_div_fixup_f64. */
static u64 want_quotient(u64 a, u64 b)
{
    if (fv_is_nan(&f64, a) || fv_is_nan(&f64, b))
        return (fv_is_nan(&f64, a) ? a : b) | quiet;
    set_bits(x, a);
    set_bits(y, b);
    int ternary = mpfr_div(z, x, y, MPFR_RNDN);
    return mpfr_nan_p(z) ? invalid : to_bits(z, ternary);
}

static u64 want_root(u64 a, u64 unused)
{
    (void)unused;
    if (fv_is_nan(&f64, a))
        return a | quiet;
    set_bits(x, a);
    int ternary = mpfr_sqrt(z, x, MPFR_RNDN);
    return mpfr_nan_p(z) ? invalid : to_bits(z, ternary);
}

/* ---- the sequences ---- */

struct sequence {
    const char *name, *text;
    u64 (*want)(u64 a, u64 b);
    bool all_ones; // denominators of all ones need the right approximation
    /* Fills operands whose result lies next to a tie, or nothing. */
    void (*hard)(struct rng *r, u64 *a, u64 *b);
};

/* a near q * b, where q has 54 bits: the quotient is close to the middle of two doubles. */
static void hard_quotient(struct rng *r, u64 *a, u64 *b)
{
    u64 d = 1ull << 52 | rng_u64(r) >> (12 + rng_below(r, 52));
    u64 q = 1ull << 53 | (rng_u64(r) >> (11 + rng_below(r, 53))) | 1;
    i64 exp = (i64)rng_below(r, 2200) - 1100;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_set_ui_2exp(x, q, exp, MPFR_RNDN);
    mpfr_set_ui(y, d, MPFR_RNDN);
    int ternary = mpfr_mul(z, x, y, MPFR_RNDN);
    *a = to_bits(z, ternary);
    *b = (u64)(1023 + rng_below(r, 9)) << 52 | (d & ((1ull << 52) - 1));
    *a += rng_below(r, 3) - 1;
}

/* Next to the square of a number of 54 bits. */
static void hard_root(struct rng *r, u64 *a, u64 *b)
{
    u64 q = 1ull << 53 | (rng_u64(r) >> (11 + rng_below(r, 53))) | 1;
    *b = 0;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_set_ui_2exp(x, q, (i64)rng_below(r, 1100) - 600, MPFR_RNDN);
    int ternary = mpfr_sqr(z, x, MPFR_RNDN);
    *a = to_bits(z, ternary) + rng_below(r, 3) - 1;
}

static const struct sequence sequences[] = {
    { "a / b", div_text, want_quotient, true, hard_quotient },
    { "sqrt(a)", sqrt_text, want_root, false, hard_root },
};

struct count {
    u64 done, wrong;
};

static const u64 ONE = 0x3ff0000000000000;

/* Of a subnormal number: what is left of its significand. */
static bool is_all_ones(u64 v)
{
    u64 mant = v & ((1ull << 52) - 1);
    bool subnormal = (v >> 52 & 2047) == 0;
    return subnormal ? mant && !(mant & (mant + 1)) : mant == (1ull << 52) - 1;
}

/* One wave: 64 operands at once. */
static void run_wave(const struct sequence *s, u64 factor, const u64 *a, const u64 *b,
                     struct count *c)
{
    struct wave *w = m->wave[0];
    w->pc = PC_DEFAULT;
    w->stop = STOP_NONE;
    pair_set(&w->sgpr[8], factor);
    for (u32 lane = 0; lane < LANES; lane++) {
        w->vgpr[0][lane] = (u32)a[lane];
        w->vgpr[1][lane] = (u32)(a[lane] >> 32);
        w->vgpr[2][lane] = (u32)b[lane];
        w->vgpr[3][lane] = (u32)(b[lane] >> 32);
    }
    engine.exec->run(m, w, 64);
    if (w->stop != STOP_END)
        bail("%s: the program stopped: %s", s->name, w->why);
    for (u32 lane = 0; lane < LANES; lane++) {
        u64 got = w->vgpr[0][lane] | (u64)w->vgpr[1][lane] << 32;
        u64 want = s->want(a[lane], b[lane]);
        if (s->all_ones && factor != ONE && is_all_ones(b[lane]))
            continue;
        c->done++;
        if (got != want && c->wrong++ < 5)
            printf("# %s: %#" PRIx64 " %#" PRIx64 " gives %#" PRIx64 ", right is %#" PRIx64 "\n",
                   s->name, a[lane], b[lane], got, want);
    }
}

static void edges(const struct sequence *s, u64 factor, struct count *c)
{
    u64 edge[FV_EDGES_MAX], a[LANES], b[LANES];
    u32 n = (u32)fv_edges(&f64, edge), fill = 0;
    for (u32 i = 0; i < n * n; i++) {
        a[fill] = edge[i / n];
        b[fill++] = edge[i % n];
        if (fill == LANES || i == n * n - 1) {
            for (; fill < LANES; fill++)
                a[fill] = b[fill] = edge[4];
            run_wave(s, factor, a, b, c);
            fill = 0;
        }
    }
}

static void random_waves(const struct sequence *s, u64 factor, u32 waves, struct count *c)
{
    u64 a[LANES], b[LANES];
    struct rng r;
    rng_seed(&r, factor);
    for (u32 i = 0; i < waves; i++) {
        for (u32 lane = 0; lane < LANES; lane++) {
            a[lane] = fv_random(&f64, &r);
            b[lane] = fv_random(&f64, &r);
            if (lane & 1)
                s->hard(&r, &a[lane], &b[lane]);
            else if (lane & 2)
                a[lane] &= ~(1ull << 63);
        }
        run_wave(s, factor, a, b, c);
    }
}

static void load(const char *text)
{
    machine_must_load(text);
    machine_reset(m, 1, 0);
}

int main(int argc, char **argv)
{
    /* 1, and 1 +- 2^-23 */
    static const u64 factor[] = { 0x3ff0000000000000, 0x3ff0000020000000, 0x3fefffffc0000000 };
    static const char *const how[] = { "the model's approximation", "one 2^-23 too large",
                                       "one 2^-23 too small" };
    u32 waves = argc > 1 ? (u32)strtoul(argv[1], NULL, 10) : 500;
    machine_must_open(&(struct machine_cfg){ .waves_max = 1 });
    mpfr_inits2(54, x, y, (mpfr_ptr)0);
    mpfr_init2(z, 53);
    for (u32 i = 0; i < COUNT_OF(sequences); i++) {
        load(sequences[i].text);
        for (u32 k = 0; k < COUNT_OF(factor); k++) {
            struct count c = { 0 };
            edges(&sequences[i], factor[k], &c);
            random_waves(&sequences[i], factor[k], waves, &c);
            is_u64(0, c.wrong, "%s with %s: wrong of %llu", sequences[i].name, how[k],
                   (unsigned long long)c.done);
        }
    }
    mpfr_clears(x, y, z, (mpfr_ptr)0);
    mpfr_free_cache();
    machine_close(m);
    return done();
}
