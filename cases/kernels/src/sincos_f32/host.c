#include "../host.h"

enum { N = 512 };
static float in[N], s[N], c[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = (float)random_range(-20, 20) * (i % 5 == 0 ? 1e6f : 1.0f);
        s[i] = (float)sin((double)in[i]);
        c[i] = (float)cos((double)in[i]);
    }
    WRITE("in.bin", in);
    WRITE("sin.bin", s);
    WRITE("cos.bin", c);
}
