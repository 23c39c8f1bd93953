/* Scanning a line: characters, words, integers, the error that names a token. */
#include "oracle/insn/asm.h"

void asm_skip(struct line *l)
{
    while (*l->p == ' ')
        l->p++;
}

bool asm_accept_char(struct line *l, char c)
{
    asm_skip(l);
    if (*l->p != c)
        return false;
    l->p++;
    return true;
}

size_t asm_word_length(const char *p)
{
    size_t n = 0;
    if (asm_is_digit(p[0]))
        return 0;
    while (asm_is_word(p[n]))
        n++;
    return n;
}

bool asm_same_word(const char *p, size_t n, const char *word)
{
    size_t i = 0;
    for (; i < n && word[i]; i++) {
        char c = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] + 32) : word[i];
        if (c != p[i])
            return false;
    }
    return i == n && word[i] == '\0';
}

bool asm_accept_word(struct line *l, const char *word)
{
    asm_skip(l);
    size_t n = asm_word_length(l->p);
    if (n == 0 || !asm_same_word(l->p, n, word))
        return false;
    l->p += n;
    return true;
}

enum status asm_fail_at(const struct line *l, const char *p, const char *what, struct err *e)
{
    while (*p == ' ')
        p++;
    size_t n = asm_word_length(p);
    bool bare = n == 0;
    if (bare)
        n = strcspn(p, " ,");
    else if (p[n] == '[' || p[n] == '(' || p[n] == ':')
        n += strcspn(p + n, p[n] == '[' ? "]" : p[n] == '(' ? ")" : " ,");
    n += !bare && (p[n] == ']' || (p[n] == ')' && memchr(p, '(', n)));
    if (n == 0 && *p)
        n = 1;
    if (n == 0)
        return err_set(e, ST_INPUT, "%s at the end of the line", what);
    return err_set(e, ST_INPUT, "%s '%.*s'", what, (int)(n < 60 ? n : 60),
                   l->original + (p - l->text));
}

static u32 digit_of(char c)
{
    if (asm_is_digit(c))
        return (u32)(c - '0');
    return c >= 'a' && c <= 'f' ? (u32)(c - 'a') + 10 : 99;
}

/* Unsigned digits; false if there is none or the value does not fit 64 bits. */
static bool accept_digits(struct line *l, u64 *value)
{
    u32 base = 10;
    if (l->p[0] == '0' && (l->p[1] == 'x' || l->p[1] == 'b')) {
        base = l->p[1] == 'x' ? 16 : 2;
        l->p += 2;
    } else if (l->p[0] == '0') {
        base = 8;
    }
    u64 v = 0;
    const char *start = l->p;
    for (; digit_of(*l->p) < base; l->p++) {
        if (v > (~0ull - digit_of(*l->p)) / base)
            return false;
        v = v * base + digit_of(*l->p);
    }
    *value = v;
    return l->p > start && !asm_is_word(*l->p);
}

bool asm_accept_integer(struct line *l, i64 *value)
{
    const char *start = l->p;
    bool minus = asm_accept_char(l, '-');
    u64 v;
    asm_skip(l);
    if (!accept_digits(l, &v) || (minus && v > 1ull << 63)) {
        l->p = start;
        return false;
    }
    *value = (i64)(minus ? 0 - v : v);
    return true;
}

enum status asm_add_mod(struct line *l, const char *start, u32 field, i64 value, struct err *e)
{
    for (u32 i = 0; i < l->modvals; i++)
        if (l->mod[i].field == field)
            return asm_fail_at(l, start, "given twice:", e);
    if (l->modvals == MODVALS_MAX)
        return asm_fail_at(l, start, "too many modifiers at", e);
    l->mod[l->modvals++] =
        (struct modval){ .field = (u8)field, .at = (u16)(start - l->text), .value = value };
    return ST_OK;
}
