#include "../host.h"

enum { N = 900 };
static float x[30];
static double d[30];
static unsigned out[N][16];
static unsigned long wide[N][8];

static unsigned long bits(double v)
{
    unsigned long b;
    memcpy(&b, &v, 8);
    return b;
}

/* Where the kernel's result is a NaN there may be any NaN: no such pairs. */
int main(void)
{
    for (int i = 0; i < 30; i++) {
        x[i] = edge_f32(i);
        d[i] = edge_f64(i);
        if (!isfinite(x[i]) || i == 0 || i == 1)
            x[i] = (float)random_range(-1000, 1000);
        if (!isfinite(d[i]) || i == 0 || i == 1)
            d[i] = random_range(-1e6, 1e6);
    }
    for (int i = 0; i < N; i++) {
        float a = x[i % 30], b = x[i / 30], whole;
        double p = d[i % 30], q = d[i / 30];
        unsigned *o = out[i], e;
        unsigned long *w = wide[i];
        o[0] = f32_bits(fmodf(a, b));
        o[1] = f32_bits(remainderf(a, b));
        o[2] = f32_bits(nextafterf(a, b) + 0);
        o[3] = f32_bits(rintf(a)) ^ f32_bits(truncf(b));
        o[4] = f32_bits(roundf(a)) ^ f32_bits(ceilf(b));
        o[5] = f32_bits(fmaf(a, b, a));
        o[6] = f32_bits(copysignf(fmaxf(a, b), fminf(a, b)));
        o[7] = f32_bits(fdimf(a, b));
        o[8] = f32_bits(ldexpf(a, i % 300 - 150));
        o[9] = (unsigned)ilogbf(a);
        o[10] = f32_bits(logbf(b));
        o[11] = (unsigned)((a > b) | (a != b) << 2 | isnormal(a) << 3 | !!signbit(b) << 4 | (a == b) << 5);
        o[12] = f32_bits(frexpf(a, (int *)&e));
        o[13] = e;
        o[14] = f32_bits(modff(a, &whole));
        o[15] = f32_bits(whole);
        w[0] = bits(fmod(p, q));
        w[1] = bits(remainder(p, q));
        w[2] = bits(nextafter(p, q) + 0);
        w[3] = bits(rint(p)) ^ bits(floor(q));
        w[4] = bits(fma(p, q, p));
        w[5] = bits(ldexp(p, i % 2200 - 1100));
        w[6] = bits(fmax(p, q)) ^ bits(sqrt(fabs(q)));
        w[7] = bits(round(p));
    }
    WRITE("x.bin", x);
    WRITE("d.bin", d);
    WRITE("out.bin", out);
    WRITE("wide.bin", wide);
}
