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

/* Of each kind of value all its bits are kept or none: all kinds are computed and one is taken, because
 * no processor can guess which it will be. */
#define ALL (~0u)

struct int_kind {
    u32 edge, beside_power, shift;
    u64 shifted; /* of the number with its sign */
};

static inline u32 int_value(u64 x)
{
#define EDGE        \
    {               \
        .edge = ALL \
    }
#define BESIDE_POWER        \
    {                       \
        .beside_power = ALL \
    }
#define SHORT                        \
    {                                \
        .shifted = ALL, .shift = ALL \
    }
#define SHORT_SIGNED                   \
    {                                  \
        .shifted = ~0ull, .shift = ALL \
    }
#define ANY            \
    {                  \
        .shifted = ALL \
    }
    static const struct int_kind kinds[16] = { EDGE,  EDGE,         EDGE,         EDGE,
                                               EDGE,  BESIDE_POWER, BESIDE_POWER, BESIDE_POWER,
                                               SHORT, SHORT,        SHORT,        SHORT_SIGNED,
                                               ANY,   ANY,          ANY,          ANY };
#undef EDGE
#undef BESIDE_POWER
#undef SHORT
#undef SHORT_SIGNED
#undef ANY
    const struct int_kind *k = &kinds[x >> 60];
    u32 v = (u32)x, n = x >> 55 & 31;
    u32 shifted = (u32)(((u64)(i32)v & k->shifted) >> (n & k->shift));
    return (int_edges[n] & k->edge) | (((1u << n) + (v % 3) - 1) & k->beside_power) | shifted;
}

struct float_kind {
    u32 edge, near_one, any;
};

static inline u32 float_value(u64 x)
{
#define EDGE        \
    {               \
        .edge = ALL \
    }
#define NEAR_ONE        \
    {                   \
        .near_one = ALL \
    } /* sums cancel, products stay in range */
#define ANY        \
    {              \
        .any = ALL \
    }
    static const struct float_kind kinds[16] = { EDGE,     EDGE,     EDGE,     EDGE,
                                                 NEAR_ONE, NEAR_ONE, NEAR_ONE, NEAR_ONE,
                                                 NEAR_ONE, NEAR_ONE, NEAR_ONE, NEAR_ONE,
                                                 ANY,      ANY,      ANY,      ANY };
#undef EDGE
#undef NEAR_ONE
#undef ANY
    u32 v = (u32)x, how = (u32)(x >> 60), n = x >> 55 & 31;
    const struct float_kind *k = &kinds[how];
    bool is_special = (v & 0x7f800000) == 0x7f800000;
    if (how == 4 && n == 0)
        return nans[v & 3];
    return (float_edges[n] & k->edge) | (((v & 0x807fffff) | (0x70 + n) << 23) & k->near_one) |
           ((v ^ (u32)is_special << 30) & k->any);
}

static const u16 half_edges[32] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x4000, 0x3800, 0xc000, 0x4200, 0x0001, 0x8001, 0x03ff,
    0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x3bff, 0x3c01, 0x6400, 0x6800,
    0x77ff, 0x7800, 0xf800, 0x7bfe, 0x0800, 0x1000, 0x1400, 0x0200, 0x4248, 0xc900
};

/* As float_value, of f16. */
static u32 half_value(u64 x)
{
    u32 v = x & 0xffff, how = x >> 16 & 15, n = x >> 20 & 31;
    if (how < 4)
        return half_edges[n];
    if (how == 4 && n == 0)
        return v & 1 ? 0x7e2a : 0xfd01;
    if (how < 12)
        return (v & 0x83ff) | (8 + n % 15) << 10;
    return (v & 0x7c00) == 0x7c00 ? v ^ 0x4000 : v;
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

/* As float_value, of f64. */
u64 gen_draw_double(struct rng *r)
{
    u64 x = rng_u64(r), v = rng_u64(r);
    u32 how = (u32)(x >> 60), n = x >> 55 & 31;
    if (how < 4)
        return double_edges[n];
    if (how == 4 && n == 0)
        return double_nans[v & 3];
    if (how < 12)
        v = (v & 0x800fffffffffffff) | (u64)(0x3f0 + n) << 52;
    if (how > 12)
        v &= ~0ull << (x >> 32 & 63); /* few bits: sums and products are exact, or halfway */
    return (v & 0x7ff0000000000000) == 0x7ff0000000000000 ? v ^ 0x4000000000000000 : v;
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

u32 gen_draw_value(struct rng *r, enum isa_type type)
{
    u32 v;
    gen_draw_values(r, type, &v, 1);
    return v;
}

/* The generator's state is copied: what is written here could else be a part of it, for all that a
 * compiler knows, and every number would wait for the one before to come back from memory. */
void gen_draw_values(struct rng *r, enum isa_type type, u32 *to, u32 count)
{
    struct rng own = *r;
    if (type == T_PF16)
        for (u32 i = 0; i < count; i++) {
            u64 x = rng_u64(&own);
            to[i] = half_value(x) | half_value(x >> 32) << 16;
        }
    else if (isa_types[type].class == CLASS_FLOAT)
        for (u32 i = 0; i < count; i++)
            to[i] = float_value(rng_u64(&own));
    else
        for (u32 i = 0; i < count; i++)
            to[i] = int_value(rng_u64(&own));
    *r = own;
}

void gen_draw_typed(struct rng *r, u8 *to, u32 size)
{
    enum { RUN = 32 };
    struct rng own = *r;
    for (u32 at = 0; at < size; at += 4) {
        u64 x = rng_u64(&own);
        u32 v = at & RUN ? float_value(x) : int_value(x);
        memcpy(to + at, &v, 4);
    }
    *r = own;
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
