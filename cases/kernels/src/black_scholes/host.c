#include "../host.h"

enum { N = 256 };
static float price[N], strike[N], call[N];

static double normal(double x)
{
    double k = 1 / (1 + 0.2316419 * fabs(x));
    double tail = exp(-0.5 * x * x) * 0.39894228 * k
        * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    return x < 0 ? tail : 1 - tail;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        double s = price[i] = (float)random_range(5, 30), k = strike[i] = (float)random_range(1, 100), t = 2, rate = 0.02, v = 0.3;
        double d1 = (log(s / k) + (rate + 0.5 * v * v) * t) / (v * sqrt(t));
        call[i] = (float)(s * normal(d1) - k * exp(-rate * t) * normal(d1 - v * sqrt(t)));
    }
    WRITE("price.bin", price);
    WRITE("strike.bin", strike);
    WRITE("call.bin", call);
}
