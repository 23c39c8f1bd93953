#include "../host.h"

/* Small whole numbers: every sum is exact, in f16 too. */
enum { DEPTH = 48 };
static float a[32 * DEPTH], b[DEPTH * 32], d[32 * 32];
static signed char ia[16 * DEPTH], ib[DEPTH * 16];
static int di[16 * 16];

int main(void)
{
    for (int i = 0; i < 32 * DEPTH; i++) {
        a[i] = (float)(int)(random_u32() % 41) - 20;
        b[i] = (float)(int)(random_u32() % 41) - 20;
    }
    for (int i = 0; i < 16 * DEPTH; i++) {
        ia[i] = (signed char)random_u32();
        ib[i] = (signed char)random_u32();
    }
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++)
            for (int k = 0; k < DEPTH; k++)
                d[i * 32 + j] += a[i * DEPTH + k] * b[k * 32 + j];
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            for (int k = 0; k < DEPTH; k++)
                di[i * 16 + j] += ia[i * DEPTH + k] * ib[k * 16 + j];
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("ia.bin", ia);
    WRITE("ib.bin", ib);
    WRITE("d.bin", d);
    WRITE("di.bin", di);
}
