#include "../host.h"

enum { N = 1024 };
static unsigned a[N], b[N], out[4 * N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = random_u32() >> random_u32() % 32;
        b[i] = (random_u32() >> random_u32() % 32) | 1;
        if (i % 5 == 0)
            b[i] = 3 + (0 - b[i]) % 1000;
        out[4 * i] = a[i] / b[i];
        out[4 * i + 1] = a[i] % b[i];
        out[4 * i + 2] = (unsigned)((long long)(int)a[i] / (int)b[i]);
        out[4 * i + 3] = (unsigned)((long long)(int)a[i] % (int)b[i]);
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("out.bin", out);
}
