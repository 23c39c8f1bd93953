#include "reports/tap.h"

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

/* Texts before a directive: `#` would begin one, and a line end would end the test point. */
static void put_description(FILE *out, const char *text)
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

void tap_bail(struct tap *t, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    fputs("Bail out!  ", t->out);
    put_description(t->out, text);
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

/* A YAML scalar on one line. `prove` takes even a quoted list item for a mapping if it holds a
 * colon and a blank, so that colon is escaped too. */
static void put_yaml(FILE *out, const char *text)
{
    if (is_plain_yaml(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (iscntrl((u8)*c) || (*c == ':' && c[1] == ' '))
            fprintf(out, "\\x%02x", (u8)*c);
        else
            fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    fputc('"', out);
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
    put_key(out, "narrowed:", r->narrowed);
    put_key(out, "ledger:", r->ledger);
    put_key(out, "model:", r->model);
    put_key(out, "again:", r->again);
    fputs("  ...\n", out);
}

void tap_result(struct tap *t, const struct result *r)
{
    bool differs = r->status == RESULT_NOT_OK || r->status == RESULT_TODO;
    char name[640];
    fprintf(t->out, "%s %llu - ", differs ? "not ok" : "ok", (unsigned long long)++t->done);
    put_description(t->out, result_name(r, name, sizeof(name)));
    if (r->status == RESULT_SKIP) {
        t->skipped++;
        fprintf(t->out, " # SKIP ");
        put_description(t->out, r->reason[0] ? r->reason : "?");
        if (r->detail[0])
            fputs(": ", t->out);
        put_description(t->out, r->detail);
    } else if (r->status == RESULT_TODO) {
        t->todo++;
        fprintf(t->out, " # TODO ");
        put_description(t->out, r->ledger[0] ? r->ledger : r->reason);
    }
    fputc('\n', t->out);
    t->failed += r->status == RESULT_NOT_OK;
    if (differs) {
        put_block(t->out, r);
        fflush(t->out);
    }
}

/* Self tests: one document on standard output per process. */
static struct tap self;

static struct tap *document(void)
{
    if (!self.out) {
        /* By line, so that a crash or a fork neither loses nor repeats what was said before. */
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
        tap_open(&self, stdout, 0);
    }
    return &self;
}

void tap_test_plan(u64 count)
{
    if (self.out || !count)
        tap_test_bail(__FILE__, __LINE__, "plan() comes first, once, and is not zero");
    document()->planned = count;
    printf("1..%llu\n", (unsigned long long)count);
}

void tap_test_skip_all(const char *fmt, ...)
{
    va_list ap;
    if (self.out)
        tap_test_bail(__FILE__, __LINE__, "skip_all() stands for the plan");
    document();
    printf("1..0 # SKIP ");
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    exit(0);
}

/* One test point; the values that differ have been printed above it. */
static bool __attribute__((format(printf, 4, 0)))
point(const char *file, int line, bool held, const char *fmt, va_list ap)
{
    char text[512];
    struct tap *t = document();
    vsnprintf(text, sizeof(text), fmt, ap);
    if (!held)
        tap_comment(t, "  at:   %s:%d", file, line);
    t->done++;
    t->failed += !held;
    printf("%s %llu - ", held ? "ok" : "not ok", (unsigned long long)t->done);
    put_description(stdout, text);
    putchar('\n');
    return held;
}

static void put_values(const char *want, const char *got)
{
    tap_comment(document(), "  want: %s", want);
    tap_comment(document(), "  got:  %s", got);
}

bool tap_test_ok(const char *file, int line, bool claim, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    point(file, line, claim, fmt, ap);
    va_end(ap);
    return claim;
}

bool tap_test_u64(const char *file, int line, u64 want, u64 got, const char *fmt, ...)
{
    va_list ap;
    if (want != got)
        tap_comment(document(), "  want: %llu\n  got:  %llu", (unsigned long long)want,
                    (unsigned long long)got);
    va_start(ap, fmt);
    point(file, line, want == got, fmt, ap);
    va_end(ap);
    return want == got;
}

bool tap_test_i64(const char *file, int line, i64 want, i64 got, const char *fmt, ...)
{
    va_list ap;
    if (want != got)
        tap_comment(document(), "  want: %lld\n  got:  %lld", (long long)want, (long long)got);
    va_start(ap, fmt);
    point(file, line, want == got, fmt, ap);
    va_end(ap);
    return want == got;
}

bool tap_test_hex(const char *file, int line, u64 want, u64 got, const char *fmt, ...)
{
    va_list ap;
    int digits = (want | got) >> 32 ? 16 : 8;
    if (want != got)
        tap_comment(document(), "  want: 0x%0*llx\n  got:  0x%0*llx", digits,
                    (unsigned long long)want, digits, (unsigned long long)got);
    va_start(ap, fmt);
    point(file, line, want == got, fmt, ap);
    va_end(ap);
    return want == got;
}

/* A string as C would write it, so that what differs in blanks and line ends is seen. */
static const char *quoted(const char *text, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    if (!text) {
        text_add(&t, "NULL");
        return buf;
    }
    text_add(&t, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '\n')
            text_add(&t, "\\n");
        else if (iscntrl((u8)*c))
            text_add(&t, "\\x%02x", (u8)*c);
        else
            text_add(&t, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    text_add(&t, "\"");
    return buf;
}

bool tap_test_str(const char *file, int line, const char *want, const char *got, const char *fmt,
                  ...)
{
    bool same = want && got ? strcmp(want, got) == 0 : want == got;
    char w[2000], g[2000];
    va_list ap;
    if (!same)
        put_values(quoted(want, w, sizeof(w)), quoted(got, g, sizeof(g)));
    va_start(ap, fmt);
    point(file, line, same, fmt, ap);
    va_end(ap);
    return same;
}

bool tap_test_mem(const char *file, int line, const void *want, const void *got, size_t size,
                  const char *fmt, ...)
{
    const u8 *w = want, *g = got;
    size_t at = 0;
    va_list ap;
    while (at < size && w[at] == g[at])
        at++;
    if (at < size)
        tap_comment(document(), "  want: byte %zu of %zu = 0x%02x\n  got:  0x%02x", at, size, w[at],
                    g[at]);
    va_start(ap, fmt);
    point(file, line, at == size, fmt, ap);
    va_end(ap);
    return at == size;
}

void tap_test_skip(u64 count, const char *fmt, ...)
{
    char why[512];
    struct tap *t = document();
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof(why), fmt, ap);
    va_end(ap);
    for (u64 i = 0; i < count; i++) {
        t->skipped++;
        printf("ok %llu # SKIP ", (unsigned long long)++t->done);
        put_description(stdout, why);
        putchar('\n');
    }
}

void tap_test_diag(const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    put_comment(document()->out, text);
}

void tap_test_bail(const char *file, int line, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    tap_bail(document(), "%s (%s:%d)", text, file, line);
    exit(255);
}

int tap_test_done(void)
{
    struct tap *t = document();
    if (t->planned && t->planned != t->done)
        tap_comment(t, "planned %llu test points but ran %llu", (unsigned long long)t->planned,
                    (unsigned long long)t->done);
    if (!t->planned && !t->done)
        tap_comment(t, "no test points at all");
    bool kept = tap_close(t) && t->done > 0;
    return kept && !t->failed ? 0 : 1;
}
