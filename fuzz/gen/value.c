/* Edge-biased values, the roles of registers, and the state that a stream starts from. */
#include "fuzz/gen/internal.h"

#include "oracle/insn/insn.h"
#include "oracle/state/state.h"

/* ---- values ---- */

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

static u32 int_value(u64 x)
{
    u32 v = (u32)x, how = (u32)(x >> 60), n = x >> 55 & 31;
    if (how < 5)
        return int_edges[n];
    if (how < 8)
        return (1u << n) + (v % 3) - 1;
    if (how < 11)
        return v >> n;
    if (how < 12)
        return (u32)((i32)v >> n);
    return v;
}

static u32 float_value(u64 x)
{
    u32 v = (u32)x, how = (u32)(x >> 60), n = x >> 55 & 31;
    if (how < 4)
        return float_edges[n];
    if (how == 4 && n == 0)
        return nans[v & 3];
    if (how < 12) /* near one: sums cancel, products stay in range */
        return (v & 0x807fffff) | (0x70 + n) << 23;
    if ((v & 0x7f800000) == 0x7f800000)
        v ^= 0x40000000;
    return v;
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
static u64 double_value(struct rng *r)
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
static u64 double_beside(struct rng *r, u64 v)
{
    u64 x = rng_u64(r), e = v >> 52 & 0x7ff, half = e > 53 ? (e - 53) << 52 : x & 3;
    if (e == 0x7ff || x >> 62 == 0)
        return double_value(r);
    if (x >> 62 == 1)
        return half | (x << 8 & 1ull << 63) | (x >> 32 & 1);
    return (v ^ 1ull << 63) + (x & 3) - 1;
}

u32 draw_value(struct rng *r, enum isa_type type)
{
    u64 x = rng_u64(r);
    if (type == T_PF16)
        return half_value(x) | half_value(x >> 32) << 16;
    return isa_types[type].class == CLASS_FLOAT ? float_value(x) : int_value(x);
}

static u64 lane_mask(struct rng *r)
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

/* ---- roles ---- */

static void plan_scalars(struct draw *d)
{
    enum { LIMIT = 102, LAST = (LIMIT - SDATA_REGS) / 4 };
    struct reg_plan *r = &d->r;
    u32 reserved = 40 + (r->has_scalar ? 12u : 0u) + (r->has_buffers ? 12u : 0u) +
                   (r->has_images ? 16u : 0u),
        below = reserved / 4;
    r->sdata = (u8)(rng_below(&d->rng, LAST + 1) * 4);
    if (r->sdata < reserved && r->sdata + SDATA_REGS + reserved > LIMIT)
        r->sdata = (u8)((below + rng_below(&d->rng, LAST - below + 1)) * 4);
    u32 first = r->sdata >= reserved ? 0 : r->sdata + SDATA_REGS;
    u32 room = (r->sdata >= reserved ? r->sdata : LIMIT) - first - reserved;
    u32 at = first + rng_below(&d->rng, room / 2 + 1) * 2;
    for (u32 i = 0; i < DEPTH_MAX; i++, at += 6) {
        r->save[i] = (u8)at;
        r->link[i] = (u8)(at + 2);
        r->jump[i] = (u8)(at + 4);
    }
    for (u32 i = 0; i < 2; i++, at += 4) {
        r->smem[i] = (u8)at;
        r->gbase[i] = (u8)(at + 2);
    }
    r->some_exec = (u8)at;
    at += 2;
    for (u32 i = 0; i < DEPTH_MAX; i++)
        r->count[i] = (u8)at++;
    r->smoff = (u8)at++;
    r->sscratch = (u8)at++;
    r->slds = (u8)at++;
    r->sbuf = (u8)((at + 3) & ~3u);
    at = r->sbuf + 4u;
    if (r->has_scalar) {
        r->scalar_buf = (u8)at;
        r->scalar = (u8)(at + 4);
        r->scalar_up = (u8)(at + 6);
        r->scalar_unit = (u8)(at + 8);
        at += 12;
    }
    if (r->has_buffers) {
        r->buffer[RES_RO] = (u8)at;
        r->buffer[RES_RW] = (u8)(at + 4);
        r->bsoffset = (u8)(at + 8);
        at += 12;
    }
    for (u32 i = 0; r->has_images && i < RESOURCES; i++, at += 8)
        r->image[i] = (u8)at;
}

static struct addr_reg *plan_addr(struct draw *d, u32 i, enum area area, bool wide, u32 *at)
{
    struct addr_reg *a = &d->r.addr[i];
    *a = (struct addr_reg){
        .reg = (u8)*at, .area = (u8)area, .wide = wide, .own = area != AREA_RO, .range = ADDR_RANGE
    };
    *at += wide ? 2 : 1;
    return a;
}

/* One register per wave, each naming another wave's region, so that after a barrier a wave reads
 * what another one wrote. A single wave has registers whose lanes collide or lie outside
 * instead. */
static void plan_lds(struct draw *d, u32 *at)
{
    u32 n = d->s->waves > 1 ? d->s->waves : 3;
    for (u32 i = 0; i < n; i++) {
        struct addr_reg *a = plan_addr(d, ADDR_LDS + i, AREA_LDS, false, at);
        a->range = d->lds_region - LANE_BYTES;
        a->epoch = (u8)(d->s->waves > 1 ? i : 0);
        a->own = d->s->waves > 1 || i != 1;
        a->outside =
            d->s->waves == 1 && i == 2 && draw_may(d, GEN_LDS_OUTSIDE) && rng_one_in(&d->rng, 6);
    }
    d->r.lds_addrs = n;
}

static void plan_vectors(struct draw *d)
{
    struct reg_plan *r = &d->r;
    enum { TOTAL = VINT_REGS + VFLT_REGS + VDBL_REGS + 18 + COORDS };
    u32 where = rng_below(&d->rng, 4), at = VGPRS - TOTAL;
    if (where == 0)
        at = 0;
    else if (where != 1)
        at = rng_below(&d->rng, VGPRS - TOTAL + 1);
    bool swap = rng_one_in(&d->rng, 2);
    r->vint = (u8)(swap ? at + VFLT_REGS : at);
    r->vflt = (u8)(swap ? at : at + VINT_REGS);
    at += VINT_REGS + VFLT_REGS;
    r->vdbl = (u8)at;
    at += VDBL_REGS;
    r->vtemp = (u8)at++;
    plan_addr(d, ADDR_RW, AREA_RW, true, &at)->bias = (i32)rng_below(&d->rng, BIAS_MAX);
    plan_addr(d, ADDR_RW_BIASED, AREA_RW, true, &at)->bias =
        (i32)rng_below(&d->rng, 4096 + BIAS_MAX) - 4096;
    plan_addr(d, ADDR_RO, AREA_RO, true, &at)->bias = (i32)rng_below(&d->rng, BIAS_MAX);
    for (u32 i = 0; i < 2; i++) {
        struct addr_reg *a = plan_addr(d, ADDR_RW_OFFSET + i, i ? AREA_RO : AREA_RW, false, &at);
        a->bias = (i32)rng_below(&d->rng, 4096 + BIAS_MAX) - 4096;
        a->shift = rng_one_in(&d->rng, 2) ? 0 : rng_below(&d->rng, 1u << 30);
        a->base = r->gbase[i];
    }
    r->vscratch = (u8)at++;
    r->scratch_bias = (i32)rng_below(&d->rng, 4000);
    for (u32 i = 0; i < RESOURCES; i++, at += 2)
        r->vbuffer[i] = (u8)at;
    r->vimage = (u8)at;
    at += COORDS;
    plan_lds(d, &at);
}

/* The first base is used with immediates of 21 bits signed, the second with a scalar offset. */
static void plan_smem(struct draw *d)
{
    d->r.smem_bias = rng_one_in(&d->rng, 2) ? 0 : ((i32)rng_below(&d->rng, 500000) - 250000) * 4;
    d->r.smoff_value =
        (rng_one_in(&d->rng, 2) ? rng_below(&d->rng, 256) : rng_below(&d->rng, 1u << 28)) * 4;
    d->r.scalar_unit_value = (u8)rng_below(&d->rng, 8);
    d->r.scalar_low = rng_one_in(&d->rng, 4) ? (u8)rng_below(&d->rng, 4) : 0;
    d->r.scalar_bias = rng_one_in(&d->rng, 2) ? 0 : rng_below(&d->rng, SCALAR_BYTES / 4) * 4;
    d->r.scalar_stride = rng_one_in(&d->rng, 2) ? 0 : (u8)(4 + rng_below(&d->rng, 8) * 4);
    d->r.scalar_end = rng_below(&d->rng, SCALAR_BYTES / 4 + 1) * 4;
    if (d->r.scalar_stride)
        d->r.scalar_end -= d->r.scalar_end % d->r.scalar_stride;
}

void draw_plan(struct draw *d)
{
    plan_scalars(d);
    plan_vectors(d);
    plan_smem(d);
    if (d->r.has_buffers)
        draw_plan_buffers(d);
    if (d->r.has_images)
        draw_plan_images(d);
}

/* ---- the state ---- */

static u32 *put(struct draw *d, u32 wave, u32 place)
{
    struct stream *s = d->s;
    u32 n = place >= PLACE_V0 && place < PLACE_SCC ? LANES : 1;
    if (s->set_count == STREAM_SETS_MAX || s->value_dw + n > STREAM_VALUES_MAX)
        BUG("a stream sets too much");
    s->set[s->set_count++] = (struct stream_set){ (u16)wave, (u16)place, s->value_dw };
    s->value_dw += n;
    return &s->values[s->value_dw - n];
}

static void put_pair(struct draw *d, u32 wave, u32 place, u64 value)
{
    *put(d, wave, place) = (u32)value;
    *put(d, wave, place + 1) = (u32)(value >> 32);
}

static void put_vector(struct draw *d, u32 wave, u32 reg, enum isa_type type)
{
    u32 *v = put(d, wave, PLACE_V0 + reg);
    u32 how = rng_below(&d->rng, 8), first = draw_value(&d->rng, type),
        step = rng_below(&d->rng, 256);
    for (u32 lane = 0; lane < LANES; lane++) {
        if (how == 0)
            v[lane] = first;
        else if (how == 1 && type == T_U32)
            v[lane] = first + lane * step;
        else
            v[lane] = draw_value(&d->rng, type);
    }
}

/* Three pairs: the second beside the first. */
static void put_doubles(struct draw *d, u32 wave)
{
    u32 *v[VDBL_REGS];
    for (u32 i = 0; i < VDBL_REGS; i++)
        v[i] = put(d, wave, PLACE_V0 + d->r.vdbl + i);
    for (u32 lane = 0; lane < LANES; lane++) {
        u64 a = double_value(&d->rng), b = double_beside(&d->rng, a), c = double_value(&d->rng);
        const u64 value[VDBL_REGS / 2] = { a, b, c };
        for (u32 i = 0; i < VDBL_REGS; i++)
            v[i][lane] = (u32)(value[i / 2] >> i % 2 * 32);
    }
}

/* A permutation of 64 slots, the same for all lanes' accesses. */
static u32 slot_of(u64 how, u32 lane)
{
    return (lane * ((u32)how | 1) + (u32)(how >> 8)) & 63;
}

static u32 lds_place(const struct draw *d, const struct addr_reg *a, u32 wave, u32 slot,
                     struct rng *r)
{
    if (a->outside && rng_one_in(r, 4))
        return d->s->lds_size + rng_below(r, 1u << (4 + rng_below(r, 23))) * SLOT_BYTES;
    return (wave + a->epoch) % d->s->waves * d->lds_region + slot * SLOT_BYTES;
}

static void put_addresses(struct draw *d, u32 wave, const struct addr_reg *a)
{
    const struct stream *s = d->s;
    u64 how = rng_one_in(&d->rng, 3) ? 0 : rng_u64(&d->rng);
    u64 base = s->window[a->area == AREA_RO ? 0 : 1].address;
    u32 *lo = put(d, wave, PLACE_V0 + a->reg);
    u32 *hi = a->wide ? put(d, wave, PLACE_V0 + a->reg + 1u) : NULL;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 slot = a->own ? slot_of(how, lane) : rng_below(&d->rng, 64), at;
        if (a->area == AREA_LDS)
            at = lds_place(d, a, wave, slot, &d->rng);
        else if (a->area == AREA_RW)
            at = wave * REGION_BYTES + slot * SLOT_BYTES;
        else if (lane % 32 == 31) /* with the largest immediate: the last bytes of the window */
            at = RO_BYTES - SLOT_BYTES - a->range;
        else
            at = rng_below(&d->rng, (RO_BYTES - SLOT_BYTES - a->range) / 4 + 1) * 4;
        u64 v = a->wide ? base + at - (u64)(i64)a->bias : at + a->shift;
        lo[lane] = (u32)v;
        if (hi)
            hi[lane] = (u32)(v >> 32);
    }
    if (!a->wide && a->area != AREA_LDS)
        put_pair(d, wave, a->base, base - a->shift - (u64)(i64)a->bias);
}

/* MODE: rounding, denormals, DX10_CLAMP, IEEE and FP16_OVFL; everything else stays 0. */
static u32 mode_value(struct draw *d)
{
    if (!draw_may(d, GEN_MODE) || rng_one_in(&d->rng, 2))
        return MODE_DEFAULT;
    u32 v = rng_below(&d->rng, 1024) | (u32)rng_one_in(&d->rng, 4) << MODE_FP16_OVFL;
    return rng_one_in(&d->rng, 2) ? v : v & ~3u;
}

static void put_specials(struct draw *d, u32 wave)
{
    u64 some = lane_mask(&d->rng);
    put_pair(d, wave, CODE_VCC, lane_mask(&d->rng));
    put_pair(d, wave, CODE_EXEC, lane_mask(&d->rng));
    *put(d, wave, CODE_M0) = draw_value(&d->rng, T_U32);
    *put(d, wave, PLACE_SCC) = rng_below(&d->rng, 2);
    *put(d, wave, PLACE_MODE) = mode_value(d);
    put_pair(d, wave, d->r.some_exec, some ? some : ~0ull);
}

static void put_scalars(struct draw *d, u32 wave)
{
    const struct reg_plan *r = &d->r;
    for (u32 i = 0; i < SDATA_REGS; i += 2) {
        u64 mask = lane_mask(&d->rng);
        bool masks = rng_one_in(&d->rng, 3);
        if (rng_one_in(&d->rng, 6)) {
            put_pair(d, wave, r->sdata + i, double_value(&d->rng));
            continue;
        }
        enum isa_type type = rng_one_in(&d->rng, 4) ? T_F32 : T_U32;
        for (u32 k = 0; k < 2; k++)
            *put(d, wave, r->sdata + i + k) =
                masks ? (u32)(mask >> k * 32) : draw_value(&d->rng, type);
    }
    for (u32 i = 0; i < DEPTH_MAX; i++) {
        put_pair(d, wave, r->save[i], 0);
        put_pair(d, wave, r->link[i], 0);
        put_pair(d, wave, r->jump[i], 0);
        *put(d, wave, r->count[i]) = 0;
    }
    *put(d, wave, r->slds) = wave * d->lds_region;
    if (!draw_may(d, GEN_SMEM))
        return;
    u64 ro = d->s->window[0].address;
    put_pair(d, wave, r->smem[0], ro - (u64)(i64)r->smem_bias);
    put_pair(d, wave, r->smem[1], ro - r->smoff_value);
    u32 stride = rng_one_in(&d->rng, 2) ? 0 : 1 + rng_below(&d->rng, 64);
    u32 end = rng_below(&d->rng, RO_BYTES + 1);
    put_pair(d, wave, r->sbuf, ro | (u64)stride << 48);
    put_pair(d, wave, r->sbuf + 2, stride ? end / stride : end);
    *put(d, wave, r->smoff) = r->smoff_value;
}

/* A resource whose records are bytes, or longer: their number is a multiple of four bytes, of which
 * none is beyond what the wave may reach. */
static void put_scalar_memory(struct draw *d, u32 wave)
{
    struct reg_plan *r = &d->r;
    struct stream_window *w = &d->s->window[d->window_scalar];
    u64 base = w->address + wave * SCALAR_BYTES;
    for (u32 at = 0; at < SCALAR_BYTES; at += SDATA_REGS * 4)
        if (rng_one_in(&d->rng, 3)) /* what is compared and swapped is sometimes equal */
            for (u32 i = 0; i < SDATA_REGS; i++)
                memcpy(&w->bytes[wave * SCALAR_BYTES + at + i * 4],
                       stream_value(d->s, wave, r->sdata + i), 4);
    base |= r->scalar_low;
    put_pair(d, wave, r->scalar, base);
    put_pair(d, wave, r->scalar_up, base + r->scalar_bias);
    *put(d, wave, r->scalar_unit) = r->scalar_unit_value;
    put_pair(d, wave, r->scalar_buf, base | (u64)r->scalar_stride << 48);
    put_pair(d, wave, r->scalar_buf + 2,
             r->scalar_stride ? r->scalar_end / r->scalar_stride : r->scalar_end);
}

static void put_buffers(struct draw *d, u32 wave)
{
    for (u32 i = 0; i < RESOURCES; i++) {
        const struct buf_plan *b = &d->buf[i];
        u64 base = d->s->window[i].address + (i == RES_RW ? wave * REGION_BYTES : 0u);
        u32 word[4];
        draw_buffer_words(b, base, word);
        for (u32 k = 0; k < 4; k++)
            *put(d, wave, d->r.buffer[i] + k) = word[k];
        memcpy(put(d, wave, PLACE_V0 + d->r.vbuffer[i]), b->index, sizeof b->index);
        memcpy(put(d, wave, PLACE_V0 + d->r.vbuffer[i] + 1), b->offset, sizeof b->offset);
    }
    *put(d, wave, d->r.bsoffset) = d->buf_soffset;
}

static void put_images(struct draw *d, u32 wave)
{
    for (u32 i = 0; i < RESOURCES; i++) {
        u64 base = d->s->window[i].address + (i == RES_RW ? wave * REGION_BYTES : 0u);
        u32 word[8];
        draw_image_words(d, i, base, word);
        for (u32 k = 0; k < 8; k++)
            *put(d, wave, d->r.image[i] + k) = word[k];
    }
    for (u32 i = 0; i < COORDS; i++)
        memcpy(put(d, wave, PLACE_V0 + d->r.vimage + i), d->coord[i], sizeof d->coord[i]);
}

/* Private addresses are dwords at the beginning of a lane's memory. */
static void put_scratch(struct draw *d, u32 wave)
{
    const struct reg_plan *r = &d->r;
    u64 base = d->s->window[d->window_scratch].address;
    put_pair(d, wave, CODE_FLAT_SCRATCH, base + wave * (SCRATCH_LANE * LANES));
    *put(d, wave, r->sscratch) = rng_below(&d->rng, SCRATCH_BASES) * 4;
    u32 *v = put(d, wave, PLACE_V0 + r->vscratch);
    for (u32 lane = 0; lane < LANES; lane++)
        v[lane] = (u32)r->scratch_bias + rng_below(&d->rng, SCRATCH_BASES) * 4;
}

static void put_vectors(struct draw *d, u32 wave)
{
    const struct reg_plan *r = &d->r;
    for (u32 i = 0; i < VINT_REGS; i++)
        put_vector(d, wave, r->vint + i, T_U32);
    for (u32 i = 0; i < VFLT_REGS; i++)
        put_vector(d, wave, r->vflt + i, i % 3 == 2 ? T_PF16 : T_F32);
    put_doubles(d, wave);
    put_vector(d, wave, r->vtemp, T_U32);
    for (u32 i = 0; draw_may(d, GEN_VMEM) && i < ADDR_LDS; i++)
        put_addresses(d, wave, &r->addr[i]);
    for (u32 i = 0; draw_may(d, GEN_LDS) && i < r->lds_addrs; i++)
        put_addresses(d, wave, &r->addr[ADDR_LDS + i]);
}

/* A page anywhere below 2^47, sometimes so that the window crosses a multiple of 4 GiB. */
static u64 window_address(struct draw *d, u32 nth)
{
    u64 high = (u64)(1 + nth * 0x2000 + rng_below(&d->rng, 0x2000)) << 32;
    u32 page = 1u << 12;
    return high + (rng_one_in(&d->rng, 4) ? 0x100000000ull - page / 2
                                          : (u64)rng_below(&d->rng, 0xfff00) * page);
}

static void fill_typed(struct draw *d, u8 *bytes, u32 size)
{
    for (u32 i = 0; i < size; i += 4) {
        u32 v = draw_value(&d->rng, i & 32 ? T_F32 : T_U32);
        memcpy(bytes + i, &v, 4);
    }
}

static void fill(struct draw *d, u8 *bytes, u32 size)
{
    for (u32 i = 0; i < size; i += 8) {
        u64 v = rng_u64(&d->rng);
        memcpy(bytes + i, &v, 8);
    }
}

static void put_memory(struct draw *d)
{
    struct stream *s = d->s;
    bool vector = draw_may(d, GEN_VMEM) || d->r.has_buffers || d->r.has_images;
    if (draw_may(d, GEN_SMEM) || vector) {
        struct stream_window *w = &s->window[s->window_count++];
        w->address = window_address(d, 0);
        w->size = RO_BYTES;
        w->read_only = true;
        fill_typed(d, w->bytes, w->size);
    }
    if (vector) {
        struct stream_window *w = &s->window[s->window_count++];
        w->address = window_address(d, 1);
        w->size = REGION_BYTES * s->waves;
        w->read_only = false;
        fill(d, w->bytes, w->size);
    }
    if (d->r.has_scratch) {
        d->window_scratch = s->window_count;
        struct stream_window *w = &s->window[s->window_count++];
        w->address = window_address(d, 2);
        w->size = SCRATCH_LANE * LANES * s->waves;
        w->read_only = false;
        fill(d, w->bytes, w->size);
    }
    if (d->r.has_scalar) {
        d->window_scalar = s->window_count;
        struct stream_window *w = &s->window[s->window_count++];
        w->address = window_address(d, 3);
        w->size = SCALAR_BYTES * s->waves;
        w->read_only = false;
        fill(d, w->bytes, w->size);
    }
    fill(d, s->lds, s->lds_size);
}

void draw_state(struct draw *d)
{
    put_memory(d);
    for (u32 wave = 0; wave < d->s->waves; wave++) {
        put_specials(d, wave);
        put_scalars(d, wave);
        put_vectors(d, wave);
        if (d->r.has_scratch)
            put_scratch(d, wave);
        if (d->r.has_scalar)
            put_scalar_memory(d, wave);
        if (d->r.has_buffers)
            put_buffers(d, wave);
        if (d->r.has_images)
            put_images(d, wave);
    }
}
