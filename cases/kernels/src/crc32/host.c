#include "../host.h"

enum { N = 128 };
static unsigned char in[64 * N];
static unsigned out[N];

int main(void)
{
    unsigned table[256];
    for (unsigned b = 0; b < 256; b++) {
        table[b] = b;
        for (int k = 0; k < 8; k++)
            table[b] = table[b] & 1 ? table[b] >> 1 ^ 0xedb88320u : table[b] >> 1;
    }
    for (int i = 0; i < 64 * N; i++)
        in[i] = (unsigned char)random_u32();
    for (int i = 0; i < N; i++) {
        unsigned crc = ~0u;
        for (int k = 0; k < 64; k++)
            crc = crc >> 8 ^ table[(crc ^ in[64 * i + k]) & 255];
        out[i] = ~crc;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
}
