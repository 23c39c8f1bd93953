#include "../host.h"

enum { N = 2048 };
static double a[N], b[N], quotient[N], root[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i < 900 ? edge_f64(i / 30) : bits_f64(random_u64());
        b[i] = i < 900 ? edge_f64(i % 30) : bits_f64(random_u64());
        quotient[i] = a[i] / b[i];
        root[i] = sqrt(a[i]);
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("div.bin", quotient);
    WRITE("root.bin", root);
}
