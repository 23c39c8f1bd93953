/* Samplers (S#): what they say, and the arithmetic of coordinates and levels, in integers with
 * FRACTION bits behind the point. What is not modelled stops by name. Vega ISA, section 8.2.4; the
 * codes of its fields, which the manual does not give, are those that drivers use. For sample.c,
 * which would have more than 800 lines with it. */
#ifndef ORACLE_SEM_MEM_SAMPLER_H
#define ORACLE_SEM_MEM_SAMPLER_H

#include "oracle/fp/fp.h"
#include "oracle/sem/mem/image.h"

/* Places between texels and between levels are told apart in 256ths. */
enum { FRACTION = 8, WHOLE = 1 << FRACTION };

/* What stands before the coordinates, and what becomes of the level; bits. */
enum {
    WITH_OFFSETS = 1,
    WITH_BIAS = 2,
    WITH_REFERENCE = 4,
    WITH_SLOPES = 8,
    WITH_QUAD_SLOPES = 16, /* beside the one before: one level for four lanes */
    WITH_LEVEL = 32,
    WITH_LOWEST = 64, /* no level below this one */
    LEVEL_ZERO = 128
};

enum clamp_mode {
    CLAMP_WRAP,
    CLAMP_MIRROR,
    CLAMP_LAST_TEXEL,
    CLAMP_MIRROR_LAST_TEXEL, /* mirrored once, at 0 */
    CLAMP_HALF_BORDER,
    CLAMP_MIRROR_HALF_BORDER,
    CLAMP_BORDER,
    CLAMP_MIRROR_BORDER
};

enum { XY_POINT, XY_BILINEAR };
enum { Z_AS_XY, Z_POINT, Z_LINEAR };
enum { MIP_NONE, MIP_POINT, MIP_LINEAR };
enum { BLEND_MEAN, BLEND_MIN, BLEND_MAX };
enum { BORDER_TRANSPARENT, BORDER_BLACK, BORDER_WHITE, BORDER_PALETTE };

struct sampler {
    enum clamp_mode clamp[3];
    u32 compare;       /* enum fp_order of reference and texel that passes */
    bool unnormalized; /* coordinates count texels */
    bool cut;          /* a point filter cuts coordinates that it would round */
    u32 blend;
    i32 min_lod, max_lod, bias;
    u32 mag_filter, min_filter, z_filter, mip_filter;
    bool preclamp; /* a point filter of levels rounds before they are limited */
    u32 border;
    u32 border_order; /* 2 bits for each component of memory: which one of the border it is */
};

/* ---- what is modelled ---- */

/* Whether texels outside are the border. */
static inline bool has_border(enum clamp_mode mode)
{
    return mode >= CLAMP_HALF_BORDER;
}

/* Whether coordinates stop at the edge, so that no more than half of a border shows. */
static inline bool has_half_border(enum clamp_mode mode)
{
    return mode == CLAMP_HALF_BORDER || mode == CLAMP_MIRROR_HALF_BORDER;
}

/* Fields of the four dwords that mean something which is not modelled, or NULL. */
static inline const char *unmodelled_sampler(const u32 *r)
{
    if (bits32(r[2], 21, 1) || bits32(r[2], 23, 1) || bits32(r[0], 9, 3))
        return "an anisotropic filter";
    if (bits32(r[2], 24, 2) == 3 || bits32(r[2], 26, 2) == 3 || bits32(r[0], 29, 2) == 3)
        return "a reserved filter";
    if (bits32(r[0], 19, 1))
        return "coordinates cut for motion compensation";
    if (bits32(r[0], 20, 1))
        return "a forced conversion of sRGB";
    if (r[1] >> 24)
        return "a filter that saves work";
    return bits32(r[2], 14, 6) ? "a second level bias" : NULL;
}

/* The same of one axis; `linear`: some filter along it is. */
static inline const char *unmodelled_axis(const struct sampler *s, enum clamp_mode mode,
                                          bool linear)
{
    if (s->unnormalized && mode != CLAMP_LAST_TEXEL && mode != CLAMP_BORDER)
        return "a wrap of coordinates that are not normalized";
    if (has_half_border(mode) && !linear)
        return "half a border without a filter";
    return has_border(mode) && s->border == BORDER_PALETTE ? "a border of its own color" : NULL;
}

/* Whether two texels of an axis are mixed where x and y have this filter. */
static inline bool filters_along(const struct sampler *s, u32 axis, u32 xy_filter)
{
    if (axis == 2 && s->z_filter != Z_AS_XY)
        return s->z_filter == Z_LINEAR;
    return xy_filter == XY_BILINEAR;
}

/* Whether any lane may mix texels. */
static inline bool filters_at_all(const struct sampler *s, const struct image *g)
{
    return s->mag_filter == XY_BILINEAR || s->min_filter == XY_BILINEAR ||
           (image_axes(g->type) == 3 && s->z_filter == Z_LINEAR) ||
           (s->mip_filter == MIP_LINEAR && g->levels > 1);
}

/* What of sampler, image and opcode (`with`: WITH_... bits) together is not modelled, or NULL. */
static inline const char *unmodelled_sampling(const struct sampler *s, const struct image *g,
                                              u32 with, bool gathers)
{
    bool is_int = g->num == NUM_UINT || g->num == NUM_SINT, cube = g->type == IMAGE_CUBE;
    if (is_int && !gathers && filters_at_all(s, g))
        return "a filter of integers";
    if (is_int && with & WITH_REFERENCE)
        return "a comparison of integers";
    if (with & WITH_REFERENCE && s->blend != BLEND_MEAN)
        return "extremes of comparisons";
    if (s->cut && (gathers || filters_at_all(s, g)))
        return "coordinates cut before a filter";
    if (with & (WITH_LEVEL | LEVEL_ZERO) && s->bias)
        return "a level of its own and a bias of the sampler";
    if (s->unnormalized && cube)
        return "coordinates of a cube that are not normalized";
    for (u32 i = 0; i < image_axes(g->type) && !cube; i++) {
        bool linear = filters_along(s, i, s->mag_filter) && filters_along(s, i, s->min_filter);
        const char *what = unmodelled_axis(s, s->clamp[i], linear && !gathers);
        if (what)
            return what;
    }
    return NULL;
}

/* Which component of the border stands for each of memory. Vega ISA, image resource: border color
 * swizzle. */
static inline u32 border_order(u32 code)
{
    enum { X, Y, Z, W };
    static const u8 order[8][4] = {
        { X, Y, Z, W }, { X, W, Y, Z }, { W, Z, Y, X }, { W, X, Y, Z },
        { Z, Y, X, W }, { Y, X, W, Z }, { X, Y, Z, W }, { X, Y, Z, W }
    };
    u32 packed = 0;
    for (u32 i = 0; i < 4; i++)
        packed |= (u32)order[code][i] << i * 2;
    return packed;
}

/* The sampler of an instruction on an image, whose resource `t` is; what of it is not modelled, or
 * NULL. */
static inline const char *sampler_open(const u32 *r, const u32 *t, const struct image *g,
                                       bool unorm, struct sampler *s)
{
    *s = (struct sampler){ .compare = bits32(r[0], 12, 3),
                           .unnormalized = unorm || bits32(r[0], 15, 1),
                           .cut = bits32(r[0], 27, 1),
                           .blend = bits32(r[0], 29, 2),
                           .min_lod = (i32)bits32(r[1], 0, 12),
                           .max_lod = (i32)bits32(r[1], 12, 12),
                           .bias = (i32)sext32(r[2], 14),
                           .mag_filter = bits32(r[2], 20, 1),
                           .min_filter = bits32(r[2], 22, 1),
                           .z_filter = bits32(r[2], 24, 2),
                           .mip_filter = bits32(r[2], 26, 2),
                           .preclamp = bits32(r[2], 28, 1),
                           .border = r[3] >> 30,
                           .border_order = border_order(t[4] >> 29) };
    for (u32 i = 0; i < 3; i++)
        s->clamp[i] = (enum clamp_mode)bits32(r[0], i * 3, 3);
    if (g->type == IMAGE_CUBE && bits32(r[0], 28, 1))
        return "faces of a cube that do not join";
    if (t[4] >> 29 > 5)
        return "a reserved order of the border";
    if (bits32(t[1], 8, 12))
        return "a lowest level of the image";
    return unmodelled_sampler(r);
}

/* ---- numbers ---- */

/* Whether an f32 is neither infinite nor a NaN. */
static inline bool is_finite(u32 v)
{
    return (v & 0x7f800000) != 0x7f800000;
}

/* A finite f32 times `size`, to the nearest number with FRACTION bits behind the point, halves
 * towards the larger; or cut to the one below. What is very large becomes an even multiple of
 * `size`, which it is. */
static inline i64 to_fixed(u32 v, u32 size, bool cut)
{
    i32 exp = (i32)(v >> 23 & 0xff);
    i64 mant = (i64)((v & 0x7fffff) | (exp ? 1u << 23 : 0)) * size;
    i32 shift = 150 - FRACTION - (exp ? exp : 1);
    if (v >> 31)
        mant = -mant;
    if (shift <= 0) {
        i64 most = (i64)size << 40;
        return shift >= -23 ? mant * (1ll << -shift) : v >> 31 ? -most : most;
    }
    if (shift > 60)
        return cut && mant < 0 ? -1 : 0;
    return (mant + (cut ? 0 : 1ll << (shift - 1))) >> shift;
}

/* A number with FRACTION bits behind the point as an f32; below 2^16. */
static inline u32 from_fixed(i32 v)
{
    struct fp_env env = { .round = ROUND_EVEN };
    u32 f = cvt_f32_i32(&env, (u32)v);
    return v ? f - ((u32)FRACTION << 23) : 0;
}

/* A level, limited to what levels can be. */
static inline i32 to_level(u32 v)
{
    enum { LEVEL_LIMIT = 64 * WHOLE };
    i64 level = to_fixed(v, 1, false);
    return level > LEVEL_LIMIT ? LEVEL_LIMIT : level < -LEVEL_LIMIT ? -LEVEL_LIMIT : (i32)level;
}

/* Half of log2 of a finite f32 > 0, which is the square of a length; with FRACTION bits. */
static inline i32 half_log2(u32 square)
{
    enum { DIGITS = 16 };
    i32 whole = (i32)(square >> 23) - 127;
    u64 mant = (u64)((square & 0x7fffff) | 1u << 23) << 8; /* 31 bits behind the point */
    u32 part = 0;
    for (u32 i = 0; i < DIGITS; i++) {
        mant = mant * mant >> 31;
        u32 digit = mant >> 32 & 1;
        mant >>= digit;
        part = part << 1 | digit;
    }
    i64 log = (i64)whole * (1 << DIGITS) + part;
    return (i32)((log + (1 << (DIGITS - FRACTION))) >> (DIGITS - FRACTION + 1));
}

/* ---- coordinates ---- */

/* The texels of one axis that a filter takes: the first, and the one behind it where its weight, of
 * WHOLE, is not 0. Numbers may be outside of the image. */
struct span {
    i64 first;
    u32 weight;
};

static inline struct span span_at(enum clamp_mode mode, i64 x, u32 size, bool linear)
{
    i64 end = (i64)size << FRACTION;
    if (mode == CLAMP_MIRROR_HALF_BORDER && x < 0)
        x = -x;
    if (has_half_border(mode))
        x = x < 0 ? 0 : x > end ? end : x;
    if (linear)
        x -= WHOLE / 2;
    return (struct span){ .first = x >> FRACTION, .weight = linear ? (u32)(x & (WHOLE - 1)) : 0 };
}

/* The texel that a number outside of the image means, -1: the border. */
static inline i64 texel_in(enum clamp_mode mode, i64 i, u32 size)
{
    i64 n = size, turn = 2 * n;
    bool mirrored = mode == CLAMP_MIRROR_LAST_TEXEL || mode == CLAMP_MIRROR_HALF_BORDER ||
                    mode == CLAMP_MIRROR_BORDER;
    if (i >= 0 && i < n) /* most are; divisions take long */
        return i;
    if (mirrored && i < 0)
        i = -1 - i;
    switch (mode) {
    case CLAMP_WRAP: return (i % n + n) % n;
    case CLAMP_MIRROR: i = (i % turn + turn) % turn; return i < n ? i : turn - 1 - i;
    case CLAMP_LAST_TEXEL:
    case CLAMP_MIRROR_LAST_TEXEL: return i < 0 ? 0 : i < n ? i : n - 1;
    default: return i >= 0 && i < n ? i : -1;
    }
}

/* ---- cubes ---- */

/* Which of x, y, z the two coordinates of a face are, and their signs. */
struct cube_axes {
    u8 s, t;
    i8 s_sign, t_sign;
};

/* Faces are +x -x +y -y +z -z, their coordinates those of v_cubesc_f32 and v_cubetc_f32. */
static inline const struct cube_axes *cube_axes(u32 face)
{
    static const struct cube_axes axes[6] = { { 2, 1, -1, -1 }, { 2, 1, 1, -1 }, { 0, 2, 1, 1 },
                                              { 0, 2, 1, -1 },  { 0, 1, 1, -1 }, { 0, 1, -1, -1 } };
    return &axes[face];
}

/* Replaces a texel that is one beyond an edge of its face by the one next to that edge on the face
 * that joins there. Places are doubled distances from the middle of a cube of 2 * size. False
 * beyond a corner, where three faces meet. */
static inline bool cube_join(u32 size, i64 *x, i64 *y, u32 *face)
{
    i64 n = size, p[3], s = 2 * *x + 1 - n, t = 2 * *y + 1 - n;
    bool out_x = *x < 0 || *x >= n, out_y = *y < 0 || *y >= n;
    if (!out_x && !out_y)
        return true;
    if (out_x && out_y)
        return false;
    if (out_x)
        s = *x < 0 ? -n : n;
    else
        t = *y < 0 ? -n : n;
    const struct cube_axes *from = cube_axes(*face);
    p[*face / 2] = *face % 2 ? -n : n;
    p[from->s] = s * from->s_sign;
    p[from->t] = t * from->t_sign;
    u32 over = out_x ? from->s : from->t;
    *face = over * 2 + (p[over] < 0);
    const struct cube_axes *to = cube_axes(*face);
    s = p[to->s] * to->s_sign;
    t = p[to->t] * to->t_sign;
    *x = s == n ? n - 1 : (s + n) >> 1;
    *y = t == n ? n - 1 : (t + n) >> 1;
    return true;
}

#endif
