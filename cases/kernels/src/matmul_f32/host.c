#include "../host.h"

enum { N = 32 };
static float a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N * N; i++) {
        a[i / N][i % N] = (float)random_range(-1, 1);
        b[i / N][i % N] = (float)random_range(-1, 1);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += (double)a[i][k] * b[k][j];
            c[i][j] = (float)sum;
        }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("c.bin", c);
}
