#include "../host.h"

enum { CX = 8, CY = 6, PX = 12, PY = 13 };
static unsigned before[CY][CX], after[CY][CX];
static unsigned char picture[PY][PX][4];
static union {
    unsigned u[12][64];
    float f[12][64];
} out;

static float texel(int x, int y, int c)
{
    x = x < 0 ? 0 : x >= PX ? PX - 1 : x;
    y = y < 0 ? 0 : y >= PY ? PY - 1 : y;
    return (float)(picture[y][x][c] / 255.0);
}

int main(void)
{
    for (int y = 0; y < PY; y++)
        for (int x = 0; x < PX; x++)
            for (int c = 0; c < 4; c++)
                picture[y][x][c] = (unsigned char)random_u32();
    for (int y = 0; y < CY; y++)
        for (int x = 0; x < CX; x++)
            before[y][x] = after[y][x] = y == 5 ? x % 3 ? ~0u : 5u + (unsigned)x : random_u32() % 50;
    for (unsigned l = 0; l < 64; l++) {
        unsigned *greatest = &after[4][l % 8];
        int x = (int)l % 8, y = (int)l / 8;
        after[l / 8 % 4][l % 8] += l;
        *greatest = l > *greatest ? l : *greatest;
        out.u[0][l] = 0; /* outside */
        out.u[1][l] = 1000 + l;
        if (l < 8) {
            out.u[1][l] = before[5][l];
            after[5][l] = before[5][l] == ~0u ? 1000 + l : before[5][l];
        }
        out.u[2][l] = PX;
        out.u[3][l] = PY;
        /* Counter-clockwise from the lower left: the order of a gather. */
        out.f[4][l] = texel(x - 1, y, 1);
        out.f[5][l] = texel(x, y, 1);
        out.f[6][l] = texel(x, y - 1, 1);
        out.f[7][l] = texel(x - 1, y - 1, 1);
        for (int c = 0; c < 4; c++)
            out.f[8 + c][l] = texel(x + 1, y - 2, c);
    }
    WRITE("before.bin", before);
    WRITE("after.bin", after);
    WRITE("picture.bin", picture);
    WRITE("out.bin", out);
}
