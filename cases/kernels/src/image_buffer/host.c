#include "../host.h"

enum { N = 90 };
static signed char in[4 * N][4];
static _Float16 out[N][4];

int main(void)
{
    for (int i = 0; i < 4 * N; i++)
        for (int c = 0; c < 4; c++) {
            in[i][c] = (signed char)random_u32();
            if (in[i][c] == -128) /* the same as -127 */
                in[i][c] = 1;
        }
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 4; c++) {
            int sum = 0;
            for (int k = 0; k < 4; k++)
                sum += in[4 * i + k][3 - c];
            out[N - 1 - i][c] = (_Float16)(sum / 4.0f);
        }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
