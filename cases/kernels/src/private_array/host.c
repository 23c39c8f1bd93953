#include "../host.h"

enum { N = 128 };
static unsigned char in[64 * N];
static unsigned out[N];

int main(void)
{
    for (int i = 0; i < 64 * N; i++)
        in[i] = (unsigned char)random_u32();
    for (int i = 0; i < N; i++) {
        unsigned state[32], sum = 0;
        for (unsigned k = 0; k < 32; k++)
            state[k] = k * 7 + 1;
        for (int k = 0; k < 64; k++)
            state[in[64 * i + k] % 32] = state[in[64 * i + k] % 32] * 5 + state[in[64 * i + (k + 5) % 64] % 32];
        for (int k = 0; k < 32; k++)
            sum = sum * 31 + state[k];
        out[i] = sum;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
