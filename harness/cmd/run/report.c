/* gcncheck report: a journal as a page, as TAP, or for other programs. */
#include "harness/cmd/base/cmd.h"
#include "reports/diff.h"
#include "reports/file/output.h"

#include <stdio.h>
#include <stdlib.h>

/* Everything the journals hold, into a report that is open. */
static enum status read_all(struct opts *o, struct report *r, struct report_reading *found,
                            struct err *e)
{
    struct report_end end = { 0 };
    enum status st = ST_OK;
    for (u32 i = 0; st == ST_OK && i < o->arg_count; i++)
        st = report_journal(r, o->arg[i], found, e);
    if (st == ST_OK && !found->damages) { /* which may have taken heads with it */
        st = parts_check(&found->parts, o->partial, e);
        end.refused = st != ST_OK;
    }
    if (st != ST_OK)
        end.broken = e->text;
    else if (found->damages)
        end.broken = found->damage[0];
    else if (found->unfinished && !o->partial)
        end.broken = "the run did not come to its end";
    if (!report_close(r, &end) && !ferror(r->out))
        return err_set(e, ST_WORLD, "no memory for all results");
    return st;
}

/* A page was made, of what there is. */
static int say_found(const struct opts *o, const struct report_reading *found)
{
    for (u32 i = 0; i < found->damages && i < JOURNAL_DAMAGES_KEPT; i++)
        cmd_error(o, EXIT_USAGE, "%s", found->damage[i]);
    if (found->damages > JOURNAL_DAMAGES_KEPT)
        cmd_error(o, EXIT_USAGE, "and %llu more places that are damaged",
                  (unsigned long long)found->damages - JOURNAL_DAMAGES_KEPT);
    if (found->damages)
        return EXIT_USAGE;
    if (found->unfinished && !o->partial)
        return cmd_error(o, EXIT_USAGE, "%s%s: %llu run%s did not come to the end: this is a part",
                         o->arg[0], o->arg_count > 1 ? " and others" : "",
                         (unsigned long long)found->unfinished, found->unfinished == 1 ? "" : "s");
    return EXIT_CLEAN;
}

static const struct report_format *find_format(const struct opts *o)
{
    const struct report_format *f = report_format_find(o->format, false);
    char names[160];
    struct text t;
    text_init(&t, names, sizeof names);
    report_format_names(&t, false);
    if (!f)
        cmd_error(o, EXIT_USAGE, "--format: \"%.40s\" is not %s", o->format, names);
    return f;
}

/* The file of --out, or NULL for standard output. */
static enum status open_out(const struct opts *o, const struct report_format *format,
                            struct output **out, struct err *e)
{
    struct output_rule rule = { .judge = report_judge, .ctx = format, .force = o->force };
    *out = NULL;
    return o->out && strcmp(o->out, "-") != 0 ? output_open(out, o->out, &rule, e) : ST_OK;
}

/* Puts the page in its place. Where none came out, yesterday's stays. */
static int settle(const struct opts *o, struct output *file, enum status st, const struct err *e)
{
    struct err why = { .text = "" };
    if (file && st == ST_OK) {
        enum status kept = output_commit(file, &why);
        if (kept != ST_OK)
            return cmd_fail(o, kept, &why);
    } else {
        output_drop(file);
    }
    return st == ST_OK ? EXIT_CLEAN : cmd_fail(o, st, e);
}

/* ---- what came and went ---- */

/* What was read of one of two runs must be all of it: what is not there would seem to have gone. */
static enum status check_side(const struct opts *o, struct report_reading *found, const char *path,
                              struct err *e)
{
    if (found->damages)
        return err_set(e, ST_INPUT, "%s", found->damage[0]);
    enum status st = parts_check(&found->parts, o->partial, e);
    if (st == ST_OK && found->unfinished && !o->partial)
        st = err_set(e, ST_INPUT, "%.100s: a run that did not come to its end (--partial: may be)",
                     path);
    return st;
}

/* The command whose journal a part is: the first word of its arguments. */
static int command_len(const struct part *p)
{
    return (int)strcspn(p->head.args, " ");
}

/* Causes of cases and of programs are not the same ones: all would have come and gone. */
static enum status check_commands(struct diff *d, struct err *e)
{
    const struct part *old = d->found[DIFF_OLD].parts.at;
    for (u32 i = 0; i < d->found[DIFF_NEW].parts.count && d->found[DIFF_OLD].parts.count; i++) {
        const struct part *p = &d->found[DIFF_NEW].parts.at[i];
        int a = command_len(old), b = command_len(p);
        if (a != b || strncmp(old->head.args, p->head.args, (size_t)a) != 0)
            return err_set(e, ST_INPUT,
                           "--diff: %.60s is of gcncheck %.*s, %.60s of gcncheck %.*s: they have "
                           "no causes in common",
                           old->file, a, old->head.args, p->file, b, p->head.args);
    }
    return ST_OK;
}

static enum status read_sides(const struct opts *o, struct diff *d, struct err *e)
{
    enum status st = diff_read(d, DIFF_OLD, o->diff, e);
    if (st == ST_OK)
        st = check_side(o, &d->found[DIFF_OLD], o->diff, e);
    for (u32 i = 0; st == ST_OK && i < o->arg_count; i++)
        st = diff_read(d, DIFF_NEW, o->arg[i], e);
    if (st == ST_OK)
        st = check_side(o, &d->found[DIFF_NEW], o->arg[0], e);
    if (st == ST_OK)
        st = check_commands(d, e);
    return st == ST_OK ? diff_find(d, e) : st;
}

static int report_diff(const struct opts *o, const struct report_format *format)
{
    struct diff *d = malloc(sizeof *d); /* too large for a stack */
    struct output *file = NULL;
    struct err e = { .text = "" };
    enum status st = d ? diff_open(d, &e) : err_memory(&e);
    if (st != ST_OK) {
        free(d);
        return cmd_fail(o, st, &e);
    }
    st = read_sides(o, d, &e);
    if (st == ST_OK)
        st = open_out(o, format, &file, &e);
    FILE *out = file ? output_stream(file) : stdout;
    if (st == ST_OK && !diff_print(d, format, out, color_use(o->color, fileno(out))) &&
        !ferror(out))
        st = err_memory(&e);
    int code = settle(o, file, st, &e);
    if (code == EXIT_CLEAN && d->changes[DIFF_CAME])
        code = EXIT_DIFFERENCES;
    diff_close(d);
    free(d);
    return code;
}

int cmd_report(struct opts *o)
{
    struct report r = { .canonical = o->canonical, .failures = o->failures };
    struct err e = { 0 };
    struct report_reading found = { .unfinished = 0 };
    struct output *file;
    const struct report_format *format = find_format(o);
    if (!format)
        return EXIT_USAGE;
    if (o->failures && !format->streams)
        return cmd_error(o, EXIT_USAGE, "--failures is for formats that list results: %s has all",
                         format->name);
    if (o->canonical && format->writer != &report_jsonl)
        return cmd_error(o, EXIT_USAGE,
                         "--canonical is for --format jsonl; pages are always in order");
    if (o->diff && (o->failures || o->canonical))
        return cmd_error(o, EXIT_USAGE, "--diff lists causes, in order: --%s is for results",
                         o->failures ? "failures" : "canonical");
    if (o->diff)
        return report_diff(o, format);
    enum status st = open_out(o, format, &file, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    FILE *out = file ? output_stream(file) : stdout;
    r.color = color_use(o->color, fileno(out));
    st = report_open(&r, format, out) ? read_all(o, &r, &found, &e) : err_memory(&e);
    parts_free(&found.parts);
    int code = settle(o, file, st, &e);
    if (code != EXIT_CLEAN)
        return code;
    return say_found(o, &found);
}
