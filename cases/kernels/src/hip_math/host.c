#include "../host.h"

enum { N = 64 };
static double in[N], d[3][N];
static float f[3][N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        double x = in[i] = (float)random_range(0.1, 20);
        d[0][i] = sin(x) * cos(x) + exp(x / 10) + log(x);
        d[1][i] = pow(x, 1.25) + cbrt(x) + sqrt(x) + atan2(x, 3.0);
        d[2][i] = erf(x / 9) + tgamma(1 + x / 9) + hypot(x, 2.0) + fmod(x, 0.7) + tanh(x);
        f[0][i] = (float)d[0][i];
        f[1][i] = (float)d[1][i];
        f[2][i] = (float)(erf(x / 9) + tgamma(1 + x / 9) + hypot(x, 2.0) + tanh(x) + floor(x) + rint(x));
    }
    WRITE("in.bin", in);
    WRITE("d.bin", d);
    WRITE("f.bin", f);
}
