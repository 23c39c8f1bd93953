#include "../host.h"

enum { N = 256 };
static int in[N], out[N / 64], mirrored[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = (int)(random_u32() >> 8);
        out[i / 64] += in[i];
    }
    for (int i = 0; i < N; i++)
        mirrored[i] = in[i / 64 * 64 + 63 - i % 64];
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("rev.bin", mirrored);
}
