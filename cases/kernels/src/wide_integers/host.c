#include "../host.h"

enum { N = 96 };
typedef unsigned __int128 u128;
typedef __int128 i128;
static unsigned long in[N][4], out[N][16];

static void put(unsigned long *o, u128 v)
{
    o[0] = (unsigned long)v;
    o[1] = (unsigned long)(v >> 64);
}

static unsigned long clamped(i128 v)
{
    i128 low = -((i128)1 << 63), high = -(low + 1);
    return (unsigned long)(v < low ? low : v > high ? high : v);
}

int main(void)
{
    static const unsigned long edge[8] = { 0, 1, 0x7fffffffffffffff, 0x8000000000000000, ~0ul, 63, 64, 127 };
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++)
            in[i][k] = i < 48 ? edge[random_u32() % 8] : random_u64();
        unsigned long a = in[i][0], b = in[i][1], c = in[i][2], d = in[i][3], *o = out[i];
        u128 x = (u128)a << 64 | b, y = (u128)c << 64 | d;
        put(o, x * y);
        put(o + 2, (u128)((i128)x >> (d & 127)));
        put(o + 4, y << (a & 127));
        put(o + 6, x >> (c & 127));
        o[8] = x < y;
        o[9] = (i128)x < (i128)y;
        o[10] = (unsigned long)((u128)a * b >> 64);
        o[11] = (unsigned long)((i128)(long)c * (long)d >> 64);
        o[12] = (u128)a + c >> 64 ? ~0ul : a + c;
        o[13] = clamped((i128)(long)a - (long)c);
        o[14] = (unsigned long)((i128)(long)a * (long)b >> 64) + c;
        o[15] = (unsigned long)(((u128)a + d) >> 1) ^ (b > c ? b - c : c - b);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
