/* The kernels that `gcncheck bench` measures compute what they should, on one thread and on two. */
#include "harness/bench/bench.h"
#include "harness/t/lib/tap_test.h"

struct seen {
    u32 count, good;
};

static void look(void *ctx, const struct bench_kernel_result *r)
{
    struct seen *s = ctx;
    bool races = strcmp(r->engine, "races") == 0; /* the last of each kernel */
    bool threads = races == (s->count % 3 == 2) && r->threads == (races ? 1 : 1 + s->count % 3);
    s->good += threads && r->waves_per_s > 1000 && r->lanes_per_s > r->waves_per_s &&
               r->lanes_per_s <= r->waves_per_s * LANES;
    s->count++;
}

int main(void)
{
    struct err e = { .text = "" };
    struct seen s = { 0 };
    enum status st = bench_kernels(2, 1, look, &s, &e);
    plan(2);
    ok(st == ST_OK, "the kernels run, and their results are right%s%s", *e.text ? ": " : "",
       e.text);
    ok(s.count == 6 && s.good == 6, "a figure for each kernel and number of threads");
    return done();
}
