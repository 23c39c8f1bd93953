#include "../host.h"

enum { N = 128 };
static int in[1920], out[16 * N];

int main(void)
{
    for (int i = 0; i < 1920; i++)
        in[i] = (int)random_u32();
    for (int i = 0; i < N; i++) {
        const int *a = in + 3 * i, *b = in + 384 + 4 * i, *c = in + 896 + 8 * i;
        for (int k = 0; k < 8; k++) {
            unsigned from = (unsigned)(k < 4 ? b[k] : b[7 - k]);
            out[16 * i + k] = (int)((unsigned)c[7 - k] - from);
            out[16 * i + 8 + k] = (k < 3 ? a[k] : k == 3 ? a[0] : b[k - 4]) & c[k];
        }
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
