/* Where texels of images with a swizzle mode stand: worked out by hand from the orders of bits that AMD's
 * address library has. Modes are named as there. */
#include "harness/t/lib/tap_test.h"
#include "oracle/sem/mem/tile.h"

/* Four shader engines of four pipes, 16 banks. */
enum { CONFIG = 2 | 4 << 12 | 2 << 19 };
enum { S_256 = 1, D_256 = 2, S_4K = 5, Z_64K = 8, S_64K_X = 25 };

static u64 at(const struct tile *t, u32 level, u32 x, u32 y, u32 z, u64 base)
{
    struct tile_level l = tile_level(t, level);
    return tile_addr(t, &l, (const u32[3]){ x, y, z }, base);
}

static const char *open_tile(struct tile *t, u32 mode, enum image_type type, u32 width, u32 height,
                             u32 depth, u32 bytes, u32 levels, u32 pitch)
{
    const u32 size[3] = { width, height, depth };
    return tile_open(t, mode, type, size, bytes, levels, pitch, CONFIG);
}

static void thin(void)
{
    struct tile t;
    ok(!open_tile(&t, S_256, IMAGE_2D, 20, 20, 1, 4, 1, 24), "256B_S, three blocks of 8 x 8 a row");
    is_hex(0xe4, at(&t, 0, 5, 6, 0, 0), "x0 x1 y0 y1 y2 x2");
    is_hex(0x104, at(&t, 0, 9, 0, 0, 0), "the second block");
    is_hex(0x1300 + 2 * 0x300 + 0x14, at(&t, 0, 1, 17, 0, 0x1300), "the third row of blocks, y0");
    ok(!open_tile(&t, D_256, IMAGE_2D, 16, 16, 1, 1, 1, 16), "256B_D of bytes");
    is_hex(0x08, at(&t, 0, 0, 2, 0, 0), "y1 stands before");
    is_hex(0x10, at(&t, 0, 0, 1, 0, 0), "y0");
    ok(!open_tile(&t, Z_64K, IMAGE_2D, 256, 256, 1, 2, 1, 256), "64KB_Z of halfwords");
    is_hex(0x40, at(&t, 0, 0, 4, 0, 0), "behind x0 y0 x1 y1 x2 stands y2");
    is_hex(0x80, at(&t, 0, 8, 0, 0, 0), "then x3");
}

static void mixed(void)
{
    struct tile t;
    ok(!open_tile(&t, S_64K_X, IMAGE_2D_ARRAY, 300, 200, 4, 4, 1, 384), "64KB_S_X, 128 x 128");
    is_hex(0x8100, at(&t, 0, 64, 0, 0, 0), "x6 is in the first bit of the pipe, too");
    is_hex(0x1000 ^ 0x0800, at(&t, 0, 0, 32, 0, 0), "y5 in the last");
    is_hex(0x10000 | 0x4000, at(&t, 0, 128, 0, 0, 0), "x7, which is behind the block, in the bank");
    is_hex(0x50300, at(&t, 0, 0, 0, 0, 0x50300), "bits of the base are those of pipe and bank");
    is_hex(0x50300 + 0x8000 - 0x100, at(&t, 0, 64, 0, 0, 0x50300), "and are mixed in");
    is_hex(0x60000 | 0x0800, at(&t, 0, 0, 0, 1, 0), "a slice, in the other order");
    ok(tile_open(&t, S_64K_X, IMAGE_2D, (const u32[3]){ 1, 1, 1 }, 4, 1, 128, 0) != NULL,
       "who has said nothing of pipes gets none");
}

static void thick(void)
{
    struct tile t;
    ok(!open_tile(&t, S_4K, IMAGE_3D, 8, 16, 16, 4, 1, 8), "4KB_S of a volume, 8 x 16 x 8");
    is_hex(0xe5c, at(&t, 0, 7, 9, 5, 0), "x0 x1 y0 y1 z0 z1 y2 x2 z2 y3");
    is_hex(0x1000, at(&t, 0, 0, 0, 8, 0), "the second slice of blocks");
}

static void levels(void)
{
    struct tile t;
    ok(!open_tile(&t, S_4K, IMAGE_2D, 64, 64, 1, 4, 7, 96), "4KB_S, 64 x 64 with all levels");
    is_hex(0x3000, at(&t, 0, 32, 32, 0, 0), "two blocks of 32 x 32 a row");
    is_hex(0x4000, at(&t, 1, 0, 0, 0, 0), "level 1 stands below");
    is_hex(0x5800, at(&t, 2, 0, 0, 0, 0), "level 2 beside it, in the second half of its block");
    is_hex(0x5600, at(&t, 3, 0, 0, 0, 0), "level 3 in the last two of the quarter before");
    ok(open_tile(&t, S_4K, IMAGE_2D, 64, 64, 1, 4, 7, 64) != NULL, "another height is refused");
    ok(!open_tile(&t, S_4K, IMAGE_2D, 16, 16, 1, 4, 2, 32), "an image that is in the tail");
    is_hex(0x800, at(&t, 0, 0, 0, 0, 0), "of which level 0 has the half");
    is_hex(0x600, at(&t, 1, 0, 0, 0, 0), "level 1");
}

static void refused(void)
{
    struct tile t;
    ok(open_tile(&t, 12, IMAGE_2D, 8, 8, 1, 4, 1, 8) != NULL, "a reserved mode");
    ok(open_tile(&t, S_256, IMAGE_3D, 8, 8, 8, 4, 1, 8) != NULL, "a volume in 256 bytes");
    ok(open_tile(&t, S_256, IMAGE_2D, 8, 8, 1, 12, 1, 8) != NULL, "texels of three dwords");
    ok(open_tile(&t, S_256, IMAGE_2D, 8, 8, 1, 4, 1, 12) != NULL, "half a block in a row");
    ok(open_tile(&t, 3, IMAGE_2D, 8, 8, 1, 16, 1, 8) != NULL, "16 bytes, rotated");
}

int main(void)
{
    thin();
    mixed();
    thick();
    levels();
    refused();
    return done();
}
