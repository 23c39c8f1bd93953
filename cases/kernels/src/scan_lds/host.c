#include "../host.h"

enum { N = 1024 };
static unsigned in[N], out[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = random_u32();
        out[i] = in[i] + (i % 256 ? out[i - 1] : 0);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
