/* Edge-biased values. */
#include "fuzz/gen/internal.h"

#include "oracle/insn/insn.h"

static const u32 int_edges[32] = {
    0,        1,         2,          3,          4,          7,          8,          15,
    16,       31,        32,         33,         63,         64,         127,        128,
    255,      256,       0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,
    0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555
};

/* Zeros, ones, limits, subnormals, infinities; NaNs are drawn apart, because of two only one
 * payload survives and the sources do not agree which. */
static const u32 float_edges[32] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000, 0xc0000000, 0x40400000,
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff,
    0x7f800000, 0xff800000, 0x3f7fffff, 0x3f800001, 0x4b000000, 0x4b800000, 0x4effffff, 0x4f000000,
    0xcf000000, 0x4f7fffff, 0x4f800000, 0x33800000, 0x34000000, 0x00400000, 0x40490fdb, 0xc1200000
};
static const u32 nans[4] = { 0x7fc00000, 0xffc12345, 0x7f812345, 0xffa00001 };

static inline u32 all_if(bool b)
{
    return 0u - (u32)b;
}

/* A value of the two halves of a random number. All kinds of value are computed and one is taken, as
 * compilers do for several values at once: no processor can guess which it will be. */
static inline u32 int_value(u32 low, u32 high)
{
    u32 how = high >> 28, n = high >> 23 & 31, shift = n & all_if(how < 12);
    u32 edge = int_edges[n], beside_power = (1u << n) + (low % 3) - 1;
    u32 sign = ~(~0u >> shift) & all_if(low >> 31) & all_if(how == 11);
    return (edge & all_if(how < 5)) | (beside_power & all_if(how - 5 < 3)) |
           ((low >> shift | sign) & all_if(how >= 8));
}

static inline u32 float_value(u32 low, u32 high)
{
    u32 how = high >> 28, n = high >> 23 & 31;
    u32 edge = float_edges[n];
    u32 near_one = (low & 0x807fffff) | (0x70 + n) << 23; /* sums cancel, products stay in range */
    u32 any = low ^ (0x40000000 & all_if((low & 0x7f800000) == 0x7f800000));
    u32 nan = nans[low & 3], is_nan = all_if(high >> 23 == 4 << 5);
    near_one = (near_one & ~is_nan) | (nan & is_nan);
    return (edge & all_if(how < 4)) | (near_one & all_if(how - 4 < 8)) | (any & all_if(how >= 12));
}

static const u32 half_edges[32] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x4000, 0x3800, 0xc000, 0x4200, 0x0001, 0x8001, 0x03ff,
    0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x3bff, 0x3c01, 0x6400, 0x6800,
    0x77ff, 0x7800, 0xf800, 0x7bfe, 0x0800, 0x1000, 0x1400, 0x0200, 0x4248, 0xc900
};

/* As float_value, of f16. */
static inline u32 half_value(u32 x)
{
    u32 v = x & 0xffff, how = x >> 16 & 15, n = x >> 20 & 31;
    u32 edge = half_edges[n], near_one = (v & 0x83ff) | (8 + n % 15) << 10;
    u32 any = v ^ (0x4000 & all_if((v & 0x7c00) == 0x7c00));
    u32 nan = v & 1 ? 0x7e2a : 0xfd01, is_nan = all_if((x >> 16 & 0x1ff) == 4);
    near_one = (near_one & ~is_nan) | (nan & is_nan);
    return (edge & all_if(how < 4)) | (near_one & all_if(how - 4 < 8)) | (any & all_if(how >= 12));
}

static const u64 double_edges[32] = {
    0,
    0x8000000000000000,
    0x3ff0000000000000,
    0xbff0000000000000,
    0x4000000000000000,
    0x3fe0000000000000,
    0x0000000000000001, /* subnormals */
    0x8000000000000001,
    0x000fffffffffffff,
    0x800fffffffffffff,
    0x0008000000000000,
    0x0010000000000000, /* the smallest and the largest */
    0x8010000000000000,
    0x7fefffffffffffff,
    0xffefffffffffffff,
    0x7fe0000000000000,
    0x7ff0000000000000, /* infinities */
    0xfff0000000000000,
    0x3fefffffffffffff, /* beside 1 */
    0x3ff0000000000001,
    0x3ca0000000000000, /* half of the last place of 1 and a quarter, and a little more than half */
    0x3c90000000000000,
    0x3ca0000000000001,
    0x4330000000000000, /* 2^52, from where on there is nothing behind the point */
    0x432fffffffffffff,
    0x4340000000000001,
    0x41dfffffffc00000, /* the ends of 32 bits, and beyond */
    0xc1e0000000000000,
    0x41efffffffe00000,
    0x41f0000000000000,
    0x20b0000000000000, /* squares are subnormal */
    0x5fe6a09e667f3bcd  /* squares are nearly too large */
};
static const u64 double_nans[4] = { 0x7ff8000000000000, 0xfff8123400000001, 0x7ff0000000000001,
                                    0xfff4000000000000 };

static inline u64 all64_if(bool b)
{
    return 0ull - (u64)b;
}

/* As float_value, of f64. */
u64 gen_draw_double(struct rng *r)
{
    u64 x = rng_u64(r), v = rng_u64(r);
    u32 how = (u32)(x >> 60), n = x >> 55 & 31;
    u64 near_one = (v & 0x800fffffffffffff) | (u64)(0x3f0 + n) << 52;
    u64 few = v & ~0ull << (x >> 32 & 63); /* bits: sums and products are exact, or halfway */
    u64 any = (v & all64_if(how == 12)) | (few & all64_if(how > 12));
    any ^= 0x4000000000000000 & all64_if((any & 0x7ff0000000000000) == 0x7ff0000000000000);
    if (how == 4 && n == 0)
        return double_nans[v & 3];
    return (double_edges[n] & all64_if(how < 4)) | (near_one & all64_if(how - 4 < 8)) | any;
}

/* What a sum with v cancels, or rounds in the middle: -v but for a few units of the last place, or
 * half of one. */
u64 gen_draw_double_beside(struct rng *r, u64 v)
{
    u64 x = rng_u64(r), e = v >> 52 & 0x7ff, half = e > 53 ? (e - 53) << 52 : x & 3;
    if (e == 0x7ff || x >> 62 == 0)
        return gen_draw_double(r);
    if (x >> 62 == 1)
        return half | (x << 8 & 1ull << 63) | (x >> 32 & 1);
    return (v ^ 1ull << 63) + (x & 3) - 1;
}

/* ---- many values ---- */

enum { RUN = 64 };

/* Random numbers in halves. */
struct numbers {
    u32 low[RUN], high[RUN];
};

/* The generator's state is copied: what is written here could else be a part of it, for all that a
 * compiler knows, and every number would wait for the one before to come back from memory. */
static void draw_numbers(struct rng *r, struct numbers *x, u32 count)
{
    struct rng own = *r;
    for (u32 i = 0; i < count; i++) {
        u64 v = rng_u64(&own);
        x->low[i] = (u32)v;
        x->high[i] = (u32)(v >> 32);
    }
    *r = own;
}

enum shape { SHAPE_INT, SHAPE_FLOAT, SHAPE_HALVES };

/* A loop for each shape, in which nothing is asked. */
static inline __attribute__((always_inline)) void
put_values(const struct numbers *x, enum shape shape, u32 *restrict to, u32 count)
{
    const u32 *low = x->low, *high = x->high;
    switch (shape) {
    case SHAPE_INT:
        for (u32 i = 0; i < count; i++)
            to[i] = int_value(low[i], high[i]);
        break;
    case SHAPE_FLOAT:
        for (u32 i = 0; i < count; i++)
            to[i] = float_value(low[i], high[i]);
        break;
    case SHAPE_HALVES:
        for (u32 i = 0; i < count; i++)
            to[i] = half_value(low[i]) | half_value(high[i]) << 16;
        break;
    }
}

static void put_values_base(const struct numbers *x, enum shape shape, u32 *to, u32 count)
{
    put_values(x, shape, to, count);
}

#ifdef HAVE_V3
__attribute__((target("avx2"))) static void put_values_avx2(const struct numbers *x,
                                                            enum shape shape, u32 *to, u32 count)
{
    put_values(x, shape, to, count);
}
#endif

static void put_values_best(const struct numbers *x, enum shape shape, u32 *to, u32 count)
{
#ifdef HAVE_V3
    if (__builtin_cpu_supports("avx2")) {
        put_values_avx2(x, shape, to, count);
        return;
    }
#endif
    put_values_base(x, shape, to, count);
}

static enum shape shape_of(enum isa_type type)
{
    bool is_float = isa_types[type].class == CLASS_FLOAT;
    return type == T_PF16 ? SHAPE_HALVES : is_float ? SHAPE_FLOAT : SHAPE_INT;
}

u32 gen_draw_value(struct rng *r, enum isa_type type)
{
    u64 v = rng_u64(r);
    struct numbers x;
    u32 value;
    x.low[0] = (u32)v;
    x.high[0] = (u32)(v >> 32);
    put_values_base(&x, shape_of(type), &value, 1);
    return value;
}

void gen_draw_values(struct rng *r, enum isa_type type, u32 *to, u32 count)
{
    struct numbers x;
    for (u32 at = 0; at < count; at += RUN) {
        u32 n = count - at < RUN ? count - at : RUN;
        draw_numbers(r, &x, n);
        put_values_best(&x, shape_of(type), to + at, n);
    }
}

/* Both are made of all numbers, and every other run is taken. */
void gen_draw_typed(struct rng *r, u8 *to, u32 size)
{
    enum { ONE = 8, SIZE = RUN * sizeof(u32) };
    struct numbers x;
    u32 integer[RUN], number[RUN];
    for (u32 at = 0; at < size; at += SIZE) {
        draw_numbers(r, &x, RUN);
        put_values_best(&x, SHAPE_INT, integer, RUN);
        put_values_best(&x, SHAPE_FLOAT, number, RUN);
        for (u32 i = ONE; i < RUN; i += 2 * ONE)
            memcpy(&integer[i], &number[i], ONE * sizeof *number);
        memcpy(to + at, integer, SIZE);
    }
}

void gen_draw_bytes(struct rng *r, u8 *to, u32 size)
{
    struct rng own = *r;
    for (u32 i = 0; i < size; i += 8) {
        u64 v = rng_u64(&own);
        memcpy(to + i, &v, 8);
    }
    *r = own;
}

u64 gen_draw_lane_mask(struct rng *r)
{
    switch (rng_below(r, 8)) {
    case 0: return rng_u64(r);
    case 1: return 0x5555555555555555ull << rng_below(r, 2);
    case 2: return 1ull << rng_below(r, 64);
    case 3: return rng_one_in(r, 4) ? 0 : 0xffffffffull << rng_below(r, 33);
    case 4: return rng_u64(r) & rng_u64(r);
    default: return ~0ull;
    }
}
