/* What buffers hold after a launch against what they should. */
#include "harness/io/spread.h"
#include "harness/launch/file/file.h"

#include <inttypes.h>
#include <math.h>

static bool is_nan_bits(u64 v, u32 width)
{
    switch (width) {
    case 2: return (v & 0x7fff) > 0x7c00;
    case 4: return (v & 0x7fffffff) > 0x7f800000;
    default: return (v & INT64_MAX) > 0x7ff0000000000000;
    }
}

static double bits_to_double(u64 v, u32 width)
{
    if (width == 4) {
        float f;
        u32 b = (u32)v;
        memcpy(&f, &b, sizeof f);
        return (double)f;
    }
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}

static bool is_equal(const struct launch_check *c, u64 want, u64 got)
{
    if (want == got)
        return true;
    if (c->rule == CHECK_EXACT)
        return false;
    bool want_nan = is_nan_bits(want, c->width), got_nan = is_nan_bits(got, c->width);
    if (want_nan || got_nan || c->rule == CHECK_NAN)
        return want_nan && got_nan;
    double w = bits_to_double(want, c->width), g = bits_to_double(got, c->width);
    /* An infinity would make every tolerance infinite. */
    return isfinite(w) && isfinite(g) && fabs(g - w) <= c->abs + c->rel * fabs(w);
}

/* Where in memory a byte of the file lies. */
static u64 place_of(const struct launch_arg *a, u64 offset)
{
    const struct launch_image *g = &a->image;
    return g->kind ? offset / g->row * g->pitch + offset % g->row : offset;
}

enum { PARTS = 64, PART_MIN = 1 << 16 /* bytes */ };

/* A comparison in parts, of which each says what it found. */
struct parts {
    const struct launch_arg *a;
    u64 size, each;
    struct launch_diff found[PARTS];
};

/* Whether the bytes are alike, which every rule takes for equal. */
static bool are_identical(const struct launch_arg *a, u64 first, u64 end)
{
    return !a->image.kind && memcmp(a->want + first, a->bytes + first, end - first) == 0;
}

/* Compares elements one by one where pieces of their part are not identical. */
static void compare_part(void *ctx, u64 part)
{
    struct parts *p = ctx;
    const struct launch_arg *a = p->a;
    u64 first = part * p->each, end = p->size - first < p->each ? p->size : first + p->each;
    u32 width = a->check.width;
    struct launch_diff d = { 0 };
    for (u64 at = first; at < end; at += width) {
        u64 want = 0, got = 0, piece = end - at < PART_MIN ? end : at + PART_MIN;
        if ((at - first) % PART_MIN == 0 && are_identical(a, at, piece)) {
            at = piece - width;
            continue;
        }
        memcpy(&want, a->want + at, width);
        memcpy(&got, a->bytes + place_of(a, at), width);
        if (!is_equal(&a->check, want, got) && d.wrong++ == 0) {
            d.index = at / width;
            d.offset = at;
            d.want = want;
            d.got = got;
        }
    }
    p->found[part] = d;
}

struct launch_diff launch_compare(const struct launch_arg *a, u32 threads)
{
    struct launch_diff d = { 0 };
    struct parts p = { .a = a };
    if (a->check.rule == CHECK_NONE)
        return d;
    u32 width = a->check.width;
    p.size = launch_file_size(a) / width * width;
    p.each = (p.size / PARTS / PART_MIN + 1) * PART_MIN; /* whole elements */
    u64 count = (p.size + p.each - 1) / p.each;
    spread_run(threads, count, compare_part, &p);
    for (u64 i = 0; i < count; i++) {
        u64 wrong = d.wrong + p.found[i].wrong;
        if (!d.wrong)
            d = p.found[i];
        d.wrong = wrong;
    }
    d.total = d.wrong ? p.size / width : 0;
    return d;
}

struct launch_diff launch_compare_expect(const struct launch *l, const struct launch_expect *x,
                                         u32 threads)
{
    struct launch_arg as = x->as;
    as.bytes = l->args[x->item].bytes;
    return launch_compare(&as, threads);
}

static void print_value(struct text *t, const struct launch_check *c, u64 v)
{
    text_add(t, "0x%0*" PRIx64, (int)c->width * 2, v);
    if (c->rule != CHECK_EXACT && c->width >= 4)
        text_add(t, " (%.*g)", c->width == 4 ? 9 : 17, bits_to_double(v, c->width));
}

void launch_diff_print(struct text *t, const struct launch_arg *a, const struct launch_diff *d)
{
    text_add(t, "element %" PRIu64 " (byte %" PRIu64 "): want ", d->index, d->offset);
    print_value(t, &a->check, d->want);
    text_add(t, ", got ");
    print_value(t, &a->check, d->got);
    text_add(t, "; %" PRIu64 " of %" PRIu64 " elements wrong", d->wrong, d->total);
}
