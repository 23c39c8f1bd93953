#include "../host.h"

enum { GX = 16, GY = 12, W = 9, H = 7, LINE = 11, BX = 5, BY = 6, BZ = 4, LX = 8, LY = 5, LAYERS = 4 };
static unsigned char flat[H][W][4];
static float line[LINE];
static signed char block[BZ][BY][BX][2];
static unsigned short layers[LAYERS][LY][LX];
static unsigned out[GY][GX][6][4];
static float floats[GY][GX][3][4];

static int clamped(int v, int size)
{
    return v < 0 ? 0 : v >= size ? size - 1 : v;
}

static int repeated(int v, int size)
{
    return (v % size + size) % size;
}

static int mirrored(int v, int size)
{
    int m = repeated(v, 2 * size);
    return m < size ? m : 2 * size - 1 - m;
}

static void texel(unsigned *o, int x, int y)
{
    for (int c = 0; c < 4; c++)
        o[c] = x >= 0 && y >= 0 && x < W && y < H ? flat[y][x][c] : 0;
}

int main(void)
{
    for (int k = 0; k < H * W * 4; k++)
        flat[k / 4 / W][k / 4 % W][k % 4] = (unsigned char)random_u32();
    for (int k = 0; k < LINE; k++)
        line[k] = (float)random_range(-5, 5);
    for (int k = 0; k < BZ * BY * BX * 2; k++)
        block[k / 2 / BX / BY][k / 2 / BX % BY][k / 2 % BX][k % 2] = (signed char)(random_u32() % 255 - 127);
    for (int k = 0; k < LAYERS * LY * LX; k++)
        layers[k / LX / LY][k / LX % LY][k % LX] = (unsigned short)random_u32();
    for (int y = 0; y < GY; y++)
        for (int x = 0; x < GX; x++) {
            int tx = x - 3, ty = y - 2; /* of the texel that holds tx + 0.25, ty + 0.75 */
            unsigned(*o)[4] = out[y][x];
            texel(o[0], tx, ty);
            texel(o[1], tx, ty);
            texel(o[2], clamped(tx, W), clamped(ty, H));
            texel(o[3], mirrored(tx, W), mirrored(ty, H));
            texel(o[4], repeated(tx, W), repeated(ty, H));
            o[5][0] = layers[clamped((int)rint(y * 0.4), LAYERS)][clamped(ty, LY)][clamped(tx, LX)];
            o[5][3] = 1;
            float(*f)[4] = floats[y][x];
            f[0][0] = line[repeated(x - 3, LINE)];
            f[1][0] = x >= 2 && x - 2 < LINE ? line[x - 2] : 0;
            f[0][3] = f[1][3] = f[2][3] = 1;
            int bx = clamped((int)floor(x * 0.5 - 0.2), BX), by = clamped(y - 1, BY), bz = clamped((x + y) % 6 - 2, BZ);
            for (int c = 0; c < 2; c++)
                f[2][c] = (float)(block[bz][by][bx][c] / 127.0);
        }
    WRITE("flat.bin", flat);
    WRITE("line.bin", line);
    WRITE("block.bin", block);
    WRITE("layers.bin", layers);
    WRITE("out.bin", out);
    WRITE("floats.bin", floats);
}
