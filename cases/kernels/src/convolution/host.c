#include "../host.h"

enum { W = 40, H = 30 };
static short in[H][W];
static float weights[5][5], out[H][W];

static int inside(int v, int size)
{
    return v < 0 ? 0 : v >= size ? size - 1 : v;
}

int main(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            in[y][x] = (short)random_u32();
    for (int k = 0; k < 25; k++)
        weights[k / 5][k % 5] = (float)random_range(-1, 1);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double sum = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++)
                    sum += in[inside(y + dy, H)][inside(x + dx, W)] * (double)weights[dy + 2][dx + 2];
            out[y][x] = (float)sum;
        }
    WRITE("in.bin", in);
    WRITE("weights.bin", weights);
    WRITE("out.bin", out);
}
