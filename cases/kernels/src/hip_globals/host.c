#include "../host.h"

static int out[64], scale[4], counter = 5, shared[2] = { 100, 0 };

int main(void)
{
    static const short offset[4] = { 10, 20, -30, 40 };
    static const char *const name[2] = { "one", "other" };
    for (int i = 0; i < 4; i++)
        scale[i] = (int)(random_u32() % 1000);
    for (int i = 0; i < 64; i++) {
        out[i] = scale[i & 3] * i + offset[i & 3] + 3 + (i & 1) + name[i & 1][i % 3] + 100;
        counter += i;
        shared[1] += 2;
    }
    WRITE("out.bin", out);
    WRITE("scale.bin", scale);
    WRITE("counter.bin", counter);
    WRITE("shared.bin", shared);
}
