#include "../host.h"

static float in[256][2], out[256][2];

int main(void)
{
    for (int i = 0; i < 512; i++)
        in[i / 2][i % 2] = (float)random_range(-1, 1);
    for (int g = 0; g < 4; g++)
        for (int k = 0; k < 64; k++) {
            double re = 0, im = 0;
            for (int n = 0; n < 64; n++) {
                double a = -2 * 3.14159265358979323846 * k * n / 64, x = in[64 * g + n][0], y = in[64 * g + n][1];
                re += x * cos(a) - y * sin(a);
                im += x * sin(a) + y * cos(a);
            }
            out[64 * g + k][0] = (float)re;
            out[64 * g + k][1] = (float)im;
        }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
