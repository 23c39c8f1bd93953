#include "../host.h"

enum { N = 128, SIZE = 32 };
static unsigned char text[N][SIZE];
static unsigned out[N][SIZE], zero[3], errors[3];

static int put(unsigned char *p, unsigned c)
{
    if (c < 0x80) {
        p[0] = (unsigned char)c;
        return 1;
    }
    int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int k = n - 1; k > 0; k--, c >>= 6)
        p[k] = (unsigned char)(0x80 | (c & 63));
    p[0] = (unsigned char)(c | (n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0));
    return n;
}

/* Text is made of pieces whose meaning is known. */
int main(void)
{
    for (int i = 0; i < N; i++) {
        unsigned count = 0, length = random_u32() % (SIZE - 6);
        for (unsigned at = 0; at < length;) {
            unsigned kind = random_u32() % 12, c = 0xfffd;
            unsigned char *p = text[i] + at;
            if (kind < 7) {
                static const unsigned least[4] = { 1, 0x80, 0x800, 0x10000 }, most[4] = { 0x7f, 0x7ff, 0xd7ff, 0x10ffff };
                unsigned k = kind % 4;
                c = least[k] + random_u32() % (most[k] - least[k] + 1);
                at += (unsigned)put(p, c);
            } else if (kind == 7) { /* no first byte */
                static const unsigned char bad[4] = { 0x80, 0xc0, 0xc1, 0xff };
                p[0] = bad[random_u32() % 4];
                at += 1, errors[0]++;
            } else if (kind == 8) { /* cut: what follows is a letter */
                put(p, 0x800 + random_u32() % 0x1000);
                at += random_u32() % 2 + 1, errors[1]++;
                out[i][count++] = c;
                c = 'x';
                text[i][at++] = 'x';
                memset(text[i] + at, 0, 2); /* the rest of what was cut */
            } else if (kind == 9) { /* half of a pair */
                at += (unsigned)put(p, 0xd800 + random_u32() % 0x800), errors[2]++;
            } else if (kind == 10) { /* longer than needed */
                p[0] = 0xe0, p[1] = 0x81, p[2] = 0x81;
                at += 3, errors[2]++;
            } else { /* too large */
                at += (unsigned)put(p, 0x110000 + random_u32() % 0x10000), errors[2]++;
            }
            out[i][count++] = c;
        }
    }
    WRITE("text.bin", text);
    WRITE("out.bin", out);
    WRITE("zero.bin", zero);
    WRITE("errors.bin", errors);
}
