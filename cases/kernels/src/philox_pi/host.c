#include "../host.h"

enum { N = 256, ROUNDS = 20 };
static const unsigned key[2] = { 0x12345678, 0x9abcdef0 }, zero;
static unsigned inside, first[N][4];

int main(void)
{
    for (unsigned i = 0; i < N; i++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            unsigned c[4] = { i, round, 0, 0 }, k[2] = { key[0], key[1] };
            for (int r = 0; r < 10; r++) {
                unsigned long a = 0xd2511f53ul * c[0], b = 0xcd9e8d57ul * c[2];
                unsigned next[4] = { (unsigned)(b >> 32) ^ c[1] ^ k[0], (unsigned)b, (unsigned)(a >> 32) ^ c[3] ^ k[1],
                                     (unsigned)a };
                memcpy(c, next, sizeof c);
                k[0] += 0x9e3779b9, k[1] += 0xbb67ae85;
            }
            if (round == 0)
                memcpy(first[i], c, sizeof c);
            for (int p = 0; p < 4; p += 2) { /* the squares are exact in double: no point lies closer to the circle than 2^-46 */
                double x = c[p] >> 9, y = c[p + 1] >> 9;
                double d = x * x + y * y - 0x1p46;
                if (fabs(d) < 0x1p25) {
                    fprintf(stderr, "a point too close to the circle\n");
                    return 2;
                }
                inside += d < 0;
            }
        }
    WRITE("key.bin", key);
    WRITE("zero.bin", zero);
    WRITE("inside.bin", inside);
    WRITE("first.bin", first);
}
