#include "../host.h"

enum { W = 33, H = 17 };
static unsigned char in[H][W][4];
static float out[H][W][4];

int main(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 4; c++)
                in[y][x][c] = (unsigned char)random_u32();
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 4; c++) {
                double sum = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (y + dy >= 0 && y + dy < H && x + dx >= 0 && x + dx < W)
                            sum += in[y + dy][x + dx][c] / 255.0 * (2 - abs(dx)) * (2 - abs(dy));
                out[y][x][c] = (float)(sum / 16);
            }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
