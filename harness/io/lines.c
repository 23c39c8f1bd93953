#include "harness/io/lines.h"

#include "harness/io/file.h"
#include "reports/file/input.h"

#include <stdlib.h>
#include <unistd.h>

enum status lines_open(struct lines *l, const char *path, struct err *e)
{
    struct err why = { .text = "" };
    *l = (struct lines){ .file = stdin };
    if (strcmp(path, "-") == 0)
        return ST_OK;
    int fd = input_open(path, &why);
    if (fd < 0)
        return err_set(e, ST_INPUT, "%.100s: %.150s", path, why.text);
    l->file = fdopen(fd, "r");
    if (l->file)
        return ST_OK;
    close(fd);
    return err_memory(e);
}

/* Doubles the buffer, up to the bound. */
static bool grow(struct lines *l)
{
    size_t size = l->size ? l->size * 2 : 256;
    l->is_too_long = size > LINES_MAX_BYTES;
    char *more = l->is_too_long ? NULL : realloc(l->buf, size);
    if (!more)
        return false;
    l->buf = more;
    l->size = size;
    return true;
}

const char *lines_next(struct lines *l)
{
    size_t n = 0;
    int c;
    while ((c = getc_unlocked(l->file)) != EOF && c != '\n') {
        if (n + 2 > l->size && !grow(l))
            return NULL;
        /* A NUL would hide the rest of the line. With a question mark in its place no line is
         * accepted. */
        l->buf[n++] = c ? (char)c : '?';
    }
    if ((c == EOF && (n == 0 || ferror(l->file))) || (l->size == 0 && !grow(l)))
        return NULL;
    l->number++;
    while (n > 0 && l->buf[n - 1] == '\r')
        n--;
    l->buf[n] = '\0';
    return l->buf;
}

enum status lines_status(const struct lines *l, struct err *e)
{
    if (ferror(l->file))
        return err_set(e, ST_INPUT, "line %llu cannot be read", (unsigned long long)l->number + 1);
    if (l->is_too_long)
        return err_set(e, ST_INPUT, "line %llu is longer than %d bytes",
                       (unsigned long long)l->number + 1, LINES_MAX_BYTES);
    if (!feof(l->file))
        return err_memory(e);
    return ST_OK;
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
    st = lines_status(&in, e);
    if (st != ST_OK)
        file_error(e, path, 0);
    lines_close(&in);
    return st;
}
