#include "../host.h"

enum { N = 64 };
static int in[N], out[2][N];

static int steps(int n)
{
    int count = 0;
    for (; n > 1; count++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return count;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        int v = in[i] = (int)(random_u32() % 100);
        out[0][i] = v % 3 == 0 ? v * v : v * i;
        out[1][i] = v % 3 == 0 ? 2 * v : v % 3 == 1 ? -v : steps(v);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
