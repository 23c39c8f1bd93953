/* What all image rows share: resources (T#), places of texels, registers. What a resource can describe
 * and is not modelled stops by name. Vega ISA, section 8.2. For img.c and sample.c. */
#ifndef ORACLE_SEM_MEM_IMAGE_H
#define ORACLE_SEM_MEM_IMAGE_H

#include "oracle/sem/mem/tile.h"

enum { COORDS_MAX = 4 };

/* Other readings of image rows, as the bits of wave_takes. */
enum {
    TAKE_SATURATED = ALT_VALUE, /* integers that are too wide saturate */
    TAKE_UNSIGNED = ALT_VALUE2, /* offsets have no sign */
    TAKE_HIGHEST = ALT_PRODUCT  /* the level of _cl is the highest, not the lowest */
};

/* A level: its size in texels, and the row of each layer where it begins. */
struct mip {
    u32 size[3]; /* x, y, and z or layers; 1 where the type has none */
    u32 row;
    struct tile_level tile; /* in place of the row, if the image is not linear */
};

/* An image resource and what of an instruction is the same for all lanes. */
struct image {
    u64 base;
    u32 size[3];      /* of level 0 of the resource, as in struct mip; layers from the first on */
    u32 layer;        /* of the resource that is the first of what is seen */
    u32 first;        /* level of the resource that is level 0 of what is seen */
    u32 levels;       /* that are seen */
    bool has_levels;  /* more than one, seen or not */
    u32 rows;         /* of a layer, all levels */
    u32 pitch;        /* texels from row to row */
    struct tile tile; /* in place of these two */
    enum image_type type;
    const struct data_format *data; /* without components: no image, reads 0 */
    enum num_format num;
    u32 dst_sel; /* 3 bits for each component */
    u32 dmask;
    bool tile_modes; /* the resource is that of gfx8 */
    bool half;       /* data are 16 bits, two to a register unless it is unpacked */
    bool unpacked;
    bool a16;                     /* coordinates are 16 bits, two to a register */
    bool layers;                  /* the coordinates hold a layer */
    struct mip top;               /* level 0 of what is seen */
    const u32 *coord[COORDS_MAX]; /* registers from the address on, 64 lanes each */
};

/* Whether coordinates may hold a layer, or a face. */
static inline bool has_layers(enum image_type type)
{
    return type == IMAGE_CUBE || type == IMAGE_1D_ARRAY || type == IMAGE_2D_ARRAY;
}

/* How many coordinates a texel has beside its layer, 1 to 3. */
static inline u32 image_axes(enum image_type type)
{
    return type == IMAGE_1D || type == IMAGE_1D_ARRAY ? 1 : type == IMAGE_3D ? 3 : 2;
}

/* ---- resources ---- */

/* The same of a resource that names an entry of that table. Its layers end where it says. */
static inline const char *unmodelled_tile_mode(const u32 *r)
{
    u32 first = bits32(r[5], 0, 13), last = bits32(r[5], 13, 13);
    bool layers = has_layers((enum image_type)(r[3] >> 28));
    if (bits32(r[3], 20, 5) != TILE_MODE_LINEAR)
        return "a tiled image";
    if (bits32(r[3], 12, 8))
        return "a level behind the first";
    if (layers && last < first)
        return "layers that the image does not have";
    return bits32(r[6], 21, 1) ? "a compressed image" : NULL;
}

/* What of the resource's eight dwords is not modelled, or NULL. */
static inline const char *unmodelled_surface(const struct image *g, const u32 *r)
{
    u32 type = r[3] >> 28, first = bits32(r[3], 12, 4), last = bits32(r[3], 16, 4);
    if (type < IMAGE_1D)
        return "a resource that is no image";
    if (type > IMAGE_2D_ARRAY)
        return "a multisampled image";
    if (g->tile_modes)
        return unmodelled_tile_mode(r);
    if (first > last || last > r[5] >> 28)
        return "levels that the image does not have";
    if (bits32(r[6], 21, 1))
        return "a compressed image";
    if (bits32(r[5], 13, 4))
        return "an array pitch";
    if (type != IMAGE_3D && bits32(r[5], 0, 13) > bits32(r[4], 0, 13))
        return "layers that the image does not have";
    return NULL;
}

/* The same of its format; `g` has its pitch already. */
static inline const char *unmodelled_format(const struct image *g, u32 dfmt, u32 nfmt)
{
    if (dfmt > DATA_FORMAT_LAST || dfmt == 15 || (nfmt > NUM_FLOAT && nfmt != NUM_SRGB))
        return "an image format of its own";
    for (u32 i = 0; i < g->data->count; i++)
        if (!num_format_fits(g->data->bits[i], g->num))
            return "a number format that does not fit the data";
    if (!g->tile.block && g->pitch * g->data->bytes % LINEAR_ROW)
        return "an image whose rows are no multiple of 256 bytes";
    return NULL;
}

/* The same of the instruction. */
static inline const char *unmodelled_access(const struct xinsn *in, const struct image *g)
{
    if (insn_get(&in->insn, FLD_lwe))
        return "a warning about its level";
    if (g->dmask == 0)
        return "an empty dmask";
    return g->type == IMAGE_3D && g->layers ? "layers of a 3D image" : NULL;
}

/* A level of what is seen. All levels of a layer have the same pitch and stand below each other,
 * each half as high as the one before, rounded up; their sizes are rounded down. */
static inline struct mip image_mip(const struct image *g, u32 level)
{
    enum { LEVEL_MOST = 15 };
    struct mip m = { .row = 0 };
    u32 height = g->size[1], n = level < LEVEL_MOST ? g->first + level : LEVEL_MOST;
    for (u32 i = 0; i < n; i++) {
        m.row += height;
        height = (height + 1) / 2;
    }
    for (u32 i = 0; i < 3; i++) {
        bool shrinks = i < 2 || g->type == IMAGE_3D;
        m.size[i] = shrinks ? g->size[i] >> n : g->size[i];
        m.size[i] += m.size[i] == 0;
    }
    if (g->tile.block && g->has_levels)
        m.tile = tile_level(&g->tile, n);
    return m;
}

/* Where levels and layers stand. With several levels the field of the pitch holds the rows of a
 * layer, and the pitch follows from the width. What is not modelled, or NULL. */
static inline const char *image_arrange(const struct wave *w, struct image *g, const u32 *r)
{
    u32 field = bits32(r[4], 13, g->tile_modes ? 14 : 16) + 1;
    u32 last = g->tile_modes ? 0 : r[5] >> 28, mode = g->tile_modes ? 0 : bits32(r[3], 20, 5);
    g->first = bits32(r[3], 12, 4);
    g->levels = bits32(r[3], 16, 4) - g->first + 1;
    g->has_levels = last > 0;
    g->pitch = field;
    g->rows = g->size[1];
    if (mode) {
        const char *what = tile_open(&g->tile, mode, g->type, g->size, (u32)g->data->bytes,
                                     last + 1, field, w->mem->addr_config);
        g->top = image_mip(g, 0);
        return what;
    }
    if (last > 0) {
        u32 row = g->data->bytes ? LINEAR_ROW / (u32)g->data->bytes : 1, height = g->size[1];
        g->pitch = (g->size[0] + row - 1) / row * row;
        for (u32 i = 0; i < last; i++) {
            height = (height + 1) / 2;
            g->rows += height;
        }
        if (g->rows != field)
            return "levels in another arrangement";
    }
    g->top = image_mip(g, 0);
    return NULL;
}

/* Stops the wave: the opcode with `what` is not modelled. */
static inline void refuse(struct wave *w, const struct xinsn *in, const char *what)
{
    wave_unmodelled(w, "%s with %s is not modelled", insn_row(&in->insn)->name, what);
}

/* The resource of an instruction; false if the wave has stopped at it. */
static inline bool image_open(struct wave *w, const struct xinsn *in, struct image *g)
{
    const u32 *r = &w->sgpr[in->opnd[SLOT_BASE].code];
    u32 dfmt = bits32(r[1], 20, 6), nfmt = bits32(r[1], 26, 4), first = bits32(r[5], 0, 13);
    bool tile_modes = isa_target_has(w->isa->target, FEATUREBIT_TILE_MODES);
    bool flat = has_layers((enum image_type)(r[3] >> 28));
    u32 last = tile_modes && flat ? bits32(r[5], 13, 13) : bits32(r[4], 0, 13);
    *g = (struct image){ .base = (r[0] | (u64)(r[1] & 0xff) << 32) << 8,
                         .size = { bits32(r[2], 0, 14) + 1, bits32(r[2], 14, 14) + 1,
                                   last - first + 1 },
                         .layer = first,
                         .tile_modes = tile_modes,
                         .type = (enum image_type)(r[3] >> 28),
                         .data = data_format(dfmt),
                         .num = (enum num_format)nfmt,
                         .dst_sel = r[3] & mask32(12),
                         .dmask = insn_get(&in->insn, FLD_dmask),
                         .half = insn_get(&in->insn, FLD_d16),
                         .unpacked = !in->insn.packed_d16,
                         .a16 = insn_get(&in->insn, FLD_a16),
                         .layers = insn_get(&in->insn, FLD_da) };
    u32 vaddr = in->opnd[SLOT_ADDR].code - CODE_VGPR;
    for (u32 i = 0; i < COORDS_MAX; i++)
        g->coord[i] = w->vgpr[(vaddr + i) % VGPRS];
    if (image_axes(g->type) == 1)
        g->size[1] = 1;
    if (g->type == IMAGE_3D) { /* ERRATA(MIMG-U22): a first layer means nothing */
        g->size[2] += g->layer;
        g->layer = 0;
    }
    if (insn_get(&in->insn, FLD_tfe))
        w->raised = 0;
    const char *what = dfmt ? unmodelled_surface(g, r) : NULL;
    if (!what && dfmt)
        what = image_arrange(w, g, r);
    if (!what && dfmt)
        what = unmodelled_format(g, dfmt, nfmt);
    if (!what)
        what = unmodelled_access(in, g);
    if (what)
        refuse(w, in, what);
    return !what;
}

/* ---- texels ---- */

/* The address of a texel inside a level; coordinates as in struct mip. */
static inline u64 texel_addr(const struct image *g, const struct mip *m, const u32 c[3])
{
    u64 row = ((u64)c[2] + g->layer) * g->rows + m->row + c[1];
    if (g->tile.block) {
        const u32 at[3] = { c[0], c[1], c[2] + g->layer };
        return sext64(tile_addr(&g->tile, &m->tile, at, g->base), 48);
    }
    return sext64(g->base + (row * g->pitch + c[0]) * g->data->bytes, 48);
}

/* The bytes of a texel, 1 to 16, the first in the low bits of part[0]. */
static inline void raw_read(struct wave *w, u32 lane, u64 addr, u32 bytes, u64 part[2])
{
    part[0] = part[1] = 0;
    for (u32 at = 0; at < bytes; at += 4)
        part[at / 8] |= mem_read(w, SPACE_GLOBAL, lane, addr + at, bytes < 4 ? bytes : 4)
                        << at % 8 * 8;
}

/* Of sRGB the first three components are coded, the fourth is not. */
static inline enum num_format component_num(const struct image *g, u32 i)
{
    return g->num == NUM_SRGB && i == 3 ? NUM_UNORM : g->num;
}

/* What dst_sel's 1 and a missing fourth component are to a shader. */
static inline u32 number_one(const struct image *g)
{
    if (g->num == NUM_UINT || g->num == NUM_SINT)
        return 1;
    return g->half ? 0x3c00 : 0x3f800000;
}

/* ---- registers ---- */

/* The lanes of register number i of an operand. */
static inline u32 *data_row(struct wave *w, const struct xop *o, u32 i)
{
    return w->vgpr[(o->code - CODE_VGPR + i) % VGPRS];
}

/* Result rows to consecutive registers. All memory is resident, so that tfe has nothing to tell:
 * the register behind the data stays. */
static inline void put_rows(struct wave *w, const struct xinsn *in, const struct xop *o, u32 dw,
                            u32 (*out)[LANES])
{
    if (insn_get(&in->insn, FLD_tfe) && w->raised & TRAPSTS_MEM_VIOL) {
        refuse(w, in, "tfe outside memory");
        return;
    }
    for (u32 i = 0; i < dw; i++) {
        u32 *row = data_row(w, o, i);
        wlog_reg(w, CODE_VGPR + (u32)(o->code - CODE_VGPR + i) % VGPRS, row, LANES);
        put32(row, out[i], wave_exec(w));
    }
}

/* Components that are returned to registers, `count` of them. An odd half leaves the other half of
 * its register as it is, or with error correction of memory makes it 0: MI100 ISA, section 9.1. */
static inline void put_components(struct wave *w, const struct xinsn *in, const struct image *g,
                                  u32 count, u32 (*out)[LANES])
{
    const struct xop *d = &in->opnd[SLOT_D];
    bool pairs = g->half && !g->unpacked;
    bool keeps = pairs && count % 2 && !isa_clears_half(w->isa);
    for (u32 lane = 0; keeps && lane < LANES; lane++)
        out[count / 2][lane] |= data_row(w, d, count / 2)[lane] & 0xffff0000;
    put_rows(w, in, d, pairs ? (count + 1) / 2 : count, out);
}

/* Puts component number n of those that are returned into a lane. */
static inline void put_component(const struct image *g, u32 (*out)[LANES], u32 lane, u32 n, u32 v)
{
    if (!g->half || g->unpacked)
        out[n][lane] = v;
    else if (n % 2 == 0)
        out[n / 2][lane] = v;
    else
        out[n / 2][lane] |= v << 16;
}

#endif
