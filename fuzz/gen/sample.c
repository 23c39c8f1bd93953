/* Images with a sampler: its words, and addresses of numbers. How precisely a filter works is known
 * within a tolerance only, which results that go on in a program would lose. So all that is drawn
 * has one right result however many bits of weight there are, from 8 on: coordinates are odd
 * eighths of texels of the first level, which keeps clear of edges and middles of texels in the
 * levels behind it, too; what filters mix are texels of few digits (gen_fill_even); levels are
 * quarters, or far from where one becomes the next. Vega ISA, section 8.2.4. */
#include "fuzz/gen/internal.h"

#include "oracle/fp/format.h"
#include "oracle/fp/fp.h"
#include "oracle/insn/insn.h"
#include "oracle/isa/op.h"

/* The registers: twice what may stand before the coordinates, in the second with slopes, then
 * the coordinates, of which the last is a level. */
enum {
    SLOPES = 6,
    PLAIN_COORDS = SAMPLE_BEFORE,
    SECOND = SAMPLE_BEFORE + COORDS,
    SLOPE_COORDS = SECOND + SAMPLE_BEFORE + SLOPES,
};
_Static_assert(SLOPE_COORDS + COORDS == SAMPLE_REGS, "registers of sampled coordinates");

enum { WRAP, EDGE = 2, HALF_BORDER = 4, BORDER = 6, CLAMP_MODES = 8 };
enum { FILTERS = 3, Z_LINEAR = 2, MIP_NONE = 0, MIP_POINT = 1, MIP_LINEAR = 2, BLENDS = 3 };
enum { UNIT = 8 /* places in a texel */, QUARTERS = 4 /* of a level */, AXES = 3, QUAD = 4 };

u32 gen_image_size(const struct draw *d, const struct img_plan *g, u32 axis, u32 level)
{
    bool shrinks = axis < 2 || d->img_type == IMAGE_3D;
    u32 size = shrinks ? g->size[axis] >> (g->first + level) : g->size[axis];
    return size ? size : 1;
}

bool gen_is_sampled(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == K_RSRC && o->field == FLD_ssamp)
            return true;
    return false;
}

static bool gathers(const struct isa_row *row)
{
    return row->operand[0].kind == K_GATHER;
}

/* Whether the level is given, or 0: no bias of the sampler counts. */
static bool has_own_level(const struct isa_row *row)
{
    return !(row->flags & (FLAG_QUAD_LEVEL | FLAG_GRADIENT));
}

/* ---- the sampler ---- */

bool gen_sample_mixes(const struct draw *d)
{
    const struct sample_plan *p = &d->sample;
    return p->mag || p->min || p->mip == MIP_LINEAR ||
           (d->img_type == IMAGE_3D && p->z == Z_LINEAR);
}

bool gen_sample_takes_any_size(const struct draw *d)
{
    return d->sample.texels || (!gen_sample_mixes(d) && !d->sample.is_short);
}

/* Whether two texels of an axis are mixed whichever filter is taken. */
static bool mixes_along(const struct sample_plan *p, u32 axis)
{
    return axis == 2 && p->z ? p->z == Z_LINEAR : p->mag && p->min;
}

static bool has_half_border(u32 mode)
{
    return mode == HALF_BORDER || mode == HALF_BORDER + 1;
}

/* Quarters of a level, of which no half: there rounding turns. */
static i32 draw_quarters(struct draw *d, i32 least, u32 count)
{
    i32 v = least + (i32)rng_below(&d->rng, count);
    return v + ((v & (QUARTERS - 1)) == QUARTERS / 2);
}

/* Without the means to turn lanes on, no level comes of them. */
static bool can_turn_on(const struct draw *d)
{
    return gen_may(d, GEN_EXEC) && gen_has(d, OP_s_wqm_b64, FORM_BASE);
}

static void draw_filters(struct draw *d, const struct isa_row *focus, struct sample_plan *p)
{
    bool info = focus->flags & FLAG_IMAGE_INFO, quads = gen_is_sampled(focus) && !can_turn_on(d);
    if (!rng_one_in(&d->rng, 3)) {
        p->mag = (u8)rng_below(&d->rng, 2);
        p->min = (u8)rng_below(&d->rng, 2);
        p->z = (u8)rng_below(&d->rng, FILTERS);
    }
    p->mip = (u8)rng_below(&d->rng, FILTERS);
    if (p->mip == MIP_LINEAR && (gathers(focus) || rng_one_in(&d->rng, 2)))
        p->mip = MIP_POINT;
    if (info && p->mip == MIP_NONE)
        p->mip = MIP_POINT;
    if (quads && focus->flags & FLAG_QUAD_LEVEL && !info) {
        p->mip = MIP_NONE;
        p->min = p->mag;
    }
    if (rng_one_in(&d->rng, 3) && !(focus->flags & FLAG_REFERENCE))
        p->blend = (u8)rng_below(&d->rng, BLENDS);
    if (p->blend && p->mip == MIP_LINEAR)
        p->mip = MIP_POINT;
    if (!gen_sample_mixes(d) && !gathers(focus))
        p->cuts = rng_one_in(&d->rng, 4);
}

static void draw_clamps(struct draw *d, const struct isa_row *focus, struct sample_plan *p)
{
    for (u32 i = 0; i < AXES; i++) {
        u32 mode = rng_below(&d->rng, CLAMP_MODES);
        if (has_half_border(mode) && (!mixes_along(p, i) || gathers(focus)))
            mode = BORDER;
        if (p->texels) /* what a wrap of them is, is open */
            mode = rng_one_in(&d->rng, 2) ? EDGE : BORDER;
        p->clamp[i] = (u8)mode;
        p->word[0] |= mode << i * 3;
    }
}

/* What stands where before the coordinates: what the focus asks for. */
static void draw_roles(struct draw *d, const struct isa_row *focus, struct sample_plan *p)
{
    u32 n = 0;
    bool sampled = gen_is_sampled(focus) && !rng_one_in(&d->rng, 8);
    if (sampled && focus->flags & FLAG_REFERENCE)
        p->role[n++] = ROLE_REFERENCE;
    if (sampled && focus->flags & FLAG_BIAS)
        p->role[n++] = ROLE_BIAS;
    if (sampled && focus->flags & FLAG_OFFSETS)
        p->role[n++] = ROLE_OFFSETS;
}

/* A bias of whole levels, and at times a quarter, with 8 bits behind the point. */
static u32 draw_bias(struct draw *d)
{
    u32 whole = rng_below(&d->rng, 7), quarter = rng_below(&d->rng, 2);
    return ((whole - 3) << 8 | quarter << 6) & mask32(14);
}

/* The least level and the most, in quarters. */
static u32 draw_limits(struct draw *d)
{
    bool limits = rng_one_in(&d->rng, 3);
    i32 least = limits ? draw_quarters(d, 0, 8) : 0;
    i32 most = limits ? draw_quarters(d, least, 12) : 63;
    return (u32)least << 6 | (u32)most << 18;
}

void gen_redraw_sampler(struct draw *d, const struct insn *in, u32 word[4])
{
    enum { CLAMPS = 0x1ff, COMPARE = 7 << 12 };
    struct sample_plan p = d->sample;
    p.word[0] &= ~(u32)(CLAMPS | COMPARE);
    draw_clamps(d, insn_row(in), &p);
    p.word[0] |= rng_below(&d->rng, 8) << 12;
    p.word[1] = draw_limits(d);
    p.word[3] = rng_below(&d->rng, 3) << 30;
    memcpy(word, p.word, sizeof p.word);
}

void gen_plan_sampler(struct draw *d)
{
    struct sample_plan *p = &d->sample;
    const struct isa_row *focus = &isa_rows[d->s->focus];
    bool sampled = gen_is_sampled(focus);
    *p = (struct sample_plan){ .mag = 0 };
    p->texels = d->img_type != IMAGE_CUBE && rng_one_in(&d->rng, 4);
    p->is_forced = p->texels && !rng_one_in(&d->rng, 3);
    draw_filters(d, focus, p);
    draw_clamps(d, focus, p);
    draw_roles(d, focus, p);
    bool has_short = isa_layout_pos(gen_generation(d), LAY_MIMG, FLD_a16).width;
    p->is_short = rng_one_in(&d->rng, sampled ? 3 : 5) && has_short && !d->g->cfg.common_count;
    p->is_plain = p->mip != MIP_POINT || focus->flags & FLAG_IMAGE_INFO || rng_one_in(&d->rng, 3);
    u32 bias = draw_bias(d), compare = rng_below(&d->rng, 8), border = rng_below(&d->rng, 3);
    p->has_bias = !(sampled && has_own_level(focus)) && rng_one_in(&d->rng, 3) && bias;
    bool preclamp = rng_one_in(&d->rng, 3);
    p->word[0] |=
        compare << 12 | (u32)p->is_forced << 15 | (u32)p->cuts << 27 | (u32)p->blend << 29;
    p->word[1] = draw_limits(d);
    p->word[2] = (p->has_bias ? bias : 0) | (u32)p->mag << 20 | (u32)p->min << 22 |
                 (u32)p->z << 24 | (u32)p->mip << 26 | (u32)preclamp << 28;
    p->word[3] = border << 30;
}

/* ---- numbers ---- */

/* num / den as f32: exact if den is a power of two and num has up to 24 bits; else a little less. */
static u32 ratio(i32 num, u32 den)
{
    u64 q = ((u64)(num < 0 ? -(i64)num : num) << 32) / den;
    if (!q)
        return 0;
    u32 lead = 63 - clz64(q);
    u32 mant = (u32)(lead > 23 ? q >> (lead - 23) : q << (23 - lead)) & 0x7fffff;
    return (u32)(num < 0) << 31 | (lead - 32 + 127) << 23 | mant;
}

/* An address of 32 or 16 bits. */
static void put_number(const struct draw *d, u32 *reg[], u32 lane, u32 i, u32 v)
{
    struct fp_env env = { .round = ROUND_EVEN };
    if (!d->sample.is_short)
        reg[i][lane] = v;
    else
        reg[i / 2][lane] = (reg[i / 2][lane] & ~(0xffffu << i % 2 * 16)) | (u32)cvt_f16_f32(&env, v)
                                                                               << i % 2 * 16;
}

/* Six bits of each axis, of which mostly few; what is between them does not count. */
static u32 draw_offsets(struct rng *r)
{
    u32 v = (u32)rng_u64(r) & 0xffc0c0c0;
    bool far = rng_one_in(r, 4);
    for (u32 i = 0; i < AXES; i++) {
        u32 n = far ? rng_below(r, 64) : rng_below(r, 8) - 4;
        v |= (n & 63) << i * 8;
    }
    return v;
}

/* What stands before the coordinates in one of the registers. Those of any opcode are good for all. */
static u32 draw_before(struct rng *r, u32 role, bool is_short)
{
    static const u32 number[] = { 0,          0x3f000000, 0x3e800000, 0xbf000000, 0x3f400000,
                                  0x3f800000, 0x40000000, 0x3f600000, 0x3fc00000, 0xbf800000 };
    static const u32 bias[] = { 0xc0400000, 0xc0000000, 0xbf800000, 0, /* -3 to 3 */
                                0x3f800000, 0x40000000, 0x40400000 };
    struct fp_env env = { .round = ROUND_EVEN };
    u32 v = number[rng_below(r, COUNT_OF(number))];
    if (role == ROLE_REFERENCE)
        return v;
    if (role == ROLE_OFFSETS)
        return draw_offsets(r);
    v = bias[rng_below(r, COUNT_OF(bias))];
    if (role == ROLE_BIAS)
        return is_short ? cvt_f16_f32(&env, v) : v;
    u32 x = rng_below(r, 4), y = rng_below(r, 4);
    return v | x | y << 8;
}

/* ---- slopes ---- */

/* Squares of lengths in quarters of texels, but for powers of four, whose level is near one half. */
static bool is_halfway(u32 square)
{
    return square == 2 || square == 32 || square == 33;
}

/* Two slopes, of the first level in 1/UNIT of its texels: across and down a quad. Their level is
 * whole, or far from where rounding turns. */
static void draw_slopes(struct draw *d, i32 slope[2][AXES])
{
    static const u8 part[4] = { 0, 1, 4, 5 };
    u32 axes = gen_image_axes(d->img_type), shift = 1 + rng_below(&d->rng, 4);
    for (u32 i = 0; i < 2; i++) {
        u32 square = 0;
        do {
            u32 one = rng_below(&d->rng, axes), all = rng_below(&d->rng, 64);
            square = 0;
            for (u32 k = 0; k < axes; k++) {
                u32 v = part[all >> k * 2 & 3];
                if (d->sample.is_plain)
                    v = k != one ? 0 : all & 1 ? 4 : 1;
                square += v * v;
                slope[i][k] = (i32)(all >> (3 + k) & 1 ? v : 0 - v) * (1 << shift);
            }
        } while (!square || is_halfway(square));
    }
}

/* ---- coordinates ---- */

/* Whether a place along an axis is clear of the edges and the middles of texels in all levels. */
static bool is_clear(const struct draw *d, u32 axis, i32 place)
{
    const struct img_plan *g = &d->img[RES_RO];
    u32 top = gen_image_size(d, g, axis, 0), den = UNIT * top;
    if (d->sample.texels)
        return place & 1;
    for (u32 level = 0; level < g->levels; level++) {
        i64 rest = (i64)place * gen_image_size(d, g, axis, level) % den;
        u32 in = (u32)(rest < 0 ? rest + den : rest), out = den - in;
        u32 edge = in < out ? in : out, middle = in * 2 < den ? den - in * 2 : in * 2 - den;
        if (edge * 64 < den || middle * 32 < den)
            return false;
    }
    return true;
}

/* Whether a place on the face of a cube is on it, and no filter there meets a corner. */
static bool is_on_face(const struct draw *d, const i32 place[AXES])
{
    i32 end = (i32)(UNIT * d->img[RES_RO].size[0]);
    bool near[2];
    for (u32 i = 0; i < 2; i++) {
        if (place[i] <= 0 || place[i] >= end)
            return false;
        near[i] = place[i] < UNIT / 2 || place[i] > end - UNIT / 2;
    }
    return !(near[0] && near[1]);
}

/* Where the four lanes of a quad read. Whether all of them can. */
static bool place_quad(const struct draw *d, const i32 first[AXES], i32 slope[2][AXES],
                       i32 place[QUAD][AXES])
{
    u32 axes = gen_image_axes(d->img_type);
    bool ok = true;
    for (u32 lane = 0; lane < QUAD; lane++) {
        for (u32 i = 0; i < axes; i++) {
            place[lane][i] = first[i] + (lane & 1 ? slope[0][i] : 0) + (lane & 2 ? slope[1][i] : 0);
            ok = ok && is_clear(d, i, place[lane][i]);
        }
        ok = ok && (d->img_type != IMAGE_CUBE || is_on_face(d, place[lane]));
    }
    return ok;
}

static void draw_quad(struct draw *d, bool far, i32 place[QUAD][AXES])
{
    enum { TRIES = 200 };
    u32 axes = gen_image_axes(d->img_type);
    i32 first[AXES] = { 0 }, slope[2][AXES];
    for (u32 tries = 0; tries < TRIES; tries++) {
        for (u32 i = 0; i < axes; i++) {
            u32 size = gen_image_size(d, &d->img[RES_RO], i, 0);
            first[i] = (i32)(rng_below(&d->rng, size * UNIT) * 2 + 1);
            if (far)
                first[i] -= (i32)(size * UNIT);
        }
        draw_slopes(d, slope);
        if (place_quad(d, first, slope, place))
            return;
    }
    /* Close together, in the first texel: on a face that has two or more, too. */
    for (u32 i = 0; i < axes; i++)
        first[i] = UNIT / 2 + 1;
    memset(slope, 0, sizeof slope);
    place_quad(d, first, slope, place);
}

/* A layer, or slices of a cube by eights and a face; some are outside, and some not whole. */
static u32 draw_layer(struct draw *d)
{
    u32 count = d->img[RES_RO].size[2], part = d->sample.cuts ? 0 : rng_below(&d->rng, 8);
    i32 n;
    if (d->img_type == IMAGE_CUBE) {
        i32 slice = (i32)rng_below(&d->rng, count / 6 + 2) - 1;
        n = slice * 8 + (i32)rng_below(&d->rng, 6);
    } else {
        n = (i32)rng_below(&d->rng, count + 2) - 1;
    }
    return ratio(n * QUARTERS + (part == 1) - (part == 2), QUARTERS);
}

static void draw_coordinates(struct draw *d, u32 *reg[COORDS])
{
    const struct img_plan *g = &d->img[RES_RO];
    u32 axes = gen_image_axes(d->img_type), layers = gen_image_has_layers(d->img_type);
    i32 place[QUAD][AXES];
    bool far = rng_one_in(&d->rng, 4), cube = d->img_type == IMAGE_CUBE;
    u32 layer = 0;
    for (u32 lane = 0; lane < LANES; lane++) {
        if (lane % QUAD == 0) {
            draw_quad(d, far, place);
            layer = draw_layer(d);
        }
        for (u32 i = 0; i < axes; i++) {
            u32 size = gen_image_size(d, g, i, 0), den = d->sample.texels ? UNIT : UNIT * size;
            put_number(d, reg, lane, i, ratio(place[lane % QUAD][i] + (cube ? (i32)den : 0), den));
        }
        for (u32 i = axes; i < COORDS; i++) {
            bool is_layer = i == axes && layers;
            i32 level = draw_quarters(d, -QUARTERS, 6 * QUARTERS);
            put_number(d, reg, lane, i, is_layer ? layer : ratio(level, QUARTERS));
        }
    }
}

/* Slopes stand close before the coordinates. One is that of a whole quad. */
static void put_slopes(struct draw *d, u32 *reg[])
{
    const struct img_plan *g = &d->img[RES_RO];
    u32 axes = gen_image_axes(d->img_type), each = d->sample.is_short ? (axes + 1) / 2 : axes;
    i32 slope[2][AXES];
    for (u32 lane = 0; lane < LANES; lane++) {
        if (lane % QUAD == 0)
            draw_slopes(d, slope);
        for (u32 i = 0; i < 2; i++)
            for (u32 k = 0; k < axes; k++) {
                u32 den = d->sample.texels ? UNIT : UNIT * gen_image_size(d, g, k, 0);
                put_number(d, reg - (2 - i) * each, lane, k, ratio(slope[i][k], den));
            }
    }
}

void gen_put_samples(struct draw *d, u32 *reg[SAMPLE_REGS])
{
    u32 axes = gen_image_axes(d->img_type), each = d->sample.is_short ? (axes + 1) / 2 : axes;
    struct rng own = d->rng; /* as in gen_draw_values */
    for (u32 lane = 0; lane < LANES; lane++) {
        for (u32 i = 0; i < SAMPLE_REGS; i++)
            reg[i][lane] = draw_before(&own, ROLE_ANY, false);
        for (u32 i = 0; i < SAMPLE_BEFORE; i++) {
            u32 v = draw_before(&own, d->sample.role[i], d->sample.is_short);
            reg[PLAIN_COORDS - 1 - i][lane] = v;
            reg[SLOPE_COORDS - 2 * each - 1 - i][lane] = v;
        }
    }
    d->rng = own;
    draw_coordinates(d, &reg[PLAIN_COORDS]);
    put_slopes(d, &reg[SLOPE_COORDS]);
    for (u32 i = 0; i < COORDS; i++)
        memcpy(reg[SLOPE_COORDS + i], reg[PLAIN_COORDS + i], LANES * sizeof(u32));
}

/* ---- what goes together ---- */

bool gen_sample_takes_type(const struct draw *d, const struct isa_row *row)
{
    bool flat = d->img_type == IMAGE_2D || d->img_type == IMAGE_2D_ARRAY;
    if (d->img_type == IMAGE_CUBE) /* of offsets and slopes on a face nothing is stated */
        return !(row->flags & (FLAG_OFFSETS | FLAG_GRADIENT | FLAG_IMAGE_INFO));
    return flat || !gathers(row);
}

/* Whether the registers before the coordinates hold what the opcode looks for. */
static bool fits_roles(const struct sample_plan *p, const struct isa_row *row)
{
    static const struct {
        u64 flag;
        u8 role;
    } wanted[] = { { FLAG_REFERENCE, ROLE_REFERENCE },
                   { FLAG_BIAS, ROLE_BIAS },
                   { FLAG_OFFSETS, ROLE_OFFSETS } };
    u32 n = 0;
    for (u32 i = 0; i < COUNT_OF(wanted); i++) {
        if (!(row->flags & wanted[i].flag))
            continue;
        if (p->role[n] != ROLE_ANY && p->role[n] != wanted[i].role)
            return false;
        n++;
    }
    return true;
}

/* Whether it goes with the sampler, whatever the format is. */
static bool suits_sampler(const struct draw *d, const struct isa_row *row)
{
    const struct sample_plan *p = &d->sample;
    u32 axes = gen_image_axes(d->img_type);
    if (row->flags & FLAG_REFERENCE && p->blend)
        return false;
    if (p->has_bias && has_own_level(row))
        return false;
    if (row->flags & FLAG_IMAGE_INFO && (!p->is_plain || p->mip == MIP_NONE))
        return false;
    for (u32 i = 0; i < axes && gathers(row) && d->img_type != IMAGE_CUBE; i++)
        if (has_half_border(p->clamp[i]))
            return false;
    return fits_roles(p, row) && !(gathers(row) && (p->cuts || p->mip == MIP_LINEAR));
}

bool gen_sample_needs_quads(const struct draw *d, const struct isa_row *row)
{
    const struct sample_plan *p = &d->sample;
    bool levels = p->mip != MIP_NONE && d->img[RES_RO].levels > 1;
    return row->flags & FLAG_QUAD_LEVEL &&
           (levels || row->flags & FLAG_IMAGE_INFO || (p->mag != p->min && !gathers(row)));
}

bool gen_sample_suits(const struct draw *d, const struct isa_row *row, const struct img_plan *g,
                      bool half)
{
    bool mixes = gen_sample_mixes(d) && !gathers(row), written = g == &d->img[RES_RW];
    bool whole = g->nfmt == NUM_UINT || g->nfmt == NUM_SINT;
    if (written && (!d->img_alike || d->img_type == IMAGE_CUBE))
        return false;
    if (mixes && (whole || half || !g->is_even || written))
        return false;
    if (d->img_type == IMAGE_CUBE && data_format(g->dfmt)->bytes == 12) /* there is no room */
        return false;
    if (row->flags & FLAG_REFERENCE) {
        bool no_nans = g->nfmt != NUM_FLOAT || (g->is_even && !written);
        if (whole || !g->is_plain || !no_nans)
            return false;
    }
    return gen_sample_takes_type(d, row) && suits_sampler(d, row) && !(gathers(row) && half) &&
           gen_is_exact(g->dfmt, g->nfmt, half ? LOADS_16 : LOADS_32);
}

/* ---- instructions ---- */

/* How many registers stand before slopes and coordinates. */
static u32 count_before(const struct isa_row *row)
{
    return (row->flags & FLAG_OFFSETS ? 1u : 0u) + (row->flags & FLAG_BIAS ? 1u : 0u) +
           (row->flags & FLAG_REFERENCE ? 1u : 0u);
}

static u32 count_slopes(const struct draw *d, const struct isa_row *row)
{
    u32 axes = gen_image_axes(d->img_type), each = d->sample.is_short ? (axes + 1) / 2 : axes;
    return row->flags & FLAG_GRADIENT ? 2 * each : 0;
}

u32 gen_sample_registers(const struct draw *d, const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 body = gen_image_axes(d->img_type) + insn_get(in, FLD_da) + (row->flags & FLAG_LOD ? 1 : 0);
    return count_before(row) + count_slopes(d, row) + (d->sample.is_short ? (body + 1) / 2 : body);
}

void gen_set_sample(struct draw *d, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 slopes = count_slopes(d, row);
    u32 coords = slopes ? SLOPE_COORDS : PLAIN_COORDS, dmask = 1 + rng_below(&d->rng, 15);
    if (gathers(row))
        dmask = 1u << rng_below(&d->rng, 4);
    if (row->flags & FLAG_IMAGE_INFO)
        dmask = 1 + rng_below(&d->rng, 3);
    if (row->flags & FLAG_REFERENCE)
        dmask = 1;
    insn_set(in, FLD_dmask, dmask);
    insn_set(in, FLD_vaddr, d->r.vsample + coords - slopes - count_before(row));
    insn_set(in, FLD_ssamp, d->r.sampler / 4u);
    insn_set(in, FLD_unorm, d->sample.texels && (!d->sample.is_forced || rng_one_in(&d->rng, 2)));
    if (d->sample.is_short)
        insn_set(in, FLD_a16, 1);
}
