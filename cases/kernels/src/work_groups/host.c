#include "../host.h"

enum { GROUPS = 6, LX = 20, ITEMS = 100, N = GROUPS * ITEMS };
static int in[N], out[N][8];
static float sums[N];
static long wide[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = i == 250 ? 5 : i / ITEMS == 3 ? 2147483647 - i : (int)random_u32() / 4;
    for (int g = 0; g < GROUPS; g++) {
        const int *v = in + g * ITEMS;
        int low = 2147483647, high = -2147483647 - 1, any = 0, all = 1;
        unsigned total = 0;
        long long wide_total = 0;
        float f = 0;
        for (int l = 0; l < ITEMS; l++) {
            int *o = out[g * ITEMS + l];
            o[1] = (int)total;
            o[3] = low;
            total += (unsigned)v[l];
            low = v[l] < low ? v[l] : low;
            high = v[l] > high ? v[l] : high;
            o[0] = (int)total;
            o[2] = high;
            f += (float)(v[l] & 1023); /* exact: below 2^17 */
            sums[g * ITEMS + l] = f;
            any |= v[l] > 2000000000;
            all &= v[l] != 5;
            wide_total += (long long)v[l] * 256;
        }
        for (int l = 0; l < ITEMS; l++) {
            int *o = out[g * ITEMS + l];
            o[4] = (int)total;
            o[5] = low ^ high;
            o[6] = v[LX + g % LX];
            o[7] = any | all << 1;
            wide[g * ITEMS + l] = wide_total;
        }
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("sums.bin", sums);
    WRITE("wide.bin", wide);
}
