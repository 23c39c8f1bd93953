/* Images and samplers in launch.txt: what is read, how surfaces lie in memory, descriptors and the
 * kernarg segment. Expected bits are worked out by hand from the manual's tables. */
#include "harness/launch/file/kernarg.h"
#include "harness/t/lib/launchtext.h"
#include "harness/t/lib/tap_test.h"

#define NINE_WORDS " a b c d e f g h i"

static void test_errors(void)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        { HEAD "image2d 4 rgba u8 buf\n",
          "expected: image2d W H ORDER TYPE, then buf FILE, out FILE CHECK, inout INIT FILE CHECK "
          "or tmp" },
        { HEAD "image2d 0 1 r u8 buf a.bin\n", "size '0' is not a number from 1 to 16384" },
        { HEAD "image2d 1 16385 r u8 buf a.bin\n", "size '16385' is not a number from 1 to 16384" },
        { HEAD "image1d_array 1 8193 r u8 tmp\n", "size '8193' is not a number from 1 to 8192" },
        { HEAD "image2d +1 1 r u8 buf a.bin\n", "size '+1' is not a number from 1 to 16384" },
        { HEAD "image1d 4x r u8 buf a.bin\n", "size '4x' is not a number from 1 to 16384" },
        { HEAD "image1d 4 gr u8 buf a.bin\n",
          "channel order 'gr' is none of a, r, rg, ra, rgba, bgra, argb, abgr, intensity, "
          "luminance, depth" },
        { HEAD "image1d 4 rg u9 buf a.bin\n",
          "channel type 'u9' is none of snorm8, snorm16, unorm8, unorm16, i8, i16, i32, u8, u16, "
          "u32, f16, f32" },
        { HEAD "image3d 16384 16384 2 rgba f32 tmp\n",
          "an image of 8589934592 bytes: 1073741824 are possible" },
        { HEAD "image1d 4 r u8 local\n", "'local' is none of buf, out, inout, tmp" },
        { HEAD "image1d 4 r u8 buf\n", "expected behind the format: buf FILE" },
        { HEAD "image1d 4 r u8 buf a.bin b.bin\n", "expected behind the format: buf FILE" },
        { HEAD "image1d 4 r u8 out a.bin\n", "expected behind the format: out FILE CHECK" },
        { HEAD "image1d 4 r u8 inout a.bin b.bin\n",
          "expected behind the format: inout INIT FILE CHECK" },
        { HEAD "image1d 16 r u8 out a.bin exact" NINE_WORDS NINE_WORDS NINE_WORDS NINE_WORDS "\n",
          "expected: exact at the end of the line" },
        { HEAD "image2d 3 4 r u8 out a.bin f32nan\n",
          "3 bytes are not a whole number of f32nan elements" },
        { HEAD "image1d 4 r u8 tmp a.bin\n", "expected behind the format: tmp" },
        { HEAD "image1d 16 r u8 out a.bin exactly\n",
          "check 'exactly' is none of exact, f16nan, f32nan, f64nan, f32 REL ABS, f64 REL ABS" },
        { HEAD "image1d 4 r u8 buf a.bin\n", "a.bin has 16 bytes, the image 4" },
        { HEAD "image2d 2 2 r u32 inout a.bin b.bin exact\n", "b.bin has 8 bytes, the image 16" },
        { HEAD "sampler nearest clamp\n", "expected: sampler FILTER ADDRESSING COORDINATES" },
        { HEAD "sampler near clamp normalized\n", "'near' is none of nearest, linear" },
        { HEAD "sampler nearest wrap normalized\n",
          "'wrap' is none of none, clamp, clamp_to_edge, repeat, mirrored" },
        { HEAD "sampler nearest clamp norm\n", "'norm' is none of normalized, unnormalized" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct launch l;
        struct err e;
        enum status st = open_text(&l, rows[i].text, &e);
        if (!ok(st == ST_INPUT && e.line == 4 && strcmp(e.text, rows[i].want) == 0, "%s",
                rows[i].want))
            diag("got  line %d: %s", e.line, e.text);
        if (st == ST_OK)
            launch_close(&l);
    }
}

/* An image of 3 x 2 texels of 2 bytes: rows of 6 bytes, 256 apart in memory. */
static void test_image(void)
{
    struct launch l;
    write_file("c.bin", "abcdefghijkl", 12);
    must_open(&l, HEAD "image2d 3 2 rg u8 inout c.bin c.bin exact\nimage3d 2 1 2 r f32 buf a.bin\n"
                       "image1d_buffer 4 r u32 tmp\nsampler linear repeat normalized");
    is_hex(4, l.arg_count, "images and a sampler");
    struct launch_arg *a = l.args;
    ok(a[0].kind == LARG_INOUT && a[0].size == 512 && memcmp(a[0].bytes, "abcdef\0", 7) == 0 &&
           memcmp(a[0].bytes + 256, "ghijkl\0", 7) == 0,
       "rows lie 256 bytes apart");
    ok(a[1].kind == LARG_BUF && a[1].size == 512 && memcmp(a[1].bytes + 256, "89abcdef", 8) == 0,
       "so do slices");
    ok(a[2].kind == LARG_TMP && a[2].size == 16, "a buffer has no gaps");
    is_hex(0, launch_compare(&a[0], 2).wrong, "an image that is what it should be");
    a[0].bytes[10] = 1; /* a gap */
    is_hex(0, launch_compare(&a[0], 2).wrong, "gaps are not compared");
    a[0].bytes[258] = 'X';
    struct launch_diff d = launch_compare(&a[0], 2);
    ok(d.wrong == 1 && d.total == 12 && d.index == 8 && d.offset == 8 && d.want == 'i' &&
           d.got == 'X',
       "the place of a difference is that in the file");
    launch_close(&l);
    unlink(path_of("c.bin"));
}

/* Every dword of descriptors, by the tables of the manual. */
static void test_descriptors(void)
{
    static const struct {
        const char *line;
        u32 dw[DESCRIPTOR_DW];
    } rows[] = {
        /* at 0x123456789a00: rows of 25 * 4 bytes take 256, which is 64 texels */
        { "image2d 25 10 rgba unorm8 tmp",
          { 0x3456789a, 10 << 20 | 0x12, 24 | 9 << 14, 0xfacu | 9u << 28, 63 << 13, 0, 0, 0, 2, 8,
            25 } },
        { "image1d 300 r f32 tmp",
          { 0x3456789a, 4 << 20 | 7 << 26 | 0x12, 299, 0x204u | 8u << 28, 319 << 13, 0, 0, 0, 15, 1,
            300 } },
        { "image1d_array 8 3 rg i16 tmp",
          { 0x3456789a, 5 << 20 | 5 << 26 | 0x12, 7, 0x22cu | 12u << 28, 63 << 13 | 2, 0, 0, 0, 9,
            3, 8 } },
        { "image2d_array 8 2 3 bgra snorm8 tmp",
          { 0x3456789a, 10 << 20 | 1 << 26 | 0x12, 7 | 1 << 14, 0xf2eu | 13u << 28, 63 << 13 | 2, 0,
            0, 0, 0, 9, 8 } },
        { "image3d 8 2 5 a u16 tmp",
          { 0x3456789a, 2 << 20 | 4 << 26 | 0x12, 7 | 1 << 14, 0x800u | 10u << 28, 127 << 13 | 4, 0,
            0, 0, 12, 0, 8 } },
        { "image1d_buffer 1000 rgba u32 tmp",
          { 0x56789a00, 0x1234 | 16 << 16, 1000, 0xfacu | 4 << 12 | 14 << 15, 0, 0, 0, 0, 13, 8,
            1000 } },
    };
    enum { LINEAR_IMAGES = COUNT_OF(rows) - 1 }; /* the last is a buffer */
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct launch l;
        char text[128];
        u32 dw[DESCRIPTOR_DW];
        snprintf(text, sizeof text, HEAD "%s\n", rows[i].line);
        must_open(&l, text);
        for (u32 old = 0; old < 2; old++) {
            const struct isa_target *target = isa_target_find(old ? "gfx803" : "gfx900");
            launch_image_descriptor(&l.args[0].image, target, 0x123456789a00, dw);
            if (old && i == LINEAR_IMAGES) /* its records are bytes: ERRATA(GCN3-U04) */
                dw[2] /= 16;
            dw[3] ^= old && i < LINEAR_IMAGES ? 8u << 20 : 0; /* the tile mode, which is linear */
            if (old && strstr(rows[i].line, "_array"))        /* the last layer again */
                dw[5] ^= (rows[i].dw[4] & 0x1fff) << 13;
            for (u32 k = 0; k < DESCRIPTOR_DW; k++)
                if (dw[k] != rows[i].dw[k])
                    diag("dword %u: want 0x%08x, got 0x%08x", k, rows[i].dw[k], dw[k]);
            ok(memcmp(dw, rows[i].dw, sizeof dw) == 0, "%s: descriptor of %s", target->mcpu,
               rows[i].line);
        }
        launch_close(&l);
    }
    static const struct {
        const char *line;
        u32 first, third;
    } samplers[] = {
        /* clamp three times from bit 0, compare at 12, unnormalized at 15, no cube wrap at 28 */
        { "sampler nearest none unnormalized", 0x1000b1b6, 0x80000000 },
        { "sampler nearest clamp normalized", 0x100031b6, 0x80000000 },
        { "sampler linear clamp_to_edge unnormalized", 0x1000b092, 0x80500000 },
        { "sampler linear repeat normalized", 0x10003000, 0x80500000 },
        { "sampler nearest mirrored normalized", 0x10003049, 0x80000000 },
    };
    for (size_t i = 0; i < COUNT_OF(samplers); i++) {
        struct launch l;
        char text[128];
        snprintf(text, sizeof text, HEAD "%s\n", samplers[i].line);
        must_open(&l, text);
        const u32 *dw = l.args[0].sampler.dw;
        ok(dw[0] == samplers[i].first && dw[1] == 0x00fff000 && dw[2] == samplers[i].third &&
               dw[3] == 0,
           "%s", samplers[i].line);
        launch_close(&l);
    }
}

/* A pointer to a buffer and two to descriptors, which lie 64 bytes apart. */
static void test_kernarg_images(void)
{
    static struct kernel_arg args[] = {
        { NULL, 0, 8, ARG_GLOBAL_BUFFER, ADDRESS_GLOBAL, 0 },
        { NULL, 8, 8, ARG_IMAGE, ADDRESS_NONE, 0 },
        { NULL, 16, 8, ARG_SAMPLER, ADDRESS_NONE, 0 },
        { NULL, 24, 8, ARG_HIDDEN_GLOBAL_OFFSET_X, ADDRESS_NONE, 0 },
        { NULL, 32, 8, ARG_HIDDEN_GLOBAL_OFFSET_Y, ADDRESS_NONE, 0 },
        { NULL, 40, 8, ARG_HIDDEN_GLOBAL_OFFSET_Z, ADDRESS_NONE, 0 },
    };
    struct kernel_meta m = kernel_of(args, COUNT_OF(args), 48, 8);
    struct codeobj_kernel k = { .meta = &m };
    struct launch l;
    struct kernarg ka;
    struct err e = { .text = "" };
    must_open(&l, HEAD "offset 100 0 7\nbuf a.bin\nimage1d 4 r u32 buf a.bin\n"
                       "sampler linear repeat normalized\n");
    if (!ok(kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e) == ST_OK,
            "images have descriptors %s", e.text))
        return;
    u64 want[6] = { 0x300000000, 0x200180000, 0x200180040, 100, 0, 7 };
    for (u32 i = 0; i < COUNT_OF(want); i++) {
        u64 got;
        memcpy(&got, ka.bytes + i * 8, sizeof got);
        is_hex(want[i], got, "qword %u", i);
    }
    u32 dw[2][DESCRIPTOR_BYTES / 4];
    is_hex(2, ka.descriptor_count, "two descriptors");
    memcpy(dw, ka.descriptors, sizeof dw);
    ok(dw[0][0] == (u32)(ka.addresses[1] >> 8) && dw[0][2] == 3 && dw[1][0] == 0x10003000,
       "of the image and of the sampler");
    kernarg_close(&ka);
    launch_close(&l);
    must_open(&l, HEAD "image1d 4 r u32 buf a.bin\nimage1d 4 r u32 buf a.bin\nu64 1\n");
    ok(kernarg_build(&k, &l, isa_target_find("gfx900"), &ka, &e) == ST_INPUT &&
           strcmp(e.text, "argument 0 of kernel k is a global_buffer of 8 bytes, not 'image1d' of "
                          "8") == 0,
       "an image is no buffer");
    launch_close(&l);
}

int main(void)
{
    make_folder("t_launchimage");
    test_errors();
    test_image();
    test_descriptors();
    test_kernarg_images();
    remove_folder();
    return done();
}
