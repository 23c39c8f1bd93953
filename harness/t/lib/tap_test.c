#include "harness/t/lib/tap_test.h"

#include "reports/tap.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One document on standard output per process. */
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
    tap_escape(stdout, text);
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

/* One for each type: around a va_list a helper would take as many lines. */
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
        tap_escape(stdout, why);
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
    tap_comment(document(), "%s", text);
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
