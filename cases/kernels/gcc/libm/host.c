#include "../gcc.h"

enum { N = 40 };
static double in[N], out[N][6];

int main(void)
{
    for (int i = 0; i < N; i++) {
        double x = in[i] = random_range(-20, 20);
        out[i][0] = sin(x);
        out[i][1] = exp(x);
        out[i][2] = log(x * x + 0.5);
        out[i][3] = pow(x * x + 0.1, 1.7);
        out[i][4] = (float)atan2((float)x, 1.25);
        out[i][5] = 1 / (x + 30);
    }
    write_slots((unsigned long long[3]){ 0, 0, N }, 3);
    write_heap();
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
