#include "../host.h"

enum { N = 70 };
static unsigned char text[N][256];
static unsigned lengths[N], sines[64], out[N][4];

static void digest(const unsigned char *message, unsigned length, unsigned *h)
{
    static const int turns[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };
    unsigned char padded[320] = { 0 };
    unsigned blocks = (length + 8) / 64 + 1, bits = length * 8;
    memcpy(padded, message, length);
    padded[length] = 0x80;
    memcpy(padded + blocks * 64 - 8, &bits, 4);
    h[0] = 0x67452301, h[1] = 0xefcdab89, h[2] = 0x98badcfe, h[3] = 0x10325476;
    for (unsigned block = 0; block < blocks; block++) {
        unsigned m[16], a = h[0], b = h[1], c = h[2], d = h[3];
        memcpy(m, padded + 64 * block, 64);
        for (int k = 0; k < 64; k++) {
            unsigned f, g;
            switch (k / 16) {
            case 0: f = (b & c) | (~b & d), g = (unsigned)k; break;
            case 1: f = (d & b) | (~d & c), g = 5u * (unsigned)k + 1; break;
            case 2: f = b ^ c ^ d, g = 3u * (unsigned)k + 5; break;
            default: f = c ^ (b | ~d), g = 7u * (unsigned)k;
            }
            unsigned t = a + f + sines[k] + m[g % 16];
            int n = turns[k / 16][k % 4];
            a = d, d = c, c = b, b += t << n | t >> (32 - n);
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d;
    }
}

int main(void)
{
    for (int k = 0; k < 64; k++)
        sines[k] = (unsigned)(long long)floor(fabs(sin(k + 1)) * 4294967296.0);
    for (int i = 0; i < N; i++) {
        lengths[i] = i < 8 ? 50u + (unsigned)i * 2 : random_u32() % 247;
        for (int k = 0; k < 256; k++)
            text[i][k] = (unsigned char)random_u32();
        digest(text[i], lengths[i], out[i]);
    }
    /* RFC 1321: the digest of "abc" */
    unsigned check[4];
    digest((const unsigned char *)"abc", 3, check);
    if (check[0] != 0x98500190 || check[3] != 0x727fe128) {
        fprintf(stderr, "the host's digest is wrong: %08x %08x\n", check[0], check[3]);
        return 2;
    }
    WRITE("text.bin", text);
    WRITE("lengths.bin", lengths);
    WRITE("sines.bin", sines);
    WRITE("out.bin", out);
}
