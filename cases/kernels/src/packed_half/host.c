#include "../host.h"

enum { N = 512 };
static _Float16 a[2 * N], b[2 * N], out[4 * N];

int main(void)
{
    for (int i = 0; i < 2 * N; i++) {
        a[i] = (_Float16)random_range(-100, 100);
        b[i] = (_Float16)random_range(-50, 50);
    }
    for (int i = 0; i < 2 * N; i++) {
        int row = i / 2, part = i % 2;
        _Float16 product = a[i] * b[2 * row + 1 - part], other = -a[i];
        out[4 * row + part] = a[i] + b[i];
        out[4 * row + 2 + part] = product > other ? product : other;
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("out.bin", out);
}
