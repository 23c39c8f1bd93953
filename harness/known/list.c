/* Lists of regular expressions, as deqp-runner takes them. */
#include "harness/io/file.h"
#include "harness/io/lines.h"
#include "harness/known/internal.h"
#include "oracle/base/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATTERN_MAX = 4096, /* characters that libc's compiler sees: some seconds at worst */
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
    u64 last;         /* of these characters, what a repeat that comes next repeats */
    bool is_repeated; /* which is a group or a repeat itself */
};

/* Adds `length` characters, which a repeat may repeat. */
static void measure_plain(struct measured *m, u64 length)
{
    m->size[m->depth] += length;
    m->last = length;
    m->is_repeated = false;
}

/* What comes last is written out `times` times. */
static void measure_repeat(struct measured *m, u64 times)
{
    u64 more = times > PATTERN_MAX ? PATTERN_MAX + 1 : m->last * (times - 1);
    m->size[m->depth] += more + 1;
    m->last += more + 1;
    m->is_repeated = true;
}

static void measure_close(struct measured *m)
{
    u64 group = m->size[m->depth--] + 2;
    measure_plain(m, group);
    m->is_repeated = true;
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
    if (*text == '(' && m->depth + 1 < NESTING_MAX)
        m->size[++m->depth] = 0;
    else if (*text == ')' && m->depth)
        measure_close(m);
    else if (*text == '*' || *text == '?' || *text == '+')
        measure_repeat(m, m->is_repeated ? 4 : 1);
    else
        measure_plain(m, *text == '(' ? PATTERN_MAX + 1 : length); /* too deep to be looked at */
    return length;
}

/* About how long a pattern is once libc has written out what is repeated: x+ as xx*, x{3} as xxx. Of
 * repeats of repeats (v++++++++++++++++++++++) it would take all memory. A single character that is
 * repeated by + does not count; no pattern is longer than twice the answer. A repeat that is
 * repeated counts four times, since libc goes through it so often in search of what may be empty
 * (x???++++++++). */
static u64 written_out(const char *text)
{
    struct measured m = { .depth = 0 };
    u64 sum = 0;
    while (*text && m.size[m.depth] <= PATTERN_MAX)
        text += measure_next(&m, text);
    for (u32 i = 0; i <= m.depth; i++)
        sum += m.size[i];
    return sum;
}

static enum status add(struct known_list *l, const char *text, struct err *e)
{
    char why[128];
    if (written_out(text) > PATTERN_MAX)
        return err_set(e, ST_INPUT,
                       "'%.80s' is too long with its repeats written out: at most %d characters",
                       text, PATTERN_MAX);
    regex_t *at = array_grow(l->at, &l->cap, l->count + 1ull, sizeof *at);
    if (!at)
        return err_memory(e);
    l->at = at;
    int code = regcomp(&l->at[l->count], text, REG_EXTENDED | REG_NOSUB);
    if (code == REG_ESPACE)
        return err_memory(e);
    if (code != 0) {
        regerror(code, NULL, why, sizeof why);
        return err_set(e, ST_INPUT, "'%.80s' is no regular expression: %s", text, why);
    }
    l->count++;
    return ST_OK;
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
