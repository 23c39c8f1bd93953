/* Summaries and what is made from them: counts worked out by hand, and texts from outside that try
 * to become markup. */
#include "harness/t/lib/files.h"
#include "harness/t/lib/tap_test.h"
#include "reports/format.h"
#include "reports/html.h"
#include "reports/jsonl.h"
#include "reports/junit.h"
#include "reports/markup.h"
#include "reports/summary.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

static void fill(struct result *r, enum result_status status, const char *op, u32 n)
{
    result_init(r);
    r->status = status;
    RESULT_SET(r->encoding, "VOP2");
    RESULT_SET(r->mnemonic, "%s", op);
    RESULT_SET(r->id, "gfx900/vop2/%s/e32#row-%u", op, n);
    RESULT_SET(r->title, "row %u", n);
    RESULT_SET(r->form, "e32");
}

static void add_wrong(struct summary *s, const char *op, u32 n, const char *place)
{
    struct result r;
    fill(&r, RESULT_NOT_OK, op, n);
    struct result_diff *d = result_add_diff(&r);
    RESULT_SET(d->place, "%s", place);
    RESULT_SET(d->want, "0x%08x", n);
    RESULT_SET(d->got, "0x00000000");
    if (!summary_add(s, &r))
        bail("no memory");
}

static void add(struct summary *s, enum result_status status, const char *op, u32 n,
                const char *reason, const char *narrowed)
{
    struct result r;
    fill(&r, status, op, n);
    RESULT_SET(r.reason, "%s", reason);
    RESULT_SET(r.narrowed, "%s", narrowed);
    if (!summary_add(s, &r))
        bail("no memory");
}

/* Three right, four wrong of two causes, two unimplemented, two narrowed. `turn` changes the
 * order. */
static struct summary *example(u32 turn)
{
    struct summary *s = summary_new();
    if (!s)
        bail("no memory");
    for (u32 k = 0; k < 11; k++) {
        u32 i = (k + turn) % 11;
        if (i < 3)
            add(s, RESULT_OK, "v_add_u32", i, "", "");
        else if (i < 6)
            add_wrong(s, "v_sub_u32", i, i == 3 ? "v7" : "v[2:3]");
        else if (i == 6)
            add_wrong(s, "v_sub_u32", i, "vcc");
        else if (i < 9)
            add(s, RESULT_SKIP, "v_mul_u32", i, RESULT_UNIMPLEMENTED, "");
        else
            add(s, i == 9 ? RESULT_OK : RESULT_SKIP, "v_add_u32", i, i == 9 ? "" : "cannot-set",
                "MODE fixed");
    }
    return s;
}

static char *page_of(struct summary *s, void (*print)(struct summary *, FILE *))
{
    char *text;
    FILE *out = memory_open(&text);
    print(s, out);
    fclose(out);
    return text;
}

static void print_plain(struct summary *s, FILE *out)
{
    summary_print(s, out, false);
}

static void counts(void)
{
    struct summary *s = example(0);
    char line[256];
    summary_sort(s);
    is_str("right 3, wrong 4 (2 causes), unimplemented 2, narrowed 2 (MODE fixed)",
           summary_line(s, line, sizeof(line)), "the line of the first screen");
    is_u64(11, s->total, "all results are counted");
    is_u64(3, s->ops.count, "three opcodes");
    is_str("VOP2 v_add_u32", s->ops.at[0].key, "in order of their names");
    is_str("v_sub_u32 v", s->causes.at[0].key, "the cause of most is first");
    is_u64(3, s->causes.at[0].total, "with three results");
    is_str("gfx900/vop2/v_sub_u32/e32#row-3", s->causes.at[0].first->id, "the least is shown");
    is_u64(4, s->failures, "four failures are kept");
    is_str("row 6", s->failure[3]->title, "in order");

    add(s, RESULT_SKIP, "v_x", 1, "no-lds", "");
    add(s, RESULT_TODO, "v_x", 2, "", "");
    add(s, RESULT_OK, "v_x", 3, "", "SCC hidden");
    summary_sort(s);
    is_str("right 3, wrong 4 (2 causes), unimplemented 2, narrowed 3 (MODE fixed, SCC hidden), "
           "skipped 1, below the gate 1",
           summary_line(s, line, sizeof(line)), "what else there is is said");
    summary_free(s);

    s = summary_new();
    is_str("right 0, wrong 0, unimplemented 0, narrowed 0", summary_line(s, line, sizeof(line)),
           "a run of nothing");
    summary_free(s);
    summary_free(NULL);
}

/* The order in which results come must not show. */
static void order(void)
{
    void (*const prints[])(struct summary *, FILE *) = { print_plain, html_print };
    for (u32 p = 0; p < COUNT_OF(prints); p++) {
        struct summary *s = example(0);
        char *want = page_of(s, prints[p]);
        summary_free(s);
        u32 differ = 0;
        for (u32 turn = 1; turn < 11; turn++) {
            s = example(turn);
            char *got = page_of(s, prints[p]);
            differ += strcmp(want, got) != 0;
            summary_free(s);
            free(got);
        }
        is_u64(0, differ, "%s page: ten other orders, one text", p ? "HTML" : "text");
        free(want);
    }
}

/* More failures than are kept: the least stay, all are counted. */
static void many(void)
{
    struct summary *s = summary_new();
    u32 wrong = 0;
    for (u32 i = 0; i < 2000; i++)
        add_wrong(s, "v_sub_u32", 10000 + i * 7919 % 2000, "v0");
    is_u64(2000, s->count[TALLY_WRONG], "all are counted");
    is_u64(SUMMARY_FAILURES_MAX, s->failures, "some are kept");
    for (u32 i = 0; i < s->failures; i++) {
        char want[64];
        snprintf(want, sizeof(want), "row %u", 10000 + i);
        wrong += strcmp(want, s->failure[i]->title) != 0;
    }
    is_u64(0, wrong, "the least, in order");
    char *page = page_of(s, html_print);
    ok(strstr(page, "and 1500 more") != NULL, "the page says how many it leaves out");
    free(page);
    summary_free(s);
}

static bool is_void_tag(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "br") == 0 || name[0] == '!' || name[0] == '?';
}

/* Checks that tags nest. Writes what is wrong to `why`. */
static bool nests(const char *doc, char *why, size_t size)
{
    char stack[32][16];
    u32 depth = 0;
    for (const char *c = doc; (c = strchr(c, '<')) != NULL;) {
        char name[16];
        bool closes = c[1] == '/', quoted = false;
        const char *at = c + 1 + closes;
        size_t len = strcspn(at, " >/\n");
        snprintf(name, sizeof(name), "%.*s", (int)len, at);
        for (c = at; *c && (quoted || *c != '>'); c++)
            quoted ^= *c == '"';
        bool empty = c[-1] == '/';
        if (!*c || depth == 32 || (closes && (!depth || strcmp(stack[--depth], name) != 0))) {
            snprintf(why, size, "at %.40s", at);
            return false;
        }
        if (!closes && !empty && !is_void_tag(name))
            memcpy(stack[depth++], name, sizeof(name));
    }
    snprintf(why, size, "%u open", depth);
    return depth == 0;
}

static const char hostile[] = "</td><script>alert(\"x\")</script>&amp;' onload='x' \xff\x01";

/* A result and a row with a hostile text in every place that has room for it. */
static struct summary *hostile_summary(struct result *r)
{
    struct summary *s = summary_new();
    struct journal_row row = { .table = "</h2><script>", .count = 2 };
    struct journal_head head = { .mcpu = "<b>", .dut = "<script>", .args = "<!-- \" ' -->" };
    if (!s)
        bail("no memory");
    result_init(r);
    for (u32 i = 0; i < RESULT_TEXTS; i++)
        snprintf((char *)r + result_texts[i].offset, result_texts[i].size, "%s", hostile);
    struct result_diff *d = result_add_diff(r);
    for (u32 i = 0; i < RESULT_DIFF_TEXTS; i++)
        snprintf((char *)d + result_diff_texts[i].offset, result_diff_texts[i].size, "%s", hostile);
    snprintf(row.cell[0], sizeof(row.cell[0]), "%s", hostile);
    snprintf(row.cell[1], sizeof(row.cell[1]), "%s", hostile);
    summary_add_head(s, &head);
    for (u32 i = 0; i < RESULT_STATUS_COUNT; i++) {
        r->status = i;
        if (!summary_add(s, r) || !summary_add_row(s, &row))
            bail("no memory");
    }
    return s;
}

static void escapes(void)
{
    struct result r;
    char why[128];
    struct summary *s = hostile_summary(&r);
    char *page = page_of(s, html_print);
    ok(strstr(page, "<script") == NULL, "no script comes into the page");
    ok(strstr(page, "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;amp;&#39;") != NULL,
       "but is shown as text");
    ok(nests(page, why, sizeof(why)), "tags nest: %s", why);
    ok(strstr(page, "\xff") == NULL && strstr(page, "\x01") == NULL, "no broken characters");
    ok(strstr(page, "http:") == NULL && strstr(page, "https:") == NULL && !strstr(page, "url("),
       "nothing is fetched from anywhere");
    free(page);
    summary_free(s);

    struct junit j;
    char *text;
    FILE *out = memory_open(&text);
    junit_open(&j, false);
    for (u32 i = 0; i < RESULT_STATUS_COUNT; i++) {
        r.status = i;
        if (!junit_result(&j, &r))
            bail("no memory");
    }
    if (!junit_error(&j, hostile))
        bail("no memory");
    ok(junit_close(&j, out), "JUnit is written");
    fclose(out);
    ok(strstr(text, "<script") == NULL, "without scripts");
    ok(nests(text, why, sizeof(why)), "its tags nest: %s", why);
    ok(strstr(text, "<testsuites name=\"gcncheck\" tests=\"6\" failures=\"1\" errors=\"1\">") !=
           NULL,
       "its counts are right");
    free(text);
}

/* ---- times ---- */

static void time_at(struct report *r, u64 ms)
{
    struct journal_record rec = { .kind = JOURNAL_TIME, .time = { .began = 1700000000, .ms = ms } };
    ok(r->format->writer->record(r, &rec), "%s takes a time", r->format->name);
}

static void result_at(struct report *r, enum result_status status, const char *enc, const char *op,
                      u32 n, const char *place)
{
    struct result x;
    fill(&x, status, op, n);
    RESULT_SET(x.encoding, "%s", enc);
    if (status == RESULT_SKIP)
        RESULT_SET(x.reason, RESULT_UNIMPLEMENTED);
    if (status == RESULT_NOT_OK)
        RESULT_SET(result_add_diff(&x)->place, "%s", place);
    ok(report_result(r, &x), "%s takes a result", r->format->name);
}

/* A run of 10.5 seconds: at 1 s two results, at 3 s forty of which one is wrong, at 10.5 s one that is. */
static char *timed_report(const char *format, bool with_times)
{
    char *text;
    FILE *out = memory_open(&text);
    static struct journal_record head = { .kind = JOURNAL_HEAD };
    struct report r = { 0 };
    head.head =
        (struct journal_head){ .mcpu = "gfx900", .dut = "x", .dut_hash = "0123456789abcdef" };
    if (!report_open(&r, report_format_find(format, false), out))
        bail("no memory");
    ok(r.format->writer->record(&r, &head), "%s takes a head", format);
    if (with_times)
        time_at(&r, 0);
    result_at(&r, RESULT_OK, "VOP2", "v_add_u32", 1, "");
    result_at(&r, RESULT_OK, "VOP2", "v_add_u32", 2, "");
    if (with_times)
        time_at(&r, 1000);
    for (u32 i = 0; i < 39; i++)
        result_at(&r, RESULT_SKIP, "SOP1", "s_mov_b32", i, "");
    result_at(&r, RESULT_NOT_OK, "VOP2", "v_sub_u32", 1, "v7");
    if (with_times)
        time_at(&r, 3000);
    result_at(&r, RESULT_NOT_OK, "VOP2", "v_mul_u32", 1, "vcc");
    if (with_times)
        time_at(&r, 10500);
    ok(report_close(&r, &(struct report_end){ 0 }), "%s ends", format);
    fclose(out);
    return text;
}

/* A text has exactly so many of another. */
static void holds(const char *text, u32 count, const char *what)
{
    u32 seen = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        seen++;
    is_u64(count, seen, "%s", what);
}

static void junit_folds(void)
{
    char *text = timed_report("junit", true), why[128];
    ok(nests(text, why, sizeof why), "its tags nest: %s", why);
    /* Two results of 1 s are a case; 40 of 2 s are 50 ms each, 39 of them a case; and one of 7.5 s. */
    holds(text, 1,
          "<testsuites name=\"gcncheck\" tests=\"4\" failures=\"2\" errors=\"0\" time=\"10.500\">");
    holds(text, 1,
          "<testsuite name=\"SOP1\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\" "
          "time=\"1.950\" timestamp=\"2023-11-14T22:13:20\">\n<properties><property "
          "name=\"unimplemented\" value=\"39\"/></properties>");
    holds(text, 1,
          "<testsuite name=\"VOP2\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\" "
          "time=\"8.550\"");
    holds(text, 1, "<property name=\"right\" value=\"2\"/><property name=\"wrong\" value=\"2\"/>");
    holds(text, 1,
          "<testcase classname=\"-.SOP1.s_mov_b32\" name=\"e32: unimplemented\" time=\"1.950\">"
          "<skipped message=\"unimplemented\"/><system-out>39 results</system-out></testcase>");
    holds(text, 1,
          "<testcase classname=\"-.VOP2.v_add_u32\" name=\"e32: right\" time=\"1.000\">"
          "<system-out>2 results</system-out></testcase>");
    holds(text, 2, "<failure message=");
    holds(text, 1, "time=\"7.500\"");
    free(text);
    text = timed_report("junit", false);
    holds(text, 0, "time");
    holds(text, 4, "<testcase ");
    free(text);
}

static void html_times(void)
{
    char *text = timed_report("html", true), why[128];
    ok(nests(text, why, sizeof why), "its tags nest: %s", why);
    holds(text, 1, "<time>2023-11-14 22:13:20 UTC</time>, 10.5 s");
    holds(text, 1, "files <code>0123456789ab</code>");
    holds(text, 1, "aria-label=\"2 causes in 10.5 s\"");
    /* The axis is 316 units long from 36, 134 high from 146: half of the causes after 3 of 10.5 s. */
    holds(text, 1, "<path d=\"M36 146H126V79H352V12H352\" class=\"line\"/>");
    holds(text, 1, "<td class=\"n\">3.0 s</td>");
    holds(text, 1, "<td class=\"n\">10.5 s</td>");
    free(text);
    text = timed_report("html", false);
    holds(text, 0, "<svg");
    holds(text, 0, "<time>");
    free(text);

    char span[32];
    is_str("0.0 s", timing_span(0, span, sizeof span), "no time");
    is_str("99.9 s", timing_span(99999, span, sizeof span), "seconds");
    is_str("1 min 40 s", timing_span(100000, span, sizeof span), "minutes");
    is_str("1 h 40 min", timing_span(6000000, span, sizeof span), "hours");
    is_str("no date", timing_date(UINT64_MAX, span, sizeof span), "a date of a damaged journal");
    /* A pause between two stretches is no time; what goes back is a new stretch. */
    struct timing t = { 0 };
    struct journal_time at[] = { { 100, 0 }, { 100, 500 }, { 900, 0 }, { 900, 250 }, { 900, 100 } };
    u64 passed = 0;
    for (u32 i = 0; i < COUNT_OF(at); i++)
        passed += timing_take(&t, &at[i]);
    is_u64(750, passed, "two stretches");
    is_u64(750, t.ms, "are the duration");
    is_u64(100, t.date, "the first says when");
}

/* Two opcodes are two cases, two runs of one cause one: it came when the sooner says. */
static void apart_and_together(void)
{
    static struct journal_record head = { .kind = JOURNAL_HEAD };
    for (u32 page = 0; page < 2; page++) {
        char *text;
        FILE *out = memory_open(&text);
        struct report r = { 0 };
        if (!report_open(&r, report_format_find(page ? "html" : "junit", false), out))
            bail("no memory");
        for (u32 ms = 3000; ms >= 1000; ms -= 1000) {
            ok(r.format->writer->record(&r, &head), "a head");
            time_at(&r, 0);
            result_at(&r, RESULT_OK, "VOP2", "v_add_u32", ms, "");
            result_at(&r, RESULT_OK, "VOP2", "v_and_b32", ms, "");
            result_at(&r, RESULT_NOT_OK, "VOP2", "v_sub_u32", ms == 2000 ? 1 : 2, "v7");
            time_at(&r, ms);
            result_at(&r, RESULT_NOT_OK, "VOP2", "v_sub_u32", ms, "v7");
            time_at(&r, ms + 500);
        }
        ok(report_close(&r, &(struct report_end){ 0 }), "it ends");
        fclose(out);
        holds(text, page ? 0 : 1, "v_add_u32\" name=\"e32: right\" time=\"2.000\"><system-out>3 ");
        holds(text, page ? 0 : 1, "v_and_b32\" name=\"e32: right\" time=\"2.000\"><system-out>3 ");
        holds(text, page ? 1 : 0, "<td class=\"n\">1.0 s</td>");
        holds(text, page ? 1 : 0, "aria-label=\"1 cause in 3.5 s\"");
        free(text);
    }
}

/* Every cause leads to a failure on the page, and that to its cause. */
static void html_links(void)
{
    struct summary *s = summary_new();
    for (u32 i = 0; i < 700; i++) { /* 701 causes; the one that is last by order has the most */
        char op[32];
        snprintf(op, sizeof op, "v_op%u_u32", 1000 + i);
        add_wrong(s, op, i, "v0");
    }
    for (u32 i = 0; i < 3; i++)
        add_wrong(s, "v_zzz_u32", i, "v0");
    char *page = page_of(s, html_print), why[128];
    u32 lost = 0, links = 0;
    for (const char *at = page; (at = strstr(at, "<a href=\"#f")); at++) {
        char want[32];
        if (!isdigit((u8)at[11])) /* the section of all failures */
            continue;
        snprintf(want, sizeof want, "<dl id=\"f%.*s\"", (int)strcspn(at + 11, "\""), at + 11);
        const char *found = strstr(page, want);
        lost += !found || strstr(found + 1, want);
        links++;
    }
    is_u64(0, lost, "every link leads somewhere, to one place");
    ok(links >= 500, "%u links", links);
    const char *most = strstr(page, "<tr id=\"c0\"><td class=\"n\">3</td>");
    ok(most && strstr(most, "<a href=\"#f0\">gfx900/vop2/v_zzz_u32/e32#row-0</a>"),
       "the cause with the most results, too");
    ok(strstr(page, "<dl id=\"f0\">\n<dt>cause</dt><dd><a href=\"#c0\">") != NULL, "and back");
    ok(nests(page, why, sizeof why), "tags nest: %s", why);
    free(page);
    summary_free(s);
}

/* Opcodes by forms, and what a small screen needs. */
static void html_heat(void)
{
    static const struct {
        enum result_status status;
        const char *form;
    } list[] = { { RESULT_OK, "e32" },      { RESULT_OK, "e64" },   { RESULT_NOT_OK, "e64" },
                 { RESULT_NOT_OK, "sdwa" }, { RESULT_SKIP, "dpp" }, { RESULT_OK, "<b>" } };
    struct summary *s = summary_new();
    struct result r;
    for (u32 i = 0; i < COUNT_OF(list); i++) {
        fill(&r, list[i].status, "v_add_u32", i);
        RESULT_SET(r.form, "%s", list[i].form);
        if (r.status == RESULT_NOT_OK)
            RESULT_SET(result_add_diff(&r)->place, "v0");
        if (!summary_add(s, &r))
            bail("no memory");
    }
    char *page = page_of(s, html_print);
    holds(
        page, 1,
        "<tr><th scope=\"col\">opcode</th><th scope=\"col\">e32</th><th scope=\"col\">e64</th><th "
        "scope=\"col\">sdwa</th><th scope=\"col\">dpp</th><th scope=\"col\">-</th></tr>");
    holds(page, 1,
          "<tr><th scope=\"row\">v_add_u32</th><td class=\"good\" title=\"right 1\">&#10003;</td>"
          "<td class=\"bad w2\" title=\"right 1, wrong 1\">&#10007;1</td>"
          "<td class=\"bad w4\" title=\"wrong 1\">&#10007;1</td>"
          "<td class=\"none\" title=\"skipped 1\">&#8211;</td>"
          "<td class=\"good\" title=\"right 1\">&#10003;</td></tr>");
    /* 390 pixels are 24 rem: nothing is wider by rule, and tables scroll by themselves. */
    holds(page, 1, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    u32 wide = 0, loose = 0;
    for (const char *at = page; (at = strstr(at, "width:")); at += 6)
        wide += strncmp(at - 4, "max-", 4) != 0 && strtod(at + 6, NULL) > 24 &&
                strncmp(at + 6, "100%", 4) != 0;
    for (const char *at = page; (at = strstr(at, "<table")); at++)
        loose += strncmp(at - 20, "<div class=\"scroll\">", 20) != 0;
    is_u64(0, wide, "no rule asks for more than a telephone has");
    is_u64(0, loose, "every table scrolls");
    free(page);
    summary_free(s);
}

/* A report of results in every status, in memory that the caller frees; `broken` as report_end has
 * it. */
static char *report_of(const struct report_format *f, bool canonical, struct result *r,
                       const char *broken)
{
    char *text;
    FILE *out = memory_open(&text);
    struct report report = { .canonical = canonical };
    if (!report_open(&report, f, out))
        bail("no memory");
    for (u32 i = RESULT_STATUS_COUNT; i-- > 0;) {
        r->status = i;
        ok(report_result(&report, r), "%s takes a result", f->name);
    }
    ok(report_close(&report, &(struct report_end){ .broken = broken }), "%s ends", f->name);
    fclose(out);
    return text;
}

static u32 control_characters(const char *text)
{
    u32 count = 0;
    for (; *text; text++)
        count += iscntrl((u8)*text) && *text != '\n';
    return count;
}

/* Every format of the table, whatever comes to stand there. */
static void formats(void)
{
    struct result r;
    struct err e;
    summary_free(hostile_summary(&r));
    for (u32 i = 0; i < RESULT_TEXTS; i++) /* as RESULT_SET and the journal's reader leave them */
        result_clean((char *)&r + result_texts[i].offset, false);
    for (u32 i = 0; i < RESULT_DIFF_TEXTS; i++)
        result_clean((char *)&r.diff[0] + result_diff_texts[i].offset, false);
    for (u32 i = 0; report_format_at(i); i++) {
        const struct report_format *f = report_format_at(i);
        char *text = report_of(f, false, &r, NULL);
        ok(text[0] && text[strlen(text) - 1] == '\n', "%s prints lines", f->name);
        is_u64(0, control_characters(text), "%s: nothing that a terminal obeys", f->name);
        ok(report_format_find(f->name, false) == f, "%s is found", f->name);
        ok(!f->streams || report_format_find(f->name, true) == f, "%s is found by run", f->name);
        free(text);
        for (const char *line = f->what; line; line = strchr(line, '\n'), line += line != NULL)
            ok(strcspn(line, "\n") <= 84, "%s: a line of the help fits", f->name);
    }
    is_str("tap", report_format_find(NULL, true)->name, "run writes TAP by itself");
    is_str("text", report_format_find(NULL, false)->name, "report writes text");
    is_str("jsonl", report_format_find("json", true)->name, "json is jsonl to run");
    is_str("lines", report_format_find("text", true)->name, "text is lines to run");
    ok(!report_format_find("html", true) && !report_format_find("json", false),
       "names of the other command");

    char *text = report_of(report_format_find("tap", true), false, &r, "why");
    ok(strstr(text, "\nBail out!  why\n") && !strstr(text, "\n1.."), "broken TAP has no plan");
    free(text);
    text = report_of(report_format_find("junit", false), false, &r, "why");
    ok(strstr(text, "<error message=\"why\"") != NULL, "broken JUnit has an error");
    free(text);
    text = report_of(report_format_find("jsonl", true), true, &r, NULL);
    u32 unordered = 0, lines = 0;
    for (char *at = text, *next; (next = strchr(at, '\n')) && next[1]; at = next + 1, lines++)
        unordered += strncmp(at, next + 1, strcspn(at, "\n")) > 0;
    is_u64(RESULT_STATUS_COUNT, lines + 1, "a line for each result");
    is_u64(0, unordered, "canonical lines are sorted");
    free(text);
    static struct report_reading found;
    struct report report = { 0 };
    if (!report_open(&report, report_format_find("lines", true), stderr))
        bail("no memory");
    is_u64(ST_INPUT, report_journal(&report, "/dev/null", &found, &e), "no journal");
    ok(report_close(&report, &(struct report_end){ .broken = e.text }), "is closed all the same");
}

static void one_escape(const char *text, const char *want)
{
    char *got;
    FILE *out = memory_open(&got);
    markup_text(out, text);
    fclose(out);
    is_str(want, got, "escape of %zu bytes", strlen(text));
    free(got);
}

static void json(void)
{
    static struct journal_record rec;
    rec.kind = JOURNAL_RESULT;
    fill(&rec.result, RESULT_NOT_OK, "v_add_u32", 1);
    RESULT_SET(rec.result.title, "a \"b\" \\ c");
    rec.result.dwords[0] = 0x32000501;
    rec.result.dword_count = 1;
    struct result_diff *d = result_add_diff(&rec.result);
    RESULT_SET(d->place, "v0");
    d->lane = 3;
    RESULT_SET(d->want, "1");
    char *line = jsonl_text(&rec);
    is_str("{\"kind\":\"result\",\"status\":\"not ok\",\"id\":\"gfx900/vop2/v_add_u32/e32#row-1\","
           "\"title\":\"a \\\"b\\\" \\\\ c\",\"encoding\":\"VOP2\",\"mnemonic\":\"v_add_u32\","
           "\"form\":\"e32\",\"dwords\":[\"32000501\"],\"diff_count\":1,"
           "\"diff\":[{\"place\":\"v0\",\"want\":\"1\",\"lane\":3}]}",
           line, "a result as JSON");
    free(line);
    rec.kind = JOURNAL_HEAD;
    rec.head = (struct journal_head){ .mcpu = "gfx900", .seed_first = 7, .seed_count = UINT64_MAX };
    line = jsonl_text(&rec);
    is_str("{\"kind\":\"head\",\"mcpu\":\"gfx900\",\"seed_first\":7,"
           "\"seed_count\":\"18446744073709551615\"}",
           line, "numbers beyond 2^53 are strings");
    free(line);
}

/* The line that says how to run a case again: our own ones are commands, others become inert. */
static void commands(void)
{
    static const struct {
        const char *again, *want; /* NULL: it stays */
    } list[] = {
        { "gcncheck run cases/vop2/v_add_u32.case:11 --form e64 --mcpu gfx900", NULL },
        { "gcncheck run 'a b.case' --dut 'pipe:cd /x && python3 y'", NULL },
        { "gcncheck replay 'it'\\''s' --trust", NULL },
        { "", NULL },
        { "gcncheck run x; rm y", "edited gcncheck run x? rm y" },
        { "gcncheck run $(x)", "edited gcncheck run ??x?" },
        { "gcncheck run 'x", "edited gcncheck run ?x" },
        { "gcncheck run 'x''", "edited gcncheck run ?x??" },
        { "gcncheck run x\\", "edited gcncheck run x?" },
        { "gcncheck run x\\'; rm y'", "edited gcncheck run x??? rm y?" },
        { "gcncheck run \"x\"", "edited gcncheck run ?x?" },
        { "gcncheck run x\nrm y", "edited gcncheck run x?rm y" },
        { "rm y", "edited rm y" },
        { "./gcncheck run", "edited ./gcncheck run" },
    };
    for (u32 i = 0; i < COUNT_OF(list); i++) {
        struct result r;
        result_init(&r);
        RESULT_SET(r.again, "%s", list[i].again);
        ok(!list[i].again[0] || result_is_command(r.again) == !list[i].want, "a command or not: %s",
           list[i].again);
        result_check_again(&r);
        is_str(list[i].want ? list[i].want : list[i].again, r.again, "%s", list[i].again);
    }
}

int main(void)
{
    commands();
    counts();
    order();
    many();
    escapes();
    formats();
    junit_folds();
    html_times();
    apart_and_together();
    html_links();
    html_heat();
    one_escape("a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;");
    one_escape("\xc3\xa9\xe2\x82\xac", "\xc3\xa9\xe2\x82\xac");
    one_escape("\xef\xbf\xbf\xef\xbf\xbe", "??");
    one_escape("\x1b[31m\x7f\xc0", "?[31m??");
    one_escape("two\nlines", "two\nlines");
    json();
    return done();
}
