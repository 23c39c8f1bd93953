#include "../host.h"

enum { N = 256 };
static unsigned a[N], b[N];
static int out[N];

static int nibble(unsigned v, int k)
{
    int n = (int)(v >> 4 * k & 15);
    return n < 8 ? n : n - 16;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = random_u32();
        b[i] = random_u32();
        for (int k = 0; k < 8; k++)
            out[i] += nibble(a[i], k) * nibble(b[i], k);
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("out.bin", out);
}
