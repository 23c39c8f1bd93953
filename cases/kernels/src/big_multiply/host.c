#include "../host.h"

enum { N = 65 };
static const unsigned long prime = 0xffffffffffffffc5;
static unsigned a[16][N], b[16][N], product[32][N];
static unsigned long rest[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        unsigned __int128 carry = 0, r = 0;
        for (int k = 0; k < 16; k++) {
            a[k][i] = i < 3 ? ~0u : random_u32();
            b[k][i] = i < 2 ? ~0u : random_u32();
        }
        for (int c = 0; c < 32; c++) {
            for (int k = 0; k < 16; k++)
                if (c - k >= 0 && c - k < 16)
                    carry += (unsigned long)a[k][i] * b[c - k][i];
            product[c][i] = (unsigned)carry;
            carry >>= 32;
        }
        for (int c = 32; c-- > 0;)
            r = (r << 32 | product[c][i]) % prime;
        rest[i] = (unsigned long)r;
    }
    WRITE("a.bin", a);
    WRITE("b.bin", b);
    WRITE("product.bin", product);
    WRITE("rest.bin", rest);
}
