#include "../host.h"

enum { N = 256 };
static unsigned in[N], out[N][2];

/* The same machine as states. */
static unsigned walk(unsigned *x)
{
    unsigned n = 0;
    int odd = *x & 1;
    for (;;) {
        if (!odd) {
            *x >>= 1, n++;
            if (*x == 0)
                return n;
            odd = *x & 1;
            continue;
        }
        if (*x == 1)
            return n;
        *x = *x * 3 + 1, n += 1000;
        if (n > 200000)
            return n;
        if (*x & 2)
            odd = 0;
        else
            *x >>= 2, n += 2, odd = *x & 1;
    }
}

static unsigned sum_of(unsigned x, unsigned v)
{
    unsigned sum = 0;
    for (unsigned a = 0; a < 20; a++) {
        int found = 0;
        for (unsigned b = a; b <= 50 && !found; b += 3)
            for (unsigned c = 0; c < 9 && !found; c++) {
                found = (a * b + c) % 31 == x % 31;
                if (!found && a * 40 + b + c > v % 700 + 100)
                    return sum;
                if (!found)
                    sum += a ^ b ^ c;
            }
        if (!found)
            sum += 100000;
    }
    return sum;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        unsigned x = in[i] = i < 32 ? (unsigned)i : random_u32() >> random_u32() % 32;
        out[i][0] = walk(&x);
        out[i][1] = sum_of(x, in[i]);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
