#include "../host.h"

enum { N = 60 };
static unsigned in[N][16], out[N][8];

int main(void)
{
    for (int i = 0; i < N; i++) {
        unsigned *v = in[i], w[16], *o = out[i], less = 0;
        for (int k = 0; k < 16; k++)
            v[k] = i == 7 ? 1000u + (unsigned)k : random_u32() >> (i % 3 * 13);
        for (int k = 0; k < 16; k++) {
            w[k] = v[15 - k] * 3;
            less |= (unsigned)(v[k] < w[k]) << k;
        }
        for (int k = 0; k < 16; k++) {
            unsigned both = v[k] >> 27, picked = less >> k & 1 ? w[k] : v[k];
            o[0] = o[0] * 31 + picked + v[w[k] & 15] * 5 + (both & 16 ? w[both & 15] : v[both]) * 7;
        }
        int same = 0;
        for (int k = 0; k < 8; k++)
            same |= v[k] == w[k];
        o[1] = (less != 0) | (unsigned)(less == 0xffff) << 1 | (unsigned)same << 2;
        for (int k = 0; k < 16; k++)
            o[2 + k / 4] |= ((v[k] << 3 | (v[k] & 255) >> 5) & 255) << k % 4 * 8;
        unsigned short h[8];
        for (int k = 0; k < 4; k++)
            memcpy(h + 2 * k, &v[2 * k], 4);
        o[6] = (h[0] ^ 0x5a5au) + (h[7] ^ 0x5a5au) * 3 + (h[4] ^ 0x5a5au) * 9;
        unsigned long a[8], b[8];
        memcpy(a, v, 64);
        memcpy(b, w, 64);
        o[7] = (unsigned)((a[3] - b[3]) >> 32) ^ (unsigned)(a[6] - b[6]);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
