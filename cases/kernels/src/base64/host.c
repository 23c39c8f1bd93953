#include "../host.h"

enum { LENGTH = 400, TEXT = (LENGTH + 2) / 3 * 4 };
static unsigned char in[LENGTH], out[LENGTH];
static char text[TEXT], back[TEXT];

static void encode(const unsigned char *bytes, char *to)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int bit = 0; bit < TEXT * 6; bit += 6) {
        int v = 0;
        for (int k = bit; k < bit + 6; k++)
            v = v << 1 | (k < LENGTH * 8 ? bytes[k / 8] >> (7 - k % 8) & 1 : 0);
        *to++ = bit < LENGTH * 8 ? letters[v] : '=';
    }
}

int main(void)
{
    for (int i = 0; i < LENGTH; i++) {
        in[i] = (unsigned char)random_u32();
        out[i] = (unsigned char)random_u32();
    }
    encode(in, text);
    encode(out, back);
    WRITE("in.bin", in);
    WRITE("text.bin", text);
    WRITE("back.bin", back);
    WRITE("out.bin", out);
}
