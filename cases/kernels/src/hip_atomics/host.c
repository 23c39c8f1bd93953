#include "../host.h"

enum { N = 512 };
static int in[N], w[8];
static float f[2];
static double d[2];
static unsigned long long q[3];

int main(void)
{
    for (int i = 0; i < N; i++) {
        int v = in[i] = (int)(random_u32() % 1000);
        f[0] += (float)v * 0.25f;
        f[1] += (float)v;
        d[0] += v * 0.125;
        d[1] -= v;
        unsigned long long high = (unsigned long long)v << 40;
        q[0] = q[0] < high ? high : q[0];
        q[1] += (unsigned long long)v << 32;
        q[2] ^= 0x100000001ull << (v & 31);
        w[0] += v;
        w[1] -= v;
        w[2] = w[2] < -v ? w[2] : -v;
        w[3] = w[3] < v ? v : w[3];
        w[4] |= v;
        w[6] = w[6] < v * v % 1009 ? v * v % 1009 : w[6];
        w[7] += 3;
    }
    WRITE("in.bin", in);
    WRITE("f.bin", f);
    WRITE("d.bin", d);
    WRITE("q.bin", q);
    WRITE("w.bin", w);
}
