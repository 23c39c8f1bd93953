#include "harness/launch/file/image.h"

#include "oracle/fp/format.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SURFACE_MAX = 1 << 30 /* bytes */ };

/* No enum image_type: a buffer's descriptor is another table. */
enum { RESOURCE_BUFFER = 0 };

struct launch_image_kind {
    const char *word, *usage;
    u32 resource;
    u32 sizes;  /* how many the line gives */
    u32 max[3]; /* of each */
};

static const struct launch_image_kind kinds[] = {
    { "image1d", "W", IMAGE_1D, 1, { IMAGE_SIDE_MAX } },
    { "image1d_array", "W LAYERS", IMAGE_1D_ARRAY, 2, { IMAGE_SIDE_MAX, IMAGE_LAYERS_MAX } },
    { "image1d_buffer", "W", RESOURCE_BUFFER, 1, { IMAGE_BUFFER_MAX } },
    { "image2d", "W H", IMAGE_2D, 2, { IMAGE_SIDE_MAX, IMAGE_SIDE_MAX } },
    { "image2d_array",
      "W H LAYERS",
      IMAGE_2D_ARRAY,
      3,
      { IMAGE_SIDE_MAX, IMAGE_SIDE_MAX, IMAGE_LAYERS_MAX } },
    { "image3d", "W H D", IMAGE_3D, 3, { IMAGE_SIDE_MAX, IMAGE_SIDE_MAX, IMAGE_LAYERS_MAX } },
};

/* Which component of memory a kernel sees as red, green, blue and alpha, as the manual's dst_sel:
 * 0 and 1 are constants, 4 to 7 the components. */
struct launch_image_order {
    const char *word;
    u32 hsa, components;
    u8 see[4];
};

static const struct launch_image_order orders[] = {
    { "a", 0, 1, { 0, 0, 0, 4 } },          { "r", 1, 1, { 4, 0, 0, 1 } },
    { "rg", 3, 2, { 4, 5, 0, 1 } },         { "ra", 5, 2, { 4, 0, 0, 5 } },
    { "rgba", 8, 4, { 4, 5, 6, 7 } },       { "bgra", 9, 4, { 6, 5, 4, 7 } },
    { "argb", 10, 4, { 5, 6, 7, 4 } },      { "abgr", 11, 4, { 7, 6, 5, 4 } },
    { "intensity", 16, 1, { 4, 4, 4, 4 } }, { "luminance", 17, 1, { 4, 4, 4, 1 } },
    { "depth", 18, 1, { 4, 0, 0, 1 } },
};

struct launch_image_type {
    const char *word;
    u32 hsa, bytes, num_format;
};

static const struct launch_image_type types[] = {
    { "snorm8", 0, 1, 1 }, { "snorm16", 1, 2, 1 }, { "unorm8", 2, 1, 0 }, { "unorm16", 3, 2, 0 },
    { "i8", 8, 1, 5 },     { "i16", 9, 2, 5 },     { "i32", 10, 4, 5 },   { "u8", 11, 1, 4 },
    { "u16", 12, 2, 4 },   { "u32", 13, 4, 4 },    { "f16", 14, 2, 7 },   { "f32", 15, 4, 7 },
};

/* --- reading --- */

static const struct launch_image_kind *kind_of(const char *word)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(word, kinds[i].word) == 0)
            return &kinds[i];
    return NULL;
}

bool launch_image_is(const char *word)
{
    return kind_of(word);
}

static enum status parse_size(const char *s, u32 max, u32 *out, struct err *e)
{
    char *end;
    unsigned long v = *s >= '0' && *s <= '9' ? strtoul(s, &end, 10) : 0;
    if (v == 0 || *end || v > max)
        return err_set(e, ST_INPUT, "size '%.40s' is not a number from 1 to %u", s, max);
    *out = (u32)v;
    return ST_OK;
}

static enum status parse_format(struct launch_image *g, const char *order, const char *type,
                                struct err *e)
{
    for (size_t i = 0; i < COUNT_OF(orders); i++)
        if (strcmp(order, orders[i].word) == 0)
            g->order = &orders[i];
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strcmp(type, types[i].word) == 0)
            g->type = &types[i];
    if (!g->order)
        return err_set(e, ST_INPUT,
                       "channel order '%.40s' is none of a, r, rg, ra, rgba, bgra, argb, abgr, "
                       "intensity, luminance, depth",
                       order);
    if (!g->type)
        return err_set(e, ST_INPUT,
                       "channel type '%.40s' is none of snorm8, snorm16, unorm8, unorm16, i8, i16, "
                       "i32, u8, u16, u32, f16, f32",
                       type);
    return ST_OK;
}

enum status launch_image_parse(struct launch_image *g, char *const *words, u32 count, u32 *used,
                               struct err *e)
{
    const struct launch_image_kind *k = kind_of(words[0]);
    u32 sizes = k->sizes;
    *used = sizes + 3;
    *g = (struct launch_image){ .kind = k, .size = { 1, 1, 1 } };
    if (count < *used + 1)
        return err_set(e, ST_INPUT,
                       "expected: %s %s ORDER TYPE, then buf FILE, out FILE CHECK, inout INIT FILE "
                       "CHECK or tmp",
                       k->word, k->usage);
    u32 given[3] = { 1, 1, 1 };
    enum status st = ST_OK;
    for (u32 i = 0; i < sizes && st == ST_OK; i++)
        st = parse_size(words[1 + i], k->max[i], &given[i], e);
    if (st == ST_OK)
        st = parse_format(g, words[1 + sizes], words[2 + sizes], e);
    if (st != ST_OK)
        return st;
    bool layers_of_rows = k->resource == IMAGE_1D_ARRAY;
    g->size[0] = given[0];
    g->size[1] = layers_of_rows ? 1 : given[1];
    g->size[2] = layers_of_rows ? given[1] : given[2];
    g->component = g->type->bytes;
    g->row = (u64)g->size[0] * g->order->components * g->component;
    g->pitch = k->resource == RESOURCE_BUFFER ? g->row
                                              : (g->row + LINEAR_ROW - 1) / LINEAR_ROW * LINEAR_ROW;
    g->rows = (u64)g->size[1] * g->size[2];
    if (g->pitch * g->rows > SURFACE_MAX)
        return err_set(e, ST_INPUT, "an image of %" PRIu64 " bytes: %d are possible",
                       g->pitch * g->rows, SURFACE_MAX);
    return ST_OK;
}

void launch_image_spread(const struct launch_image *g, const u8 *file, u8 *memory)
{
    for (u64 i = 0; i < g->rows; i++)
        memcpy(memory + i * g->pitch, file + i * g->row, g->row);
}

void launch_image_gather(const struct launch_image *g, const u8 *memory, u8 *file)
{
    for (u64 i = 0; i < g->rows; i++)
        memcpy(file + i * g->row, memory + i * g->pitch, g->row);
}

/* --- descriptors --- */

/* The manual's data format of 1, 2 or 4 equal components. */
static u32 data_format_of(const struct launch_image *g)
{
    static const u8 codes[3][3] = { { 1, 3, 10 }, { 2, 5, 12 }, { 4, 11, 14 } };
    return codes[g->component / 2][g->order->components / 2];
}

static u32 destination_select(const struct launch_image *g)
{
    const u8 *see = g->order->see;
    return see[0] | (u32)see[1] << 3 | (u32)see[2] << 6 | (u32)see[3] << 9;
}

/* Dwords 3 and 5 as processors before gfx9 have them besides. */
static void put_tile_mode(const struct launch_image *g, u32 *out)
{
    bool layers = g->kind->resource == IMAGE_1D_ARRAY || g->kind->resource == IMAGE_2D_ARRAY;
    out[3] |= (u32)TILE_MODE_LINEAR << 20;
    out[5] = layers ? (g->size[2] - 1) << 13 : 0;
}

void launch_image_descriptor(const struct launch_image *g, const struct isa_target *target,
                             u64 address, u32 out[DESCRIPTOR_DW])
{
    u32 texel = g->order->components * g->component;
    u32 dfmt = data_format_of(g), nfmt = g->type->num_format;
    memset(out, 0, DESCRIPTOR_DW * sizeof *out);
    if (g->kind->resource == RESOURCE_BUFFER) {
        out[0] = (u32)address;
        out[1] = (u32)(address >> 32) | texel << 16;
        bool bytes = target && isa_target_has(target, FEATUREBIT_BYTE_RECORDS);
        out[2] = g->size[0] * (bytes ? texel : 1);
        out[3] = destination_select(g) | nfmt << 12 | dfmt << 15;
    } else {
        out[0] = (u32)(address >> 8);
        out[1] = (u32)(address >> 40) | dfmt << 20 | nfmt << 26;
        out[2] = (g->size[0] - 1) | (g->size[1] - 1) << 14;
        out[3] = destination_select(g) | g->kind->resource << 28;
        out[4] = (g->size[2] - 1) | (u32)(g->pitch / texel - 1) << 13;
        if (target && isa_target_has(target, FEATUREBIT_TILE_MODES))
            put_tile_mode(g, out);
    }
    out[8] = g->type->hsa;
    out[9] = g->order->hsa;
    out[10] = g->size[0];
}

/* --- samplers --- */

struct word_code {
    const char *word;
    u32 value;
};

static enum status choose(const struct word_code *c, size_t count, const char *word,
                          const char *what, u32 *out, struct err *e)
{
    for (size_t i = 0; i < count; i++) {
        *out = c[i].value;
        if (strcmp(word, c[i].word) == 0)
            return ST_OK;
    }
    return err_set(e, ST_INPUT, "'%.40s' is none of %s", word, what);
}

enum status launch_sampler_parse(struct launch_sampler *s, char *const *words, struct err *e)
{
    static const struct word_code filters[] = { { "nearest", 0 }, { "linear", 1 } };
    static const struct word_code clamps[] = {
        { "none", 6 }, { "clamp", 6 }, { "clamp_to_edge", 2 }, { "repeat", 0 }, { "mirrored", 1 }
    };
    static const struct word_code coordinates[] = { { "normalized", 0 }, { "unnormalized", 1 } };
    enum { COMPARE_EQUAL_OR_LESS = 3 };
    u32 filter, clamp, unnormalized;
    enum status st = choose(filters, COUNT_OF(filters), words[0], "nearest, linear", &filter, e);
    if (st == ST_OK)
        st = choose(clamps, COUNT_OF(clamps), words[1],
                    "none, clamp, clamp_to_edge, repeat, mirrored", &clamp, e);
    if (st == ST_OK)
        st = choose(coordinates, COUNT_OF(coordinates), words[2], "normalized, unnormalized",
                    &unnormalized, e);
    if (st != ST_OK)
        return st;
    /* As the device libraries make samplers that are constants of a program: no cube wrap, every
     * level, no anisotropy where there is one level; the border is transparent black. */
    s->dw[0] = clamp | clamp << 3 | clamp << 6 | COMPARE_EQUAL_OR_LESS << 12 | unnormalized << 15 |
               1u << 28;
    s->dw[1] = 0xfffu << 12;
    s->dw[2] = filter << 20 | filter << 22 | 1u << 31;
    s->dw[3] = 0;
    return ST_OK;
}
