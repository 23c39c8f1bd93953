#include "../host.h"

static unsigned short in[64][64], out[64][64];

int main(void)
{
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 64; k++)
            out[k][i] = in[i][k] = (unsigned short)random_u32();
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
