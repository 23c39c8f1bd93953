#include "../host.h"

enum { N = 128 };
static unsigned in[N], out[N];

static unsigned mix(unsigned *p, unsigned k)
{
    p[0] = p[0] * 3 + k;
    return p[0] ^ p[1];
}

int main(void)
{
    for (unsigned i = 0; i < N; i++) {
        in[i] = random_u32();
        unsigned own[2] = { in[i], i }, shared[2] = { in[i] >> 4, 7 };
        unsigned first = mix(i % 2 ? own : shared, i);
        out[i] = first + mix(own, 5);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
