#include "../host.h"

enum { N = 512 };
static unsigned long long a[N], b[N], out[4 * N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = random_u64() >> random_u32() % 64;
        b[i] = (random_u64() >> random_u32() % 64) | 1;
        if (i % 5 == 0)
            b[i] = 0 - b[i];
        out[4 * i] = a[i] / b[i];
        out[4 * i + 1] = a[i] % b[i];
        out[4 * i + 2] = (unsigned long long)((long long)a[i] / (long long)b[i]);
        out[4 * i + 3] = (unsigned long long)((long long)a[i] % (long long)b[i]);
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("out.bin", out);
}
