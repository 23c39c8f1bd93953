#include "../host.h"

static unsigned char in[32][64], out[32][64];

int main(void)
{
    for (int i = 0; i < 2048; i++)
        in[i / 64][i % 64] = random_u32() % 3 == 0;
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 64; x++) {
            int count = -in[y][x];
            for (int k = 0; k < 9; k++)
                count += in[(y + k / 3 + 31) % 32][(x + k % 3 + 63) % 64];
            out[y][x] = count == 3 || (count == 2 && in[y][x]);
        }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
