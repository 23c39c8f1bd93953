#include "../host.h"

enum { N = 300 };
static unsigned in[N], out[N], counters[9] = { 1000, 1, 2, 3 };

int main(void)
{
    /* root 11: left 7 (3, 5), right 250 */
    for (int i = 0; i < N; i++) {
        unsigned v = in[i] = random_u32(), path = v >> 2, leaf;
        switch (v % 3) {
        case 0:
            leaf = path >> 1 & 1 ? 5 : 3;
            out[i] = path & 1 ? 11 * 2 + 250 : (11 * 2 + 7) * 2 + leaf;
            break;
        case 1: out[i] = 7 * 2 + (path & 1 ? 5 : 3); break;
        default: out[i] = 250;
        }
        counters[0] += v & 255;
        counters[1 + (v & 7)]++;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("counters.bin", counters);
}
