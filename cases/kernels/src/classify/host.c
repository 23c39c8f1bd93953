#include "../host.h"

enum { N = 512 };
static float f[N];
static double d[N];
static unsigned out[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        float v = f[i] = i < 60 ? edge_f32(i % 30) : bits_f32(random_u32());
        double w = d[i] = i < 60 ? edge_f64(i % 30) : bits_f64(random_u64());
        unsigned of_f = (unsigned)(!!isnan(v) | !!isinf(v) << 1 | !!isfinite(v) << 2 | !!isnormal(v) << 3 | !!signbit(v) << 4);
        unsigned of_d = (unsigned)(!!isnan(w) | !!isinf(w) << 1 | !!isfinite(w) << 2 | !!isnormal(w) << 3 | !!signbit(w) << 4);
        unsigned order = (unsigned)((v < 1) | (v > 1) << 1 | !!isnan(v) << 2 | !(v == 1) << 3);
        out[i] = of_f | of_d << 8 | order << 16;
    }
    WRITE("f.bin", f);
    WRITE("d.bin", d);
    WRITE("out.bin", out);
}
