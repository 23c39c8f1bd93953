#include "../host.h"

enum { N = 240, GROUPS = 3, ITEMS = 80, COUNTERS = 11 + 6 * GROUPS };
typedef unsigned long u64;
static u64 in[N], before[COUNTERS], after[COUNTERS];
static float sum;
static double sums[GROUPS];

#define LEAST(type, place, v) place = (type)(v) < (type)(place) ? (v) : (place)
#define MOST(type, place, v) place = (type)(v) > (type)(place) ? (v) : (place)

int main(void)
{
    before[2] = before[4] = 0x7000000000000000;
    before[6] = ~0ul;
    memcpy(after, before, sizeof after);
    for (int i = 0; i < N; i++)
        in[i] = random_u64();
    for (int i = 0; i < N; i++) {
        u64 v = in[i], *lds = after + 11 + 6 * (i / ITEMS);
        if (i % ITEMS == 0)
            lds[2] = lds[3] = 0x8000000000000000;
        after[0] += v;
        after[1] -= v >> 3;
        LEAST(long, after[2], v);
        MOST(long, after[3], v);
        LEAST(u64, after[4], v);
        MOST(u64, after[5], v);
        after[6] &= v | 0x00ff00ff00ff00ff;
        after[7] |= v & 0x1111111111111111;
        after[8] ^= v;
        after[9]++;
        if (v % 7 == 3)
            after[10] = 0x123456789abcdef0;
        lds[0] += v;
        lds[1] ^= v;
        MOST(long, lds[2], v);
        MOST(u64, lds[3], v);
        lds[4] |= 1ul << (v & 63);
        lds[5]--;
        sum += (float)(v & 255);
        sums[i / ITEMS] += (double)(v >> 40);
    }
    static const float zero;
    WRITE("in.bin", in);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
    WRITE("zero.bin", zero);
    WRITE("sum.bin", sum);
    WRITE("sums.bin", sums);
}
