#include "harness/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum status lines_open(struct lines *l, const char *path, struct err *e)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *l = (struct lines){ .file = is_stdin ? stdin : fopen(path, "r") };
    struct stat about;
    if (!l->file || fstat(fileno(l->file), &about) != 0)
        return err_set(e, ST_INPUT, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode)) {
        lines_close(l);
        return err_set(e, ST_INPUT, "%s: is a directory", path);
    }
    return ST_OK;
}

const char *lines_next(struct lines *l)
{
    ssize_t n = getline(&l->buf, &l->size, l->file);
    if (n < 0)
        return NULL;
    l->number++;
    /* A NUL would hide what stands behind it; no line with this in its place is right. */
    for (char *nul = l->buf; (nul = memchr(nul, '\0', (size_t)(l->buf + n - nul)));)
        *nul = '?';
    while (n > 0 && (l->buf[n - 1] == '\n' || l->buf[n - 1] == '\r'))
        l->buf[--n] = '\0';
    return l->buf;
}

void lines_close(struct lines *l)
{
    if (l->file && l->file != stdin)
        fclose(l->file);
    free(l->buf);
    *l = (struct lines){ 0 };
}

enum status lines_answer(const char *mcpu, const char *path, lines_answer_fn *fn, bool *all,
                         struct err *e)
{
    struct isa isa;
    struct lines in;
    enum status st = isa_open(&isa, mcpu, e);
    if (st == ST_OK)
        st = lines_open(&in, path, e);
    if (st != ST_OK)
        return st;
    *all = true;
    for (const char *line; (line = lines_next(&in));)
        *all &= fn(&isa, line, in.number);
    lines_close(&in);
    return ST_OK;
}
