/* printf of kernels: formats with arguments as they lie in memory. What is wanted is C's, and for
 * vectors OpenCL's section on printf. */
#include "harness/launch/host/print.h"
#include "harness/t/lib/files.h"
#include "harness/t/lib/tap_test.h"

#include <stdlib.h>

/* What print_formatted writes; the caller frees it. */
static char *printed(const char *format, struct print_args *args, int *n)
{
    char *text;
    FILE *f = memory_open(&text);
    *n = print_formatted(f, format, args);
    fclose(f);
    return text;
}

/* OpenCL: up to three arguments of so many bytes. */
static void test_records(void)
{
    static const struct {
        const char *format, *want;
        u32 count, sizes[3];
        u8 bytes[40];
    } rows[] = {
        { "plain 100%%\n", "plain 100%\n", 0, { 0 }, { 0 } },
        { "%d|", "-2|", 1, { 4 }, { 0xfe, 0xff, 0xff, 0xff } },
        { "%u|", "4294967294|", 1, { 4 }, { 0xfe, 0xff, 0xff, 0xff } },
        { "%hhd %hd", "-1 -256", 2, { 4, 4 }, { 255, 0, 0, 0, 0, 255 } },
        { "%ld", "1099511627776", 1, { 8 }, { 0, 0, 0, 0, 0, 1 } },
        { "%#lx", "0x10000000000", 1, { 8 }, { 0, 0, 0, 0, 0, 1 } },
        { "%08.3f", "0001.500", 1, { 4 }, { 0, 0, 0xc0, 0x3f } },
        { "%-6.1fx", "1.5   x", 1, { 8 }, { 0, 0, 0, 0, 0, 0, 0xf8, 0x3f } },
        { "%g", "0.5", 1, { 2 }, { 0, 0x38 } },
        { "%g", "-inf", 1, { 2 }, { 0, 0xfc } },
        { "%*d", "    7", 2, { 4, 4 }, { 5, 0, 0, 0, 7 } },
        { "%.*f", "1.50", 2, { 4, 4 }, { 2, 0, 0, 0, 0, 0, 0xc0, 0x3f } },
        { "%c%c", "AB", 2, { 4, 4 }, { 'A', 0, 0, 0, 'B' } },
        { "%s!%d", "abc!9", 2, { 4, 4 }, { 'a', 'b', 'c', 0, 9 } },
        { "%s!%d", "fives!9", 2, { 8, 4 }, { 'f', 'i', 'v', 'e', 's', 0, 0, 0, 9 } },
        { "%5s", "   ab", 1, { 4 }, { 'a', 'b' } },
        { "%v4hhd", "1,2,-3,4", 1, { 4 }, { 1, 2, 0xfd, 4 } },
        { "%v3hlx", "1,2,a", 1, { 16 }, { 1, 0, 0, 0, 2, 0, 0, 0, 10, 0, 0, 0, 99 } },
        { "%v2hlf", "1.500000,2.000000", 1, { 8 }, { 0, 0, 0xc0, 0x3f, 0, 0, 0, 0x40 } },
        { "%p", "0x10", 1, { 8 }, { 16 } },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct print_args args = { .at = rows[i].bytes,
                                   .size = sizeof rows[i].bytes,
                                   .sizes = rows[i].sizes,
                                   .size_count = rows[i].count };
        u32 total = 0;
        int n;
        for (u32 k = 0; k < rows[i].count; k++)
            total += rows[i].sizes[k];
        char *text = printed(rows[i].format, &args, &n);
        is_str(rows[i].want, text, "'%s'", rows[i].format);
        ok(n == (int)strlen(text) && args.size == sizeof rows[i].bytes - total,
           "its length, and what is left");
        free(text);
    }
}

/* A string whose end would begin a dword: LLVM counts it and does not write it. */
static void test_string_end(void)
{
    static const u8 bytes[12] = { 'f', 'o', 'u', 'r', 9 };
    static const u32 sizes[2] = { 8, 4 };
    static const char *const want[2] = { "four\t!0", "four!9" };
    for (u32 lost = 0; lost < 2; lost++) {
        struct print_args args = {
            .at = bytes, .size = sizeof bytes, .sizes = sizes, .size_count = 2, .lost = lost
        };
        int n;
        char *text = printed("%s!%d", &args, &n);
        is_str(want[lost], text, "a string %s its end", lost ? "without" : "with");
        ok(n == (int)strlen(text) && args.size == 4 * lost, "its length, and what is left");
        free(text);
    }
}

/* HIP: 8 bytes for each argument, strings among them. */
static void test_messages(void)
{
    static const u8 bytes[48] = {
        0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,     0xff, 'l', 'o', 'n', 'g', 'e',  'r',
        ' ',  'o',  'n',  'e',  0,    0,    [24] = 0, 0,    0,   0,   0,   0,   0xf8, 0x3f
    };
    struct print_args args = { .at = bytes, .size = sizeof bytes, .is_wide = true };
    int n;
    char *text = printed("%d %s %.2f", &args, &n);
    is_str("-2 longer one 1.50", text, "arguments of 8 bytes, a string of two times 8 among them");
    ok(n == 18 && args.size == 16, "its length, and what is left");
    free(text);
}

static void test_errors(void)
{
    static const char wide[] = "%0000000000000000000000000000000000000000"
                               "000000000000000000000000000000000000000d";
    static const char *const formats[] = {
        "%",    "%q", "%d%d",    "%v1d",     "%v17d",    "%ls%",          "%n",
        "%5.3", wide, "%65537d", "%-65537d", "%.65537d", "%.2147483647d", "%99999999999999999999d"
    };
    static const u8 bytes[8] = { 'a', 'b', 'c', 'd' };
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct print_args args = { .at = bytes, .size = 4, .sizes = (u32[]){ 4 }, .size_count = 1 };
        int n;
        free(printed(formats[i], &args, &n));
        ok(n == -1, "'%s' is refused", formats[i]);
    }
    struct print_args args = { .at = bytes, .size = 4, .is_wide = true };
    int n;
    free(printed("%s", &args, &n));
    ok(n == -1, "a string without an end");
    args = (struct print_args){ .at = bytes, .size = 4, .sizes = (u32[]){ 8 }, .size_count = 1 };
    free(printed("%ld", &args, &n));
    ok(n == -1, "an argument that is longer than what is there");
}

/* What a kernel may ask for is bounded: a width, a precision, and the characters of one call. */
static void test_limits(void)
{
    enum { WIDTH = 1 << 16, CALLS = 1 << 10, ONE = sizeof "%65536d" - 1 };
    static const i32 widths[] = { WIDTH, WIDTH + 1, -WIDTH, -WIDTH - 1, INT32_MIN };
    static char format[(CALLS + 1) * ONE + 1];
    static u32 sizes[CALLS + 1];
    static const u8 zeros[4 * (CALLS + 1)];
    FILE *nowhere = fopen("/dev/null", "w");
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        i32 numbers[2] = { widths[i], 7 };
        struct print_args args = {
            .at = (u8 *)numbers, .size = 8, .sizes = (u32[]){ 4, 4 }, .size_count = 2
        };
        bool is_in = widths[i] >= -WIDTH && widths[i] <= WIDTH;
        is_u64((u64)(is_in ? WIDTH : -1), (u64)print_formatted(nowhere, "%*d", &args),
               "a width of %d", widths[i]);
    }
    for (u32 n = 0; n <= CALLS; n++) {
        memcpy(format + n * ONE, "%65536d", ONE);
        sizes[n] = 4;
    }
    for (u32 calls = CALLS; calls <= CALLS + 1; calls++) { /* the last ones of the format */
        struct print_args args = {
            .at = zeros, .size = sizeof zeros, .sizes = sizes, .size_count = calls
        };
        is_u64((u64)(calls == CALLS ? 1 << 26 : -1),
               (u64)print_formatted(nowhere, format + (CALLS + 1 - calls) * ONE, &args),
               "%u times 65,536 characters", calls);
    }
    fclose(nowhere);
}

int main(void)
{
    test_records();
    test_string_end();
    test_messages();
    test_errors();
    test_limits();
    return done();
}
