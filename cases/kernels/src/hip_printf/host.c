#include "../host.h"

static int out[2][64];

int main(void)
{
    char line[100];
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k <= i % 5; k++)
            out[0][i] += i * k;
        if (i % 7 == 3)
            out[1][i] = snprintf(line, sizeof line, "%d of %s: %.3f %lld%%\n", i, "sixty-four", i / 8.0, 1ll << i);
    }
    WRITE("out.bin", out);
}
