#include "../host.h"
#include <fenv.h>

enum { LANES = 64 };
static float in[LANES][2];
static double wide[LANES][2];
static unsigned out[5][16][LANES];

static void put64(unsigned (*o)[LANES], int l, double v)
{
    unsigned b[2];
    memcpy(b, &v, 8);
    o[0][l] = b[0];
    o[1][l] = b[1];
}

static unsigned half_bits(float v, int mode)
{
    /* Numbers of ordinary size: eleven bits of the fraction, by hand. */
    int e;
    double m = frexp(fabs((double)v), &e) * 2048, whole = floor(m), rest = m - whole;
    int up = mode == 0 ? rest > 0.5 || (rest == 0.5 && fmod(whole, 2) == 1) : mode == 1 ? v > 0 && rest > 0 : mode == 2 && v < 0 && rest > 0;
    double r = ldexp(whole + up, e - 11);
    _Float16 h = (_Float16)(v < 0 ? -r : r);
    unsigned short b;
    memcpy(&b, &h, 2);
    return b;
}

static float flushed(float v)
{
    return fabsf(v) < 0x1p-126f ? copysignf(0, v) : v;
}

int main(void)
{
    static const int modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    for (int l = 0; l < LANES; l++) {
        for (int k = 0; k < 2; k++) {
            in[l][k] = (float)random_range(-60000, 60000);
            wide[l][k] = random_range(-1e6, 1e6) * (k ? 1e-9 : 1);
        }
        in[l][1] /= l % 4 == 1 ? 1024 : 1;
        if (l % 4 == 2)
            in[l][0] = rintf(in[l][0]), in[l][1] = rintf(in[l][1]) + 0.5f;
        if (l % 8 == 3)
            in[l][0] = (float)random_range(-1, 1) * 0x1p-100f;
    }
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        for (int l = 0; l < LANES; l++) {
            volatile float a = in[l][0], b = in[l][1];
            volatile double p = wide[l][0], q = wide[l][1];
            unsigned(*o)[LANES] = out[m];
            volatile unsigned ua = f32_bits(a);
            volatile int sb = (int)f32_bits(b);
            o[0][l] = f32_bits(a + b);
            o[1][l] = f32_bits(a * b);
            o[2][l] = f32_bits(fmaf(a, b, b));
            put64(o + 3, l, p + q);
            put64(o + 5, l, p * q);
            put64(o + 7, l, fma(p, q, p));
            o[9][l] = f32_bits((float)p);
            o[10][l] = f32_bits((float)ua);
            o[11][l] = f32_bits((float)sb);
            o[14][l] = (unsigned)(int)b;
        }
    }
    fesetround(FE_TONEAREST);
    for (int l = 0; l < LANES; l++) {
        float a = in[l][0], b = in[l][1], sum = a + b;
        for (int m = 0; m < 4; m++) {
            out[m][12][l] = fabsf(a) < 1e-4f ? m == 1 && a > 0 ? 1 : m == 2 && a < 0 ? 0x8001 : a < 0 ? 0x8000 : 0 : half_bits(a, m);
            out[m][13][l] = f32_bits(rintf(b)); /* to nearest, whatever the mode */
        }
        unsigned(*o)[LANES] = out[4];
        o[0][l] = f32_bits(flushed(a * 0x1p-32f));
        o[1][l] = f32_bits(a);
        o[2][l] = f32_bits(sum < 0 || sum == 0 ? 0 : sum > 1 ? 1 : sum);
        o[3][l] = f32_bits(flushed(a * b) * 4);
        o[4][l] = f32_bits((b - fabsf(a)) / 2);
    }
    WRITE("in.bin", in);
    WRITE("wide.bin", wide);
    WRITE("out.bin", out);
}
