#include "../host.h"

enum { N = 2048 };
static float a[N], b[N], quotient[N], root[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i < 900 ? edge_f32(i / 30) : bits_f32(random_u32());
        b[i] = i < 900 ? edge_f32(i % 30) : bits_f32(random_u32());
        quotient[i] = a[i] / b[i];
        root[i] = sqrtf(a[i]);
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("div.bin", quotient);
    WRITE("root.bin", root);
}
