/* Image rows with a sampler: levels from derivatives, filters, comparison, gathering. A filter
 * works with FRACTION bits of weight for each axis and between levels; how many hardware has is not
 * stated, so the rows claim a tolerance (the head of oracle/isa/rows/mimg.def). Vega ISA, section
 * 8.2. */
#include "oracle/sem/mem/sampler.h"

enum { AXES_MAX = 3, QUAD = 4 };

/* A value of the address: a register's lanes, or halves of them. */
struct number {
    const u32 *row;
    u8 shift;
    bool half;
};

/* Everything about an instruction that is the same for all lanes. */
struct texture {
    struct wave *w;
    struct image g;
    struct sampler s;
    u32 with;           /* WITH_... bits */
    u32 axes;           /* that the sampler works along */
    bool by_level;      /* a level must be known */
    const u32 *offsets; /* registers; NULL where the opcode has none */
    const u32 *reference;
    struct number bias, layer, level; /* row NULL: none; level: or the lowest */
    struct number slope[2][AXES_MAX], coord[AXES_MAX];
    /* A byte at address a, from `first` on of `size` bytes, stands at direct + a; 0: nowhere. */
    uintptr_t direct;
    u64 first, size;
    u32 needed;  /* components of a texel that something is made of: a bit for each */
    u32 against; /* what a lane's texels are compared with */
    u32 quad;    /* whose level quad_level is, by its first lane; LANES: none yet */
    i32 quad_level;
    struct mip
        mip[2];    /* of the last even level and of the last odd one: lanes mostly have the same */
    u32 mip_of[2]; /* which, counted from 1; 0: none yet */
    const char *refused; /* what is not modelled, once a lane has met it */
};

/* Where a lane reads at one level. */
struct footprint {
    struct mip mip;
    struct span span[AXES_MAX];
    u32 layer;
};

/* Which levels: the upper one, and the one behind it where its weight is not 0. */
struct levels {
    i32 raw, limited; /* before and after limits, FRACTION bits */
    u32 first;
    u32 weight;
};

/* Notes what is not modelled; of several the first. */
static void give_up(struct texture *t, const char *what)
{
    if (!t->refused)
        t->refused = what;
}

/* ---- the address ---- */

static u32 number_get(const struct number *n, u32 lane)
{
    return n->half ? f16_widen((u16)(n->row[lane] >> n->shift), false) : n->row[lane];
}

/* `count` values from register *at on; 16-bit ones stand two to a register, the last alone if the
 * count is odd. */
static void place_numbers(const struct texture *t, u32 *at, struct number *n, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        u32 reg = *at + (t->g.a16 ? i / 2 : i);
        n[i] = (struct number){ .row = t->w->vgpr[reg % VGPRS],
                                .shift = t->g.a16 ? i % 2 * 16 : 0,
                                .half = t->g.a16 };
    }
    *at += t->g.a16 ? (count + 1) / 2 : count;
}

/* Offsets, bias, reference, slopes, coordinates, layer, level. */
static void address_open(struct texture *t, u32 at)
{
    struct number body[AXES_MAX + 2];
    u32 axes = image_axes(t->g.type), n = axes;
    if (t->with & WITH_OFFSETS)
        t->offsets = t->w->vgpr[at++ % VGPRS];
    if (t->with & WITH_BIAS)
        place_numbers(t, &at, &t->bias, 1);
    if (t->with & WITH_REFERENCE)
        t->reference = t->w->vgpr[at++ % VGPRS];
    for (u32 i = 0; t->with & WITH_SLOPES && i < 2; i++)
        place_numbers(t, &at, t->slope[i], axes);
    place_numbers(t, &at, body,
                  axes + t->g.layers + (t->with & (WITH_LEVEL | WITH_LOWEST) ? 1 : 0));
    memcpy(t->coord, body, sizeof t->coord);
    if (t->g.layers)
        t->layer = body[n++];
    if (t->with & (WITH_LEVEL | WITH_LOWEST))
        t->level = body[n];
}

static u32 finite(struct texture *t, u32 v)
{
    if (!is_finite(v))
        give_up(t, "a coordinate that is no finite number");
    return is_finite(v) ? v : 0;
}

static u32 coord_get(struct texture *t, u32 axis, u32 lane)
{
    return finite(t, number_get(&t->coord[axis], lane));
}

/* The nearest layer; cubes count eight to a layer of faces. */
static u32 layer_of(struct texture *t, u32 lane)
{
    const struct image *g = &t->g;
    if (!g->layers || !has_layers(g->type))
        return 0;
    i64 fixed = to_fixed(finite(t, number_get(&t->layer, lane)), 1, false);
    u32 rest = fixed & (WHOLE - 1);
    if (rest == WHOLE / 2 || (rest && t->s.cut))
        give_up(t, "a layer between two");
    i64 n = (fixed + WHOLE / 2) >> FRACTION, face = n & 7, last = g->size[2] - 1;
    if (g->type != IMAGE_CUBE)
        return (u32)(n < 0 ? 0 : n > last ? last : n);
    if (face > 5 || g->size[2] % 6) {
        give_up(t, "a face that a cube does not have");
        return 0;
    }
    n >>= 3;
    last = g->size[2] / 6 - 1;
    return (u32)((n < 0 ? 0 : n > last ? last : n) * 6 + face);
}

/* ---- levels ---- */

/* How a coordinate changes across a quad: of lanes 0 1 / 2 3, which all must be on. */
static u32 quad_slope(struct texture *t, u32 axis, u32 lane, u32 down)
{
    struct fp_env env = { .round = ROUND_EVEN };
    u32 first = lane & ~(u32)(QUAD - 1);
    return fsub32(&env, coord_get(t, axis, first + (down ? 2 : 1)), coord_get(t, axis, first));
}

static void check_quad(struct texture *t, u32 lane)
{
    u32 first = lane & ~(u32)(QUAD - 1);
    if (bits64(wave_exec(t->w), first, QUAD) != mask32(QUAD))
        give_up(t, "a level from lanes that are off");
    for (u32 i = 1; t->g.type == IMAGE_CUBE && !t->refused && i < QUAD; i++)
        if (layer_of(t, first + i) != layer_of(t, first))
            give_up(t, "a level from several faces of a cube");
}

/* One level for a quad: slopes that differ within it have none. */
static void check_slopes(struct texture *t, u32 lane)
{
    u32 first = lane & ~(u32)(QUAD - 1);
    for (u32 i = 0; i < QUAD; i++)
        for (u32 k = 0; k < t->axes * 2; k++) {
            const struct number *n = &t->slope[k % 2][k / 2];
            if (wave_exec(t->w) >> (first + i) & 1 &&
                number_get(n, first + i) != number_get(n, lane))
                give_up(t, "slopes that differ within a quad");
        }
}

/* log2 of the longer of the two slopes, in texels. */
static i32 level_of_lane(struct texture *t, u32 lane)
{
    enum { LEVEL_LEAST = -64 * WHOLE };
    struct fp_env env = { .round = ROUND_EVEN };
    u32 most = 0;
    bool given = t->with & WITH_SLOPES;
    for (u32 down = 0; down < 2; down++) {
        u32 sum = 0;
        for (u32 i = 0; i < t->axes; i++) {
            u32 v = given ? finite(t, number_get(&t->slope[down][i], lane))
                          : quad_slope(t, i, lane, down);
            if (!t->s.unnormalized)
                v = fmul32(&env, v, cvt_f32_u32(&env, t->g.top.size[i]));
            sum = ffma32(&env, v, v, sum);
        }
        most = sum > most ? sum : most;
    }
    finite(t, most);
    return most < 0x00800000 ? LEVEL_LEAST : half_log2(most);
}

/* The same, once for a quad where all its lanes have one level. */
static i32 level_of_slopes(struct texture *t, u32 lane)
{
    u32 quad = lane & ~(u32)(QUAD - 1);
    if (t->with & WITH_SLOPES && !(t->with & WITH_QUAD_SLOPES))
        return level_of_lane(t, lane);
    if (t->quad == quad)
        return t->quad_level;
    if (t->with & WITH_SLOPES)
        check_slopes(t, lane);
    else
        check_quad(t, lane);
    t->quad = quad;
    t->quad_level = level_of_lane(t, lane);
    return t->quad_level;
}

static i32 level_wanted(struct texture *t, u32 lane)
{
    if (t->with & LEVEL_ZERO)
        return 0;
    if (t->with & WITH_LEVEL)
        return to_level(finite(t, number_get(&t->level, lane)));
    i32 level = level_of_slopes(t, lane) + t->s.bias;
    if (t->with & WITH_BIAS)
        level += to_level(finite(t, number_get(&t->bias, lane)));
    return level;
}

/* Rounds a level for a point filter, halves up. */
static i32 level_round(i32 level)
{
    return (level + WHOLE / 2) >> FRACTION;
}

static struct levels levels_of(struct texture *t, u32 lane)
{
    const struct sampler *s = &t->s;
    struct levels l = { .raw = 0 };
    if (!t->by_level)
        return l;
    i32 least = s->min_lod, most = s->max_lod, last = (i32)(t->g.levels - 1) << FRACTION;
    if (t->with & WITH_LOWEST) {
        i32 limit = to_level(finite(t, number_get(&t->level, lane)));
        if (wave_takes(t->w, TAKE_HIGHEST))
            most = limit < most ? limit : most;
        else
            least = limit > least ? limit : least;
    }
    l.raw = level_wanted(t, lane);
    i32 v = l.raw + (s->mip_filter == MIP_POINT && s->preclamp ? WHOLE / 2 : 0);
    v = v < least ? least : v;
    v = v > most ? most : v;
    l.limited = v;
    i32 seen = v < 0 ? 0 : v;
    if (s->mip_filter == MIP_POINT)
        seen = (s->preclamp ? seen >> FRACTION : level_round(seen)) << FRACTION;
    seen = s->mip_filter == MIP_NONE ? 0 : seen > last ? last : seen;
    l.first = (u32)seen >> FRACTION;
    l.weight = (u32)seen & (WHOLE - 1);
    return l;
}

/* ---- texels ---- */

static void border_read(const struct texture *t, u32 v[4])
{
    u32 one = number_one(&t->g), rgb = t->s.border == BORDER_WHITE ? one : 0;
    u32 alpha = t->s.border == BORDER_TRANSPARENT ? 0 : one;
    for (u32 i = 0; i < 4; i++)
        v[i] = bits32(t->s.border_order, i * 2, 2) == 3 ? alpha : rgb;
}

/* What the texels of a lane are compared with. Normalized ones lie in 0..1, and the reference is brought there. */
static u32 reference_of(const struct texture *t, u32 lane)
{
    struct fp_env env = { .round = ROUND_EVEN };
    u32 one = 0x3f800000, reference = t->reference[lane];
    if (t->g.num != NUM_FLOAT)
        reference = fmin32(&env, fmax32(&env, reference, 0), one);
    return reference;
}

/* 1 if the comparison passes. */
static u32 compared(struct texture *t, u32 texel)
{
    struct fp_env env = { .round = ROUND_EVEN };
    enum fp_order order = fcmp32(&env, t->against, texel);
    if (order == ORDER_UN)
        give_up(t, "a comparison of no numbers");
    return t->s.compare & order ? 0x3f800000 : 0;
}

/* The bytes of a texel, from the block of memory in which the image begins where that has them. */
static void texel_bytes(const struct texture *t, u32 lane, u64 addr, u64 part[2])
{
    enum { MOST = 2 * sizeof *part };
    if (t->direct && addr - t->first < t->size && t->size - (addr - t->first) >= MOST)
        memcpy(part, (const void *)(t->direct + (uintptr_t)addr), MOST);
    else
        raw_read(t->w, lane, addr, t->g.data->bytes, part);
}

/* The components in the order of memory at a place that may lie outside; of 32 bits, and those alone that are
 * needed. */
static void texel_get(struct texture *t, u32 lane, const struct footprint *f, const i64 place[3],
                      u32 v[4])
{
    const struct image *g = &t->g;
    i64 p[3] = { place[0], place[1], place[2] };
    u64 part[2];
    if (g->type == IMAGE_CUBE) {
        u32 face = f->layer % 6;
        if (!cube_join(f->mip.size[0], &p[0], &p[1], &face))
            give_up(t, "a corner of a cube");
        p[2] = f->layer / 6 * 6 + face;
    }
    bool inside = !t->refused;
    for (u32 i = 0; g->type != IMAGE_CUBE && i < t->axes; i++) {
        p[i] = texel_in(t->s.clamp[i], p[i], f->mip.size[i]);
        inside &= p[i] >= 0;
    }
    if (inside) {
        u32 c[3] = { (u32)p[0], (u32)p[1], (u32)p[2] };
        v[0] = v[1] = v[2] = 0;
        v[3] = number_one(g);
        texel_bytes(t, lane, texel_addr(g, &f->mip, c), part);
        for (u32 i = 0, bit = 0; i < g->data->count; bit += g->data->bits[i++])
            if (t->needed >> i & 1)
                v[i] = format_decode((u32)bits64(part[bit / 64], bit % 64, g->data->bits[i]),
                                     g->data->bits[i], component_num(g, i));
    } else {
        border_read(t, v);
    }
    if (t->reference)
        v[0] = compared(t, v[0]);
}

/* ---- filters ---- */

/* Whether any mean of two such numbers is that number: not of NaN and infinity, not of -0, which becomes +0,
 * and not of subnormal numbers, of which the environment decides. */
static bool stays_itself(u32 v)
{
    return v == 0 || (v & 0x7f800000) - 0x00800000 < 0x7f000000;
}

/* v becomes what the filter makes of v and of a share of `other`. */
static void blend(const struct texture *t, u32 v[4], const u32 other[4], u32 weight)
{
    struct fp_env env = { .round = ROUND_EVEN };
    u32 w = from_fixed((i32)weight);
    for (u32 i = 0; i < 4; i++) {
        if (!(t->needed >> i & 1) || (v[i] == other[i] && stays_itself(v[i])))
            continue;
        if (t->s.blend == BLEND_MIN)
            v[i] = fmin32(&env, v[i], other[i]);
        else if (t->s.blend == BLEND_MAX)
            v[i] = fmax32(&env, v[i], other[i]);
        else
            v[i] = ffma32(&env, w, fsub32(&env, other[i], v[i]), v[i]);
    }
}

/* Filters along axes 0 to axis; the others are settled in `place`. */
static void filter_axis(struct texture *t, u32 lane, const struct footprint *f, u32 axis,
                        i64 place[3], u32 v[4])
{
    u32 other[4];
    for (u32 i = 0; i < (f->span[axis].weight ? 2 : 1); i++) {
        place[axis] = f->span[axis].first + i;
        if (axis)
            filter_axis(t, lane, f, axis - 1, place, i ? other : v);
        else
            texel_get(t, lane, f, place, i ? other : v);
    }
    if (f->span[axis].weight)
        blend(t, v, other, f->span[axis].weight);
}

/* A coordinate in texels of a level. Those of a cube's faces run from 1 to 2. */
static i64 place_along(struct texture *t, u32 axis, u32 lane, u32 size)
{
    i64 x = to_fixed(coord_get(t, axis, lane), t->s.unnormalized ? 1 : size, t->s.cut);
    i64 end = (i64)size << FRACTION;
    if (t->g.type == IMAGE_CUBE) {
        x -= end;
        if (x < 0 || x > end)
            give_up(t, "a coordinate beyond the face of a cube");
    }
    if (t->offsets) {
        u32 offset = bits32(t->offsets[lane], axis * 8, 6);
        x += (wave_takes(t->w, TAKE_UNSIGNED) ? offset : (i64)(i32)sext32(offset, 6)) * WHOLE;
    }
    return x;
}

static struct footprint footprint_of(struct texture *t, u32 lane, u32 level, u32 xy_filter)
{
    struct footprint f = { .mip = image_mip(&t->g, level) };
    f.layer = layer_of(t, lane);
    for (u32 i = 0; i < t->axes; i++) {
        bool linear = filters_along(&t->s, i, xy_filter);
        i64 x = place_along(t, i, lane, f.mip.size[i]);
        f.span[i] = span_at(t->s.clamp[i], x, f.mip.size[i], linear);
        if (t->g.type == IMAGE_CUBE && !linear && x >> FRACTION == (i64)f.mip.size[i])
            f.span[i].first--;
    }
    return f;
}

static void sample_level(struct texture *t, u32 lane, const struct levels *l, u32 level, u32 v[4])
{
    u32 xy_filter = l->limited > 0 ? t->s.min_filter : t->s.mag_filter;
    struct footprint f = footprint_of(t, lane, level, xy_filter);
    i64 place[3] = { 0, 0, f.layer };
    filter_axis(t, lane, &f, t->axes - 1, place, v);
}

/* ---- what comes back ---- */

/* A component as a shader sees it. */
static u32 component_seen(const struct texture *t, const u32 v[4], u32 i)
{
    const struct image *g = &t->g;
    struct fp_env env = { .round = ROUND_EVEN };
    u32 sel = bits32(g->dst_sel, i * 3, 3);
    if (sel < 4)
        return sel == 1 ? number_one(g) : 0;
    u32 c = v[sel - 4];
    if (!g->half)
        return c;
    if (g->num == NUM_UINT || g->num == NUM_SINT)
        return format_narrow(c, 16, g->num, wave_takes(t->w, TAKE_SATURATED));
    env.round = g->num == NUM_FLOAT && g->data->bits[0] == 32 ? ROUND_ZERO : ROUND_EVEN;
    return cvt_f16_f32(&env, c);
}

/* The components of a texel that dmask asks for, through dst_sel. */
static u32 components_needed(const struct image *g)
{
    u32 needed = 0;
    for (u32 i = 0; i < 4; i++) {
        u32 sel = bits32(g->dst_sel, i * 3, 3);
        needed |= g->dmask >> i & 1 && sel >= 4 ? 1u << (sel - 4) : 0;
    }
    return needed;
}

/* Resource, sampler and address of an instruction; false if the wave has stopped at it. */
static bool texture_open(struct wave *w, const struct xinsn *in, u32 with, bool gathers,
                         struct texture *t)
{
    *t = (struct texture){ .w = w, .with = with, .quad = LANES };
    if (!image_open(w, in, &t->g))
        return false;
    t->axes = image_axes(t->g.type);
    t->needed = components_needed(&t->g);
    address_open(t, in->opnd[SLOT_ADDR].code - CODE_VGPR);
    if (t->g.data->count == 0)
        return true;
    const u32 *resource = &w->sgpr[in->opnd[SLOT_BASE].code];
    const char *what = sampler_open(&w->sgpr[in->opnd[SLOT_SAMP].code], resource, &t->g,
                                    insn_get(&in->insn, FLD_unorm), &t->s);
    if (!what)
        what = unmodelled_sampling(&t->s, &t->g, with, gathers);
    if (!what && with & WITH_REFERENCE && (t->g.dmask != 1 || bits32(t->g.dst_sel, 0, 3) != 4))
        what = "several components of a comparison";
    t->by_level = (t->s.mip_filter != MIP_NONE && t->g.levels > 1) ||
                  (!gathers && t->s.mag_filter != t->s.min_filter);
    if (what)
        refuse(w, in, what);
    else
        t->direct = mem_direct(w, SPACE_GLOBAL, sext64(t->g.base, 48), false, &t->first, &t->size);
    return !what;
}

/* Whether all lanes could be sampled; stops the wave if not. */
static bool texture_close(struct wave *w, const struct xinsn *in, const struct texture *t)
{
    if (t->refused)
        refuse(w, in, t->refused);
    return !t->refused;
}

static void sample(struct wave *w, const struct xinsn *in, u32 with)
{
    struct texture t;
    u32 out[4][LANES], n = 0;
    if (!texture_open(w, in, with, false, &t))
        return;
    for (u64 m = wave_exec(w); m && !t.refused; m &= m - 1) {
        u32 lane = ctz64(m), v[4] = { 0 }, other[4];
        if (t.reference)
            t.against = reference_of(&t, lane);
        if (t.g.data->count) {
            struct levels l = levels_of(&t, lane);
            sample_level(&t, lane, &l, l.first, v);
            if (l.weight) {
                sample_level(&t, lane, &l, l.first + 1, other);
                blend(&t, v, other, l.weight);
            }
        }
        n = 0;
        for (u32 i = 0; i < 4; i++)
            if (t.g.dmask >> i & 1)
                put_component(&t.g, out, lane, n++, component_seen(&t, v, i));
    }
    if (texture_close(w, in, &t))
        put_components(w, in, &t.g, n, out);
}

/* One component of the four texels that a bilinear filter would take: from that with the smaller x
 * and the larger y on, counterclockwise where y points down. */
static void gather(struct wave *w, const struct xinsn *in, u32 with)
{
    static const u8 dx[4] = { 0, 1, 1, 0 }, dy[4] = { 1, 1, 0, 0 };
    struct texture t;
    u32 out[4][LANES];
    if (!texture_open(w, in, with, true, &t))
        return;
    bool flat = t.g.type == IMAGE_2D || t.g.type == IMAGE_2D_ARRAY || t.g.type == IMAGE_CUBE;
    if (t.g.data->count && !flat)
        give_up(&t, "an image that has not two dimensions");
    else if (t.g.half)
        give_up(&t, "16 bits of data");
    for (u64 m = wave_exec(w); m && !t.refused; m &= m - 1) {
        u32 lane = ctz64(m), v[4] = { 0 };
        if (t.reference)
            t.against = reference_of(&t, lane);
        struct levels l = levels_of(&t, lane);
        struct footprint f = footprint_of(&t, lane, l.first, XY_BILINEAR);
        if (l.weight)
            give_up(&t, "a filter of levels");
        for (u32 i = 0; i < 4; i++) {
            i64 place[3] = { f.span[0].first + dx[i], f.span[1].first + dy[i], f.layer };
            if (t.g.data->count)
                texel_get(&t, lane, &f, place, v);
            out[i][lane] = component_seen(&t, v, ctz32(t.g.dmask));
        }
    }
    if (texture_close(w, in, &t))
        put_rows(w, in, &in->opnd[SLOT_D], 4, out);
}

/* The level that a sample would read, and the one that the slopes give, as f32. */
static void level_info(struct wave *w, const struct xinsn *in)
{
    struct texture t;
    u32 out[4][LANES], n = 0;
    if (!texture_open(w, in, 0, false, &t))
        return;
    t.by_level = true;
    if (t.g.data->count == 0)
        give_up(&t, "no image");
    else if (t.s.mip_filter == MIP_NONE)
        give_up(&t, "a sampler of one level");
    else if (t.g.dmask > 3)
        give_up(&t, "more than two values");
    for (u64 m = wave_exec(w); m && !t.refused; m &= m - 1) {
        u32 lane = ctz64(m);
        struct levels l = levels_of(&t, lane);
        n = 0;
        if (t.g.dmask & 1)
            out[n++][lane] = from_fixed((i32)(l.first << FRACTION | l.weight));
        if (t.g.dmask & 2)
            out[n++][lane] = from_fixed(l.raw);
    }
    if (texture_close(w, in, &t))
        put_rows(w, in, &in->opnd[SLOT_D], n, out);
}

/* ---- rows ---- */

#define OPW(...)                               /* oracle/sem/mem/img.c */
#define OPX(op, shape, numbers, rowflags, ...) SEM_OF_WAVE(op, __VA_ARGS__)
#include "oracle/isa/rows/mimg.def"
#undef OPX

#define OPX(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#include "oracle/isa/rows/mimg.def"
