#include "../host.h"

enum { LIMIT = 200 };
static unsigned char in[512], before[256], after[256];
static unsigned out[10][64];

/* `size` bytes of the buffer, each access in range or 0. */
static unsigned load(unsigned offset, unsigned size)
{
    unsigned v = 0;
    if (offset + size <= LIMIT)
        memcpy(&v, in + 64 + offset, size);
    return v;
}

static void store(unsigned offset, unsigned size, unsigned v)
{
    if (offset + size <= LIMIT)
        memcpy(after + offset, &v, size);
}

int main(void)
{
    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)random_u32();
    for (unsigned i = 0; i < sizeof before; i++)
        before[i] = after[i] = (unsigned char)random_u32();
    for (unsigned l = 0; l < 64; l++) {
        out[0][l] = load(4 * l, 4);
        for (unsigned k = 0; k < 4; k++)
            out[1 + k][l] = load(4 * l + 4 * k, 4);
        out[5][l] = load(5 * l + 3, 1);
        out[6][l] = (unsigned)(short)load(4 * l + 2, 2);
        out[7][l] = ~0u;
        if (l < 30)
            memcpy(&out[7][l], in + 64 + 32 + 4 * l + 4, 4);
        out[8][l] = load(40, 4);
        for (unsigned k = 0; k < 3; k++)
            store(12 * l + 4 * k, 4, 0x1000 * (k + 1) + l);
    }
    for (unsigned l = 0; l < 64; l++) {
        unsigned v, at = 64 + 4 * (l & 7);
        memcpy(&v, after + at, 4);
        store(at, 4, v + (l << 8));
    }
    for (unsigned l = 0; l < 64; l++) {
        unsigned at = 4 * l + 100;
        if (at + 4 <= LIMIT)
            memcpy(&out[9][l], after + at, 4);
        store(at, 4, 0x55);
    }
    for (unsigned l = 0; l < 64; l++)
        store(l + 150, 1, 0xcd);
    store(148, 2, 0xabcd);
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
}
