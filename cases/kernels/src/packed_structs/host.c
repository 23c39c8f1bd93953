#include "../host.h"

enum { N = 77, SIZE = 22 };
/* Bytes, so that the layout is not the compiler's. */
static unsigned char before[N][SIZE], after[N][SIZE];
static unsigned fields_before[N][2], fields_after[N][2];

static unsigned long get(const unsigned char *p, int bytes)
{
    unsigned long v = 0;
    for (int i = bytes; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static void put(unsigned char *p, int bytes, unsigned long v)
{
    for (int i = 0; i < bytes; i++)
        p[i] = (unsigned char)(v >> 8 * i);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        unsigned char *b = before[i], *a = after[i];
        for (int k = 0; k < SIZE; k++)
            b[k] = (unsigned char)random_u32();
        put(b + 15, 4, f32_bits((float)random_range(-100, 100)));
        unsigned id = (unsigned)get(b + 1, 4), flags = (unsigned)get(b + 5, 2);
        a[0] = (unsigned char)(b[0] ^ id);
        id = id * 5 + flags;
        put(a + 1, 4, id);
        put(a + 5, 2, flags << 4 | flags >> 12);
        put(a + 7, 8, get(b + 7, 8) - id);
        put(a + 15, 4, f32_bits(bits_f32((unsigned)get(b + 15, 4)) * 2 + 1));
        for (int k = 0; k < 3; k++)
            a[19 + k] = (unsigned char)(b[19 + k] - 32);
        unsigned f0 = random_u32(), f1 = random_u32();
        fields_before[i][0] = f0, fields_before[i][1] = f1;
        unsigned fa = f0 & 31, fb = f0 >> 5 & 127, fc = f0 >> 12, fd = f1 & 0x7fffffff, fe = f1 >> 31;
        fa += fc, fb *= -3u, fc ^= fd & 0xfffff, fd += fe; /* the signed field of one bit is 0 or -1 */
        fields_after[i][0] = (fa & 31) | (fb & 127) << 5 | fc << 12;
        fields_after[i][1] = (fd & 0x7fffffff) | !fe << 31;
    }
    WRITE("before.bin", before);
    WRITE("after.bin", after);
    WRITE("fields_before.bin", fields_before);
    WRITE("fields_after.bin", fields_after);
}
