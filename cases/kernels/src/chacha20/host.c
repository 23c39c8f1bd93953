#include "../host.h"

static unsigned key[11], out[64 * 16];

static unsigned turn(unsigned v, int n)
{
    return v << n | v >> (32 - n);
}

static void quarter(unsigned *x, int a, int b, int c, int d)
{
    static const int turns[2][2] = { { 16, 12 }, { 8, 7 } };
    for (int k = 0; k < 2; k++) {
        x[a] += x[b];
        x[d] = turn(x[d] ^ x[a], turns[k][0]);
        x[c] += x[d];
        x[b] = turn(x[b] ^ x[c], turns[k][1]);
    }
}

int main(void)
{
    for (int k = 0; k < 11; k++)
        key[k] = random_u32();
    for (unsigned i = 0; i < 64; i++) {
        unsigned s[16], x[16];
        memcpy(s, "expand 32-byte k", 16);
        memcpy(s + 4, key, 32);
        s[12] = i;
        memcpy(s + 13, key + 8, 12);
        memcpy(x, s, sizeof x);
        for (int round = 0; round < 10; round++)
            for (int k = 0; k < 8; k++)
                quarter(x, k % 4, 4 + (k + k / 4) % 4, 8 + (k + k / 4 * 2) % 4, 12 + (k + k / 4 * 3) % 4);
        for (int k = 0; k < 16; k++)
            out[16 * i + (unsigned)k] = x[k] + s[k];
    }
    WRITE("key.bin", key);
    WRITE("out.bin", out);
}
