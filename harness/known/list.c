/* Lists of regular expressions, as deqp-runner takes them. */
#include "harness/io/file.h"
#include "harness/io/lines.h"
#include "harness/known/internal.h"
#include "oracle/base/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_MAX = 4096 }; /* characters that libc's compiler sees: some seconds at worst */

/* The largest number in "{m,n}". */
static u64 most_repeats(const char *text)
{
    u64 most = 1;
    for (const char *at = text + 1; *at && *at != '}'; at++) {
        char *end = NULL;
        u64 n = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : 0;
        most = n > most ? n : most;
        at = end ? end - 1 : at;
    }
    return most;
}

/* About how long a pattern is once libc has written out what is repeated: x+ as xx*, x{3} as xxx. Of
 * repeats of repeats (v++++++++++++++++++++++) it would take all memory. A single character that is
 * repeated by + does not count; no pattern is longer than twice the answer. */
static u64 written_out(const char *text)
{
    u64 size = strlen(text);
    for (const char *at = text; *at && size <= PATTERN_MAX; at++)
        if (*at == '{')
            size = most_repeats(at) > PATTERN_MAX ? PATTERN_MAX + 1 : size * most_repeats(at);
        else if (*at == '+' && at > text && strchr(")+*?}", at[-1]))
            size *= 2;
    return size;
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
