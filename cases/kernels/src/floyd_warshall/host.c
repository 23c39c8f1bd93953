#include "../host.h"

enum { N = 48, FAR = 65535 };
static unsigned short in[N][N], out[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            in[i][k] = i == k ? 0 : random_u32() % 12 || i / 40 != k / 40 ? FAR : (unsigned short)(random_u32() % 20000 + 1);
    /* Bellman and Ford from every node */
    for (int from = 0; from < N; from++) {
        unsigned d[N];
        for (int k = 0; k < N; k++)
            d[k] = k == from ? 0 : FAR;
        for (int round = 0; round < N; round++)
            for (int i = 0; i < N; i++)
                for (int k = 0; k < N; k++)
                    if (d[i] + in[i][k] < d[k])
                        d[k] = d[i] + in[i][k];
        for (int k = 0; k < N; k++)
            out[from][k] = (unsigned short)d[k];
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
