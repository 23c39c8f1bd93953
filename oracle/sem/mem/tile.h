/* Where a texel of an image of gfx9 that is not linear stands. Its texels fill blocks of 256 bytes, 4
 * or 64 KiB, which stand in rows. In a block, the bits of an offset are bits of the coordinates, in
 * an order that the swizzle mode names; in modes with XOR, those that choose a pipe and a bank of the
 * memory are mixed with higher ones. For image.h. ERRATA(MIMG-U21): no manual says more than the
 * names. */
#ifndef ORACLE_SEM_MEM_TILE_H
#define ORACLE_SEM_MEM_TILE_H

#include "oracle/fp/format.h"
#include "oracle/sem/sem.h"

/* The last two bits of a swizzle mode. */
enum tile_order { TILE_Z, TILE_STANDARD, TILE_DISPLAY, TILE_ROTATED };

enum {
    TILE_INTERLEAVE = 8, /* log2 of the bytes that one pipe has in a row */
    TILE_TAIL = 20       /* log2 of the block in whose half the largest level of a tail would be */
};

/* What is said of a whole image; of sizes, logarithms, but for those in blocks. */
struct tile {
    u8 block;   /* bytes of one */
    u8 texel;   /* bytes of one */
    u8 order;   /* enum tile_order */
    u8 side[3]; /* texels of a block along x, y, z */
    bool is_thick;
    bool xors;       /* pipe and bank are mixed */
    bool is_prt;     /* with what is inside the block alone */
    u8 pipe, bank;   /* bits that choose them, of those of a block */
    u32 pitch, rows; /* blocks of a row, rows of a slice, with all levels */
    u32 size[3];     /* blocks of level 0 */
    bool in_tail;    /* level 0 is in the block of the small levels */
};

/* Where a level begins: its first block, or the bytes before it in the block of the small ones. */
struct tile_level {
    u32 at[3], tail;
};

/* ---- the order in a block ---- */

/* The first bits of an offset that are not inside a texel, of thin and of thick blocks, for texels of
 * 1 to 16 bytes; NULL: there is no such block. */
static inline const char *tile_first(const struct tile *t)
{
    static const char *const thin[][5] = {
        [TILE_Z] = { "x0y0x1y1x2y2", "x0y0x1y1x2", "x0y0x1y1", "x0y0x1", NULL },
        [TILE_STANDARD] = { "x0x1x2x3y0y1y2y3", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0y1x1x2",
                            "y0y1x0x1" },
        [TILE_DISPLAY] = { "x0x1x2y1y0y2x3y3", "x0x1x2y0y1y2x3", "x0x1y0x2y1y2", "x0y0x1x2y1",
                           "x0y0x1y1" },
        [TILE_ROTATED] = { "y0y1y2x1x0x2x3y3", "y0y1y2x0x1x2x3", "y0y1x0y2x1x2", "y0x0y1x1x2",
                           NULL }
    };
    static const char *const thick[][5] = {
        [TILE_Z] = { "x0y0x1y1z0z1x2z2y2x3", "x0y0x1y1z0z1z2y2x2", "x0y0x1z0y1z1y2x2",
                     "x0y0z0x1z1y1x2", "x0y0z0z1y1x1" },
        [TILE_STANDARD] = { "x0x1x2x3y0y1z0z1z2y2", "x0x1x2y0y1z0z1z2y2", "x0x1y0y1z0z1y2x2",
                            "x0y0y1z0z1x1x2", "y0y1z0z1x0x1" }
    };
    return t->is_thick ? thick[t->order][t->texel] : thin[t->order][t->texel];
}

/* Which axis bit number `bit` of an offset is of behind those: they take turns. */
static inline u32 tile_turn(const struct tile *t, u32 bit)
{
    static const u8 thick[] = { 0, 2, 1 };
    return t->is_thick ? thick[bit % 3] : bit % 2 ? 0 : 1;
}

/* Bits of coordinates as bits of an offset, up to bit `end`; how many of each axis there are, too. */
static inline u64 tile_mix(const struct tile *t, const u32 c[3], u32 end, u8 taken[3])
{
    const char *first = tile_first(t);
    u64 offset = 0;
    memset(taken, 0, 3);
    for (u32 bit = t->texel; bit < end; bit++) {
        u32 axis = *first ? (u32)(first[0] - 'x') : tile_turn(t, bit);
        u32 n = *first ? (u32)(first[1] - '0') : taken[axis];
        first += *first ? 2 : 0;
        taken[axis]++;
        offset |= (u64)(c[axis] >> n & 1) << bit;
    }
    return offset;
}

/* `bits` bits from `at` on, mixed with those behind them in the other order; two of these with one in
 * thick blocks. */
static inline u64 tile_fold(u64 offset, u32 at, u32 bits, bool is_thick)
{
    u64 mix = 0;
    for (u32 i = 0; i < bits; i++) {
        u32 from = is_thick ? at + 3 * bits - 1 - 2 * i : at + 2 * bits - 1 - i;
        u64 other = offset >> from ^ (is_thick ? offset >> (from - 1) : 0);
        mix |= (other & 1) << (at + i);
    }
    return mix;
}

static inline u32 tile_reversed(u32 x, u32 bits)
{
    u32 r = 0;
    for (u32 i = 0; i < bits; i++)
        r |= (x >> i & 1) << (bits - 1 - i);
    return r;
}

/* The bytes of a texel behind the image's base, which has bits of pipe and bank of its own. */
static inline u64 tile_addr(const struct tile *t, const struct tile_level *l, const u32 c[3],
                            u64 base)
{
    enum { BITS = 40 };
    u8 taken[3];
    u32 bank_at = TILE_INTERLEAVE + t->pipe;
    u64 offset = tile_mix(t, c, BITS, taken), mask = mask64(t->block);
    if (t->is_prt)
        offset &= mask;
    if (t->xors)
        offset ^= tile_fold(offset, TILE_INTERLEAVE, t->pipe, t->is_thick) ^
                  tile_fold(offset, bank_at, t->bank, t->is_thick) ^ (base & mask);
    offset |= l->tail;
    if (t->xors && !t->is_thick && !t->is_prt)
        offset ^= (u64)tile_reversed(c[2], t->pipe) << TILE_INTERLEAVE ^
                  (u64)tile_reversed(c[2] >> t->pipe, t->bank) << bank_at;
    u64 x = (c[0] >> t->side[0]) + l->at[0], y = (c[1] >> t->side[1]) + l->at[1];
    u64 z = (c[2] >> t->side[2]) + l->at[2];
    u64 start = t->xors ? base & ~mask : base;
    return start + (((z * t->rows + y) * t->pitch + x) << t->block) + (offset & mask);
}

/* ---- levels ---- */

static inline u32 tile_half(u32 x)
{
    return (x + 1) / 2;
}

/* The axis along which a block is halved: half of it is a tail's largest level. */
static inline u32 tile_halved(const struct tile *t)
{
    static const u8 thick[] = { 1, 0, 2 };
    return t->is_thick ? thick[t->block % 3] : 0;
}

/* Whether a level of so many texels is in the tail. */
static inline bool tile_is_small(const struct tile *t, const u32 size[3])
{
    u32 axes = t->is_thick ? 3 : 2, halved = tile_halved(t);
    for (u32 i = 0; i < axes; i++)
        if (size[i] > 1u << (t->side[i] - (i == halved)))
            return false;
    return true;
}

/* The axis along which level 1 stands beside level 0, and how levels 2, 4 and later ones go on: the
 * other one. */
static inline u32 tile_major(const struct tile *t)
{
    bool is_high = t->size[0] < t->size[1];
    u32 most = t->size[is_high];
    return t->is_thick && most < t->size[2] ? 2 : is_high;
}

/* The first level that is in the tail, `count` if there is none. */
static inline u32 tile_first_small(const struct tile *t, const u32 size[3], u32 count)
{
    u32 n[3] = { size[0], size[1], size[2] };
    for (u32 level = 0; level < count; level++) {
        if (tile_is_small(t, n))
            return level;
        for (u32 i = 0; i < 3; i++) {
            n[i] = (n[i] + mask32(t->side[i])) >> t->side[i] << t->side[i];
            n[i] = n[i] > 1 ? n[i] / 2 : 1;
        }
    }
    return count;
}

/* Rows and pitch with all levels; `size` is that of level 0 in texels. What the field of the pitch
 * then holds. */
static inline u32 tile_chain(struct tile *t, const u32 size[3], u32 count)
{
    u32 first = tile_first_small(t, size, count), ending = first < count ? first : count - 1;
    t->in_tail = ending == 0;
    if (t->in_tail)
        return t->rows << t->side[1];
    /* Beside: levels of an image that is high stand to its right, those of another below. */
    u32 *grows = tile_major(t) == 1 ? &t->pitch : &t->rows, half = tile_half(*grows);
    *grows += half == 1 && ending > 2 ? 2 : half;
    return tile_major(t) == 1 ? t->pitch << t->side[0] : t->rows << t->side[1];
}

/* Where a level of the image begins. */
static inline struct tile_level tile_level(const struct tile *t, u32 level)
{
    /* Of 256 bytes, behind the half of a block that is as large as TILE_TAIL says. */
    static const u16 tails[] = { 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 6, 5, 4, 3, 2, 1, 0 };
    struct tile_level l = { .tail = 0 };
    u32 n[3] = { t->size[0], t->size[1], t->size[2] }, major = tile_major(t), in_tail = level;
    bool is_in = t->in_tail;
    for (u32 i = 1; i <= level && !is_in; i++) {
        u32 axis = i == 1 || i == 3 ? major != 1 : major;
        l.at[axis] += n[axis];
        u32 halved = tile_halved(t), axes = t->is_thick ? 3 : 2;
        is_in = true; /* of a block or two, by which half of one is behind it */
        for (u32 k = 0; k < axes; k++)
            is_in = is_in && n[k] <= (k == halved ? 1 : 2);
        in_tail = level - i;
        for (u32 k = 0; k < 3; k++)
            n[k] = tile_half(n[k]);
    }
    if (is_in)
        l.tail = (u32)tails[in_tail + TILE_TAIL - t->block] << 8;
    return l;
}

/* ---- from a resource ---- */

/* What a swizzle mode says; false if there is no such mode. */
static inline bool tile_mode(struct tile *t, u32 mode, bool is_volume)
{
    static const u8 blocks[] = { 8, 12, 16, 0, 16, 12, 16, 0 };
    t->block = blocks[mode / 4];
    t->order = mode % 4;
    t->xors = mode >= 16;
    t->is_prt = mode / 4 == 4;
    t->is_thick = is_volume && t->order <= TILE_STANDARD;
    if (is_volume && t->order == TILE_DISPLAY)
        t->order = TILE_STANDARD; /* thin */
    return t->block && !(is_volume && (t->order == TILE_ROTATED || t->block == 8)) &&
           tile_first(t) != NULL;
}

/* The image with this mode, the field of its pitch and GB_ADDR_CONFIG, which is 0 where nobody has
 * said it. What is not modelled, or NULL. */
static inline const char *tile_open(struct tile *t, u32 mode, enum image_type type,
                                    const u32 size[3], u32 bytes, u32 levels, u32 pitch, u32 config)
{
    static const u32 nowhere[3] = { 0 };
    if (!bytes || bytes & (bytes - 1) || type == IMAGE_1D || type == IMAGE_1D_ARRAY)
        return "a tiled image of no such shape";
    *t = (struct tile){ .texel = (u8)ctz64(bytes) };
    if (!tile_mode(t, mode, type == IMAGE_3D))
        return "a reserved swizzle mode";
    if (t->xors && (!config || bits32(config, 3, 3)))
        return "a tiled image over pipes and banks that are not known";
    u32 pipes = bits32(config, 0, 3) + bits32(config, 19, 2), banks = bits32(config, 12, 3);
    u32 room = t->block - TILE_INTERLEAVE;
    t->pipe = (u8)(pipes < room ? pipes : room);
    t->bank = (u8)(banks < room - t->pipe ? banks : room - t->pipe);
    tile_mix(t, nowhere, t->block, t->side);
    for (u32 i = 0; i < 3; i++)
        t->size[i] = (size[i] + mask32(t->side[i])) >> t->side[i];
    t->pitch = t->size[0];
    t->rows = t->size[1];
    if (levels > 1)
        return tile_chain(t, size, levels) == pitch ? NULL : "levels in another arrangement";
    t->pitch = pitch >> t->side[0];
    return pitch & mask32(t->side[0]) || t->pitch < t->size[0] ? "rows that are no whole blocks"
                                                               : NULL;
}

#endif
