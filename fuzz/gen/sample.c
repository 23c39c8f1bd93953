/* Images with a sampler: its words, and addresses of numbers. What filters make of texels is known
 * within a tolerance only, which results that go on in a program would lose: samplers take the
 * nearest texel, coordinates lie in the middle of texels, and levels are whole. From lane to lane
 * of a quad coordinates move by a power of two, so that levels that follow from it are whole, too.
 * Vega ISA, section 8.2.4. */
#include "fuzz/gen/internal.h"

#include "oracle/fp/format.h"
#include "oracle/fp/fp.h"
#include "oracle/insn/insn.h"

/* The registers: twice what may stand before the coordinates, in the second with slopes, then
 * the coordinates, of which the last is a level. */
enum {
    BEFORE = 3,
    SLOPES = 6,
    PLAIN_COORDS = BEFORE,
    SECOND = BEFORE + COORDS,
    SLOPE_COORDS = SECOND + BEFORE + SLOPES,
};
_Static_assert(SLOPE_COORDS + COORDS == SAMPLE_REGS, "registers of sampled coordinates");

enum { CLAMP_MODES = 8, EDGE = 2, BORDER = 6, HALF_BORDER = 4, MIP_POINT = 1 };

bool gen_is_sampled(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == K_RSRC && o->field == FLD_ssamp)
            return true;
    return false;
}

/* Values in front of the coordinates: offsets, a bias and a value to compare with, each register
 * good for all of them. */
static u32 draw_before(struct draw *d)
{
    static const u32 number[8] = { 0,          0x3f000000, 0x3e800000, 0xbf000000,
                                   0x3f400000, 0x3f800000, 0x40000000, 0x3f600000 };
    u32 v = number[rng_below(&d->rng, 8)], x = rng_below(&d->rng, 4), y = rng_below(&d->rng, 4);
    return v | x | y << 8;
}

void gen_sampler_words(struct draw *d, u32 word[4])
{
    memset(word, 0, 4 * sizeof *word);
    for (u32 i = 0; i < 3; i++) {
        u32 mode = rng_below(&d->rng, CLAMP_MODES);
        if (mode == HALF_BORDER || mode == HALF_BORDER + 1)
            mode = BORDER;
        if (d->sample_texels) /* what a wrap of them is, is open */
            mode = rng_one_in(&d->rng, 2) ? EDGE : BORDER;
        word[0] |= mode << i * 3;
    }
    word[0] |= rng_below(&d->rng, 8) << 12 | (u32)d->sample_texels << 15;
    word[1] = 0xfffu << 12;
    word[2] = MIP_POINT << 26;
    word[3] = rng_below(&d->rng, 3) << 30;
}

/* The middle of texel `at`, which may lie outside, as f32. Sizes are powers of two. */
static u32 middle_of(const struct draw *d, i32 at, u32 size)
{
    struct fp_env env = { .round = ROUND_EVEN };
    u32 v = fadd32(&env, cvt_f32_i32(&env, (u32)at), 0x3f000000);
    return d->sample_texels ? v : fldexp32(&env, v, -(i32)ctz32(size));
}

static void draw_coordinates(struct draw *d, u32 *reg[COORDS])
{
    u32 axes = gen_image_axes(d->img_type), layers = gen_image_has_layers(d->img_type);
    u32 step[2], quad[3];
    bool far = rng_one_in(&d->rng, 4);
    for (u32 i = 0; i < 2; i++)
        step[i] = rng_below(&d->rng, 3);
    for (u32 lane = 0; lane < LANES; lane++) {
        for (u32 i = 0; i < 3 && lane % 4 == 0; i++)
            quad[i] = rng_below(&d->rng, 2 * d->img_size[axes == 1 && i == 1 ? 2 : i]);
        for (u32 i = 0; i < axes; i++) {
            i32 at = (i32)(quad[i] + (i < 2 ? (lane >> i & 1) << step[i] : 0u));
            if (far)
                at -= (i32)d->img_size[i];
            reg[i][lane] = middle_of(d, at, d->img_size[i]);
        }
        struct fp_env env = { .round = ROUND_EVEN };
        for (u32 i = axes; i < COORDS; i++)
            reg[i][lane] = i == axes && layers ? cvt_f32_u32(&env, quad[i == 1 ? 1 : 2])
                                               : cvt_f32_u32(&env, quad[0] & 3);
    }
}

void gen_put_samples(struct draw *d, u32 *reg[SAMPLE_REGS])
{
    for (u32 lane = 0; lane < LANES; lane++)
        for (u32 i = 0; i < SAMPLE_REGS; i++)
            reg[i][lane] = draw_before(d);
    draw_coordinates(d, &reg[PLAIN_COORDS]);
    /* The axes' slopes stand close before the coordinates. A slope is that of a whole quad. */
    for (u32 i = 0; i < SLOPES; i++) {
        for (u32 lane = 0; lane < LANES; lane++)
            reg[SECOND + BEFORE + i][lane] = lane % 4 ? reg[SECOND + BEFORE + i][lane - 1]
                                                      : (61u << 24) + (rng_below(&d->rng, 4) << 23);
    }
    for (u32 i = 0; i < COORDS; i++)
        memcpy(reg[SLOPE_COORDS + i], reg[PLAIN_COORDS + i], LANES * sizeof(u32));
}

bool gen_sample_takes_type(const struct draw *d, const struct isa_row *row)
{
    bool flat = d->img_type == IMAGE_2D || d->img_type == IMAGE_2D_ARRAY;
    return row->operand[0].kind == K_GATHER ? flat : d->img_type != IMAGE_CUBE;
}

bool gen_sample_suits(const struct draw *d, const struct isa_row *row, const struct img_plan *g,
                      bool half)
{
    bool gathers = row->operand[0].kind == K_GATHER;
    bool whole = g->nfmt == NUM_UINT || g->nfmt == NUM_SINT;
    if (row->flags & FLAG_REFERENCE && (whole || g->nfmt == NUM_FLOAT || !g->is_plain))
        return false; /* a NaN would be compared */
    return gen_sample_takes_type(d, row) && !(gathers && half) &&
           gen_is_exact(g->dfmt, g->nfmt, half ? LOADS_16 : LOADS_32);
}

/* How many registers stand before slopes and coordinates. */
static u32 count_before(const struct isa_row *row)
{
    return (row->flags & FLAG_OFFSETS ? 1u : 0u) + (row->flags & FLAG_BIAS ? 1u : 0u) +
           (row->flags & FLAG_REFERENCE ? 1u : 0u);
}

void gen_set_sample(struct draw *d, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 slopes = row->flags & FLAG_GRADIENT ? 2 * gen_image_axes(d->img_type) : 0;
    u32 coords = slopes ? SLOPE_COORDS : PLAIN_COORDS, dmask = 1 + rng_below(&d->rng, 15);
    if (row->operand[0].kind == K_GATHER)
        dmask = 1u << rng_below(&d->rng, 4);
    if (row->flags & FLAG_IMAGE_INFO)
        dmask = 1 + rng_below(&d->rng, 3);
    if (row->flags & FLAG_REFERENCE)
        dmask = 1;
    insn_set(in, FLD_dmask, dmask);
    insn_set(in, FLD_vaddr, d->r.vsample + coords - slopes - count_before(row));
    insn_set(in, FLD_ssamp, d->r.sampler / 4u);
    insn_set(in, FLD_unorm, d->sample_texels);
}
