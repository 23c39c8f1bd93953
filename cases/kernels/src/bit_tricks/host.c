#include "../host.h"

enum { N = 512 };
static unsigned in[N], out[8 * N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = random_u32() >> random_u32() % 33 % 32;
    in[3] = 0;
    for (int i = 0; i < N; i++) {
        unsigned v = in[i], w = in[(i + 1) % N], turn = w % 32;
        long long difference = (long long)(int)v - (int)w;
        out[8 * i] = (unsigned)__builtin_popcount(v);
        out[8 * i + 1] = v ? (unsigned)__builtin_clz(v) : 32;
        out[8 * i + 2] = turn ? v << turn | v >> (32 - turn) : v;
        out[8 * i + 3] = (unsigned)((unsigned long long)v * w >> 32);
        out[8 * i + 4] = (unsigned)((long long)(int)v * (int)w >> 32);
        out[8 * i + 5] = (v & ~0x0ff00ff0u) | (w & 0x0ff00ff0u);
        out[8 * i + 6] = (unsigned)(difference < 0 ? -difference : difference);
        out[8 * i + 7] = (v & 0x7fffff) * (unsigned)((int)w >> 12) + w;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
