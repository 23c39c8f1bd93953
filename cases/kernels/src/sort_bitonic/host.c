#include "../host.h"

enum { N = 512 };
static unsigned in[N], out[N];

static int order(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        out[i] = in[i] = random_u32() % 1000;
    qsort(out, 256, sizeof *out, order);
    qsort(out + 256, 256, sizeof *out, order);
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
