/* The TAP writer and the self-test API against the text they must print. A scenario of the
 * self-test API runs in a child of its own, since it may fail or exit. */
#include "harness/t/lib/files.h"
#include "harness/t/lib/tap_test.h"
#include "reports/tap.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_MAX = 16384 };

static void fill(struct result *r)
{
    result_init(r);
    RESULT_SET(r->id, "gfx900/vop2/v_add_co_u32/e64#sum");
    RESULT_SET(r->title, "sum and carry, row 4");
    RESULT_SET(r->file, "cases/vop2/v_add_co_u32.case");
    r->line = 11;
    RESULT_SET(r->encoding, "VOP2");
    RESULT_SET(r->mnemonic, "v_add_co_u32");
    RESULT_SET(r->form, "e64");
    RESULT_SET(r->mcpu, "gfx900");
    RESULT_SET(r->dut, "drm");
    RESULT_SET(r->against, "expected");
}

static void fill_failure(struct result *r)
{
    fill(r);
    r->status = RESULT_NOT_OK;
    RESULT_SET(r->insn, "v_add_co_u32_e64 v0, vcc, v1, v2");
    r->dwords[0] = 0xd1196a00;
    r->dwords[1] = 0x00020501;
    r->dword_count = 2;
    RESULT_SET(r->inputs, "v1=0xffffffff v2=0x00000001");
    struct result_diff *d = result_add_diff(r);
    RESULT_SET(d->place, "vcc");
    d->lane = 3;
    RESULT_SET(d->want, "1");
    RESULT_SET(d->got, "0");
    d = result_add_diff(r);
    RESULT_SET(d->place, "s20");
    RESULT_SET(d->want, "unchanged (0xa0140000)");
    RESULT_SET(d->got, "0x00000008");
    RESULT_SET(d->note, "not announced by the row");
    RESULT_SET(r->model, "agrees with expected");
    RESULT_SET(r->again, "gcncheck run cases/vop2/v_add_co_u32.case:11 --form e64");
}

static const char first_line[] =
    "vop2/v_add_co_u32: sum and carry, row 4, e64, gfx900, drm vs expected";

/* What tap_result prints for one result in a document of its own, without its version line. */
static const char *printed(const struct result *r, char *buf, bool *kept)
{
    char *text;
    struct tap t;
    FILE *out = memory_open(&text);
    tap_open(&t, out, 1);
    tap_result(&t, r);
    *kept = tap_close(&t);
    fclose(out);
    const char *head = "TAP version 13\n1..1\n";
    if (strncmp(text, head, strlen(head)) != 0)
        bail("document begins with: %s", text);
    snprintf(buf, TEXT_MAX, "%s", text + strlen(head));
    free(text);
    return buf;
}

static void results(void)
{
    struct result r;
    char got[TEXT_MAX], want[TEXT_MAX];
    bool kept;
    fill(&r);
    snprintf(want, sizeof(want), "ok 1 - %s\n", first_line);
    is_str(want, printed(&r, got, &kept), "a pass is one line");
    ok(kept, "one of one planned");

    fill_failure(&r);
    snprintf(
        want, sizeof(want),
        "not ok 1 - %s\n"
        "  ---\n"
        "  id:    gfx900/vop2/v_add_co_u32/e64#sum\n"
        "  at:    cases/vop2/v_add_co_u32.case:11\n"
        "  insn:  v_add_co_u32_e64 v0, vcc, v1, v2     d1196a00 00020501\n"
        "  in:    v1=0xffffffff v2=0x00000001\n"
        "  diff:\n"
        "    - vcc bit 3  want 1                       got 0\n"
        "    - s20        want unchanged (0xa0140000)  got 0x00000008  not announced by the row\n"
        "  model: agrees with expected\n"
        "  again: gcncheck run cases/vop2/v_add_co_u32.case:11 --form e64\n"
        "  ...\n",
        first_line);
    is_str(want, printed(&r, got, &kept), "a failure");

    r.status = RESULT_SKIP;
    RESULT_SET(r.reason, RESULT_UNIMPLEMENTED);
    RESULT_SET(r.detail, "v_add_co_u32 #1");
    snprintf(want, sizeof(want), "ok 1 - %s # SKIP unimplemented: v_add_co_u32 \\#1\n", first_line);
    is_str(want, printed(&r, got, &kept), "a skip is one line with its reason");

    fill(&r);
    r.status = RESULT_TODO;
    RESULT_SET(r.ledger, "VALU-C10");
    snprintf(want, sizeof(want), "not ok 1 - %s # TODO VALU-C10\n", first_line);
    printed(&r, got, &kept);
    is_mem(want, got, strlen(want), "a difference below the gate is TODO");
}

/* Differences beyond the cap are counted; a vector register has lanes. */
static void many_differences(void)
{
    struct result r;
    char got[TEXT_MAX];
    bool kept;
    fill(&r);
    r.status = RESULT_NOT_OK;
    for (u32 i = 0; i < 64; i++) {
        struct result_diff *d = result_add_diff(&r);
        is_u64(i < RESULT_DIFFS_MAX, d != NULL, "difference %u is %s", i, d ? "kept" : "counted");
        if (d) {
            RESULT_SET(d->place, "v[2:3]");
            d->lane = (i32)i;
            RESULT_SET(d->want, "0x%08x", i);
            RESULT_SET(d->got, "0x00000000");
            RESULT_SET(d->acceptance, "ulp:1");
        }
    }
    printed(&r, got, &kept);
    ok(strstr(got, "    - v[2:3] lane 7  want 0x00000007  got 0x00000000  accepts ulp:1\n"
                   "    - and 56 more\n") != NULL,
       "the eighth difference, then a count");
    ok(strstr(got, "lane 8") == NULL, "no ninth difference");
}

/* Texts that would break YAML or TAP. */
static void hostile_texts(void)
{
    struct result r;
    char got[TEXT_MAX];
    bool kept;
    result_init(&r);
    r.status = RESULT_NOT_OK;
    RESULT_SET(r.title, "# SKIP \\ all");
    result_lines(r.program, sizeof r.program, "loop:\n    s_nop 0\n\n- x: y\n");
    RESULT_SET(r.inputs, "a: b #c");
    RESULT_SET(r.again, "[x] \"q\" \\");
    RESULT_SET(r.model, "...");
    is_str("not ok 1 - \\# SKIP \\\\ all\n"
           "  ---\n"
           "  id:    \"?\"\n"
           "  program:\n"
           "    - \"loop:\"\n"
           "    - s_nop 0\n"
           "    - \"- x\\x3a y\"\n"
           "  in:    \"a\\x3a b #c\"\n"
           "  model: \"...\"\n"
           "  again: \"[x] \\\"q\\\" \\\\\"\n"
           "  ...\n",
           printed(&r, got, &kept), "texts are quoted");

    char text[] = "a\001\xff\xc3\xa9\xc0\xaf\xe2\x82\n\xed\xa0\x80z";
    result_clean(text, true);
    is_str("a??\xc3\xa9????\n???z", text, "what is no UTF-8 and no character becomes ?");
    result_text(text, 5, "%s", "abcdefgh");
    is_str("abcd", text, "texts are cut to fit");
    char obeyed[] = "a\xc2\x9b"
                    "31m\x7f\xc2\xa0z";
    result_clean(obeyed, true);
    is_str("a??31m?\xc2\xa0z", obeyed, "so does what a terminal obeys, in one byte or in two");
    result_text(text, sizeof text, "a\n%s", "b");
    is_str("a?b", text, "a newline stays in texts of several lines only");
    result_lines(text, sizeof text, "a\n\tb");
    is_str("a\n?b", text, "of which a program is one");
}

static void names(void)
{
    struct result r;
    char buf[256];
    fill(&r);
    is_str("v_add_co_u32", result_cause(&r, buf, sizeof(buf)), "a cause without differences");
    fill_failure(&r);
    is_str("v_add_co_u32 vcc", result_cause(&r, buf, sizeof(buf)),
           "a cause names the kind of place");
    RESULT_SET(r.diff[0].place, "v17");
    is_str("v_add_co_u32 v", result_cause(&r, buf, sizeof(buf)), "but not its number");
    RESULT_SET(r.reason, "hang");
    r.diff_count = 0;
    is_str("v_add_co_u32 hang", result_cause(&r, buf, sizeof(buf)), "a cause that is a reason");
    RESULT_SET(r.cause, "denormals flushed");
    is_str("denormals flushed", result_cause(&r, buf, sizeof(buf)), "a cause that was given");
    result_init(&r);
    RESULT_SET(r.id, "gfx900/x");
    is_str("gfx900/x", result_name(&r, buf, sizeof(buf)), "a result with nothing but an id");
}

static void document_plans(void)
{
    char *text;
    struct tap t;
    struct result r;
    result_init(&r);
    RESULT_SET(r.title, "x");
    FILE *out = memory_open(&text);
    tap_open(&t, out, 0);
    tap_comment(&t, "two\nlines");
    tap_result(&t, &r);
    ok(tap_close(&t), "a plan at the end is kept");
    tap_open(&t, out, 3);
    tap_result(&t, &r);
    ok(!tap_close(&t), "a plan of three with one result is not");
    tap_open(&t, out, 0);
    ok(tap_close_empty(&t, "no work"), "an empty document");
    fclose(out);
    is_str("TAP version 13\n# two\n# lines\nok 1 - x\n1..1\nTAP version 13\n1..3\nok 1 - x\n"
           "TAP version 13\n1..0 # SKIP no work\n",
           text, "plan at the end, plan at the start, none");
    free(text);

    out = fopen("/dev/full", "w");
    if (out) {
        tap_open(&t, out, 1);
        tap_result(&t, &r);
        ok(!tap_close(&t), "a full disk is noticed");
        tap_open(&t, out, 0);
        ok(!tap_close_empty(&t, "no work"), "without results too");
        fclose(out);
    } else {
        skip(2, "no /dev/full here");
    }
}

/* Scenarios of the self-test API. */
static int passing(void)
{
    plan(7);
    ok(true, "claim %d", 1);
    is_u64(7, 7, "u64");
    is_i64(-7, -7, "i64");
    is_hex(0xff, 0xff, "hex");
    is_str("a", "a", "str");
    is_mem("abc", "abd", 2, "mem");
    skip(1, "no GPU");
    return done();
}

static int failing(void)
{
    ok(false, "claim # with \\ marks");
    is_u64(1, UINT64_MAX, "u64");
    is_i64(1, -1, "i64");
    is_hex(1, 0x20, "hex");
    is_hex(1, 1ull << 32, "wide hex");
    is_str("a\nb\t\"", NULL, "str");
    is_mem("abc", "axc", 3, "mem");
    diag("two\nlines");
    return done();
}

static int wrong_plan(void)
{
    plan(2);
    ok(true, "one");
    return done();
}

static int nothing(void)
{
    return done();
}

static int bailing(void)
{
    ok(true, "one");
    bail("no %s", "memory");
}

static int all_skipped(void)
{
    skip_all("no %s", "LLVM");
}

static const struct {
    const char *name;
    int (*run)(void);
    int code;
    bool accepted;   /* by prove */
    const char *out; /* T stands for file and line */
} scenarios[] = {
    { "passing", passing, 0, true,
      "TAP version 13\n1..7\nok 1 - claim 1\nok 2 - u64\nok 3 - i64\nok 4 - hex\nok 5 - str\n"
      "ok 6 - mem\nok 7 # SKIP no GPU\n" },
    { "failing", failing, 1, false,
      "TAP version 13\n"
      "#   at:   T\nnot ok 1 - claim \\# with \\\\ marks\n"
      "#   want: 1\n#   got:  18446744073709551615\n#   at:   T\nnot ok 2 - u64\n"
      "#   want: 1\n#   got:  -1\n#   at:   T\nnot ok 3 - i64\n"
      "#   want: 0x00000001\n#   got:  0x00000020\n#   at:   T\nnot ok 4 - hex\n"
      "#   want: 0x0000000000000001\n#   got:  0x0000000100000000\n#   at:   T\nnot ok 5 - wide "
      "hex\n"
      "#   want: \"a\\nb\\x09\\\"\"\n#   got:  NULL\n#   at:   T\nnot ok 6 - str\n"
      "#   want: byte 1 of 3 = 0x62\n#   got:  0x78\n#   at:   T\nnot ok 7 - mem\n"
      "# two\n# lines\n1..7\n" },
    { "wrong_plan", wrong_plan, 1, false,
      "TAP version 13\n1..2\nok 1 - one\n# planned 2 test points but ran 1\n" },
    { "nothing", nothing, 1, false, "TAP version 13\n# no test points at all\n1..0\n" },
    { "bailing", bailing, 255, false, "TAP version 13\nok 1 - one\nBail out!  no memory (T)\n" },
    { "all_skipped", all_skipped, 0, true, "TAP version 13\n1..0 # SKIP no LLVM\n" },
};

/* Replaces this file's name and a line number by T. */
static void hide_lines(char *text)
{
    size_t len = strlen(__FILE__);
    char *to = text;
    for (const char *from = text; *from;) {
        if (strncmp(from, __FILE__ ":", len + 1) == 0) {
            *to++ = 'T';
            from += len + 1;
            from += strspn(from, "0123456789");
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
}

/* Runs a command and takes what it prints; returns its exit code, -1 if it has none. */
static int run_command(const char *command, char *out)
{
    FILE *p = popen(command, "r");
    if (!p)
        bail("cannot run %s", command);
    size_t n = fread(out, 1, TEXT_MAX - 1, p);
    int status = pclose(p);
    out[n] = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void self_test(const char *program)
{
    char command[1024], out[TEXT_MAX];
    bool has_prove = system("prove --version >/dev/null 2>&1") == 0;
    for (u32 i = 0; i < COUNT_OF(scenarios); i++) {
        snprintf(command, sizeof(command), "'%s' %s", program, scenarios[i].name);
        is_i64(scenarios[i].code, run_command(command, out), "%s: exit code", scenarios[i].name);
        hide_lines(out);
        is_str(scenarios[i].out, out, "%s: output", scenarios[i].name);
        if (!has_prove) {
            skip(1, "no prove here");
            continue;
        }
        snprintf(command, sizeof(command), "prove '%s' :: %s 2>&1", program, scenarios[i].name);
        ok((run_command(command, out) == 0) == scenarios[i].accepted, "%s: prove %s it",
           scenarios[i].name, scenarios[i].accepted ? "accepts" : "refuses");
    }
}

int main(int argc, char **argv)
{
    for (u32 i = 0; argc > 1 && i < COUNT_OF(scenarios); i++) {
        if (strcmp(argv[1], scenarios[i].name) == 0)
            return scenarios[i].run();
    }
    results();
    many_differences();
    hostile_texts();
    names();
    document_plans();
    self_test(argv[0]);
    return done();
}
