#include "../host.h"

enum { N = 128 };
static unsigned in[N], out[15][N], lds[2 * N];

int main(void)
{
    int low = 2147483647, high = -2147483647;
    for (int i = 0; i < N; i++) {
        in[i] = (unsigned)((int)(random_u32() % 2000001) - 1000000); /* floats hold them */
        lds[i] = in[i];
        lds[N + i] = ~in[i];
        low = (int)in[i] < low ? (int)in[i] : low;
        high = (int)in[i] > high ? (int)in[i] : high;
    }
    for (unsigned i = 0; i < N; i++) {
        out[0][i] = lds[(i & 63) + 64];
        out[1][i] = lds[(i & 63) + 64 * 3];
        out[2][i] = lds[N - 1 - i];
        out[3][i] = lds[N - 1 - i + N];
        out[12][i] = i < 64 ? lds[i] : 0;
        out[13][i] = i < 64 ? lds[i + 64] : 0;
        out[14][i] = i < 64 ? 4 * i : i - 64;
        out[4][i] = f32_bits(N * (N - 1) / 2);
        out[5][i] = f32_bits((float)low);
        out[6][i] = f32_bits((float)high);
        out[7][i] = N; /* appended by both waves */
        unsigned v = lds[N + i];
        v = i & 1 ? (v & 0x00ff0000) | i << 24 | i : v & 0xff0000ff;
        out[8][i] = v >> 16;
        out[9][i] = (unsigned)(signed char)(v >> 24);
        out[10][i] = v;
        out[11][i] = in[i ^ 127];
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
