/* The kernels that `gcncheck bench` measures compute what they should, on one thread and on two. */
#include "harness/bench/bench.h"
#include "harness/t/lib/tap_test.h"

struct seen {
    u32 count, good;
};

static void look(void *ctx, const struct bench_kernel_result *r)
{
    struct seen *s = ctx;
    static const struct {
        const char *engine;
        u32 threads;
    } each[] = { { "host", 1 }, { "host", 2 }, { "races", 1 }, { "weak", 1 }, { "memory", 1 } };
    u32 which = s->count % COUNT_OF(each);
    bool threads = strcmp(r->engine, each[which].engine) == 0 && r->threads == each[which].threads;
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
    ok(s.count == 10 && s.good == 10,
       "a figure for each kernel and number of threads, and each check");
    return done();
}
