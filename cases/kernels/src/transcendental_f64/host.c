#include "../host.h"

enum { N = 256 };
static double in[N], e[N], s[N], l[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = random_range(-300, 300);
        e[i] = exp(in[i]);
        s[i] = sin(in[i] * 1e5);
        l[i] = log(fabs(in[i]) + 0.5);
    }
    WRITE("in.bin", in);
    WRITE("exp.bin", e);
    WRITE("sin.bin", s);
    WRITE("log.bin", l);
}
