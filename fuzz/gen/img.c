/* Images: two linear surfaces of one type, one to load from and one that may be stored to, with
 * levels and layers, and coordinates for every lane: each lane has a texel of its own, and some lie
 * outside. Vega ISA, section 8.2. */
#include "fuzz/gen/internal.h"

#include "oracle/fp/format.h"
#include "oracle/fp/fp.h"
#include "oracle/insn/insn.h"

/* ---- surfaces ---- */

static u32 texel_bytes(const struct img_plan *g)
{
    return data_format(g->dfmt)->bytes;
}

/* Texels of the shortest row. */
static u32 row_of(const struct img_plan *g)
{
    u32 bytes = texel_bytes(g);
    return bytes == 12 ? LINEAR_ROW / 4 : LINEAR_ROW / bytes;
}

static bool is_packed(const struct isa_row *row)
{
    return row->operand[0].kind == K_IRAW && !(row->flags & FLAG_IMAGE_INFO);
}

/* Whether its data may be halves. Formats that can be compared are none that are exact in them. */
static bool may_be_half(const struct isa_row *row)
{
    return row->operand[0].kind == K_IDATA && !(row->flags & FLAG_REFERENCE);
}

/* Whether a row can work on texels of the format. */
static bool suits(const struct draw *d, const struct isa_row *row, const struct img_plan *g,
                  bool half)
{
    const struct data_format *f = data_format(g->dfmt);
    enum draw_exact exact = row->flags & FLAG_STORE ? (half ? STORES_16 : STORES_32)
                            : half                  ? LOADS_16
                                                    : LOADS_32;
    if (gen_is_sampled(row))
        return gen_sample_suits(d, row, g, half);
    if (row->flags & FLAG_ATOMIC)
        return f->bytes == 4 || f->bytes == 8;
    if (is_packed(row))
        return f->bytes <= 4 && g->is_plain && (f->count == 1 || !(row->flags & FLAG_SIGN_EXTENDS));
    return gen_is_exact(g->dfmt, g->nfmt, exact);
}

static void plan_format(struct draw *d, struct img_plan *g, bool writes)
{
    const struct isa_row *focus = &isa_rows[d->s->focus];
    bool matters = isa_memory(focus) == MEMORY_IMAGE && !(writes && gen_is_sampled(focus));
    bool half = rng_one_in(&d->rng, 3) && may_be_half(focus);
    if (gen_is_sampled(focus) && gen_sample_mixes(d))
        half = false;
    do {
        gen_draw_format(d, writes ? STORES_32 : LOADS_32, &g->dfmt, &g->nfmt);
        bool plain = matters && (is_packed(focus) || focus->flags & FLAG_REFERENCE);
        g->dst_sel = gen_draw_dst_sel(d, g->nfmt, writes || plain);
        g->is_plain = g->dst_sel == DST_SEL_IDENTITY;
    } while (matters && !suits(d, focus, g, half));
}

/* ---- sizes and levels ---- */

enum { LEVELS_MAX = 5, FIT_TRIES = 200 };

/* Rows of all levels of a layer: each is half as high as the one before, rounded up. */
static u32 rows_of_levels(u32 height, u32 last)
{
    u32 rows = height;
    while (last--) {
        height = (height + 1) / 2;
        rows += height;
    }
    return rows;
}

/* Fills pitch and rows, which follow from size and levels. Whether there is memory for them. */
static bool fits(struct img_plan *g)
{
    u32 row = row_of(g), wide = (g->size[0] + row - 1) / row * row;
    g->pitch = wide * (g->is_wide && !g->last ? 2 : 1);
    g->rows = rows_of_levels(g->size[1], g->last);
    if (g->last && texel_bytes(g) == 12) /* rows of 256 bytes have no whole number of them */
        return false;
    return (g->layer + g->size[2]) * g->rows * g->pitch * texel_bytes(g) <= g->bytes;
}

static u32 power_below(u32 v)
{
    return 1u << (31 - clz32(v));
}

static bool is_sampled_cube(const struct draw *d)
{
    return d->r.has_samplers && d->img_type == IMAGE_CUBE;
}

/* Faces that are squares, in sixes, of one level: where a filter goes on across an edge, it must not
 * come to a corner. */
static void draw_cube(struct draw *d, struct img_plan *g)
{
    g->size[0] = g->size[1] = 2u << rng_below(&d->rng, 2);
    g->size[2] = 6 + 6 * rng_below(&d->rng, 2);
    g->layer = rng_one_in(&d->rng, 3) ? (u8)rng_below(&d->rng, 3) : 0;
}

/* Whether the focus asks for levels. */
static bool wants_levels(const struct draw *d)
{
    const struct isa_row *focus = &isa_rows[d->s->focus];
    return focus->flags & (FLAG_MIP | FLAG_IMAGE_INFO | FLAG_LOD | FLAG_BIAS | FLAG_GRADIENT);
}

static void draw_levels(struct draw *d, struct img_plan *g)
{
    u32 most = gen_sample_mixes(d) ? 3 : 4;
    g->last = (u8)(wants_levels(d) ? 1 + rng_below(&d->rng, LEVELS_MAX - 1)
                                   : rng_below(&d->rng, LEVELS_MAX));
    if (rng_one_in(&d->rng, 3))
        g->first = (u8)rng_below(&d->rng, g->last + 1u);
    u32 seen = g->last - g->first + 1u;
    if (rng_one_in(&d->rng, 4))
        seen -= rng_below(&d->rng, seen);
    g->levels = (u8)(seen < most ? seen : most);
}

static void draw_size(struct draw *d, struct img_plan *g)
{
    u32 axes = gen_image_axes(d->img_type), row = row_of(g), rows = g->bytes / LINEAR_ROW;
    bool layers = gen_image_has_layers(d->img_type), long_rows = rng_one_in(&d->rng, 6);
    bool any_size = !d->r.has_samplers || gen_sample_takes_any_size(d);
    g->last = g->first = g->layer = 0;
    g->levels = 1;
    if (is_sampled_cube(d) && g == &d->img[RES_RO]) {
        draw_cube(d, g);
        return;
    }
    bool narrow = rng_one_in(&d->rng, 2);
    g->size[0] = long_rows ? row + 1 + rng_below(&d->rng, row)
                 : narrow  ? 1 + rng_below(&d->rng, row)
                           : row;
    g->size[1] = axes == 1 ? 1 : 1 + rng_below(&d->rng, rows);
    g->size[2] = axes == 3 || layers ? 1 + rng_below(&d->rng, rows / g->size[1]) : 1;
    if (d->r.has_samplers && d->sample.is_short && g->size[0] > 64)
        g->size[0] = 64;
    for (u32 i = 0; i < axes && !any_size; i++)
        g->size[i] = power_below(g->size[i]);
    if (layers && rng_one_in(&d->rng, 3))
        g->layer = (u8)(1 + rng_below(&d->rng, 3));
    if (gen_target_has(d, FEATUREBIT_TILE_MODES))
        return;
    if (texel_bytes(g) != 12 && (wants_levels(d) || rng_one_in(&d->rng, 2)))
        draw_levels(d, g);
}

/* The same size for another surface. Whether there is memory for it. */
static bool copy_size(struct img_plan *g, const struct img_plan *from)
{
    memcpy(g->size, from->size, sizeof g->size);
    g->last = from->last;
    g->first = from->first;
    g->levels = from->levels;
    g->layer = from->layer;
    return fits(g);
}

/* Sizes that there is memory for. The smaller surface goes first where both have one. */
static void plan_size(struct draw *d, struct img_plan *g, struct img_plan *same)
{
    for (u32 tries = 0; tries < FIT_TRIES; tries++) {
        draw_size(d, g);
        if (fits(g) && (!same || copy_size(same, g)))
            return;
    }
    g->size[0] = g->size[1] = g->size[2] = g->levels = 1;
    g->last = g->first = g->layer = 0;
    fits(g);
    if (same)
        copy_size(same, g);
}

static void plan_sizes(struct draw *d)
{
    bool sampled = gen_is_sampled(&isa_rows[d->s->focus]);
    d->img_alike = !is_sampled_cube(d) && (sampled ? rng_one_in(&d->rng, 4) : true);
    if (d->img_alike) {
        plan_size(d, &d->img[RES_RW], &d->img[RES_RO]);
        return;
    }
    for (u32 i = 0; i < RESOURCES; i++)
        plan_size(d, &d->img[i], NULL);
}

/* ---- coordinates ---- */

/* A level that both surfaces have. */
static u32 draw_level(struct draw *d)
{
    u32 ro = d->img[RES_RO].levels, rw = d->img[RES_RW].levels;
    return rng_below(&d->rng, ro < rw ? ro : rw);
}

/* Lanes count through a box that may be larger than the image, or one level of it. */
static void plan_coordinates(struct draw *d)
{
    const struct isa_row *focus = &isa_rows[d->s->focus];
    bool writes = focus->flags & (FLAG_STORE | FLAG_ATOMIC);
    const struct img_plan *g = &d->img[writes ? RES_RW : RES_RO];
    u32 axes = gen_image_axes(d->img_type), n = axes + gen_image_has_layers(d->img_type),
        wide[COORDS] = { 0 };
    u64 how = rng_u64(&d->rng);
    bool far = rng_one_in(&d->rng, 3), one_level = rng_one_in(&d->rng, 2);
    u32 level = draw_level(d);
    for (u32 i = 0; i < n; i++) {
        u32 size = gen_image_size(d, g, axes == 1 && i == 1 ? 2 : i, one_level ? level : 0);
        wide[i] = size + rng_below(&d->rng, 2);
    }
    if (n == 1 || rng_one_in(&d->rng, 4))
        wide[n - 1] = LANES;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 slot = (lane * ((u32)how | 1) + (u32)(how >> 8)) & 63;
        if (!one_level)
            level = draw_level(d);
        for (u32 i = 0; i < COORDS; i++) {
            bool last = i + 1 == n;
            d->coord[i][lane] = i >= n ? level : last ? slot : slot % wide[i];
            slot = i < n ? slot / wide[i] : 0;
        }
        if (far && rng_one_in(&d->rng, 8))
            d->coord[0][lane] = (lane + 1) << (14 + rng_below(&d->rng, 12));
    }
}

void gen_plan_images(struct draw *d)
{
    const struct isa_row *focus = &isa_rows[d->s->focus];
    do
        d->img_type = (u8)(IMAGE_1D + rng_below(&d->rng, 6));
    while (gen_is_sampled(focus) && !gen_sample_takes_type(d, focus));
    if (d->r.has_samplers)
        gen_plan_sampler(d);
    for (u32 i = 0; i < RESOURCES; i++) {
        struct img_plan *g = &d->img[i];
        g->bytes = i == RES_RW ? REGION_BYTES : IMAGE_BYTES;
        if (d->r.has_samplers && i == RES_RO)
            g->is_even = gen_sample_mixes(d) || rng_one_in(&d->rng, 3);
        plan_format(d, g, i == RES_RW);
        g->is_wide = rng_one_in(&d->rng, 4);
        if (d->r.has_samplers && !gen_target_has(d, FEATUREBIT_TILE_MODES))
            g->border_order = (u8)rng_below(&d->rng, 6);
    }
    plan_sizes(d);
    plan_coordinates(d);
}

/* ---- texels of few digits ---- */

enum { EVENS = 32 };

/* A component whose value is a whole number, or of floats a multiple of 1/8, below 8: the one of a number
 * below EVENS and a sign. */
static u32 even_component(u32 v, bool negative, u32 bits, u32 nfmt)
{
    struct fp_env env = { .round = ROUND_EVEN };
    u32 max = mask32(bits);
    switch (nfmt) {
    case NUM_UNORM: return v & 1 ? max : 0;
    case NUM_SNORM: return (v & 1 ? max >> 1 : v & 2 ? (max >> 1) + 2 : 0) & max;
    case NUM_FLOAT: break;
    default: return v & max;
    }
    negative = negative && v;
    u32 f = v ? cvt_f32_u32(&env, v) - (3u << 23) : 0;
    if (bits == 32)
        return f | (u32)negative << 31;
    u32 half = cvt_f16_f32(&env, f);
    return bits == 16 ? half | (u32)negative << 15 : half >> (15 - bits);
}

/* There are thousands of texels and few values: these are found first. */
void gen_fill_even(struct draw *d, const struct img_plan *g, u8 *bytes)
{
    const struct data_format *f = data_format(g->dfmt);
    u32 value[4][2][EVENS], at_bit[4] = { 0 }, size = f->bytes, count = f->count;
    struct rng own = d->rng;
    for (u32 i = 0, bit = 0; i < count; bit += f->bits[i++]) {
        at_bit[i] = bit;
        for (u32 v = 0; v < 2 * EVENS; v++)
            value[i][v / EVENS][v % EVENS] =
                even_component(v % EVENS, v / EVENS, f->bits[i], g->nfmt);
    }
    for (u32 at = 0; at + size <= g->bytes; at += size) {
        u64 part[2] = { 0, 0 };
        for (u32 i = 0; i < count; i++) {
            u32 v = rng_below(&own, EVENS);
            bool negative = rng_one_in(&own, 2);
            part[at_bit[i] / 64] |= (u64)value[i][negative][v] << at_bit[i] % 64;
        }
        memcpy(bytes + at, part, size);
    }
    d->rng = own;
}

/* ---- resources ---- */

void gen_image_words(const struct draw *d, u32 which, u64 base, u32 word[8])
{
    const struct img_plan *g = &d->img[which];
    u32 depth = g->layer + g->size[2] - 1;
    memset(word, 0, 8 * sizeof *word);
    word[0] = (u32)(base >> 8);
    word[1] = (u32)(base >> 40) | (u32)g->dfmt << 20 | (u32)g->nfmt << 26;
    word[2] = (g->size[0] - 1) | (g->size[1] - 1) << 14;
    word[3] = g->dst_sel | (u32)g->first << 12 | (g->first + g->levels - 1u) << 16 |
              (u32)d->img_type << 28;
    word[4] = depth | ((g->last ? g->rows : g->pitch) - 1u) << 13 | (u32)g->border_order << 29;
    word[5] = g->layer | (u32)g->last << 28;
    if (!gen_target_has(d, FEATUREBIT_TILE_MODES))
        return;
    word[3] |= TILE_MODE_LINEAR << 20;
    word[5] = gen_image_has_layers(d->img_type) ? g->layer | depth << 13 : 0;
}

bool gen_redraw_image(struct draw *d, const struct insn *in, u32 which, u32 word[8])
{
    enum { TRIES = 8 };
    const struct isa_row *row = insn_row(in);
    struct img_plan old = d->img[which], *g = &d->img[which];
    u64 base = d->s->window[which].address, end = base + (u64)d->s->waves * REGION_BYTES;
    bool fits = false, half = insn_get(in, FLD_d16);
    if (row->flags & (FLAG_ATOMIC | FLAG_STORE | FLAG_IMAGE_INFO) || base >> 40 != end >> 40)
        return false; /* a resource of another wave would have other bits there */
    for (u32 i = 0; i < TRIES && !fits; i++) {
        gen_draw_format(d, LOADS_32, &g->dfmt, &g->nfmt);
        g->dst_sel = gen_draw_dst_sel(d, g->nfmt, old.is_plain && rng_one_in(&d->rng, 2));
        g->is_plain = g->dst_sel == DST_SEL_IDENTITY;
        g->is_even = false; /* what is there was drawn for the other format */
        fits = texel_bytes(g) == texel_bytes(&old) && suits(d, row, g, half);
    }
    if (!fits)
        *g = old;
    if (!(row->flags & FLAG_MIP) && old.levels > 1) { /* of which some have been seen */
        u32 less = rng_below(&d->rng, old.levels);
        g->first = (u8)(old.first + less);
        g->levels = (u8)(1 + rng_below(&d->rng, old.levels - less));
        fits = true;
    }
    gen_image_words(d, which, base, word);
    *g = old;
    return fits;
}

/* ---- instructions ---- */

/* Which of four values there are: what is said of axes that an image does not have, and of layers
 * behind a first one, is not stated. */
static u32 draw_info_mask(struct draw *d, const struct img_plan *g)
{
    u32 axes = gen_image_axes(d->img_type),
        has = axes == 1                             ? 9
              : d->img_type == IMAGE_2D || g->layer ? 11
                                                    : 15,
        mask;
    do
        mask = has & rng_below(&d->rng, 16);
    while (!mask);
    return mask;
}

static u32 draw_dmask(struct draw *d, const struct isa_row *row, const struct img_plan *g)
{
    if (row->flags & FLAG_ATOMIC) {
        bool wide = data_format(g->dfmt)->bytes == 8,
             two = isa_types[row->operand[0].type].dwords == 2;
        return wide ? (two ? 15 : 3) : two ? 3 : 1;
    }
    return is_packed(row) ? 1 : 1 + rng_below(&d->rng, 15);
}

/* A layer that is not asked for, or one that the image does not have; where lanes must not meet and
 * levels must be there, neither. */
static bool draw_da(struct draw *d, const struct isa_row *row)
{
    bool has = gen_image_has_layers(d->img_type);
    bool free = !(row->flags & (FLAG_STORE | FLAG_ATOMIC | FLAG_MIP)) && d->img_type != IMAGE_3D;
    return free && rng_one_in(&d->rng, 8) ? !has : has;
}

/* Coordinates of 16 bits are the halves of those of 32: lanes collide, and there are no levels. */
static bool may_be_short(const struct isa_row *row)
{
    return !(row->flags & (FLAG_STORE | FLAG_ATOMIC)) && !(row->flags & FLAG_MIP);
}

bool gen_draw_image(struct draw *d, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    bool writes = row->flags & (FLAG_STORE | FLAG_ATOMIC), sampled = gen_is_sampled(row);
    bool info = row->flags & FLAG_IMAGE_INFO && !sampled;
    if (!d->r.has_images || (sampled && !d->r.has_samplers))
        return false;
    u32 which = writes || rng_one_in(&d->rng, 3) ? RES_RW : RES_RO;
    bool half = may_be_half(row) && rng_one_in(&d->rng, 3) && insn_has(in, FLD_d16);
    if (sampled && !suits(d, row, &d->img[which], half))
        which = RES_RO;
    if (!info && !suits(d, row, &d->img[which], half))
        half = false;
    if (!info && !suits(d, row, &d->img[which], half))
        return false;
    insn_set(in, FLD_srsrc, d->r.image[which] / 4u);
    insn_set(in, FLD_vdata, gen_draw_vgpr(d, rng_one_in(&d->rng, 3) ? T_F32 : T_U32, 4));
    insn_set(in, FLD_da, draw_da(d, row));
    if (insn_has(in, FLD_d16))
        insn_set(in, FLD_d16, half);
    insn_set(in, FLD_slc, rng_one_in(&d->rng, 16));
    insn_set(in, FLD_glc, rng_one_in(&d->rng, row->flags & FLAG_ATOMIC ? 2 : 8));
    if (sampled) {
        gen_set_sample(d, in);
        return true;
    }
    insn_set(in, FLD_dmask,
             info ? draw_info_mask(d, &d->img[which]) : draw_dmask(d, row, &d->img[which]));
    insn_set(in, FLD_vaddr, info ? d->r.vimage + COORDS - 1u : d->r.vimage);
    insn_set(in, FLD_unorm, rng_one_in(&d->rng, 2));
    if (may_be_short(row) && insn_has(in, FLD_a16))
        insn_set(in, FLD_a16, rng_one_in(&d->rng, 8));
    return true;
}
