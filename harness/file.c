#include "harness/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_BYTES = 64 * 1024 };

/* Reads until the end; pipes do not know their size beforehand. */
static enum status read_all(FILE *f, size_t limit, u8 **bytes, size_t *size, struct err *e)
{
    size_t room = FIRST_BYTES, used = 0;
    u8 *buf = malloc(room + 1);
    if (!buf)
        return err_set(e, ST_WORLD, "out of memory");
    for (;;) {
        size_t n = fread(buf + used, 1, room - used, f);
        used += n;
        if (used > limit) {
            free(buf);
            return err_set(e, ST_INPUT, "is larger than the limit of %zu bytes", limit);
        }
        if (n == 0)
            break;
        if (used == room) {
            u8 *more = realloc(buf, room * 2 + 1);
            if (!more) {
                free(buf);
                return err_set(e, ST_WORLD, "out of memory");
            }
            buf = more;
            room *= 2;
        }
    }
    if (ferror(f)) {
        free(buf);
        return err_set(e, ST_INPUT, "cannot be read: %s", strerror(errno));
    }
    buf[used] = 0;
    *bytes = buf;
    *size = used;
    return ST_OK;
}

enum status file_read(const char *path, size_t limit, u8 **bytes, size_t *size, struct err *e)
{
    if (strcmp(path, "-") == 0)
        return read_all(stdin, limit, bytes, size, e);
    FILE *f = fopen(path, "rb");
    if (!f)
        return err_set(e, ST_INPUT, "cannot be opened: %s", strerror(errno));
    enum status st = read_all(f, limit, bytes, size, e);
    fclose(f);
    return st;
}

void file_error(struct err *e, const char *path, int line)
{
    snprintf(e->file, sizeof e->file, "%s", path);
    e->line = line;
    for (char *c = e->text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}
