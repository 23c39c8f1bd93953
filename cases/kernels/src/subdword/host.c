#include "../host.h"

enum { N = 256 };
struct __attribute__((packed)) record {
    signed char a;
    short b;
    unsigned char c;
    int d;
    unsigned short e;
    unsigned char f, g;
};
static struct record in[N], out[N];

int main(void)
{
    for (unsigned k = 0; k < sizeof in; k++)
        ((unsigned char *)in)[k] = (unsigned char)random_u32();
    for (int i = 0; i < N; i++) {
        struct record r = in[i];
        out[i].a = (signed char)(r.a - r.c);
        out[i].b = (short)(r.b * 3 + r.a);
        out[i].c = r.f ^ r.g;
        out[i].d = (int)((unsigned)r.d + (unsigned)r.b);
        out[i].e = (unsigned short)(r.e >> 3 | r.c << 8);
        out[i].f = (unsigned char)(r.g + 1);
        out[i].g = (unsigned char)r.a;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
