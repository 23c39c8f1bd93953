#include "../host.h"

enum { N = 72, LIMBS = 15 };
struct block {
    unsigned short s[37];
    double d[3];
};
/* Numbers of 120 bits as bytes. */
typedef struct {
    unsigned char b[LIMBS];
} wide;
static unsigned in[N], out[N][16], zero, count;
static struct block blocks[8], moved[N];

static wide wide_of(unsigned long v, int shift)
{
    wide w = { { 0 } };
    for (int i = 0; i < 64; i++)
        if (i + shift < 120 && v >> i & 1)
            w.b[(i + shift) / 8] |= (unsigned char)(1 << (i + shift) % 8);
    return w;
}

static wide plus(wide a, wide c, int sign)
{
    int carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += a.b[i] + sign * c.b[i];
        a.b[i] = (unsigned char)carry;
        carry >>= 8;
    }
    return a;
}

static wide times(wide a, wide c)
{
    wide r = { { 0 } };
    for (int i = 0; i < LIMBS; i++) {
        unsigned carry = 0;
        for (int k = 0; i + k < LIMBS; k++) {
            carry += r.b[i + k] + (unsigned)a.b[i] * c.b[k];
            r.b[i + k] = (unsigned char)carry;
            carry >>= 8;
        }
    }
    return r;
}

static int compare(wide a, wide c)
{
    for (int i = LIMBS; i-- > 0;)
        if (a.b[i] != c.b[i])
            return a.b[i] < c.b[i] ? -1 : 1;
    return 0;
}

static wide divide(wide a, wide by, wide *rest)
{
    wide q = { { 0 } };
    memset(rest, 0, sizeof *rest);
    for (int i = 120; i-- > 0;) { /* the divisor has fewer than 119 bits */
        *rest = plus(*rest, *rest, 1);
        rest->b[0] |= a.b[i / 8] >> i % 8 & 1;
        if (compare(*rest, by) >= 0) {
            *rest = plus(*rest, by, -1);
            q.b[i / 8] |= (unsigned char)(1 << i % 8);
        }
    }
    return q;
}

static unsigned bits(wide a, int from)
{
    unsigned v = 0;
    for (int i = 0; i < 32 && from + i < 120; i++)
        v |= (unsigned)(a.b[(from + i) / 8] >> (from + i) % 8 & 1) << i;
    return v;
}

int main(void)
{
    static const signed char signs[8] = { 1, -1, 3, -5, 7, -9, 11, -13 };
    for (int i = 0; i < N; i++)
        in[i] = random_u32() >> random_u32() % 4;
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 37; k++)
            blocks[i].s[k] = (unsigned short)random_u32();
        for (int k = 0; k < 3; k++)
            blocks[i].d[k] = random_range(-9, 9);
    }
    for (int i = 0; i < N; i++) {
        unsigned v = in[i], w = in[i ^ 1], *o = out[i];
        wide base = plus(wide_of(v, 64), wide_of(w, 0), 1), p = wide_of(1, 0), rest;
        for (int k = 0; k < 5 + i % 9; k++)
            p = times(p, base);
        p = plus(p, wide_of(w, 0), -1);
        for (int k = 0; k < 6; k++)
            o[k] = bits(p, 18 * k);
        o[6] = bits(p, 100) | (unsigned)(compare(p, wide_of(v, 87)) > 0) << 31;
        wide q = divide(p, plus(wide_of(w, 40), wide_of(12345, 0), 1), &rest);
        o[7] = bits(q, 0) ^ bits(q, 30);
        divide(p, plus(wide_of(v, 0), wide_of(1, 0), 1), &rest);
        o[8] = bits(rest, 0);
        long sum = (long)(int)v + (int)w, product = (long)((int)v >> 8) * (signs[i % 8] * 1000);
        __int128 exact = (__int128)(long)((unsigned long)v << 32) - (long)((unsigned long)w << 31);
        long difference = (long)exact;
        o[9] = (unsigned)sum ^ (unsigned)product ^ (unsigned)difference ^ (unsigned)(difference >> 32);
        o[10] = (sum != (int)sum) | (unsigned)(product != (int)product) << 1 | (unsigned)(exact != difference) << 2;
        int x = (int)(v % 100), y = (int)(w % 100);
        o[11] = (unsigned)(x * x - y * y - 2 * x);
        o[12] = (unsigned)(2 * x * y - 2 * y);
        o[13] = (f32_bits((float)(v >> 8)) ^ 0x80000000) + (0x030201 | v << 24);
        unsigned ones = 0, leading = 0, trailing = 0, odd = 0, reversed = 0;
        for (int k = 0; k < 32; k++) {
            ones += v >> k & 1;
            odd ^= w >> k & 1;
            reversed |= (w >> k & 1) << (31 - k);
        }
        while (!((w | 1) >> (31 - leading) & 1))
            leading++;
        while (!((v | 0x80000000) >> trailing & 1))
            trailing++;
        o[14] = ones + leading * 100 + trailing * 10000 + odd * 1000000;
        unsigned turn = w & 31;
        o[15] = (v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24) ^ reversed ^ (turn ? v << turn | v >> (32 - turn) : v);
        moved[i] = blocks[i % 8];
        for (int k = 0; k < 37; k++)
            moved[i].s[k] = blocks[i % 8].s[(k + i) % 37];
        moved[i].d[i % 3] = -blocks[i % 8].d[(i + 1) % 3];
        count += v & 15;
    }
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("blocks.bin", blocks);
    WRITE("moved.bin", moved);
    WRITE("zero.bin", zero);
    WRITE("count.bin", count);
}
