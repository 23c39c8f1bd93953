#include "../gcc.h"

enum { N = 1003 };
static int a[N], b[N], out[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (int)random_u32();
        b[i] = (int)random_u32() >> i % 32;
        unsigned product = (unsigned)a[i] * 0x9e3779b1u, high = (unsigned)b[i] / 128;
        unsigned least = (unsigned)(a[i] < b[i] ? a[i] : b[i]);
        out[i] = (int)((product ^ high) + least + (a[i] & 4 ? 1000 : 0) + ((unsigned)b[i] << (a[i] & 31)));
    }
    write_slots((unsigned long long[4]){ 0, 0, 0, N }, 4);
    write_heap();
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("out.bin", out);
}
