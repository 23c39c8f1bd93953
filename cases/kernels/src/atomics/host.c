#include "../host.h"

enum { N = 256 };
static int in[N];
static union { int narrow[12]; long long wide[6]; } start, out;

int main(void)
{
    start.narrow[2] = start.narrow[3] = 5;
    start.narrow[4] = -1;
    out = start;
    for (int i = 0; i < N; i++) {
        int v = in[i] = (int)random_u32() >> 4;
        out.narrow[0] += v;
        out.narrow[1] -= v;
        out.narrow[2] = v < out.narrow[2] ? v : out.narrow[2];
        out.narrow[3] = v > out.narrow[3] ? v : out.narrow[3];
        out.narrow[4] &= v | 0xff;
        out.narrow[5] |= v & 0xf0f0;
        out.narrow[6] ^= v;
        out.narrow[7] += v & 3;
        out.wide[4] += (long long)v * 65537;
        out.wide[5] = (long long)v * 3 > out.wide[5] ? (long long)v * 3 : out.wide[5];
    }
    WRITE("in.bin", in);
    WRITE("start.bin", start);
    WRITE("out.bin", out);
}
