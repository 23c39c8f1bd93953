#include "../host.h"

enum { N = 64 };
static float bodies[N][4], out[N][4];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 4; k++)
            bodies[i][k] = (float)random_range(k == 3 ? 0.1 : -1, 1);
    for (int i = 0; i < N; i++) {
        double force[3] = { 0 };
        for (int k = 0; k < N; k++) {
            double d[3], sum = 0.01;
            for (int c = 0; c < 3; c++) {
                d[c] = (double)bodies[k][c] - bodies[i][c];
                sum += d[c] * d[c];
            }
            for (int c = 0; c < 3; c++)
                force[c] += d[c] * bodies[k][3] / (sum * sqrt(sum));
        }
        for (int c = 0; c < 3; c++)
            out[i][c] = (float)force[c];
    }
    WRITE("bodies.bin", bodies);
    WRITE("out.bin", out);
}
