#include "../host.h"

enum { N = 192, GROUPS = 2, ITEMS = 96 };
static unsigned in[N], before[8 + N], after[8 + N], old[N], lds[GROUPS][8];

int main(void)
{
    for (int k = 0; k < 8 + N; k++)
        before[k] = after[k] = random_u32();
    for (int i = 0; i < N; i++) {
        unsigned v = in[i] = random_u32(), place = v >> 1 & 7;
        if (i % ITEMS == 0)
            for (unsigned k = 0; k < 8; k++)
                lds[i / ITEMS][k] = k;
        unsigned *p = v & 1 ? &after[place] : &lds[i / ITEMS][place];
        switch (place) {
        case 0: *p += v; break;
        case 1: *p -= v; break;
        case 2: *p ^= v; break;
        case 3: *p |= v & 0x01010101; break;
        case 4: *p &= v | 0x0fffff0f; break;
        case 5: *p = v > *p ? v : *p; break;
        case 6: *p = v < *p ? v : *p; break;
        default: *p += v & 1023;
        }
        old[i] = before[8 + i];
        after[8 + i] = v;
    }
    WRITE("in.bin", in);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
    WRITE("old.bin", old);
    WRITE("lds.bin", lds);
}
