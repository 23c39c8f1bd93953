#include "../host.h"

enum { N = 128 };
static unsigned in[N];
static unsigned long long out[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = random_u32();
    for (int i = 0; i < N; i++) {
        int group = i / 64 * 64, k = i % 64;
        unsigned long long v = in[group + 63 - k];
        out[i] = v * v + in[group + (k + 1) % 64];
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
