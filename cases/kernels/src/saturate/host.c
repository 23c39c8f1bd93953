#include "../host.h"
#include <fenv.h>

enum { N = 160 };
static float f[N];
static double d[N];
static unsigned u[N], out[N][16];
static unsigned long wide[N][2];

static double clamped(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

static int limit(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

static unsigned lanes4(unsigned a, unsigned b, int what)
{
    unsigned r = 0;
    for (int k = 0; k < 32; k += 8) {
        int x = (int)(a >> k & 255), y = (int)(b >> k & 255), v;
        if (what == 0)
            v = limit((signed char)x + (signed char)y, -128, 127);
        else
            v = what == 1 ? limit(x - y, 0, 255) : (x + y + 1) / 2;
        r |= (unsigned)(v & 255) << k;
    }
    return r;
}

static unsigned lanes2(unsigned a, unsigned b, int what)
{
    unsigned r = 0;
    for (int k = 0; k < 32; k += 16) {
        int x = (short)(a >> k), y = (short)(b >> k);
        r |= (unsigned)((what ? (x + y) >> 1 : limit(x + y, -32768, 32767)) & 0xffff) << k;
    }
    return r;
}

static float toward_zero(double v)
{
    float r = (float)v;
    return fabs((double)r) > fabs(v) ? nextafterf(r, 0) : r;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        static const double sizes[5] = { 3, 300, 70000, 5e9, 3e19 };
        f[i] = i < 30 && !isnan(edge_f32(i)) ? edge_f32(i) : (float)random_range(-sizes[i % 5], sizes[i % 5]);
        d[i] = i < 30 && !isnan(edge_f64(i)) ? edge_f64(i) : random_range(-sizes[i % 5], sizes[i % 5]);
        if (i % 5 == 0 && i >= 30)
            f[i] = rintf(f[i]) + 0.5f, d[i] = rint(d[i]) + 0.5;
        u[i] = random_u32() >> random_u32() % 16;
        double a = f[i], b = d[i];
        unsigned v = u[i], *o = out[i];
        o[0] = (unsigned)(int)clamped(rint(a), -2147483648.0, 2147483647.0);
        o[1] = (unsigned)clamped(ceil(a), 0, 4294967295.0);
        o[2] = ((unsigned)(int)clamped(floor(a), -128, 127) & 255) | (unsigned)clamped(rint(a), 0, 255) << 8 |
               (unsigned)(int)clamped(trunc(a), -32768, 32767) << 16;
        o[3] = (unsigned)clamped(trunc(b), 0, 65535) | ((unsigned)(int)clamped(trunc(b), -128, 127) & 255) << 16;
        o[4] = (unsigned)clamped(rint(b), 0, 4294967295.0);
        o[5] = (unsigned)(int)clamped(floor(b), -2147483648.0, 2147483647.0);
        o[6] = f32_bits((float)(long)((unsigned long)v << 20 | v));
        o[7] = f32_bits(isinf(b) ? (float)b : fabs(b) > 0x1.fffffep127 ? copysignf(0x1.fffffep127f, (float)b) : toward_zero(b));
        o[8] = lanes4(v, v * 77, 0);
        o[9] = lanes4(v, v * 77, 1);
        o[10] = lanes2(v, v << 1, 0);
        o[11] = ((unsigned)limit((int)v, -32768, 32767) & 0xffff) | (unsigned)limit((int)(v >> 12), -32768, 32767) << 16;
        o[12] = (unsigned)limit((int)v, 0, 255) | (unsigned)limit((int)(v & 511), 0, 255) << 8 | v >> 28 << 24;
        long product = (long)(int)v * 3 + 0x7ffffff0;
        o[13] = (unsigned)(product > 2147483647 ? 2147483647 : product < -2147483648L ? -2147483648L : product);
        o[14] = lanes4(v, v >> 3, 2) ^ lanes2(v, v << 3, 1);
        o[15] = (unsigned)limit((int)v, 0, 65535) << 16 | (v & 0xffff);
        wide[i][0] = b <= 0 ? 0 : b >= 0x1p64 ? ~0ul : (unsigned long)b;
        wide[i][1] = a >= 0x1p63 ? 0x7fffffffffffffff : a <= -0x1p63 ? 0x8000000000000000 : (unsigned long)(long)rint(a);
    }
    WRITE("f.bin", f);
    WRITE("d.bin", d);
    WRITE("u.bin", u);
    WRITE("out.bin", out);
    WRITE("wide.bin", wide);
}
