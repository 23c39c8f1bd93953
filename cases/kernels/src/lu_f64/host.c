#include "../host.h"

/* The solution is chosen, the right side computed from it. */
enum { SYSTEMS = 40, N = 20 };
static double matrices[SYSTEMS][N][N], right[SYSTEMS][N], out[SYSTEMS][N];

int main(void)
{
    for (int i = 0; i < SYSTEMS; i++) {
        for (int y = 0; y < N; y++)
            out[i][y] = (double)((int)(random_u32() % 2001) - 1000);
        for (int y = 0; y < N; y++) {
            for (int x = 0; x < N; x++) {
                int large = x == (y * 7 + i) % N; /* one in each row and column: well conditioned, pivots elsewhere */
                matrices[i][y][x] = (double)((int)(random_u32() % 2001) - 1000) / 1024 + (large ? 40 : 0);
                right[i][y] += matrices[i][y][x] * out[i][x]; /* exact */
            }
        }
    }
    WRITE("matrices.bin", matrices);
    WRITE("right.bin", right);
    WRITE("out.bin", out);
}
