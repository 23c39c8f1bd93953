#include "../host.h"

enum { N = 96, LONGEST = 27 };
static unsigned char text[2 * N * LONGEST], out[N];
static unsigned short starts[2 * N + 1];

int main(void)
{
    for (int i = 0; i < 2 * N; i++) {
        int length = (int)(random_u32() % (LONGEST + 1));
        starts[i + 1] = (unsigned short)(starts[i] + length);
        for (int k = 0; k < length; k++)
            text[starts[i] + k] = (unsigned char)("abcd\xff"[random_u32() % 5]);
    }
    for (int i = 0; i < N; i++) {
        const unsigned char *a = text + starts[2 * i], *b = text + starts[2 * i + 1];
        int n = starts[2 * i + 1] - starts[2 * i], m = starts[2 * i + 2] - starts[2 * i + 1];
        static int d[LONGEST + 1][LONGEST + 1];
        for (int y = 0; y <= n; y++)
            for (int x = 0; x <= m; x++) {
                if (!y || !x) {
                    d[y][x] = x + y;
                    continue;
                }
                int best = d[y - 1][x - 1] + (a[y - 1] != b[x - 1]);
                best = d[y - 1][x] + 1 < best ? d[y - 1][x] + 1 : best;
                d[y][x] = d[y][x - 1] + 1 < best ? d[y][x - 1] + 1 : best;
            }
        out[i] = (unsigned char)d[n][m];
    }
    WRITE("text.bin", text);
    WRITE("starts.bin", starts);
    WRITE("out.bin", out);
}
