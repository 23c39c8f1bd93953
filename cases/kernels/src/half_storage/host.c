#include "../host.h"

enum { N = 64 };
static _Float16 in[4 * N + 8], out[N][32], aligned[N][4];
static float f[N][8];

/* mode 0: to nearest even, 1: toward zero, 2: up, 3: down. Exact, over the neighbours of what the host makes. */
static _Float16 half_of(double v, int mode)
{
    _Float16 near = (_Float16)v, other;
    unsigned short b;
    double d = (double)near;
    if (mode == 0 || d == v)
        return near;
    int up = mode == 2 || (mode == 1 && v < 0);
    if (up ? d > v : d < v)
        return near;
    memcpy(&b, &near, 2);
    if (near == 0)
        b = up ? 1 : 0x8001;
    else
        b = (unsigned short)((d > 0) == up ? b + 1 : b - 1);
    memcpy(&other, &b, 2);
    return other;
}

int main(void)
{
    for (int i = 0; i < 4 * N + 8; i++)
        in[i] = (_Float16)((double)((int)(random_u32() % 2049) - 1024) / 8);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 8; k++)
            f[i][k] = (float)(random_range(-1, 1) * (k % 3 == 0 ? 1000 : k % 3 == 1 ? 1e-5 : 1));
        _Float16 *o = out[i];
        for (int k = 0; k < 8; k++)
            o[k] = half_of((double)f[i][k], 0);
        for (int k = 0; k < 4; k++) {
            o[8 + k] = half_of((double)f[i][k], 1);
            o[12 + k] = half_of((double)f[i][k], 2);
            o[16 + k] = half_of((double)f[i][4 + k], 3);
        }
        for (int k = 0; k < 3; k++) {
            aligned[i][k] = in[1 + 3 * i + k];
            o[21 + k] = half_of((double)in[1 + 3 * i + k] * 2 + (double)in[4 * i + k], 0);
        }
        o[24] = half_of((double)in[3 + 2 * i] + (double)in[4 + 2 * i], 0);
        o[25] = half_of((double)(f[i][0] / 2), 0);
        o[26] = half_of((double)(f[i][7] / 2), 0);
        o[27] = half_of((double)f[i][3] * 3, 1);
    }
    WRITE("in.bin", in);
    WRITE("f.bin", f);
    WRITE("out.bin", out);
    WRITE("aligned.bin", aligned);
}
