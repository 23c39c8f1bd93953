#include "../host.h"

enum { N = 1024 };
static _Float16 a[N], b[N], out[4 * N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (_Float16)random_range(-300, 300);
        b[i] = (_Float16)random_range(-2, 2);
        if (i % 7 == 0)
            a[i] = bits_f16((unsigned short)random_u32());
        out[4 * i] = a[i] + b[i];
        out[4 * i + 1] = a[i] * b[i];
        out[4 * i + 2] = a[i] - b[i];
        /* exact in double but for the last rounding: 22 bits of product and 11 of sum */
        out[4 * i + 3] = (_Float16)fma((double)a[i], (double)b[i], 0.5);
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("out.bin", out);
}
