#include "../host.h"

enum { N = 500, K = 6 };
static short points[N][2];
static int before[K][2], centres[K][2];
static unsigned char cluster[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 2; c++)
            points[i][c] = (short)((int)(random_u32() % 6000) - 3000 + ((i + c) % K - 3) * 5000);
    for (int k = 0; k < K; k++)
        for (int c = 0; c < 2; c++)
            before[k][c] = centres[k][c] = points[k * 3][c];
    for (int round = 0; round < 10; round++) {
        int sums[K][2] = { { 0 } }, number[K] = { 0 };
        for (int i = 0; i < N; i++) {
            unsigned least = ~0u;
            for (int k = 0; k < K; k++) {
                int dx = points[i][0] - centres[k][0], dy = points[i][1] - centres[k][1];
                unsigned d = (unsigned)(dx * dx) + (unsigned)(dy * dy);
                if (d < least)
                    least = d, cluster[i] = (unsigned char)k;
            }
            sums[cluster[i]][0] += points[i][0];
            sums[cluster[i]][1] += points[i][1];
            number[cluster[i]]++;
        }
        for (int k = 0; k < K; k++)
            for (int c = 0; c < 2 && number[k]; c++)
                centres[k][c] = sums[k][c] / number[k];
    }
    WRITE("points.bin", points);
    WRITE("before.bin", before);
    WRITE("centres.bin", centres);
    WRITE("cluster.bin", cluster);
}
