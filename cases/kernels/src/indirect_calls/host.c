#include "../host.h"

enum { N = 200 };
static unsigned in[N], out[N][2];

static unsigned apply(int f, unsigned a, unsigned b)
{
    if (f == 0)
        return a + b;
    if (f == 1)
        return a * b;
    if (f == 3)
        return b % 32 ? a << b % 32 | a >> (32 - b % 32) : a;
    while (b) {
        unsigned t = a % b;
        a = b, b = t;
    }
    return a;
}

int main(void)
{
    static const int function[5] = { 0, 1, 2, 3, 2 };
    static const unsigned times[5] = { 3, 2, 5, 7, 1 };
    for (int i = 0; i < N; i++)
        in[i] = random_u32() >> random_u32() % 20;
    for (int i = 0; i < N; i++) {
        unsigned rule = in[i] % 5, v = in[i];
        out[i][0] = apply(function[rule], in[i], in[i ^ 1]);
        for (unsigned k = 1; k <= times[rule]; k++)
            v = apply(i % 4, v, k * 2654435761u);
        out[i][1] = v;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
