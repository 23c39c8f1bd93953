#include "../host.h"

enum { X = 13, Y = 7, Z = 5 };
static const unsigned size[3] = { X, Y, Z }, group[3] = { 5, 4, 2 }, offset[3] = { 1000, 3, 77 };
static unsigned out[Z][Y][X][16], linear[Z * Y * X];

int main(void)
{
    for (unsigned z = 0; z < Z; z++)
        for (unsigned y = 0; y < Y; y++)
            for (unsigned x = 0; x < X; x++) {
                unsigned *o = out[z][y][x], at[3] = { x, y, z }, here[3], local[3];
                for (int d = 0; d < 3; d++) {
                    unsigned g = at[d] / group[d], groups = (size[d] + group[d] - 1) / group[d];
                    local[d] = at[d] % group[d];
                    here[d] = g * group[d] + group[d] > size[d] ? size[d] - g * group[d] : group[d];
                    o[d] = at[d] + offset[d];
                    o[3 + d] = local[d] | g << 16;
                    o[6 + d] = here[d] | group[d] << 16;
                    o[9 + d] = groups | offset[d] << 16;
                }
                o[12] = 3;
                o[13] = Z | 1 << 16;
                o[14] = X << 16 | Y;
                o[15] = (z * Y + y) * X + x;
                linear[o[15]] = o[15];
            }
    WRITE("out.bin", out);
    WRITE("linear.bin", linear);
}
