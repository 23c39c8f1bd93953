#include "../host.h"

enum { N = 1024 };
static unsigned in[N], out[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        out[i] = in[i] = random_u32();
    for (unsigned k = 0; k < 8; k++) {
        unsigned ring[N];
        memcpy(ring, out, sizeof ring);
        for (unsigned i = 0; i < N; i++)
            out[i] = ring[(i * 5 + k) % N] * 3 + ring[N - 1 - i];
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
