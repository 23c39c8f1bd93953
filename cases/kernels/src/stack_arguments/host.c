#include "../host.h"

struct pack {
    unsigned long a;
    unsigned char b[5], unused;
    short c;
    float d;
    unsigned more;
};
enum { N = 100 };
static unsigned in[N][16];
static struct pack start, out[N];

static unsigned long leaf(const unsigned *v, unsigned i, unsigned long c, const struct pack *p)
{
    unsigned x[16];
    for (int k = 0; k < 16; k++)
        x[k] = v[k] ^ (v[15 - k] + i);
    return (x[0] + x[5] * 3 + x[10] * 7 + x[15] * 11) ^ c ^ p->a ^ ((unsigned long)p->b[i % 5] << 40) ^
           (unsigned long)(unsigned short)p->c << 48;
}

int main(void)
{
    start.a = random_u64();
    for (int k = 0; k < 5; k++)
        start.b[k] = (unsigned char)random_u32();
    start.c = -1234;
    start.d = 100;
    for (unsigned i = 0; i < N; i++) {
        struct pack *p = &out[i];
        *p = start;
        p->a += i;
        for (int k = 0; k < 16; k++)
            in[i][k] = random_u32();
        for (unsigned k = 0; k < 3; k++) {
            unsigned v[16];
            for (int n = 0; n < 16; n++)
                v[n] = in[i][n] * (k + 1);
            p->a = leaf(v, i + k, p->a * 3, p);
            p->b[(i + k) % 5] = (unsigned char)(p->b[(i + k) % 5] + i + k);
            p->c = (short)(p->c - (short)v[3]);
            p->d = p->d * 0.5f + (float)((i + k) & 15);
        }
    }
    WRITE("in.bin", in);
    WRITE("start.bin", start);
    WRITE("out.bin", out);
}
