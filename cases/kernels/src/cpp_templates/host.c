#include "../host.h"

enum { N = 64 };
static unsigned in[N], out[N][2];
static unsigned long wide[N], wide_out[N];

#define WORK(T, name)                                                                                              \
    static T name(const T *from, unsigned i, int n)                                                                \
    {                                                                                                              \
        T c[8], low = ~(T)0;                                                                                       \
        for (int k = 0; k < n; k++) {                                                                              \
            c[k] = from[(i + (unsigned)k) % 64] + (T)k * 3;                                                        \
            low = c[k] < low ? c[k] : low;                                                                         \
        }                                                                                                          \
        for (int k = 0; k < n; k++)                                                                                \
            low = low * 31 + (c[k] ^ (T)i);                                                                        \
        return low;                                                                                                \
    }
WORK(unsigned, work)
WORK(unsigned long, work_wide)

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = random_u32();
        wide[i] = random_u64();
    }
    for (unsigned i = 0; i < N; i++) {
        static const unsigned sums[5] = { 0, 1, 3, 6, 10 };
        unsigned count = 100 + sums[in[i] % 5];
        out[i][0] = work(in, i, 5) + work(in, i + 7, 3);
        out[i][1] = (in[i] & 255) * count + count;
        wide_out[i] = work_wide(wide, i, 4);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("wide.bin", wide);
    WRITE("wide_out.bin", wide_out);
}
