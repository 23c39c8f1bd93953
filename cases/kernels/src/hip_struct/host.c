#include "../host.h"

enum { X = 8, Y = 4, Z = 3, N = X * Y * Z, SIZE = 90 };
static int in[N], row[2][X], out[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = (int)(random_u32() % 1000);
    for (int i = 0; i < X; i++) {
        row[0][i] = (int)(random_u32() % 1000000);
        row[1][i] = -row[0][i];
    }
    for (int i = 0; i < SIZE; i++)
        out[i] = (int)(in[i] * 2.5) + 7 + 100 * (i / (X * Y) + 1) + row[i / X & 1][i % X] + 4 + 9;
    WRITE("in.bin", in);
    WRITE("row0.bin", row[0]);
    WRITE("row1.bin", row[1]);
    WRITE("out.bin", out);
}
