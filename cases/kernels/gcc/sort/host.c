#include "../gcc.h"

enum { N = 150 };
static unsigned in[N], first[N], second[N];

static int by_value(const void *x, const void *y)
{
    unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    return (a > b) - (a < b);
}

static int by_low_byte(const void *x, const void *y)
{
    unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    return a % 256 != b % 256 ? (int)(a % 256) - (int)(b % 256) : -by_value(x, y);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = first[i] = second[i] = random_u32() & 0xffff01ff;
    qsort(first, N, sizeof *first, by_value);
    qsort(second, N, sizeof *second, by_low_byte);
    write_slots((unsigned long long[3]){ 0, 0, N }, 3);
    write_heap();
    WRITE("in.bin", in);
    WRITE("first.bin", first);
    WRITE("second.bin", second);
}
