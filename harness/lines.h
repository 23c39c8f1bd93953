/* Reading a text file or standard input line by line, of any length. Used by the commands that
 * answer each line. */
#ifndef HARNESS_LINES_H
#define HARNESS_LINES_H

#include "oracle/base.h"

#include <stdio.h>

struct lines {
    FILE *file;
    char *buf;
    size_t size;
    u64 number; /* of the line last returned, from 1 */
};

/* Opens a file; "-" is standard input. ST_INPUT with the name in e if it cannot be read. */
enum status lines_open(struct lines *l, const char *path, struct err *e);

/* The next line without its end, or NULL at the end of the file. Valid until the next call. Cut at
 * a NUL. */
const char *lines_next(struct lines *l);

void lines_close(struct lines *l);

#endif
