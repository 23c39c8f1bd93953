#include "../host.h"

enum { N = 512 };
static float in[N];
static unsigned out[8 * N];

static double limited(double v, double low, double high)
{
    return v < low ? low : v > high ? high : trunc(v);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        float v = in[i] = i < 200 ? (float)random_range(-300, 300) : (float)random_range(-5e9, 5e9);
        unsigned raw;
        memcpy(&raw, &v, 4);
        out[8 * i] = (unsigned)(int)limited(v, -2147483648.0, 2147483647.0);
        out[8 * i + 1] = (unsigned)limited(v, 0, 4294967295.0);
        out[8 * i + 2] = (unsigned)(int)limited(v, -128, 127);
        out[8 * i + 3] = (unsigned)limited(v, 0, 65535);
        out[8 * i + 4] = f32_bits((float)(int)(raw >> 3));
        out[8 * i + 5] = f32_bits((float)raw);
        out[8 * i + 6] = f32_bits((float)((double)v * 1.0000001));
        out[8 * i + 7] = (unsigned)(int)floor(v < -1000 ? -1000 : v > 1000 ? 1000 : v);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
