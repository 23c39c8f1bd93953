/* Division and square root of f32, by the instruction sequences that clang-19 makes of a / b and
 * sqrt(a) for gfx900 where they must be correctly rounded, with subnormal numbers kept and flushed.
 * The model executes them: the results are those of IEEE 754 for edge operands, for quotients and
 * roots next to a tie, and for random ones. MPFR is the judge. The sequences rest on an
 * approximation (v_rcp_f32, v_sqrt_f32, v_rsq_f32) that the manual promises within one unit: they
 * are run with the model's value and with the numbers beside it.
 *
 *     t_div [WAVES]      random waves of 64 operands per sequence and approximation (default
 * 400) */
#include "harness/t/fp/fp_values.h"
#include "harness/t/lib/machine.h"

#include <mpfr.h>
#include <stdlib.h>

static const struct fv_fmt f32 = { "f32", 23, 8 };

/* v0 numerator and result, v1 denominator. The lines with s8 are not the compiler's: they move the
 * approximation. */
static const char div_keep[] = "v_div_scale_f32 v2, s[2:3], v1, v1, v0\n"
                               "v_div_scale_f32 v3, vcc, v0, v1, v0\n"
                               "v_rcp_f32_e32 v4, v2\n"
                               "v_add_u32_e32 v4, s8, v4\n"
                               "v_fma_f32 v5, -v2, v4, 1.0\n"
                               "v_fma_f32 v4, v5, v4, v4\n"
                               "v_mul_f32_e32 v5, v3, v4\n"
                               "v_fma_f32 v6, -v2, v5, v3\n"
                               "v_fma_f32 v5, v6, v4, v5\n"
                               "v_fma_f32 v2, -v2, v5, v3\n"
                               "v_div_fmas_f32 v2, v2, v4, v5\n"
                               "v_div_fixup_f32 v0, v2, v1, v0\n"
                               "s_endpgm\n";

static const char div_flush[] = "v_div_scale_f32 v2, s[2:3], v1, v1, v0\n"
                                "v_div_scale_f32 v3, vcc, v0, v1, v0\n"
                                "v_rcp_f32_e32 v4, v2\n"
                                "v_add_u32_e32 v4, s8, v4\n"
                                "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n"
                                "v_fma_f32 v5, -v2, v4, 1.0\n"
                                "v_fma_f32 v4, v5, v4, v4\n"
                                "v_mul_f32_e32 v5, v3, v4\n"
                                "v_fma_f32 v6, -v2, v5, v3\n"
                                "v_fma_f32 v5, v6, v4, v5\n"
                                "v_fma_f32 v2, -v2, v5, v3\n"
                                "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n"
                                "v_div_fmas_f32 v2, v2, v4, v5\n"
                                "v_div_fixup_f32 v0, v2, v1, v0\n"
                                "s_endpgm\n";

/* v0 radicand and root. */
static const char sqrt_keep[] = "v_mov_b32_e32 v2, 0xf800000\n"
                                "v_mul_f32_e32 v3, 0x4f800000, v0\n"
                                "v_mov_b32_e32 v4, 0x260\n"
                                "v_cmp_lt_f32_e32 vcc, v0, v2\n"
                                "v_cndmask_b32_e32 v0, v0, v3, vcc\n"
                                "v_sqrt_f32_e32 v2, v0\n"
                                "v_add_u32_e32 v2, s8, v2\n"
                                "v_add_u32_e32 v3, -1, v2\n"
                                "v_add_u32_e32 v5, 1, v2\n"
                                "v_fma_f32 v6, -v3, v2, v0\n"
                                "v_fma_f32 v7, -v5, v2, v0\n"
                                "v_cmp_ge_f32_e64 s[0:1], 0, v6\n"
                                "v_cndmask_b32_e64 v2, v2, v3, s[0:1]\n"
                                "v_cmp_lt_f32_e64 s[0:1], 0, v7\n"
                                "v_cndmask_b32_e64 v2, v2, v5, s[0:1]\n"
                                "v_mul_f32_e32 v3, 0x37800000, v2\n"
                                "v_cndmask_b32_e32 v2, v2, v3, vcc\n"
                                "v_cmp_class_f32_e32 vcc, v0, v4\n"
                                "v_cndmask_b32_e32 v0, v2, v0, vcc\n"
                                "s_endpgm\n";

static const char sqrt_flush[] = "v_mov_b32_e32 v2, 0xf800000\n"
                                 "v_mul_f32_e32 v3, 0x4f800000, v0\n"
                                 "v_mov_b32_e32 v7, 0x260\n"
                                 "v_cmp_lt_f32_e32 vcc, v0, v2\n"
                                 "v_cndmask_b32_e32 v0, v0, v3, vcc\n"
                                 "v_rsq_f32_e32 v2, v0\n"
                                 "v_add_u32_e32 v2, s8, v2\n"
                                 "v_mul_f32_e32 v3, v0, v2\n"
                                 "v_mul_f32_e32 v2, 0.5, v2\n"
                                 "v_fma_f32 v4, -v2, v3, 0.5\n"
                                 "v_fma_f32 v3, v3, v4, v3\n"
                                 "v_fma_f32 v2, v2, v4, v2\n"
                                 "v_fma_f32 v4, -v3, v3, v0\n"
                                 "v_fma_f32 v2, v4, v2, v3\n"
                                 "v_mul_f32_e32 v3, 0x37800000, v2\n"
                                 "v_cndmask_b32_e32 v2, v2, v3, vcc\n"
                                 "v_cmp_class_f32_e32 vcc, v0, v7\n"
                                 "v_cndmask_b32_e32 v0, v2, v0, vcc\n"
                                 "s_endpgm\n";

static mpfr_t x, y, z;

enum { MODE_FLUSH = MODE_DEFAULT & ~0x30, QUIET = 1 << 22 };
static const u32 invalid = 0xffc00000;

/* ---- the judge ---- */

static u32 flushed(u32 v)
{
    return fv_is_subnormal(&f32, v) ? v & 0x80000000 : v;
}

static void set_bits(mpfr_ptr r, u32 v)
{
    float f;
    memcpy(&f, &v, sizeof f);
    mpfr_set_flt(r, f, MPFR_RNDN);
}

/* z, rounded to 24 bits, as an f32 under the mode. */
static u32 to_bits(int ternary, bool flush)
{
    u32 v;
    if (flush && mpfr_regular_p(z) && mpfr_get_exp(z) < -125)
        return mpfr_signbit(z) ? 0x80000000 : 0;
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    ternary = mpfr_check_range(z, ternary, MPFR_RNDN);
    mpfr_subnormalize(z, ternary, MPFR_RNDN);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    float f = mpfr_get_flt(z, MPFR_RNDN);
    memcpy(&v, &f, sizeof v);
    return v;
}

/* The numerator's NaN goes before the denominator's: v_div_fixup_f32. */
static u32 want_quotient(u32 a, u32 b, bool flush)
{
    if (fv_is_nan(&f32, a) || fv_is_nan(&f32, b))
        return (fv_is_nan(&f32, a) ? a : b) | QUIET;
    set_bits(x, flush ? flushed(a) : a);
    set_bits(y, flush ? flushed(b) : b);
    int ternary = mpfr_div(z, x, y, MPFR_RNDN);
    return mpfr_nan_p(z) ? invalid : to_bits(ternary, flush);
}

static u32 want_root(u32 a, u32 unused, bool flush)
{
    (void)unused;
    if (fv_is_nan(&f32, a))
        return a | QUIET;
    set_bits(x, flush ? flushed(a) : a);
    int ternary = mpfr_sqrt(z, x, MPFR_RNDN);
    return mpfr_nan_p(z) ? invalid : to_bits(ternary, flush);
}

/* ---- operands ---- */

/* a near q * b, where q has 25 bits: the quotient is close to the middle of two numbers. */
static void hard_quotient(struct rng *r, u32 *a, u32 *b)
{
    u32 d = 1u << 23 | rng_below(r, 1 << 23) >> rng_below(r, 23);
    u32 q = 1u << 24 | rng_below(r, 1 << 24) >> rng_below(r, 24) | 1;
    mpfr_set_ui_2exp(x, q, (i64)rng_below(r, 280) - 160, MPFR_RNDN);
    mpfr_set_ui(y, d, MPFR_RNDN);
    int ternary = mpfr_mul(z, x, y, MPFR_RNDN);
    *a = to_bits(ternary, false) + rng_below(r, 3) - 1;
    *b = (127 + rng_below(r, 9)) << 23 | (d & 0x7fffff);
}

/* Next to the square of a number of 25 bits. */
static void hard_root(struct rng *r, u32 *a, u32 *b)
{
    u32 q = 1u << 24 | rng_below(r, 1 << 24) >> rng_below(r, 24) | 1;
    mpfr_set_ui_2exp(x, q, (i64)rng_below(r, 130) - 90, MPFR_RNDN);
    int ternary = mpfr_sqr(z, x, MPFR_RNDN);
    *a = to_bits(ternary, false) + rng_below(r, 3) - 1;
    *b = 0;
}

static const struct sequence {
    const char *name, *text;
    u32 mode;
    bool any_nan;  /* neg and the moves touch NaNs on the way */
    bool all_ones; /* denominators of all ones need the right approximation */
    u32 (*want)(u32 a, u32 b, bool flush);
    void (*hard)(struct rng *r, u32 *a, u32 *b);
} sequences[] = {
    { "a / b", div_keep, MODE_DEFAULT, false, true, want_quotient, hard_quotient },
    { "a / b, subnormals flushed", div_flush, MODE_FLUSH, false, true, want_quotient,
      hard_quotient },
    { "sqrt(a)", sqrt_keep, MODE_DEFAULT, true, false, want_root, hard_root },
    { "sqrt(a), subnormals flushed", sqrt_flush, MODE_FLUSH, true, false, want_root, hard_root },
};

struct count {
    u64 done, wrong;
};

/* Of a subnormal number: what is left of its significand. */
static bool is_all_ones(u32 v)
{
    u32 mant = v & 0x7fffff;
    return v & 0x7f800000 ? mant == 0x7fffff : mant && !(mant & (mant + 1));
}

/* One wave: 64 operands at once. */
static void run_wave(const struct sequence *s, u32 move, const u32 *a, const u32 *b,
                     struct count *c)
{
    struct wave *w = m->wave[0];
    w->pc = PC_DEFAULT;
    w->stop = STOP_NONE;
    w->sgpr[8] = move;
    memcpy(w->vgpr[0], a, LANES * sizeof *a);
    memcpy(w->vgpr[1], b, LANES * sizeof *b);
    engine.exec->run(m, w, 64);
    if (w->stop != STOP_END)
        bail("%s: the program stopped: %s", s->name, w->why);
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 got = w->vgpr[0][lane], want = s->want(a[lane], b[lane], s->mode == MODE_FLUSH);
        if (move && (fv_is_nan(&f32, a[lane]) || (s->all_ones && is_all_ones(b[lane]))))
            continue;
        c->done++;
        bool right = got == want || (s->any_nan && fv_is_nan(&f32, got) && fv_is_nan(&f32, want));
        if (!right && c->wrong++ < 5)
            diag("%s: 0x%08x 0x%08x gives 0x%08x, right is 0x%08x", s->name, a[lane], b[lane], got,
                 want);
    }
}

static void edges(const struct sequence *s, u32 move, struct count *c)
{
    u64 edge[FV_EDGES_MAX];
    u32 a[LANES], b[LANES], n = (u32)fv_edges(&f32, edge), fill = 0;
    for (u32 i = 0; i < n * n; i++) {
        a[fill] = (u32)edge[i / n];
        b[fill++] = (u32)edge[i % n];
        if (fill == LANES || i == n * n - 1) {
            for (; fill < LANES; fill++)
                a[fill] = b[fill] = 0x3f800000;
            run_wave(s, move, a, b, c);
            fill = 0;
        }
    }
}

static void random_waves(const struct sequence *s, u32 move, u32 waves, struct count *c)
{
    u32 a[LANES], b[LANES];
    struct rng r;
    rng_seed(&r, move);
    for (u32 i = 0; i < waves; i++) {
        for (u32 lane = 0; lane < LANES; lane++) {
            a[lane] = (u32)fv_random(&f32, &r);
            b[lane] = (u32)fv_random(&f32, &r);
            if (lane & 1)
                s->hard(&r, &a[lane], &b[lane]);
            else if (lane & 2)
                a[lane] &= 0x7fffffff;
        }
        run_wave(s, move, a, b, c);
    }
}

static void load(const struct sequence *s)
{
    machine_must_load(s->text);
    machine_reset(m, 1, 0);
    wave_set(m->wave[0], PLACE_MODE, 0, s->mode);
}

int main(int argc, char **argv)
{
    static const char *const how[] = { "the model's approximation", "the number above it",
                                       "the number below it" };
    u32 waves = argc > 1 ? (u32)strtoul(argv[1], NULL, 10) : 400;
    machine_must_open(&(struct machine_cfg){ .waves_max = 1 });
    mpfr_inits2(26, x, y, (mpfr_ptr)0);
    mpfr_init2(z, 24);
    for (u32 i = 0; i < COUNT_OF(sequences); i++) {
        load(&sequences[i]);
        for (u32 k = 0; k < COUNT_OF(how); k++) {
            struct count c = { 0 };
            u32 move = k == 2 ? ~0u : k;
            edges(&sequences[i], move, &c);
            random_waves(&sequences[i], move, waves, &c);
            is_u64(0, c.wrong, "%s with %s: wrong of %llu", sequences[i].name, how[k],
                   (unsigned long long)c.done);
        }
    }
    mpfr_clears(x, y, z, (mpfr_ptr)0);
    mpfr_free_cache();
    machine_close(m);
    return done();
}
