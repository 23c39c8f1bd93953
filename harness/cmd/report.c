/* gcncheck report: a journal as a page, as TAP, or for other programs. */
#include "harness/cmd/cmd.h"
#include "reports/export.h"
#include "reports/html.h"
#include "reports/summary.h"
#include "reports/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Lines for --canonical, and the file everything goes to. */
struct output {
    struct opts *o;
    FILE *out;
    struct tap tap;
    struct junit junit;
    char **line;
    size_t lines, cap;
    u64 unfinished; /* runs without their end */
};

static bool keep_line(struct output *w, char *line)
{
    if (w->lines == w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 1024;
        char **grown = realloc(w->line, cap * sizeof(*grown));
        if (!grown) {
            free(line);
            return false;
        }
        w->line = grown;
        w->cap = cap;
    }
    w->line[w->lines++] = line;
    return true;
}

static bool put_json(struct output *w, const struct journal_record *rec)
{
    if (w->o->canonical && rec->kind != JOURNAL_RESULT)
        return true;
    char *line = export_json(rec);
    if (!line)
        return false;
    if (w->o->canonical)
        return keep_line(w, line);
    fprintf(w->out, "%s\n", line);
    free(line);
    return true;
}

static bool put_tap(struct output *w, const struct journal_record *rec)
{
    if (rec->kind == JOURNAL_RESULT)
        tap_result(&w->tap, &rec->result);
    else if (rec->kind == JOURNAL_HEAD)
        tap_comment(&w->tap, "gcncheck %s, %s, %s\n%s", rec->head.version, rec->head.mcpu,
                    rec->head.dut, rec->head.args);
    return true;
}

static bool put_junit(struct output *w, const struct journal_record *rec)
{
    if (rec->kind == JOURNAL_RESULT)
        junit_result(&w->junit, &rec->result);
    return true;
}

/* Hands every record of every journal on. ST_INPUT: what came before the damage was handed on. */
static enum status each_record(struct output *w,
                               bool (*put)(struct output *, const struct journal_record *),
                               struct err *e)
{
    struct journal_record *rec = malloc(sizeof(*rec));
    enum status st = rec ? ST_OK : err_set(e, ST_WORLD, "out of memory");
    for (u32 i = 0; !st && i < w->o->arg_count; i++) {
        struct journal_reader rd;
        st = journal_reader_open(&rd, w->o->arg[i], e);
        if (st)
            break;
        while (!(st = journal_next(&rd, rec, e)) && rec->kind != JOURNAL_NONE) {
            if (!put(w, rec)) {
                st = err_set(e, ST_WORLD, "no memory for all results");
                break;
            }
        }
        w->unfinished += rd.parts - rd.parts_ended;
        journal_reader_close(&rd);
    }
    free(rec);
    return st;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum status write_jsonl(struct output *w, struct err *e)
{
    enum status st = each_record(w, put_json, e);
    if (w->lines)
        qsort(w->line, w->lines, sizeof(*w->line), by_text);
    for (size_t i = 0; i < w->lines; i++) {
        fprintf(w->out, "%s\n", w->line[i]);
        free(w->line[i]);
    }
    free(w->line);
    return st;
}

static enum status write_tap(struct output *w, struct err *e)
{
    tap_open(&w->tap, w->out, 0);
    enum status st = each_record(w, put_tap, e);
    /* No plan then: half of a run must not look like all of one. */
    if (st)
        tap_bail(&w->tap, "%s", e->text);
    else if (w->unfinished)
        tap_bail(&w->tap, "the run did not come to its end");
    else
        tap_close(&w->tap);
    return st;
}

static enum status write_junit(struct output *w, struct err *e)
{
    if (!junit_open(&w->junit))
        return err_set(e, ST_WORLD, "out of memory");
    enum status st = each_record(w, put_junit, e);
    if (st || w->unfinished)
        junit_error(&w->junit, st ? e->text : "the run did not come to its end");
    if (!junit_close(&w->junit, w->out) && !ferror(w->out))
        return err_set(e, ST_WORLD, "no memory for all results");
    return st;
}

/* The two pages. What a damaged journal holds before its damage is shown all the same. */
static enum status write_page(struct output *w, struct err *e)
{
    struct summary *s = summary_new();
    enum status st = s ? ST_OK : err_set(e, ST_WORLD, "out of memory");
    for (u32 i = 0; !st && i < w->o->arg_count; i++)
        st = summary_add_journal(s, w->o->arg[i], e);
    w->unfinished = s ? s->unfinished : 0;
    if (s && (st != ST_INPUT || s->heads)) {
        if (w->o->format && strcmp(w->o->format, "html") == 0)
            html_print(s, w->out);
        else
            summary_print(s, w->out, color_use(w->o->color, fileno(w->out)));
    }
    summary_free(s);
    return st;
}

static const struct {
    const char *name;
    enum status (*write)(struct output *w, struct err *e);
} formats[] = {
    { "text", write_page },   { "html", write_page },   { "tap", write_tap },
    { "junit", write_junit }, { "jsonl", write_jsonl },
};

/* Whether --out is one of the journals that are read, which opening it would empty. */
static bool is_input(const struct opts *o)
{
    struct stat out, in;
    if (!o->out || stat(o->out, &out) != 0 || !S_ISREG(out.st_mode))
        return false;
    for (u32 i = 0; i < o->arg_count; i++)
        if (stat(o->arg[i], &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return true;
    return false;
}

/* The output file: --out, or standard output. */
static FILE *open_out(const struct opts *o)
{
    return o->out && strcmp(o->out, "-") != 0 ? fopen(o->out, "w") : stdout;
}

int cmd_report(struct opts *o)
{
    struct output w = { .o = o };
    struct err e = { 0 };
    const char *format = o->format ? o->format : "text";
    u32 f = 0;
    while (f < COUNT_OF(formats) && strcmp(formats[f].name, format) != 0)
        f++;
    if (f == COUNT_OF(formats))
        return cmd_error(o, EXIT_USAGE, "--format: \"%.40s\" is not text|html|tap|junit|jsonl",
                         format);
    if (o->canonical && strcmp(format, "jsonl") != 0)
        return cmd_error(o, EXIT_USAGE,
                         "--canonical is for --format jsonl; pages are always in order");
    if (is_input(o))
        return cmd_error(o, EXIT_USAGE, "--out: %s is a journal that is to be read", o->out);
    w.out = open_out(o);
    if (!w.out)
        return cmd_error(o, EXIT_STOPPED, "--out: %s: %s", o->out, strerror(errno));
    enum status st = formats[f].write(&w, &e);
    bool written = fflush(w.out) == 0 && !ferror(w.out);
    if (w.out != stdout && fclose(w.out) != 0)
        written = false;
    if (st)
        return cmd_fail(o, st, &e);
    if (!written && w.out != stdout)
        return cmd_error(o, EXIT_STOPPED, "cannot write %s", o->out);
    if (w.unfinished)
        return cmd_error(o, EXIT_USAGE, "%s%s: %llu run%s did not come to the end: this is a part",
                         o->arg[0], o->arg_count > 1 ? " and others" : "",
                         (unsigned long long)w.unfinished, w.unfinished == 1 ? "" : "s");
    return EXIT_CLEAN;
}
