/* JUnit XML. */
#include "reports/junit.h"

#include "reports/format.h"
#include "reports/html.h"
#include "reports/summary.h"

#include <stdlib.h>

bool junit_open(struct junit *j)
{
    *j = (struct junit){ 0 };
    j->body = open_memstream(&j->text, &j->size);
    return j->body != NULL;
}

static void put_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    html_text(out, text);
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
        html_text(out, result_place(d, text, sizeof(text)));
        fputs(": want ", out);
        html_text(out, d->want);
        fputs(", got ", out);
        html_text(out, d->got);
        fputs(d->note[0] ? ", " : "", out);
        html_text(out, d->note);
        fputs("\n", out);
    }
    if (r->parts[0]) {
        fputs(r->blame[0] ? "parts at " : "", out);
        html_text(out, r->parts);
        fputs("\n", out);
    }
    html_text(out, r->insn);
    fputs("\n", out);
    html_text(out, r->inputs);
    fputs("\n", out);
    html_text(out, r->again);
    fputs("\n</failure>", out);
}

void junit_result(struct junit *j, const struct result *r)
{
    char text[640];
    struct text t;
    text_init(&t, text, sizeof(text));
    text_add(&t, "%s.%s.%s", r->mcpu[0] ? r->mcpu : "-", r->encoding[0] ? r->encoding : "-",
             r->mnemonic[0] ? r->mnemonic : "-");
    j->tests++;
    fputs("<testcase", j->body);
    put_attribute(j->body, "classname", text);
    put_attribute(j->body, "name", result_name(r, text, sizeof(text)));
    if (r->status == RESULT_OK) {
        fputs("/>\n", j->body);
        return;
    }
    fputs(">", j->body);
    if (r->status == RESULT_NOT_OK) {
        j->failures++;
        put_failure(j->body, r);
    } else {
        /* JUnit has no word for a failure that is expected. */
        j->skipped++;
        text_init(&t, text, sizeof(text));
        if (r->status == RESULT_KNOWN)
            text_add(&t, "differs, known: %s", r->known);
        else
            text_add(&t, "%s%s", r->status == RESULT_TODO ? "differs, below the gate: " : "",
                     r->status == RESULT_TODO ? r->ledger : r->reason);
        if (r->detail[0])
            text_add(&t, ": %s", r->detail);
        fputs("<skipped", j->body);
        put_attribute(j->body, "message", text);
        fputs("/>", j->body);
    }
    fputs("</testcase>\n", j->body);
}

void junit_error(struct junit *j, const char *text)
{
    j->tests++;
    j->errors++;
    fputs("<testcase classname=\"gcncheck\" name=\"the run\"><error", j->body);
    put_attribute(j->body, "message", text);
    fputs("/></testcase>\n", j->body);
}

bool junit_close(struct junit *j, FILE *out)
{
    bool kept = !ferror(j->body);
    kept = fclose(j->body) == 0 && j->text && kept;
    if (kept) {
        char counts[128];
        snprintf(counts, sizeof(counts), "tests=\"%llu\" failures=\"%llu\" errors=\"%llu\"",
                 (unsigned long long)j->tests, (unsigned long long)j->failures,
                 (unsigned long long)j->errors);
        fprintf(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n"
                "<testsuite name=\"gcncheck\" %s skipped=\"%llu\">\n%s</testsuite>\n"
                "</testsuites>\n",
                counts, counts, (unsigned long long)j->skipped, j->text);
    }
    free(j->text);
    return kept && fflush(out) == 0 && !ferror(out);
}

/* ---- the format ---- */

static bool open_report(struct report *r)
{
    struct junit *j = malloc(sizeof *j);
    if (j && junit_open(j)) {
        r->state = j;
        return true;
    }
    free(j);
    return false;
}

static bool put_result(struct report *r, const struct result *result)
{
    junit_result(r->state, result);
    return true;
}

static bool close_report(struct report *r, const struct report_end *end)
{
    if (end->broken)
        junit_error(r->state, end->broken);
    bool good = junit_close(r->state, r->out);
    free(r->state);
    return good;
}

const struct report_writer report_junit = { .open = open_report,
                                            .result = put_result,
                                            .close = close_report,
                                            .mark = "<testsuite name=\"gcncheck\"" };
