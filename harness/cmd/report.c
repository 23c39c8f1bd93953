/* gcncheck report: a journal as a page, as TAP, or for other programs. */
#include "harness/cmd/cmd.h"
#include "reports/format.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

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

/* Everything the journals hold, into a report that is open. *unfinished: runs without their end. */
static enum status read_all(struct opts *o, struct report *r, u64 *unfinished, struct err *e)
{
    struct report_end end = { 0 };
    enum status st = ST_OK;
    for (u32 i = 0; st == ST_OK && i < o->arg_count; i++)
        st = report_journal(r, o->arg[i], unfinished, e);
    if (st != ST_OK)
        end.broken = e->text;
    else if (*unfinished)
        end.broken = "the run did not come to its end";
    if (!report_close(r, &end) && !ferror(r->out))
        return err_set(e, ST_WORLD, "no memory for all results");
    return st;
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

int cmd_report(struct opts *o)
{
    struct report r = { .canonical = o->canonical };
    struct err e = { 0 };
    u64 unfinished = 0;
    const struct report_format *format = find_format(o);
    if (!format)
        return EXIT_USAGE;
    if (o->canonical && format->writer != &report_jsonl)
        return cmd_error(o, EXIT_USAGE,
                         "--canonical is for --format jsonl; pages are always in order");
    if (is_input(o))
        return cmd_error(o, EXIT_USAGE, "--out: %s is a journal that is to be read", o->out);
    FILE *out = open_out(o);
    if (!out)
        return cmd_error(o, EXIT_STOPPED, "--out: %s: %s", o->out, strerror(errno));
    r.color = color_use(o->color, fileno(out));
    enum status st =
        report_open(&r, format, out) ? read_all(o, &r, &unfinished, &e) : err_memory(&e);
    bool written = fflush(out) == 0 && !ferror(out);
    if (out != stdout && fclose(out) != 0)
        written = false;
    if (st)
        return cmd_fail(o, st, &e);
    if (!written && out != stdout)
        return cmd_error(o, EXIT_STOPPED, "cannot write %s", o->out);
    if (unfinished)
        return cmd_error(o, EXIT_USAGE, "%s%s: %llu run%s did not come to the end: this is a part",
                         o->arg[0], o->arg_count > 1 ? " and others" : "",
                         (unsigned long long)unfinished, unfinished == 1 ? "" : "s");
    return EXIT_CLEAN;
}
