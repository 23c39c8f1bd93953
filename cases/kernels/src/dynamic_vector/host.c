#include "../host.h"

enum { N = 96 };
static const unsigned uniform = 7;
static unsigned in[N][16], out[N];
static unsigned long wide[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        unsigned v[16], sum = 0;
        for (int k = 0; k < 16; k++)
            v[k] = in[i][k] = random_u32();
        for (unsigned k = 0; k < 24; k++) {
            unsigned at = k * uniform & 15;
            sum = sum * 3 + v[at];
            v[(at + 5) & 15] ^= sum;
        }
        for (unsigned k = 0; k < 6; k++) {
            unsigned at = sum >> (5 * k) & 15;
            v[at] += k * 1000 + v[(at + k) & 15];
            sum += v[15 - at];
        }
        unsigned long w[8];
        memcpy(w, v, sizeof w);
        w[sum & 7] -= w[uniform & 7];
        out[i] = sum;
        wide[i] = w[0] ^ w[3] * 3 ^ w[sum >> 3 & 7] * 5;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("wide.bin", wide);
}
