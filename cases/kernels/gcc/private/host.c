#include "../gcc.h"

enum { N = 100 };
static unsigned steps[N];
static long long out[N + 64];
static unsigned char order[64];
static long long total = -12345;

static void turn(unsigned by)
{
    unsigned char old[64];
    memcpy(old, order, 64);
    for (unsigned i = 0; i < 64; i++)
        order[(i + by) % 64] = (unsigned char)(old[i] + i % 3);
    total = (long long)((unsigned long long)total * 1000003) / (by + 7ll) - total % (by + 11ll);
}

int main(void)
{
    for (int i = 0; i < 64; i++)
        order[i] = (unsigned char)(i * 5);
    for (int i = 0; i < N; i++) {
        unsigned kind, at;
        steps[i] = random_u32();
        kind = steps[i] % 7;
        at = steps[i] / 7;
        if (kind == 0)
            total ^= 0x5555;
        else if (kind == 1 || kind == 4)
            turn(kind == 1 ? 3 : at % 32);
        else if (kind == 2)
            total += order[at % 64];
        else if (kind == 3)
            order[at % 64]++;
        else
            total = kind == 5 ? -total : total - i;
        out[i] = total;
    }
    for (int i = 0; i < 64; i++)
        out[N + i] = order[i];
    write_slots((unsigned long long[3]){ 0, 0, N }, 3);
    write_heap();
    WRITE("steps.bin", steps);
    WRITE("out.bin", out);
}
