#include "../host.h"

enum { W = 20, H = 9, LAYERS = 6 };
static unsigned short in[LAYERS][H][W][2], before[W], after[W];
static unsigned sums[LAYERS][W][2];
static const unsigned counts[3] = { LAYERS, LAYERS, W };

int main(void)
{
    for (int layer = 0; layer < LAYERS; layer++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                for (int c = 0; c < 2; c++)
                    sums[layer][x][c] += in[layer][y][x][c] = (unsigned short)random_u32();
    for (int x = 0; x < W; x++) {
        before[x] = (unsigned short)random_u32();
        after[x] = (unsigned short)(before[x] + sums[LAYERS - 1][x][1]);
    }
    WRITE("in.bin", in);
    WRITE("sums.bin", sums);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
    WRITE("counts.bin", counts);
}
