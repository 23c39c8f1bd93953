/* JUnit XML. */
#include "reports/junit.h"

#include "oracle/base/array.h"
#include "oracle/base/hash.h"
#include "reports/format.h"
#include "reports/markup.h"

#include <stdlib.h>
#include <time.h>

void junit_open(struct junit *j, bool apart)
{
    *j = (struct junit){ .apart = apart };
}

static void free_case(struct junit_case *c)
{
    free(c->class);
    free(c->name);
    free(c->text);
}

static void free_all(struct junit *j)
{
    for (u32 i = 0; i < j->count; i++)
        free_case(&j->at[i]);
    free(j->at);
    free(j->slots);
    free(j->suite);
    free(j->waiting);
}

static void put_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    markup_text(out, text);
    fputc('"', out);
}

static void put_failure(FILE *out, const struct result *r)
{
    char text[640];
    fputs("<failure", out);
    put_attribute(out, "message", result_cause(r, text, sizeof(text)));
    fputs(">", out);
    for (u32 i = 0; i < result_diffs_held(r); i++) {
        const struct result_diff *d = &r->diff[i];
        markup_text(out, result_place(d, text, sizeof(text)));
        fputs(": want ", out);
        markup_text(out, d->want);
        fputs(", got ", out);
        markup_text(out, d->got);
        fputs(d->note[0] ? ", " : "", out);
        markup_text(out, d->note);
        fputs("\n", out);
    }
    if (r->parts[0]) {
        fputs(r->blame[0] ? "parts at " : "", out);
        markup_text(out, r->parts);
        fputs("\n", out);
    }
    markup_text(out, r->insn);
    fputs("\n", out);
    markup_text(out, r->inputs);
    fputs("\n", out);
    markup_text(out, r->again);
    fputs("\n</failure>", out);
}

/* What stands in the case of a result that is no failure. */
static void put_skipped(FILE *out, const struct result *r)
{
    /* JUnit has no word for a failure that is expected. */
    const char *before = r->status == RESULT_KNOWN  ? "differs, known: "
                         : r->status == RESULT_TODO ? "differs, below the gate: "
                                                    : "";
    char text[640];
    snprintf(text, sizeof text, "%s%s", before,
             r->status == RESULT_KNOWN  ? r->known
             : r->status == RESULT_TODO ? r->ledger
                                        : r->reason);
    fputs("<skipped", out);
    put_attribute(out, "message", text);
    fputs("/>", out);
}

/* A copy of what a result is called as a case: its own name, or what it is folded by. NULL: no
 * memory. */
static char *name_of(const struct result *r, bool folded)
{
    char text[640];
    const char *what = tally_names[summary_tally_of(r)];
    if (!folded)
        return strdup(result_name(r, text, sizeof text));
    if (r->status == RESULT_SKIP && r->reason[0])
        what = r->reason;
    snprintf(text, sizeof text, "%s%s%s", r->form, r->form[0] ? ": " : "", what);
    return strdup(text);
}

static char *class_of(const struct result *r)
{
    char text[128];
    snprintf(text, sizeof text, "%s.%s.%s", r->mcpu[0] ? r->mcpu : "-",
             r->encoding[0] ? r->encoding : "-", r->mnemonic[0] ? r->mnemonic : "-");
    return strdup(text);
}

/* The elements in the case of a result. NULL: no memory. */
static char *text_of(const struct result *r)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (r->status == RESULT_NOT_OK)
        put_failure(out, r);
    else if (r->status != RESULT_OK)
        put_skipped(out, r);
    bool kept = !ferror(out);
    if (fclose(out) == 0 && kept)
        return text;
    free(text);
    return NULL;
}

/* Fills a case from a result. False: no memory, and nothing is left. */
static bool make_case(struct junit_case *c, const struct result *r, bool folded)
{
    *c = (struct junit_case){ .status = r->status,
                              .results = folded,
                              .class = class_of(r),
                              .name = name_of(r, folded),
                              .text = text_of(r) };
    snprintf(c->suite, sizeof c->suite, "%s", r->encoding[0] ? r->encoding : "-");
    if (c->class && c->name && c->text)
        return true;
    free_case(c);
    return false;
}

/* ---- folding ---- */

static u32 case_hash(const struct junit_case *c)
{
    u64 h = hash_text(c->class) * 31 + hash_text(c->name) * 7 + hash_text(c->text);
    return (u32)(h ^ h >> 29);
}

static bool is_same(const struct junit_case *a, const struct junit_case *b)
{
    return a->status == b->status && strcmp(a->suite, b->suite) == 0 &&
           strcmp(a->class, b->class) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->text, b->text) == 0;
}

/* The slot of the case that is the same, or a free one. */
static u32 *find_slot(struct junit *j, const struct junit_case *c)
{
    u32 mask = 2 * j->cap - 1, at = case_hash(c) & mask;
    while (j->slots[at] && !is_same(&j->at[j->slots[at] - 1], c))
        at = (at + 1) & mask;
    return &j->slots[at];
}

/* Room for one more case; the hash holds at most half of its slots. */
static bool grow(struct junit *j)
{
    if (j->count < j->cap)
        return true;
    u32 cap = j->cap, slots_cap = j->cap;
    struct junit_case *at = array_grow(j->at, &cap, j->count + 1ull, sizeof *at);
    if (!at)
        return false;
    j->at = at;
    u32 *slots = array_grow(j->slots, &slots_cap, j->count + 1ull, 2 * sizeof *slots);
    if (!slots)
        return false;
    j->slots = slots;
    j->cap = cap;
    memset(j->slots, 0, 2 * sizeof *slots * cap);
    for (u32 i = 0; i < j->count; i++)
        if (j->at[i].results)
            *find_slot(j, &j->at[i]) = i + 1;
    return true;
}

/* The index + 1 of the case that the result is, or is folded in; 0: no memory. */
static u32 place(struct junit *j, struct junit_case *c)
{
    u32 *slot = NULL;
    if (!grow(j)) {
        free_case(c);
        return 0;
    }
    if (c->results)
        slot = find_slot(j, c);
    if (slot && *slot) {
        j->at[*slot - 1].results++;
        free_case(c);
        return *slot;
    }
    c->number = j->count;
    j->at[j->count++] = *c;
    if (slot)
        *slot = j->count;
    return j->count;
}

/* The suite of that name; NULL: no memory. There are few. */
static struct junit_suite *suite_of(struct junit *j, const char *name)
{
    for (u32 i = 0; i < j->suites; i++)
        if (strcmp(j->suite[i].name, name) == 0)
            return &j->suite[i];
    struct junit_suite *suite =
        array_grow(j->suite, &j->suites_cap, j->suites + 1ull, sizeof *suite);
    if (!suite)
        return NULL;
    j->suite = suite;
    suite = &suite[j->suites++];
    *suite = (struct junit_suite){ 0 };
    snprintf(suite->name, sizeof suite->name, "%s", name);
    return suite;
}

bool junit_result(struct junit *j, const struct result *r)
{
    struct junit_case c;
    struct junit_suite *suite;
    if (j->timing.is_known && j->waits == j->waiting_cap) {
        u32 *waiting = array_grow(j->waiting, &j->waiting_cap, j->waits + 1ull, sizeof *waiting);
        if (!waiting)
            return false;
        j->waiting = waiting;
    }
    if (!make_case(&c, r, !j->apart && r->status != RESULT_NOT_OK))
        return false;
    suite = suite_of(j, c.suite);
    if (!suite) {
        free_case(&c);
        return false;
    }
    u32 at = place(j, &c);
    if (!at)
        return false;
    suite->tally[summary_tally_of(r)]++;
    if (j->timing.is_known)
        j->waiting[j->waits++] = at - 1;
    return true;
}

void junit_head(struct junit *j)
{
    j->timing = (struct timing){ 0 };
    j->waits = 0;
}

void junit_time(struct junit *j, const struct journal_time *time)
{
    u64 passed = timing_take(&j->timing, time);
    for (u32 i = 0; i < j->waits; i++)
        j->at[j->waiting[i]].us += passed * 1000 / j->waits;
    j->waits = 0;
    j->ms += passed;
    if (!j->has_times || j->timing.date < j->date)
        j->date = j->timing.date;
    j->has_times = true;
}

bool junit_error(struct junit *j, const char *text)
{
    char *inside = NULL;
    size_t size;
    FILE *out = open_memstream(&inside, &size);
    if (!out)
        return false;
    fputs("<error", out);
    put_attribute(out, "message", text);
    fputs("/>", out);
    bool kept = !ferror(out);
    kept = fclose(out) == 0 && kept;
    struct junit_case c = { .suite = "gcncheck",
                            .status = RESULT_STATUS_COUNT,
                            .class = strdup("gcncheck"),
                            .name = strdup("the run"),
                            .text = inside };
    if (kept && c.text && c.class && c.name && suite_of(j, c.suite))
        return place(j, &c) != 0;
    free_case(&c);
    return false;
}

/* ---- the document ---- */

struct counts {
    u64 tests, failures, errors, skipped, us;
};

static void count_case(struct counts *n, const struct junit_case *c)
{
    n->tests++;
    n->failures += c->status == RESULT_NOT_OK;
    n->errors += c->status == RESULT_STATUS_COUNT;
    n->skipped +=
        c->status != RESULT_NOT_OK && c->status != RESULT_OK && c->status < RESULT_STATUS_COUNT;
    n->us += c->us;
}

static int by_place(const void *a, const void *b)
{
    const struct junit_case *x = a, *y = b;
    int order = strcmp(x->suite, y->suite);
    if (!order)
        order = strcmp(x->class, y->class);
    if (!order)
        order = strcmp(x->name, y->name);
    if (!order)
        order = strcmp(x->text, y->text);
    return order ? order : x->number < y->number ? -1 : 1;
}

static void put_time(FILE *out, const struct junit *j, u64 us)
{
    us += 500; /* to the next millisecond */
    if (j->has_times)
        fprintf(out, " time=\"%llu.%03llu\"", (unsigned long long)(us / 1000000),
                (unsigned long long)(us / 1000 % 1000));
}

static void put_counts(FILE *out, const struct counts *n, bool with_skipped)
{
    fprintf(out, " tests=\"%llu\" failures=\"%llu\" errors=\"%llu\"", (unsigned long long)n->tests,
            (unsigned long long)n->failures, (unsigned long long)n->errors);
    if (with_skipped)
        fprintf(out, " skipped=\"%llu\"", (unsigned long long)n->skipped);
}

static void put_case(FILE *out, const struct junit *j, const struct junit_case *c)
{
    fputs("<testcase", out);
    put_attribute(out, "classname", c->class);
    put_attribute(out, "name", c->name);
    put_time(out, j, c->us);
    fprintf(out, ">%s", c->text);
    if (c->results)
        fprintf(out, "<system-out>%llu result%s</system-out>", (unsigned long long)c->results,
                c->results == 1 ? "" : "s");
    fputs("</testcase>\n", out);
}

/* The suite of the cases from `from` to `to`. */
static void put_suite(FILE *out, struct junit *j, u32 from, u32 to)
{
    struct counts n = { 0 };
    const char *name = j->at[from].suite;
    const struct junit_suite *suite = suite_of(j, name); /* is there */
    for (u32 i = from; i < to; i++)
        count_case(&n, &j->at[i]);
    fputs("<testsuite", out);
    put_attribute(out, "name", name);
    put_counts(out, &n, true);
    put_time(out, j, n.us);
    time_t at = (time_t)j->date;
    struct tm tm;
    char date[32];
    if (j->has_times && gmtime_r(&at, &tm) && strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm))
        put_attribute(out, "timestamp", date);
    fputs(">\n<properties>", out);
    for (u32 t = 0; suite && t < TALLY_COUNT; t++)
        if (suite->tally[t])
            fprintf(out, "<property name=\"%s\" value=\"%llu\"/>", tally_names[t],
                    (unsigned long long)suite->tally[t]);
    fputs("</properties>\n", out);
    for (u32 i = from; i < to; i++)
        put_case(out, j, &j->at[i]);
    fputs("</testsuite>\n", out);
}

bool junit_close(struct junit *j, FILE *out)
{
    struct counts n = { 0 };
    for (u32 i = 0; i < j->count; i++)
        count_case(&n, &j->at[i]);
    if (j->count)
        qsort(j->at, j->count, sizeof *j->at, by_place);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gcncheck\"", out);
    put_counts(out, &n, false);
    put_time(out, j, j->ms * 1000);
    fputs(">\n", out);
    for (u32 i = 0, from = 0; i < j->count; i++)
        if (i + 1 == j->count || strcmp(j->at[i].suite, j->at[i + 1].suite) != 0) {
            put_suite(out, j, from, i + 1);
            from = i + 1;
        }
    fputs("</testsuites>\n", out);
    free_all(j);
    return fflush(out) == 0 && !ferror(out);
}

/* ---- the format ---- */

static bool open_report(struct report *r)
{
    struct junit *j = malloc(sizeof *j);
    if (j)
        junit_open(j, r->apart);
    r->state = j;
    return j != NULL;
}

static bool put_result(struct report *r, const struct result *result)
{
    return junit_result(r->state, result);
}

static bool put_record(struct report *r, const struct journal_record *rec)
{
    if (rec->kind == JOURNAL_HEAD)
        junit_head(r->state);
    else if (rec->kind == JOURNAL_TIME)
        junit_time(r->state, &rec->time);
    return true;
}

static bool close_report(struct report *r, const struct report_end *end)
{
    bool good = !end->broken || junit_error(r->state, end->broken);
    good = junit_close(r->state, r->out) && good;
    free(r->state);
    return good;
}

const struct report_writer report_junit = { .open = open_report,
                                            .result = put_result,
                                            .record = put_record,
                                            .close = close_report,
                                            .mark = "<testsuites name=\"gcncheck\"" };
