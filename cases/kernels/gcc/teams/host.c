#include "../gcc.h"

enum { N = 2500 };
static unsigned in[N], histogram[61], zero[61];
static unsigned long long sum;

int main(void)
{
    for (unsigned i = 0; i < N; i++) {
        in[i] = random_u32();
        histogram[in[i] % 61]++;
        sum += (unsigned long long)in[i] * i;
    }
    write_slots((unsigned long long[4]){ 0, 0, N }, 4);
    write_heap();
    WRITE("in.bin", in);
    WRITE("zero.bin", zero);
    WRITE("histogram.bin", histogram);
    WRITE("sum.bin", sum);
}
