#include "../host.h"

enum { N = 80 };
struct inner {
    char c;
    double d;
    short s[3];
};
/* As OpenCL lays it out: a float3 is aligned and padded to 16 bytes. */
static struct {
    struct inner items[5];
    unsigned table[64];
    _Alignas(16) float v[4];
    unsigned char last;
} o;
static unsigned char d[4] = { 1, 2, 77, 0 };
static float g[8];
static unsigned out[N];
static unsigned long table[4];

int main(void)
{
    for (int k = 0; k < 5; k++) {
        o.items[k].c = (char)(random_u32() % 200) - 100;
        o.items[k].d = (double)((int)(random_u32() % 2000) - 1000) / 4;
        for (int m = 0; m < 3; m++)
            o.items[k].s[m] = (short)random_u32();
    }
    for (int k = 0; k < 64; k++)
        o.table[k] = random_u32();
    o.v[0] = 1, o.v[1] = -2.5f, o.v[2] = 300;
    o.last = 200;
    for (int k = 0; k < 8; k++)
        g[k] = (float)(k * k - 20);
    for (int k = 0; k < 4; k++)
        table[k] = random_u64();
    for (unsigned x = 0; x < N; x++) {
        const struct inner *one = &o.items[x % 5], *other = &o.items[4 - x % 5];
        unsigned v = o.table[x * 11 & 63] ^ o.table[(x + (unsigned)-5) % 64];
        v += (unsigned)(int)(one->d * 4) + (unsigned)(int)(signed char)one->c + (unsigned)(int)other->s[x % 3];
        v ^= (unsigned)(int)(o.v[1] * 2 + o.v[2]) << 8 ^ o.last;
        v += (unsigned)-1234 + (unsigned)(int)-99.5 + 77 * 3 + 0x12345678u + (unsigned)(int)(2.5f * 16) + (unsigned)(int)g[x % 8];
        out[x] = v + 65535u + (unsigned)table[x % 4] + (unsigned)-7;
    }
    WRITE("o.bin", o);
    WRITE("d.bin", d);
    WRITE("g.bin", g);
    WRITE("out.bin", out);
    WRITE("table.bin", table);
}
