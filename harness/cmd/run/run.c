/* gcncheck run: directed cases on a DUT. */
#include "harness/run/run.h"
#include "harness/cmd/base/cmd.h"
#include "harness/cmd/base/known.h"
#include "harness/cmd/run/vote.h"
#include "harness/dut/identity.h"
#include "harness/io/clock.h"
#include "harness/io/file.h"
#include "harness/io/progress.h"
#include "harness/io/sha256.h"
#include "harness/io/stop.h"
#include "reports/format.h"
#include "reports/journal.h"
#include "reports/summary.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>

enum { BATCH = 64, FLUSH_MS = 1000 };

/* Where results go, and what is counted for the summary. */
struct sink {
    struct opts *o;
    const struct report_format *format;
    struct report report;
    struct journal *journal; /* NULL: none */
    struct journal_head head;
    struct journal_dut dut; /* as the journal has it; empty: it does not */
    char path[1024];        /* of the journal */
    FILE *out;              /* standard output, behind the journal */
    char last;              /* character that was written there */
    bool is_cut;            /* the rest says why */
    bool is_stopped;        /* before the last result, as it was asked to be */
    u64 flushed_ms;
    enum status journal_status;
    struct err journal_err;
    struct progress progress;
    struct summary *summary;
    struct known *known;  /* NULL: none are */
    struct result judged; /* the result as they see it */
};

static void flush_journal(struct sink *s)
{
    if (s->journal && s->journal_status == ST_OK)
        s->journal_status = journal_flush(s->journal, &s->journal_err);
}

/* Standard output as a stream whose every write, also those that make room in its buffer, comes
 * after the journal: what was printed is never lost, and what the journal cannot hold is not printed. */
static ssize_t write_behind(void *cookie, const char *text, size_t size)
{
    struct sink *s = cookie;
    flush_journal(s);
    if (s->journal_status != ST_OK && !s->is_cut)
        return (ssize_t)size;
    s->last = size ? text[size - 1] : s->last;
    return fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0 ? (ssize_t)size : 0;
}

/* Drops what was not written because of the journal. */
static void cut_behind(struct sink *s)
{
    __fpurge(s->out);
    s->is_cut = true;
    if (s->last && s->last != '\n')
        fputc('\n', s->out);
}

static FILE *open_behind(struct sink *s)
{
    return fopencookie(s, "w", (cookie_io_functions_t){ .write = write_behind });
}

static void flush(struct sink *s)
{
    s->flushed_ms = clock_ms();
    flush_journal(s);
    progress_hide(&s->progress);
    fflush(s->out);
    progress_set(&s->progress, s->summary->total, s->summary->count[TALLY_WRONG]);
}

/* The result as it counts where some failures are known. NULL: no memory. */
static const struct result *look_up(struct sink *s, const struct result *r)
{
    if (!s->known)
        return r;
    s->judged = *r;
    return known_take(s->known, &s->judged) ? &s->judged : NULL;
}

static enum status take(void *ctx, const struct result *result, struct err *e)
{
    struct sink *s = ctx;
    const struct result *r = look_up(s, result);
    if (r && s->journal && s->journal_status == ST_OK)
        s->journal_status = journal_result(s->journal, r, &s->journal_err);
    if (s->journal_status == ST_OK &&
        (!r || !summary_add(s->summary, r) || !report_result(&s->report, r)))
        return err_set(e, ST_WORLD, "out of memory for all results");
    if (s->summary->total % BATCH == 0 || clock_ms() - s->flushed_ms >= FLUSH_MS)
        flush(s);
    *e = s->journal_err;
    return s->journal_status;
}

static void print_summary(struct sink *s)
{
    char line[1024];
    summary_sort(s->summary);
    if (!s->o->quiet && s->summary->total)
        fprintf(stderr, "%s\n", summary_line(s->summary, line, sizeof line));
}

/* ---- set-up ---- */

static enum status pick_format(struct sink *s, struct err *e)
{
    char names[160];
    struct text t;
    text_init(&t, names, sizeof names);
    report_format_names(&t, true);
    s->format = report_format_find(s->o->format, true);
    return s->format ? ST_OK
                     : err_set(e, ST_INPUT, "--format: \"%.40s\" is not %s", s->o->format, names);
}

/* What decides which results there are, and in which order. */
static void put_args(const struct opts *o, struct text *t)
{
    const struct {
        const char *option, *value;
    } texts[] = { { "form", o->form },   { "only", o->only },   { "gate", o->gate },
                  { "known", o->known }, { "skips", o->skips }, { "flakes", o->flakes } };
    text_add(t, "run");
    for (u32 i = 0; i < COUNT_OF(texts); i++)
        if (texts[i].value)
            text_add(t, " --%s %s", texts[i].option, texts[i].value);
    if (o->shards > 1)
        text_add(t, " --shard %u/%u", o->shard + 1, o->shards);
    if (o->fraction != o->fraction_of)
        text_add(t, " --fraction %u/%u", o->fraction, o->fraction_of);
    for (u32 i = 0; i < o->arg_count; i++)
        text_add(t, " %s", o->arg[i]);
}

/* Of all of it: the journal's line may be cut. */
static void hash_args(const struct opts *o, char *hash, size_t size)
{
    const char *const texts[] = { o->form, o->only, o->gate, o->known, o->skips, o->flakes };
    const u32 numbers[] = { o->fraction, o->fraction_of };
    char text[SHA256_TEXT];
    struct sha256 sum;
    sha256_init(&sum);
    for (u32 i = 0; i < COUNT_OF(texts); i++)
        sha256_add_text(&sum, texts[i]);
    sha256_add(&sum, numbers, sizeof numbers);
    for (u32 i = 0; i < o->arg_count; i++)
        sha256_add_text(&sum, o->arg[i]);
    sha256_end(&sum, text);
    snprintf(hash, size, "%.16s", text);
}

/* The journal's place: --resume FILE, --journal FILE, or --out DIR with DIR/run.journal. */
static enum status journal_path(const struct opts *o, char *path, size_t size, struct err *e)
{
    const char *file = o->resume ? o->resume : o->journal;
    if (o->resume && (o->journal || o->out))
        return err_set(e, ST_INPUT, "--resume names the journal: --%s is one too many",
                       o->journal ? "journal" : "out");
    if (!file && file_make_dir(o->out, e) != ST_OK)
        return ST_WORLD;
    int n =
        file ? snprintf(path, size, "%s", file) : snprintf(path, size, "%s/run.journal", o->out);
    if (n < 0 || (size_t)n >= size)
        return err_set(e, ST_INPUT, "the path of the journal is too long");
    return ST_OK;
}

/* A device that cannot be opened has no hash; opening it will say why. ST_WORLD: it cannot be told. */
static enum status fill_head(struct sink *s, const struct run *r, struct err *e)
{
    const struct opts *o = s->o;
    struct text args;
    char hash[SHA256_TEXT];
    RESULT_SET(s->head.version, "%s", GCNCHECK_VERSION);
    RESULT_SET(s->head.mcpu, "%s", o->mcpu);
    RESULT_SET(s->head.dut, "%s", o->dut);
    text_init(&args, s->head.args, sizeof s->head.args);
    put_args(o, &args);
    hash_args(o, s->head.options, sizeof s->head.options);
    enum status st = dut_identity(o->dut, hash, e);
    RESULT_SET(s->head.dut_hash, "%s", st == ST_OK ? hash : "");
    s->head.shard = o->shard;
    s->head.shards = o->shards;
    s->head.count = run_count(r);
    s->head.offered = run_offered(r);
    return st == ST_WORLD ? st : ST_OK;
}

/* Puts into the journal what the device calls itself, or holds it against what is there. */
static enum status take_device(void *arg, const struct dut *d, struct err *e)
{
    struct sink *s = arg;
    struct journal_dut now;
    RESULT_SET(now.name, "%s", d->name);
    RESULT_SET(now.version, "%s", d->version);
    if (!s->journal)
        return ST_OK;
    if (!s->dut.name[0])
        return journal_dut(s->journal, &now, e);
    if (strcmp(s->dut.name, now.name) == 0 && strcmp(s->dut.version, now.version) == 0)
        return ST_OK;
    return err_set(e, ST_INPUT, "%.100s: was begun with %.60s %.60s, and this is %.60s %.60s",
                   s->path, s->dut.name, s->dut.version, now.name, now.version);
}

/* One that is gone on with is opened later, once it is known to be of this run. */
static enum status open_journal(struct sink *s, const struct run *r, struct err *e)
{
    const struct opts *o = s->o;
    if (!o->journal && !o->out && !o->resume)
        return ST_OK;
    enum status st = journal_path(o, s->path, sizeof s->path, e);
    if (st != ST_OK)
        return st;
    st = fill_head(s, r, e);
    if (o->resume || st != ST_OK)
        return st;
    st = journal_create(s->path, o->force, &s->head, &s->journal, e);
    if (st == ST_OK && o->clock)
        st = journal_clock(s->journal, e);
    return st == ST_OK ? journal_intent(s->journal, 0, run_count(r), e) : st;
}

/* Whether cases or what decides about them are others. */
static bool is_other_run(const struct journal_head *a, const struct journal_head *b)
{
    return strcmp(a->args, b->args) != 0 ||
           (a->options[0] && b->options[0] && strcmp(a->options, b->options) != 0);
}

/* Of a head that was edited nothing is shown that looks like a command. */
static enum status say_other_run(const struct sink *s, const struct journal_head *h, struct err *e)
{
    char command[sizeof h->args + 16];
    snprintf(command, sizeof command, "gcncheck %s", h->args);
    bool is_shown = result_is_command(command);
    return err_set(e, ST_INPUT, "%s: belongs to another run%s%.120s", s->path, is_shown ? ": " : "",
                   is_shown ? command : "");
}

/* Prints and counts what the journal held before. */
static enum status take_done(struct sink *s, struct run *r, struct err *e)
{
    struct journal_reader rd;
    struct journal_record *rec = malloc(sizeof *rec);
    enum status st = rec ? journal_reader_open(&rd, s->path, e) : err_memory(e);
    bool is_open = rec && st == ST_OK;
    while (st == ST_OK && (st = journal_next(&rd, rec, e)) == ST_OK && rec->kind != JOURNAL_NONE) {
        st = journal_may_resume(&rd, s->path, e);
        if (rec->kind == JOURNAL_HEAD && st == ST_OK)
            st = journal_check_head(s->path, &rec->head, &s->head, e);
        if (rec->kind == JOURNAL_HEAD && st == ST_OK && is_other_run(&rec->head, &s->head))
            st = say_other_run(s, &rec->head, e);
        if (rec->kind == JOURNAL_DUT)
            s->dut = rec->dut;
        if (rec->kind != JOURNAL_RESULT || st != ST_OK)
            continue;
        struct err why;
        st = run_skip(r, &rec->result, &why);
        if (st != ST_OK)
            err_set(e, st, "%s: %.180s", s->path, why.text);
        else
            st = take(s, &rec->result, e);
    }
    if (is_open)
        journal_reader_close(&rd);
    free(rec);
    return st;
}

/* Goes on with a journal; one that is not there is begun. */
static enum status resume(struct sink *s, struct run *r, struct err *e)
{
    u64 done = 0;
    enum status st = access(s->path, F_OK) == 0 ? take_done(s, r, e) : ST_OK;
    if (st == ST_OK)
        st = journal_resume(s->path, &s->head, &s->journal, &done, e);
    if (st == ST_OK && s->o->clock)
        st = journal_clock(s->journal, e);
    if (st != ST_OK)
        return st;
    s->journal_status = journal_intent(s->journal, done, run_count(r) - done, &s->journal_err);
    *e = s->journal_err;
    return s->journal_status;
}

/* Whether the run found out nothing, as where the DUT lacks every opcode: each result was skipped
 * or judged on less than its case asks for. A shard may; another one then judges. */
static bool judged_nothing(const struct sink *s)
{
    const u64 *n = s->summary->count;
    return s->summary->total && s->o->shards <= 1 &&
           n[TALLY_RIGHT] + n[TALLY_WRONG] + n[TALLY_TODO] + n[TALLY_KNOWN] == 0;
}

static int say_nothing_judged(const struct sink *s)
{
    const u64 *n = s->summary->count;
    return cmd_error(s->o, EXIT_STOPPED,
                     "no case was judged in full: unimplemented %llu, narrowed %llu, skipped %llu",
                     (unsigned long long)n[TALLY_UNIMPLEMENTED],
                     (unsigned long long)n[TALLY_NARROWED], (unsigned long long)n[TALLY_SKIPPED]);
}

/* Whether the run was asked to stop before its last result. */
static bool was_cut(const struct sink *s, const struct run *r, enum status st)
{
    return (stop_requested() || st == ST_OK) && s->summary->total < run_count(r);
}

static enum status say_cut(const struct sink *s, const struct run *r, struct err *e)
{
    /* One that was to replace another has not, if there is nothing in it. */
    bool is_there = s->journal && (s->summary->total || !s->o->force);
    *e = (struct err){ 0 };
    return err_set(e, ST_WORLD, "%s after %llu of %llu results%s%s",
                   stop_requested() ? stop_text() : "the time was over",
                   (unsigned long long)s->summary->total, (unsigned long long)run_count(r),
                   is_there ? "; to go on: --resume " : "", is_there ? s->path : "");
}

/* Everything between the opening of the report and its end. */
static enum status run_results(struct sink *s, struct run *r, struct err *e)
{
    enum status st = ST_OK;
    if (s->o->resume)
        st = resume(s, r, e);
    if (st == ST_OK)
        st = run_all(r, take, s, e);
    s->is_stopped = was_cut(s, r, st);
    if (s->is_stopped)
        st = say_cut(s, r, e);
    flush(s);
    progress_hide(&s->progress);
    if (s->journal_status == ST_OK)
        return st;
    cut_behind(s);
    *e = s->journal_err;
    return s->journal_status;
}

/* Whether the journal is one that was begun in vain. */
static bool holds_nothing(const struct sink *s)
{
    return !s->summary->total && !s->is_stopped && !s->o->resume && s->journal_status == ST_OK;
}

/* Ends journal and report; the exit code of all that went wrong. */
static int end_run(struct sink *s, enum status st, const struct err *e)
{
    struct err je = { 0 };
    enum status js = ST_OK;
    if (st != ST_OK && holds_nothing(s))
        journal_discard(s->journal);
    else
        js = journal_close(s->journal, st == ST_OK, &je);
    struct report_end end = { .broken = st == ST_OK ? NULL : e->text,
                              .empty = s->o->failures     ? "no failures"
                                       : s->o->shards > 1 ? "empty shard"
                                                          : "empty fraction" };
    s->journal = NULL;
    bool written = report_close(&s->report, &end);
    written = fclose(s->out) == 0 && written;
    int code = s->summary->count[TALLY_WRONG] ? EXIT_DIFFERENCES : EXIT_CLEAN;
    if (st != ST_OK)
        code = cmd_exit_worse(code, cmd_fail(s->o, st, e));
    if (js != ST_OK && s->journal_status == ST_OK)
        code = cmd_exit_worse(code, cmd_fail(s->o, js, &je));
    if (!written)
        code = cmd_exit_worse(code,
                              cmd_error(s->o, EXIT_STOPPED, "standard output cannot be written"));
    return code;
}

static int run_and_print(struct sink *s, struct run *r)
{
    struct err e = { 0 };
    enum status st = open_journal(s, r, &e);
    if (st == ST_OK) {
        s->out = open_behind(s);
        st = s->out && report_open(&s->report, s->format, s->out) ? ST_OK : err_memory(&e);
    }
    if (st != ST_OK) {
        if (s->out)
            fclose(s->out);
        journal_close(s->journal, false, NULL);
        return cmd_fail(s->o, st, &e);
    }
    s->report.failures = s->o->failures;
    progress_open(&s->progress, s->o->quiet, s->o->color, "cases", run_count(r));
    s->progress.limit_ms = s->o->time_limit_ms;
    st = run_results(s, r, &e);
    int code = end_run(s, st, &e);
    print_summary(s);
    code = cmd_known_end(s->o, s->known, code == EXIT_CLEAN || code == EXIT_DIFFERENCES,
                         run_is_whole(r), code);
    if (code == EXIT_CLEAN && judged_nothing(s))
        code = say_nothing_judged(s);
    return code;
}

static enum status open_run(const struct opts *o, struct sink *s, struct run **out, struct err *e)
{
    struct run_cfg cfg = { .dut = o->dut,
                           .jobs = o->jobs,
                           .dut_time_ms = opts_dut_time_ms(o),
                           .time_ms = o->time_limit_ms,
                           .opened = take_device,
                           .arg = s,
                           .known = s->known,
                           .in_process = o->in_process,
                           .gate = evidence_named(o->gate) };
    cmd_choose_cases(o, &cfg);
    enum status st = run_open(out, &cfg, e);
    if (st == ST_OK)
        st = cmd_add_cases(o, *out, e);
    if (st != ST_OK || run_offered(*out))
        return st;
    *e = (struct err){ 0 };
    return err_set(e, ST_INPUT, "no case is selected");
}

int cmd_run(struct opts *o)
{
    if (o->dut_count > 1)
        return cmd_vote(o);
    struct sink *s = calloc(1, sizeof *s);
    struct err e = { 0 };
    struct run *r = NULL;
    if (!s)
        return cmd_fail(o, err_memory(&e), &e);
    s->o = o;
    stop_catch();
    enum status st = pick_format(s, &e);
    if (st == ST_OK && o->clock && !o->journal && !o->out && !o->resume)
        st = err_set(&e, ST_INPUT, "--clock is for journals: --journal, --out or --resume");
    if (st == ST_OK && o->lineage)
        st = err_set(&e, ST_INPUT, "--lineage is for several --dut");
    if (st == ST_OK)
        st = cmd_known_open(o, KNOWN_RUN, &s->known, &e);
    if (st == ST_OK)
        st = open_run(o, s, &r, &e);
    if (st == ST_OK && !(s->summary = summary_new()))
        st = err_memory(&e);
    int code = st == ST_OK ? run_and_print(s, r) : cmd_fail(o, st, &e);
    summary_free(s->summary);
    known_close(s->known);
    run_close(r);
    free(s);
    return code;
}
