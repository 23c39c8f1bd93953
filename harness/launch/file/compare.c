/* What buffers hold after a launch against what they should. */
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

struct launch_diff launch_compare(const struct launch_arg *a)
{
    struct launch_diff d = { 0 };
    if (a->check.rule == CHECK_NONE)
        return d;
    u32 width = a->check.width;
    d.total = launch_file_size(a) / width;
    for (u64 i = 0; i < d.total; i++) {
        u64 want = 0, got = 0;
        memcpy(&want, a->want + i * width, width);
        memcpy(&got, a->bytes + place_of(a, i * width), width);
        if (is_equal(&a->check, want, got))
            continue;
        if (d.wrong++ == 0) {
            d.index = i;
            d.offset = i * width;
            d.want = want;
            d.got = got;
        }
    }
    if (!d.wrong)
        d.total = 0;
    return d;
}

struct launch_diff launch_compare_expect(const struct launch *l, const struct launch_expect *x)
{
    struct launch_arg as = x->as;
    as.bytes = l->args[x->item].bytes;
    return launch_compare(&as);
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
