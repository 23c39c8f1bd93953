/* Tolerances as ranges of bit patterns. The floats of one sign lie in order, so that what is near
 * enough to a value is one range, or two where it reaches over zero. */
#include "harness/vector/vector.h"

static struct vector_accept *room(struct vector_accept *a)
{
    if (a->count == VECTOR_RANGES)
        BUG("more ranges than a value can have");
    memset(a->lo[a->count], 0, sizeof a->lo[0]);
    memset(a->hi[a->count], 0, sizeof a->hi[0]);
    return a;
}

void vector_range_one(struct vector_accept *a, const u32 *value)
{
    room(a);
    memcpy(a->lo[a->count], value, a->dw * sizeof *value);
    memcpy(a->hi[a->count++], value, a->dw * sizeof *value);
}

void vector_range(struct vector_accept *a, u32 bits, u64 whole, u64 lo, u64 hi)
{
    u64 above = whole & ~mask64(bits);
    room(a);
    a->lo[a->count][0] = (u32)(above | lo);
    a->lo[a->count][1] = (u32)((above | lo) >> 32);
    a->hi[a->count][0] = (u32)(above | hi);
    a->hi[a->count++][1] = (u32)((above | hi) >> 32);
}

static u32 mantissa_of(u32 bits)
{
    return bits == 64 ? 52 : bits == 32 ? 23 : 10;
}

void vector_range_nans(struct vector_accept *a, u32 bits, u64 whole, bool quiet)
{
    u32 m = mantissa_of(bits);
    u64 last = mask64(bits - 1), sign = 1ull << (bits - 1),
        first = (mask64(bits - 1 - m) << m) + (quiet ? 1ull << (m - 1) : 1);
    vector_range(a, bits, whole, first, last);
    vector_range(a, bits, whole, first | sign, last | sign);
}

void vector_range_ulps(struct vector_accept *a, u32 bits, u64 whole, u32 ulps)
{
    u32 m = mantissa_of(bits);
    u64 w = whole & mask64(bits), inf = mask64(bits - 1 - m) << m, last = mask64(bits - 1),
        mag = w & last, sign = w & ~last;
    if (mag == 0 || mag >= inf)
        return;
    vector_range(a, bits, whole, sign | (mag > ulps ? mag - ulps : 0),
                 sign | (last - mag > ulps ? mag + ulps : last));
}

/* A tolerance and the value it is about. */
struct around {
    const struct tolerance *t;
    u32 bits;
    u64 want;
};

/* The magnitude furthest from `from`, which is accepted, towards `to`: what is accepted lies
 * together. */
static u64 furthest(const struct around *r, u64 sign, u64 from, u64 to)
{
    while (from != to) {
        u64 middle = from < to ? from + (to - from + 1) / 2 : from - (from - to + 1) / 2;
        if (tolerance_accepts(r->t, r->bits, r->want, sign | middle))
            from = middle;
        else
            to = from < to ? middle - 1 : middle + 1;
    }
    return from;
}

void vector_range_near(struct vector_accept *a, u32 bits, u64 whole, const struct tolerance *t)
{
    u64 w = whole & mask64(bits), last = mask64(bits - 1), mag = w & last, sign = w & ~last,
        other = sign ^ (1ull << (bits - 1));
    struct around r = { t, bits, w };
    if (!tolerance_accepts(t, bits, w, w))
        return;
    u64 lo = furthest(&r, sign, mag, 0), hi = furthest(&r, sign, mag, last);
    vector_range(a, bits, whole, sign | lo, sign | hi);
    if (lo == 0 && tolerance_accepts(t, bits, w, other))
        vector_range(a, bits, whole, other, other | furthest(&r, other, 0, last));
}
