#include "../host.h"

enum { N = 1000, BLOCK = 256 };
static long long in[N], out[(N + BLOCK - 1) / BLOCK][2];

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = (long long)(random_u64() >> 20);
        long long *block = out[i / BLOCK];
        block[0] += in[i];
        block[1] = block[1] < in[i] ? in[i] : block[1];
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
