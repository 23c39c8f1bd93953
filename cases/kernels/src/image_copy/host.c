#include "../host.h"

enum { W = 50, H = 21 };
static unsigned char in[H][W][4], out[H][W][4];
/* CLK_RGBA and CLK_UNSIGNED_INT8 of OpenCL's headers */
static const unsigned sizes[4] = { W, H, 0x10b5, 0x10da };

int main(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 4; c++)
                in[y][x][c] = random_u32() % 252;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 4; c++)
                out[y][W - 1 - x][c] = (unsigned char)(in[y][x][(c + 1) % 4] + c);
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("sizes.bin", sizes);
}
