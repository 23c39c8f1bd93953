#include "harness/lines.h"

#include <errno.h>
#include <stdlib.h>

enum status lines_open(struct lines *l, const char *path, struct err *e)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *l = (struct lines){ .file = is_stdin ? stdin : fopen(path, "r") };
    if (!l->file)
        return err_set(e, ST_INPUT, "%s: %s", path, strerror(errno));
    return ST_OK;
}

const char *lines_next(struct lines *l)
{
    ssize_t n = getline(&l->buf, &l->size, l->file);
    if (n < 0)
        return NULL;
    l->number++;
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
