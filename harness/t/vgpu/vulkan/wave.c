/* Programs in which the lanes of a subgroup see each other. */
#include "harness/t/vgpu/vulkan/gpu.h"

/* ---- arithmetic ---- */

static u32 least(u32 a, u32 b)
{
    return a < b ? a : b;
}

static u32 most(u32 a, u32 b)
{
    return a > b ? a : b;
}

/* The words of one subgroup to 16 words for each lane. */
static void expect_arithmetic(const u32 *in, u32 lanes, u32 *want)
{
    u32 all[7] = { 0, ~0u, 0, ~0u, 0, 0, 1 }, odd = 0, before_odd = 0, sum = 0, low = ~0u, flip = 0;
    i32 greatest = INT32_MIN;
    float floats = 0;
    for (u32 i = 0; i < lanes; i++) {
        u32 x = in[i];
        all[0] += x;
        all[1] = least(all[1], x);
        all[2] = most(all[2], x);
        all[3] &= x | 0xf;
        all[4] |= x & 0xf0f0;
        all[5] ^= x;
        all[6] *= x | 1;
        greatest = (i32)x > greatest ? (i32)x : greatest;
        odd += x & 1 ? x & 0xffff : 0;
        floats += (float)(x & 1023);
    }
    for (u32 i = 0; i < lanes; i++, want += 16) {
        u32 x = in[i], cluster = 0;
        for (u32 k = i / 8 * 8; k < i / 8 * 8 + 8; k++)
            cluster += in[k];
        memcpy(want, all, 6 * sizeof *want);
        want[6] = sum + x;
        want[7] = sum;
        want[8] = least(low, x);
        want[9] = flip;
        want[10] = cluster;
        want[11] = (u32)greatest;
        want[12] = all[6];
        want[13] = x & 1 ? odd + before_odd : 0;
        memcpy(&want[14], &floats, sizeof floats);
        sum += x;
        low = least(low, x);
        flip ^= x;
        before_odd += x & 1;
    }
}

static void expect_subgroup(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)t;
    for (u32 i = 0; i < 256; i += g->subgroup)
        expect_arithmetic(in + i, g->subgroup, want + i * 16);
}

/* ---- words of other lanes ---- */

static void expect_shuffle(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)t;
    u32 n = g->subgroup;
    for (u32 i = 0; i < 256; i++, want += 16) {
        const u32 *s = in + i / n * n;
        u32 lane = i % n;
        want[0] = s[(lane * 7 + 3) % n];
        want[1] = s[lane ^ 5];
        want[2] = s[lane ^ 32];
        want[3] = lane < 3 ? 0 : s[lane - 3];
        want[4] = lane + 2 >= n ? 0 : s[lane + 2];
        want[5] = s[17];
        want[6] = s[0];
        want[7] = s[lane / 4 * 4 + 2];
        want[8] = s[lane ^ 1];
        want[9] = s[lane ^ 2];
        want[10] = s[lane ^ 3];
        want[11] = s[lane ^ 16] ^ s[lane ^ 1];
    }
}

/* ---- votes ---- */

static u32 count(u64 x)
{
    u32 n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static u32 first(u64 x)
{
    u32 n = 0;
    while (!(x >> n & 1))
        n++;
    return n;
}

static u32 last(u64 x)
{
    u32 n = 63;
    while (!(x >> n & 1))
        n--;
    return n;
}

/* Work-groups of two subgroups of 64 lanes. */
static void expect_ballot(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++, want += 16) {
        const u32 *s = in + i / 64 * 64;
        u32 lane = i % 64;
        u64 votes = 0, both = 0, here = 1ull << lane, before = here - 1;
        bool any = false, all = true;
        for (u32 k = 0; k < 64; k++) {
            votes |= (u64)(s[k] & 1) << k;
            both |= (u64)((s[k] & 3) == 3) << k;
            any = any || s[k] > 0xfc000000;
            all = all && s[k] != 0;
        }
        bool is_odd = votes & here;
        want[0] = (u32)votes;
        want[1] = (u32)(votes >> 32);
        want[2] = count(votes);
        want[3] = count(votes & (before | here));
        want[4] = count(votes & before);
        want[5] = first(votes);
        want[6] = last(votes);
        want[7] = any | (u32)all << 1 | (u32)is_odd << 3 | (u32)(votes >> 13 & 1) << 4;
        want[8] = is_odd ? (lane == first(votes) ? 256 : 0) + count(both) : 0;
        want[9] = lane | (i / 64 % 2) << 8 | 2 << 16;
        want[10] = (u32)before ^ (u32)(~before >> 32);
    }
}

const struct test wave_tests[] = { { .name = "subgroup",
                                     .needs = NEED_ARITHMETIC,
                                     .step = { { STEP_DIRECT, { 4, 1, 1 }, { 0 } } },
                                     .expect = expect_subgroup },
                                   { .name = "shuffle",
                                     .needs = NEED_SHUFFLE | NEED_BALLOT,
                                     .step = { { STEP_DIRECT, { 4, 1, 1 }, { 0 } } },
                                     .expect = expect_shuffle },
                                   { .name = "ballot",
                                     .needs = NEED_BALLOT,
                                     .step = { { STEP_DIRECT, { 2, 1, 1 }, { 0 } } },
                                     .expect = expect_ballot },
                                   { .name = NULL } };
