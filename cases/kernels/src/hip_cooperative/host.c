#include "../host.h"

enum { N = 256 };
static int in[N], out[2][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = (int)(random_u32() % 1000);
    for (int i = 0; i < N; i++) {
        int first = -1, rank = 0;
        for (int k = 0; k < 16; k++)
            out[0][i] += in[i / 16 * 16 + k] * 100;
        out[0][i] += i % 16;
        for (int k = i / 64 * 64; k <= i; k++) {
            if (in[k] % 3)
                continue;
            first = first < 0 ? in[k] : first;
            rank += k < i;
        }
        out[1][i] = in[i] % 3 ? -1 : first * 100 + rank;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
