#include "../host.h"

enum { N = 320, GROUP = 160 };
static unsigned in[N], out[N][8];
static double sums[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = i == 200 ? 77 : i == 70 ? 1 : random_u32();
    for (int first = 0; first < N;) {
        int left = GROUP - first % GROUP, n = left < 64 ? left : 64, id = first % GROUP / 64;
        unsigned sum = 0, high = 0, low = ~0u;
        int signed_high = -2147483647 - 1, any = 0, all = 1;
        double d = 0;
        for (int l = 0; l < n; l++) {
            unsigned v = in[first + l], *o = out[first + l];
            o[1] = high;
            o[0] = sum += v;
            high = v > high ? v : high;
            signed_high = (int)v > signed_high ? (int)v : signed_high;
            o[6] = low ^ (unsigned)signed_high;
            low = v < low ? v : low;
            sums[first + l] = d += v >> 8;
            any |= v == 77;
            all &= v > 1;
        }
        for (int l = 0; l < n; l++) {
            unsigned *o = out[first + l];
            o[2] = sum;
            o[3] = low + 3u * (unsigned)signed_high;
            o[4] = in[first + id * 7 + 3];
            o[5] = (unsigned)(any | all << 1 | id << 8 | l << 16 | (GROUP + 63) / 64 << 24);
            o[7] = (unsigned)n;
        }
        first += n;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("sums.bin", sums);
}
