#include "../host.h"

enum { W = 24, H = 18, OW = 40, OH = 34 };
static unsigned char in[H][W];
static float out[OH][OW];

static double texel(int x, int y)
{
    return x >= 0 && y >= 0 && x < W && y < H ? in[y][x] / 255.0 : 0;
}

int main(void)
{
    double angle = (double)0.7f, scale = (double)0.6f;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            in[y][x] = (unsigned char)(128 + 60 * sin(x * 0.7) + 60 * cos(y * 0.9)); /* smooth: weights matter less */
    for (int y = 0; y < OH; y++)
        for (int x = 0; x < OW; x++) {
            double dx = (x + 0.5 - OW / 2) * scale, dy = (y + 0.5 - OH / 2) * scale;
            double fx = dx * cos(angle) - dy * sin(angle) + W / 2 - 0.5, fy = dx * sin(angle) + dy * cos(angle) + H / 2 - 0.5;
            int x0 = (int)floor(fx), y0 = (int)floor(fy);
            fx -= x0, fy -= y0;
            out[y][x] = (float)((1 - fy) * ((1 - fx) * texel(x0, y0) + fx * texel(x0 + 1, y0)) +
                                fy * ((1 - fx) * texel(x0, y0 + 1) + fx * texel(x0 + 1, y0 + 1)));
        }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
