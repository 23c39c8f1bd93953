/* Images: two linear surfaces of one type and size, one to load from and one that may be stored to,
 * and coordinates for every lane: each lane has a texel of its own, and some lie outside. Vega ISA,
 * section 8.2. */
#include "fuzz/gen/internal.h"

#include "oracle/fp/format.h"

/* ---- surfaces ---- */

/* Texels from row to row, at least. */
static u32 pitch_of(const struct img_plan *g)
{
    u32 bytes = data_format(g->dfmt)->bytes;
    return bytes == 12 ? LINEAR_ROW / 4 : LINEAR_ROW / bytes;
}

static u32 rows_of(const struct img_plan *g)
{
    return g->bytes / (g->pitch * data_format(g->dfmt)->bytes);
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
    do {
        gen_draw_format(d, writes ? STORES_32 : LOADS_32, &g->dfmt, &g->nfmt);
        bool plain = matters && (is_packed(focus) || focus->flags & FLAG_REFERENCE);
        g->dst_sel = gen_draw_dst_sel(d, g->nfmt, writes || plain);
        g->is_plain = g->dst_sel == DST_SEL_IDENTITY;
    } while (matters && !suits(d, focus, g, half));
}

/* Width, height and depth or layers that both surfaces have room for. */
static void plan_size(struct draw *d)
{
    u32 pitch = d->img[0].pitch, rows = rows_of(&d->img[0]), type = d->img_type;
    if (d->img[1].pitch < pitch)
        pitch = d->img[1].pitch;
    if (rows_of(&d->img[1]) < rows)
        rows = rows_of(&d->img[1]);
    bool narrow = rng_one_in(&d->rng, 2);
    d->img_size[0] = narrow ? 1 + rng_below(&d->rng, pitch) : pitch;
    d->img_size[1] = gen_image_axes(type) == 1 ? 1 : 1 + rng_below(&d->rng, rows);
    d->img_size[2] = 1;
    for (u32 i = 0; i < 2 && d->r.has_samplers; i++)
        d->img_size[i] = 1u << (31 - clz32(d->img_size[i]));
    if (type == IMAGE_3D || gen_image_has_layers(type))
        d->img_size[2] = rows / d->img_size[1];
    if (type == IMAGE_3D && d->r.has_samplers)
        d->img_size[2] = 1u << (31 - clz32(d->img_size[2]));
}

/* Lanes count through a box that may be larger than the image. */
static void plan_coordinates(struct draw *d)
{
    u32 axes = gen_image_axes(d->img_type), n = axes + gen_image_has_layers(d->img_type),
        wide[COORDS] = { 0 };
    u64 how = rng_u64(&d->rng);
    bool far = rng_one_in(&d->rng, 3);
    for (u32 i = 0; i < n; i++) {
        u32 size = d->img_size[axes == 1 && i == 1 ? 2 : i];
        wide[i] = size + rng_below(&d->rng, 2);
    }
    if (n == 1 || rng_one_in(&d->rng, 4))
        wide[n - 1] = LANES;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 slot = (lane * ((u32)how | 1) + (u32)(how >> 8)) & 63;
        for (u32 i = 0; i < COORDS; i++) {
            bool last = i + 1 == n;
            d->coord[i][lane] = i >= n ? 0 : last ? slot : slot % wide[i];
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
    d->sample_texels = d->r.has_samplers && rng_one_in(&d->rng, 4);
    for (u32 i = 0; i < RESOURCES; i++) {
        struct img_plan *g = &d->img[i];
        plan_format(d, g, i == RES_RW);
        g->bytes = i == RES_RW ? REGION_BYTES : RO_BYTES;
        g->pitch = (u16)pitch_of(g);
        if (rng_one_in(&d->rng, 4) && rows_of(g) > 1)
            g->pitch = (u16)(g->pitch * 2);
    }
    plan_size(d);
    plan_coordinates(d);
}

void gen_image_words(const struct draw *d, u32 which, u64 base, u32 word[8])
{
    const struct img_plan *g = &d->img[which];
    memset(word, 0, 8 * sizeof *word);
    word[0] = (u32)(base >> 8);
    word[1] = (u32)(base >> 40) | (u32)g->dfmt << 20 | (u32)g->nfmt << 26;
    word[2] = (d->img_size[0] - 1) | (d->img_size[1] - 1) << 14;
    word[3] = g->dst_sel | (u32)d->img_type << 28;
    word[4] = (d->img_size[2] - 1) | (g->pitch - 1u) << 13;
    if (!gen_target_has(d, FEATUREBIT_TILE_MODES))
        return;
    word[3] |= TILE_MODE_LINEAR << 20;
    word[5] = gen_image_has_layers(d->img_type) ? (d->img_size[2] - 1) << 13 : 0;
}

/* ---- instructions ---- */

/* Which of four values there are: what is said of axes that an image does not have is not
 * stated. */
static u32 draw_info_mask(struct draw *d)
{
    u32 axes = gen_image_axes(d->img_type),
        has = axes == 1                 ? 9
              : d->img_type == IMAGE_2D ? 11
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
    insn_set(in, FLD_da, gen_image_has_layers(d->img_type));
    if (insn_has(in, FLD_d16))
        insn_set(in, FLD_d16, half);
    insn_set(in, FLD_slc, rng_one_in(&d->rng, 16));
    insn_set(in, FLD_glc, rng_one_in(&d->rng, row->flags & FLAG_ATOMIC ? 2 : 8));
    if (sampled) {
        gen_set_sample(d, in);
        return true;
    }
    insn_set(in, FLD_dmask, info ? draw_info_mask(d) : draw_dmask(d, row, &d->img[which]));
    insn_set(in, FLD_vaddr, info ? d->r.vimage + COORDS - 1u : d->r.vimage);
    insn_set(in, FLD_unorm, rng_one_in(&d->rng, 2));
    if (may_be_short(row) && insn_has(in, FLD_a16))
        insn_set(in, FLD_a16, rng_one_in(&d->rng, 8));
    return true;
}
