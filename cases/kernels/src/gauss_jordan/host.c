#include "../host.h"

enum { GROUPS = 4, N = 12 };
static float in[GROUPS][N][N], out[GROUPS][N][N];

int main(void)
{
    for (int g = 0; g < GROUPS; g++) {
        double m[N][2 * N];
        for (int y = 0; y < N; y++)
            for (int x = 0; x < 2 * N; x++) {
                int large = x == (y * 5 + g) % N;
                if (x < N)
                    in[g][y][x] = (float)random_range(-1, 1) + (large ? 10.0f : 0);
                m[y][x] = x < N ? (double)in[g][y][x] : x - N == y;
            }
        for (int k = 0; k < N; k++) {
            int pivot = k;
            for (int y = k; y < N; y++)
                if (fabs(m[y][k]) > fabs(m[pivot][k]))
                    pivot = y;
            for (int x = 0; x < 2 * N; x++) {
                double t = m[k][x];
                m[k][x] = m[pivot][x], m[pivot][x] = t;
            }
            for (int y = 0; y < N; y++) {
                double f = m[y][k] / m[k][k];
                for (int x = 0; x < 2 * N && y != k; x++)
                    m[y][x] -= f * m[k][x];
            }
        }
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                out[g][y][x] = (float)(m[y][N + x] / m[y][y]);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
