#include "../host.h"

enum { N = 512, RESULTS = 24 };
typedef unsigned short u16;
static u16 a[N][2], out[N][RESULTS][2];

/* The constants of a result, for its low and its high half. */
static const u16 constants[RESULTS][2] = {
    { 0, 0x3f80 },      { 0x3f80, 0x3f80 }, { 0x3f80, 0 },      { 0, 0xbf00 }, { 0, 0x4080 }, { 0, 0xc080 },
    { 0, 0x3f00 },      { 0x4000, 0x4000 }, { 0, 0xc000 },      { 0, 0xbf80 }, { 0, 0x4000 }, { 0x3f80, 0 },
    { 0, 0xbf80 },      { 0xc080, 0xc080 }, { 0, 0x3f80 },      { 0x4080, 0 }, { 0, 0xc000 }, { 0xf983, 0x3e22 },
    { 0x3c00, 0x3c00 }, { 0, 0x3c00 },      { 0xfffd, 0xffff }, { 7, 0 },      { 0, 64 },     { 0, 0xc000 },
};

static int max(int p, int q) { return p > q ? p : q; }
static int min(int p, int q) { return p < q ? p : q; }

/* Result r of the half x, beside which y stands, with the constant k. */
static unsigned result(int r, unsigned x, unsigned y, unsigned k)
{
    switch (r) {
    case 4: case 21: return x - k;
    case 5: case 22: return k - x;
    case 6: case 7: return x * k;
    case 8: return x * x + k;
    case 9: return x * k + y;
    case 10: return x > k ? x : k;
    case 11: return x < k ? x : k;
    case 12: return (unsigned)max((short)x, (short)k);
    case 13: return (unsigned)min((short)x, (short)k);
    case 14: return k >> (x & 15);
    case 15: return k << (x & 15);
    case 16: return (unsigned)((short)k >> (x & 15));
    case 23: return (unsigned)min((int)(x + k), 0xffff);
    default: return x + k;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int half = 0; half < 2; half++)
            a[i][half] = (u16)random_u32();
    for (int i = 0; i < N; i++)
        for (int r = 0; r < RESULTS; r++)
            for (int half = 0; half < 2; half++)
                out[i][r][half] = (u16)result(r, a[i][half], a[i][1 - half], constants[r][half]);
    WRITE("a.bin", a);
    WRITE("out.bin", out);
}
