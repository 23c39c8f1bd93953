#include "../host.h"

enum { N = 4096 };
static unsigned char in[N];
static unsigned out[256];

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = (unsigned char)(random_u32() % 37 * (random_u32() % 7));
        out[in[i]]++;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
