#include "../host.h"

enum { GROUPS = 2, ITEMS = 512, ROUNDS = 5 };
static unsigned in[GROUPS], out[GROUPS][ITEMS];

int main(void)
{
    for (int g = 0; g < GROUPS; g++) {
        unsigned v = in[g] = random_u32();
        for (unsigned turn = 0; turn < ROUNDS * ITEMS / 64; turn++)
            v = v * 1664525 + turn % (ITEMS / 64) + 1;
        for (unsigned l = 0; l < ITEMS; l++)
            out[g][l] = v + l;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
