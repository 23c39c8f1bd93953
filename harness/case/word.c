/* Words of a line, and memory that lives as long as the file that was read. */
#include "harness/case/internal.h"

#include <stdlib.h>

/* ---- memory ---- */

struct block_head {
    struct block_head *next;
    max_align_t bytes[];
};

void *casefile_alloc(struct casefile *f, size_t bytes)
{
    struct block_head *b = calloc(1, sizeof *b + bytes);
    if (!b)
        return NULL;
    b->next = f->blocks;
    f->blocks = b;
    return b->bytes;
}

void *casefile_more(struct casefile *f, void *array, u32 *count, u32 *cap, size_t element)
{
    void **a = array;
    if (*count == *cap) {
        u32 more = *cap ? *cap * 2 : 4;
        void *bigger = casefile_alloc(f, more * element);
        if (!bigger)
            return NULL;
        if (*count)
            memcpy(bigger, *a, *count * element);
        *a = bigger;
        *cap = more;
    }
    return (char *)*a + (*count)++ * element;
}

void casefile_free(struct casefile *f)
{
    if (!f)
        return;
    for (struct block_head *b = f->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(f);
}

/* ---- words ---- */

bool word_next(const char **p, struct word *w)
{
    const char *s = *p;
    while (word_is_blank(*s))
        s++;
    w->s = s;
    if (*s == '|' || *s == '=') {
        s++;
    } else if (*s == '{') {
        while (*s && *s != '}')
            s++;
    }
    if (w->s == s || *w->s == '{')
        while (*s && !word_is_blank(*s) && *s != '|' && *s != '=')
            s++;
    w->len = (size_t)(s - w->s);
    *p = s;
    return w->len > 0;
}

bool word_is(const struct word *w, const char *text)
{
    return strlen(text) == w->len && memcmp(text, w->s, w->len) == 0;
}

enum status word_err(struct err *e, const char *text, const char *s, size_t len)
{
    char shown[61];
    size_t n = len < 60 ? len : 60;
    for (size_t i = 0; i < n; i++)
        shown[i] = (char)(s[i] >= 32 && s[i] < 127 ? s[i] : '?');
    shown[n] = '\0';
    return err_set(e, ST_INPUT, "%s: \"%s\"%s", text, shown, len > n ? "..." : "");
}

bool word_u64(const char *s, size_t len, u64 *v)
{
    bool hex = len > 2 && s[0] == '0' && s[1] == 'x';
    u64 base = hex ? 16 : 10;
    *v = 0;
    if (len == 0)
        return false;
    for (size_t i = hex ? 2 : 0; i < len; i++) {
        u64 digit;
        if (s[i] >= '0' && s[i] <= '9')
            digit = (u64)(s[i] - '0');
        else if (hex && s[i] >= 'a' && s[i] <= 'f')
            digit = (u64)(s[i] - 'a') + 10;
        else if (hex && s[i] >= 'A' && s[i] <= 'F')
            digit = (u64)(s[i] - 'A') + 10;
        else
            return false;
        if (*v > (~0ull - digit) / base)
            return false;
        *v = *v * base + digit;
    }
    return true;
}
