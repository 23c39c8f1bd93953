#include "../host.h"

enum { N = 256 };
static unsigned char a[4 * N], b[4 * N];
static int out[2 * N];

int main(void)
{
    for (int i = 0; i < 4 * N; i++) {
        a[i] = (unsigned char)random_u32();
        b[i] = (unsigned char)random_u32();
        out[i / 4 * 2] += (signed char)a[i] * (signed char)b[i];
        out[i / 4 * 2 + 1] += a[i] * b[i];
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("out.bin", out);
}
