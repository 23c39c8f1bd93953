#include "../gcc.h"

enum { N = 20 };
static double a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N * N; i++) {
        a[i / N][i % N] = random_range(-3, 3);
        b[i / N][i % N] = random_range(-3, 3);
    }
    for (int k = 0; k < N; k++)
        for (int row = 0; row < N; row++)
            for (int column = 0; column < N; column++)
                c[row][column] += a[row][k] * b[k][column];
    write_slots((unsigned long long[3]){ 0 }, 3);
    write_heap();
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("c.bin", c);
}
