#include "../host.h"

enum { GROUPS = 2, N = 1024 };
static unsigned keys[GROUPS][N], sorted[GROUPS][N];
static unsigned short values[GROUPS][N], moved[GROUPS][N];
static const unsigned *by;

static int compare(const void *a, const void *b)
{
    unsigned short i = *(const unsigned short *)a, k = *(const unsigned short *)b;
    return by[i] != by[k] ? by[i] < by[k] ? -1 : 1 : i - k;
}

int main(void)
{
    for (int g = 0; g < GROUPS; g++) {
        unsigned short order[N];
        for (int i = 0; i < N; i++) {
            keys[g][i] = g ? random_u32() % 50 * 0x01010101u : random_u32(); /* with many equal ones */
            values[g][i] = (unsigned short)random_u32();
            order[i] = (unsigned short)i;
        }
        by = keys[g];
        qsort(order, N, sizeof order[0], compare);
        for (int i = 0; i < N; i++)
            sorted[g][i] = keys[g][order[i]], moved[g][i] = values[g][order[i]];
    }
    WRITE("keys.bin", keys);
    WRITE("values.bin", values);
    WRITE("sorted.bin", sorted);
    WRITE("moved.bin", moved);
}
