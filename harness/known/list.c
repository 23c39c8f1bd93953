/* Lists of regular expressions, as deqp-runner takes them. */
#include "harness/io/file.h"
#include "harness/io/lines.h"
#include "harness/known/internal.h"
#include "oracle/base/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATTERN_MAX = 4096, /* characters that libc's compiler sees */
    NESTING_MAX = 128   /* groups in groups */
};

/* The largest number in "{m,n}", and how long that is; 0: it is no repeat. */
static u32 read_repeats(const char *text, u64 *most)
{
    size_t n = strspn(text + 1, "0123456789,");
    *most = 1;
    if (n == 0 || text[n + 1] != '}')
        return 0;
    for (const char *at = text + 1; *at != '}';) {
        char *end = NULL;
        u64 v = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : 0;
        *most = v > *most ? v : *most;
        at = end ? end : at + 1;
    }
    return (u32)n + 2;
}

/* Characters of "[...]". In it stand [:alpha:], [.x.] and [=x=], and a ] that comes first. */
static u32 bracket_length(const char *text)
{
    const char *at = text + 1;
    at += *at == '^';
    at += *at == ']';
    while (*at && *at != ']') {
        const char *end = NULL;
        if (*at == '[' && at[1] && strchr(":.=", at[1])) {
            char closing[3] = { at[1], ']', 0 };
            end = strstr(at + 2, closing);
        }
        at = end ? end + 2 : at + 1;
    }
    return (u32)(at - text) + (*at == ']');
}

/* A pattern as far as it was read. */
struct measured {
    u64 size[NESTING_MAX]; /* of each group that is open, the whole first */
    u32 depth;
    u64 last; /* of these characters, what a repeat that comes next repeats */
    enum { IS_PLAIN, IS_GROUP, IS_REPEAT, IS_LAZY } what;
    const char *refused; /* why it is not taken */
};

/* Adds `length` characters, which a repeat may repeat. */
static void measure_plain(struct measured *m, u64 length)
{
    m->size[m->depth] += length;
    m->last = length;
    m->what = IS_PLAIN;
}

/* What comes last is written out `times` times; a group four times that, since libc goes through it
 * so often in search of what may be empty. */
static void measure_repeat(struct measured *m, u64 times)
{
    if (m->what >= IS_REPEAT)
        m->refused = "repeats a repeat: that takes a group, as in (x+)+";
    times = m->what == IS_GROUP ? 4 * times : times;
    u64 more = times > PATTERN_MAX ? PATTERN_MAX + 1 : m->last * (times - 1);
    m->size[m->depth] += more + 1;
    m->last += more + 1;
    m->what = IS_REPEAT;
}

static void measure_close(struct measured *m)
{
    u64 group = m->size[m->depth--] + 2;
    measure_plain(m, group);
    m->what = IS_GROUP;
}

/* Reads what stands at `text`, and answers how many characters that is. */
static u32 measure_next(struct measured *m, const char *text)
{
    u64 times = 1;
    u32 length = 1;
    if (*text == '{' && (length = read_repeats(text, &times)) != 0) {
        measure_repeat(m, times);
        return length;
    }
    length = *text == '\\' && text[1] ? 2 : *text == '[' ? bracket_length(text) : 1;
    if (*text == '\\' && isdigit((unsigned char)text[1]))
        m->refused = "refers back to a group, which is not taken";
    if (*text == '(' && m->depth + 1 < NESTING_MAX) {
        m->size[++m->depth] = 0;
        m->what = IS_PLAIN;
    } else if (*text == ')' && m->depth)
        measure_close(m);
    else if (*text == '?' && m->what == IS_REPEAT)
        m->what = IS_LAZY;
    else if (*text == '*' || *text == '?' || *text == '+')
        measure_repeat(m, 1);
    else
        measure_plain(m, *text == '(' ? PATTERN_MAX + 1 : length); /* too deep to be looked at */
    return length;
}

/* Copies a pattern for libc, without what makes a repeat a lazy one (x+?): whether there is a match
 * does not depend on it, and libc would repeat twice. Answers why it is refused, or NULL. On repeats of
 * repeats, which POSIX leaves undefined (v++++++++++++++++++++++, x???++++++++), and references
 * back, libc's compiler takes all time and memory; how long a pattern of groups is once it has
 * written out what is repeated, x{3} as xxx and (x+)+ as (x+)(x+)*, is bounded. */
static const char *read_pattern(const char *text, char *copy)
{
    struct measured m = { .depth = 0 };
    u64 sum = 0;
    while (*text && !m.refused && m.size[m.depth] <= PATTERN_MAX) {
        u32 length = measure_next(&m, text);
        if (m.what != IS_LAZY) {
            memcpy(copy, text, length);
            copy += length;
        }
        text += length;
    }
    *copy = 0;
    for (u32 i = 0; i <= m.depth; i++)
        sum += m.size[i];
    if (!m.refused && sum > PATTERN_MAX)
        return "is too long with its repeats written out: at most 4096 characters";
    return m.refused;
}

static enum status compile(regex_t *to, const char *text, const char *copy, struct err *e)
{
    char why[128];
    int code = regcomp(to, copy, REG_EXTENDED | REG_NOSUB);
    if (code == 0)
        return ST_OK;
    if (code == REG_ESPACE)
        return err_memory(e);
    regerror(code, NULL, why, sizeof why);
    return err_set(e, ST_INPUT, "'%.80s' is no regular expression: %s", text, why);
}

static enum status add(struct known_list *l, const char *text, struct err *e)
{
    regex_t *at = array_grow(l->at, &l->cap, l->count + 1ull, sizeof *at);
    if (!at)
        return err_memory(e);
    l->at = at;
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        return err_memory(e);
    const char *refused = read_pattern(text, copy);
    enum status st = refused ? err_set(e, ST_INPUT, "'%.80s' %s", text, refused)
                             : compile(&l->at[l->count], text, copy, e);
    free(copy);
    l->count += st == ST_OK;
    return st;
}

enum status known_read_list(struct known_list *l, const char *path, struct err *e)
{
    struct lines in;
    const char *line;
    enum status st = lines_open(&in, path, e);
    if (st != ST_OK)
        return st;
    while (st == ST_OK && (line = lines_next(&in)) != NULL)
        if (line[0] && line[0] != '#')
            st = add(l, line, e);
    if (st != ST_OK)
        file_error(e, path, (int)in.number);
    else if ((st = lines_status(&in, e)) != ST_OK)
        file_error(e, path, 0);
    lines_close(&in);
    return st;
}

bool known_list_has(const struct known_list *l, const char *id)
{
    for (u32 i = 0; i < l->count; i++)
        if (regexec(&l->at[i], id, 0, NULL, 0) == 0)
            return true;
    return false;
}

void known_free_list(struct known_list *l)
{
    for (u32 i = 0; i < l->count; i++)
        regfree(&l->at[i]);
    free(l->at);
    *l = (struct known_list){ 0 };
}
