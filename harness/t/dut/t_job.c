/* Jobs that share what another sets, jobs that memory is short for, and what the name of a DUT says before it is opened. */
#include "harness/check/compare.h"
#include "harness/t/lib/fake.h"
#include "harness/t/lib/tap_test.h"

#ifdef __SANITIZE_ADDRESS__
enum { CAN_FAIL = false }; /* the sanitizer ends the program instead */
#else
enum { CAN_FAIL = true };
#endif

/* No allocator has so much. */
static const u64 too_much = 1ull << 60;

static void nothing(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    (void)w;
    (void)in;
}

/* A job that could not be built is reported by whoever is asked to judge it. */
static void no_start(void)
{
    struct fake fake;
    struct compare *c = NULL;
    struct err e = { .text = "" };
    struct compare_cfg cfg = { .mcpu = "gfx900", .engine = "ref" };
    struct subject s[2] = { { .start = NULL }, { .start = NULL } };
    struct explained ex;
    struct explain_cfg xc = { .steps_only = true };
    fake_open(&fake, nothing);
    if (compare_open(&c, &cfg, &fake.dut, &e) != ST_OK)
        BUG(e.text);
    is_i64(ST_WORLD, compare_run(c, s, 2, &e), "a subject without a job is not run");
    is_str("out of memory for a job", e.text, "and the reason is named");
    is_i64(JUDGED_INVALID, s[0].j.verdict, "it has no verdict");
    is_i64(JUDGED_INVALID, s[1].j.verdict, "nor has the one behind it");
    is_i64(0, (i64)fake.jobs, "the DUT is not asked");
    is_i64(ST_WORLD, compare_explain(c, NULL, &xc, &ex, &e), "nor is it cut into steps");
    compare_close(c);
    dut_close(&fake.dut);
}

/* What the other sets is not copied; what is read back is its own. */
static void shared(void)
{
    static const u32 code[] = { 0xbf810000 };
    static const struct gcncheck_slot slots[] = { { 0, 7, 64 }, { 0, GCNCHECK_V0, 0 } };
    u32 values[65] = { 0 };
    struct jobbuf *jb = jobbuf_new(), *other = jobbuf_new();
    if (!jb || !other)
        BUG("memory");
    values[3] = 33;
    values[64] = 5;
    jobbuf_reset(jb, "gfx900");
    job_code(jb, code, COUNT_OF(code), PC_DEFAULT + 256);
    job_set_all(jb, slots, COUNT_OF(slots), values, COUNT_OF(values));
    is_u64(5, *job_set(jb, 0, 7), "places set at once are found again");
    const struct gcncheck_job *from = job_ready(jb);
    is_u64(33, job_initial(from, 0, GCNCHECK_V0, 3), "lanes have their values");
    ok(!job_has_defaults(from), "EXEC and the others are not among them");
    job_set_defaults(jb, 0);
    from = job_ready(jb);
    ok(job_has_defaults(from), "then they are");
    jobbuf_reset(other, "gfx900");
    job_share(other, from);
    job_get(other, 0, 7);
    const struct gcncheck_job *job = job_ready(other);
    ok(job->values == from->values && job->set_count == from->set_count &&
           job->code == from->code && job->code_dw == 1 && job->pc == PC_DEFAULT + 256,
       "a job shares program and values");
    is_u64(0, from->get_count, "and reads back what it alone asks for");
    jobbuf_reset(other, "gfx900");
    is_u64(0, job_ready(other)->set_count, "the next job is its own");
    jobbuf_free(jb);
    jobbuf_free(other);
}

static void short_of_memory(void)
{
    struct jobbuf *jb = jobbuf_new();
    if (!jb)
        BUG("memory");
    jobbuf_reset(jb, "gfx900");
    job_set_defaults(jb, 0);
    ok(job_ready(jb) != NULL, "a job");
    ok(job_window(jb, 0x1000, too_much, NULL) == NULL, "a window that no memory holds");
    ok(job_ready(jb) == NULL, "makes the job fail");
    u32 *v = job_set(jb, 0, GCNCHECK_V0);
    memset(v, 0xff, LANES * sizeof *v);
    ok(job_lds(jb, 64, NULL) != NULL, "what follows can be written all the same");
    ok(job_ready(jb) == NULL, "and mends nothing");
    jobbuf_reset(jb, "gfx900");
    job_set_defaults(jb, 0);
    const struct gcncheck_job *j = job_ready(jb);
    ok(j && j->window_count == 0, "the next job knows nothing of it");
    jobbuf_free(jb);
}

static void names(void)
{
    static const struct {
        const char *spec;
        bool exact;
    } specs[] = {
        { "model", true },        { "model:engine=host", true }, { "mutant:x", true },
        { "plugin:x.so", false }, { "pipe:model", false },       { "models", false },
    };
    char text[256];
    for (u32 i = 0; i < COUNT_OF(specs); i++) {
        is_i64(specs[i].exact, dut_is_exact(specs[i].spec), "exact or not: %s", specs[i].spec);
    }
    dut_kinds_text(text, sizeof text, " or ");
    ok(strstr(text, "model, model:engine=host") == text && strstr(text, "plugin:FILE.so") &&
           strstr(text, " or "),
       "every kind is named: %s", text);
}

int main(void)
{
    plan(CAN_FAIL ? 26 : 20);
    names();
    shared();
    no_start();
    if (CAN_FAIL)
        short_of_memory();
    return done();
}
