#include "../host.h"

enum { GROUPS = 3, ITEMS = 48 };
static float in[GROUPS][2 * ITEMS][4], out[ITEMS][GROUPS][4];
static unsigned short shorts[40];

int main(void)
{
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < 2 * ITEMS; i++)
            for (int c = 0; c < 4; c++)
                in[g][i][c] = (float)(int)(random_u32() >> 12) - 400000;
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < ITEMS; i++)
            for (int c = 0; c < 4; c++)
                out[i][g][c] = in[g][2 * ITEMS - 1 - i][c] + in[g][i][(c + 3) % 4];
    for (int i = 0; i < 40; i++) {
        memcpy(&shorts[i], (char *)in + 2 * (5 + 3 * i), 2);
        shorts[i] = (unsigned short)(shorts[i] + i * 100);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("shorts.bin", shorts);
}
