/* Answers from hostile pipes: whatever the bytes are, they are taken whole or refused, and never
 * more memory is touched than they contain. Most useful with SAN=1. */
#include "harness/dut/pipe_msg.h"
#include "harness/t/lib/job.h"
#include "harness/t/lib/tap_test.h"

#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>

static const u32 code[] = { 0xbf810000 }; /* s_endpgm */

enum { N = 2, ID = 7, MAX = 4096 };

static struct test_job t[N];
static struct gcncheck_job array[N];

static void build(void)
{
    for (u32 i = 0; i < N; i++) {
        test_job_init(&t[i], code, 1);
        test_job_add_memory(&t[i]);
        test_job_get(&t[i], 0);
        test_job_get(&t[i], GCNCHECK_V0);
        array[i] = t[i].job;
    }
}

static enum status take(const u8 *data, size_t len, struct err *e)
{
    bool stale;
    build();
    /* A copy of exactly this size, so that a sanitizer sees a read past its end. */
    u8 *exact = malloc(len ? len : 1);
    if (!exact)
        bail("out of memory");
    memcpy(exact, data, len);
    enum status st = pipe_unpack_run(exact, len, ID, array, N, &stale, e);
    free(exact);
    return st;
}

static void put_text(msgpack_packer *pk, const char *s)
{
    msgpack_pack_str_with_body(pk, s, strlen(s));
}

/* A right answer for build()'s jobs, with a patch of window 1 and of LDS in each. */
static size_t right_answer(u8 *data)
{
    msgpack_sbuffer sb;
    msgpack_packer pk;
    char lanes[256];
    memset(lanes, 0x42, sizeof lanes);
    msgpack_sbuffer_init(&sb);
    msgpack_packer_init(&pk, &sb, msgpack_sbuffer_write);
    msgpack_pack_map(&pk, 2);
    put_text(&pk, "id");
    msgpack_pack_int(&pk, ID);
    put_text(&pk, "results");
    msgpack_pack_array(&pk, N);
    for (u32 i = 0; i < N; i++) {
        msgpack_pack_map(&pk, 4);
        put_text(&pk, "outcome");
        msgpack_pack_int(&pk, 1);
        put_text(&pk, "out");
        msgpack_pack_array(&pk, 2);
        msgpack_pack_uint32(&pk, 0xfedcba98);
        msgpack_pack_bin_with_body(&pk, lanes, sizeof lanes);
        put_text(&pk, "windows");
        msgpack_pack_array(&pk, 1);
        msgpack_pack_array(&pk, 3);
        msgpack_pack_int(&pk, 1);
        msgpack_pack_int(&pk, JOB_WINDOW - 4);
        msgpack_pack_bin_with_body(&pk, "abcd", 4);
        put_text(&pk, "lds");
        msgpack_pack_array(&pk, 1);
        msgpack_pack_array(&pk, 2);
        msgpack_pack_int(&pk, 0);
        msgpack_pack_bin_with_body(&pk, "efgh", 4);
    }
    if (sb.size > MAX)
        bail("MAX is too small");
    memcpy(data, sb.data, sb.size);
    size_t size = sb.size;
    msgpack_sbuffer_destroy(&sb);
    return size;
}

static void fixed_frames(void)
{
    static const struct {
        const char *what;
        u32 len;
        u8 data[24];
        const char *why;
    } list[] = {
        { "an empty frame", 0, { 0 }, "not one msgpack value" },
        { "the byte that msgpack never uses", 1, { 0xc1 }, "not one msgpack value" },
        { "an array of 2^32-1 elements, none there",
          5,
          { 0xdd, 0xff, 0xff, 0xff, 0xff },
          "not one" },
        { "a map of 2^32-1 pairs, none there", 5, { 0xdf, 0xff, 0xff, 0xff, 0xff }, "not one" },
        { "a string of 2^32-1 bytes", 6, { 0xdb, 0xff, 0xff, 0xff, 0xff, 'a' }, "not one" },
        { "an extension of 2^32-1 bytes", 6, { 0xc9, 0xff, 0xff, 0xff, 0xff, 1 }, "not one" },
        { "a fixed extension cut short", 17, { 0xd8, 1 }, "not one" },
        { "a number cut short", 4, { 0xce, 1, 2, 3 }, "not one" },
        { "a head cut short", 2, { 0xda, 1 }, "not one" },
        { "two values", 2, { 0x80, 0x80 }, "not one" },
        { "a whole fixed extension", 18, { 0xd8, 1 }, "not a map" },
        { "a whole extension", 5, { 0xc7, 2, 1, 'a', 'b' }, "not a map" },
        { "a float", 9, { 0xcb, 1 }, "not a map" },
        { "an empty map", 1, { 0x80 }, "does not repeat the request's id" },
        { "a negative id", 5, { 0x81, 0xa2, 'i', 'd', 0xff }, "does not repeat the request's id" },
        { "another id", 5, { 0x81, 0xa2, 'i', 'd', 9 }, "id of another request" },
        { "no results", 5, { 0x81, 0xa2, 'i', 'd', ID }, "no list 'results'" },
        { "results as a number",
          14,
          { 0x82, 0xa2, 'i', 'd', ID, 0xa7, 'r', 'e', 's', 'u', 'l', 't', 's', 3 },
          "no list 'results'" },
        { "one result too few",
          15,
          { 0x82, 0xa2, 'i', 'd', ID, 0xa7, 'r', 'e', 's', 'u', 'l', 't', 's', 0x91, 0x80 },
          "1 results for 2 jobs" },
    };
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        struct err e = { .text = "" };
        enum status st = take(list[i].data, list[i].len, &e);
        if (!ok(st == ST_INPUT && strstr(e.text, list[i].why), "%s", list[i].what))
            diag("status %d: %s", (int)st, e.text);
    }
}

static void deep_frames(void)
{
    static u8 deep[100000];
    struct err e = { .text = "" };
    memset(deep, 0x91, sizeof deep); /* a list in a list in a list ... */
    deep[sizeof deep - 1] = 0;
    ok(take(deep, sizeof deep, &e) == ST_INPUT && strstr(e.text, "too deeply"),
       "nested 100,000 deep");
}

static bool right_applied(void)
{
    bool good = true;
    for (u32 i = 0; i < N; i++)
        good &= array[i].outcome == OUT_DONE && test_job_out(&t[i], 0, 0) == 0xfedcba98 &&
                test_job_out(&t[i], GCNCHECK_V0, 63) == 0x42424242 &&
                memcmp(t[i].bytes[1] + JOB_WINDOW - 4, "abcd", 4) == 0 &&
                memcmp(t[i].lds, "efgh\0", 5) == 0 && t[i].bytes[1][JOB_WINDOW - 5] == 0;
    return good;
}

/* Outcomes are the contract's or NONSENSE, reasons printable, and only DONE touches buffers. */
static bool is_orderly(void)
{
    for (u32 i = 0; i < N; i++) {
        u32 o = array[i].outcome;
        if ((o < OUT_DONE || o > OUT_LIMIT) && o != OUT_NONSENSE)
            return false;
        if (o != OUT_DONE && (t[i].out[0] || t[i].bytes[1][JOB_WINDOW - 1] || t[i].lds[0]))
            return false;
        for (const char *c = array[i].reason; *c; c++)
            if (*c < 0x20 || *c > 0x7e)
                return false;
    }
    return true;
}

static void mutated_frames(const u8 *right, size_t len)
{
    struct rng r;
    struct err e;
    u8 data[MAX];
    u32 taken = 0, refused = 0, disorder = 0, partly = 0;
    rng_seed(&r, 1);
    for (u32 round = 0; round < 50000; round++) {
        memcpy(data, right, len);
        for (u32 n = 1 + rng_below(&r, 4); n; n--)
            data[rng_below(&r, (u32)len)] = (u8)rng_u64(&r);
        e.text[0] = '\0';
        if (take(data, len, &e) == ST_OK) {
            taken++;
            disorder += !is_orderly();
            partly += array[0].outcome != array[1].outcome;
        } else {
            refused++;
            disorder += !e.text[0] || array[0].outcome || array[1].outcome;
        }
    }
    diag("%u taken (%u with a wrong result), %u refused", taken, partly, refused);
    ok(disorder == 0, "50,000 mutated answers are taken in order or refused whole");
    ok(taken > 1000 && refused > 1000 && partly > 100,
       "and both happened, and single wrong results");
}

static void hello(void)
{
    /* {"id": 7, "name": "n", "version": "v", "can": {"mode": 1}} */
    static const u8 right[] = "\x84\xa2id\x07\xa4name\xa1n\xa7version\xa1v\xa3"
                              "can\x81\xa4mode\x01";
    u8 data[sizeof right - 1];
    struct dut d = { .name = "" };
    struct err e = { .text = "" };
    bool good = true;
    ok(pipe_unpack_hello(right, sizeof right - 1, ID, &d, &e) == ST_OK && d.can[CLASS_MODE] == 1 &&
           d.can[CLASS_SGPR] == 0 && strcmp(d.name, "n") == 0,
       "a right hello");
    for (size_t len = 0; len < sizeof right - 1; len++)
        good &= pipe_unpack_hello(right, len, ID, &d, &e) == ST_INPUT;
    ok(good, "a hello cut short is refused");
    memcpy(data, right, sizeof data);
    data[sizeof data - 1] = 2;
    ok(pipe_unpack_hello(data, sizeof data, ID, &d, &e) == ST_INPUT && strstr(e.text, "of mode"),
       "can of 2 is refused");
    data[sizeof data - 2] = 'x';
    ok(pipe_unpack_hello(data, sizeof data, ID, &d, &e) == ST_INPUT && strstr(e.text, "'modx'"),
       "can of an unknown class is refused");
}

int main(void)
{
    static u8 right[MAX];
    struct err e = { .text = "" };
    bool good = true;
    size_t len = right_answer(right);
    ok(take(right, len, &e) == ST_OK && right_applied(), "a right answer is taken");
    for (size_t cut = 0; cut < len; cut++)
        good &= take(right, cut, &e) == ST_INPUT && array[0].outcome == OUT_NOT_RUN;
    ok(good, "an answer cut short anywhere is refused");
    fixed_frames();
    deep_frames();
    mutated_frames(right, len);
    hello();
    return done();
}
