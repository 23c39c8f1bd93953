#include "../host.h"

enum { W = 11, H = 6, D = 5 };
static int in[D][H][W], out[D][H][W], depth = D * 100 + H;

int main(void)
{
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                in[z][y][x] = (int)random_u32() / 8;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                out[(z + 1) % D][(y + 1) % H][(x + 1) % W] = in[z][y][x] * 3 - z;
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("depth.bin", depth);
}
