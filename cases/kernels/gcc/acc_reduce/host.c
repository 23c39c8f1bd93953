#include "../gcc.h"

enum { N = 1001 };
static float a[N], b[N], out[N];
static int hits, n = N;

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (float)random_range(-8, 8);
        b[i] = (float)random_range(-8, 8);
        out[i] = a[i] * b[i];
        out[i] += a[i];
        hits += a[i] > b[i] ? 1 : 0;
    }
    write_slots((unsigned long long[5]){ 0 }, 5);
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("n.bin", n);
    WRITE("out.bin", out);
    WRITE("hits.bin", hits);
}
