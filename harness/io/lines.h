/* Reading a text file or standard input line by line. Used by the commands that answer each line.
 * A line is bounded, so that a file without any (a device, a disk image) is not read into
 * memory. */
#ifndef HARNESS_IO_LINES_H
#define HARNESS_IO_LINES_H

#include "oracle/isa/isa.h"

#include <stdio.h>

enum { LINES_MAX_BYTES = 16 << 20 }; /* of one line */

struct lines {
    FILE *file;
    char *buf;
    size_t size;
    u64 number; /* of the line last returned, from 1 */
    bool is_too_long;
};

/* Opens a file; "-" is standard input. ST_INPUT with the name in e if it cannot be read. */
enum status lines_open(struct lines *l, const char *path, struct err *e);

/* The next line without its end, or NULL at the end of the file, and where it cannot be read on,
 * which lines_status tells. Valid until the next call. A NUL in it has become a question mark. */
const char *lines_next(struct lines *l);

/* After the last line: ST_INPUT if the next was too long or the file could not be read, ST_WORLD
 * without memory. */
enum status lines_status(const struct lines *l, struct err *e);

/* Closes the file, unless it is standard input, and frees the line. A zeroed *l may be closed. */
void lines_close(struct lines *l);

/* Prints the answer to one line; false if the line is wrong. */
typedef bool lines_answer_fn(const struct isa *isa, const char *line, u64 number);

/* Answers every line of a file. *all: whether none was wrong. ST_INPUT for an unknown processor or
 * a file that cannot be read. */
enum status lines_answer(const char *mcpu, const char *path, lines_answer_fn *fn, bool *all,
                         struct err *e);

#endif
