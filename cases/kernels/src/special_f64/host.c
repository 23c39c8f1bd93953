#include "../host.h"

enum { N = 64, FUNCTIONS = 20 };
static double x[N], y[N], out[FUNCTIONS][N];
typedef long double real;

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = random_range(-9, 9);
        y[i] = random_range(-7, 7);
        if (fabs(x[i] - rint(x[i])) < 0.02)
            x[i] += 0.3;
        if (fabs(y[i]) < 0.2)
            y[i] = 1.5;
        real a = x[i], b = y[i], sum = 1, term = 1;
        double a200 = x[i] * 1e200, big = y[i] * 123456789.0;
        int e;
        for (int k = 1; k < 60; k++)
            term *= -b * b / 4 / (k * k), sum += term;
        real fraction = frexpl(a, &e), sign = a < 0 && (long)floorl(a) % 2 ? -1 : 1;
        real v[FUNCTIONS] = { tgammal(a), lgammal(a) / 2, erfl(a) * sign, erfcl(a), powl(fabsl(a), b), powl(fabsl(b), a), coshl(a),
                              asinhl(a) + atanhl(b / 8), sinl((real)a200), cosl((real)big), tanl(a), atan2l(a, b), cbrtl(a),
                              expm1l(a / 128), hypotl(a, b) * (real)1e160, fraction * e, sum, log2l(fabsl(a)) + exp2l(b),
                              1 / sqrtl(fabsl(b)), atanl(a) * 3.14159265358979323846L / acosl(b / 8) };
        for (int k = 0; k < FUNCTIONS; k++)
            out[k][i] = (double)v[k];
    }
    WRITE("x.bin", x);
    WRITE("y.bin", y);
    WRITE("out.bin", out);
}
