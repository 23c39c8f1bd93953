#include "../host.h"

enum { N = 128 };
static unsigned in[N], out[N];

static unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    for (; n != 1 && steps < 200; steps++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = 1 + random_u32() % 100000;
        unsigned a = collatz(in[i]), b = collatz(in[i] + 1);
        out[i] = (a + b) * 1000 + (a > b ? a : b);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
