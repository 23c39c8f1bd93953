#include "../host.h"

enum { GX = 32, GY = 12, W = 8, H = 8, LINE = 16, BX = 6, BY = 7, BZ = 3 };
static unsigned char flat[H][W][4];
static float line[LINE], out[GY][GX][5][4];
static _Float16 block[BZ][BY][BX];

enum wrap { EDGE, BORDER, REPEAT };

/* The place on an axis; -1: the border. */
static int wrapped(int v, int size, enum wrap wrap)
{
    if (wrap == REPEAT)
        return (v % size + size) % size;
    if (v >= 0 && v < size)
        return v;
    return wrap == BORDER ? -1 : v < 0 ? 0 : size - 1;
}

static double texel(int image, int x, int y, int z, int c)
{
    if (x < 0 || y < 0)
        return 0;
    if (image == 0)
        return flat[y][x][c] / 255.0;
    if (c)
        return c == 3;
    return image == 1 ? (double)line[x] : (double)block[z][y][x];
}

static double blended(int image, double x, double y, double z, enum wrap wrap, int c)
{
    static const int sizes[3][3] = { { W, H, 1 }, { LINE, 1, 1 }, { BX, BY, BZ } };
    const int *size = sizes[image];
    int x0 = (int)floor(x - 0.5), y0 = size[1] > 1 ? (int)floor(y - 0.5) : 0, z0 = size[2] > 1 ? (int)floor(z - 0.5) : 0;
    double fx = x - 0.5 - x0, fy = size[1] > 1 ? y - 0.5 - y0 : 0, fz = size[2] > 1 ? z - 0.5 - z0 : 0, sum = 0;
    for (int k = 0; k < 8; k++) {
        double weight = (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy) * (k & 4 ? fz : 1 - fz);
        if (weight > 0)
            sum += weight * texel(image, wrapped(x0 + (k & 1), size[0], wrap), wrapped(y0 + (k >> 1 & 1), size[1], wrap),
                                  wrapped(z0 + (k >> 2), size[2], wrap), c);
    }
    return sum;
}

int main(void)
{
    for (int k = 0; k < H * W * 4; k++)
        flat[k / 4 / W][k / 4 % W][k % 4] = (unsigned char)random_u32();
    for (int k = 0; k < LINE; k++)
        line[k] = (float)random_range(-5, 5);
    for (int k = 0; k < BZ * BY * BX; k++)
        block[k / BX / BY][k / BX % BY][k % BX] = (_Float16)random_range(-2, 2);
    for (int y = 0; y < GY; y++)
        for (int x = 0; x < GX; x++)
            for (int c = 0; c < 4; c++) {
                double ax = x * 0.375 - 1, ay = y * 0.875 - 1;
                out[y][x][0][c] = (float)blended(0, ax, ay, 0, EDGE, c);
                out[y][x][1][c] = (float)blended(0, ax, ay, 0, BORDER, c);
                out[y][x][2][c] = (float)blended(0, ax, ay, 0, REPEAT, c);
                out[y][x][3][c] = (float)blended(1, ax, 0, 0, REPEAT, c);
                out[y][x][4][c] = (float)blended(2, ax, ay, x * 0.125, EDGE, c);
            }
    WRITE("flat.bin", flat);
    WRITE("line.bin", line);
    WRITE("block.bin", block);
    WRITE("out.bin", out);
}
