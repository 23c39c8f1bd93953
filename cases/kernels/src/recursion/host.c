#include "../host.h"

enum { N = 80 };
static unsigned out[N][2];

int main(void)
{
    unsigned char pegs[8] = { 0 };
    unsigned moved = 0;
    for (unsigned i = 0; i < N; i++) {
        unsigned n = i % 7;
        out[i][0] = i % 3 == 0 ? n + 1 : i % 3 == 1 ? n + 2 : 2 * n + 3;
        /* Move number k takes the disk of its lowest bit one peg on: an odd disk of an even tower to the left. */
        for (; moved < i * 3 && moved < 255; moved++) {
            int disk = __builtin_ctz(moved + 1);
            pegs[disk] = (unsigned char)((pegs[disk] + (disk % 2 ? 2 : 1)) % 3);
        }
        for (int k = 0; k < 8; k++)
            out[i][1] = out[i][1] * 3 + pegs[k];
    }
    WRITE("out.bin", out);
}
