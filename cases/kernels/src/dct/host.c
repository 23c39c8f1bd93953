#include "../host.h"

enum { BLOCKS = 8 };
static unsigned char in[BLOCKS][8][8], order[8][8], back[BLOCKS][8][8];
static float cosines[8][8];
static signed char out[BLOCKS][64];

/* Whether rounding has a choice that a float's error could turn. */
static int is_near_half(double v)
{
    return fabs(fabs(v - floor(v)) - 0.5) < 1e-3;
}

static int transform(int n)
{
    double a[8][8], q[8][8];
    for (int v = 0; v < 8; v++)
        for (int u = 0; u < 8; u++) {
            a[v][u] = 0;
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++)
                    a[v][u] += (in[n][y][x] - 128.0) * (double)cosines[u][x] * (double)cosines[v][y];
            double divided = a[v][u] / (8 + u + v), r = rint(divided);
            if (is_near_half(divided))
                return 0;
            r = r < -128 ? -128 : r > 127 ? 127 : r;
            out[n][order[v][u]] = (signed char)r;
            q[v][u] = r * (8 + u + v);
        }
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            double sum = 128;
            for (int v = 0; v < 8; v++)
                for (int u = 0; u < 8; u++)
                    sum += q[v][u] * (double)cosines[u][x] * (double)cosines[v][y];
            if (is_near_half(sum))
                return 0;
            back[n][y][x] = (unsigned char)(sum < 0 ? 0 : sum > 255 ? 255 : rint(sum));
        }
    return 1;
}

int main(void)
{
    int at = 0;
    for (int d = 0; d < 15; d++)
        for (int k = 0; k <= d; k++) {
            int y = d % 2 ? k : d - k, x = d - y;
            if (x < 8 && y < 8)
                order[y][x] = (unsigned char)at++;
        }
    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 8; x++)
            cosines[u][x] = (float)(cos((2 * x + 1) * u * 3.14159265358979323846 / 16) / (u ? 2 : sqrt(8)));
    for (int n = 0; n < BLOCKS; n++)
        do
            for (int k = 0; k < 64; k++)
                in[n][k / 8][k % 8] = (unsigned char)(128 + 90 * sin(k * 0.1 * n) + (int)(random_u32() % 32));
        while (!transform(n));
    WRITE("in.bin", in);
    WRITE("cosines.bin", cosines);
    WRITE("order.bin", order);
    WRITE("out.bin", out);
    WRITE("back.bin", back);
}
