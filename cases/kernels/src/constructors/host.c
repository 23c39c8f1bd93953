#include "../host.h"

static int out[64];

int main(void)
{
    for (int i = 0; i < 64; i++)
        out[i] = 20 * (i % 16) + 1 + (20 * 3 + 1) + (20 * 15 + 1);
    WRITE("out.bin", out);
}
