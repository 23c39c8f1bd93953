/* JSON lines. */
#include "reports/jsonl.h"

#include "oracle/base/array.h"
#include "reports/file/json_memory.h"
#include "reports/format.h"

#include <jansson.h>
#include <stdlib.h>

/* The same walk over a result as the journal's writer has: two libraries, two kinds of documents,
 * and only here are dwords texts and large numbers safe for readers of JSON. */
/* What is built, as a text; NULL where memory was short since json_memory_watch(). */
static char *finish(json_t *o)
{
    char *text = json_memory_was_short() ? NULL : json_dumps(o, JSON_COMPACT);
    json_decref(o);
    if (text && json_memory_was_short()) {
        free(text);
        text = NULL;
    }
    return text;
}

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

/* The fields that a journal packs, too (journal.c): there its format says how many there are. */
static void set_head(json_t *o, const struct journal_head *h)
{
    set_text(o, "version", h->version);
    set_text(o, "mcpu", h->mcpu);
    set_text(o, "dut", h->dut);
    set_text(o, "args", h->args);
    set_u64(o, "seed_first", h->seed_first);
    set_u64(o, "seed_count", h->seed_count);
    set_text(o, "dut_hash", h->dut_hash);
    if (h->shards) {
        set_u64(o, "shard", h->shard + 1ull);
        set_u64(o, "shards", h->shards);
    }
    if (h->offered) {
        set_u64(o, "count", h->count);
        set_u64(o, "offered", h->offered);
    }
}

static void set_row(json_t *o, const struct journal_row *row)
{
    json_t *cells = json_array();
    set_text(o, "table", row->table);
    for (u32 i = 0; i < row->count; i++)
        json_array_append_new(cells, json_string(row->cell[i]));
    json_object_set_new(o, "cells", cells);
}

char *jsonl_text(const struct journal_record *rec)
{
    static const char *const kinds[] = { "none", "head",  "dut",  "intent", "result",
                                         "row",  "state", "time", "end" };
    json_memory_watch();
    json_t *o = json_object();
    set_text(o, "kind", kinds[rec->kind]);
    switch (rec->kind) {
    case JOURNAL_NONE:
    case JOURNAL_STATE: break;
    case JOURNAL_HEAD: set_head(o, &rec->head); break;
    case JOURNAL_DUT:
        set_text(o, "name", rec->dut.name);
        set_text(o, "version", rec->dut.version);
        break;
    case JOURNAL_RESULT: set_result(o, &rec->result); break;
    case JOURNAL_ROW: set_row(o, &rec->row); break;
    case JOURNAL_INTENT:
        set_u64(o, "first", rec->first);
        set_u64(o, "count", rec->count);
        break;
    case JOURNAL_TIME:
        set_u64(o, "began", rec->time.began);
        set_u64(o, "ms", rec->time.ms);
        break;
    case JOURNAL_END: set_u64(o, "count", rec->count); break;
    }
    return finish(o);
}

/* ---- the format ---- */

/* The lines of a canonical report, kept until all are there. */
struct kept_lines {
    char **at;
    u32 count, cap;
};

static bool lines_open(struct report *r)
{
    r->state = r->canonical ? calloc(1, sizeof(struct kept_lines)) : NULL;
    return r->state || !r->canonical;
}

static bool keep_line(struct kept_lines *l, char *line)
{
    char **grown = array_grow(l->at, &l->cap, l->count + 1ull, sizeof *grown);
    if (!grown) {
        free(line);
        return false;
    }
    l->at = grown;
    l->at[l->count++] = line;
    return true;
}

static bool put_line(struct report *r, char *line)
{
    if (!line)
        return false;
    if (r->state)
        return keep_line(r->state, line);
    fprintf(r->out, "%s\n", line);
    free(line);
    return true;
}

static bool put_result(struct report *r, const struct result *result)
{
    json_memory_watch();
    json_t *o = json_object();
    set_text(o, "kind", "result");
    set_result(o, result);
    return put_line(r, finish(o));
}

static bool put_record(struct report *r, const struct journal_record *rec)
{
    return r->canonical || put_line(r, jsonl_text(rec));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool lines_close(struct report *r, const struct report_end *end)
{
    struct kept_lines *l = r->state;
    (void)end; /* what is missing shows in the records, or is not asked for */
    if (!l)
        return true;
    if (l->count)
        qsort(l->at, l->count, sizeof *l->at, by_text);
    for (u32 i = 0; i < l->count; i++) {
        fprintf(r->out, "%s\n", l->at[i]);
        free(l->at[i]);
    }
    free(l->at);
    free(l);
    return true;
}

const struct report_writer report_jsonl = { .open = lines_open,
                                            .result = put_result,
                                            .record = put_record,
                                            .close = lines_close,
                                            .mark = "^{\"kind\":\"" };
