/* launch.txt, the comparison of buffers, and the kernarg segment. Expected bytes are worked out by
 * hand from the format and from LLVM's guide. Runs in the root of the repository. */
#include "harness/launch/file/kernarg.h"
#include "harness/t/lib/launchtext.h"
#include "harness/t/lib/tap_test.h"

static void test_errors(void)
{
    static const struct {
        const char *text;
        int line;
        const char *want;
    } rows[] = {
        { "", 0, "has no line 'kernel'" },
        { "kernel k\n", 0, "has no line 'grid'" },
        { "kernel k\ngrid 1 1 1\n", 0, "has no line 'workgroup'" },
        { "kernel\n", 1, "expected: kernel NAME" },
        { "kernel a b\n", 1, "expected: kernel NAME" },
        { "kernel a\nkernel b\n", 2, "kernel a has no line 'grid'" },
        { "kernel a\ngrid 1 1 1\nkernel b\n", 3, "kernel a has no line 'workgroup'" },
        { "kernel a\ngrid 1 1 1\nworkgroup 1 1 1\nkernel b\n", 0, "kernel b has no line 'grid'" },
        { HEAD "again 0\n", 4, "there is no item 0 yet, there are 0" },
        { HEAD "again\n", 4, "expected: again ITEM" },
        { HEAD "u32 1\nagain 0x\n", 5, "item '0x' is not a number from 0 to 1023" },
        { HEAD "u32 1\naside again 0\n", 5, "expected: aside buf|out|inout|tmp ..." },
        { HEAD "u32 1\nglobal g again 0\n", 5,
          "expected: global SYMBOL buf|out|inout|struct|bytes|i8|..." },
        { HEAD "tmp 16\nexpect 0 a.bin\n", 5, "expected: expect ITEM FILE CHECK" },
        { HEAD "tmp 16\nexpect 1 a.bin exact\n", 5, "there is no item 1 yet, there are 1" },
        { HEAD "u32 16\nexpect 0 a.bin exact\n", 5, "item 0 is neither a buffer nor a variable" },
        { HEAD "tmp 16\nexpect 0 a.bin zork\n", 5,
          "check 'zork' is none of exact, f16nan, f32nan, f64nan, f32 REL ABS, f64 REL ABS" },
        { "kernel a\ngrid 1 2\n", 2, "expected: grid X Y Z" },
        { "grid 1 1 1\ngrid 1 1 1\n", 2, "grid is given twice" },
        { "# remark\n\n  grid 1 0 1\n", 3, "grid '0' is not a number from 1 to 2147483647" },
        { "workgroup 64 1 65536\n", 1, "workgroup '65536' is not a number from 1 to 65535" },
        { "workgroup 64 1 -1\n", 1, "workgroup '-1' is not a number from 1 to 65535" },
        { "workgroup 64 1 1x\n", 1, "workgroup '1x' is not a number from 1 to 65535" },
        { HEAD "bufs a.bin\n", 4, "'bufs' is not known" },
        { HEAD "buf\n", 4, "expected: buf FILE" },
        { HEAD "buf none.bin\n", 4, "none.bin cannot be opened: No such file or directory" },
        { HEAD "buf a.bin b.bin\n", 4, "expected: buf FILE" },
        { HEAD "out a.bin 16\n", 4, "expected: out FILE SIZE CHECK" },
        { HEAD "out a.bin 16 exactly\n", 4,
          "check 'exactly' is none of exact, f16nan, f32nan, f64nan, f32 REL ABS, f64 REL ABS" },
        { HEAD "out a.bin 16 exact 1\n", 4, "expected: exact at the end of the line" },
        { HEAD "out a.bin 16 f32 1e-6\n", 4, "expected: f32 REL ABS at the end of the line" },
        { HEAD "out a.bin 16 f32 1e-6 x\n", 4, "tolerance 'x' is not a number of at least 0" },
        { HEAD "out a.bin 16 f32 -1 0\n", 4, "tolerance '-1' is not a number of at least 0" },
        { HEAD "out a.bin 16 f32 nan 0\n", 4, "tolerance 'nan' is not a number of at least 0" },
        { HEAD "out a.bin 12 f64nan\n", 4, "12 bytes are not a whole number of f64nan elements" },
        { HEAD "out a.bin 20 exact\n", 4, "a.bin has 16 bytes, the buffer 20" },
        { HEAD "out a.bin 1073741825 exact\n", 4,
          "size '1073741825' is not a number from 0 to 1073741824" },
        { HEAD "out a.bin 18446744073709551616 exact\n", 4,
          "size '18446744073709551616' is not a number from 0 to 1073741824" },
        { HEAD "inout a.bin b.bin exact\n", 4, "b.bin has 8 bytes, the buffer 16" },
        { HEAD "tmp\n", 4, "expected: tmp SIZE" },
        { HEAD "local x\n", 4, "size 'x' is not a number from 0 to 1073741824" },
        { HEAD "aside\n", 4, "expected: aside buf|out|inout|tmp ..." },
        { HEAD "aside u8 1\n", 4, "expected: aside buf|out|inout|tmp ..." },
        { HEAD "aside tmp\n", 4, "expected: tmp SIZE" },
        { HEAD "pointer 0 0\n", 4, "expected: pointer ITEM BYTE TO [OFFSET]" },
        { HEAD "pointer 0 0 0 0 0\n", 4, "expected: pointer ITEM BYTE TO [OFFSET]" },
        { HEAD "pointer x 0 0\n", 4, "item 'x' is not a number from 0 to 1023" },
        { HEAD "pointer 0 -8 0\n", 4, "byte '-8' is not a number from 0 to 1073741824" },
        { HEAD "pointer 1 0 0\ntmp 8\n", 4, "there is no item 1, there are 1" },
        { HEAD "tmp 8\npointer 0 0 1 0\n", 5, "there is no item 1, there are 1" },
        { HEAD "u8 1\ntmp 8\npointer 0 0 1\n", 6, "item 0 is neither a buffer nor a struct" },
        { HEAD "tmp 15\npointer 0 8 0\n", 5, "item 0 has 15 bytes, no 8 at byte 8" },
        { HEAD "tmp 7\npointer 0 0 0\n", 5, "item 0 has 7 bytes, no 8 at byte 0" },
        { HEAD "tmp 8\nstruct a.bin\npointer 0 0 1\n", 6, "item 1 is no buffer" },
        { HEAD "tmp 8\npointer 0 0 0 9\n", 5, "item 0 has 8 bytes, no byte 9" },
        { HEAD "i8 128\n", 4, "'128' is not a value of type i8" },
        { HEAD "i8 -129\n", 4, "'-129' is not a value of type i8" },
        { HEAD "u8 256\n", 4, "'256' is not a value of type u8" },
        { HEAD "u8 -1\n", 4, "'-1' is not a value of type u8" },
        { HEAD "i64 9223372036854775808\n", 4, "'9223372036854775808' is not a value of type i64" },
        { HEAD "u64 0x10000000000000000\n", 4, "'0x10000000000000000' is not a value of type u64" },
        { HEAD "u32 0x\n", 4, "'0x' is not a value of type u32" },
        { HEAD "u32\n", 4, "expected: TYPE VALUE..." },
        { HEAD "u32 1 2 x\n", 4, "'x' is not a value of type u32" },
        { HEAD "f16 65520\n", 4, "'65520' is not a value of type f16" },
        { HEAD "shared\n", 4, "expected: shared SIZE" },
        { HEAD "shared 1\nshared 1\n", 5, "shared is given twice" },
        { HEAD "bytes 0\n", 4, "'0' is not pairs of hexadecimal digits" },
        { HEAD "bytes 00 0g\n", 4, "'0g' is not pairs of hexadecimal digits" },
        { HEAD "global g tmp 8\n", 4, "expected: global SYMBOL buf|out|inout|struct|bytes|i8|..." },
        { HEAD "global g u32\n", 4, "expected: global SYMBOL buf|out|inout|struct|bytes|i8|..." },
        { HEAD "global g shared 1\n", 4,
          "expected: global SYMBOL buf|out|inout|struct|bytes|i8|..." },
        { HEAD "global g u32 x\n", 4, "'x' is not a value of type u32" },
        { HEAD "global ../g u32 1\n", 4, "'../g' is not the name of a variable" },
        { HEAD "ptr\n", 4, "expected: ptr TO [OFFSET]" },
        { HEAD "ptr 1\n", 4, "there is no item 1, there are 1" },
        { HEAD "ptr 1 9\ntmp 8\n", 4, "item 1 has 8 bytes, no byte 9" },
        { HEAD "ptr 1\nglobal g buf a.bin\n", 4, "item 1 is no buffer" },
        { HEAD "shared -1\n", 4, "size '-1' is not a number from 0 to 1073741824" },
        { HEAD "f32 1.5.2\n", 4, "'1.5.2' is not a value of type f32" },
        { HEAD "f32 1e39\n", 4, "'1e39' is not a value of type f32" },
        { HEAD "f64 1e309\n", 4, "'1e309' is not a value of type f64" },
        { HEAD "\x1b[2J\n", 4, "'?[2J' is not known" },
        { HEAD "offset 1 2\n", 4, "expected: offset X Y Z" },
        { HEAD "offset 0 -1 0\n", 4, "offset '-1' is not a number from 0 to 2147483647" },
        { HEAD "offset 0 1 0\noffset 0 1 0\n", 5, "offset is given twice" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct launch l;
        struct err e;
        enum status st = open_text(&l, rows[i].text, &e);
        if (!ok(st == ST_INPUT && e.line == rows[i].line && strcmp(e.text, rows[i].want) == 0 &&
                    strcmp(e.file, path_of("launch.txt")) == 0,
                "line %d: %s", rows[i].line, rows[i].want))
            diag("got  line %d: %s", e.line, e.text);
        if (st == ST_OK)
            launch_close(&l);
    }
    struct launch l;
    struct err e = { .text = "" };
    write_file("launch.txt", "kernel\0k\n", 9);
    ok(launch_open(&l, path_of("launch.txt"), 2, &e) == ST_INPUT &&
           strcmp(e.text, "is not a text file") == 0,
       "a zero byte is refused");
}

static void test_values(void)
{
    static const struct {
        const char *line;
        u32 size;
        u64 bits;
    } rows[] = {
        { "i8 -128", 1, 0x80 },
        { "i8 0x7f", 1, 0x7f },
        { "u8 255", 1, 0xff },
        { "i16 -1", 2, 0xffff },
        { "u16 0xBEEF", 2, 0xbeef },
        { "i32 -2147483648", 4, 0x80000000 },
        { "u32 010", 4, 10 },
        { "i64 -9223372036854775808", 8, 0x8000000000000000 },
        { "u64 18446744073709551615", 8, 0xffffffffffffffff },
        { "f32 1.5", 4, 0x3fc00000 },
        { "f32 -0", 4, 0x80000000 },
        { "f32 0x1p-149", 4, 1 },
        { "f32 16777217", 4, 0x4b800000 }, /* 2^24 + 1 rounds to even */
        { "f32 inf", 4, 0x7f800000 },
        { "f64 0.1", 8, 0x3fb999999999999a },
        { "f64 -inf", 8, 0xfff0000000000000 },
        { "u8 1 2 3", 3, 0x030201 },
        { "i16 -1 2 3 4", 8, 0x000400030002ffff },
        { "f32 1 -2", 8, 0xc00000003f800000 },
        { "f16 1", 2, 0x3c00 },
        { "f16 -0", 2, 0x8000 },
        { "f16 65504", 2, 0x7bff },
        { "f16 65519.99", 2, 0x7bff },
        { "f16 2049", 2, 0x6800 }, /* 2^11 + 1 rounds to even */
        { "f16 2051", 2, 0x6802 },
        { "f16 0x1p-24", 2, 1 },
        { "f16 0x1p-25", 2, 0 },
        { "f16 0x1.8p-24", 2, 2 },
        { "f16 0x1.ffcp-15", 2, 0x0400 }, /* rounds up to the least normal number */
        { "f16 0x1p-14", 2, 0x0400 },
        { "f16 -inf", 2, 0xfc00 },
        { "f16 nan", 2, 0x7e00 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct launch l;
        char text[128];
        u64 got = 0;
        snprintf(text, sizeof text, HEAD "%s\r\n", rows[i].line);
        must_open(&l, text);
        memcpy(&got, l.args[0].bytes, l.args[0].size);
        ok(l.arg_count == 1 && l.args[0].size == rows[i].size && l.args[0].line == 4,
           "%s: one argument", rows[i].line);
        is_hex(rows[i].bits, got, "%s", rows[i].line);
        launch_close(&l);
    }
}

static void test_lines(void)
{
    struct launch l;
    must_open(&l, "kernel some_kernel\ntargets gfx900 gfx906\nflags -O2 -DX=1 a b c d e f g h i j "
                  "k l m n o p q r s t u v w x y z "
                  "1 2 3 4 5 6 7 8\npocl no\ngrid 1000 7 3\nworkgroup 64 2 1\nbuf a.bin\nout a.bin "
                  "16 f32 1e-6 0.5\n"
                  "inout b.bin b.bin exact\ntmp 100\nlocal 1024\nstruct b.bin\nu8 7");
    is_str("some_kernel", l.now.kernel, "kernel");
    ok(l.now.grid[0] == 1000 && l.now.grid[1] == 7 && l.now.grid[2] == 3, "grid");
    ok(l.now.workgroup[0] == 64 && l.now.workgroup[1] == 2 && l.now.workgroup[2] == 1,
       "work-group");
    is_hex(7, l.arg_count, "arguments");
    const struct launch_arg *a = l.args;
    ok(a[0].kind == LARG_BUF && a[0].size == 16 && memcmp(a[0].bytes, "0123456789abcdef", 16) == 0,
       "buf");
    ok(a[1].kind == LARG_OUT && a[1].size == 16 && a[1].bytes[0] == 0 && a[1].want[0] == '0',
       "out");
    ok(a[1].check.rule == CHECK_TOLERANCE && a[1].check.width == 4 && a[1].check.rel > 0.9e-6 &&
           a[1].check.rel < 1.1e-6 && a[1].check.abs > 0.4 && a[1].check.abs < 0.6,
       "tolerance");
    ok(a[2].kind == LARG_INOUT && a[2].size == 8 && a[2].bytes[0] == 'A' && a[2].want[7] == 'H',
       "inout");
    ok(a[3].kind == LARG_TMP && a[3].size == 100 && !a[3].want, "tmp");
    ok(a[4].kind == LARG_LOCAL && a[4].size == 1024 && !a[4].bytes, "local");
    ok(a[5].kind == LARG_STRUCT && a[5].size == 8 && a[5].bytes[0] == 'A', "struct");
    ok(a[6].kind == LARG_SCALAR && a[6].size == 1 && a[6].bytes[0] == 7,
       "a last line without its end");
    launch_close(&l);
    must_open(&l, HEAD "u8 7\nshared 300\n");
    ok(l.arg_count == 1 && l.now.shared == 300, "dynamic LDS is no argument");
    launch_close(&l);
    must_open(&l, HEAD "global g u16 1 2\nptr 2 3\naside buf a.bin\nbytes 01 0a0B\n");
    ok(l.arg_count == 4 && l.args[0].is_aside && strcmp(l.args[0].symbol, "g") == 0 &&
           l.args[0].size == 4 && l.args[0].bytes[2] == 2,
       "a variable");
    ok(l.args[1].kind == LARG_POINTER && l.pointer_count == 1 && l.pointers[0].in == 1 &&
           l.pointers[0].at == 0 && l.pointers[0].to == 2 && l.pointers[0].offset == 3,
       "an argument that points into a buffer");
    ok(l.args[3].kind == LARG_STRUCT && l.args[3].size == 3 &&
           memcmp(l.args[3].bytes, "\1\12\13", 3) == 0,
       "bytes");
    launch_close(&l);
    /* As many values as a line can have, behind two words more. */
    char many[256] = HEAD "global g u8";
    for (int i = 0; i < 31; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), " %d", i);
    must_open(&l, many);
    ok(l.args[0].size == 31 && l.args[0].bytes[28] == 28 && l.args[0].bytes[30] == 30,
       "31 values of a variable");
    launch_close(&l);
    struct err e;
    strcat(many, " 31");
    ok(open_text(&l, many, &e) == ST_INPUT && strcmp(e.text, "expected: TYPE VALUE...") == 0,
       "32 are refused: %s", e.text);
    /* Room for arguments doubles at 8, 16, ... */
    char text[1024] = HEAD;
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "u8 %d\n", i);
    must_open(&l, text);
    ok(l.arg_count == 40 && l.args[39].bytes[0] == 39 && l.args[8].bytes[0] == 8,
       "forty arguments");
    launch_close(&l);
}

/* One buffer of one or two elements compared under each check. */
static void test_compare(void)
{
    static const struct {
        const char *what;
        enum check_rule rule;
        u32 width;
        double rel, abs;
        u64 want, got;
        bool is_equal;
    } rows[] = {
        { "exact: equal", CHECK_EXACT, 4, 0, 0, 5, 5, true },
        { "exact: one bit", CHECK_EXACT, 4, 0, 0, 5, 4, false },
        { "exact: two NaNs", CHECK_EXACT, 4, 0, 0, 0x7fc00000, 0x7fc00001, false },
        { "exact: zeroes of both signs", CHECK_EXACT, 4, 0, 0, 0, 0x80000000, false },
        { "f16nan: two NaNs", CHECK_NAN, 2, 0, 0, 0x7e00, 0xfc01, true },
        { "f16nan: infinity is no NaN", CHECK_NAN, 2, 0, 0, 0x7e00, 0x7c00, false },
        { "f16nan: two numbers", CHECK_NAN, 2, 0, 0, 0x3c00, 0x3c01, false },
        { "f32nan: two NaNs", CHECK_NAN, 4, 0, 0, 0x7f800001, 0xffffffff, true },
        { "f32nan: infinity is no NaN", CHECK_NAN, 4, 0, 0, 0x7f800000, 0x7f800001, false },
        { "f32nan: zeroes of both signs", CHECK_NAN, 4, 0, 0, 0, 0x80000000, false },
        { "f64nan: two NaNs", CHECK_NAN, 8, 0, 0, 0x7ff0000000000001, 0xfff8000000000000, true },
        { "f64nan: infinity is no NaN", CHECK_NAN, 8, 0, 0, 0x7ff0000000000000, 0x7ff8000000000000,
          false },
        { "f32: inside ABS", CHECK_TOLERANCE, 4, 0, 0.5, 0x3f800000, 0x3fc00000,
          true }, /* 1, 1.5 */
        { "f32: outside ABS", CHECK_TOLERANCE, 4, 0, 0.5, 0x3f800000, 0x3fc00001,
          false }, /* 1, above 1.5 */
        { "f32: inside REL", CHECK_TOLERANCE, 4, 0.5, 0, 0xc0000000, 0xc0400000,
          true }, /* -2, -3 */
        { "f32: REL is of want", CHECK_TOLERANCE, 4, 0.5, 0, 0xc0400000, 0xbf800000,
          false }, /* -3, -1 */
        { "f32: both tolerances add up", CHECK_TOLERANCE, 4, 0.25, 0.5, 0x40000000, 0x40400000,
          true }, /* 2, 3 */
        { "f32: zeroes of both signs", CHECK_TOLERANCE, 4, 0, 0, 0, 0x80000000, true },
        { "f32: two NaNs", CHECK_TOLERANCE, 4, 0, 0, 0x7fc00000, 0x7fc00001, true },
        { "f32: a NaN is no number", CHECK_TOLERANCE, 4, 1, 1, 0x3f800000, 0x7fc00001, false },
        { "f32: a number is no NaN", CHECK_TOLERANCE, 4, 1, 1, 0x7fc00001, 0x3f800000, false },
        { "f32: infinities", CHECK_TOLERANCE, 4, 0, 0, 0x7f800000, 0x7f800000, true },
        { "f32: want infinity", CHECK_TOLERANCE, 4, 1, 1, 0x7f800000, 0x7f7fffff, false },
        { "f32: got infinity", CHECK_TOLERANCE, 4, 1, 1, 0x7f7fffff, 0x7f800000, false },
        { "f64: inside REL", CHECK_TOLERANCE, 8, 1e-12, 0, 0x3ff0000000000000, 0x3ff0000000000001,
          true },
        { "f64: outside REL", CHECK_TOLERANCE, 8, 1e-16, 0, 0x3ff0000000000000, 0x3ff0000000000001,
          false },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        u8 want[16] = { 0 }, got[16] = { 0 };
        u32 w = rows[i].width;
        /* The first element is equal; the second is the subject. */
        memcpy(want + w, &rows[i].want, w);
        memcpy(got + w, &rows[i].got, w);
        struct launch_arg a = { .size = 2 * w,
                                .bytes = got,
                                .want = want,
                                .check = { rows[i].rule, w, rows[i].rel, rows[i].abs } };
        struct launch_diff d = launch_compare(&a, 2);
        ok((d.wrong == 0) == rows[i].is_equal &&
               (rows[i].is_equal ||
                (d.wrong == 1 && d.index == 1 && d.offset == w && d.total == 2)),
           "%s", rows[i].what);
    }
}

static void test_diff_text(void)
{
    char buf[256];
    struct text t;
    u32 want[4] = { 0, 0x3f800000, 2, 3 }, got[4] = { 0, 0x40000000, 2, 7 };
    struct launch_arg a = {
        .size = 16, .bytes = (u8 *)got, .want = (u8 *)want, .check = { CHECK_NAN, 4, 0, 0 }
    };
    struct launch_diff d = launch_compare(&a, 2);
    text_init(&t, buf, sizeof buf);
    launch_diff_print(&t, &a, &d);
    is_str("element 1 (byte 4): want 0x3f800000 (1), got 0x40000000 (2); 2 of 4 elements wrong",
           buf, "a difference of floats");
    a.check = (struct launch_check){ CHECK_EXACT, 1, 0, 0 };
    d = launch_compare(&a, 2);
    text_init(&t, buf, sizeof buf);
    launch_diff_print(&t, &a, &d);
    is_str("element 6 (byte 6): want 0x80, got 0x00; 3 of 16 elements wrong", buf,
           "a difference of bytes");
    a.want = NULL;
    a.check.rule = CHECK_NONE;
    d = launch_compare(&a, 2);
    is_hex(0, d.wrong, "what is not compared does not differ");
}

/* Files that are read, and buffers that are compared, in pieces by several threads. */
static void test_large(void)
{
    enum { SIZE = 5 * 1024 * 1024 + 12, ELEMENTS = SIZE / 4 };
    static const u32 threads[] = { 1, 2, 7, 100 };
    static const u32 changed[] = { 70000, 16383, 16384, 655360, ELEMENTS - 1 };
    struct launch l;
    struct err e = { .text = "" };
    u32 *data = calloc(ELEMENTS, sizeof *data);
    if (!data)
        bail("no memory");
    for (u32 i = 0; i < ELEMENTS; i++)
        data[i] = i * 2654435761u;
    write_file("large.bin", data, SIZE);
    static const char text[] = HEAD "inout large.bin large.bin exact\n";
    write_file("launch.txt", text, strlen(text));
    for (u32 i = 0; i < COUNT_OF(threads); i++) {
        u32 count = threads[i];
        if (launch_open(&l, path_of("launch.txt"), count, &e) != ST_OK)
            bail("line %d: %s", e.line, e.text);
        struct launch_arg *a = &l.args[0];
        ok(a->size == SIZE && memcmp(a->bytes, data, SIZE) == 0 && a->bytes[SIZE] == 0,
           "%u threads read a file", count);
        is_hex(0, launch_compare(a, count).wrong, "%u threads compare it: equal", count);
        for (u32 k = 0; k < COUNT_OF(changed); k++)
            a->bytes[changed[k] * 4 + 1] ^= 0x10;
        struct launch_diff d = launch_compare(a, count);
        ok(d.wrong == 5 && d.total == ELEMENTS && d.index == 16383 && d.offset == 65532 &&
               d.want == data[16383] && d.got == (data[16383] ^ 0x1000),
           "%u threads compare it: five elements differ", count);
        launch_close(&l);
    }
    free(data);
    unlink(path_of("large.bin"));
}

/* A kernel with every argument kind that can be set up, with gaps. Offsets as a compiler would
 * choose. */
static struct kernel_arg all_args[] = {
    { NULL, 0, 8, ARG_GLOBAL_BUFFER, ADDRESS_GLOBAL, 0 },
    { NULL, 8, 1, ARG_BY_VALUE, ADDRESS_NONE, 0 },
    { NULL, 12, 4, ARG_DYNAMIC_SHARED_POINTER, ADDRESS_LOCAL, 4 },
    { NULL, 16, 4, ARG_DYNAMIC_SHARED_POINTER, ADDRESS_LOCAL, 64 },
    { NULL, 24, 8, ARG_GLOBAL_BUFFER, ADDRESS_CONSTANT, 0 },
    { NULL, 32, 8, ARG_BY_VALUE, ADDRESS_NONE, 0 },
    { NULL, 40, 4, ARG_HIDDEN_BLOCK_COUNT_X, ADDRESS_NONE, 0 },
    { NULL, 44, 4, ARG_HIDDEN_BLOCK_COUNT_Y, ADDRESS_NONE, 0 },
    { NULL, 48, 4, ARG_HIDDEN_BLOCK_COUNT_Z, ADDRESS_NONE, 0 },
    { NULL, 52, 2, ARG_HIDDEN_GROUP_SIZE_X, ADDRESS_NONE, 0 },
    { NULL, 54, 2, ARG_HIDDEN_GROUP_SIZE_Y, ADDRESS_NONE, 0 },
    { NULL, 56, 2, ARG_HIDDEN_GROUP_SIZE_Z, ADDRESS_NONE, 0 },
    { NULL, 58, 2, ARG_HIDDEN_REMAINDER_X, ADDRESS_NONE, 0 },
    { NULL, 60, 2, ARG_HIDDEN_REMAINDER_Y, ADDRESS_NONE, 0 },
    { NULL, 62, 2, ARG_HIDDEN_REMAINDER_Z, ADDRESS_NONE, 0 },
    { NULL, 80, 8, ARG_HIDDEN_GLOBAL_OFFSET_X, ADDRESS_NONE, 0 },
    { NULL, 104, 2, ARG_HIDDEN_GRID_DIMS, ADDRESS_NONE, 0 },
    { NULL, 108, 4, ARG_HIDDEN_DYNAMIC_LDS_SIZE, ADDRESS_NONE, 0 },
    { NULL, 112, 8, ARG_HIDDEN_PRINTF_BUFFER, ADDRESS_NONE, 0 },
    { NULL, 120, 8, ARG_HIDDEN_QUEUE_PTR, ADDRESS_NONE, 0 },
};

static struct kernel_meta all_kinds(void)
{
    static char name[] = "k";
    return (struct kernel_meta){ .name = name,
                                 .kernarg_size = 128,
                                 .kernarg_align = 8,
                                 .group_size = 100,
                                 .max_workgroup_size = 1024,
                                 .wave_size = 64,
                                 .args = all_args,
                                 .arg_count = COUNT_OF(all_args) };
}

#define ALL_ARGS "buf a.bin\ni8 -2\nlocal 40\nlocal 1000\ntmp 5000\nstruct b.bin\n"

/* The segment of ALL_ARGS: 1000/64 = 15 rest 40, 7/2 = 3 rest 1, 3/1 = 3 rest 0. */
static const u8 kernarg_bytes[128] = { 0,
                                       0,
                                       0,
                                       0,
                                       3,
                                       0,
                                       0,
                                       0,
                                       0xfe,
                                       0,
                                       0,
                                       0,
                                       112,
                                       0,
                                       0,
                                       0,
                                       192,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0x10,
                                       1,
                                       0,
                                       3,
                                       0,
                                       0,
                                       0,
                                       'A',
                                       'B',
                                       'C',
                                       'D',
                                       'E',
                                       'F',
                                       'G',
                                       'H',
                                       15,
                                       0,
                                       0,
                                       0,
                                       3,
                                       0,
                                       0,
                                       0,
                                       3,
                                       0,
                                       0,
                                       0,
                                       64,
                                       0,
                                       2,
                                       0,
                                       1,
                                       0,
                                       40,
                                       0,
                                       1,
                                       0,
                                       0,
                                       0,
                                       [104] = 3,
                                       0,
                                       0,
                                       0,
                                       0x44,
                                       4,
                                       [115] = 0x10,
                                       2,
                                       [124] = 2,
                                       [121] = 0,
                                       [122] = 0x10 };

static void test_kernarg(void)
{
    struct kernel_meta m = all_kinds();
    struct codeobj_kernel k = { .meta = &m };
    struct launch l;
    struct kernarg ka;
    struct err e = { .text = "" };
    must_open(&l, "kernel k\ngrid 1000 7 3\nworkgroup 64 2 1\n" ALL_ARGS);
    if (!ok(kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e) == ST_OK,
            "builds a kernarg segment %s", e.text))
        return;
    /* LDS: 100 fixed, 40 at 112 (a multiple of 16), 1000 at 192 (a multiple of 64), so 1192 in
     * all. */
    is_hex(1192, ka.lds_size, "LDS bytes");
    is_hex(1092, ka.dynamic_lds, "dynamic LDS bytes");
    /* The first buffer has 16 bytes; 65536 more and then up to the next page. */
    is_hex(0x300000000, ka.addresses[0], "address of the first buffer");
    is_hex(0x300011000, ka.addresses[4], "address of the second buffer");
    is_hex(0, ka.addresses[1], "arguments that are no buffer have none");
    int wrong = 0;
    for (u32 i = 0; i < sizeof kernarg_bytes; i++)
        if (ka.bytes[i] != kernarg_bytes[i] && wrong++ < 5)
            diag("byte %u: want 0x%02x, got 0x%02x", i, kernarg_bytes[i], ka.bytes[i]);
    ok(ka.size == sizeof kernarg_bytes && !wrong, "each byte of the segment");
    kernarg_close(&ka);
    launch_close(&l);

    must_open(&l, "kernel k\ngrid 100 1 1\nworkgroup 256 1 1\n" ALL_ARGS);
    ok(kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e) == ST_OK && ka.bytes[40] == 0 &&
           ka.bytes[44] == 1 && ka.bytes[58] == 100 && ka.bytes[104] == 1,
       "a grid of one dimension, smaller than a work-group: no whole group in x, one in y, 100 "
       "left over");
    kernarg_close(&ka);
    launch_close(&l);

    /* The buffer aside has the second address: 16 bytes, 65536 and up to the next page behind the
     * first. */
    must_open(&l,
              "shared 8\n" HEAD "buf a.bin\ni8 -2\nlocal 40\nlocal 1000\naside tmp 64\nptr 4 2\n"
              "global g u32 1\nbytes 0102030405060708\n");
    ok(kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e) == ST_OK &&
           ka.addresses[4] == 0x300011000 && ka.addresses[5] == 0 && ka.addresses[6] == 0,
       "a buffer aside has an address, a pointer and a variable have none");
    ok(memcmp(ka.bytes + 24, "\2\20\1\0\3\0\0\0\1\2\3\4\5\6\7\10", 16) == 0,
       "an argument that points into it, then bytes");
    is_hex(1200, ka.lds_size, "LDS bytes with 'shared'");
    is_hex(1100, ka.dynamic_lds, "dynamic LDS bytes with 'shared'");
    kernarg_close(&ka);
    launch_close(&l);
    must_open(&l, "kernel k\ngrid 64 2 1\nworkgroup 64 1 1\n" ALL_ARGS);
    ok(kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e) == ST_OK && ka.bytes[104] == 2,
       "a grid of two dimensions");
    kernarg_close(&ka);
    launch_close(&l);
}

/* Buffers that are no arguments, pointers to them, and a kernel whose file says nothing of its
 * arguments but that they take 8 bytes. */
static void test_pointers(void)
{
    struct kernel_meta m = all_kinds();
    struct codeobj_kernel k = { .meta = &m };
    struct launch l;
    struct kernarg ka;
    struct err e = { .text = "" };
    u64 v;
    m.args = NULL;
    m.arg_count = 0;
    m.kernarg_size = 8;
    must_open(&l, HEAD "aside tmp 16\ni8 -1\nu16 2\nbuf a.bin\nstruct b.bin\nu32 3\nlocal 4\n"
                       "pointer 3 8 0 16\npointer 4 0 3\npointer 0 4 0\n");
    if (!ok(kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e) == ST_OK,
            "arguments in their order %s", e.text))
        return;
    static const u8 want[32] = { 0xff,        [2] = 2,  [9] = 0x10, [10] = 1, [12] = 3,
                                 [17] = 0x10, [18] = 1, [20] = 3,   [24] = 3, [28] = 112 };
    is_u64(sizeof want, ka.size, "the segment is as large as the arguments need");
    ok(ka.size == sizeof want && memcmp(ka.bytes, want, sizeof want) == 0,
       "each of them is aligned to its size");
    memcpy(&v, l.args[3].bytes + 8, 8);
    is_hex(ka.addresses[0] + 16, v, "a pointer to the end of a buffer that stands aside");
    memcpy(&v, l.args[0].bytes + 4, 8);
    is_hex(ka.addresses[0], v, "a pointer to the buffer itself");
    ok(memcmp(l.args[3].bytes, "01234567", 8) == 0, "the bytes before a pointer stay");
    is_hex(0x300011000, ka.addresses[3], "buffers lie in the order of their lines");
    ok(m.kernarg_size == 8 && !m.args, "the code object stays as it was");
    kernarg_close(&ka);
    launch_close(&l);

    must_open(&l, HEAD "tmp 8\naside tmp 8\n");
    struct kernel_meta whole = all_kinds();
    k.meta = &whole;
    ok(kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e) == ST_INPUT,
       "what stands aside is not counted");
    is_str("kernel k takes 6 arguments, 1 are given", e.text, "and the message says so");
    launch_close(&l);
    m.kernarg_size = 0;
    k.meta = &m;
    must_open(&l, HEAD "tmp 8\n");
    kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e);
    is_str("kernel k takes 0 arguments, 1 are given", e.text, "a kernel without arguments");
    launch_close(&l);
}

/* A kernarg segment of a kernel and the text of a launch, or why there is none. */
struct built {
    struct launch l;
    struct kernarg ka;
    enum status st;
    struct err e;
};

static void build(struct built *b, const struct kernel_meta *m, const char *text)
{
    struct codeobj_kernel k = { .meta = m };
    must_open(&b->l, text);
    b->e = (struct err){ .text = "" };
    b->st = kernarg_build(&k, &b->l, isa_target_find("gfx900"), &b->ka, &b->e);
}

static void built_close(struct built *b)
{
    if (b->st == ST_OK)
        kernarg_close(&b->ka);
    launch_close(&b->l);
}

/* u64 0 as a null pointer, ptr as a struct of one pointer; neither for what is something else. */
static void test_null(void)
{
    static struct kernel_arg args[] = {
        { NULL, 0, 8, ARG_GLOBAL_BUFFER, ADDRESS_GLOBAL, 0 },
        { NULL, 8, 8, ARG_BY_VALUE, ADDRESS_NONE, 0 },
    };
    static const struct {
        const char *text;
        const char *want; /* NULL: good */
    } rows[] = {
        { HEAD "u64 0\nptr 2\naside tmp 8\n", NULL },
        { HEAD "u64 1\nu64 1\n",
          "argument 0 of kernel k is a global_buffer of 8 bytes, not 'u64' of 8" },
        { HEAD "i64 0\nu64 1\n",
          "argument 0 of kernel k is a global_buffer of 8 bytes, not 'i64' of 8" },
        { HEAD "u64 0 0\nu64 1\n",
          "argument 0 of kernel k is a global_buffer of 8 bytes, not 'u64' of 16" },
    };
    struct kernel_meta m = kernel_of(args, COUNT_OF(args), 16, 8);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct built b;
        u64 v[2];
        build(&b, &m, rows[i].text);
        is_str(rows[i].want ? rows[i].want : "", b.e.text, "null pointers %zu", i);
        if (ok((b.st == ST_OK) == !rows[i].want, "is accepted or not") && b.st == ST_OK) {
            memcpy(v, b.ka.bytes, sizeof v);
            ok(v[0] == 0 && v[1] == 0x300000000, "the pointer and the struct");
        }
        built_close(&b);
    }
}

/* Vectors of three, which have the size and alignment of four; OpenCL C 6.1.5. */
static void test_three(void)
{
    static struct kernel_arg args[] = {
        { NULL, 0, 4, ARG_BY_VALUE, ADDRESS_NONE, 0 },
        { NULL, 16, 16, ARG_BY_VALUE, ADDRESS_NONE, 0 },
    };
    static const struct {
        const char *text;
        const char *want; /* NULL: good */
    } rows[] = {
        { HEAD "i8 1 2 3\nf32 1 2 -2\n", NULL },
        { HEAD "i8 1 2 3\ni8 1 2 3 4 5 6 7 8 9 10 11 12\n",
          "argument 1 of kernel k is a by_value of 16 bytes, not 'i8' of 12" },
        { HEAD "i8 1 2\nf32 1 2 -2\n",
          "argument 0 of kernel k is a by_value of 4 bytes, not 'i8' of 2" },
        { HEAD "i8 1 2 3\nf64 1 2 -2\n",
          "argument 1 of kernel k is a by_value of 16 bytes, not 'f64' of 24" },
    };
    static const u8 bytes[32] = { 1, 2, 3, 0, [18] = 0x80, 0x3f, [23] = 0x40, [27] = 0xc0 };
    struct kernel_meta m = kernel_of(args, COUNT_OF(args), 32, 16);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct built b;
        build(&b, &m, rows[i].text);
        is_str(rows[i].want ? rows[i].want : "", b.e.text, "vectors of three %zu", i);
        ok((b.st == ST_OK) == !rows[i].want && (b.st || !memcmp(b.ka.bytes, bytes, sizeof bytes)),
           "the values, and zeros");
        built_close(&b);
    }
}

static void test_kernarg_errors(void)
{
    static const struct {
        const char *text;
        int line;
        const char *want;
    } rows[] = {
        { HEAD, 0, "kernel k takes 6 arguments, 0 are given" },
        { HEAD ALL_ARGS "u8 1\n", 0, "kernel k takes 6 arguments, 7 are given" },
        { HEAD "i32 1\ni8 -2\nlocal 40\nlocal 1000\ntmp 5000\nstruct b.bin\n", 4,
          "argument 0 of kernel k is a global_buffer of 8 bytes, not 'i32' of 4" },
        { HEAD "buf a.bin\ni16 -2\nlocal 40\nlocal 1000\ntmp 5000\nstruct b.bin\n", 5,
          "argument 1 of kernel k is a by_value of 1 bytes, not 'i16' of 2" },
        { HEAD "buf a.bin\ni8 -2\ntmp 40\nlocal 1000\ntmp 5000\nstruct b.bin\n", 6,
          "argument 2 of kernel k is a dynamic_shared_pointer of 4 bytes, not 'tmp' of 8" },
        { HEAD "buf a.bin\ni8 -2\nlocal 40\nlocal 1000\ntmp 5000\nstruct a.bin\n", 9,
          "argument 5 of kernel k is a by_value of 8 bytes, not 'struct' of 16" },
        { "kernel k\ngrid 1 1 1\nworkgroup 32 33 1\n" ALL_ARGS, 0,
          "work-group of 1056 work-items: kernel k allows 1024" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct kernel_meta m = all_kinds();
        struct built b;
        build(&b, &m, rows[i].text);
        if (!ok(b.st == ST_INPUT && b.e.line == rows[i].line && strcmp(b.e.text, rows[i].want) == 0,
                "%s", rows[i].want))
            diag("got  line %d: %s", b.e.line, b.e.text);
        built_close(&b);
    }
    struct kernel_meta m = all_kinds();
    struct built b;
    m.reqd_workgroup[0] = 256;
    m.reqd_workgroup[1] = m.reqd_workgroup[2] = 1;
    build(&b, &m, HEAD ALL_ARGS);
    is_str("work-group 64 1 1: kernel k requires 256 1 1", b.e.text, "a required work-group size");
    built_close(&b);
}

int main(void)
{
    make_folder("t_launchfile");
    test_errors();
    test_values();
    test_lines();
    test_compare();
    test_diff_text();
    test_large();
    test_kernarg();
    test_pointers();
    test_null();
    test_three();
    test_kernarg_errors();
    remove_folder();
    return done();
}
