#include "reports/export.h"

#include "reports/html.h"
#include "reports/summary.h"

#include <jansson.h>
#include <stdlib.h>

static void set_text(json_t *o, const char *name, const char *text)
{
    if (text[0])
        json_object_set_new(o, name, json_string(text));
}

static void set_u64(json_t *o, const char *name, u64 value)
{
    /* Numbers beyond 2^53 do not survive most readers of JSON. */
    char text[24];
    snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
    json_object_set_new(o, name, value >> 53 ? json_string(text) : json_integer((json_int_t)value));
}

static void set_texts(json_t *o, const void *base, const struct result_field *fields, u32 count)
{
    for (u32 i = 0; i < count; i++)
        set_text(o, fields[i].name, (const char *)base + fields[i].offset);
}

static void set_result(json_t *o, const struct result *r)
{
    set_text(o, "status", result_status_name(r->status));
    set_texts(o, r, result_texts, RESULT_TEXTS);
    if (r->line)
        set_u64(o, "line", r->line);
    if (r->dword_count) {
        json_t *list = json_array();
        for (u32 i = 0; i < r->dword_count && i < RESULT_DWORDS_MAX; i++)
            json_array_append_new(list, json_sprintf("%08x", r->dwords[i]));
        json_object_set_new(o, "dwords", list);
    }
    if (r->diff_count) {
        json_t *list = json_array();
        for (u32 i = 0; i < result_diffs_held(r); i++) {
            json_t *d = json_object();
            set_texts(d, &r->diff[i], result_diff_texts, RESULT_DIFF_TEXTS);
            if (r->diff[i].lane >= 0)
                json_object_set_new(d, "lane", json_integer(r->diff[i].lane));
            json_array_append_new(list, d);
        }
        set_u64(o, "diff_count", r->diff_count);
        json_object_set_new(o, "diff", list);
    }
}

static void set_head(json_t *o, const struct journal_head *h)
{
    set_text(o, "version", h->version);
    set_text(o, "mcpu", h->mcpu);
    set_text(o, "dut", h->dut);
    set_text(o, "args", h->args);
    set_u64(o, "seed_first", h->seed_first);
    set_u64(o, "seed_count", h->seed_count);
}

static void set_row(json_t *o, const struct journal_row *row)
{
    json_t *cells = json_array();
    set_text(o, "table", row->table);
    for (u32 i = 0; i < row->count; i++)
        json_array_append_new(cells, json_string(row->cell[i]));
    json_object_set_new(o, "cells", cells);
}

char *export_json(const struct journal_record *rec)
{
    static const char *const kinds[] = { "none", "head", "intent", "result", "row", "end" };
    json_t *o = json_object();
    if (!o)
        return NULL;
    set_text(o, "kind", kinds[rec->kind]);
    switch (rec->kind) {
    case JOURNAL_NONE: break;
    case JOURNAL_HEAD: set_head(o, &rec->head); break;
    case JOURNAL_RESULT: set_result(o, &rec->result); break;
    case JOURNAL_ROW: set_row(o, &rec->row); break;
    case JOURNAL_INTENT:
        set_u64(o, "first", rec->first);
        set_u64(o, "count", rec->count);
        break;
    case JOURNAL_END: set_u64(o, "count", rec->count); break;
    }
    char *text = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    return text;
}

bool export_result(FILE *out, const struct result *r)
{
    json_t *o = json_object();
    if (!o)
        return false;
    set_text(o, "kind", "result");
    set_result(o, r);
    char *line = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    if (!line)
        return false;
    fprintf(out, "%s\n", line);
    free(line);
    return true;
}

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
    bool kept = fclose(j->body) == 0;
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
