#include "reports/tap.h"

#include "reports/format.h"

#include <ctype.h>
#include <stdlib.h>

void tap_open(struct tap *t, FILE *out, u64 planned)
{
    *t = (struct tap){ .out = out, .planned = planned };
    fputs("TAP version 13\n", out);
    if (planned)
        fprintf(out, "1..%llu\n", (unsigned long long)planned);
}

bool tap_close_empty(struct tap *t, const char *why)
{
    fprintf(t->out, "1..0 # SKIP %s\n", why);
    return fflush(t->out) == 0 && !ferror(t->out);
}

bool tap_close(struct tap *t)
{
    if (!t->planned)
        fprintf(t->out, "1..%llu\n", (unsigned long long)t->done);
    bool written = fflush(t->out) == 0 && !ferror(t->out);
    return written && (!t->planned || t->planned == t->done);
}

void tap_escape(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '#' || *c == '\\')
            fputc('\\', out);
        fputc(iscntrl((u8)*c) ? ' ' : *c, out);
    }
}

static void put_comment(FILE *out, const char *text)
{
    for (const char *c = text;;) {
        size_t len = strcspn(c, "\n");
        fprintf(out, len ? "# %.*s\n" : "#\n", (int)len, c);
        c += len;
        if (!*c || !*++c)
            return;
    }
}

void tap_comment(struct tap *t, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    put_comment(t->out, text);
}

/* Begins as tap_comment: what a va_list is for cannot be left to a helper in fewer lines. */
void tap_bail(struct tap *t, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    fputs("Bail out!  ", t->out);
    tap_escape(t->out, text);
    fputc('\n', t->out);
    fflush(t->out);
}

static bool is_plain_yaml(const char *text)
{
    if (!isalnum((u8)text[0]) && text[0] != '_' && text[0] != '/' && text[0] != '.')
        return false;
    for (const char *c = text; *c; c++) {
        if (iscntrl((u8)*c) || (*c == ':' && (!c[1] || c[1] == ' ')) || (*c == ' ' && c[1] == '#'))
            return false;
        if (*c == ' ' && !c[1])
            return false;
    }
    return strcmp(text, "...") != 0;
}

/* A YAML scalar in quotes, in which a shell finds nothing to do either. `prove` takes even a quoted list item for a mapping if it holds a colon
 * and a blank, so that in one that colon is escaped too. */
static void put_quoted(FILE *out, const char *text, bool is_item)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (iscntrl((u8)*c) || strchr("$`!", *c) || (is_item && *c == ':' && c[1] == ' '))
            fprintf(out, "\\x%02x", (u8)*c);
        else
            fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    fputc('"', out);
}

/* A YAML scalar on one line. */
static void put_yaml(FILE *out, const char *text)
{
    if (is_plain_yaml(text))
        fputs(text, out);
    else
        put_quoted(out, text, true);
}

static void put_key(FILE *out, const char *key, const char *value)
{
    if (!value[0])
        return;
    fprintf(out, "  %-6s ", key);
    put_yaml(out, value);
    fputc('\n', out);
}

static void put_insn(FILE *out, const struct result *r)
{
    char line[256];
    struct text t;
    text_init(&t, line, sizeof(line));
    text_add(&t, "%s", r->insn);
    for (u32 i = 0; i < r->dword_count && i < RESULT_DWORDS_MAX; i++)
        text_add(&t, "%s%08x", i ? " " : t.len ? "     " : "", r->dwords[i]);
    put_key(out, "insn:", line);
}

static void put_program(FILE *out, const char *program)
{
    if (!program[0])
        return;
    fputs("  program:\n", out);
    for (const char *c = program; *c;) {
        char line[256];
        size_t len = strcspn(c, "\n");
        size_t blanks = strspn(c, " \t");
        blanks = blanks < len ? blanks : len;
        snprintf(line, sizeof(line), "%.*s", (int)(len - blanks), c + blanks);
        if (line[0]) {
            fputs("    - ", out);
            put_yaml(out, line);
            fputc('\n', out);
        }
        c += len;
        c += *c == '\n';
    }
}

static int longest(int width, const char *text)
{
    int len = (int)strlen(text);
    return len > width ? len : width;
}

static void put_parts(FILE *out, const struct result *r)
{
    if (!r->parts[0])
        return;
    fputs("  parts:  ", out);
    char line[512];
    snprintf(line, sizeof(line), "%s%s", r->blame[0] ? "at " : "", r->parts);
    put_quoted(out, line, false);
    fputc('\n', out);
}

static void put_diffs(FILE *out, const struct result *r)
{
    u32 held = result_diffs_held(r);
    int place_width = 0, want_width = 0, got_width = 0;
    char place[64];
    if (!r->diff_count)
        return;
    for (u32 i = 0; i < held; i++) {
        place_width = longest(place_width, result_place(&r->diff[i], place, sizeof(place)));
        want_width = longest(want_width, r->diff[i].want);
        got_width = longest(got_width, r->diff[i].got);
    }
    fputs("  diff:\n", out);
    for (u32 i = 0; i < held; i++) {
        const struct result_diff *d = &r->diff[i];
        char line[384];
        struct text t;
        bool more = d->acceptance[0] || d->note[0];
        text_init(&t, line, sizeof(line));
        text_add(&t, "%-*s  want %-*s  got %-*s", place_width,
                 result_place(d, place, sizeof(place)), want_width, d->want, more ? got_width : 0,
                 d->got);
        if (d->acceptance[0])
            text_add(&t, "  accepts %s", d->acceptance);
        if (d->note[0])
            text_add(&t, "  %s", d->note);
        fputs("    - ", out);
        put_yaml(out, line);
        fputc('\n', out);
    }
    if (r->diff_count > held)
        fprintf(out, "    - and %u more\n", r->diff_count - held);
}

static void put_block(FILE *out, const struct result *r)
{
    char at[192];
    snprintf(at, sizeof(at), r->line ? "%s:%u" : "%s", r->file, r->line);
    fputs("  ---\n", out);
    put_key(out, "id:", r->id[0] ? r->id : "?");
    put_key(out, "at:", at);
    put_insn(out, r);
    put_program(out, r->program);
    put_key(out, "in:", r->inputs);
    put_key(out, "reason:", r->reason);
    put_key(out, "detail:", r->detail);
    put_diffs(out, r);
    put_parts(out, r);
    put_key(out, "narrowed:", r->narrowed);
    put_key(out, "ledger:", r->ledger);
    put_key(out, "model:", r->model);
    put_key(out, "vote:", r->vote);
    put_key(out, "again:", r->again);
    fputs("  ...\n", out);
}

void tap_result(struct tap *t, const struct result *r)
{
    bool differs = result_differs(r);
    char name[640];
    fprintf(t->out, "%s %llu - ", differs ? "not ok" : "ok", (unsigned long long)++t->done);
    tap_escape(t->out, result_name(r, name, sizeof(name)));
    if (r->status == RESULT_SKIP) {
        t->skipped++;
        fprintf(t->out, " # SKIP ");
        tap_escape(t->out, r->reason[0] ? r->reason : "?");
        if (r->detail[0])
            fputs(": ", t->out);
        tap_escape(t->out, r->detail);
    } else if (r->status == RESULT_TODO) {
        t->todo++;
        fprintf(t->out, " # TODO ");
        tap_escape(t->out, r->ledger[0] ? r->ledger : r->reason);
    } else if (r->status == RESULT_KNOWN) {
        t->todo++;
        fprintf(t->out, " # TODO known: ");
        tap_escape(t->out, r->known);
    }
    fputc('\n', t->out);
    t->failed += r->status == RESULT_NOT_OK;
    if (differs && r->status != RESULT_KNOWN) {
        put_block(t->out, r);
        fflush(t->out);
    }
}

/* ---- the format ---- */

static bool open_report(struct report *r)
{
    r->state = malloc(sizeof(struct tap));
    if (r->state)
        tap_open(r->state, r->out, 0);
    return r->state != NULL;
}

static bool put_result(struct report *r, const struct result *result)
{
    tap_result(r->state, result);
    return true;
}

static bool put_record(struct report *r, const struct journal_record *rec)
{
    if (rec->kind == JOURNAL_HEAD)
        tap_comment(r->state, "gcncheck %s, %s, %s\n%s", rec->head.version, rec->head.mcpu,
                    rec->head.dut, rec->head.args);
    else if (rec->kind == JOURNAL_DUT)
        tap_comment(r->state, "%s %s", rec->dut.name, rec->dut.version);
    return true;
}

/* A broken report has no plan: half of a run must not look like all of one. */
static bool close_report(struct report *r, const struct report_end *end)
{
    struct tap *t = r->state;
    bool good = true;
    if (end->broken)
        tap_bail(t, "%s", end->broken);
    else
        good = t->done || !end->empty ? tap_close(t) : tap_close_empty(t, end->empty);
    free(t);
    return good;
}

const struct report_writer report_tap = { .open = open_report,
                                          .result = put_result,
                                          .record = put_record,
                                          .close = close_report,
                                          .mark = "^TAP version 13\n# gcncheck " };
