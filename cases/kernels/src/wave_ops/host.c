#include "../host.h"

enum { N = 128 };
static unsigned in[N], out[N][20];

/* The lane that a lane reads, or -1. */
static int source(int control, int l)
{
    int row = l & ~15, k = l & 15;
    if (control < 0x100)
        return (l & ~3) | (control >> 2 * (l & 3) & 3);
    if (control < 0x110)
        return k + (control & 15) < 16 ? l + (control & 15) : -1;
    if (control < 0x120)
        return k >= (control & 15) ? l - (control & 15) : -1;
    if (control < 0x130)
        return row | ((k - (control & 15)) & 15);
    if (control == 0x130)
        return l + 1 < 64 ? l + 1 : -1;
    if (control == 0x13c)
        return (l - 1) & 63;
    if (control == 0x140)
        return row | (15 - k);
    if (control == 0x141)
        return (l & ~7) | (7 - (l & 7));
    if (control == 0x142)
        return row ? row - 1 : -1;
    return l >= 32 ? 31 : -1;
}

static unsigned dpp(const unsigned *v, unsigned long exec, int l, int control, int rows, int banks, int bound)
{
    int s = source(control, l), valid = s >= 0 && exec >> s & 1;
    if (!(rows >> l / 16 & 1) || !(banks >> l % 16 / 4 & 1) || (!valid && !bound))
        return v[l] * 3;
    return valid ? v[s] : 0;
}

int main(void)
{
    static const int dpps[11][4] = { { 0x1b, 15, 15, 1 },  { 0x101, 15, 15, 0 }, { 0x113, 15, 15, 1 }, { 0x12f, 15, 15, 0 },
                                     { 0x130, 15, 15, 0 }, { 0x13c, 15, 15, 0 }, { 0x140, 15, 15, 0 }, { 0x141, 10, 15, 0 },
                                     { 0x142, 15, 15, 0 }, { 0x143, 12, 15, 0 }, { 0x111, 15, 5, 0 } };
    for (int i = 0; i < N; i++)
        in[i] = random_u32();
    for (int w = 0; w < N; w += 64) {
        const unsigned *v = in + w;
        unsigned long odd = 0, two = 0, four = 0;
        int first = -1;
        for (int l = 0; l < 64; l++) {
            odd |= (unsigned long)(v[l] & 1) << l;
            two |= (unsigned long)(v[l] >> 1 & 1) << l;
            four |= (unsigned long)((v[l] & 6) == 6) << l;
            if (v[l] & 2 && first < 0)
                first = l;
        }
        for (int l = 0; l < 64; l++) {
            unsigned *o = out[w + l];
            for (int k = 0; k < 11; k++)
                o[k] = dpp(v, ~0ul, l, dpps[k][0], dpps[k][1], dpps[k][2], dpps[k][3]);
            o[11] = v[v[l] & 63];
            out[w + (l * 5 + 2) % 64][12] = v[l];
            o[13] = v[l ^ 16];
            o[14] = v[in[0] & 63];
            o[15] = (unsigned)(l + __builtin_popcountl(odd & ((1ul << l) - 1)));
            o[16] = (unsigned)odd ^ (unsigned)(odd >> 32);
            if (v[l] & 2) {
                o[17] = v[first];
                o[18] = (unsigned)four + (unsigned)(four >> 32);
                o[19] = dpp(v, two, l, 0x118, 15, 15, 0);
            }
        }
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
