/* Programs of lanes and work-groups, and what comes of them. */
#include "harness/t/vgpu/vulkan/gpu.h"

#include <math.h>
#include <stdlib.h>

static u32 word_of(float f)
{
    u32 w;
    memcpy(&w, &f, sizeof w);
    return w;
}

static void put64(u32 *to, u64 x)
{
    to[0] = (u32)x;
    to[1] = (u32)(x >> 32);
}

static void put_double(u32 *to, double d)
{
    memcpy(to, &d, sizeof d);
}

/* Of a half that is a whole number or its half, and not too large: exact. */
static u32 half_of(float f)
{
    u32 w = word_of(f), sign = w >> 16 & 0x8000;
    if (f == 0)
        return sign;
    return sign | ((w >> 23 & 0xff) - 112) << 10 | (w >> 13 & 0x3ff);
}

static u32 halves_of(float low, float high)
{
    return half_of(low) | half_of(high) << 16;
}

/* ---- constants ---- */

static void expect_push(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++)
        want[i] = (in[i] * 77 + 0x1234) ^ 0xff00ff00;
}

/* The constants: gpu_pipeline. */
static void expect_special(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++) {
        u32 x = in[i] & 0xffff;
        for (u32 k = 0; k < 7; k++)
            x = x * 3 + k;
        want[i] = x - 13 + i % 128 * 3 + 128;
    }
}

static void fill_uniform(struct gpu *g)
{
    static const float f = 25.0f;
    u32 *u = g->buffer[UNIFORM].word;
    for (u32 i = 0; i < 16; i++, u += 16) { /* two words of an array are 16 bytes apart */
        for (u32 k = 0; k < 4; k++)
            u[k] = i * 100 + k;
        u[4] = word_of(f + (float)i);
        u[8] = i * 1000;
        u[12] = i * 7777;
    }
}

static void expect_uniform(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++) {
        u32 at = in[i] & 15;
        want[i] = at * 100 + (i & 3) + 7 * 7777 + 25 + at + (at + 1) % 16 * 1000;
    }
}

/* ---- work-groups ---- */

static void expect_shared(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 1024; i++)
        want[i] = in[i / 256 * 256 + 255 - i % 256] + i % 256;
}

static void expect_barrier(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 at = 0; at < 1024; at += 256) {
        u32 s[256];
        memcpy(&want[at], &in[at], sizeof s);
        for (u32 turn = 0; turn < 16; turn++) {
            for (u32 i = 0; i < 256; i++)
                s[(i * 5 + 67) % 256] = want[at + i];
            for (u32 i = 0; i < 256; i++)
                want[at + i] = s[i] * 3 + turn;
        }
    }
}

static void expect_reduce(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    memset(want, 0, 17 * sizeof *want);
    for (u32 i = 0; i < 4096; i++) {
        want[i / 256] += in[i];
        want[16] += in[i];
    }
}

static void expect_scan(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    u32 sum = 0;
    for (u32 i = 0; i < 4096; i++)
        want[i] = sum += in[i];
}

static int by_size(const void *a, const void *b)
{
    u32 x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void expect_sort(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    memcpy(want, in, 2048 * sizeof *want);
    qsort(want, 1024, sizeof *want, by_size);
    qsort(want + 1024, 1024, sizeof *want, by_size);
}

static void expect_matmul(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 row = 0; row < 64; row++)
        for (u32 column = 0; column < 64; column++) {
            i32 sum = 0;
            for (u32 k = 0; k < 64; k++)
                sum += ((i32)(in[row * 64 + k] & 31) - 15) *
                       ((i32)(in[4096 + k * 64 + column] & 31) - 15);
            want[row * 64 + column] = word_of((float)sum);
        }
}

static void expect_indirect(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    (void)in;
    for (u32 i = 0; i < 5 * 4 * 3 * 64; i++)
        want[i] = 543;
}

/* Two work-groups in each direction of 8 x 2 x 2 lanes, from (1, 0, 2) on. */
static void expect_base(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    (void)in;
    for (u32 z = 4; z < 8; z++)
        for (u32 y = 0; y < 4; y++)
            for (u32 x = 8; x < 24; x++)
                want[(z * 8 + y) * 64 + x] =
                    x / 8 | (y / 2) << 8 | (z / 2) << 16 | (x % 8 + y % 2 * 8 + z % 2 * 16) << 24;
}

/* ---- atomics ---- */

static void fill_atomic(struct gpu *g)
{
    u32 *out = g->buffer[OUT].word;
    memset(out, 0, 2048 * sizeof *out);
    out[1] = out[3] = ~0u;
}

static void expect_atomic(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    memset(want, 0, 2048 * sizeof *want);
    want[1] = want[3] = ~0u;
    for (u32 i = 0; i < 1024; i++) {
        u32 x = in[i];
        want[0] += x;
        want[1] = x < want[1] ? x : want[1];
        want[2] = x > want[2] ? x : want[2];
        want[3] &= x | 0xff0000ff;
        want[4] |= x & 0x00ffff00;
        want[5] ^= x;
        want[6 + (x & 15)]++;
        want[1024 + i] = 1;
    }
    want[22] = 1024;
    want[23] = 3 * 1024;
}

static void expect_atomic_shared(const struct gpu *g, const struct test *t, const u32 *in,
                                 u32 *want)
{
    (void)g;
    (void)t;
    for (u32 group = 0; group < 4; group++, want += 512) {
        u32 s[9] = { 0, ~0u, 0, ~0u };
        for (u32 i = 0; i < 256; i++) {
            u32 x = *in++;
            s[0] += x;
            s[1] = x < s[1] ? x : s[1];
            s[2] = x > s[2] ? x : s[2];
            s[3] &= x | 0xffff;
            s[4] |= x & 0xff00ff00;
            s[5] ^= x;
            s[6]++;
            s[7] = (i32)x < (i32)s[7] ? x : s[7];
            s[8] = (i32)x > (i32)s[8] ? x : s[8];
            want[256 + i] = 1;
        }
        memcpy(want, s, sizeof s);
    }
}

static u64 wide_of(const u32 *in, u32 i)
{
    return (u64)in[i] << 17 | in[i + 256];
}

static void fill_atomic64(struct gpu *g)
{
    u32 *w = g->buffer[SIZES].word;
    w[2] = w[3] = ~0u;
    put64(&w[10], 0x123456789abcdef0);
}

static void expect_atomic64(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    (void)in;
    want[0] = 0x9abcdef0;
}

static const char *check_atomic64(struct gpu *g)
{
    u64 want[6] = { 0, ~0ull, 0, 0, 0, 5 };
    for (u32 i = 0; i < 256; i++) {
        u64 x = wide_of(g->buffer[IN].word, i);
        want[0] += x;
        want[1] = x < want[1] ? x : want[1];
        want[2] = x > want[2] ? x : want[2];
        want[3] |= x & 0x0f0f0f0f0f0f0f0f;
        want[4] ^= x;
    }
    return memcmp(want, g->buffer[SIZES].word, sizeof want) ? "wrong sums of 64 bits" : NULL;
}

/* ---- arithmetic ---- */

static void expect_int64(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++, want += 16) {
        u64 x = (u64)in[i * 2] << 32 | in[i * 2 + 1];
        u64 y = ((u64)(in[i * 2 + 1] & 0xffff) << 24 | in[i * 2]) | 1;
        u64 least = x < y ? x : y, shifted = (u64)((i64)x >> 7);
        put64(want, x + y);
        put64(want + 2, x - y);
        put64(want + 4, x * y);
        put64(want + 6, x / y);
        put64(want + 8, x % y);
        put64(want + 10, (x << (i & 63)) ^ (y >> (i & 63)));
        put64(want + 12, (u64)((i64)x / (i64)y));
        put64(want + 14, least > shifted ? least : shifted);
    }
}

static void expect_double(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++, want += 16) {
        double x = (double)(i32)in[i] * 0.125, y = (double)in[i + 256] + 0.5;
        put_double(want, x + y);
        put_double(want + 2, x * y);
        put_double(want + 4, fma(x, y, x + y));
        put_double(want + 6, (x > y ? x : y) - floor(x));
        put_double(want + 8, trunc(x));
        want[10] = in[i];
        want[11] = in[i] & 0xffff;
        want[12] = word_of((float)y);
        want[13] = x < y ? 1 : 2;
    }
}

static void expect_float16(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++, want += 4) {
        float p[2], q[2], r[2], d[2];
        for (u32 k = 0; k < 2; k++) {
            p[k] = (float)(in[i] >> k * 5 & 31);
            q[k] = (float)(in[i] >> (10 + k * 5) & 31);
            r[k] = p[k] * q[k] + q[k];
            d[k] = fmaxf(p[k], q[k]) - fminf(p[k], q[k]) * 2;
        }
        want[0] = halves_of(r[0], r[1]);
        want[1] = halves_of(d[0], d[1]);
        want[2] = (u32)(i32)(p[0] * q[1] - 3) + (p[0] < q[0] ? 65536 : 0);
        want[3] = halves_of(fabsf(d[0]), floorf(q[1] / 4));
    }
}

static void expect_int16(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++, want += 4) {
        u32 x = in[i], y = in[i + 1024];
        memset(want, 0, 4 * sizeof *want);
        for (u32 at = 0; at < 32; at += 16) {
            u32 p = x >> at & 0xffff, q = y >> at & 0xffff;
            i32 first = (i16)p, second = (i16)q;
            want[0] |= ((p * q + q) & 0xffff) << at;
            want[1] |= (((u32)(first < second ? first : second) ^ (p > q ? p : q)) & 0xffff) << at;
            want[2] |= (((u32)(first >> 3) + (q << 5)) & 0xffff) << at;
        }
        i32 by = (i16)(y | 1);
        want[3] = (u32)((i16)x / by) + (x >> 16) % (y >> 16 | 1);
    }
}

static void expect_storage16(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)t;
    u16 *out = (u16 *)want;
    const u16 *s = (const u16 *)in;
    (void)g;
    for (u32 i = 0; i < 512; i++) {
        out[i] = (u16)(s[i] + 7);
        out[2048 + i] = (u16)half_of((float)(s[i] & 1023) * 0.5f);
    }
}

static void expect_storage8(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)t;
    u8 *out = (u8 *)want;
    const u8 *s = (const u8 *)in;
    (void)g;
    for (u32 i = 0; i < 512; i++) {
        out[i * 2 + 1] = s[i] ^ 0x5a;
        out[4096 + i] = (u8)((i8)s[i] >> 2);
    }
}

static void expect_divide(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 512; i++, want += 8) {
        u32 x = in[i], y = in[i + 1024] >> (i & 31) | 1;
        want[0] = x / y;
        want[1] = x % y;
        want[2] = (u32)((i32)x / (i32)(y | 2));
        want[3] = x / 7;
        want[4] = x % 1000;
        want[5] = (u32)((i32)x / -11);
        want[6] = (u32)((i32)(x >> 1) % (i32)(y >> 1 | 1));
        want[7] = x / ((y & 0xff) | 1);
    }
}

static void expect_float(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 512; i++, want += 16) {
        float x = (float)(i32)in[i] * 0.0009765625f;
        float y = (float)(in[i + 512] >> 8) * 0.5f - 4000000.0f;
        float r[] = { x + y,     x * y,    floorf(x),   ceilf(y),
                      truncf(x), rintf(y), fminf(x, y), fmaxf(fabsf(x), -y) };
        for (u32 k = 0; k < COUNT_OF(r); k++)
            want[k] = word_of(r[k]);
        want[8] = (u32)(i32)x;
        want[9] = (u32)fabsf(y);
        want[10] = word_of((float)in[i]);
        want[11] = (x < y ? 1 : 0) | (x >= y ? 2 : 0) | (x != y ? 8 : 0);
        want[12] = word_of(in[i] > in[i + 1] ? y : x);
        want[13] = word_of(ldexpf(x, (int)(in[i] & 15) - 8));
        want[14] = word_of(fminf(fmaxf(y, -1000), 1000));
        want[15] = word_of((float)((x > 0) - (x < 0)) + (y < x ? 0.0f : 1.0f));
    }
}

static void expect_math(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++, want += 16) {
        double x = (float)(in[i] >> 8) / 16777216.0f + 0.25f;
        double y = (float)(in[i + 256] >> 8) / 4194304.0f - 2.0f;
        double r[] = { sin(y),
                       cos(y),
                       exp2(y),
                       log2(x) + 3,
                       sqrt(x),
                       1 / sqrt(x),
                       y / x,
                       x * x * x,
                       exp(y),
                       atan2(y, x),
                       sqrt(x * x + y * y + 1),
                       x - floor(x),
                       tanh(y),
                       1 / x,
                       x / sqrt(x * x + 1),
                       x + y * 0.5 + x * 0.25 - y * 0.125 };
        for (u32 k = 0; k < COUNT_OF(r); k++)
            want[k] = word_of((float)r[k]);
    }
}

/* ---- bits ---- */

static u32 bits_of(u32 x, u32 at, u32 count)
{
    return count == 0 ? 0 : x >> at & (count == 32 ? ~0u : (1u << count) - 1);
}

static u32 highest(u32 x)
{
    u32 n = 31;
    while (n != ~0u && !(x >> n & 1))
        n--;
    return n;
}

static u32 lowest(u32 x)
{
    u32 n = 0;
    while (n < 32 && !(x >> n & 1))
        n++;
    return n < 32 ? n : ~0u;
}

static void expect_bits(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++, want += 16) {
        u32 x = in[i], y = in[i + 64], at = y & 15, count = y >> 4 & 15, reversed = 0, set = 0;
        u32 sum = 0;
        for (u32 k = 0; k < 32; k++) {
            reversed |= (x >> k & 1) << (31 - k);
            set += x >> k & 1;
        }
        for (u32 k = 0; k < 32; k += 8)
            sum += x >> k & 0xff;
        u32 field = bits_of(x, at, count + 1), mask = bits_of(~0u, 0, at) << 5;
        u64 product = (u64)x * y;
        want[0] = bits_of(x, at, count);
        want[1] = field | (field >> count & 1 ? ~bits_of(~0u, 0, count + 1) : 0);
        want[2] = (x & ~mask) | (y << 5 & mask);
        want[3] = reversed;
        want[4] = set;
        want[5] = lowest(x & y) + (highest(x & y) << 8);
        want[6] = highest(x >> 31 ? ~x : x);
        want[7] = (x + y) ^ (x + y < x ? 1 : 0);
        want[8] = (u32)(product >> 32) ^ (u32)product;
        want[9] = halves_of((float)(x & 2047), -(float)(y & 1023) * 0.5f);
        want[10] = (x & 0xff) | 0xff0000 | 0x80000000;
        want[11] = sum;
        want[12] = 20;
        want[13] = x - y + (x < y ? 1 : 0);
        want[14] = (u32)((u64)((i64)(i32)x * (i32)y) >> 32);
        want[15] = x << (y & 31) | (u32)((i32)x >> (y >> 5 & 31));
    }
}

static void expect_branch(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 1024; i++) {
        u32 x = in[i], y = 0, n = i + 1, count = 0;
        for (u32 k = 0; k < (x & 15) && y <= 0xfff00000; k++) {
            if ((x >> k & 3) == 3)
                continue;
            switch (x >> (k + 3) & 7) {
            case 0: y += k; break;
            case 1: y ^= 0x55; break;
            case 2: y = y * 3 + 17; break;
            case 3: y += 17; break;
            case 6: y = ~y; break;
            default: y -= x & 0xff; break;
            }
        }
        for (; n != 1; count++)
            n = n % 2 ? n * 3 + 1 : n / 2;
        want[i * 2] = y;
        want[i * 2 + 1] = count;
    }
}

/* ---- memory ---- */

static void expect_private(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 512; i++) {
        u32 s[24];
        for (u32 k = 0; k < 24; k++)
            s[k] = in[(i * 24 + k) % WORDS];
        qsort(s, 24, sizeof *s, by_size);
        for (u32 k = 0; k < 8; k++)
            want[i * 8 + k] = s[(in[i] + k * 3) % 24];
    }
}

static void expect_texels(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++)
        want[i] = __builtin_bswap32(in[i * 3]);
    want[4000] = 0xff0080ff; /* 8192 / 8192, 8192 / 16384, 0, 1 */
}

#define ONE(x, y, z)                  \
    {                                 \
        {                             \
            STEP_DIRECT, { x, y, z }, \
            {                         \
                0                     \
            }                         \
        }                             \
    }

const struct test plain_tests[] = {
    { .name = "push",
      .step = { { STEP_DIRECT, { 4, 1, 1 }, { 77, 0x1234, 0xff00ff00 } } },
      .expect = expect_push },
    { .name = "special", .step = ONE(2, 1, 1), .expect = expect_special },
    { .name = "uniform", .step = ONE(4, 1, 1), .fill = fill_uniform, .expect = expect_uniform },
    { .name = "shared", .step = ONE(4, 1, 1), .expect = expect_shared },
    { .name = "barrier", .step = ONE(4, 1, 1), .expect = expect_barrier },
    { .name = "reduce",
      .step = { { STEP_DIRECT, { 16, 1, 1 }, { 0 } }, { STEP_DIRECT, { 1, 1, 1 }, { 1 } } },
      .expect = expect_reduce },
    { .name = "scan",
      .step = { { STEP_DIRECT, { 16, 1, 1 }, { 0 } },
                { STEP_DIRECT, { 1, 1, 1 }, { 1 } },
                { STEP_DIRECT, { 16, 1, 1 }, { 2 } } },
      .expect = expect_scan },
    { .name = "sort", .needs = NEED_GROUP_1024, .step = ONE(2, 1, 1), .expect = expect_sort },
    { .name = "matmul", .step = ONE(4, 4, 1), .expect = expect_matmul },
    { .name = "indirect",
      .step = { { STEP_DIRECT, { 1, 1, 1 }, { 0 } }, { STEP_INDIRECT, { 0 }, { 1 } } },
      .expect = expect_indirect },
    { .name = "base", .step = { { STEP_BASE, { 2, 2, 2 }, { 1, 0, 2 } } }, .expect = expect_base },
    { .name = "atomic", .step = ONE(16, 1, 1), .fill = fill_atomic, .expect = expect_atomic },
    { .name = "atomic_shared", .step = ONE(4, 1, 1), .expect = expect_atomic_shared },
    { .name = "atomic64",
      .needs = NEED_INT64 | NEED_ATOMIC64,
      .step = ONE(4, 1, 1),
      .fill = fill_atomic64,
      .expect = expect_atomic64,
      .check = check_atomic64 },
    { .name = "int64", .needs = NEED_INT64, .step = ONE(4, 1, 1), .expect = expect_int64 },
    { .name = "int16", .needs = NEED_INT16, .step = ONE(4, 1, 1), .expect = expect_int16 },
    { .name = "double", .needs = NEED_DOUBLE, .step = ONE(4, 1, 1), .expect = expect_double },
    { .name = "float16", .needs = NEED_HALF, .step = ONE(4, 1, 1), .expect = expect_float16 },
    { .name = "float", .step = ONE(8, 1, 1), .expect = expect_float },
    { .name = "math", .step = ONE(4, 1, 1), .tolerance = 2e-4f, .expect = expect_math },
    { .name = "divide", .step = ONE(8, 1, 1), .expect = expect_divide },
    { .name = "bits", .step = ONE(4, 1, 1), .expect = expect_bits },
    { .name = "branch", .step = ONE(16, 1, 1), .expect = expect_branch },
    { .name = "storage16",
      .needs = NEED_STORAGE16,
      .step = ONE(8, 1, 1),
      .expect = expect_storage16 },
    { .name = "storage8", .needs = NEED_STORAGE8, .step = ONE(8, 1, 1), .expect = expect_storage8 },
    { .name = "private", .step = ONE(8, 1, 1), .expect = expect_private },
    { .name = "texels", .step = ONE(4, 1, 1), .expect = expect_texels },
    { .name = NULL }
};
