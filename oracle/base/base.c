#include "oracle/base/base.h"

#include <stdio.h>
#include <stdlib.h>

enum status err_set(struct err *e, enum status st, const char *fmt, ...)
{
    if (e) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(e->text, sizeof e->text, fmt, ap);
        va_end(ap);
    }
    return st;
}

enum status err_file(struct err *e, enum status st, const char *file, const char *text)
{
    struct text t;
    if (e) {
        text_init(&t, e->file, sizeof(e->file));
        text_add(&t, "%s", file);
        e->line = 0;
    }
    return err_set(e, st, "%s", text);
}

enum status err_memory(struct err *e)
{
    return err_set(e, ST_WORLD, "out of memory");
}

bool err_is_memory(const struct err *e)
{
    return strncmp(e->text, "out of memory", strlen("out of memory")) ==
           0; /* for what, may follow */
}

const char *err_text(const struct err *e, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    if (e->file[0])
        text_add(&t, "%s:", e->file);
    if (e->line > 0)
        text_add(&t, e->file[0] ? "%d:" : "line %d:", e->line);
    text_add(&t, "%s%s", t.len ? " " : "", e->text);
    return buf;
}

void bug_at(const char *file, int line, const char *text)
{
    fprintf(stderr, "gcncheck: internal error at %s:%d: %s\n", file, line, text);
    abort();
}

void text_init(struct text *t, char *buf, size_t size)
{
    *t = (struct text){ .buf = buf, .size = size };
    if (size)
        buf[0] = '\0';
}

void text_add(struct text *t, const char *fmt, ...)
{
    if (t->full || t->size == 0)
        return;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(t->buf + t->len, t->size - t->len, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= t->size - t->len) {
        t->full = true;
        t->len = t->size - 1;
    } else {
        t->len += (size_t)n;
    }
}

static u64 splitmix64(u64 *s)
{
    u64 z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void rng_seed(struct rng *r, u64 seed)
{
    for (size_t i = 0; i < COUNT_OF(r->s); i++)
        r->s[i] = splitmix64(&seed);
}

u64 hash_mix(u64 a, u64 b)
{
    u64 s = a ^ rng_rotate(b, 32);
    u64 h = splitmix64(&s);
    s ^= b;
    return h ^ splitmix64(&s);
}
