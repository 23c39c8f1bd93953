#include "../gcc.h"

static unsigned in[256], sums[8], order = 36; /* 1 + ... + 8 */

int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 256; i++) {
        in[i] = random_u32();
        sum += in[i];
        sums[i / 32] = sum;
    }
    write_slots((unsigned long long[3]){ 0 }, 3);
    write_heap();
    WRITE("in.bin", in);
    WRITE("sums.bin", sums);
    WRITE("order.bin", order);
}
