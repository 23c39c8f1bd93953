#include "../host.h"

enum { N = 256, WAVE = 64 };
static unsigned in[N], out[6][N];
static unsigned long long votes[2][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = random_u32();
    for (int i = 0; i < N; i++) {
        int lane = i % WAVE, first = i - lane, any = 0, odd = 0;
        out[0][i] = in[first + (in[i] & 63)];
        out[1][i] = in[lane < 5 ? i : i - 5];
        out[2][i] = in[lane % 32 + 9 < 32 ? i + 9 : i];
        out[3][i] = in[first + (lane ^ 21)];
        out[4][i] = (unsigned)((double)in[i - i % 16 + 3] / 2);
        for (int k = 0; k < WAVE; k++) {
            any |= in[first + k] % 61 == 7;
            odd += in[first + k] & 1;
            votes[0][i] |= (unsigned long long)(in[first + k] >> 2 & 1) << k;
        }
        out[5][i] = (unsigned)(any + 2 + 100 * WAVE);
        votes[1][i] = (unsigned long long)(odd + 1000 * lane);
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("votes.bin", votes);
}
