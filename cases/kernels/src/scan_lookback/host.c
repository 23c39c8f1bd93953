#include "../host.h"

enum { N = 128 * 20 };
static unsigned in[N], out[N], ticket[2] = { 0, 20 };

int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < N; i++)
        out[i] = sum += in[i] = random_u32();
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    write_file("zero.bin", &ticket[0], 4);
    write_file("tickets.bin", &ticket[1], 4);
}
