#include "../host.h"

static unsigned out[16][64];

int main(void)
{
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 64; x++) {
            float cx = (float)x * (3.0f / 64.0f) - 2.0f, cy = (float)y * 0.125f - 1.0f, re = 0, im = 0;
            unsigned n = 0;
            while (n < 60 && re * re + im * im <= 4.0f) {
                float next = re * re - im * im + cx;
                im = 2.0f * re * im + cy;
                re = next;
                n++;
            }
            out[y][x] = n;
        }
    WRITE("out.bin", out);
}
