#include "../host.h"

/* Bytes as polynomials, straight from the standard: no tables. */
enum { N = 96 };
static unsigned char box[256], key[16], in[N][16], out[N][16];

static unsigned char product(unsigned char a, unsigned char b)
{
    unsigned char p = 0;
    for (; b; b >>= 1) {
        if (b & 1)
            p ^= a;
        a = (unsigned char)(a << 1 ^ (a >> 7) * 0x1b);
    }
    return p;
}

static void make_box(void)
{
    for (int v = 0; v < 256; v++) {
        unsigned char inverse = 0;
        for (int k = 1; k < 256 && v; k++)
            if (product((unsigned char)v, (unsigned char)k) == 1)
                inverse = (unsigned char)k;
        unsigned turned = inverse * 0x0101u;
        box[v] = (unsigned char)(inverse ^ turned >> 7 ^ turned >> 6 ^ turned >> 5 ^ turned >> 4 ^ 0x63);
    }
}

static void encrypt(const unsigned char *from, unsigned char *to)
{
    unsigned char keys[11][16], s[16];
    memcpy(keys[0], key, 16);
    unsigned char power = 1;
    for (int r = 1; r <= 10; r++, power = product(power, 2))
        for (int k = 0; k < 16; k++) {
            unsigned char t = k >= 4 ? keys[r][k - 4] : box[keys[r - 1][12 + (k + 1) % 4]];
            keys[r][k] = (unsigned char)(keys[r - 1][k] ^ t ^ (k == 0 ? power : 0));
        }
    for (int k = 0; k < 16; k++)
        s[k] = from[k] ^ keys[0][k];
    for (int r = 1; r <= 10; r++) {
        unsigned char t[16];
        for (int c = 0; c < 4; c++)
            for (int row = 0; row < 4; row++)
                t[4 * c + row] = box[s[4 * ((c + row) % 4) + row]];
        for (int c = 0; c < 4; c++)
            for (int row = 0; row < 4; row++) {
                const unsigned char *v = t + 4 * c;
                unsigned char mixed = (unsigned char)(product(v[row], 2) ^ product(v[(row + 1) % 4], 3) ^ v[(row + 2) % 4] ^
                                                      v[(row + 3) % 4]);
                s[4 * c + row] = (r < 10 ? mixed : v[row]) ^ keys[r][4 * c + row];
            }
    }
    memcpy(to, s, 16);
}

int main(void)
{
    make_box();
    for (int k = 0; k < 16; k++)
        key[k] = (unsigned char)random_u32();
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 16; k++)
            in[i][k] = (unsigned char)random_u32();
        encrypt(in[i], out[i]);
    }
    WRITE("box.bin", box);
    WRITE("key.bin", key);
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
