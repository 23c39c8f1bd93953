/* Arrays that grow, and hashes. */
#include "harness/t/lib/tap_test.h"
#include "oracle/base/array.h"
#include "oracle/base/hash.h"

#include <stdlib.h>

static void test_growth(void)
{
    u32 *a = NULL, cap = 0, moves = 0, wrong = 0;
    for (u32 i = 0; i < 10000; i++) {
        u32 before = cap;
        a = array_grow(a, &cap, i + 1ull, sizeof *a);
        if (!a)
            bail("no memory for %u elements", i + 1);
        moves += cap != before;
        a[i] = i * 3;
    }
    for (u32 i = 0; i < 10000; i++)
        wrong += a[i] != i * 3;
    ok(wrong == 0, "what stood in the array still does");
    ok(cap >= 10000 && moves < 16, "one by one: room at least doubles (%u elements, %u moves)", cap,
       moves);
    a = array_grow(a, &cap, 100000, sizeof *a);
    ok(a && cap >= 100000 && a[9999] == 9999 * 3, "far more than the double at once");
    free(a);
}

static void test_limits(void)
{
    u32 cap = 0, full = UINT32_MAX;
    u8 byte = 0;
    ok(!array_grow(NULL, &cap, 1ull << 32, 1) && cap == 0, "more elements than a cap can count");
    ok(!array_grow(NULL, &cap, 4, SIZE_MAX / 4) && cap == 0, "a size that overflows");
    ok(array_grow(&byte, &full, UINT32_MAX, 1) == &byte, "what has room does not move");
    struct err e = { .text = "" };
    ok(err_memory(&e) == ST_WORLD && strcmp(e.text, "out of memory") == 0, "no memory: the error");
}

/* The test values of FNV's authors. */
static void test_hash(void)
{
    ok(hash_text("") == 0xcbf29ce484222325ull, "FNV-1a of nothing");
    ok(hash_text("a") == 0xaf63dc4c8601ec8cull, "FNV-1a of a");
    ok(hash_text("foobar") == 0x85944171f73967e8ull, "FNV-1a of foobar");
}

int main(void)
{
    test_growth();
    test_limits();
    test_hash();
    return done();
}
