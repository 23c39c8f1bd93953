/* The kernels that `gcncheck bench` measures compute what they should, on one thread and on two; its
 * instructions are those that a processor has, as it spells them. */
#include "harness/bench/bench.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/insn/insn.h"

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

struct instructions {
    const struct isa *isa;
    u32 count, bad;
    const char *carry_text;
    bool has_carry;
};

static void look_at_text(void *ctx, const struct bench_result *r)
{
    struct instructions *s = ctx;
    struct insn in;
    s->count++;
    s->bad += insn_parse(s->isa, r->text, &in, NULL) != ST_OK;
    s->has_carry |= strcmp(r->text, s->carry_text) == 0;
}

/* Before gfx9 every addition in vector registers has a carry, and there is no global memory. */
static void test_instructions(const char *mcpu, u32 lines, const char *carry_text)
{
    static struct isa isa;
    struct err e = { .text = "" };
    struct instructions s = { .isa = &isa, .carry_text = carry_text };
    enum status st = isa_open(&isa, mcpu, &e);
    if (st == ST_OK)
        st = bench_run(&isa, 0, look_at_text, &s, &e);
    ok(st == ST_OK, "%s: its instructions run%s%s", mcpu, *e.text ? ": " : "", e.text);
    is_u64(lines, s.count, "%s: all of the table that it has, twice", mcpu);
    is_u64(0, s.bad, "%s: it has what is named", mcpu);
    ok(s.has_carry, "%s: %s", mcpu, carry_text);
}

int main(void)
{
    struct err e = { .text = "" };
    struct seen s = { 0 };
    enum status st = bench_kernels(2, 1, look, &s, &e);
    plan(18);
    ok(st == ST_OK, "the kernels run, and their results are right%s%s", *e.text ? ": " : "",
       e.text);
    ok(s.count == 10 && s.good == 10,
       "a figure for each kernel and number of threads, and each check");
    test_instructions("gfx600", 24, "v_add_i32_e32 v0, vcc, v1, v2");
    test_instructions("gfx701", 24, "v_add_i32_e32 v0, vcc, v1, v2");
    test_instructions("gfx803", 24, "v_add_u32_e32 v0, vcc, v1, v2");
    test_instructions("gfx900", 28, "v_add_co_u32_e32 v0, vcc, v1, v2");
    return done();
}
