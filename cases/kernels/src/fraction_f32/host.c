#include "../host.h"

enum { N = 512 };
static float in[N], out[8 * N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        float v = in[i] = (float)(random_range(-1, 1) * exp2(random_range(-10, 25)));
        int exponent;
        out[8 * i] = floorf(v);
        out[8 * i + 1] = ceilf(v);
        out[8 * i + 2] = rintf(v);
        out[8 * i + 3] = truncf(v);
        out[8 * i + 4] = frexpf(v, &exponent);
        out[8 * i + 5] = (float)exponent;
        out[8 * i + 6] = ldexpf(v, 3);
        out[8 * i + 7] = fmodf(v, 7.5f);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
