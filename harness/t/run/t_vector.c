/* Ranges of bit patterns are exactly what a tolerance accepts: all halves against all halves, and
 * singles and doubles near the ends of what is accepted. And the reader that is shipped: memory whose size changes
 * behind what was held against it is refused. */
#include "harness/sdk/gcncheck_vectors.h"
#include "harness/t/lib/tap_test.h"
#include "harness/vector/vector.h"

static bool is_in(const struct vector_accept *a, u64 v)
{
    for (u32 i = 0; i < a->count; i++) {
        u64 lo = a->lo[i][0] | (u64)a->lo[i][1] << 32, hi = a->hi[i][0] | (u64)a->hi[i][1] << 32;
        if (lo <= v && v <= hi)
            return true;
    }
    return false;
}

/* Halves that are wrongly in or out of the ranges, for every 37th value. */
static u32 wrong_halves(const struct tolerance *t)
{
    u32 wrong = 0;
    for (u32 want = 0; want < 0x10000; want += 37) {
        struct vector_accept a = { .dw = 1 };
        vector_range_near(&a, 16, 0xabcd0000u | want, t);
        for (u32 got = 0; got < 0x10000; got++)
            wrong += is_in(&a, 0xabcd0000u | got) != tolerance_accepts(t, 16, want, got);
    }
    return wrong;
}

static void halves(void)
{
    static const struct tolerance all[] = {
        { .kind = ACCEPT_ULP, .n = 1 },
        { .kind = ACCEPT_ULP, .n = 3, .less = true },
        { .kind = ACCEPT_ULP, .n = 2, .more = true },
        { .kind = ACCEPT_REL, .n = 7 },
        { .kind = ACCEPT_ABS, .n = 8 },
        { .kind = ACCEPT_ABS, .n = 20 },
        { .kind = ACCEPT_EXACT },
    };
    for (u32 i = 0; i < COUNT_OF(all); i++)
        is_i64(0, wrong_halves(&all[i]), "halves");
}

/* The rule of a case's ~Nulp, written again: so many numbers away, of the same sign. */
static void ulps(void)
{
    u32 wrong = 0;
    for (u32 want = 1; want < 0x7c00; want += 13)
        for (u32 sign = 0; sign < 2; sign++) {
            struct vector_accept a = { .dw = 1 };
            vector_range_ulps(&a, 16, want | sign << 15, 3);
            for (u32 got = 0; got < 0x10000; got++) {
                i32 far = (i32)(got & 0x7fff) - (i32)want;
                wrong += is_in(&a, got) != (got >> 15 == sign && far >= -3 && far <= 3);
            }
        }
    is_i64(0, wrong, "so many numbers beside a half");
    struct vector_accept zero = { .dw = 1 }, inf = { .dw = 1 };
    vector_range_ulps(&zero, 32, 0, 3);
    vector_range_ulps(&inf, 32, 0x7f800000, 3);
    is_i64(0, zero.count + inf.count, "nothing beside zero and infinity");
}

static void nans(void)
{
    struct vector_accept quiet = { .dw = 1 }, any = { .dw = 1 }, wide = { .dw = 2 };
    u32 wrong = 0;
    vector_range_nans(&quiet, 16, 0, true);
    vector_range_nans(&any, 16, 0, false);
    for (u32 v = 0; v < 0x10000; v++) {
        wrong += is_in(&quiet, v) != ((v & 0x7e00) == 0x7e00);
        wrong += is_in(&any, v) != ((v & 0x7c00) == 0x7c00 && (v & 0x3ff) != 0);
    }
    is_i64(0, wrong, "NaNs of 16 bits");
    vector_range_nans(&wide, 64, 0, true);
    ok(is_in(&wide, 0x7ff8000000000000) && is_in(&wide, 0xffffffffffffffff), "quiet doubles");
    ok(!is_in(&wide, 0x7ff7ffffffffffff) && !is_in(&wide, 0x7ff0000000000000),
       "neither a signaling one nor infinity");
}

static void doubles(void)
{
    const struct tolerance t = { .kind = ACCEPT_REL, .n = 22 };
    const u64 want[] = { 0x3ff0000000000000, 0xc008000000000000, 1, 0x7fefffffffffffff };
    u32 wrong = 0;
    for (u32 i = 0; i < COUNT_OF(want); i++) {
        struct vector_accept a = { .dw = 2 };
        vector_range_near(&a, 64, want[i], &t);
        for (u32 k = 0; k < a.count; k++) {
            u64 lo = a.lo[k][0] | (u64)a.lo[k][1] << 32, hi = a.hi[k][0] | (u64)a.hi[k][1] << 32;
            wrong += !tolerance_accepts(&t, 64, want[i], lo) ||
                     !tolerance_accepts(&t, 64, want[i], hi) ||
                     tolerance_accepts(&t, 64, want[i], hi + 1) ||
                     (lo & mask64(63) && tolerance_accepts(&t, 64, want[i], lo - 1));
        }
        wrong += a.count == 0;
    }
    is_i64(0, wrong, "the ends of what is near a double");
}

/* A record with one memory: a size, a patch of its second dword, and a last member. */
static bool reads(const char *member, u8 value)
{
    static const char head[] =
        "\x83\xa5waves\x01\xa4rows\x91\x80\xa6memory\x91\x83\xa4size\x08\xa5patch\x91\x82\xa2"
        "at\x04\xa5words\xc4\x04\xff\xff\xff\xff\xa4";
    struct gcncheck_vector v;
    u8 bytes[sizeof head + 4];
    memcpy(bytes, head, sizeof head - 1);
    memcpy(bytes + sizeof head - 1, member, 4);
    bytes[sizeof head + 3] = value;
    bool is_read = gcncheck_vector_parse(&v, bytes, sizeof bytes);
    gcncheck_vector_free(&v);
    return is_read;
}

static void sizes(void)
{
    ok(reads("fill", 0), "a record whose memory has its size once");
    ok(!reads("size", 4), "and again, smaller than what was patched");
}

int main(void)
{
    halves();
    ulps();
    nans();
    doubles();
    sizes();
    return done();
}
