#include "../host.h"

enum { RECORDS = 40, SWIZZLED = 50 };
static unsigned in[RECORDS + 64][3], before[0x180], after[0x180], out[9][64];

/* Dword number `d` of a record of `size` dwords, `side` of them side by side. */
static unsigned place(unsigned index, unsigned d, unsigned size, unsigned side)
{
    return (index / side * size + d) * side + index % side;
}

int main(void)
{
    for (unsigned i = 0; i < RECORDS + 64; i++)
        for (int k = 0; k < 3; k++)
            in[i][k] = random_u32();
    for (unsigned i = 0; i < 0x180; i++)
        before[i] = after[i] = random_u32();
    for (unsigned l = 0; l < SWIZZLED; l++)
        for (unsigned d = 0; d < 4; d++)
            after[place(l, d, 4, 16)] = (l << 8) + 4 * d;
    for (unsigned l = 0; l < 64; l++) {
        int there = l < RECORDS;
        unsigned other = l ^ 21, sum = l + l / 2;
        out[0][l] = there ? in[l][1] : 0;
        for (int k = 0; k < 3; k++)
            out[1 + k][l] = there ? in[l][k] : 0;
        out[4][l] = other < RECORDS ? in[other + 2][l & 2] : 0;
        out[5][l] = sum < RECORDS ? in[sum][2] : 0;
        out[6][l] = 63 - l < SWIZZLED ? after[place(63 - l, 2, 4, 16)] : 0;
        if (l < SWIZZLED) {
            unsigned *p = &after[place(l, 3, 4, 16)];
            out[7][l] = *p;
            *p |= 1;
        }
        unsigned char *bytes = (unsigned char *)(after + 0x100);
        after[0x100 + place(l, 1, 2, 64)] = 3 * l;
        bytes[4 * place(l, 0, 2, 64) + 2] = (unsigned char)l;
        bytes[4 * place(l, 0, 2, 64) + 3] = 0;
        out[8][l] = 3 * l & 255;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
}
