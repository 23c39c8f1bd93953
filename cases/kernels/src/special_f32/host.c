#include "../host.h"

enum { N = 128, FUNCTIONS = 24 };
static float x[N], y[N], out[FUNCTIONS][N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (float)random_range(-11, 11);
        y[i] = (float)random_range(-7, 7);
        if (fabsf(x[i] - rintf(x[i])) < 0.02f) /* far from poles and zeros */
            x[i] += 0.3f;
        if (fabsf(y[i]) < 0.2f)
            y[i] = 1.5f;
        double a = x[i], b = y[i], pi = 3.14159265358979323846;
        float a20 = x[i] * 1e20f, ab = x[i] * y[i], bk = y[i] * 12345.678f, a19 = x[i] * 1e19f, b19 = y[i] * 1e19f;
        float twelfth = x[i] / 12, eighth = y[i] / 8, hundredth = x[i] * 0.01f, more = 1 + fabsf(y[i]);
        double v[FUNCTIONS] = { tgamma(a), lgamma((double)(fabsf(x[i]) + 0.5f)), erf(a), erfc(a), pow(fabs(a), b),
                                pow(a, (int)b), pow(fabs(a), 0.2), sinh(a), tanh(a), asinh((double)ab), acosh((double)more),
                                atanh((double)twelfth), sin((double)a20), cos((double)bk), tan(a), atan2(a, b), cbrt((double)ab),
                                expm1((double)hundredth), log1p((double)(fabsf(x[i]) * 0.01f)), hypot((double)a19, (double)b19),
                                sin(pi * fmod(a, 2)), asin((double)eighth), pow(10, b), log10(fabs(b)) };
        for (int k = 0; k < FUNCTIONS; k++)
            out[k][i] = (float)v[k];
    }
    WRITE("x.bin", x);
    WRITE("y.bin", y);
    WRITE("out.bin", out);
}
