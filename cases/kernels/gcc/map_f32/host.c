#include "../gcc.h"

enum { N = 997 };
static float a[N], b[N], out[N];
static int whole[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (float)random_range(-1000, 1000);
        b[i] = (float)random_range(-1, 1);
        out[i] = a[i] * b[i];
        out[i] += fmaxf(a[i], b[i]);
        out[i] -= fabsf(b[i]) * 0.375f;
        whole[i] = (int)truncf(a[i] * 16) + (signbit(b[i]) ? -5 : 7);
    }
    write_slots((unsigned long long[5]){ 0, 0, 0, 0, N }, 5);
    write_heap();
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("out.bin", out);
    WRITE("whole.bin", whole);
}
