#include "known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct known_pair known_pair = { { 3, 500, 70000 }, 0x123456789abcdefull };

static u32 bits_of(float f)
{
    u32 u;
    memcpy(&u, &f, sizeof u);
    return u;
}

void known_uniform(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++)
        b[i] = a[i] * 3 + i;
}

void known_shared(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++)
        b[i] = a[i / 128 * 128 + 127 - i % 128] + i % 128;
}

void known_reduce(const u32 *a, u32 *b)
{
    memset(b, 0, WORDS / 128 * sizeof *b);
    for (u32 i = 0; i < WORDS; i++)
        b[i / 128] += a[i];
}

void known_atomic(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        b[0] += a[i];
        b[1] = b[1] < a[i] ? b[1] : a[i];
        b[2] = b[2] > a[i] ? b[2] : a[i];
        b[3] &= a[i] | 15;
        b[4] |= a[i] & 0xf0;
        b[5] ^= a[i];
    }
    b[6] = 0; /* who came first took an odd number away */
    b[7] = 77;
    b[8] += WORDS - 1;
    b[9] += 1;
}

void known_counter(const u32 *a, u32 *b)
{
    (void)a;
    for (u32 i = 0; i < WORDS; i++)
        b[i] = 1;
}

void known_float(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        double x = (a[i] & 0xfff) * 0.25 - 100.0;
        double y = floor(x) + (x - floor(x)) * 8.0 + fabs(x) * 2.0 + fmin(x, 3.5) - fmax(x, -2.25) +
                   trunc(x) + (x > 0) - (x < 0);
        b[i] = bits_of((float)y);
    }
}

static u32 reverse(u32 v)
{
    u32 r = 0;
    for (u32 i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}

static u32 lowest(u32 v)
{
    u32 n = 0;
    while (!(v >> n & 1))
        n++;
    return n;
}

static u32 highest(u32 v)
{
    u32 n = 31;
    while (!(v >> n & 1))
        n--;
    return n;
}

static u32 count(u32 v)
{
    u32 n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

void known_bits(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        u32 v = a[i], field = v >> i % 20 & 511;
        uint64_t sum = (uint64_t)v + v * 3u, product = (uint64_t)v * (v + i);
        u32 bits = (v >> i % 24 & 127) + (field & 256 ? field - 512 : field);
        bits ^= ((v & ~(2047u << 5)) | (i & 2047) << 5) ^ reverse(v);
        bits += count(v) + lowest(v | 0x80000000) * 64 + highest(v | 1) * 4096;
        b[i] = bits ^ (u32)sum ^ (i - v) ^ (u32)(product >> 32) ^ (u32)product ^
               (u32)(sum >> 32) << 1 ^ (u32)(i < v) << 2;
    }
}

void known_divide(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        u32 d = (a[i] >> 7) % 1000 + 1;
        b[i] = (a[i] / d) ^ (a[i] % d) << 3 ^ (u32)((int32_t)a[i] / 2 / (int32_t)d) << 7;
    }
}

/* Of a number that a half holds exactly. */
static u32 half_of(double v)
{
    int e;
    if (v == 0)
        return 0;
    double m = frexp(v, &e); /* in [1/2, 1) */
    return (u32)(e + 14) << 10 | ((u32)(m * 2048) & 1023);
}

void known_half(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        double x = i, y = (a[i] & 0x3ff) * 0.5;
        b[i] = (half_of(x) | half_of(y) << 16) ^ bits_of((float)(x - 2)) ^
               bits_of((float)(y + 1)) << 1;
    }
}

void known_loop(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        b[i] = 0;
        for (u32 v = (a[i] & 0xffff) + 1; v != 1; v = v % 2 ? v * 3 + 1 : v / 2)
            b[i]++;
    }
}

void known_private(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        u32 seen[48], h = 0;
        for (u32 k = 0; k < 48; k++)
            seen[k] = k * i;
        for (u32 k = 0; k < (UNTOUCHED & 127); k++) {
            u32 to = (a[(i + k) % WORDS] >> 3) % 48;
            seen[to] += seen[(to * 7 + k) % 48] + k;
        }
        for (u32 k = 0; k < 48; k++)
            h = h * 31 + seen[k];
        b[i] = h;
    }
}

void known_volume(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) { /* 16 by 8 by 8 invocations in groups of 4 by 2 by 4 */
        u32 x = i % 16, y = i / 16 % 8, z = i / 128;
        b[i] = a[i] + ((z % 4 * 2 + y % 2) * 4 + x % 4) * 1000 + z / 4 * 100 + y / 2 * 10 + x / 4;
    }
}

void known_block(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++)
        b[i] = a[a[i] % 64 * 4 + i % 4] + i;
}

void known_matmul(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        const u32 *m = a + i / 64 * 64;
        b[i] = 0;
        for (u32 k = 0; k < 8; k++)
            b[i] += (m[i % 64 / 8 * 8 + k] & 255) * (m[k * 8 + i % 8] >> 8 & 255);
    }
}

void known_many(const u32 *a, u32 *b)
{
    for (u32 k = 0; k < MANY; k++)
        for (u32 i = 0; i < WORDS; i++)
            b[i] = b[i] * 3 + a[(i + k) % WORDS];
}

/* What image_fill.comp leaves at x, y. */
static u32 texel(const u32 *a, u32 x, u32 y)
{
    return a[y * SIDE + x] + x;
}

void known_image(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++)
        b[i] = texel(a, i / SIDE, i % SIDE) + SIDE;
}

void known_texture(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++)
        b[i] = texel(a, i / SIDE, i % SIDE) ^ texel(a, i % SIDE, i / SIDE) << 1;
}

void known_wide(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        uint64_t v = (uint64_t)a[i] << 32 | a[(i + 1) % WORDS], w = i * 0x100000001ull + 77;
        uint64_t high = (uint64_t)((unsigned __int128)v * w >> 64);
        uint64_t r = v * w ^ high ^ v / w ^ v % w << 5 ^ (uint64_t)((int64_t)v >> i % 63) ^
                     (v < w * w ? v : w);
        b[i] = (u32)r ^ (u32)(r >> 32);
    }
}

void known_narrow(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        b[i] = 0;
        for (u32 k = 0; k < 4; k++) {
            int s = (int16_t)((a[i] >> 8 * k & 255) * 300 - i * 11) >> 4;
            u32 t = (u32)(s > 127 ? 127 : s < -128 ? -128 : s);
            b[i] |= ((t ^ ((a[i] >> (24 - 8 * k) & 255) + k + 1)) & 255) << 8 * k;
        }
    }
}

void known_double(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        double x = a[i] * 0.125 - 1e6, y = x * i + 0.5 + floor(x) - trunc(x * 0.25) + fabs(x);
        uint64_t r;
        memcpy(&r, &y, sizeof r);
        b[i] = (u32)r ^ (u32)(r >> 32);
    }
}

void known_struct(const u32 *a, u32 *b)
{
    for (u32 i = 0; i < WORDS; i++)
        b[i] = (known_pair.x[i % 3] ^ a[i]) + (u32)(known_pair.y >> i % 32);
}

void known_input(u32 *words)
{
    u32 x = 1;
    for (u32 i = 0; i < WORDS; i++)
        words[i] = x = x * 1664525u + 1013904223u;
}

bool known_compare(const char *name, const u32 *got, const u32 *want)
{
    u32 wrong = 0;
    while (wrong < WORDS && got[wrong] == want[wrong])
        wrong++;
    if (wrong < WORDS)
        printf("# %s: word %u: 0x%08x, not 0x%08x\n", name, wrong, got[wrong], want[wrong]);
    return wrong == WORDS;
}

bool known_wanted(char *const *names, const char *name)
{
    bool is_any = !*names;
    for (; *names; names++)
        is_any |= strcmp(*names, name) == 0;
    return is_any;
}
