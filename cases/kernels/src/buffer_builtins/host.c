#include "../host.h"

enum { N = 128, BYTES = 1500, OUT = 4096, LIMIT = 4000 };
static unsigned char in[4096], out[OUT];

static unsigned load(unsigned at, unsigned size)
{
    unsigned v = 0;
    if (at + size <= BYTES)
        memcpy(&v, in + at, size);
    return v;
}

static void store(unsigned at, unsigned size, unsigned v)
{
    if (at + size <= LIMIT)
        memcpy(out + at, &v, size);
}

int main(void)
{
    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)random_u32();
    for (unsigned i = 0; i < N; i++) {
        unsigned w, s = load(6 * i + 2, 2), b = load(3 * i + 1, 1);
        memcpy(&w, in + 4 * i + 32, 4); /* all in range */
        for (unsigned k = 0; k < 4; k++)
            store(32 * i + 4 * k, 4, load(16 * i + 12 - 4 * k, 4));
        for (unsigned k = 0; k < 2; k++)
            store(32 * i + 16 + 4 * k, 4, load(8 * i + 4 + 4 * k, 4) + w);
        store(32 * i + 24, 4, s | b << 16);
        store(32 * i + 28, 2, s ^ 0x5a5a);
        store(32 * i + 30, 1, b + 1);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
