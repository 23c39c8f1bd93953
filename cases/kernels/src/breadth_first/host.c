#include "../host.h"

enum { N = 600, FROM = 17 };
static unsigned starts[N + 1], before[N], after[N], queue[N];
static unsigned short edges[N * 8];

int main(void)
{
    for (unsigned i = 0; i < N; i++) {
        unsigned degree = random_u32() % 4 + (i == 40 ? 4 : 0);
        starts[i + 1] = starts[i] + degree;
        for (unsigned k = 0; k < degree; k++) /* the last tenth is not reached from the others */
            edges[starts[i] + k] = (unsigned short)(random_u32() % (i < N / 10 * 9 ? N / 10 * 9 : N));
        before[i] = after[i] = ~0u;
    }
    unsigned count = 1;
    queue[0] = FROM;
    after[FROM] = 0;
    for (unsigned at = 0; at < count; at++)
        for (unsigned e = starts[queue[at]]; e < starts[queue[at] + 1]; e++)
            if (after[edges[e]] == ~0u) {
                after[edges[e]] = after[queue[at]] + 1;
                queue[count++] = edges[e];
            }
    WRITE("starts.bin", starts);
    WRITE("edges.bin", edges);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
}
