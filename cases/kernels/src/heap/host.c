#include "../host.h"

enum { N = 70 };
static unsigned seeds[N], out[N][4];

static int compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        unsigned items[200], x = seeds[i] = random_u32();
        for (int k = 0; k < 200; k++)
            x = x * 1664525 + 1013904223, items[k] = x >> (k % 7);
        qsort(items, 200, sizeof items[0], compare);
        out[i][0] = items[0];
        out[i][1] = items[100];
        out[i][2] = items[199];
        for (int k = 0; k < 200; k++)
            out[i][3] = out[i][3] * 31 + items[k];
    }
    WRITE("seeds.bin", seeds);
    WRITE("out.bin", out);
}
