#include "../host.h"

enum { N = 512 };
static float in[N], e[N], l[N], p[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = (float)random_range(-60, 60);
        e[i] = (float)exp((double)in[i]);
        l[i] = (float)log((double)(fabsf(in[i]) + 0.25f));
        p[i] = (float)pow(fabs((double)in[i]), 1.75);
    }
    WRITE("in.bin", in);
    WRITE("exp.bin", e);
    WRITE("log.bin", l);
    WRITE("pow.bin", p);
}
