#include "../host.h"

enum { N = 128 };
static unsigned before[N][4], after[N][4], out[15][N];

static unsigned bits(const unsigned *d, unsigned at, unsigned size)
{
    unsigned v = 0;
    memcpy(&v, (const char *)d + at, size);
    return v;
}

int main(void)
{
    for (unsigned i = 0; i < N; i++) {
        unsigned own[4] = { i, i + 1000, i + 2000, i + 3000 };
        for (int k = 0; k < 4; k++)
            before[i][k] = after[i][k] = random_u32();
        unsigned *d = i % 3 ? own : after[i];
        out[0][i] = d[0];
        for (int k = 0; k < 4; k++)
            out[1 + k][i] = d[k];
        out[5][i] = bits(d, 5, 1);
        out[6][i] = (unsigned)(short)bits(d, 8, 2);
        unsigned v = (d[0] & 0xffffff) * 7, high = 16 * i >> 16; /* v_mul_u32_u24 */
        d[0] = v;
        memcpy((char *)d + 6, &v, 1);
        memcpy((char *)d + 8, &high, 2);
        for (int k = 0; k < 3; k++)
            out[7 + k][i] = d[k];
        if (i % 3 != 2) {
            out[10][i] = d[3];
            d[3] += i;
            d[3] = d[3] > i + 2000 ? d[3] : i + 2000;
        }
        out[11][i] = i % 3 == 1 ? d[3] : i + 3000;
        out[12][i] = i % 3 == 1 ? d[0] : i;
        out[13][i] = i % 3 == 2 ? d[0] : i;
        out[14][i] = i % 3 == 2 ? d[1] : i + 1000;
    }
    WRITE("out.bin", out);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
}
