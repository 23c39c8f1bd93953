/* Findings: written and read back, shrunk to the stated length, and files that are no findings. */
#include "harness/finding/finding.h"
#include "harness/t/lib/fake.h"
#include "harness/t/lib/files.h"
#include "harness/t/lib/short_memory.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/op.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { V = GCNCHECK_V0, TEXT_BYTES = 1 << 20 };

/* s_add_u32 s0, s1, s2 · v_xor_b32 v1, v2, v3 · v_add_u32 v4, v1, v5 · v_mul_lo_u32 v7, v4, v2
 * s_endpgm */
static const u32 program[] = { 0x80000201, 0x2a020702, 0x68080b01,
                               0xd2850007, 0x00020504, 0xbf810000 };

static struct gcncheck_job *start(struct jobbuf *jb)
{
    static const u16 vgprs[] = { 1, 2, 3, 4, 5, 7 };
    jobbuf_reset(jb, "gfx900");
    job_code(jb, program, COUNT_OF(program), PC_DEFAULT);
    job_set_defaults(jb, 0);
    *job_set(jb, 0, 1) = 0x1234;
    *job_set(jb, 0, 2) = 0x5678;
    for (u32 i = 0; i < COUNT_OF(vgprs); i++)
        for (u32 lane = 0; lane < LANES; lane++)
            job_set(jb, 0, V + vgprs[i])[lane] = vgprs[i] * 0x1010101u + lane;
    return job_ready(jb);
}

struct catch
{
    struct finding *f;
    u32 count;
};

static void catch_cause(void *arg, const struct cause *cause)
{
    struct catch *c = arg;
    struct err e = { .text = "" };
    if (c->count++)
        return;
    c->f->tier = (u8)cause->tier;
    c->f->insn = cause->insn;
    c->f->step = cause->step;
    c->f->marker = cause->marker;
    c->f->j = cause->j;
    if (stream_job_read(cause->start, c->f->minimal, &e) != ST_OK)
        bail("%s", e.text);
}

/* Runs the program against a planted bug; what is found is not shrunk yet. */
static struct finding *catch_bug(struct fake *f, struct compare **c)
{
    struct err e = { .text = "" };
    struct jobbuf *jb = jobbuf_new();
    struct compare_cfg cfg = { .mcpu = "gfx900", .engine = "ref" };
    struct catch caught = { 0 };
    struct explained ex;
    struct explain_cfg xc = { .fn = catch_cause, .arg = &caught };
    if (finding_new(&caught.f, &e) != ST_OK || compare_open(c, &cfg, &f->dut, &e) != ST_OK ||
        compare_explain(*c, start(jb), &xc, &ex, &e) != ST_OK)
        bail("%s", e.text);
    is_u64(1, caught.count, "one cause");
    if (stream_job_read(start(jb), caught.f->original, &e) != ST_OK)
        bail("%s", e.text);
    strcpy(caught.f->mcpu, "gfx900");
    if (finding_set_dut(caught.f, "plugin:its folder/fake.so", &e) != ST_OK)
        bail("%s", e.text);
    caught.f->seed = 7;
    caught.f->number = 11;
    snprintf(caught.f->id, sizeof caught.f->id, "%s-found", isa_rows[caught.f->insn.op].name);
    jobbuf_free(jb);
    return caught.f;
}

static struct finding *find(struct fake *f, struct compare **c)
{
    struct err e = { .text = "" };
    struct finding *fi = catch_bug(f, c);
    bool complete = false;
    if (finding_shrink(*c, fi, 0, &complete, &e) != ST_OK)
        bail("%s", e.text);
    ok(fi->repeats, "it differs again");
    ok(complete, "nothing smaller is left to try");
    return fi;
}

static void wrong_lane(struct fake *f, struct wave *w, const struct insn *in)
{
    (void)f;
    if (in->op == OP_v_xor_b32 && wave_exec(w) >> 17 & 1)
        w->vgpr[insn_get(in, FLD_vdst)][17] ^= 4;
}

/* v_add_u32 behind v_xor_b32, whatever stands between them, is one too high. */
static bool has_xor;
static void pair(struct fake *f, struct wave *w, const struct insn *in)
{
    if (!f->before)
        has_xor = false;
    if (in->op == OP_v_xor_b32)
        has_xor = true;
    if (in->op == OP_v_add_u32 && has_xor && wave_exec(w) & 1)
        w->vgpr[insn_get(in, FLD_vdst)][0]++;
}

static u32 lanes_on(const struct stream *s)
{
    u32 n = 0;
    for (u32 i = 0; i < s->set_count; i++)
        if (s->set[i].place == GCNCHECK_EXEC_LO || s->set[i].place == GCNCHECK_EXEC_HI)
            n += popcount32(s->values[s->set[i].at]);
    return n;
}

static void test_step(void)
{
    struct fake f;
    struct compare *c;
    fake_open(&f, wrong_lane);
    struct finding *fi = find(&f, &c);
    is_u64(TIER_STEP, fi->tier, "step: one instruction is accused");
    is_str("v_xor_b32", isa_rows[fi->insn.op].name, "step: the right one");
    is_u64(1, fi->insns, "step: shrunk to one instruction");
    is_u64(1, lanes_on(fi->minimal), "step: shrunk to one lane");
    finding_free(fi);
    compare_close(c);
    f.dut.ops->close(&f.dut);
}

/* Every instruction of the program, each with what it reads: two sources and EXEC. */
static void test_interaction_report(const struct finding *fi)
{
    static char text[TEXT_BYTES];
    static struct isa isa;
    struct text t;
    struct err e;
    if (isa_open(&isa, "gfx900", &e) != ST_OK)
        bail("%s", e.text);
    text_init(&t, text, sizeof text);
    if (finding_report(&isa, fi, "folder", &t, &e) != ST_OK)
        bail("%s", e.text);
    const char *inputs = strstr(text, "  inputs:\n");
    const char *first = inputs ? strstr(inputs, "    v_xor_b32_e32 ") : NULL;
    const char *second = first ? strstr(first, "    v_add_u32_e32 ") : NULL;
    ok(strstr(text, "  program:\n    v_xor_b32_e32 ") && second,
       "interaction: the report has the inputs of both");
    ok(second && strstr(second, "exec_lo=0x") && strstr(second, "(vector registers: lane 0)"),
       "interaction: which the model had before each");
    struct result r;
    if (finding_result(&isa, fi, &r, &e) != ST_OK)
        bail("%s", e.text);
    ok(strstr(r.inputs, "v_xor_b32_e32 ") && strstr(r.inputs, "; v_add_u32_e32 "),
       "interaction: the result has them, too (%s)", r.inputs);
}

static void test_interaction(void)
{
    struct fake f;
    struct compare *c;
    fake_open(&f, pair);
    struct finding *fi = find(&f, &c);
    is_u64(TIER_PREFIX, fi->tier, "interaction: no instruction is accused alone");
    is_u64(2, fi->insns, "interaction: shrunk to two instructions");
    test_interaction_report(fi);
    finding_free(fi);
    compare_close(c);
    f.dut.ops->close(&f.dut);
}

/* ---- files ---- */

static char dir[TEMP_NAME_BYTES];

static void in_dir(const char *id, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s/%s", dir, id, name);
}

static char *slurp(const char *path)
{
    char *text = calloc(1, TEXT_BYTES);
    FILE *in = fopen(path, "r");
    if (!text || !in || fread(text, 1, TEXT_BYTES - 1, in) == 0)
        bail("cannot read %s", path);
    fclose(in);
    return text;
}

static void is_same_stream(const struct stream *a, const struct stream *b, const char *what)
{
    is_hex(stream_hash(a), stream_hash(b), "%s: the same program and state", what);
    is_u64(a->max_steps, b->max_steps, "%s: the same limit", what);
}

static struct finding *written(struct isa *isa)
{
    struct fake f;
    struct compare *c;
    struct err e = { .text = "" };
    fake_open(&f, wrong_lane);
    struct finding *fi = find(&f, &c);
    if (isa_open(isa, "gfx900", &e) != ST_OK ||
        finding_write(isa, fi, dir, false, NULL, &e) != ST_OK)
        bail("%s", e.text);
    compare_close(c);
    f.dut.ops->close(&f.dut);
    return fi;
}

static void test_files(const struct isa *isa, const struct finding *fi)
{
    static const char *const names[] = { "finding.json", "report.txt", "program.s",
                                         "candidate.case" };
    struct finding *back = NULL;
    struct err e = { .text = "" };
    char path[256];
    for (u32 i = 0; i < COUNT_OF(names); i++) {
        in_dir(fi->id, names[i], path, sizeof path);
        ok(access(path, R_OK) == 0, "%s is written", names[i]);
    }
    snprintf(path, sizeof path, "%s/%s", dir, fi->id);
    is_u64(ST_OK, finding_read(path, &back, &e), "it can be read back: %s", e.text);
    if (!back)
        return;
    is_str(fi->id, back->id, "read back: the name");
    is_u64(fi->seed, back->seed, "read back: the seed");
    is_str(fi->dut, back->dut, "read back: the device as it was given");
    is_str(fi->dut_absolute, back->dut_absolute, "read back: the device for other folders");
    is_u64(fi->j.what, back->j.what, "read back: what differs");
    is_u64(fi->insns, back->insns, "read back: the length");
    is_mem(&fi->insn, &back->insn, sizeof fi->insn, "read back: the instruction");
    is_same_stream(fi->minimal, back->minimal, "minimal");
    is_same_stream(fi->original, back->original, "original");
    is_u64(ST_OK, finding_write(isa, back, dir, false, NULL, &e), "it can be written over: %s",
           e.text);
    finding_free(back);
}

/* Where memory is short, jansson leaves out letters of long texts, and goes on. */
static void test_short_read(const struct finding *fi)
{
    char path[256];
    u32 told = 0, silent = 0;
    snprintf(path, sizeof path, "%s/%s", dir, fi->id);
    for (u64 n = 1, failed = 1; failed; n += n < 100 ? 1 : 37) {
        struct finding *back = NULL;
        struct err e = { .text = "" };
        fail_memory(n);
        enum status st = finding_read(path, &back, &e);
        failed = memory_failed();
        told += failed && st == ST_WORLD && err_is_memory(&e);
        silent += failed ? st != ST_WORLD : st != ST_OK;
        finding_free(back);
    }
    ok(told > 100, "%u failed allocations of a reader are told", told);
    is_u64(0, silent, "and nothing is read that lacks a letter");
}

/* The name is another's where processor or device are others; a lack of memory is told, and the name
 * never taken for a free one. */
static void test_taken(struct finding *fi)
{
    struct err e = { .text = "" };
    bool is_taken = true;
    char id[FINDING_ID_MAX];
    memcpy(id, fi->id, sizeof id);
    is_u64(ST_OK, finding_is_taken(fi, dir, &is_taken, &e), "its own name can be asked for");
    ok(!is_taken, "and is not another's");
    snprintf(fi->id, sizeof fi->id, "none-such");
    ok(finding_is_taken(fi, dir, &is_taken, &e) == ST_OK && !is_taken, "nor is a free one");
    memcpy(fi->id, id, sizeof id);
    memcpy(fi->mcpu, "gfx906", sizeof "gfx906");
    is_u64(ST_OK, finding_is_taken(fi, dir, &is_taken, &e),
           "on another processor it can be asked for, too");
    ok(is_taken, "and is another's");
    u32 told = 0, silent = 0;
    for (u64 n = 1, failed = 1; failed; n++) {
        fail_memory(n);
        enum status st = finding_is_taken(fi, dir, &is_taken, &e);
        failed = memory_failed();
        told += failed && st == ST_WORLD && err_is_memory(&e);
        silent += failed ? st != ST_WORLD : st != ST_OK || !is_taken;
    }
    ok(told > 10, "%u failed allocations are told", told);
    is_u64(0, silent, "and none is taken for a free name");
    memcpy(fi->mcpu, "gfx900", sizeof "gfx900");
}

/* Whether what is said of the minimal program is so when it is run once more. */
static bool is_true(struct compare *c, const struct finding *f)
{
    struct err e = { .text = "" };
    struct jobbuf *jb = jobbuf_new();
    struct subject s = finding_subject(f, jb);
    if (compare_run(c, &s, 1, &e) != ST_OK)
        bail("%s", e.text);
    bool same = f->repeats && s.j.verdict == f->j.verdict && s.j.diff_total == f->j.diff_total &&
                s.j.diff_count == f->j.diff_count && s.j.lanes == f->j.lanes;
    for (u32 i = 0; same && i < s.j.diff_count; i++)
        same = s.j.diff[i].place == f->j.diff[i].place && s.j.diff[i].want == f->j.diff[i].want &&
               s.j.diff[i].got == f->j.diff[i].got;
    jobbuf_free(jb);
    return same;
}

/* Each allocation fails once while a finding is shrunk: that is told, and the finding is true, as far
 * as it got. */
static void test_short_of_memory(void)
{
    struct fake f;
    struct compare *c;
    struct err e = { .text = "" };
    u32 told = 0, silent = 0, untrue = 0;
    fake_open(&f, wrong_lane);
    struct finding *raw = catch_bug(&f, &c), *fi;
    if (finding_new(&fi, &e) != ST_OK)
        bail("%s", e.text);
    for (u64 n = 1, failed = 1; failed; n++) {
        struct stream *minimal = fi->minimal, *original = fi->original;
        *fi = *raw;
        fi->minimal = minimal;
        fi->original = original;
        *fi->minimal = *raw->minimal;
        fail_memory(n);
        enum status st = finding_shrink(c, fi, 0, NULL, &e);
        failed = memory_failed();
        told += failed && st == ST_WORLD && err_is_memory(&e);
        silent += failed ? st != ST_WORLD : st != ST_OK;
        untrue += !is_true(c, fi);
    }
    ok(told > 3, "%u failed allocations while a finding is shrunk are told", told);
    is_u64(0, silent, "none is kept quiet");
    is_u64(0, untrue, "and what the finding says is so");
    finding_free(fi);
    finding_free(raw);
    compare_close(c);
    f.dut.ops->close(&f.dut);
}

static void test_report(const struct finding *fi)
{
    char path[256];
    in_dir(fi->id, "report.txt", path, sizeof path);
    char *text = slurp(path);
    ok(strstr(text, "v_xor_b32_e32") != NULL, "report: the instruction");
    ok(strstr(text, "lane 17") != NULL, "report: the lane");
    ok(strstr(text, "gcncheck replay") != NULL, "report: how to see it again");
    ok(!strstr(text, " --dut "), "report: without the device, which finding.json names");
    free(text);
    in_dir(fi->id, "candidate.case", path, sizeof path);
    text = slurp(path);
    ok(strncmp(text, "case-format 1\n", 14) == 0, "candidate: a case file");
    ok(strstr(text, " = ?\n") != NULL, "candidate: expected values are left open");
    ok(strstr(text, "\ncase ") == NULL, "candidate: the test is one case");
    /* Lane 17 shrinks to any inputs; the planted bug is bit 2 of the result. */
    const struct diff *d = &fi->j.diff[0];
    char seen[128];
    snprintf(seen, sizeof seen, "lane17: the model gives 0x%08x, the device gave 0x%08x\n", d->want,
             d->want ^ 4);
    ok(strstr(text, seen) != NULL, "candidate: what was seen, in a comment");
    free(text);
}

/* What is relative is kept as it stands from this folder. */
static void test_specs(struct finding *fi)
{
    static const struct {
        const char *spec, *before, *after;
    } specs[] = {
        { "model:engine=host", NULL, "model:engine=host" },
        { "plugin:/x/my.so", NULL, "plugin:/x/my.so" },
        { "plugin:./my.so", "plugin:", "/my.so" },
        { "plugin:../a b.so", "plugin:", "/../a b.so" },
        { "pipe:python3 x.py", "pipe:cd ", " && python3 x.py" },
    };
    char cwd[1024], want[2048], long_spec[400];
    struct err e = { .text = "" };
    if (!getcwd(cwd, sizeof cwd))
        bail("no current folder");
    for (u32 i = 0; i < COUNT_OF(specs); i++) {
        snprintf(want, sizeof want, "%s%s%s", specs[i].before ? specs[i].before : "",
                 specs[i].before ? cwd : "", specs[i].after);
        is_u64(ST_OK, finding_set_dut(fi, specs[i].spec, &e), "%s: taken", specs[i].spec);
        is_str(specs[i].spec, fi->dut, "%s: as it was given", specs[i].spec);
        is_str(want, fi->dut_absolute, "%s: from any folder", specs[i].spec);
    }
    memset(long_spec, 'x', sizeof long_spec);
    long_spec[sizeof long_spec - 1] = '\0';
    is_u64(ST_INPUT, finding_set_dut(fi, long_spec, &e), "a spec that is too long is refused");
}

/* Every edit makes the file bad in one place, which the message must name. */
static void test_bad(const struct finding *fi)
{
    static const struct {
        const char *from, *to, *names;
    } edits[] = {
        { "gcncheck-finding 1", "gcncheck-finding 9", "format" },
        { "\"mcpu\": \"gfx900\"", "\"mcpu\": \"gfx9999\"", "gfx9999" },
        { "\"tier\": \"step\"", "\"tier\": \"stop\"", "tier" },
        { "\"tier\": \"step\"", "\"tier\": \"end\"", "instruction" },
        { "\"waves\": 1", "\"waves\": 99", "waves" },
        { "\"waves\": 1", "\"waves\": 0", "waves" },
        { "\"place\": 126", "\"place\": 99999", "set" },
        { "\"place\": 126", "\"place\": 125", "set" },
        { "\"marker\": 0", "\"marker\": -1", "marker" },
        { "\"lds_size\": 0", "\"lds_size\": 70000", "lds_size" },
        { "\"id\": \"v", "\"id\": \"../v", "id" },
        { "\"pc\": \"0x10000\"", "\"pc\": \"zebra\"", "pc" },
        { "\"bf810000\"", "\"bf81000g\"", "code" },
        { "\"seed\"", "\"sead\"", "seed" },
        { "\"minimal\"", "\"mini\"", "minimal" },
        { "{", "[", "" },
    };
    char path[256], bad[256];
    in_dir(fi->id, "finding.json", path, sizeof path);
    snprintf(bad, sizeof bad, "%s/bad.json", dir);
    char *text = slurp(path);
    /* The first format: it has no checksum, which would find every edit. */
    *(strstr(text, "gcncheck-finding 2") + strlen("gcncheck-finding ")) = '1';
    strcpy(strstr(text, ",\n \"checksum\""), "\n}");
    for (u32 i = 0; i < COUNT_OF(edits); i++) {
        struct finding *f = NULL;
        struct err e = { .text = "" };
        char *at = strstr(text, edits[i].from);
        FILE *out = fopen(bad, "w");
        if (!at || !out)
            bail("cannot make a bad file from '%s'", edits[i].from);
        fprintf(out, "%.*s%s%s", (int)(at - text), text, edits[i].to, at + strlen(edits[i].from));
        fclose(out);
        is_u64(ST_INPUT, finding_read(bad, &f, &e), "bad %s: refused", edits[i].to);
        ok(strstr(e.text, edits[i].names) != NULL, "bad %s: named (%s)", edits[i].to, e.text);
        finding_free(f);
    }
    free(text);
    unlink(bad);
}

static void clean(const char *id)
{
    static const char *const names[] = { "finding.json", "report.txt", "program.s",
                                         "candidate.case", "" };
    char path[256];
    for (u32 i = 0; i < COUNT_OF(names); i++) {
        in_dir(id, names[i], path, sizeof path);
        if (names[i][0])
            unlink(path);
        else
            rmdir(path);
    }
    rmdir(dir);
}

int main(void)
{
    struct isa *isa = malloc(sizeof *isa);
    struct err e = { .text = "" };
    struct finding *none = NULL;
    if (!mkdtemp(temp_name(dir, "t_finding")))
        bail("no temporary folder");
    test_step();
    test_interaction();
    test_short_of_memory();
    struct finding *fi = written(isa);
    test_files(isa, fi);
    test_short_read(fi);
    test_taken(fi);
    test_report(fi);
    test_bad(fi);
    is_u64(ST_INPUT, finding_read("/nowhere/at/all", &none, &e), "a folder that is not there");
    clean(fi->id);
    test_specs(fi);
    finding_free(fi);
    free(isa);
    return done();
}
