#include "reports/format.h"

#include <stdlib.h>

static const struct report_format formats[] = {
#define FORMAT(name, other_name, streams, what) \
    { #name, other_name, streams, what, &report_##name },
#include "reports/format.def"
#undef FORMAT
};

const struct report_format *report_format_at(u32 index)
{
    return index < COUNT_OF(formats) ? &formats[index] : NULL;
}

const struct report_format *report_format_find(const char *name, bool streams)
{
    for (u32 i = 0; i < COUNT_OF(formats); i++) {
        const struct report_format *f = &formats[i];
        if (streams && !f->streams)
            continue;
        if (!name || strcmp(name, f->name) == 0 ||
            (streams && f->other_name && strcmp(name, f->other_name) == 0))
            return f;
    }
    return NULL;
}

void report_format_names(struct text *t, bool streams)
{
    u32 count = 0;
    for (u32 i = 0; i < COUNT_OF(formats); i++)
        if (formats[i].streams || !streams)
            text_add(t, "%s%s", count++ ? "|" : "", formats[i].name);
}

const char *report_judge(const void *format, const u8 *head, size_t size)
{
    const struct report_format *f = format;
    const char *mark = f->writer->mark;
    if (journal_begins(head, size))
        return "is a journal";
    if (!mark)
        return "is there already";
    bool is_page = mark[0] == '^'
                       ? size >= strlen(mark + 1) && !memcmp(head, mark + 1, strlen(mark + 1))
                       : memmem(head, size, mark, strlen(mark)) != NULL;
    return is_page ? NULL : "is no page of this format";
}

bool report_open(struct report *r, const struct report_format *format, FILE *out)
{
    r->format = format;
    r->out = out;
    r->state = NULL;
    return !format->writer->open || format->writer->open(r);
}

bool report_result(struct report *r, const struct result *result)
{
    if (r->failures && result->status != RESULT_NOT_OK)
        return true;
    return r->format->writer->result(r, result);
}

static bool add_record(struct report *r, const struct journal_record *rec)
{
    const struct report_writer *w = r->format->writer;
    if (rec->kind == JOURNAL_RESULT)
        return report_result(r, &rec->result);
    if (rec->kind == JOURNAL_STATE) /* says nothing to a reader */
        return true;
    return !w->record || w->record(r, rec);
}

static void add_damages(struct report_reading *found, const struct journal_reader *rd)
{
    for (u32 i = 0; i < rd->damages && i < JOURNAL_DAMAGES_KEPT; i++)
        if (found->damages + i < JOURNAL_DAMAGES_KEPT)
            snprintf(found->damage[found->damages + i], sizeof found->damage[0], "%s: %s", rd->file,
                     rd->damage[i]);
    found->damages += rd->damages;
}

enum status report_journal(struct report *r, const char *path, struct report_reading *found,
                           struct err *e)
{
    const struct report_writer *w = r->format->writer;
    struct journal_reader rd;
    struct journal_record *rec = malloc(sizeof *rec);
    enum status st = rec ? journal_reader_open(&rd, path, e) : err_memory(e);
    if (st != ST_OK) {
        free(rec);
        return st;
    }
    bool has_memory = true;
    while (has_memory && (st = journal_next(&rd, rec, e)) == ST_OK && rec->kind != JOURNAL_NONE)
        has_memory = add_record(r, rec) &&
                     (rec->kind != JOURNAL_HEAD || parts_add(&found->parts, &rec->head, rd.file));
    if (!has_memory)
        st = err_set(e, ST_WORLD, "no memory for all results");
    if (w->journal)
        w->journal(r, &rd);
    found->unfinished += journal_unfinished(&rd);
    add_damages(found, &rd);
    journal_reader_close(&rd);
    free(rec);
    return st;
}

bool report_close(struct report *r, const struct report_end *end)
{
    bool good = !r->format->writer->close || r->format->writer->close(r, end);
    return fflush(r->out) == 0 && !ferror(r->out) && good;
}
