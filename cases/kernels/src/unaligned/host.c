#include "../host.h"

enum { N = 128 };
static unsigned char in[N * 32 + 64];
static unsigned short shorts[N][3];
static unsigned words[1 + N * 3];
static unsigned long sums[N];

int main(void)
{
    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)random_u32();
    for (int i = 0; i < N; i++) {
        const unsigned char *a = in + 7 * i;
        unsigned s[3], w[4], b7 = a[12];
        for (int k = 0; k < 3; k++)
            s[k] = in[6 * i + 2 * k] | (unsigned)in[6 * i + 2 * k + 1] << 8;
        for (int k = 0; k < 3; k++) /* c is bytes 2, 1, 0 of a */
            shorts[i][k] = (unsigned short)(s[2 - k] + a[2 - k]);
        memcpy(w, in + 4 + 32 * i, 16);
        words[1 + 3 * i] = w[0] ^ w[3];
        words[2 + 3 * i] = w[1] * 3;
        words[3 + 3 * i] = w[2] + b7;
        for (unsigned k = 0; k < 8; k++)
            sums[i] = sums[i] * 257 + a[k] * (k + 1);
        unsigned long b;
        memcpy(&b, a + 5, 8);
        sums[i] += b;
    }
    WRITE("in.bin", in);
    WRITE("shorts.bin", shorts);
    WRITE("words.bin", words);
    WRITE("sums.bin", sums);
}
